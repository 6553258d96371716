"""Dice Wide Shut in words: what is to be done, what a move was, how the tally came about."""

from collections.abc import Iterator

from scorer.entry import RollPad, SheetPad, TableEntry, Taking, one_player
from scorer.game import Because, Result
from scorer.games.dice_wide_shut import moves
from scorer.games.dice_wide_shut.moves import Mark
from scorer.games.dice_wide_shut.rules import (
    apply,
    legal_moves,
    legal_takes,
    marked,
    now,
    open_columns,
    score,
    winners,
)
from scorer.games.dice_wide_shut.sheet import (
    EMPTY_COLUMN,
    RUNS,
    blanks,
    columns,
    may_fill,
    runs,
    score_column,
    score_sheet,
    splits,
)
from scorer.games.dice_wide_shut.state import Sheet, State, roll_of
from scorer.messages import Message, _, joined, ngettext, raw
from scorer.phases import fault
from scorer.photo.interpret import in_words
from scorer.words import just, listed, player, players, tally_said

HALVES = (_("red half"), _("blue half"))  # in the order of `Sheet.halves`


def result(state: State) -> Result | None:
    """Return who won and why, None while the game goes on."""
    if state.order:
        return None
    totals, rows = score(state), [splits(sheet) for sheet in state.sheets]
    best = winners(totals, rows)
    who, total = players(best), totals[best[0]]
    facts = {"who": who, "points": just(total), "rows": _split_rows(rows[best[0]])}
    why = _("{who} wins {tally}", who=who, tally=tally_said(sorted(totals, reverse=True)))
    if len(best) > 1:
        why = _(
            "{who} share the win with {points} points and {rows} each; whoever was at a "
            "masquerade most recently takes it",
            **facts,
        )
    elif totals.count(total) > 1:
        why = _("{who} wins with {points} points: the tie is broken by {rows}, the most", **facts)
    return Result(best, why)


def _split_rows(number: int) -> Message:
    return ngettext("{n} split row", "{n} split rows", number)


def explain(state: State) -> tuple[Because, ...]:
    """Return the ten columns of each seat, and its splits, which break a tie."""
    entries = []
    for seat, sheet in enumerate(state.sheets):
        may_fill = open_columns(state, seat)
        for (colour, half), part in zip(sheet.halves(), HALVES, strict=True):
            for index, column in enumerate(columns(half.rows)):
                cells = tuple((row, index) for row in range(5))
                text = _("column {column}: {runs}", column=index + 1, runs=_column_in_words(column))
                points, if_ended = score_column(column), (colour, index) in may_fill
                entries.append(Because(seat, points, part, text, "DW-8", cells, if_ended))
        if rows := splits(sheet):
            text = _("{rows}: the most win a tie", rows=_split_rows(rows))
            entries.append(Because(seat, 0, _("splits"), text, "DW-10"))
    return tuple(entries)


def notes(state: State) -> tuple[Message, ...]:
    """Return what each seat's empty columns cost (DW-8), which is not among what is earned."""
    costs = []
    for seat, sheet in enumerate(state.sheets):
        may_fill = len(open_columns(state, seat))
        cost = _cost_said(may_fill)
        if_ended = cost and _("if the game ended now: {cost}", cost=cost)
        costs.append(if_ended or empty_said(sheet))
    return tuple(costs)


def empty_said(sheet: Sheet) -> Message:
    """Return what the empty columns of a sheet cost, "" if there are none."""
    every = [column for _half, half in sheet.halves() for column in columns(half.rows)]
    return _cost_said(sum(score_column(column) == EMPTY_COLUMN for column in every))


def _cost_said(empty: int) -> Message:
    if not empty:
        return raw("")
    return ngettext(
        "−{points} for one empty column",
        "−{points} for each of {n} empty columns",
        empty,
        points=-EMPTY_COLUMN,
    )


def _column_in_words(column: str) -> Message:
    lengths = runs(column)
    if not lengths:
        return _("no live check")
    if len(lengths) == 1:
        return ngettext("a lone check", "{n} in a run", lengths[0])
    pay = joined(" + ", [RUNS[length] for length in lengths])
    return _("runs of {lengths}: {points}", lengths=listed(map(just, lengths)), points=pay)


def draw(state: State) -> tuple[Message, ...]:
    """Return each player's sheet, the one in turn first: the numbers still to be checked."""
    seats = [(state.seat + step) % len(state.sheets) for step in range(len(state.sheets))]
    first, *others = (_drawn(seat, state.sheets[seat]) for seat in seats)
    if state.pool:
        first = joined("\n", (first, _("dice: {dice}", dice=moves.pool_said(state.pool))))
    return (first, *others)


def _drawn(seat: int, sheet: Sheet) -> Message:
    lines = [_("{who}'s sheet: x checked, # split, * 6 spent", who=player(seat))]
    lines.append(_("        red                blue"))
    for row in range(5):
        halves = []
        for half, signs in sheet.halves():
            cells = [
                str(moves.number_of((half, row, column))) if sign == "." else sign
                for column, sign in enumerate(signs.rows[row])
            ]
            six = {".": "6", "x": "x", "k": "*"}[signs.sixes[row]]
            halves.append(f"{' '.join(cells)}  {six}")
        lines.append(_("row {row}   {cells}", row=row + 1, cells=raw("      ".join(halves))))
    return joined("\n", lines)


