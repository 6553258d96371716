"""Every game played on its page by tapping alone, as people with phones and no camera do."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.phones import HeldRequests, eyes, photo
from tests.grids import few
from tests.matches import AGREED, BEGUN, POOL

pytestmark = pytest.mark.browser
WIDE = BEGUN["dice_wide_shut"]


def match(opened, server, game, *names, opening=(), **settings):
    """Open the page of a new match; the moves of *opening* have been made."""
    return opened(server.match(game, *names, opening=opening, **settings)["url"])


def live_match(opened, server, game, *names, **rest):
    """Open the page of a new match, and wait until it hears of other phones' steps."""
    page = match(opened, server, game, *names, **rest)
    expect(page.locator("#state")).to_have_text("live")
    return page


def steps(page, number):
    """Wait until the history has that number of steps."""
    expect(page.locator(".history > li")).to_have_count(number)


def count(page):
    """Confirm what was tapped on a board."""
    page.locator("#foot .main").click()


IN_SIGHT = """selector => {
  const bar = document.querySelector('#bar').getBoundingClientRect().top;
  return [...document.querySelectorAll(selector)].every(one =>
    one.getBoundingClientRect().bottom <= bar && one.getBoundingClientRect().right <= innerWidth);
}"""


@pytest.mark.parametrize(
    ("game", "opening", "taps"),
    few([("pig", [{"move": "Roll", "pips": 3}], 1), ("beat_the_odds", AGREED, 2)]),
)
def test_every_roll_is_a_tap_a_die_and_stands_above_the_bar_with_whose_turn_it_is(
    opened, server, game, opening, taps
):
    page = match(opened, server, game, "Ana", "Ben", opening=opening)

    expect(page.locator("#entry .key")).to_have_count(6 * taps)
    expect(page.locator("#tap-in")).to_be_hidden()  # the panel has the faces
    expect(page.locator("#state")).to_have_text("live")
    page.wait_for_function(IN_SIGHT, arg="#entry .key, #prompt, .score .turn")
    expect(page.locator("#why-0 .turn")).to_be_visible()
    for row in range(taps):
        steps(page, 1)
        page.locator("#entry .keys").nth(row).locator(".key").last.click()
    steps(page, 2)


def test_two_dice_are_tapped_in_any_order_and_say_first_what_they_bring(opened, server):
    page = match(opened, server, "beat_the_odds", "Ana", "Ben", opening=AGREED)
    first, second = page.locator("#entry .keys").all()

    expect(page.locator("#state")).to_have_text("live")
    second.locator('[data-key="6"]').click()  # the other die may come first
    expect(second.locator('[data-key="6"]')).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#entry-says")).to_have_text("The next tap counts.")
    expect(first.locator('[data-key="4"] small')).to_have_text("+10")
    second.locator('[data-key="6"]').click()  # taken back
    first.locator('[data-key="5"]').click()
    expect(second.locator('[data-key="5"] small')).to_have_text("ends: 0")
    first.locator('[data-key="4"]').click()
    second.locator('[data-key="2"]').click()

    expect(page.locator("#newest")).to_contain_text("Ana rolls 2-4 for 6 points")
    expect(page.locator("#entry .keys .key").first).to_be_focused()


@pytest.mark.release
def test_a_round_of_dice_wide_shut_is_tapped(opened, server):
    page = match(opened, server, "dice_wide_shut", "Ana", "Ben")
    page.get_by_role("button", name="Ana starts").click()
    expect(page.locator("#prompt")).to_contain_text("Ana rolls 3 red")

    for colour, value in POOL:
        page.get_by_role("button", name=f"add {colour} {value}", exact=True).click()
    page.locator("#foot .main").click()
    expect(page.get_by_role("heading", name="Ana's sheet")).to_be_visible()
    page.get_by_role("button", name="take red 1").click()
    page.get_by_role("button", name="take red 2").click()
    expect(page.locator(".square.new")).to_have_count(2)  # the best cells are checked
    page.get_by_role("button", name="red half, row 3, column 1, a 1: blank").click()
    page.get_by_role("button", name="red half, row 4, column 2, a 2: blank").click()
    expect(page.locator(".square.new")).to_have_count(2)  # each has moved
    expect(page.locator("#entry-says")).to_contain_text("the 2 in row 4 of the red half")
    expect(page.locator("#foot .main")).to_have_text("Count it: Ana +2")
    count(page)

    expect(page.locator("#prompt")).to_contain_text("Ben takes dice")
    expect(page.locator("#prompt")).to_be_in_viewport()  # though it was counted at its foot
    expect(page.get_by_role("heading", name="Ben's sheet")).to_be_visible()
    page.get_by_role("button", name="take blue 1").first.click()
    page.get_by_role("button", name="take blue 2").click()
    page.get_by_role("button", name=re.compile(": red half$")).click()
    page.get_by_role("button", name="red half, row 1, column 1, a 1: blank").click()
    expect(page.locator("#entry-says.wrong")).to_be_visible()  # blue dice check the blue half
    page.get_by_role("button", name="red half, row 1, column 1, a 1: checked").click()
    page.get_by_role("button", name=re.compile(": blue half$")).click()
    page.get_by_role("button", name="blue half, row 1, column 5, a 1: blank").click()
    page.get_by_role("button", name="blue half, row 2, column 5, a 2: blank").click()
    count(page)

    expect(page.locator("#prompt")).to_contain_text("Round 2: Ben rolls")
    expect(page.locator('[data-score="1"]')).to_have_text("3")  # a run of two
    page.locator("#why-1 summary").click()
    expect(page.locator("#why-1")).to_contain_text("column 5: 2 in a run")


