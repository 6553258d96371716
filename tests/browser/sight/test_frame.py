"""The frame of a match: scores in sight, one row of buttons, a menu, and panes on wide screens."""

import pytest
from playwright.sync_api import expect

from tests.browser.phones import eyes, photo
from tests.browser.play.test_games import live_match
from tests.browser.play.test_panel import DOCK
from tests.browser.race_pages import confirm, ready_match, take_photo
from tests.browser.sight.fits import LARGE_TEXT, check_fits, check_layout
from tests.browser.sight.test_axe import check
from tests.conftest import AGREE
from tests.grids import few

pytestmark = pytest.mark.browser

NAMES = ("Alexandra", "Ben", "Jo", "Kofi", "Bart", "Mara", "Ivy", "Leo", "Zoe", "Kim", "Alma", "Li")
UPRIGHT = ((360, 740), (390, 844))
SIDEWAYS = ((740, 360), (844, 390))
BELOW = "scrollTo(0, document.documentElement.scrollHeight)"


@pytest.mark.parametrize(
    ("seats", "text"), few([(2, ""), (10, ""), (12, ""), (14, ""), (4, LARGE_TEXT)], 2)
)
def test_all_scores_stay_in_sight_and_lead_to_the_tally(opened, server, seats, text):
    names = [*NAMES, "Ada", "Eve"][:seats]
    page = live_match(opened, server, "purple_house" if seats > 12 else "sum", *names)
    if text:
        page.evaluate(text)
    for width, height in (*UPRIGHT, *(SIDEWAYS if not text else ())):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(BELOW)
        expect(page.locator("#strip")).to_be_in_viewport(ratio=1)
    strip = page.get_by_role("link", name="Alexandra 0")
    shorts = page.locator("#strip [aria-hidden=true]:not(svg)").all_text_contents()
    assert len({*shorts}) == len(shorts)
    if seats > 12:
        expect(strip).to_contain_text("all 14")
    strip.click()
    expect(page.locator("#scores")).to_be_focused()


def test_what_a_colour_stands_for_is_not_cut_and_sideways_the_dock_is_at_the_side(opened, server):
    page = opened(server.match("purple_house", *NAMES[:3], opening=[AGREE])["url"])

    below = """one => {
        const words = document.createRange();
        words.selectNodeContents(one);
        const bottom = (of) => of.getBoundingClientRect().bottom;
        return bottom(words) - bottom(one.parentElement);
    }"""
    for means in page.locator("#strip .means").all():
        assert means.evaluate(below) <= 0.5
    for width, height in SIDEWAYS:
        page.set_viewport_size({"width": width, "height": height})

        expect(page.locator("#camera-words")).to_be_visible()
        box = page.locator("#bar").bounding_box()
        assert box["x"] > width / 2
        assert box["height"] <= DOCK
        check_fits(page, least=40, widths=())


@pytest.mark.release
def test_of_many_the_seat_locked_to_this_phone_is_in_sight(opened, server):
    names = [*NAMES, "Ada", "Eve"]
    match = server.match("purple_house", *names)
    page = opened(match["url"], own=True)
    expect(page.locator("#state")).to_have_text("live")
    strip = page.locator("#strip")
    expect(strip.locator("[data-seat='13']")).to_be_hidden()
    for form in ({"do": "begin"}, {"do": "lock", "seat": "13", "phone": "1"}):
        assert page.request.post(f"{match['url']}/phones", form=form).ok
    page.reload()

    expect(strip.locator("[data-seat='13']")).to_be_visible()
    for width, height in (*UPRIGHT, *SIDEWAYS):
        page.set_viewport_size({"width": width, "height": height})
        expect(strip.locator(".stand:not([hidden])").last).to_be_in_viewport(ratio=0.9)


def test_the_strip_follows_each_step(opened, server):
    match = server.match("pig", "Ada", "Ben")
    page = opened(match["url"])
    expect(page.locator("#strip .moving")).to_contain_text("Ada")

    server.play(match, {"move": "Roll", "pips": 4}, {"move": "Hold"})

    expect(page.locator("#strip")).to_contain_text("Ada 4")
    expect(page.locator("#strip .moving")).to_contain_text("Ben")


PARTS = ("", "/step/1", "/history", "/players", "/rules", "/undo", "/phones", "/share", "/may")


