"""`pipsight watch`: print each roll of a camera or video once it is at rest."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from typing import Any, TextIO

from scorer.games import GAMES
from scorer.messages import _
from scorer.photo.one_photo import equipment_alone
from vision.reading import Look
from vision.watch.frames import Frame, NoFrames, frames, length_s
from vision.watch.pace import slow_camera
from vision.watch.state import SettledRoll, as_json, doubt
from vision.watch.watcher import Watcher, watch
from webui.commands.arguments import add_look, add_players, add_set
from webui.commands.language import CommandParser
from webui.eyes.look import look_for, with_layout
from webui.eyes.one_photo import begin
from webui.eyes.phrases import phrase
from webui.languages import said, translate
from webui.terminal import console

EVERY_S = 5.0  # of the video
NO_ROLL = _(
    "No roll could be read in this film: no dice lay still for long enough, or they were not seen "
    "clearly. Film the table from above, in good light, and leave the dice for a second."
)


class NoRoll(Exception):
    """A video ended without a roll."""


def run(args: argparse.Namespace) -> int:
    """Watch a source and print every roll; return the exit code.

    It is 0 at the end of a file, 1 if that had no roll, or if no pictures come or the source fails.
    """
    if args.game is None and (args.players or args.set):
        args.ask.error(_("--players and --set are of a game: name it with --game"))
    look = with_layout(args.look) if args.game is None else _look_of(args)
    try:
        length = length_s(args.source) if sys.stderr.isatty() else None
        watcher = Watcher(look)
        progress = WatchProgress(sys.stderr, length)
        readable = False
        shown = _with_notice(progress.over(frames(args.source)), watcher)
        for roll in watch(shown, watcher=watcher):
            progress.clear()
            if args.json:
                console.print_json(_to_json(roll, watcher))
            else:
                print(as_line(roll), flush=True)
            readable = readable or bool(roll.pieces)
        if not readable:
            raise NoRoll(said(NO_ROLL))
    except (NoFrames, NoRoll) as fault:
        if args.json:
            console.print_json({"file": args.source, "error": str(fault)})
        else:
            console.report(fault)
        return 1
    return 0


def _look_of(args: argparse.Namespace) -> Look:
    """Return the look for rolls of a game with its settings; raises Malformed."""
    rules = GAMES[args.game]
    state, _facts = begin(rules, dict(args.set), args.players)
    return look_for(equipment_alone(rules, state)[-1])


def _with_notice(frames: Iterable[Frame], watcher: Watcher) -> Iterator[Frame]:
    """Yield the frames; warn if the rate requires dice to rest longer, and again if it drops.

    Warnings are written to standard error.
    """
    said_s = 0
    for frame in frames:
        yield frame
        pace = watcher.watch.pace
        if pace.leave_s > said_s:
            said_s = pace.leave_s
            print(said(phrase(slow_camera(pace.rate, said_s))), file=sys.stderr)


def _to_json(roll: SettledRoll, watcher: Watcher) -> dict[str, Any]:
    """Return a roll as a JSON object, with the pace of a slow camera."""
    pace = watcher.watch.pace
    slow = {"rate": round(pace.rate, 1), "leave_s": pace.leave_s} if pace.leave_s else {}
    return as_json(roll) | slow


def as_line(roll: SettledRoll) -> str:
    """Return a roll as a line: time, dice, and doubts."""
    minutes, seconds = divmod(roll.time_s, 60)
    shown = sorted(roll.pieces, key=lambda piece: piece.values)
    words = ["-".join(map(str, piece.values)) + "?" * (not piece.sure) for piece in shown]
    words += ["?"] * len(roll.unread)
    asked = "" if roll.sure else f"  {said(phrase(doubt(roll)))}"
    return f"{minutes:.0f}:{seconds:05.2f}  frame {roll.number}  {' '.join(words)}{asked}"


def options(ask: CommandParser) -> None:
    """Describe `pipsight watch`."""
    ask.description = (
        "Watch a table through a camera and report each roll once, when it lies still."
        " A die marked ? is doubtful; ? alone lies still and cannot be read. Ctrl-C ends it."
    )
    ask.add_argument(
        "source", metavar="SOURCE", help="a camera's number (0 is the first), a URL or a video file"
    )
    looks = ask.add_mutually_exclusive_group()
    add_look(looks, Look("dice"))
    looks.add_argument(
        "--game",
        choices=list(GAMES),
        metavar="GAME",
        help="look for the pieces of a game by its settings, instead of --look",
    )
    add_players(ask)
    add_set(ask)
    ask.add_argument(
        "--json", action="store_true", help="print one JSON object per roll, each on a line"
    )


class WatchProgress:
    """A line on the current time of a film, erased before anything else is printed."""

    def __init__(self, stream: TextIO, length_s: float | None) -> None:
        self.stream, self.length_s, self.shown = stream, length_s, ""

    def over(self, frames: Iterable[Frame]) -> Iterator[Frame]:
        """Yield the frames, and show the progress."""
        next_s = EVERY_S
        for frame in frames:
            if frame.time_s >= next_s:
                next_s = frame.time_s + EVERY_S
                self._show(frame.time_s)
            yield frame
        self.clear()

    def clear(self) -> None:
        """Erase the line."""
        if self.shown:
            self.stream.write(f"\r{' ' * len(self.shown)}\r")
            self.stream.flush()
            self.shown = ""

    def _show(self, now_s: float) -> None:
        if not self.stream.isatty():
            return
        self.clear()
        if self.length_s is None:
            self.shown = translate("watched {now}", now=as_clock(now_s))
        else:
            whole = as_clock(self.length_s)
            self.shown = translate("watched {now} of {whole}", now=as_clock(now_s), whole=whole)
        self.stream.write(self.shown)
        self.stream.flush()


def as_clock(time_s: float) -> str:
    """Return minutes and seconds, "12:05"."""
    return f"{int(time_s) // 60}:{int(time_s) % 60:02}"
