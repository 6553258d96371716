"""Addresses: declared once, whole below a path of another site, closed to other sites' pages."""

import doctest
import json
import re
from dataclasses import dataclass
from ipaddress import ip_network
from typing import Annotated, TypedDict
from urllib.parse import urljoin

import pytest
from flask import Flask

from scorer.games import GAMES
from tests.conftest import AGREE, picture
from tests.webui.evening import TappedMatch
from tests.webui.plain_phone import PlainPhone
from webui.api import openapi
from webui.commands import COMMANDS
from webui.http import address as declaring
from webui.http import hosts
from webui.http.address import ADDRESSES, address, register
from webui.http.roles import declared_least
from webui.settings import ServerSettings
from webui.store.tables.phones import Role

BELOW = "/pipsight"
LINK = re.compile(r'<a [^>]*href="(/[^"?]*)"')
ADDRESS = re.compile(r'(?:href|src|action|formaction|data-[\w-]+)="(/[^"]*)"')
TRUST = f"{BELOW}/trust"  # shown where there is a secure door
NEW = {"game": "purple_house", "names": ["Ada", "Ben"], "opening": [AGREE]}
INGRESS = "/api/hassio_ingress/3kf9-a_b"  # of Home Assistant
PROXY = {"REMOTE_ADDR": "10.0.0.9"}


def below(**given):
    """Return the settings of a server that trusts the proxies in 10.0.0.0/8."""
    return ServerSettings(proxies=(ip_network("10.0.0.0/8"),), **given)


@pytest.fixture(params=["the proxy hands the path on", "it takes the path off and says so"])
def client(request, make_app, eyes):
    """A phone at the far side of a proxy that knows nothing of paths but those below BELOW."""
    strips = "off" in request.param
    app = make_app(eyes, below(prefix="" if strips else BELOW))
    inner = app.wsgi_app

    def proxy(environ, start_response):
        path = environ["PATH_INFO"]
        assert path.startswith(f"{BELOW}/"), path
        environ |= PROXY
        if strips:
            environ["PATH_INFO"] = path.removeprefix(BELOW)
            environ["HTTP_X_FORWARDED_PREFIX"] = BELOW
        return inner(environ, start_response)

    app.wsgi_app = proxy
    return app.test_client()


def test_the_examples_of_paths_are_right():
    assert doctest.testmod(hosts).failed == 0


def test_an_evening_below_a_path_stays_there(client):
    evening = TappedMatch(PlainPhone(client, f"{BELOW}/"), GAMES["pig"], ["Ana", "Ben"])

    evening.begin()
    evening.rest()

    assert {cookie.path for cookie in client._cookies.values()} == {BELOW}


def test_every_address_that_pages_name_is_below_the_path(client, eyes):
    """From the front door on, each page that a link leads to, with a match that has a photo."""
    eyes.show()
    match = client.post(f"{BELOW}/api/matches", json=NEW).json
    path = f"{BELOW}/api/matches/{match['id']}"
    sent = client.post(f"{path}/photos", data=picture(), content_type="image/jpeg").json
    moves = sent["proposal"]["moves"]
    played = {"after": match["seq"], "moves": moves, "sighting": sent["sighting"]}
    assert client.post(f"{path}/moves", json=played).status_code == 201
    pages, named = [f"{BELOW}/", f"{BELOW}/m/{match['id']}"], {TRUST}

    while pages:
        with client.get(pages.pop()) as answer:
            assert answer.status_code in (200, 302), answer.request.path
            text = answer.text if answer.mimetype == "text/html" else ""
        links = {link.partition("#")[0] for link in LINK.findall(text)}
        pages += sorted(links - named)
        named |= {*links, *ADDRESS.findall(text)}

    assert len(named) > 50
    assert [one for one in named if not one.startswith(f"{BELOW}/")] == []
    for kind in ("/small.jpg", "/screen.jpg", "look.css"):
        with client.get(next(one for one in named if one.endswith(kind))) as answer:
            assert answer.status_code == 200


