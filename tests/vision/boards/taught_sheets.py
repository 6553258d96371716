"""A score sheet of somebody else, taught from a photo of it empty."""

import json
from dataclasses import replace
from functools import cache

import numpy as np

from models.camera import sent
from models.measure.boards.boards import PrintedView, photographed
from models.sheets.cases import GEOMETRY
from models.sheets.foreign import draw_foreign
from models.sheets.printing import PX_PER_MM
from models.sheets.strokes import BLACKENED, BLANK, CHECKED, STRUCK
from models.sheets.writer import fill_form
from vision.adapt.boards import board_with_cells
from vision.layout import Layout
from vision.photo import Photo

LAYOUT = Layout.from_json(json.loads(GEOMETRY.read_text()))
SIZE = (1512, 1512)  # px
ABOVE = PrintedView(elevation=80, azimuth=10, turn=2)
ASIDE = PrintedView(elevation=62, azimuth=140, turn=-6, gain=0.7, blur=0.9)
LOW = PrintedView(elevation=50, azimuth=300, turn=9, gain=0.9, blur=0.6)
MARKS = np.full(60, BLANK)
MARKS[[1, 9, 10, 21, 34, 40, 51, 57]] = CHECKED
MARKS[[12, 13, 14, 15, 16]] = STRUCK
MARKS[[5, 41]] = BLACKENED


@cache
def sheet(look):
    """Return an empty sheet of one of LOOKS, and its page with MARKS."""
    rng = np.random.default_rng([6, *look.encode()])
    empty = draw_foreign(rng, json.loads(GEOMETRY.read_text()), look)
    page = empty.page.copy()
    fill_form(rng, empty.form, page, people=True, wanted=MARKS)
    return empty, page


def shot(page, view, seed=1):
    """Return a photo of a page, and the map from its mm."""
    picture = (255 * page).round().astype(np.uint8)
    bgr, plane = photographed(np.random.default_rng(seed), picture, PX_PER_MM, view, SIZE)
    return Photo.from_array(bgr, "bgr"), plane


def cells_of(boxes):
    """Return the cells of our sheet with upright boxes (n, 4) on the unit square."""
    return [
        replace(cell, polygon=((x0, y0), (x1, y0), (x1, y1), (x0, y1)))
        for cell, (x0, y0, x1, y1) in zip(LAYOUT.cells, boxes.tolist(), strict=True)
    ]


@cache
def taught(look):
    """Return the profile of a sheet."""
    empty, _ = sheet(look)
    photo, plane = shot(empty.page, ABOVE)
    corners = sent(plane, (empty.corners_px + 0.5) / PX_PER_MM)
    return board_with_cells(photo, corners, cells_of(empty.boxes), "board:theirs")
