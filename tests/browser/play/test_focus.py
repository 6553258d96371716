"""The focus goes to the next move's control and is never lost: by touch, and by keyboard alone."""

import re
from contextlib import contextmanager

import pytest
from playwright.sync_api import expect

from tests.browser.phones import photo, wait_until
from tests.browser.play.test_games import count, live_match, match, steps
from tests.browser.play.test_panel import BEGUN
from tests.browser.race_pages import ready_match
from tests.grids import few
from tests.matches import AGREED

pytestmark = pytest.mark.browser

TOP = "document.querySelector('#entry .sheets').getBoundingClientRect().top"
DOCK = "document.querySelector('#bar').offsetHeight"
FOCUS_IN = "selector => Boolean(document.activeElement.closest(selector))"


def take(page):
    page.get_by_role("button", name="take red 1").click()
    page.get_by_role("button", name="take red 2").click()
    page.get_by_role("button", name="red half, row 3, column 1, a 1: blank").click()
    page.get_by_role("button", name="red half, row 4, column 2, a 2: blank").click()


@contextmanager
def news_first(page):
    """Answer what is sent in the block when it ends: the news of it has come before."""
    answers = []
    page.route("**/moves", lambda route: answers.append((route, route.fetch())), times=1)
    yield
    wait_until(page, lambda: answers)  # the news may even come before the answer is here
    ((route, answer),) = answers
    with page.expect_response("**/moves"):
        route.fulfill(response=answer)


def test_after_a_tapped_move_the_board_stays_in_place_and_has_the_focus(opened, server):
    opening = BEGUN["dice_wide_shut"]
    page = match(opened, server, "dice_wide_shut", "Ana", "Ben", opening=opening)
    expect(page.locator("#entry .sheets button").first).to_be_visible()
    before = page.evaluate(TOP)
    dock = page.evaluate(DOCK)
    take(page)
    expect(page.locator("#foot .main")).to_be_visible()
    assert page.evaluate(DOCK) <= dock
    assert page.evaluate(TOP) == before
    said = page.locator("#entry-says").inner_text()

    count(page)
    steps(page, 2)

    page.wait_for_function(FOCUS_IN, arg="#entry .sheets button")
    wait_until(page, lambda: abs(page.evaluate(TOP) - before) <= 2)
    expect(page.locator("#announce")).to_contain_text(said.partition(";")[0])


def test_the_focus_that_comes_to_the_panel_scrolls_no_page(opened, server):
    page = live_match(opened, server, "gords", "Ana", "Ben", opening=AGREED)
    page.evaluate("scrollTo(0, 200)")

    page.get_by_role("button", name="Face: 3").focus()

    assert page.evaluate("scrollY") == 200

    page = live_match(opened, server, "sum", "Ana", "Ben")
    page.locator("summary:visible").last.evaluate("one => one.focus({ preventScroll: true })")
    page.evaluate("scrollTo(0, 200)")
    while not page.evaluate("document.activeElement.matches('#entry input')"):
        page.evaluate("scrollTo(0, 200)")
        page.keyboard.press("Tab")
    assert page.evaluate("scrollY") == 200


def test_a_tap_on_a_pad_scrolls_no_page_and_the_next_pad_has_the_focus(opened, server):
    page = live_match(opened, server, "gords", "Ana", "Ben", opening=AGREED)
    page.evaluate("scrollTo(0, 200)")
    before = page.evaluate("scrollY")

    page.get_by_role("button", name="Face: 3").click()
    page.get_by_role("button", name="How many, ones included: 4").click()
    assert page.evaluate("scrollY") == before
    page.get_by_role("button", name="Ana bids 4 threes").click()
    steps(page, 2)
    expect(page.locator("#entry .key").first).to_be_focused()
    page.get_by_role("button", name="Face: 2").click()
    page.get_by_role("button", name="How many, ones included: 4").click()
    expect(page.locator("#entry-says")).to_contain_text("4 twos is not higher than 4 threes.")
    expect(page.locator("#entry-says .rule")).to_have_text("GD-4")
    page.get_by_role("button", name="Ben calls").click()

    steps(page, 3)
    expect(page.locator("#entry .key").first).to_be_focused()
    assert page.evaluate("scrollY") == before


def test_after_a_counted_photo_the_pad_has_the_focus_and_the_step_is_told(opened, server):
    page = ready_match(opened, server)
    page.locator("#camera").set_input_files(photo(1))
    page.get_by_role("button", name="Count it").click()

    expect(page.locator("#look")).to_be_hidden()
    expect(page.locator("#entry .key").first).to_be_focused()
    step = re.compile(r"^9 dice placed, read from a photo\. Ana \d")
    expect(page.locator("#announce")).to_have_text(step)


@pytest.mark.parametrize("game", few(["pig", "beat_the_odds", "gords"]))
def test_the_news_of_a_step_may_come_before_its_own_answer(opened, server, game):
    page = live_match(opened, server, game, "Ana", "Ben", opening=() if game == "pig" else AGREED)
    before = page.locator(".history > li").count()

    with news_first(page):
        for row in page.locator("#entry .keys").all():
            row.locator(".key").nth(2).click()
        if game == "gords":
            page.locator("#foot button.main").click()
        steps(page, before + 1)
        expect(page.locator("#announce")).to_contain_text("Ana")

    page.wait_for_function(FOCUS_IN, arg="#entry .key")
    expect(page.locator("#entry-says")).not_to_contain_text("Another phone")
    expect(page.locator("#entry [aria-pressed=true]")).to_have_count(0)


