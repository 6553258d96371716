"""Beat the Odds: what players do."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Agree:
    """The players agreed on the starting player (seat from 0)."""

    starter: int


@dataclass(frozen=True, slots=True)
class StartRoll:
    """The next player rolls both dice for the start; the lower die is named first."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Roll:
    """Both dice as rolled; the lower die is named first."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Reroll:
    """The odd die that showed *face* was rolled again and shows *value* now."""

    face: int
    value: int


@dataclass(frozen=True, slots=True)
class Decline:
    """The odd roll stays as it is, though a right to roll a die again is held."""


@dataclass(frozen=True, slots=True)
class Double:
    """4-4 doubles one roll of this turn, counted from 0; None: no roll."""

    roll: int | None


def thrown(_state: object, move: object) -> tuple[tuple[str, int], ...]:
    """Return the thrown dice of a roll: both, or the re-rolled one."""
    match move:
        case StartRoll(low, high) | Roll(low, high):
            return ("", low), ("", high)
        case Reroll(value=value):
            return (("", value),)
    return ()


InTurn = Roll | Reroll | Decline | Double
Move = Agree | StartRoll | InTurn
