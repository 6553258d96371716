"""The settings of a server: from arguments and the environment straight to what needs them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from webui.store.upkeep import Wishes

if TYPE_CHECKING:
    from webui.http.guests import Network
    from webui.http.shares import Spent
    from webui.outside.broker import Broker


@dataclass(frozen=True, slots=True)
class Wifi:
    """The guests' Wi-Fi; without a password it is open."""

    name: str
    password: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """What the owner of a server chose; the defaults serve all networks without limits."""

    host: str = "0.0.0.0"  # noqa: S104  # every network
    port: int = 8000  # 0: a free one
    database: str | None = None  # a path or URL; None: the usual file
    photos: str | None = None  # a folder or URL; None: beside the database
    https: int | None = None  # port of the HTTPS server

    address: str | None = None  # what phones open, ending in "/"; None: this machine's
    prefix: str = ""  # path below a proxy, "/pipsight"
    hosts: tuple[str, ...] = ()  # names the server answers to, besides this machine's
    proxies: tuple[Network, ...] = ()  # trusted to say who asks
    origins: tuple[str, ...] = ()  # other sites whose pages may call the JSON interface
    private_webhooks: bool = False  # webhooks reach private networks too
    shares: Mapping[Spent, int] = field(default_factory=dict)  # per guest and day, if not the usual

    no_eyes: bool = False  # workers read the photos
    small: bool = False  # read one photo at a time
    camera: str | None = None  # the server's own: a number, a URL or a video file
    wifi: Wifi | None = None  # that guests join
    broker: Broker | None = None  # MQTT
    lite: Path | None = None  # what `pipsight site` wrote, for phones to take along
    wishes: Wishes = field(default_factory=Wishes)

    compress: bool = True  # what is sent
    others: bool = True  # other phones reach it, and a printer; not an app within a browser

    log_level: str = "warning"
    log_format: str = "plain"
    demo: bool = False  # add a sample match
    browser: bool = False  # open one, also where Pipsight runs at this port already
    verbose: bool = False  # print where the matches are stored
