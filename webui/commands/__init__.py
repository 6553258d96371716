"""The subcommands of `pipsight`: their arguments and functions.

Each imports its modules when it is called, so that reading a photo does not load the server.
"""

from argparse import Namespace
from collections.abc import Callable, Mapping
from importlib import import_module

from webui.commands import keep, matches, photos, reference, servers
from webui.commands.command import Command
from webui.commands.language import CommandParser


def _complete(args: Namespace) -> int:
    """Run `pipsight completion`, which knows every command; return the exit code."""
    return reference.completion(args, COMMANDS)


def _of_eyes(name: str) -> tuple[Callable[[CommandParser], None], Callable[[Namespace], int]]:
    """Return the functions of a command whose module loads the eyes, which takes a while."""

    def options(ask: CommandParser) -> None:
        import_module(f"webui.commands.{name}").options(ask)

    def run(args: Namespace) -> int:
        return int(import_module(f"webui.commands.{name}").run(args))

    return options, run


COMMANDS: Mapping[str, Command] = {
    "read": Command("read dice and dominoes on photos", *_of_eyes("read")),
    "watch": Command("report each roll in front of a camera or on a video", *_of_eyes("watch")),
    "teach": Command("learn your own dice, dominoes or board", *_of_eyes("teach")),
    "score": Command("say what a photo scores", photos.score_options, photos.score),
    "follow": Command("play a match from its photos", photos.follow_options, photos.follow),
    "coach": Command("say what would be best now", matches.coach_options, matches.coach),
    "play": Command("play in this terminal", matches.play_options, matches.play),
    "serve": Command("start the server for the phones", servers.serve_options, servers.serve),
    "worker": Command(
        "read photos for servers on other machines", servers.worker_options, servers.worker
    ),
    "matches": Command("list and export what was played", matches.matches_options, matches.matches),
    "stats": Command("players' statistics", matches.stats_options, matches.stats),
    "host": Command("make a phone the host of a match", matches.host_options, matches.host),
    "backup": Command("save all matches and photos in a file", keep.backup_options, keep.backup),
    "restore": Command("put a backup back", keep.restore_options, keep.restore),
    "check": Command("say what is wrong with what is stored", keep.check_options, keep.check),
    "rescue": Command("save what a damaged database still has", keep.rescue_options, keep.rescue),
    "photos": Command("say what photos use, delete old ones", keep.photos_options, keep.photos),
    "print": Command("make a board to print", reference.print_options, reference.print_board),
    "games": Command("list the games and their settings", reference.games_options, reference.games),
    "rules": Command("look up the rules of a game", reference.rules_options, reference.rules),
    "site": Command(
        "write Pipsight as files that play without a server", reference.site_options, reference.site
    ),
    "doctor": Command(
        "look whether all is there that is needed", reference.doctor_options, reference.doctor
    ),
    "completion": Command(
        "complete commands in your shell", reference.completion_options, _complete
    ),
}
