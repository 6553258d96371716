"""The start page as a person taps it: which game, who plays, by which rules."""

import re

import pytest
from playwright.sync_api import expect

from scorer.games import GAMES
from tests.browser.race_pages import START
from tests.browser.sight.fits import check_layout
from tests.grids import few

pytestmark = pytest.mark.browser

SCRIPTS = {"scripts": {}, "none": {"java_script_enabled": False}}
# Forms that are sent without scripts have tests of their own in tests/webui/pages/.
WITH_AND_WITHOUT_SCRIPTS = pytest.mark.parametrize(
    "options", few(SCRIPTS.values()), ids=few(SCRIPTS)
)
THREE = ("Ana", "Ben", "Cyd")


def type_names(page, *names):
    for seat, name in enumerate(names, start=1):
        page.get_by_label(f"Player {seat}", exact=True).fill(name)


def expect_names(page, *names):
    """Wait for the rows of a page that may still be on its way: a form without scripts loads it."""
    rows = page.get_by_placeholder("Name")
    expect(rows).to_have_count(len(names))
    for row, name in zip(rows.all(), names, strict=True):
        expect(row).to_have_value(name)


def add_player(page, name):
    page.get_by_role("button", name="Add a player").click()
    new = page.get_by_placeholder("Name").last
    expect(new).to_be_focused()
    new.fill(name)


def choose(page, game):
    page.get_by_role("button", name=re.compile(f"^{re.escape(game)} ")).click()
    expect(page.locator(".game[aria-pressed=true] .name")).to_have_text(game)


def played(opened, server, game, *names, **rest):
    """Return the start page of a phone that has opened a match."""
    options = rest.pop("options", {})
    page = opened(server.match(game, *names, **rest)["url"], **options)
    page.goto(server.address)
    return page


@WITH_AND_WITHOUT_SCRIPTS
def test_one_plays_alone_and_a_table_of_three_is_made_by_tapping(opened, server, options):
    page = opened(server.address, **options)
    page.get_by_role("button", name="Take seat 2 out").click()
    expect(page.get_by_role("button", name=re.compile("^(Take|Move) "))).to_have_count(0)
    choose(page, "Pig")
    type_names(page, "Ana", "Ben")

    add_player(page, "Cyd")
    add_player(page, "Dan")
    page.get_by_role("button", name=re.compile("^Take .* out")).last.click()
    expect(page.get_by_placeholder("Name")).to_have_count(3)
    page.get_by_role("button", name=START).click()

    expect(page.locator(".score .name")).to_have_text(THREE)


@pytest.mark.parametrize("game", few(GAMES.values()), ids=few(GAMES))
def test_three_taps_lead_to_the_first_page_of_any_game(opened, server, game):
    page = played(opened, server, "farkle", "Ana", "Ben")

    page.get_by_role("link", name="Pipsight").click()
    choose(page, game.title)
    page.get_by_role("button", name=START).click()

    expect(page.locator(".top h1, .top .title")).to_contain_text(game.title)
    expect(page.locator(".score .name").first).to_have_text("Ana")


@pytest.mark.release
@pytest.mark.parametrize("game", few([*GAMES.values()][1:]), ids=few([*GAMES][1:]))
def test_what_is_tried_is_the_game_that_is_chosen(opened, server, game):
    page = opened(server.address)
    choose(page, game.title)

    page.locator("#try button").click()

    expect(page.locator("main.match")).to_be_visible()
    expect(page).to_have_title(re.compile(game.title))


@pytest.mark.release
@WITH_AND_WITHOUT_SCRIPTS
def test_players_of_before_are_there_and_those_before_them_by_a_tap(opened, server, options):
    page = played(opened, server, "pig", "Cyd", "Player 2", options=options)
    page.goto(server.match("gords", "Ana", "Ben")["url"])
    page.goto(server.address)
    expect_names(page, "Ana", "Ben")
    expect(page.locator(".game[aria-pressed=true] .name")).to_have_text("Gords")

    page.get_by_role("button", name="Add Cyd").click()

    expect(page.get_by_role("button", name="Add Cyd")).to_have_count(0)
    expect_names(page, *THREE)
    expect(page.get_by_role("button", name="Add Player 2")).to_have_count(0)  # who gave no name


@pytest.mark.release
@WITH_AND_WITHOUT_SCRIPTS
def test_players_change_places_by_buttons_that_say_so(opened, server, options):
    page = played(opened, server, "gords", *THREE, options=options)
    page.locator(".swatches").last.locator("summary").click()
    page.locator(".swatches").last.get_by_text("pink").click()

    page.get_by_role("button", name="Move Cyd up, to seat 2 of 3").click()
    moved = page.get_by_role("button", name="Move Cyd up, to seat 1 of 3")
    expect(moved).to_be_focused()
    moved.click()
    down = page.get_by_role("button", name="Move Cyd down, to seat 2 of 3")
    expect(down).to_be_focused()

    expect_names(page, "Cyd", "Ana", "Ben")
    expect(page.locator(".swatches summary").first).to_contain_text("pink")  # the dice are Cyd's


@pytest.mark.release
def test_players_are_dragged_to_their_places(opened, server):
    page = played(opened, server, "pig", *THREE)
    first, last = (page.locator(".grip").nth(place) for place in (0, 2))
    last.scroll_into_view_if_needed()
    start, end = first.bounding_box(), last.bounding_box()

    page.mouse.move(start["x"] + 20, start["y"] + 20)
    page.mouse.down()
    page.mouse.move(end["x"] + 20, end["y"] + end["height"] + 20, steps=5)
    page.mouse.up()

    expect(page.get_by_label("Player 3", exact=True)).to_have_value("Ana")
    expect_names(page, "Ben", "Cyd", "Ana")


