"""Where eyes and rules meet over photos; `watch_bridge` joins them over a camera's frames.

In: what the rules want to see, photo bytes, or dice that a person tapped. Out: a `Table`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypedDict

import numpy as np

import vision
from scorer import Cell, Die, Doubt, Equipment, Malformed, MarkedCell, Table, Tile
from scorer.board import Board
from scorer.board import Cell as BoardCell
from scorer.messages import Message, _, joined
from scorer.photo.grids import cell_said
from scorer.photo.interpret import in_words, unread
from scorer.words import either, just
from vision import Look, LyingTile, Reading
from vision.adapt.boards import board_with_cells
from vision.arrangement import (
    lie_yet as lie_yet,  # noqa: PLC0414  # for `webui.follow.follower`
)
from vision.arrangement import (
    same_arrangement as same_arrangement,  # noqa: PLC0414  # for `webui.follow.follower`
)
from vision.board_profile import Profile, even_cells
from vision.boards.by_hand import NoBoardToSet, with_corners
from vision.boards.fiducials import modules, ring
from vision.boards.pose import NOT_THE_BOARD as NOT_THE_BOARD  # noqa: PLC0414  # for `score`
from vision.boards.pose import TWO_BOARDS as TWO_BOARDS  # noqa: PLC0414  # for `score`
from vision.boards.printed_board import UNSEEN
from vision.boards.report import GUESSED
from vision.faces.colour import FOREIGN as FOREIGN  # noqa: PLC0414  # for `photo_tables`
from vision.faces.colour import SURE as SURE_COLOUR
from vision.faces.multiscale import shipped_models
from vision.faces.white_balance import COLOURED
from vision.layout import Fiducial, LayoutCell
from vision.layout import Layout as Layout  # noqa: PLC0414  # for `print_board`
from vision.limits import limit_memory
from vision.reading_json import MarkJson as MarkJson  # noqa: PLC0414  # for what is answered
from vision.reading_json import ReadingJson as ReadingJson  # noqa: PLC0414  # for what is answered
from vision.views import views as views  # noqa: PLC0414  # for `webui.api.matches` and `webui.pages.match`
from webui.errors import NotRead
from webui.eyes.pictures import NotWritten as NotWritten  # noqa: PLC0414  # for `webui.commands.score`
from webui.eyes.pictures import distinct_names as distinct_names  # noqa: PLC0414  # for `webui.commands.score`
from webui.eyes.pictures import make_folder, write_picture
from webui.eyes.printed_boards import PAPERS, board_looked_for, pages

# Share of the likeliest reading of a tile from which another one is thought of, and how many are.
WORTH_TRYING, MOST_OTHERS = 0.002, 6
# Rows of the rules' table by what a print calls its places: a track is one row of places.
ROWS = {"place": 0, "lost": 1}
OTHER_CELLS = "This game's board has {} cells, not {}. Open the photo again and lay its lines anew."
NO_BOARD = "This game has no board to set on a photo: its pieces may lie anywhere."
COLOURS: tuple[str, ...] = vision.COLOURS  # of dice, in words


@dataclass(frozen=True, slots=True)
class PhotoReading:
    """A photo read: the reading as JSON, the same as a table, and what a person should look at."""

    reading: ReadingJson
    table: Table
    doubts: tuple[Doubt, ...]
    jpeg: bytes  # upright, without metadata
    seen: Reading | None = None  # what `reading` is of, to be drawn


def look_for(equipment: Equipment, spot: int = 0) -> Look:
    """Return what the eyes should look for on the surface *spot*, and the tiles known to lie there.

    A colour they have no word for leaves all open.
    """
    named = set(equipment.colours) <= set(COLOURS)
    look = Look.parse(
        equipment.board or ("dominoes" if equipment.tiles else "dice"),
        count=equipment.dice,
        colours=tuple(equipment.colours) if named else (),
    )
    look = replace(look, most=tuple(equipment.colours.values()) if named else ())
    known = equipment.spots[spot].known.tiles if spot < len(equipment.spots) else ()
    look = replace(look, lying=tuple(_lying(tile) for tile in known if tile.level is not None))
    if equipment.beside:
        return _on_pages(look, _layout_named(equipment.beside, equipment.places))
    return with_layout(look, equipment.places)


def _lying(tile: Tile) -> LyingTile:
    assert tile.level is not None
    return LyingTile(tile.halves, tile.cells, tile.level - 1)  # the eyes count levels from 0


def with_layout(look: Look, places: tuple[str, ...] = ()) -> Look:
    """Add the layout of the look's board where a game has one to print, and those of all pages.

    *places* names what is printed in the cells of a track, where the game's settings tell.
    """
    return _on_pages(look, _layout_named(str(look), places))


def _on_pages(look: Look, layout: Layout | None) -> Look:
    return replace(look, layout=layout, pages=_page_layouts())


@cache
def _page_layouts() -> tuple[Layout, ...]:
    return tuple(map(layout_of, pages()))


@cache
def _layout_named(look: str, places: tuple[str, ...]) -> Layout | None:
    board = board_looked_for(look, places)
    return None if board is None else layout_of(board)


def layout_of(board: Board, paper: str = "a4") -> Layout:
    """Return where a board's cells and fiducials lie on a sheet of *paper*, in its middle."""
    width, height = PAPERS[paper]
    left, top = (width - board.size_mm[0]) / 2, (height - board.size_mm[1]) / 2

    def on_paper(cell: BoardCell) -> LayoutCell:
        a, b, c, d = ((round(left + x, 3), round(top + y, 3)) for x, y in cell.polygon)
        return LayoutCell(cell.name, (a, b, c, d), cell.label, cell.marks)

    cells, areas = tuple(map(on_paper, board.cells)), tuple(map(on_paper, board.areas))
    fiducials = ring((left, top), board.size_mm, board.first_marker)
    return Layout(board.name, (width, height), fiducials, cells, areas=areas)


