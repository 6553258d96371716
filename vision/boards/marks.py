"""Read the marks of a printed sheet: what a hand made of each of its cells.

In: a photo, the map from the sheet to it, the cells' polygons. Out: the probabilities of `STATES`
for each cell. A crop shows a cell with its neighbours, for marks leave their cells, and a line
through a row is told from a dash by where it goes on.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boards.bent_page import bent_page, off_plane
from vision.boards.curved import Curved
from vision.boards.filled_cells import covered, with_shaded
from vision.boards.hidden_cells import hidden_cells
from vision.boards.pose import BoardPose
from vision.boards.sample_mark import Shares, beside_a_mark
from vision.decode import Photo, Pixels
from vision.faces.classifier import as_input
from vision.geometry import Floats, Homography, Quad
from vision.layout import CellId, Layout
from vision.models import MarkClassifier, Tensor, mark_classifier, model_path
from vision.reading import MarkReading

STATES = ("blank", "checked", "blackened", "struck")
BLANK, CHECKED, BLACKENED, STRUCK = range(4)
CELL = 32  # px of a cell's side on its crop
WIDE, HIGH = 96, 56  # px of a crop: a cell, and one beside it on either side, 0.4 above and below
SHARP = 1.5  # times CELL; a larger cell is shrunk first, else thin strokes would break up
BRIGHT = 0.8  # of the range, where the bright part of every crop is brought to
PAPER = 85  # per cent of a crop's px that are darker than what counts as its paper
CLEAR = 0.9  # probability that a cell is not blank, from which a sheet is not an empty one
WORTH_TELLING = 0.001  # probability from which another state is told
ASTRAY = 0.1  # share of marks that may belong to a neighbour where the sheet's place is in doubt
# Of a cell's side, root mean square at the markers: less than by a wave of 0.09, the highest on the
# pages of the network's lessons (models/sheets/photo.py).
CURVED = 0.075
ACROSS, DOWN = 5, 2  # cells; how far apart two cells are is told to so many, the rest is alike
APART = (2 * ACROSS + 1) * (2 * DOWN + 1)  # ways in which one cell can lie beside another
HIDDEN = "Something covers them, light is reflected there, or they lie off the photo."
GAINS = (0.7, 4.0)  # least and most that a crop is brightened by


@dataclass(frozen=True, slots=True)
class MarkCalibration:
    """How far the network is believed: fitted to sheets of hands that it did not learn from."""

    temperature: float  # that logits are divided by
    sure: float  # probability from which nobody is asked


@cache
def shipped_calibration() -> MarkCalibration:
    """Return the calibration that is shipped."""
    return MarkCalibration(**json.loads(model_path("mark_calibration.json").read_text()))


def crop_cells(bgr: Pixels, matrix: Floats, polygons: Floats) -> Pixels:
    """Return (n, HIGH, WIDE, 3) BGR crops, one a cell, upright and equally bright.

    Args:
        bgr: the photo.
        matrix: (3, 3), maps the polygons' units (mm of the sheet) to px of the photo.
        polygons: (n, 4, 2), clockwise from each cell's own upper left.
    """
    crops = np.zeros((len(polygons), HIGH, WIDE, 3), np.uint8)
    if not len(polygons):
        return crops
    patch, matrix = _shrunk(bgr, matrix, polygons)
    x, y = (WIDE - CELL) / 2, (HIGH - CELL) / 2
    onto = (np.array([(x, y), (x + CELL, y), (x + CELL, y + CELL), (x, y + CELL)]) - 0.5).astype(
        np.float32
    )
    for crop, polygon in zip(crops, polygons, strict=True):
        to_sheet = cv2.getPerspectiveTransform(onto, polygon.astype(np.float32))
        cv2.warpPerspective(
            *(patch, matrix @ to_sheet, (WIDE, HIGH), crop),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
    return _evenly_bright(crops)


def _shrunk(bgr: Pixels, matrix: Floats, polygons: Floats) -> tuple[Pixels, Floats]:
    """Return the part of the photo that the cells lie on, no larger than needed, and its map."""
    corners = Homography(matrix, 0.0).apply(polygons.reshape(-1, 2)).reshape(-1, 4, 2)
    step = corners[:, 2] - corners[:, 0]
    cross = corners[:, 3] - corners[:, 1]
    sides = np.sqrt(np.abs(step[:, 0] * cross[:, 1] - step[:, 1] * cross[:, 0]) / 2)
    side = float(np.median(sides))
    high, wide = bgr.shape[:2]
    low = np.clip(np.floor(corners.min(axis=(0, 1)) - 1.5 * side), 0, (wide - 1, high - 1))
    far = np.clip(np.ceil(corners.max(axis=(0, 1)) + 1.5 * side), low + 1, (wide, high))
    x0, y0, x1, y1 = (int(v) for v in (*low, *far))
    patch, zoom = bgr[y0:y1, x0:x1], min(1.0, SHARP * CELL / max(side, 1.0))
    size = max(1, round(zoom * patch.shape[1])), max(1, round(zoom * patch.shape[0]))
    small = cv2.resize(patch, size, interpolation=cv2.INTER_AREA) if zoom < 1 else patch
    zx, zy = size[0] / patch.shape[1], size[1] / patch.shape[0]
    moved = np.array([[zx, 0, (0.5 - x0) * zx - 0.5], [0, zy, (0.5 - y0) * zy - 0.5], [0, 0, 1.0]])
    return np.asarray(small, np.uint8), moved @ matrix


def _evenly_bright(crops: Pixels) -> Pixels:
    """Return the crops with their paper equally bright: shadows and exposure say nothing."""
    some = crops[:, ::3, ::3].max(axis=3).reshape(len(crops), -1)
    gains = 255 * BRIGHT / np.maximum(np.percentile(some, PAPER, axis=1), 1)
    for crop, gain in zip(crops, np.clip(gains, *GAINS), strict=True):
        cv2.convertScaleAbs(crop, crop, float(gain), 0)
    return crops


def apart(polygons: Floats) -> NDArray[np.int64]:
    """Return (n, n) where cell j lies as cell i sees it, one of APART: so a line can be followed.

    Cells are counted by the median cell's sides: to the right up to ACROSS, down up to DOWN.
    """
    steps = np.array([polygons[:, 1] - polygons[:, 0], polygons[:, 3] - polygons[:, 0]])
    sides = np.median(steps, axis=1)  # (2, 2): to the right and down
    middles = polygons.mean(axis=1) @ np.linalg.inv(sides)
    away = np.rint(middles[None] - middles[:, None]).astype(np.int64)
    right = np.clip(away[..., 0], -ACROSS, ACROSS) + ACROSS
    down = np.clip(away[..., 1], -DOWN, DOWN) + DOWN
    return np.asarray(down * (2 * ACROSS + 1) + right, np.int64)


def mark_probs(logits: Tensor, possible: NDArray[np.bool_], temperature: float = 1.0) -> Floats:
    """Return (n, 4) probabilities of `STATES` from (n, 4) logits.

    Args:
        logits: of the network.
        possible: (n, 4), which states a cell can have. Where it cannot be blackened, one that is
            filled from edge to edge is checked: people check with blots too.
        temperature: the logits are divided by it (Guo et al., "On calibration of modern neural
            networks", ICML 2017).
    """
    cooled = logits.astype(np.float64) / temperature
    blot = np.logaddexp(cooled[:, CHECKED], cooled[:, BLACKENED])
    cooled[:, CHECKED] = np.where(possible[:, BLACKENED], cooled[:, CHECKED], blot)
    cooled[~possible] = -np.inf
    shares = np.exp(cooled - cooled.max(axis=1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True), np.float64)


def read_marks(
    bgr: Pixels,
    to_px: Homography,
    polygons: Floats,
    possible: NDArray[np.bool_],
    classifier: MarkClassifier,
    temperature: float = 1.0,
) -> Floats:
    """Return (n, 4) probabilities of `STATES` for the cells of a sheet.

    Args:
        bgr: the photo, (h, w, 3).
        to_px: from mm of the sheet to px of the photo.
        polygons: (n, 4, 2) mm, clockwise from each cell's own upper left.
        possible: (n, 4), which states each cell can have, at least one of them.
        classifier: the network.
        temperature: as `mark_probs` takes it.

    Returns:
        A probability is how often such a cell is so, on sheets like those that the network was
        calibrated on (`models/CARD.md`). A cell that is not on the photo can be anything.
    """
    if not len(polygons):
        return np.zeros((0, len(STATES)))
    shares: Floats = possible / possible.sum(axis=1, keepdims=True)
    seen = _on_photo(bgr, to_px, polygons)
    if not seen.any():  # what lies off the photo tells nothing of the others either
        return shares
    there = polygons[seen], possible[seen]

    def shares_on(photo: Pixels) -> Floats:
        crops = crop_cells(photo, to_px.matrix, there[0])
        logits = cell_logits(crops, *there, classifier)
        told = mark_probs(logits, there[1], temperature)
        return with_shaded(told, covered(crops, CELL), there[1][:, BLACKENED], CHECKED, BLACKENED)

    shares[seen] = _of_one_sheet(shares_on(bgr), bgr, to_px, there[0], shares_on)
    return shares


def _of_one_sheet(
    shares: Floats, bgr: Pixels, to_px: Homography, polygons: Floats, shares_on: Shares
) -> Floats:
    """Return the shares with those of blank cells as they are beside a mark, if none is clear."""
    blank = shares[:, BLANK]
    if (blank < 1 - CLEAR).any():
        return shares
    beside, told = beside_a_mark(bgr, to_px, polygons, shares_on)
    told &= blank > 0.5
    return np.where(told[:, None], beside, shares)


def cell_logits(
    crops: Pixels, polygons: Floats, possible: NDArray[np.bool_], classifier: MarkClassifier
) -> Tensor:
    """Return (n, 4) logits of `STATES` for n cells of one sheet, by their crops."""
    return classifier(as_input(crops), apart(polygons), possible)


def _on_photo(bgr: Pixels, to_px: Homography, polygons: Floats) -> NDArray[np.bool_]:
    """Return (n,) whether the middle three quarters of a cell lie on the photo, both ways."""
    middles = polygons.mean(axis=1, keepdims=True)
    inner = to_px.apply((middles + 0.75 * (polygons - middles)).reshape(-1, 2)).reshape(-1, 4, 2)
    inside = (inner >= 0) & (inner <= np.array(bgr.shape[1::-1]) - 1)
    return np.asarray(inside.all(axis=(1, 2)), np.bool_)


def find_marks(
    bgr: Pixels,
    to_px: Homography,
    layout: Layout,
    bent: Curved | None = None,
    *,
    sure: bool = True,
) -> tuple[MarkReading, ...]:
    """Return the marks of a layout's cells that a hand can mark, with the shipped network.

    Args:
        bgr: the photo.
        to_px: from mm of the paper to px of the photo.
        layout: of the sheet that lies there.
        bent: how it is bent, where it is.
        sure: False where the sheet's own place is in doubt; then no mark is sure either: one in
            ten may be a neighbour's (ASTRAY).
    """
    cells = [cell for cell in layout.cells if cell.marks]
    if not cells:
        return ()
    polygons = np.array([cell.polygon for cell in cells])
    polygons = polygons if bent is None else bent.apply(polygons)
    possible = np.array([[state in cell.marks for state in STATES] for cell in cells])
    known = shipped_calibration()
    probs = read_marks(bgr, to_px, polygons, possible, mark_classifier(), known.temperature)
    anything = possible / possible.sum(axis=1, keepdims=True)
    if sure:
        hidden = hidden_cells(bgr, to_px, polygons, probs.argmax(axis=1) == BLANK)
        probs = np.where(hidden[:, None], anything, probs)
    else:
        probs = (1 - ASTRAY) * probs + ASTRAY * anything
    return marks_of([cell.cell for cell in cells], probs, known.sure)


def marks_at(
    photo: Photo, pose: BoardPose | None, layout: Layout | None
) -> tuple[tuple[MarkReading, ...], bool]:
    """Return the marks on a photo of a sheet whose pose is told in px of the photo.

    And whether its cells are where they were looked for: a page that curves no more than those from
    which the network learned is read as well as they are.
    """
    if pose is None or layout is None:
        return (), False
    # What was decoded may be smaller than the photo.
    to_px = Homography(pose.homography.matrix, pose.error_px).enlarged(1 / photo.scale)
    if not layout.fiducials or not any(cell.marks for cell in layout.cells):
        return find_marks(photo.bgr, to_px, layout, sure=pose.sure), pose.sure
    grey = photo.grey()
    seen = replace(pose, homography=to_px)
    bent = bent_page(grey, seen, layout)
    placed = pose.sure or bent is not None or off_plane(grey, seen, layout) < CURVED
    return find_marks(photo.bgr, to_px, layout, bent, sure=placed), placed


def marked(pose: BoardPose | None, layout: Layout | None, quads: Sequence[Quad]) -> frozenset[int]:
    """Return which faces are no pieces but what a hand made of a cell: a filled one, say."""
    if pose is None or layout is None or not quads:
        return frozenset()
    middles = pose.homography.inverse().apply(np.array([quad.center for quad in quads]))
    shapes = [np.array(cell.polygon, np.float32) for cell in layout.cells if cell.marks]
    return frozenset(
        i
        for i, (x, y) in enumerate(middles)
        if any(cv2.pointPolygonTest(shape, (float(x), float(y)), False) >= 0 for shape in shapes)
    )


def hidden_said(marks: Sequence[MarkReading]) -> list[str]:
    """Return a sentence that says where cells are not seen, of which anything may be."""
    rows: dict[str, set[int]] = {}
    hidden = [one.cell for one in marks if not was_seen(one)]
    for part, row, _ in hidden:
        rows.setdefault(str(part), set()).add(int(row) + 1)
    places = " and ".join(f"{part} half, {_rows(which)}" for part, which in rows.items())
    cells = "One cell is" if len(hidden) == 1 else f"{len(hidden)} cells are"
    return [f"{cells} not seen ({places}). {HIDDEN}"] if hidden else []


def _rows(which: set[int]) -> str:
    low, high = min(which), max(which)
    return f"row {low}" if low == high else f"rows {low} to {high}"


def was_seen(one: MarkReading) -> bool:
    """Say whether anything was seen of a cell: else all that it can be is as likely."""
    return one.confidence > max((share for _, share in one.alternatives), default=0.0)


def marks_of(cells: Sequence[CellId], probs: Floats, sure: float) -> tuple[MarkReading, ...]:
    """Return the marks of named cells by (n, 4) probabilities; *sure* is what nobody is asked."""
    return tuple(_mark_of(cell, row, sure) for cell, row in zip(cells, probs, strict=True))


def _mark_of(cell: CellId, probs: Floats, sure: float) -> MarkReading:
    best, *others = (int(k) for k in np.argsort(-probs, kind="stable"))
    confidence = float(probs[best])
    told = tuple((STATES[k], float(probs[k])) for k in others if probs[k] >= WORTH_TELLING)
    return MarkReading(cell, STATES[best], confidence, confidence >= sure, told)
