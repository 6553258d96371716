"""Dominoes in a photo against those known to lie there: which are new, and what cannot be."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice
from typing import Generic, NamedTuple, TypeVar

from scorer.dominoes import Domino, Face, Lay, Top, connected, name, names, surface, twice
from scorer.frames import Frame, moved
from scorer.game import Difference, Doubt, Illegal
from scorer.repair import joint_readings, likely, stories, unread
from scorer.table import Cell, Tile

S = TypeVar("S")

TRIED = 300  # joint readings of new tiles looked at: four tiles, four readings each


@dataclass(frozen=True, slots=True)
class Piece:
    """A tile in the photo, put on our cells: its readings as lays, likeliest first."""

    index: int
    readings: tuple[tuple[Lay, float], ...]
    tile: Tile

    @property
    def lay(self) -> Lay:
        """The likeliest reading."""
        return self.readings[0][0]

    @property
    def at(self) -> tuple[str, int]:
        """What a doubt about it points at."""
        return "tiles", self.index


class Rules(NamedTuple):
    """The ids a game has for three facts about tiles."""

    once: str  # the box holds each tile once
    stays: str  # what lies there stays
    covers: str  # on what a tile may lie


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a photo shows beyond the known tiles: added to the board, apart from it, or wrong."""

    fresh: list[Piece] = field(default_factory=list)
    apart: list[Piece] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)
    differences: list[Difference] = field(default_factory=list)


def pieces(tiles: Sequence[Tile], frame: Frame) -> list[Piece]:
    """Return the tiles seen on our cells, to which *frame* leads."""
    found = []
    for index, tile in enumerate(tiles):
        p, q = (moved(cell, frame) for cell in tile.cells)
        readings = ((tile.halves, tile.confidence), *tile.others)
        lays = tuple((Lay(halves, (p, q)), share) for halves, share in readings)
        found.append(Piece(index, lays, tile))
    return found


def compared(laid: Sequence[Lay], seen: Sequence[Piece], rules: Rules) -> Comparison:
    """Return the tiles that are new, and what differs from the tiles that are known."""
    top, by_tile = surface(laid), {lay.tile: lay for lay in laid}
    whole = {  # tiles nothing lies on
        frozenset(lay.cells): lay
        for place, lay in enumerate(laid)
        if all(top[cell].place == place for cell in lay.cells)
    }
    bare = set(top).difference(*whole)  # halves whose other half is covered
    touching = _touching(seen, top)
    look = Comparison()
    for piece in seen:
        lay, cells = piece.lay, frozenset(piece.lay.cells)
        there, known = whole.get(cells), by_tile.get(lay.tile)
        if lay == known and there in (lay, None):
            whole.pop(cells, None)
        elif there is not None:  # no tile may lie on exactly one other
            del whole[cells]
            text = f"{name(lay.tile)} is seen where {name(there.tile)} lies"
            if there in likely(piece.readings, piece.readings[0][1]):
                look.doubts.append(Doubt(f"{text}; taken as {name(there.tile)}", piece.at))
            else:
                look.differences.append(Difference(text, rules.covers, piece.at))
        elif _same_view(top, lay) and cells <= bare and (known or _level(top, piece)):
            continue  # the bare halves of two tiles, taken for one tile
        elif known and all(read.tile in by_tile for read, _ in piece.readings):
            look.differences.append(_displaced(known, seen, piece, rules))
            whole.pop(frozenset(known.cells), None)
        else:
            (look.fresh if piece in touching else look.apart).append(piece)
    covered = {cell for piece in look.fresh for cell in piece.lay.cells}
    look.differences.extend(
        Difference(f"{name(lay.tile)} is not to be seen where it lay", rules.stays)
        for cells, lay in whole.items()
        if not cells & covered
    )
    return look


def _same_view(top: Top, lay: Lay) -> bool:
    faces = zip(lay.cells, lay.tile, strict=True)
    return all(cell in top and top[cell].number == number for cell, number in faces)


def _level(top: Top, piece: Piece) -> bool:
    """Say whether a piece was seen on the level that shows there."""
    return piece.tile.level == top[piece.lay.cells[0]].level


def _displaced(lay: Lay, seen: Sequence[Piece], piece: Piece, rules: Rules) -> Difference:
    twin = any(lay in [read for read, _ in other.readings] for other in seen if other != piece)
    if twin:
        return Difference(
            f"{name(lay.tile)} is seen twice; the box holds it once", rules.once, piece.at
        )
    return Difference(f"{name(lay.tile)} has been moved from where it lay", rules.stays, piece.at)


def _touching(seen: Sequence[Piece], top: Top) -> list[Piece]:
    """Return the tiles that lie on or beside the board, be it by way of other new tiles."""
    cells = [*top, *(cell for piece in seen for cell in piece.lay.cells)]
    parts = connected(dict.fromkeys(cells))
    reached = {cell for part in parts if not top.keys().isdisjoint(part) for cell in part}
    return [piece for piece in seen if piece.lay.cells[0] in reached]


# ---------------------------------------------------------------- new tiles as moves


