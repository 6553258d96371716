"""Dice on a page that we print: a grid's cells, a track's places, a mat to throw on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from models.series.dice import a_die, thrown
from models.series.evening import Evening
from models.sheets.pages import printed_page
from models.sketch.bodies import Floats
from models.sketch.ground import Page
from models.sketch.sketch_pieces import SketchPiece
from models.sketch.view import SketchCamera, draw_view
from models.textures.texture import Picture, Random, as_picture
from scorer import Table

DIE = 16.0  # mm, the world's unit; a usual die
OFF = 0.12  # how far from the middle of its cell a die lies, standard deviation, sides of a die
YAW = 0.25  # radians, how a die is turned against its cell, standard deviation
LOWEST = 0.45  # sine of the height from which a page is photographed: players read what is printed
ASIDE = 0.6  # tangent of the angle from which it is seen from aside, at most
FINER = 2  # than a sketch: a page fills the photo, and a phone has the px
AROUND = (0.01, 0.12)  # of the photo, left free around the page
WHITE = (0.75, 0.95)  # reflectance of paper
TEMPERATURE = 0.02  # of its colour, standard deviation


@dataclass(frozen=True, slots=True, eq=False)
class PagePicture:
    """A page of ours: what is printed, RGB reflectance, and where things lie on it, mm."""

    picture: Picture  # (h, w, 3)
    geometry: dict[str, Any]

    @property
    def size_mm(self) -> Floats:
        """Return (2,) width and height of the paper."""
        return np.array(self.geometry["paper_mm"], np.float64)

    def world(self, mm: Floats) -> Floats:
        """Return where (n, 2) points of the paper lie in the world, its middle at the origin."""
        return np.asarray((mm - self.size_mm / 2) * (1, -1) / DIE, np.float64)

    def corners(self) -> Floats:
        """Return (4, 2) the paper's corners in the world, clockwise from its upper left."""
        (width, height) = self.size_mm
        return self.world(np.array([(0, 0), (width, 0), (width, height), (0, height)]))


@cache
def page_picture(board: str) -> PagePicture:
    """Return the page of a board, as `pipsight print` makes it."""
    bgr, geometry = printed_page(board)
    light = as_picture((bgr[..., ::-1] / np.float32(255)) ** np.float32(2.2))
    return PagePicture(light, geometry)


def on_page(evening: Evening, page: PagePicture) -> Page:
    """Return a board's page as it lies on the evening's table: the paper has its own white."""
    rng = evening.chance(5)
    white = rng.uniform(*WHITE) * np.exp(rng.normal(0, TEMPERATURE, 3))
    return Page(page.corners(), page.picture * white.astype(np.float32))


def pieces_on(evening: Evening, number: int, table: Table, page: PagePicture) -> list[SketchPiece]:
    """Return dice in their cells, where each lies on every photo, and those beside them.

    The die on a track is put there anew for each. Dice without a cell lie in the lower part of the
    page, where a track has its box.
    """
    cells = {_place(cell["cell"]): np.array(cell["polygon"]) for cell in page.geometry["cells"]}
    inside, beside = [], []
    for die in table.dice:
        if die.cell is None:
            beside.append(die)
            continue
        anew = number if page.geometry["board"].startswith("track:") else 0
        hand = evening.chance(4, *die.cell, die.value, anew)
        middle = page.world(cells[die.cell].mean(axis=0)) + hand.normal(0, OFF, 2)
        yaw = float(hand.normal(0, YAW)) + float(np.pi / 2 * hand.integers(4))
        inside.append(a_die(evening, die, yaw, tuple(middle), 100 + 10 * die.cell[1] + die.cell[0]))
    return inside + thrown(evening, number, beside, *_free(page))


def _place(name: list[Any]) -> tuple[int, int]:
    """Return the cell of a table that a printed cell is: ("place", 7) is (0, 7)."""
    first, *rest = name
    return (0, int(rest[0])) if first == "place" else (int(first), int(rest[0]))


def _free(page: PagePicture) -> tuple[Floats, Floats]:
    """Return two corners, in the world, of the room within the markers that has no cells."""
    markers = np.array([one["corners"] for one in page.geometry["fiducials"]])
    low, high = markers.min(axis=(0, 1)) + 30, markers.max(axis=(0, 1)) - 30
    cells = np.array([one["polygon"] for one in page.geometry["cells"]])
    if len(cells):
        low[1] = min(cells[..., 1].max() + DIE, high[1] - DIE)
    ends = page.world(np.array([low, high]))
    return ends.min(axis=0), ends.max(axis=0)


def page_view(rng: Random, page: PagePicture) -> SketchCamera:
    """Return a camera that sees the whole page, held upright by somebody who reads it."""
    while True:
        view = draw_view(rng, 30.0)
        x, y, z = view.eye
        if z >= LOWEST * np.linalg.norm(view.eye) and abs(x) <= ASIDE * -y:
            return _framed(rng, view, page)


def _framed(rng: Random, view: SketchCamera, page: PagePicture) -> SketchCamera:
    """Return the camera zoomed and moved so that the page fills its picture."""
    corners = np.column_stack([page.corners(), np.zeros(4)])
    view.eye = view.eye * (2.2 * np.ptp(corners[:, 1]) / np.linalg.norm(view.eye))
    corners_px = view.project(corners)
    size = np.ptp(corners_px, axis=0)
    if (size[0] > size[1]) != (view.width > view.height):
        view.width, view.height = view.height, view.width
    view.width, view.height = FINER * view.width, FINER * view.height
    room = np.array([view.width, view.height]) * (1 - 2 * rng.uniform(*AROUND))
    zoom = float((room / size).min())
    middle = (corners_px.min(axis=0) + corners_px.max(axis=0)) / 2
    view.focal *= zoom
    view.middle = np.array([view.width, view.height]) / 2 - zoom * (middle - view.middle)
    return view
