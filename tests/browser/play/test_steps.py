"""A step that was read from a photo is corrected on it, taken back and put back, seen by all."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.phones import COLOURS, RACE, eyes, photo
from tests.browser.play.test_games import match
from tests.browser.play.test_race import placed
from tests.browser.race_pages import answer, cell, confirm, correct, expect_score, take_photo
from tests.conftest import AGREE, place
from tests.grids import few
from tests.matches import AGREED, BEGUN

pytestmark = pytest.mark.browser

CENTRE = "Row 2, column 2"
PAIR, PLACED = {"move": "Roll", "low": 1, "high": 2}, place(0, 0, "black", 1)
FELL = {"move": "Roll", "dice": [1, 2, 3, 4, 5, 6]}
KEPT = {"move": "Keep", "dice": [1], "bank": True}


@pytest.mark.release
@pytest.mark.parametrize("screen", few(["phone", "television"]))
def test_a_round_is_corrected_on_its_photo_and_two_steps_are_put_back(opened, server, show, screen):
    """A second phone follows live, a third loses the network meanwhile and is loaded again."""
    made = server.match("purple_house", "Ana", "Ben", opening=[AGREE])
    home = made["url"]
    page = opened(home)
    if screen == "television":
        page.set_viewport_size({"width": 1920, "height": 1080})
    follower, third = opened(page.url), opened(page.url)
    follower.evaluate("window.neverReloaded = true")
    show(eyes(1, board="race-01"))
    take_photo(page, photo(1))
    correct(page, RACE["rounds"][0]["grid"])
    confirm(page)
    expect_score(page, **RACE["rounds"][0]["total"])
    server.post(f"matches/{made['id']}/moves", {"after": 2, "moves": placed(2)})
    total = RACE["rounds"][1]["total"]
    for each in (page, follower):
        expect_score(each, **total)
    third.context.set_offline(True)

    page.locator("#step-2").get_by_role("link", name="Step 2: where it came from").click()
    page.get_by_role("link", name="Correct it on the photo").click()
    cell(page, 0, 0).click()
    first = RACE["rounds"][0]["grid"][0][0]
    answer(page, COLOURS[first[0]], 5 if first.endswith("6") else 6)
    changes = page.get_by_role("button", name="See what that changes")
    expect(changes).to_have_attribute("aria-disabled", "false")
    changes.click()
    expect(page.get_by_role("heading", name="The step after it")).to_be_visible()
    expect_score(follower, **total)  # nothing is stored yet
    after = page.locator("dialog .prompt").inner_text()
    page.get_by_role("button", name="Correct it").click()
    expect(page.locator("#look")).to_be_hidden()
    expect(page.locator(".history .undone").first).to_be_visible()

    corrected = [page.locator(f'[data-score="{seat}"]').inner_text() for seat in (0, 1)]
    assert all(points in after for points in corrected)
    for seat, points in enumerate(corrected):
        expect(follower.locator(f'[data-score="{seat}"]')).to_have_text(points)

    for _ in range(2):
        page.get_by_role("link", name="Undo", exact=True).click()
        page.get_by_role("button", name="Take back").click()
        expect(page.locator("dialog.over")).to_have_count(0)
    expect_score(follower, black=0, white=0)
    page.get_by_role("link", name="Put back these steps").click()
    expect(page.get_by_role("heading", name="Put these 2 steps back?")).to_be_visible()
    page.get_by_role("button", name="Put back").click()

    for seat, points in enumerate(corrected):
        for each in (page, follower):
            expect(each.locator(f'[data-score="{seat}"]')).to_have_text(points)
    expect(follower.locator(".said", has_text="2 steps put back")).to_be_visible()
    assert follower.evaluate("window.neverReloaded")
    third.context.set_offline(False)
    for _ in range(2):  # by itself, then loaded again
        for seat, points in enumerate(corrected):
            expect(third.locator(f'[data-score="{seat}"]')).to_have_text(points)
        third.reload()


@pytest.mark.parametrize("opens", ["over the match", "as a page"])
@pytest.mark.parametrize(
    ("game", "moves", "taps", "becomes"),
    few(
        [
            ("pig", [{"move": "Roll", "pips": 2}], ["Ana rolls 5"], "Ana rolls 5"),
            ("beat_the_odds", [*AGREED, PAIR], ["First die: 5", "Second.*: 6"], "Ana rolls 5-6"),
            ("farkle", [FELL, KEPT], ["Bank 150"], "Ana keeps 1 5"),
            ("purple_house", [AGREE, PLACED], [CENTRE, "Black 4"], f"Black 4 on r{CENTRE[1:]}"),
        ],
        3,
    ),
)
def test_a_move_is_corrected_by_taps_on_the_panel_that_entered_it(
    opened, server, game, moves, taps, becomes, opens
):
    made = server.match(game, "Ana", "Ben", opening=moves[:-1])
    after = len(moves) - 1
    server.post(f"matches/{made['id']}/moves", {"after": after, "moves": moves[-1:]})
    page = opened(made["url"])
    if opens == "as a page":
        page.goto(f"{made['url']}/step/{len(moves)}/correct")
    else:
        page.get_by_role("link", name=f"Correct step {len(moves)}", exact=True).click()
    panel = page.locator("#correction-entry")

    for words in taps:
        panel.get_by_role("button", name=re.compile(words)).first.click()
    expect(page.get_by_role("heading", name="This step")).to_be_visible()
    page.get_by_role("button", name="Correct it").click()

    expect(page.locator(".history .said").first).to_contain_text(becomes)


@pytest.mark.parametrize("opens", ["over the match", "as a page"])
def test_a_turn_of_dice_wide_shut_is_corrected_on_its_sheet(opened, server, opens):
    page = match(opened, server, "dice_wide_shut", "Ana", "Ben", opening=BEGUN["dice_wide_shut"])
    for words in ("take red 1", "take red 2"):
        page.get_by_role("button", name=words).click()
    page.locator("#foot .main").click()
    expect(page.locator("#prompt")).to_contain_text("Ben takes dice")
    correct_last = page.get_by_role("link", name=re.compile("^Correct step")).first
    if opens == "as a page":
        page.goto(str(correct_last.evaluate("link => link.href")))
    else:
        correct_last.click()
    page.get_by_role("link", name="Another move").first.click()
    panel = page.locator("#correction-entry")

    for words in ("take blue 1", "take blue 2"):
        panel.get_by_role("button", name=words).first.click()
    expect(panel.locator(".square.new")).to_have_count(2)
    panel.locator(".entry-foot .main").click()

    expect(page.get_by_role("heading", name="This step")).to_be_visible()
    page.get_by_role("button", name="Correct it").click()
    expect(page.locator(".history .said").first).to_contain_text("blue 1")
