"""The sample sheet: no part leaves its box or covers another, whatever the screen and the text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.phones import BrowserServer, Open, serving
from tests.browser.sight.fits import misfits

pytestmark = pytest.mark.browser

COVERED = (Path(__file__).parent / "covered.js").read_text(encoding="utf-8")
LARGE_TEXT = "document.documentElement.style.fontSize = '200%'"
SCREENS = ((360, 640), (390, 844), (820, 1180), (1280, 800), (1920, 1080))


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[BrowserServer]:
    """Return a server that is being developed."""
    monkeypatch.setenv("FLASK_DEBUG", "1")
    with serving(tmp_path) as server:
        yield server


def check_layout(page: Page) -> None:
    """Hold that nothing leaves its box or covers another on any screen, with large text too."""
    for text in ("", LARGE_TEXT):
        if text:
            page.evaluate(text)
        for width, height in SCREENS:
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_timeout(50)
            assert not misfits(page, 40), (width, text)
            assert not page.evaluate(COVERED), (width, text)


def test_no_part_of_the_sample_sheet_leaves_its_box_or_covers_another(
    opened: Open, workshop: BrowserServer
) -> None:
    check_layout(opened(f"{workshop.address}style"))


def test_the_sample_sheet_is_no_page_of_a_server_that_people_use(
    opened: Open, server: BrowserServer
) -> None:
    page = opened("about:blank")

    answer = page.goto(f"{server.address}style")

    assert answer is not None
    assert answer.status == 404
