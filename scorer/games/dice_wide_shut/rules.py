"""Dice Wide Shut: rounds and turns, phase by phase (DW-3, DW-9, DW-10)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product

from scorer.dice import check_pips, falls
from scorer.errors import Illegal
from scorer.games.dice_wide_shut import moves
from scorer.games.dice_wide_shut.moves import Hue, HuedDice, Mark, SheetColour, Take
from scorer.games.dice_wide_shut.settings import SEATS, SETTINGS, TITLE
from scorer.games.dice_wide_shut.sheet import (
    EMPTY_COLUMN,
    anything_to_mark,
    columns,
    ends,
    mark,
    marks,
    may_fill,
    score_sheet,
)
from scorer.games.dice_wide_shut.state import Due, Sheet, State, dice_for, roll_of
from scorer.messages import Message
from scorer.phases import Phase, Phases, Reason, over, reason, refused
from scorer.photo.interpret import in_words
from scorer.seats import check_seat, clockwise, last_turns, leaders, put
from scorer.settings import check_seats, settle
from scorer.values import changed
from scorer.words import colour as colour_said
from scorer.words import just, player


def start(seats: int, settings: Mapping[str, object]) -> State:
    """Return blank sheets, before the starting player is set. Raises NotAMove."""
    house = settle(SETTINGS, settings)
    seats = check_seats(TITLE, SEATS, seats)
    return State(house, (Sheet(),) * seats, tuple(range(seats)))


def score(state: State) -> tuple[int, ...]:
    """Return each seat's current total."""
    return tuple([score_sheet(sheet) for sheet in state.sheets])


def earned(state: State) -> tuple[int, ...]:
    """Return each seat's total without what its empty columns cost only if nothing follows."""
    return tuple(
        [
            score_sheet(sheet) - EMPTY_COLUMN * len(open_columns(state, seat))
            for seat, sheet in enumerate(state.sheets)
        ]
    )


def open_columns(state: State, seat: int) -> set[tuple[SheetColour, int]]:
    """Return the empty columns of a seat that it may yet check something in."""
    if is_over(state) or (state.last is not None and seat not in (*state.order, *state.last)):
        return set()
    return {
        (colour, index)
        for colour, half in state.sheets[seat].halves()
        for index, column in enumerate(columns(half.rows))
        if may_fill(column)
    }


def is_over(state: State) -> bool:
    """Return True if the game has ended."""
    return not state.order


# ---------------------------------------------------------------- rounds


def start_seat(seats: int, first: int, number: int) -> int:
    """Return the starting seat of round *number* (from 1) if *first* started round 1 (DW-3)."""
    return (first + number - 1) % seats


def _start(state: State, move: moves.Starter) -> State:
    seats = len(state.sheets)
    check_seat(move, move.seat, seats, "DW-3")
    order = clockwise(seats, move.seat)
    return State(state.house, state.sheets, order, move.seat, 1, left=state.left)


def _rolls(state: State) -> Iterator[moves.Roll]:
    rolled = [
        [tuple((hue, value) for value in values) for values in falls(count)]
        for hue, count in dice_for(len(state.sheets)).items()
    ]
    return (moves.Roll(red + blue + purple) for red, blue, purple in product(*rolled))


NO_ROLL = reason("{dice} do not make a roll of {wanted}", "DW-2")


def _roll(state: State, move: moves.Roll) -> State:
    hues, wanted = tuple([hue for hue, _ in move.dice]), roll_of(len(state.sheets))
    if hues != wanted:
        facts = {"dice": moves.counts_said(hues), "wanted": moves.counts_said(wanted)}
        raise refused(move, NO_ROLL, facts)
    check_pips(move, [value for _, value in move.dice], "DW-3")
    return changed(state, pool=move.dice, rolled=move.dice)


# ---------------------------------------------------------------- what may be taken (DW-4)

