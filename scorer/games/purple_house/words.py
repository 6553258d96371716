"""Purple House in words: the lines and their owners, what comes next, the moves, the grid drawn."""

from __future__ import annotations

from collections.abc import Iterator

from scorer.game import Because, Instead
from scorer.games.purple_house.board import (
    COLOURS,
    EMPTY,
    LINES,
    Agree,
    ChooseColour,
    Move,
    Place,
    Roll,
    Round,
    StartRoll,
    left_in_hand,
    owners,
)
from scorer.games.purple_house.rules import (
    chooser,
    is_over,
    may_place,
    now,
    player_of,
    ready,
)
from scorer.grids import cell_said
from scorer.words import player


def explain(state: Round) -> tuple[Because, ...]:
    """Return each complete line with its sum and owner (PH-5, PH-9)."""
    return tuple(_lines(state)) if ready(state) else ()


def _lines(state: Round) -> Iterator[Because]:
    variant = state.house["variant"]
    owned = owners(state.grid, variant, state.house["color_match_owner"])
    for (name, cells), whose in zip(LINES, owned, strict=True):
        dice = [die for cell in cells if (die := state.grid[cell]) is not None]
        if len(dice) < 3:
            continue
        total = sum(die.pips for die in dice)
        text = f"{name}: {' + '.join(str(die.pips) for die in dice)} = {total}"
        text += f", {'odd' if total % 2 else 'even'}: {whose}" if whose else ", nobody's"
        # Solo the lines of the other colour are nobody's.
        counts = whose is not None and state.named in (None, whose)
        yield Because(
            player_of(state, whose) if whose and counts else None,
            int(counts),
            "",
            text,
            "PH-9" if variant == "color_match" else "PH-5",
            tuple((cell // 3, cell % 3) for cell in cells),
        )


def draw(state: Round) -> tuple[str, ...]:
    """Return the grid: b is black, w is white."""
    if not ready(state):
        return ()
    lines = ["b4 is a black 4", "column    1    2    3"]
    for row in range(3):
        dice = [state.grid[3 * row + column] for column in range(3)]
        cells = [f"{die.colour[0]}{die.pips}" if die else "." for die in dice]
        lines.append(f"row {row + 1}     {''.join(f'{cell:5}' for cell in cells)}".rstrip())
    for colour, hand in zip(COLOURS, state.hands, strict=True):
        if hand and (left := left_in_hand(hand, state.grid, colour)[0]):
            lines.append(f"{colour} in hand: {' '.join(map(str, left))}")
    return ("\n".join(lines),)


def prompt(state: Round) -> str:
    """Return what is to be done next, in one sentence."""
    match now(state):
        case "name":
            return "name the colour that is to win"
        case "start":
            return "player 1 and player 2 roll one die each for the start"
        case "choose":
            return f"{player(chooser(state))} chooses a colour"
    who = " or ".join(
        colour if state.named else f"{player(player_of(state, colour))} ({colour})"
        for colour in may_place(state)
    )
    if state.grid == EMPTY:
        return f"{who} starts; photograph the grid when all nine cells are full"
    lying = sum(die is not None for die in state.grid)
    return f"{lying} of 9 dice lie on the grid, {who} is next"


def describe(state: Round, move: Move) -> str:
    """Return *move*, made in *state*, in words."""
    match move:
        case Place(row, column, colour, pips):
            return f"{colour} {pips} on {cell_said((row, column))}"
        case Roll(colour, pips):
            return f"{colour} rolls {' '.join(map(str, pips))}"
        case StartRoll((a, b)):
            return f"player 1 rolls {a} and player 2 rolls {b} for the start"
        case ChooseColour(colour):
            return (
                f"player {chooser(state) + 1} {'names' if state.players == 1 else 'takes'} {colour}"
            )
        case Agree(starter, black):
            return f"{player(starter)} starts, {player(black)} has black"


def instead(state: Round) -> tuple[Instead, ...]:
    """Return who else may have started or had black, where that was agreed (PH-2)."""
    starter, black = state.starter, state.black
    if is_over(state) or starter is None or black is None:
        return ()
    other, others = 1 - starter, 1 - black
    return (
        Instead(f"did {player(other)} start?", Agree(other, black)),
        Instead(f"did {player(others)} have black?", Agree(starter, others)),
    )
