"""A page is in one language, the phone's or one chosen there; a third one is one catalogue."""

import re
from html.parser import HTMLParser

import pytest
from playwright.sync_api import expect

from scorer.games import GAMES
from scorer.games.sum.moves import Enter
from scorer.messages import _, translated
from scorer.sentence import numbers_typed
from tests.browser.phones import eyes, photo
from tests.conftest import AGREE
from tests.grids import few
from tests.matches import BEGUN, plain
from tests.webui.third_language import LANGUAGE, untranslated
from webui import cli
from webui.match.summary import sentence

GERMAN = {"Accept-Language": "de-CH,de;q=0.9,en;q=0.5"}


@pytest.fixture
def place(client):
    """The page of a match of Pig."""
    return client.post("/start", data={"game": "pig", "name": ["Ana", "Ben"]}).location


def test_a_match_that_ended_level_is_told_in_whole_german(client, new_match):
    match = new_match(game="pig", opening=[{"move": "Roll", "pips": 1}, {"move": "EndMatch"}])

    page = client.get(f"/m/{match['id']}", headers=GERMAN).text

    assert "Gleichstand von Ada und Ben: 0 Punkte" in page  # "mit 0 Punkte" is none


@pytest.mark.parametrize(
    ("asks", "language", "says", "refuses"),
    [
        ({}, "en", "Ana rolls the die", "roll at least once before you hold"),
        (GERMAN, "de", "Ana würfelt", "würfle wenigstens einmal, bevor du sicherst"),
        ({"Accept-Language": "fr, en;q=0.3"}, "en", "Ana rolls the die", "roll at least once"),
    ],
)
def test_a_page_speaks_the_language_of_the_phone(client, place, asks, language, says, refuses):
    page = client.get(place, headers=asks).text

    assert f'<html lang="{language}"' in page
    assert says in page
    assert says in client.get(f"{place}/tally", headers=asks).text
    held = {"after": 0, "move": '{"move": "Hold"}'}
    assert sentence(refuses) in client.post(f"{place}/move", data=held, headers=asks).text
    match = f"/api{place.replace('/m/', '/matches/')}"
    assert says in client.get(match, headers=asks).json["prompt"]
    sent = {"after": 0, "moves": [{"move": "Hold"}]}
    error = client.post(f"{match}/moves", json=sent, headers=asks).json["error"]
    assert refuses in error["sentence"]


def test_a_person_chooses_the_language_for_this_device(client):
    assert "Set-Cookie" not in client.post("/language", data={"language": "xx"}).headers
    assert "Who plays?" in client.get("/").text

    assert client.post("/language", data={"language": "de"}).status_code == 303

    assert "Wer spielt?" in client.get("/", headers={"Accept-Language": "en"}).text
    client.post("/language", data={"language": "en"})
    assert "Who plays?" in client.get("/", headers=GERMAN).text


HALF_TYPED = {"game": "pig", "name": ["Ad", "Be", "Cl"], "set.target": "50"}


@pytest.mark.parametrize(
    ("address", "pressed"), [("/language", {"language": "de"}), ("/forget", {"match": "x"})]
)
def test_other_buttons_of_the_start_page_keep_what_is_typed(client, address, pressed):
    page = client.post(address, data=HALF_TYPED | pressed, follow_redirects=True).text

    assert all(f'value="{name}"' in page for name in ("Ad", "Be", "Cl"))
    assert re.search(r'name="set.target"[^>]* value="50"', page)


def test_a_refused_code_or_recording_keeps_what_is_typed(client):
    refused = client.get("/join", query_string=HALF_TYPED | {"code": "NOPE"})
    for page in (refused, client.post("/open", data=HALF_TYPED)):
        assert page.status_code >= 400
        assert all(f'value="{name}"' in page.text for name in ("Ad", "Be", "Cl"))


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("/rules/chess", "So ein Spiel gibt es nicht."),
        ("/rules/pig/PIG-99", "So eine Regel gibt es nicht."),
        ("/style", "gibt es nichts."),
    ],
)
def test_what_is_not_there_is_told_in_the_language(client, address, says):
    answer = client.get(address, headers=GERMAN)

    assert answer.status_code == 404
    assert says in answer.text


@pytest.mark.browser
def test_a_german_phone_and_an_english_one_share_a_match_each_in_its_language(opened, server):
    english = opened(server.match("pig", "Ana", "Ben", target=20)["url"], locale="en-GB")
    german = opened(english.url, locale="de-CH")

    german.get_by_role("button", name="Ana würfelt 4").click()

    expect(english.locator("#prompt")).to_have_text("Ana rolls again or holds 4.")
    expect(german.locator("#prompt")).to_have_text("Ana würfelt weiter oder sichert 4.")
    german.get_by_role("button", name="Ana sichert 4").click()
    expect(english.locator("#prompt")).to_have_text("Ben rolls the die.")
    sheet = server.match("sum", "Ana", "Ben")["url"]
    for page in (german, english):
        page.goto(sheet)
    german.get_by_role("button", name="Eintippen").click()
    expect(german.get_by_role("button", name="6 (weiß) ergänzen", exact=True)).to_be_visible()
    english.get_by_role("button", name="Tap in").click()
    expect(english.get_by_role("button", name="add white 6", exact=True)).to_be_visible()


