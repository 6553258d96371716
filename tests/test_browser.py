"""The pages in Chromium, as people with phones use them."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import cv2
import numpy as np
import pytest
from playwright.sync_api import Locator, Page, Route, expect

from scorer import Equipment
from tests.browser import (
    COLOURS,
    DEMO,
    PATIENCE,
    RACE,
    BrowserServer,
    Grid,
    Open,
    Show,
    eyes,
    photo,
    serving,
)
from tests.conftest import AGREE, board_moves
from webui import bridge
from webui.bridge import PhotoReading

pytestmark = pytest.mark.browser
expect.set_options(timeout=PATIENCE)

GRID: Grid = RACE["rounds"][0]["grid"]
ROUND_1 = RACE["rounds"][0]["score"]


def start_match(page: Page, *names: str) -> None:
    for seat, name in enumerate(names or ("Ana", "Ben"), start=1):
        page.get_by_label(f"Player {seat}").fill(name)
    page.get_by_role("button", name="Start the match").click()


def ready_match(opened: Open, server: BrowserServer) -> Page:
    """Open a match in which Ana starts and has black."""
    return opened(server.match("purple_house", "Ana", "Ben", opening=[AGREE])["url"])


def take_photo(page: Page, path: Path) -> None:
    page.locator("#camera").set_input_files(path)
    expect(page.locator("#board .cell")).to_have_count(9)


def cell(page: Page, row: int, column: int) -> Locator:
    return page.locator(f'#board [data-cell="{row},{column}"]')


def answer(page: Page, colour: str, value: int) -> None:
    """Answer the sheet that is open."""
    page.locator(f'#picker [data-colour="{colour}"]').click()
    page.locator(f'#picker [data-value="{value}"]').click()


def label(row: int, column: int, word: str) -> str:
    return f"row {row + 1}, column {column + 1}: {COLOURS[word[0]]} {word[1]}"


def correct(page: Page, grid: Grid) -> None:
    """Tap right whatever is wrong or doubtful, so that the board is *grid*."""
    for row, words in enumerate(grid):
        for column, word in enumerate(words):
            place = cell(page, row, column)
            if place.get_attribute("aria-label") != label(row, column, word):
                place.click()
                answer(page, COLOURS[word[0]], int(word[1]))
                expect(page.locator("#picker")).to_be_hidden()
                expect(place).to_have_attribute("aria-label", label(row, column, word))


def confirm(page: Page) -> None:
    button = page.get_by_role("button", name="Count it")
    expect(button).to_have_attribute("aria-disabled", "false")
    button.click()
    expect(page.locator("#look")).to_be_hidden()


def expect_score(page: Page, black: int, white: int) -> None:
    expect(page.locator('[data-score="0"]')).to_have_text(str(black))
    expect(page.locator('[data-score="1"]')).to_have_text(str(white))


# ---------------------------------------------------------------- a whole race


def placed(number: int) -> list[dict[str, Any]]:
    """Return the moves that fill the grid in a round of the race, from 1."""
    played = RACE["rounds"][number - 1]
    board = tuple(word.lower() for row in played["grid"] for word in row)
    return board_moves(board, played["starter"], number - 1)


BY_PHOTO = 8  # the first round that is read from photos


def test_a_race_to_50_is_ended_from_photos_and_followed_live(
    opened: Open, server: BrowserServer, show: Show
) -> None:
    before = [move for number in range(1, BY_PHOTO) for move in placed(number)]
    page = opened(server.match("purple_house", "Ana", "Ben", opening=[AGREE, *before])["url"])
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


OVER = {"match": "single", "single_round_tie": "draw"}


def ended_match(opened: Open, server: BrowserServer) -> Page:
    """Open a match of one round that has been played."""
    page = opened(server.match("purple_house", "Ana", "Ben", opening=[AGREE], **OVER)["url"])
    take_photo(page, photo(1))
    confirm(page)
    expect(page.locator("#result-title")).to_be_focused()
    return page


def test_every_phone_follows_to_the_new_match_and_finds_back(
    opened: Open, server: BrowserServer
) -> None:
    page = ended_match(opened, server)
    follower = opened(page.url)
    expect(follower.locator("#state")).to_have_text("live")
    ended = page.url

    page.get_by_role("button", name="New match with the same players").click()

    for each in (page, follower):
        expect(each.locator("#before")).to_contain_text("The same players go on.")
    assert page.url == follower.url != ended
    follower.get_by_role("link", name="Back to the match before").click()
    expect(follower.locator("#result-title")).to_be_visible()
    expect(follower).to_have_url(ended)  # and it stays there
    follower.get_by_role("link", name="Go to the new match").click()
    expect(follower).to_have_url(page.url)


def test_the_start_page_lists_the_matches_of_this_phone(
    opened: Open, server: BrowserServer
) -> None:
    page = ready_match(opened, server)
    address = page.url
    expect(page.locator("#state")).to_have_text("live")
    page.get_by_role("link", name="Pipsight").click()

    page.get_by_role("link", name=re.compile("^Ana 0, Ben 0")).click()
    expect(page).to_have_url(address)
    page.goto(server.address)
    page.get_by_role("button", name="Forget the match of Ana, Ben on this phone").click()
    expect(page.locator("#mine")).to_be_hidden()
    expect(opened(server.address).locator("#mine")).to_be_hidden()  # another phone


def undo_and_count_again(page: Page, follower: Page, number: int) -> None:
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


def test_the_start_is_rolled_for_on_the_page(opened: Open, server: BrowserServer) -> None:
    page = opened(server.address)
    start_match(page)

    page.get_by_role("link", name="3", exact=True).click()
    page.get_by_role("button", name="Ana rolls 3 and Ben rolls 5 for the start").click()

    expect(page.locator("#prompt")).to_have_text("Round 1: Ana chooses a colour.")
    page.get_by_role("button", name="Ana takes white").click()
    expect(page.locator("#prompt")).to_contain_text("Ben (black) starts")


def test_a_second_phone_joins_by_code(opened: Open, server: BrowserServer) -> None:
    page = ready_match(opened, server)
    code = page.locator("#match-code").inner_text()
    other = opened(server.address)

    other.get_by_label("Code of the match").fill(code.lower())
    other.get_by_role("button", name="Join").click()

    expect(other).to_have_url(page.url)


def test_a_wrong_code_is_refused_in_a_sentence(opened: Open, server: BrowserServer) -> None:
    page = opened(server.address)

    page.get_by_label("Code of the match").fill("XXXXXX")
    page.get_by_role("button", name="Join").click()

    expect(page.get_by_role("alert")).to_contain_text("No match has this code")
    expect(page.get_by_label("Code of the match")).to_have_value("XXXXXX")


def test_house_rules_that_do_not_matter_step_aside(opened: Open, server: BrowserServer) -> None:
    page = opened(server.address)
    page.get_by_text("House rules").click()
    gated = page.get_by_label("Even harder game: reversed aim")
    expect(gated).to_be_hidden()

    page.get_by_label("An even harder game: only lines of one colour count").check()

    expect(gated).to_be_visible()


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("A" * 30, "A" * 24),
        ("🎲" * 30, "🎲" * 24),  # two UTF-16 units each
        ("e\u0301" * 30, "e\u0301" * 24),  # one letter each once normalised
        ("A" * 12 + "   " + "B" * 30, "A" * 12 + "   " + "B" * 11),  # spaces become one
    ],
)
def test_a_name_field_ends_where_the_server_does(
    opened: Open, server: BrowserServer, typed: str, kept: str
) -> None:
    page = opened(server.address)

    page.get_by_label("Player 1").fill(typed)

    expect(page.get_by_label("Player 1")).to_have_value(kept)
    expect(page.locator("#name-end")).to_have_text("A name has up to 24 letters.")
    page.get_by_role("button", name="Start the match").click()
    expect(page.locator("#prompt")).to_be_visible()


def test_names_are_shown_as_they_were_typed(opened: Open, server: BrowserServer) -> None:
    page = opened(server.address)
    start_match(page, "<b>Ana</b>", "Player 1")
    expect(page.locator(".score .name").first).to_have_text("<b>Ana</b>")

    page.get_by_role("button", name="<b>Ana</b> starts, Player 1 has black").click()
    page.locator("#tap-in").click()

    expect(page.locator("#picker-title")).to_have_text("Row 1, column 1")


@pytest.mark.parametrize("number", [3, 2])
def test_without_scripts_a_match_starts_and_its_tally_history_and_code_are_there(
    opened: Open, server: BrowserServer, number: int
) -> None:
    page = opened(f"{server.address}?players={number}", java_script_enabled=False)
    start_match(page, *("Ana", "Ben", "Cyd")[:number])

    page.get_by_role("button", name="Ana starts, Ben has black").click()

    expect_score(page, 0, 0)
    expect(page.locator(".history .said")).to_have_text("Ana starts, Ben has black")
    expect(page.locator(".qr svg")).to_be_visible()
    expect(page.get_by_text("Photograph the board")).to_be_hidden()
    page.get_by_role("link", name="Take back step 1").click()
    page.get_by_role("button", name="Take back").click()
    expect(page.locator(".history .undone")).to_have_count(1)


# ---------------------------------------------------------------- looking at a photo


def test_a_photo_chosen_before_the_scripts_are_there_is_read(
    opened: Open, server: BrowserServer
) -> None:
    page = ready_match(opened, server)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/photo.js*", hold)
    with page.expect_request("**/photo.js*"):
        page.reload(wait_until="commit")

    page.locator("#camera").set_input_files(photo(1))
    assert page.locator("#board .cell").count() == 0
    held[0].continue_()

    expect(page.locator("#board .cell")).to_have_count(9)


def test_a_doubtful_die_stands_out_and_is_asked_about_before_anything_counts(
    opened: Open, server: BrowserServer, show: Show
) -> None:
    show(eyes(4))
    page = ready_match(opened, server)

    take_photo(page, photo(1))

    doubtful = cell(page, 1, 1)
    expect(doubtful).to_have_attribute("aria-label", "row 2, column 2: black 3, doubtful")
    expect(doubtful.locator(".badge")).to_have_text("?")
    expect(page.locator("#findings")).to_contain_text("Row 2, column 2: is the black 3 read right?")
    expect(page.locator(".overlay .doubtful")).to_have_count(1)
    page.get_by_role("button", name="Check 1 die").click()
    page.get_by_role("button", name="Yes, black 3").click()
    expect(doubtful).to_have_attribute("aria-label", "row 2, column 2: black 3")
    confirm(page)
    expect_score(page, **ROUND_1)


def test_a_die_with_two_doubts_says_both(opened: Open, server: BrowserServer, show: Show) -> None:
    show(eyes(4))
    page = ready_match(opened, server)

    def doubt_more(route: Route) -> None:
        answer = route.fetch()
        seen = answer.json()
        (place,) = [doubt["piece"] for doubt in seen["proposal"]["doubts"]]
        seen["proposal"]["doubts"].append({"sentence": "taken as black 3", "piece": place})
        route.fulfill(response=answer, json=seen)

    page.route("**/photos", doubt_more)
    take_photo(page, photo(1))

    said = ["Row 2, column 2: is the black 3 read right?", "Taken as black 3"]
    expect(page.locator("#findings .doubt li")).to_have_text(said)


def test_a_die_on_the_photo_is_corrected_by_tapping_it(opened: Open, server: BrowserServer) -> None:
    page = ready_match(opened, server)
    take_photo(page, photo(1))
    expect(page.locator("#preview .line")).to_have_count(8)
    expect(page.locator("#preview")).to_contain_text("row 1: 6 + 1 + 1 = 8")

    page.locator("#overlay .hit").first.click()
    answer(page, "black", 5)

    expect(cell(page, 0, 0)).to_have_attribute("aria-label", "row 1, column 1: black 5")
    expect(page.locator("#preview")).to_contain_text("row 1: 5 + 1 + 1 = 7")


@pytest.mark.parametrize("by", ["photo", "board"])
def test_a_place_where_a_die_may_lie_is_tapped_and_answered(
    opened: Open, server: BrowserServer, show: Show, by: str
) -> None:
    show(eyes(missing=8))
    page = ready_match(opened, server)
    take_photo(page, photo(1))
    empty = page.locator('#board .cell[aria-label$="empty"]')
    expect(empty).to_have_count(1)
    place = page.locator(".overlay .doubtful")
    expect(place).to_have_text("?")
    expect(page.locator("#photo-says")).to_contain_text("There may be one more piece.")

    if by == "photo":
        place.locator(".hit").click()
        expect(page.locator("#picker-said")).to_contain_text("There may be a die here.")
    else:
        empty.click()
    answer(page, "black", 2)

    expect(empty).to_have_count(0)
    expect(place).to_have_count(0)
    expect(page.locator("#photo-says")).not_to_contain_text("There may be one more piece.")
    assert "black 2" in (cell(page, 2, 2).get_attribute("aria-label") or "")
    page.reload()  # what was answered is not asked again
    expect(page.locator("#board .cell")).to_have_count(9)
    expect(place).to_have_count(0)


def test_an_impossible_board_is_explained_and_not_counted(
    opened: Open, server: BrowserServer
) -> None:
    page = ready_match(opened, server)
    take_photo(page, photo(1))

    for column in range(2):  # seven black dice
        cell(page, 2 * column, 1 - column).click()
        answer(page, "black", 1)

    expect(page.locator("#findings")).to_contain_text("the colours take turns")
    expect(page.get_by_role("button", name="Cannot be counted yet")).to_be_visible()


def test_a_die_of_a_foreign_colour_is_named_and_tapped_right(
    opened: Open, server: BrowserServer, show: Show
) -> None:
    show(eyes(board="foreign"))
    page = ready_match(opened, server)
    take_photo(page, photo(1))
    findings = page.locator("#findings")
    expect(findings).to_contain_text("A red die lies on row 2, column 2; this game has black")

    cell(page, 1, 1).click()
    answer(page, "black", 3)

    expect(findings).not_to_contain_text("red")
    expect(page.get_by_role("button", name="Count it")).to_be_visible()


def test_of_two_dice_read_in_one_cell_a_person_chooses(
    opened: Open, server: BrowserServer, show: Show
) -> None:
    show(eyes(board="two-in-a-cell"))
    page = ready_match(opened, server)
    take_photo(page, photo(1))
    both = cell(page, 1, 2)
    expect(both).to_have_attribute("aria-label", "row 2, column 3: black 2 and white 4")
    expect(page.locator("#findings")).to_contain_text("2 dice lie on row 2, column 3")

    both.click()
    answer(page, "white", 4)

    expect(both).to_have_attribute("aria-label", "row 2, column 3: white 4")
    expect(page.locator("#findings")).not_to_contain_text("2 dice lie")


def test_a_photo_is_shrunk_before_it_is_sent_and_can_be_dropped_on_the_page(
    opened: Open, server: BrowserServer, show: Show
) -> None:
    sizes = []

    def measure(sent: bytes, equipment: Equipment, spot: int = 0) -> PhotoReading:
        sizes.append(cv2.imdecode(np.frombuffer(sent, np.uint8), cv2.IMREAD_COLOR).shape[:2])
        return eyes()(sent, equipment, spot)

    show(measure)
    page = ready_match(opened, server)

    page.evaluate(DROP, [3000, 4000])
    expect(page.locator("#board .cell")).to_have_count(9)

    assert sizes == [(2400, 1800)]


def test_a_photo_dropped_before_it_is_wanted_gets_a_sentence(
    opened: Open, server: BrowserServer
) -> None:
    page = opened(server.address)
    start_match(page)
    expect(page.locator("#state")).to_contain_text("live")

    page.evaluate(DROP, [300, 400])

    said = page.get_by_role("alert")
    expect(said).to_contain_text("The game waits for something else before the next photo. Round 1")
    page.get_by_role("button", name="Ana starts, Ana has black").click()
    expect(said).to_be_hidden()


DROP = """async ([width, height]) => {
  const canvas = Object.assign(document.createElement('canvas'), {width, height});
  canvas.getContext('2d').fillRect(0, 0, width, height);
  const blob = await new Promise(done => canvas.toBlob(done, 'image/jpeg'));
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([blob], 'big.jpg', {type: 'image/jpeg'}));
  document.body.dispatchEvent(new DragEvent('drop', {dataTransfer, bubbles: true}));
}"""


def test_the_board_is_corrected_and_counted_by_keyboard_alone(
    opened: Open, server: BrowserServer
) -> None:
    page = ready_match(opened, server)
    take_photo(page, photo(1))
    press, first = page.keyboard.press, cell(page, 0, 0)

    tab_to(page, '#board [data-cell="0,0"]')
    press("Enter")
    press("ArrowLeft")
    press("Enter")
    expect(first).to_have_attribute("aria-label", "row 1, column 1: black 5")
    expect(first).to_be_focused()
    press("Enter")
    press("Delete")
    expect(first).to_have_attribute("aria-label", "row 1, column 1: empty")
    press("Enter")
    press("Escape")
    expect(page.locator("#picker")).to_be_hidden()
    expect(first).to_be_focused()
    press("Enter")
    press("6")
    expect(first).to_have_attribute("aria-label", "row 1, column 1: black 6")
    expect(page.get_by_role("button", name="Count it")).to_be_visible()
    tab_to(page, "#confirm")
    press("Enter")

    expect_score(page, **ROUND_1)


def tab_to(page: Page, selector: str) -> None:
    for _ in range(40):
        if page.locator(selector).evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    pytest.fail(f"{selector} is not reached by Tab")


def test_a_round_is_tapped_in_without_a_photo(opened: Open, server: BrowserServer) -> None:
    page = ready_match(opened, server)
    page.get_by_role("button", name="Tap in").click()

    for row, words in enumerate(GRID):
        for column, word in enumerate(words):
            expect(page.locator("#picker-title")).to_have_text(
                f"Row {row + 1}, column {column + 1}"
            )
            answer(page, COLOURS[word[0]], int(word[1]))
    confirm(page)

    expect_score(page, **ROUND_1)


def test_without_a_camera_our_own_photo_goes_the_same_way(
    opened: Open, server: BrowserServer, show: Show
) -> None:
    show(bridge.see)  # with the real eyes
    page = opened(server.address)
    page.get_by_role("button", name="Try it with our photo").click()
    expect(page.locator("#board .cell")).to_have_count(9)
    expect(page.locator("#overlay image")).to_have_attribute("href", re.compile("^blob:"))

    correct(page, DEMO)
    confirm(page)

    expect(page.locator("#newest-title")).to_have_text("Round 1")
    expect(page).not_to_have_url(re.compile("demo"))


def test_unconfirmed_corrections_survive_a_reload(opened: Open, server: BrowserServer) -> None:
    page = ready_match(opened, server)
    take_photo(page, photo(1))
    cell(page, 0, 0).click()
    answer(page, "black", 5)
    expect(page.locator("#preview")).to_contain_text("row 1: 5 + 1 + 1 = 7")

    page.reload()

    expect(cell(page, 0, 0)).to_have_attribute("aria-label", "row 1, column 1: black 5")
    expect(page.locator("#overlay image")).to_have_attribute("href", re.compile(r"/photos/\w+.jpg"))


def test_a_step_leads_back_to_its_photo_and_reading(opened: Open, server: BrowserServer) -> None:
    page = ready_match(opened, server)
    take_photo(page, photo(1))
    confirm(page)

    page.get_by_role("link", name="Step 2: where it came from").click()

    board = page.locator(".overlay").first
    expect(board.locator(".tag")).to_have_count(9)
    page.get_by_text("The whole photo").click()
    expect(page.locator(".overlay").last.locator(".tag")).to_have_count(10)  # one lies beside it
    expect(page.get_by_role("listitem").first).to_have_text("Black 6 on row 1, column 1")
    shown = board.locator("image").evaluate(
        "async ({href}) => { const copy = Object.assign(new Image(), {src: href.baseVal});"
        " await copy.decode(); return copy.width; }"
    )
    assert shown > 0


# ---------------------------------------------------------------- what goes wrong


@pytest.mark.parametrize(
    ("name", "content", "says", "shown"),
    [
        ("notes.txt", b"no picture at all", "photo", False),
        ("empty.jpg", b"", "empty", False),
        ("board.pdf", b"%PDF-1.4 no picture", "photo", False),
        ("cut.jpg", photo(1).read_bytes()[:4000], "photo", True),  # as far as it goes
    ],
)
def test_what_is_no_photo_gets_a_sentence_and_another_try(
    opened: Open,
    server: BrowserServer,
    show: Show,
    name: str,
    content: bytes,
    says: str,
    shown: bool,
) -> None:
    show(bridge.see)
    page = ready_match(opened, server)

    page.locator("#camera").set_input_files(
        [{"name": name, "mimeType": "image/jpeg", "buffer": content}]
    )

    expect(page.locator("#photo-says")).to_contain_text(says)
    expect(page.locator("#busy")).to_be_hidden()
    expect(page.locator("#stage")).to_be_visible(visible=shown)  # no broken picture
    take_photo_again = page.locator("#retake")
    take_photo_again.set_input_files(photo(1))
    expect(page.locator("#board .cell")).to_have_count(9)


def test_a_photo_that_was_not_sent_is_kept_and_sent_again(
    opened: Open, server: BrowserServer
) -> None:
    page = ready_match(opened, server)
    page.route("**/photos", lambda route: route.abort())
    page.locator("#camera").set_input_files(photo(1))
    expect(page.locator("#photo-says")).to_contain_text("The server cannot be reached")

    page.unroute("**/photos")
    page.get_by_role("button", name="Send it again").click()

    expect(page.get_by_role("button", name="Count it")).to_be_visible()


@pytest.mark.parametrize("pause", [0.0, 0.7])  # s; in the longer one the news come before it fails
def test_a_confirm_whose_answer_was_lost_counts_once(
    opened: Open, server: BrowserServer, pause: float
) -> None:
    page = ready_match(opened, server)
    take_photo(page, photo(1))

    def lose(route: Route) -> None:
        route.fetch()  # the server stores it
        time.sleep(pause)
        route.abort()

    page.route("**/moves", lose, times=1)
    page.get_by_role("button", name="Count it").click()

    expect(page.locator("#look")).to_be_hidden()
    expect_score(page, **ROUND_1)
    expect(page.locator(".history > li")).to_have_count(2)


def test_of_two_phones_that_confirm_at_once_the_second_is_told_and_keeps_its_corrections(
    opened: Open, server: BrowserServer
) -> None:
    page = ready_match(opened, server)
    take_photo(page, photo(1))
    cell(page, 0, 0).click()
    answer(page, "black", 4)

    def be_overtaken(route: Route) -> None:
        sent = route.request.post_data_json
        post(route.request.url, {**sent, "request": "another phone", "moves": sent["moves"][:1]})
        route.continue_()

    page.route("**/moves", be_overtaken)
    page.get_by_role("button", name="Count it").click()

    told = page.locator("#look-notice")
    expect(told).to_have_text("Another phone just moved. Look again.")
    expect(told).to_be_in_viewport()
    expect(cell(page, 0, 0)).to_have_attribute("aria-label", "row 1, column 1: black 4")
    page.unroute("**/moves")
    confirm(page)  # the other's one die lies there too, so the rest is still a legal step
    expect(page.locator(".history > li")).to_have_count(3)


def test_a_board_that_another_phone_has_counted_is_not_counted_twice_unasked(
    opened: Open, server: BrowserServer
) -> None:
    first = ready_match(opened, server)
    second = opened(first.url)
    take_photo(first, photo(1))
    take_photo(second, photo(1))

    confirm(first)

    expect(second.locator("#look-notice")).to_contain_text("has already counted this very board")
    expect(second.get_by_role("button", name="Already counted")).to_be_visible()
    second.get_by_role("button", name="Back").click()
    expect_score(second, **ROUND_1)


def test_a_late_correction_is_judged_by_its_own_round_and_put_in_place_when_asked(
    opened: Open, server: BrowserServer
) -> None:
    first = ready_match(opened, server)
    second = opened(first.url)
    take_photo(first, photo(1))
    take_photo(second, photo(1))
    cell(second, 0, 0).click()
    answer(second, "black", 5)
    expect(second.locator("#preview")).to_contain_text("row 1: 5 + 1 + 1 = 7")

    confirm(first)

    told = second.locator("#look-notice")
    expect(told).to_contain_text("This round is over: another phone has counted the board")
    expect(told).to_be_in_viewport()
    expect(second.locator("#preview h2")).to_have_text("Round 1")
    expect(second.locator("#findings .wrong")).to_have_count(0)
    second.get_by_role("button", name="Put mine in its place").click()
    expect(second.locator("#look")).to_be_hidden()
    for page in (first, second):
        expect(page.locator(".history > li")).to_have_count(4)  # agreed, theirs, back, mine
        expect(page.locator("#newest-title")).to_have_text("Round 1")
        expect(page.locator("#tally")).to_contain_text("row 1: 5 + 1 + 1 = 7")


def test_a_board_that_the_other_one_started_is_counted_after_one_answer(
    opened: Open, server: BrowserServer
) -> None:
    agreed = AGREE | {"black": 1}
    page = opened(server.match("purple_house", "Ana", "Ben", opening=[agreed])["url"])
    expect(page.locator("#prompt")).to_contain_text("Ana (white) starts")  # and five dice are black
    take_photo(page, photo(1))
    expect(page.locator("#findings")).to_contain_text("the colours take turns")

    page.get_by_role("button", name="Did Ben start?").click()
    confirm(page)

    expect(page.locator("#newest-title")).to_have_text("Round 1")
    expect(page.locator(".history .said").nth(1)).to_have_text("Ben starts, Ben has black")


def post(address: str, sent: dict[str, Any]) -> None:
    headers = {"Content-Type": "application/json"}
    with urlopen(Request(address, json.dumps(sent).encode(), headers)) as answer:
        assert answer.status == 201


def test_a_page_says_that_it_is_offline_and_catches_up(opened: Open, tmp_path: Path) -> None:
    with serving(tmp_path, eyes()) as server:
        page = ready_match(opened, server)
        state = page.locator("#state")
        expect(state).to_have_text("live")

    expect(state).to_have_text("offline — reconnecting")
    with serving(tmp_path, eyes(), server.port) as server:
        other = opened(page.url)
        take_photo(other, photo(1))
        confirm(other)

        expect(state).to_have_text("live")
        expect_score(page, **ROUND_1)


# ---------------------------------------------------------------- on any phone

TARGET = 48  # CSS px
SMALL = """least => [...document.querySelectorAll('button, .button, select, summary, input')]
  .map(one => one.matches('input') && one.closest('label') || one)
  .filter(one => one.checkVisibility({visibilityProperty: true}) && !one.matches('[type=hidden]'))
  .filter(one => { const box = one.getBoundingClientRect();
                   return box.height < least - 0.5 || box.width < least - 0.5; })
  .map(one => one.outerHTML.slice(0, 120))"""
NAMELESS = """() => [...document.querySelectorAll('button, a, select, input:not([type=hidden])')]
  .filter(one => one.checkVisibility())
  .filter(one => !(one.ariaLabel || one.textContent.trim() || one.labels?.length))
  .map(one => one.outerHTML.slice(0, 120))"""
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.mark.parametrize(("width", "text"), [(320, "100%"), (360, "100%"), (360, "200%")])
def test_every_page_fits_a_phone_and_a_thumb(
    opened: Open, server: BrowserServer, width: int, text: str
) -> None:
    page = ready_match(opened, server)
    page.set_viewport_size({"width": width, "height": 740})
    match = page.url
    take_photo(page, photo(1))
    confirm(page)

    def check() -> None:
        page.evaluate("size => { document.documentElement.style.fontSize = size; }", text)
        assert page.evaluate(OVERFLOW) <= 0
        assert page.evaluate(SMALL, TARGET) == []
        assert page.evaluate(NAMELESS) == []
        assert page.locator("main").count() == 1

    expect(page.locator("#camera")).to_be_focused()
    expect(page.locator("table")).to_be_visible()  # the rounds come a moment after the tally
    check()
    for address in ("/undo", "/step/2", "/step/99"):
        page.goto(match + address)
        check()
    page.goto(server.address)
    page.get_by_text("House rules").click()
    check()
    page.goto(match)
    page.get_by_role("button", name="Tap in").click()
    check()
