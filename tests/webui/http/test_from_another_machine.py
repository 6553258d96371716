"""Both ways of docs/containers.md, and its proxy: walked to the phone, on another machine.

What starts the server, and the proxy's settings, are taken from the page and the files it names.
No engine is needed: the container's command runs with its environment, in a network as its own.
"""

import argparse
import http.client
import json
import os
import re
import shlex
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import ExitStack, contextmanager

import pytest
import sqlalchemy as sa
import yaml

from tests import ROOT
from tests.proof.container import FILE, steps_of, surroundings
from tests.proof.networks import MACHINE, PHONE, SPACES, bridge, inside, machines, plug, why_not
from tests.proof.program import NEW, Elsewhere
from tests.webui.proxy import relay, temp_paths
from webui.greeting import own_address
from webui.http.hosts import phone_addresses
from webui.store.schema import GUEST_DAY

ADDON, SIDEBAR = ROOT / "packaging" / "homeassistant", "/api/hassio_ingress/Zk3-_9"
PAGE = (ROOT / "docs" / "containers.md").read_text("utf-8")
BOX, MANY = "10.88.0.2", "10.213.0.7"  # in a network of its own, in that of compose.many.yaml
ENDS = "Ctrl+C stops the server"  # the last line of a greeting begins or ends so
HOST = "dice.example"  # of the page
KIOSK = (ROOT / "packaging" / "pipsight-kiosk.desktop").read_text("utf-8")
(TELEVISION,) = re.findall(r"http://\S+", KIOSK)
BLOCKS = re.findall(r"^```(?:sh)?\n(.*?)^```", PAGE, re.M | re.S)
COMMANDS = [line for block in BLOCKS for line in block.splitlines()]
RUN = [shlex.split(line) for line in COMMANDS if line.startswith("podman run")]
COMPOSE = [shlex.split(line) for line in COMMANDS if "compose.many.yaml" in line]


@pytest.fixture(scope="module", autouse=True)
def _there_are_networks():
    reason = why_not()
    if not reason and not (shutil.which("nginx") and shutil.which("openssl")):
        reason = "no nginx and openssl on this machine: install them to run this test"
    if reason:
        if os.environ.get("PIPSIGHT_NETWORKS") == "required":
            pytest.fail(reason)
        pytest.skip(reason)


@pytest.fixture
def home():
    """Return a machine, a phone in its network, and a box inside the machine."""
    with machines("machine", "phone", "box") as (machine, phone, box):
        bridge(machine, "lan0", f"{MACHINE}/24")
        plug(phone, machine, "lan0", f"{PHONE}/24")
        yield machine, phone, box


def test_the_machines_of_a_test_that_is_killed_are_gone():
    code = "with machines('left') as (name,): print(name, flush=True), signal.pause()"
    code = f"import signal; from tests.proof.networks import machines\n{code}"
    run = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE)
    name = run.stdout.readline().decode().strip()
    assert (SPACES / name).exists()
    run.kill()

    with run:
        assert run.stdout.read() == b""  # what clears up has ended as well

    assert not (SPACES / name).exists()


def test_in_a_network_without_a_way_out_phones_get_the_address_there():
    with machines("hall") as (machine,):
        bridge(machine, "lan0", "192.168.1.1/24")
        with inside(machine):
            assert own_address("0.0.0.0", 8000) == "http://192.168.1.1:8000/"
            assert phone_addresses() == ["192.168.1.1"]


