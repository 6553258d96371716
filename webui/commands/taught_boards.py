"""Taught boards: `pipsight teach --board`, and where they are kept, beside taught pieces."""

from __future__ import annotations

import argparse
import json
import re
from dataclasses import replace
from pathlib import Path

from vision.adapt.boards import board_from
from vision.board_profile import DAMAGED, Profile
from vision.decode import load
from vision.faces.adapter import NotTaught
from vision.geometry import Point
from vision.limits import limited_memory
from vision.reading import Look
from webui.store.durable_files import data_folder, write_durably

NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")  # as `--look board:NAME` takes it
CALLED = "board:"  # before a board's name where pieces have names too
BAD_NAME = "{!r} is no name for a board. Use small letters, digits and hyphens, at most 40."
NO_BOARD = "No board is called {}. {}"


def boards_folder(pieces: Path | None = None) -> Path:
    """Return where taught boards are kept: below the folder of the *pieces* if that is told."""
    return (pieces or data_folder()) / "boards"


def board_names(folder: Path) -> list[str]:
    """Return the names of all taught boards."""
    return sorted(path.stem for path in folder.glob("*.json"))


def take_board(name: str, folder: Path) -> Profile:
    """Return the board of a name; raises NotTaught."""
    path = _there(name, folder)
    try:
        return Profile.from_json(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError) as fault:  # NotABoard is one
        raise NotTaught(DAMAGED) from fault


def put_board(name: str, profile: Profile, folder: Path) -> Path:
    """Keep a board under a name, in place of any that had it; return the file."""
    path = _path_of(name, folder)
    folder.mkdir(parents=True, exist_ok=True)
    write_durably(path, f"{json.dumps(profile.to_json())}\n".encode())
    return path


def forget_board(name: str, folder: Path) -> None:
    """Delete the board of a name; raises NotTaught if there is none."""
    _there(name, folder).unlink()


def with_taught(look: Look, folder: Path) -> Look:
    """Add the taught board that a look means, where no game prints one of its name.

    Raises:
        NotTaught: what is kept under the name cannot be used.
    """
    if look.kind != "board" or look.layout is not None or look.name not in board_names(folder):
        return look
    profile = take_board(look.name, folder)
    return replace(look, layout=profile.layout, profile=profile)


def _path_of(name: str, folder: Path) -> Path:
    if not NAME.fullmatch(name):
        raise NotTaught(BAD_NAME.format(name))
    return folder / f"{name}.json"


def _there(name: str, folder: Path) -> Path:
    path = _path_of(name, folder)
    if not path.exists():
        known = board_names(folder)
        told = f"There are {', '.join(known)}." if known else "No board has been taught yet."
        raise NotTaught(NO_BOARD.format(name, told))
    return path


# ---------------------------------------------------------------- the command


def corner(text: str) -> Point:
    """Read `x,y`, px of the upright photo; raises ArgumentTypeError."""
    found = re.fullmatch(r"(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)", text)
    if found is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no corner; write x,y in px: 120,80")
    return float(found[1]), float(found[2])


def cells(text: str) -> tuple[int, int]:
    """Read `ROWSxCOLUMNS`; raises ArgumentTypeError."""
    found = re.fullmatch(r"([1-9]\d?)x([1-9]\d?)", text)
    if found is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of cells; write ROWSxCOLUMNS: 3x3")
    return int(found[1]), int(found[2])


def teach_board(args: argparse.Namespace, photo: Path) -> None:
    """Learn a board from a photo of it empty, and say how it is read.

    Raises:
        NotTaught: it cannot be learned, or not be kept.
        Unreadable: the photo cannot be read.
    """
    folder = boards_folder(args.folder)
    _path_of(args.board, folder)
    with limited_memory():
        profile = board_from(load(photo), args.corners, args.cells, f"{CALLED}{args.board}")
    try:
        path = put_board(args.board, profile, folder)
    except OSError as fault:
        raise NotTaught(f"{fault.filename} cannot be written: {fault.strerror}.") from fault
    print(f"Learned a board of {profile.rows} rows and {profile.columns} columns: {path}")
    print(f"Read on it: pipsight read --look board:{args.board} PHOTO")


def listed(folder: Path) -> list[str]:
    """Return a line for each taught board."""
    lines = []
    for name in board_names(folder):
        try:
            board = take_board(name, folder)
            lines.append(f"{CALLED}{name}: {board.rows} rows, {board.columns} columns")
        except NotTaught as fault:
            lines.append(f"{CALLED}{name}: {fault}")
    return lines
