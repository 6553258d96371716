"""The command `pipsight`. Each subcommand loads only what it needs: reading a photo, no server."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

DESCRIPTION = "Play with real dice; let a phone keep the score."
READ = "read dice and dominoes on photos"  # its own options: vision/cli.py
TEACH = "learn your own dice or dominoes"  # its own options: vision/teaching.py
PORT = 8000
NOBODY_READS = 128 + 13  # what a shell gives for a program ended by SIGPIPE

Run = Callable[[argparse.Namespace], int]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code: 0, 1 if something failed, 2 for wrong usage."""
    try:
        code = _run(list(sys.argv[1:] if argv is None else argv))
        sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # `pipsight read … | head` has seen enough
        # Python writes what is left when it ends; it must not fail a second time.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return NOBODY_READS
    return code


def _run(argv: list[str]) -> int:
    if argv[:1] == ["read"]:
        return _read(argv[1:])
    if argv[:1] == ["teach"]:
        return _teach(argv[1:])
    args = _parser().parse_args(argv)
    run: Run = args.run
    return run(args)


def _read(argv: Sequence[str]) -> int:
    from webui.bridge import read_photos  # noqa: PLC0415

    return read_photos(argv)


def _teach(argv: Sequence[str]) -> int:
    from webui.bridge import teach_pieces  # noqa: PLC0415

    return teach_pieces(argv)


def _parser() -> argparse.ArgumentParser:
    from scorer.games import GAMES  # noqa: PLC0415

    ask = argparse.ArgumentParser("pipsight", description=DESCRIPTION)
    commands = ask.add_subparsers(required=True, metavar="COMMAND")
    commands.add_parser("read", help=READ)
    commands.add_parser("teach", help=TEACH)
    _add_score(commands.add_parser("score", help="score photos of finished boards"), list(GAMES))
    _add_play(commands.add_parser("play", help="play in this terminal"), list(GAMES))
    _add_serve(commands.add_parser("serve", help="start the server for the phones"))
    return ask


def _add_score(ask: argparse.ArgumentParser, games: Sequence[str]) -> None:
    ask.description = "Score photos of finished boards and say how each point came about."
    _add_game(ask, games)
    ask.add_argument("photos", nargs="+", type=Path, metavar="PHOTO")
    ask.add_argument("--players", type=int, metavar="N", help="how many play (default: 2)")
    ask.add_argument("--json", action="store_true", help="print one JSON object a photo")
    ask.set_defaults(run=lambda args: _score(args, ask))


def _score(args: argparse.Namespace, ask: argparse.ArgumentParser) -> int:
    from scorer import NotAMove  # noqa: PLC0415
    from webui import score  # noqa: PLC0415

    try:
        state = score.begin(args.game, dict(args.set), args.players)
    except NotAMove as fault:
        ask.error(str(fault))
    return score.score_photos(args.game, state, args.photos, as_json=args.json)


def _add_play(ask: argparse.ArgumentParser, games: Sequence[str]) -> None:
    ask.description = "Play a whole match in this terminal, moves typed in words."
    _add_game(ask, games)
    ask.add_argument("names", nargs="*", metavar="NAME", help="the players (default: two)")
    ask.add_argument("--resume", type=Path, metavar="FILE", help="go on with a saved match")
    ask.set_defaults(run=_play)


def _play(args: argparse.Namespace) -> int:
    from webui import terminal  # noqa: PLC0415

    names = args.names or ["player 1", "player 2"]
    return terminal.play(args.game, names, dict(args.set), args.resume)


def _add_game(ask: argparse.ArgumentParser, games: Sequence[str]) -> None:
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


def _add_serve(ask: argparse.ArgumentParser) -> None:
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
    ask.set_defaults(run=_serve)


def _port(text: str) -> int:
    if text.isascii() and text.isdigit() and int(text) < 2**16:
        return int(text)
    raise argparse.ArgumentTypeError(f"a port is a number from 0 to 65535, not {text!r}")


def _serve(args: argparse.Namespace) -> int:
    from webui.server import serve  # noqa: PLC0415

    return serve(args.host, args.port, args.database, demo=args.demo, hosts=args.allow_host)


if __name__ == "__main__":
    sys.exit(main())
