"""Where eyes and rules meet: the only file that imports both.

In: what the rules want to see, photo bytes, or dice that a person tapped. Out: a `Table`.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypedDict

import vision
import vision.adapt.cli
import vision.cli
from scorer import Cell, Die, Doubt, Equipment, Mark, NotAMove, Table, Tile
from vision import Look, Reading
from vision.adapt.files import data_folder as data_folder  # noqa: PLC0414  # for `webui.server`
from vision.faces.multiscale import shipped_models
from vision.files import put_in_place as put_in_place  # noqa: PLC0414  # for `webui.files`
from vision.files import write_durably as write_durably  # noqa: PLC0414  # for `webui.files`
from vision.limits import limit_memory
from vision.views import views as views  # noqa: PLC0414  # for `webui.api` and `webui.pages`
from webui.errors import NotRead

COLOURS: tuple[str, ...] = vision.COLOURS  # of dice, in words


@dataclass(frozen=True, slots=True)
class Sight:
    """A photo read: the reading as JSON, the same as a table, and what a person should look at."""

    reading: dict[str, Any]  # DESIGN.md, "Interfaces others rely on"
    table: Table
    doubts: tuple[Doubt, ...]
    jpeg: bytes  # upright, without metadata


def look_for(equipment: Equipment) -> Look:
    """Return what the eyes should look for; a colour they have no word for leaves all open."""
    named = set(equipment.colours) <= set(COLOURS)
    return Look.parse(
        equipment.board or ("dominoes" if equipment.tiles else "dice"),
        count=equipment.dice,
        colours=tuple(equipment.colours) if named else (),
    )


def readable(equipment: Equipment) -> bool:
    """Say whether the eyes can read such a table: dice, on a grid or on none."""
    if equipment.board is None:
        return not equipment.tiles and (bool(equipment.dice) or bool(equipment.colours))
    return look_for(equipment).grid is not None


def prepare() -> None:
    """Make a process ready to read photos: load the networks, and bound what photos may take."""
    shipped_models()
    limit_memory()


class Lesson(TypedDict):
    """A photo of dice as a person confirmed them, to be stored as JSON."""

    photo: str  # SHA-256 that names the file
    width: int  # of the photo in whose px the places are told
    dice: Sequence[tuple[float, float, int, str]]  # x, y, value, colour
    none: Sequence[tuple[float, float]]  # x, y of what was read where no die lies


def learn(lessons: Sequence[Lesson], photos: Path, equipment: Equipment) -> dict[str, Any]:
    """Return what the eyes learn of photos in a folder, as JSON; raises NotRead."""
    try:
        told = [_taught(lesson, photos) for lesson in lessons]
        return vision.fit_adapter(told, look_for(equipment)).to_json()
    except (vision.Unreadable, vision.NotTaught) as fault:
        raise NotRead(str(fault)) from fault
    except ValueError as fault:  # a value or a colour that there is not
        raise NotAMove(f"These dice cannot be: {fault}.") from fault


def _taught(lesson: Lesson, photos: Path) -> tuple[vision.Photo, list[vision.ConfirmedFace]]:
    photo = vision.load(photos / f"{lesson['photo']}.jpg")
    scale = photo.width / lesson["width"]  # a large photo is stored smaller
    said = [
        vision.ConfirmedFace((x * scale, y * scale), value, colour)
        for x, y, value, colour in lesson["dice"]
    ]
    return photo, said + [
        vision.ConfirmedFace((x * scale, y * scale), None) for x, y in lesson["none"]
    ]


def see(
    photo: bytes,
    equipment: Equipment,
    spot: int = 0,
    learned: Mapping[str, Any] | None = None,
) -> Sight:
    """Read a photo of the surface *spot*, with what was *learned* of the pieces there.

    Raises NotRead saying what to change about the photo.
    """
    if not photo:
        raise NotRead("The photo is empty. Take it again.")
    try:
        picture = vision.decode(photo)
        reading = _read(picture, look_for(equipment), learned)
        jpeg = vision.as_jpeg(picture)
    except vision.Unreadable as fault:
        raise NotRead(str(fault)) from fault
    return Sight(
        reading.to_json("photo.jpg"),
        table_from(reading, spot),
        doubts(reading),
        jpeg,
    )


def _read(picture: vision.Photo, look: Look, learned: Mapping[str, Any] | None) -> Reading:
    """Read with taught pieces; those of another reader are told of, and left out."""
    if learned is None:
        return vision.read(picture, look)
    try:
        return vision.read(picture, look, adapter=vision.Adapter.from_json(learned))
    except vision.NotTaught as fault:
        plain = vision.read(picture, look)
        return replace(plain, warnings=(*plain.warnings, str(fault)))


def table_from(reading: Reading, spot: int = 0) -> Table:
    """Return the reading as plain facts, the dice in the order of the reading."""
    return Table(
        tuple(_die(face) for face in reading.dice),
        tuple(_tile(tile) for tile in reading.tiles if all(half.cell for half in tile.halves)),
        tuple(_mark(mark) for mark in reading.marks),
        spot,
    )


def _die(face: vision.Face) -> Die:
    (colour, share), *rest = face.colours
    others = tuple(other for other in rest if other[1] > 0)
    cell = None if face.cell is None else _cell(face.cell)
    return Die(face.value, colour, cell, face.confidence * share, face.alternatives, others)


def _tile(tile: vision.Tile) -> Tile:
    first, second = tile.halves
    assert first.cell is not None
    assert second.cell is not None
    return Tile(
        (first.value, second.value),
        (_cell(first.cell), _cell(second.cell)),
        None if tile.level is None else tile.level + 1,  # the rules count levels from 1
        tile.confidence,
    )


def _mark(mark: vision.Mark) -> Mark:
    part, row, column = mark.cell
    return Mark((str(part), int(row), int(column)), mark.mark, mark.confidence)


def _cell(cell: Sequence[int | str]) -> Cell:
    row, column = cell
    return int(row), int(column)


def doubts(reading: Reading) -> tuple[Doubt, ...]:
    """Return a question for each die that the eyes are not sure of; dice beside a board are not."""
    return tuple(
        Doubt(_question(face), ("dice", place))
        for place, face in enumerate(reading.dice)
        if not face.sure and (face.cell is not None or reading.board is None)
    )


def _question(face: vision.Face) -> str:
    read = f"read as {face.colour_words} {face.value}"
    if face.cell is not None:
        row, column = _cell(face.cell)
        read = f"row {row + 1}, column {column + 1}: {read}"
    others = " or ".join(str(value) for value, _ in face.alternatives[:2])
    return f"{read}, perhaps {others}" if others else read


def check_cells(table: Table, equipment: Equipment) -> None:
    """Raise NotAMove if a die that a person tapped in lies outside the printed grid."""
    grid = look_for(equipment).grid
    for die in table.dice:
        if (
            grid
            and die.cell
            and not all(0 <= at < size for at, size in zip(die.cell, grid, strict=True))
        ):
            raise NotAMove(f"The board has {grid[0]} rows and {grid[1]} columns, counted from 0.")


def read_photos(argv: Sequence[str]) -> int:
    """Run `pipsight read`; return the exit code."""
    return vision.cli.main(argv)


def read_parser() -> ArgumentParser:
    """Return what `pipsight read` takes."""
    return vision.cli.parser()


def teach_pieces(argv: Sequence[str]) -> int:
    """Run `pipsight teach`; return the exit code."""
    return vision.adapt.cli.main(argv)


def teach_parser() -> ArgumentParser:
    """Return what `pipsight teach` takes."""
    return vision.adapt.cli.parser()
