"""Steps beside the moves of a game: players leave, join, are renamed."""

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from scorer import Illegal, Proposal, dump_move, load_move
from scorer.evening.state import left_of, order_of, played_of
from scorer.evening.steps import (
    ChangeChairs,
    Concede,
    EndMatch,
    JoinTable,
    LeaveTable,
    PlayOn,
    Reseat,
    TableStep,
)
from scorer.messages import Message, _, ngettext, raw
from scorer.phases import fault
from scorer.table import Table
from webui.errors import CannotPlayOn, Unconfirmed
from webui.eyes.look import check_cells
from webui.match.amend import Right
from webui.match.match import Match, equipment, load, standing_from
from webui.match.proposals import propose
from webui.store.log import Store

# Shown with their consequences, then confirmed by a second tap.
ASKED_FIRST = (LeaveTable, Concede, EndMatch, Reseat, ChangeChairs, PlayOn)


def takes_steps(match: Match) -> bool:
    """Whether a match takes steps beside its moves: its game does, and its rules are installed."""
    return match.closed is None and match.game is not None and bool(match.game.steps)


def can(match: Match, step: TableStep) -> bool:
    """Return True if the rules accept a step now."""
    return fault(match.rules().apply, match.state, step) is None


def present(match: Match) -> list[int]:
    """Return the seats that still play."""
    return [seat for seat in range(len(match.names)) if seat not in left_of(match.state)]


def means(match: Match, step: TableStep) -> Message | None:
    """Return the consequences of a step in the game, if they are not obvious."""
    rules = match.rules()
    if isinstance(step, LeaveTable | Concede):
        return rules.attendance.means
    if isinstance(step, Reseat):
        return _("the points stay where they are, under the other name")
    if isinstance(step, ChangeChairs):
        return _("each keeps the points, and only the order of turns changes")
    if not isinstance(step, JoinTable):
        return None
    joined, says = rules.apply(match.state, step), rules.attendance.begins
    if says:
        return says(played_of(joined))
    return ngettext("with {n} point", "with {n} points", rules.score(joined)[-1])


def rule(step: TableStep) -> str:
    """Return the rule of a step."""
    rules = {LeaveTable: "MT-8", Concede: "MT-9", JoinTable: "MT-10", EndMatch: "MT-11"}
    return (rules | {PlayOn: "MT-13"}).get(type(step), "MT-12")


def mixed_up(seats: int, first: int, second: int) -> Reseat:
    """Return the step that swaps two names and leaves the points."""
    return Reseat(_swapped(range(seats), first, second))


def chairs_changed(state: Any, seats: int, first: int, second: int) -> ChangeChairs:
    """Return the step that swaps two players with their points."""
    return ChangeChairs(_swapped(order_of(state, seats), first, second))


def _swapped(seats: Sequence[int], first: int, second: int) -> tuple[int, ...]:
    """Return the *seats* with two of them swapped."""
    other = {first: second, second: first}
    return tuple(other.get(seat, seat) for seat in seats)


def seat_called(names: Sequence[str], name: str) -> int | None:
    """Return the seat of the player with this name, or None."""
    folded = [other.casefold() for other in names]
    return folded.index(name.casefold()) if name.casefold() in folded else None


def play_on(match: Match, table: Table, confirmed: int) -> PlayOn:
    """Return the step that accepts the table as it is; raises Illegal, CannotPlayOn.

    It overrides the rules, and names the first rule that is broken.
    """
    if PlayOn not in match.rules().steps:
        raise CannotPlayOn(_("In this game nothing that lies on the table is against the rules."))
    if match.rules().is_over(match.state):
        raise Illegal(PlayOn(table, "MT-11", confirmed), _("the match is over"), "MT-11")
    check_cells(table, equipment(match))
    differences = propose(match, table)[0].differences
    if not differences:
        raise CannotPlayOn(_("The rules allow what lies there, so count it as usual."))
    return PlayOn(table, differences[0].rule, confirmed)


def can_play_on(match: Match, table: Table, proposal: Proposal) -> bool:
    """Return True if an illegal table can be accepted as it is."""
    game, state = match.rules(), match.state
    if not proposal.differences or game.as_it_lies is None or game.is_over(state):
        return False
    return game.as_it_lies(state, table) is not None


def check_confirmed(
    store: Store, match_id: str, after: int, moves: Sequence[object], confirmed: str | None
) -> None:
    """Raise Unconfirmed the first time that *moves* override a rule; CannotPlayOn.

    The second request repeats what that answer asked for. Storing it checks whether it is stale.
    """
    against = [move for move in moves if isinstance(move, dict) and move.get("move") == "PlayOn"]
    if not against:
        return
    if len(moves) != 1:
        raise CannotPlayOn(_("Send this move alone, with no other."))
    match = load(store, match_id)
    sent = load_move(match.rules(), against[0])
    assert isinstance(sent, PlayOn)
    if after != match.seq:
        return
    step = play_on(match, sent.table, sent.confirmed)
    if step.rule != sent.rule:
        raise CannotPlayOn(_("What lies there breaks {rule}; name that.", rule=raw(step.rule)))
    facts = json.dumps([match_id, after, dump_move(step)], sort_keys=True)
    confirm = hashlib.sha256(facts.encode()).hexdigest()[:16]
    if confirmed != confirm:
        text = _(
            "That is against a rule, {rule}. Ask whether all play on as it lies, then send this"
            " again as confirmed.",
            rule=raw(step.rule),
        )
        raise Unconfirmed(text, confirm)


# ---------------------------------------------------------------- who started


def start(store: Store, match: Match, seat: int) -> Right | Reseat | None:
    """Return the correction after which this seat has started; None if it did, or none is stored.

    If player 1 always starts, all seats rotate until this player is player 1.
    """
    game = match.rules()
    wanted = game.starts(match.state, seat)
    if wanted is None:
        return _first(match, seat)
    for event in standing_from(store, match, 1):
        moves = list(event.moves or ())
        for place, data in enumerate(moves):
            move = load_move(game, data)
            if type(move) is type(wanted):
                moves[place] = dump_move(wanted)
                return None if move == wanted else Right(event.seq, tuple(moves))
    return None


def _first(match: Match, seat: int) -> Reseat | None:
    if match.rules().tournament(match.state) is not None or not seat:
        return None
    seats = range(len(match.names))
    step = Reseat((*seats[seat:], *seats[:seat]))
    return step if can(match, step) else None
