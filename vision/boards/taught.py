"""Locate a taught board: in other light, from another side, with pieces and hands on it.

In: a grey photo and the board's `Profile`. Out: `LocatedBoard`, as for printed boards. Matched
local features give a first plane; if they do not, their votes (`feature_votes`) or straight lines
(`line_planes`). It is refined by small patches of the board's picture, tracked to the photo. The
plane is believed if a camera can see it like that, if patches agree all over the board, and if no
other plane, such as one shifted by a cell, explains the photo as well.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, product
from operator import itemgetter

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board_profile import (
    BLOCKS,
    PX_PER_UNIT,
    BoardBlocks,
    Profile,
    evened,
    inner,
    moved,
    rectify,
)
from vision.boards.agreement import (
    LEAST_TELLING,
    SAME_PRINT,
    SEEN_AS,
    agreement,
    as_well,
    best_shift,
    repeats,
    shifted_alike,
    shows_other_cells,
    turns_of,
)
from vision.boards.feature_votes import planes_by_votes
from vision.boards.kept_print import squares_around
from vision.boards.line_planes import BoardLines, between_lines, planes_by_lines
from vision.boards.pose import NO_CAMERA, TOO_LITTLE, BoardPose, LocatedBoard
from vision.boards.ruled.grid import LIKELY, all_ruled_grids
from vision.boards.uncertainty import risk_at, spread_at
from vision.camera import camera_can, in_front
from vision.geometry import Floats, Homography, Points
from vision.local_features import Features, features, shrunk
from vision.photo import Grey, Photo
from vision.quad import Quad

# px, longer side of the picture on which features are detected, and how many of them are described;
# then the same where that does not suffice.
SMALL, WORK = (500, 1500), (1000, 3000)
NEARER = 0.85  # ratio of the distances to the nearest and the second descriptor: Lowe's test
NEAR_PLANE = 4.0  # px of the working picture, largest distance of a match from the first plane
LEAST_MATCHES = 8  # that agree on a first plane
ROUNDS = 3  # of tracking patches, at most; none after one in which they moved less than STAYS
STAYS = 0.1  # units
PATCH = 21  # px of the profile's picture
NEAR_PATCH = 1.5  # px of the profile's picture, largest distance from the refined plane
MOST_MARKS = 24  # patches by which a later frame shows whether the board was moved
BACK = 0.7  # px of it, largest error of a patch tracked forwards and back
LEAST_PATCHES = 10
SMALL_BLOCKS = 18  # blocks along each side, for print as small as a few letters
PLAINLY = 0.85  # mean correlation from which no other place is tried
LEAST_SEEN = 0.35  # share of the blocks with print that must match
LEAST_QUARTERS = 3  # of the board's quarters in which blocks must match
LEAST_PRINT = 10  # small blocks; fewer cannot distinguish two boards' print
# Share of the blocks that must have the same print. Boards with letters in their cells have up to
# 0.16 if it is another board, and from 0.98 if nothing hides them.
LEAST_SAME = 0.3
RISK = 0.1  # of a cell's side, largest standard deviation of a sure plane at any cell
RISK_SIDE = 0.01  # of the board's side, the same: for boards with few large cells

UNSEEN = "The taught board was not found. Show more of it, or set its four corners."
SHIFTED = "Several parts of the board look alike. Show all of its edge, or set its four corners."


def find_taught(grey: Grey, profile: Profile) -> LocatedBoard:
    """Locate a taught board on a photo (h, w), in px of it.

    If a board looks the same in several orientations, the one is chosen whose rows run across the
    photo.
    """
    located, finer = _by_features(grey, profile, _view(grey, *SMALL)), None
    if located is None:
        finer = _view(grey, *WORK)
        voted = _by_votes(profile, finer)
        for planes in chain([voted], planes_by_lines(grey, profile), [_by_cells(grey, profile)]):
            found = chain(_among(grey, profile, planes), [located] if located else [])
            located = max(found, key=_surest, default=None)
            if located is not None and located.sure:
                break
    if located is None or not located.sure:
        larger = _by_features(grey, profile, finer or _view(grey, *WORK))
        located = max(filter(None, (larger, located)), key=_surest, default=None)
    return located.board if located else LocatedBoard(None, (UNSEEN,))


@dataclass(frozen=True, slots=True, eq=False)
class _Located:
    """A possible place of the board."""

    pose: BoardPose
    said: tuple[str, ...]
    alike: float  # mean `agreement`

    @property
    def sure(self) -> bool:
        return self.pose.sure

    @property
    def board(self) -> LocatedBoard:
        return LocatedBoard(self.pose, self.said)


def _surest(located: _Located) -> tuple[bool, float]:
    return located.sure, located.alike


def _among(grey: Grey, profile: Profile, planes: Iterable[Homography]) -> Iterator[_Located]:
    """Yield possible places of the board near some planes, up to the first certain one."""
    for plane in planes:
        found = _located(grey, profile, plane)
        if found is not None and _same_print(grey, profile, found.pose):
            yield found
            if found.sure and found.alike > PLAINLY:
                return


def _by_cells(grey: Grey, profile: Profile) -> Iterator[Homography]:
    """Yield planes of ruled grids with as many cells, each in every orientation.

    Hand-drawn lines may not be straight enough for `line_planes`, but their cells fit a grid.
    """
    rows, columns = profile.rows, profile.columns
    if len(profile.layout.cells) != rows * columns:
        return
    photo = Photo(np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8), *grey.shape[::-1])
    lines = BoardLines.of(grey, profile)
    for ruled in all_ruled_grids(photo, rows, columns):
        for turn in range(4) if ruled.confidence > LIKELY else ():
            ring = np.roll(ruled.corners.array, turn, axis=0)
            plane = Homography.fit(profile.layout.outline, ring)
            if plane is not None and lines.lies_alone(plane):
                yield plane


def _in_place(
    grey: Grey, profile: Profile, plane: Homography, used: Points
) -> tuple[Homography, Points]:
    """Return a plane and its points, shifted by cells if the board's surroundings fit better."""
    x, y = best_shift(grey, profile, plane)
    return moved(plane, x, y), used - (x, y)


