"""`make picture`: the README's picture, three phones of one match, read by the real eyes.

Plays the first rounds of the rendered race and photographs the page: the photo just read, the
tally, and the same tally on a second phone in the dark.
"""

from __future__ import annotations

import json
import re
import tempfile
from pathlib import Path

import cv2
import numpy as np
from playwright.sync_api import Page, expect, sync_playwright

from tests import ROOT
from tests.browser.phones import ARGUMENTS, CHROMIUM, GUIDED, PHONE, RACE, photo, serving
from tests.browser.race_pages import confirm, correct, expect_score, start_match, take_photo

OUT = ROOT / "docs" / "page.jpg"
ROUNDS = 4  # played before the picture is taken
GAP = 40  # px between the phones


def play(page: Page) -> None:
    """Play ROUNDS rounds from photos, every doubtful die tapped right."""
    for number in range(1, ROUNDS + 1):
        take_photo(page, photo(number))
        correct(page, RACE["rounds"][number - 1]["grid"])
        confirm(page)
        total = RACE["rounds"][number - 1]["total"]
        expect_score(page, total["black"], total["white"])


def shot(page: Page) -> np.ndarray:
    """Return what the phone shows, (H, W, 3) BGR."""
    return cv2.imdecode(np.frombuffer(page.screenshot(), np.uint8), cv2.IMREAD_COLOR)


def main() -> None:
    """Write the picture and say where."""
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder)) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        look, night = (
            browser.new_context(**PHONE, color_scheme=scheme, device_scale_factor=2).new_page()
            for scheme in ("light", "dark")
        )
        for page in (look, night):
            page.add_init_script(GUIDED)
            page.set_default_timeout(60_000)
        look.goto(server.address)
        start_match(look, "Ana", "Ben")
        look.get_by_role("button", name="Ana starts, Ana has black").click()
        expect(look.locator("#prompt")).to_contain_text("Ana (black) starts")
        play(look)
        night.goto(look.url)
        tally = shot(look)
        take_photo(look, photo(ROUNDS + 1))
        look.get_by_role("button", name=re.compile("Count it|Check|Cannot")).wait_for()
        look.evaluate("window.scrollTo(0, 0)")
        phones = [shot(look), tally, shot(night)]
        browser.close()
    gap = np.full((phones[0].shape[0], GAP, 3), 255, np.uint8)
    row = np.hstack([part for phone in phones for part in (phone, gap)][:-1])
    cv2.imwrite(str(OUT), cv2.resize(row, None, fx=0.75, fy=0.75, interpolation=cv2.INTER_AREA))
    print(json.dumps({"picture": OUT.name, "bytes": OUT.stat().st_size}))


if __name__ == "__main__":
    main()