def test_what_a_browser_installs_and_keeps_belongs_to_the_path(client):
    page = client.get(f"{BELOW}/").text
    manifest = re.search(r'rel="manifest" href="([^"]+)"', page)
    with client.get(manifest[1]) as answer:
        named = json.loads(answer.text)

    assert urljoin(manifest[1], named["start_url"]) == f"{BELOW}/"
    assert urljoin(manifest[1], named["scope"]) == f"{BELOW}/"
    assert "id" not in named  # it would be of the whole host
    worker = client.get(f"{BELOW}/service_worker.js").text
    assert worker.startswith(f'const STATIC = "{BELOW}/static/')
    assert client.get(f"{BELOW}/api/openapi.json").json["servers"] == [{"url": BELOW}]


def test_codes_lead_below_the_path(client):
    match = client.post(f"{BELOW}/api/matches", json=NEW).json

    assert match["join"] == f"http://localhost{BELOW}/j/{match['code']}"
    assert client.get(f"{BELOW}/j/{match['code']}").location == f"{BELOW}/m/{match['id']}"


def test_without_named_sites_nothing_is_said_of_any(behind):
    answer = behind.get("/api/games", headers={"Origin": NAMED})

    assert allowed(answer) is None
    assert "Origin" not in answer.vary


@pytest.fixture
def behind(make_app):
    return make_app(settings=below(address="http://192.168.1.20:8000/")).test_client()


@pytest.mark.parametrize(
    ("peer", "headers", "base"),
    [
        ("10.0.0.9", {"X-Forwarded-Prefix": "/dice/"}, "/dice"),
        ("10.0.0.9", {"X-Forwarded-Prefix": "/home, /dice"}, "/home/dice"),  # two proxies
        ("10.0.0.9", {"X-Ingress-Path": INGRESS}, INGRESS),
        ("10.0.0.9", {"X-Forwarded-Prefix": "//evil.example"}, ""),
        ("10.0.0.9", {"X-Forwarded-Prefix": '/"><script>'}, ""),
        ("203.0.113.1", {"X-Forwarded-Prefix": "/dice"}, ""),  # a stranger
        ("203.0.113.1", {"X-Ingress-Path": INGRESS}, ""),
    ],
)
def test_a_path_is_taken_from_trusted_proxies_alone(behind, peer, headers, base):
    page = behind.get("/", headers=headers, environ_base={"REMOTE_ADDR": peer}).text

    assert f'action="{base}/start"' in page


def test_in_the_frame_of_home_assistant_codes_lead_to_the_server_itself(behind):
    """Who scans one there is not logged in."""
    shown = {"X-Ingress-Path": INGRESS, "X-Forwarded-Host": "home.example:8123"}
    made = behind.post("/api/matches", json=NEW, headers=shown, environ_base=PROXY)
    page = behind.get(f"/m/{made.json['id']}", headers=shown, environ_base=PROXY)

    assert made.json["join"] == f"http://192.168.1.20:8000/j/{made.json['code']}"
    assert f'action="{INGRESS}/m/' in page.text
    assert "frame-ancestors 'self'" in page.headers["Content-Security-Policy"]
    alone = behind.get("/", environ_base=PROXY)
    assert "frame-ancestors 'none'" in alone.headers["Content-Security-Policy"]


@dataclass(frozen=True)
class PlaceBet:
    """What somebody bets on."""

    seat: Annotated[int, ("minimum", 0)]


class BetView(TypedDict):
    """A bet that was taken."""

    seat: int


@pytest.fixture
def bets(monkeypatch):
    """Return the only address of an app, with its view."""
    monkeypatch.setattr(declaring, "ADDRESSES", made := [])

    @address("POST", "/api/bets/<match_id>", Role.PLAYER, status=201, errors=[409])
    def bet(match_id: str, sent: PlaceBet) -> BetView:  # types declare body and answer
        """Take a bet.

        Nothing is paid.
        """
        return BetView(seat=sent.seat)

    return made


def test_a_view_with_its_declaration_is_an_address(bets):
    app = Flask(__name__)
    register(app, bets)
    client = app.test_client()

    answer = client.post("/api/bets/m", json={"seat": 1})

    assert (answer.status_code, answer.json) == (201, {"seat": 1})
    assert declared_least(app.view_functions[bets[0].endpoint]).writes is Role.PLAYER