def _level(
    grey: Grey, profile: Profile, plane: Homography, used: Points
) -> tuple[Homography, Points, Floats]:
    """Return a plane, its points and its `agreement`, in the most level of equal orientations."""
    alike = agreement(grey, profile.blocks, plane)
    candidates = [(_slope(plane, profile), (plane, used, alike))]
    for turn in turns_of(profile):
        turned = Homography(np.asarray(plane.matrix @ turn, np.float64), plane.error)
        there = agreement(grey, profile.blocks, turned)
        if as_well(alike, there):
            points = Homography(turn, 0.0).inverse().apply(used)
            candidates.append((_slope(turned, profile), (turned, points, there)))
    return min(candidates, key=itemgetter(0))[1]


def _slope(plane: Homography, profile: Profile) -> float:
    """Return the angle between a board's rows and the photo's, radians."""
    a, b, c, d = plane.apply(profile.layout.outline)
    x, y = b + c - a - d
    return float(abs(np.arctan2(y, x)))


def _located(grey: Grey, profile: Profile, first: Homography) -> _Located | None:
    """Refine a *first* plane and check it; None if the board is not there."""
    fitted = tracked(grey, profile, first)
    outline = profile.layout.outline
    if fitted is None or not in_front(fitted[0], outline):
        return None
    (plane, used), alike = fitted, agreement(grey, profile.blocks, fitted[0])
    only_here = not repeats(profile) and bool((alike >= SAME_PRINT).mean() > 0.5)
    if not only_here:
        plane, used, alike = _level(grey, profile, *_in_place(grey, profile, *fitted))
    faults = _faults(grey, profile, plane, used, alike)
    elsewhere = (shifted_alike, shows_other_cells)
    if not (faults or only_here) and any(one(grey, profile, plane, alike) for one in elsewhere):
        faults = [SHIFTED]
    if UNSEEN in faults:
        return None
    a, b, c, d = ((float(x), float(y)) for x, y in plane.apply(outline))
    error = max(plane.error, float(spread_at(plane, used, plane.error, outline).max()))
    pose = BoardPose(plane, Quad((a, b, c, d)), error, (), sure=not faults)
    printed = alike[~np.isnan(alike)]
    return _Located(pose, tuple(faults), float(printed.mean()) if len(printed) else 0.0)


