"""A page is in one language, the phone's or one chosen there; so are the interface's answers."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import expect

from tests.browser.phones import BrowserServer, Open

GERMAN = {"Accept-Language": "de-CH,de;q=0.9,en;q=0.5"}


@pytest.fixture
def place(client: FlaskClient) -> str:
    """The page of a match of Pig."""
    place: str = client.post("/start", data={"game": "pig", "name": ["Ana", "Ben"]}).location
    return place


def test_a_match_that_ended_level_is_told_in_whole_german(client, new_match) -> None:
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
def test_a_page_speaks_the_language_of_the_phone(
    client, place, asks, language, says, refuses
) -> None:
    page = client.get(place, headers=asks).text

    assert f'<html lang="{language}">' in page
    assert says in page
    assert says in client.get(f"{place}/tally", headers=asks).text
    refused = client.post(
        f"{place}/move", data={"after": 0, "move": '{"move": "Hold"}'}, headers=asks
    )
    assert refuses in refused.text


def test_a_person_chooses_the_language_for_this_device(client) -> None:
    assert "Who plays?" in client.get("/").text

    assert client.post("/language", data={"language": "de"}).status_code == 303

    assert "Wer spielt?" in client.get("/", headers={"Accept-Language": "en"}).text
    client.post("/language", data={"language": "en"})
    assert "Who plays?" in client.get("/", headers=GERMAN).text


def test_a_language_that_is_not_there_cannot_be_chosen(client) -> None:
    answer = client.post("/language", data={"language": "xx"})

    assert "Set-Cookie" not in answer.headers
    assert "Who plays?" in client.get("/").text


def test_what_was_stored_is_told_in_the_language_of_who_reads_it(client, place) -> None:
    client.post(f"{place}/move", data={"after": 0, "move": '{"move": "Roll", "pips": 4}'})

    assert "Ana rolls 4" in client.get(f"{place}/history").text
    assert "Ana würfelt 4" in client.get(f"{place}/history", headers=GERMAN).text


@pytest.mark.parametrize(
    ("asks", "says"),
    [
        ({}, "Ana rolls the die"),
        (GERMAN, "Ana würfelt"),
        ({"Accept-Language": "fr, en;q=0.3"}, "Ana rolls the die"),
    ],
)
def test_the_rules_speak_the_language_that_the_interface_is_asked_for(
    client, place, asks, says
) -> None:
    answer = client.get(f"/api{place.replace('/m/', '/matches/')}", headers=asks)

    assert says in answer.json["prompt"]


def test_a_refusal_is_said_in_the_language_asked_for(client, place) -> None:
    sent = {"after": 0, "moves": [{"move": "Hold"}]}
    moves = f"/api{place.replace('/m/', '/matches/')}/moves"

    error = client.post(moves, json=sent, headers=GERMAN).json["error"]

    assert error["rule"] == "PIG-3"
    assert error["sentence"] == "würfle wenigstens einmal, bevor du sicherst"


@pytest.mark.browser
def test_a_german_phone_and_an_english_one_share_a_match_each_in_its_language(
    opened: Open, server: BrowserServer
) -> None:
    english = opened(server.match("pig", "Ana", "Ben", target=20)["url"], locale="en-GB")
    german = opened(english.url, locale="de-CH")

    german.get_by_role("button", name="Ana würfelt 4").click()

    expect(english.locator("#prompt")).to_have_text("Ana rolls again or holds 4.")
    expect(german.locator("#prompt")).to_have_text("Ana würfelt weiter oder sichert 4.")
    german.get_by_role("button", name="Eintippen").click()
    german.get_by_role("button", name="6 (weiß) ergänzen", exact=True).click()
    expect(german.locator("#confirm")).to_have_text("Zählen")
    english.get_by_role("button", name="Tap in").click()
    english.get_by_role("button", name="add white 6", exact=True).click()
    expect(english.locator("#confirm")).to_have_text("Count it")
