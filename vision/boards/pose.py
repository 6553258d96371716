"""Where a printed board lies on a photo, by its fiducials.

In: a grey picture and the board's `Layout`. Out: `Sighted`: the `BoardPose`, or why there is none.
Markers are detected on a reduced picture; those that agree on a plane tell where the others must
be, and these are looked up there. Corners are refined on the whole picture and give one homography.
How far it may be off at the cells follows from how many markers were seen and how they are spread;
where that is much, the pose is not `sure`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boards.fiducials import dictionary, modules
from vision.boards.layout import Fiducial, Four, Layout
from vision.decode import Grey
from vision.geometry import Floats, Homography, Points, Quad

REDUCED = 1000  # px, longer side at which markers are looked for first
ENOUGH = 4  # markers with which a first pass is done
FEWEST = 2  # markers that give a pose at all; fewer leave the far cells anywhere
ALIKE = 0.8  # correlation of what is seen with a marker from which it is that marker
ROUNDS = 3  # of looking up markers: each time the plane reaches farther
MODULE_PX = 4  # px of a marker's module where it is compared
STRAY = 0.25  # of a marker's side: a corner farther from the plane belongs to another one
BENT = 0.035  # of a marker's side: the misfit of a flat page stays below
LEAST_ERROR = 0.7  # px, misfit that every photo may have: a corner is not found better in blur
RISK = 0.08  # of a cell's side: how far a sure pose may be off at any cell, one standard deviation
TWICE = 3  # markers of one board's ids elsewhere that make a second board
FOREIGN = 3  # markers of no id of the board's that make another board
FOCALS = (0.45, 0.6, 0.75, 1.0, 1.4, 2.0, 3.0, 5.0, 9.0)  # of the photo's longer side
SKEW = 0.2  # by how much a plane's right angles and its scales may differ from a camera's


@dataclass(frozen=True, slots=True, eq=False)
class BoardPose:
    """A board on a photo; `sure` is False where cells may be taken for their neighbours."""

    homography: Homography  # mm of the paper to px of the photo
    corners: Quad  # px, of the layout's outline, from its own upper left clockwise
    error_px: float  # root mean square misfit of the markers' corners
    seen: int  # fiducials that agree
    sure: bool


@dataclass(frozen=True, slots=True, eq=False)
class Sighted:
    """What the fiducials on a photo tell: a pose, and a sentence for each thing that is odd."""

    pose: BoardPose | None
    said: tuple[str, ...] = ()


MIRRORED = "The photo is mirrored, as front cameras do it. Use the other camera."
ANOTHER = "Another board than the one of this game lies there. Show its own."
TWO = "Two boards of one kind are on the photo. Show one of them."
NOT_FLAT = "The board is bent or lies in folds. Press it flat, and take the photo again."
TOO_LITTLE = "Too little of the board is seen to be sure of its cells. Show more of its edge."
NO_CAMERA = "The board looks distorted. Take the photo of the board itself, not of a picture of it."


def find_board(grey: Grey, layout: Layout) -> BoardPose | None:
    """Return where the board of *layout* lies on a grey picture (h, w); None if it is not seen."""
    return sight_board(grey, layout).pose


def sight_board(grey: Grey, layout: Layout, *, thorough: bool = True) -> Sighted:
    """Return where a board lies, and what is odd about the photo of it in a sentence each.

    Not *thorough*: where a first pass sees no marker there is none, as on photos of other boards.
    """
    if not layout.fiducials:
        return Sighted(None)
    found = _detected(grey, layout, REDUCED)
    pose, rest = _posed(layout, found)
    if (pose is None or pose.seen < ENOUGH) and (thorough or len(found.ids)):
        found = _detected(grey, layout, max(grey.shape), thorough=True)
        pose, rest = _posed(layout, found)
    said = list(_others(layout, found, rest, pose))
    if pose is None and not said and _mirrored(grey, layout):
        said.append(MIRRORED)
    if pose is None:
        return Sighted(None, tuple(said))
    used, pose = _completed(grey, layout, pose)
    faults = _faults(grey, layout, used, pose)
    sure = not faults and TWO not in said
    judged = BoardPose(pose.homography, pose.corners, pose.error_px, pose.seen, sure)
    return Sighted(judged, (*said, *faults, *_cut_off(grey, layout, pose)))


# ---------------------------------------------------------------- markers


@dataclass(frozen=True, slots=True, eq=False)
class _Markers:
    """The n markers of the board's dictionary on a photo."""

    ids: NDArray[np.intp]
    corners: Floats  # (n, 4, 2) px


