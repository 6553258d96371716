"""What the camera looks for, and what its photos sum to."""

from collections.abc import Iterator, Sequence
from itertools import chain

from scorer.dominoes import ascending, names, not_of_set
from scorer.errors import Illegal
from scorer.game import Because, Equipment, Facts, PhotoScore, Spot
from scorer.games.sum.moves import SumPieces
from scorer.games.sum.rules import PHASES
from scorer.games.sum.settings import MOST
from scorer.games.sum.state import State, is_over, points
from scorer.games.sum.words import working
from scorer.messages import _
from scorer.photo.one_photo import moves_of
from scorer.photo.rolls import lain_before
from scorer.photo.sums import summed_dice, summed_tiles
from scorer.proposal import Doubt, Proposal
from scorer.table import Die, Table, Tile
from scorer.values import changed
from scorer.words import COLOURS, colour, player


def equipment(state: State) -> Equipment:
    """Return the pieces to sum; a person selects the player if there are no turns."""
    by_turns = state.house["order"] == "turns"
    whose = () if by_turns else tuple(Spot(player(seat), seat=seat) for seat in _there(state))
    if state.house["photo"] == "dominoes":
        return Equipment(tiles=True, loose=True, largest=state.house["largest"], spots=whose)
    which = state.house["colour"]  # the first to be tapped in
    colours = {} if which == "any" else dict.fromkeys((which, *COLOURS), MOST)
    return Equipment(loose=True, colours=colours, spots=whose)


def _there(state: State) -> Sequence[int]:
    return [seat for seat, column in enumerate(state.columns) if not column.left]


def _whose(state: State, spot: int) -> int:
    """Return the seat that a photo is of: whose turn it is, or who was named beside it."""
    if state.house["order"] == "turns":
        return PHASES.to_move(state)[0]
    return dict(enumerate(_there(state))).get(spot, len(state.columns))


def observe(state: State, table: Table) -> Proposal:
    """Return the sum of the pieces on the table."""
    if is_over(state):
        return Proposal.differs(_("it is over"), "SUM-5")
    seat = _whose(state, table.spot)
    dominoes = state.house["photo"] == "dominoes"
    found = _tiles(state, seat, table.tiles) if dominoes else _dice(state, seat, table.dice)
    try:
        for move in found.moves:
            PHASES.apply(state, move)
    except Illegal as refused:
        return Proposal.differs(refused.reason, refused.rule)
    return found


def _dice(state: State, seat: int, lying: Sequence[Die]) -> Proposal:
    which, shown = state.house["colour"], state.house["photo"] == "pips"
    found = summed_dice(lying, None if which == "any" else which, pips_matter=shown)
    if found is None:
        what = _("dice") if which == "any" else _("{colour} dice", colour=colour(which))
        text = _("No {what} were found; nothing is counted.", what=what)
        return Proposal.differs(text, "SUM-3")
    entries = [*chain.from_iterable(state.rounds[-2:])]
    last = entries[-1] if entries else None
    again = lain_before(found.pieces, last.dice if isinstance(last, SumPieces) else ())
    return Proposal((SumPieces(seat, found.pieces),), (*found.doubts, *again), weighed=True)


def _tiles(state: State, seat: int, lying: Sequence[Tile]) -> Proposal:
    if not lying:
        return Proposal.differs(_("No dominoes were found; nothing is counted."), "SUM-4")
    found = summed_tiles(lying, lambda hand: not not_of_set(hand, state.house["largest"]))
    if found is None:
        why = not_of_set([ascending(tile.halves) for tile in lying], state.house["largest"])
        assert why is not None
        return Proposal.differs(_("{why}; put right what was misread", why=why), "SUM-4")
    move = SumPieces(seat, tiles=found.pieces)
    return Proposal((move,), (*found.doubts, *_held_twice(state, move)), weighed=True)


def _held_twice(state: State, move: SumPieces) -> Iterator[Doubt]:
    for entry in state.rounds[-1]:
        if isinstance(entry, SumPieces) and (both := {*entry.tiles} & {*move.tiles}):
            tiles, who = names(sorted(both)), player(entry.seat)
            yield Doubt(_("{tiles} was counted for {who} in this round", tiles=tiles, who=who))


def of_dominoes(state: State, table: Table) -> State | None:
    """Return the sum of dominoes where more dice are seen than there can be: halves of tiles."""
    any_dice = state.house["photo"] == "pips" and state.house["colour"] == "any"
    return _dominoes(state) if any_dice and len(table.dice) > MOST else None


def _dominoes(state: State) -> State:
    return changed(state, house={**state.house, "photo": "dominoes"})


def tell(state: State, table: Table, _facts: Facts) -> PhotoScore:
    """Return the sum of a single photo; tiles count as dominoes, whatever was expected."""
    state = _dominoes(state) if table.tiles else state
    proposal = observe(state, table)
    (move,) = moves_of(proposal)
    won, part, before = points(state, move), _("the photo"), _("what was entered before")
    line = Because(0, won, part, working(state, move), "SUM-4" if move.tiles else "SUM-3")
    return PhotoScore(
        *((part,), (won,), (line,)),
        unknown=before,
        doubts=proposal.doubts,
        summed=move.tiles or move.dice,
    )
