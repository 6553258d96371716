"""The start page without a browser: what a phone remembers, and what its form's buttons send."""

import re
from html import unescape
from urllib.parse import urlsplit

import pytest

from scorer.games import GAMES
from tests.grids import few
from tests.webui.plain_phone import PlainPhone
from webui.http.roles import MOST, REMEMBERED


def names_on(page):
    fields = re.findall(r'<input[^>]* name="name"[^>]* value="([^"]*)"', page)
    return [unescape(name) for name in fields]


@pytest.fixture
def evening(client, new_match):
    """Three matches that a phone has opened, the last one of Gords."""
    tables = ("pig", ["Ada", "Ben"]), ("pig", ["Cyd", "Ben"]), ("gords", ["Ben", "Eve"])
    for game, names in tables:
        client.get(f"/m/{new_match(game=game, names=names, opening=[])['id']}")
    return client


def test_the_players_and_the_game_of_the_last_match_come_first(evening):
    page = evening.get("/").text

    assert names_on(page) == ["Ben", "Eve"]
    assert "Start Gords" in page
    assert re.findall(r'name="seat" value="(\w+)"', page) == ["Cyd", "Ada"]


def test_a_match_is_found_again_from_the_front_door(client, new_match):
    page = f"/m/{new_match(game='pig', opening=[])['id']}?"
    client.get(page)
    phone = PlainPhone(client)

    phone.press("^Ada 0, Ben 0")
    assert phone.path == page
    phone._show("/")
    phone.press("All past matches")
    phone.write("Who played", "ada ben")
    phone.press("^Go on with the match of Ada, Ben")
    assert phone.path == page


@pytest.mark.parametrize("language", ["en", "de"])
def test_who_gave_no_name_is_not_offered(client, language):
    heads = {"Accept-Language": language}
    for names in (["", "Ada"], ["Cyd", "Ben"]):
        form = {"game": "pig", "name": names, "colour": ["", ""]}
        client.get(client.post("/start", data=form, headers=heads).location, headers=heads)

    page = client.get("/", headers=heads).text
    assert names_on(page) == ["Cyd", "Ben"]
    assert re.findall(r'name="seat" value="([^"]+)"', page) == ["Ada"]


def test_who_was_never_here_reads_what_this_is(client, new_match):
    what = "Photograph the table"
    assert what in client.get("/").text

    client.get(f"/m/{new_match(game='pig', names=['Ada', 'Ben'], opening=[])['id']}")

    assert what not in client.get("/").text


def test_a_trial_leaves_no_names_behind(client):
    for game in ("pig", "gords"):
        client.get(client.post("/try", data={"game": game}).location)

    page = client.get("/").text
    assert names_on(page) == ["", ""]
    assert 'name="seat" value' not in page


def test_what_another_phone_has_opened_is_not_shown(evening, client):
    client.delete_cookie(REMEMBERED)

    page = client.get("/").text

    assert names_on(page) == ["", ""]
    assert 'id="mine"' not in page


def test_a_match_is_forgotten_and_so_are_those_who_played_only_that(evening):
    newest = evening.get_cookie(REMEMBERED).value.split(".")[0]

    evening.post("/forget", data={"match": newest})

    assert names_on(evening.get("/").text) == ["Cyd", "Ben"]
    assert 'value="Eve"' not in evening.get("/").text


@pytest.mark.parametrize("kept", ["", "....", "gone.gone", "../../etc", "a b", "x" * 4000])
def test_a_cookie_that_names_no_match_is_passed_over(client, kept):
    client.set_cookie(REMEMBERED, kept)

    assert names_on(client.get("/").text) == ["", ""]


def test_a_phone_keeps_so_many_matches_as_its_cookie_has_room_for(client, new_match):
    made = [new_match(game="pig", opening=[])["id"] for _ in range(MOST + 2)]
    for match_id in made:
        client.get(f"/m/{match_id}")

    assert client.get_cookie(REMEMBERED).value.split(".") == made[::-1][:MOST]


@pytest.mark.parametrize("order", ["0,0", "5", "x", "", "1,0,2"])
def test_an_order_that_cannot_be_leaves_the_names(client, order):
    page = client.get(f"/?game=pig&name=Ana&name=Ben&order={order}").text

    assert names_on(page) == ["Ana", "Ben"]


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_each_game_says_what_it_is_how_long_it_takes_and_what_is_chosen_often(client, game):
    assert game.about
    low, high = game.minutes or (0, 1)  # nobody knows what a free sheet is for
    assert low < high
    assert {*game.often} <= {setting.name for setting in game.settings}
    for players in (game.seats[0], 2, 3):
        page = client.get(f"/?game={game.name}&players={players}").text
        shown = page.split("<summary>More house rules")[0]
        assert 2 <= shown.count("<legend>") + shown.count('for="set-') <= 3
        assert "[[" not in shown  # what only those write who know the game's own words


@pytest.mark.parametrize("game", few(GAMES, 3))
def test_each_game_is_tried_with_a_picture_whose_pieces_are_sure(client, game):
    tried = client.post("/try", data={"game": game})
    sample = re.search(r'data-demo="([^"]+)"', client.get(tried.location).text)
    match = urlsplit(tried.location).path.replace("/m/", "/api/matches/")

    with client.get(sample[1]) as picture:
        read = client.post(f"{match}/photos", data=picture.data, content_type="image/jpeg").json

    assert read["proposal"]["moves"]
    assert all(doubt["piece"] is None for doubt in read["proposal"]["doubts"])
    assert read["proposal"]["differences"] == []
