"""Find a taught board again: under other light, from elsewhere, with pieces and hands on it.

In: a grey photo and the board's `Profile`. Out: `LocatedBoard`, as for printed boards. Local
features give a first plane, or straight lines where they do not (`line_planes`); small patches of
the board's picture, each tracked to where it is seen on the photo, refine it. The plane is believed
where a camera can have it, patches agree all over the board, and no other plane explains the photo
as well, such as one shifted by a cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, product
from operator import itemgetter

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board_profile import PX_PER_UNIT, Profile, features, moved, rectify
from vision.boards.agreement import BLOCKS, SEEN_AS, agreement, as_well, best_shift, shifted_alike
from vision.boards.kept_print import squares_around
from vision.boards.line_planes import BoardLines, between_lines, planes_by_lines
from vision.boards.pose import NO_CAMERA, TOO_LITTLE, BoardPose, LocatedBoard
from vision.boards.ruled_grid import LIKELY, all_ruled_grids
from vision.boards.uncertainty import risk_at, spread_at
from vision.camera import camera_can, in_front
from vision.decode import Grey, Photo
from vision.geometry import Floats, Homography, Points, Quad

WORK_SIDE = 1000  # px, longer side of the picture that features are looked for on
MOST_FEATURES = 3000
NEARER = 0.85  # distance to the nearest feature over that to the next: Lowe's ratio
NEAR_PLANE = 4.0  # px of the work picture, from the first plane
LEAST_MATCHES = 8  # that agree on a first plane
ROUNDS = 3  # of tracking patches
MOST_PATCHES = 400
PATCH = 21  # px of the profile's picture
NEAR_PATCH = 1.5  # px of the profile's picture, from the refined plane
MOST_MARKS = 24  # patches that tell whether the board lies still
BACK = 0.7  # px of it: a patch that is followed there and back ends where it began
LEAST_PATCHES = 10
SMALL_BLOCKS = 18  # the same, for print that is no larger than a few letters
PLAINLY = 0.85  # correlation, on average, from which no other place is looked at
LEAST_SEEN = 0.35  # of the blocks that have print
LEAST_QUARTERS = 3  # of the board's quarters in which it is seen
LEAST_PRINT = 10  # small blocks; fewer do not tell one board's print from another's
# Correlation of the same print, and the share of the blocks that have it: of boards with letters in
# their cells up to 0.16 where others lay there, from 0.98 where nothing hid them.
SAME_PRINT, LEAST_SAME = 0.9, 0.3
SQUARE = 0.02  # of its width that the height of a square board may differ
RISK = 0.1  # of a cell's side: how far a sure plane may be off at any cell, one deviation
RISK_SIDE = 0.01  # of the board's side, the same: large cells ask for corners as exact

UNSEEN = "The taught board was not found. Show more of it, or set its four corners."
SHIFTED = "Several parts of the board look alike. Show all of its edge, or set its four corners."


def find_taught(grey: Grey, profile: Profile) -> LocatedBoard:
    """Return where a taught board lies on a photo (h, w), in px of it.

    Of a board that looks alike when it is turned the turn is told whose rows run across the photo.
    """
    first = _first(grey, profile)
    located = _located(grey, profile, first) if first else None
    if located is None:
        for planes in chain(planes_by_lines(grey, profile), [_by_cells(grey, profile)]):
            found = chain(_among(grey, profile, planes), [located] if located else [])
            located = max(found, key=_surest, default=None)
            if located is not None and located.sure:
                break
    return located.told if located else LocatedBoard(None, (UNSEEN,))


@dataclass(frozen=True, slots=True, eq=False)
class _Located:
    """Where the board may lie."""

    pose: BoardPose
    said: tuple[str, ...]
    alike: float  # mean of what `agreement` tells

    @property
    def sure(self) -> bool:
        return self.pose.sure

    @property
    def told(self) -> LocatedBoard:
        return LocatedBoard(self.pose, self.said)


def _surest(one: _Located) -> tuple[bool, float]:
    return one.sure, one.alike


def _among(grey: Grey, profile: Profile, planes: Iterable[Homography]) -> Iterator[_Located]:
    """Yield where the board may lie near one of some planes, up to where it plainly does."""
    for plane in planes:
        found = _located(grey, profile, plane)
        if found is not None and _same_print(grey, profile, found.pose):
            yield found
            if found.sure and found.alike > PLAINLY:
                return


def _by_cells(grey: Grey, profile: Profile) -> Iterator[Homography]:
    """Yield planes by which a ruled grid of as many cells lies on the photo, each in any turn.

    A hand draws lines that no straight one fits, but cells that a grid does.
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
    """Return a plane and its points, cells further where what is around the board shows it."""
    x, y = best_shift(grey, profile, plane)
    return moved(plane, x, y), used - (x, y)


