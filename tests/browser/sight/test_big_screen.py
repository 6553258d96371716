"""The big screen in Chromium: read from afar, live, and on with the players by itself."""

import re

import pytest
from playwright.sync_api import expect

from scorer.games import GAMES
from tests.browser.phones import eyes, photo, wait_until
from tests.browser.race_pages import confirm, ready_match, take_photo
from tests.browser.sight.fits import FULLEST, misfits, settled
from tests.browser.sight.test_fits import NAMES, positions
from tests.grids import EVERY, few
from tests.matches import TWELVE

pytestmark = pytest.mark.browser

SCREENS = ((1920, 1080), (1280, 720), (820, 1180))
PEOPLE = (*NAMES, "Friederike", "Bo")
# What leaves its box or the screen; and what of a cell lies over the other parts of it.
CROWDED = """() => {
    const place = (one) => one.getBoundingClientRect();
    const named = (one) => one.outerHTML.slice(0, 90);
    const every = ".shown > * > *, .half > *, .table > *, .ranks li, .join > *";
    const parts = [...document.querySelectorAll(every)].filter((one) => one.checkVisibility());
    const leaves = (one) => {
        const [at, box] = [place(one), place(one.parentElement)];
        return at.top < box.top - 1 || at.bottom > Math.min(box.bottom, innerHeight) + 1;
    };
    const covers = ({ nextElementSibling: next }, at) => {
        return next && place(next).top < at.bottom - 1 && place(next).left < at.right - 1;
    };
    return parts.filter((one) => leaves(one) || covers(one, place(one))).map(named);
}"""


def screen_of(page, made, query=""):
    """Show the big screen of a match; return its address, which has no code."""
    page.goto(f"{made['url']}/board")
    address = page.url.partition("?")[0]
    if query:
        page.goto(address + query)
    return address


def check_room(page):
    """Hold that everything has room on a television, a laptop and a tablet."""
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        assert not misfits(page, 0), (width, page.url)
        assert not settled(page, CROWDED), (width, page.url)


# In the gate a game with few players or the most, each number in some game.
TABLES = [
    (name, seats)
    for place, name in enumerate(FULLEST)
    for sizes in [[seats for seats in range(2, 7) if seats in GAMES[name].seats]]
    for seats in (sizes if EVERY else [sizes[(0, 1, -1)[place % 3] % len(sizes)]])
]


@pytest.mark.parametrize(("name", "seats"), few(TABLES))
def test_every_game_has_room_on_every_screen(opened, server, name, seats):
    page = opened("about:blank")
    moves = [move for part in positions(name, seats) for move in part]
    screen_of(page, server.match(name, *PEOPLE[:seats], opening=moves))
    expect(page.locator("#state")).to_have_text("live")
    check_room(page)


@pytest.mark.release
@pytest.mark.parametrize("players", few([64, 6, 24], 2))
def test_all_tables_of_a_tournament_have_room(opened, server, players):
    page = opened("about:blank")
    names = [f"Player number {seat}" for seat in range(1, players + 1)]
    screen_of(page, server.match("purple_house", *names))

    check_room(page)
    expect(page.locator(".table")).to_have_count(players // 2)


@pytest.mark.release
def test_it_is_read_from_afar(opened, server, show):
    page = ready_match(opened, server)
    show(eyes())
    take_photo(page, photo(1))
    confirm(page)
    page.set_viewport_size({"width": 1920, "height": 1080})

    page.get_by_role("link", name="On a television").click()

    expect(page.locator(".stage image")).to_be_visible()
    size = "one => parseFloat(getComputedStyle(one).fontSize)"
    numerals = page.locator(".numeral").all()
    wait_until(page, lambda: min(one.evaluate(size) for one in numerals) > 250)
    words = page.locator("p, h1, h2, .label, .turn, .gain, .code").all()
    assert min(one.evaluate(size) for one in words if one.is_visible()) >= 28
    left, right = (page.locator(part).bounding_box() for part in (".left", ".right"))
    assert 0.58 < left["width"] / (left["width"] + right["width"]) < 0.62
    assert page.locator("button, a, input, select").count() == 0
    check_room(page)


def test_it_follows_live_after_a_lost_connection_and_into_the_rematch(opened, server):
    made = server.match("pig", "Ana", "Ben", opening=TWELVE[:2], target=10)
    page = opened("about:blank")
    page.set_viewport_size({"width": 1280, "height": 720})
    address = screen_of(page, made)
    expect(page.locator("#state")).to_have_text("live")

    page.context.set_offline(True)
    expect(page.locator("#state")).to_have_text("reconnecting")
    said, left = (page.locator(part).bounding_box() for part in ("#state", ".left"))
    assert said["x"] + said["width"] <= left["x"] + left["width"] + 1  # beside it stands another
    server.play(made, *TWELVE[2:])
    page.context.set_offline(False)

    expect(page.locator('[data-score="0"]')).to_have_text("12")
    expect(page.locator(".result")).to_contain_text("Ana wins")
    page.request.post(f"{made['url']}/again")
    expect(page).not_to_have_url(re.compile(re.escape(address)))
    expect(page.locator('[data-score="0"]')).to_have_text("0")
    assert re.search(r"/m/\w+/board\?join=\w+$", page.url)
    expect(page.locator("#state")).to_have_text("live")

    server.post(f"matches/{made['id']}/undo", {"after": made["seq"] + 1})

    page.wait_for_url(re.compile(re.escape(address)))  # its end was taken back
    expect(page.locator(".result")).to_have_count(0)


@pytest.mark.release
def test_over_a_stream_nothing_is_painted_around_the_strip(opened, server):
    made = server.match("gords", *PEOPLE[:6])
    page = opened("about:blank", color_scheme="dark", viewport={"width": 1920, "height": 1080})
    screen_of(page, made, "?plain")

    ground = "one => getComputedStyle(one).backgroundColor"
    for part in ("html", "body", "main", "#board", ".shown"):
        assert page.locator(part).evaluate(ground) == "rgba(0, 0, 0, 0)", part
    for name in PEOPLE[:6]:
        expect(page.locator(".strip")).to_contain_text(name)
    assert made["code"] not in page.content()
    assert not misfits(page, 0)
