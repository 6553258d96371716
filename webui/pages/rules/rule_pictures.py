"""Pictures by rule, with scores computed by the rules from the same pieces."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scorer import Die, Game, Table, Tile, load_move, replay
from scorer.messages import Message, _
from scorer.table import MarkedCell
from webui.languages import said
from webui.pages.drawings.grid import grid

COLOURS = {"B": "black", "W": "white", "r": "red", "b": "blue", "p": "purple"}
MARKS = {".": "blank", "x": "checked", "#": "struck", "k": "blackened"}


@dataclass(frozen=True, slots=True)
class RulePicture:
    """A table, the rolls of a turn, or a printed track; `worked` is its score.

    `throws` are the rolls of a turn, made by `moves`. `whose` are labels of the scores, if there
    are no player names.
    """

    caption: Message
    table: Table = field(default_factory=Table)
    throws: tuple[tuple[int, ...], ...] = ()
    moves: tuple[Mapping[str, Any], ...] = ()
    places: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    worked: bool = False
    whose: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class WorkedLine:
    """A line of a picture's score, in the form of an explanation."""

    text: str
    points: int
    seat: int | None
    cells: Sequence[Sequence[int]] = ()


@dataclass(frozen=True, slots=True)
class Worked:
    """The score of a picture: its lines, their owners, the scores, and the result."""

    lines: tuple[WorkedLine, ...]
    whose: tuple[str, ...]
    score: tuple[int, ...]
    means: tuple[str, ...] = ()
    grid: Mapping[str, int] = field(default_factory=lambda: {"rows": 0, "columns": 0})


def _on_cells(rows: str) -> Table:
    """Return dice on the cells of a grid: "B5 W2 -- / …"."""
    dice = [
        Die(int(word[1]), COLOURS[word[0]], (row, column))
        for row, line in enumerate(rows.split("/"))
        for column, word in enumerate(line.split())
        if word != "--"
    ]
    return Table(tuple(dice))


def _lying(words: str) -> Table:
    """Return dice beside each other: "r5 b6"."""
    return Table(tuple(Die(int(word[1]), COLOURS[word[0]]) for word in words.split()))


def _sheet(red: str, blue: str) -> Table:
    """Return a sheet: five rows of six marks a half, the 6 last."""
    return Table(
        marks=tuple(
            MarkedCell((half, row, column), MARKS[mark])
            for half, rows in (("red", red), ("blue", blue))
            for row, line in enumerate(rows.split())
            for column, mark in enumerate(line)
        )
    )


def _tiles(*tiles: str) -> Table:
    """Return laid tiles, "1-1 0,0 0,1"; a tile on others is a level higher."""
    laid: list[Tile] = []
    for words in tiles:
        halves, *cells = words.split()
        first, second = (_cell(cell) for cell in cells)
        below = [tile for tile in laid if {first, second} & {*tile.on_cells}]
        value = tuple(map(int, halves.split("-")))
        level = 1 + max((tile.level or 0 for tile in below), default=0)
        laid.append(Tile((value[0], value[1]), (first, second), level))
    return Table(tiles=tuple(laid))


def _cell(words: str) -> tuple[int, int]:
    row, column = words.split(",")
    return int(row), int(column)


BLANK = "...... ...... ...... ...... ......"
DOUBLES = ("1-1 0,0 0,1", "6-6 0,2 0,3", "2-2 1,0 1,1", "5-5 1,2 1,3", "3-3 2,0 2,1", "4-4 2,2 2,3")

