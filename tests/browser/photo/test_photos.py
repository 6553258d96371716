"""Sheets, tracks and tiles photographed on a phone: looked at, corrected, counted."""

import os
import re
import threading

import pytest
from playwright.sync_api import expect

from tests.browser.phones import PATIENCE, eyes, photo, serving
from tests.browser.play.test_games import live_match
from tests.browser.race_pages import CELLS, ready_match, take_photo
from tests.browser.sight.fits import check_fits
from tests.conftest import AGREE
from tests.matches import AGREED, BEGUN
from tests.vision.pictures import Drawn, DrawnLid, draw_lid
from tests.webui import sights
from webui.eyes import photo as bridge
from webui.jobs.order import AT_ONCE

pytestmark = pytest.mark.browser

CHECKED = {("red", 2, 0), ("red", 3, 1)}
# Of every tag that is shown: does it lie over the middle of a piece that is not its own?
COVERED = """() => [...document.querySelectorAll('#overlay g:has(> .hit)')].flatMap((own, _, all) =>
  all.filter(one => one !== own).filter(one => {
    const tag = own.querySelector('.tag')?.getBBox(), box = one.querySelector('.hit').getBBox();
    const x = box.x + box.width / 2, y = box.y + box.height / 2;
    return tag && x > tag.x && x < tag.x + tag.width && y > tag.y && y < tag.y + tag.height;
  })).length"""


def photograph(page, shows, sight, button):
    """Take a photo of what lies there; the camera is named by what is to be shown."""
    shows(lambda *_asked: sight)
    expect(page.locator("#camera-words")).to_have_text(button)
    file = {"name": "photo.jpg", "mimeType": "image/jpeg", "buffer": sight.jpeg}
    page.locator("#camera").set_input_files(file)
    expect(page.locator("#confirm")).to_be_visible()
    shot(page, button)
    check_fits(page, least=24)
    page.wait_for_function(f"() => ({COVERED})() === 0")


def shot(page, name):
    """Keep a picture of the page where SHOTS names a folder, to be looked at."""
    if folder := os.environ.get("SHOTS"):
        whole = not page.locator("dialog[open]").count()
        page.screenshot(path=f"{folder}/{name.replace(' ', '-')}.png", full_page=whole)


def count(page):
    expect(page.locator("#confirm")).to_have_text(re.compile("^Count it"))
    page.locator("#confirm").click()
    expect(page.locator("#look")).to_be_hidden()


def match(opened, server, game, opening):
    return live_match(opened, server, game, "Ana", "Ben", opening=opening)


def test_a_photographed_sheet_is_corrected_mark_by_mark_and_counted(opened, server, show):
    page = match(opened, server, "dice_wide_shut", BEGUN["dice_wide_shut"])
    doubtful = ("red", 3, 1)

    sight = sights.sheet(CHECKED, {doubtful})
    photograph(page, show, sight, "Photograph the dice or Ana's sheet")

    expect(page.locator("#overlay .mark")).to_have_count(60)
    expect(page.locator("#overlay .mark.doubtful .word")).to_have_text("?")
    mark = page.get_by_role("button", name="red half, row 4, column 2, a 2: checked, doubtful")
    expect(mark).to_have_count(1)
    expect(page.locator("#confirm")).to_have_text("Check 1 mark")
    expect(page.get_by_role("button", name="Correct as shown")).to_be_visible()
    page.locator("#confirm").press("Enter")
    shot(page, "chips of a mark")
    expect(page.locator("#chips")).to_contain_text("looks checked: is that right?")
    expect(page.locator("#chips-choices button").first).to_be_focused()
    page.get_by_role("button", name="checked: ").press("Enter")
    expect(mark).to_have_count(0)
    wrong = page.get_by_role("button", name="red half, row 1, column 5, a 5: blank")
    wrong.locator(".hit").click()
    page.get_by_role("button", name="checked: not allowed").click()
    expect(page.locator("#findings .wrong")).to_be_visible()
    shot(page, "an offence on a sheet")
    page.get_by_role("button", name="red half, row 1, column 5, a 5").locator(".hit").click()
    page.locator("#chips").get_by_role("button", name="blank").click()
    expect(wrong).to_be_visible()
    count(page)
    expect(page.locator("#prompt")).to_contain_text("Ben takes")


