"""Arguments of several commands."""

from __future__ import annotations

import argparse
import math
import os
import re
from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from scorer.messages import _, raw
from webui.languages import translate

if TYPE_CHECKING:
    from vision import Look
    from webui.store.upkeep import Wishes

PORT = 8000
MOST_PLAYERS = 999  # of any game
MOST_KEPT = 100_000  # days or gigabytes of photos; dates before the year 1 do not exist
LOG_FORMATS = ("plain", "json")
LOG_LEVELS = ("debug", "info", "warning", "error")


def add_game(ask: argparse.ArgumentParser, *, needed: bool = True, settings: bool = True) -> None:
    """Add the arguments for a game and its settings."""
    from scorer.games import GAMES  # noqa: PLC0415

    games = list(GAMES)
    nargs = None if needed else "?"
    ask.add_argument("game", nargs=nargs, choices=games, metavar="GAME", help=", ".join(games))
    if settings:
        add_set(ask)


def add_set(ask: argparse.ArgumentParser) -> None:
    """Add the argument for settings."""
    ask.add_argument(
        "--set",
        action="append",
        default=[],
        type=_setting,
        metavar="NAME=VALUE",
        help="a house rule; repeat for more",
    )


def whole_number(low: int, high: int) -> Callable[[str], int]:
    """Return a parser of whole numbers; it raises ArgumentTypeError."""

    def parse(text: str) -> int:
        is_number = text.isascii() and text.isdigit() and len(text) <= len(str(high))
        if is_number and low <= int(text) <= high:
            return int(text)
        raise argparse.ArgumentTypeError(
            translate(
                "write a whole number from {low} to {high}, not {text}",
                low=low,
                high=high,
                text=repr(text),
            )
        )

    return parse


whole_port = whole_number(0, 2**16 - 1)


def web_address(text: str) -> str:
    """Parse the address of a server, "/" at its end; raises ArgumentTypeError."""
    parts = urlsplit(text)
    if parts.scheme in ("http", "https") and parts.netloc and not (parts.query or parts.fragment):
        return f"{text.rstrip('/')}/"
    raise argparse.ArgumentTypeError(
        translate("write http://name:8000/, not {text}", text=repr(text))
    )


def add_players(ask: argparse.ArgumentParser) -> None:
    """Add the argument for the number of players; the game checks it."""
    players = whole_number(1, MOST_PLAYERS)
    ask.add_argument("--players", type=players, metavar="N", help="how many play (default: 2)")


def _setting(text: str) -> tuple[str, object]:
    from scorer.values import typed  # noqa: PLC0415

    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(translate("write NAME=VALUE, not {text}", text=repr(text)))
    return name, typed(value)


def add_database(ask: argparse.ArgumentParser) -> None:
    """Add the argument for the database."""
    ask.add_argument(
        "--database",
        metavar="FILE|URL",
        default=os.environ.get("DATABASE_URL") or None,
        help="where matches are stored, /path/to/file (default: $DATABASE_URL, else a file"
        " among your own data)",
    )


def add_photos(ask: argparse.ArgumentParser) -> None:
    """Add the argument for the photo store."""
    ask.add_argument(
        "--photos",
        type=_place,
        metavar="FOLDER|URL",
        help="where photos are stored: a folder, or a store that machines share, as"
        " s3://bucket/photos (default: $PIPSIGHT_PHOTOS, else a folder beside the matches)",
    )


def _place(text: str) -> str:
    """Return a place; raises ArgumentTypeError for "", which would be the usual one."""
    if not text.strip():
        raise argparse.ArgumentTypeError(translate("name a folder or a store, not ''"))
    return text


def add_photo_limits(ask: argparse.ArgumentParser) -> None:
    """Add the arguments that limit the age and size of photos."""
    ask.add_argument(
        "--photo-days",
        type=_limit,
        metavar="DAYS",
        help="delete photos that are older (default: none)",
    )
    ask.add_argument(
        "--photo-gb",
        type=_limit,
        metavar="GB",
        help="delete the oldest photos above so many gigabytes (default: none)",
    )


def wishes(args: argparse.Namespace) -> Wishes:
    """Return the requested maintenance of photos, and of backups if the command makes any."""
    from webui.store.upkeep import Wishes  # noqa: PLC0415

    most = None if args.photo_gb is None else round(args.photo_gb * 1e9)
    return Wishes(getattr(args, "backups", None), args.photo_days, most)


def _limit(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if 0 < number <= MOST_KEPT:
        return number
    raise argparse.ArgumentTypeError(
        translate(
            "write a number above 0, up to {most}, not {text}", most=MOST_KEPT, text=repr(text)
        )
    )


def add_private_webhooks(ask: argparse.ArgumentParser) -> None:
    """Add the argument that allows webhooks to private networks."""
    ask.add_argument(
        "--webhooks-private",
        action="store_true",
        default=bool(os.environ.get("PIPSIGHT_WEBHOOKS_PRIVATE")),
        help="let webhooks reach private networks and this machine too, if only people you trust"
        " start matches here (default: $PIPSIGHT_WEBHOOKS_PRIVATE)",
    )


def add_logging(ask: argparse.ArgumentParser) -> None:
    """Add the arguments for logging."""
    ask.add_argument(
        "--log-level",
        choices=LOG_LEVELS,
        default="warning",
        metavar="LEVEL",
        help=_(
            "{levels}; info logs every request (default: %(default)s)",
            levels=raw(", ".join(LOG_LEVELS)),
        ),
    )
    ask.add_argument(
        "--log-format",
        choices=LOG_FORMATS,
        default="plain",
        metavar="FORM",
        help=_("plain or json, an object a line (default: %(default)s)"),
    )


def add_look(ask: argparse._ActionsContainer, default: Look) -> None:
    """Add the argument for the look."""
    ask.add_argument(
        "--look",
        type=_look,
        default=default,
        help="auto, dice, dominoes, grid:3x3, sheet:NAME or board:NAME (default: %(default)s)",
    )


def _look(text: str) -> Look:
    from vision import Look  # noqa: PLC0415
    from webui.eyes.phrases import sentence_of  # noqa: PLC0415

    try:
        return Look.parse(text)
    except ValueError as fault:
        raise argparse.ArgumentTypeError(sentence_of(fault)) from fault


def corner(text: str) -> tuple[float, float]:
    """Parse `x,y`, px of the upright photo; raises ArgumentTypeError."""
    found = re.fullmatch(r"(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)", text)
    if found is None:
        raise argparse.ArgumentTypeError(
            translate("{text} is no corner; write x,y in px: 120,80", text=repr(text))
        )
    return float(found[1]), float(found[2])
