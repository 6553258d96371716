"""What is sent to an address of a stranger goes there and nowhere else."""

import doctest
import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
from contextlib import closing, contextmanager
from functools import partial
from ipaddress import ip_network
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.webui.http.test_events import move, step
from tests.webui.serving import process, reserved_port, served
from webui.app import create_app
from webui.http.certificates import certificates
from webui.jobs.worker import Sharing
from webui.outside import post as posting
from webui.outside.post import NotDelivered, Reach, post
from webui.outside.special_networks import is_public
from webui.settings import ServerSettings
from webui.store.log import Store
from webui.store.tables.webhooks import OwnNames


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True),
        ("2606:2800:220:1:248:1893:25c8:1946", True),
        *((one, False) for one in ("127.0.0.1", "127.9.9.9", "0.0.0.0", "::1", "::")),
        *((one, False) for one in ("10.1.2.3", "172.16.0.1", "192.168.1.1", "100.64.0.1")),
        *((one, False) for one in ("169.254.169.254", "fe80::1", "fe80::1%eth0", "fc00::1")),
        *((one, False) for one in ("224.0.0.1", "ff02::1", "255.255.255.255", "240.0.0.1")),
        *((one, False) for one in ("::ffff:10.0.0.1", "2002:a00:1::", "64:ff9b::a00:1")),
        ("2001:0:4136:e378:8000:63bf:3fff:fdd2", False),
        *((one, False) for one in ("192.0.0.1", "192.0.0.9", "192.0.0.170", "192.0.2.1")),
        *((one, False) for one in ("192.31.196.1", "192.52.193.1", "192.88.99.1", "192.175.48.1")),
        *((one, False) for one in ("198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1")),
        *((one, True) for one in ("192.0.1.1", "198.17.255.255", "198.20.0.0", "223.255.255.255")),
        *((one, False) for one in ("100::1", "100:0:0:1::1", "64:ff9b:1::1", "5f00::1", "fec0::1")),
        *((one, False) for one in ("2001:1::1", "2001:2::1", "2001:20::1", "2001:1ff:ffff::")),
        *((one, False) for one in ("2001:db8::1", "3fff:fff::1", "2620:4f:8000::1", "::10.0.0.1")),
        *((one, True) for one in ("2001:200::1", "2620:4f:8001::1", "2003::1")),
    ],
)
def test_what_is_an_address_of_the_internet(address, public):
    assert is_public(address) is public


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::1]"])
def test_a_private_network_is_sent_nothing(receiver, host):
    url = f"http://{host}:{receiver.server_address[1]}/"

    with pytest.raises(NotDelivered):
        post(url, b"{}", {}, Reach(private=False))

    assert receiver.got.empty()


def test_one_private_address_among_those_of_a_name_is_enough(receiver, looked_up):
    looked_up("93.184.216.34", "127.0.0.1")

    with pytest.raises(NotDelivered, match=r"rebound\.test is in a private network"):
        post("http://rebound.test/", b"{}", {}, Reach(private=False))


@pytest.mark.parametrize("own", ["93.184.216.34", "2606:2800:220:1:248:1893:25C8:1946"])
def test_the_servers_own_machine_is_sent_nothing_by_its_public_address(looked_up, monkeypatch, own):
    monkeypatch.setattr(posting, "own_addresses", lambda: {"127.0.0.1", own.lower()})
    looked_up("1.1.1.1", own)

    with pytest.raises(NotDelivered, match=r"hook\.test is this server's own machine"):
        post("http://hook.test/", b"{}", {}, Reach(private=False))


def test_a_routers_address_that_leads_back_to_the_server_is_sent_nothing(looked_up):
    """The name of --address, and any other name for the address that it leads to."""
    looked_up("93.184.216.34")

    for host in ("dice.test", "other.test"):
        with pytest.raises(NotDelivered, match=rf"{host} is this server's own machine"):
            post(f"http://{host}/", b"{}", {}, Reach(own=lambda: {"dice.test"}))


MATCH = {"game": "pig", "names": ["Ada", "Ben"]}
BEHIND = {"REMOTE_ADDR": "10.0.0.9"}
PROXY = ServerSettings(proxies=(ip_network("10.0.0.9"),))


def test_what_a_trusted_proxy_is_called_is_sent_nothing(tmp_path, looked_up):
    """The host that a phone opened, also without --address; a stranger's word does not count."""

    def started():
        url = f"sqlite:///{tmp_path}/matches.sqlite"
        return create_app(url, tmp_path / "photos", settings=PROXY)

    app = started()
    client, services = app.test_client(), app.extensions["pipsight"]
    said = {"X-Forwarded-Host": "stranger.test", "Host": "localhost"}
    assert client.get("/", headers=said).status_code == 200
    looked_up("93.184.216.34")
    assert services.webhooks.own() == frozenset()

    said["X-Forwarded-Host"] = "dice.test:443"
    assert client.get("/", headers=said, environ_base=BEHIND).status_code == 200
    services.store.close()
    again = started().extensions["pipsight"]

    with pytest.raises(NotDelivered, match=r"hook\.test is this server's own machine"):
        post("http://hook.test/", b"{}", {}, again.webhooks)
    again.store.close()


