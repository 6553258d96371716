"""`pipsight read`: photos in, readings out, as a table or as one JSON object a line."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import cv2

from vision.limits import limited_memory
from vision.overlay import draw_overlay
from vision.photo import load
from vision.pieces import NotTaught, Pieces
from vision.pipeline import read
from vision.reading import Face, Look, Reading, Unreadable
from vision.shelf import pieces_folder, take

SUFFIXES = {".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif"}


def main(argv: Sequence[str]) -> int:
    """Read every photo named in *argv* and print what is on it.

    Returns:
        0, or 1 if some photo could not be read, or the pieces not be used.

    Raises:
        SystemExit: with code 2 for wrong usage, after printing how to use it.
    """
    ask = _parser()
    args = ask.parse_args(argv)
    paths = [photo for path in args.paths for photo in _photos(path)]
    if not paths:
        ask.error("there is no JPEG, PNG, WebP or HEIC picture in the folder")
    if args.overlay:
        args.overlay.mkdir(parents=True, exist_ok=True)

    try:
        pieces = take(args.pieces, args.folder or pieces_folder()) if args.pieces else None
    except NotTaught as fault:
        print(fault, file=sys.stderr)
        return 1

    failed = False
    for number, path in enumerate(paths, start=1):
        _show_progress(number, len(paths))
        try:
            with limited_memory():
                reading = _read_file(path, args.look, args.overlay, pieces)
        except Unreadable as error:
            failed = True
            _print_error(path, error, as_json=args.json)
        else:
            _print_reading(path, reading, as_json=args.json)
        sys.stdout.flush()  # whoever reads along sees each photo at once
    return 1 if failed else 0


def _parser() -> argparse.ArgumentParser:
    ask = argparse.ArgumentParser("pipsight read", description="Read dice and dominoes on photos.")
    ask.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="photos, or folders")
    ask.add_argument("--json", action="store_true", help="print one JSON object a photo")
    ask.add_argument(
        "--look",
        type=_look,
        default=Look(),
        help="auto, dice, dominoes, grid:3x3, sheet:NAME or board:NAME (default: %(default)s)",
    )
    ask.add_argument("--pieces", metavar="NAME", help="that were taught: pipsight teach")
    ask.add_argument("--folder", type=Path, metavar="DIR", help="where taught pieces are kept")
    ask.add_argument("--overlay", type=Path, metavar="DIR", help="write marked pictures there")
    return ask


def _look(text: str) -> Look:
    try:
        return Look.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _photos(path: Path) -> list[Path]:
    """Return the photos of a folder by name, or the path itself."""
    if not path.is_dir():
        return [path]
    return sorted(entry for entry in path.iterdir() if entry.suffix.lower() in SUFFIXES)


def _read_file(path: Path, look: Look, overlay: Path | None, pieces: Pieces | None) -> Reading:
    photo = load(path)
    reading = read(photo, look, pieces=pieces)
    if overlay:
        # The whole name: a.jpg and a.png in one folder keep their own pictures.
        cv2.imwrite(str(overlay / f"{path.name}.overlay.jpg"), draw_overlay(photo, reading))
    return reading


def _show_progress(number: int, total: int) -> None:
    if total > 1 and sys.stderr.isatty():
        end = "\n" if number == total else ""
        sys.stderr.write(f"\rphoto {number} of {total}{end}")
        sys.stderr.flush()


def _print_error(path: Path, error: Unreadable, *, as_json: bool) -> None:
    if as_json:
        print(json.dumps({"file": str(path), "error": str(error)}, ensure_ascii=False))
    else:
        print(f"{path}: {error}")


def _print_reading(path: Path, reading: Reading, *, as_json: bool) -> None:
    if as_json:
        print(json.dumps(reading.to_json(str(path)), ensure_ascii=False))
        return
    sizes = f"{len(reading.dice)} dice, {len(reading.tiles)} tiles"
    print(f"{path}: {sizes}, {reading.ms:.0f} ms")
    for die in reading.dice:
        print(f"  {_describe(die)}")
    for tile in reading.tiles:
        first, second = tile.halves
        print(f"  tile {first.value}-{second.value}{'' if tile.sure else '  doubtful'}")
    for warning in reading.warnings:
        print(f"  warning: {warning}")


def _describe(die: Face) -> str:
    x, y = die.center
    where = f"at {x:.0f}, {y:.0f}"
    if die.cell is not None:
        row, column = die.cell
        where = f"row {int(row) + 1}, column {int(column) + 1}"
    doubt = ""
    if not die.sure:
        others = " or ".join(str(value) for value, _ in die.alternatives)
        doubt = f"  doubtful{f', perhaps {others}' if others else ''}"
    return f"{die.value} {die.colour_words:7} {where:22} {die.confidence:4.0%}{doubt}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