@contextmanager
def started(machine, folder, words, entry=(), **env):
    """Run what the container runs, with *words* or its own; yield what it prints at its start.

    With *entry* that runs in its place.
    """
    steps = steps_of(FILE.read_text("utf-8"))
    program = folder / "opt" / "pipsight" / "bin" / "pipsight"
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m webui.cli "$@"\n')
    program.chmod(0o755)
    (folder / "data").mkdir(exist_ok=True)
    command = ["ip", "netns", "exec", machine, *(entry or steps.entry), *(words or steps.command)]
    run = subprocess.Popen(
        command,
        env=surroundings(steps, folder) | {"PYTHONIOENCODING": "utf-8"} | env,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    try:
        said = ""
        while words[:1] != ["worker"] and ENDS not in said:
            line = run.stdout.readline()
            assert line, f"it ended: {said}"
            said += line
        yield said
    finally:
        run.send_signal(signal.SIGTERM)
        assert run.wait(30) == 0
        run.stdout.close()


def told_to_run(words):
    """Return what a line `podman run …` says."""
    ask = argparse.ArgumentParser()
    ask.add_argument("--read-only", action="store_true")
    for option in ("--tmpfs", "--network", "-p", "-v"):
        ask.add_argument(option)
    ask.add_argument("image")
    ask.add_argument("command", nargs=argparse.REMAINDER)
    return ask.parse_args(words[2:])


def play(address, trust=None, joins=None):
    """Play by photo and see the television as a phone at *address*; return the host's page."""
    server = Elsewhere(address.rstrip("/"), trust)
    match, _last = server.played(joins)
    return server.get(f"/m/{match}").decode()


def test_with_the_machines_network_a_phone_opens_what_is_printed(home, tmp_path):
    machine, phone, _ = home
    (words,) = [words for words in RUN if told_to_run(words).network == "host"]

    with started(machine, tmp_path, told_to_run(words).command) as said:
        (address,) = re.findall(r"Pipsight is at (\S+)", said)
        with inside(phone):
            page = play(address)
        with inside(machine), urllib.request.urlopen(TELEVISION, timeout=30) as shown:
            assert 'data-seq="1"' in shown.read().decode()

    assert (address, "Purple House" in page) == (f"http://{MACHINE}:8000/", True)
    assert (tmp_path / "data" / "pipsight.sqlite").exists()


@pytest.mark.release
def test_over_a_line_that_drops_packets_a_photo_and_its_step_count_once(home, tmp_path):
    machine, phone, _ = home
    slow = "tc qdisc add dev eth0 root tbf rate 400kbit burst 5kb latency 40ms"
    with started(machine, tmp_path, ["serve"]) as said, inside(phone):
        subprocess.run(slow.split(), check=True)
        play(re.findall(r"Pipsight is at (\S+)", said)[0])
        (dropped,) = re.findall(r"dropped (\d+)", output("tc -s qdisc show dev eth0"))

    assert int(dropped) > 10


def output(command):
    return subprocess.run(command.split(), check=True, capture_output=True, text=True).stdout


@pytest.mark.release
def test_with_https_a_phone_trusts_the_certificate_and_plays(home, tmp_path):
    machine, phone, _ = home
    readme = (ROOT / "README.md").read_text("utf-8")
    said_so = r"`pipsight (serve --https)` and open its\s+page `(\S+)`"
    ((command, page),) = re.findall(said_so, readme)
    plain, secure = f"http://{MACHINE}:8000/", f"https://{MACHINE}:8443/"

    with started(machine, tmp_path, command.split()) as said, inside(phone):
        server = Elsewhere(plain.rstrip("/"))
        server.wait()
        (file,) = re.findall(r'href="(/trust/[^"]+)"', server.get(page).decode())
        trust = ssl.create_default_context(cadata=server.get(file))
        with pytest.raises(urllib.error.URLError, match="CERTIFICATE_VERIFY_FAILED"):
            Elsewhere(secure.rstrip("/")).get("/")
        play(secure, trust, joins=plain)

    assert f"Pipsight is at {plain}" in said


@contextmanager
def published(machine, port, to=BOX):
    """Do what `-p` says: hand a port of the machine on to the box; yield that port."""
    host, outer, inner = ("", *port.split(":"))[-3:]
    with ExitStack() as stack:
        with inside(machine):
            stack.enter_context(relay(int(outer), int(inner), host=host, to=to))
        yield outer


@pytest.mark.release
@pytest.mark.parametrize("named", [True, False], ids=["as the page says", "without --address"])
def test_with_a_published_port_a_phone_opens_the_machines_address(home, tmp_path, named):
    machine, phone, box = home
    (run,) = [run for run in map(told_to_run, RUN) if run.p]
    bridge(machine, "podman0", "10.88.0.1/16")
    plug(box, machine, "podman0", f"{BOX}/16")

    command = run.command if named else []
    with started(box, tmp_path, command) as said, published(machine, run.p) as port, inside(phone):
        page = play(f"http://{MACHINE}:{port}/")
        foreign = http.client.HTTPConnection(MACHINE, int(port))
        foreign.request("GET", "/", headers={"Host": "evil.example"})
        refused = foreign.getresponse().status
        foreign.close()

    assert ("Purple House" in page, refused) == (True, 421)
    assert (tmp_path / "data" / "pipsight.sqlite").exists()
    assert BOX not in said, "no phone reaches that"
    assert ("serve --address http://ADDRESS:8000/" in said) != named
    assert (f"Pipsight is at http://{MACHINE}:8000/" in said) == named


def composed(words, database, folder):
    """Return the services of a compose file as the words of its command fill them in."""
    given = dict(word.split("=", 1) for word in words if re.match("[A-Z_]+=", word))
    (file,) = [word for word in words if word.endswith(".yaml")]
    text = (ROOT / file).read_text("utf-8")
    text = re.sub(r"\$\{(\w+)(:\?[^}]*)?\}", lambda name: given[name[1]], text)
    services = yaml.safe_load(text)["services"]
    for service in services.values():
        env = service["environment"]
        if "DATABASE_URL" in env:
            assert "@database/" in env["DATABASE_URL"]
            photos = str(folder) + env["PIPSIGHT_PHOTOS"]
            service["environment"] = {"DATABASE_URL": database, "PIPSIGHT_PHOTOS": photos}
    return services


@contextmanager
def nginx(machine, folder, server):
    """Run nginx on a machine with the *server* of a page; yield what trusts its certificate."""
    (folder / "snippets").mkdir(parents=True)
    shutil.copy(ROOT / "packaging" / "nginx.conf", folder / "snippets" / "pipsight.conf")
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={HOST}"]
    made += ["-addext", f"subjectAltName=DNS:{HOST}", "-keyout", f"{folder}/{HOST}.key"]
    subprocess.run([*made, "-out", f"{folder}/{HOST}.pem"], check=True, capture_output=True)
    server = server.replace("/etc/ssl", str(folder))
    http = f"http {{ access_log off; {temp_paths(folder)}\n{server}}}"
    settings = folder / "nginx.conf"
    settings.write_text(f"daemon off; user root; pid {folder}/pid; events {{}} {http}")
    command = ["ip", "netns", "exec", machine, "nginx", "-e", "stderr", "-c", settings]
    run = subprocess.Popen(command)
    try:
        yield ssl.create_default_context(cafile=f"{folder}/{HOST}.pem")
    finally:
        run.terminate()
        assert run.wait(30) == 0


def lied_to(address, trust=None):
    """Make a match as a guest that says it came elsewhere, and for another; return the answer."""
    lies = {"X-Forwarded-Host": "evil.example", "X-Forwarded-For": "203.0.113.9"}
    lies |= {"X-Forwarded-Prefix": "/evil", "X-Ingress-Path": "/evil", "Forwarded": "host=evil"}
    headers = {"Content-Type": "application/json", **lies}
    request = urllib.request.Request(f"{address}api/matches", json.dumps(NEW).encode(), headers)
    with urllib.request.urlopen(request, timeout=30, context=trust) as answer:
        return json.load(answer)


@pytest.fixture
def _one_name(monkeypatch):
    """Let the name of the page be that of the machine, as a name server would."""
    asked = socket.getaddrinfo

    def look(host, *rest, **more):
        return asked(MACHINE if host == HOST else host, *rest, **more)

    monkeypatch.setattr(socket, "getaddrinfo", look)


@pytest.mark.release
@pytest.mark.usefixtures("_one_name")
def test_many_tables_are_played_at_behind_the_proxy_of_the_page(home, tmp_path, postgres):
    machine, phone, box = home
    (words,) = COMPOSE
    (proxy,) = [block for block in BLOCKS if block.startswith("server {")]
    services = composed(words, postgres.by_socket, tmp_path)
    server, worker = services["server"], services["worker"]
    bridge(machine, "podman0", "10.213.0.1/24")
    plug(box, machine, "podman0", f"{MANY}/24")

    with ExitStack() as stack:
        said = stack.enter_context(
            started(box, tmp_path, server["command"], **server["environment"])
        )
        stack.enter_context(started(box, tmp_path, worker["command"], **worker["environment"]))
        stack.enter_context(published(machine, *server["ports"], MANY))
        trust = stack.enter_context(nginx(machine, tmp_path / "nginx", proxy))
        stack.enter_context(inside(phone))
        play(f"https://{HOST}/", trust)
        made = lied_to(f"https://{HOST}/", trust)
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection((MACHINE, 8000))  # past the proxy

    assert f"Pipsight is at https://{HOST}/" in said
    assert made["join"] == f"https://{HOST}/j/{made['code']}"
    engine = sa.create_engine(postgres.url)
    with engine.connect() as connection:
        assert {*connection.scalars(sa.select(GUEST_DAY.c.guest))} == {PHONE}
    engine.dispose()


@pytest.mark.release
@pytest.mark.usefixtures("_one_name")
def test_below_a_path_nginx_says_where(home, tmp_path):
    machine, phone, _ = home
    page = (ROOT / "docs" / "home-server.md").read_text("utf-8")
    (below,) = re.findall(r"^location /dice/ \{.*?^\}", page, re.M | re.S)
    proxy = f"server {{ listen 80; server_name {HOST}; {below} }}"

    command = ["serve", "--verbose", "--prefix", "/dice", "--trust-proxy", "127.0.0.1"]
    web = nginx(machine, tmp_path / "nginx", proxy)
    with started(machine, tmp_path, command), web, inside(phone):
        play(f"http://{HOST}/dice/")
        made = lied_to(f"http://{HOST}/dice/")

    assert made["join"] == f"http://{HOST}/dice/j/{made['code']}"


@pytest.mark.release
def test_in_the_sidebar_of_home_assistant_a_phone_plays_and_guests_join_beside_it(home, tmp_path):
    """The Supervisor hands pages on from a network of its own, as it does there."""
    machine, phone, supervisor = home
    bridge(machine, "hassio", "172.30.32.1/23")
    plug(supervisor, machine, "hassio", "172.30.32.2/23")
    proxy = f"""server {{ listen 80; location {SIDEBAR}/ {{
      proxy_pass http://172.30.32.1:8000/; client_max_body_size 64m;
      proxy_set_header X-Ingress-Path {SIDEBAR}; proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $remote_addr; }} }}"""
    (tmp_path / "data").mkdir()
    options = yaml.safe_load((ADDON / "config.yaml").read_text("utf-8"))["options"]
    (tmp_path / "data" / "options.json").write_text(json.dumps(options))
    program = tmp_path / "opt" / "pipsight" / "bin"
    env = {"DATA": str(tmp_path / "data"), "PATH": f"{program}{os.pathsep}{os.environ['PATH']}"}

    runs = ("sh", str(ADDON / "run.sh"))
    with (
        started(machine, tmp_path, ["--port", "8000"], runs, **env) as said,
        nginx(supervisor, tmp_path / "nginx", proxy),
        published(machine, "8123:80", "172.30.32.2"),
        inside(phone),
    ):
        guests = f"http://{MACHINE}:8000/"
        page = play(f"http://{MACHINE}:8123{SIDEBAR}/", joins=guests)
        play(guests)

    assert f"Pipsight is at {guests}" in said
    assert f'action="{SIDEBAR}/m/' in page
