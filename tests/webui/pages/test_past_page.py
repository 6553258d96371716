"""Past matches: listed, found by player, game and date, and deleted by two taps."""

import re
from datetime import timedelta

import pytest

from tests.conftest import board_moves, send_photo
from tests.matches import TWELVE, ended
from webui.http.roles import REMEMBERED
from webui.match.past import ROWS
from webui.store.upkeep import delete_photos

LINK = re.compile(r'class="row match" href="/m/(\w+)"')

FOUND = [
    ({}, ["Eve", "Cyd", "Jürgen"]),
    ({"player": "jurgen"}, ["Jürgen"]),
    ({"player": "JÜRG"}, ["Jürgen"]),
    ({"player": " ben \t jürgen "}, ["Jürgen"]),
    ({"player": "ben eve"}, []),
    ({"player": "lena"}, ["Eve"]),
    ({"player": "%"}, ["Cyd"]),
    ({"player": "_"}, []),
    ({"player": "\0"}, ["Eve", "Cyd", "Jürgen"]),
    ({"player": "ben", "game": "gords"}, ["Cyd"]),
    ({"game": "pig"}, ["Eve", "Jürgen"]),
    ({"since": "2026-03-02"}, ["Eve", "Cyd"]),
    ({"until": "2026-03-02"}, ["Cyd", "Jürgen"]),
    ({"since": "2026-03-02", "until": "2026-03-02"}, ["Cyd"]),
    ({"since": "2026-03-03", "until": "2026-03-01"}, []),
    ({"since": "0001-01-01", "until": "9999-12-31"}, ["Eve", "Cyd", "Jürgen"]),
    ({"page": "99999999999999999999"}, ["Eve", "Cyd", "Jürgen"]),
]  # by their first player
REFUSED = [
    ({"since": "yesterday"}, "&#39;yesterday&#39; is no date; write it like 2026-11-27."),
    ({"until": "20261127"}, "&#39;20261127&#39; is no date"),
    ({"until": "2026-02-30"}, "&#39;2026-02-30&#39; is no date"),
    ({"game": "chess"}, "There is no game &#39;chess&#39; here"),
    ({"player": "x" * 101}, "Search for at most 100 letters"),
]


@pytest.fixture
def evenings(client, new_match, monkeypatch):
    """Return the ids of matches of three days that a phone has opened, by their first player."""
    made = {}
    tables = ["Jürgen", "Ben"], ["Cyd", "Ben 100%"], ["Eve", "Anna Lena"]
    for day, game, names in zip((1, 2, 3), ("pig", "gords", "pig"), tables, strict=True):
        at = f"2026-03-0{day}T12:00:00.000Z"
        monkeypatch.setattr("webui.store.log.now", lambda at=at: at)
        match = new_match(game=game, names=names, opening=[])
        client.get(f"/m/{match['id']}")
        made[names[0]] = match["id"]
    monkeypatch.undo()
    return made


def listed(client, **sought):
    """Return the ids that the page lists, which are those of the JSON interface."""
    ids = LINK.findall(client.get("/matches", query_string=sought).text)
    answer = client.get("/api/matches", query_string=sought)
    assert [match["id"] for match in answer.json["matches"]] == ids
    return ids


def test_matches_are_found_by_player_game_and_date(client, evenings):
    found = [listed(client, **sought) for sought, _ in FOUND]

    assert found == [[evenings[name] for name in names] for _, names in FOUND]


def test_what_cannot_be_looked_for_is_said_in_a_sentence(client, evenings):
    for sought, sentence in REFUSED:
        page = client.get("/matches", query_string=sought)
        answer = client.get("/api/matches", query_string=sought)

        assert page.status_code == answer.status_code == 400
        assert sentence in page.text
        assert not LINK.findall(page.text)


def test_many_matches_are_listed_by_the_page(client, services):
    client.get(f"/m/{services.store.create('pig', 1, {'target': 100}, ['Ada', 'Eve']).id}")
    own = client.get_cookie("phone").value
    for number in range(ROWS + 1):
        row = services.store.create("pig", 1, {"target": 100}, [f"P{number}", "Ben"])
        services.store.phones.come(row.id, own, "", row.created_at)

    first, second = client.get("/matches?player=ben"), client.get("/matches?player=ben&page=2")

    assert len(LINK.findall(first.text)) == ROWS
    assert "page 1 of 2" in first.text
    assert 'href="/matches?page=2&amp;player=ben"' in first.text
    assert len(LINK.findall(second.text)) == 1
    assert 'href="/matches?page=1&amp;player=ben"' in second.text


def test_another_phone_lists_nothing_of_it(app, evenings):
    assert listed(app.test_client()) == []
    assert "This phone has opened no match yet." in app.test_client().get("/matches").text


def test_a_phone_lists_what_its_cookie_has_no_room_for(client, evenings):
    client.delete_cookie(REMEMBERED)

    assert len(listed(client)) == 3


def test_what_a_phone_forgets_it_lists_when_it_opens_it_again(client, evenings):
    client.post("/forget", data={"match": evenings["Cyd"]})
    assert evenings["Cyd"] not in listed(client)

    client.get(f"/m/{evenings['Cyd']}")

    assert evenings["Cyd"] in listed(client)