def test_photographed_tiles_are_corrected_one_by_one_and_counted(opened, server, show):
    page = match(opened, server, "even_at_odds", sights.laid())

    sight = sights.stack(doubtful=True, misread={"halves": [2, 6]})
    photograph(page, show, sight, "Photograph the tiles")

    expect(page.locator("#overlay .doubtful .word")).to_have_text("2-6 L2?")
    expect(page.locator("#confirm")).to_have_text("Check 1 tile")
    page.locator("#confirm").click()
    page.get_by_role("button", name="Another value").click()
    shot(page, "chooser of a tile")
    page.get_by_role("button", name="First half: 0").click()
    page.get_by_role("button", name="Take 0-6").click()
    expect(page.locator("#preview")).to_contain_text("0-6")
    page.get_by_role("button", name="0-6, 2 tiles high").locator(".hit").click()
    page.get_by_role("button", name="Another value").click()
    page.get_by_role("button", name="First half: 3").click()
    page.get_by_role("button", name="Second half: 5").click()
    page.get_by_role("button", name="Take 3-5").click()
    expect(page.locator("#findings .wrong")).to_contain_text("3-5 was read twice")
    expect(page.locator("#overlay .offence .word")).to_have_text(["3-5 L2!"])
    shot(page, "an offence of a tile")
    page.locator("#overlay .offence").first.press("Enter")
    page.get_by_role("button", name="Another value").press("Enter")
    page.get_by_role("button", name="No tile here").press("Enter")
    page.get_by_role("button", name="Add a tile that was not seen").click()
    page.get_by_role("button", name="Second half: 6").click()
    page.get_by_role("button", name="row 2, column 6: empty").click()
    shot(page, "a tile that was not seen")
    page.get_by_label("Where it lies").get_by_role("button", name="row 1, column 6").click()
    page.get_by_role("button", name="Take 0-6").click()
    count(page)
    expect(page.locator(".history .said").first).to_contain_text("0-6")


@pytest.mark.release
def test_a_photographed_bid_is_two_taps_and_a_doubtful_one_is_asked_about(opened, server, show):
    page = match(opened, server, "gords", AGREED)

    photograph(page, show, sights.track(3, 3), "Photograph the track")
    count(page)
    expect(page.locator("#prompt")).to_contain_text("Ben")
    photograph(page, show, sights.track(4, 3, sure=False), "Photograph the track")
    expect(page.locator("#overlay .doubtful")).to_have_count(1)
    page.locator("#confirm").click()
    page.get_by_role("button", name="white 2: not allowed").click()

    expect(page.locator("#findings .wrong")).to_be_visible()  # lower than the bid that stands
    expect(page.locator("#overlay .offence")).to_have_count(1)
    shot(page, "an offence on a track")
    page.locator("#overlay .offence").press("5")
    count(page)
    expect(page.locator(".history > li")).to_have_count(3)


def shown(seat, *pips):
    return {"move": "Reveal", "seat": seat, "dice": list(pips)}


# Ben called three threes that lay there, and has four dice from then on.
ONE_LOST = [{"move": "Agree", "starter": 0}, {"move": "Bid", "space": "3", "face": 3},
            {"move": "Call", "seat": 1}, shown(0, 3, 3, 3, 3, 3), shown(1, 2, 2, 4, 5, 6),
            {"move": "Bid", "space": "4", "face": 5}, {"move": "Call", "seat": 0}]  # fmt: skip


