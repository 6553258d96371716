"""A photo at one of several tables stays with its table, whatever happens at the others."""

import re

import pytest
from playwright.sync_api import expect

from scorer import Die, Table
from tests.browser.phones import HeldRequests, send_again
from tests.browser.photo.test_photos import count
from tests.grids import few
from tests.matches import POOL
from tests.webui import sights

pytestmark = pytest.mark.browser


def second_table(opened, server, show):
    """Return a page, a photo of dice, and what has the first of two tables go on to its sheets."""
    opening = [{"move": "Starter", "seat": 0, "table": table} for table in (0, 1)]
    four = ("Ana", "Ben", "Cyd", "Dan")
    made = server.match("dice_wide_shut", *four, opening=opening, match="tournament")
    page = opened(made["url"])
    hues = [hue for hue, _pips in POOL]
    dice = [sights.die_at(40 + 40 * at, 60, 1 + at % 5, hue, None) for at, hue in enumerate(hues)]
    table = Table(tuple(Die(one["value"], one["color"], None, 0.99) for one in dice))

    sight = sights.sight(sights.SHEET, table, dice=dice)
    show(lambda *_asked: sight)
    file = {"name": "photo.jpg", "mimeType": "image/jpeg", "buffer": sight.jpeg}
    return page, file, lambda: server.play(made, {"move": "Roll", "dice": POOL})


def test_a_photo_of_a_roll_stays_while_another_table_goes_on_to_its_sheets(opened, server, show):
    """It was dropped as counted: the match asked for a sheet, and its table was another's place."""
    page, file, go_on = second_table(opened, server, show)
    late = HeldRequests("**/photos*").of(page)
    page.locator("#camera").set_input_files(file)
    late.wait()
    page.locator("#spot").select_option("Table 2: Cyd and Dan")
    late.go_on()
    expect(page.locator("#preview")).to_contain_text("Table 2: Cyd rolls")
    go_on()

    expect(page.locator("#spot option")).to_have_count(3)
    expect(page.locator("#spot option:checked")).to_have_text("Table 2: Cyd and Dan")
    expect(page.locator("#preview")).to_contain_text("Table 2: Cyd rolls")
    count(page)


@pytest.mark.parametrize("way", few(["in flight", "offline", "left in flight"]))
def test_a_photo_that_waits_goes_to_the_table_it_was_taken_for(opened, server, show, way):
    """It had kept the number of its table, and one in flight was lost once another table moved."""
    page, file, go_on = second_table(opened, server, show)
    late = HeldRequests(re.compile("/photos.spot=1$"))
    page.route("**/photos*", lambda route: route.abort())
    page.locator("#camera").set_input_files(file)
    page.locator("#spot").select_option("Table 2: Cyd and Dan")
    expect(page.locator("#again")).to_be_visible()
    if way == "offline":
        page.goto("about:blank")
        page.unroute("**/photos*")
        go_on()
    else:
        late.of(page)
        page.unroute("**/photos*")
        send_again(page)
        late.wait()
        go_on()
        expect(page.locator("#spot option")).to_have_count(3)
    with page.expect_request(lambda sent: sent.url.endswith("/photos?spot=2")):
        {"offline": page.go_back, "left in flight": page.reload}.get(way, late.go_on)()

    expect(page.locator("#spot option:checked")).to_have_text("Table 2: Cyd and Dan")
    expect(page.locator("#preview")).to_contain_text("Table 2: Cyd rolls")
    count(page)


@pytest.mark.release
def test_a_photo_whose_surface_is_there_no_more_says_so_when_it_is_taken_up(opened, server, show):
    """It would be judged as what has the number, or the name, of that surface by now."""
    page, file, go_on = second_table(opened, server, show)
    seq = go_on()["seq"]
    expect(page.locator("#spot option")).to_have_count(3)
    page.route("**/photos*", lambda route: route.abort())
    page.locator("#camera").set_input_files(file)
    page.locator("#spot").select_option("Table 2: Cyd and Dan")
    expect(page.locator("#again")).to_be_visible()
    match = page.url.rpartition("/")[2]
    page.goto("about:blank")
    page.unroute("**/photos*")
    roll = {"move": "Roll", "dice": POOL, "table": 1}
    server.post(f"matches/{match}/moves", {"after": seq, "moves": [roll]})

    page.go_back()

    notice = page.locator("#look-notice")
    expect(notice).to_contain_text("It was taken for “Table 2: Cyd and Dan”")
    expect(page.locator("#spot option")).to_have_count(4)
