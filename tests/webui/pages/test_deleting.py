"""A match is deleted by two taps, and a photo that is not kept leaves no broken picture."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.conftest import board_moves
from webui.store.upkeep import delete_photos

IMAGES = {"Accept": "image/avif,image/webp,image/*,*/*;q=0.8"}


@pytest.fixture
def photographed(client, match, eyes):
    """A match with a step that was read on a photo: its sighting and the photo's address."""
    eyes.show()
    path = f"/api/matches/{match['id']}"
    sent = {"data": b"photo", "content_type": "image/jpeg"}
    proposed = client.post(f"{path}/photos", **sent).json
    moves = {"after": 1, "moves": board_moves(), "sighting": proposed["sighting"]}
    return client.post(f"{path}/moves", json=moves).json["history"][1]


def test_only_its_host_is_offered_to_delete_a_match(client, app):
    place = client.post("/start", data={"game": "pig", "name": ["Ada", "Ben"]}).location
    guest = app.test_client()

    pages = [phone.get(place).text for phone in (client, guest)]

    assert [f'href="{place}/delete"' in page for page in pages] == [True, False]
    assert guest.get(f"{place}/delete").status_code == 403


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


def test_another_site_deletes_nothing(client, match):
    elsewhere = {"Origin": "http://elsewhere.example"}

    assert client.post(f"/m/{match['id']}/delete", headers=elsewhere).status_code == 403
    assert client.delete(f"/api/matches/{match['id']}", headers=elsewhere).status_code == 403
    assert client.get(f"/m/{match['id']}").status_code == 200


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