@pytest.mark.release
def test_dice_shown_after_one_was_lost_are_a_pool_beside_the_track(opened, server, show):
    page = match(opened, server, "gords", ONE_LOST)
    red, blue = [("red", pips) for pips in (1, 2, 3, 4, 6)], [("blue", p) for p in (2, 3, 4, 6)]

    expect(page.get_by_role("button", name="Die by die")).to_be_visible()
    expect(page.get_by_role("button", name="Tap in")).to_be_hidden()
    photograph(page, show, sights.reveal((5, 3), ["blue"], *red, *blue), "Photograph the dice")

    expect(page.locator("#overlay .piece")).to_have_count(11)
    expect(page.locator("#pool .lying")).to_have_count(0)
    expect(page.locator("#pool > [role=status]")).to_have_text("9 dice, 2 on the board")
    legends = ["Ana’s dice, red: 5", "Ben’s dice, blue: 4", "white, 0 of 1"]
    expect(page.locator("#pool legend")).to_have_text(legends)
    expect(page.locator("#board")).to_be_hidden()
    expect(page.locator("#beside")).to_be_hidden()
    expect(page.locator("#look")).not_to_contain_text("beside the board")
    expect(page.locator("#overlay .empty")).to_have_count(0)  # no place of the track to be tapped
    expect(page.locator("#preview")).to_contain_text("Ana shows 1 2 3 4 6")
    expect(page.locator("#preview")).to_contain_text("Ben shows 2 3 4 6")
    page.reload()
    expect(page.locator("#overlay .piece")).to_have_count(11)
    page.locator("#overlay .piece").nth(2).locator(".hit").click()
    page.get_by_role("button", name="Another value").click()
    expect(page.locator("#picker-title")).to_have_text("One of the dice")
    page.keyboard.press("Escape")
    count(page)
    expect(page.locator("#prompt")).to_contain_text("8 dice are in play")


def test_a_bad_photo_is_kept_and_told_why_above_it(opened, server, show):
    page = match(opened, server, "dice_wide_shut", BEGUN["dice_wide_shut"])
    said = "Half of the board is out of the picture."

    sight = sights.sheet(set(), warnings=[said])
    photograph(page, show, sight, "Photograph the dice or Ana's sheet")

    reason = page.locator("#photo-says")
    expect(reason).to_have_text(said)
    below = page.locator("#stage").bounding_box()
    above = reason.bounding_box()
    assert above["y"] + above["height"] <= below["y"]
    page.reload()
    expect(page.locator("#photo-says")).to_have_text(said)
    expect(page.locator("#overlay image")).to_be_visible()
    expect(page.locator("#confirm")).to_have_text("Cannot be counted yet")


RISING = "one => Promise.all(one.getAnimations().map(each => each.finished))"
# Where a px of the photo lies on the screen, by the svg of the corners.
ON_SCREEN = """([x, y]) => {
  const view = document.querySelector('#corners-view');
  const at = new DOMPoint(x, y).matrixTransform(view.getScreenCTM());
  return [at.x, at.y];
}"""


@pytest.mark.release
def test_a_board_that_was_not_found_is_set_by_its_corners_and_that_is_taken_back(
    opened, server, show
):
    page = match(opened, server, "purple_house", [AGREE])
    show(bridge.see)
    dice = [Drawn(2, "white", -1.0, -1.0), Drawn(5, "black", 0.0, 1.0)]
    lid, _, corners = draw_lid(dice, DrawnLid(has_grid=False), elevation=70)

    file = {"name": "lid.jpg", "mimeType": "image/jpeg", "buffer": sights.jpeg(lid)}
    page.locator("#camera").set_input_files(file)
    page.get_by_role("button", name="Show where the board is").press("Enter")
    page.locator("#corners").evaluate(RISING)
    shot(page, "corners at first")
    handles = page.locator("#corners-view .corner")
    places = [page.evaluate(ON_SCREEN, corner.tolist()) for corner in corners]
    for x, y in places[:2]:
        page.mouse.click(x, y)
    expect(page.locator("#corners-said")).to_contain_text("lower right")
    held = handles.nth(2).locator(".edge").bounding_box()
    page.mouse.move(held["x"] + held["width"] / 2 + 4, held["y"] + held["height"] / 2 - 3)
    page.mouse.down()
    page.mouse.move(places[2][0] + 4, places[2][1] - 3, steps=3)
    expect(page.locator("#corners-view .loupe")).to_be_visible()
    shot(page, "loupe over a corner")
    page.mouse.up()
    page.mouse.click(*places[3])
    handles.nth(3).press("Shift+ArrowUp")
    handles.nth(3).press("Shift+ArrowDown")
    shot(page, "corners are set")
    page.get_by_role("button", name="Read again").click()

    first = page.get_by_role("button", name="row 1, column 1: white 2")
    expect(first).to_be_visible()
    expect(page.get_by_role("button", name="row 3, column 2: black 5")).to_be_visible()
    expect(page.locator("#corners-says")).to_contain_text("where you put it")
    shot(page, "read again by its corners")
    page.get_by_role("button", name="Take that back").click()
    expect(first).to_have_count(0)
    expect(page.locator("#beside button")).to_have_count(2)
    page.get_by_role("button", name="Show where the board is").click()
    handles.nth(1).locator(".edge").drag_to(handles.nth(0).locator(".edge"), force=True)
    page.get_by_role("button", name="Read again").click()
    expect(page.locator("#corners-fault")).to_contain_text("not the four of a board")


