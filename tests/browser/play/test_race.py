"""A race on the pages in Chromium, as people with phones play it."""

import pytest
from playwright.sync_api import expect

from tests.browser.phones import RACE, HeldRequests, eyes, photo
from tests.browser.race_pages import (
    START,
    answer,
    cell,
    confirm,
    correct,
    expect_score,
    ready_match,
    take_photo,
)
from tests.conftest import AGREE, board_moves

pytestmark = pytest.mark.browser


# ---------------------------------------------------------------- a whole race


def placed(number):
    """Return the moves that fill the grid in a round of the race, from 1."""
    played = RACE["rounds"][number - 1]
    board = tuple(word.lower() for row in played["grid"] for word in row)
    return board_moves(board, played["starter"])


BY_PHOTO = len(RACE["rounds"]) - 1  # the first round that is read from photos


def test_a_race_to_50_is_ended_from_photos_and_followed_live(opened, server, show):
    before = [move for number in range(1, BY_PHOTO) for move in placed(number)]
    url = server.match("purple_house", "Ana", "Ben", opening=[AGREE, *before])["url"]
    page = opened(url)
    follower = opened(page.url)
    follower.evaluate("window.neverReloaded = true")

    for number in range(BY_PHOTO, len(RACE["rounds"]) + 1):
        show(eyes(number % 9, board=f"race-{number:02}"))
        played = RACE["rounds"][number - 1]
        take_photo(page, photo(number))
        if number == BY_PHOTO:  # a person's wrong tap can be tapped right again
            cell(page, 1, 1).click()
            answer(page, "white", 6)
        correct(page, played["grid"])
        confirm(page)
        expect_score(page, **played["total"])
        expect_score(follower, **played["total"])
        if number == BY_PHOTO:
            undo_and_count_again(page, follower, number)

    total = RACE["rounds"][-1]["total"]
    winner = f"Ana wins {total['black']} to {total['white']}"
    for each in (page, follower):
        expect(each.locator("#result-title")).to_have_text("Ana wins")
        expect(each.locator("#result")).to_contain_text(winner)
        expect(each.locator("#bar")).to_be_hidden()
    assert follower.evaluate("window.neverReloaded")

    page.get_by_role("button", name="New match with the same players").click()
    expect(page.locator("#prompt")).to_contain_text("Ana and Ben roll one die each")


@pytest.mark.release
def test_a_photo_is_of_the_next_round_though_the_tally_of_the_last_is_on_its_way(
    opened, server, show
):
    page = ready_match(opened, server)
    show(eyes())
    take_photo(page, photo(1))
    late = HeldRequests("**/tally").of(page)
    confirm(page)
    late.wait()
    show(eyes(board="race-02"))
    take_photo(page, photo(2))

    late.go_on()

    expect_score(page, **RACE["rounds"][0]["total"])
    confirm(page)
    expect_score(page, **RACE["rounds"][1]["total"])
    expect(page.locator(".history > li")).to_have_count(3)


OVER = {"match": "single", "single_round_tie": "draw"}


def ended_match(opened, server):
    """Open a match of one round that has been played."""
    page = opened(server.match("purple_house", "Ana", "Ben", opening=[AGREE], **OVER)["url"])
    take_photo(page, photo(1))
    confirm(page)
    expect(page.locator("#result-title")).to_be_focused()
    return page


@pytest.mark.release
def test_every_phone_follows_to_the_new_match_and_finds_back(opened, server):
    page = ended_match(opened, server)
    follower = opened(page.url)
    expect(follower.locator("#state")).to_have_text("live")
    ended = page.url

    page.get_by_role("button", name="New match with the same players").click()

    for each in (page, follower):
        expect(each.locator("#before")).to_contain_text("Back to the previous match")
    assert page.url == follower.url != ended
    follower.get_by_role("link", name="Back to the previous match").click()
    expect(follower.locator("#result-title")).to_be_visible()
    expect(follower).to_have_url(ended)  # and it stays there
    follower.get_by_role("link", name="Go to the new match").click()
    expect(follower).to_have_url(page.url)


def undo_and_count_again(page, follower, number):
    page.get_by_role("link", name="Undo").click()
    page.get_by_role("button", name="Take back").click()
    for each in (page, follower):
        expect_score(each, **RACE["rounds"][number - 2]["total"])
        expect(each.locator(".undone .said")).to_have_count(1)
    take_photo(page, photo(number))
    correct(page, RACE["rounds"][number - 1]["grid"])
    confirm(page)
    expect_score(follower, **RACE["rounds"][number - 1]["total"])


# ---------------------------------------------------------------- starting and joining


def test_a_second_phone_joins_by_code_and_a_wrong_one_leaves_what_was_typed(opened, server):
    page = ready_match(opened, server)
    code = page.locator("#match-code").inner_text()
    other = opened(server.address)
    field, join = other.get_by_label("Code of the match"), other.get_by_role("button", name="Join")
    other.get_by_label("Player 1").fill("Cyd")
    field.fill("NOPE")
    join.click()
    expect(other.locator("#fault")).to_contain_text("No match has this code")
    expect(field).to_have_value("NOPE")
    expect(other.get_by_label("Player 1")).to_have_value("Cyd")

    field.fill(code.lower())
    join.click()

    expect(other).to_have_url(page.url)


@pytest.mark.release
def test_house_rules_that_do_not_matter_step_aside(opened, server):
    page = opened(server.address)
    page.get_by_text("House rules").click()
    gated = page.get_by_label("Even harder game: reversed aim")
    expect(gated).to_be_hidden()

    page.get_by_label("An even harder game: only lines of one colour count").check()

    expect(gated).to_be_visible()


LONG_NAMES = (
    ("A" * 30, "A" * 24),
    ("🎲" * 30, "🎲" * 24),  # two UTF-16 units each
    ("e\u0301" * 30, "e\u0301" * 24),  # one letter each once normalised
    ("A" * 12 + "   " + "B" * 30, "A" * 12 + "   " + "B" * 11),  # spaces become one
)


@pytest.mark.release
def test_a_name_field_ends_where_the_server_does(opened, server):
    page = opened(f"{server.address}?game=pig&players={len(LONG_NAMES)}")

    for seat, (typed, kept) in enumerate(LONG_NAMES, start=1):
        page.get_by_label(f"Player {seat}").fill(typed)
        expect(page.get_by_label(f"Player {seat}")).to_have_value(kept)
        expect(page.locator("#name-end")).to_have_text("A name has up to 24 letters.")
    page.get_by_role("button", name=START).click()
    expect(page.locator("#prompt")).to_be_visible()


# ---------------------------------------------------------------- on any phone
