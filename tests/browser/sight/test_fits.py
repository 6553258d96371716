"""Every page and state of a match on a phone, with the longest names: nothing leaves the screen."""

import pytest
from playwright.sync_api import expect

from scorer.games import GAMES
from tests.browser.phones import photo
from tests.browser.play.test_games import live_match
from tests.browser.sight.fits import FULLEST, LARGE_TEXT, PHONES, USUAL_TEXT, check_fits
from tests.grids import EVERY, combined, every_value, few
from tests.matches import BEGUN, TWELVE, moves_by_chance
from tests.webui import sights

pytestmark = pytest.mark.browser

NAMES = ("Wolfeschlegelsteinhausen", "WWWWWWWWWWWWWWWWWWWWWWWW", "Ana", "Llanfairpwllgwyngyllgoge")
PARTS_OF = combined([*GAMES], ["undo", "step/1", "history", "rounds", "pieces", "advice"])
STEPS = 33
CUT = """[...document.querySelectorAll(".card td")].map((one) => [one, one.closest(".card")]
    .map((box) => box.getBoundingClientRect().right))
  .filter(([cell, card]) => cell > card)"""
NTH = 8 if EVERY else 24  # of them: `make test-all` looks three times as often
UNFOLD = """() => {
  window.folded = [...document.querySelectorAll("details:not([open])")];
  for (const one of window.folded) one.open = true;
}"""
FOLD = "for (const one of window.folded) one.open = false"
SHOWS = """seq => !document.querySelector(".sheets:empty")
  && JSON.parse(document.querySelector(".panes").dataset.table).seq === seq"""


def positions(name, seats):
    """Yield the moves that lead on to each of some positions of a match played by chance."""
    moves = moves_by_chance(GAMES[name], 5, seats, STEPS, 500)
    yield from ([], *(moves[at - NTH : at] for at in range(NTH, len(moves), NTH)))


@every_value(name=few(FULLEST, 2), seats=[2, 4])
def test_every_game_fits_a_phone_and_a_thumb(opened, server, name, seats):
    match = server.match(name, *NAMES[:seats])
    page = opened(match["url"])
    expect(page.locator("#state")).to_have_text("live")
    for moves in positions(name, seats):
        if moves:
            match = server.play(match, *moves)
        page.wait_for_function(SHOWS, arg=match["seq"])  # the board is drawn
        check_fits(page, least=40, widths=(320, *PHONES))
        page.evaluate(UNFOLD)
        check_fits(page, least=40)
        page.evaluate(FOLD)
    for part in [part for of, part in PARTS_OF if of == name]:
        page.goto(f"{match['url']}/{part}")
        check_fits(page, least=40)
        page.evaluate(LARGE_TEXT)
        check_fits(page, least=40, widths=(360,))


WARNINGS = [
    "Half of the board is out of the picture.",
    "The photo is blurred: hold the phone still, or come nearer.",
    "Two of the printed markers are hidden under something that lies on the board.",
]