def test_no_more_names_are_kept_than_a_server_may_have(tmp_path):
    """A proxy that lets any name pass does not fill the database, also over many starts."""
    with closing(Store(f"sqlite:///{tmp_path}/matches.sqlite", tmp_path / "photos")) as store:
        for start in range(4):
            names = OwnNames(store.database)
            for number in range(40):
                names.learn({f"{start}-{number}.test"})
            assert f"{start}-1.test" in names()

        assert len(OwnNames(store.database)()) == 64


@pytest.mark.release
def test_a_worker_refuses_the_names_of_every_server(postgres, tmp_path):
    own, places = "93.184.216.34", (postgres.url, tmp_path / "photos")  # no name server is asked
    app = create_app(*places, settings=PROXY, jobs=partial(Sharing, version="1", eyes=0))
    client, services = app.test_client(), app.extensions["pipsight"]
    where = ["--database", postgres.url, "--photos", str(places[1])]
    with closing(services.store) as store, closing(services.jobs):
        said = {"X-Forwarded-Host": own}
        assert client.get("/", headers=said, environ_base=BEHIND).status_code == 200
        match = f"/api/matches/{client.post('/api/matches', json=MATCH).json['id']}"
        client.post(f"{match}/webhooks", json={"url": f"http://{own}/"})
        client.post(f"{match}/moves", json={"after": 0, "moves": [{"move": "Roll", "pips": 4}]})

        with process("-m", "webui.cli", "worker", "--eyes", "1", *where):
            while not (failing := store.webhooks.all(match.rpartition("/")[2])[0].fault):
                time.sleep(0.05)

    assert f"{own} is this server's own machine" in str(failing)


@pytest.fixture
def looked_up(monkeypatch):
    """Return a function that says what every name stands for; `asked` has each look."""

    def stand_for(*addresses):
        def look(host, port, *_args, **_):
            stand_for.asked.append(host)
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port)) for one in addresses]

        monkeypatch.setattr(posting.socket, "getaddrinfo", look)

    stand_for.asked = []
    return stand_for


def test_a_name_is_looked_up_once_and_the_connection_goes_there(receiver, looked_up):
    """A name that stands for another address a moment later leads nowhere else."""
    looked_up("127.0.0.1")
    port = receiver.server_address[1]

    post(f"http://table.test:{port}/hook?a=1", b"{}", {"X-Sent": "1"}, Reach(private=True))

    headers, body = receiver.got.get(timeout=30)
    assert (headers["Host"], headers["X-Sent"], body) == (f"table.test:{port}", "1", b"{}")
    assert looked_up.asked[0] == "table.test"
    assert "table.test" not in looked_up.asked[1:]


@pytest.mark.parametrize(
    ("answer", "says", "gone"),
    [
        (500, "127.0.0.1 answered 500.", False),
        (302, "127.0.0.1 answered 302, which leads elsewhere. Add the address that", False),
        (410, "127.0.0.1 answered 410.", True),
        (b"nonsense\r\n\r\n", "127.0.0.1 does not answer.", False),
        (b"", "127.0.0.1 does not answer.", False),
    ],
)
def test_what_is_not_taken_says_why_and_no_redirect_is_followed(receiver, answer, says, gone):
    receiver.answers.append(answer)

    with pytest.raises(NotDelivered) as fault:
        post(receiver.url, b"{}", {}, Reach(private=True))

    assert (str(fault.value.reason).startswith(says), fault.value.gone) == (True, gone)
    receiver.got.get(timeout=30)
    assert receiver.got.empty()


def test_who_never_answers_is_waited_for_so_long_in_all(receiver, monkeypatch):
    """However often a byte comes."""
    monkeypatch.setattr(posting, "SECONDS", 0.05)
    receiver.answers.append(held := threading.Event())

    with pytest.raises(NotDelivered, match="did not answer within"):
        post(receiver.url, b"{}", {}, Reach(private=True))
    held.set()


def test_where_nothing_listens_or_no_https_is_spoken_the_port_is_named(receiver):
    port = receiver.server_address[1]
    with pytest.raises(NotDelivered, match=rf"127\.0\.0\.1 does not speak HTTPS at port {port}"):
        post(f"https://127.0.0.1:{port}/", b"{}", {}, Reach(private=True))
    with pytest.raises(NotDelivered, match=r"Nothing listens at port 1 of 127\.0\.0\.1"):
        post("http://127.0.0.1:1/", b"{}", {}, Reach(private=True))


