"""New tiles on a photo as moves: their order, and alternatives."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import combinations, islice
from typing import Generic, NamedTuple, TypeVar

from scorer.dominoes import Domino, Lay, TopView, around, name, names, surface, twice
from scorer.errors import Illegal
from scorer.messages import Message, _, ngettext
from scorer.phases import fault
from scorer.photo.dominoes import Comparison, SeenTile, TileRules, same_view
from scorer.photo.interpret import BROKEN, interpretations, joint_readings, unread
from scorer.proposal import Difference, Doubt, Proposal
from scorer.table import Cell

S = TypeVar("S")

TRIED = 300  # maximum of joint readings of new tiles: four tiles, four readings each
ORDERS = 24  # all orders of four tiles
MOST_NEW = 4  # maximum of new tiles that are ordered
NOTHING_NEW = _("no new tile was found")


class TilePlay(NamedTuple, Generic[S]):
    """A state with its tiles, and a function that lays another one or raises Illegal."""

    state: S
    laid: Callable[[S], tuple[Lay, ...]]
    apply: Callable[[S, Lay], S]

    def after(self, lay: Lay) -> TilePlay[S]:
        """Return the play after *lay*."""
        return self._replace(state=self.apply(self.state, lay))

    def fault(self, lay: Lay) -> Illegal | None:
        """Return why *lay* is illegal, or None."""
        return fault(self.apply, self.state, lay)


def added(
    play: TilePlay[S], look: Comparison, rules: TileRules, waiting: Collection[Domino] = ()
) -> Proposal:
    """Return the added tiles as moves in order; *waiting* ones may be beside the board."""
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
    """Yield a difference for each known tile that is missing."""
    for lay in unseen:
        text = _("{tile} is no longer where it was", tile=name(lay.tile))
        yield Difference(text, rules.stays)


def _covered(top: TopView, piece: SeenTile, unseen: Sequence[Lay]) -> list[Lay]:
    """Return tiles beside a piece's lower half, now covered, that must have been laid before."""
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
    """Return the new tiles that the rules explain, in turn order, doubts, and the rest."""
    for size in range(len(fresh), 0, -1):
        for some in combinations(fresh, size):
            if found := _explained(play, some):
                return *found, [piece for piece in fresh if piece not in some]
    return (), [], list(fresh)


def _explained(
    play: TilePlay[S], new: Sequence[SeenTile]
) -> tuple[tuple[Lay, ...], list[Doubt]] | None:
    """Return the likeliest legal reading of all *new* pieces as ordered moves, with doubts."""
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
    shares = (
        share
        for lay, share in new[k].readings
        if lay != read[k] and not any(_orders(play, (*read[:k], lay, *read[k + 1 :])))
    )
    return (1 - BROKEN) * sum(shares)


def _orders(play: TilePlay[S], left: tuple[Lay, ...]) -> Iterator[tuple[Lay, ...]]:
    if not left:
        yield ()
    for place, lay in enumerate(left):
        if play.fault(lay) is None:
            for rest in _orders(play.after(lay), left[:place] + left[place + 1 :]):
                yield (lay, *rest)


def _repairs(
    play: TilePlay[S], new: Sequence[SeenTile], chosen: Sequence[Lay], order: Sequence[Lay]
) -> Iterator[Doubt]:
    """Yield doubts about tiles that differ from their reading, add nothing, or seem too high."""
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
        if same_view(top, lay) and piece.tile.level is None:
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
    """Return the likeliest *number* of tiles *allowed*, with doubts; or how many were read."""
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
    """Return a proposal without new tiles, with the differences."""
    wrong = (*look.differences, *gone(look.unseen, rules))
    return Proposal((), (*look.doubts, Doubt(NOTHING_NEW)), wrong)
