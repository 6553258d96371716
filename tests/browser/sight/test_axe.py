"""No page or dialog has a violation that axe-core finds: upright, sideways, light and dark."""

import re

import pytest
from axe_playwright_python.sync_playwright import DEFAULT_OPTIONS, Axe
from playwright.sync_api import expect

from tests.browser.phones import photo
from tests.browser.play.test_panel import named
from tests.browser.race_pages import cell, ready_match, take_photo
from tests.browser.sight.fits import FULLEST, check_fits
from tests.grids import EVERY, combined, few, without
from tests.matches import BEGUN, CALLED
from tests.tools.entry_states import STATES
from tests.webui import sights
from webui.app import create_app
from webui.pages import trust
from webui.services import Secure

pytestmark = pytest.mark.browser

SCRIPT = Axe().axe_script
# A scheme changes colours alone, so in the second only rules about these are asked again.
SCHEMES = {"light": {}, "dark": {"runOnly": {"type": "tag", "values": ["cat.color"]}}}
# Another size shows and hides words: what depends on these is asked again, in the same page.
LOW = [(740, 360), (640, 400), (844, 390)]  # a phone sideways, a laptop at 200 %, a larger phone
NAMED = {
    "runOnly": {
        "type": "tag",
        "values": ["cat.name-role-value", "cat.forms", "cat.aria", "cat.text-alternatives",
                   "cat.keyboard"],
    }
}  # fmt: skip
STARTED = {
    "pig": [{"move": "Roll", "pips": 4}],
    "gords": CALLED[:2],
    "dice_wide_shut": BEGUN["dice_wide_shut"][:1],
    "even_at_odds": BEGUN["even_at_odds"],
    "purple_house": [],
    "farkle": [],
    "beat_the_odds": [],
    "sum": [{"move": "Enter", "seat": 0, "points": 12}],
}
PARTS = ("share", "undo", "step/1", "step/1/correct", "history", "rounds", "pieces",
         "advice", "may", "rules", "board", "coach", "players", "players/question?do=end",
         "phones", "delete", "followers")  # fmt: skip
FRAGMENTS = {"tally", "list", "card"}  # parts of pages, and what a test of its own reaches
CAMERA = """navigator.mediaDevices.getUserMedia = async () => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 480 });
  canvas.getContext('2d').fillRect(0, 0, 640, 480);
  return canvas.captureStream(5);
}"""
UNFOLD = "for (const one of document.querySelectorAll('details')) one.open = true"

# Buttons of the panel and the dock with words that their names lack: [words, name] each.
MISNAMED = """() => {
  const plain = (text) => text.toLowerCase().replace(/[^\\p{L}\\p{N}]+/gu, ' ').trim();
  const said = (one) => {
    const copy = one.cloneNode(true);
    copy.querySelectorAll('[aria-hidden=true]').forEach((part) => part.remove());
    return one.ariaLabel ?? copy.textContent;
  };
  return [...document.querySelectorAll(':is(#entry, #bar) :is(button, label, a)')]
    .filter((one) => one.checkVisibility() && one.innerText)
    .map((one) => [one.innerText, said(one)])
    .filter(([shown, name]) => !plain(name).includes(plain(shown)));
}"""


def check(page, whole=EVERY):
    """Hold that axe finds nothing on the page; if *whole*, in both schemes and sideways too.

    test_contrast.py holds the colours of both schemes, so the gate asks that of few pages.
    """
    schemes = SCHEMES if whole else few(SCHEMES)
    if not page.evaluate("'axe' in window"):
        page.evaluate(SCRIPT)
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        find_nothing(page, scheme, SCHEMES[scheme])
    before = page.viewport_size
    for width, height in few(LOW) if whole else ():
        page.set_viewport_size({"width": width, "height": height})
        find_nothing(page, f"{width}x{height}", NAMED)
    page.set_viewport_size(before)


def find_nothing(page, size, options):
    """Hold that axe, with these *options*, finds nothing on the page at that *size*."""
    for _ in range(3):  # a page may still be drawing itself anew
        found = page.evaluate("axe.run", {**DEFAULT_OPTIONS, **options})["violations"]
        if not found:
            return
        page.wait_for_timeout(500)
    say = "{id} ({impact}): {help}: {html:.160}"
    nodes = [(fault, node["html"]) for fault in found for node in fault["nodes"][:3]]
    said = [say.format(**fault, html=html) for fault, html in nodes]
    assert not said, "\n".join([page.url, size, *said])


PARTS_OF = combined([game for game in FULLEST if STARTED[game]], PARTS)


def pages(server, game):
    """Yield the addresses of a match and of what belongs to it: each part of one game or more."""
    match = server.match(game, "Ana", "Ben", opening=STARTED[game])["url"]
    yield match
    yield from (f"{match}/{part}" for at, part in PARTS_OF if at == game)


# The gate looks at one of each game that has another pad than the rest.
FIRST_OF = {STATES[name].game: name for name in reversed(STATES)}


@pytest.mark.parametrize("name", [*STATES] if EVERY else few(FIRST_OF.values(), 4))
def test_what_stands_on_a_button_is_part_of_its_name(opened, server, name):
    state = STATES[name]
    page = opened(server.match(state.game, *state.names, opening=state.opening)["url"])
    expect(page.locator("#state[data-state=live]")).to_be_attached()
    assert page.evaluate(MISNAMED) == []
    for words in state.taps:
        named(page, words).first.click()
        assert page.evaluate(MISNAMED) == []
    page.context.add_cookies([{"name": "language", "value": "de", "url": server.address}])
    page.reload()
    expect(page.locator("html[lang=de] #state[data-state=live]")).to_be_attached()
    assert page.evaluate(MISNAMED) == []


