"""`pipsight print`, `doctor`, `games`, `rules` and `completion`."""

import argparse
from collections.abc import Mapping
from pathlib import Path

from webui.commands.arguments import PORT, add_database, add_set, whole_port
from webui.commands.command import Command
from webui.commands.language import CommandParser
from webui.languages import language

SHELLS = ("bash", "zsh", "fish", "tcsh")


def print_board(args: argparse.Namespace) -> int:
    """Run `pipsight print`; return the exit code."""
    from webui.eyes.printed_boards import board_named  # noqa: PLC0415
    from webui.pages.drawings import board_pdf  # noqa: PLC0415

    board = board_named(args.board, dict(args.set))
    board_pdf.write(board, args.paper, args.out, args.geometry, grey=args.grey)
    return 0


def print_options(ask: CommandParser) -> None:
    """Describe `pipsight print`."""
    from webui.eyes.printed_boards import PAPERS, names  # noqa: PLC0415

    ask.description = "Make a game's board as a PDF for your printer. Print it at 100 %."
    ask.add_argument("board", metavar="BOARD", help=", ".join(names()))
    ask.add_argument("--paper", choices=tuple(PAPERS), default="a4", help="(default: %(default)s)")
    ask.add_argument("--grey", action="store_true", help="print without colour")
    add_set(ask)
    ask.add_argument("--out", type=Path, metavar="FILE", help="(default: the board's name.pdf)")
    ask.add_argument(
        "--geometry", type=Path, metavar="FILE", help="write where everything lies, JSON in mm"
    )


def site(args: argparse.Namespace) -> int:
    """Run `pipsight site`; return the exit code."""
    from webui.lite.site import build  # noqa: PLC0415

    build(args.out, args.pyodide)
    print(args.out)
    return 0


def site_options(ask: CommandParser) -> None:
    """Describe `pipsight site`."""
    ask.description = (
        "Write Pipsight as a folder of files. Put it on any web host with HTTPS: people who open "
        "it play without a server, and later without a network."
    )
    ask.add_argument("out", type=Path, metavar="DIR", help="a new folder")
    ask.add_argument(
        "--pyodide", type=Path, metavar="FILE", help="its npm package (default: it is fetched)"
    )


def doctor(args: argparse.Namespace) -> int:
    """Run `pipsight doctor`; return the exit code."""
    from webui.commands.doctor import examine  # noqa: PLC0415
    from webui.commands.findings import show  # noqa: PLC0415

    return show(examine(args.database, args.port), as_json=args.json)


def doctor_options(ask: CommandParser) -> None:
    """Describe `pipsight doctor`."""
    ask.description = "Look whether all is there that an evening needs, and say what to do."
    ask.add_argument("--port", type=whole_port, default=PORT, help="(default: %(default)s)")
    ask.add_argument("--json", action="store_true", help="print one JSON object per finding")
    add_database(ask)


def games(args: argparse.Namespace) -> int:
    """Run `pipsight games`; return the exit code."""
    from webui.commands.catalogue import show_games  # noqa: PLC0415

    return show_games(args.game, as_json=args.json)


def games_options(ask: CommandParser) -> None:
    """Describe `pipsight games`."""
    from scorer.games import GAMES  # noqa: PLC0415

    ask.description = "List the games there are, or the settings of one with what they mean."
    games = list(GAMES)
    ask.add_argument("game", nargs="?", choices=games, metavar="GAME", help=", ".join(games))
    ask.add_argument("--json", action="store_true", help="print one JSON array")


def rules(args: argparse.Namespace) -> int:
    """Run `pipsight rules`; return the exit code."""
    from webui.commands.catalogue import show_rules  # noqa: PLC0415

    return show_rules(args.rule, language())


def rules_options(ask: CommandParser) -> None:
    """Describe `pipsight rules`."""
    ask.description = "Print the written rules of a game, or the one rule that a refusal names."
    ask.add_argument("rule", nargs="?", metavar="GAME|ID", help="such as purple_house or PH-4")


def completion(args: argparse.Namespace, commands: Mapping[str, Command]) -> int:
    """Run `pipsight completion` for all *commands*; return the exit code."""
    import shtab  # noqa: PLC0415

    whole = argparse.ArgumentParser("pipsight")
    whole.add_argument("--version", action="store_true", help="print the version")
    choices = whole.add_subparsers()
    for name, command in commands.items():
        own = command.parser(name)
        for action in own._actions:  # shtab requires its attribute on each
            if action.type is Path:
                folder = action.metavar == "DIR"
                action.complete = shtab.DIRECTORY if folder else shtab.FILE  # type: ignore[attr-defined]
        choices.add_parser(name, help=command.help, parents=[own], add_help=False)
    print(shtab.complete(whole, args.shell))
    return 0


def completion_options(ask: CommandParser) -> None:
    """Describe `pipsight completion`."""
    ask.description = "Print a script that completes commands and options in your shell."
    ask.add_argument("shell", choices=SHELLS, metavar="SHELL", help=", ".join(SHELLS))
