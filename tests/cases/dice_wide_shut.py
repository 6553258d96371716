"""Answers to the Dice Wide Shut cases: notation translated, everything else asked of the rules."""

from functools import partial
from typing import Any

from scorer import Illegal, NotAMove
from scorer.games.dice_wide_shut import rules as rounds
from scorer.games.dice_wide_shut import sheet as marking
from scorer.games.dice_wide_shut.moves import COLOURS, SIX, HuedDice, Mark, Take
from scorer.games.dice_wide_shut.rules import check_take, winners
from scorer.games.dice_wide_shut.sheet import (
    anything_to_mark,
    ends,
    full_columns,
    score_column,
    score_half,
    score_sheet,
    splits,
)
from scorer.games.dice_wide_shut.state import SPLIT, Due, Half, Sheet, dice_for
from scorer.seats import last_turns
from tests.cases import refused_as

# The cases' word for a refusal, by a phrase of its sentence.
REASONS = {
    "nobody may pass": "must_take",
    "purple die alone": "must_take_two",
    "cannot be taken as": "wrong_colour",
    "take two dice": "must_take_two",
    "to take": "not_in_pool",
    "a 6 is taken alone": "six_is_alone",
    "are too many": "too_many",
    "they must differ": "same_number",
    "can only check the": "wrong_half",
    "the dice are taken as": "wrong_half",
    "no die is left that shows": "wrong_number",
    "can only be checked with a 6": "wrong_number",
    "a die that shows 6 checks": "wrong_number",
    "is already checked": "already_marked",
    "named twice": "already_marked",
    "is already spent": "already_marked",
    "another 6 cannot stand in": "no_power",
    "must be checked": "must_mark",
    "only one 6": "six_only_one",
    "cannot stand in": "no_power",
    "its 6 could stand in for": "no_blank_in_row",
    "only to prevent a split": "power_not_needed",
    "a half has rows": "no_such_cell",
}


refused = partial(refused_as, REASONS)


def half(rows: list[str], sixes: str) -> Half:
    return Half(tuple(row if "." in row else SPLIT for row in rows), sixes)


def sheet(board: dict[str, Any]) -> Sheet:
    """Return the board written as five strings a half and five signs for its sixes."""
    return Sheet(half(board["red"], board["red6"]), half(board["blue"], board["blue6"]))


def pool(asked: dict[str, Any]) -> HuedDice:
    dice = [(hue, value) for hue in COLOURS for value in asked["pool"].get(hue) or ()]
    purple = asked["pool"].get("purple")
    return tuple(sorted(dice + ([] if purple is None else [("purple", purple)])))


def take_rules(asked: dict[str, Any]) -> dict[str, bool]:
    house = asked.get("house", {})
    names = ("same_number_pair", "purple_counts_for_single")
    return {name: house[name] for name in names if name in house}


def setup(asked: dict[str, Any]) -> dict[str, Any]:
    try:
        dice = dice_for(asked["players"])
    except NotAMove:
        return {"legal": False, "reason": "players"}
    least = sum(dice.values()) - 2 * (asked["players"] - 1)
    count: dict[str, Any] = dict(dice.items())
    return count | {"legal": True, "last_player_sees_at_least": least}


def column(asked: dict[str, Any]) -> dict[str, Any]:
    return {"score": score_column(asked["column"])}


def board(asked: dict[str, Any]) -> dict[str, Any]:
    there = sheet(asked["board"])
    red, blue = score_half(there.red), score_half(there.blue)
    return {
        "red": red,
        "blue": blue,
        "red_total": sum(red),
        "blue_total": sum(blue),
        "total": score_sheet(there),
        "splits": splits(there),
    } | end_trigger(asked)


def end_trigger(asked: dict[str, Any]) -> dict[str, Any]:
    there = sheet(asked["board"])
    return {
        "full_red": full_columns(there.red),
        "full_blue": full_columns(there.blue),
        "triggers_end": ends(there),
    }


def take(asked: dict[str, Any]) -> dict[str, Any]:
    dice = tuple((name.rstrip("0123456789"), int(name[-1])) for name in asked["dice"])
    try:
        check_take(pool(asked), Take(asked["colour"], dice), **take_rules(asked))
    except Illegal as fault:
        return refused(fault)
    return {"legal": True}


def takes(asked: dict[str, Any]) -> dict[str, Any]:
    numbers: dict[str, set[str]] = {colour: set() for colour in COLOURS}
    for take in rounds.takes(pool(asked), **take_rules(asked)):
        values = sorted(value for _, value in take.dice)
        numbers[take.colour].add("+".join(map(str, values)))
    return {"takes": {colour: sorted(different) for colour, different in numbers.items()}}


def mark(asked: dict[str, Any]) -> dict[str, Any]:
    before, dice = sheet(asked["board"]), tuple(sorted(asked["dice"]))
    due = Due(None if dice == (6,) else asked["colour"], dice)
    cells = [(half, row - 1, column - 1) for half, row, column in asked.get("marks", ())]
    cells += [(half, row - 1, SIX) for half, row in asked.get("sixes", ())]
    powers = tuple((half, row - 1, number) for half, row, number in asked.get("power", ()))
    house = asked.get("house", {})
    scope = {"six_power_scope": house["six_power_scope"]} if "six_power_scope" in house else {}
    try:
        if cells or powers or anything_to_mark(before, due):
            after = marking.mark(before, due, Mark(tuple(cells), powers), **scope)
        else:
            after = before
    except Illegal as fault:
        return refused(fault)
    return {
        "legal": True,
        "red": after.red.rows,
        "blue": after.blue.rows,
        "red6": after.red.sixes,
        "blue6": after.blue.sixes,
        "columns": score_half(after.half(asked["colour"])),
        "new_splits": splits(after) - splits(before),
        "total": score_sheet(after),
    }


def after_trigger(asked: dict[str, Any]) -> dict[str, Any]:
    mode = asked.get("house", {}).get("end_mode", "finish_round")
    seats = (asked["players"], asked["start_seat"], asked["trigger_seat"])
    return {"still_to_play": last_turns(*seats, mode)}


def start_seat(asked: dict[str, Any]) -> dict[str, Any]:
    return {"start_seat": rounds.start_seat(asked["players"], asked["first_seat"], asked["round"])}


def final(asked: dict[str, Any]) -> dict[str, Any]:
    players = asked["players"]
    totals, rows = zip(*((one["total"], one["splits"]) for one in players), strict=True)
    return {"winners": [players[place]["name"] for place in winners(totals, rows)]}
