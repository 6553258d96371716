"""`pipsight teach`: learn unusual pieces from one or two confirmed photos.

The readings are numbered and a person types corrections. Unlikely candidates are numbered too, as
nothing, so that a missed piece can be added.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from scorer.messages import Message, _, joined, raw
from scorer.words import colour
from vision.adapt.boards import board_from, board_with_cells
from vision.adapt.fit import ConfirmedFace, PlaceToConfirm, fit_adapter, places
from vision.canvas import DOUBTFUL, SURE
from vision.errors import Unreadable
from vision.faces.adapter import NotTaught
from vision.layout import LayoutCell
from vision.limits import limited_memory
from vision.overlay import draw_marks
from vision.photo import Photo, load
from vision.reading import COLOURS, VALUES, Look
from webui.commands.arguments import corner
from webui.commands.language import CommandParser
from webui.commands.taught_files import BoardFiles, PieceFiles
from webui.eyes.look import layout_named
from webui.eyes.phrases import phrase, sentence_of
from webui.eyes.pictures import distinct_names, make_folder, write_picture
from webui.languages import counted, said, translate
from webui.terminal import console

MOST = 2  # photos
HOW = _("Write what is wrong as 2=5 red or 2=none. An empty line confirms the rest as it was read.")
NOT_CONFIRMED = _(
    "Nothing was learned: the input ended before an empty line confirmed what was read."
    " Say what lies there with --values, or answer at a terminal."
)
STOPPED = _("Nothing was learned.")
NOT_SAID = _("Write it as 2=5 red, 2=5 or 2=none.")

TypedFace = tuple[int | None, str | None]  # value, None: no face; colour, None: unchanged


def run(args: argparse.Namespace) -> int:
    """Teach, list or delete pieces; return 0, or 1 after printing an error."""
    if missing := _missing(args):
        args.ask.error(missing)
    try:
        _obey(args, PieceFiles(args.folder), BoardFiles(args.folder))
    except (NotTaught, Unreadable) as fault:
        console.report(fault)
        return 1
    except KeyboardInterrupt:
        if args.name:
            print(f"\n{translate(STOPPED)}", file=sys.stderr)
        raise
    return 0


def _missing(args: argparse.Namespace) -> Message | None:
    """Return what is wrong with the arguments together, None if nothing is."""
    if args.board:
        if not (args.name and args.corners and args.cells) or args.photos:
            return _("a board is taught by one photo, --corners and --cells")
    elif args.corners or args.cells:
        return _("--corners and --cells are of a board: name it with --board")
    elif not args.list and not args.forget and not (args.name and args.photos):
        return _("write a name and one or two photos")
    too_many = _("at most {most} photos are learned from", most=MOST)
    return too_many if len(args.photos) > MOST else None


def _obey(args: argparse.Namespace, pieces: PieceFiles, boards: BoardFiles) -> None:
    if args.list:
        for line in (*pieces.listed(), *boards.listed()) or (said(pieces.NOTHING),):
            print(line)
    elif args.forget:
        _forget(args.forget, pieces, boards)
    elif args.board:
        _teach_board(args, boards)
    else:
        _teach(args, pieces)


def options(ask: CommandParser) -> None:
    """Describe `pipsight teach`."""
    ask.description = "Learn your own dice or dominoes, or a board."
    ask.add_argument("name", nargs="?", metavar="NAME", help="a name, such as our-dice")
    ask.add_argument("photos", nargs="*", type=Path, metavar="PHOTO", help="one or two photos")
    ask.add_argument("--look", choices=("dice", "dominoes"), default="dice")
    ask.add_argument(
        "--values", metavar="VALUES", help='the values, in the order shown: "5 red, 3, none"'
    )
    ask.add_argument("--overlay", type=Path, metavar="DIR", help="write numbered pictures there")
    ask.add_argument("--folder", type=Path, metavar="DIR", help="where taught pieces are stored")
    ask.add_argument("--board", metavar="NAME", help="learn a board from one photo of it empty")
    ask.add_argument(
        "--corners", nargs=4, type=corner, metavar="X,Y",
        help="px, of the board's outer cells, clockwise from its own upper left",
    )  # fmt: skip
    ask.add_argument(
        "--cells", type=_cells, metavar="ROWSxCOLUMNS",
        help="of the board, or sheet:NAME: those of a game's sheet, laid between the corners",
    )  # fmt: skip
    ask.add_argument("--list", action="store_true", help="list taught pieces and boards")
    ask.add_argument("--forget", metavar="NAME", help="forget pieces, or board:NAME")


def _cells(text: str) -> tuple[int, int] | Sequence[LayoutCell]:
    """Parse `ROWSxCOLUMNS`, or the name of a printed sheet; raises ArgumentTypeError."""
    found = re.fullmatch(r"([1-9]\d?)x([1-9]\d?)", text)
    if found is not None:
        return int(found[1]), int(found[2])
    layout = layout_named(text)
    if layout is None or not any(cell.marks for cell in layout.cells):
        raise argparse.ArgumentTypeError(
            translate(
                "{text} is not a number of cells; write ROWSxCOLUMNS: 3x3, or a game's sheet:"
                " sheet:dice-wide-shut",
                text=repr(text),
            )
        )
    return layout.cells_on_unit_square


def _forget(name: str, pieces: PieceFiles, boards: BoardFiles) -> None:
    if name.startswith(boards.CALLED):
        boards.forget(name.removeprefix(boards.CALLED))
    else:
        pieces.forget(name)
    print(translate("{name} is forgotten.", name=name))


def _teach_board(args: argparse.Namespace, boards: BoardFiles) -> None:
    """Learn a board from a photo of it empty, and print how to use it."""
    boards.path_of(args.board)  # refuse a bad name before reading the photo
    with limited_memory():
        name = f"{boards.CALLED}{args.board}"
        teach = board_with_cells if isinstance(args.cells[0], LayoutCell) else board_from
        profile = teach(load(Path(args.name)), args.corners, args.cells, name)
    path = boards.save(args.board, profile)
    learned = translate(
        "Learned a board of {rows} rows and {columns} columns",
        rows=profile.rows,
        columns=profile.columns,
    )
    print(f"{learned}: {path}")
    print(translate("Read on it: pipsight read --look {name} PHOTO", name=name))


def _teach(args: argparse.Namespace, files: PieceFiles) -> None:
    files.path_of(args.name)  # refuse a bad name before values are typed
    look = Look(args.look)
    with limited_memory():
        photos = [_loaded(path) for path in args.photos]
    found = [places(photo, look) for photo in photos]
    every = [place for on_photo in found for place in on_photo]
    if not every:
        raise NotTaught(_("Nothing was found. Go closer, with more light."))
    _show(args, photos, found)
    corrected: dict[int, TypedFace] = {
        number: (place.value, place.colour) if place.shown else (None, None)
        for number, place in enumerate(every, start=1)
    }
    typed = args.values
    corrected |= _corrections(len(every)) if typed is None else _typed_values(typed, every)
    confirmed = [
        ConfirmedFace(place.quad.center, *corrected[number])
        for number, place in enumerate(every, start=1)
    ]
    rest = iter(confirmed)
    parts = [list(islice(rest, len(on_photo))) for on_photo in found]
    pieces = fit_adapter(list(zip(photos, parts, strict=True)), look)
    path = files.save(args.name, pieces)
    learned_faces = counted("Learned {n} face", "Learned {n} faces", pieces.faces)
    print(f"{learned_faces}: {path}")
    print(
        translate(
            "Read photos with them: pipsight read --pieces {name} PHOTO", name=_quoted(args.name)
        )
    )


def _loaded(path: Path) -> Photo:
    """Load a photo; raises NotTaught with its name, as there may be two photos."""
    try:
        return load(path)
    except Unreadable as fault:
        raise NotTaught(joined(": ", (raw(path), phrase(str(fault))))) from fault


def _quoted(name: str) -> str:
    return f'"{name}"' if " " in name else name


def _show(args: argparse.Namespace, photos: list[Photo], found: list[list[PlaceToConfirm]]) -> None:
    """Print the readings, and draw their numbers on copies of the photos."""
    folder = args.overlay or Path(tempfile.mkdtemp(prefix="pipsight-"))
    names = distinct_names(args.photos)
    first = 1
    for path, photo, on_photo in zip(args.photos, photos, found, strict=True):
        picture = folder / f"{names[path]}.numbers.jpg"
        marks = [
            (place.quad, str(number), SURE if place.shown else DOUBTFUL)
            for number, place in enumerate(on_photo, start=first)
        ]
        make_folder(folder)
        write_picture(picture, draw_marks(photo, marks))
        print(translate("{file}: numbers drawn in {picture}", file=path, picture=picture))
        for number, place in enumerate(on_photo, start=first):
            read = f"{place.value} {said(colour(place.colour))}"
            perhaps = "" if place.shown else translate("none, or perhaps {read}", read=read)
            print(f"  {number:2}  {perhaps or read}")
        first += len(on_photo)


def _typed_values(text: str, every: Sequence[PlaceToConfirm]) -> dict[int, TypedFace]:
    """Return {number: piece} for the places shown as pieces, in order."""
    shown = [number for number, place in enumerate(every, start=1) if place.shown]
    values = [_parsed(part) for part in text.split(",")]
    if len(values) != len(shown):
        raise NotTaught(
            _(
                "{pieces} pieces were read and {values} values were given. Write one for each, in"
                " the order shown, with none for what is no piece.",
                pieces=len(shown),
                values=len(values),
            )
        )
    return dict(zip(shown, values, strict=True))


def _corrections(count: int) -> dict[int, TypedFace]:
    """Ask for corrections until an empty line; raises NotTaught if the input ends first."""
    print(translate(HOW), flush=True)
    corrected: dict[int, TypedFace] = {}
    for line in sys.stdin:
        if not line.strip():
            return corrected
        number, equals, rest = line.partition("=")
        try:
            if not equals or not number.strip().isdecimal():
                raise NotTaught(NOT_SAID)
            if not 1 <= int(number) <= count:
                raise NotTaught(_("The numbers go from 1 to {count}.", count=count))
            corrected[int(number)] = _parsed(rest)
        except NotTaught as fault:
            print(sentence_of(fault), flush=True)
    raise NotTaught(NOT_CONFIRMED)


def _parsed(text: str) -> TypedFace:
    """Parse `5 red`, `5` or `none`."""
    plain = text.strip().lower()
    if plain == "none":
        return None, None
    words = re.fullmatch(r"(\d)(?:\s+([a-z]+))?", plain)
    if words is None:
        raise NotTaught(
            _("{text} is not understood. {how}", text=raw(repr(text.strip())), how=NOT_SAID)
        )
    value, typed = int(words[1]), words[2]
    if value not in VALUES:
        raise NotTaught(_("A face shows 0 to 6 pips, not {value}.", value=value))
    if typed is not None and typed not in COLOURS:
        every = raw(", ".join(COLOURS))
        raise NotTaught(
            _("There is no colour {colour}; there are {colours}.", colour=raw(typed), colours=every)
        )
    return value, typed