def prompt(state: State) -> Message:
    """Return what is to be done next, in one sentence."""
    phase, who = now(state), player(state.seat)
    if phase == "start":
        return _("choose who rolls first")
    if phase == "roll":
        dice = moves.counts_said(roll_of(len(state.sheets)))
        text = _("{who} rolls {dice}", who=who, dice=dice)
    elif state.due is None:
        text = _("{who} takes dice and marks them", who=who)
    elif state.due.colour is None:
        text = _("{who} checks one of the sixes", who=who)
    else:
        half, rows = state.due.colour, state.sheet.half(state.due.colour).rows
        left = [number for number in state.due.numbers if blanks(half, rows, number)]
        dice = listed(_("a {die}", die=in_words((half, number))) for number in left)
        text = _("{who} marks {dice}", who=who, dice=dice)
    if state.last is not None and state.seat not in state.last:
        text = _("{text}, the last turn", text=text)
    return _("round {number}: {text}", number=state.round, text=text)


def hint(state: State) -> Message:
    """Return the rule text's two optional questions about the starting player (DW-2a)."""
    if now(state) != "start":
        return raw("")
    return _(
        "The game asks, and binds nobody: who touched the monolith last? If nobody ever did: who "
        "joined the Marine Corps Boot Camp last?"
    )


def entry(state: State) -> tuple[TableEntry, ...]:
    """Return the keys of who rolls first, of the roll, or what may be taken and marked."""
    match now(state):
        case "start":
            seats = range(len(state.sheets))
            return (TableEntry((one_player(_("Who rolls first"), seats, moves.Starter),)),)
        case "roll":
            dice = moves.by_hue(roll_of(len(state.sheets)))
            pad = RollPad(_("Tap the dice in any order"), dice, moves.Roll(()))
            return (TableEntry(roll=pad),)
        case "take":
            takes = tuple(_taking(apply(state, take), take) for take in legal_takes(state))
            steps: tuple[moves.Move, ...] = (moves.Take("red", ()), Mark(()))
        case "mark":
            takes, steps = (_taking(state),), (Mark(()),)
        case _:
            return ()
    sums = {str(half): tuple(map(_earns, columns(of.rows))) for half, of in state.sheet.halves()}
    return (TableEntry(sheet=SheetPad(takes, sums, steps, tuple(_by_half(state)))),)


def _by_half(state: State) -> Iterator[tuple[Message, tuple[moves.Move, ...]]]:
    possible = [*legal_moves(state)]
    for name, half in zip(HALVES, moves.COLOURS, strict=True):
        if of_half := tuple(move for move in possible if _half_of(move) == half):
            yield name, of_half


def _half_of(move: moves.Move) -> str:
    """Return the half that a take or a mark is about; of several the first."""
    if isinstance(move, moves.Take):
        return move.colour
    assert isinstance(move, Mark)
    return (*move.cells, *move.powers)[0][0]


def _earns(column: str) -> int:
    """Return the points of a column; one that may yet be filled costs nothing so far."""
    return 0 if may_fill(column) else score_column(column)


def _taking(taken: State, take: moves.Take | None = None) -> Taking:
    """Return the cells that may be checked after a take, and those that bring most unspent."""
    due = taken.due
    options = [*marked(taken)] if due else []
    plain = (option for option in options if not option[0].powers)  # a six is the player's to spend
    best = max(plain, key=lambda option: score_sheet(option[1]), default=(Mark(()), None))[0]
    cells = dict.fromkeys(cell for mark, _sheet in options for cell in mark.cells)
    colour = take.colour if take else (due and due.colour) or ""
    return Taking(take.dice if take else (), colour, best.cells, tuple(cells))


def describe(state: State, move: moves.Move) -> Message:
    """Return *move*, made in *state*, in words."""
    who = player(state.seat)
    match move:
        case moves.Starter(seat):
            return _("{who} starts", who=player(seat))
        case moves.Roll(dice):
            return _("{who} rolls {dice}", who=who, dice=moves.pool_said(dice))
        case moves.Take():
            return _("{who} takes {dice}", who=who, dice=moves.take_said(move))
        case Mark():
            return _("{who} {marks}", who=who, marks=marks_said(state, move))


def marks_said(state: State, move: Mark) -> Message:
    """Return what a mark does: checks the 3 in row 2 of the red half."""
    done = [_("checks {cells}", cells=moves.cells_said(move.cells))] if move.cells else []
    for half, row, number in move.powers:
        six = moves.cell_said((half, row, moves.SIX))
        done.append(_("spends {six} instead of checking a {number}", six=six, number=number))
    text = listed(done)
    if fault(apply, state, move):
        return text
    for row_said in _new_splits(state, move):
        text = _("{text}; {row} splits", text=text, row=row_said)
    return text


def _new_splits(state: State, move: Mark) -> Iterator[Message]:
    old, new = state.sheet, apply(state, move).sheets[state.seat]
    for half, signs in new.halves():
        for row in range(5):
            if signs.rows[row] == "#####" != old.half(half).rows[row]:
                yield moves.row_said(half, row)
