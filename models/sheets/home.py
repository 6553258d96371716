"""Our own printed sheet on a table, filled by a hand: drawn from the geometry that we print.

In: what `pipsight print --geometry` writes. Out: a photo of the whole paper with its truth.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models import augment
from models.drawn import Pixels
from models.sheets.marks import Hand
from models.sheets.printing import FACES, draw_form, paper
from models.sheets.strokes import BLACKENED, STRUCK, Floats, Form, InkShares, Random, Truth
from models.sheets.writer import OddWriter, fill_form
from models.textures.surfaces import Picture, cloth, felt, plain, stone, wood

ANY_CELL = (21.0, 64.0)  # px of a cell's side on the photo
CURL = 0.09  # cells that a curved sheet lies off its plane at most, as seen
EXPOSURE = (0.48, 1.04)  # of the sensor's range, where the bright tenth of the sheet begins
RIM = 0.015  # of the page's width or height, what lies around it goes on like
DARKEST = 0.25  # of the light that a shadow leaves


@dataclass(frozen=True, slots=True, eq=False)
class SheetView:
    """A photo of a page: `matrix` maps page px to photo px, as if the sheet were flat."""

    bgr: Pixels
    matrix: Floats  # (3, 3)


def photograph(
    rng: Random, page: InkShares, cell_px: float, cell: tuple[float, float] = ANY_CELL
) -> SheetView:
    """Return a photo of the (h, w, 3) page, on which a cell is *cell_px* px wide.

    On the photo it is between the two of *cell* px wide, more or less.
    """
    high, wide = page.shape[:2]
    scale = float(np.exp(rng.uniform(*np.log(cell)))) / cell_px
    matrix, size = _view(rng, (wide, high), scale)
    lit = page * _light(rng, (high, wide))
    lit *= rng.uniform(*EXPOSURE) / np.float32(np.percentile(lit[::8, ::8], 90))
    _folds(rng, lit)
    if scale < 0.75:  # below it a linear map would skip px
        lit = np.asarray(cv2.GaussianBlur(lit, (0, 0), 0.42 / scale), np.float32)
    bgr = np.clip(255 * lit, 0, 255).astype(np.uint8)
    curl = CURL * cell_px * float(rng.choice([0, 0.2, 1], p=[0.45, 0.35, 0.2]))
    u, v = _places(rng, matrix, size, curl, cell_px)
    warped = cv2.remap(bgr, _beyond(u, wide), _beyond(v, high), cv2.INTER_LINEAR,
                     borderMode=cv2.BORDER_REFLECT_101)  # fmt: skip
    return SheetView(_sensor(rng, np.asarray(warped, np.uint8), scale * cell_px), matrix)


def _view(rng: Random, size: tuple[int, int], scale: float) -> tuple[Floats, tuple[int, int]]:
    """Return page to photo, and the photo's size: the page fills it, turned and tilted a little."""
    wide, high = size
    corners = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float64) * scale
    angle, tilt = rng.normal(0, 0.12), np.deg2rad(rng.uniform(0, 42))
    c, s = np.cos(angle), np.sin(angle)
    middle = corners.mean(axis=0)
    turned = (corners - middle) @ np.array([[c, s], [-s, c]])
    # Tilted about an axis in the page, seen by a pinhole so many half diagonals away.
    way = rng.uniform(0, 2 * np.pi)
    down = np.array([np.cos(way), np.sin(way)])
    along = turned @ down
    away = rng.uniform(2.2, 4.5) * np.hypot(*middle)
    tilted = turned + np.outer(along * (np.cos(tilt) - 1), down)
    corners_px = tilted / (1 + along * np.sin(tilt) / away)[:, None]
    corners_px -= corners_px.min(axis=0)
    matrix = cv2.getPerspectiveTransform(
        np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32),
        corners_px.astype(np.float32),
    )
    far = np.ceil(corners_px.max(axis=0)).astype(int)
    return np.asarray(matrix, np.float64), (int(far[0]), int(far[1]))