def send(page):
    page.locator("#camera").set_input_files(photo(1))


@pytest.mark.release
def test_a_photo_shows_its_place_and_is_read_when_its_turn_comes(opened, server, show):
    look, go_on = eyes(), threading.Semaphore(0)

    def slow(sent, equipment, spot=0):
        assert go_on.acquire(timeout=300)
        return look(sent, equipment, spot)

    show(slow)
    first = ready_match(opened, server)
    pages = [first, *(opened(first.url) for _ in range(AT_ONCE + 1))]
    for page in pages:
        send(page)
        words = "Reading" if page in pages[:2] else "Waiting"
        expect(page.locator("#busy-words")).to_contain_text(words)
    *_, third, fourth = pages
    expect(third.locator("#busy-words")).to_contain_text("your photo is next")
    expect(fourth.locator("#busy-words")).to_contain_text("1 photo before yours")

    # The phone is off the Wi-Fi for a while; its photo keeps its place.
    fourth.context.set_offline(True)
    go_on.release()
    expect(third.locator("#busy-words")).to_contain_text("Reading the photo")
    fourth.context.set_offline(False)
    expect(fourth.locator("#busy-words")).to_contain_text("your photo is next")
    go_on.release(len(pages))

    for page in pages:
        expect(page.locator(CELLS)).to_have_count(9)


LEARNING = 6 * PATIENCE  # ms; the networks run beside the other tests


@pytest.fixture
def page(opened, tmp_path):
    """A phone on which every photo is read as the first board of the race, one die doubtfully."""
    seeing = eyes(0)

    def see(*sent, learned=None):
        return seeing(*sent)

    with serving(tmp_path, see) as server:  # what it learns is for its other matches too
        yield ready_match(opened, server)


@pytest.mark.release
def test_dice_are_remembered_seen_switched_off_and_forgotten(page):
    offer = page.get_by_role("button", name="These are our dice: remember them")
    take_photo(page, photo(1))
    expect(offer).to_be_hidden()  # a die is still doubtful
    page.get_by_role("button", name="Correct as shown").click()
    offer.focus()
    said = page.locator("#remember-says")
    page.context.set_offline(True)
    page.keyboard.press("Enter")
    expect(said).to_contain_text("cannot be reached")
    page.context.set_offline(False)
    page.keyboard.press("Enter")

    expect(said).to_contain_text("dice are remembered", timeout=LEARNING)
    expect(offer).to_be_hidden()
    expect(page.locator("#look-title")).to_be_focused()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360

    page.get_by_role("button", name="Back").click()
    expect(page.locator("#pieces")).to_contain_text("Photos are read with our dice, taught on")
    beside = page.context.new_page()
    beside.goto(page.url)
    expect(beside.locator("#pieces")).to_contain_text("Photos are read with our dice, taught on")
    page.get_by_role("link", name="Our dice").click()
    expect(page.get_by_role("radio", name="our dice, taught on")).to_be_checked()
    page.get_by_role("radio", name="no taught dice").check()
    page.get_by_role("button", name="Use these").click()
    expect(page.get_by_role("status")).to_have_text("Photos are read without taught dice.")
    expect(beside.locator("#pieces")).to_have_text("Photos are read without taught dice.")
    beside.close()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.get_by_role("button", name=re.compile("^Forget our dice")).click()
    expect(page.get_by_text("No dice have been taught here yet.")).to_be_visible()
