"""A photo for the rules: bytes in, a `PhotoReading` with its `Table` out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol, TypedDict

import vision
from scorer import Doubt, Equipment, Table
from vision import Look, Reading
from vision.board_profile import Profile
from vision.boards.by_hand import NoBoardToSet, with_corners
from vision.boards.printed_board import UNSEEN
from vision.faces.networks import shipped_models
from vision.faces.white_balance import COLOURED
from vision.limits import limit_memory
from vision.part import PhotoPart, check_same, painted
from webui.errors import NotRead
from webui.eyes.look import NO_BOARD, look_for, with_board
from webui.eyes.phrases import phrase
from webui.eyes.pictures import make_folder, write_picture
from webui.eyes.readings import StoredReading
from webui.eyes.table import counted_tiles, doubts, table_from


@dataclass(frozen=True, slots=True)
class PhotoReading:
    """A photo read: the reading as JSON, the same as a table, and what a person should look at."""

    reading: StoredReading
    table: Table
    doubts: tuple[Doubt, ...]
    jpeg: bytes  # upright, without metadata
    source: Reading | None = None  # what `reading` is the JSON of, to be drawn


class SetCorners(TypedDict):
    """Four corners of a board as a person set them."""

    corners: Sequence[tuple[float, float]]  # px, clockwise from the board's own upper left
    width: int  # of the photo in whose px they are


# Left, top, right and bottom of a part of a photo, then width and height of the whole, px.
SentPart = Sequence[int]


class See(Protocol):
    """What reads photos: `see`, or the same in another process."""

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
    ) -> PhotoReading:
        """Do what `see` does."""


class FitWhole(Protocol):
    """What holds a whole photo against a part of it: `fit`, or the same in another process."""

    def __call__(self, whole: bytes, shown: bytes, part: SentPart, /) -> bytes:
        """Do what `fit` does."""


def prepare() -> None:
    """Make a process ready to read photos: load the networks, and bound what photos may take."""
    shipped_models()
    limit_memory()


def see(
    photo: bytes,
    equipment: Equipment,
    spot: int = 0,
    learned: Mapping[str, Any] | None = None,
    corners: SetCorners | None = None,
    board: Mapping[str, Any] | None = None,
    part: SentPart | None = None,
) -> PhotoReading:
    """Read a photo of the surface *spot*, with what was *learned* of the pieces there.

    With *corners* the board is where a person set it; *board* is one that was taught. With *part*
    the photo is that part of a larger one, where all lies as it does there; the rest is grey.

    Raises NotRead saying what to change about the photo.
    """
    try:
        picture = vision.decode(photo)
        if part is not None:
            picture = painted(picture, PhotoPart(*part))
        look = look_for(equipment, spot)
        if board is not None:
            look = with_board(look, Profile.from_json(board))
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
    """Return a whole photo as it is kept, if it is the one of which a part was *shown*.

    Raises NotRead.
    """
    try:
        picture = vision.decode(whole)
        check_same(picture, vision.decode(shown), PhotoPart(*part))
    except vision.Unreadable as fault:
        raise NotRead(phrase(str(fault))) from fault
    return vision.as_jpeg(picture)


def _read(picture: vision.Photo, look: Look, learned: Mapping[str, Any] | None) -> Reading:
    """Read with taught pieces; those taught to another reader are left out, with a warning."""
    if learned is None:
        return vision.read(picture, look)
    try:
        return vision.read(picture, look, adapter=vision.Adapter.from_json(learned))
    except vision.NotTaught as fault:
        plain = vision.read(picture, look)
        return replace(plain, warnings=(*plain.warnings, str(fault)))


def _set(look: Look, board: SetCorners, picture: vision.Photo) -> Look:
    scale = picture.width / board["width"]  # a large photo is stored smaller
    try:
        return with_corners(look, [(x * scale, y * scale) for x, y in board["corners"]])
    except NoBoardToSet as fault:
        raise NotRead(NO_BOARD) from fault


def _without_colours(reading: Reading, equipment: Equipment) -> Reading:
    """Ask nothing of the light where dice of every colour count alike."""
    if equipment.colours:
        return reading
    return replace(reading, warnings=tuple(text for text in reading.warnings if text != COLOURED))


def _without_board(reading: Reading, equipment: Equipment, spot: int) -> Reading:
    """Ask for no board where dice of the game lie beside it or are all that is shown."""
    lying = equipment.spots[spot].table.dice if spot < len(equipment.spots) else ()
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
    """Write what was read on a photo as a picture; raises NotWritten.

    The pieces that are *forbidden* are told by kind and place in the sight's table, and outlined
    where they lie; *said* is written below.
    """
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