PASTE = """async () => {
  const canvas = Object.assign(document.createElement('canvas'), {width: 30, height: 40});
  const blob = await new Promise(done => canvas.toBlob(done, 'image/png'));
  const clipboardData = new DataTransfer();
  clipboardData.items.add(new File([blob], 'image.png', {type: 'image/png'}));
  document.body.dispatchEvent(new ClipboardEvent('paste', {clipboardData, bubbles: true}));
}"""


def test_a_photo_pasted_too_early_is_told_what_the_game_waits_for(opened, server):
    page = live_match(opened, server, "gords", "Ana", "Ben")

    page.evaluate(PASTE)

    said = page.get_by_role("alert")
    expect(said).to_contain_text("is waiting for something else")
    expect(said).to_contain_text("Agree who bids first")
    page.get_by_role("button", name="Ana bids first").click()
    expect(said).to_be_hidden()


@pytest.mark.release
def test_both_halves_of_the_sheet_are_in_cells_for_a_thumb(opened, server):
    page = match(opened, server, "dice_wide_shut", "Ana", "Ben", opening=WIDE)

    remark = "If the game ended now: −5 for each of 10 empty columns"
    expect(page.locator(".tally .remark").first).to_have_text(remark)
    cells = page.locator("#entry .square")
    for half in ("red", "blue"):
        expect(page.locator(f".sheet.{half} .square")).to_have_count(30)  # with their sixes
        for cell in (cells.first, cells.last):
            box = cell.bounding_box()
            assert min(box["width"], box["height"]) >= 44
            assert 0 <= box["x"] <= box["x"] + box["width"] <= 360
        if half == "red":
            page.get_by_role("button", name=re.compile(": blue half$")).click()


def test_on_its_side_the_whole_sheet_lies_beside_the_dice_that_are_taken(opened, server):
    page = match(opened, server, "dice_wide_shut", "Ana", "Ben", opening=WIDE)
    page.set_viewport_size({"width": 844, "height": 390})
    page.get_by_role("button", name="take red 1").tap()

    sheet, panel = page.locator("#entry .sheet").bounding_box(), page.locator("#entry")
    assert sheet["y"] >= page.locator("#strip").bounding_box()["height"]
    assert sheet["y"] + sheet["height"] <= 390
    assert sheet["x"] + sheet["width"] <= panel.bounding_box()["x"]
    assert panel.evaluate("one => one.scrollHeight <= one.clientHeight")


def test_a_die_of_purple_house_is_a_tap_and_the_next_empty_cell_follows(opened, server):
    page = live_match(opened, server, "purple_house", "Ana", "Ben")

    page.get_by_role("button", name="Ana rolls: 6").click()
    page.get_by_role("button", name="Ben rolls: 1").click()
    page.get_by_role("button", name="Ben takes black").click()
    expect(page.locator("#prompt")).to_contain_text("Ana (white) starts")
    picked = page.locator("#entry .cells [aria-pressed=true]")
    expect(picked).to_have_accessible_name("Row 1, column 1")
    expect(page.get_by_role("group", name="White · 5 left")).to_be_visible()
    page.get_by_role("button", name="White 3").click()

    expect(page.locator("#prompt")).to_contain_text("1 of 9 dice are on the grid")
    expect(picked).to_have_accessible_name("Row 1, column 2")
    expect(page.get_by_role("group", name="Black · 4 left")).to_be_visible()
    lies = page.get_by_role("button", name="Row 1, column 1: white 3")
    expect(lies).to_be_disabled()
    lies.click(force=True)
    expect(picked).to_have_accessible_name("Row 1, column 2")
    page.get_by_role("button", name="Row 2, column 2").click()
    expect(page.locator("#entry-says")).to_have_text("Row 2, column 2: the next tap counts.")
    page.keyboard.press("5")

    expect(page.locator(".history .said").first).to_contain_text("Black 5 on row 2, column 2")


