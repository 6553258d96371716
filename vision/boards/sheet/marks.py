"""Read the handwritten marks in the cells of a printed sheet.

In: a photo, the map from the sheet to it, the cells' polygons. Out: the probabilities of `STATES`
for each cell. A crop shows a cell with its neighbours, because marks extend beyond their cells, and
a line through a row differs from a dash only by its continuation.
"""

import json
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boards.bend import Curved
from vision.boards.bent_page import bent_page, off_plane
from vision.boards.pose import BoardPose
from vision.boards.sheet.as_before import as_before
from vision.boards.sheet.filled_cells import by_ink
from vision.boards.sheet.laid_over import SheetDifference, beside_empty, framed, laid_over
from vision.boards.sheet.occluders import SPOTTED, UNSEEN, Occluder, hidden_by, occluders_on
from vision.boards.sheet.pen_strokes import by_pen, contradicted, of_print, strokes_on
from vision.boards.sheet.sample_mark import ReadCells, beside_a_mark
from vision.boards.sheet.strays import settled_strays
from vision.faces.classifier import as_input
from vision.geometry import Bools, Floats, Homography
from vision.layout import CellId, Layout
from vision.models import MarkClassifier, Tensor, mark_classifier, model_path
from vision.photo import Photo, Pixels
from vision.quad import Quad
from vision.reading import AcceptedSheet, MarkReading
from vision.straight_sheet import StraightSheet, on_photo, straightened

STATES = ("blank", "checked", "blackened", "struck")
BLANK, CHECKED, BLACKENED, STRUCK = range(4)
INKED = BLANK, CHECKED, BLACKENED  # states that differ by their ink
CELL = 32  # px of a cell's side on its crop
WIDE, HIGH = 96, 56  # px of a crop: a cell, one more on either side, and 0.4 above and below
SHARP = 1.5  # times CELL; larger cells are shrunk first, to avoid aliasing of thin strokes
BRIGHT = 0.8  # of the range, to which the paper of every crop is normalized
PAPER = 85  # percentile of a crop's px that counts as its paper
CLEAR = 0.9  # probability that a cell is not blank from which the sheet is not empty
LONE = 2  # clear marks at most beside which the others have too little to be compared with
WORTH_TELLING = 0.001  # probability from which another state is reported
LIKELY = 0.7  # probability of a state from which strokes may contradict it; others are asked about
ASTRAY = 0.1  # share of marks that may belong to a neighbour if the sheet's pose is doubtful
CONTRADICTED = 0.3  # share of marks that may be others if their strokes contradict them
# Largest root mean square distance of the markers from a plane, in cell sides, at which the cells
# are read as usual. A wave of height 0.09, the highest on the training pages
# (models/sheets/home.py), has more.
CURVED = 0.075
ACROSS, DOWN = 5, 2  # cells, largest offset between two cells; larger ones are clipped
APART = (2 * ACROSS + 1) * (2 * DOWN + 1)  # possible offsets between two cells
GAINS = (0.7, 4.0)  # least and largest factor by which a crop is brightened


@dataclass(frozen=True, slots=True)
class MarkCalibration:
    """Calibration of the network, fitted to sheets by people whose hands it was not trained on."""

    temperature: float  # by which logits are divided
    sure: float  # probability from which nobody is asked
    filled: tuple[float, ...] = ()  # weights of `filled_cells.FEATURES`


UNCALIBRATED = MarkCalibration(1.0, 1.0)


@cache
def shipped_calibration() -> MarkCalibration:
    """Return the calibration shipped with the network."""
    stored = json.loads(model_path("mark_calibration.json").read_text())
    return MarkCalibration(**stored | {"filled": tuple(stored["filled"])})


def crop_cells(bgr: Pixels, matrix: Floats, polygons: Floats) -> Pixels:
    """Return (n, HIGH, WIDE, 3) BGR crops, one per cell, upright and of equal brightness.

    Args:
        bgr: the photo.
        matrix: (3, 3), maps the polygons' units (mm of the sheet) to px of the photo.
        polygons: (n, 4, 2), clockwise from each cell's own upper left.
    """
    if not len(polygons):
        return np.zeros((0, HIGH, WIDE, 3), np.uint8)
    return _cropped(*_shrunk(bgr, matrix, polygons), polygons)


