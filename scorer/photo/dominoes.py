"""Compare dominoes on a photo with the known ones: new tiles, and contradictions.

The photo's cells have an arbitrary origin: every known tile that is read again votes for a frame
(shift, quarter turns, mirroring), and the one with most agreeing faces wins.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from scorer.dominoes import Domino, Lay, TopView, connected, name, surface
from scorer.messages import Message, _
from scorer.photo.interpret import drawn, likely
from scorer.proposal import Difference, Doubt
from scorer.table import Cell, Table, Tile

GridFrame = tuple[int, int, int]  # quarter turns, then rows down and columns right
KnownTiles = Sequence[tuple[tuple[int, int], tuple[Cell, Cell]]]  # numbers and cells, lowest first
ENOUGH = 6  # faces that must agree before a photo is called mirrored


def moved(cell: Cell, frame: GridFrame) -> Cell:
    """Transform a cell of the photo to the known table."""
    row, column = cell
    for _turn in range(frame[0]):
        row, column = column, -row
    return row + frame[1], column + frame[2]


def frame_of(tiles: Sequence[Tile], tiles_in_place: KnownTiles) -> tuple[GridFrame | None, bool]:
    """Return the best frame for the photo's cells, and whether it is unique."""
    ranked = _ranked(tiles, tiles_in_place)
    if not ranked:
        return None, False
    return ranked[0][1], len(ranked) == 1 or ranked[0][0] > ranked[1][0]


def mirrored(tiles: Sequence[Tile], tiles_in_place: KnownTiles) -> bool:
    """Return True if the photo fits the known tiles better mirrored."""
    over = [
        replace(tile, cells=((p[0], -p[1]), (q[0], -q[1])))
        for tile in tiles
        for p, q in [tile.on_cells]
    ]
    ranked, best = _ranked(over, tiles_in_place), _ranked(tiles, tiles_in_place)
    return bool(ranked) and ranked[0][0][0] >= ENOUGH and (not best or ranked[0][0] > best[0][0])


def _ranked(
    tiles: Sequence[Tile], tiles_in_place: KnownTiles
) -> list[tuple[tuple[int, int], GridFrame]]:
    """Return the proposed frames with the agreeing faces and tiles, best first."""
    at = {_sorted(halves, cells)[0]: _sorted(halves, cells)[1] for halves, cells in tiles_in_place}
    votes: Counter[GridFrame] = Counter()
    for tile in tiles:
        halves, cells = _sorted(tile.halves, tile.on_cells)
        if halves not in at:
            continue
        first, second = at[halves]
        for turns in range(4):
            for p, q in (cells, cells[::-1])[: 1 + (halves[0] == halves[1])]:
                row, column = moved(p, (turns, 0, 0))
                frame = (turns, first[0] - row, first[1] - column)
                if moved(q, frame) == second:
                    votes[frame] += 1
    top = {
        cell: number
        for halves, cells in tiles_in_place
        for cell, number in zip(cells, halves, strict=True)
    }
    faces = [face for tile in tiles for face in zip(tile.on_cells, tile.halves, strict=True)]

    def agreeing(frame: GridFrame) -> int:
        return sum(top.get(moved(cell, frame)) == number for cell, number in faces)

    ranked = [((agreeing(frame), count), frame) for frame, count in votes.items()]
    return sorted(ranked, key=lambda one: one[0], reverse=True)


def _sorted(
    halves: tuple[int, int], cells: tuple[Cell, Cell]
) -> tuple[tuple[int, int], tuple[Cell, Cell]]:
    (a, b), (p, q) = halves, cells
    return (halves, cells) if a < b or (a == b and p <= q) else ((b, a), (q, p))


MIRRORED = _("The photo is mirrored. Turn off mirroring in the camera, and take it again.")


class TileRules(NamedTuple):
    """The rule ids of a game about tiles."""

    once: str  # the box holds each tile once
    stays: str  # laid tiles stay
    plays: str  # placement on the table
    stacks: str  # placement on other tiles


@dataclass(frozen=True, slots=True)
class SeenTile:
    """A tile of the photo in our cells: its readings as lays, likeliest first."""

    index: int
    readings: tuple[tuple[Lay, float], ...]
    tile: Tile

    @property
    def lay(self) -> Lay:
        """The likeliest reading."""
        return self.readings[0][0]

    @property
    def at(self) -> tuple[str, int]:
        """The reference for a doubt."""
        return "tiles", self.index

    def asked(self, text: Message, lay: Lay, *others: tuple[Lay, ...]) -> Doubt:
        """Return the doubt whether it is this *lay*."""
        likely_is = lay == self.lay and drawn(self.tile.confidence)
        return Doubt(text, self.at, others=others, drawn=likely_is)


@dataclass(frozen=True, slots=True)
class Comparison:
    """A photo against the known tiles; `unseen` are those it neither shows nor covers."""

    fresh: list[SeenTile] = field(default_factory=list)
    apart: list[SeenTile] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)
    differences: list[Difference] = field(default_factory=list)
    unseen: list[Lay] = field(default_factory=list)
    lies: Literal["known", "mirrored", "unknown"] = "known"  # against the tiles that are known
    sure: bool = True  # whether the photo fits the known tiles in only one way


def lying(laid: Sequence[Lay]) -> Table:
    """Return all known tiles, lowest first."""
    tiles, top = [], dict[Cell, int]()
    for lay in laid:
        level = top.get(lay.cells[0], 0) + 1
        top |= dict.fromkeys(lay.cells, level)
        tiles.append(Tile(lay.tile, lay.cells, level))
    return Table(tiles=tuple(tiles))


