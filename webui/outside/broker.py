"""The address of an MQTT broker, and our login."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Self
from urllib.parse import unquote, urlsplit

from scorer.messages import _

PORTS = {"mqtt": 1883, "mqtts": 8883}
TOPIC = "pipsight"


@dataclass(frozen=True, slots=True)
class Broker:
    """A broker; user name and password are never shown."""

    host: str
    port: int
    topic: str = TOPIC
    secure: bool = False
    user: str = field(default="", repr=False)
    password: str = field(default="", repr=False)

    @classmethod
    def parse(cls, url: str) -> Self:
        """Parse `mqtt://user:password@host:1883/topic`; raises ValueError, which does not quote it.

        >>> Broker.parse("mqtts://ada:s%40fe@home.example/games")
        Broker(host='home.example', port=8883, topic='games', secure=True)
        """
        parts = urlsplit(url)
        topic = unquote(parts.path).strip("/") or TOPIC
        try:
            port = parts.port or PORTS[parts.scheme]
            if not parts.hostname or set(topic) & set("+\0") or "?" in url or "#" in url:
                raise ValueError
        except (KeyError, ValueError):
            raise ValueError(
                _("write mqtt://user:password@host:1883/topic, or mqtts://…")
            ) from None
        return cls(
            *(parts.hostname, port, topic, parts.scheme == "mqtts"),
            user=unquote(parts.username or ""),
            password=unquote(parts.password or ""),
        )
