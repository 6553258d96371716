"""The constants of all photos of a match: its dice, our printed page, players' sheets."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.sheets.cases import GEOMETRY
from models.sheets.home import empty_sheet, photograph_page
from models.sheets.marks import draw_person
from models.sheets.printing import printed_page
from models.sheets.strokes import BLACKENED, BLANK, STATES, STRUCK, InkShares, tooth_of
from models.sheets.writer import PLAIN, Writer, plainness
from models.sketch import bodies
from models.sketch.bodies import Floats
from models.sketch.ground import Page
from models.sketch.sketch_pieces import READABLE, SketchPiece, draw_die, draw_style
from models.sketch.view import SketchCamera, draw_view
from models.textures.surfaces import Picture, Random, as_picture
from scorer import Die, MarkedCell, Table

PRINTED = 0.5  # of the evenings use our grid and mat; the others a grid of their own, and no mat


class NotDrawn(Exception):
    """There is no drawer for such a table; `str()` says which things are missing."""


@dataclass(frozen=True, slots=True)
class Evening:
    """A table, its pieces and its people: everything about them falls to the seed."""

    seed: int

    def chance(self, *what: int) -> Random:
        """Return the random numbers of one thing of this evening."""
        return np.random.default_rng(np.random.SeedSequence([29, self.seed, *what]))

    @property
    def printed(self) -> bool:
        """Return True if our pages lie on the table."""
        return bool(self.chance(10).random() < PRINTED)


ATTEMPTS = 60  # dice that are drawn until one can be read
APART = 1.6  # of the middles of two dice, at least
CROWDED = 200  # throws of a die among others until they are let lie where they like


def a_die(evening: Evening, die: Die, yaw: float, at: Sequence[float], which: int) -> SketchPiece:
    """Return a die of the evening's set; each has its own inside."""
    style = replace(draw_style(evening.chance(3)), rainbow=False)
    for attempt in range(ATTEMPTS):
        chance = evening.chance(2, which, attempt)
        if attempt == ATTEMPTS // 2:  # no die of this colour can be read in that style
            style = replace(draw_style(chance), rainbow=False)
        piece = draw_die(chance, style, die.colour, yaw, die.value)
        if piece.contrast > READABLE:
            break
    piece.body[bodies.AT : bodies.AT + 2] = at
    return piece


def thrown(
    evening: Evening, number: int, dice: Sequence[Die], low: Floats, high: Floats
) -> list[SketchPiece]:
    """Return dice come to rest in the box from *low* to *high*, elsewhere on each photo."""
    hand = evening.chance(6, number)
    places: list[Floats] = []
    for _ in dice:
        for _ in range(CROWDED):
            at = hand.uniform(low, high)
            if all(np.hypot(*(at - other)) > APART for other in places):
                break
        places.append(at)
    return [
        a_die(evening, die, float(hand.uniform(0, 2 * np.pi)), tuple(at), which)
        for which, (die, at) in enumerate(zip(dice, places, strict=True))
    ]


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
    """Return a board's page on the evening's table: the paper has its own white."""
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


CELL_MM = 20.0  # tall, on our print
AGAIN = 6  # times that a hand goes over a mark which nobody would see


class PlayersSheet:
    """The sheet of one player on one evening, as far as it is filled."""

    def __init__(self, evening: Evening, seat: int) -> None:
        self.evening, self.seat = evening, seat
        self.geometry: dict[str, Any] = json.loads(GEOMETRY.read_text())
        rng = evening.chance(8, seat)
        self.form, self.empty = empty_sheet(rng, self.geometry)
        tooth = tooth_of(rng, self.empty.shape[:2], self.form.px_per_mm)
        self.writer = Writer(rng, draw_person(rng, CELL_MM), self.form, tooth)
        self.states = np.full(len(self.form.six), BLANK)

    def photo(
        self, number: int, marks: Sequence[MarkedCell]
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Return a photo, (h, w, 3) BGR, of the sheet with *marks*, and what it shows."""
        self._fill(marks)
        rng = self.evening.chance(1, number)
        table = self.evening.chance(9, self.seat)
        view = photograph_page(rng, table, self.form, self._page())
        height, width = view.bgr.shape[:2]
        labels = [{"cell": one.cell, "mark": one.mark} for one in marks]
        matrix = np.round(view.matrix / view.matrix[2, 2], 9).tolist()  # mm of paper to px
        return view.bgr, {"width": width, "height": height, "matrix": matrix, "marks": labels}

    def _page(self) -> InkShares:
        page = self.empty.copy()
        lines = [self.writer.lines] if self.writer.lines else []
        for pen, layer in (*self.writer.layers.values(), *lines):
            layer.laid_on(page, pen)
        return page

    def _fill(self, marks: Sequence[MarkedCell]) -> None:
        """Write what is not there yet: checks first, then what is blackened and struck through."""
        by_cell = {tuple(mark.cell): STATES.index(mark.mark) for mark in marks}
        cells = [tuple(cell["cell"]) for cell in self.geometry["cells"]]
        wanted = np.array([by_cell[cell] for cell in cells])
        for cell in np.flatnonzero((self.states == BLANK) & (wanted != BLANK)):
            self._written(lambda cell=cell: self._check(cell), [int(cell)])
        for cell in np.flatnonzero((self.states != BLACKENED) & (wanted == BLACKENED)):
            self._written(lambda cell=cell: self.writer.blacken(cell), [int(cell)])
        fresh = np.flatnonzero((self.states != STRUCK) & (wanted == STRUCK)).tolist()
        for _, group in groupby(fresh, key=lambda cell: int(self.form.row[cell])):
            row = list(group)
            self._written(lambda row=row: self.writer.strike(row), row)
        self.states = wanted

    def _check(self, cell: int) -> None:
        sparse = bool(self.form.six[cell]) or self.writer.hand.strike == "each"
        self.writer.check(cell, sparse)

    def _written(self, write: Any, cells: list[int]) -> None:
        """Write until everybody can see it: a pen that fails is pressed harder."""
        before = self._page()
        for _ in range(AGAIN):
            write()
            if (plainness(self.form, before, self._page())[cells] >= PLAIN).all():
                return
