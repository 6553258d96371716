"""Where no eye is free, the page shows the photo's place in the queue and goes on by itself."""

import threading

import pytest
from playwright.sync_api import expect

from tests.browser.phones import eyes, photo
from tests.browser.race_pages import CELLS, ready_match
from webui.jobs.order import AT_ONCE

pytestmark = [pytest.mark.browser, pytest.mark.release]


def send(page):
    page.locator("#camera").set_input_files(photo(1))


def test_a_photo_shows_its_place_and_is_read_when_its_turn_comes(opened, server, show):
    look, go_on = eyes(), threading.Semaphore(0)

    def slow(sent, equipment, spot=0):
        assert go_on.acquire(timeout=300)
        return look(sent, equipment, spot)

    show(slow)
    first = ready_match(opened, server)
    pages = [first, *(opened(first.url) for _ in range(AT_ONCE + 1))]
    for page in pages:
        send(page)
        expect(page.locator("#busy-words")).to_contain_text(
            "Reading" if page in pages[:2] else "Waiting"
        )
    *_, third, fourth = pages
    expect(third.locator("#busy-words")).to_contain_text("your photo is next")
    expect(fourth.locator("#busy-words")).to_contain_text("1 photo before yours")

    # The phone is off the Wi-Fi for a while; its photo keeps its place.
    fourth.context.set_offline(True)
    go_on.release()
    expect(third.locator("#busy-words")).to_contain_text("Reading the photo")
    fourth.context.set_offline(False)
    expect(fourth.locator("#busy-words")).to_contain_text("your photo is next")
    go_on.release(len(pages))

    for page in pages:
        expect(page.locator(CELLS)).to_have_count(9)
