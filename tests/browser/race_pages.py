"""What people do on the pages of a Purple House race."""

import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.browser.phones import COLOURS, RACE, BrowserServer, Grid, Open
from tests.conftest import AGREE

GRID: Grid = RACE["rounds"][0]["grid"]
START = re.compile("^Start ")  # the button of the start page, and the game
ROUND_1 = RACE["rounds"][0]["score"]
CELLS = '#look [data-key*=","]'  # of the board, on the photo or drawn


def start_match(page: Page, *names: str) -> None:
    """Start a match of players with these names."""
    for seat, name in enumerate(names or ("Ana", "Ben"), start=1):
        page.get_by_label(f"Player {seat}").fill(name)
    page.get_by_role("button", name=START).click()


def ready_match(opened: Open, server: BrowserServer) -> Page:
    """Open a match in which Ana starts and has black."""
    return opened(server.match("purple_house", "Ana", "Ben", opening=[AGREE])["url"])


def take_photo(page: Page, path: Path) -> None:
    """Choose a photo as from the camera, once it is offered, and wait for its board."""
    expect(page.locator("#camera-part")).to_be_visible()
    page.locator("#camera").set_input_files(path)
    expect(page.locator(CELLS)).to_have_count(9)


def agree(page: Page, starts: str, black: str) -> None:
    """Tap who starts and who has black."""
    page.get_by_role("button", name=f"Or you agreed: who starts: {starts}").click()
    page.get_by_role("button", name=f"Who has black: {black}").click()


def cell(page: Page, row: int, column: int) -> Locator:
    """Return a cell of the board that is shown."""
    return page.locator(f'#look [data-key="{row},{column}"]')


def answer(page: Page, colour: str, value: int) -> None:
    """Answer the sheet that is open, or that the chips of a piece lead to."""
    if page.locator("#chips .more").is_visible():
        page.locator("#chips .more").click()
    page.locator(f'#picker [data-colour="{colour}"][data-value="{value}"]').click()


def label(row: int, column: int, word: str) -> str:
    """Return what a screen reader hears of a cell."""
    return f"row {row + 1}, column {column + 1}: {COLOURS[word[0]]} {word[1]}"


def correct(page: Page, grid: Grid) -> None:
    """Tap right whatever is wrong or doubtful, so that the board is *grid*."""
    for row, words in enumerate(grid):
        for column, word in enumerate(words):
            place = cell(page, row, column)
            if place.get_attribute("aria-label") != label(row, column, word):
                place.press("Enter")
                answer(page, COLOURS[word[0]], int(word[1]))
                expect(page.locator("#picker")).to_be_hidden()
                expect(place).to_have_attribute("aria-label", label(row, column, word))


def confirm(page: Page) -> None:
    """Count the board that is shown."""
    button = page.get_by_role("button", name="Count it")
    expect(button).to_have_attribute("aria-disabled", "false")
    button.click()
    expect(page.locator("#look")).to_be_hidden()


def expect_score(page: Page, black: int, white: int) -> None:
    """Wait until the tally says so."""
    expect(page.locator('[data-score="0"]')).to_have_text(str(black))
    expect(page.locator('[data-score="1"]')).to_have_text(str(white))