def test_a_declaration_is_its_description(bets, monkeypatch):
    monkeypatch.setattr(openapi, "ADDRESSES", [*ADDRESSES, *bets])
    for made_once in (openapi.document, openapi._names):
        made_once.cache_clear()
    try:
        described = openapi.document()
    finally:
        openapi.document.cache_clear()
        openapi._names.cache_clear()

    operation = described["paths"]["/api/bets/{match}"]["post"]
    assert (operation["summary"], operation["description"]) == ("Take a bet.", "Nothing is paid.")
    statuses = "201 400 404 409 413 415 421 403 429"
    assert " ".join(operation["responses"]) == statuses
    body = operation["requestBody"]["content"]["application/json"]["schema"]
    assert body == {"$ref": "#/components/schemas/PlaceBet"}
    assert described["components"]["schemas"]["PlaceBet"]["required"] == ["seat"]


NAMED = "https://overlay.example"
OTHER = "https://elsewhere.example"


@pytest.fixture
def caller(make_app, eyes):
    return make_app(eyes, ServerSettings(origins=(NAMED,))).test_client()


def asks(caller, path, origin, **headers):
    headers |= {"Origin": origin, "Access-Control-Request-Method": "POST"}
    return caller.options(path, headers=headers)


def allowed(answer):
    return answer.headers.get("Access-Control-Allow-Origin")


def test_a_named_site_may_read_and_write_the_json_interface(caller):
    sent = {"Origin": NAMED, "Sec-Fetch-Site": "cross-site"}
    made = caller.post("/api/matches", json=NEW, headers=sent)
    read = caller.get(f"/api/matches/{made.json['id']}", headers=sent)

    assert (made.status_code, allowed(made)) == (201, NAMED)
    assert (read.status_code, allowed(read)) == (200, NAMED)
    for answer in (made, read):
        assert "Origin" in answer.vary
        assert "Access-Control-Allow-Credentials" not in answer.headers


def test_a_browser_that_asks_first_is_told_what_a_named_site_may_do(caller):
    answer = asks(caller, "/api/matches/none/webhooks", NAMED)

    assert (answer.status_code, allowed(answer)) == (204, NAMED)
    assert "DELETE" in answer.headers["Access-Control-Allow-Methods"]
    assert "Authorization" in answer.headers["Access-Control-Allow-Headers"]


@pytest.mark.parametrize("origin", [OTHER, "null", f"{NAMED}.evil.example", f"{NAMED}:8443"])
def test_no_other_site_may(caller, origin):
    sent = {"Origin": origin, "Sec-Fetch-Site": "cross-site"}
    made = caller.post("/api/matches", json=NEW, headers=sent)
    read = caller.get("/api/games", headers=sent)

    assert (made.status_code, allowed(made)) == (403, None)
    assert (allowed(read), allowed(asks(caller, "/api/games", origin))) == (None, None)
    assert "Origin" in read.vary  # or a cache would give the answer to a site that may


def test_pages_and_errors_are_not_theirs_but_errors_of_the_interface_are(caller):
    sent = {"Origin": NAMED, "Sec-Fetch-Site": "cross-site"}

    assert allowed(caller.get("/", headers=sent)) is None
    assert caller.post("/start", headers=sent).status_code == 403
    wrong = caller.get("/api/matches/none", headers=sent)
    assert (wrong.status_code, allowed(wrong)) == (404, NAMED)


def test_a_page_of_another_site_is_never_the_phone_whose_browser_shows_it(caller):
    """What the host's phone may do, a page that it looks at may not."""
    sent = {"game": "pig", "name": ["Ada", "Ben"]}
    path = f"/api/matches/{caller.post('/start', data=sent).location.rpartition('/')[2]}/viewers"

    assert caller.get(path).status_code == 200
    assert caller.get(path, headers={"Origin": NAMED}).status_code == 403


def test_the_owner_names_sites_as_options_or_in_the_environment(capsys):
    parser = COMMANDS["serve"].parser("serve")
    given = parser.parse_args(["--cors-origin", NAMED, "--cors-origin", "http://[::1]:3000"])
    assert given.cors_origin == [NAMED, "http://[::1]:3000"]

    for wrong in ("*", "overlay.example", f"{NAMED}/", "null", "HTTPS://X"):
        with pytest.raises(SystemExit):
            parser.parse_args(["--cors-origin", wrong])
    assert "write an origin" in capsys.readouterr().err
