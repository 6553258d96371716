"""Below a path of another site: every address that a page names, and every cookie, stays there."""

import doctest
import json
import re
from ipaddress import ip_network
from urllib.parse import urljoin

import pytest

from scorer.games import GAMES
from tests.conftest import AGREE, picture
from tests.webui.evening import TappedMatch
from tests.webui.plain_phone import PlainPhone
from webui.http import hosts
from webui.settings import ServerSettings

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
    for kind in ("/small.jpg", "/screen.jpg", "finder.css"):
        with client.get(next(one for one in named if one.endswith(kind))) as answer:
            assert answer.status_code == 200


def test_what_a_browser_installs_and_keeps_belongs_to_the_path(client):
    page = client.get(f"{BELOW}/").text
    manifest = re.search(r'rel="manifest" href="([^"]+)"', page)
    assert manifest
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
