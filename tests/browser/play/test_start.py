"""The start page as a person taps it: who plays, which game, by which rules."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.phones import BrowserServer, Open

pytestmark = pytest.mark.browser

WITH_AND_WITHOUT_SCRIPTS = pytest.mark.parametrize(
    "options", [{}, {"java_script_enabled": False}], ids=["scripts", "none"]
)


def type_names(page: Page, *names: str) -> None:
    for seat, name in enumerate(names, start=1):
        page.get_by_label(f"Player {seat}", exact=True).fill(name)


def add_player(page: Page, name: str) -> None:
    page.get_by_role("button", name="Add a player").click()
    new = page.get_by_placeholder("Name").last
    expect(new).to_be_focused()
    new.fill(name)


@WITH_AND_WITHOUT_SCRIPTS
def test_a_table_of_three_is_made_by_tapping(
    opened: Open, server: BrowserServer, options: dict[str, bool]
) -> None:
    page = opened(server.address, **options)
    page.get_by_text("Another game").click()
    page.get_by_role("button", name="Pig").click()
    type_names(page, "Ana", "Ben")

    add_player(page, "Cyd")
    add_player(page, "Dan")
    page.get_by_role("button", name="Remove a player").click()
    expect(page.get_by_placeholder("Name")).to_have_count(3)
    page.get_by_role("button", name="Start the match").click()

    expect(page.locator(".score .name")).to_have_text(["Ana", "Ben", "Cyd"])


@WITH_AND_WITHOUT_SCRIPTS
def test_one_player_plays_alone_by_tapping(
    opened: Open, server: BrowserServer, options: dict[str, bool]
) -> None:
    page = opened(server.address, **options)
    type_names(page, "Ana")

    page.get_by_role("button", name="Remove a player").click()
    expect(page.get_by_role("button", name="Remove a player")).to_have_count(0)
    page.get_by_role("button", name="Start the match").click()

    expect(page.locator(".score .name").first).to_have_text("Ana")


@pytest.mark.parametrize(
    ("options", "field"),
    [({}, "Player 1"), ({"java_script_enabled": False}, "Points that win the game")],
)
def test_enter_starts_the_match(
    opened: Open, server: BrowserServer, options: dict[str, bool], field: str
) -> None:
    page = opened(f"{server.address}?game=pig", **options)
    type_names(page, "Ana", "Ben")
    page.get_by_text("House rules").click()
    page.get_by_label("Points that win the game").fill("30")

    page.get_by_label(field, exact=True).press("Enter")

    expect(page.locator("#prompt")).to_have_text("Ana rolls the die.")
    expect(page.get_by_text("Pig · to 30")).to_be_visible()


def test_another_player_leaves_what_was_chosen_and_the_house_rules_as_they_were(
    opened: Open, server: BrowserServer
) -> None:
    page = opened(f"{server.address}?game=gords")
    type_names(page, "Ann", "Ben")
    page.locator(".swatches").first.locator("summary").click()
    page.locator(".swatches").first.get_by_text("green").click()

    page.get_by_role("button", name="Add a player").click()

    said = page.locator(".swatches summary")
    expect(said).to_have_text(["Dice: green", "Dice: blue", "Dice: yellow"])  # no two the same
    expect(page.get_by_label("Player 2", exact=True)).to_have_value("Ben")
    rules = page.get_by_label("Who may call a bid")
    expect(rules).to_be_hidden()
    page.get_by_text("House rules").click()
    rules.select_option("Everybody but the bidder")
    page.get_by_role("button", name="Add a player").click()
    expect(rules).to_have_value('"anyone"')
    expect(rules).to_be_visible()


def test_another_game_keeps_the_players(opened: Open, server: BrowserServer) -> None:
    page = opened(server.address)
    type_names(page, "Ana", "Ben")
    page.get_by_text("House rules").click()
    page.get_by_label("Points that end the race").select_option("25 points")

    page.get_by_text("Another game").click()
    page.get_by_role("button", name="Farkle").click()

    expect(page.get_by_label("Player 2", exact=True)).to_have_value("Ben")
    page.get_by_role("button", name="Start the match").click()
    expect(page.get_by_text("Farkle · to 10000")).to_be_visible()
