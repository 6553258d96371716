"""Our own printed sheet on a table, filled by a hand: drawn from the geometry that we print.

In: what `pipsight print --geometry` writes. Out: a photo of the whole paper with its truth.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import cv2
import numpy as np

from models.augment import Pixels
from models.sheets.empty import paper
from models.sheets.fill import fill_form
from models.sheets.filled import FilledSheet
from models.sheets.form import Form, Truth
from models.sheets.photo import SheetView, photograph
from models.sheets.printing import FACES
from models.sheets.strokes import Floats, InkShares, Random
from models.textures import cloth, felt, stone, wood
from models.textures.paint import plain
from models.textures.texture import Picture

PX_PER_MM = 3.2  # of the page that is drawn; a pen's line of 0.4 mm is then more than a px
TABLES: tuple[Callable[[Random], Picture], ...] = (
    *(plain, plain, wood.texture, wood.texture),
    *(cloth.texture, stone.texture, felt.texture),
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
    rng: Random,
    geometry: Mapping[str, Any],
    *,
    people: bool = False,
    wanted: Truth | None = None,
) -> FilledSheet:
    """Draw a sheet of that geometry, filled by any hand, on any table; polygons are in mm.

    *people* play by the rules and write as people do, and write what is *wanted* (`fill_form`).
    """
    form, page = empty_sheet(rng, geometry)
    truth, hand = fill_form(rng, form, page, people=people, wanted=wanted)
    view = photograph_page(rng, rng, form, page)
    polygons = np.array([cell["polygon"] for cell in geometry["cells"]], np.float64)
    return FilledSheet(view.bgr, view.matrix, polygons, form.six, truth, hand)


def draw_block(rng: Random, geometry: Mapping[str, Any], *, people: bool = False) -> FilledSheet:
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
    truth, hand = fill_form(rng, form, page, people=people)
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
        [
            [PX_PER_MM, 0, corner[0] - 0.5],
            [0, PX_PER_MM, corner[1] - 0.5],
            [0, 0, 1],
        ]
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