@pytest.mark.release
def test_what_is_said_above_a_photo_stands_line_by_line_with_its_buttons_in_reach(
    opened, server, show
):
    opening = BEGUN["dice_wide_shut"]
    page = opened(server.match("dice_wide_shut", "Ana", "Ben", opening=opening)["url"])
    show(lambda *_asked: sights.sheet({("red", 2, 0), ("red", 0, 4)}, warnings=WARNINGS))

    page.locator("#camera").set_input_files(photo(1))

    lines = page.locator("#photo-says li")
    expect(lines).to_have_text(WARNINGS)
    places = [line.bounding_box() for line in lines.all()]
    assert len({place["x"] for place in places if place}) == 1
    expect(page.locator("#findings li").first).to_be_visible()
    check_fits(page)
    for size in ((360, 640), (390, 844)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        for button in ("Retake", "Back"):
            box = page.locator("#look .dock .rest").get_by_text(button).bounding_box()
            assert box["x"] + box["width"] <= size[0]
            assert box["y"] + box["height"] <= size[1]


def test_sheets_that_ask_fit_a_phone(opened, server):
    """Questions over a photo, faults over a form: with the longest names."""
    page = opened(server.match("sum", *NAMES)["url"])
    page.get_by_role("button", name="Tap in").click()
    page.get_by_role("button", name="add white 3", exact=True).click()
    check_fits(page)
    page.locator("#pool .lying button").click()
    check_fits(page, least=40)
    below = "innerHeight - document.querySelector('#picker').getBoundingClientRect().bottom"
    assert page.evaluate(f"Math.round({below})") == 0  # in reach of a thumb
    page.keyboard.press("Escape")
    page.locator("#close").click()
    page.goto(server.match("purple_house", *NAMES[:2])["url"])
    paste = page.evaluate_handle("new DataTransfer()")
    paste.evaluate("(data) => data.items.add(new File(['x'], 'dice.jpg', {type: 'image/jpeg'}))")
    pasted = "data => dispatchEvent(new ClipboardEvent('paste', {clipboardData: data}))"
    page.evaluate(pasted, paste)
    expect(page.locator("#not-now")).to_be_visible()
    check_fits(page, least=40)


CROWDED = {"beat_the_odds": (10, 40), "dice_wide_shut": (2, 14), "farkle": (8, 40)}  # seats, moves


@pytest.mark.parametrize("name", few([*CROWDED]))
def test_in_german_what_is_asked_and_counted_has_room_sideways_and_with_large_text(
    opened, server, name
):
    seats, steps = CROWDED[name]
    names = [NAMES[0], *(f"Spieler {seat}" for seat in range(2, seats + 1))]
    opening = moves_by_chance(GAMES[name], 5, seats, steps, steps)
    page = opened(server.match(name, *names, opening=opening)["url"], locale="de-DE")
    expect(page.locator("#state")).to_have_text("live")

    for text in (USUAL_TEXT, LARGE_TEXT):
        page.evaluate(text)
        for width, height in ((740, 360), (360, 740)):
            page.set_viewport_size({"width": width, "height": height})
            check_fits(page, least=20, widths=())


@pytest.mark.release
def test_the_end_of_a_match_fits_a_phone(opened, server):
    page = opened(server.match("pig", *NAMES[1:3], opening=TWELVE, target=10)["url"])
    expect(page.locator("#result-title")).to_be_visible()
    page.evaluate(UNFOLD)
    check_fits(page)
    page.get_by_role("button", name="New match with the same players").click()
    expect(page.locator("#before")).to_be_visible()
    check_fits(page, least=40)


@pytest.mark.release
def test_the_front_door_fits_a_phone(opened, server):
    page = live_match(opened, server, "purple_house", *NAMES[:2])
    page.goto(server.address)  # now with a match that this phone has opened
    expect(page.locator("#mine")).to_be_visible()
    for name in GAMES:
        page.goto(f"{server.address}?game={name}&players=4")
        page.get_by_text("House rules").click()
        check_fits(page, widths=(320, *PHONES))
        page.evaluate(LARGE_TEXT)
        check_fits(page, widths=(360,))
    for problem in ("join?code=WWWWWW", "m/nothing", "trust", "matches", "players"):
        page.goto(server.address + problem)
        check_fits(page)


@pytest.mark.release
def test_the_figures_of_players_are_whole_on_a_phone(opened, server):
    """No column is cut, in German either, where words are longer."""
    page = opened("about:blank", locale="de-DE")
    for rival in NAMES[1:]:
        page.goto(server.match("pig", NAMES[0], rival, opening=TWELVE, target=10)["url"])
    for address in ("players", f"players?name={NAMES[0]}"):
        page.goto(f"{server.address}{address}")
        expect(page.locator(".card table")).to_have_count(2)
        for width in (320, 360, 390, 600, 820):
            page.set_viewport_size({"width": width, "height": 844})
            assert page.evaluate(CUT) == [], width
