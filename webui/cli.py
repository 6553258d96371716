"""The command `pipsight`. Each subcommand loads only what it needs: reading a photo, no server."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from webui import console

DESCRIPTION = "Play with real dice; let a phone keep the score."
PORT = 8000

Run = Callable[[Sequence[str]], int]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code: 0, 1 if something failed, 2 for wrong usage.

    What the system or a person may do to any command is answered here: Ctrl-C, a pipe that nobody
    reads on, a disk that is full.
    """
    console.prepare()
    try:
        try:
            return _run(list(sys.argv[1:] if argv is None else argv))
        finally:
            sys.stdout.flush()
    except KeyboardInterrupt:
        return console.INTERRUPTED
    except BrokenPipeError:  # `pipsight read … | head` has seen enough
        console.silence()
        return console.NOBODY_READS
    except OSError as fault:
        console.silence()
        with suppress(OSError):  # the same disk may hold standard error
            print(console.cannot(fault), file=sys.stderr)
        return 1


def _run(argv: list[str]) -> int:
    if argv and argv[0] in COMMANDS:
        _, run = COMMANDS[argv[0]]
        return run(argv[1:])
    ask = argparse.ArgumentParser("pipsight", description=DESCRIPTION)
    commands = ask.add_subparsers(required=True, metavar="COMMAND")
    for name, (told, _) in COMMANDS.items():
        commands.add_parser(name, help=told)
    ask.parse_args(argv)  # tells how, and ends
    raise AssertionError("every command has its own arguments")


def _read(argv: Sequence[str]) -> int:
    from webui.bridge import read_photos  # noqa: PLC0415

    return read_photos(argv)


def _teach(argv: Sequence[str]) -> int:
    from webui.bridge import teach_pieces  # noqa: PLC0415

    return teach_pieces(argv)


def _score(argv: Sequence[str]) -> int:
    from scorer import NotAMove  # noqa: PLC0415
    from webui import score  # noqa: PLC0415

    ask = argparse.ArgumentParser("pipsight score")
    ask.description = "Score photos of finished boards and say how each point came about."
    _add_game(ask)
    ask.add_argument("photos", nargs="+", type=Path, metavar="PHOTO")
    ask.add_argument("--players", type=int, metavar="N", help="how many play (default: 2)")
    ask.add_argument(
        "--opening",
        metavar="WORDS",
        help='what a photo does not tell, in the words of "pipsight play": "player 1 names white"',
    )
    ask.add_argument("--json", action="store_true", help="print one JSON object a photo")
    args = ask.parse_intermixed_args(argv)
    try:
        state = score.begin(args.game, dict(args.set), args.players, args.opening)
    except NotAMove as fault:
        ask.error(str(fault))
    return score.score_photos(args.game, state, args.photos, as_json=args.json)


def _play(argv: Sequence[str]) -> int:
    from webui import terminal  # noqa: PLC0415
    from webui.bridge import data_folder  # noqa: PLC0415

    ask = argparse.ArgumentParser("pipsight play")
    ask.description = "Play a whole match in this terminal, moves typed in words."
    _add_game(ask)
    ask.add_argument("names", nargs="*", metavar="NAME", help="the players (default: two)")
    ask.add_argument("--resume", type=Path, metavar="FILE", help="go on with a saved match")
    args = ask.parse_intermixed_args(argv)
    names = args.names or ["player 1", "player 2"]
    keep = data_folder() / "played"
    return terminal.play(args.game, names, dict(args.set), args.resume, keep=keep)


def _add_game(ask: argparse.ArgumentParser) -> None:
    from scorer.games import GAMES  # noqa: PLC0415

    games = list(GAMES)
    ask.add_argument("game", choices=games, metavar="GAME", help=", ".join(games))
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


def _serve(argv: Sequence[str]) -> int:
    from webui.server import serve  # noqa: PLC0415

    ask = argparse.ArgumentParser("pipsight serve")
    ask.description = "Start the server: print its address and a QR code for the phones."
    ask.add_argument("--host", default="0.0.0.0", help="(default: every network)")  # noqa: S104
    ask.add_argument("--port", type=_port, default=PORT, help="(default: %(default)s)")
    ask.add_argument(
        "--database",
        metavar="URL",
        default=os.environ.get("DATABASE_URL") or None,
        help="where the matches are kept, sqlite:////path/to/file (default: $DATABASE_URL,"
        " else a file among your own data)",
    )
    ask.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="also answer as NAME, the address of a proxy or tunnel, say; may be given several"
        " times",
    )
    ask.add_argument("--demo", action="store_true", help="with a match to look at")
    args = ask.parse_args(argv)
    return serve(args.host, args.port, args.database, demo=args.demo, hosts=args.allow_host)


def _port(text: str) -> int:
    if text.isascii() and text.isdigit() and int(text) < 2**16:
        return int(text)
    raise argparse.ArgumentTypeError(f"a port is a number from 0 to 65535, not {text!r}")


COMMANDS: Mapping[str, tuple[str, Run]] = {
    "read": ("read dice and dominoes on photos", _read),  # its own options: vision/cli.py
    "teach": ("learn your own dice or dominoes", _teach),  # its own options: vision/teaching.py
    "score": ("score photos of finished boards", _score),
    "play": ("play in this terminal", _play),
    "serve": ("start the server for the phones", _serve),
}


if __name__ == "__main__":
    sys.exit(main())
