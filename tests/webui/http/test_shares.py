"""A guest's share of a day: counted by phone or address, said kindly, kept over a restart."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

import pytest
from flask import Flask, Response
from flask.testing import FlaskClient

from tests.conftest import AGREE, FakeEyes, picture
from webui.app import create_app
from webui.commands.servers import GUEST_SHARES, serve_parser
from webui.http.shares import USUAL, Shares
from webui.services import Services

GUEST, OTHER, OWN = ({"REMOTE_ADDR": one} for one in ("192.0.2.7", "192.0.2.8", "127.0.0.1"))
NEW = {"game": "purple_house", "names": ["Ada", "Ben"], "opening": [AGREE]}
FEW = {"photos": 2, "matches": 2, "forms": 3}


def made(tmp_path: Path, given: dict | None) -> Flask:
    url, eyes = f"sqlite:///{tmp_path / 'log.db'}", FakeEyes()
    eyes.show()
    return create_app(url, tmp_path / "photos", see=eyes, shares=given)


@pytest.fixture
def limited(tmp_path: Path) -> Iterator[Flask]:
    """An app whose guests may send little."""
    app = made(tmp_path, FEW)
    yield app
    app.extensions["pipsight"].store.close()


def start(app: Flask, guest: dict) -> int:
    """Let a guest start a match."""
    return app.test_client().post("/api/matches", json=NEW, environ_base=guest).status_code


def test_a_guest_that_had_its_share_is_told_and_others_are_not_concerned(limited) -> None:
    assert [start(limited, GUEST) for _ in range(3)] == [201, 201, 429]
    assert start(limited, OTHER) == 201

    refused = limited.test_client().post("/api/matches", json=NEW, environ_base=GUEST)

    assert 0 < int(refused.headers["Retry-After"]) <= 24 * 3600 + 1
    assert "Go on with those" in refused.json["error"]["sentence"]


def played(app: Flask, phone: FlaskClient) -> int:
    """Let a phone of a hall open the start page and start a match there."""
    phone.get("/", environ_base=GUEST)
    form = {"game": "pig", "name": ["Ana", "Ben"]}
    return phone.post("/start", data=form, environ_base=GUEST).status_code


def test_a_hall_is_one_address_and_each_phone_in_it_has_its_own_share(limited) -> None:
    phones = [limited.test_client() for _ in range(5)]

    started = [[played(limited, phone) for phone in phones] for _ in range(3)]

    assert started == [[303] * 5, [303] * 5, [429] * 5]
    assert start(limited, GUEST) == 201  # who keeps no cookie has the address's


def test_the_match_after_the_three_hundredth_of_a_convention_is_started(tmp_path) -> None:
    app = made(tmp_path, None)
    try:
        shares: Shares = app.extensions["pipsight"].shares
        for table in range(300):
            sent = {"headers": {"Cookie": f"phone={table:032x}"}, "environ_base": GUEST}
            with app.test_request_context("/start", method="POST", **sent):
                shares.count(Response())  # a match was started

        assert played(app, app.test_client()) == 303
    finally:
        app.extensions["pipsight"].store.close()


def test_cookies_that_somebody_makes_up_end_at_a_hundred_shares(limited) -> None:
    shares: Shares = limited.extensions["pipsight"].shares
    shares.given = {"matches": 1}
    sent = []
    for phone in range(101):
        client = limited.test_client()
        client.set_cookie("phone", f"{phone:032x}")
        sent.append(client.post("/api/matches", json=NEW, environ_base=GUEST).status_code)

    assert sent == [201] * 100 + [429]


def test_photos_forms_and_bytes_have_shares_of_their_own(limited) -> None:
    client = limited.test_client()
    match = client.post("/api/matches", json=NEW, environ_base=GUEST).json["id"]

    def photo() -> int:
        sent = {"photo": (BytesIO(picture()), "photo.jpg")}
        path = f"/api/matches/{match}/photos"
        return client.post(path, data=sent, environ_base=GUEST).status_code

    def form() -> int:
        path = f"/api/matches/{match}/undo"
        return client.post(path, json={"after": 9}, environ_base=GUEST).status_code

    assert [photo() for _ in range(3)] == [201, 201, 429]
    assert [form() for _ in range(4)] == [409, 409, 409, 429]
    looking = limited.test_client()  # a page would give the client a cookie, and with it a share
    assert looking.get(f"/m/{match}", environ_base=GUEST).status_code == 200

    limited.extensions["pipsight"].shares.given = {"bytes": 1000}
    assert (form(), photo()) == (429, 429)


def test_counts_survive_a_restart_and_end_with_the_day(limited, tmp_path) -> None:
    assert [start(limited, GUEST) for _ in range(2)] == [201, 201]
    limited.extensions["pipsight"].shares.store()

    again = made(tmp_path, FEW)
    try:
        assert start(again, GUEST) == 429
        shares: Shares = again.extensions["pipsight"].shares
        shares.clock = lambda: datetime(2100, 1, 1, tzinfo=UTC)
        assert start(again, GUEST) == 201
        shares.store()
        assert start(again, GUEST) == 201
        assert start(again, GUEST) == 429
    finally:
        again.extensions["pipsight"].store.close()


def test_this_machine_has_no_share_unless_it_is_given_one(limited, services: Services) -> None:
    assert [start(limited, OWN) for _ in range(3)] == [201, 201, 429]

    assert services.shares.given == {}
    assert services.shares.most("photos", "127.0.0.1") is None
    assert services.shares.most("photos", "192.0.2.7") == USUAL["photos"]


def test_an_evening_of_ten_behind_one_address_is_far_from_the_usual_shares() -> None:
    evening = {"photos": 300, "matches": 20, "forms": 3000, "bytes": 300 * 4_000_000}

    assert all(4 * amount <= USUAL[spent] for spent, amount in evening.items())


def test_the_options_say_the_usual_shares() -> None:
    assert {**GUEST_SHARES, "mb": USUAL["bytes"] // 10**6} == GUEST_SHARES
    assert all(GUEST_SHARES[spent] == USUAL[spent] for spent in ("photos", "matches", "forms"))
    assert serve_parser().parse_args(["--guest-photos", "5"]).guest_photos == 5
