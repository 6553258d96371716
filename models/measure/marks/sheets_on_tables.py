"""Sheets from our printer on real tables, from bytes to marks: `make marks ARGS="--tables 50"`.

The page is the PDF of `pipsight print`, filled by a person's hand (`draw_person`) and seen by a
pinhole over a photo of somebody's real table, whose light falls on it too. Nothing of it went into
training: neither this print, nor these tables, nor this camera. Only the hands are drawn, and
with `--ink` they are strokes of real people (`real_hand`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from models.augment import Pixels
from models.sheets.home import form_of
from models.sheets.printing import PX_PER_MM, printed_page
from models.sheets.strokes import UNSURE, Form, InkShares, Random, Truth
from models.sheets.writer import fill_form
from vision import Reading
from vision.decode import decode
from vision.layout import Layout
from vision.pipeline import read
from vision.reading import Look

Habits = tuple[str, ...]  # how a hand checks, strikes rows through, and its pen
# Writes the states wanted on the page; returns them, UNSURE where a mark is too faint to see.
Fill = Callable[[Random, Form, InkShares, Truth], tuple[Truth, Habits]]

BOARD = "sheet:dice-wide-shut"
SIZE = (1500, 2000)  # px of the photo
TILT, TURN = 35.0, 25.0  # degrees at most
FILLS = (0.62, 0.9)  # of the photo's height, by the paper's


@cache
def tables(folder: Path) -> tuple[Path, ...]:
    """Return photos of tables: what lies on them stays there, around or below the sheet."""
    sets = ("dice-byler", "dice-catan", "dice-epanemu", "dice-skovy", "domino-jjmlovesgit")
    return tuple(path for name in sets for path in sorted((folder / name / "images").glob("*")))


def read_on_table(
    rng: Random, wanted: Truth, folder: Path, fill: Fill
) -> tuple[Reading, Habits] | None:
    """Return how a sheet is read and how its hand writes; None: a mark is too faint.

    *wanted* are the states to write, cell by cell.
    """
    picture, geometry = _printed()
    page = np.asarray(picture / np.float32(255 / rng.uniform(0.9, 1.0)), np.float32)
    form = form_of(geometry, PX_PER_MM)
    truth, habits = fill(rng, form, page, wanted)
    if (truth == UNSURE).any():
        return None
    places = tables(folder)
    table = cv2.imread(str(places[int(rng.integers(len(places)))]))
    assert table is not None
    ground = np.asarray(cv2.resize(table, SIZE, interpolation=cv2.INTER_CUBIC), np.uint8)
    photo = _photo(rng, page, ground)
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(80, 95))]
    content = cv2.imencode(".jpg", photo, quality)[1].tobytes()
    return read(decode(content), Look("board", BOARD, layout=Layout.from_json(geometry))), habits


def fill_by_person(rng: Random, form: Form, page: InkShares, wanted: Truth) -> tuple[Truth, Habits]:
    """Fill the (h, w, 3) page as our simulated people do."""
    truth, hand = fill_form(rng, form, page, people=True, wanted=wanted)
    return truth, (hand.checks[0], hand.strike, hand.pen.kind)


@cache
def _printed() -> tuple[Pixels, dict[str, object]]:
    return printed_page(BOARD)


def _photo(rng: Random, page: InkShares, table: Pixels) -> Pixels:
    """Return the (h, w, 3) page as it lies on the table, SIZE."""
    few = cv2.resize(cv2.cvtColor(table, cv2.COLOR_BGR2GRAY), (9, 12), interpolation=cv2.INTER_AREA)
    share = np.clip(few / np.float32(np.median(few)), 0.6, 1.25) * np.float32(
        rng.uniform(0.65, 0.95)
    )
    light = cv2.resize(share.astype(np.float32), SIZE, interpolation=cv2.INTER_CUBIC)
    high, wide = page.shape[:2]
    square = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
    corners_px = _seen(rng, square)
    matrix = cv2.getPerspectiveTransform(square, corners_px.astype(np.float32))
    scale = float(np.linalg.norm(corners_px[1] - corners_px[0]) / wide)
    if scale < 1:  # else the map would skip px
        page = np.asarray(cv2.GaussianBlur(page, (0, 0), 0.4 / scale), np.float32)
    lying = cv2.warpPerspective(page, matrix, SIZE, flags=cv2.INTER_LINEAR)
    inside = cv2.warpPerspective(np.ones((high, wide), np.float32), matrix, SIZE)[..., None]
    shadow = cv2.GaussianBlur(inside, (0, 0), 6)[..., None]
    ground = table / np.float32(255) * (1 - 0.35 * shadow)
    scene = inside * lying * light[..., None] + (1 - inside) * ground
    scene = cv2.GaussianBlur(scene, (0, 0), rng.uniform(0.4, 1.3))
    scene += rng.normal(0, rng.uniform(0.004, 0.02), scene.shape)
    return np.asarray(np.clip(255 * scene, 0, 255), np.uint8)


def _seen(rng: Random, square: InkShares) -> InkShares:
    """Return the four corners of a page as a camera above the table sees them, px."""
    flat = square - square.mean(axis=0)
    turn, tilt = np.deg2rad(rng.uniform(-TURN, TURN)), np.deg2rad(rng.uniform(0, TILT))
    way = rng.uniform(0, 2 * np.pi)
    c, s = np.cos(turn), np.sin(turn)
    flat = flat @ np.array([[c, s], [-s, c]])
    along = flat @ np.array([np.cos(way), np.sin(way)])
    away = 2.6 * np.hypot(*square[2]) / 2
    tilted = flat + np.outer(along * (np.cos(tilt) - 1), [np.cos(way), np.sin(way)])
    corners_px = tilted / (1 + along * np.sin(tilt) / away)[:, None]
    spread = np.ptp(corners_px, axis=0)
    corners_px *= min(rng.uniform(*FILLS) * SIZE[1] / spread[1], 0.97 * SIZE[0] / spread[0])
    room = np.array(SIZE) - np.ptp(corners_px, axis=0)
    return np.asarray(
        corners_px - corners_px.min(axis=0) + room * rng.uniform(0.1, 0.9, 2), np.float32
    )
