"""A camera that is refused, busy, missing, slow or taken away says so, and is offered again."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.eyes.test_finder import CAMERA, PHOTO, SAMPLES, tap
from tests.browser.sight.fits import misfits
from tests.browser.sight.test_axe import check
from tests.grids import few

pytestmark = pytest.mark.browser

# A camera that fails as `window.fault` says, waits while that is "slow", and is one of two.
FAULTY = (
    CAMERA % PHOTO
    + """{
  const lend = navigator.mediaDevices.getUserMedia;
  navigator.mediaDevices.getUserMedia = async ({ video }) => {
    window.lent = video.deviceId?.exact ?? "any";
    if (window.fault === "slow") await new Promise((done) => (window.answer = done));
    else if (window.fault) throw new DOMException("", window.fault);
    const stream = await lend();
    stream.getVideoTracks()[0].getSettings = () => ({ deviceId: video.deviceId?.exact ?? "back" });
    return stream;
  };
  const each = (deviceId, label) => ({ kind: "videoinput", deviceId, label });
  navigator.mediaDevices.enumerateDevices = async () =>
    [each("back", "Back camera"), each("front", "Front camera"), { kind: "audioinput" }];
}"""
)
SLOW = 60_000  # ms


@pytest.fixture
def phone(opened, server):
    """A page of Farkle on a phone with two cameras, and no eyes of its own."""
    page = opened("about:blank", own=True)
    page.add_init_script(FAULTY)
    with page.expect_response("**/joined/sight.js"):
        page.goto(server.match("farkle", "Ada", "Ben")["url"])
    expect(page.locator(".glimpsed")).to_be_attached()
    return page


def expect_says(page, words):
    """Hold that the open viewfinder says why no picture comes, and what can be done."""
    expect(page.locator("dialog.finder [role=status]")).to_contain_text(words, timeout=SLOW)
    expect(page.get_by_role("button", name="Try again")).to_be_focused()
    expect(page.get_by_role("button", name="Photograph now")).to_be_hidden()


FAULTS = [
    ("NotAllowedError", "may not use the camera"),
    ("NotReadableError", "Another program is using the camera"),
    ("NotFoundError", "This device has no camera"),
    ("AbortError", "The camera could not be started"),
    ("slow", "The camera does not start"),
]


@pytest.mark.release
def test_a_camera_that_does_not_start_says_why_and_starts_later_without_a_reload(phone):
    for fault, words in few(FAULTS, 4):
        phone.evaluate("fault => { window.fault = fault }", fault)
        if fault == FAULTS[0][0]:
            tap(phone)
        else:
            phone.get_by_role("button", name="Try again").click()
        expect_says(phone, words)

    phone.evaluate("window.fault = null")
    phone.get_by_role("button", name="Try again").click()

    said = phone.locator("dialog.finder [role=status]")
    expect(said).to_have_text("Hold the phone above the table.")
    expect(phone.get_by_role("button", name="Photograph now")).to_be_focused()
    expect(phone.get_by_role("button", name="Try again")).to_be_hidden()


@pytest.mark.release
def test_a_slow_camera_that_comes_after_all_is_used(phone):
    phone.evaluate("window.fault = 'slow'")
    tap(phone)
    expect_says(phone, "The camera does not start")

    phone.evaluate("window.answer()")

    expect(phone.get_by_role("button", name="Photograph now")).to_be_focused()


def test_instead_of_a_camera_that_is_missing_the_phones_own_takes_the_photo(phone):
    phone.evaluate("window.fault = 'NotFoundError'")
    tap(phone)
    expect_says(phone, "no camera")
    check(phone)
    for width, height in ((360, 640), (740, 360)):
        phone.set_viewport_size({"width": width, "height": height})
        assert not misfits(phone, 40), (width, height)

    with phone.expect_file_chooser() as chosen:
        phone.get_by_role("button", name="Use the phone's own camera").click()
    chosen.value.set_files(Path(SAMPLES / "farkle.jpg"))
    expect(phone.locator("#look")).to_be_visible()


def test_a_camera_that_is_taken_away_is_said_and_comes_back(phone):
    tap(phone)
    for number, event in enumerate(few(["ended", "mute"]), 1):
        expect(phone.get_by_role("button", name="Photograph now")).to_be_focused()
        phone.wait_for_function(f"() => window.asked.length === {number}")

        phone.evaluate("event => window.asked.at(-1).dispatchEvent(new Event(event))", event)

        expect_says(phone, "The camera has stopped sending pictures")
        phone.get_by_role("button", name="Try again").click()
    expect(phone.get_by_role("button", name="Photograph now")).to_be_focused()


@pytest.mark.release
def test_a_chosen_camera_is_used_from_then_on_by_the_watch_too(phone):
    tap(phone)
    cameras = phone.get_by_role("combobox", name="Camera")
    expect(cameras.locator("option:checked")).to_have_text("Back camera")

    cameras.select_option("Front camera")
    phone.wait_for_function("() => window.lent === 'front'")
    phone.keyboard.press("Escape")
    phone.reload()
    phone.locator("#ways-open").click()
    phone.get_by_role("button", name="Watch", exact=True).click()

    watched = phone.locator("#watch-cameras select")
    expect(watched.locator("option:checked")).to_have_text("Front camera")
    watched.select_option("Back camera")
    phone.wait_for_function("() => window.lent === 'back'")
    expect(phone.locator("#watch-video")).to_be_visible()
    phone.get_by_role("button", name="Stop watching").click()


@pytest.mark.release
def test_a_watch_whose_camera_does_not_start_says_so(phone):
    phone.evaluate("window.fault = 'slow'")
    phone.locator("#ways-open").click()
    phone.get_by_role("button", name="Watch", exact=True).click()

    expect(phone.locator("#watch-fault")).to_contain_text("The camera does not start", timeout=SLOW)
    phone.evaluate("window.answer()")
    expect(phone.locator("#watch-video")).to_be_visible()
    expect(phone.locator("#watch-fault")).to_be_hidden()
    expect(phone.get_by_role("button", name="Use this camera")).to_be_hidden()
    phone.get_by_role("button", name="Stop watching").click()
