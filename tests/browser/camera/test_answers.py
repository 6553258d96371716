"""What answers a watching camera is in reach on a phone, and nothing outlives its picture."""

import base64
import json

import pytest
from playwright.sync_api import expect

from tests.browser.camera.test_watch import CAMERA, HIDE, show
from tests.browser.phones import EYELESS, GUIDED, PHONE, serving
from tests.browser.sight.fits import check_fits
from tests.conftest import picture
from tests.matches import AGREED
from tests.webui.camera.shown_tables import NO_ROLL, ShownTable, sight, watched

pytestmark = [pytest.mark.browser, pytest.mark.release]

SIZE = {"width": 390, "height": 844}
PICTURES = [base64.b64encode(picture()).decode()] * 2
FILM = json.dumps({"fps": 15, "most_s": 0.1, "pictures": PICTURES})
IN_SIGHT = """selector => [...document.querySelectorAll(selector)].every((one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  const hit = (share) => one.contains(document.elementFromPoint(x + width / 2, y + share * height));
  return hit(0.1) && hit(0.5) && hit(0.9);  // nothing lies over it
})"""


@pytest.fixture
def table():
    return ShownTable()


@pytest.fixture
def server(tmp_path, table):
    """A server whose camera sees what a test says."""
    with serving(tmp_path, watch=lambda: table) as running:
        yield running


@pytest.fixture
def page(browser):
    yield phone(browser)
    for context in browser.contexts[-1:]:
        context.close()


def phone(browser):
    """Open a phone with a camera."""
    context = browser.new_context(**PHONE | {"viewport": SIZE})
    show(context, FILM)
    context.add_init_script(CAMERA)
    context.add_init_script(EYELESS + GUIDED)
    return context.new_page()


def watching(page, server, game, opening):
    """Show a new match and let the camera watch it; return its address."""
    match = server.match(game, "Ada", "Ben", opening=opening)["url"]
    page.goto(match)
    watch(page)
    expect(page.locator("#watch-outlines .piece")).to_have_count(1)
    return match


def watch(page):
    """Let the page's camera watch."""
    page.locator("#ways-open").click()
    page.get_by_role("button", name="Watch", exact=True).click()


def check_in_reach(page, selector):
    """Hold that all of it is in sight at the top of the page and at its end."""
    for place in ("0", "document.body.scrollHeight"):
        page.evaluate(f"scrollTo(0, {place})")
        page.wait_for_function(IN_SIGHT, arg=selector)


def test_a_question_of_the_camera_is_answered_without_scrolling(page, server, table):
    watching(page, server, "beat_the_odds", AGREED)
    page.evaluate("window.neverReloaded = true")

    table.next = watched("thrown", sight(4, 5, doubts=(NO_ROLL,)))

    answers = page.locator("#answers button")
    ways = ["Ada rolls 4-5 for 4 points", "Ada rolls 3-4 for 4 points"]
    expect(answers).to_have_text([*ways, "Something else", "Not a roll"])
    check_in_reach(page, "#answers button")
    check_fits(page, least=40)
    page.set_viewport_size({"width": 360, "height": 640})
    check_in_reach(page, "#answers button")
    answers.first.click()
    expect(page.locator(".history .said").first).to_contain_text("Ada rolls 4-5")
    expect(page.locator("#answers [data-asked]")).to_have_count(0)
    table.next = watched("thrown", sight(2, 2, doubts=(NO_ROLL,)))
    page.get_by_role("button", name="Not a roll").click()
    expect(page.locator("#answers [data-asked]")).to_have_count(0)
    assert page.evaluate("window.neverReloaded")  # so the camera goes on
    expect(page.locator(".history > li")).to_have_count(2)


