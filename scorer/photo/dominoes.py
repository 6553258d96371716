"""Dominoes in a photo against those known to lie there: which are new, and what cannot be."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice
from typing import Generic, Literal, NamedTuple, TypeVar

from scorer.dominoes import Domino, Lay, TopView, around, connected, name, names, surface, twice
from scorer.errors import Illegal
from scorer.game import Difference, Doubt, Proposal
from scorer.messages import Message, _, ngettext
from scorer.phases import fault
from scorer.photo.domino_frames import GridFrame, frame_of, mirrored, moved
from scorer.photo.interpret import BROKEN, drawn, interpretations, joint_readings, likely, unread
from scorer.table import Cell, Table, Tile

S = TypeVar("S")

TRIED = 300  # joint readings of new tiles looked at: four tiles, four readings each
ORDERS = 24  # of the most new tiles, all of them
MOST_NEW = 4  # tiles added between two photos that are put in order
NOTHING_NEW = _("no new tile was found")
MIRRORED = _("The photo is mirrored. Turn off mirroring in the camera, and take it again.")


class TileRules(NamedTuple):
    """The ids a game has for facts about tiles."""

    once: str  # the box holds each tile once
    stays: str  # what lies there stays
    plays: str  # where a tile may lie on the table
    stacks: str  # and on what others


@dataclass(frozen=True, slots=True)
class SeenTile:
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

    def asked(self, text: Message, lay: Lay, *others: tuple[Lay, ...]) -> Doubt:
        """Return the doubt whether it is the *lay* that it is taken for."""
        likely_is = lay == self.lay and drawn(self.tile.confidence)
        return Doubt(text, self.at, others=others, drawn=likely_is)


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a photo shows beyond the known tiles: added to the board, apart from it, or wrong.

    `unseen` are the known tiles that nothing in the photo lies on, and that are not seen either.
    """

    fresh: list[SeenTile] = field(default_factory=list)
    apart: list[SeenTile] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)
    differences: list[Difference] = field(default_factory=list)
    unseen: list[Lay] = field(default_factory=list)
    lies: Literal["known", "mirrored", "unknown"] = "known"  # against the tiles that are known
    sure: bool = True  # does the photo fit the known tiles in one way only?


def lying(laid: Sequence[Lay]) -> Table:
    """Return all tiles as they are known to lie, lowest first."""
    tiles, top = [], dict[Cell, int]()
    for lay in laid:
        level = top.get(lay.cells[0], 0) + 1
        top |= dict.fromkeys(lay.cells, level)
        tiles.append(Tile(lay.tile, lay.cells, level))
    return Table(tiles=tuple(tiles))


def lying_in_any_order(laid: Sequence[Lay]) -> frozenset[Tile]:
    """Return all tiles as they are known to lie, whichever was laid first."""
    return frozenset(lying(laid).tiles)


