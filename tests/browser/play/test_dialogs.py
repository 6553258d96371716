"""A question is asked over what one was doing, which stays as it is when the answer is no."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.phones import photo
from tests.browser.play.test_games import live_match
from tests.browser.race_pages import answer, cell, ready_match, take_photo
from tests.browser.sight.fits import check_fits

pytestmark = pytest.mark.browser

OPENING = [{"move": "Enter", "seat": 0, "points": 12}]
DIALOG = "dialog.over"


def illegal_board(opened, server):
    """Photograph a board, and put two of its dice right so that the rules forbid it."""
    page = ready_match(opened, server)
    take_photo(page, photo(1))
    cell(page, 0, 0).locator(".hit").click()
    answer(page, "white", 6)
    cell(page, 0, 1).locator(".hit").click()
    answer(page, "white", 5)
    expect(page.locator("#play-on")).to_be_visible()
    return page


def leave(page, by):
    """Leave a question by its link or by Escape."""
    if by == "Escape":
        page.keyboard.press(by)
    else:
        page.get_by_role("link", name=by).click()
    expect(page.locator(DIALOG)).to_have_count(0)


def test_no_to_playing_on_against_the_rules_keeps_the_photo_and_every_correction(opened, server):
    page = illegal_board(opened, server)
    page.evaluate("window.neverReloaded = true")

    for by in ("No, go back", "Escape"):
        page.locator("#play-on").click()
        expect(page.locator(DIALOG)).to_contain_text("against a rule, PH-4")
        check_fits(page, least=40, widths=(360,))
        expect(page.get_by_role("link", name="No, go back")).to_be_focused()
        leave(page, by)
        expect(page.locator("#play-on")).to_be_focused()
        expect(page.locator("#overlay")).to_be_visible()
        expect(cell(page, 0, 0)).to_have_attribute("aria-label", "row 1, column 1: white 6")

    page.locator("#play-on").click()
    page.locator(DIALOG).get_by_role("button", name="Play on").click()
    expect(page.locator("#look")).to_be_hidden()
    expect(page.locator("#overridden")).to_be_visible()
    assert page.evaluate("window.neverReloaded")


def test_a_correction_on_the_photo_stays_while_one_looks_at_what_it_changes(opened, server):
    page = ready_match(opened, server)
    take_photo(page, photo(1))
    page.get_by_role("button", name="Count it").click()
    expect(page.locator(".history > li")).to_have_count(2)
    page.get_by_role("link", name="Correct step 2").click()
    page.get_by_role("link", name="Correct it on the photo").click()
    cell(page, 0, 0).locator(".hit").click()
    answer(page, "black", 4)

    page.get_by_role("button", name="See what that changes").click()
    expect(page.locator(DIALOG)).to_contain_text("Correct step 2")
    page.keyboard.press("Escape")
    expect(cell(page, 0, 0)).to_have_attribute("aria-label", "row 1, column 1: black 4")

    page.get_by_role("button", name="See what that changes").click()
    page.get_by_role("button", name="Correct it").click()
    expect(page.locator("#look")).to_be_hidden()
    expect(page.locator(".history > li")).to_have_count(4)


QUESTIONS = [
    ("Leave", "button", "No, go back"),
    ("Undo", "link", "Keep"),
    ("End the match here", "button", "No, go back"),
    ("Delete this match", "link", "Keep it"),
    ("Correct step 1", "link", "Back to the match"),
]


@pytest.mark.release
def test_a_half_typed_name_and_number_stay_while_one_is_asked_and_another_phone_moves(
    opened, server
):
    match = server.match("sum", "Ada", "Ben", "Cleo", opening=OPENING)
    page = opened(match["url"])
    page.locator("#players > summary").click()
    page.locator("#player-0 > details > summary").click()
    page.get_by_label("New name for Ada").fill("Adel")
    page.get_by_label("Points of Ben").fill("7")

    for name, kind, back in QUESTIONS:
        page.get_by_role(kind, name=name, exact=True).first.click()
        expect(page.locator(DIALOG)).to_be_visible()
        leave(page, back)
        expect(page.get_by_label("New name for Ada")).to_have_value("Adel")
        expect(page.get_by_label("Points of Ben")).to_have_value("7")
    page.locator("#prompt").focus()
    with page.expect_response("**/players/list"):  # another phone moves
        server.play(match, {"move": "Enter", "seat": 2, "points": 3})
    expect(page.get_by_label("Points of Cleo")).to_have_count(0)
    page.set_viewport_size({"width": 844, "height": 390})
    page.get_by_role("link", name="Undo").tap()
    expect(page.locator(DIALOG).get_by_role("link", name="Keep")).to_be_focused()
    assert page.locator(DIALOG).evaluate("one => one.scrollHeight <= one.clientHeight")
    leave(page, "Keep")
    expect(page.get_by_label("New name for Ada")).to_have_value("Adel")
    expect(page.get_by_label("Points of Ben")).to_have_value("7")


def test_a_half_written_note_stays_while_one_looks_at_taking_its_step_back(opened, server):
    match = server.match("pig", "Ada", "Ben", opening=[{"move": "Roll", "pips": 4}])
    page = opened(f"{match['url']}/step/1")
    page.get_by_label("A note for everybody").fill("It fell")

    page.get_by_role("link", name="Take it back").click()
    page.get_by_role("link", name="Keep").click()

    expect(page.get_by_label("A note for everybody")).to_have_value("It fell")
    page.goto(f"{match['url']}/history")  # which asks over itself too
    page.get_by_role("link", name="Take back step 1").click()
    expect(page.locator(DIALOG)).to_be_visible()
    leave(page, "Escape")
    expect(page.get_by_role("link", name="Take back step 1")).to_be_focused()


def test_a_half_typed_name_stays_when_a_match_is_forgotten_on_the_start_page(opened, server):
    page = live_match(opened, server, "pig", "Ada", "Ben")
    page.goto(f"{server.address}?game=pig")
    page.get_by_label("Player 1").fill("Adel")

    page.get_by_role("button", name="Forget the match of Ada, Ben on this phone").click()

    expect(page.locator("#mine")).to_have_count(0)
    expect(page.get_by_label("Player 1")).to_have_value("Adel")


@pytest.mark.release
def test_a_half_typed_search_stays_while_one_looks_at_deleting_a_past_match(opened, server):
    page = live_match(opened, server, "pig", "Ada", "Zoe")
    page.goto(f"{server.address}matches?player=Zoe")
    page.get_by_label("Who played").fill("Zo")
    delete = page.get_by_role("link", name="Delete the match of Ada, Zoe").first

    for by in ("Keep it", "Escape"):
        delete.click()
        expect(page.locator(DIALOG)).to_contain_text("Delete this match?")
        expect(page.get_by_role("link", name="Keep it")).to_be_focused()
        leave(page, by)
        expect(delete).to_be_focused()
        expect(page.get_by_label("Who played")).to_have_value("Zo")

    delete.click()
    page.get_by_role("button", name="Delete for good").click()
    expect(page.get_by_role("heading", name="Past matches")).to_be_visible()


@pytest.mark.release
def test_what_was_put_right_survives_a_reload_and_can_be_left_and_looked_at_again(opened, server):
    page = ready_match(opened, server)
    take_photo(page, photo(1))
    cell(page, 0, 0).locator(".hit").click()
    answer(page, "black", 5)
    right = "row 1, column 1: black 5"
    expect(cell(page, 0, 0)).to_have_attribute("aria-label", right)
    expect(page.locator("#preview")).to_contain_text("Row 1: 5 + 1 + 1 = 7")

    page.reload()
    expect(cell(page, 0, 0)).to_have_attribute("aria-label", right)
    expect(page.locator("#overlay image")).to_have_attribute("href", re.compile(r"/photos/\w+.jpg"))
    page.get_by_role("button", name="Back", exact=True).click()
    expect(page.locator("#undecided")).to_contain_text("You left it before it was counted.")
    page.get_by_role("button", name=re.compile("^(Look again|Read it now)")).click()

    expect(cell(page, 0, 0)).to_have_attribute("aria-label", right)
    expect(page.locator("#undecided")).to_be_hidden()
