"""One language on a page at a time; the JSON interface answers in the one that is asked for."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect

from tests.browser.phones import BrowserServer, Open

GERMAN = {"Accept-Language": "de-CH,de;q=0.9,en;q=0.5"}


@pytest.fixture
def place(client: FlaskClient) -> str:
    """The page of a match of Pig."""
    place: str = client.post("/start", data={"game": "pig", "name": ["Ana", "Ben"]}).location
    return place


@pytest.mark.parametrize("asks", [{}, GERMAN, {"Accept-Language": "fr, en;q=0.3"}])
def test_a_page_is_english_until_another_language_is_whole(client, place, asks) -> None:
    page = client.get(place, headers=asks).text

    assert '<html lang="en">' in page
    assert "Ana rolls the die" in page
    assert "Ana rolls the die" in client.get(f"{place}/tally", headers=asks).text
    refused = client.post(
        f"{place}/move", data={"after": 0, "move": '{"move": "Hold"}'}, headers=asks
    )
    assert "roll at least once before you hold" in refused.text


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


def written(page: Page) -> str:
    text: str = page.inner_text("body")
    return text


@pytest.mark.browser
def test_a_german_phone_and_an_english_one_show_the_same_words(
    opened: Open, server: BrowserServer
) -> None:
    english = opened(server.match("pig", "Ana", "Ben", target=20)["url"], locale="en-GB")
    german = opened(english.url, locale="de-CH")
    phones = (german, english)

    german.get_by_role("button", name="Ana rolls 4").click()
    for phone in phones:
        expect(phone.locator("#prompt")).to_have_text("Ana rolls again or holds 4.")
        expect(phone.locator("#state")).to_have_text("live")
    assert written(german) == written(english)
    for phone in phones:
        phone.get_by_role("button", name="Tap in").click()
        phone.get_by_role("button", name="add white 6", exact=True).click()
        expect(phone.locator("#confirm")).to_have_text("Count it")
    assert written(german) == written(english)
    assert german.locator("html").get_attribute("lang") == "en"
