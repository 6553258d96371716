"""Beat the Odds in words: what is to be done, what a move was, how the tally came about."""

from __future__ import annotations

from scorer.game import (
    Because,
    Result,
)
from scorer.games.beat_the_odds.moves import Agree, Decline, Double, Move, Reroll, Roll, StartRoll
from scorer.games.beat_the_odds.rules import State, is_over, leaders
from scorer.games.beat_the_odds.settings import TARGET
from scorer.games.beat_the_odds.turn import Turn, is_doubled, pair_said, play, points, total
from scorer.words import counted, player, players


def result(state: State) -> Result | None:
    """Return the highest score's owner, or owners (BO-A10)."""
    if not is_over(state):
        return None
    best = leaders(state.scores)
    reached = f"after {player(state.trigger or 0)} was first to reach {TARGET}"
    if len(best) == 1:
        rest = max(points for seat, points in enumerate(state.scores) if seat != best[0])
        return Result(best, f"{player(best[0])} wins {state.scores[best[0]]} to {rest}, {reached}")
    return Result(best, f"{players(best)} share the win with {state.scores[best[0]]}, {reached}")


def explain(state: State) -> tuple[Because, ...]:
    """Return one entry for each finished turn, then the turn in play, which counts for nobody."""
    turns = [0] * len(state.scores)
    entries = []
    for past in state.past:
        turns[past.seat] += 1
        text = f"{_rolls_said(past.turn)} = {past.points}"
        entries.append(Because(past.seat, past.points, f"turn {turns[past.seat]}", text, "BO-4"))
    if state.turn.worth:
        text = f"{_rolls_said(state.turn)} = {total(state.turn)} so far"
        entries.append(Because(None, 0, f"{player(state.seat)} is rolling", text, "BO-A13"))
    return tuple(entries)


def _rolls_said(turn: Turn) -> str:
    """Return "4-6: 10 doubled to 20, 4-4: 8; 3-3 crosses out the 20"."""
    over = turn.asks == "nothing"
    read = len(turn.worth) - (over and turn.rolls[-1] != (6, 6))
    said = []
    for i in range(read):
        said.append(f"{pair_said(turn.rolls[i])}: {points(turn.rolls[i])}")
        if is_doubled(turn, i):
            said[-1] += f" doubled to {turn.worth[i]}"
    end = f"{pair_said(turn.rolls[-1])} {_end_said(turn)}" if over else ""
    return "; ".join(part for part in (", ".join(said), end) if part)


def _end_said(turn: Turn) -> str:
    """Return what the last pair of a finished turn does to it."""
    together, highest = sum(turn.worth), max(turn.worth)
    match turn.rolls[-1]:
        case (1, 1):
            return "loses it all"
        case (3, 3) if highest:
            return f"crosses out the {highest}"
        case (5, 5):
            return f"halves the {together}"
        case (6, 6):
            return f"doubles the {together}"
    return "ends the turn"


def prompt(state: State) -> str:
    """Return what is to be done next, in one sentence."""
    ended = result(state)
    if ended is not None:
        return ended.why
    who = player(state.seat)
    if state.starter is None:
        return f"{who} rolls both dice for the start"
    match state.turn.asks:
        case "reroll":
            shown = pair_said(state.turn.rolls[-1])
            return f"{who} may roll an odd die of {shown} again, or leaves it"
        case "double":
            return f"{who} says which roll 4-4 doubles, or none"
    last = ", the last turn" if state.last else ""
    right = ", holding a re-roll right" if state.turn.rights else ""
    return f"{who} rolls both dice{right}{last}"


def describe(state: State, move: Move) -> str:
    """Return *move*, made in *state*, in words."""
    who = player(state.seat)
    match move:
        case Agree(starter):
            return f"{player(starter)} begins"
        case StartRoll(low, high):
            return f"{who} rolls {low}-{high} for the start"
        case Roll(low, high):
            said = f"{who} rolls {low}-{high}"
        case Reroll(face, value):
            said = f"{who} rolls the {face} again to {value}"
        case Decline():
            said = f"{who} leaves {pair_said(state.turn.rolls[-1])}"
        case Double(roll):
            if roll is None:
                return f"{who} doubles no roll"
            worth = 2 * state.turn.worth[roll]
            return f"{who} doubles roll {roll + 1} ({pair_said(state.turn.rolls[roll])}) to {worth}"
    turn = play(state.turn, move, state.house)
    if turn.asks == "nothing":
        return f"{said}, which {_end_said(turn)}: {counted(total(turn), 'point')}"
    return said if turn.asks == "reroll" else f"{said} for {counted(turn.worth[-1], 'point')}"


def target(_state: State) -> int:
    """Return the score that brings on the last turns (BO-6)."""
    return TARGET


def turn_total(state: State) -> int | None:
    """Return the points of the turn in play as they stand; None before its first roll."""
    return total(state.turn) if state.turn.rolls else None