def _level(
    grey: Grey, profile: Profile, plane: Homography, used: Points
) -> tuple[Homography, Points, Floats]:
    """Return a plane, its points and `agreement`: the most level of the turns that look alike."""
    width, height = profile.layout.paper_mm
    turns = [np.array([[-1, 0, width], [0, -1, height], [0, 0, 1.0]])]
    if profile.rows == profile.columns and abs(width - height) < SQUARE * width:
        turns += [np.array([[0, -1, width], [1, 0, 0], [0, 0, 1.0]]),
                  np.array([[0, 1, 0], [-1, 0, height], [0, 0, 1.0]])]  # fmt: skip
    seen = agreement(grey, profile.picture, plane)
    told = [(_slope(plane, profile), (plane, used, seen))]
    for turn in turns:
        turned = Homography(plane.matrix @ turn, plane.error)
        there = agreement(grey, profile.picture, turned)
        if as_well(seen, there):
            points = Homography(np.linalg.inv(turn), 0.0).apply(used)
            told.append((_slope(turned, profile), (turned, points, there)))
    return min(told, key=itemgetter(0))[1]


def _slope(plane: Homography, profile: Profile) -> float:
    """Return the angle between a board's rows and the photo's, radians."""
    a, b, c, d = plane.apply(profile.layout.outline)
    x, y = b + c - a - d
    return float(abs(np.arctan2(y, x)))


def _located(grey: Grey, profile: Profile, first: Homography) -> _Located | None:
    """Return where the board lies if that is near a *first* plane."""
    fitted = tracked(grey, profile, first)
    outline = profile.layout.outline
    if fitted is None or not in_front(fitted[0], outline):
        return None
    plane, used, seen = _level(grey, profile, *_in_place(grey, profile, *fitted))
    faults = _faults(grey, profile, plane, used, seen)
    if UNSEEN in faults:
        return None
    a, b, c, d = ((float(x), float(y)) for x, y in plane.apply(outline))
    error = max(plane.error, float(spread_at(plane, used, plane.error, outline).max()))
    pose = BoardPose(plane, Quad((a, b, c, d)), error, (), sure=not faults)
    told = seen[~np.isnan(seen)]
    return _Located(pose, tuple(faults), float(told.mean()) if len(told) else 0.0)


def marks_of(profile: Profile, pose: BoardPose, side: float) -> Floats:
    """Return (n, 4, 2) px, squares of a board's clearest print, with sides of so many px.

    While they look the same the board lies where it lay.
    """
    found = cv2.goodFeaturesToTrack(
        profile.picture, MOST_MARKS, 0.05, PATCH, mask=_inner(profile.picture), blockSize=7
    )
    if found is None:
        return np.zeros((0, 4, 2))
    width, height = profile.layout.paper_mm
    across = side * np.sqrt(width * height) / pose.corners.side
    middles = (np.asarray(found, np.float64).reshape(-1, 2) + 0.5) / PX_PER_UNIT
    return pose.sees(squares_around(middles, across).reshape(-1, 2)).reshape(-1, 4, 2)


