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
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boards.camera import camera_can, in_front
from vision.boards.fiducials import dictionary, modules
from vision.boards.layout import Fiducial, Four, Layout
from vision.boards.uncertainty import risk_at
from vision.decode import Grey
from vision.geometry import Floats, Homography, Quad

REDUCED = 1000  # px, about; longer side at which markers are looked for first
ENOUGH = 4  # markers with which a first pass is done
FEWEST = 2  # markers that give a pose at all; fewer leave the far cells anywhere
ALIKE = 0.8  # correlation of what is seen with a marker from which it is that marker
ROUNDS = 3  # of looking up markers: each time the plane reaches farther
MODULE_PX = 4  # px of a marker's module where it is compared
DARKER = 16  # grey levels below its surroundings that make a marker's rim; grain is weaker
DARK_RIM = 0.8  # share of a square's rim that is dark where it may be a marker
LEAST_SPREAD = 15.0  # grey levels, between a marker's modules; a plain square has less
STRAY = 0.25  # of a marker's side: a corner farther from the plane belongs to another one
BENT = 0.035  # of a marker's side: the misfit of a flat page stays below
LEAST_ERROR = 0.7  # px, misfit that every photo may have: a corner is not found better in blur
RISK = 0.08  # of a cell's side: how far a sure pose may be off at any cell, one standard deviation
TWICE = 3  # markers of one board's ids elsewhere that make a second board
ELSEWHERE = 2.0  # of its side: a marker off the plane by less lies on a bent page
FOREIGN = 3  # markers of no id of the board's that make another board


@dataclass(frozen=True, slots=True, eq=False)
class BoardPose:
    """A board on a photo; `sure` is False where cells may be taken for their neighbours."""

    homography: Homography  # mm of the paper to px of the photo
    corners: Quad  # px, of the layout's outline, from its own upper left clockwise
    error_px: float  # root mean square misfit of the markers' corners
    fiducials: tuple[Fiducial, ...]  # those that were seen and agree
    sure: bool

    @property
    def seen(self) -> int:
        """Return how many fiducials were seen and agree."""
        return len(self.fiducials)


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
    pose, astray = _posed(layout, found)
    promising = len(found.ids) or len(found.unknown) >= FEWEST
    if promising and (pose is None or (pose.seen < ENOUGH and (thorough or len(found.ids)))):
        found = _detected(grey, layout, max(grey.shape), thorough=True)
        pose, astray = _posed(layout, found)
    said = list(_others(layout, found, astray, pose))
    if pose is None and not said and _mirrored(layout, found):
        said.append(MIRRORED)
    if pose is None:
        return Sighted(None, tuple(said))
    pose = _completed(grey, layout, pose)
    bent = int(((astray > 0) & (astray < ELSEWHERE)).sum()) >= TWICE
    faults = [NOT_FLAT] if bent else _faults(grey, layout, pose)
    sure = not faults and TWO not in said
    return Sighted(replace(pose, sure=sure), (*said, *faults, *_cut_off(grey, layout, pose)))


def enlarged(pose: BoardPose, factor: float) -> BoardPose:
    """Return the pose on a photo *factor* times as large; px centres lie at half px."""
    shift = (factor - 1) / 2
    larger = np.array([[factor, 0, shift], [0, factor, shift], [0, 0, 1]])
    plane = Homography(larger @ pose.homography.matrix, pose.homography.error * factor)
    corners = pose.corners.scaled(factor)
    return replace(pose, homography=plane, corners=corners, error_px=pose.error_px * factor)


# ---------------------------------------------------------------- markers


@dataclass(frozen=True, slots=True, eq=False)
class _Markers:
    """The n markers of the board's dictionary on a photo."""

    ids: NDArray[np.intp]
    corners: Floats  # (n, 4, 2) px
    unknown: NDArray[np.bool_]  # (m, modules, modules), white or not, of squares like markers


