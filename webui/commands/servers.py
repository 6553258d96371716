"""`pipsight serve` and `worker`."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from ipaddress import ip_network
from pathlib import Path
from typing import TYPE_CHECKING

from scorer.messages import ENGLISH, _, raw
from webui.commands.arguments import (
    PORT,
    add_database,
    add_logging,
    add_photo_limits,
    add_photos,
    add_private_webhooks,
    web_address,
    whole_number,
    whole_port,
    wishes,
)
from webui.commands.language import CommandParser
from webui.languages import said, speak, translate

if TYPE_CHECKING:
    from webui.http.guests import Network
    from webui.http.shares import Spent
    from webui.outside.broker import Broker

# What a guest may send in a day: ten people behind one address send 300 photos in an evening.
GUEST_SHARES = {"photos": 3000, "matches": 300, "forms": 30_000, "mb": 50_000}
GUEST_WORDS = {"photos": _("photos"), "matches": _("matches"), "forms": _("forms"), "mb": raw("MB")}
HTTPS_PORT = 8443
EYES = 2  # the same as a server
MOST_EYES = 64
MOST_SHARE = 10**11


def serve(args: argparse.Namespace) -> int:
    """Run `pipsight serve`; return the exit code."""
    from webui.server import serve  # noqa: PLC0415
    from webui.settings import ServerSettings, Wifi  # noqa: PLC0415

    if args.wifi_password and not args.wifi_name:
        args.ask.error(_("a password alone names no Wi-Fi: add --wifi-name"))
    speak(ENGLISH)  # what a server does beside requests has no language of its own
    settings = ServerSettings(
        *(args.host, args.port, args.database, args.photos, args.https),
        address=args.address,
        prefix=args.prefix,
        hosts=(*args.allow_host,),
        proxies=(*args.trust_proxy,),
        origins=(*_usual_origins(), *args.cors_origin),
        private_webhooks=args.webhooks_private,
        shares=_shares(args),
        no_eyes=args.no_eyes,
        small=args.small,
        camera=args.camera,
        wifi=Wifi(args.wifi_name, args.wifi_password) if args.wifi_name else None,
        broker=args.mqtt,
        lite=args.lite,
        wishes=wishes(args),
        log_level=args.log_level,
        log_format=args.log_format,
        demo=args.demo,
        browser=args.open,
        verbose=args.verbose,
    )
    serve(settings)
    return 0


def serve_options(ask: CommandParser) -> None:
    """Describe `pipsight serve`."""
    ask.description = "Start the server: print its address and a QR code for the phones."
    ask.add_argument("--host", default="0.0.0.0", help="(default: every network)")  # noqa: S104
    ask.add_argument("--port", type=whole_port, default=PORT, help="(default: %(default)s)")
    add_database(ask)
    add_photos(ask)
    _add_addresses(ask)
    _add_shares(ask)
    ask.add_argument(
        "--demo", action="store_true", help="add a sample match; without --database nothing is kept"
    )
    ask.add_argument(
        "--open", action="store_true", help="open it in this computer's browser, one that runs too"
    )
    ask.add_argument("--verbose", action="store_true", help="say where the matches are kept")
    _add_surroundings(ask)
    add_logging(ask)


def _add_addresses(ask: argparse.ArgumentParser) -> None:
    """Add where phones, proxies and other sites reach the server."""
    ask.add_argument(
        "--address",
        type=web_address,
        metavar="URL",
        help="what phones open, shown with its QR code (default: this machine's address)",
    )
    ask.add_argument(
        "--prefix",
        type=_prefix,
        metavar="PATH",
        default=os.environ.get("PIPSIGHT_PREFIX", ""),
        help="the path that it is below, /pipsight, behind a proxy (default: $PIPSIGHT_PREFIX, else"
        " none)",
    )
    ask.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="also answer as NAME, the address of a proxy or tunnel, say; may be given several"
        " times",
    )
    ask.add_argument(
        "--trust-proxy",
        action="append",
        default=[],
        type=_network,
        metavar="ADDRESS",
        help="let the proxy at ADDRESS, or at one of a network, 10.0.0.0/8, say who asks and what"
        " the server's public address is; may be given several times",
    )
    ask.add_argument(
        "--cors-origin",
        action="append",
        default=[],
        type=_origin,
        metavar="ORIGIN",
        help="let pages of another site, https://example.org, call the JSON interface, without"
        " the cookies of phones; may be given several times (default: $PIPSIGHT_CORS_ORIGINS, with"
        " spaces between them)",
    )
    add_private_webhooks(ask)


def _add_shares(ask: argparse.ArgumentParser) -> None:
    """Add what a guest may send in a day."""
    for what, usual in GUEST_SHARES.items():
        ask.add_argument(
            f"--guest-{what}",
            type=whole_number(0, MOST_SHARE),
            metavar="N",
            help=_(
                "how many {what} a phone may send in a day, or all without cookies at an address;"
                " its phones 100 times that (default: {usual})",
                what=GUEST_WORDS[what],
                usual=usual,
            ),
        )


def _add_surroundings(ask: argparse.ArgumentParser) -> None:
    """Add cameras, eyes, backups, the broker and the Wi-Fi."""
    ask.add_argument(
        "--camera",
        metavar="SOURCE",
        help="a camera at this computer that can watch a match: its number (0 is the"
        " first), the URL of a network camera, or a video file",
    )
    ask.add_argument(
        "--https",
        type=whole_port,
        nargs="?",
        const=HTTPS_PORT,
        metavar="PORT",
        help="also serve securely, so that browsers allow the camera; on this port (default:"
        " %(const)s)",
    )
    ask.add_argument(
        "--backups",
        type=Path,
        metavar="FOLDER",
        help="make a backup each day in this folder and keep those of a week",
    )
    add_photo_limits(ask)
    ask.add_argument(
        "--lite",
        type=_site,
        metavar="DIR",
        help="also offer Pipsight without a server, at /lite: what pipsight site has written",
    )
    ask.add_argument(
        "--no-eyes",
        action="store_true",
        help="read no photos here: workers do, see pipsight worker",
    )
    ask.add_argument(
        "--small",
        action="store_true",
        help="read one photo at a time, in half the memory (default: with less than 1.5 GB)",
    )
    ask.add_argument(
        "--mqtt",
        type=_broker,
        metavar="URL",
        default=os.environ.get("PIPSIGHT_MQTT") or None,
        help="tell an MQTT broker what happens, mqtt://user:password@host:1883/topic (default:"
        " $PIPSIGHT_MQTT, which no other user can list); needs the wheel's extra mqtt",
    )
    ask.add_argument(
        "--wifi-name",
        metavar="NAME",
        default=os.environ.get("PIPSIGHT_WIFI_NAME"),
        help="the Wi-Fi that guests join: /screen shows its QR code (default: $PIPSIGHT_WIFI_NAME)",
    )
    ask.add_argument(
        "--wifi-password",
        metavar="PASSWORD",
        default=os.environ.get("PIPSIGHT_WIFI_PASSWORD", ""),
        help="of that Wi-Fi (default: $PIPSIGHT_WIFI_PASSWORD, which no other user can list)",
    )


def _site(text: str) -> Path:
    if not Path(text, "service_worker.js").is_file():
        raise argparse.ArgumentTypeError(
            translate("{file} is not what pipsight site has written", file=repr(text))
        )
    return Path(text)


def _broker(text: str) -> Broker:
    from webui.outside.broker import Broker  # noqa: PLC0415

    try:
        return Broker.parse(text)
    except ValueError as fault:
        raise argparse.ArgumentTypeError(said(fault.args[0])) from None


def _prefix(text: str) -> str:
    from webui.http.hosts import plain_prefix  # noqa: PLC0415

    prefix = plain_prefix(text)
    if prefix or text in ("", "/"):
        return prefix
    raise argparse.ArgumentTypeError(
        translate("write a path, /pipsight, not {text}", text=repr(text))
    )


def _origin(text: str) -> str:
    from webui.http.hosts import is_origin  # noqa: PLC0415

    if is_origin(text):
        return text
    raise argparse.ArgumentTypeError(
        translate("write an origin, https://example.org, not {text}", text=repr(text))
    )


def _usual_origins() -> tuple[str, ...]:
    """Return the origins of the environment; raises SystemExit with a sentence for a wrong one."""
    try:
        return tuple(map(_origin, os.environ.get("PIPSIGHT_CORS_ORIGINS", "").split()))
    except argparse.ArgumentTypeError as fault:
        raise SystemExit(f"PIPSIGHT_CORS_ORIGINS: {fault}.") from None


def _shares(args: argparse.Namespace) -> Mapping[Spent, int]:
    """Return the shares of guests that were given, by what they limit."""
    shares: dict[Spent, int | None] = {
        "photos": args.guest_photos,
        "matches": args.guest_matches,
        "forms": args.guest_forms,
        "bytes": None if args.guest_mb is None else args.guest_mb * 1_000_000,
    }
    return {spent: most for spent, most in shares.items() if most is not None}


def _network(text: str) -> Network:
    try:
        return ip_network(text)
    except ValueError:
        wrong = translate("write 127.0.0.1 or 10.0.0.0/8, not {text}", text=repr(text))
        raise argparse.ArgumentTypeError(wrong) from None


def worker(args: argparse.Namespace) -> int:
    """Run `pipsight worker`; return the exit code."""
    from webui.worker import read_photos  # noqa: PLC0415

    speak(ENGLISH)
    given = args.database, args.photos, args.eyes, args.log_level, args.log_format
    read_photos(*given, private_webhooks=args.webhooks_private)
    return 0


def worker_options(ask: CommandParser) -> None:
    """Describe `pipsight worker`."""
    ask.description = (
        "Read the photos that servers are sent whose matches are in the same database, on this"
        " machine: as many workers as you like."
    )
    add_database(ask)
    add_photos(ask)
    ask.add_argument(
        "--eyes",
        type=whole_number(1, MOST_EYES),
        default=EYES,
        metavar="N",
        help="photos read at once; each takes a core and up to 500 MB (default: %(default)s)",
    )
    add_private_webhooks(ask)
    add_logging(ask)
