"""The entry panel: in every game what is tapped first lies above the dock, and nothing jumps."""

import re

import pytest
from playwright.sync_api import expect

from scorer.games import GAMES
from tests import matches
from tests.browser.play.test_farkle_and_gords import farkle
from tests.browser.play.test_games import live_match, match, steps
from tests.grids import combined, few, without
from tests.matches import AGREED, POOL

pytestmark = pytest.mark.browser

SIZES = ((360, 740), (390, 844))
NAMES = ("Alexandra", "Ben", "Cyd", "Dan", "Eve", "Fay", "Gus", "Hal", "Ivy", "Jon")
BEGUN = {name: matches.BEGUN[name] for name in ("beat_the_odds", "gords", "dice_wide_shut")}
CASES = [
    (game, players)
    for game in GAMES
    for players in few(seats for seats in (10, 3, 2) if seats in GAMES[game].seats)
]
STARTS = {"move": "Starter", "seat": 0}
DOCK = 73  # CSS px: one row, and the line above it
HEIGHT = "document.querySelector('#bar').offsetHeight"
FREE = "#entry .place.free"
FIRST = "#entry :is(.key, .pads :is(button, input))"
# Whether all of the first control is in sight above the dock, and nothing lies over it.
ABOVE = """selector => {
  const one = [...document.querySelectorAll(selector)]
    .find((each) => each.checkVisibility() && each.type !== 'hidden');
  const { x, y, width, height, bottom } = one.getBoundingClientRect();
  const over = document.elementFromPoint(x + width / 2, y + height / 2);
  const bar = document.querySelector('#bar');
  const dock = bar.checkVisibility() ? bar.getBoundingClientRect().top : innerHeight;
  return scrollY === 0 && bottom <= dock + 0.5 && (one.contains(over) || over.contains(one));
}"""


@pytest.mark.parametrize(("game", "players"), few(CASES, 3))
def test_what_is_tapped_first_lies_above_a_dock_of_one_row(opened, server, game, players):
    pairs = players > 2 and game == "dice_wide_shut"  # a tournament: all roll at their tables
    opening = () if pairs else BEGUN.get(game, ())
    page = live_match(opened, server, game, *NAMES[:players], opening=opening)
    expect(page.locator(FIRST).first).to_be_attached()

    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(ABOVE, arg=FIRST)
        assert page.evaluate(HEIGHT) <= DOCK, width


def test_digits_press_faces_enter_the_green_button_and_a_key_takes_back(opened, server):
    page = farkle(opened, server)
    page.locator("#entry .key").first.focus()
    for key in "321465":
        page.keyboard.press(key)
    expect(page.locator("#foot .main")).to_contain_text("Bank 150")

    page.keyboard.press("Enter")
    steps(page, 1)
    expect(page.locator("#entry .key").first).to_be_focused()
    page.keyboard.press("Control+z")

    expect(page.locator("dialog.over")).to_be_visible()


@pytest.mark.parametrize(
    ("game", "opening", "keys", "ready"),
    [
        ("dice_wide_shut", [STARTS], ("add red 3", "add blue 2"), "Tap 5 more dice"),
        ("gords", AGREED, ("Face: 3", "How many, ones included: 3", "Face: 4"), "Bid 3 fours"),
    ],
)
def test_enter_on_a_key_that_is_not_tapped_taps_it(opened, server, game, opening, keys, ready):
    page = live_match(opened, server, game, "Ana", "Ben", opening=opening)
    for key in keys:
        page.get_by_role("button", name=key, exact=True).focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name=key, exact=True)).to_be_focused()

    expect(page.locator("#foot .main")).to_have_text(ready)


def test_points_of_the_panel_are_counted_by_the_dock_beside_the_other_ways(opened, server):
    page = match(opened, server, "sum", "Ana", "Ben")
    page.get_by_label("Points of Ana").fill("5")
    page.get_by_label("Points of Ben").fill("7")
    expect(page.locator("#foot .main")).to_be_visible()
    page.get_by_role("button", name="Other ways to photograph").click()
    page.locator("#ways").get_by_role("button", name="Tap in").click()
    expect(page.locator("#look")).to_be_visible()
    page.get_by_role("button", name="Back").click()

    page.locator("#foot .main").click()

    steps(page, 1)
    expect(page.locator("#strip")).to_contain_text("7")
    expect(page.locator("#foot button")).to_have_count(0)
    expect(page.get_by_role("button", name="Tap in")).to_be_visible()
    page.get_by_label("Points of Ana").fill("3")
    page.get_by_label("Points of Ben").fill("1")
    page.locator("#entry").get_by_role("button", name="End it here").click()

    expect(page.locator("#result-title")).to_be_visible()
    expect(page.locator("#scores")).to_contain_text("8")  # what was typed is not lost


FOUR = {"match": "tournament", "tournament_rounds": 1}


def test_each_table_of_a_tournament_has_the_buttons_of_its_own_move(opened, server):
    rolls = [{"move": "Roll", "pips": 5, "table": table} for table in (0, 1)]
    page = match(opened, server, "pig", *NAMES[:4], opening=rolls, **FOUR)
    first, second = page.locator("#entry .pads").all()
    expect(page.locator("#state")).to_have_text("live")
    expect(first.locator(".entry-foot button")).to_contain_text("Hold")
    asked = ["Alexandra rolls again or holds 5.", "Cyd rolls again or holds 5."]
    expect(page.locator("#entry .asks")).to_have_text(asked)

    second.locator(".entry-foot button").click()

    expect(second.locator(".entry-foot button")).to_have_count(0)
    expect(first.locator(".entry-foot button")).to_contain_text("Hold")
    expect(page.locator("#prompt")).to_contain_text("table 2: Dan rolls")


