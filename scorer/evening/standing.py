"""How a match stands: the one place that decides who leads, who has won and why.

Its result, what is due, pages, screens, the terminal, statistics and exports are said from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scorer.evening.play import AnyGame, earned, to_move
from scorer.evening.state import TableState, played_of
from scorer.game import Result
from scorer.messages import Message, _
from scorer.seats import leaders
from scorer.words import player, players, tally_said
from scorer.words import points as points_said

SeatPoints = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """How a match stands: points, who plays, who left or gave up, who leads or has won, and why."""

    points: SeatPoints  # the score, seat by seat
    earned: SeatPoints  # of it what is earned so far
    to_move: tuple[int, ...]
    left: tuple[int, ...]  # who left and did not give up
    conceded: tuple[int, ...]
    lowest: bool  # do the fewest points lead?
    can_win: tuple[int, ...]
    leading: tuple[int, ...]  # by what is earned, among those who can win; in the end the winners
    result: Result | None  # None while the match goes on
    prompt: Message  # what is to be done next; in the end why it ended so

    @property
    def over(self) -> bool:
        """Return True if the match has ended, by its rules or before."""
        return self.result is not None

    @property
    def won(self) -> tuple[int, ...]:
        """Return who has won, several where they share it."""
        return self.result.won if self.result else ()

    @property
    def title(self) -> Message | None:
        """Return how the match ended, in a few words; None while it goes on."""
        if self.result is None:
            return None
        if self.result.early:
            return _("Ended early")
        if self.result.draw:
            return _("A draw")
        if len(self.won) > 1:
            return _("A shared win")
        return _("{who} wins", who=player(self.won[0])) if self.won else _("Not this time")


def standing(game: AnyGame, state: Any) -> Standing:
    """Return how a match stands."""
    result, gone = _result(game, state), isinstance(state, TableState)
    so_far = earned(game, state)
    return Standing(
        points=game.score(played_of(state)),
        earned=so_far,
        to_move=to_move(game, state),
        left=tuple(s for s in state.left if s not in state.conceded) if gone else (),
        conceded=state.conceded if gone else (),
        lowest=game.lowest(played_of(state)),
        can_win=tuple(_can_win(game, state)),
        leading=result.winners if result else _best(game, state, so_far),
        result=result,
        prompt=result.why if result else game.prompt(played_of(state)),
    )


def _result(game: AnyGame, state: Any) -> Result | None:
    """Return who has won, or who led when the match ended early; None while it goes on."""
    by_rules = game.result(played_of(state))
    if not isinstance(state, TableState):
        return by_rules
    if state.end == "conceded" and len(state.present) == 1:
        return _last_one(state, by_rules)
    if state.end:
        return _early(game, state)
    if by_rules is None or not set(by_rules.winners) & set(state.conceded):
        return by_rules
    return _of_the_others(game, state, by_rules)


def _last_one(state: TableState, by_rules: Result | None) -> Result:
    """Return the win of the only one who still plays (MT-9), in the game's words if it has some."""
    if by_rules is not None and by_rules.winners == state.present:
        return by_rules
    facts = {"who": players(state.present), "gone": players(state.conceded)}
    return Result(state.present, _("{who} wins: {gone} gave up", **facts))


def _early(game: AnyGame, state: TableState) -> Result:
    """Return who led when a match ended before its rules end it (MT-8, MT-11)."""
    points = game.score(state.played)
    lead = _best(game, state, points)
    facts = {"ended": _ended_said(game, state), "stands": _stands_said(game, state, lead)}
    why = _("{ended}; {stands}", **facts)
    return Result(lead if len(points) > 1 else (), why, draw=len(lead) > 1, early=True)


def _of_the_others(game: AnyGame, state: TableState, by_rules: Result) -> Result:
    """Return the result of the rules among those who did not give up (MT-9)."""
    points = game.score(state.played)
    lead = tuple(seat for seat in by_rules.winners if seat not in state.conceded)
    lead = lead or _best(game, state, points, game.tie_break(state.played))
    draw, who = by_rules.draw and len(lead) > 1, players(lead)
    if len(lead) == 1:
        stands = _("{who} wins {tally}", who=who, tally=_tally(game, state, lead[0]))
    elif draw:
        level = points_said(points[lead[0]])
        stands = _("{who} are level with {points}: a draw", who=who, points=level)
    else:
        level = points_said(points[lead[0]])
        stands = _("{who} are level with {points}: a shared win", who=who, points=level)
    gone = players(state.conceded)
    return Result(lead, _("{gone} gave up; {stands}", gone=gone, stands=stands), draw)


def _can_win(game: AnyGame, state: Any) -> Sequence[int]:
    """Return who can lead: nobody who gave up, and where few points are good, nobody who left."""
    if not isinstance(state, TableState):
        return range(len(game.score(state)))
    if game.lowest(state.played) and state.end != "left":
        return state.present
    return [seat for seat in range(len(state.people)) if seat not in state.conceded]


def _best(game: AnyGame, state: Any, points: SeatPoints, ties: SeatPoints = ()) -> tuple[int, ...]:
    """Return who has the best *points* of those who can win; *ties* tell equal ones apart."""
    sign, seats = -1 if game.lowest(played_of(state)) else 1, _can_win(game, state)
    first = leaders([(sign * points[seat], *ties[seat : seat + 1]) for seat in seats])
    return tuple(seats[place] for place in first)


def _ended_said(game: AnyGame, state: TableState) -> Message:
    """Return what ended a match early."""
    if state.end == "agreed":
        number = game.rounds_played(state.played)
        return _("ended after round {number}", number=number) if number else _("ended early")
    if state.end == "conceded":
        return _("{who} gave up", who=players(state.conceded))
    left = [seat for seat in state.left if seat not in state.conceded]
    return _("{who} left", who=players(left or state.left))


def _stands_said(game: AnyGame, state: TableState, lead: Sequence[int]) -> Message:
    """Return who leads, and by how much."""
    score = game.score(state.played)
    if len(score) == 1:
        return _("the score is {score}", score=score[0])
    if len(lead) > 1:
        level = points_said(score[lead[0]])
        return _("{who} are level with {points}", who=players(lead), points=level)
    tally = _tally(game, state, lead[0])
    return _("{who} leads {tally}", who=player(lead[0]), tally=tally)


def _tally(game: AnyGame, state: TableState, first: int) -> Message:
    """Return the points of those who can win, those of the *first* before the others."""
    score = game.score(state.played)
    rest = (score[seat] for seat in _can_win(game, state) if seat != first)
    ordered = sorted(rest, reverse=not game.lowest(state.played))
    return tally_said((score[first], *ordered))