def test_an_address_that_lets_nobody_in_is_followed_by_the_next_of_its_name(receiver, looked_up):
    looked_up("127.0.0.9", "127.0.0.1")  # as IPv6 and IPv4, where only one gets through

    post(f"http://table.test:{receiver.server_address[1]}/", b"{}", {}, Reach(private=True))

    assert receiver.next() == {}


def test_a_name_that_stands_for_nothing_cannot_be_found(monkeypatch):
    def fail(*_, **__):
        raise socket.gaierror

    monkeypatch.setattr(posting.socket, "getaddrinfo", fail)
    with pytest.raises(NotDelivered, match=r"nowhere\.test cannot be found"):
        post("https://nowhere.test/", b"{}", {}, Reach(private=False))


def test_a_secure_address_is_checked_under_its_name(receiver, looked_up, tmp_path, monkeypatch):
    looked_up("127.0.0.1")
    kept = certificates(tmp_path / "https", {"table.lan"})
    shows = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    shows.load_cert_chain(kept.server)
    receiver.secure(shows)
    port = receiver.server_address[1]
    with pytest.raises(NotDelivered, match=r"certificate of table\.lan is not valid"):
        post(f"https://table.lan:{port}/", b"{}", {}, Reach(private=True))

    trusts = ssl.create_default_context(cadata=kept.authority.der)
    monkeypatch.setattr(posting, "_trust", lambda: trusts)

    post(f"https://table.lan:{port}/", b"{}", {}, Reach(private=True))
    with pytest.raises(NotDelivered, match=r"certificate of other\.lan is not valid"):
        post(f"https://other.lan:{port}/", b"{}", {}, Reach(private=True))


PAGE = Path(__file__).parents[3] / "docs" / "develop" / "follow.md"
DELIVERED = {"delivered": True, "fault": None}


@pytest.fixture
def match(client, new_match):
    made = new_match(game="pig", names=["Ada", "Ben"], opening=[])
    move(client, made, "Roll", pips=4)
    step(client, made, "undo")
    return made


def programs(language):
    """Return the examples in some language that are whole programs."""
    found = re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    return [text for text in found if not text.startswith(">>>")]


@contextmanager
def running(*command, **env):
    """Run an example as a stranger would; yield what it prints."""
    path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    started = {"stdout": subprocess.PIPE, "text": True, "start_new_session": True}
    with subprocess.Popen(command, env={"PATH": path, **env}, **started) as process:
        yield process.stdout
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)


def test_the_examples_in_python(app, match):
    with served(app) as port:
        given = {"server": f"http://127.0.0.1:{port}", "match": match["id"]}

        result = doctest.testfile(str(PAGE), module_relative=False, globs=given)

    assert result.failed == 0
    assert result.attempted > 4


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl here")
def test_the_example_of_a_stream_by_curl(app):
    (stream, *_) = programs("sh")
    with served(app) as port:
        at_port = stream.replace("localhost:8000", f"127.0.0.1:{port}")
        with running("sh", "-c", at_port) as lines:
            assert "Ada rolls 4" in next(line for line in lines if line.startswith("data: {"))


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl here")
def test_the_examples_of_a_webhook_and_its_receiver(app, services, match):
    services.webhooks = Reach(private=True)
    (_, add, try_it), (receiver,) = programs("sh"), programs("python")
    at = str(reserved_port())
    with served(app) as port:
        given = {"SERVER": f"http://127.0.0.1:{port}", "MATCH": match["id"]}
        with running("sh", "-c", add.replace("8800", at), **given) as lines:
            secret = json.loads(lines.read())["secret"]
        with running("python3", "-c", receiver.replace("8800", at), SECRET=secret) as lines:
            answer = None
            while answer != DELIVERED:  # until it listens
                with running("sh", "-c", try_it, **given) as printed:
                    answer = json.loads(printed.read())
            assert next(lines).startswith("test ")

        with running("python3", "-c", receiver.replace("8800", at), SECRET="whsec_b3RoZXI=") as _:
            while "401" not in (answer["fault"] or ""):
                with running("sh", "-c", try_it, **given) as printed:
                    answer = json.loads(printed.read())


@pytest.mark.browser
def test_the_example_of_a_page(opened, server):
    made = server.match("pig", "Ada", "Ben")
    path = f"matches/{made['id']}"
    server.post(f"{path}/moves", {"after": 0, "moves": [{"move": "Roll", "pips": 4}]})
    server.post(f"{path}/moves", {"after": 1, "moves": [{"move": "Hold"}]})
    (overlay,) = programs("html")
    overlay = overlay.replace("http://localhost:8000", server.address.rstrip("/"))
    token = server.post(f"{path}/viewers", {"name": ""})["token"]
    page = opened(server.address)
    page.route("**/overlay", lambda route: route.fulfill(body=overlay.replace("TOKEN", token)))

    page.goto(f"{server.address}overlay")

    expect(page.locator("output")).to_have_text("Ada 4, Ben 0")
