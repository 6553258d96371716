"""Who asks, and what share of a day a guest has: kept over a restart, said kindly."""

import http.client
import json
import re
from contextlib import closing
from datetime import UTC, datetime
from io import BytesIO
from ipaddress import ip_network
from urllib.parse import urlsplit

import pytest
from flask import Response

from tests.conftest import AGREE, picture
from tests.webui.proxy import proxy
from tests.webui.serving import serving
from webui.commands import COMMANDS
from webui.commands.servers import GUEST_SHARES
from webui.http.guests import guest, household, proxied
from webui.http.shares import USUAL
from webui.settings import ServerSettings
from webui.store.rows import CODE_LENGTH

GUEST, OTHER, OWN = ({"REMOTE_ADDR": one} for one in ("192.0.2.7", "192.0.2.8", "127.0.0.1"))
NEW = {"game": "purple_house", "names": ["Ada", "Ben"], "opening": [AGREE]}
FEW = {"photos": 2, "matches": 2, "forms": 3}


@pytest.fixture
def limited(make_app, eyes):
    """An app whose guests may send little."""
    eyes.show()
    return make_app(eyes, ServerSettings(shares=FEW))


def start(app, guest):
    """Let a guest start a match."""
    return app.test_client().post("/api/matches", json=NEW, environ_base=guest).status_code


def test_a_guest_that_had_its_share_is_told_and_others_are_not_concerned(limited):
    assert [start(limited, GUEST) for _ in range(3)] == [201, 201, 429]
    assert start(limited, OTHER) == 201

    refused = limited.test_client().post("/api/matches", json=NEW, environ_base=GUEST)

    assert 0 < int(refused.headers["Retry-After"]) <= 24 * 3600 + 1
    assert "Go on with those" in refused.json["error"]["sentence"]


def played(app, phone):
    """Let a phone of a hall open the start page and start a match there."""
    phone.get("/", environ_base=GUEST)
    form = {"game": "pig", "name": ["Ana", "Ben"]}
    return phone.post("/start", data=form, environ_base=GUEST).status_code


def test_a_hall_is_one_address_and_each_phone_in_it_has_its_own_share(limited):
    phones = [limited.test_client() for _ in range(5)]

    started = [[played(limited, phone) for phone in phones] for _ in range(3)]

    assert started == [[303] * 5, [303] * 5, [429] * 5]
    assert start(limited, GUEST) == 201  # who keeps no cookie has the address's


def test_the_match_after_the_three_hundredth_of_a_convention_is_started(make_app):
    app = make_app(settings=ServerSettings(shares={}))
    shares = app.extensions["pipsight"].shares
    for table in range(300):
        sent = {"headers": {"Cookie": f"phone={table:032x}"}, "environ_base": GUEST}
        with app.test_request_context("/start", method="POST", **sent):
            shares.count(Response())  # a match was started

    assert played(app, app.test_client()) == 303


def test_cookies_that_somebody_makes_up_end_at_a_hundred_shares(limited):
    shares = limited.extensions["pipsight"].shares
    shares.given = {"matches": 1}
    sent = []
    for phone in range(101):
        client = limited.test_client()
        client.set_cookie("phone", f"{phone:032x}")
        sent.append(client.post("/api/matches", json=NEW, environ_base=GUEST).status_code)

    assert sent == [201] * 100 + [429]


def test_photos_forms_and_bytes_have_shares_of_their_own(limited):
    client = limited.test_client()
    match = client.post("/api/matches", json=NEW, environ_base=GUEST).json["id"]

    def photo():
        sent = {"photo": (BytesIO(picture()), "photo.jpg")}
        path = f"/api/matches/{match}/photos"
        return client.post(path, data=sent, environ_base=GUEST).status_code

    def form():
        path = f"/api/matches/{match}/undo"
        return client.post(path, json={"after": 9}, environ_base=GUEST).status_code

    assert [photo() for _ in range(3)] == [201, 201, 429]
    assert [form() for _ in range(4)] == [409, 409, 409, 429]
    looking = limited.test_client()  # a page would give the client a cookie, and with it a share
    assert looking.get(f"/m/{match}", environ_base=GUEST).status_code == 200

    limited.extensions["pipsight"].shares.given = {"bytes": 1000}
    assert (form(), photo()) == (429, 429)