def test_dice_tapped_at_the_second_table_are_its_own_and_there_in_another_language(opened, server):
    begun = [{"move": "Starter", "seat": 0, "table": table} for table in (0, 1)]
    page = live_match(opened, server, "dice_wide_shut", *NAMES[:4], opening=begun, **FOUR)
    first, second = page.locator("#entry [data-roll]").all()
    second.locator('.key[data-colour="red"][data-key="4"]').click()
    expect(second.locator(".slots button")).to_have_count(1)
    expect(first.locator(".slots button")).to_have_count(0)

    german = {"name": "language", "value": "de", "url": server.address}
    page.context.add_cookies([german])
    page.reload()

    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("#entry [data-roll]").last.locator(".slots button")).to_have_count(1)
    page.context.clear_cookies(name="language")


def test_each_table_has_the_sheet_and_the_dice_of_its_own_players(opened, server):
    other = [["red", 6], ["red", 6], ["red", 5], ["blue", 4], ["blue", 4], ["blue", 3]]
    rolls = [POOL, [*other, ["purple", 6]]]
    begun = [{"move": "Starter", "seat": 0, "table": table} for table in (0, 1)]
    begun += [{"move": "Roll", "dice": dice, "table": table} for table, dice in enumerate(rolls)]
    page = match(opened, server, "dice_wide_shut", *NAMES[:4], opening=begun, **FOUR)
    first, second = page.locator("#entry .pads").all()
    expect(page.locator("#state")).to_have_text("live")
    expect(second.get_by_role("heading", name="the dice or Cyd's sheet")).to_be_attached()

    second.get_by_role("button", name="take blue 3").click()
    second.get_by_role("button", name="take blue 4").first.click()
    second.locator(".entry-foot .main").click()

    steps(page, 2)  # the opening is one
    expect(page.locator("#newest")).to_contain_text("Cyd")
    expect(first.locator(".square.new")).to_have_count(0)


# A move of each game by the taps of the design: keys by their names, or selectors.
MOVES = {
    "pig": ([], ["Ana rolls 3"]),
    "beat_the_odds": (AGREED, ["First die: 2", "Second die.*: 5"]),
    "gords": (AGREED, ["Face: 3", "ones included: 4", "#foot .main"]),
    "farkle": ([{"move": "Roll", "dice": [1, 2, 3, 4, 5, 6]}], ["Bank 150"]),
    "purple_house": (matches.BEGUN["purple_house"], ["Black 3"]),
    "even_at_odds": (matches.BEGUN["even_at_odds"], ["the tile 0-1", FREE, "#foot .main"]),
    "dice_wide_shut": (BEGUN["dice_wide_shut"], ["take red 1", "take red 2", "#foot .main"]),
    "sum": ([], ["Points of Ana", "#foot .main"]),
}
SCREENS = (*SIZES, (844, 390))
# The first of some elements that is whole in sight, and not below another.
UNCOVERED = """every => every.findIndex((one) => {
  const { x, y, width, height, bottom } = one.getBoundingClientRect();
  const covers = [y + 1, y + height / 2, bottom - 1].map((at) =>
    document.elementFromPoint(x + width / 2, at));
  return one.checkVisibility() && covers.every((over) => over && one.contains(over));
})"""


def sized(opened, server, game, screen):
    """Open a match of MOVES on a *screen*; return its page, and the number of its newest step."""
    page = opened("about:blank")
    page.set_viewport_size(dict(zip(("width", "height"), screen, strict=True)))
    made = server.match(game, "Ana", "Ben", opening=MOVES[game][0])
    page.goto(made["url"])
    expect(page.locator("#state")).to_have_text("live")
    return page, made["seq"]


@pytest.mark.parametrize(("game", "screen"), combined(few(GAMES, 3), SCREENS))
def test_a_move_takes_the_taps_of_the_design_in_sight_on_each_screen(opened, server, game, screen):
    page, seq = sized(opened, server, game, screen)
    for words in MOVES[game][1]:
        tap(page, words)
        assert page.evaluate("scrollY") <= 2, words

    steps(page, seq + 1)
    assert page.evaluate("scrollY") <= 2


@pytest.mark.parametrize(
    ("game", "screen"),
    combined(without(GAMES, "beat_the_odds", "farkle", "gords", "pig"), SCREENS[::2]),
)
def test_no_tap_on_a_pad_scrolls_a_page_that_was_scrolled(opened, server, game, screen):
    page, _seq = sized(opened, server, game, screen)
    page.evaluate("scrollTo(0, 100)")
    for words in MOVES[game][1][:-1]:  # the last one stores
        tap(page, words)
        assert abs(page.evaluate("scrollY") - 100) <= 2, words


def tap(page, words):
    """Tap what has these words as its name where it is in sight; into a field type a number."""
    found = named(page, words)
    expect(found.first).to_be_attached()
    at = found.evaluate_all(UNCOVERED)
    assert at >= 0, words
    found.nth(at).tap()
    if words.startswith("Points of"):
        page.keyboard.type("12")


def named(page, words):
    """Return what has these words as its name on the panel or in the dock, or a selector finds."""
    if words.startswith("#"):
        return page.locator(words)
    panel, label = page.locator("#entry, #bar"), re.compile(words)
    return panel.get_by_role("button", name=label).or_(panel.get_by_label(label))
