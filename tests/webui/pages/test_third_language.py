"""A third language is one catalogue: a made-up one, whose vowels have accents, shows in every page.

A word that keeps a plain vowel was never looked up.
"""

from html.parser import HTMLParser

import pytest
from playwright.sync_api import expect

from scorer.games import GAMES
from tests.browser.phones import eyes, photo
from tests.conftest import AGREE
from tests.grids import few
from tests.webui.third_language import LANGUAGE, untranslated

pytestmark = pytest.mark.usefixtures("third_language")
SHOWN = ("aria-label", "alt", "title", "placeholder", "content", "data-announce")
UNSEEN = ("script", "style")


class Shown(HTMLParser):
    """Collects what a page shows or says: texts, and attributes that are read out."""

    def __init__(self, page):
        super().__init__()
        self.texts: list[str] = []
        self._inside: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        if tag in UNSEEN:
            self._inside.append(tag)
        viewport = dict(attrs).get("name") in ("viewport", "theme-color")
        self.texts += [value or "" for name, value in attrs if name in SHOWN and not viewport]

    def handle_endtag(self, tag):
        if tag in UNSEEN:
            self._inside.pop()

    def handle_data(self, data):
        if not self._inside and "http" not in data:
            self.texts.append(data)


def english(page):
    """Return the texts of a page in which a word was not translated."""
    return [text.strip() for text in Shown(page).texts if untranslated(text)]


def asked(client, address):
    page: str = client.get(address, headers={"Accept-Language": LANGUAGE}).text
    assert f'<html lang="{LANGUAGE}">' in page or not page.startswith("<!doctype")
    return page


@pytest.mark.parametrize("game", few(GAMES, 3))
def test_the_start_page_of_each_game(client, game):
    assert not english(asked(client, f"/?other={game}"))


@pytest.mark.parametrize("game", few(GAMES, 2))
def test_a_match_of_each_game_and_its_steps(client, game):
    place = client.post("/start", data={"game": game, "name": ["Ana", "Ben"]}).location
    api = place.replace("/m/", "/api/matches/")
    for _step in range(4):
        seq, moves = (client.get(f"{api}/moves").json[name] for name in ("seq", "moves"))
        if moves:
            client.post(f"{api}/moves", json={"after": seq, "moves": [moves[0]["move"]]})

    for address in ("", "/tally", "/undo", "/history", "/rounds", "/pieces", "/step/1", "/advice"):
        assert not english(asked(client, place + address)), address


WIDE_SHUT_ROLL = {
    "move": "Roll",
    "dice": [
        ["red", 1],
        ["red", 2],
        ["red", 4],
        ["blue", 1],
        ["blue", 1],
        ["blue", 2],
        ["purple", 3],
    ],
}
BOARDS = {
    "purple_house": [AGREE],
    "dice_wide_shut": [{"move": "Starter", "seat": 0}, WIDE_SHUT_ROLL],
    "even_at_odds": [{"move": "Agree", "starter": 0, "evens": 0}],
    "gords": [{"move": "Agree", "starter": 0}],
    "pig": [],
    "farkle": [],
}


@pytest.mark.release
@pytest.mark.browser
@pytest.mark.parametrize("game", few(BOARDS, 2))
def test_what_is_tapped_on_the_page_of_a_game(opened, server, game):
    made = server.match(game, "Ana", "Ben", opening=BOARDS[game])
    page = opened(made["url"], locale=LANGUAGE)
    expect(page.locator("#state")).to_have_class("state live")
    if page.locator("#tap-in").is_visible():
        page.locator("#tap-in").click()
        expect(page.locator("#confirm:visible, #picker:visible").first).to_be_visible()

    assert not english(page.content())


@pytest.mark.release
@pytest.mark.browser
def test_a_photo_that_asks(opened, server, show):
    show(eyes(0, 4))
    made = server.match("purple_house", "Ana", "Ben", opening=[AGREE])
    page = opened(made["url"], locale=LANGUAGE)
    page.locator("#camera").set_input_files(photo(1))
    expect(page.locator("#confirm:visible, #picker:visible").first).to_be_visible()

    expect(page.locator("#chips")).to_be_visible()
    assert not english(page.content())
    page.locator("#chips .more").click()
    expect(page.locator("#picker")).to_be_visible()
    assert not english(page.content())
    page.keyboard.press("Escape")
    page.locator("#set-corners").click()
    expect(page.locator("#corners")).to_be_visible()

    assert not english(page.content())