def test_counts_survive_a_restart_and_end_with_the_day(limited, make_app):
    assert [start(limited, GUEST) for _ in range(2)] == [201, 201]
    limited.extensions["pipsight"].shares.store()

    again = make_app(settings=ServerSettings(shares=FEW))
    assert start(again, GUEST) == 429
    shares = again.extensions["pipsight"].shares
    shares.clock = lambda: datetime(2100, 1, 1, tzinfo=UTC)
    assert start(again, GUEST) == 201
    shares.store()
    assert start(again, GUEST) == 201
    assert start(again, GUEST) == 429


def test_this_machine_has_no_share_unless_it_is_given_one(limited, services):
    assert [start(limited, OWN) for _ in range(3)] == [201, 201, 429]

    assert services.shares.given == {}
    assert services.shares.most("photos", "127.0.0.1") is None
    assert services.shares.most("photos", "192.0.2.7") == USUAL["photos"]


def test_an_evening_of_ten_behind_one_address_is_far_from_the_usual_shares():
    evening = {"photos": 300, "matches": 20, "forms": 3000, "bytes": 300 * 4_000_000}

    assert all(4 * amount <= USUAL[spent] for spent, amount in evening.items())


def test_the_options_say_the_usual_shares():
    assert {**GUEST_SHARES, "mb": USUAL["bytes"] // 10**6} == GUEST_SHARES
    assert all(GUEST_SHARES[spent] == USUAL[spent] for spent in ("photos", "matches", "forms"))
    assert COMMANDS["serve"].parser("serve").parse_args(["--guest-photos", "5"]).guest_photos == 5


PROXY = "10.0.0.9"
PUBLIC = {"X-Forwarded-For": "203.0.113.7", "X-Forwarded-Proto": "https"}
PUBLIC |= {"X-Forwarded-Host": "dice.example.org"}


@pytest.fixture
def behind(make_app):
    """An app that trusts the proxies in 10.0.0.0/8; `/who` says whom it sees."""
    trusted = ip_network("10.0.0.0/8"), ip_network("fd00::/8")
    app = make_app(settings=ServerSettings(address="http://192.168.1.20:8000/", proxies=trusted))
    app.add_url_rule("/who", "who", lambda: {"guest": guest(), "public": proxied()})
    return app


@pytest.mark.parametrize(
    ("peer", "headers", "who"),
    [
        (PROXY, {"X-Forwarded-For": "203.0.113.7"}, "203.0.113.7"),
        (PROXY, {"X-Forwarded-For": "198.51.100.1, 203.0.113.7"}, "203.0.113.7"),  # sent with it
        (PROXY, {"X-Forwarded-For": "203.0.113.7, 10.1.1.1"}, "203.0.113.7"),  # two proxies
        (PROXY, {"X-Forwarded-For": "10.1.1.1"}, "10.1.1.1"),  # a proxy itself asks
        (PROXY, {"X-Forwarded-For": "203.0.113.7, unknown"}, PROXY),
        (PROXY, {"X-Forwarded-For": "203.0.113.7:4711"}, "203.0.113.7"),
        (PROXY, {"X-Forwarded-For": "2001:db8:1:2::7"}, "2001:db8:1:2::/64"),
        (PROXY, {"Forwarded": 'for="[2001:db8:1:2::7]:80";proto=https'}, "2001:db8:1:2::/64"),
        (PROXY, {"Forwarded": "for=198.51.100.1, for=203.0.113.7;host=a.example"}, "203.0.113.7"),
        (PROXY, {"X-Forwarded-For": "203.0.113.7", "Forwarded": "for=192.0.2.1"}, "203.0.113.7"),
        ("fd00::9", {"X-Forwarded-For": "203.0.113.7"}, "203.0.113.7"),
        ("203.0.113.1", {"X-Forwarded-For": "192.0.2.1"}, "203.0.113.1"),
        ("203.0.113.1", {"Forwarded": "for=192.0.2.1"}, "203.0.113.1"),
        (PROXY, {}, PROXY),
    ],
)
def test_the_guest_is_who_a_trusted_proxy_names_and_nobody_else(behind, peer, headers, who):
    at = {"REMOTE_ADDR": peer}

    assert behind.test_client().get("/who", headers=headers, environ_base=at).json["guest"] == who


def test_phones_of_a_household_are_a_guest():
    assert household("2001:db8:1:2::7") == household("2001:db8:1:2:ffff::1")
    assert household("2001:db8:1:2::7") != household("2001:db8:1:3::7")
    assert household("::ffff:192.0.2.7") == household("192.0.2.7")


@pytest.mark.parametrize(
    ("headers", "root"),
    [
        (PUBLIC, "https://dice.example.org/"),
        ({"Host": "dice.example.org", "X-Forwarded-Proto": "https"}, "https://dice.example.org/"),
        ({"Forwarded": "for=203.0.113.7;proto=https;host=a.example"}, "https://a.example/"),
        ({"X-Forwarded-For": "203.0.113.7"}, "http://192.168.1.20:8000/"),  # it names no address
        ({**PUBLIC, "X-Forwarded-Proto": "gopher"}, "http://dice.example.org/"),
    ],
)
def test_links_and_qr_codes_show_the_public_address(behind, headers, root):
    client = behind.test_client()
    peer = {"REMOTE_ADDR": PROXY}
    made = client.post("/api/matches", json=NEW, headers=headers, environ_base=peer)

    assert made.json["url"] == f"{root}m/{made.json['id']}"
    assert made.json["join"] == f"{root}j/{made.json['code']}"


def test_nobody_else_says_how_the_server_is_reached(behind):
    client, stranger = behind.test_client(), {"REMOTE_ADDR": "203.0.113.1"}
    made = client.post("/api/matches", json=NEW, headers=PUBLIC, environ_base=stranger)

    assert made.json["join"].startswith("http://192.168.1.20:8000/j/")
    named = client.get("/", headers={**PUBLIC, "Host": "dice.example.org"}, environ_base=stranger)
    assert named.status_code == 421


def test_a_page_of_another_site_is_refused_behind_a_proxy_too(behind):
    client, proxy = behind.test_client(), {"REMOTE_ADDR": PROXY}
    for origin, status in (("https://dice.example.org", 201), ("https://evil.example", 403)):
        headers = {**PUBLIC, "Origin": origin}
        answer = client.post("/api/matches", json=NEW, headers=headers, environ_base=proxy)
        assert answer.status_code == status


@pytest.mark.release
def test_phones_behind_a_real_proxy_are_shown_the_public_address(tmp_path):
    trust = ("--trust-proxy", "127.0.0.1")
    with serving(tmp_path, *trust) as server:
        said = {"X-Forwarded-For": "127.0.0.1", "X-Forwarded-Proto": "https"}
        with (
            proxy(urlsplit(server.address).port, "", said) as door,
            closing(http.client.HTTPConnection(urlsplit(door.address).netloc)) as phone,
        ):
            sent = {"Host": "dice.example.org", "Content-Type": "application/json"}
            phone.request("POST", "/api/matches", json.dumps(NEW), sent)
            made = json.load(phone.getresponse())
        _, view = server.call(f"/api/matches/{made['id']}")

    assert made["join"] == f"https://dice.example.org/j/{made['code']}"
    assert view["join"] == f"{server.address}j/{made['code']}"  # by its own address as before


def test_wrong_codes_do_not_lock_out_a_right_one_from_the_same_address(client, match):
    code = match["code"]
    wrong = [client.get(f"/api/codes/WWWWWW{at:06}").status_code for at in range(40)]

    assert (wrong[0], wrong[-1]) == (404, 429)
    assert client.get(f"/api/codes/{code}").json["id"] == match["id"]
    assert client.get(f"/j/{code}").headers["Location"] == f"/m/{match['id']}"
    spaced = f"{code[:6].lower()} {code[6:]}"
    assert client.get("/join", query_string={"code": spaced}).status_code == 302


def test_half_a_code_can_be_guessed_so_tries_are_limited(client, match):
    half = match["code"][:CODE_LENGTH]
    assert client.get(f"/api/codes/{half}").json["id"] == match["id"]
    for at in range(30):
        client.get(f"/api/codes/WWWW{at:02}")

    limited = client.get(f"/j/{half}")

    assert limited.status_code == 429
    assert 0 < int(limited.headers["Retry-After"]) <= 60
    assert re.search("Type both halves of the code", limited.text)
    elsewhere = {"REMOTE_ADDR": "192.0.2.8"}
    assert client.get(f"/j/{half}", environ_base=elsewhere).status_code == 302


def test_the_second_half_must_be_right(client, match):
    half = match["code"][:CODE_LENGTH]

    for rest in ("W", "WWWWW", "WWWWWW", "WWWWWWW", "%", match["code"][CODE_LENGTH:] + "W"):
        assert client.get(f"/api/codes/{half}{rest}").status_code == 404
