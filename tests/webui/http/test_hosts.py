"""The names of a server, and the requests it answers: writes only from its own pages."""

import configparser
import http.client
import shutil
import socket
import subprocess
from xml.etree import ElementTree

import pytest

from tests import ROOT
from tests.conftest import AGREE
from tests.webui.serving import served
from webui.commands import doctor
from webui.http import hosts
from webui.http.hosts import own_names
from webui.settings import ServerSettings

NEW = {"game": "purple_house", "names": ["Ada", "Ben"], "opening": [AGREE]}


@pytest.fixture
def box(make_app):
    """Return a client of a server that is also called box.lan."""
    return make_app(settings=ServerSettings(hosts=("box.lan",))).test_client()


@pytest.mark.parametrize(
    "host",
    [
        *("localhost", "localhost:8000", "127.0.0.1:8000", "[::1]:8000"),
        *("box.lan:8000", "BOX.LAN."),
        *("192.168.1.20:8000", "10.88.0.1", "172.31.9.9:80", "169.254.3.4", "100.101.102.103:8000"),
        *("[fd12:3456::7]:8000", "[fe80::1]"),
    ],
)
def test_a_server_answers_to_its_names(box, host):
    assert box.get("/healthz", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(("version", "status"), [(b"1.1", 400), (b"1.0", 200)])
def test_only_http_1_0_may_name_no_host(app, version, status):
    with served(app, "127.0.0.1") as port, socket.create_connection(("127.0.0.1", port)) as phone:
        phone.sendall(b"GET /healthz HTTP/" + version + b"\r\nConnection: close\r\n\r\n")
        answer = http.client.HTTPResponse(phone)
        answer.begin()

        assert answer.status == status
        assert status == 200 or b"names no host" in answer.read()


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "evil.example:8000", "box.lan.evil.example"),
        *("box.lan, evil.example", "box.lan@evil.example", "192.168.1.20.evil.example"),
        *("203.0.113.7:8000", "[2001:db8::7]:8000", "[::1", ".", "a..b", "", "<script>"),
    ],
)
def test_no_other_name_is_answered_to(box, host):
    for path in ("/", "/api/games", "/healthz", "/nothing"):
        answer = box.get(path, headers={"Host": host})

        assert answer.status_code == 421
        assert "This server does not answer as" in answer.text
        assert answer.is_json or "<script" not in answer.text


def test_the_address_that_a_connection_came_in_at_is_always_right(app):
    with served(app, "0.0.0.0") as port:
        phone = http.client.HTTPConnection("127.0.0.2", port)
        statuses = []
        for host in (f"127.0.0.2:{port}", f"203.0.113.3:{port}"):
            phone.request("GET", "/healthz", headers={"Host": host})
            answer = phone.getresponse()
            answer.read()
            statuses.append(answer.status)
        phone.close()

    assert statuses == [200, 421]


def test_a_machine_knows_its_name_in_a_home_network(monkeypatch):
    monkeypatch.setattr("socket.gethostname", lambda: "table.club.example")

    assert {"table.club.example", "table.local", "table.lan"} <= own_names()


FOREIGN = [
    {"Origin": "http://evil.example"},
    {"Origin": "http://localhost:3000"},
    {"Origin": "null"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site", "Origin": "http://localhost"},
]


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
def test_a_page_of_another_site_changes_nothing(client, match, headers):
    page = f"/m/{match['id']}"
    path = f"/api/matches/{match['id']}"
    answers = [
        client.post("/start", data={"game": "pig"}, headers=headers),
        client.post("/try", headers=headers),
        client.post(f"{page}/undo", data={"after": 1}, headers=headers),
        client.post("/api/matches", json=NEW, headers=headers),
        client.post(f"{path}/undo", json={"after": 1}, headers=headers),
        client.post(f"{path}/photos", data=b"x", content_type="image/jpeg", headers=headers),
        client.post(f"{page}/delete", headers=headers),
        client.delete(path, headers=headers),
    ]

    assert [answer.status_code for answer in answers] == [403] * 8
    assert all("a page of another site" in answer.text for answer in answers)
    assert client.get(path, headers=headers).json["seq"] == 1  # it may be read, a link leads here


def test_our_own_pages_and_tools_may_write(client):
    for headers in (
        {},  # curl
        {"Origin": "http://localhost"},
        {"Sec-Fetch-Site": "same-origin", "Origin": "http://behind.a.proxy"},
        {"Sec-Fetch-Site": "none"},
    ):
        assert client.post("/api/matches", json=NEW, headers=headers).status_code == 201, headers


PACKAGING = ROOT / "packaging"


@pytest.mark.parametrize(
    ("host", "system", "avahi", "name"),
    [
        ("RaspberryPi", "linux", True, "raspberrypi.local"),
        ("raspberrypi", "linux", False, None),
        ("mac.home", "darwin", False, "mac.local"),
        ("localhost", "darwin", False, None),
    ],
)
def test_a_machine_has_a_name_where_something_answers_to_it(
    monkeypatch, tmp_path, host, system, avahi, name
):
    socket = tmp_path / "socket"
    if avahi:
        socket.touch()
    monkeypatch.setattr(hosts, "AVAHI", socket)
    monkeypatch.setattr(hosts.socket, "gethostname", lambda: host)
    monkeypatch.setattr(hosts.sys, "platform", system)

    assert hosts.home_name() == name


@pytest.mark.parametrize(("name", "level"), [("pi.local", "good"), (None, "look")])
def test_the_doctor_says_the_name(monkeypatch, name, level):
    monkeypatch.setattr(doctor, "home_name", lambda: name)
    found = doctor._name(8000)

    assert found.level == level
    assert bool(found.do) == (name is None)
    assert name is None or "http://pi.local:8000/" in found.found


def test_the_kiosk_opens_the_screen_of_the_table():
    entry = configparser.RawConfigParser()
    entry.optionxform = str
    entry.read(PACKAGING / "pipsight-kiosk.desktop")

    assert entry["Desktop Entry"]["Type"] == "Application"
    assert entry["Desktop Entry"]["Exec"].split()[-1] == "http://localhost:8000/screen"


def test_the_name_is_announced_as_a_web_page():
    group = ElementTree.parse(PACKAGING / "pipsight.avahi.service").getroot()

    assert group.findtext("service/type") == "_http._tcp"
    assert group.findtext("service/port") == "8000"


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not installed")
def test_the_unit_of_systemd_keeps_the_server_to_itself():
    """Its exposure is at most 2.0 of 10, as systemd counts it."""
    unit = str(PACKAGING / "pipsight.service")
    words = ["systemd-analyze", "security", "--offline=true", "--threshold=20", "--no-pager", unit]
    found = subprocess.run(words, capture_output=True, text=True, check=False)

    assert found.returncode == 0, found.stdout