def test_who_is_removed_from_the_table_does_not_list_its_rematch(hosted, client):
    (match_id, host), guest = hosted, client
    guest.get(f"/m/{match_id}")
    host.post(f"/m/{match_id}/phones", data={"do": "remove", "phone": 2})

    rematch = host.post(ended(host, match_id)).location.rpartition("/")[2]

    assert rematch in listed(host)
    assert rematch not in listed(guest)


def buttons(client):
    """Yield what stands on the buttons of the first match."""
    card = client.get("/matches").text.partition('<li class="card"')[2].partition("</li>")[0]
    yield from re.findall(r">(Go on|Open|Rematch|Delete)<", card)


def test_only_the_host_may_delete_and_who_only_watches_plays_no_rematch(hosted, client):
    (match_id, host), guest = hosted, client
    for phone in (host, guest):
        phone.get(f"/m/{match_id}")
    assert [[*buttons(phone)] for phone in (host, guest)] == [["Go on", "Delete"], ["Go on"]]

    host.post(f"/api/matches/{match_id}/moves", json={"after": 0, "moves": TWELVE})
    assert [*buttons(guest)] == ["Open", "Rematch"]
    host.post(f"/m/{match_id}/phones", data={"do": "watch", "phone": 2})

    assert [*buttons(guest)] == ["Open"]
    assert [*buttons(host)] == ["Open", "Rematch", "Delete"]


def test_a_match_that_is_not_over_is_open_and_nobody_has_won(client, new_match):
    for settings, opening in (({"target": 12}, TWELVE), ({"target": 13}, TWELVE)):
        made = new_match(game="pig", names=["Ada", "Ben"], settings=settings, opening=opening)
        client.get(f"/m/{made['id']}")

    going, over = client.get("/api/matches").json["matches"]
    page = client.get("/matches").text

    assert (going["over"], going["winners"], going["score"]) == (False, [], [12, 0])
    assert (over["over"], over["winners"]) == (True, [0])
    assert page.index("unfinished") < page.index("won by Ada")
    offered = re.findall(r">(Go on|Open|Rematch|Delete)<", page)
    assert offered == ["Go on", "Delete", "Open", "Rematch", "Delete"]


def test_a_match_of_rules_that_are_not_here_is_listed(client, services):
    row = services.store.create("chess", 1, {}, ["Ada", "Ben"])
    client.get(f"/m/{row.id}")

    (match,) = client.get("/api/matches").json["matches"]

    assert (match["over"], match["winners"], match["score"]) == (None, [], [0, 0])
    assert "played by other rules" in client.get("/matches").text


IMAGES = {"Accept": "image/avif,image/webp,image/*,*/*;q=0.8"}


@pytest.fixture
def photographed(client, match, eyes):
    """A match with a step that was read on a photo: its sighting and the photo's address."""
    eyes.show()
    path = f"/api/matches/{match['id']}"
    proposed = send_photo(client, match["id"], b"photo").json
    moves = {"after": 1, "moves": board_moves(), "sighting": proposed["sighting"]}
    return client.post(f"{path}/moves", json=moves).json["history"][1]


def test_only_its_host_is_offered_to_delete_a_match_and_may(hosted, client):
    match_id, host = hosted
    place, guest = f"/m/{match_id}", client

    pages = [phone.get(place).text for phone in (host, guest)]
    asked = guest.get(f"{place}/delete").status_code
    codes = [one.delete(f"/api/matches/{match_id}").status_code for one in (guest, host, host)]

    assert [f'href="{place}/delete"' in page for page in pages] == [True, False]
    assert [asked, *codes] == [403, 403, 200, 404]


def test_a_match_is_deleted_by_two_taps(client, match, photographed):
    page = client.get(f"/m/{match['id']}").text
    assert f'href="/m/{match["id"]}/delete"' in page
    asked = client.get(f"/m/{match['id']}/delete").text
    assert "2 steps, 1 photo" in asked
    assert client.get(f"/m/{match['id']}").status_code == 200

    answer = client.post(f"/m/{match['id']}/delete", follow_redirects=True)

    assert answer.status_code == 200
    assert match["id"] not in answer.text
    for address in ("", "/tally", "/delete"):
        assert client.get(f"/m/{match['id']}{address}").status_code == 404
    assert client.post(f"/m/{match['id']}/delete").status_code == 404
    assert client.get(photographed["photo"]).status_code == 404


def test_a_match_without_steps_is_not_shown_from_memory(client, new_match):
    match = new_match(opening=[])
    assert client.get(f"/m/{match['id']}/tally").status_code == 200

    assert client.delete(f"/api/matches/{match['id']}").json == {"photos": 0}

    assert client.get(f"/m/{match['id']}/tally").status_code == 404


def test_a_photo_that_is_not_kept_is_drawn_as_a_frame_and_said(
    client, match, photographed, services, monkeypatch
):
    whole = client.get(f"/m/{match['id']}/step/2").text
    monkeypatch.setattr("webui.store.upkeep.STAYS", timedelta(0))
    assert delete_photos(services.store, days=0).photos == 1

    page = client.get(f"/m/{match['id']}/step/2").text

    says = "The photo is not kept any more."
    assert (says in whole, says in page) == (False, True)
    assert "Correct it on the photo" not in page
    assert client.get(f"/m/{match['id']}").status_code == 200
    for address in (photographed["photo"], photographed["thumbnail"]):
        frame = client.get(address, headers=IMAGES)
        assert (frame.status_code, frame.mimetype) == (404, "image/svg+xml")
        assert "Photo not kept any more" in frame.text
        assert "What was read on it" in client.get(address).json["error"]["sentence"]
