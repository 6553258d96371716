"""Read a photo for the rules: bytes in, a `PhotoReading` with its `Table` out."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypedDict

import vision
from scorer import Doubt, Equipment, Table
from scorer.messages import _
from vision.quad import Quad
from vision.reading import AcceptedSheet, Look, Reading
from vision.warnings import COLOURED, UNSEEN
from webui.errors import NotRead
from webui.eyes.look import NO_BOARD, look_for, with_board
from webui.eyes.phrases import phrase
from webui.eyes.readings import StoredReading
from webui.eyes.table import counted_tiles, doubts, table_from
from webui.languages import reason

if TYPE_CHECKING:
    from vision.board_profile import Profile
    from vision.layout import Layout
    from vision.straight_sheet import StraightSheet

KEPT = 4  # taught boards, and accepted sheets of as many players: up to 4 MB each with their photos


@dataclass(frozen=True, slots=True)
class PhotoReading:
    """A reading as JSON, the same as a table, and its doubts."""

    reading: StoredReading
    table: Table
    doubts: tuple[Doubt, ...]
    jpeg: bytes  # upright, without metadata
    source: Reading | None = None  # the reading itself, to be drawn


class SetCorners(TypedDict):
    """The four corners of a board, set by a person."""

    corners: Sequence[tuple[float, float]]  # px, clockwise from the board's upper left
    width: int  # of the photo that the px refer to


class AcceptedPhoto(SetCorners):
    """An earlier photo of a sheet, and its cells that are still as a person accepted them."""

    photo: bytes
    cells: Collection[tuple[str, int, int]]


# Left, top, right and bottom of a part of a photo, then width and height of the whole, px.
SentPart = Sequence[int]


class See(Protocol):
    """The type of `see`, here or in another process."""

    def __call__(
        self,
        photo: bytes,
        equipment: Equipment,
        spot: int = 0,
        /,
        *,
        learned: Mapping[str, Any] | None = None,
        corners: SetCorners | None = None,
        board: Mapping[str, Any] | None = None,
        part: SentPart | None = None,
        before: AcceptedPhoto | None = None,
    ) -> PhotoReading:
        """Do what `see` does."""


class FitWhole(Protocol):
    """The type of `fit`, here or in another process."""

    def __call__(self, whole: bytes, shown: bytes, part: SentPart, /) -> bytes:
        """Do what `fit` does."""


def prepare() -> None:
    """Prepare a process for reading photos: load the networks and set limits."""
    from vision import part, pipeline  # noqa: F401  # what the first photo needs
    from vision.faces.networks import shipped_models
    from vision.limits import limit_memory

    shipped_models()
    limit_memory()


def content(photo: Path) -> bytes:
    """Return what a photo's file holds; raises NotRead."""
    try:
        return photo.read_bytes()
    except OSError as fault:
        raise NotRead(_("The file cannot be opened: {why}.", why=reason(fault))) from fault


def see(
    photo: bytes,
    equipment: Equipment,
    spot: int = 0,
    learned: Mapping[str, Any] | None = None,
    corners: SetCorners | None = None,
    board: Mapping[str, Any] | None = None,
    part: SentPart | None = None,
    before: AcceptedPhoto | None = None,
) -> PhotoReading:
    """Read a photo of the surface *spot* with the taught pieces *learned*.

    *corners* are the board's corners set by a person; *board* is a taught board. With *part* the
    photo is that part of a larger one, whose other pixels are grey. *before* is an earlier photo of
    a sheet. Raises NotRead, which says what to change.
    """
    from vision.part import PhotoPart, painted

    try:
        picture = vision.decode(photo)
        if part is not None:
            picture = painted(picture, PhotoPart(*part))
        look = look_for(equipment, spot)
        if board is not None:
            look = with_board(look, _taught(json.dumps(board)))
        look = replace(look, before=_accepted(before, look.layout))
        reading = _read(picture, look if corners is None else _set(look, corners, picture), learned)
        reading = _without_board(_without_colours(reading, equipment), equipment, spot)
        jpeg = vision.as_jpeg(picture)
    except vision.Unreadable as fault:
        raise NotRead(phrase(str(fault))) from fault
    coloured = bool(equipment.colours)
    stored = reading.to_json("photo.jpg")
    if part is not None:
        stored["part"] = [*part[:4]]
    return PhotoReading(
        stored,
        table_from(reading, spot, coloured=coloured, loose=equipment.loose),
        doubts(reading, coloured=coloured, loose=equipment.loose),
        jpeg,
        reading,
    )