def marks_of(profile: Profile, pose: BoardPose, side: float) -> Floats:
    """Return (n, 4, 2) px, squares with this side around a board's clearest print.

    As long as they look the same, the board has not moved.
    """
    found = cv2.goodFeaturesToTrack(
        profile.picture, MOST_MARKS, 0.05, PATCH, mask=inner(profile.picture), blockSize=7
    )
    if found is None:
        return np.zeros((0, 4, 2))
    width, height = profile.layout.paper_mm
    across = side * np.sqrt(width * height) / pose.corners.side
    middles = (np.asarray(found, np.float64).reshape(-1, 2) + 0.5) / PX_PER_UNIT
    return pose.sees(squares_around(middles, across).reshape(-1, 2)).reshape(-1, 4, 2)


def _view(grey: Grey, side: int, most: int) -> tuple[Features, float]:
    """Return *most* features of a photo shrunk to *side* px, and the zoom."""
    zoom = min(1.0, side / max(grey.shape))
    return features(shrunk(grey, zoom), most, 1.0), zoom


def _by_votes(profile: Profile, view: tuple[Features, float]) -> Iterator[Homography]:
    theirs, zoom = view
    for plane in planes_by_votes(profile.features, theirs, profile.layout.outline):
        yield plane.enlarged(1 / zoom)


def _by_features(grey: Grey, profile: Profile, view: tuple[Features, float]) -> _Located | None:
    first = _first(profile, *view)
    return _located(grey, profile, first) if first else None


def _first(profile: Profile, theirs: Features, zoom: float) -> Homography | None:
    """Return a plane on which features of a photo at *zoom* times its size agree."""
    ours = profile.features
    if len(theirs.at) < LEAST_MATCHES:
        return None
    mine, nearest = _matches(ours.described, theirs.described)
    if len(mine) < LEAST_MATCHES:
        return None
    found, on = cv2.findHomography(
        ours.at[mine],
        theirs.at[nearest],
        cv2.USAC_MAGSAC,
        NEAR_PLANE,
        maxIters=5000,
        confidence=0.999,
    )
    if found is None or on is None or int(on.sum()) < LEAST_MATCHES:
        return None
    return Homography(np.asarray(found, np.float64), NEAR_PLANE).enlarged(1 / zoom)


