"""States of the entry panel for `make screenshots PAGES=entry`: matches, and what is tapped on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from playwright.sync_api import Browser, expect

from tests.browser.phones import GUIDED, BrowserServer
from tests.browser.play.test_panel import BEGUN, named

TEN = ("Alexandra", "Ben", "Jo", "Konstantin", "Bea", "Max", "Ivy", "Leo", "Zoë", "Kim")
TWO = ("Mia", "Tom")
AGREE = {"move": "Agree", "starter": 0}
EVEN = {**AGREE, "evens": 0}
RACE = {**AGREE, "black": 0}
BID = {"move": "Bid", "space": "4", "face": 4}
CALLED = [AGREE, BID, {"move": "Call", "seat": 1}]


def rolls(*dice: str) -> list[dict[str, Any]]:
    """Return rolls of two dice, each as "36"."""
    return [{"move": "Roll", "low": int(low), "high": int(high)} for low, high in dice]


@dataclass(frozen=True, slots=True)
class EntryState:
    """A match of a game after its opening, and the names of what is tapped on then."""

    game: str
    names: tuple[str, ...] = TWO
    opening: tuple[Any, ...] = ()
    taps: tuple[str, ...] = ()
    language: str = "en"


STATES = {
    "farkle": EntryState("farkle", taps=("add a 5", "add a 1", "add a 5", "add a 3")),
    "farkle-illegal": EntryState("farkle", taps=("add a 5", "add a 1", "add a 2", "2, left")),
    "farkle-empty": EntryState("farkle"),
    "pig": EntryState("pig", TEN, tuple({"move": "Roll", "pips": p} for p in (5, 3, 6))),
    "pig-first": EntryState("pig", TEN),
    "beat_the_odds": EntryState(
        "beat_the_odds", TEN, (AGREE, *rolls("36", "26")), ("First die: 4",)
    ),
    "beat_the_odds-double": EntryState("beat_the_odds", opening=(AGREE, *rolls("36", "26", "44"))),
    "gords": EntryState("gords", (*TWO, "Ivy"), (AGREE, BID), ("Face: 5", "ones included: 4$")),
    "gords-reveal": EntryState("gords", (*TWO, "Ivy"), tuple(CALLED)),
    "gords-each": EntryState("gords", (*TWO, "Ivy"), tuple(CALLED), ("Die by die",)),
    "purple_house": EntryState("purple_house", opening=(RACE,), taps=("Row 2, column 2",)),
    "even_at_odds": EntryState("even_at_odds", opening=(EVEN,), taps=("the tile 0-1",)),
    "dice_wide_shut": EntryState(
        "dice_wide_shut", opening=tuple(BEGUN["dice_wide_shut"]), taps=("take red 1",)
    ),
    "sum": EntryState("sum", (*TWO, "Ivy", "Leo"), taps=("Points of Mia",)),
}


# As in the mock-ups of the design.
SCREENS = ((360, 740, "dark"), (390, 844, "light"), (844, 390, "light"), (820, 1180, "light"))


def pictures(browser: Browser, server: BrowserServer, state: EntryState) -> Iterator[Any]:
    """Return the pictures of a state on each screen, BGR."""
    for width, height, scheme in SCREENS:
        page = browser.new_page(
            viewport={"width": width, "height": height},
            color_scheme="dark" if scheme == "dark" else "light",
            locale=state.language,
            reduced_motion="reduce",
        )
        page.add_init_script(GUIDED)
        page.goto(server.match(state.game, *state.names, opening=state.opening)["url"])
        expect(page.locator("#state[data-state=live]")).to_be_attached()
        for words in state.taps:
            named(page, words).first.click()
        page.wait_for_timeout(400)
        yield cv2.imdecode(np.frombuffer(page.screenshot(), np.uint8), 1)
        page.close()
