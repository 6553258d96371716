"""The viewfinder: what this browser sees while one aims, what it loads, what it sends first."""

import base64
import re
from dataclasses import replace

import cv2
import pytest
from playwright.sync_api import expect

from scorer import Doubt
from scorer.messages import raw
from tests import FIXTURES, ROOT
from tests.browser.faults.test_waiting import over_plain_http
from tests.browser.phones import HeldRequests, send_again
from tests.browser.sight.fits import SCREENS, misfits
from tests.browser.sight.test_axe import check
from webui.eyes import photo as bridge

pytestmark = pytest.mark.browser

SAMPLES = ROOT / "webui" / "static" / "samples"
READ = 60_000  # ms that a busy machine may take to load the eyes and to read
# One picture, or those of a clip, which goes on when `rolling` is set and stays at its end.
CAMERA = """{
  const opened = (coded) => {
    const bytes = Uint8Array.from(atob(coded), (letter) => letter.charCodeAt(0));
    return createImageBitmap(new Blob([bytes]));
  };
  window.asked = [];
  navigator.mediaDevices.getUserMedia = async () => {
    const pictures = await Promise.all("%s".split(" ").map(opened));
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [pictures[0].width, pictures[0].height];
    const pen = canvas.getContext("2d");
    const paint = () => {
      pen.drawImage(pictures[0], 0, 0);
      if (window.rolling && pictures.length > 1) pictures.shift();
    };
    paint();
    setInterval(paint, 40);
    const stream = canvas.captureStream();
    window.asked.push(stream.getVideoTracks()[0]);
    return stream;
  };
}"""
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
LATE_CAMERA = """{
  const lend = navigator.mediaDevices.getUserMedia;
  window.lend = [];
  navigator.mediaDevices.getUserMedia = async (asked) => {
    await new Promise((done) => window.lend.push(done));
    return lend(asked);
  };
}"""
# What is said covers nothing of the picture, and all of it is on the screen.
APART = """() => {
  const [picture, says, whole] = ["video", "[role=status]", ".finder-controls"].map((one) =>
    document.querySelector(`dialog.finder ${one}`).getBoundingClientRect());
  const apart = says.top >= picture.bottom || says.left >= picture.right;
  return apart && says.top >= whole.top && whole.bottom <= innerHeight && says.height > 0;
}"""
PHOTO = base64.b64encode((SAMPLES / "farkle.jpg").read_bytes()).decode()
HIDE = """hidden => {
  Object.defineProperty(document, "hidden", { configurable: true, value: hidden });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.fixture
def aiming(opened, server, show):
    """Return what opens a match of Farkle on a phone whose camera shows its sample picture."""

    def aim(script=CAMERA % PHOTO, before=lambda _: None, game="farkle", *, eyes=True, **phone):
        show(bridge.see)  # the server's real eyes
        made = server.match(game, "Ada", "Ben", opening=[])
        page = opened("about:blank", own=True, eyes=eyes, **phone)
        page.context.add_init_script(script)
        before(page)
        with page.expect_response("**/joined/sight.js"):
            page.goto(made["url"])
        page.wait_for_function("() => document.querySelector('.glimpsed')")
        return page

    return aim


def tap(page):
    """Tap Photograph."""
    page.locator("#camera").evaluate("input => input.click()")


@pytest.mark.release
def test_what_lies_there_is_outlined_while_one_aims_and_counted_by_the_server(aiming):
    late = HeldRequests("**/detector.onnx")
    page = aiming(before=late.of)

    tap(page)
    expect(page.get_by_role("button", name="Photograph now")).to_be_visible()
    said = page.locator("dialog.finder [role=status]")
    expect(said).to_contain_text("You can photograph meanwhile.")
    late.go_on()  # the network is slow
    expect(said).to_have_text("All 6 seen", timeout=READ)
    assert sorted(page.locator(".finder-drawn text").all_text_contents()) == [*"133556"]
    page.evaluate(HIDE, True)
    assert page.evaluate("window.asked.map(track => track.readyState)") == ["ended"]
    page.evaluate(HIDE, False)
    page.wait_for_function("() => window.asked.length === 2")
    expect(said).to_have_text("All 6 seen", timeout=READ)
    page.get_by_role("button", name="Photograph now").click()

    expect(page.locator("#confirm:visible")).to_have_text("Count it", timeout=READ)
    expect(page.locator("#look")).to_contain_text("6 of 6 dice")
    assert page.evaluate("window.asked.map(track => track.readyState)") == ["ended", "ended"]


def thrown():
    """Return the pictures of a clip on which two dice roll, and lie still as 3 and 4 at last."""
    clip = cv2.VideoCapture(str(FIXTURES / "videos" / "throws-00104.mp4"))
    pictures = [clip.read()[1] for _ in range(30)]
    return " ".join(base64.b64encode(cv2.imencode(".jpg", one)[1]).decode() for one in pictures)


@pytest.mark.release
def test_a_shutter_that_is_left_to_it_goes_once_when_what_was_rolled_lies_still(aiming):
    left = "localStorage.shutter = 'itself';"
    page = aiming(CAMERA % thrown() + left, game="beat_the_odds")
    sent = []
    page.on("request", lambda one: sent.append(one.url) if "/photos" in one.url else None)

    tap(page)
    expect(page.locator(".finder-drawn[viewBox]")).to_be_attached(timeout=READ)
    expect(page.get_by_label("Take it by itself when all lie still")).to_be_checked()
    assert not sent
    page.evaluate("window.rolling = true")

    expect(page.locator("#confirm:visible")).to_have_text("Count it", timeout=READ)
    expect(page.locator("dialog.finder")).to_be_hidden()
    expect(page.locator("#overlay [data-key]")).to_have_count(2)
    assert len(sent) == 1


@pytest.mark.release
def test_a_chosen_photo_is_outlined_before_the_server_answers_and_cannot_be_counted_yet(
    aiming, server
):
    page = aiming("")
    over_plain_http(page, server)
    page.route("**/photos*", lambda _: None)  # no answer comes

    page.locator("#gallery").set_input_files(SAMPLES / "farkle.jpg")

    expect(page.locator(".glimpsed text")).to_have_count(6, timeout=READ)
    expect(page.locator("#confirm")).to_be_hidden()
    page.unroute_all(behavior="ignoreErrors")  # the page may yet fetch its eyes ahead


@pytest.mark.release
def test_what_is_counted_without_the_network_waits_until_the_server_has_read_the_same(aiming, show):
    page = aiming("")
    page.route("**/photos*", lambda route: route.abort())
    ahead = page.get_by_role("button", name="Count it when the network is back")
    counted = page.locator(".history > li")

    page.locator("#gallery").set_input_files(SAMPLES / "farkle.jpg")
    expect(page.locator("#photo-says")).to_contain_text("cannot be reached")
    page.reload()
    ahead.click(timeout=READ)
    expect(page.locator("#ahead-says")).to_be_visible()
    expect(page.locator("#confirm")).to_be_hidden()
    show(lambda sent, *rest, **more: bridge.see((SAMPLES / "pig.jpg").read_bytes(), *rest, **more))
    page.unroute_all()
    page.reload()
    expect(page.locator("#overlay")).to_be_visible(timeout=READ)  # it read something else
    expect(page.locator(".glimpsed")).to_be_hidden()
    expect(page.locator("#ahead-says")).to_be_hidden()
    expect(counted).to_have_count(0)

    show(bridge.see)
    page.route("**/photos*", lambda route: route.abort())
    page.locator("#retake").set_input_files(SAMPLES / "farkle.jpg")
    ahead.click(timeout=READ)
    page.unroute_all()
    send_again(page)

    expect(counted).to_have_count(1, timeout=READ)
    expect(page.locator("#look")).to_be_hidden()


LACKING = {
    "the runtime": "delete globalThis.WebAssembly",
    "vectors": "WebAssembly.validate = () => false",
    "memory": "Object.defineProperty(navigator, 'deviceMemory', { value: 1 })",
    "data": "Object.defineProperty(navigator, 'connection', { value: { saveData: true } })",
    "a canvas in a thread": "delete globalThis.OffscreenCanvas",
}


def test_a_browser_that_cannot_see_does_not_try(opened, server):
    possible = """import(
        document.querySelector("script[src]").src.replace(/joined.*/, "eyes/eyes.js"))
        .then(({ possible }) => possible())"""
    page = opened(server.address, eyes=True)

    assert page.evaluate(possible)
    for what, change in LACKING.items():
        page.evaluate(f"() => {{ {change} }}")
        assert not page.evaluate(possible), what
        page.reload()


@pytest.mark.release
def test_without_the_runtime_the_viewfinder_is_a_plain_one(aiming):
    page = aiming(before=lambda page: page.route("**/eyes/**", lambda route: route.abort()))

    tap(page)
    expect(page.locator("dialog.finder .finder-auto")).to_be_hidden()
    page.get_by_role("button", name="Photograph now").click()

    expect(page.locator("#confirm:visible")).to_have_text("Count it", timeout=READ)


@pytest.mark.release
def test_the_viewfinder_is_for_everybody_goes_by_keys_and_fits_every_screen_in_german(aiming):
    page = aiming(CAMERA % PHOTO + SKILLED, locale="de-DE")
    camera = page.locator("#camera")
    camera.focus()

    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Jetzt fotografieren")).to_be_focused()
    expect(page.get_by_role("button", name="1×")).to_have_attribute("aria-pressed", "true")
    check(page)
    for width, height in (*SCREENS, (844, 390), (640, 360)):
        page.set_viewport_size({"width": width, "height": height})
        assert not misfits(page, 40), (width, height)
        page.wait_for_function(APART)
    page.get_by_role("button", name="2×").press("Enter")
    page.get_by_role("button", name="Licht").press("Enter")
    expect(page.get_by_role("button", name="Licht")).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("window.wanted") == [{"zoom": 2}, {"torch": True}]
    page.keyboard.press("Escape")

    expect(page.locator("dialog.finder")).to_be_hidden()
    expect(camera).to_be_focused()


def test_who_saves_data_loads_no_eyes_and_hears_nothing_of_it(aiming):
    asked = []
    saving = "Object.defineProperty(navigator, 'connection', { value: { saveData: true } });"
    page = aiming(CAMERA % PHOTO + saving)
    page.on("request", lambda one: asked.append(one.url))

    tap(page)
    expect(page.locator("dialog.finder video")).to_be_visible()
    page.get_by_role("button", name="Photograph now").click()

    expect(page.locator("#confirm:visible")).to_have_text("Count it", timeout=READ)
    assert not [url for url in asked if "/eyes/" in url or "eyes_worker" in url]


def test_a_tap_before_the_first_picture_takes_the_first(aiming):
    """A browser may know the width of a picture before it can draw it: a photo was black then."""
    wide = "Object.defineProperty(HTMLVideoElement.prototype, 'videoWidth', { get: () => 1280 });"
    page = aiming(CAMERA % PHOTO + LATE_CAMERA + wide)
    tap(page)
    page.wait_for_function("() => window.lend.length === 1")
    page.get_by_role("button", name="Photograph now").click()
    expect(page.locator("dialog.finder video")).to_be_visible()

    page.evaluate("window.lend[0]()")

    expect(page.locator("#confirm:visible")).to_have_text("Count it", timeout=READ)


@pytest.mark.release
def test_a_camera_that_comes_late_leaves_the_viewfinder_that_was_opened_after_it(aiming):
    page = aiming(CAMERA % PHOTO + LATE_CAMERA)
    tap(page)
    page.wait_for_function("() => window.lend.length === 1")
    page.keyboard.press("Escape")
    tap(page)
    page.wait_for_function("() => window.lend.length === 2")
    page.evaluate("window.lend[1]()")
    page.wait_for_function("() => document.querySelector('dialog.finder video').videoWidth > 0")

    page.evaluate("window.lend[0]()")

    ended = "() => window.asked.length === 2 && window.asked[1].readyState === 'ended'"
    page.wait_for_function(ended)
    assert page.evaluate("window.asked[0].readyState") == "live"
    assert page.evaluate("document.querySelector('dialog.finder video').srcObject !== null")


PAID = "Object.defineProperty(navigator, 'connection', { value: { type: 'cellular' } });"
SOON = 5000  # ms, longer than PATIENCE in webui/static/eyes/sight.js
RUNTIME = "**/eyes/*/*.wasm"
SAYS = re.compile(r"Loading what outlines the pieces: \d+ % of 5\.\d MB, once")


@pytest.mark.release
def test_at_home_they_are_loaded_when_nothing_else_is_and_the_page_says_so(aiming):
    runtime = HeldRequests(RUNTIME)
    page = aiming(before=runtime.of)

    says = page.locator("#eyes-says")
    expect(says).to_have_text(SAYS)
    runtime.go_on()
    expect(says).to_be_hidden()


@pytest.mark.release
def test_where_bytes_are_paid_for_they_are_loaded_as_somebody_aims_who_may_photograph_meanwhile(
    aiming,
):
    runtime, asked = HeldRequests(RUNTIME), []
    page = aiming(CAMERA % PHOTO + PAID, runtime.of)
    page.on("request", lambda one: asked.append(one.url))
    page.wait_for_timeout(SOON)
    assert not [url for url in asked if "/eyes/" in url]

    tap(page)

    expect(page.locator("dialog.finder [role=status]")).to_have_text(SAYS)
    page.get_by_role("button", name="Photograph now").click()
    expect(page.locator("#confirm:visible")).to_have_text("Count it", timeout=60_000)
    runtime.go_on()


# A network on which it is worth to wait for what the phone sees.
SLOW = "Object.defineProperty(navigator, 'connection', { value: { downlink: 0.001 } });"


def sent_by(page):
    """Return the list of what the page sends from now on, its queries without their numbers."""
    sent = []

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
