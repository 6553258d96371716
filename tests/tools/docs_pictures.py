"""`make docs-pictures`: what README and documentation show, read by the real eyes.

Plays the first rounds of the rendered race, and photographs the look at a photo, the tally on a
second phone in the dark and the big screen; draws what is read on the sample pictures.
"""

import re

import cv2
import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Browser, Page, expect

import pipsight
import vision
from tests import FIXTURES, ROOT
from tests.browser.phones import GUIDED, PHONE, RACE, photo, server_and_browser
from tests.browser.race_pages import confirm, correct, expect_score, start_match, take_photo

OUT = ROOT / "docs" / "pictures"
SAMPLES = ROOT / "webui" / "static" / "samples"
ROUNDS = 4  # played before the pictures are taken
GAP = 40  # px between the phones
QUALITY = 78  # of WebP: no edge of a letter is frayed, and each picture is 20 to 120 kB
CARD = (360, 270)  # px of the page on a picture of the first page
WIDE = 960  # px of a drawn photo
READ = {
    "dice": (SAMPLES / "purple_house.jpg", "grid:3x3"),
    "dominoes": (SAMPLES / "even_at_odds.jpg", "dominoes"),
    "sheet": (FIXTURES / "sheets" / "sheet-009001.jpg", "sheet:dice-wide-shut"),
}

Picture = NDArray[np.uint8]  # (H, W, 3) BGR


def write(name: str, picture: Picture, width: int) -> None:
    """Write a picture of that width and say how large it is."""
    size = (width, round(picture.shape[0] * width / picture.shape[1]))
    path = OUT / f"{name}.webp"
    smaller = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    cv2.imwrite(str(path), smaller, [cv2.IMWRITE_WEBP_QUALITY, QUALITY])
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1000:.0f} kB")


def shot(page: Page) -> Picture:
    """Return what a screen shows."""
    return cv2.imdecode(np.frombuffer(page.screenshot(), np.uint8), cv2.IMREAD_COLOR)


def card(picture: Picture, top: int) -> Picture:
    """Return the part of a phone's screen that the first page shows, from *top* px down."""
    return picture[2 * top : 2 * (top + CARD[1]), : 2 * CARD[0]]


def opened(browser: Browser, scheme: str, **screen: object) -> Page:
    """Open a page in that scheme, on a phone unless another screen is given."""
    made = {**PHONE, "color_scheme": scheme, "device_scale_factor": 2, **screen}
    page = browser.new_context(**made).new_page()
    page.add_init_script(GUIDED)
    page.set_default_timeout(60_000)
    return page


def play(page: Page) -> None:
    """Start a match and play ROUNDS rounds from photos, every doubtful die tapped right."""
    start_match(page, "Ana", "Ben")
    page.get_by_role("button", name="Ana starts, Ana has black").click()
    expect(page.locator("#prompt")).to_contain_text("Ana (black) starts")
    for number in range(1, ROUNDS + 1):
        take_photo(page, photo(number))
        correct(page, RACE["rounds"][number - 1]["grid"])
        confirm(page)
        total = RACE["rounds"][number - 1]["total"]
        expect_score(page, total["black"], total["white"])


def photograph(browser: Browser, address: str) -> None:
    """Play a match and photograph it on phones and on a television."""
    look, night = (opened(browser, scheme) for scheme in ("light", "dark"))
    look.goto(address)
    start = shot(look)
    play(look)
    night.goto(look.url)
    screen = opened(browser, "dark", viewport={"width": 1120, "height": 840}, has_touch=False)
    screen.goto(f"{look.url}/board")
    screen.wait_for_timeout(1_500)  # its photo is there, its numbers have counted up
    tally, late = shot(look), shot(night)
    write("television", shot(screen), WIDE)
    take_photo(look, photo(ROUNDS + 1))
    look.get_by_role("button", name=re.compile("Count it|Check|Cannot")).wait_for()
    look.evaluate("window.scrollTo(0, 0)")
    found = shot(look)
    gap = np.full((found.shape[0], GAP, 3), 255, np.uint8)
    write("phones", np.hstack([found, gap, tally, gap, late]), 1400)
    write("start", start, 480)
    write("photo", card(found, 105), WIDE)
    write("tally", card(tally, 60), WIDE)


def main() -> None:
    """Write the pictures."""
    OUT.mkdir(exist_ok=True)
    for name, (taken, wanted) in READ.items():
        reading = pipsight.read(taken, wanted)
        assert reading.photo is not None
        layout = reading.layout
        write(name, vision.draw_overlay(reading.photo, reading, whole=True, layout=layout), WIDE)
    with server_and_browser() as (server, browser):
        photograph(browser, server.address)


if __name__ == "__main__":
    main()