def _detected(grey: Grey, layout: Layout, longest: int, *, thorough: bool = False) -> _Markers:
    """Detect markers on a picture reduced to *longest* px, refine their corners on all of it."""
    # A whole number of px becomes one, which is quicker by far than any other share.
    shrink = max(1, round(max(grey.shape) / longest))
    size = (grey.shape[1] // shrink, grey.shape[0] // shrink)
    small = grey
    if shrink > 1:
        whole = grey[: size[1] * shrink, : size[0] * shrink]
        small = np.asarray(cv2.resize(whole, size, interpolation=cv2.INTER_AREA), np.uint8)
    small = _stretched(small)
    name = layout.fiducials[0].dictionary
    corners, ids, squares = _detector(name, thorough).detectMarkers(small)
    unknown = _unknown(small, np.array(squares, np.float64).reshape(-1, 4, 2), name)
    if ids is None or not len(ids):
        return _Markers(np.zeros(0, np.intp), np.zeros((0, 4, 2)), unknown)
    rough = (np.array(corners, np.float64).reshape(-1, 4, 2) + 0.5) * shrink - 0.5
    return _Markers(np.asarray(ids, np.intp).reshape(-1), _refined(grey, rough, layout), unknown)


def _unknown(grey: Grey, squares: Floats, name: str) -> NDArray[np.bool_]:
    """Return which modules are white in those of (n, 4, 2) squares that have a marker's rim."""
    count = dictionary(name).markerSize + 2
    rim = np.ones((count, count), np.bool_)
    rim[1:-1, 1:-1] = False
    found = []
    for quad in squares:
        seen = _modules_at(grey, quad, count)
        if seen is None or seen.std() < LEAST_SPREAD:
            continue
        white = seen > (seen.min() + seen.max()) / 2
        if (~white[rim]).mean() >= DARK_RIM and white.any():
            found.append(white)
    return np.array(found, np.bool_).reshape(-1, count, count)


@cache
def _detector(name: str, thorough: bool) -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    parameters.minMarkerPerimeterRate = 0.018
    # Each window is a pass over all contours of the picture, which is most of the time.
    # What is hardly darker than its surroundings is grain, which gives the most contours.
    first, last = (9, 45) if thorough else (13, 13)
    if not thorough:
        parameters.adaptiveThreshConstant = DARKER
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


def _posed(layout: Layout, found: _Markers) -> tuple[BoardPose | None, Floats]:
    """Fit a plane to the markers of the board.

    Returns the pose, and how far (n,) its other markers lie from it in sides of theirs, else 0.
    """
    there = {one.id: one for one in layout.fiducials}
    places = np.flatnonzero([int(i) in there for i in found.ids])
    astray = np.zeros(len(found.ids))
    if len(places) < FEWEST:
        return None, astray
    ours = [there[int(i)] for i in found.ids[places]]
    on_paper, on_photo = np.array([one.corners for one in ours]), found.corners[places]
    agree = _agreeing(on_paper, on_photo)
    if agree.sum() < FEWEST:
        return None, astray
    chosen = tuple(one for one, is_on in zip(ours, agree, strict=True) if is_on)
    pose = _fitted(layout, chosen, on_photo[agree])
    if pose is not None:
        away = _misses(pose.homography, on_paper, on_photo) / _sides(on_photo)
        astray[places[~agree]] = away[~agree]
    return pose, astray


def _fitted(layout: Layout, seen: tuple[Fiducial, ...], corners_px: Floats) -> BoardPose | None:
    """Fit the plane of n markers at (n, 4, 2) px; None if no camera sees the board's print so."""
    on_paper = np.array([one.corners for one in seen])
    plane = Homography.fit(on_paper.reshape(-1, 2), corners_px.reshape(-1, 2))
    if plane is None or not in_front(plane, layout.outline):
        return None
    a, b, c, d = ((float(x), float(y)) for x, y in plane.apply(layout.outline))
    return BoardPose(plane, Quad((a, b, c, d)), plane.error, seen, sure=False)


def _completed(grey: Grey, layout: Layout, pose: BoardPose) -> BoardPose:
    """Look every marker up where it must be; return the pose by all that are seen there."""
    on_paper = np.array([one.corners for one in layout.fiducials])
    for turn in range(ROUNDS):
        expected = pose.homography.apply(on_paper.reshape(-1, 2)).reshape(-1, 4, 2)
        seen = np.flatnonzero(
            [
                _alike(grey, quad, _pattern(one.dictionary, one.id)) >= ALIKE
                for one, quad in zip(layout.fiducials, expected, strict=True)
            ]
        )
        refined = _refined(grey, expected[seen], layout)
        away = np.linalg.norm(refined - expected[seen], axis=2).max(axis=1)
        near = away < STRAY * _sides(refined)
        seen, refined = seen[near], refined[near]
        if len(seen) < FEWEST:
            break
        better = _fitted(layout, tuple(layout.fiducials[i] for i in seen), refined)
        if better is None:
            break
        done, pose = turn > 0 and better.seen == pose.seen, better
        if done:
            break
    return pose


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
    seen = _modules_at(grey, quad, len(pattern))
    if seen is None:
        return 0.0
    seen -= seen.mean()
    return float((seen * pattern).sum() / max(np.linalg.norm(seen), 1e-9))


def _modules_at(grey: Grey, quad: Floats, count: int) -> Floats | None:
    """Return (count, count) grey levels of the modules in (4, 2) corners; None off the photo."""
    low, high = quad.min(axis=0), quad.max(axis=0)
    height, width = grey.shape
    if low.min() < 0 or high[0] > width - 1 or high[1] > height - 1:
        return None
    across = MODULE_PX * count
    ends = np.array([(0, 0), (across, 0), (across, across), (0, across)], np.float32) - 0.5
    flat = cv2.getPerspectiveTransform(quad.astype(np.float32), ends.astype(np.float32))
    crop = cv2.warpPerspective(grey, flat, (across, across)).astype(np.float64)
    levels: Floats = crop.reshape(count, MODULE_PX, count, MODULE_PX).mean(axis=(1, 3))
    return levels


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


# ---------------------------------------------------------------- what is odd


def _faults(grey: Grey, layout: Layout, pose: BoardPose) -> list[str]:
    """Return why the pose is not to be relied on, the worst first."""
    if not camera_can(pose.homography, grey.shape):
        return [NO_CAMERA]
    side = _side_px(pose, [one.corners for one in layout.fiducials])
    if pose.error_px > max(LEAST_ERROR, BENT * side):
        return [NOT_FLAT]
    if _risk(layout, pose) > RISK:
        return [TOO_LITTLE]
    return []


def _side_px(pose: BoardPose, shapes: list[Four]) -> float:
    """Return the median side of four-cornered shapes in mm as they appear on the photo, px."""
    flat = pose.homography.apply(np.array(shapes).reshape(-1, 2)).reshape(-1, 4, 2)
    return float(np.median(np.linalg.norm(flat - np.roll(flat, 1, axis=1), axis=2)))


def _risk(layout: Layout, pose: BoardPose) -> float:
    """Return how far the plane may be off at its cells, in sides of a cell."""
    # An open mat has no cells: what is marked out there is as small as its markers.
    polygons = [cell.polygon for cell in layout.cells] or [one.corners for one in layout.fiducials]
    used = np.array([one.corners for one in pose.fiducials]).reshape(-1, 2)
    return risk_at(pose.homography, used, pose.error_px, np.array(polygons))


def _others(
    layout: Layout, found: _Markers, astray: Floats, pose: BoardPose | None
) -> Iterator[str]:
    """Yield what the markers tell that lie on no plane with the board."""
    own = {one.id for one in layout.fiducials}
    twice = sum(count > 1 for i, count in Counter(map(int, found.ids)).items() if i in own)
    if twice >= TWICE or (astray >= ELSEWHERE).sum() >= TWICE:
        yield TWO
    elif pose is None and sum(int(i) not in own for i in found.ids) >= FOREIGN:
        yield ANOTHER


def _mirrored(layout: Layout, found: _Markers) -> bool:
    """Say whether the squares that are none of the markers are markers of the board mirrored."""
    own = {one.id for one in layout.fiducials}
    markers = dictionary(layout.fiducials[0].dictionary)
    seen = set[int]()
    for white in found.unknown:
        bits = np.ascontiguousarray(white[1:-1, -2:0:-1]).astype(np.uint8)
        known, number, _ = markers.identify(bits, 0.6)
        if known and number in own:
            seen.add(number)
    return len(seen) > FEWEST


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