def _first(grey: Grey, profile: Profile) -> Homography | None:
    """Return a plane that many local features agree on."""
    zoom = min(1.0, WORK_SIDE / max(grey.shape))
    work = grey
    if zoom < 1:
        work = np.asarray(
            cv2.resize(grey, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA), np.uint8
        )
    theirs, described = features(work, MOST_FEATURES, 1.0)
    ours, known = profile.features
    if len(theirs) < LEAST_MATCHES:
        return None
    pairs = cv2.BFMatcher(cv2.NORM_L2).knnMatch(known, described, k=2)
    good = [one for one, next_one in pairs if one.distance < NEARER * next_one.distance]
    if len(good) < LEAST_MATCHES:
        return None
    source = ours[[one.queryIdx for one in good]]
    target = theirs[[one.trainIdx for one in good]]
    found, on = cv2.findHomography(
        source, target, cv2.USAC_MAGSAC, NEAR_PLANE, maxIters=5000, confidence=0.999
    )
    if found is None or on is None or int(on.sum()) < LEAST_MATCHES:
        return None
    return Homography(np.asarray(found, np.float64), NEAR_PLANE).enlarged(1 / zoom)


def tracked(grey: Grey, profile: Profile, plane: Homography) -> tuple[Homography, Points] | None:
    """Refine a plane by patches of the board; return it and where the patches lie, units."""
    corners = cv2.goodFeaturesToTrack(
        profile.picture, MOST_PATCHES, 0.01, 8, mask=_inner(profile.picture), blockSize=7
    )
    if corners is None:
        return None
    patches = np.asarray(corners, np.float32).reshape(-1, 1, 2)
    used: Points | None = None
    size = (profile.picture.shape[1], profile.picture.shape[0])
    for turn in range(ROUNDS):
        if not in_front(plane, profile.layout.outline):
            return None
        flat = _evened(rectify(grey, plane, size))
        ours = _evened(profile.picture)
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
        plane, used = fitted, before[is_on]
    return None if used is None else (plane, used)


def _followed(
    ours: Grey, flat: Grey, patches: NDArray[np.float32], levels: int
) -> tuple[Floats, NDArray[np.bool_]]:
    """Return (n, 2) px where patches of one picture are on the other, and which lead back too."""
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


def _inner(picture: Grey) -> NDArray[np.uint8]:
    mask = np.zeros(picture.shape, np.uint8)
    mask[4:-4, 4:-4] = 255
    return mask


def _evened(grey: Grey) -> Grey:
    """Return the picture without its light: each px by the mean and the spread around it."""
    level = grey.astype(np.float32)
    mean = cv2.blur(level, (41, 41))
    spread = np.sqrt(np.maximum(cv2.blur(level * level, (41, 41)) - mean * mean, 36.0))
    return np.asarray(np.clip(128 + 48 * (level - mean) / spread, 0, 255), np.uint8)


def _same_print(grey: Grey, profile: Profile, pose: BoardPose) -> bool:
    """Say whether what is printed between the lines of a board is seen too, if anything is.

    Boards of other print may have the same lines.
    """
    seen = agreement(
        grey, profile.picture, pose.homography, SMALL_BLOCKS, between_lines(profile.picture)
    )
    told = seen[~np.isnan(seen)]
    return len(told) < LEAST_PRINT or bool((told > SAME_PRINT).mean() > LEAST_SAME)


def _faults(
    grey: Grey, profile: Profile, plane: Homography, used: Points, seen: Floats
) -> list[str]:
    """Return why a plane is not to be relied on; UNSEEN where it is none of the board's."""
    if not camera_can(plane, grey.shape):
        return [NO_CAMERA]
    holds = seen >= SEEN_AS
    told = int((~np.isnan(seen)).sum())
    if not told or holds.sum() < LEAST_SEEN * told / 2:
        return [UNSEEN]
    half = BLOCKS // 2
    quarters = sum(
        bool(holds[rows, columns].any())
        for rows, columns in product((slice(0, half), slice(half, BLOCKS)), repeat=2)
    )
    cells = np.array([cell.polygon for cell in profile.layout.cells])
    whole = profile.layout.outline[None]
    if (
        holds.sum() < LEAST_SEEN * told
        or quarters < LEAST_QUARTERS
        or risk_at(plane, used, plane.error, cells) > RISK
        or risk_at(plane, used, plane.error, whole) > RISK_SIDE
    ):
        return [TOO_LITTLE]
    if shifted_alike(grey, profile, plane, seen):
        return [SHIFTED]
    return []