def _detected(grey: Grey, layout: Layout, longest: int, *, thorough: bool = False) -> _Markers:
    """Detect markers on a picture reduced to *longest* px, refine their corners on all of it."""
    shrink = min(1.0, longest / max(grey.shape))
    small = grey
    if shrink < 1:
        small = np.asarray(
            cv2.resize(grey, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8
        )
    detector = _detector(layout.fiducials[0].dictionary, thorough)
    corners, ids, _ = detector.detectMarkers(_stretched(small))
    if ids is None or not len(ids):
        return _Markers(np.zeros(0, np.intp), np.zeros((0, 4, 2)))
    rough = (np.array(corners, np.float64).reshape(-1, 4, 2) + 0.5) / shrink - 0.5
    return _Markers(np.asarray(ids, np.intp).reshape(-1), _refined(grey, rough, layout))


@cache
def _detector(name: str, thorough: bool) -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    parameters.minMarkerPerimeterRate = 0.018
    # Each window is a pass over all contours of the picture, which is most of the time.
    first, last = (9, 45) if thorough else (13, 13)
    parameters.adaptiveThreshWinSizeMin = first
    parameters.adaptiveThreshWinSizeMax = last
    parameters.adaptiveThreshWinSizeStep = 18
    return cv2.aruco.ArucoDetector(dictionary(name), parameters)


def _stretched(grey: Grey) -> Grey:
    """Return the picture with its contrast drawn out: thresholds then hold in the dark too."""
    counts = np.cumsum(np.bincount(grey[::4, ::4].ravel(), minlength=256))
    low, high = np.searchsorted(counts, [0.01 * counts[-1], 0.99 * counts[-1]])
    if high - low >= 160:
        return grey
    table = (np.arange(256) - low) * (255 / max(int(high - low), 16))
    return np.asarray(cv2.LUT(grey, table.clip(0, 255).astype(np.uint8)), np.uint8)


def _refined(grey: Grey, corners: Floats, layout: Layout) -> Floats:
    """Move (n, 4, 2) corners to where edges cross, searching within less than one module."""
    count = dictionary(layout.fiducials[0].dictionary).markerSize + 2
    refined = corners.astype(np.float32).copy()
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.02)
    for marker in refined:
        shortest = np.linalg.norm(marker - np.roll(marker, 1, axis=0), axis=1).min()
        window = int(np.clip(0.4 * shortest / count, 2, 8))
        moved = cv2.cornerSubPix(
            grey, marker.reshape(-1, 1, 2).copy(), (window, window), (-1, -1), stop
        )
        moved = moved.reshape(4, 2)
        if np.abs(moved - marker).max() <= window:
            marker[:] = moved
    return refined.astype(np.float64)


# ---------------------------------------------------------------- the plane


def _posed(layout: Layout, found: _Markers) -> tuple[BoardPose | None, NDArray[np.bool_]]:
    """Fit a plane to the markers of the board; return it, and which markers lie elsewhere."""
    there = {one.id: np.array(one.corners) for one in layout.fiducials}
    ours = np.array([int(i) in there for i in found.ids], np.bool_)
    none = np.zeros(len(found.ids), np.bool_)
    if ours.sum() < FEWEST:
        return None, none
    on_paper = np.array([there[int(i)] for i in found.ids[ours]])
    on_photo = found.corners[ours]
    agree = _agreeing(on_paper, on_photo)
    if agree.sum() < FEWEST:
        return None, none
    rest = none.copy()
    rest[np.flatnonzero(ours)[~agree]] = True
    return _fitted(layout, on_paper[agree], on_photo[agree]), rest


def _fitted(layout: Layout, on_paper: Floats, on_photo: Floats) -> BoardPose | None:
    """Fit the plane of (n, 4, 2) markers; None if no camera sees the board's upper side so."""
    plane = Homography.fit(on_paper.reshape(-1, 2), on_photo.reshape(-1, 2))
    if plane is None or not _in_front(plane, layout.outline):
        return None
    a, b, c, d = ((float(x), float(y)) for x, y in plane.apply(layout.outline))
    return BoardPose(plane, Quad((a, b, c, d)), plane.error, len(on_paper), sure=False)


def _completed(grey: Grey, layout: Layout, pose: BoardPose) -> tuple[Points, BoardPose]:
    """Look every marker up where it must be; return the corners seen, mm, and the pose by all."""
    on_paper = np.array([one.corners for one in layout.fiducials])
    used = on_paper[:0]
    for _ in range(ROUNDS):
        expected = pose.homography.apply(on_paper.reshape(-1, 2)).reshape(-1, 4, 2)
        seen = np.flatnonzero(
            [
                _alike(grey, quad, _pattern(one.dictionary, one.id)) >= ALIKE
                for one, quad in zip(layout.fiducials, expected, strict=True)
            ]
        )
        refined = _refined(grey, expected[seen], layout)
        away = np.linalg.norm(refined - expected[seen], axis=2).max(axis=1)
        seen, refined = (
            seen[away < STRAY * _sides(refined)],
            refined[away < STRAY * _sides(refined)],
        )
        better = _fitted(layout, on_paper[seen], refined) if len(seen) >= FEWEST else None
        if better is None:
            break
        done, pose, used = len(seen) == len(used), better, on_paper[seen]
        if done:
            break
    return used.reshape(-1, 2), pose


