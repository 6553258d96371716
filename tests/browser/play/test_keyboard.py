"""A whole match by keyboard alone: every control is reached, and the focus is never lost."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

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
    page = opened(server.match("pig", "Ana", "Ben", target=10)["url"])
    expect(page.locator("#state")).to_have_text("live")
    page.evaluate(WATCH)

    play(page, "Ana rolls 3: 3", 1)
    play(page, "Ana holds 3: 0 → 3", 2)
    play(page, "Ben rolls 1 and loses the turn: 0", 3)
    expect(page.locator("#prompt")).to_contain_text("Ana")
    play(page, "Ana rolls 6: 6", 4)
    play(page, "Ana rolls 6: 12", 5)
    press(page, "Ana holds 12: 3 → 15")

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

    server.post(
        f"matches/{match['id']}/moves", {"after": 0, "moves": [{"move": "Roll", "pips": 2}]}
    )

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