HYPHEN = re.compile(r"(?<![\w.#/=-])-\d")


def seen(page):
    """Return what is read on a page, and what is read aloud of it."""
    body = re.sub(r"(?s)<(script|style|canvas)\b.*?</\1>", "", page.split("<main")[-1])
    return plain(" ".join([*re.findall(r'aria-label="([^"]*)"', body), body]))


@pytest.fixture
def lost(client, new_match):
    """A sheet of one round, in which both have lost points."""
    moves = [{"move": "Enter", "seat": seat, "points": -7} for seat in (0, 1)]
    match = new_match(game="sum", opening=moves, settings={"rounds": 1})
    client.get(f"/m/{match['id']}")
    return match


@pytest.mark.parametrize("language", ["en", "de"])
def test_no_page_shows_a_hyphen_for_a_minus(client, lost, language):
    match = f"/m/{lost['id']}"
    screen = client.get(f"{match}/board").location
    paths = ("", "/share", "/step/1", "/history", "/rounds", "/play.txt")
    others = (screen, "/", "/matches", "/players?name=Ada")
    for path in (*(f"{match}{each}" for each in paths), *others):
        text = seen(client.get(path, headers={"Accept-Language": language}).text)
        assert "−7" in text, path
        assert HYPHEN.findall(text) == [], path


def test_data_stay_numbers(client, lost):
    match = f"/m/{lost['id']}"

    assert client.get(f"{match}/match.json").json["score"] == [-7, -7]
    assert client.get(f"{match}/steps.csv").text.splitlines()[-1].endswith(",-7,-7")


def test_the_terminal_shows_the_same_and_takes_both(tmp_path, monkeypatch, capsys):
    typed = iter(["Ada -40", "Ben −20", "why", "history", "quit"])
    monkeypatch.setattr("builtins.input", lambda *_: next(typed))
    database = ("--database", str(tmp_path / "matches.db"))

    cli.main(["play", "sum", "Ada", "Ben", *database])
    cli.main(["matches", *database])

    shown = capsys.readouterr().out
    assert "Ada −40, Ben −20" in shown
    assert "→ Ada −40" in shown
    assert HYPHEN.findall(shown) == []


def test_a_sentence_has_the_sign_in_every_language():
    message = _("{points}, as entered", points=-3)

    assert (message, message.parts["points"]) == ("−3, as entered", -3)
    assert "−3" in translated(message, "de")
    assert translated(_("{n:.1f} points", n=-3.5), "de").startswith("−3,5")


@pytest.mark.parametrize("line", ["Ada -3", "Ada −3", "Ada enters −3", "Ada enters -3"])
def test_a_line_is_typed_with_either_sign(line):
    sums = GAMES["sum"]

    assert numbers_typed(sums, sums.start(2, {}), ("Ada", "Ben"), line) == [Enter(0, -3)]


SHOWN = ("aria-label", "alt", "title", "placeholder", "content", "data-announce")
UNSEEN = ("script", "style")


class Shown(HTMLParser):
    """Collects what a page shows or says: texts, and attributes that are read out."""

    def __init__(self, page):
        super().__init__()
        self.texts, self._inside = [], []
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
    page = client.get(address, headers={"Accept-Language": LANGUAGE}).text
    assert f'<html lang="{LANGUAGE}"' in page or not page.startswith("<!doctype")
    return page


@pytest.mark.usefixtures("third_language")
@pytest.mark.parametrize("game", few(GAMES, 3))
def test_the_start_page_of_each_game(client, game):
    assert not english(asked(client, f"/?other={game}"))


@pytest.mark.usefixtures("third_language")
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


@pytest.mark.usefixtures("third_language")
@pytest.mark.release
@pytest.mark.browser
@pytest.mark.parametrize("game", few([*BEGUN, "pig", "farkle"], 2))
def test_what_is_tapped_on_the_page_of_a_game(opened, server, game):
    made = server.match(game, "Ana", "Ben", opening=BEGUN.get(game, ()))
    page = opened(made["url"], locale=LANGUAGE)
    expect(page.locator("#state")).to_have_class("state live")
    if page.locator("#tap-in").is_visible():
        page.locator("#tap-in").click()
        expect(page.locator("#confirm:visible, #picker:visible").first).to_be_visible()

    assert not english(page.content())


@pytest.mark.usefixtures("third_language")
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