def _matches(
    ours: NDArray[np.float32], theirs: NDArray[np.float32]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return which of (n, 128) unit vectors match, and with which of (m, 128)."""
    alike = ours @ theirs.T  # |a - b|^2 = 2 - 2 a.b
    every, nearest = np.arange(len(ours)), alike.argmax(axis=1)
    first = 1 - alike[every, nearest]
    alike[every, nearest] = -1
    good = first < NEARER**2 * (1 - alike.max(axis=1))
    return np.flatnonzero(good), nearest[good]


def tracked(grey: Grey, profile: Profile, plane: Homography) -> tuple[Homography, Points] | None:
    """Refine a plane by tracked patches; return it and the (n, 2) patches, in the board's units."""
    patches, ours = profile.patches, profile.evened
    if not len(patches):
        return None
    used: Points | None = None
    size = (profile.picture.shape[1], profile.picture.shape[0])
    for turn in range(ROUNDS):
        if not in_front(plane, profile.layout.outline):
            return None
        flat = evened(rectify(grey, plane, size))
        levels = 2 if turn == 0 else 1
        moved, agree = _followed(ours, flat, patches, levels)
        if agree.sum() < LEAST_PATCHES:
            return None
        before = (patches.reshape(-1, 2)[agree].astype(np.float64) + 0.5) / PX_PER_UNIT
        after = (moved[agree].astype(np.float64) + 0.5) / PX_PER_UNIT
        found, on = cv2.findHomography(
            before, after, cv2.USAC_MAGSAC, NEAR_PATCH / PX_PER_UNIT, maxIters=3000
        )
        if found is None or on is None or int(on.sum()) < LEAST_PATCHES:
            return None
        is_on = on.reshape(-1) > 0
        fitted = Homography.fit(before[is_on], plane.apply(after[is_on]))
        if fitted is None:
            return None
        stays = np.abs(after - before)[is_on].max() < STAYS
        plane, used = fitted, before[is_on]
        if stays:
            break
    return None if used is None else (plane, used)


def _followed(
    ours: Grey, flat: Grey, patches: NDArray[np.float32], levels: int
) -> tuple[Floats, NDArray[np.bool_]]:
    """Track patches to another picture; return (n, 2) px and which are consistent tracked back."""
    window = (PATCH, PATCH)
    start = np.zeros_like(patches)
    moved, ok, _ = cv2.calcOpticalFlowPyrLK(
        ours, flat, patches, start, winSize=window, maxLevel=levels
    )
    back, ok_back, _ = cv2.calcOpticalFlowPyrLK(
        flat, ours, moved, start.copy(), winSize=window, maxLevel=levels
    )
    both = (np.asarray(ok).reshape(-1) > 0) & (np.asarray(ok_back).reshape(-1) > 0)
    away = np.linalg.norm((np.asarray(back) - patches).reshape(-1, 2), axis=1)
    agree = np.asarray(both & (away < BACK), np.bool_)
    return np.asarray(moved, np.float64).reshape(-1, 2), agree


def _same_print(grey: Grey, profile: Profile, pose: BoardPose) -> bool:
    """Return True if the print between the lines of the board matches too, if there is any.

    Other boards may have the same lines.
    """
    between = BoardBlocks(profile.picture, SMALL_BLOCKS, between_lines(profile.picture))
    alike = agreement(grey, between, pose.homography)
    printed = alike[~np.isnan(alike)]
    return len(printed) < LEAST_PRINT or bool((printed > SAME_PRINT).mean() > LEAST_SAME)


def _faults(
    grey: Grey, profile: Profile, plane: Homography, used: Points, alike: Floats
) -> list[str]:
    """Return the reasons why a plane is not reliable; UNSEEN if the board is not there.

    Few blocks may match by chance, unless half of them show the same print.
    """
    if not camera_can(plane, grey.shape):
        return [NO_CAMERA]
    holds = alike >= SEEN_AS
    printed = int((~np.isnan(alike)).sum())
    if not printed or holds.sum() < LEAST_SEEN * printed / 2:
        return [UNSEEN]
    half = BLOCKS // 2
    quarters = sum(
        bool(holds[rows, columns].any())
        for rows, columns in product((slice(0, half), slice(half, BLOCKS)), repeat=2)
    )
    cells = np.array([cell.polygon for cell in profile.layout.cells])
    whole = profile.layout.outline[None]
    matching, closely = int(holds.sum()), int((alike >= SAME_PRINT).sum())
    if (
        matching < LEAST_SEEN * printed
        or (matching < LEAST_TELLING and closely < matching / 2)
        or quarters < LEAST_QUARTERS
        or risk_at(plane, used, plane.error, cells) > RISK
        or risk_at(plane, used, plane.error, whole) > RISK_SIDE
    ):
        return [TOO_LITTLE]
    return []
