"""Whether what a page shows fits a phone and a thumb: one check for every page and state."""

from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Page

from scorer.games import GAMES
from tests.grids import combined, few

TARGET = 48  # CSS px; the least side of what is tapped
MUCH = ("dice_wide_shut", "even_at_odds", "gords", "purple_house")  # is on their pages
TRIES = 50  # looks at a page that does not fit, 0.1 s apart
FULLEST = few([*MUCH, *sorted({*GAMES} - {*MUCH})], len(MUCH))  # games
PHONES = (360, 390)  # CSS px wide
SCREENS = ((360, 640), (390, 844), (820, 1180), (1280, 800), (1920, 1080))
USUAL_TEXT, LARGE_TEXT = (
    f"document.documentElement.style.fontSize = '{size}%'" for size in (100, 200)
)
COVERED = (Path(__file__).parent / "covered.js").read_text(encoding="utf-8")
MISFITS = (Path(__file__).parent / "misfits.js").read_text(encoding="utf-8")


def misfits(page: Page, least: int = TARGET) -> list[str]:
    """Return what of the page does not fit, once it has settled."""
    return settled(page, MISFITS, least)


def settled(page: Page, faults: str, *given: int) -> list[str]:
    """Return the *faults* that a page still has when it has had time to draw itself anew."""
    found = list(page.evaluate(faults, *given))
    for _ in range(TRIES):
        if not found:
            break
        page.wait_for_timeout(100)
        found = list(page.evaluate(faults, *given))
    return found


def check_fits(page: Page, *, least: int = TARGET, widths: Sequence[int] = PHONES) -> None:
    """Hold that the page fits each phone, and as wide as it is, which comes last and stays."""
    page.wait_for_load_state()  # a page without its styles fits nothing
    size = page.viewport_size
    assert size is not None
    for width in (*({*widths} - {size["width"]}), size["width"]):
        page.set_viewport_size({"width": width, "height": size["height"]})
        found = misfits(page, least)
        assert not found, (width, page.url, found)


def check_layout(page: Page, *, least: int = 40) -> None:
    """Hold that nothing leaves its box or covers another on any screen, with large text too."""
    for text, (width, height) in combined((LARGE_TEXT, USUAL_TEXT), SCREENS):
        page.evaluate(text)
        page.set_viewport_size({"width": width, "height": height})
        assert not misfits(page, least), (width, text, misfits(page, least))
        assert not settled(page, COVERED), (width, text, settled(page, COVERED))
