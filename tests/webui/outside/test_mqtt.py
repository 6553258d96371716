"""A real broker is told what happens, and Home Assistant finds the matches there."""

import doctest
import json
import logging
import secrets
import sys
import threading
from contextlib import closing, contextmanager
from queue import SimpleQueue

import pytest
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion

from tests.conftest import board_moves
from tests.webui.outside import brokers
from tests.webui.proxy import relay
from tests.webui.serving import reserved_port
from webui.commands import COMMANDS
from webui.outside import broker as broker_module
from webui.outside import mqtt
from webui.outside.broker import Broker
from webui.outside.mqtt import MATCHES, MqttFeed
from webui.server import CannotServe, _feed

PATIENCE = 30  # seconds
SECRET = "s%3Aecr%2Fet"  # the password as a URL has it


class Listener:
    """Another program at the broker: hears everything, and is Home Assistant to it."""

    def __init__(self, port):
        self.heard = SimpleQueue()
        self.client = Client(CallbackAPIVersion.VERSION2)
        self.client.username_pw_set(brokers.USER, brokers.PASSWORD)
        ready = threading.Event()
        self.client.on_connect = lambda client, *_: client.subscribe("#", 1)
        self.client.on_subscribe = lambda *_: ready.set()
        self.client.on_message = self._hear
        self.client.connect("127.0.0.1", port)
        self.client.loop_start()
        assert ready.wait(PATIENCE)

    def _hear(self, _client, _given, message):
        self.heard.put((message.topic, message.payload.decode(), message.retain))

    def until(self, topic):
        """Return what comes at a topic next."""
        while True:
            at, text, _kept = self.heard.get(timeout=PATIENCE)
            if at.endswith(topic):
                return text

    def close(self):
        self.client.disconnect()
        self.client.loop_stop()


@pytest.fixture(scope="module", params=[brokers.NAME])
def port(tmp_path_factory):
    found = reserved_port()
    with brokers.broker(tmp_path_factory.mktemp(brokers.NAME), found):
        yield found


@pytest.fixture
def listener(port):
    with closing(Listener(port)) as made:
        yield made


@contextmanager
def telling(services, port, topic, password=SECRET):
    """Tell a broker what happens, as a server does."""
    url = f"mqtt://{brokers.USER}:{password}@127.0.0.1:{port}/{topic}"
    with closing(MqttFeed(services.store, Broker.parse(url))) as feed:
        services.live.heard.append(feed.hear)
        yield


@pytest.fixture
def topic():
    return f"home/{secrets.token_hex(4)}"


@pytest.fixture
def told(port, services, topic):
    with telling(services, port, topic):
        yield


def play(client, match, *moves, after=1):
    sent = {"after": after, "moves": [*moves]}
    assert client.post(f"/api/matches/{match['id']}/moves", json=sent).status_code == 201


@pytest.mark.usefixtures("told")
def test_a_broker_is_told_each_event_and_keeps_how_a_match_stands(
    listener, port, client, match, topic
):
    name = match["public"]

    play(client, match, *board_moves())
    event = json.loads(listener.until(f"{topic}/match/{name}/event"))
    kept = json.loads(listener.until(f"{topic}/match/{name}"))

    assert (event["seq"], event["kind"], event["players"]) == (2, "move", ["Ada", "Ben"])
    assert {part: kept[part] for part in event} == event
    assert (kept["leader"], kept["standing"]) == ("Ada", "Ada 5, Ben 3")
    assert match["id"] not in json.dumps(kept)
    with closing(Listener(port)) as late:
        assert late.until(f"{topic}/status") == "online"
        assert json.loads(late.until(f"{topic}/match/{name}"))["seq"] == 2