def _places(
    rng: Random, matrix: Floats, size: tuple[int, int], curl: float, cell_px: float
) -> tuple[InkShares, InkShares]:
    """Return for every px of the photo the px of the page that it shows."""
    x, y = np.meshgrid(np.arange(size[0], dtype=np.float32), np.arange(size[1], dtype=np.float32))
    back = np.linalg.inv(matrix).astype(np.float32)
    w = back[2, 0] * x + back[2, 1] * y + back[2, 2]
    u = (back[0, 0] * x + back[0, 1] * y + back[0, 2]) / w
    v = (back[1, 0] * x + back[1, 1] * y + back[1, 2]) / w
    if curl:
        angle = rng.uniform(0, 2 * np.pi)
        wave = 2 * np.pi / (cell_px * rng.uniform(5, 16))
        sway = curl * np.sin(wave * (u * np.cos(angle) + v * np.sin(angle)) + rng.uniform(0, 6))
        way = rng.uniform(0, 2 * np.pi)
        u, v = u + np.float32(np.cos(way)) * sway, v + np.float32(np.sin(way)) * sway
    return u.astype(np.float32), v.astype(np.float32)


def _beyond(at: InkShares, size: int) -> InkShares:
    """Return places in px of the page where those off it show its rim, over and over."""
    rim = RIM * size
    off = np.maximum(-at, at - (size - 1))
    inside = np.abs((off + rim) % (2 * rim) - rim)  # there and back between 0 and the rim
    folded = np.where(at < 0, inside, size - 1 - inside)
    return np.asarray(np.where(off > 0, folded, at), np.float32)


def _light(rng: Random, shape: tuple[int, int]) -> InkShares:
    """Return (h, w, 3) light: uneven, with its colour, and shadows of hands, phones, blinds."""
    high, wide = shape
    few = rng.standard_normal((4, 4), np.float32)
    smooth = cv2.resize(few, (wide, high), interpolation=cv2.INTER_CUBIC)
    light = 1 + rng.uniform(0, 0.12) * smooth
    y, x = np.mgrid[-1 : 1 : high * 1j, -1 : 1 : wide * 1j].astype(np.float32)
    way = rng.uniform(0, 2 * np.pi)
    light *= 1 + rng.uniform(0, 0.35) * (x * np.cos(way) + y * np.sin(way))
    for _ in range(int(rng.choice([0, 1, 2], p=[0.5, 0.35, 0.15]))):
        way = rng.uniform(0, 2 * np.pi)
        bend = rng.normal(0, 0.4) * (x * np.sin(way) - y * np.cos(way)) ** 2
        edge = x * np.cos(way) + y * np.sin(way) + bend - rng.uniform(-0.9, 0.9)
        left = rng.uniform(DARKEST, 0.9)
        light *= left + (1 - left) / (1 + np.exp(-edge / rng.uniform(0.01, 0.25)))
    colour = np.exp(rng.normal(0, 0.07, 3))
    return np.asarray(np.clip(light, 0.05, None)[..., None] * colour, np.float32)


def _folds(rng: Random, lit: InkShares) -> None:
    """Fold the sheet and flatten it again: a line, a little darker on one side."""
    high, wide = lit.shape[:2]
    for _ in range(int(rng.choice([0, 1, 2], p=[0.8, 0.13, 0.07]))):
        angle = rng.choice([0, np.pi / 2]) + rng.normal(0, 0.08)
        y, x = np.mgrid[0:high, 0:wide].astype(np.float32)
        away = (x - rng.uniform(0, wide)) * np.sin(angle) + (y - rng.uniform(0, high)) * np.cos(
            angle
        )
        ridge = np.exp(-((away / rng.uniform(0.7, 2.5)) ** 2)) * rng.normal(0, 0.12)
        slope = rng.normal(0, 0.04) * np.tanh(away / rng.uniform(2, 30))
        lit *= (1 + ridge + slope)[..., None]


def _sensor(rng: Random, bgr: Pixels, cell: float) -> Pixels:
    """Add what lens, sensor and software do; blur is limited by what a person could still read."""
    if rng.random() < 0.1:
        bgr = augment.glare(rng, bgr)
    if rng.random() < 0.02:  # of a plastic cover; paper has none
        bgr = augment.sheen(rng, bgr)
    if rng.random() < 0.15:
        bgr = augment.smear(rng, bgr)
    bgr = augment.recolour(rng, bgr, 0.4)
    bgr = augment.soften(rng, bgr, min(augment.BLUR, 0.045 * cell))
    return augment.roughen(rng, bgr, 10.0)