class Play(NamedTuple, Generic[S]):
    """A state of a game with the tiles laid in it, and what lays another one or raises Illegal."""

    state: S
    laid: Callable[[S], tuple[Lay, ...]]
    apply: Callable[[S, Lay], S]
    in_turns: bool  # does it matter who laid which tile?

    def after(self, lay: Lay) -> Play[S]:
        """Return the play once *lay* is made."""
        return self._replace(state=self.apply(self.state, lay))

    def fault(self, lay: Lay) -> Illegal | None:
        """Return why the rules refuse *lay*, None if they do not."""
        try:
            self.apply(self.state, lay)
        except Illegal as refused:
            return refused
        return None


def in_order(
    play: Play[S], fresh: Sequence[Piece]
) -> tuple[tuple[Lay, ...], list[Doubt], list[Piece]]:
    """Return as many new tiles as the rules can explain, in turn order, doubts, and the rest."""
    for size in range(len(fresh), 0, -1):
        for some in combinations(fresh, size):
            if found := _explained(play, some):
                return *found, [piece for piece in fresh if piece not in some]
    return (), [], list(fresh)


def _explained(play: Play[S], new: Sequence[Piece]) -> tuple[tuple[Lay, ...], list[Doubt]] | None:
    """Return the likeliest legal reading of all *new* pieces as moves in order, with its doubts."""
    options = [piece.readings for piece in new]
    told = stories(options, lambda read: islice(_orders(play, read), 2), TRIED)
    if not told:
        return None
    order, read = told[0].meaning, told[0].reading
    doubts = list(_repairs(play, new, read, order))
    if play.in_turns and any(other.reading == read for other in told[1:]):
        tiles = names(lay.tile for lay in order)
        doubts.append(Doubt(f"{tiles} are new; taken as laid in this order"))
    for other in told[1:]:
        for piece, lay, rival in zip(new, read, other.reading, strict=True):
            if lay.tile != rival.tile:
                text = f"taken as {name(lay.tile)}, but {name(rival.tile)} is possible too"
                doubts.append(Doubt(text, piece.at))
    asked = {doubt.piece for doubt in doubts}
    doubts += [
        Doubt(f"is the {name(lay.tile)} read right?", piece.at)
        for piece, lay in zip(new, read, strict=True)
        if unread(piece.tile) and piece.at not in asked
    ]
    return order, doubts


def _orders(play: Play[S], left: tuple[Lay, ...]) -> Iterator[tuple[Lay, ...]]:
    """Yield every order in which these tiles can be laid one after the other."""
    if not left:
        yield ()
    for place, lay in enumerate(left):
        if play.fault(lay) is None:
            for rest in _orders(play.after(lay), left[:place] + left[place + 1 :]):
                yield (lay, *rest)


def _repairs(
    play: Play[S], new: Sequence[Piece], chosen: Sequence[Lay], order: Sequence[Lay]
) -> Iterator[Doubt]:
    """Yield a doubt for a tile not taken as it looks, that shows nothing new, or seems too high."""
    taken = dict(zip(chosen, new, strict=True))
    for lay in order:
        piece, said, top = taken[lay], name(lay.tile), surface(play.laid(play.state))
        level = top[lay.cells[0]].level + 1 if lay.cells[0] in top else 1
        if lay != piece.lay:
            why = play.fault(piece.lay) or "the other new tiles rule it out"
            text = f"taken as {said}: it looks like {name(piece.lay.tile)}, but {why}"
            yield Doubt(text, piece.at)
        if _same_view(top, lay):
            text = f"{said} shows just what lay there before: is it a new tile?"
            yield Doubt(text, piece.at)
        if piece.tile.level not in (None, level):
            text = f"{said} looks like level {piece.tile.level}, but would lie on {level}"
            yield Doubt(text, piece.at)
        play = play.after(lay)


def picked(
    new: Sequence[Piece], allowed: Collection[Domino]
) -> tuple[tuple[Domino, ...], list[Doubt]] | None:
    """Return the likeliest different tiles that pieces can be, with doubts where that repairs."""
    for chosen, _ in joint_readings([piece.readings for piece in new]):
        tiles = tuple(lay.tile for lay in chosen)
        if twice(tiles) or not set(tiles) <= set(allowed):
            continue
        return tiles, [
            Doubt(
                f"taken as {name(tile)}: it looks like {name(piece.lay.tile)}, which is not left",
                piece.at,
            )
            for piece, tile in zip(new, tiles, strict=True)
            if tile != piece.lay.tile
        ]
    return None


# ---------------------------------------------------------------- one photo


def from_above(tiles: Sequence[Tile]) -> Top:
    """Return what shows on each cell; raises ValueError where two tiles lie on one level there."""
    top: dict[Cell, Face] = {}
    for place, tile in sorted(enumerate(tiles), key=lambda one: one[1].level or 1):
        level = tile.level or 1
        for cell, number in zip(tile.cells, tile.halves, strict=True):
            if cell in top and top[cell].level == level:
                both = f"{name(tiles[top[cell].place].halves)} and {name(tile.halves)}"
                raise ValueError(f"{both} were seen on one cell, and not which lies on top.")
            top[cell] = Face(number, level, place)
    return top


def largest_part(top: Top) -> Top:
    """Return the largest part of a view that hangs together."""
    part = max(connected(dict.fromkeys(top)), key=lambda part: (len(part), part[0]))
    return {cell: top[cell] for cell in sorted(part)}