def lying_in_any_order(laid: Sequence[Lay]) -> frozenset[Tile]:
    """Return all known tiles regardless of playing order."""
    return frozenset(lying(laid).tiles)


def compared(
    laid: Sequence[Lay], tiles: Sequence[Tile], rules: TileRules, beside: Collection[Domino] = ()
) -> Comparison:
    """Return the new tiles, and differences from the known ones.

    The photo's cells may be shifted or turned by quarters: the known tiles determine how. Tiles
    *beside* the board belong there.
    """
    there = [(lay.tile, lay.cells) for lay in laid]
    frame, sure = frame_of(tiles, there)
    pieces = [piece for piece in _pieces(tiles, frame or (0, 0, 0)) if piece.lay.tile not in beside]
    if mirrored(tiles, there):
        wrong = Difference(MIRRORED, rules.once)
        return Comparison(apart=pieces, differences=[wrong], lies="mirrored")
    if frame is None:
        text = _("none of these tiles are on the table so far; is this the right table?")
        wrong = Difference(text if tiles else _("no tile was found; show the table"), rules.stays)
        return Comparison(apart=pieces, differences=[wrong], lies="unknown")
    look = Comparison(sure=sure)
    _sort(look, laid, pieces, rules)
    return look


def _pieces(tiles: Sequence[Tile], frame: GridFrame) -> Iterator[SeenTile]:
    for index, tile in enumerate(tiles):
        p, q = (moved(cell, frame) for cell in tile.on_cells)
        readings = ((tile.halves, tile.confidence), *tile.others)
        yield SeenTile(
            index, tuple((Lay(halves, (p, q)), share) for halves, share in readings), tile
        )


def _sort(
    look: Comparison, laid: Sequence[Lay], pieces: Sequence[SeenTile], rules: TileRules
) -> None:
    top, by_tile = surface(laid), {lay.tile: lay for lay in laid}
    whole = _uncovered(laid, top)
    bare = set(top).difference(*whole)  # halves whose other half is covered
    touching = _touching(pieces, top)
    for piece in pieces:
        lay, cells = piece.lay, frozenset(piece.lay.cells)
        there, same_tile = whole.get(cells), by_tile.get(lay.tile)
        if lay == same_tile and there in (lay, None):
            whole.pop(cells, None)
        elif lay == same_tile and _is_below(top, piece):
            continue  # the known board includes covered tiles
        elif there is not None:  # a tile never covers exactly one other
            del whole[cells]
            _misread(look, piece, there, rules)
        elif same_view(top, lay) and cells <= bare and (same_tile or _level(top, piece)):
            continue  # open halves of two tiles, read as one tile
        elif same_tile and all(read.tile in by_tile for read, _ in piece.readings):
            look.differences.append(_displaced(same_tile, pieces, piece, rules))
            whole.pop(frozenset(same_tile.cells), None)
        else:
            (look.fresh if piece in touching else look.apart).append(piece)
    covered = {cell for piece in look.fresh for cell in piece.lay.cells}
    look.unseen.extend(lay for cells, lay in whole.items() if not cells & covered)


def _uncovered(laid: Sequence[Lay], top: TopView) -> dict[frozenset[Cell], Lay]:
    return {
        frozenset(lay.cells): lay
        for place, lay in enumerate(laid)
        if all(top[cell].place == place for cell in lay.cells)
    }


def _misread(look: Comparison, piece: SeenTile, there: Lay, rules: TileRules) -> None:
    """Record a piece read differently from the known tile *there*."""
    read, lies = name(piece.lay.tile), name(there.tile)
    if there in likely(piece.readings, piece.readings[0][1]):
        text = _("{seen} was read where {lies} lies; treated as {lies}", seen=read, lies=lies)
        look.doubts.append(Doubt(text, piece.at))
    else:
        text = _("{seen} was read where {lies} lies", seen=read, lies=lies)
        look.differences.append(Difference(text, rules.stacks, piece.at))


def same_view(top: TopView, lay: Lay) -> bool:
    """Return True if *lay* would not change the photo."""
    faces = zip(lay.cells, lay.tile, strict=True)
    return all(cell in top and top[cell].number == number for cell, number in faces)


def _level(top: TopView, piece: SeenTile) -> bool:
    return piece.tile.level == top[piece.lay.cells[0]].level


def _is_below(top: TopView, piece: SeenTile) -> bool:
    return piece.tile.level is not None and piece.tile.level < top[piece.lay.cells[0]].level


def _displaced(
    lay: Lay, pieces: Sequence[SeenTile], piece: SeenTile, rules: TileRules
) -> Difference:
    twin = any(lay in [read for read, _ in other.readings] for other in pieces if other != piece)
    if twin:
        return Difference(
            _("{tile} was read twice, but the box holds only one", tile=name(lay.tile)),
            rules.once,
            piece.at,
        )
    return Difference(_("{tile} has been moved", tile=name(lay.tile)), rules.stays, piece.at)


def _touching(pieces: Sequence[SeenTile], top: TopView) -> list[SeenTile]:
    """Return the tiles on or beside the board, directly or through other new tiles."""
    cells = [*top, *(cell for piece in pieces for cell in piece.lay.cells)]
    parts = connected(dict.fromkeys(cells))
    reached = {cell for part in parts if not top.keys().isdisjoint(part) for cell in part}
    return [piece for piece in pieces if piece.lay.cells[0] in reached]
