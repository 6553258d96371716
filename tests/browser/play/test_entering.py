"""What a person is entering stays, whatever other phones, a reload or another table do."""

import re

import pytest
from playwright.sync_api import expect

from scorer import dump_move, load_move
from scorer.games import GAMES
from tests.browser.phones import HeldRequests
from tests.browser.play.test_games import live_match, steps
from tests.browser.play.test_panel import BEGUN, FOUR, FREE, MOVES, NAMES, tap
from tests.grids import without
from tests.matches import AGREED, CALLED

pytestmark = pytest.mark.browser

OPENING = [{"move": "Enter", "seat": 0, "points": 12}]


def other_phone(server, page, after, **move):
    match = page.url.rsplit("/", 1)[-1]
    server.post(f"matches/{match}/moves", {"after": after, "moves": [move]})


def test_a_half_typed_number_stays_when_another_phone_enters_one_and_counts_for_its_player(
    opened, server
):
    page = opened(server.match("sum", "Ada", "Ben", "Cleo")["url"])
    page.get_by_label("Points of Ben").fill("7")
    page.get_by_label("Points of Cleo").focus()

    other_phone(server, page, 0, move="Enter", seat=0, points=12)
    steps(page, 1)

    expect(page.get_by_label("Points of Ada")).to_have_count(0)
    expect(page.get_by_label("Points of Ben")).to_have_value("7")
    expect(page.get_by_label("Points of Cleo")).to_be_focused()
    page.get_by_role("button", name="Enter these").click()
    expect(page.locator('[data-score="1"]')).to_have_text("7")
    expect(page.get_by_label("Points of Ben")).to_have_count(0)


def test_a_half_typed_number_of_whom_another_phone_has_entered_is_judged_and_not_lost(
    opened, server
):
    page = opened(server.match("sum", "Ada", "Ben", "Cleo")["url"])
    page.get_by_label("Points of Ada").fill("9")

    other_phone(server, page, 0, move="Enter", seat=0, points=12)
    steps(page, 1)

    expect(page.get_by_label("Points of Ada")).to_have_value("9")
    page.get_by_role("button", name="Enter these").click()
    expect(page.locator("#entry-says")).to_be_visible()
    expect(page.get_by_label("Points of Ada")).to_have_value("9")
    expect(page.locator('[data-score="0"]')).to_have_text("12")


def test_the_next_move_may_be_begun_while_the_last_is_on_its_way(opened, server):
    """On a slow server the pad was drawn no further: the key that is sent has other words."""
    page = opened(server.match("purple_house", "Ada", "Ben")["url"])
    late = HeldRequests("**/moves").of(page)
    for rolls in ("Ada rolls: 2", "Ben rolls: 5"):
        page.get_by_role("button", name=rolls).click()
    late.wait()

    again = page.get_by_role("button", name="Ada rolls: 6")
    again.click()

    expect(again).to_have_attribute("aria-pressed", "true")
    late.go_on()
    steps(page, 1)


@pytest.mark.release
def test_what_was_typed_is_there_after_another_page_the_way_back_and_a_reload(opened, server):
    page = opened(server.match("sum", "Ada", "Ben")["url"])
    page.get_by_label("Points of Ben").fill("7")
    page.locator("#players > summary").click()
    page.get_by_label("Who comes late").fill("Cleo")

    page.get_by_role("link", name="How it is played and counted").click()
    expect(page).to_have_url(re.compile("/rules"))
    page.go_back()
    expect(page.get_by_label("Points of Ben")).to_have_value("7")
    page.reload()
    page.locator("#players > summary").click()
    expect(page.get_by_label("Who comes late")).to_have_value("Cleo")

    page.locator("#foot").get_by_role("button", name="Enter these").click()
    expect(page.locator('[data-score="1"]')).to_have_text("7")
    page.reload()
    expect(page.get_by_label("Points of Ada")).to_have_value("")


