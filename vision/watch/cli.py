"""`pipsight watch`: a camera or a video in, each settled roll out, once and at once."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from typing import Any

from vision.reading import Look
from vision.watch.capture import NoFrames
from vision.watch.frames import frames, length_s
from vision.watch.progress import WatchProgress
from vision.watch.state import SettledRoll
from vision.watch.watcher import watch


def main(argv: Sequence[str], known: Callable[[Look], Look] = lambda look: look) -> int:
    """Watch the source named in *argv* and print every settled roll.

    Args:
        argv: the words after the command.
        known: adds to a look what is known of its board, by a program that knows the games.

    Returns:
        0 once a file is over, 1 if the source gives no pictures or stops to.

    Raises:
        SystemExit: with code 2 for wrong usage, after printing how to use it.
    """
    args = parser().parse_intermixed_args(argv)
    try:
        length = length_s(args.source) if sys.stderr.isatty() else None
        progress = WatchProgress(sys.stderr, length)
        for roll in watch(progress.over(frames(args.source)), known(args.look)):
            told = json.dumps(as_json(roll), ensure_ascii=False) if args.json else as_line(roll)
            progress.clear()
            print(told, flush=True)
    except NoFrames as fault:
        if args.json:
            print(json.dumps({"file": args.source, "error": str(fault)}, ensure_ascii=False))
        else:
            print(fault, file=sys.stderr)
        return 1
    return 0


def as_json(roll: SettledRoll) -> dict[str, Any]:
    """Return the object docs/interfaces.md prescribes for a roll."""
    dice = [piece.faces[0] for piece in roll.pieces if len(piece.faces) == 1]
    tiles = [piece for piece in roll.pieces if len(piece.faces) > 1]
    told: dict[str, Any] = {
        "frame": roll.number,
        "time_s": round(roll.time_s, 3),
        "values": sorted(die.value for die in dice),
        "dice": [die.to_json() for die in dice],
        "sure": roll.sure,
    }
    if roll.unread:
        told["unread"] = [place.to_json() for place in roll.unread]
    if not roll.sure:
        told["doubt"] = doubt(roll)
    if tiles:
        told["tiles"] = [
            {"quad": tile.quad.to_json(), "halves": [half.value for half in tile.faces]}
            for tile in tiles
        ]
    return told


def doubt(roll: SettledRoll) -> str:
    """Return what to look at where a roll is not sure, as a sentence."""
    if roll.unread:
        many = "Something lies" if len(roll.unread) == 1 else f"{len(roll.unread)} things lie"
        return (
            f"{many} still there that cannot be read. Give more light, let the camera focus, or"
            " bring it nearer."
        )
    if roll.again:
        return "All was taken up, and lies as it lay. Was it thrown again?"
    unsure = sum(not piece.sure for piece in roll.pieces)
    if not unsure:
        return (
            "The pictures of this roll do not agree, or a piece may be hidden. Look at the table."
        )
    return f"{unsure} of the pieces may be misread. Look at the table."


def as_line(roll: SettledRoll) -> str:
    """Return a roll as people read it: when, what, and what to look at."""
    minutes, seconds = divmod(roll.time_s, 60)
    shown = sorted(roll.pieces, key=lambda piece: piece.values)
    words = ["-".join(map(str, piece.values)) + "?" * (not piece.sure) for piece in shown]
    words += ["?"] * len(roll.unread)
    asked = "" if roll.sure else f"  {doubt(roll)}"
    return f"{minutes:.0f}:{seconds:05.2f}  frame {roll.number}  {' '.join(words)}{asked}"


def parser() -> argparse.ArgumentParser:
    """Return what `pipsight watch` takes."""
    ask = argparse.ArgumentParser(
        "pipsight watch",
        description="Watch a table through a camera, and tell each roll once when it has settled."
        " A die marked ? is doubtful; ? alone lies still and cannot be read. Ctrl-C ends it.",
    )
    ask.add_argument(
        "source", metavar="SOURCE", help="a camera's number (0 is the first), a URL or a video file"
    )
    ask.add_argument(
        "--look",
        type=_look,
        default=Look("dice"),
        help="auto, dice, dominoes, grid:3x3, sheet:NAME or board:NAME (default: %(default)s)",
    )
    ask.add_argument(
        "--json",
        action="store_true",
        help="print one JSON object a roll, each on a line",
    )
    return ask


def _look(text: str) -> Look:
    try:
        return Look.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