@pytest.mark.parametrize("part", few(PARTS))
def test_each_page_of_a_match_has_its_menu_and_the_way_home(opened, server, part):
    match = server.match("pig", "Ana", "Ben", opening=[{"move": "Roll", "pips": 4}])
    page = opened(match["url"] + part)
    button = page.get_by_role("button", name="Menu of this match")
    button.click()

    menu = page.get_by_role("navigation", name="This match")
    expect(menu).to_be_visible()
    expect(page.get_by_role("button", name="Close the menu")).to_be_focused()
    check(page)
    check_fits(page, least=40)
    names = "Players", "Rules", "Settings", "Invite a phone", "Leave or concede", "All matches"
    for name in names:
        expect(menu.get_by_role("link", name=name).first).to_be_visible()
    page.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    expect(button).to_be_focused()
    button.click()
    menu.get_by_role("link", name="Invite a phone").click()
    expect(page.locator("#invite")).to_be_in_viewport()
    expect(menu).to_be_hidden()
    page.get_by_role("link", name="Pipsight").click()
    expect(page.locator("#mine")).to_be_visible()


def test_many_players_are_sorted_by_score_and_the_phone_remembers_it(opened, server):
    points = [{"move": "Enter", "seat": seat, "points": 10 * (seat % 3)} for seat in range(5)]
    match = server.match("sum", *NAMES[:5], opening=points)
    page = opened(match["url"])
    names = page.locator(".score .name")
    expect(names).to_have_text(NAMES[:5])

    page.get_by_label("By score").check(force=True)

    by_score = ["Jo", "Ben", "Bart", "Alexandra", "Kofi"]
    expect(names).to_have_text(by_score)
    page.reload()
    expect(names).to_have_text(by_score)
    server.play(match, {"move": "Enter", "seat": 3, "points": 90})
    expect(names).to_have_text(["Kofi", "Jo", "Ben", "Bart", "Alexandra"])
    page.get_by_label("By seat").check(force=True)
    expect(names).to_have_text(NAMES[:5])


COLUMNS = ("[aria-label=Tally]", "#last-photo", "[aria-labelledby=history-title]", "#bar")


@pytest.fixture
def counted(opened, server, show):
    """Return the page of a match whose first round was counted from a photo."""
    page = ready_match(opened, server)
    show(eyes())
    take_photo(page, photo(1))
    confirm(page)
    expect(page.locator("#last-photo")).to_be_visible()
    return page


def places(page):
    """Return of the tally, the photo, the history and the dock left, top and width."""
    boxes = [page.locator(part).bounding_box() for part in COLUMNS]
    return [(box["x"], box["y"], box["width"]) for box in boxes if box]


@pytest.mark.release
def test_a_match_is_one_column_two_panes_or_three(counted):
    counted.set_viewport_size({"width": 390, "height": 844})
    (tally, photo_at, past, dock) = places(counted)
    assert tally[0] == photo_at[0] == past[0]
    assert tally[1] < photo_at[1] < past[1]
    assert dock[2] == 390

    counted.set_viewport_size({"width": 820, "height": 1180})
    (tally, photo_at, past, dock) = places(counted)
    assert photo_at[0] == past[0] < tally[0]
    assert photo_at[1] == tally[1]
    assert dock[2] == 820

    counted.set_viewport_size({"width": 1920, "height": 1080})
    (tally, photo_at, past, dock) = places(counted)
    assert photo_at[0] < tally[0] < past[0]
    assert photo_at[1] == tally[1] == past[1]
    assert dock[0] == photo_at[0]
    assert dock[2] == photo_at[2]


def test_nothing_of_a_match_leaves_its_box_or_is_covered_and_the_score_is_its_largest(counted):
    check_layout(counted)
    size = "one => parseFloat(getComputedStyle(one).fontSize)"
    scores = [one.evaluate(size) for one in counted.locator("[data-score]").all()]
    every = "every => every.filter(one => one.checkVisibility()).map({size})"
    others = counted.locator("h1, h2, h3, p, b, .code").evaluate_all(every.format(size=size))
    assert min(scores) > 2 * max(others)
    fold = counted.locator("#why-0")
    expect(fold.locator(".crops")).to_have_count(0)
    fold.locator("summary").click()
    expect(fold.locator(".crops image")).to_have_count(3 * 5)  # dice once it is opened
    for text in ("", LARGE_TEXT):
        counted.evaluate(text)
        check_fits(counted, widths=(320, 360) if not text else (360,))