def test_a_phone_without_scripts_finds_what_was_typed_when_it_goes_back(opened, server):
    match = server.match("sum", "Ada", "Ben", "Cleo", opening=OPENING)
    page = opened(f"{match['url']}/players", java_script_enabled=False)
    page.locator("#player-0 summary").click()
    page.get_by_label("New name for Ada").fill("Adel")
    page.locator("#player-1 summary").click()

    page.locator("#player-1").get_by_role("button", name="Leave").click()
    expect(page.get_by_role("heading", name="Ben leaves?")).to_be_visible()
    page.go_back()

    expect(page.get_by_label("New name for Ada")).to_have_value("Adel")
    page.goto(match["url"])
    expect(page.locator("#camera-part")).to_be_hidden()  # it needs scripts
    page.goto(server.match("pig", "Ada", "Ben")["url"])
    expect(page.locator("#prompt")).to_be_visible()
    expect(page.get_by_text("then photograph the table")).to_be_hidden()
    page.get_by_role("link", name="Pipsight").first.click()
    expect(page.get_by_text("sample photo")).to_be_hidden()


def test_a_phone_without_scripts_has_a_list_of_what_to_keep_with_room_between(opened, server):
    roll = {"move": "Roll", "dice": [1, 1, 1, 5, 5, 4]}
    match = server.match("farkle", "Ada", "Ben", opening=[roll])
    page = opened(match["url"], java_script_enabled=False)
    first, second = page.locator("#entry .unscripted button").all()[:2]

    above, below = first.bounding_box(), second.bounding_box()
    assert below["y"] - (above["y"] + above["height"]) > 4
    expect(page.get_by_text("Tap the dice")).to_be_hidden()  # none is drawn there


# What is tapped of a move that is not yet made, by the game and the pad.
HALF = {
    "beat_the_odds": (AGREED, ["First die: 2"]),
    "gords": (AGREED, ["Face: 3", "ones included: 4"]),
    "gords, die by die": (CALLED, ["Die by die", "Ana: a 4", "Ana: a 2"]),
    "farkle": ([], ["add a 3", "add a 1", "add a 5"]),
    "purple_house": (MOVES["purple_house"][0], ["Row 2, column 2"]),
    "even_at_odds": (MOVES["even_at_odds"][0], ["the tile 0-1", FREE]),
    "dice_wide_shut": (BEGUN["dice_wide_shut"], ["take red 1", "take red 2"]),
    "dice_wide_shut, roll": (BEGUN["dice_wide_shut"][:1], ["add red 4", "add blue 1", "add red 2"]),
    "sum": ([], ["Points of Ana"]),
}
KEYS_ALIKE = "beat_the_odds", "gords", "farkle", "dice_wide_shut, roll"  # as another pad here
# What a person sees that is tapped, and what the buttons would do.
TAPPED = """() => [
  ...[...document.querySelectorAll("#entry [aria-pressed=true], #entry .ghost, #entry .slot")]
    .map((one) => one.ariaLabel ?? one.className),
  ...[...document.querySelectorAll("#entry input[type=number]")].map(({ value }) => value),
  ...[...document.querySelectorAll("#foot button")].map((one) => one.textContent),
].join()"""


def half(opened, server, pad):
    """Open a page on which a move on a pad is half tapped; return it, and what it shows."""
    opening, taps = HALF[pad]
    page = live_match(opened, server, pad.partition(",")[0], "Ana", "Ben", opening=opening)
    for words in taps:
        tap(page, words)
    if pad in ("dice_wide_shut", "even_at_odds", "gords", "sum"):
        expect(page.locator("#foot .main")).to_be_enabled()
    return page, page.evaluate(TAPPED)


def legal(pad):
    """Return a move that another phone may make on the pad."""
    game = GAMES[pad.partition(",")[0]]
    state = game.start(2, {})
    for move in HALF[pad][0]:
        state = game.apply(state, load_move(game, move))
    return dump_move(next(iter(game.legal_moves(state))))


@pytest.mark.parametrize("pad", without(HALF, *KEYS_ALIKE))
def test_what_is_half_tapped_is_there_after_a_reload_until_a_person_asks_for_the_newest_pad(
    opened, server, pad
):
    page, tapped = half(opened, server, pad)

    page.reload()

    page.wait_for_function(f"tapped => ({TAPPED})() === tapped", arg=tapped)
    if pad == "sum":  # which numbers stay is asked above
        return
    expect(page.locator("#state")).to_have_text("live")
    other_phone(server, page, int(bool(HALF[pad][0])), **legal(pad))

    expect(page.locator("#entry-says")).to_contain_text("Another phone just moved.")
    assert page.evaluate(TAPPED) == tapped
    page.get_by_role("button", name="Show the pad as it is now").click()
    expect(page.locator("#entry-says")).not_to_contain_text("Another phone")
    assert page.evaluate(TAPPED) != tapped


