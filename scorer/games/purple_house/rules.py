"""One round of Purple House for players 0 and 1, or 0 alone (PH-2 to PH-4); see `match.py`."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations_with_replacement
from typing import Any

from scorer.dice import PIPS, check_pips
from scorer.errors import Illegal
from scorer.game import Result
from scorer.games.purple_house.board import check_roll, left_in_hand, points, to_place
from scorer.games.purple_house.moves import (
    COLOURS,
    HAND,
    OTHER,
    Agree,
    ChooseColour,
    DieColour,
    Move,
    Place,
    Roll,
    StartRoll,
)
from scorer.games.purple_house.settings import SETTINGS
from scorer.games.purple_house.state import EMPTY, GridDie, State
from scorer.messages import Message, _
from scorer.phases import Phase, Phases, over, reason
from scorer.photo.grids import cell_said
from scorer.photo.interpret import in_words
from scorer.settings import House, settle
from scorer.values import changed
from scorer.words import colour as colour_said
from scorer.words import numbers, player, players, tally_said
from scorer.words import points as points_said

# ---------------------------------------------------------------- start and result


def starting_seat(pips: tuple[int, int]) -> int | None:
    """Return the starter, 0 or 1, by the higher die; None: roll again (PH-2, PH-A1)."""
    return None if pips[0] == pips[1] else int(pips[1] > pips[0])


def lowest_wins(variant: str, color_match_misere: bool = False) -> bool:
    """Return True if the aim is reversed (PH-8, PH-A8)."""
    return variant == "harder" or (variant == "color_match" and color_match_misere)


def fewest_win(house: House) -> bool:
    """Return True if the aim is reversed under these house rules (PH-8, PH-A8)."""
    return lowest_wins(house["variant"], house["color_match_misere"])


def solo_success(black: int, white: int, named: DieColour, lowest: bool = False) -> bool:
    """Return True if the named colour wins (PH-10, PH-A9), with fewer if the *lowest* does."""
    own, other = (black, white) if named == "black" else (white, black)
    return own < other if lowest else own > other


# ---------------------------------------------------------------- what a round says


def ready(state: State) -> bool:
    """Return True if colours are settled, so that dice can be rolled and placed."""
    return state.black is not None or state.named is not None


def chooser(state: State) -> int:
    """Return the player who names or chooses a colour: who does not start."""
    return 0 if state.starter is None else 1 - state.starter


def may_place(state: State) -> tuple[DieColour, ...]:
    """Return the colours that may be placed now: one, or both before a free start (PH-4)."""
    if state.starts is not None:
        colour = to_place(state.grid, state.starts, state.ahead)
        return () if colour is None else (colour,)
    rule = state.house["solo_start"]
    if state.named is None or rule == "free":
        return COLOURS
    return (state.named,) if rule == "named" else (OTHER[state.named],)


def player_of(state: State, colour: DieColour) -> int:
    """Return who owns a colour; solo it is one player who places both."""
    if state.named is not None:
        return 0
    assert state.black is not None
    return state.black if colour == "black" else 1 - state.black


def lowest(state: State) -> bool:
    """Return True if the fewest points lead."""
    return fewest_win(state.house)


def starts(state: State, seat: int) -> Agree:
    """Return the move that sets the starter; black stays with its player."""
    return Agree(seat, 1 - seat if state.black is None else state.black)


# ---------------------------------------------------------------- the contract, of one round


def start(players: int, settings: Mapping[str, object]) -> State:
    """Return the empty grid of one or two players; raises NotAMove."""
    return State(settle(SETTINGS, settings), players)


def _openings(_state: State) -> Iterator[Move]:
    for a in range(1, 7):
        yield from (StartRoll((a, b)) for b in range(1, 7))
    yield from (Agree(starter, black) for starter in (0, 1) for black in (0, 1))


def _colours(_state: State) -> Iterator[Move]:
    return map(ChooseColour, COLOURS)


def _rolls(state: State) -> Iterator[Move]:
    for colour, hand in zip(COLOURS, state.hands, strict=True):
        if not hand:
            for roll in combinations_with_replacement(range(1, 7), HAND):
                yield Roll(colour, roll)  # type: ignore[arg-type]
    yield from placements(state)


def placements(state: State) -> Iterator[Place]:
    """Yield each die that may be placed on each empty cell."""
    for colour in may_place(state):
        hand = state.hands[COLOURS.index(colour)]
        left = left_in_hand(hand, state.grid, colour)[0] if hand else tuple(range(1, 7))
        for cell, die in enumerate(state.grid):
            if die is None:
                for pips in sorted(set(left)):
                    yield Place(cell // 3, cell % 3, colour, pips)


def _start_roll(state: State, move: StartRoll) -> State:
    check_pips(move, move.pips, "PH-2")
    first = starting_seat(move.pips)
    return state if first is None else changed(state, starter=first)


def _choose(state: State, move: ChooseColour) -> State:
    if state.starter is None:
        return changed(state, named=move.colour)
    black = chooser(state) if move.colour == "black" else state.starter
    return seated(state, state.starter, black)


def seated(state: State, starter: int | None, black: int) -> State:
    """Return the round with its colours; the starter may be open until the first die (PH-2)."""
    starts: DieColour | None = None
    if starter is not None:
        starts = "black" if starter == black else "white"
    return changed(state, starter=starter, black=black, starts=starts)


def _agree(state: State, move: Agree) -> State:
    return seated(state, move.starter, move.black)


def _roll(state: State, move: Roll) -> State:
    mine = COLOURS.index(move.colour)
    if state.hands[mine]:
        text = _(
            "{colour} has rolled {roll}; undo to change it",
            colour=colour_said(move.colour),
            roll=numbers(state.hands[mine]),
        )
        raise Illegal(move, text, "PH-3")
    check_roll(move.pips, move.colour)
    hands = (move.pips, state.hands[1]) if mine == 0 else (state.hands[0], move.pips)
    return changed(state, hands=hands)


def _place(state: State, move: Place) -> State:
    if not (0 <= move.row < 3 and 0 <= move.column < 3):
        raise Illegal(move, _("the grid has rows 1 to 3 and columns 1 to 3"), "PH-4")
    if move.pips not in PIPS:
        check_pips(move, [move.pips], "PH-3")
    cell = 3 * move.row + move.column
    there = state.grid[cell]
    if there is not None:
        text = _(
            "{cell} already holds the {die}",
            cell=cell_said((move.row, move.column)),
            die=in_words((there.colour, there.pips)),
        )
        raise Illegal(move, text, "PH-4")
    if move.colour not in may_place(state):
        raise Illegal(move, _not_your_turn(state, move.colour), "PH-4")
    die = GridDie(move.colour, move.pips)
    hand = state.hands[COLOURS.index(move.colour)]
    if hand and state.grid.count(die) >= hand.count(move.pips):
        raise Illegal(move, _not_rolled(move, hand), "PH-3")
    starter = state.starter
    if starter is None and state.black is not None:  # a free start: the first die decides
        starter = player_of(state, move.colour)
    grid = (*state.grid[:cell], die, *state.grid[cell + 1 :])
    starts, hands = state.starts or move.colour, state.hands
    # Spelt out: nearly every move makes one.
    before = state.house, state.players, starter, state.black, state.named
    return State(*before, starts, hands, grid, state.ahead)


def _not_rolled(move: Place, hand: Sequence[int]) -> Message:
    colour, roll = colour_said(move.colour), numbers(hand)
    if move.pips in hand:
        return _(
            "{colour} has placed every {pips}: the roll was {roll}",
            colour=colour,
            pips=move.pips,
            roll=roll,
        )
    return _(
        "{colour} did not roll a {pips}: the roll was {roll}",
        colour=colour,
        pips=move.pips,
        roll=roll,
    )


def _not_your_turn(state: State, colour: DieColour) -> Message:
    due, other = colour_said(may_place(state)[0]), colour_said(colour)
    if state.grid == EMPTY:
        return _(
            "{due} starts this round, so the first die is {due}, not {other}", due=due, other=other
        )
    return _("the colours take turns: the next die is {due}, not {other}", due=due, other=other)


def is_over(state: State) -> bool:
    """Return True if the nine cells are full (PH-4)."""
    return all(state.grid)


def score(state: State) -> tuple[int, ...]:
    """Return each player's points on the completed lines; solo those of the named colour."""
    if not ready(state):
        return (0,) * state.players
    by_colour = points(state.grid, state.house["variant"], state.house["color_match_owner"])
    if state.named is not None:
        return (by_colour[COLOURS.index(state.named)],)
    return by_colour if state.black == 0 else by_colour[::-1]