def _sides(quads: Floats) -> Floats:
    """Return (n,) px, the mean side of (n, 4, 2) corners."""
    sides: Floats = np.linalg.norm(quads - np.roll(quads, 1, axis=1), axis=2).mean(axis=1)
    return sides


@cache
def _pattern(name: str, number: int) -> Floats:
    """Return a marker's modules (n, n), white above black, of mean 0 and length 1."""
    corners = ((0.0, 0.0),) * 4
    white = 1.0 - modules(Fiducial(name, number, corners))
    pattern: Floats = white - white.mean()
    return pattern / np.linalg.norm(pattern)


def _alike(grey: Grey, quad: Floats, pattern: Floats) -> float:
    """Return the correlation, -1 to 1, of what lies in (4, 2) corners with a marker."""
    low, high = quad.min(axis=0), quad.max(axis=0)
    height, width = grey.shape
    if low.min() < 0 or high[0] > width - 1 or high[1] > height - 1:
        return 0.0
    count, across = len(pattern), MODULE_PX * len(pattern)
    ends = np.array([(0, 0), (across, 0), (across, across), (0, across)], np.float32) - 0.5
    flat = cv2.getPerspectiveTransform(quad.astype(np.float32), ends.astype(np.float32))
    crop = cv2.warpPerspective(grey, flat, (across, across)).astype(np.float64)
    seen = crop.reshape(count, MODULE_PX, count, MODULE_PX).mean(axis=(1, 3))
    seen -= seen.mean()
    return float((seen * pattern).sum() / max(np.linalg.norm(seen), 1e-9))


def _agreeing(on_paper: Floats, on_photo: Floats) -> NDArray[np.bool_]:
    """Return (n,), which markers lie on the plane that most of them share.

    Every marker has four corners and so a plane of its own, near which its neighbours lie; each is
    tried with each other one.
    """
    sides = _sides(on_photo)
    best = np.zeros(len(on_paper), np.bool_)
    for pair in _pairs(len(on_paper)):
        agree = np.isin(np.arange(len(on_paper)), pair)
        for _ in range(3):  # the neighbours first, then what lies farther away
            plane = Homography.fit(on_paper[agree].reshape(-1, 2), on_photo[agree].reshape(-1, 2))
            if plane is None:
                break
            away = _misses(plane, on_paper, on_photo) / sides
            agree = away < STRAY
            if agree.sum() < FEWEST:
                break
        if agree.sum() > best.sum():
            best = agree
        if best.sum() > 0.8 * len(best):
            break
    return best


