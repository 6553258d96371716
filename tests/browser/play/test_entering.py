"""News of other phones never touches what a person is entering."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

OPENING = [{"move": "Enter", "seat": 0, "points": 12}]
GORDS = [{"move": "Agree", "starter": 0}]


def other_phone(server, match, after, **move):
    server.post(f"matches/{match['id']}/moves", {"after": after, "moves": [move]})


def steps(page, number):
    expect(page.locator(".history > li")).to_have_count(number)


def test_a_half_typed_number_stays_when_another_phone_enters_one_and_counts_for_its_player(
    opened, server
):
    match = server.match("sum", "Ada", "Ben", "Cleo")
    page = opened(match["url"])
    page.get_by_label("Points of Ben").fill("7")
    page.get_by_label("Points of Cleo").focus()

    other_phone(server, match, 0, move="Enter", seat=0, points=12)
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
    match = server.match("sum", "Ada", "Ben", "Cleo")
    page = opened(match["url"])
    page.get_by_label("Points of Ada").fill("9")

    other_phone(server, match, 0, move="Enter", seat=0, points=12)
    steps(page, 1)

    expect(page.get_by_label("Points of Ada")).to_have_value("9")
    page.get_by_role("button", name="Enter these").click()
    expect(page.locator("#entry-says")).to_be_visible()
    expect(page.get_by_label("Points of Ada")).to_have_value("9")
    expect(page.locator('[data-score="0"]')).to_have_text("12")


def test_a_half_typed_name_stays_when_another_phone_moves(opened, server):
    match = server.match("pig", "Ada", "Ben")
    page = opened(match["url"])
    page.locator("#players > summary").click()
    page.locator("#player-0 > details > summary").click()
    page.get_by_label("New name for Ada").fill("Adel")
    page.locator("#prompt").focus()

    with page.expect_response("**/players/list"):
        other_phone(server, match, 0, move="Roll", pips=3)
    steps(page, 1)

    expect(page.get_by_label("New name for Ada")).to_have_value("Adel")


def test_a_half_tapped_pad_stays_when_another_phone_moves(opened, server):
    match = server.match("gords", "Ada", "Ben", opening=GORDS)
    page = opened(match["url"])
    number = page.get_by_role("button", name="How many, ones included: 2")
    number.click()
    expect(number).to_have_attribute("aria-pressed", "true")

    other_phone(server, match, match["seq"], move="Bid", space="1", face=2)
    steps(page, match["seq"] + 1)

    expect(number).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#entry-says")).to_contain_text("Another phone just moved.")
    page.get_by_role("button", name="Show the pad as it is now").click()
    expect(page.locator("#prompt")).to_contain_text("bids higher than 1 two")
    expect(number).to_have_attribute("aria-pressed", "false")


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