def result(state: State) -> Result | None:
    """Return the winner of the round and the reason, None until the grid is full."""
    if not is_over(state):
        return None
    if state.named is not None:
        return _solo_result(state, state.named)
    first, second = score(state)
    if first == second:
        why = _(
            "{who} are level with {points}: a draw", who=players((0, 1)), points=points_said(first)
        )
        return Result((0, 1), why, draw=True)
    lowest = fewest_win(state.house)
    winner = int((second > first) != lowest)
    tally = tally_said((first, second) if winner == 0 else (second, first))
    facts = {"who": player(winner), "tally": tally}
    if lowest:
        return Result((winner,), _("{who} wins {tally}: the fewest points win", **facts))
    return Result((winner,), _("{who} wins {tally}: the most points win", **facts))


def _solo_result(state: State, named: DieColour) -> Result:
    black, white = points(state.grid, state.house["variant"], state.house["color_match_owner"])
    own, other = (black, white) if named == "black" else (white, black)
    rival = colour_said(OTHER[named])
    tally = _(
        "{colour} has {points} against {other}",
        colour=colour_said(named),
        points=points_said(own),
        other=other,
    )
    lowest = fewest_win(state.house)
    if solo_success(black, white, named, lowest):
        return Result((0,), _("{tally}: you did it", tally=tally))
    if black == white:
        return Result((), _("{tally}: level is not enough", tally=tally))
    if lowest:
        return Result((), _("{tally}: {other} has fewer", tally=tally, other=rival))
    return Result((), _("{tally}: {other} has more", tally=tally, other=rival))


