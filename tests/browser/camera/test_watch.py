"""The page watches the table with a camera: whole throws without a tap, and what goes wrong."""

import base64
import json
import re
from pathlib import Path
from urllib.request import urlopen

import cv2
import pytest
from playwright.sync_api import expect

from tests.browser.phones import EYELESS, GUIDED, PHONE
from tests.grids import EVERY
from tests.vision.watch.throws import BARE, FPS, frames
from vision.faces.networks import shipped_models

pytestmark = pytest.mark.browser

# Ada begins with 10 against 8, makes (4 x 10 + 12) x 2 = 104, and Ben's last turn ends at once.
THROWS = ((4, 6), (3, 5), (4, 6), (4, 6), (4, 6), (4, 6), (6, 6), (1, 1))
KINDS = ("StartRoll", "StartRoll", "Roll", "Roll", "Roll", "Roll")
BEFORE = [{"move": kind, "low": a, "high": b} for kind, (a, b) in zip(KINDS, THROWS, strict=False)]
BEFORE = [] if EVERY else BEFORE
PATIENCE = 120_000  # ms; the throws take 18 s, and longer where a machine is busy
MOST_S = 0.12  # of the film between two frames: dice lie for twelve looks on any machine
JSON = "application/json"
CAMERA = (Path(__file__).parent / "camera.js").read_text(encoding="utf-8")


def film(throws, skipped=0):
    """Return throws as JSON for the camera, without some frames of the bare table."""
    fine = [cv2.IMWRITE_JPEG_QUALITY, 92]
    jpegs = [cv2.imencode(".jpg", frame, fine)[1] for frame in [*frames(throws)][skipped:]]
    pictures = [base64.b64encode(jpeg).decode() for jpeg in jpegs]
    return json.dumps({"fps": FPS, "most_s": MOST_S, "pictures": pictures})


@pytest.fixture(scope="module")
def one_throw():
    """The first throw, as JSON for the camera."""
    shipped_models()
    return film(THROWS[:1], skipped=BARE - 8)


@pytest.fixture
def page(browser, one_throw):
    """A page whose camera shows the first throw."""
    context = browser.new_context(**PHONE)
    show(context, one_throw)
    context.add_init_script(CAMERA)
    context.add_init_script(EYELESS + GUIDED)
    yield context.new_page()
    context.close()


def show(context, shown):
    """Let the camera of a context show another film."""
    context.route("**/film.json", lambda route: route.fulfill(body=shown, content_type=JSON))


def opened(page, server, **made):
    """Show a new match and begin to watch; return its id."""
    match = str(server.match("beat_the_odds", "Ada", "Ben", **made)["id"])
    page.goto(f"{server.address}m/{match}")
    page.locator("#ways-open").click()
    page.get_by_role("button", name="Watch", exact=True).click()
    return match


def stopped(page):
    """Stop watching: the server has room for four cameras."""
    with page.expect_response(re.compile("/end$")):
        page.get_by_role("button", name="Stop watching").click()


def rolls(server, match):
    with urlopen(f"{server.address}api/matches/{match}", timeout=20) as answer:
        view = json.load(answer)
    texts = [text for step in view["history"] for text in step["text"]]
    return re.findall(r"rolls (\d-\d)", " ".join(texts))


@pytest.mark.release
def test_a_match_to_100_is_played_by_watching(page, server):
    """Nothing is tapped. The gate watches the end of the match, and `make test-all` all of it."""
    show(page.context, film(THROWS[len(BEFORE) :]))
    match = opened(page, server, opening=BEFORE)

    expect(page.locator("#result-title")).to_have_text("Ada wins", timeout=PATIENCE)

    assert rolls(server, match) == [f"{low}-{high}" for low, high in THROWS]
    expect(page.locator("#watch-says")).to_have_text("The match is over; the camera is off.")
    active = "document.getElementById('watch-video').srcObject?.active ?? false"
    assert page.evaluate(active) is False


