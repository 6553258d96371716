"""The standing of a match: only here the leader, the winners and the reason are determined."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scorer.evening.play import AnyGame, earned, to_move
from scorer.evening.state import TableState, left_of, played_of
from scorer.game import Result
from scorer.messages import Message, _
from scorer.seats import leaders
from scorer.words import player, players, tally_said
from scorer.words import points as points_said

SeatPoints = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """The standing of a match: points, players, who left, gave up, leads or has won, and why."""

    points: SeatPoints  # the score, seat by seat
    earned: SeatPoints  # points earned so far
    to_move: tuple[int, ...]
    left: tuple[int, ...]  # left without giving up
    conceded: tuple[int, ...]
    lowest: bool  # whether the fewest points lead
    can_win: tuple[int, ...]
    leading: tuple[int, ...]  # by earned points, among those who can win; at the end the winners
    result: Result | None  # None during the match
    prompt: Message  # what to do next; at the end the reason of the result

    @property
    def over(self) -> bool:
        """Return True if the match has ended, by its rules or early."""
        return self.result is not None

    @property
    def won(self) -> tuple[int, ...]:
        """Return the winners, several if they share the win."""
        return self.result.won if self.result else ()

    @property
    def title(self) -> Message | None:
        """Return how the match ended, in a few words; None during the match."""
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
    """Return the standing of a match."""
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
        prompt=result.why if result else game.prompt(for_rivals(game, state)),
    )


def _result(game: AnyGame, state: Any) -> Result | None:
    """Return the winners, or the leaders of a match ended early; None during the match."""
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
    """Return the win of the last remaining player (MT-9), in the game's own words if any."""
    if by_rules is not None and by_rules.winners == state.present:
        return by_rules
    facts = {"who": players(state.present), "gone": players(state.conceded)}
    return Result(state.present, _("{who} wins: {gone} gave up", **facts))


def _early(game: AnyGame, state: TableState) -> Result:
    points = game.score(state.played)
    lead = _best(game, state, points)
    facts = {"ended": _ended_said(game, state), "stands": _stands_said(game, state, lead)}
    why = _("{ended}; {stands}", **facts)
    return Result(lead if len(points) > 1 else (), why, draw=len(lead) > 1, early=True)


def _of_the_others(game: AnyGame, state: TableState, by_rules: Result) -> Result:
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
    """Return who can lead: not those who gave up, nor, if the fewest points win, those who left."""
    if not isinstance(state, TableState):
        return range(len(game.score(state)))
    if game.lowest(state.played) and state.end != "left":
        return state.present
    return [seat for seat in range(len(state.people)) if seat not in state.conceded]


def for_rivals(game: AnyGame, state: Any) -> Any:
    """Return the game's own state for the prompt and the coach: who cannot win is no rival."""
    ignoring, played = game.attendance.ignoring, played_of(state)
    if ignoring is None or not left_of(state):
        return played
    can_win = _can_win(game, state)
    return ignoring(played, [seat for seat in left_of(state) if seat not in can_win])


def _best(game: AnyGame, state: Any, points: SeatPoints, ties: SeatPoints = ()) -> tuple[int, ...]:
    """Return those with the best *points* who can win; *ties* are the tie-breaks."""
    sign, seats = -1 if game.lowest(played_of(state)) else 1, _can_win(game, state)
    first = leaders([(sign * points[seat], *ties[seat : seat + 1]) for seat in seats])
    return tuple(seats[place] for place in first)


def _ended_said(game: AnyGame, state: TableState) -> Message:
    if state.end == "agreed":
        number = game.rounds_played(state.played)
        return _("ended after round {number}", number=number) if number else _("ended early")
    if state.end == "conceded":
        return _("{who} gave up", who=players(state.conceded))
    left = [seat for seat in state.left if seat not in state.conceded]
    return _("{who} left", who=players(left or state.left))


def _stands_said(game: AnyGame, state: TableState, lead: Sequence[int]) -> Message:
    score = game.score(state.played)
    if len(score) == 1:
        return _("the score is {score}", score=score[0])
    if len(lead) > 1:
        level = points_said(score[lead[0]])
        return _("{who} are level with {points}", who=players(lead), points=level)
    tally = _tally(game, state, lead[0])
    return _("{who} leads {tally}", who=player(lead[0]), tally=tally)


def _tally(game: AnyGame, state: TableState, first: int) -> Message:
    """Return the points of those who can win, those of *first* first."""
    score = game.score(state.played)
    rest = (score[seat] for seat in _can_win(game, state) if seat != first)
    ordered = sorted(rest, reverse=not game.lowest(state.played))
    return tally_said((score[first], *ordered))