def _pairs(count: int) -> Iterator[list[int]]:
    """Yield pairs of places, those far apart in the order of detection first."""
    for step in range(max(count // 2, 1), 0, -1):
        yield from ([i, i + step] for i in range(count - step))


def _misses(plane: Homography, on_paper: Floats, on_photo: Floats) -> Floats:
    """Return (n,) px, how far the worst corner of each marker lies from where it should."""
    sent = plane.apply(on_paper.reshape(-1, 2)).reshape(on_photo.shape)
    misses: Floats = np.linalg.norm(sent - on_photo, axis=2).max(axis=1)
    return misses


def _in_front(plane: Homography, outline: Points) -> bool:
    """Say whether the whole outline lies before the camera, seen from its printed side."""
    depth = np.column_stack([outline, np.ones(4)]) @ plane.matrix[2]
    if depth.min() * depth.max() <= 0:
        return False
    (ax, ay), (bx, by), (cx, cy), _ = plane.apply(outline)
    return bool((bx - ax) * (cy - by) - (by - ay) * (cx - bx) > 0)


# ---------------------------------------------------------------- what is odd


def _faults(grey: Grey, layout: Layout, used: Points, pose: BoardPose) -> list[str]:
    """Return why the pose is not to be relied on, the worst first."""
    if not _camera_can(pose.homography, grey.shape):
        return [NO_CAMERA]
    side = _side_px(pose, [one.corners for one in layout.fiducials])
    if pose.error_px > max(LEAST_ERROR, BENT * side):
        return [NOT_FLAT]
    if _risk(layout, used, pose) > RISK:
        return [TOO_LITTLE]
    return []


def _side_px(pose: BoardPose, shapes: list[Four]) -> float:
    """Return the median side of four-cornered shapes in mm as they appear on the photo, px."""
    flat = pose.homography.apply(np.array(shapes).reshape(-1, 2)).reshape(-1, 4, 2)
    return float(np.median(np.linalg.norm(flat - np.roll(flat, 1, axis=1), axis=2)))


def _risk(layout: Layout, used: Points, pose: BoardPose) -> float:
    """Return how far the plane may be off at its cells, in sides of a cell.

    The standard deviation of a fitted homography at a point, as in Hartley and Zisserman, Multiple
    View Geometry, 5.2: the misfit carried from the corners seen to the cells' corners.
    """
    polygons = [cell.polygon for cell in layout.cells]
    cells = np.array(polygons) if polygons else layout.outline[None]
    sides = np.linalg.norm(cells - np.roll(cells, 1, axis=1), axis=2).min()
    scale = pose.homography.matrix / pose.homography.matrix[2, 2]
    noise = max(pose.error_px, 0.3)
    fit = _derivatives(scale, used).reshape(-1, 8)
    weight = np.abs(fit).max(axis=0)  # parameters of like size: the inverse is then exact enough
    spread = np.linalg.pinv((fit / weight).T @ (fit / weight)) * noise**2
    there = _derivatives(scale, cells.reshape(-1, 2)) / weight
    off = np.sqrt(np.trace(there @ spread @ there.transpose(0, 2, 1), axis1=1, axis2=2))
    per_mm = np.sqrt(np.abs(_areas(pose.homography.apply(cells.reshape(-1, 2)).reshape(-1, 4, 2))))
    per_mm = per_mm / np.sqrt(np.abs(_areas(cells)))
    return float((off.reshape(-1, 4).max(axis=1) / (per_mm * sides)).max())


def _areas(quads: Floats) -> Floats:
    one, two = quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1]
    areas: Floats = (one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0]) / 2
    return areas


def _derivatives(matrix: Floats, points: Points) -> Floats:
    """Return (n, 2, 8): how the images of points move with the first eight entries of the map."""
    flat = np.column_stack([points, np.ones(len(points))])
    w = flat @ matrix[2]
    x, y = (flat @ matrix[:2].T / w[:, None]).T
    zero = np.zeros_like(flat)
    last = -flat[:, :2]
    return np.stack(
        [
            np.hstack([flat, zero, x[:, None] * last]) / w[:, None],
            np.hstack([zero, flat, y[:, None] * last]) / w[:, None],
        ],
        axis=1,
    )


def _camera_can(plane: Homography, shape: tuple[int, ...]) -> bool:
    """Say whether a camera looking through the middle of the photo can see the plane so.

    Its columns, seen through the lens, are then at right angles and of one length.
    """
    height, width = shape[:2]
    off = []
    for focal in np.array(FOCALS) * max(height, width):
        lens = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1.0]])
        right, down, _ = (np.linalg.inv(lens) @ plane.matrix).T
        long, short = np.linalg.norm(right), np.linalg.norm(down)
        off.append(max(abs(right @ down) / (long * short), abs(np.log(long / short))))
    return bool(min(off) < SKEW)


def _others(
    layout: Layout, found: _Markers, rest: NDArray[np.bool_], pose: BoardPose | None
) -> Iterator[str]:
    """Yield what the markers tell that lie on no plane with the board."""
    own = {one.id for one in layout.fiducials}
    twice = sum(count > 1 for i, count in Counter(map(int, found.ids)).items() if i in own)
    if twice >= TWICE or rest.sum() >= TWICE:
        yield TWO
    elif pose is None and sum(int(i) not in own for i in found.ids) >= FOREIGN:
        yield ANOTHER


def _mirrored(grey: Grey, layout: Layout) -> bool:
    """Say whether the board's markers are found on the mirrored picture."""
    found = _detected(np.ascontiguousarray(grey[:, ::-1]), layout, REDUCED)
    own = {one.id for one in layout.fiducials}
    return sum(int(i) in own for i in found.ids) > FEWEST


def _cut_off(grey: Grey, layout: Layout, pose: BoardPose) -> Iterator[str]:
    """Name the corners of the board that lie outside the photo, as the photo shows them."""
    height, width = grey.shape
    middle = np.mean(pose.corners.array, axis=0)
    gone = []
    for x, y in pose.corners.corners:
        if not (-0.5 <= x <= width - 0.5 and -0.5 <= y <= height - 0.5):
            vertical = "upper" if y < middle[1] else "lower"
            gone.append(f"{vertical} {'left' if x < middle[0] else 'right'}")
    if len(gone) == 1:
        yield f"The {gone[0]} corner of the board is cut off. Show all of it."
    elif gone:
        yield f"{len(gone)} corners of the board are cut off. Show all of it."