@dataclass(frozen=True, slots=True, eq=False)
class FilledSheet:
    """A photo with n cells: `matrix` maps the polygons' units to its px."""

    bgr: Pixels
    matrix: Floats  # (3, 3)
    polygons: Floats  # (n, 4, 2), clockwise from a cell's upper left
    six: NDArray[np.bool_]  # (n,) cells that can be blackened, where others can be struck through
    truth: Truth  # (n,) `strokes.BLANK` to `STRUCK`, UNSURE or UNCLEAR
    hand: Hand

    @property
    def possible(self) -> NDArray[np.bool_]:
        """Return (n, 4), which states, BLANK to STRUCK, each cell can have."""
        return possible_states(self.six)


def possible_states(six: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return (n, 4), which states, BLANK to STRUCK, a cell can have that is a six, or is none."""
    possible = np.ones((len(six), STRUCK + 1), np.bool_)
    possible[:, BLACKENED], possible[:, STRUCK] = six, ~six
    return possible


def misplaced(rng: Random, polygons: Floats, much: float) -> Floats:
    """Return (n, 4, 2) cells as a board found a little beside its place has them.

    *much* is the standard error of the board's corners, in sides of a cell.
    """
    size = float(np.sqrt(np.median(np.prod(polygons[:, 2] - polygons[:, 0], axis=1))))
    low, high = polygons.min(axis=(0, 1)), polygons.max(axis=(0, 1))
    square = np.array([low, (high[0], low[1]), high, (low[0], high[1])])
    moved = square + rng.normal(0, much * size, (4, 2))
    shift = cv2.getPerspectiveTransform(square.astype(np.float32), moved.astype(np.float32))
    out = cv2.perspectiveTransform(polygons.reshape(-1, 1, 2), shift).reshape(-1, 4, 2)
    own = rng.normal(0, much * size / 3, (len(polygons), 1, 2))  # paper is not quite flat
    return np.asarray(out + own, np.float64)


def draw_filled(rng: Random, *, people: bool = False, odd: OddWriter | None = None) -> FilledSheet:
    """Draw half a sheet of any look, filled by any hand, or by one as *people* have."""
    form, page = draw_form(rng)
    truth, hand = fill_form(rng, form, page, people=people, odd=odd)
    view = photograph(rng, page, float(form.size_px.mean()))
    return FilledSheet(view.bgr, view.matrix, form.polygons_px, form.six, truth, hand)


PX_PER_MM = 3.2  # of the page that is drawn; a pen's line of 0.4 mm is then more than a px
TABLES: tuple[Callable[[Random], Picture], ...] = (
    *(plain, plain, wood, wood),
    *(cloth, stone, felt),
)
AROUND = (0.03, 0.12)  # of the paper's longer side, table seen around it
CELL = (34.0, 80.0)  # px of a cell's side on the photo
BESIDE = 26.0  # mm of paper kept around the cells of a block
FRAME, FIGURE, INSET, WORD = 0.3, 7.0, 1.0, 2.2  # mm, of the print
BOLD = (0.8, 2.2)  # times that figures differ from paper as much as they should
INKS = {  # BGR of frames and of figures, by the part of the sheet
    "red": ((0.2, 0.2, 0.78), (0.66, 0.68, 0.94)),
    "blue": ((0.7, 0.34, 0.16), (0.94, 0.76, 0.66)),
}


def draw_printed(
    rng: Random, geometry: Mapping[str, Any], *, people: bool = False, wanted: Truth | None = None
) -> FilledSheet:
    """Draw a sheet of that geometry, filled by any hand, on any table; polygons are in mm.

    *people* play by the rules and write as people do, and write what is *wanted* (`fill_form`).
    """
    form, page = empty_sheet(rng, geometry)
    truth, hand = fill_form(rng, form, page, people=people, wanted=wanted)
    view = photograph_page(rng, rng, form, page)
    polygons = np.array([cell["polygon"] for cell in geometry["cells"]], np.float64)
    return FilledSheet(view.bgr, view.matrix, polygons, form.six, truth, hand)


def draw_block(
    rng: Random, geometry: Mapping[str, Any], *, people: bool = False, odd: OddWriter | None = None
) -> FilledSheet:
    """Draw the part of a printed sheet that its cells lie on: all that `crop_cells` sees of it."""
    polygons = np.array([cell["polygon"] for cell in geometry["cells"]], np.float64)
    low = np.floor(polygons.min(axis=(0, 1)) - BESIDE)
    far = np.ceil(polygons.max(axis=(0, 1)) + BESIDE)
    moved = {
        "paper_mm": far - low,
        "fiducials": [
            {**marker, "corners": np.array(marker["corners"]) - low}
            for marker in geometry["fiducials"]
        ],
        "cells": [
            {**cell, "polygon": polygon - low}
            for cell, polygon in zip(geometry["cells"], polygons, strict=True)
        ],
    }
    form, page = empty_sheet(rng, moved)
    truth, hand = fill_form(rng, form, page, people=people, odd=odd)
    view = photograph(rng, page, float(form.size_px.mean()), CELL)
    to_page = np.array([[PX_PER_MM, 0, -0.5], [0, PX_PER_MM, -0.5], [0, 0, 1]])
    return FilledSheet(view.bgr, view.matrix @ to_page, polygons - low, form.six, truth, hand)


def empty_sheet(rng: Random, geometry: Mapping[str, Any]) -> tuple[Form, InkShares]:
    """Return the form of a geometry and its page as printed, (h, w, 3) BGR in [0, 1]."""
    width, height = geometry["paper_mm"]
    page = paper(rng, (round(PX_PER_MM * height), round(PX_PER_MM * width)), light=True)
    form = form_of(geometry)
    _print(rng, page, geometry)
    return form, page


def photograph_page(rng: Random, table: Random, form: Form, page: InkShares) -> SheetView:
    """Return a photo of a page on the table drawn with *table*; its matrix maps mm to px."""
    scene, corner = _on_table(table, page)
    view = photograph(rng, scene, float(form.size_px.mean()), CELL)
    # A point of the paper in mm lies at PX_PER_MM times that less half a px, px being centres.
    to_scene = np.array(
        [[PX_PER_MM, 0, corner[0] - 0.5], [0, PX_PER_MM, corner[1] - 0.5], [0, 0, 1]]
    )
    return SheetView(view.bgr, view.matrix @ to_scene)


def form_of(geometry: Mapping[str, Any], px_per_mm: float = PX_PER_MM) -> Form:
    """Return the cells of a geometry as a form on its paper."""
    cells = geometry["cells"]
    polygons = px_per_mm * np.array([cell["polygon"] for cell in cells], np.float64) - 0.5
    rows: dict[tuple[Any, ...], int] = {}
    row = [rows.setdefault(tuple(cell["cell"][:-1]), len(rows)) for cell in cells]
    six = np.array(["blackened" in cell["marks"] for cell in cells])
    return Form(px_per_mm, polygons, np.array(row, np.int64), six, True)


def _print(rng: Random, page: InkShares, geometry: Mapping[str, Any]) -> None:
    """Print markers, frames and figures, in colour or in grey, by a printer more or less dry.

    Printers and phones make figures stronger too, so that a blank cell seems to be written in.
    """
    canvas = np.ascontiguousarray((255 * page).astype(np.uint8))
    grain = page - canvas / np.float32(255)
    for marker in geometry["fiducials"]:
        _marker(canvas, marker)
    grey, dry, bold = rng.random() < 0.15, rng.uniform(0.0, 0.35), rng.uniform(*BOLD)
    face, weight = cv2.FontFace(str(rng.choice(FACES[::2]))), int(rng.integers(300, 500))
    shades: dict[str, Floats] = {}
    for cell in geometry["cells"]:
        frame, figure = (np.array(ink) for ink in INKS[str(cell["cell"][0])])
        if grey:
            frame, figure = (np.full(3, ink @ [0.114, 0.587, 0.299]) for ink in (frame, figure))
        frame, figure = (ink + dry * (1 - ink) for ink in (frame, figure))
        frame, figure = 255 * frame, 255 * np.clip(1 - bold * (1 - figure), 0, 1)
        shades[str(cell["cell"][0])] = frame
        polygon = PX_PER_MM * np.array(cell["polygon"]) - 0.5
        _outline(canvas, polygon, frame)
        if "blackened" in cell["marks"]:
            inner = polygon + INSET * PX_PER_MM * np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)])
            _outline(canvas, inner, frame)
        size = round(FIGURE * PX_PER_MM * 1.35)
        x0, y0, w, h = cv2.getTextSize((9999, 9999), cell["label"], (0, 0), face, size, weight)
        middle = polygon.mean(axis=0)
        at = round(float(middle[0]) - w / 2 - x0), round(float(middle[1]) - h / 2 - y0)
        cv2.putText(canvas, cell["label"], at, figure.tolist(), face, size, weight)
    for colour, ink in shades.items():
        row = [np.array(c["polygon"]) for c in geometry["cells"] if c["cell"][:2] == [colour, 0]]
        right = PX_PER_MM * (row[-2][1] - (0.8 * WORD * len(colour), 1.0))
        at = round(float(right[0])), round(float(right[1]))
        cv2.putText(canvas, colour, at, ink.tolist(), face, round(1.35 * WORD * PX_PER_MM), 400)
    np.clip(canvas / np.float32(255) + grain, 0, 1, out=page)


def _outline(canvas: Pixels, polygon: Floats, ink: Floats) -> None:
    corners = [np.round(16 * polygon).astype(np.int32)]
    thick = max(1, round(FRAME * PX_PER_MM))
    cv2.polylines(canvas, corners, True, ink.tolist(), thick, cv2.LINE_AA, 4)


def _marker(canvas: Pixels, marker: Mapping[str, Any]) -> None:
    number = getattr(cv2.aruco, marker["dictionary"])
    markers = cv2.aruco.getPredefinedDictionary(number)
    side = 8 * (markers.markerSize + 2)
    picture = cv2.aruco.generateImageMarker(markers, marker["id"], side)
    square = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32) - 0.5
    corners = (PX_PER_MM * np.array(marker["corners"]) - 0.5).astype(np.float32)
    to_page = cv2.getPerspectiveTransform(square, corners)
    low = np.floor(corners.min(axis=0)).astype(int).clip(0)
    far = np.ceil(corners.max(axis=0)).astype(int) + 1
    part = canvas[low[1] : far[1], low[0] : far[0]]
    if not part.size:
        return
    to_part = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]]) @ to_page
    size = part.shape[1::-1]
    ink = cv2.warpPerspective(picture, to_part, size, flags=cv2.INTER_AREA)
    inside = cv2.warpPerspective(np.full_like(picture, 255), to_part, size)
    part[inside > 127] = np.maximum(ink, 22)[inside > 127, None]


def _on_table(rng: Random, page: InkShares) -> tuple[InkShares, tuple[int, int]]:
    """Lay the page on a table; return both, and where the page's corner lies."""
    high, wide = page.shape[:2]
    left, top, right, bottom = (int(share * max(high, wide)) for share in rng.uniform(*AROUND, 4))
    size = wide + left + right, high + top + bottom
    table = TABLES[int(rng.integers(len(TABLES)))](rng)[..., ::-1]
    scene = np.asarray(cv2.resize(np.ascontiguousarray(table), size), np.float32)
    shadow = np.zeros(scene.shape[:2], np.float32)
    dx, dy = rng.integers(-4, 5, 2)
    cv2.rectangle(
        shadow, (left + int(dx), top + int(dy)), (left + wide + int(dx), top + high + int(dy)),
        1.0, -1,
    )  # fmt: skip
    scene *= 1 - rng.uniform(0.2, 0.6) * cv2.GaussianBlur(shadow, (0, 0), 4)[..., None]
    scene[top : top + high, left : left + wide] = page
    return scene, (left, top)