def test_who_has_won_has_the_focus_before_the_answer_to_the_last_step(opened, server):
    rolls = [{"move": "Roll", "pips": 6}] * 2
    page = live_match(opened, server, "pig", "Ana", "Ben", opening=rolls, target=10)

    with news_first(page):
        press(page, "Hold 12: 0 → 12: Ana holds 12")
        expect(page.locator("#result-title")).to_be_focused()


def test_numbers_that_count_leave_the_dock_though_their_news_came_before_the_answer(opened, server):
    page = live_match(opened, server, "sum", "Ana", "Ben")
    with news_first(page):
        page.get_by_label("Points of Ana").fill("5")
        count(page)
        steps(page, 1)

    expect(page.get_by_label("Points of Ana")).to_have_value("")
    expect(page.locator("#foot button")).to_have_count(0)


@pytest.mark.release
def test_a_sheet_is_drawn_anew_though_the_news_came_before_the_answer(opened, server):
    opening = BEGUN["dice_wide_shut"]
    page = live_match(opened, server, "dice_wide_shut", "Ana", "Ben", opening=opening)
    with news_first(page):
        take(page)
        count(page)
        steps(page, 2)

    expect(page.locator("#entry-says")).not_to_contain_text("Another phone")
    page.wait_for_function(FOCUS_IN, arg="#entry .sheets button")


# Notes whatever had the focus when nothing had it any more.
WATCH = """window.lost = [];
addEventListener('focusout', ({target}) => setTimeout(() => {
  if (document.activeElement === document.body) window.lost.push(target.outerHTML.slice(0, 200));
}, 100))"""
# Which key leads from the focus towards the control of a name, or nothing where it is reached.
TOWARDS = """name => {
  const named = [...document.querySelectorAll('button, a[href], summary')]
    .filter(one => one.checkVisibility() && !one.closest('[inert]'));
  const says = one => (one.ariaLabel ?? one.textContent).replace(/\\s+/g, ' ').trim();
  const wanted = named.find(one => says(one) === name);
  if (!wanted) return null;
  const focused = document.activeElement;
  if (focused === wanted) return '';
  return focused.compareDocumentPosition(wanted) & 4 ? 'Tab' : 'Shift+Tab';
}"""
# Whether the answer to a move has put the focus where the next one is made.
WENT_ON = """() => {
  const keys = [...document.querySelectorAll('#entry .key:not([aria-disabled="true"])')];
  const next = keys.find(one => one.checkVisibility()) ?? document.querySelector('#result-title');
  return document.activeElement === next;
}"""
MOST = 200  # keys to a control
PLACE = "document.activeElement.outerHTML.slice(0, 200)"


def press(page, name):
    """Walk to a control by Tab, and press Enter there."""
    page.wait_for_function(f"name => ({TOWARDS})(name) !== null", arg=name)
    for _ in range(MOST):
        key = page.evaluate(TOWARDS, name)
        if key is None:
            page.wait_for_timeout(50)
        elif key:
            page.keyboard.press(key)
        else:
            break
    else:
        raise AssertionError(f"{name} is not reached from {page.evaluate(PLACE)}")
    page.keyboard.press("Enter")


def play(page, name, count):
    """Press a move, the step of that number; wait until the focus is where the next is made."""
    press(page, name)
    expect(page.locator(".history > li")).to_have_count(count)
    page.wait_for_function(WENT_ON)


def test_a_match_is_played_by_keyboard_and_nothing_loses_the_focus(opened, server):
    page = live_match(opened, server, "pig", "Ana", "Ben", target=10)
    page.evaluate(WATCH)

    play(page, "Ana rolls 4: 4", 1)
    play(page, "Hold 4: 0 → 4: Ana holds 4", 2)
    play(page, "Ben rolls 1 and loses the turn: gone", 3)
    expect(page.locator("#prompt")).to_contain_text("Ana")
    play(page, "Ana rolls 6: 6", 4)
    press(page, "Hold 6: 4 → 10: Ana holds 6")

    expect(page.locator("#result-title")).to_have_text("Ana wins")
    expect(page.locator("#result-title")).to_be_focused()
    page.wait_for_timeout(200)
    assert page.evaluate("window.lost") == []


@pytest.mark.release
def test_another_phones_step_leaves_the_focus_where_it_is(opened, server):
    match = server.match("pig", "Ana", "Ben")
    page = opened(match["url"])
    expect(page.locator("#state")).to_have_text("live")
    page.get_by_role("button", name="Ana rolls 4").focus()

    server.play(match, {"move": "Roll", "pips": 2})

    expect(page.locator(".history > li")).to_have_count(1)
    expect(page.get_by_role("button", name="Ana rolls 4")).to_be_focused()


@pytest.mark.release
def test_after_a_hold_the_focus_is_where_the_next_move_is_made(opened, server):
    match = server.match("pig", "Ana", "Ben", opening=[{"move": "Roll", "pips": 4}])
    page, other = opened(match["url"]), opened(match["url"])
    for phone in (page, other):
        expect(phone.locator("#state")).to_have_text("live")
    other.get_by_role("button", name="Ana holds 4").focus()

    page.get_by_role("button", name="Ana holds 4").focus()
    page.keyboard.press("Enter")

    for phone in (page, other):  # another phone's hold takes its button away
        expect(phone.locator("#prompt")).to_contain_text("Ben")
        expect(phone.locator("#entry :focus")).to_have_count(1)
    expect(page.get_by_role("button", name="Ben rolls 1")).to_be_focused()