def marker_modules(marker: Fiducial) -> list[list[bool]]:
    """Return which squares of a fiducial are black, row by row."""
    black: list[list[bool]] = modules(marker).tolist()
    return black


def readable(equipment: Equipment) -> bool:
    """Say whether a photo can tell such a table: its board is known, or it needs none.

    A board without a print, such as a track that no page has room for, gives no piece a cell.
    """
    if equipment.board is None:
        return equipment.tiles or bool(equipment.dice) or bool(equipment.colours)
    look = look_for(equipment)
    return look.grid is not None or look.layout is not None


def cells_on(
    reading: Mapping[str, Any], taught: Mapping[str, Any] | None = None
) -> list[tuple[list[int | str], list[list[float]]]]:
    """Return the cells of the board of a reading as JSON, each with its quad in px.

    A grid has none: its corners tell them, also where it is nobody's print. Those of a board that
    was *taught* lie where a person laid them.
    """
    board = reading["board"]
    if board is None:
        return []
    if taught is not None and taught["geometry"]["board"] == board["name"]:
        layout: Layout | None = Layout.from_json(taught["geometry"])
    elif str(board["name"]).startswith("grid:"):
        return []
    else:
        layout = _layout_named(board["name"], ())
    if layout is None:
        return []
    quads = layout.cells_at(np.array(board["corners"], np.float64))
    return [
        (list(one.cell), quad.to_json()) for one, quad in zip(layout.cells, quads, strict=False)
    ]


def prepare() -> None:
    """Make a process ready to read photos: load the networks, and bound what photos may take."""
    shipped_models()
    limit_memory()


class ConfirmedPhoto(TypedDict):
    """A photo of dice as a person confirmed them, to be stored as JSON."""

    photo: str  # SHA-256 that names the file
    width: int  # of the photo in whose px the places are told
    dice: Sequence[tuple[float, float, int, str]]  # x, y, value, colour
    none: Sequence[tuple[float, float]]  # x, y of what was read where no die lies


def learn(
    lessons: Sequence[Mapping[str, Any]], photos: Path, equipment: Equipment
) -> dict[str, Any]:
    """Return what the eyes learn of photos in a folder, as JSON; raises NotRead."""
    try:
        told = [_taught(lesson, photos) for lesson in lessons]
        return vision.fit_adapter(told, look_for(equipment)).to_json()
    except (vision.Unreadable, vision.NotTaught) as fault:
        raise NotRead(str(fault)) from fault
    except ValueError as fault:  # a value or a colour that there is not
        raise Malformed(f"These dice cannot be: {fault}.") from fault


