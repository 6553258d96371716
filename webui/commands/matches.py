"""`pipsight coach`, `play`, `host`, `matches` and `stats`."""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from scorer.messages import _
from webui.commands.arguments import (
    PORT,
    add_database,
    add_game,
    add_photos,
    web_address,
    whole_number,
    whole_port,
)
from webui.commands.language import CommandParser
from webui.languages import said, translate

if TYPE_CHECKING:
    from scorer import HandPiece

SOUGHT = {
    "player": ("NAME", _("only matches of this player: words, each in somebody's name")),
    "game": ("GAME", _("only matches of this game")),
    "since": ("DATE", _("only matches from this day on: 2026-11-27")),
    "until": ("DATE", _("only matches up to this day")),
}
MOST = 1000  # matches in a list: each is replayed for its status


def coach(args: argparse.Namespace) -> int:
    """Run `pipsight coach`; return the exit code."""
    from webui.commands import coach as coach_command  # noqa: PLC0415

    return coach_command.show(args.game, args.state, args.hand, as_json=args.json)


def coach_options(ask: CommandParser) -> None:
    """Describe `pipsight coach`."""
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


def _hand(text: str) -> tuple[HandPiece, ...]:
    from webui.match.coach import WrongHand, read_hand  # noqa: PLC0415

    try:
        return read_hand(text)
    except WrongHand as fault:
        raise argparse.ArgumentTypeError(said(fault.args[0])) from None


def play(args: argparse.Namespace) -> int:
    """Run `pipsight play`; return the exit code."""
    from webui.terminal import matches as played  # noqa: PLC0415
    from webui.terminal import play as terminal  # noqa: PLC0415

    if args.game is None and args.resume is None:
        args.ask.error(_("name a game, or continue a match: --resume"))
    usual = args.database in (None, os.environ.get("DATABASE_URL"))
    where = () if usual else ("--database", args.database)
    with closing(played.open_store(args.database, args.resume)) as store:
        return terminal.play(
            *(store, args.game, args.names, dict(args.set), args.resume),
            where=where,
            coached=args.opponent == "coach",
            language=args.language,
        )


def play_options(ask: CommandParser) -> None:
    """Describe `pipsight play`."""
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
        metavar="ID|CODE|TITLE|FILE",
        help="continue a match; without a name, the last one that is not over",
    )
    ask.add_argument(
        "--opponent",
        choices=("coach",),
        help="the last player is the coach, who makes the move that it advises; you throw its"
        " dice, and it sees none that are hidden",
    )
    add_database(ask)


def host(args: argparse.Namespace) -> int:
    """Run `pipsight host`; return the exit code."""
    from webui.commands.room import opened  # noqa: PLC0415
    from webui.greeting import PUBLISHED, own_address, printable  # noqa: PLC0415
    from webui.http import qr  # noqa: PLC0415
    from webui.match.match import find  # noqa: PLC0415

    root = args.address or own_address("", args.port)
    if not root:
        print(translate(PUBLISHED).replace("serve", "host"), file=sys.stderr)
        return 1
    with closing(opened(args.database)) as store:
        match_id = find(store, args.match)
        key = store.phones.new_key(match_id)
    where = f"{root}m/{match_id}/phones?key={key}"
    how = translate("Open this address on the phone that is to be the host; it works once:")
    print(f"{how}\n{where}")
    print(printable(qr.terminal(where)))
    return 0


def host_options(ask: CommandParser) -> None:
    """Describe `pipsight host`."""
    ask.description = (
        "Print an address that makes the phone which opens it the host of a match: for the day"
        " the host's phone is lost. It works once."
    )
    ask.add_argument("match", metavar="ID|CODE", help="the match")
    ask.add_argument(
        "--address",
        type=web_address,
        metavar="URL",
        help="of the server (default: of this machine)",
    )
    ask.add_argument(
        "--port", type=whole_port, default=PORT, help="of the server here (default: %(default)s)"
    )
    add_database(ask)


def matches(args: argparse.Namespace) -> int:
    """Run `pipsight matches`; return the exit code."""
    from webui.commands.archive import show_matches  # noqa: PLC0415
    from webui.commands.room import delete_one  # noqa: PLC0415

    if args.match is None and args.form == "recording":
        args.ask.error(_("a recording is of one match: name it"))
    if args.delete:
        if args.match is None:
            args.ask.error(_("name the match to delete"))
        return delete_one(args.database, args.photos, args.match, sure=args.yes)
    sought = {name: getattr(args, name) for name in SOUGHT}
    if args.match is not None and any(sought.values()):
        args.ask.error(_("either name a match, or search for some"))
    where = args.database, args.photos
    return show_matches(*where, args.match, args.form, args.out, args.most, sought)


def matches_options(ask: CommandParser) -> None:
    """Describe `pipsight matches`."""
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
        type=whole_number(1, MOST),
        default=20,
        metavar="N",
        help="how many to list (default: %(default)s)",
    )
    for name, (kind, about) in SOUGHT.items():
        ask.add_argument(f"--{name}", default="", metavar=kind, help=about)


def stats(args: argparse.Namespace) -> int:
    """Run `pipsight stats`; return the exit code."""
    from webui.commands.stats import show_statistics  # noqa: PLC0415

    sought = {name: getattr(args, name) for name in ("name", "game", "since", "until")}
    sought["by_rules"] = "1" if args.by_rules else ""
    return show_statistics(args.database, sought, as_json=args.json)


def stats_options(ask: CommandParser) -> None:
    """Describe `pipsight stats`."""
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
        ask.add_argument(f"--{name}", default="", metavar=kind, help=about)