MUST_TAKE = reason("nobody may pass: take dice of one colour", "DW-4")
OTHER_HUE = reason("a {hue} die cannot be taken as {colour}", "DW-4")
NOT_THERE = reason("there is no {die} to take", "DW-4")
ONLY_ONE = reason("there is only one {die} to take", "DW-4")
SIX_ALONE = reason("a 6 is taken alone", "DW-4")
TOO_MANY = reason("{number} dice are too many: take two", "DW-4")
ALIKE = reason("both dice show {number}: they must differ", "DW-A2")
PURPLE_ALONE = reason("the purple die alone cannot be taken as {colour}", "DW-A9")
TAKE_TWO = reason("there is a {other} to take with the {die}: take two dice", "DW-4")


def takes(
    pool: HuedDice, same_number_pair: bool = True, purple_counts_for_single: bool = True
) -> Iterator[Take]:
    """Yield every different take from *pool* (DW-4)."""
    for colour in moves.COLOURS:
        mine = [die for die in pool if die[0] in (colour, "purple")]
        small = [die for die in mine if die[1] < 6]
        counted = _counted(small, purple_counts_for_single)
        choices: list[HuedDice] = [
            pair for pair in combinations(small, 2) if same_number_pair or pair[0][1] != pair[1][1]
        ]
        choices += [tuple(counted)] if len(counted) == 1 else []
        choices += [(die,) for die in mine if die[1] == 6]
        yield from (Take(colour, dice) for dice in dict.fromkeys(choices))


def check_take(
    pool: HuedDice, take: Take, same_number_pair: bool = True, purple_counts_for_single: bool = True
) -> None:
    """Raise Illegal unless *take* may be taken from *pool* (DW-4)."""
    dice, colour = take.dice, take.colour

    def fault(why: Reason, **facts: Message) -> Illegal:
        return refused(take, why, {"colour": colour_said(colour), **facts})

    if not dice:
        raise fault(MUST_TAKE)
    for die in dice:
        if die[0] not in (colour, "purple"):
            raise fault(OTHER_HUE, hue=colour_said(die[0]))
        if pool.count(die) < dice.count(die):
            raise fault(ONLY_ONE if die in pool else NOT_THERE, die=in_words(die))
    if len(dice) > 1 and 6 in [value for _hue, value in dice]:
        raise fault(SIX_ALONE)
    if len(dice) > 2:
        raise fault(TOO_MANY, number=just(len(dice)))
    if len(dice) == 2 and dice[0][1] == dice[1][1] and not same_number_pair:
        raise fault(ALIKE, number=just(dice[0][1]))
    if len(dice) == 2 or dice[0][1] == 6:
        return
    small = [die for die in pool if die[1] < 6 and die[0] in (colour, "purple")]
    if _counted(small, purple_counts_for_single) != list(dice):
        small.remove(dice[0])
        if not small:
            raise fault(PURPLE_ALONE)
        raise fault(TAKE_TWO, die=in_words(dice[0]), other=in_words(small[0]))


def _counted(small: Iterable[tuple[Hue, int]], purple_counts: bool) -> list[tuple[Hue, int]]:
    """Return the dice 1 to 5 among which a single one may be taken (DW-A9)."""
    return [die for die in small if purple_counts or die[0] != "purple"]


def take_rules(state: State) -> tuple[bool, bool]:
    """Return whether two alike may be taken now, and whether the purple die counts."""
    same, purple = state.house["same_number_pair"], state.house["purple_counts_for_single"]
    return same or next(takes(state.pool, False, purple), None) is None, purple


def legal_takes(state: State) -> Iterator[Take]:
    """Yield what the player in turn may take."""
    return takes(state.pool, *take_rules(state))


# ---------------------------------------------------------------- a turn


def _take(state: State, move: Take) -> State:
    check_take(state.pool, move, *take_rules(state))
    pool = list(state.pool)
    for die in move.dice:
        pool.remove(die)
    numbers = tuple(sorted([value for _, value in move.dice]))
    due = Due(None if numbers == (6,) else move.colour, numbers)
    if anything_to_mark(state.sheet, due):
        return changed(state, pool=tuple(pool), due=due)
    return end_turn(state, tuple(pool), state.sheet)


def _marks(state: State) -> Iterator[Mark]:
    return (move for move, _sheet in marked(state))


