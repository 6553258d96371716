"""Answers to the Purple House cases: notation translated, everything else asked of the rules."""

from collections import Counter
from typing import Any

from scorer import Illegal
from scorer.coach.purple_house import best_margin
from scorer.games import purple_house as ph
from scorer.seats import leaders

COLOUR = {"B": "black", "W": "white"}
MARK = {"black": "o", "white": "e", None: "-"}


def grid(rows: list[list[str]]) -> ph.state.DiceGrid:
    """Return the grid written as three rows of tokens: B3, W6, --."""
    return tuple(
        None if token == "--" else ph.state.GridDie(COLOUR[token[0]], int(token[1:]))
        for row in rows
        for token in row
    )


def scoring(asked: dict[str, Any]) -> dict[str, Any]:
    house = asked.get("house", {})
    return {
        "variant": asked.get("mode", "base"),
        "color_match_owner": house.get("color_match_owner", "parity"),
    }


def lowest(asked: dict[str, Any]) -> bool:
    misere = asked.get("house", {}).get("color_match_misere", False)
    return ph.rules.lowest_wins(asked.get("mode", "base"), misere)


def side(best: tuple[int, ...]) -> str:
    return ph.moves.COLOURS[best[0]] if len(best) == 1 else "draw"


def score_round(asked: dict[str, Any]) -> dict[str, Any]:
    board = grid(asked["grid"])
    black, white = ph.board.points(board, **scoring(asked))
    lines = [MARK[whose] for whose in ph.board.owners(board, **scoring(asked))]
    return {"black": black, "white": white, "lines": lines}


def score_partial(asked: dict[str, Any]) -> dict[str, Any]:
    return score_round(asked) | {"open_lines": ph.board.open_lines(grid(asked["grid"]))}


def position(asked: dict[str, Any]) -> dict[str, Any]:
    try:
        due = ph.board.to_place(grid(asked["grid"]), COLOUR[asked["starter"]])
    except Illegal:
        return {"legal": False, "reason": "turn_order", "to_move": None}
    return {"legal": True, "to_move": None if due is None else due[0].upper()}


def hand(asked: dict[str, Any]) -> dict[str, Any]:
    left, bad = {}, []
    for letter, rolled in asked["rolled"].items():
        try:
            remaining, never = ph.board.left_in_hand(rolled, grid(asked["grid"]), COLOUR[letter])
        except Illegal:
            return {"legal": False, "reason": "need_five_each"}
        left[letter] = list(remaining)
        bad += [f"{letter}{pips}" for pips in never]
    return {"legal": not bad, "bad": bad, "remaining": left}


def hand_size(asked: dict[str, Any]) -> dict[str, Any]:
    try:
        for letter, rolled in asked["rolled"].items():
            ph.board.check_roll(rolled, COLOUR[letter])
    except Illegal:
        return {"legal": False, "reason": "need_five_each"}
    return {"legal": True}


def start_roll(asked: dict[str, Any]) -> dict[str, Any]:
    names = list(asked["rolls"])
    first = ph.rules.starting_seat(tuple(asked["rolls"].values()))
    if first is None:
        return {"starter": None, "chooses_colour": None, "reroll": True}
    return {"starter": names[first], "chooses_colour": names[1 - first], "reroll": False}


def starter_of_round(asked: dict[str, Any]) -> dict[str, Any]:
    return {
        "starter": "AB"[
            ph.match.starter_of_round("AB".index(asked["first_starter"]), asked["round"])
        ]
    }


def race(asked: dict[str, Any]) -> dict[str, Any]:
    totals = [sum(round_[side] for round_ in asked["rounds"]) for side in (0, 1)]
    tie = asked.get("house", {}).get("race_tie", "extra_round")
    over = ph.match.race_over(totals, asked["target"], lowest(asked), tie)
    level_at_target = not over and max(totals) >= asked["target"]
    return {
        "totals": totals,
        "finished": over,
        "winner": side(leaders(totals, lowest(asked))) if over else None,
        "reason": "tie_extra_round" if level_at_target else None,
    }


def single_round(asked: dict[str, Any]) -> dict[str, Any]:
    best = leaders(asked["points"], lowest(asked))
    replay = asked.get("house", {}).get("single_round_tie", "draw") == "replay"
    if len(best) > 1 and replay:
        return {"winner": None, "replay": True, "reason": "tie_replay"}
    return {"winner": side(best), "replay": False}


def round_check(asked: dict[str, Any]) -> dict[str, Any]:
    return {"legal": ph.board.possible_points(*asked["points"], asked.get("mode", "base"))}


def solo(asked: dict[str, Any]) -> dict[str, Any]:
    scored = score_round(asked)
    return scored | {
        "success": ph.rules.solo_success(scored["black"], scored["white"], asked["chosen"])
    }


def tournament(asked: dict[str, Any]) -> dict[str, Any]:
    totals: Counter[str] = Counter()
    movers = []
    for tables in asked["rounds"]:
        movers.append([])
        for table in tables:
            totals.update(table)
            names, gained = list(table), list(table.values())
            if len(names) < 2:
                continue  # a bye
            best = leaders(gained, lowest(asked))
            movers[-1].append(names[best[0]] if len(best) == 1 else None)
    names = sorted(totals)
    winners = [names[i] for i in leaders([totals[name] for name in names], lowest(asked))]
    winner = winners[0] if len(winners) == 1 else winners
    return {"totals": dict(totals), "movers": movers, "winner": winner}


def optimal_margin(asked: dict[str, Any]) -> dict[str, Any]:
    odd = asked["first_role"] == "odd"
    return {"margin_first": best_margin(odd, asked["first_odd"], asked["second_odd"])}
