"""The events of matches published to an MQTT broker, with discovery for Home Assistant.

Below the topic in the broker's URL, by default `pipsight`: `status` is "online" or, as the last
will, "offline"; `match/NAME/event` has each event (`webui.match.events`); `match/NAME`, retained,
has the newest event and the leader. NAME is the match's `public`, which gives no right to play. The
matches played last are sensors in Home Assistant; older ones are removed.
"""

import json
import logging
import secrets
import threading
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from importlib.metadata import version
from queue import SimpleQueue
from typing import Any

from paho.mqtt.client import Client, MQTTMessageInfo
from paho.mqtt.enums import CallbackAPIVersion

from scorer.values import dump
from webui.errors import NotFound, RequestError
from webui.match.events import MatchEvent, events_after
from webui.outside.broker import Broker
from webui.store.log import Store

DISCOVERY = "homeassistant/sensor"  # Home Assistant's default discovery prefix
SENSORS = {"standing": "Score", "leader": "Leader"}
CALLED_ANEW = ("rename", "reseat", "join", "undo", "redo")  # names of players may change
SHOWN = 255  # maximum length of a state in Home Assistant
MATCHES = 8  # retained by the broker
UNSENT = 1000  # messages queued while the broker is unreachable
AT_LEAST_ONCE = 1  # quality of service
AGAIN_S = (1, 60)  # minimum and maximum delay before reconnecting
ALL = ""  # in the queue: publish all matches again

log = logging.getLogger(__name__)