def test_a_photo_of_dice_without_a_board_is_checked_and_counted(opened, server, show):
    show(eyes(board="partial-4"))
    page = match(opened, server, "pig", "Ana", "Ben")

    page.locator("#camera").set_input_files(photo(1))

    fault = "4 dice were found; show only the one that was rolled."
    expect(page.locator("#findings")).to_contain_text(fault)
    expect(page.locator("#overlay polygon.edge")).to_have_count(4)
    for _ in range(3):
        page.locator("#overlay .piece").first.press("Enter")
        page.get_by_role("button", name="Another value").click()
        page.get_by_role("button", name="No die here").click()
    expect(page.locator("#overlay .piece")).to_have_count(1)
    page.get_by_role("button", name="Count it").click()
    expect(page.locator(".history .said")).to_have_text(re.compile(r"Ana rolls \d"))


def test_a_look_that_is_left_asks_no_more_and_dice_still_to_be_tapped_in_are_no_offence(
    opened, server
):
    page = match(opened, server, "sum", "Ana", "Ben")
    held = HeldRequests("**/proposals").of(page, times=1)
    page.get_by_role("button", name="Tap in").click()
    with page.expect_event("requestfailed", lambda failed: "/proposals" in failed.url):
        page.get_by_role("button", name="add white 6", exact=True).click()
        held.wait()
        page.get_by_role("button", name="Back").click()

    page.get_by_role("button", name="Tap in").click()

    expect(page.locator("#confirm")).to_have_text("Cannot be counted yet")
    expect(page.locator("#findings li, #play-on")).to_have_count(0)

    page.get_by_role("button", name="add white 4", exact=True).click()

    expect(page.locator("#confirm")).to_have_text("Count it: Ana +4")


def test_of_two_phones_on_a_board_the_second_is_told(opened, server):
    page = match(opened, server, "gords", "Ana", "Ben", opening=AGREED)
    page.get_by_role("button", name="Face: 3").click()
    page.get_by_role("button", name="How many, ones included: 4").click()
    page.route("**/live?*", lambda route: route.abort())

    def be_overtaken(route):
        bid = {"move": "Bid", "space": "5", "face": 2}
        page.request.post(route.request.url, data={"after": 1, "moves": [bid]})
        route.continue_()

    page.route("**/moves", be_overtaken, times=1)
    with page.expect_response(lambda answer: answer.status == 409):  # a poll may tell it before
        page.get_by_role("button", name="Ana bids 4 threes").click()

    expect(page.locator("#prompt")).to_contain_text("bids higher than 5 twos")
    steps(page, 2)


@pytest.mark.release
def test_what_overtook_a_board_is_told_once_the_network_is_back(opened, server):
    page = match(opened, server, "gords", "Ana", "Ben", opening=AGREED)
    page.get_by_role("button", name="Face: 3").click()
    page.get_by_role("button", name="How many, ones included: 4").click()
    page.route("**/tally", lambda route: route.abort())
    bid = {"move": "Bid", "space": "5", "face": 2}
    path = page.url.replace("/m/", "/api/matches/") + "/moves"
    assert page.request.post(path, data={"after": 1, "moves": [bid]}).ok
    page.get_by_role("button", name="Ana bids 4 threes").click()

    expect(page.locator("#state")).to_have_attribute("data-state", "away")
    page.unroute("**/tally")
    expect(page.locator("#prompt")).to_contain_text("bids higher than 5 twos")
    expect(page.locator("#state")).to_have_attribute("data-state", "live")


STREAM = """delete window.SharedWorker; window.EventSource = class extends EventSource {
  constructor(...given) { super(...given); window.stream = this; } }"""


@pytest.mark.release
def test_what_could_not_be_fetched_is_fetched_though_the_stream_came_back(opened, server):
    page = opened(server.match("pig", "Ana", "Ben")["url"], own=True)
    page.add_init_script(STREAM)
    page.reload()
    expect(page.locator("#state")).to_have_attribute("data-state", "live")
    page.route("**/tally", lambda route: route.abort())
    path = page.url.replace("/m/", "/api/matches/") + "/moves"
    roll = {"move": "Roll", "pips": 3}
    with page.expect_event("requestfailed", lambda failed: failed.url.endswith("/tally")):
        assert page.request.post(path, data={"after": 0, "moves": [roll]}).ok
    page.unroute("**/tally")
    page.evaluate("stream.dispatchEvent(new Event('open'))")  # what a browser does by itself

    steps(page, 1)


@pytest.mark.release
def test_what_would_be_best_is_asked_with_a_hand_that_no_other_phone_sees(opened, server):
    page = match(opened, server, "gords", "Ana", "Ben", opening=AGREED, advice=True)
    page.get_by_text("What would be best?").click()
    expect(page.locator(".advice > li").first).to_be_visible()

    page.locator("#hand").fill("6 6 6 6 6")
    page.get_by_role("button", name="Ask").click()

    expect(page.locator(".advice")).to_contain_text("Bid 1 six: true in 100.0 % of cases")
    assert page.locator(".advice").evaluate("list => list.scrollWidth <= list.clientWidth")
    expect(page.get_by_role("button", name="Ask")).to_be_focused()