def _cropped(patch: Pixels, matrix: Floats, polygons: Floats) -> Pixels:
    """Return the crops of cells whose units the *matrix* maps to px of a patch of the photo."""
    crops = np.zeros((len(polygons), HIGH, WIDE, 3), np.uint8)
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
    return _evenly_bright(crops) if len(crops) else crops


def _shrunk(bgr: Pixels, matrix: Floats, polygons: Floats) -> tuple[Pixels, Floats]:
    """Return the part of the photo with the cells, scaled down if possible, and its (3, 3) map."""
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
    """Normalize the brightness of the paper, so that shadows and exposure do not matter."""
    some = crops[:, ::3, ::3].max(axis=3).reshape(len(crops), -1)
    gains = 255 * BRIGHT / np.maximum(np.percentile(some, PAPER, axis=1), 1)
    for crop, gain in zip(crops, np.clip(gains, *GAINS), strict=True):
        cv2.convertScaleAbs(crop, crop, float(gain), 0)
    return crops


def apart(polygons: Floats) -> NDArray[np.int64]:
    """Return (n, n) offsets from cell i to cell j as one of APART numbers, input of the network.

    Offsets are in sides of the median cell, clipped to ACROSS to the right and DOWN downwards.
    """
    steps = np.array([polygons[:, 1] - polygons[:, 0], polygons[:, 3] - polygons[:, 0]])
    sides = np.median(steps, axis=1)  # (2, 2): to the right and down
    middles = polygons.mean(axis=1) @ np.linalg.inv(sides)
    away = np.rint(middles[None] - middles[:, None]).astype(np.int64)
    right = np.clip(away[..., 0], -ACROSS, ACROSS) + ACROSS
    down = np.clip(away[..., 1], -DOWN, DOWN) + DOWN
    return np.asarray(down * (2 * ACROSS + 1) + right, np.int64)


