"""How often dice showed each value, as bars of a plain SVG (templates/_dice.svg draws it)."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Any

from webui.languages import in_figures, translate

WIDTH, HEIGHT = 340, 180  # SVG units; the page scales them
TOP, BOTTOM = 4, 142
PITCH, BAR = WIDTH / 6, 36


@dataclass(frozen=True, slots=True)
class Bar:
    """How often one value was thrown."""

    value: int
    count: int
    x: float
    middle: float
    y: float
    height: float


@dataclass(frozen=True, slots=True)
class DiceChart:
    """The template's data; `says` describes the chart in a sentence."""

    title: str
    says: str
    view: Mapping[str, Any]
    bars: tuple[Bar, ...]
    expected_y: float
    band_y: float  # end of the bars of fair dice in 19 of 20 cases
    band_height: float
    width: int = WIDTH
    height: int = HEIGHT
    bar_width: int = BAR
    bottom: int = BOTTOM


def dice_chart(view: Mapping[str, Any], colour: str) -> DiceChart:
    """Lay out how often the dice of a *colour* showed each value."""
    counts: list[int] = view["counts"]
    rolls = sum(counts)
    expected, spread = rolls / 6, 1.96 * sqrt(rolls * 5) / 6
    top = max(*counts, expected + spread)

    def y(count: float) -> float:
        return round(BOTTOM - (BOTTOM - TOP) * max(count, 0) / top, 1)

    bars = tuple(
        Bar(
            place + 1,
            count,
            round(PITCH * place + (PITCH - BAR) / 2, 1),
            round(PITCH * (place + 0.5), 1),
            y(count),
            round(BOTTOM - y(count), 1),
        )
        for place, count in enumerate(counts)
    )
    title = translate("Dice: {colour}", colour=colour) if colour else translate("Dice")
    listed = ", ".join(f"{bar.value}: {bar.count}" for bar in bars)
    says = translate(
        "{title}. How often each value was thrown: {listed}. Expected: {expected} each.",
        title=title,
        listed=listed,
        expected=in_figures(expected),
    )
    band = y(expected + spread)
    height = round(y(expected - spread) - band, 1)
    return DiceChart(title, says, view, bars, y(expected), band, height)