def test_a_roll_begun_before_another_phones_counts_only_once_a_person_says_so(opened, server):
    """Both phones enter the same roll: it counted twice where the second die was tapped last."""
    page, _tapped = half(opened, server, "beat_the_odds")
    first = page.get_by_role("button", name="First die: 2")
    second = page.get_by_role("button", name=re.compile("Second die.*: 1"))
    says, mine = page.locator("#entry-says"), page.get_by_role("button", name="Count mine too")
    expect(page.locator("#prompt")).to_contain_text("Ana rolls both dice")

    other_phone(server, page, 1, move="Roll", low=1, high=2)
    expect(says).to_contain_text("Another phone just moved.")
    second.click()
    expect(says).to_contain_text("Another phone was first: ")
    steps(page, 2)
    mine.click()
    steps(page, 3)

    first.click()
    other_phone(server, page, 3, move="Roll", low=1, high=1)  # the turn passes
    expect(says).to_contain_text("Another phone just moved.")
    second.click()
    theirs = page.get_by_role("button", name="Count it for Ben")
    expect(theirs).to_be_visible()
    expect(mine).to_have_count(0)
    theirs.click()
    steps(page, 5)

    first.click()
    other_phone(server, page, 5, move="Roll", low=1, high=2)
    expect(says).to_contain_text("Another phone just moved.")
    first.click()  # taken back, it offered an older pad than the one that was shown
    other_phone(server, page, 6, move="Roll", low=1, high=4)
    steps(page, 7)
    expect(says).not_to_contain_text("Another phone")


@pytest.mark.release
def test_a_half_tapped_move_comes_after_what_waited_on_the_same_phone(opened, server):
    page, _tapped = half(opened, server, "beat_the_odds")
    page.context.set_offline(True)
    second = page.get_by_role("button", name=re.compile("Second die.*: 1"))
    second.click()
    expect(page.locator("#entry-says")).to_contain_text("kept on this phone")
    page.get_by_role("button", name="First die: 4").click()

    page.context.set_offline(False)

    steps(page, 2)
    expect(page.locator("#entry-says")).to_have_text("Show the pad as it is now")
    second.click()
    steps(page, 3)


@pytest.mark.release
def test_a_half_tapped_move_is_gone_once_it_counted_or_another_one_did(opened, server):
    page, _tapped = half(opened, server, "gords")
    page.locator("#foot .main").click()
    expect(page.locator("#prompt")).to_contain_text("Ben")
    kept = "Object.keys(sessionStorage).filter((key) => key.startsWith('half'))"
    assert page.evaluate(kept) == []

    page, _tapped = half(opened, server, "beat_the_odds")
    other_phone(server, page, 1, move="Roll", low=1, high=2)
    page.reload()
    expect(page.locator("#state")).to_have_text("live")
    expect(page.locator("#entry [aria-pressed=true]")).to_have_count(0)


def test_a_step_at_one_table_leaves_what_is_half_tapped_at_another(opened, server):
    agreed = [{**AGREED[0], "table": table} for table in (0, 1)]
    page = live_match(opened, server, "beat_the_odds", *NAMES[:4], opening=agreed, **FOUR)
    first, second = page.locator("#entry .pads").all()
    first.get_by_role("button", name="First die: 2").click()
    picked = first.locator("[aria-pressed=true]")

    second.get_by_role("button", name="First die: 3").click()
    second.get_by_role("button", name=re.compile("Second die.*: 4")).click()

    steps(page, 2)
    expect(picked).to_have_accessible_name("First die: 2")
    after = page.evaluate("JSON.parse(document.querySelector('[data-table]').dataset.table).seq")
    other_phone(server, page, after, move="Roll", low=2, high=4, table=1)
    steps(page, 3)
    expect(picked).to_have_accessible_name("First die: 2")
    expect(page.locator("#entry-says")).to_have_text("The next tap counts.")
    first.get_by_role("button", name=re.compile("Second die.*: 6")).click()
    steps(page, 4)