def _taught(
    lesson: Mapping[str, Any], photos: Path
) -> tuple[vision.Photo, list[vision.ConfirmedFace]]:
    photo = vision.load(photos / f"{lesson['photo']}.jpg")
    scale = photo.width / lesson["width"]  # a large photo is stored smaller
    said = [
        vision.ConfirmedFace((x * scale, y * scale), value, colour)
        for x, y, value, colour in lesson["dice"]
    ]
    return photo, said + [
        vision.ConfirmedFace((x * scale, y * scale), None) for x, y in lesson["none"]
    ]


class TaughtBoard(TypedDict):
    """An empty board on a photo as a person laid its cells over it."""

    photo: str  # SHA-256 that names the file
    width: int  # of the photo in whose px the corners are told
    corners: Sequence[tuple[float, float]]  # px, clockwise from the board's own upper left
    cells: Sequence[tuple[float, float, float, float]]  # left, top, right, bottom of the unit
    # square between the corners, one for each cell of the game's board in its order


def learn_board(told: TaughtBoard, photos: Path, equipment: Equipment) -> dict[str, Any]:
    """Return what a photo of a game's board teaches, as JSON; raises NotRead."""
    names = _cells_named(look_for(equipment))
    if len(told["cells"]) != len(names):
        raise NotRead(OTHER_CELLS.format(len(names), len(told["cells"])))
    cells = [
        replace(one, polygon=((x0, y0), (x1, y0), (x1, y1), (x0, y1)))
        for one, (x0, y0, x1, y1) in zip(names, told["cells"], strict=True)
    ]
    try:
        photo = vision.load(photos / f"{told['photo']}.jpg")
        scale = photo.width / told["width"]  # a large photo is stored smaller
        corners = [(x * scale, y * scale) for x, y in told["corners"]]
        return board_with_cells(photo, corners, cells, equipment.board or "").to_json()
    except (vision.Unreadable, vision.NotTaught) as fault:
        raise NotRead(str(fault)) from fault


def _cells_named(look: Look) -> Sequence[LayoutCell]:
    """Return the cells of the board that a look means; raises NotRead if it means none."""
    if look.layout is None and look.grid is not None:
        rows, columns = look.grid
        return even_cells(str(look), (1.0, 1.0), rows, columns).cells
    if look.layout is None or not look.layout.cells:
        raise NotRead(NO_BOARD)
    return look.layout.cells


def with_board(look: Look, profile: Profile) -> Look:
    """Return a look for the board that was taught instead of the printed one.

    A board whose cells are not those of the game, after its settings changed, is not looked for.
    """
    if {one.cell for one in profile.layout.cells} != {one.cell for one in _cells_named(look)}:
        return look
    return replace(look, layout=profile.layout, profile=profile)


class Set(TypedDict):
    """Four corners of a board as a person set them."""

    corners: Sequence[tuple[float, float]]  # px, clockwise from the board's own upper left
    width: int  # of the photo in whose px they are told


def _set(look: Look, told: Set, picture: vision.Photo) -> Look:
    scale = picture.width / told["width"]  # a large photo is stored smaller
    try:
        return with_corners(look, [(x * scale, y * scale) for x, y in told["corners"]])
    except NoBoardToSet as fault:
        raise NotRead(NO_BOARD) from fault


def see(
    photo: bytes,
    equipment: Equipment,
    spot: int = 0,
    learned: Mapping[str, Any] | None = None,
    corners: Set | None = None,
    board: Mapping[str, Any] | None = None,
) -> PhotoReading:
    """Read a photo of the surface *spot*, with what was *learned* of the pieces there.

    With *corners* the board is where a person set it; *board* is one that was taught.

    Raises NotRead saying what to change about the photo.
    """
    if not photo:
        raise NotRead("The photo is empty. Take it again.")
    try:
        picture = vision.decode(photo)
        look = look_for(equipment, spot)
        if board is not None:
            look = with_board(look, Profile.from_json(board))
        reading = _read(picture, look if corners is None else _set(look, corners, picture), learned)
        reading = _without_board(_without_colours(reading, equipment), equipment, spot)
        jpeg = vision.as_jpeg(picture)
    except vision.Unreadable as fault:
        raise NotRead(str(fault)) from fault
    return PhotoReading(
        reading.to_json("photo.jpg"),
        table_from(reading, spot, coloured=bool(equipment.colours)),
        doubts(reading),
        jpeg,
        reading,
    )