def fit(whole: bytes, shown: bytes, part: SentPart) -> bytes:
    """Return the stored form of a whole photo, if the part *shown* is a part of it.

    Raises NotRead.
    """
    from vision.part import PhotoPart, check_same

    try:
        picture = vision.decode(whole)
        check_same(picture, vision.decode(shown), PhotoPart(*part))
    except vision.Unreadable as fault:
        raise NotRead(phrase(str(fault))) from fault
    return vision.as_jpeg(picture)


@lru_cache(maxsize=KEPT)
def _taught(board: str) -> Profile:
    """Return a taught board, with the features of its empty photo once they were computed."""
    from vision.board_profile import Profile

    return Profile.from_json(json.loads(board))


def _read(picture: vision.Photo, look: Look, learned: Mapping[str, Any] | None) -> Reading:
    """Read with taught pieces; those taught to other networks are ignored with a warning."""
    if learned is None:
        return vision.read(picture, look)
    try:
        return vision.read(picture, look, adapter=vision.Adapter.from_json(learned))
    except vision.NotTaught as fault:
        plain = vision.read(picture, look)
        return replace(plain, warnings=(*plain.warnings, str(fault)))


def _set(look: Look, board: SetCorners, picture: vision.Photo) -> Look:
    from vision.boards.by_hand import NoBoardToSet, with_corners

    scale = picture.width / board["width"]  # large photos are stored smaller
    try:
        return with_corners(look, [(x * scale, y * scale) for x, y in board["corners"]])
    except NoBoardToSet as fault:
        raise NotRead(NO_BOARD) from fault


def _accepted(before: AcceptedPhoto | None, layout: Layout | None) -> AcceptedSheet | None:
    """Return the sheet of an earlier photo; None if that can no longer be read."""
    if before is None or layout is None:
        return None
    a, b, c, d = ((x, y) for x, y in before["corners"])
    sheet = _straightened(before["photo"], Quad((a, b, c, d)), before["width"], layout)
    return None if sheet is None else AcceptedSheet(sheet, before["cells"])


@lru_cache(maxsize=KEPT)
def _straightened(photo: bytes, corners: Quad, width: int, layout: Layout) -> StraightSheet | None:
    """Return the sheet of a photo, whose corners are px of it with that *width*."""
    from vision.straight_sheet import sheet_at

    try:
        picture = vision.decode(photo)
    except vision.Unreadable:
        return None
    return sheet_at(picture, corners.scaled(picture.width / width), layout)


def _without_colours(reading: Reading, equipment: Equipment) -> Reading:
    """Drop warnings about the light if colours do not matter."""
    if equipment.colours:
        return reading
    return replace(reading, warnings=tuple(text for text in reading.warnings if text != COLOURED))


def _without_board(reading: Reading, equipment: Equipment, spot: int) -> Reading:
    """Drop warnings about a missing board if loose dice are enough for the game."""
    lying = equipment.surface(spot).table.dice
    if reading.board is not None or not reading.dice or any(die.cell for die in lying) or not lying:
        return reading
    return replace(reading, warnings=tuple(text for text in reading.warnings if text != UNSEEN))


def write_overlay(
    path: Path,
    photo: Path,
    sight: PhotoReading,
    equipment: Equipment,
    forbidden: Collection[tuple[str, int]] = (),
    said: Sequence[str] = (),
) -> None:
    """Draw a reading on its photo and write it; raises NotWritten.

    *forbidden* pieces, by kind and index in the table, are outlined; *said* is written below.
    """
    from webui.eyes.pictures import make_folder, write_picture

    if sight.source is None:
        return
    tiles = sight.source.tiles
    placed = [tiles.index(one) for one in counted_tiles(sight.source, loose=equipment.loose)]
    outlined = [(kind, placed[i] if kind == "tiles" else i) for kind, i in forbidden]
    layout = look_for(equipment).layout
    drawn = vision.draw_overlay(
        vision.load(photo), sight.source, layout=layout, forbidden=outlined, said=said
    )
    make_folder(path.parent)
    write_picture(path, drawn)