def marked(state: State) -> Iterator[tuple[Mark, Sheet]]:
    """Yield every mark after the take, with the sheet that it leaves."""
    assert state.due is not None
    return marks(state.sheet, state.due, str(state.house["six_power_scope"]))


def _mark(state: State, move: Mark) -> State:
    assert state.due is not None
    sheet = mark(state.sheet, state.due, move, str(state.house["six_power_scope"]))
    return end_turn(state, state.pool, sheet)


def end_turn(state: State, pool: HuedDice, sheet: Sheet) -> State:
    """Put the player's sheet down and pass the turn, to a new round or the end if it was last."""
    seat, order = state.order[0], state.order[1:]
    seats, number, last = len(state.sheets), state.round, state.last
    sheets = put(state.sheets, seat, sheet)
    if last is None and ends(sheet):
        starter = start_seat(seats, state.first, number)
        last = last_turns(seats, starter, seat, str(state.house["end_mode"]))[len(order) :]
    if not order:
        number, pool, order, last = _next_round(state, pool, last)
    return changed(state, sheets=sheets, order=order, round=number, pool=pool, due=None, last=last)


def _next_round(
    state: State, pool: HuedDice, last: tuple[int, ...] | None
) -> tuple[int, HuedDice, tuple[int, ...], tuple[int, ...] | None]:
    """Return number, pool, order and `last` of the next round, the last turns or the end."""
    if last is not None:
        return state.round + bool(last), () if last else pool, last, ()
    number, seats = state.round + 1, len(state.sheets)
    return number, (), clockwise(seats, start_seat(seats, state.first, number)), None


def leave(state: State, seat: int) -> State:
    """Return the state without the turns a seat had to come; its sheet stays as it is."""
    if seat not in state.left:
        state = changed(state, left=(*state.left, seat))
    if not state.round or seat not in (*state.order, *(state.last or ())):
        return state
    order = tuple(other for other in state.order if other != seat)
    last = state.last and tuple(other for other in state.last if other != seat)
    due = None if state.seat == seat else state.due
    number, pool = state.round, state.pool
    if not order:
        number, pool, order, last = _next_round(state, pool, last)
    return changed(state, order=order, round=number, pool=pool, due=due, last=last)


def starts(_state: State, seat: int) -> moves.Starter:
    """Return the move that settles who rolls first."""
    return moves.Starter(seat)


def winners(totals: Sequence[int], split_rows: Sequence[int]) -> tuple[int, ...]:
    """Return the places with the highest total, of level ones those with most splits (DW-10)."""
    return leaders(list(zip(totals, split_rows, strict=True)))


# ---------------------------------------------------------------- who may do what now


def now(state: State) -> str:
    """Return at which point the game is: the name of a phase."""
    if not state.order:
        return "over"
    if not state.round:
        return "start"
    if not state.pool:
        return "roll"
    return "take" if state.due is None else "mark"


def _in_turn(state: State) -> tuple[int, ...]:
    return state.order[:1]


STARTED = reason("{starter} has started the game", "DW-3")
ROLLED = reason("the dice of this round are already rolled", "DW-3")
PHASES = Phases(
    now,
    {
        "over": over("the game is over", "DW-9"),
        "start": Phase(
            lambda state: state.order,
            lambda state: map(moves.Starter, range(len(state.sheets))),
            {moves.Starter: _start},
            reason("decide first who starts", "DW-2a"),
        ),
        "roll": Phase(
            _in_turn,
            _rolls,
            {moves.Roll: _roll},
            reason("roll the dice first", "DW-3"),
            {moves.Starter: STARTED},
        ),
        "take": Phase(
            _in_turn,
            legal_takes,
            {Take: _take},
            reason("take dice first", "DW-3"),
            {moves.Starter: STARTED, moves.Roll: ROLLED},
        ),
        "mark": Phase(
            _in_turn,
            _marks,
            {Mark: _mark},
            reason("{player} has taken dice and must mark them first", "DW-3"),
            {moves.Starter: STARTED, moves.Roll: ROLLED},
        ),
    },
    lambda state: {"starter": player(state.first), "player": player(state.seat)},
)
apply, legal_moves, to_move = PHASES.apply, PHASES.legal_moves, PHASES.to_move
