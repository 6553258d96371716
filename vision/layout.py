"""The layout of a printed board: fiducials, cells and lines.

Coordinates are mm from the paper's upper left corner, x to the right and y down.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from vision.quad import Point, Quad

if TYPE_CHECKING:
    from vision.geometry import Floats

Four = tuple[Point, Point, Point, Point]
# (row, column) of a grid, or (sheet part, row, column); counted from 0
CellId = tuple[int | str, ...]


def cell_name(cell: CellId) -> str:
    """Return a cell's name, counted from 1.

    >>> cell_name((2, 0)), cell_name(("red", 0, 3)), cell_name(("place", 7))
    ('row 3, column 1', 'red row 1, column 4', 'place 8')
    """
    match cell:
        case (str(part), int(place)):
            return f"{part} {place + 1}"
        case (*parts, int(row), int(column)):
            return " ".join([*map(str, parts), f"row {row + 1}, column {column + 1}"])
    return " ".join(map(str, cell))


@dataclass(frozen=True, slots=True)
class Fiducial:
    """A square marker of one of OpenCV's dictionaries."""

    dictionary: str  # "DICT_5X5_1000"
    id: int
    corners: Four  # clockwise from the marker's own upper left


@dataclass(frozen=True, slots=True)
class LayoutCell:
    """A place for a piece or a mark."""

    cell: CellId  # the name in readings: ("red", 0, 3), (0, 2) or ("place", 7)
    polygon: Four  # clockwise from the cell's own upper left
    label: str = ""  # the text printed there
    marks: tuple[str, ...] = ()  # the states that a mark can give it; (): for pieces


@dataclass(frozen=True, slots=True)
class Segment:
    """A printed line."""

    start: Point
    end: Point


@dataclass(frozen=True, slots=True)
class Layout:
    """Where everything is on the paper, mm."""

    board: str  # "sheet:dice-wide-shut"
    paper_mm: tuple[float, float]  # width, height
    fiducials: tuple[Fiducial, ...]
    cells: tuple[LayoutCell, ...]
    lines: tuple[Segment, ...] = ()
    areas: tuple[LayoutCell, ...] = ()  # beside the cells, for pieces that are out of play

    @property
    def outline(self) -> Floats:
        """Return (4, 2) mm, clockwise, the box around all cells; without cells, the fiducials."""
        import numpy as np  # noqa: PLC0415

        shapes = [cell.polygon for cell in self.cells] or [one.corners for one in self.fiducials]
        xs, ys = zip(*(point for shape in shapes for point in shape), strict=True)
        left, top, right, bottom = min(xs), min(ys), max(xs), max(ys)
        return np.array([(left, top), (right, top), (right, bottom), (left, bottom)])

    @property
    def cells_on_unit_square(self) -> tuple[LayoutCell, ...]:
        """Return the cells as on a unit square that the outline fills."""
        (left, top), _, (right, bottom), _ = self.outline.tolist()

        def placed(point: Point) -> Point:
            return (point[0] - left) / (right - left), (point[1] - top) / (bottom - top)

        shapes = (_four([placed(point) for point in cell.polygon]) for cell in self.cells)
        return tuple(
            replace(cell, polygon=shape) for cell, shape in zip(self.cells, shapes, strict=True)
        )

    def cells_at(self, corners: Floats) -> list[Quad]:
        """Return the cells in px of a photo that shows the outline at *corners* (4, 2) px."""
        import numpy as np  # noqa: PLC0415

        from vision.geometry import Homography  # noqa: PLC0415

        to_px = Homography.fit(self.outline, corners)
        if to_px is None:
            return []
        return [Quad(_four(to_px.apply(np.array(cell.polygon)))) for cell in self.cells]

    def to_json(self) -> dict[str, Any]:
        """Return the geometry described in docs/develop/interfaces.md; lines only if any."""
        geometry: dict[str, Any] = {
            "board": self.board,
            "paper_mm": list(self.paper_mm),
            "fiducials": [
                {"dictionary": one.dictionary, "id": one.id, "corners": _listed(one.corners)}
                for one in self.fiducials
            ],
            "cells": [
                {"cell": list(one.cell), "polygon": _listed(one.polygon), "label": one.label}
                | ({"marks": list(one.marks)} if one.marks else {})
                for one in self.cells
            ],
        }
        if self.areas:
            geometry["areas"] = [
                {"cell": list(one.cell), "polygon": _listed(one.polygon), "label": one.label}
                for one in self.areas
            ]
        if self.lines:
            geometry["lines"] = [_listed((one.start, one.end)) for one in self.lines]
        return geometry

    @classmethod
    def from_json(cls, geometry: Mapping[str, Any]) -> Layout:
        """Read what `to_json` wrote; raises ValueError with a sentence."""
        try:
            width, height = geometry["paper_mm"]
            return cls(
                str(geometry["board"]),
                (float(width), float(height)),
                tuple(
                    Fiducial(str(one["dictionary"]), int(one["id"]), _four(one["corners"]))
                    for one in geometry["fiducials"]
                ),
                tuple(map(_cell, geometry["cells"])),
                tuple(Segment(_point(a), _point(b)) for a, b in geometry.get("lines", ())),
                tuple(map(_cell, geometry.get("areas", ()))),
            )
        except (KeyError, TypeError, ValueError, OverflowError) as fault:
            raise ValueError(f"This is no geometry of a board: {fault}.") from fault


def even_cells(name: str, size: tuple[float, float], rows: int, columns: int) -> Layout:
    """Return a layout of *size* (w, h) with equal cells named (row, column)."""
    across, along = size[0] / columns, size[1] / rows
    cells = []
    for row in range(rows):
        for column in range(columns):
            left, right = column * across, (column + 1) * across
            top, bottom = row * along, (row + 1) * along
            polygon: Four = ((left, top), (right, top), (right, bottom), (left, bottom))
            cells.append(LayoutCell((row, column), polygon))
    return Layout(name, size, (), tuple(cells))


def _cell(stored: Mapping[str, Any]) -> LayoutCell:
    return LayoutCell(
        tuple(stored["cell"]),
        _four(stored["polygon"]),
        str(stored.get("label", "")),
        tuple(map(str, stored.get("marks", ()))),
    )


def _point(coordinates: Sequence[float]) -> Point:
    x, y = coordinates
    return float(x), float(y)


def _four(points: Sequence[Sequence[float]] | Floats) -> Four:
    corners = tuple(map(_point, points))
    if len(corners) != 4:
        raise ValueError(f"expected four corners, not {len(corners)}")
    return corners


def _listed(points: Sequence[Point]) -> list[list[float]]:
    return [[round(x, 3), round(y, 3)] for x, y in points]
