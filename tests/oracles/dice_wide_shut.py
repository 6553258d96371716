"""Dice Wide Shut once more, slowly: every conceivable take and mark is tried against the rules.

Written from RULES.md and sharing no code with the rules it checks. A sheet is a mapping from
(half, row, column) to a sign: "." blank, "x" checked, "#" crossed out, "k" spent; column 5 is the
6 of the row. Dice are (hue, value), rows and columns count from 0.
"""

from collections import Counter
from itertools import combinations_with_replacement, product

HALVES = ("red", "blue")
PLACES = [(half, row, column) for half in HALVES for row in range(5) for column in range(6)]
GRID = [place for place in PLACES if place[2] < 5]
SIXES = [place for place in PLACES if place[2] == 5]
DICE = [(hue, value) for hue in ("red", "blue", "purple") for value in range(1, 7)]


def printed(place):
    """Return the number on the sheet there."""
    half, row, column = place
    return 6 if column == 5 else {"red": column, "blue": row}[half] + 1


def all_takes(pool, same_number_pair, purple_counts):
    """Return all (half, dice) that DW-4 allows; two alike where nothing else is there."""
    found = {
        (half, tuple(sorted(dice)))
        for half in HALVES
        for count in range(4)
        for dice in combinations_with_replacement(DICE, count)
        if _may_take(Counter(pool), half, list(dice), same_number_pair, purple_counts)
    }
    if found or same_number_pair:
        return found
    return all_takes(pool, True, purple_counts)


def _may_take(pool, half, dice, same_number_pair, purple_counts):
    if Counter(dice) - pool or any(hue not in (half, "purple") for hue, _ in dice):
        return False
    values = [value for _, value in dice]
    if 6 in values:  # (b)
        return values == [6]
    if len(dice) == 2:  # (a)
        return same_number_pair or values[0] != values[1]
    # (c): this die is the only one of 1 to 5
    rivals = [d for d in pool.elements() if d[1] != 6 and d[0] in (half, "purple")]
    if not purple_counts:
        rivals = [d for d in rivals if d[0] != "purple"]
    return len(dice) == 1 and rivals == dice


def all_marks(sheet, half, numbers, scope):
    """Return all (cells, powers) by which the dice of one take can be used, as sets (DW-5, DW-7).

    Each die checks a cell, has a 6 stand in for it, or is lost; every way to use them is tried.
    """
    ways = [("check", place) for place in PLACES]
    ways += [("power", (where, row, n)) for where, row, _ in SIXES for n in range(1, 7)]
    ways += [("lost", None)]
    found = set()
    for uses in product(ways, repeat=len(numbers)):
        if all(_fits(use, n, half, sheet) for use, n in zip(uses, numbers, strict=True)):
            cells = [what for how, what in uses if how == "check"]
            powers = [what for how, what in uses if how == "power"]
            lost = [n for (how, _), n in zip(uses, numbers, strict=True) if how == "lost"]
            if _together(sheet, half, cells, powers, lost, scope):
                found.add((frozenset(cells), frozenset(powers)))
    return found


def _fits(use, number, half, sheet):
    """Return True if one die may be used so, looking at nothing but this die."""
    how, what = use
    if how == "check":
        right_half = number == 6 or what[0] == half
        return right_half and printed(what) == number and sheet[what] == "."
    if how == "power":
        where, row, stands_for = what
        six = sheet[where, row, 5]
        return where == half and stands_for == number and number != 6 and six == "x"
    return True


def _together(sheet, half, cells, powers, lost, scope):
    """Return True if the uses go together."""
    if len(set(cells)) < len(cells) or len({power[:2] for power in powers}) < len(powers):
        return False
    after = dict(sheet) | dict.fromkeys(cells, "x")
    return all(_is_lost(after, half, number, powers) for number in lost) and all(
        _has_power(after, power, scope) for power in powers
    )


def _is_lost(after, half, number, powers):
    """Return True if a die finds no blank cell but those that 6s stand in for."""
    places = [p for p in PLACES if number == 6 or p[0] == half]
    blank = [p for p in places if after[p] == "." and printed(p) == number]
    # What a 6 stands in for is a cell that this player chooses to leave blank.
    return len(blank) <= len([power for power in powers if power[2] == number])


def _has_power(after, power, scope):
    """Return True if a 6 may stand in for its number."""
    where, row, number = power
    blank = [p for p in GRID if p[:2] == (where, row) and after[p] == "."]
    spare = [p for p in blank if printed(p) == number]
    return bool(spare) and (scope != "only_to_prevent_split" or len(blank) == 1)


def marked(sheet, cells, powers):
    """Return the sheet after the marks, full rows crossed out (DW-6)."""
    after = dict(sheet) | dict.fromkeys(cells, "x")
    after |= {(where, row, 5): "k" for where, row, _ in powers}
    for half, row in product(HALVES, range(5)):
        line = [(half, row, column) for column in range(5)]
        if all(after[place] != "." for place in line):
            after |= dict.fromkeys(line, "#")
    return after


def total(sheet):
    """Return the points of a sheet (DW-8), walking down each column."""
    points = 0
    for half, column in product(HALVES, range(5)):
        run, worth, live = 0, 0, False
        for row in range(6):  # the sixth ends the last run
            if row < 5 and sheet[half, row, column] == "x":
                run, live = run + 1, True
            else:
                worth += {0: 0, 1: 1, 2: 3, 3: 7, 4: 10, 5: 15}[run]
                run = 0
        points += worth if live else -5
    return points


def over(sheet):
    """Return True if a half has three full columns (DW-9)."""
    return any(
        sum(all(sheet[half, row, column] != "." for row in range(5)) for column in range(5)) >= 3
        for half in HALVES
    )