PICTURES: Mapping[str, RulePicture] = {
    "PH-4": RulePicture(
        _("Black has placed three dice and white two, so white is next."),
        _on_cells("B5 -- B3 / -- W6 -- / W2 -- B4"),
    ),
    "PH-5": RulePicture(
        _("A finished board, line by line."),
        _on_cells("B5 W2 B3 / W6 B1 W4 / B3 W5 B6"),
        worked=True,
        whose=(_("Black"), _("White")),
    ),
    "PH-9": RulePicture(
        _("Only the diagonal of three black dice counts: 5 + 1 + 6 is even, a point for white."),
        _on_cells("B5 W2 W3 / W6 B1 B4 / B2 W5 B6"),
    ),
    "DW-2": RulePicture(_("A blank sheet: red above, blue below."), _sheet(BLANK, BLANK)),
    "DW-4": RulePicture(
        _("Red may take 2 and 4, or either with the purple 5, or the 6; blue may take 1 and 5."),
        _lying("r2 r4 r6 b1 p5"),
    ),
    "DW-6": RulePicture(
        _("The second row is full, so its checks are struck through."),
        _sheet("x..... #####. ..x... ...... ......", BLANK),
    ),
    "DW-7": RulePicture(
        _("The third row has spent its 6 to leave its 4 unchecked: it cannot split."),
        _sheet("...... ...... xxx.xk ...... ......", BLANK),
    ),
    "DW-8": RulePicture(
        _("A sheet, column by column."),
        _sheet("x.x.x. xxx.x. #####. xx.xxk x.x...", "x.xx.. ..x.xx x.x.x. ...... x...x."),
        worked=True,
    ),
    "EO-2": RulePicture(_("The six doubles at the start."), _tiles(*DOUBLES)),
    "EO-5": RulePicture(
        _("The 6 of the new tile lies beside a 6, so it may be laid there."),
        _tiles(*DOUBLES, "6-2 0,4 1,4"),
    ),
    "EO-6": RulePicture(
        _("Stacked on two tiles: its 2 covers a 2. What the 4 covers does not matter."),
        _tiles(*DOUBLES, "2-4 1,1 2,1"),
    ),
    "EO-7": RulePicture(
        _("Seen from above, each side's largest group."),
        _tiles(*DOUBLES, "6-2 0,4 1,4", "4-6 2,4 3,4", "2-4 1,1 2,1", "3-5 3,0 3,1"),
        worked=True,
    ),
    "BO-4": RulePicture(
        _("A turn of five rolls."),
        throws=((3, 4), (2, 6), (4, 4), (2, 3), (5, 5)),
        moves=(
            {"move": "Agree", "starter": 0},
            {"move": "Roll", "low": 3, "high": 4},
            {"move": "Roll", "low": 2, "high": 6},
            {"move": "Roll", "low": 4, "high": 4},
            {"move": "Double", "roll": 1},
            {"move": "Roll", "low": 2, "high": 3},
            {"move": "Roll", "low": 5, "high": 5},
        ),
        worked=True,
    ),
    "GD-2": RulePicture(
        _("The beginning of the track."), places=("1", "1*", "2", "3", "2*", "4", "5", "3*", "6")
    ),
    "GD-5": RulePicture(
        _("Five fives were bid and called."),
        _lying("r5 r1 r3 r5 r2 b5 b6 b4 b1 b2"),
        facts={"bid": ("5", 5)},
        worked=True,
    ),
    "FK-3": RulePicture(
        _("Four of these six dice count."), _lying("W1 W1 W1 W5 W4 W6"), worked=True
    ),
    "FK-5": RulePicture(_("Nothing counts: a Farkle."), _lying("W2 W3 W4 W6 W4 W3")),
    "PIG-3": RulePicture(
        _("Three rolls, then held."),
        throws=((4,), (2,), (6,)),
        moves=(*({"move": "Roll", "pips": pips} for pips in (4, 2, 6)), {"move": "Hold"}),
        worked=True,
    ),
}


def worked(game: Game[Any, Any], picture: RulePicture) -> Worked:
    """Score a picture by the rules of *game*."""
    if picture.moves:
        state = replay(game, 2, {}, [load_move(game, move) for move in picture.moves])
        lines = [WorkedLine(said(b.text), b.points, None) for b in game.explain(state)]
        return Worked(tuple(lines), (), game.score(state)[:1])
    if game.one_photo is None:
        raise ValueError(f"{game.name} scores no picture")
    state = game.start(2, {})
    for move in game.one_photo.opening(state, picture.table):
        state = game.apply(state, move)
    scored = game.one_photo.tell(state, picture.table, picture.facts)
    several = len(scored.whose) > 1
    parts = len({b.part for b in scored.because if b.points}) > 1
    return Worked(
        tuple(
            WorkedLine(
                f"{said(b.part)}, {said(b.text)}" if parts else said(b.text),
                b.points,
                b.seat if several else None,
                [[*cell] for cell in b.cells],
            )
            for b in scored.because
            if b.points
        ),
        tuple(said(whose) for whose in picture.whose or scored.whose),
        scored.score,
        tuple(said(words) for words in (*scored.means, scored.outcome) if words),
        grid(game.equipment(state).board),
    )


def bounds(tiles: Sequence[Tile]) -> Iterator[int]:
    """Yield the first row and column of tiles, then the number of rows and columns."""
    rows, columns = zip(*(cell for tile in tiles for cell in tile.on_cells), strict=True)
    yield from (min(rows), min(columns), max(rows) - min(rows) + 1, max(columns) - min(columns) + 1)