@pytest.mark.parametrize("game", few(without(FULLEST, "dice_wide_shut", "even_at_odds")))
def test_the_pages_of_a_match(opened, server, game):
    page = opened("about:blank")
    for number, address in enumerate(pages(server, game)):
        page.goto(address)
        page.evaluate(UNFOLD)
        check(page, whole=EVERY or (game == FULLEST[0] and not number))


def test_every_page_of_a_match_is_looked_at(tmp_path):
    app = create_app(f"sqlite:///{tmp_path / 'log.db'}", tmp_path / "photos")
    try:
        of_a_match = [
            re.sub("<int:seq>", "1", rule.rule.removeprefix("/m/<match_id>/"))
            for rule in app.url_map.iter_rules()
            if rule.rule.startswith("/m/<match_id>/") and "GET" in (rule.methods or ())
        ]
    finally:
        app.extensions["pipsight"].store.close()
    ends = [path for path in of_a_match if not re.search("[.<]", path)]
    pages = {path for path in ends if path.rpartition("/")[2] not in FRAGMENTS}
    looked_at = {part.partition("?")[0] for part in PARTS}
    assert pages - {"redo"} == looked_at - {"board"}  # others are reached below


@pytest.mark.release
def test_what_a_host_alone_sees(opened, server):
    """The phone that began a match may delete it, and has the key to it."""
    page = opened(f"{server.address}?game=pig")
    page.get_by_role("button", name=re.compile("^Start ")).click()
    expect(page.get_by_role("link", name="Delete this match")).to_be_visible()
    page.evaluate(UNFOLD)
    check(page)
    page.locator("#phones").get_by_role("button", name="key").click()
    expect(page.get_by_role("heading", name="The host's key")).to_be_visible()
    check(page)


@pytest.mark.release
def test_the_start_page_past_matches_players_and_a_match_that_is_not_there(opened, server):
    page = opened(server.address)
    check(page, whole=True)
    page.evaluate(UNFOLD)
    check(page)
    page.goto(f"{server.address}m/gone")
    check(page)
    page.goto(server.match("pig", "Ana", "Ben", opening=STARTED["pig"])["url"])
    for address in ("matches", "players", "players?name=Ana"):
        page.goto(f"{server.address}{address}")
        check(page)


def test_the_page_of_overlays_and_webhooks_which_fits_a_phone_too(opened, server):
    match = server.match("pig", "Ana", "Ben")
    server.post(f"matches/{match['id']}/viewers", {"name": "The stream of our long evenings"})
    page = opened(f"{match['url']}/followers")
    page.get_by_label("Its address").fill(f"http://127.0.0.1/{'long' * 30}")
    page.get_by_role("button", name="Add this webhook").click()
    page.get_by_role("button", name="Send a test").click()
    expect(page.get_by_role("alert")).to_contain_text("private network")
    check(page)
    check_fits(page, least=40)


def test_the_page_on_trust(opened, server, monkeypatch):
    door = Secure(8443, ":".join(["AB"] * 32), b"")
    monkeypatch.setattr(trust, "_door", lambda: door)
    page = opened(f"{server.address}trust")
    expect(page.get_by_text(door.fingerprint)).to_be_visible()
    check(page)


@pytest.mark.release
def test_what_the_camera_of_a_page_sees(opened, server):
    page = opened("about:blank", own=True)
    page.add_init_script(CAMERA)
    page.goto(server.match("beat_the_odds", "Ana", "Ben")["url"])
    page.locator("#ways-open").click()
    page.get_by_role("button", name="Watch", exact=True).click()
    expect(page.locator("#watch-video")).to_be_visible()
    check(page)
    with page.expect_response(re.compile("/end$")):  # the server has room for four cameras
        page.get_by_role("button", name="Stop watching").click()


@pytest.mark.release
def test_what_puts_a_step_back(opened, server):
    page = opened(server.match("pig", "Ana", "Ben", opening=STARTED["pig"])["url"])
    page.get_by_role("link", name="Undo", exact=True).click()
    page.get_by_role("button", name="Take back").click()
    page.get_by_role("link", name="Put back").first.click()
    check(page)


@pytest.mark.release
def test_the_look_and_the_sheets_that_ask_about_dice(opened, server, show):
    page = ready_match(opened, server)
    take_photo(page, photo(1))
    check(page, whole=True)
    cell(page, 0, 0).click()
    check(page)  # its likely values
    page.locator("#chips .more").click()
    expect(page.locator("#picker")).to_be_visible()
    check(page)
    page.keyboard.press("Escape")
    page.locator("#set-corners").click()
    expect(page.locator("#corners")).to_be_visible()
    check(page)


@pytest.mark.release
def test_the_sheets_that_ask_about_marks(opened, server, show):
    opening = BEGUN["dice_wide_shut"]
    page = opened(server.match("dice_wide_shut", "Ana", "Ben", opening=opening)["url"])
    show(lambda *_asked: sights.sheet({("red", 2, 0), ("red", 0, 4)}))
    page.locator("#camera").set_input_files(photo(1))
    expect(page.locator("#confirm")).to_be_visible()
    check(page)
