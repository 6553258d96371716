"""Answers to the Beat the Odds cases: notation translated, everything else asked of the rules."""

from functools import partial
from typing import Any

from scorer import Illegal, settle
from scorer.games import beat_the_odds as bo
from scorer.seats import leaders
from tests.cases import refused_as

# The cases' neutral words for a refusal, by what our sentence says.
REASONS = {
    "no re-roll right": "no_right",
    "there is no odd die to roll": "no_right",
    "is even": "not_odd",
    "doubled already": "already_doubled",
    "there is no roll": "no_such_roll",
    "only right after a 4-4": "no_double",
    "doubles, if any": "must_decide",
    "ended the turn": "turn_over",
    "a die shows": "bad_die",
    "there is no player": "no_such_player",
    "game is over": "game_over",
}


refused = partial(refused_as, REASONS)


def turn(asked: dict[str, Any]) -> dict[str, Any]:
    house = settle(bo.SETTINGS, asked.get("house", {}))
    carried = asked.get("pending_in", False) and house["right_carries_over"]
    played = bo.Turn(rights=int(carried))
    lying = [0, 0]  # the dice in the order of the case: die 0, die 1
    try:
        for event in asked["events"]:
            # A right is declined by saying nothing: the next thing that happens is no re-roll.
            if played.asks == "reroll" and "reroll" not in event:
                played = bo.turn.play(played, bo.Decline(), house)
            if "roll" in event:
                lying = list(event["roll"])
                played = bo.turn.play(played, bo.Roll(*sorted(lying)), house)
            elif "reroll" in event:
                die, value = event["reroll"]
                played = bo.turn.play(played, bo.Reroll(lying[die], value), house)
                lying[die] = value
            else:
                played = bo.turn.play(played, bo.Double(event["double"]), house)
        if played.asks == "reroll":
            played = bo.turn.play(played, bo.Decline(), house)
    except Illegal as fault:
        return refused(fault)
    ended = played.asks == "nothing"
    return {
        "legal": True,
        "ended": ended,
        "score": bo.turn.total(played),
        "rolls": bo.turn.worths(played),
        "pending_out": played.rights > 0 and (not ended or house["right_carries_over"]),
    }


def game(asked: dict[str, Any]) -> dict[str, Any]:
    players = asked["players"]
    state = bo.ONE.start(len(players), asked.get("house", {}))
    if asked["turns"]:
        state = bo.rules.begun(state, players.index(asked["turns"][0][0]))
    for player, brought in asked["turns"]:
        if bo.rules.is_over(state):
            return {"legal": False, "reason": "game_over"}
        if players[state.seat] != player:
            return {"legal": False, "reason": "out_of_turn"}
        state = bo.rules.bank(state, brought)
    ended = bo.ONE.result(state)
    return {
        "legal": True,
        "totals": dict(zip(players, state.scores, strict=True)),
        "finished": ended is not None,
        "winners": None if ended is None else [players[seat] for seat in ended.winners],
        "trigger": None if state.trigger is None else players[state.trigger],
        "next": None if ended is not None else players[state.seat],
    }


def start_roll(asked: dict[str, Any]) -> dict[str, Any]:
    level: list[str] = []
    for rolls in asked["rolls"]:
        names = list(rolls)
        level = [names[place] for place in leaders(list(rolls.values()))]
    if len(level) == 1:
        return {"starter": level[0], "roll_again": []}
    return {"starter": None, "roll_again": level}
