"""Gords in words: what is to be done, what a move was, how the tally came about."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from scorer.game import (
    Because,
    Result,
)
from scorer.games.gords.bids import is_star, places, plural, raises, said, wanted
from scorer.games.gords.moves import Agree, Bid, Call, Count, Move, Reveal
from scorer.games.gords.rules import hidden, is_over, matching, settled
from scorer.games.gords.settings import FACES, HAND
from scorer.games.gords.state import Showdown, State, alive, colour_of
from scorer.words import counted, listed, player, players


def result(state: State) -> Result | None:
    """Return the last player with dice (GD-A4)."""
    if not is_over(state):
        return None
    (winner,) = alive(state.dice)
    left = counted(state.dice[winner], "die", "dice")
    return Result((winner,), f"{player(winner)} wins: the last with dice, {left} left")


def explain(state: State) -> tuple[Because, ...]:
    """Return the five dice of each player and every die lost since, with the bid that cost it."""
    entries = [Because(seat, HAND, "start", "five dice", "GD-1") for seat in range(len(state.dice))]
    for number, showdown in enumerate(state.past, start=1):
        text = _showdown_said(showdown)
        exact = len(showdown.losers) > 1
        entries += [
            Because(seat, -1, f"round {number}", text, "GD-A7" if exact else "GD-5")
            for seat in showdown.losers
        ]
    return tuple(entries)


def _showdown_said(showdown: Showdown) -> str:
    """Return "player 2 bid 4 sixes, player 3 called: 3 there, player 2 loses a die"."""
    losers = players(showdown.losers)
    exactly = "exactly " if showdown.found == wanted(showdown.bid.space) else ""
    return (
        f"{player(showdown.bidder)} bid {said(showdown.bid)}, {player(showdown.caller)} "
        f"called: {exactly}{showdown.found} there, {losers} "
        f"{'loses' if len(showdown.losers) == 1 else 'lose'} a die"
    )


def _with_colours(state: State, seats: Sequence[int]) -> str:
    """Return players with the colours of their dice: "player 1 (red) and player 2 (blue)"."""
    named = [f"{player(seat)} ({colour_of(state, seat)})" for seat in seats]
    return listed(named)


def draw(state: State) -> tuple[str, ...]:
    """Return the track with the bid that stands, as far as dice are in play, and the hands."""
    in_play, track = sum(state.dice), places(state.house["track"])
    upto = max(in_play, wanted(state.bid.space) if state.bid else 0)
    shown = [
        f"[{place}: {FACES[state.bid.face]}]" if state.bid and place == state.bid.space else place
        for place in track
        if wanted(place) <= (upto / 2 if is_star(place) else upto)
    ]
    lines = textwrap.wrap("  ".join(shown), 44, break_on_hyphens=False)
    board = "\n".join(["the track of bids", *(f"  {line}" for line in lines)])
    hands = ", ".join(
        f"{colour_of(state, seat)} {number}" for seat, number in enumerate(state.dice) if number
    )
    return (f"{board}\ndice under the cups: {hands}",)


def prompt(state: State) -> str:
    """Return what is to be done next, in one sentence."""
    ended = result(state)
    if ended is not None:
        return ended.why
    if state.seat is None:
        return "agree who bids first"
    who = _with_colours(state, (state.seat,))
    if state.bid is None:
        return f"{who} bids first; {sum(state.dice)} dice are in play"
    standing = f"{said(state.bid)}{_bluff_said(state, state.bid)}"
    if state.caller is not None:
        waiting = _with_colours(state, hidden(state))
        return f"{player(state.caller)} has called {standing}: {waiting} to show the dice"
    if not any(True for _ in raises(state.bid, state.house, sum(state.dice))):
        return f"nothing is higher than {standing}: {who} must call"
    anyone = "; anybody else may call" if state.house["call_by"] == "anyone" else ""
    return f"{who} bids higher than {standing}, or calls{anyone}"


def _bluff_said(state: State, bid: Bid) -> str:
    in_play = sum(state.dice)
    return f" (only {in_play} dice are in play)" if wanted(bid.space) > in_play else ""


def describe(state: State, move: Move) -> str:
    """Return *move*, made in *state*, in words."""
    match move:
        case Agree(starter):
            return f"{player(starter)} bids first"
        case Bid():
            return f"player {(state.seat or 0) + 1} bids {said(move)}{_bluff_said(state, move)}"
        case Call(seat):
            standing = "" if state.bid is None else f" {said(state.bid)}"
            return f"{player(seat)} calls{standing}"
        case Reveal(seat, dice):
            text = f"{player(seat)} shows {' '.join(map(str, dice))}"
            if hidden(state) != (seat,):
                return text
            shown = (*state.shown[:seat], dice, *state.shown[seat + 1 :])
            return f"{text} – {_showdown_said(settled(state, matching(state, shown)))}"
        case Count(found):
            return f"{count_said(bid_of(state), found)} – {_showdown_said(settled(state, found))}"
