"""The part with the dice is sent first where the phone is sure of them, the whole photo later."""

from dataclasses import replace

import pytest
from playwright.sync_api import expect

from scorer import Doubt
from scorer.messages import raw
from tests.browser.eyes.test_finder import READ, SAMPLES, aiming, pytestmark
from webui.eyes import photo as bridge

__all__ = ["aiming", "pytestmark"]
# A network on which it is worth to wait for what the phone sees.
SLOW = "Object.defineProperty(navigator, 'connection', { value: { downlink: 0.001 } });"


def sent_by(page):
    """Return the list of what the page sends from now on, its queries without their numbers."""
    sent: list[str] = []

    def note(request):
        if request.method == "POST" and "photo" in request.url:
            sent.append(request.url.split("/")[-1].partition("=")[0])

    page.on("request", note)
    return sent


def doubtful(photo, *rest, part=None):
    """Read a photo; of a part something is asked."""
    read = bridge.see(photo, *rest, part=part)
    return replace(read, doubts=(Doubt(raw("perhaps a 4"), ("dice", 0)),)) if part else read


@pytest.mark.release
def test_the_dice_are_sent_first_and_the_whole_photo_when_they_are_counted(aiming, show):
    page = aiming(SLOW)
    sent = sent_by(page)
    confirm = page.locator("#confirm:visible")

    show(doubtful)
    page.locator("#gallery").set_input_files(SAMPLES / "farkle.jpg")
    expect(confirm).to_have_text("Count it", timeout=READ)
    assert sent == ["photos?part", "photos"]

    show(bridge.see)
    page.locator("#close").click()
    page.reload()  # which forgets how fast the last photo went
    page.wait_for_function("() => document.querySelector('.glimpsed')")
    page.locator("#gallery").set_input_files(SAMPLES / "farkle.jpg")
    expect(confirm).to_have_text("Count it", timeout=READ)
    expect(page.locator("#overlay [data-key]")).to_have_count(6)
    assert sent[2:] == ["photos?part"]
    with page.expect_response("**/sightings/*/photo", timeout=READ) as followed:
        page.locator("#confirm").click()

    assert followed.value.ok
    assert sent[3:] == ["photo"]