def mark_probs(logits: Tensor, possible: Bools, temperature: float = 1.0) -> Floats:
    """Return (n, 4) probabilities of `STATES` from (n, 4) logits.

    Args:
        logits: of the network.
        possible: (n, 4), which states a cell can have. If it cannot be blackened, a cell that looks
            blackened counts as checked: some people check with blots.
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
    possible: Bools,
    classifier: MarkClassifier,
    calibration: MarkCalibration = UNCALIBRATED,
) -> Floats:
    """Return (n, 4) probabilities of `STATES` for the cells of a sheet.

    Args:
        bgr: the photo, (h, w, 3).
        to_px: from mm of the sheet to px of the photo.
        polygons: (n, 4, 2) mm, clockwise from each cell's own upper left.
        possible: (n, 4), which states each cell can have, at least one of them.
        classifier: the network.
        calibration: of the network.

    Returns:
        Probabilities calibrated on sheets like those in `models/CARD.md`.
    """
    if not len(polygons):  # the cells are read together, so there must be one at least
        return np.zeros((0, len(STATES)))

    patch, matrix = _shrunk(bgr, to_px.matrix, polygons)
    plain = _cropped(patch, matrix, polygons)

    def shares_with(drawn: Pixels, cells: Bools) -> Floats:
        crops = plain.copy()
        crops[cells] = _cropped(drawn, matrix, polygons[cells])
        logits = cell_logits(crops, polygons, possible, classifier)
        probs = mark_probs(logits, possible, calibration.temperature)
        may_fill = possible[:, BLACKENED]
        return by_ink(probs, crops, CELL, may_fill, INKED, calibration.filled)

    shares = shares_with(patch, np.zeros(len(polygons), np.bool_))
    return _of_one_sheet(shares, patch, Homography(matrix, 0.0), polygons, shares_with)


def _of_one_sheet(
    shares: Floats, patch: Pixels, to_px: Homography, polygons: Floats, shares_with: ReadCells
) -> Floats:
    """Return the probabilities, of blank cells those beside a drawn-in mark if few are clear."""
    blank = shares[:, BLANK]
    clear = blank < 1 - CLEAR
    if clear.any() and ((blank < 0.5).sum() > LONE or clear.all()):
        return shares
    beside, use_beside = beside_a_mark(patch, to_px, polygons, ~clear, shares_with)
    use_beside &= blank > 0.5
    return np.where(use_beside[:, None], beside, shares)


def cell_logits(
    crops: Pixels, polygons: Floats, possible: Bools, classifier: MarkClassifier
) -> Tensor:
    """Return (n, 4) logits of `STATES` for n cells of one sheet, by their crops."""
    return classifier(as_input(crops), apart(polygons), possible)


@dataclass(frozen=True, slots=True)
class SheetMarks:
    """What is read on a sheet."""

    marks: tuple[MarkReading, ...] = ()
    placed: bool = False  # the places of its cells are sure
    occluders: tuple[Occluder, ...] = ()  # of cells that are not seen


def find_marks(
    bgr: Pixels,
    to_px: Homography,
    layout: Layout,
    bent: Curved | None = None,
    *,
    sure: bool = True,
    dice: Sequence[Quad] = (),
    before: AcceptedSheet | None = None,
    empty: StraightSheet | None = None,
) -> SheetMarks:
    """Read the marks in a layout's cells with the shipped network.

    Args:
        bgr: the photo.
        to_px: from mm of the paper to px of the photo.
        layout: of the sheet.
        bent: how the sheet is bent; None if it is flat.
        sure: False if the sheet's pose is doubtful; then no mark is sure either, because one in ten
            may belong to a neighbour (ASTRAY).
        dice: top faces of the dice on the sheet, px of the photo; what is under them is not seen.
        before: the sheet on an earlier photo; nothing covers a cell that looks the same.
        empty: the sheet without marks, if it was taught and its print is not ours.
    """
    cells = [cell for cell in layout.cells if cell.marks]
    if not cells:
        return SheetMarks()
    polygons = np.array([cell.polygon for cell in cells])
    polygons = polygons if bent is None else bent.apply(polygons)
    possible = np.array([[state in cell.marks for state in STATES] for cell in cells])
    calibration = shipped_calibration()
    anything: Floats = possible / possible.sum(axis=1, keepdims=True)
    straight = straightened(bgr, to_px, polygons)
    same = np.zeros(len(cells), np.bool_)
    if before is not None and sure:
        accepted = np.array([cell.cell in before.cells for cell in cells])
        same = accepted & as_before(laid_over(straight, before.sheet)[1])
    off = ~on_photo(bgr, to_px, polygons)
    kinds: list[Hashable] = [(cell.cell[0], cell.label) for cell in cells]
    new = as_empty = None
    if empty is not None and sure:
        moved, pairs = laid_over(straight, empty)
        new, as_empty = beside_empty(straight, empty, moved), as_before(pairs)
    labels = [cell.label for cell in cells] if sure else None
    things, bare = occluders_on(straight, dice, labels, new)
    occluders = [Occluder(UNSEEN, off), *(thing.but(same | off) for thing in things)]
    if new is not None:
        straight, kinds = replace(straight, flat=new.ink, light=new.ink), [None] * len(cells)
        bgr, to_px, polygons = framed(straight), Homography(np.eye(3), 0.0), straight.cells
    # Marks are read by comparison: beside a black pencil all others would be blank.
    open_cells = np.flatnonzero(~hidden_by(occluders))
    asked = polygons[open_cells], possible[open_cells]
    probs = anything.copy()
    probs[open_cells] = read_marks(bgr, to_px, *asked, mark_classifier(), calibration)
    occluders.append(Occluder(UNSEEN, bare & ~same & (probs[:, BLANK] >= calibration.sure)))
    doubt = np.full(len(cells), ASTRAY)
    if sure:
        covered = hidden_by(occluders)
        probs, doubted, spots = _by_strokes(straight, kinds, probs, covered, new, as_empty)
        doubt = CONTRADICTED * doubted
        said = next((one.said for one in occluders if one.cells.any()), SPOTTED)
        occluders.append(Occluder(said, spots & ~same))  # beside a thing, strokes are its rim
    hidden = hidden_by(occluders)
    doubt = np.where(hidden, 1, doubt)[:, None]
    probs = (1 - doubt) * probs + doubt * anything
    marks = marks_of([cell.cell for cell in cells], probs, calibration.sure)
    as_then = zip(marks, (same & ~hidden).tolist(), strict=True)
    marks = tuple(replace(mark, unchanged=is_same) for mark, is_same in as_then)
    return SheetMarks(marks, sure, tuple(one for one in occluders if one.cells.any()))


def _by_strokes(
    sheet: StraightSheet,
    kinds: Sequence[Hashable],
    probs: Floats,
    covered: Bools,
    new: SheetDifference | None,
    as_empty: Bools | None,
) -> tuple[Floats, Bools, Bools]:
    """Return (n, 4) probabilities by the sheet's pen, and (n,) what `contradicted` says of them.

    A cell of a taught sheet without a stroke that looks *as* on the *empty* one is blank.
    """
    strokes = strokes_on(sheet, kinds)
    if as_empty is not None:
        bare = as_empty & (strokes.main == 0)
        probs = np.where(bare[:, None], np.eye(len(STATES))[BLANK], probs)
    states = _likely(probs, covered)
    strokes, stray = settled_strays(sheet, kinds, strokes, states == BLANK, taught=new is not None)
    probs = by_pen(strokes, probs, BLANK, CHECKED, BLACKENED, STRUCK)
    states = _likely(probs, covered)
    doubted, spots = contradicted(strokes, stray, states == BLANK, states == CHECKED)
    if new is not None:
        clear = probs[:, CHECKED] > CLEAR
        doubted |= of_print(strokes, new.printed, states == BLANK, states == CHECKED, clear)
        doubted |= new.deeper & (states == BLANK)
    return probs, doubted, spots


def _likely(probs: Floats, covered: Bools) -> NDArray[np.intp]:
    """Return (n,) the states that strokes may contradict; STRUCK where none is likely."""
    likely = np.where(probs.max(axis=1) > LIKELY, probs.argmax(axis=1), STRUCK)
    return np.where(covered, STRUCK, likely)


def marks_at(
    photo: Photo,
    pose: BoardPose | None,
    layout: Layout | None,
    dice: Sequence[Quad] = (),
    before: AcceptedSheet | None = None,
    empty: StraightSheet | None = None,
) -> SheetMarks:
    """Read the marks on a photo of a sheet.

    The places of its cells are sure if the pose is sure, if the bend of the page was found, or if
    the page is not more curved than those that the network was trained on.

    Args:
        photo: with the sheet.
        pose: of the sheet, in px of the photo.
        layout: of the sheet.
        dice: top faces of the dice on it, px of the photo.
        before: it on an earlier photo.
        empty: it without marks, if it was taught.
    """
    if pose is None or layout is None:
        return SheetMarks()
    dice = [die.scaled(1 / photo.scale) for die in dice]
    # The decoded picture may be smaller than the photo.
    to_px = Homography(pose.homography.matrix, pose.error_px).enlarged(1 / photo.scale)
    bent, placed = None, pose.sure
    if layout.fiducials and any(cell.marks for cell in layout.cells):
        grey, on_picture = photo.grey(), replace(pose, homography=to_px)
        bent = bent_page(grey, on_picture, layout)
        placed = placed or bent is not None or off_plane(grey, on_picture, layout) < CURVED
    found = find_marks(
        photo.bgr, to_px, layout, bent, sure=placed, dice=dice, before=before, empty=empty
    )
    occluders = tuple(one.scaled(photo.scale) for one in found.occluders)
    return replace(found, placed=placed, occluders=occluders)


def was_seen(mark: MarkReading) -> bool:
    """Return True if a cell was visible; if not, all its possible states are equally likely."""
    return mark.confidence > max((share for _, share in mark.alternatives), default=0.0)


def marks_of(cells: Sequence[CellId], probs: Floats, sure: float) -> tuple[MarkReading, ...]:
    """Return the marks of cells by (n, 4) probabilities; from *sure* on nobody is asked."""
    return tuple(_mark_of(cell, row, sure) for cell, row in zip(cells, probs, strict=True))


def _mark_of(cell: CellId, probs: Floats, sure: float) -> MarkReading:
    best, *others = (int(k) for k in np.argsort(-probs, kind="stable"))
    confidence = float(probs[best])
    alternatives = tuple((STATES[k], float(probs[k])) for k in others if probs[k] >= WORTH_TELLING)
    return MarkReading(cell, STATES[best], confidence, confidence >= sure, alternatives)