@pytest.mark.usefixtures("told")
def test_home_assistant_finds_a_match_and_loses_one_that_is_deleted(listener, client, match, topic):
    config = f"pipsight_{match['public']}_leader/config"
    play(client, match, *board_moves()[:1])
    found = json.loads(listener.until(config))

    assert found["state_topic"] == found["json_attributes_topic"]
    assert found["availability_topic"] == f"{topic}/status"
    assert found["value_template"] == "{{ value_json.leader[:255] }}"
    assert found["device"]["name"].endswith(": Ada, Ben")
    state = listener.until(found["state_topic"])
    assert json.loads(state)["standing"] == "Ada 0, Ben 0"

    client.delete(f"/api/matches/{match['id']}")
    while listener.until(found["state_topic"]):
        """How it stood after another step may still have been on its way."""
    assert listener.until(config) == ""


@pytest.mark.usefixtures("told")
def test_home_assistant_calls_a_match_by_the_name_that_its_players_gave_the_game(
    listener, client, new_match
):
    sheet = new_match(game="sum", names=["Ada", "Ben"], opening=[], settings={"name": "Skyjo"})
    play(client, sheet, {"move": "Enter", "seat": 0, "points": 7}, after=0)
    found = json.loads(listener.until(f"pipsight_{sheet['public']}_leader/config"))

    assert found["device"]["name"] == "Skyjo: Ada, Ben"


@pytest.mark.release
@pytest.mark.usefixtures("told")
def test_only_the_matches_played_last_are_kept(listener, client, new_match, topic):
    first, *rest = [new_match() for _ in range(MATCHES + 1)]
    play(client, first, board_moves()[0])
    at = f"{topic}/match/{first['public']}"
    while json.loads(listener.until(at))["seq"] < 2:
        pass
    for match in rest:
        play(client, match, board_moves()[0])

    while listener.until(at):
        """A broker that has just connected is sent once more how every match stands."""


@pytest.mark.release
def test_a_broker_that_was_away_is_told_what_it_missed_and_says_who_is_away(
    services, port, listener, client, match, topic, caplog
):
    door = reserved_port()
    with caplog.at_level(logging.DEBUG), telling(services, door, topic):
        play(client, match, *board_moves()[:1])
        with relay(door, port):
            assert json.loads(listener.until(f"{topic}/match/{match['public']}/event"))["seq"] == 2
        while listener.until(f"{topic}/status") != "offline":  # that it was online comes first
            pass
        with relay(door, port):
            assert listener.until(f"{topic}/status") == "online"

    assert brokers.PASSWORD not in caplog.text
    assert SECRET not in caplog.text


@pytest.mark.parametrize(("is_there", "says"), [(True, "refuses us"), (False, "be reached; it")])
def test_a_broker_that_takes_nothing_is_logged_without_its_password(
    is_there, says, port, services, topic, caplog
):
    logged = SimpleQueue()
    handler = logging.Handler()
    handler.emit = lambda record: logged.put(record.getMessage())
    logging.getLogger(mqtt.__name__).addHandler(handler)
    try:
        with telling(services, port if is_there else reserved_port(), topic, "wr0ng"):
            message = logged.get(timeout=PATIENCE)
    finally:
        logging.getLogger(mqtt.__name__).removeHandler(handler)

    assert says in message
    assert "wr0ng" not in message + caplog.text


@pytest.mark.parametrize(
    "text", ["http://a:pass@host/", "mqtt://pass@:1/", "mqtt://a:pass@host:x/", "mqtt://pass@h/#"]
)
def test_a_url_that_is_none_is_refused_without_its_password(text, capsys):
    with pytest.raises(SystemExit):
        COMMANDS["serve"].parser("serve").parse_args(["--mqtt", text])

    assert "pass@" not in capsys.readouterr().err


def test_a_broker_shows_no_password():
    assert doctest.testmod(broker_module).failed == 0
    parsed = Broker.parse("mqtt://ada:s%40fe@host")
    assert (parsed.password, parsed.port, parsed.topic) == ("s@fe", 1883, "pipsight")
    assert "s@fe" not in repr(parsed)


def test_without_its_package_a_server_says_what_to_install(monkeypatch, services):
    monkeypatch.setitem(sys.modules, mqtt.__name__, None)

    with pytest.raises(CannotServe, match=r"extra mqtt"):
        _feed(services.store, Broker.parse("mqtt://host"))