def write_overlay(
    path: Path,
    photo: Path,
    sight: PhotoReading,
    equipment: Equipment,
    forbidden: Collection[tuple[str, int]] = (),
    said: Sequence[str] = (),
) -> None:
    """Write what was read on a photo as a picture; raises NotWritten.

    The pieces that are *forbidden* are told by kind and place in the sight's table, and outlined
    where they lie; *said* is written below.
    """
    if sight.seen is None:
        return
    placed = [i for i, tile in enumerate(sight.seen.tiles) if all(h.cell for h in tile.halves)]
    there = [(kind, placed[i] if kind == "tiles" else i) for kind, i in forbidden]
    layout = look_for(equipment).layout
    drawn = vision.draw_overlay(
        vision.load(photo), sight.seen, layout=layout, forbidden=there, said=said
    )
    make_folder(path.parent)
    write_picture(path, drawn)


def _without_colours(reading: Reading, equipment: Equipment) -> Reading:
    """Ask nothing of the light where dice of every colour count alike."""
    if equipment.colours:
        return reading
    return replace(reading, warnings=tuple(one for one in reading.warnings if one != COLOURED))


def _without_board(reading: Reading, equipment: Equipment, spot: int) -> Reading:
    """Ask for no board where dice of the game lie beside it or are all that is shown."""
    lying = equipment.spots[spot].known.dice if spot < len(equipment.spots) else ()
    if reading.board is not None or not reading.dice or any(die.cell for die in lying) or not lying:
        return reading
    return replace(reading, warnings=tuple(one for one in reading.warnings if one != UNSEEN))


def _read(picture: vision.Photo, look: Look, learned: Mapping[str, Any] | None) -> Reading:
    """Read with taught pieces; those of another reader are told of, and left out."""
    if learned is None:
        return vision.read(picture, look)
    try:
        return vision.read(picture, look, adapter=vision.Adapter.from_json(learned))
    except vision.NotTaught as fault:
        plain = vision.read(picture, look)
        return replace(plain, warnings=(*plain.warnings, str(fault)))


def table_from(reading: Reading, spot: int = 0, *, coloured: bool = True) -> Table:
    """Return the reading as plain facts, the dice in the order of the reading.

    Where dice of every colour count alike, `not coloured`, a doubtful colour is none of the value.
    """
    return Table(
        tuple(_die(face, coloured) for face in reading.dice),
        tuple(_tile(tile) for tile in reading.tiles if all(half.cell for half in tile.halves)),
        tuple(_mark(mark) for mark in reading.marks),
        spot,
        tuple(_cell(cell) for cell in reading.missed_cells if cell is not None),
    )


def _die(face: vision.Face, coloured: bool) -> Die:
    (colour, share), *rest = face.colours if coloured else [(face.colour, 1.0)]
    others = tuple(other for other in rest if other[1] > 0)
    cell = _place(face)
    return Die(face.value, colour, cell, face.confidence * share, face.alternatives, others)


def _tile(tile: vision.TileReading) -> Tile:
    first, second = tile.halves
    assert first.cell is not None
    assert second.cell is not None
    return Tile(
        _numbers(tile),
        (_cell(first.cell), _cell(second.cell)),
        None if tile.level is None else tile.level + 1,  # the rules count levels from 1
        tile.confidence,
        _other_halves(tile),
    )