def compared(
    laid: Sequence[Lay], tiles: Sequence[Tile], rules: TileRules, beside: Collection[Domino] = ()
) -> Comparison:
    """Return the tiles that are new, and what differs from the tiles that are known.

    The photo's cells may be shifted or turned by quarters against ours: the tiles that are known
    say how. Tiles that lie *beside* the board belong there.
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
    """Yield the tiles seen on our cells, to which *frame* leads."""
    for index, tile in enumerate(tiles):
        p, q = (moved(cell, frame) for cell in tile.on_cells)
        readings = ((tile.halves, tile.confidence), *tile.others)
        yield SeenTile(
            index, tuple((Lay(halves, (p, q)), share) for halves, share in readings), tile
        )


def _sort(
    look: Comparison, laid: Sequence[Lay], pieces: Sequence[SeenTile], rules: TileRules
) -> None:
    """Put each tile seen where it belongs in *look*."""
    top, by_tile = surface(laid), {lay.tile: lay for lay in laid}
    whole = {  # tiles nothing lies on
        frozenset(lay.cells): lay
        for place, lay in enumerate(laid)
        if all(top[cell].place == place for cell in lay.cells)
    }
    bare = set(top).difference(*whole)  # halves whose other half is covered
    touching = _touching(pieces, top)
    for piece in pieces:
        lay, cells = piece.lay, frozenset(piece.lay.cells)
        there, same_tile = whole.get(cells), by_tile.get(lay.tile)
        if lay == same_tile and there in (lay, None):
            whole.pop(cells, None)
        elif lay == same_tile and _is_below(top, piece):
            continue  # what is known of the board is told with all that lies under others
        elif there is not None:  # no tile may lie on exactly one other
            del whole[cells]
            read, lies = name(lay.tile), name(there.tile)
            if there in likely(piece.readings, piece.readings[0][1]):
                text = _(
                    "{seen} was read where {lies} lies; treated as {lies}", seen=read, lies=lies
                )
                look.doubts.append(Doubt(text, piece.at))
            else:
                text = _("{seen} was read where {lies} lies", seen=read, lies=lies)
                look.differences.append(Difference(text, rules.stacks, piece.at))
        elif _same_view(top, lay) and cells <= bare and (same_tile or _level(top, piece)):
            continue  # the bare halves of two tiles, taken for one tile
        elif same_tile and all(read.tile in by_tile for read, _ in piece.readings):
            look.differences.append(_displaced(same_tile, pieces, piece, rules))
            whole.pop(frozenset(same_tile.cells), None)
        else:
            (look.fresh if piece in touching else look.apart).append(piece)
    covered = {cell for piece in look.fresh for cell in piece.lay.cells}
    look.unseen.extend(lay for cells, lay in whole.items() if not cells & covered)


def _same_view(top: TopView, lay: Lay) -> bool:
    faces = zip(lay.cells, lay.tile, strict=True)
    return all(cell in top and top[cell].number == number for cell, number in faces)


def _level(top: TopView, piece: SeenTile) -> bool:
    """Say whether a piece was seen on the level that shows there."""
    return piece.tile.level == top[piece.lay.cells[0]].level


def _is_below(top: TopView, piece: SeenTile) -> bool:
    """Say whether a piece is told to lie under what shows there."""
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
    """Return the tiles that lie on or beside the board, be it by way of other new tiles."""
    cells = [*top, *(cell for piece in pieces for cell in piece.lay.cells)]
    parts = connected(dict.fromkeys(cells))
    reached = {cell for part in parts if not top.keys().isdisjoint(part) for cell in part}
    return [piece for piece in pieces if piece.lay.cells[0] in reached]


# ---------------------------------------------------------------- new tiles as moves


class TilePlay(NamedTuple, Generic[S]):
    """A state of a game with the tiles laid in it, and what lays another one or raises Illegal."""

    state: S
    laid: Callable[[S], tuple[Lay, ...]]
    apply: Callable[[S, Lay], S]

    def after(self, lay: Lay) -> TilePlay[S]:
        """Return the play once *lay* is made."""
        return self._replace(state=self.apply(self.state, lay))

    def fault(self, lay: Lay) -> Illegal | None:
        """Return why the rules refuse *lay*, None if they do not."""
        return fault(self.apply, self.state, lay)


def added(
    play: TilePlay[S], look: Comparison, rules: TileRules, waiting: Collection[Domino] = ()
) -> Proposal:
    """Return the tiles added to the board as moves in order; *waiting* ones may lie beside it."""
    if look.lies != "known":
        return Proposal(differences=tuple(look.differences))
    if len(look.fresh) > MOST_NEW:
        text = _("{count} tiles are new; enter the older ones by hand", count=len(look.fresh))
        return Proposal.differs(text, rules.stays)
    doubts = look.doubts + [
        Doubt(
            _("{tile} lies apart from the others and does not count", tile=name(piece.lay.tile)),
            piece.at,
        )
        for piece in look.apart
        if not any(read.tile in waiting for read, _ in piece.readings)
    ]
    if look.fresh and not look.sure:
        doubts.append(Doubt(_("the photo fits the table in more than one way; check the place")))
    if not (look.fresh or doubts or look.differences or look.unseen):
        doubts.append(Doubt(NOTHING_NEW))
    moves, more, rest = _in_order(play, look.fresh)
    for move in moves:
        play = play.after(move)
    top = surface(play.laid(play.state))
    covered = {piece: _covered(top, piece, look.unseen) for piece in rest}
    unexplained = [_unexplained(play, piece, covered[piece], rules) for piece in rest]
    explained = [lay for lays in covered.values() for lay in lays]
    missing = gone((lay for lay in look.unseen if lay not in explained), rules)
    wrong = (*look.differences, *missing, *unexplained)
    return Proposal(moves, (*doubts, *more), wrong, weighed=True)


def gone(unseen: Iterable[Lay], rules: TileRules) -> Iterator[Difference]:
    """Yield that each of these known tiles is not seen any more."""
    for lay in unseen:
        text = _("{tile} is no longer where it was", tile=name(lay.tile))
        yield Difference(text, rules.stays)


def _covered(top: TopView, piece: SeenTile, unseen: Sequence[Lay]) -> list[Lay]:
    """Return the unseen tiles that lie under others which must have been laid before a piece.

    Such a one lies under the lower half of the piece, and on what lies as high beside that.
    """
    height = {cell: _height(top, cell) for cell in piece.lay.cells}
    low = [cell for cell in height if height[cell] == min(height.values())]
    on = {
        there
        for cell in low
        for there in around(cell)
        if there not in height and _height(top, there) == height[cell]
    }
    return [lay for lay in unseen if not on.isdisjoint(lay.cells)]


def _height(top: TopView, cell: Cell) -> int:
    return top[cell].level if cell in top else 0


def _unexplained(
    play: TilePlay[S], piece: SeenTile, covered: Sequence[Lay], rules: TileRules
) -> Difference:
    refused = play.fault(piece.lay)
    if refused is None:
        return Difference(
            _("{tile} does not fit", tile=name(piece.lay.tile)), rules.stays, piece.at
        )
    text = refused.reason
    if refused.rule in (rules.plays, rules.stacks):
        asked = _("{reason}; was a tile laid before it?", reason=text)
        if covered:
            over = names(lay.tile for lay in covered)
            asked = _("{reason}; was a tile laid before it, over {tiles}?", reason=text, tiles=over)
        text = asked
    return Difference(text, refused.rule, piece.at)


def _in_order(
    play: TilePlay[S], fresh: Sequence[SeenTile]
) -> tuple[tuple[Lay, ...], list[Doubt], list[SeenTile]]:
    """Return as many new tiles as the rules can explain, in turn order, doubts, and the rest."""
    for size in range(len(fresh), 0, -1):
        for some in combinations(fresh, size):
            if found := _explained(play, some):
                return *found, [piece for piece in fresh if piece not in some]
    return (), [], list(fresh)


def _explained(
    play: TilePlay[S], new: Sequence[SeenTile]
) -> tuple[tuple[Lay, ...], list[Doubt]] | None:
    """Return the likeliest legal reading of all *new* pieces as moves in order, with its doubts."""
    options = [piece.readings for piece in new]
    found = interpretations(options, lambda read: islice(_orders(play, read), 1), TRIED)
    if not found:
        return None
    order, read = found[0].meaning, found[0].reading
    doubts = list(_repairs(play, new, read, order))
    if orders := tuple(islice(_orders(play, read), 1, ORDERS)):
        text = _(
            "{tiles} are new; assumed to be laid in this order",
            tiles=names(lay.tile for lay in order),
        )
        doubts.append(Doubt(text, others=orders))
    for other in found[1:]:
        for piece, lay, rival in zip(new, read, other.reading, strict=True):
            if lay.tile != rival.tile:
                text = _(
                    "treated as {tile}, but {other} is possible too",
                    tile=name(lay.tile),
                    other=name(rival.tile),
                )
                doubts.append(piece.asked(text, lay, other.meaning))
    asked = {doubt.piece for doubt in doubts}
    doubts += [
        piece.asked(_("was the {tile} read correctly?", tile=name(lay.tile)), lay)
        for k, (piece, lay) in enumerate(zip(new, read, strict=True))
        if piece.at not in asked and unread(piece.tile, _ruled_out(play, new, read, k))
    ]
    return order, doubts


def _ruled_out(play: TilePlay[S], new: Sequence[SeenTile], read: tuple[Lay, ...], k: int) -> float:
    """Return how likely the k-th piece is one that the rules forbid and nobody has laid.

    The others are as they were *read*.
    """
    shares = (
        share
        for lay, share in new[k].readings
        if lay != read[k] and not any(_orders(play, (*read[:k], lay, *read[k + 1 :])))
    )
    return (1 - BROKEN) * sum(shares)


def _orders(play: TilePlay[S], left: tuple[Lay, ...]) -> Iterator[tuple[Lay, ...]]:
    """Yield every order in which these tiles can be laid one after the other."""
    if not left:
        yield ()
    for place, lay in enumerate(left):
        if play.fault(lay) is None:
            for rest in _orders(play.after(lay), left[:place] + left[place + 1 :]):
                yield (lay, *rest)


def _repairs(
    play: TilePlay[S], new: Sequence[SeenTile], chosen: Sequence[Lay], order: Sequence[Lay]
) -> Iterator[Doubt]:
    """Yield a doubt for a tile not taken as it looks, that shows nothing new, or seems too high."""
    taken = dict(zip(chosen, new, strict=True))
    for lay in order:
        piece, said, top = taken[lay], name(lay.tile), surface(play.laid(play.state))
        level = top[lay.cells[0]].level + 1 if lay.cells[0] in top else 1
        if lay != piece.lay:
            refused = play.fault(piece.lay)
            why = refused.reason if refused else _("the other new tiles rule it out")
            text = _(
                "treated as {tile}: it looks like {looks}, but {why}",
                tile=said,
                looks=name(piece.lay.tile),
                why=why,
            )
            yield Doubt(text, piece.at)
        if _same_view(top, lay) and piece.tile.level is None:
            text = _("{tile} shows exactly what was there before: is it a new tile?", tile=said)
            yield Doubt(text, piece.at)
        if piece.tile.level not in (None, level):
            text = _(
                "{tile} looks as if it is on level {seen}, but it would have to be on level "
                "{level}",
                tile=said,
                seen=piece.tile.level or 1,
                level=level,
            )
            yield Doubt(text, piece.at)
        play = play.after(lay)


def turned_up(
    new: Sequence[SeenTile], allowed: Collection[Domino], number: int
) -> tuple[tuple[Domino, ...], list[Doubt]] | Message:
    """Return the likeliest different tiles that lie face up, *number* of those *allowed*.

    With doubts where that repairs a reading; or how many are seen where they cannot be those.
    """
    for chosen, _share in joint_readings([piece.readings for piece in new]):
        tiles = tuple(lay.tile for lay in chosen)
        if len(tiles) != number or twice(tiles) or not set(tiles) <= set(allowed):
            continue
        return tiles, [
            Doubt(
                _(
                    "treated as {tile}: it looks like {looks}, but none of those is left",
                    tile=name(tile),
                    looks=name(piece.lay.tile),
                ),
                piece.at,
            )
            for piece, tile in zip(new, tiles, strict=True)
            if tile != piece.lay.tile
        ]
    return ngettext("{n} new tile was found", "{n} new tiles were found", len(new))


def nothing_new(look: Comparison, rules: TileRules) -> Proposal:
    """Return that nothing has been added, and what differs all the same."""
    wrong = (*look.differences, *gone(look.unseen, rules))
    return Proposal((), (*look.doubts, Doubt(NOTHING_NEW)), wrong)
