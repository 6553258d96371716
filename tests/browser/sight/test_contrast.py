"""Every pair of colours that meets on a page can be told apart, light and dark (WCAG 2.2 AA)."""

from __future__ import annotations

import re

import pytest

from tests import ROOT

CSS = (ROOT / "webui" / "static" / "pipsight.css").read_text()
TEXT, SHAPE = 4.5, 3.0  # WCAG 1.4.3 and 1.4.11

SEATS = tuple(f"--seat-{seat}" for seat in range(4))
WRITTEN = (
    *((ink, ground) for ink in ("--ink", "--soft") for ground in ("--paper", "--card")),
    *((ink, ground) for ink in ("--accent", *SEATS) for ground in ("--paper", "--card")),
    ("--accent", "--accent-wash"),
    ("--ink", "--accent-wash"),
    ("--soft", "--accent-wash"),
    ("--on-accent", "--accent"),
    ("--doubt", "--doubt-wash"),
    ("--doubt", "--paper"),
    ("--wrong", "--wrong-wash"),
    ("--felt-ink", "--felt"),
    ("--paper", "--ink"),
)
DRAWN = (
    ("--edge", "--paper"),
    ("--edge", "--card"),
    ("--focus", "--paper"),
    ("--focus", "--card"),
    ("--accent", "--hair"),
)
DICE = {"white": "#fbf7ee", "black": "#201b18"}


def properties(rule: str) -> dict[str, str]:
    return dict(re.findall(r"(--[\w-]+):\s*(#[0-9a-f]{6})\b", rule))


LIGHT_RULE, DARK_RULE = re.findall(r":root \{(.*?)\}", CSS, re.DOTALL)
LIGHT = properties(LIGHT_RULE)
SCHEMES = {"light": LIGHT, "dark": LIGHT | properties(DARK_RULE)}


def luminance(colour: str) -> float:
    """Return the relative luminance of "#rrggbb" (WCAG 2.2, definition)."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
        for channel in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_measured_as_wcag_defines_it() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(("ink", "ground"), WRITTEN)
def test_text_can_be_read(scheme: str, ink: str, ground: str) -> None:
    colours = SCHEMES[scheme]

    assert contrast(colours[ink], colours[ground]) >= TEXT


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(("line", "ground"), DRAWN)
def test_controls_and_lines_can_be_seen(scheme: str, line: str, ground: str) -> None:
    colours = SCHEMES[scheme]

    assert contrast(colours[line], colours[ground]) >= SHAPE


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("colour", DICE)
def test_black_and_white_dice_stand_out_on_the_board(scheme: str, colour: str) -> None:
    body = re.search(rf"\.die{'' if colour == 'white' else '.black'} \{{ --body: (#\w+)", CSS)
    assert body is not None
    assert body[1] == DICE[colour]

    assert contrast(body[1], SCHEMES[scheme]["--felt"]) >= SHAPE
