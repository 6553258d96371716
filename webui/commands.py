"""The subcommands of `pipsight`: the words that each takes, and what it then does.

Each imports what it needs when it is called: whoever reads a photo waits for no server.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scorer import Piece

PORT = 8000
HTTPS_PORT = 8443
MOST = 1000  # matches in a list: each is replayed to know how it stands
SHELLS = ("bash", "zsh", "fish", "tcsh")
LOG_LEVELS = ("debug", "info", "warning", "error")

Run = Callable[[Sequence[str]], int]


@dataclass(frozen=True, slots=True)
class Command:
    """A subcommand: its line in the help, its own words, and what to do with them."""

    told: str
    run: Run
    parser: Callable[[], argparse.ArgumentParser]


def _read(argv: Sequence[str]) -> int:
    from webui.bridge import read_photos  # noqa: PLC0415

    return read_photos(argv)


def _read_parser() -> argparse.ArgumentParser:
    from webui.bridge import read_parser  # noqa: PLC0415

    return read_parser()


def _watch(argv: Sequence[str]) -> int:
    from webui.bridge import watch_table  # noqa: PLC0415

    return watch_table(argv)


def _watch_parser() -> argparse.ArgumentParser:
    from webui.bridge import watch_parser  # noqa: PLC0415

    return watch_parser()


def _teach(argv: Sequence[str]) -> int:
    from webui.bridge import teach_pieces  # noqa: PLC0415

    return teach_pieces(argv)


def _teach_parser() -> argparse.ArgumentParser:
    from webui.bridge import teach_parser  # noqa: PLC0415

    return teach_parser()


def _score(argv: Sequence[str]) -> int:
    from scorer import Malformed  # noqa: PLC0415
    from webui import score  # noqa: PLC0415

    ask = _score_parser()
    args = ask.parse_intermixed_args(argv)
    try:
        state, facts = score.begin(args.game, dict(args.set), args.players, args.opening)
    except Malformed as fault:
        ask.error(str(fault))
    return score.score_photos(
        args.game, state, facts, args.photos, as_json=args.json, overlay=args.overlay
    )


def _score_parser() -> argparse.ArgumentParser:
    ask = argparse.ArgumentParser("pipsight score")
    ask.description = (
        "Say what each photo tells by the rules of a game: a full grid's points, what a roll means,"
        " what may be taken from a pool of dice, a sheet's points, whether a bid holds (--set"
        " bid='4 sixes'), the largest groups of tiles; and why."
    )
    _add_game(ask)
    ask.add_argument("photos", nargs="+", type=Path, metavar="PHOTO")
    ask.add_argument("--players", type=int, metavar="N", help="how many play (default: 2)")
    ask.add_argument(
        "--opening",
        metavar="WORDS",
        help='what a photo does not tell, in the words of "pipsight play": "player 1 names white"',
    )
    ask.add_argument("--json", action="store_true", help="print one JSON object a photo")
    ask.add_argument("--overlay", type=Path, metavar="DIR", help="write marked pictures there")
    return ask


def _follow(argv: Sequence[str]) -> int:
    from scorer import Malformed  # noqa: PLC0415
    from webui import follow_command  # noqa: PLC0415

    ask = _follow_parser()
    args = ask.parse_intermixed_args(argv)
    try:
        match = follow_command.begin(args.game, dict(args.set), args.players, args.answers)
    except Malformed as fault:
        ask.error(str(fault))
    return follow_command.follow_photos(
        match, args.photos, args.out, as_json=args.json, overlay=args.overlay
    )


def _follow_parser() -> argparse.ArgumentParser:
    ask = argparse.ArgumentParser("pipsight follow")
    ask.description = (
        "Play a match from its photos, in their order. What they do not tell is asked, here or of"
        " the file of answers; what nobody answers is left out."
    )
    ask.epilog = (
        'The answers are JSON by the photos\' names: {"roll-07.jpg": {"dice": [{"value": 5,'
        ' "color": "white", "cell": [0, 2]}], "tiles": [{"halves": [6, 1], "cells": [[0, 0],'
        ' [0, 1]]}], "marks": [{"cell": ["red", 0, 3], "mark": "checked"}], "moves": [{"move":'
        ' "Hold"}]}}, or the lines of "pipsight read --json" put right. "moves" are those since the'
        " photo before, as a recording has them; without them the pieces tell."
    )
    _add_game(ask)
    ask.add_argument("photos", nargs="+", type=Path, metavar="PHOTO")
    ask.add_argument("--players", type=int, metavar="N", help="how many play (default: 2)")
    ask.add_argument(
        "--answers", type=Path, metavar="FILE", help="what a person would answer, see below"
    )
    ask.add_argument("--json", action="store_true", help="print one JSON object a photo")
    ask.add_argument("--overlay", type=Path, metavar="DIR", help="write marked pictures there")
    ask.add_argument("--out", type=Path, metavar="FILE", help="write the match as a recording")
    return ask


def _coach(argv: Sequence[str]) -> int:
    from webui import coach_command  # noqa: PLC0415

    args = _coach_parser().parse_intermixed_args(argv)
    return coach_command.show(args.game, args.state, args.hand, as_json=args.json)


def _coach_parser() -> argparse.ArgumentParser:
    ask = argparse.ArgumentParser("pipsight coach")
    ask.description = (
        "Say what would be best now in a match that was saved: every choice with what it is worth,"
        " the best first."
    )
    _add_game(ask, settings=False)
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


def _hand(text: str) -> tuple[Piece, ...]:
    from webui.coach_command import WrongHand, read_hand  # noqa: PLC0415

    try:
        return read_hand(text)
    except WrongHand as fault:
        raise argparse.ArgumentTypeError(str(fault)) from None


def _play(argv: Sequence[str]) -> int:
    from webui import played, terminal  # noqa: PLC0415
    from webui.upgrade import CannotOpen  # noqa: PLC0415

    ask = _play_parser()
    args = ask.parse_intermixed_args(argv)
    if args.game is None and args.resume is None:
        ask.error("say which game, or go on with a match: --resume")
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


def _play_parser() -> argparse.ArgumentParser:
    from scorer.messages import ENGLISH, languages  # noqa: PLC0415

    ask = argparse.ArgumentParser("pipsight play")
    ask.description = (
        "Play a whole match in this terminal, moves typed in words and rolls as their dice. It is"
        " kept with the matches of the server, so a phone can go on with it."
    )
    _add_game(ask, needed=False)
    ask.add_argument("names", nargs="*", metavar="NAME", help="the players (default: two)")
    ask.add_argument(
        "--resume",
        nargs="?",
        const="",
        metavar="ID|CODE|FILE",
        help="go on with a match, the last one that is not over if none is named",
    )
    ask.add_argument(
        "--opponent",
        choices=("coach",),
        help="the last player is the coach, who makes the best move of the rules; you throw its"
        " dice, and it sees none that are hidden",
    )
    ask.add_argument(
        "--language",
        choices=languages(),
        default=ENGLISH,
        help="in which the rules speak; what is not translated is English (default: en)",
    )
    _add_database(ask)
    return ask


def _add_game(ask: argparse.ArgumentParser, *, needed: bool = True, settings: bool = True) -> None:
    from scorer.games import GAMES  # noqa: PLC0415

    games = list(GAMES)
    nargs = None if needed else "?"
    ask.add_argument("game", nargs=nargs, choices=games, metavar="GAME", help=", ".join(games))
    if settings:
        _add_set(ask)


def _add_set(ask: argparse.ArgumentParser) -> None:
    ask.add_argument(
        "--set",
        action="append",
        default=[],
        type=_setting,
        metavar="NAME=VALUE",
        help="a house rule, may be given several times",
    )


def _setting(text: str) -> tuple[str, object]:
    from scorer.values import typed  # noqa: PLC0415

    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"write NAME=VALUE, not {text!r}")
    return name, typed(value)


def _print(argv: Sequence[str]) -> int:
    from scorer import Malformed  # noqa: PLC0415
    from webui import print_board  # noqa: PLC0415
    from webui.boards import board_named  # noqa: PLC0415

    ask = _print_parser()
    args = ask.parse_intermixed_args(argv)
    try:
        board = board_named(args.board, dict(args.set))
    except Malformed as fault:
        ask.error(str(fault))
    return print_board.write(board, args.paper, args.out, args.geometry, grey=args.grey)


def _print_parser() -> argparse.ArgumentParser:
    from webui.boards import PAPERS, names  # noqa: PLC0415

    ask = argparse.ArgumentParser("pipsight print")
    ask.description = "Make a game's board as a PDF for your printer. Print it at 100 %."
    ask.add_argument("board", metavar="BOARD", help=", ".join(names()))
    ask.add_argument("--paper", choices=tuple(PAPERS), default="a4", help="(default: %(default)s)")
    ask.add_argument("--grey", action="store_true", help="without colour")
    _add_set(ask)
    ask.add_argument("--out", type=Path, metavar="FILE", help="(default: the board's name.pdf)")
    ask.add_argument(
        "--geometry", type=Path, metavar="FILE", help="write where everything lies, JSON in mm"
    )
    return ask


def _games(argv: Sequence[str]) -> int:
    from webui.catalogue import show_games  # noqa: PLC0415

    args = _games_parser().parse_args(argv)
    return show_games(args.game, as_json=args.json)


def _games_parser() -> argparse.ArgumentParser:
    from scorer.games import GAMES  # noqa: PLC0415

    ask = argparse.ArgumentParser("pipsight games")
    ask.description = "List the games there are, or the settings of one with what they mean."
    games = list(GAMES)
    ask.add_argument("game", nargs="?", choices=games, metavar="GAME", help=", ".join(games))
    ask.add_argument("--json", action="store_true", help="print one JSON array")
    return ask


def _rules(argv: Sequence[str]) -> int:
    from webui.catalogue import show_rules  # noqa: PLC0415

    return show_rules(_rules_parser().parse_args(argv).rule)


def _rules_parser() -> argparse.ArgumentParser:
    ask = argparse.ArgumentParser("pipsight rules")
    ask.description = "Print the written rules of a game, or the one rule that a refusal names."
    ask.add_argument("rule", nargs="?", metavar="GAME|ID", help="purple_house, or PH-4, say")
    return ask


def _serve(argv: Sequence[str]) -> int:
    from webui.server import serve  # noqa: PLC0415

    args = _serve_parser().parse_args(argv)
    return serve(
        args.host,
        args.port,
        args.database,
        demo=args.demo,
        camera=args.camera,
        https=args.https,
        hosts=args.allow_host,
        log_level=args.log_level,
    )


def _serve_parser() -> argparse.ArgumentParser:
    ask = argparse.ArgumentParser("pipsight serve")
    ask.description = "Start the server: print its address and a QR code for the phones."
    ask.add_argument("--host", default="0.0.0.0", help="(default: every network)")  # noqa: S104
    ask.add_argument("--port", type=_port, default=PORT, help="(default: %(default)s)")
    _add_database(ask)
    ask.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="also answer as NAME, the address of a proxy or tunnel, say; may be given several"
        " times",
    )
    ask.add_argument("--demo", action="store_true", help="with a match to look at")
    ask.add_argument(
        "--camera",
        metavar="SOURCE",
        help="a camera of this machine that a match may be watched with: its number (0 is the"
        " first), the URL of a network camera, or a video file",
    )
    ask.add_argument(
        "--https",
        type=_port,
        nargs="?",
        const=HTTPS_PORT,
        metavar="PORT",
        help="also serve securely, so that a browser lends its camera; on this port (default:"
        " %(const)s)",
    )
    ask.add_argument(
        "--log-level",
        choices=LOG_LEVELS,
        default="warning",
        metavar="LEVEL",
        help=f"{', '.join(LOG_LEVELS)}; info tells every request (default: %(default)s)",
    )
    return ask


def _matches(argv: Sequence[str]) -> int:
    from webui.archive import show_matches  # noqa: PLC0415

    ask = _matches_parser()
    args = ask.parse_args(argv)
    if args.match is None and args.form == "recording":
        ask.error("a recording is of one match: say which")
    return show_matches(args.database, args.match, args.form, args.out, args.most)


def _matches_parser() -> argparse.ArgumentParser:
    ask = argparse.ArgumentParser("pipsight matches")
    ask.description = "List the matches that were played, newest first, or export one."
    ask.add_argument("match", nargs="?", metavar="ID|CODE", help="of the match to export")
    _add_database(ask)
    ask.add_argument(
        "--as",
        dest="form",
        choices=("recording", "json", "csv"),
        metavar="FORM",
        help="recording, json or csv (default: a table; of one match a recording)",
    )
    ask.add_argument("--out", type=Path, metavar="FILE", help="write there, into a new file")
    ask.add_argument(
        "--most",
        type=_most,
        default=20,
        metavar="N",
        help="list so many (default: %(default)s)",
    )
    return ask


def _most(text: str) -> int:
    if text.isascii() and text.isdigit() and 0 < int(text) <= MOST:
        return int(text)
    raise argparse.ArgumentTypeError(f"write a number from 1 to {MOST}, not {text!r}")


def _completion(argv: Sequence[str]) -> int:
    from webui.completion import script  # noqa: PLC0415

    print(script(_completion_parser().parse_args(argv).shell, COMMANDS))
    return 0


def _completion_parser() -> argparse.ArgumentParser:
    ask = argparse.ArgumentParser("pipsight completion")
    ask.description = "Print a script that completes commands and options in your shell."
    ask.add_argument("shell", choices=SHELLS, metavar="SHELL", help=", ".join(SHELLS))
    return ask


def _add_database(ask: argparse.ArgumentParser) -> None:
    ask.add_argument(
        "--database",
        metavar="FILE|URL",
        default=os.environ.get("DATABASE_URL") or None,
        help="where the matches are kept, /path/to/file (default: $DATABASE_URL, else a file"
        " among your own data)",
    )


def _port(text: str) -> int:
    if text.isascii() and text.isdigit() and int(text) < 2**16:
        return int(text)
    raise argparse.ArgumentTypeError(f"a port is a number from 0 to 65535, not {text!r}")


COMMANDS: Mapping[str, Command] = {
    "read": Command("read dice and dominoes on photos", _read, _read_parser),
    "watch": Command("tell each roll before a camera or on a video", _watch, _watch_parser),
    "teach": Command("learn your own dice or dominoes", _teach, _teach_parser),
    "score": Command("tell what a photo scores", _score, _score_parser),
    "follow": Command("play a match from its photos", _follow, _follow_parser),
    "coach": Command("say what would be best now", _coach, _coach_parser),
    "play": Command("play in this terminal", _play, _play_parser),
    "serve": Command("start the server for the phones", _serve, _serve_parser),
    "matches": Command("list and export what was played", _matches, _matches_parser),
    "print": Command("make a board to print", _print, _print_parser),
    "games": Command("list the games and their settings", _games, _games_parser),
    "rules": Command("look up the rules of a game", _rules, _rules_parser),
    "completion": Command("complete commands in your shell", _completion, _completion_parser),
}
