"""The viewfinder: what this browser sees while one aims, the shutter, and where it cannot see."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests import ROOT
from tests.browser.phones import BrowserServer, Open, Show
from tests.browser.sight.fits import SCREENS, misfits
from tests.browser.sight.test_axe import check
from webui.eyes import photo as bridge

pytestmark = pytest.mark.browser

SAMPLES = ROOT / "webui" / "static" / "samples"
READ = 60_000  # ms that a busy machine may take to load the eyes and to read
CAMERA = """{
  const bytes = Uint8Array.from(atob("%s"), (letter) => letter.charCodeAt(0));
  window.asked = [];
  navigator.mediaDevices.getUserMedia = async () => {
    const picture = await createImageBitmap(new Blob([bytes]));
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [picture.width, picture.height];
    const pen = canvas.getContext("2d");
    const paint = () => pen.drawImage(picture, 0, 0);
    paint();
    setInterval(paint, 40);
    const stream = canvas.captureStream();
    window.asked.push(stream.getVideoTracks()[0]);
    return stream;
  };
}"""
NO_CAMERA = """navigator.mediaDevices.getUserMedia = () =>
    Promise.reject(new DOMException("", "NotAllowedError"));"""
SKILLED = """{
  const lend = navigator.mediaDevices.getUserMedia;
  window.wanted = [];
  navigator.mediaDevices.getUserMedia = async (asked) => {
    const stream = await lend(asked);
    const [track] = stream.getVideoTracks();
    track.getCapabilities = () => ({ zoom: { min: 1, max: 4 }, torch: true });
    track.applyConstraints = async ({ advanced: [one] }) => { window.wanted.push(one); };
    return stream;
  };
}"""
PHOTO = base64.b64encode((SAMPLES / "farkle.jpg").read_bytes()).decode()
HIDE = """hidden => {
  Object.defineProperty(document, "hidden", { configurable: true, value: hidden });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.fixture
def aiming(opened: Open, server: BrowserServer, show: Show) -> Callable[..., Page]:
    """Return what opens a match of Farkle on a phone whose camera shows its sample picture."""

    def aim(
        script: str = CAMERA % PHOTO, before: Callable[[Page], None] = lambda _: None, **phone: str
    ) -> Page:
        show(bridge.see)  # the server's real eyes
        made = server.match("farkle", "Ada", "Ben", opening=[])
        page = opened("about:blank", own=True, **phone)
        page.context.add_init_script(script)
        before(page)
        with page.expect_response("**/joined/sight.js"):
            page.goto(made["url"])
        page.wait_for_function("document.querySelector('.glimpsed')")
        return page

    return aim


def tap(page: Page) -> None:
    """Tap Photograph."""
    page.locator("#camera").evaluate("input => input.click()")


def test_what_lies_there_is_outlined_while_one_aims_and_counted_by_the_server(
    aiming: Callable[..., Page],
) -> None:
    page = aiming()

    tap(page)
    said = page.locator("dialog.finder [role=status]")
    expect(said).to_have_text("All 6 seen", timeout=READ)
    assert sorted(page.locator(".finder-drawn text").all_text_contents()) == [*"133556"]
    page.evaluate(HIDE, True)
    assert page.evaluate("window.asked.map(track => track.readyState)") == ["ended"]
    page.evaluate(HIDE, False)
    expect(said).to_have_text("All 6 seen", timeout=READ)
    page.get_by_role("button", name="Photograph now").click()

    expect(page.locator("#confirm")).to_have_text("Count it", timeout=READ)
    expect(page.locator("#look")).to_contain_text("6 of 6 dice")
    assert page.evaluate("window.asked.map(track => track.readyState)") == ["ended", "ended"]


def test_a_shutter_that_is_left_to_it_goes_once(aiming: Callable[..., Page]) -> None:
    page = aiming()
    sent: list[str] = []
    page.on("request", lambda one: sent.append(one.url) if one.url.endswith("/photos") else None)

    tap(page)
    page.get_by_label("Take it by itself when all lie still").check()

    expect(page.locator("#confirm")).to_have_text("Count it", timeout=READ)
    expect(page.locator("dialog.finder")).to_be_hidden()
    assert len(sent) == 1


def test_a_chosen_photo_is_outlined_before_the_server_answers_and_cannot_be_counted_yet(
    aiming: Callable[..., Page],
) -> None:
    page = aiming()
    held: list[Route] = []
    page.route("**/photos*", lambda route: held.insert(0, route))

    page.locator("#gallery").set_input_files(SAMPLES / "farkle.jpg")

    expect(page.locator(".glimpsed text")).to_have_count(6, timeout=READ)
    expect(page.locator("#confirm")).to_be_hidden()
    held[0].continue_()
    expect(page.locator("#confirm")).to_have_text("Count it", timeout=READ)
    expect(page.locator(".glimpsed")).to_be_hidden()


def test_without_the_runtime_the_viewfinder_is_a_plain_one(aiming: Callable[..., Page]) -> None:
    page = aiming(before=lambda page: page.route("**/eyes/**", lambda route: route.abort()))

    tap(page)
    expect(page.locator("dialog.finder .finder-auto")).to_be_hidden()
    page.get_by_role("button", name="Photograph now").click()

    expect(page.locator("#confirm")).to_have_text("Count it", timeout=READ)


def test_a_refused_camera_leads_to_the_phones_own(aiming: Callable[..., Page]) -> None:
    page = aiming(NO_CAMERA)

    tap(page)
    expect(page.locator("#not-now")).to_contain_text("may not use the camera")
    expect(page.locator("dialog.finder")).to_be_hidden()
    with page.expect_file_chooser() as chosen:
        tap(page)
    chosen.value.set_files(Path(SAMPLES / "farkle.jpg"))

    expect(page.locator("#confirm")).to_have_text("Count it", timeout=READ)


def test_the_viewfinder_is_for_everybody_and_goes_by_keys(aiming: Callable[..., Page]) -> None:
    page = aiming(CAMERA % PHOTO + SKILLED)
    camera = page.locator("#camera")
    camera.focus()

    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Photograph now")).to_be_focused()
    expect(page.get_by_role("button", name="1×")).to_have_attribute("aria-pressed", "true")
    check(page)
    page.get_by_role("button", name="2×").press("Enter")
    page.get_by_role("button", name="Light").press("Enter")
    expect(page.get_by_role("button", name="Light")).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("window.wanted") == [{"zoom": 2}, {"torch": True}]
    page.keyboard.press("Escape")

    expect(page.locator("dialog.finder")).to_be_hidden()
    expect(camera).to_be_focused()


def test_the_viewfinder_fits_every_screen_in_german(aiming: Callable[..., Page]) -> None:
    page = aiming(CAMERA % PHOTO + SKILLED, locale="de-DE")

    tap(page)
    expect(page.get_by_role("button", name="Jetzt fotografieren")).to_be_focused()

    for width, height in (*SCREENS, (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(50)
        assert not misfits(page, 40), (width, height)


def test_who_saves_data_loads_no_eyes_and_hears_nothing_of_it(aiming: Callable[..., Page]) -> None:
    asked: list[str] = []
    saving = "Object.defineProperty(navigator, 'connection', { value: { saveData: true } });"
    page = aiming(CAMERA % PHOTO + saving)
    page.on("request", lambda one: asked.append(one.url))

    tap(page)
    expect(page.locator("dialog.finder video")).to_be_visible()
    page.get_by_role("button", name="Photograph now").click()

    expect(page.locator("#confirm")).to_have_text("Count it", timeout=READ)
    assert not [url for url in asked if "/eyes/" in url or "eyes_worker" in url]