@WITH_AND_WITHOUT_SCRIPTS
def test_the_settings_of_the_last_match_are_one_tap(opened, server, options):
    rules = {"target": 75, "variant": "harder"}
    page = played(opened, server, "purple_house", "Ana", "Ben", options=options, **rules)
    last = page.get_by_role("button", name="As last time")
    expect(last).to_contain_text("75")

    last.click()

    expect(last).to_have_count(0)
    expect(page.get_by_label("or another")).to_have_value("75")
    expect(page.get_by_label("A harder game: every line counts")).to_be_checked()
    page.get_by_role("button", name=START).click()
    expect(page.get_by_text("to 75")).to_be_visible()


@pytest.mark.release
def test_a_typed_code_leads_to_the_big_screen_as_well(opened, server):
    page = opened(server.address)
    page.get_by_label("Code of the match").fill(server.match("pig", "Ana", "Ben")["code"])

    page.get_by_role("button", name="Big screen").click()

    expect(page).to_have_url(re.compile("/board"))
    expect(page.get_by_text("Ana").first).to_be_visible()


@pytest.mark.release
@pytest.mark.parametrize(
    ("options", "field"),
    [({}, "Player 2"), ({"java_script_enabled": False}, "Points that win the game")],
)
def test_enter_starts_the_match(opened, server, options, field):
    page = opened(f"{server.address}?game=pig", **options)
    type_names(page, "Ana", "Ben")
    page.get_by_label("Points that win the game").fill("30")

    page.get_by_label(field, exact=True).press("Enter")

    expect(page.locator("#prompt")).to_have_text("Ana rolls the die.")
    expect(page.get_by_text("to 30", exact=True)).to_be_visible()


@pytest.mark.release
def test_another_player_leaves_what_was_chosen_and_the_house_rules_as_they_were(opened, server):
    page = opened(f"{server.address}?game=gords")
    type_names(page, "Ann", "Ben")
    page.locator(".swatches").first.locator("summary").click()
    page.locator(".swatches").first.get_by_text("green").click()

    page.get_by_role("button", name="Add a player").click()

    said = page.locator(".swatches summary")
    expect(said).to_have_text(["Dice: green", "Dice: blue", "Dice: yellow"])  # no two the same
    expect(page.get_by_label("Player 2", exact=True)).to_have_value("Ben")
    rules = page.get_by_label("Bidding ones on a number place")
    expect(rules).to_be_hidden()
    page.get_by_text("House rules").click()
    rules.select_option("Allowed: then only ones count")
    page.get_by_role("button", name="Add a player").click()
    expect(page.get_by_placeholder("Name")).to_have_count(4)
    expect(rules).to_have_value("true")
    expect(rules).to_be_visible()


@pytest.mark.release
def test_enter_in_a_name_leads_to_the_next_and_another_game_keeps_the_players(opened, server):
    page = opened(server.address)
    page.get_by_label("Player 1", exact=True).press("Enter")
    expect(page.get_by_label("Player 2", exact=True)).to_be_focused()
    type_names(page, "Ana", "Ben")
    page.get_by_label("25 points").check()

    choose(page, "Farkle")

    expect(page.get_by_label("Player 2", exact=True)).to_have_value("Ben")
    page.get_by_role("button", name=START).click()
    expect(page.get_by_text("to 10000", exact=True)).to_be_visible()


@pytest.mark.release
def test_nothing_of_the_start_page_leaves_its_box_or_is_covered(opened, server):
    page = played(opened, server, "gords", "Wolfeschlegelsteinhausen", *THREE, call_by="anyone")
    expect(page.get_by_role("button", name="As last time")).to_be_visible()
    check_layout(page, least=44)


@pytest.mark.release
def test_taps_and_names_while_an_answer_is_on_its_way_are_all_done(opened, server):
    page = opened(server.address, own=True)
    page.route(re.compile(r"/\?"), lambda route: (page.wait_for_timeout(300), route.continue_()))

    page.get_by_role("button", name=re.compile("^Pig ")).click()
    for _ in range(3):
        page.get_by_role("button", name="Add a player").click()
    type_names(page, "Ana", "Ben")
    page.locator(".dock .main").click()

    expect(page).to_have_url(re.compile("/m/"))
    expect(page.locator("h1").first).to_have_text("Pig: Ana, Ben, Player 3, Player 4, Player 5")


@pytest.mark.release
def test_who_writes_while_an_answer_is_on_its_way_writes_on(opened, server):
    page = opened(server.address, own=True)
    page.route(re.compile(r"/\?"), lambda route: (page.wait_for_timeout(300), route.continue_()))
    first = page.get_by_label("Player 1", exact=True)

    page.get_by_role("button", name="Add a player").click()
    first.press_sequentially("Ana B")
    expect(page.get_by_placeholder("Name")).to_have_count(3)
    page.keyboard.type("ertha")

    expect(first).to_have_value("Ana Bertha")


@pytest.mark.release
@WITH_AND_WITHOUT_SCRIPTS
def test_the_language_changes_and_what_is_typed_stays(opened, server, options):
    page = opened(server.address, **options)
    type_names(page, "Ana", "Ben")
    page.get_by_role("button", name="Deutsch").click()

    expect(page.get_by_role("heading", name="Wer spielt?")).to_be_visible()
    expect_names(page, "Ana", "Ben")