def test_hold_is_in_reach_while_the_camera_watches(page, server):
    watching(page, server, "pig", [{"move": "Roll", "pips": 5}])

    hold = page.get_by_role("button", name="Ada holds 5")
    expect(hold).to_be_visible()
    expect(page.locator("#camera-part")).to_be_hidden()
    check_in_reach(page, "#foot button")
    hold.click()
    expect(page.locator("#prompt")).to_have_text("Ben rolls the die.")
    expect(page.locator("#foot button")).to_have_count(0)
    page.get_by_role("button", name="Stop watching").click()
    expect(page.locator("#camera-part")).to_be_visible()


def test_what_is_kept_of_a_farkle_roll_is_in_reach_and_stays_when_the_camera_asks(
    page, server, table
):
    watching(page, server, "farkle", [])
    move = {"move": "Roll", "dice": [1, 1, 5, 2, 3, 4]}
    server.post(f"matches/{page.url.rsplit('/', 1)[1]}/moves", {"after": 0, "moves": [move]})

    slots = page.locator("#entry .slot")
    check_in_reach(page, "#entry .slot, #foot button")
    slots.last.click()  # the 5 is left
    expect(page.locator("#foot button").last).to_contain_text("Bank 200")
    table.next = watched("thrown", sight(2, 3, 4, 4, 6))
    page.get_by_role("button", name="Not a roll").click()
    expect(slots.last).to_have_attribute("aria-pressed", "false")  # half tapped, and stays
    check_fits(page, least=40)


def test_no_outline_outlives_its_picture(page, server):
    """A page out of sight, and a server that does not answer, see the table no more."""
    watching(page, server, "pig", [])
    outlines = page.locator("#watch-outlines .piece")

    page.evaluate(HIDE.format("true"))
    expect(outlines).to_have_count(0)
    page.evaluate(HIDE.format("false"))
    expect(outlines).to_have_count(1)

    page.route("**/frames?*", lambda route: route.abort())
    expect(page.locator("#watch-fault")).to_be_visible()
    expect(outlines).to_have_count(0)
    page.unroute("**/frames?*")
    expect(outlines).to_have_count(1)


def test_no_outline_outlives_the_picture_of_the_servers_camera(page, server):
    """The picture is gone though the server still answers."""
    match = server.match("pig", "Ada", "Ben")["url"]
    piece = {"quad": [[1, 1], [9, 1], [9, 9], [1, 9]], "state": "still"}
    frame = {"watch": "w", "camera": "server", "says": "Ada rolls the die.", "pieces": [piece]}
    answer = frame | {"width": 320, "height": 240, "seq": 0, "asked": None, "over": False}

    def tally(route):
        there, flag = route.fetch(), "&#34;camera&#34;: {}"
        body = there.text().replace(flag.format("false"), flag.format("true"))
        route.fulfill(response=there, body=body)

    page.route("**/m/*", tally)
    page.route("**/watch", lambda route: route.fulfill(json=answer))
    shown = {"body": picture(), "content_type": "image/jpeg"}
    page.route("**/picture.jpg?*", lambda route: route.fulfill(**shown))
    page.goto(match)
    watch(page)
    page.get_by_role("button", name="Use the server's camera").click()
    outlines = page.locator("#watch-outlines .piece")
    expect(outlines).to_have_count(1)

    page.unroute("**/picture.jpg?*")  # the server has none of this camera
    expect(outlines).to_have_count(0)


def test_the_overtaken_phone_is_told_where_it_looks(page, browser, server):
    match = watching(page, server, "pig", [])
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    other = phone(browser)
    other.goto(match)
    watch(other)

    other.get_by_role("button", name="Let this camera take over").click()

    notice = page.locator("#bar-says")
    expect(notice).to_contain_text("Another camera watches this match now")
    page.wait_for_function(IN_SIGHT, arg="#bar-says")
    check_fits(page, least=40)
    notice.click()
    expect(notice).to_be_hidden()
    page.wait_for_function(IN_SIGHT, arg="#watch-fault")
    expect(page.get_by_role("button", name="Let this camera take over")).to_be_visible()
    other.context.close()
