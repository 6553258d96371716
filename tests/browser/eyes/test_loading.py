"""What this browser sees with is announced, and loaded ahead only where no byte is paid for."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.eyes.test_finder import CAMERA, PHOTO, aiming, tap
from tests.browser.phones import HeldRequests

__all__ = ["aiming"]

pytestmark = pytest.mark.browser

PAID = "Object.defineProperty(navigator, 'connection', { value: { type: 'cellular' } });"
SOON = 5000  # ms, longer than PATIENCE in webui/static/eyes/sight.js
RUNTIME = "**/eyes/*/*.wasm"
SAYS = re.compile(r"Loading what outlines the pieces: \d+ % of 5\.\d MB, once")


def test_at_home_they_are_loaded_when_nothing_else_is_and_the_page_says_so(aiming):
    runtime = HeldRequests(RUNTIME)
    page = aiming(before=runtime.of)

    says = page.locator("#eyes-says")
    expect(says).to_have_text(SAYS)
    runtime.go_on()
    expect(says).to_be_hidden()


@pytest.mark.release
def test_where_bytes_are_paid_for_nothing_is_loaded_before_somebody_aims(aiming):
    asked: list[str] = []
    page = aiming(CAMERA % PHOTO + PAID)
    page.on("request", lambda one: asked.append(one.url))
    page.wait_for_timeout(SOON)
    assert not [url for url in asked if "/eyes/" in url]


@pytest.mark.release
def test_the_viewfinder_says_what_is_loaded_and_photographs_meanwhile(aiming):
    runtime = HeldRequests(RUNTIME)
    page = aiming(CAMERA % PHOTO + PAID, runtime.of)

    tap(page)

    expect(page.locator("dialog.finder [role=status]")).to_have_text(SAYS)
    page.get_by_role("button", name="Photograph now").click()
    expect(page.locator("#confirm:visible")).to_have_text("Count it", timeout=60_000)
    runtime.go_on()
