"""Dice Wide Shut in words: what is to be done, what a move was, how the tally came about."""

from __future__ import annotations

from scorer.game import Because, Result
from scorer.games.dice_wide_shut.moves import (
    SIX,
    Cell,
    Mark,
    Move,
    Power,
    Roll,
    Starter,
    Take,
    by_hue,
    cell_said,
    cells_said,
    counts_said,
    number_of,
    pool_said,
    row_said,
    take_said,
)
from scorer.games.dice_wide_shut.rules import apply, now, score, winners
from scorer.games.dice_wide_shut.sheet import (
    EMPTY_COLUMN,
    RUNS,
    blanks,
    columns,
    runs,
    score_column,
    splits,
)
from scorer.games.dice_wide_shut.state import Sheet, State, roll_of
from scorer.words import counted, listed, player, players


def result(state: State) -> Result | None:
    """Return who won and why, None while the game goes on."""
    if state.order:
        return None
    totals, rows = score(state), [splits(sheet) for sheet in state.sheets]
    best = winners(totals, rows)
    total, most = totals[best[0]], rows[best[0]]
    names, rows_said = players(best), counted(most, "split row")
    if len(best) > 1:
        why = f"{names} share the win with {total} points and {rows_said} each"
        return Result(best, f"{why}; whoever was last at a masquerade takes it")
    if totals.count(total) > 1:
        return Result(best, f"{names} wins level on {total} points by {rows_said}, the most")
    tally = " to ".join(map(str, sorted(totals, reverse=True)))
    return Result(best, f"{names} wins {tally}")


def explain(state: State) -> tuple[Because, ...]:
    """Return the ten columns of each seat, and its splits, which break a tie."""
    entries = []
    for seat, sheet in enumerate(state.sheets):
        for colour, half in sheet.halves():
            for index, column in enumerate(columns(half.rows)):
                cells = tuple((row, index) for row in range(5))
                text = f"column {index + 1}: {_column_in_words(column)}"
                points = score_column(column)
                entries.append(Because(seat, points, f"{colour} half", text, "DW-8", cells))
        if rows := splits(sheet):
            text = f"{counted(rows, 'split row')}: the most breaks a tie"
            entries.append(Because(seat, 0, "splits", text, "DW-10"))
    return tuple(entries)


def notes(state: State) -> tuple[str, ...]:
    """Return what each seat's empty columns cost: nobody expects to begin at -50 (DW-8)."""
    return tuple([empty_said(sheet) for sheet in state.sheets])


def empty_said(sheet: Sheet) -> str:
    """Return what the empty columns of a sheet cost, "" if there are none."""
    every = [column for _, half in sheet.halves() for column in columns(half.rows)]
    empty = sum(score_column(column) == EMPTY_COLUMN for column in every)
    if not empty:
        return ""
    which = "one empty column" if empty == 1 else f"each of {empty} empty columns"
    return f"−{-EMPTY_COLUMN} for {which}"


def _column_in_words(column: str) -> str:
    lengths = runs(column)
    if not lengths:
        return "no live check"
    if len(lengths) == 1:
        return "a lone check" if lengths == [1] else f"{lengths[0]} in a run"
    pay = " + ".join(str(RUNS[length]) for length in lengths)
    return f"runs of {listed(map(str, lengths))}: {pay}"


def draw(state: State) -> tuple[str, ...]:
    """Return each player's sheet, the one in turn first: the numbers still to be checked."""
    seats = [(state.seat + step) % len(state.sheets) for step in range(len(state.sheets))]
    drawn, *others = (_drawn(seat, state.sheets[seat]) for seat in seats)
    lying = f"\ndice: {pool_said(state.pool)}" if state.pool else ""
    return (f"{drawn}{lying}", *others)


def _drawn(seat: int, sheet: Sheet) -> str:
    lines = [
        f"player {seat + 1}'s sheet: x checked, # split, * 6 spent",
        "        red                blue",
    ]
    for row in range(5):
        halves = []
        for colour, half in sheet.halves():
            cells = [
                str(number_of((colour, row, column))) if sign == "." else sign
                for column, sign in enumerate(half.rows[row])
            ]
            six = {".": "6", "x": "x", "k": "*"}[half.sixes[row]]
            halves.append(f"{' '.join(cells)}  {six}")
        lines.append(f"row {row + 1}   {'      '.join(halves)}")
    return "\n".join(lines)


def prompt(state: State) -> str:
    """Return what is to be done next, in one sentence."""
    if ended := result(state):
        return ended.why
    who = f"round {state.round}: {player(state.seat)}"
    match now(state):
        case "start":
            return "choose who rolls first"
        case "roll":
            return f"{who} rolls {counts_said(by_hue(roll_of(len(state.sheets))))}"
        case "take":
            return f"{who} takes dice and marks them"
    assert state.due is not None
    if state.due.colour is None:
        return f"{who} checks one of the sixes"
    colour, rows = state.due.colour, state.sheet.half(state.due.colour).rows
    numbers = [number for number in state.due.numbers if blanks(colour, rows, number)]
    return f"{who} marks {listed(f'a {colour} {number}' for number in numbers)}"


def describe(state: State, move: Move) -> str:
    """Return *move*, made in *state*, in words."""
    who = player(state.seat)
    match move:
        case Starter(seat):
            return f"{player(seat)} starts"
        case Roll(dice):
            return f"{who} rolls {pool_said(dice)}"
        case Take():
            return f"{who} takes {take_said(move)}"
        case Mark():
            return f"{who} {marks_said(state, move)}"


def marks_said(state: State, move: Mark) -> str:
    """Return what a mark does: checks the 3 in row 2 of the red half."""
    return _marked(move.cells, move.powers) + _new_splits(state, move)


def _marked(cells: tuple[Cell, ...], powers: tuple[Power, ...]) -> str:
    done = [f"checks {cells_said(cells)}"] if cells else []
    done += [
        f"spends {cell_said((colour, row, SIX))} instead of checking a {number}"
        for colour, row, number in powers
    ]
    return listed(done)


def _new_splits(state: State, move: Mark) -> str:
    old, new = state.sheet, apply(state, move).sheets[state.seat]
    torn = [
        row_said(colour, row)
        for colour, half in new.halves()
        for row in range(5)
        if half.rows[row] == "#####" != old.half(colour).rows[row]
    ]
    return "".join(f"; {row} splits" for row in torn)