def _other_halves(tile: vision.TileReading) -> tuple[tuple[tuple[int, int], float], ...]:
    """Return what else the two halves may show, the likeliest first."""
    shares = [((half.value, half.probs[half.value]), *half.alternatives) for half in tile.halves]
    read, *others = (((a, b), p * q) for a, p in shares[0] for b, q in shares[1])
    likely = [other for other in others if other[1] >= WORTH_TRYING * read[1]]
    return tuple(sorted(likely, key=lambda other: -other[1])[:MOST_OTHERS])


def _mark(mark: vision.MarkReading) -> MarkedCell:
    part, row, column = mark.cell
    cell = (str(part), int(row), int(column))
    return MarkedCell(cell, mark.mark, mark.confidence, mark.alternatives)


def _place(face: vision.Face) -> Cell | None:
    """Return the cell a die stands in; those of a sheet are for marks, and say nothing of a die."""
    return None if face.cell is None or len(face.cell) != 2 else _cell(face.cell)


def _cell(cell: Sequence[int | str]) -> Cell:
    row, column = cell
    return ROWS[row] if isinstance(row, str) else row, int(column)


def doubts(reading: Reading) -> tuple[Doubt, ...]:
    """Return a question for each piece that the eyes are not sure of; none for dice off a board.

    Dice beside a sheet count. Of marks the rules ask: they know those that were there before. Where
    the grid lies is asked once, by a warning: not of each die that is plain by itself.
    """
    beside = reading.board is None or bool(reading.marks)
    dice = (
        Doubt(_question(face), ("dice", place), about=_asks(face))
        for place, face in enumerate(reading.dice)
        if not face.sure and (face.cell is not None or beside)
    )
    once_for_all = GUESSED in reading.warnings
    own = (doubt for doubt in dice if not (once_for_all and doubt.about == "meaning"))
    return (*own, *_tile_doubts(reading.tiles))


def _asks(face: vision.Face) -> Literal["meaning", "reading"]:
    """Say what is asked about a die: what its probabilities tell, or whether it is one at all."""
    doubtful = unread(_die(face, coloured=False)) or face.colours[0][1] < SURE_COLOUR
    return "reading" if doubtful else "meaning"


def _tile_doubts(tiles: Sequence[vision.TileReading]) -> Iterator[Doubt]:
    """Ask about tiles, those with cells in the order of the table, then those without."""
    celled = [tile for tile in tiles if tile.halves[0].cell]
    for place, tile in enumerate(celled):
        if not tile.sure:
            read = _("a tile read as {tile}", tile=_name(_numbers(tile)))
            if others := [_name(halves) for halves, _share in _other_halves(tile)[:2]]:
                read = _("{read}, perhaps {others}", read=read, others=either(others))
            yield Doubt(read, ("tiles", place), about=_asks_of(tile))
    for tile in tiles:
        if celled and tile not in celled:
            name = _name(_numbers(tile))
            text = _("where {tile} lies among the others does not show; it is left out", tile=name)
            yield Doubt(text)


def _asks_of(tile: vision.TileReading) -> Literal["meaning", "reading"]:
    """Say what is asked about a tile: what its numbers are, or whether both halves are there."""
    plain = all(half.confidence >= max(half.probs) for half in tile.halves)
    return "reading" if plain else "meaning"


def _numbers(tile: vision.TileReading) -> tuple[int, int]:
    return tile.halves[0].value, tile.halves[1].value


def _name(halves: tuple[int, int]) -> Message:
    return joined("-", sorted(halves))


def _question(face: vision.Face) -> Message:
    read = _("read as {die}", die=in_words((face.colour_words, face.value)))
    if others := [just(value) for value, _share in face.alternatives[:2]]:
        read = _("{read}, perhaps {others}", read=read, others=either(others))
    cell = _place(face)
    if cell is None or face.cell is None or isinstance(face.cell[0], str):
        return read
    return _("{place}: {text}", place=cell_said(cell), text=read)


def check_cells(table: Table, equipment: Equipment) -> None:
    """Raise Malformed if a die that a person tapped in lies outside the printed grid."""
    grid = look_for(equipment).grid
    for die in table.dice:
        if (
            grid
            and die.cell
            and not all(0 <= at < size for at, size in zip(die.cell, grid, strict=True))
        ):
            raise Malformed(f"The board has {grid[0]} rows and {grid[1]} columns, counted from 0.")
