"""`pipsight read`: read photos; print a table or a JSON object a line."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TextIO

from scorer.messages import _
from vision.boards.by_hand import NoBoardToSet, with_corners
from vision.errors import Unreadable
from vision.faces.adapter import NotTaught
from vision.limits import limited_memory
from vision.overlay import draw_overlay
from vision.photo import SUFFIXES, load
from vision.pipeline import read
from vision.reading import Look, Reading
from webui.commands import plain
from webui.commands.arguments import add_look, corner
from webui.commands.language import CommandParser
from webui.commands.taught_files import BoardFiles, PieceFiles
from webui.errors import NotWritten
from webui.eyes.look import with_layout
from webui.eyes.phrases import phrase
from webui.eyes.pictures import distinct_names, make_folder, write_picture
from webui.languages import translate
from webui.terminal import console


def run(args: argparse.Namespace) -> int:
    """Read every photo and print what is on it; return the exit code.

    It is 1 if a photo could not be read, a picture not be written, or the pieces not be used.
    """
    look = with_layout(args.look)
    paths = [photo for path in args.paths for photo in _photos(path, args.recursive)]
    if not paths:
        args.ask.error(_("there is no JPEG, PNG, WebP or HEIC picture in the folder"))
    try:
        look = BoardFiles(args.folder).added_to(look)
        look = with_corners(look, args.corners) if args.corners else look
        pieces = PieceFiles(args.folder).load(args.pieces) if args.pieces is not None else None
        if args.overlay:
            make_folder(args.overlay)
    except NoBoardToSet as fault:
        args.ask.refuse(fault)
    except NotTaught as fault:
        console.report(fault)
        return 1

    failed = False
    names, progress = distinct_names(paths), _Progress(len(paths), sys.stderr)
    for path in paths:
        progress.show()
        try:
            with limited_memory():
                photo = load(path)
                reading = read(photo, look, adapter=pieces)
        except Unreadable as error:
            failed = True
            progress.clear()
            console.report_photo(path, phrase(str(error)), as_json=args.json)
            continue
        progress.clear()
        _print_reading(path, reading, as_json=args.json)
        try:
            if args.overlay:
                drawn = draw_overlay(photo, reading, layout=look.layout)
                write_picture(args.overlay / f"{names[path]}.overlay.jpg", drawn)
        except NotWritten as fault:
            failed = True
            console.report(fault)
    return 1 if failed else 0


class _Progress:
    """The progress on a terminal, erased before anything else is printed."""

    def __init__(self, total: int, stream: TextIO) -> None:
        self.number, self.total, self.stream, self.shown = 0, total, stream, 0

    def show(self) -> None:
        self.number += 1
        if self.total > 1 and self.stream.isatty():
            text = translate("photo {number} of {total}", number=self.number, total=self.total)
            self.shown = len(text)
            self.stream.write(f"\r{text}")
            self.stream.flush()

    def clear(self) -> None:
        if self.shown:
            self.stream.write(f"\r{' ' * self.shown}\r")
            self.stream.flush()
            self.shown = 0


def options(ask: CommandParser) -> None:
    """Describe `pipsight read`."""
    ask.description = "Read dice and dominoes on photos."
    ask.add_argument("paths", nargs="+", type=_path, metavar="PATH", help="photos, or folders")
    ask.add_argument("--recursive", action="store_true", help="also subfolders")
    ask.add_argument("--json", action="store_true", help="print one JSON object per photo")
    add_look(ask, Look())
    ask.add_argument(
        "--corners", nargs=4, type=corner, metavar="X,Y",
        help="px, where the board's outer cells end, clockwise from its own upper left",
    )  # fmt: skip
    ask.add_argument("--pieces", metavar="NAME", help="use taught pieces: pipsight teach")
    ask.add_argument("--folder", type=Path, metavar="DIR", help="where taught pieces are stored")
    ask.add_argument("--overlay", type=Path, metavar="DIR", help="write marked pictures there")


def _path(text: str) -> Path:
    """Return a path; raises ArgumentTypeError for "", which would be the current folder."""
    if not text:
        raise argparse.ArgumentTypeError(translate("name a photo or a folder, not ''"))
    return Path(text)


def _photos(path: Path, recursive: bool) -> list[Path]:
    """Return the photos of a folder by name, optionally recursively; or the path itself.

    A folder's pipes and devices are left out: they may never end.
    """
    if not path.is_dir():
        return [path]
    inside = path.rglob("*") if recursive else path.iterdir()
    named = (file for file in inside if file.suffix.lower() in SUFFIXES)
    return sorted(file for file in named if file.is_file() or not file.exists())


def _print_reading(path: Path, reading: Reading, *, as_json: bool) -> None:
    """Print a reading and flush."""
    if as_json:
        console.print_json(reading.to_json(str(path)))
    else:
        print("\n".join(plain.lines(str(path), reading)), flush=True)