# ---------------------------------------------------------------- who may do what now


def now(state: State) -> str:
    """Return at which point the round is: the name of a phase."""
    if state.black is not None:
        if not any(state.grid):
            return "roll"
        return "over" if all(state.grid) else "place"
    if state.players == 2:
        return "start" if state.starter is None else "choose"
    if state.named is None:
        return "name"
    if not any(state.grid):
        return "solo roll"
    return "over" if all(state.grid) else "solo place"


def _facts(state: State) -> Mapping[str, Message]:
    return {"chooser": player(chooser(state))}


def _chooser(state: State) -> tuple[int, ...]:
    return (chooser(state),)


def _placers(state: State) -> tuple[int, ...]:
    return tuple(dict.fromkeys(player_of(state, colour) for colour in may_place(state)))


SETTLE = reason("decide first who starts and who has black", "PH-2")
LOWER = reason("roll for the start first: the lower die chooses the colour", "PH-2")
CHOOSES = reason("{chooser} chooses a colour first", "PH-2")
NAME = reason("first name the colour that should win", "PH-2")
SETTLED = reason("it is already decided who starts", "PH-2")
CHOSEN = reason("the colours are chosen", "PH-2")
ROLLED = reason("the dice are rolled before the first one is placed", "PH-3")
STARTED = {StartRoll: SETTLED, Agree: SETTLED}
ALONE = {
    StartRoll: reason("a solo player does not roll for the start", "PH-10"),
    Agree: reason("a solo player only names a colour", "PH-10"),
}
ROLLING: Mapping[type, Callable[[State, Any], State]] = {Roll: _roll, Place: _place}
PHASES = Phases(
    now,
    {
        "over": over("the round is over", "PH-4"),
        "start": Phase(
            lambda _: (0, 1),
            _openings,
            {StartRoll: _start_roll, Agree: _agree},
            SETTLE,
            {ChooseColour: LOWER},
        ),
        "choose": Phase(_chooser, _colours, {ChooseColour: _choose}, CHOOSES, STARTED),
        "name": Phase(_chooser, _colours, {ChooseColour: _choose}, NAME, ALONE),
        "roll": Phase(_placers, _rolls, ROLLING, CHOSEN, STARTED),
        "place": Phase(_placers, placements, {Place: _place}, CHOSEN, {**STARTED, Roll: ROLLED}),
        "solo roll": Phase(_placers, _rolls, ROLLING, CHOSEN, ALONE),
        "solo place": Phase(_placers, placements, {Place: _place}, CHOSEN, {**ALONE, Roll: ROLLED}),
    },
    _facts,
)
