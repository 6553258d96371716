"""The subcommands of `pipsight`: their arguments and functions.

Each imports its modules when it is called, so that reading a photo does not load the server.
"""

from collections.abc import Mapping, Sequence

from webui.commands import keep, matches, photos, reference, servers
from webui.commands.command import Command


def _complete(argv: Sequence[str]) -> int:
    """Run `pipsight completion`, which knows every command; return the exit code."""
    return reference.completion(argv, COMMANDS)


COMMANDS: Mapping[str, Command] = {
    "read": Command("read dice and dominoes on photos", photos.read, photos.read_parser),
    "watch": Command(
        "report each roll in front of a camera or on a video", photos.watch, photos.watch_parser
    ),
    "teach": Command("learn your own dice, dominoes or board", photos.teach, photos.teach_parser),
    "score": Command("say what a photo scores", photos.score, photos.score_parser),
    "follow": Command("play a match from its photos", photos.follow, photos.follow_parser),
    "coach": Command("say what would be best now", matches.coach, matches.coach_parser),
    "play": Command("play in this terminal", matches.play, matches.play_parser),
    "serve": Command("start the server for the phones", servers.serve, servers.serve_parser),
    "worker": Command(
        "read photos for servers on other machines", servers.worker, servers.worker_parser
    ),
    "matches": Command("list and export what was played", matches.matches, matches.matches_parser),
    "stats": Command("players' statistics", matches.stats, matches.stats_parser),
    "host": Command("make a phone the host of a match", matches.host, matches.host_parser),
    "backup": Command("save all matches and photos in a file", keep.backup, keep.backup_parser),
    "restore": Command("put a backup back", keep.restore, keep.restore_parser),
    "check": Command("say what is wrong with what is stored", keep.check, keep.check_parser),
    "rescue": Command("save what a damaged database still has", keep.rescue, keep.rescue_parser),
    "photos": Command("say what photos use, delete old ones", keep.photos, keep.photos_parser),
    "print": Command("make a board to print", reference.print_board, reference.print_parser),
    "games": Command("list the games and their settings", reference.games, reference.games_parser),
    "rules": Command("look up the rules of a game", reference.rules, reference.rules_parser),
    "site": Command(
        "write Pipsight as files that play without a server", reference.site, reference.site_parser
    ),
    "doctor": Command(
        "look whether all is there that is needed", reference.doctor, reference.doctor_parser
    ),
    "completion": Command(
        "complete commands in your shell", _complete, reference.completion_parser
    ),
}