def test_what_the_camera_sees_is_outlined_and_a_hidden_page_sends_nothing(page, server):
    opened(page, server)
    expect(page.locator("#watch-outlines .piece.still").first).to_be_attached(timeout=PATIENCE)

    sent = []
    page.evaluate(HIDE.format("true"))
    expect(page.locator("#watch-says")).to_have_text("Paused while this page is hidden.")
    page.on("request", lambda one: sent.append(one.url) if "frames" in one.url else None)
    page.wait_for_timeout(800)
    assert len(sent) <= 1  # the frame that was on its way
    page.evaluate(HIDE.format("false"))
    with page.expect_request(re.compile("/frames")):
        pass
    stopped(page)


@pytest.mark.release
def test_where_nothing_changes_the_page_says_so_and_sends_no_picture(page, server):
    with page.expect_request(re.compile("/frames.*unchanged=1"), timeout=PATIENCE) as beat:
        opened(page, server)
    assert not beat.value.post_data_buffer
    expect(page.locator("#watch-fault")).to_be_hidden()

    page.evaluate(NOTE)
    page.evaluate("windBack()")
    page.wait_for_function("() => said.includes('Waiting until everything lies still.')")
    stopped(page)


NOTE = """window.said = [];
    const says = document.getElementById("watch-says");
    new MutationObserver(() => said.push(says.textContent)).observe(says,
        { childList: true, characterData: true, subtree: true });"""
HIDE = """Object.defineProperty(document, "hidden", {{ value: {}, configurable: true }});
    document.dispatchEvent(new Event("visibilitychange"));"""


@pytest.mark.release
def test_a_camera_that_is_unplugged_and_a_network_that_is_away_are_told_and_tried_again(
    page, server
):
    opened(page, server)
    expect(page.locator("#watch-stage")).to_be_visible()

    track = "document.getElementById('watch-video').srcObject.getVideoTracks()[0]"
    page.evaluate(f"{track}.dispatchEvent(new Event('ended'))")

    expect(page.locator("#watch-fault")).to_contain_text("has stopped sending pictures")
    page.get_by_role("button", name="Use this camera").click()
    expect(page.locator("#watch-stage")).to_be_visible()
    page.context.set_offline(True)
    expect(page.locator("#watch-fault")).to_contain_text("cannot be reached")
    page.context.set_offline(False)
    expect(page.locator("#watch-fault")).to_be_hidden()
    stopped(page)


REFUSES = """navigator.mediaDevices.getUserMedia = () =>
    Promise.reject(new DOMException("", "NotAllowedError"));"""
INSECURE = "Object.defineProperty(navigator, 'mediaDevices', {value: undefined});"


@pytest.mark.parametrize(
    ("script", "says"),
    [(REFUSES, "may not use the camera"), (INSECURE, "secure pages only")],
    ids=["refused", "no secure page"],
)
def test_a_camera_that_is_not_lent_is_told_in_a_sentence(page, server, script, says):
    page.add_init_script(script)

    opened(page, server)

    expect(page.locator("#watch-fault")).to_contain_text(says)


POWER = """navigator.getBattery = async () => ({{ charging: {} }});
    const later = window.setTimeout;
    window.setTimeout = (todo, pause = 0) => {{
        console.log("pause", pause);
        return later(todo, pause);
    }};"""
NEXT_MS = 40_000


@pytest.mark.release
@pytest.mark.parametrize(("charging", "times"), [("true", 1), ("false", 2)])
def test_on_battery_half_as_many_frames_are_sent(page, server, charging, times):
    def calmly(route):
        answer = route.fetch()
        route.fulfill(response=answer, json=answer.json() | {"next_ms": NEXT_MS})

    def is_long(message):
        words = message.text.split()
        return words[0] == "pause" and float(words[-1]) > NEXT_MS / 2

    page.add_init_script(POWER.format(charging))
    page.route("**/frames?*", calmly)

    with page.expect_console_message(is_long, timeout=PATIENCE) as heard:
        opened(page, server)
    stopped(page)

    pause = float(heard.value.text.split()[-1])
    assert (times - 0.5) * NEXT_MS < pause <= times * NEXT_MS
