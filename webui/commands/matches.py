"""Commands that play, serve and keep matches, and advise in them."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from ipaddress import ip_network
from pathlib import Path
from typing import TYPE_CHECKING

from webui.commands.arguments import (
    PORT,
    add_database,
    add_game,
    add_logging,
    add_photo_limits,
    add_photos,
    whole_port,
    wishes,
)

if TYPE_CHECKING:
    from scorer import HandPiece
    from webui.http.guests import Network
    from webui.http.shares import Spent

# What a guest may send in a day: ten people behind one address send 300 photos in an evening.
GUEST_SHARES = {"photos": 3000, "matches": 300, "forms": 30_000, "mb": 50_000}
HTTPS_PORT = 8443
EYES = 2  # as many as a server has
MOST_EYES = 64
SOUGHT = {
    "player": ("NAME", "list only matches of this player: words, each in somebody's name"),
    "game": ("GAME", "list only matches of this game"),
    "since": ("DATE", "list only matches from this day on: 2026-11-27"),
    "until": ("DATE", "list only matches up to this day"),
}
MOST = 1000  # matches in a list: each is replayed to know how it stands


def coach(argv: Sequence[str]) -> int:
    """Run `pipsight coach`; return the exit code."""
    from webui.commands import coach as coach_command  # noqa: PLC0415

    args = coach_parser().parse_intermixed_args(argv)
    return coach_command.show(args.game, args.state, args.hand, as_json=args.json)


def coach_parser() -> argparse.ArgumentParser:
    """Return what `pipsight coach` takes."""
    ask = argparse.ArgumentParser("pipsight coach")
    ask.description = (
        "Say what would be best now in a saved match: every choice with what it is worth,"
        " the best first."
    )
    add_game(ask, settings=False)
    ask.add_argument(
        "--state", type=Path, required=True, metavar="FILE", help="the recording of the match"
    )
    ask.add_argument(
        "--hand",
        type=_hand,
        default=(),
        metavar="HAND",
        help="what only the player in turn sees: dice, 1,4,4,5,6, or tiles, 2-6,0-4",
    )
    ask.add_argument("--json", action="store_true", help="print one JSON array")
    return ask


def _hand(text: str) -> tuple[HandPiece, ...]:
    from webui.match.coach import WrongHand, read_hand  # noqa: PLC0415

    try:
        return read_hand(text)
    except WrongHand as fault:
        raise argparse.ArgumentTypeError(str(fault)) from None


def play(argv: Sequence[str]) -> int:
    """Run `pipsight play`; return the exit code."""
    from webui.store.upgrade import CannotOpen  # noqa: PLC0415
    from webui.terminal import matches as played  # noqa: PLC0415
    from webui.terminal import play as terminal  # noqa: PLC0415

    ask = play_parser()
    args = ask.parse_intermixed_args(argv)
    if args.game is None and args.resume is None:
        ask.error("name a game, or continue a match: --resume")
    try:
        store = played.open_store(args.database)
    except CannotOpen as fault:
        print(fault, file=sys.stderr)
        return 1
    usual = args.database in (None, os.environ.get("DATABASE_URL"))
    where = () if usual else ("--database", args.database)
    with closing(store):
        return terminal.play(
            *(store, args.game, args.names, dict(args.set), args.resume),
            where=where,
            coached=args.opponent == "coach",
            language=args.language,
        )


def play_parser() -> argparse.ArgumentParser:
    """Return what `pipsight play` takes."""
    from scorer.messages import ENGLISH, languages  # noqa: PLC0415

    ask = argparse.ArgumentParser("pipsight play")
    ask.description = (
        "Play a whole match in this terminal, moves typed in words and rolls as their dice. It is"
        " stored with the server's matches, so a phone can continue it."
    )
    add_game(ask, needed=False)
    ask.add_argument("names", nargs="*", metavar="NAME", help="the players (default: two)")
    ask.add_argument(
        "--resume",
        nargs="?",
        const="",
        metavar="ID|CODE|FILE",
        help="continue a match; without a name, the last one that is not over",
    )
    ask.add_argument(
        "--opponent",
        choices=("coach",),
        help="the last player is the coach, who makes the move that it advises; you throw its"
        " dice, and it sees none that are hidden",
    )
    ask.add_argument(
        "--language",
        choices=languages(),
        default=ENGLISH,
        help="language of the texts, once all are translated (default: en)",
    )
    add_database(ask)
    return ask


def serve(argv: Sequence[str]) -> int:
    """Run `pipsight serve`; return the exit code."""
    from webui.server import serve  # noqa: PLC0415

    args = serve_parser().parse_args(argv)
    return serve(
        args.host,
        args.port,
        args.database,
        args.photos,
        demo=args.demo,
        camera=args.camera,
        https=args.https,
        hosts=args.allow_host,
        proxies=args.trust_proxy,
        shares=_shares(args),
        no_eyes=args.no_eyes,
        log_level=args.log_level,
        log_format=args.log_format,
        wishes=wishes(args),
        browser=args.open,
        verbose=args.verbose,
    )


def serve_parser() -> argparse.ArgumentParser:
    """Return what `pipsight serve` takes."""
    ask = argparse.ArgumentParser("pipsight serve")
    ask.description = "Start the server: print its address and a QR code for the phones."
    ask.add_argument("--host", default="0.0.0.0", help="(default: every network)")  # noqa: S104
    ask.add_argument("--port", type=whole_port, default=PORT, help="(default: %(default)s)")
    add_database(ask)
    add_photos(ask)
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
    for what, usual in GUEST_SHARES.items():
        ask.add_argument(
            f"--guest-{what}",
            type=_share,
            metavar="N",
            help=f"how many {what.upper() if what == 'mb' else what} one address may send in a day"
            f" (default: {usual}; this machine as many as it likes)",
        )
    ask.add_argument("--demo", action="store_true", help="add a sample match")
    ask.add_argument(
        "--open", action="store_true", help="open it in this computer's browser, one that runs too"
    )
    ask.add_argument("--verbose", action="store_true", help="say where the matches are kept")
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
        "--no-eyes",
        action="store_true",
        help="read no photos here: workers do, see pipsight worker",
    )
    add_logging(ask)
    return ask


def _share(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) < 12:
        return int(text)
    raise argparse.ArgumentTypeError(f"write a whole number from 0, not {text!r}")


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
    except ValueError as fault:
        raise argparse.ArgumentTypeError(f"{fault}; write 127.0.0.1 or 10.0.0.0/8") from None


def worker(argv: Sequence[str]) -> int:
    """Run `pipsight worker`; return the exit code."""
    from webui.worker import read_photos  # noqa: PLC0415

    args = worker_parser().parse_args(argv)
    return read_photos(args.database, args.photos, args.eyes, args.log_level, args.log_format)


def worker_parser() -> argparse.ArgumentParser:
    """Return what `pipsight worker` takes."""
    ask = argparse.ArgumentParser("pipsight worker")
    ask.description = (
        "Read the photos that servers are sent whose matches are in the same database, on this"
        " machine: as many workers as you like."
    )
    add_database(ask)
    add_photos(ask)
    ask.add_argument(
        "--eyes",
        type=_eyes,
        default=EYES,
        metavar="N",
        help="photos read at once; each takes a core and up to 500 MB (default: %(default)s)",
    )
    add_logging(ask)
    return ask


def _eyes(text: str) -> int:
    if text.isascii() and text.isdigit() and 0 < int(text) <= MOST_EYES:
        return int(text)
    raise argparse.ArgumentTypeError(f"write a number from 1 to {MOST_EYES}, not {text!r}")


def host(argv: Sequence[str]) -> int:
    """Run `pipsight host`; return the exit code."""
    from webui.commands.host import show_key  # noqa: PLC0415

    args = host_parser().parse_args(argv)
    return show_key(args.database, args.match, args.address, args.port)


def host_parser() -> argparse.ArgumentParser:
    """Return what `pipsight host` takes."""
    ask = argparse.ArgumentParser("pipsight host")
    ask.description = (
        "Print an address that makes the phone which opens it the host of a match: for the day"
        " the host's phone is lost. It works once."
    )
    ask.add_argument("match", metavar="ID|CODE", help="the match")
    ask.add_argument("--address", metavar="URL", help="of the server (default: of this machine)")
    ask.add_argument(
        "--port", type=whole_port, default=PORT, help="of the server here (default: %(default)s)"
    )
    add_database(ask)
    return ask


def matches(argv: Sequence[str]) -> int:
    """Run `pipsight matches`; return the exit code."""
    from webui.commands.archive import show_matches  # noqa: PLC0415
    from webui.commands.room import delete_one  # noqa: PLC0415

    ask = matches_parser()
    args = ask.parse_args(argv)
    if args.match is None and args.form == "recording":
        ask.error("a recording is of one match: say which")
    if args.delete:
        if args.match is None:
            ask.error("say which match to delete")
        return delete_one(args.database, args.photos, args.match, sure=args.yes)
    sought = {name: getattr(args, name) for name in SOUGHT}
    if args.match is not None and any(sought.values()):
        ask.error("either name a match, or search for some")
    return show_matches(args.database, args.match, args.form, args.out, args.most, sought)


def matches_parser() -> argparse.ArgumentParser:
    """Return what `pipsight matches` takes."""
    ask = argparse.ArgumentParser("pipsight matches")
    ask.description = "List the matches that were played, newest first, or export or delete one."
    ask.add_argument("match", nargs="?", metavar="ID|CODE", help="the match to export")
    add_database(ask)
    add_photos(ask)
    ask.add_argument(
        "--as",
        dest="form",
        choices=("recording", "json", "csv"),
        metavar="FORM",
        help="recording, json or csv (default: a table; of one match a recording)",
    )
    ask.add_argument("--out", type=Path, metavar="FILE", help="write to a new file")
    ask.add_argument(
        "--delete",
        action="store_true",
        help="delete the match for good: its steps, what it taught, its photos",
    )
    ask.add_argument("--yes", action="store_true", help="delete without being asked")
    ask.add_argument(
        "--most",
        type=_most,
        default=20,
        metavar="N",
        help="how many to list (default: %(default)s)",
    )
    for name, (kind, about) in SOUGHT.items():
        ask.add_argument(f"--{name}", default="", metavar=kind, help=about)
    return ask


def stats(argv: Sequence[str]) -> int:
    """Run `pipsight stats`; return the exit code."""
    from webui.commands.stats import show_statistics  # noqa: PLC0415

    args = stats_parser().parse_args(argv)
    sought = {name: getattr(args, name) for name in ("name", "game", "since", "until")}
    sought["by_rules"] = "1" if args.by_rules else ""
    return show_statistics(args.database, sought, as_json=args.json)


def stats_parser() -> argparse.ArgumentParser:
    """Return what `pipsight stats` takes."""
    ask = argparse.ArgumentParser("pipsight stats")
    ask.description = (
        "Say how all players did, or one by each game and against each other player; what the"
        " records are, and how fair the dice are."
    )
    ask.add_argument("name", nargs="?", default="", metavar="NAME", help="a player")
    add_database(ask)
    ask.add_argument("--json", action="store_true", help="print one JSON object")
    ask.add_argument(
        "--by-rules",
        action="store_true",
        help="leave out matches in which players went on with what the rules forbid",
    )
    for name in ("game", "since", "until"):
        kind, about = SOUGHT[name]
        ask.add_argument(f"--{name}", default="", metavar=kind, help=about.replace("list", "count"))
    return ask


def _most(text: str) -> int:
    if text.isascii() and text.isdigit() and 0 < int(text) <= MOST:
        return int(text)
    raise argparse.ArgumentTypeError(f"write a number from 1 to {MOST}, not {text!r}")