class MqttFeed:
    """Publishes the matches of a *store* to a broker until it is closed."""

    def __init__(self, store: Store, broker: Broker) -> None:
        self._store, self._topic = store, broker.topic
        self._newest: OrderedDict[str, tuple[str, int]] = OrderedDict()  # public name, newest event
        self._news: SimpleQueue[tuple[str, int] | None] = SimpleQueue()
        self._client = _client(broker, f"{broker.topic}/status")
        self._client.on_connect = self._connected
        self._client.on_disconnect = self._disconnected
        self._client.on_connect_fail = self._unreached
        self._is_away = False
        self._thread = threading.Thread(target=self._run, name="mqtt", daemon=True)
        self._thread.start()
        self._client.connect_async(broker.host, broker.port)
        self._client.loop_start()

    def hear(self, match_id: str, kind: str, what: int | str) -> None:
        """Queue a match: it has news."""
        if kind == "seq" and isinstance(what, int):
            self._news.put((match_id, what))

    def close(self) -> None:
        """Stop publishing; queued messages are sent if the broker is connected."""
        self._news.put(None)
        self._thread.join()
        if self._client.is_connected():
            with suppress(RuntimeError):  # the connection broke: the broker sends our last will
                self._publish("status", "offline", kept=True).wait_for_publish(AGAIN_S[0])
        self._client.disconnect()
        self._client.loop_stop()

    def _connected(self, *answered: Any) -> None:
        reason = answered[3]
        if reason.is_failure:
            log.warning("the MQTT broker refuses us: %s", reason)
            return
        self._is_away = False
        self._publish("status", "online", kept=True)
        self._news.put((ALL, 0))  # a restarted broker may have lost retained messages

    def _disconnected(self, *answered: Any) -> None:
        if answered[3].is_failure:
            self._is_away = True
            log.warning("the MQTT broker is away (%s); it is tried again", answered[3])

    def _unreached(self, *_answered: Any) -> None:
        if not self._is_away:  # else it is logged at each try
            self._is_away = True
            log.warning("the MQTT broker cannot be reached; it is tried again")

    def _run(self) -> None:
        while (news := self._news.get()) is not None:
            match_id, seq = news
            try:
                self._tell_all() if match_id == ALL else self._tell(match_id, seq)
            except RequestError as fault:
                log.warning("a match was not told to the MQTT broker: %s", fault)
            except Exception:
                log.exception("a match was not told to the MQTT broker")

    def _tell_all(self) -> None:
        for row in reversed(self._store.played_last(MATCHES)):
            if (seq := self._store.seq(row.id)) > 0:
                self._newest.pop(row.id, None)
                self._tell(row.id, seq, again=True)

    def _tell(self, match_id: str, seq: int, *, again: bool = False) -> None:
        """Publish the new events of a match, or only its state *again*."""
        _name, before = self._newest.get(match_id, ("", seq - 1))
        try:
            events = events_after(self._store, match_id, before)
        except NotFound:
            self._take_away(match_id)
            return
        for event in events:
            if not again:
                self._publish(f"match/{event.match}/event", event.to_json())
        if events:
            self._keep(match_id, events[-1])

    def _keep(self, match_id: str, event: MatchEvent) -> None:
        """Publish a match's retained state, and remove those beyond MATCHES."""
        if match_id not in self._newest or event.kind in CALLED_ANEW:
            for name, says in SENSORS.items():
                found = json.dumps(self._sensor(event, name, says), ensure_ascii=False)
                self._send(_found_at(event.match, name), found, kept=True)
        state = json.dumps(dump(event) | standing(event), ensure_ascii=False)
        self._publish(f"match/{event.match}", state, kept=True)
        self._newest[match_id] = event.match, event.seq
        self._newest.move_to_end(match_id)
        while len(self._newest) > MATCHES:
            self._take_away(next(iter(self._newest)))

    def _take_away(self, match_id: str) -> None:
        name, _seq = self._newest.pop(match_id, ("", 0))
        if name:
            self._publish(f"match/{name}", "", kept=True)
            for sensor in SENSORS:
                self._send(_found_at(name, sensor), "", kept=True)

    def _publish(self, topic: str, text: str, *, kept: bool = False) -> MQTTMessageInfo:
        return self._send(f"{self._topic}/{topic}", text, kept=kept)

    def _send(self, topic: str, text: str, *, kept: bool) -> MQTTMessageInfo:
        return self._client.publish(topic, text, AT_LEAST_ONCE, retain=kept)

    def _sensor(self, event: MatchEvent, name: str, says: str) -> Mapping[str, Any]:
        """Return Home Assistant's discovery message for a sensor (its page "MQTT Sensor")."""
        ours = f"pipsight_{event.match}"
        at = f"{self._topic}/match/{event.match}"
        ourselves = {"name": "Pipsight", "sw_version": version("pipsight")}
        return {
            "name": says,
            "unique_id": f"{ours}_{name}",
            "icon": "mdi:dice-multiple",
            "state_topic": at,
            "value_template": f"{{{{ value_json.{name}[:{SHOWN}] }}}}",
            "json_attributes_topic": at,
            "availability_topic": f"{self._topic}/status",
            "device": {
                "identifiers": [ours],
                "name": f"{event.title}: {', '.join(event.players)}",
                "manufacturer": "Pipsight",
            },
            "origin": ourselves,
        }


def standing(event: MatchEvent) -> Mapping[str, str]:
    """Return the leader or winner after an event, and all scores, in a line each."""
    pairs = zip(event.players, event.earned, strict=True)
    return {
        "leader": ", ".join(event.players[seat] for seat in event.leading),
        "standing": ", ".join(f"{player} {points}" for player, points in pairs),
    }


def _found_at(name: str, sensor: str) -> str:
    return f"{DISCOVERY}/pipsight_{name}_{sensor}/config"


def _client(broker: Broker, status: str) -> Client:
    client = Client(CallbackAPIVersion.VERSION2, f"pipsight-{secrets.token_hex(4)}")
    if broker.user:
        client.username_pw_set(broker.user, broker.password)
    if broker.secure:
        client.tls_set()
    client.will_set(status, "offline", AT_LEAST_ONCE, retain=True)
    client.reconnect_delay_set(*AGAIN_S)
    client.max_queued_messages_set(UNSENT)
    return client
