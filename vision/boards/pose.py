"""Estimate the pose of a printed board on a photo from its fiducials.

In: a grey picture and the board's `Layout`. Out: `LocatedBoard`: a `BoardPose`, or why there is
none. Markers are detected on a reduced picture; those that agree on a plane predict where the
others must be, and these are searched for there. Corners are refined at full resolution and give
one homography. Its error at the cells follows from the number and the spread of the markers; if it
is too large, the pose is not `sure`.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.boards.bend import Bend, bend_of
from vision.boards.fiducials import dictionary
from vision.boards.marker_detector import REDUCED, Markers, detected, looked_up, refined
from vision.boards.uncertainty import risk_at
from vision.camera import camera_can, in_front
from vision.geometry import Floats, Homography, Points
from vision.layout import Fiducial, Four, Layout
from vision.photo import Grey
from vision.quad import Quad

ENOUGH = 4  # markers after which no thorough search follows
FEWEST = 2  # markers needed for a pose; with fewer the far cells are undetermined
NEXT = 60.0  # mm; markers within this distance of a found one are searched around their place
SEARCH = 0.6  # sides of a marker, radius of that search
ROUNDS = 8  # of searching markers: each round the plane extends farther
STRAY = 0.25  # sides of a marker; a corner farther from the plane belongs to another marker
BENT = 0.035  # sides of a marker, largest misfit of a flat page
CURVED = 0.25  # of a cell's side, largest curve of a page at its cells
LEAST_ERROR = 0.7  # px, misfit that any photo may have because of blur
RISK = 0.08  # of a cell's side, largest standard deviation of a sure pose at any cell
TWICE = 3  # markers with the board's ids elsewhere, from which there is a second board
ELSEWHERE = 2.0  # sides of a marker; one closer to the plane is on a bent page instead
FOREIGN = 3  # markers with other ids, from which there is another board


@dataclass(frozen=True, slots=True, eq=False)
class BoardPose:
    """A board on a photo; `sure` is False if cells may be confused with their neighbours."""

    homography: Homography  # mm of the paper to px of the photo
    corners: Quad  # px, of the layout's outline, clockwise from its own upper left
    error_px: float  # root mean square misfit of the markers' corners
    fiducials: tuple[Fiducial, ...]  # those that were seen and agree
    sure: bool
    bend: Bend | None = None  # of a page that is not flat

    def sees(self, points: Floats) -> Floats:
        """Map (n, 2) points of the print, mm, to (n, 2) px of the photo."""
        return self.homography.apply(points if self.bend is None else self.bend.moved(points))

    @property
    def fiducials_px(self) -> Floats:
        """Return (n, 4, 2) px, the corners of the fiducials by the pose."""
        corners = np.array([one.corners for one in self.fiducials])
        return self.sees(corners.reshape(-1, 2)).reshape(-1, 4, 2)

    @property
    def fiducials_seen(self) -> int:
        """Return how many fiducials were seen and agree."""
        return len(self.fiducials)


@dataclass(frozen=True, slots=True, eq=False)
class LocatedBoard:
    """The pose of a board, if found, and a sentence for the person about each problem."""

    pose: BoardPose | None
    said: tuple[str, ...] = ()

    def print_of(self, layout: Layout | None) -> Layout | None:
        """Return the board's layout with the bend of the page applied, if it has one."""
        bend = None if self.pose is None else self.pose.bend
        return layout if bend is None or layout is None else bend.layout(layout)


MIRRORED = "The photo is mirrored, as front cameras do it. Use the other camera."
ANOTHER = "This is not the board of this game. Show the right one."
TWO_BOARDS = "Two boards of one kind are on the photo. Show one of them."
NOT_FLAT = "The board is bent or folded. Press it flat, and take the photo again."
TOO_LITTLE = "Too little of the board is seen to be sure of its cells. Show more of its edge."
NO_CAMERA = "The board looks distorted. Take the photo of the board itself, not of a picture of it."

NOT_THE_BOARD = (MIRRORED, ANOTHER)  # for photos with markers that are not the board's


def find_board(grey: Grey, layout: Layout) -> BoardPose | None:
    """Return the pose of the board of *layout* on a grey picture (h, w); None if not found."""
    return locate_printed(grey, layout).pose


def locate_printed(
    grey: Grey, layout: Layout, *, thorough: bool = True, beside: Iterable[Layout] = ()
) -> LocatedBoard:
    """Locate a board by its fiducials.

    Args:
        grey: the photo, (h, w).
        layout: of the board.
        thorough: search again if the first pass finds no marker at all.
        beside: layouts of pages that may be beside the board without a warning.
    """
    if not layout.fiducials:
        return LocatedBoard(None)
    pose, found = _searched(grey, layout, thorough=thorough)
    off_sides = np.zeros(len(found.ids)) if pose is None else _astray(layout, pose, found)
    said = tuple(_second_board(layout, pose, found, off_sides))
    if pose is None:
        return LocatedBoard(None, said or _not_this_board(layout, beside, found))
    # Markers off the plane that are not a second board's are on a fold.
    far = np.inf if TWO_BOARDS not in said else ELSEWHERE
    bent = int(((off_sides > 0) & (off_sides < far)).sum()) >= TWICE
    faults = [NOT_FLAT] if bent else _faults(grey, layout, pose)
    sure = not faults and TWO_BOARDS not in said
    return LocatedBoard(replace(pose, sure=sure), (*said, *faults, *_cut_off(grey, pose)))


def _searched(grey: Grey, layout: Layout, *, thorough: bool) -> tuple[BoardPose | None, Markers]:
    """Detect the board's markers; without enough of them, detect again at full size."""
    name = layout.fiducials[0].dictionary
    found = detected(grey, name, REDUCED)
    pose = _completed_pose(grey, layout, found)
    promising = len(found.ids) or len(found.unknown) >= FEWEST
    enough = pose is not None and pose.fiducials_seen >= ENOUGH
    if not promising or enough or not (thorough or len(found.ids)):
        return pose, found
    found = detected(grey, name, max(grey.shape), thorough=True)
    better = _completed_pose(grey, layout, found)
    return max(pose, better, key=lambda one: 0 if one is None else one.fiducials_seen), found


def _not_this_board(layout: Layout, beside: Iterable[Layout], found: Markers) -> tuple[str, ...]:
    """Return why the markers of a photo without the board may be there."""
    own = {one.id for page in (layout, *beside) for one in page.fiducials}
    if sum(int(i) not in own for i in found.ids) >= FOREIGN:
        return (ANOTHER,)
    return (MIRRORED,) if _mirrored(layout, found) else ()


def enlarged(pose: BoardPose, factor: float) -> BoardPose:
    """Return the pose on a photo *factor* times as large; pixel centres are at half pixels."""
    return replace(
        pose,
        homography=pose.homography.enlarged(factor),
        corners=pose.corners.scaled(factor),
        error_px=pose.error_px * factor,
    )


# ---------------------------------------------------------------- the plane


def _completed_pose(grey: Grey, layout: Layout, found: Markers) -> BoardPose | None:
    """Return the pose from the detected markers, completed by all others that it predicts."""
    pose = _posed(layout, found)
    return None if pose is None else _completed(grey, layout, pose)


def _posed(layout: Layout, found: Markers) -> BoardPose | None:
    """Fit a plane to the markers of the board that share one."""
    there = {one.id: one for one in layout.fiducials}
    places = np.flatnonzero([int(i) in there for i in found.ids])
    if not len(places):
        return None
    ours = [there[int(i)] for i in found.ids[places]]
    on_paper, on_photo = np.array([one.corners for one in ours]), found.corners[places]
    agree = _agreeing(on_paper, on_photo)
    pose = None
    for _ in range(ROUNDS):  # on a bent page each round extends farther
        chosen = tuple(one for one, is_on in zip(ours, agree, strict=True) if is_on)
        pose = _fitted(layout, chosen, on_photo[agree])
        if pose is None:
            return None
        near = _misses(pose.sees, on_paper, on_photo) < STRAY * _sides(on_photo)
        if pose.bend is None or not (near & ~agree).any():
            break
        agree = agree | near
    return pose


def _astray(layout: Layout, pose: BoardPose, found: Markers) -> Floats:
    """Return (n,) distances of the board's markers from a pose, in their sides; 0 for others."""
    there = {one.id: one for one in layout.fiducials}
    places = np.flatnonzero([int(i) in there for i in found.ids])
    off_sides = np.zeros(len(found.ids))
    if len(places):
        on_paper = np.array([there[int(i)].corners for i in found.ids[places]])
        on_photo = found.corners[places]
        away = _misses(pose.sees, on_paper, on_photo) / _sides(on_photo)
        off_sides[places] = np.where(away < STRAY, 0, away)
    return off_sides


def _fitted(
    layout: Layout, fiducials: tuple[Fiducial, ...], corners_px: Floats
) -> BoardPose | None:
    """Fit the plane of n markers at (n, 4, 2) px; None if no camera can see the print like that."""
    on_paper = np.array([one.corners for one in fiducials])
    plane = Homography.fit(on_paper.reshape(-1, 2), corners_px.reshape(-1, 2))
    if plane is None or not in_front(plane, layout.outline):
        return None
    on_paper = on_paper.reshape(-1, 2)
    corners_px = corners_px.reshape(-1, 2)
    bend = bend_of(plane, on_paper, corners_px)
    pose = BoardPose(plane, Quad(((0.0, 0.0),) * 4), plane.error, fiducials, sure=False, bend=bend)
    a, b, c, d = ((float(x), float(y)) for x, y in pose.sees(layout.outline))
    off = ((pose.sees(on_paper) - corners_px) ** 2).sum(axis=1)
    return replace(pose, corners=Quad((a, b, c, d)), error_px=float(np.sqrt(off.mean())))


def _completed(grey: Grey, layout: Layout, pose: BoardPose) -> BoardPose | None:
    """Search every marker where the pose predicts it; return the pose by all that were found.

    Near found markers the prediction is good, so there a marker is searched around its place.
    """
    on_paper = np.array([one.corners for one in layout.fiducials])
    middles = on_paper.mean(axis=1)
    for turn in range(ROUNDS):
        expected = pose.sees(on_paper.reshape(-1, 2)).reshape(-1, 4, 2)
        near = np.array([np.mean(one.corners, axis=0) for one in pose.fiducials])
        away = np.linalg.norm(middles[:, None] - near, axis=2).min(axis=1)
        places = [
            looked_up(grey, quad, one.dictionary, one.id, search=SEARCH * bool(0 < far < NEXT))
            for one, quad, far in zip(layout.fiducials, expected, away, strict=True)
        ]
        found_at = np.array([k for k, place in enumerate(places) if place is not None], np.intp)
        if len(found_at) < FEWEST:
            return None
        found = np.array([place for place in places if place is not None])
        corners = refined(grey, found, layout.fiducials[0].dictionary)
        kept = np.linalg.norm(corners - found, axis=2).max(axis=1) < STRAY * _sides(corners)
        found_at, corners = found_at[kept], corners[kept]
        if len(found_at) < FEWEST:
            return None
        better = _fitted(layout, tuple(layout.fiducials[i] for i in found_at), corners)
        if better is None:
            return None
        done, pose = turn > 0 and better.fiducials_seen == pose.fiducials_seen, better
        if done:
            break
    return _without_stray(layout, pose, found_at, corners)


def _without_stray(
    layout: Layout, pose: BoardPose, found_at: NDArray[np.intp], corners: Floats
) -> BoardPose | None:
    """Return the pose without markers off it, such as half-covered ones with wrong corners."""
    on_paper = np.array([one.corners for one in pose.fiducials])
    near = _misses(pose.sees, on_paper, corners) < STRAY * _sides(corners)
    if near.all():
        return pose
    if near.sum() < FEWEST:
        return None
    return _fitted(layout, tuple(layout.fiducials[i] for i in found_at[near]), corners[near])


def _sides(quads: Floats) -> Floats:
    """Return (n,) px, the mean side of (n, 4, 2) corners."""
    sides: Floats = np.linalg.norm(quads - np.roll(quads, 1, axis=1), axis=2).mean(axis=1)
    return sides


def _agreeing(on_paper: Floats, on_photo: Floats) -> NDArray[np.bool_]:
    """Return (n,), which markers are on the plane that most of them share.

    The plane of each pair of markers is tried, extended to the markers that agree with it.
    """
    sides = _sides(on_photo)
    best = np.zeros(len(on_paper), np.bool_)
    best[0] = True  # a single marker is a start
    for pair in _pairs(len(on_paper)):
        agree = np.isin(np.arange(len(on_paper)), pair)
        for _ in range(3):  # neighbours first, then markers farther away
            plane = Homography.fit(on_paper[agree].reshape(-1, 2), on_photo[agree].reshape(-1, 2))
            if plane is None:
                break
            away = _misses(plane.apply, on_paper, on_photo) / sides
            agree = away < STRAY
            if agree.sum() < FEWEST:
                break
        if agree.sum() > best.sum():
            best = agree
        if best.sum() > 0.8 * len(best):
            break
    return best


def _pairs(count: int) -> Iterator[list[int]]:
    """Yield pairs of indices, those far apart first."""
    for step in range(max(count // 2, 1), 0, -1):
        yield from ([i, i + step] for i in range(count - step))


def _misses(sees: Callable[[Points], Points], on_paper: Floats, on_photo: Floats) -> Floats:
    """Return (n,) px, the largest error of a corner of each marker."""
    sent = sees(on_paper.reshape(-1, 2)).reshape(on_photo.shape)
    misses: Floats = np.linalg.norm(sent - on_photo, axis=2).max(axis=1)
    return misses


# ---------------------------------------------------------------- faults


def _faults(grey: Grey, layout: Layout, pose: BoardPose) -> list[str]:
    """Return the reasons why the pose is not reliable, the worst first."""
    if not camera_can(pose.homography, grey.shape):
        return [NO_CAMERA]
    side = _side_px(pose, [one.corners for one in layout.fiducials])
    if pose.error_px > max(LEAST_ERROR, BENT * side) or _curve(layout, pose) > CURVED:
        return [NOT_FLAT]
    if _risk(layout, pose) > RISK:
        return [TOO_LITTLE]
    return []


def _side_px(pose: BoardPose, shapes: list[Four]) -> float:
    """Return the median side on the photo, px, of quads in mm."""
    flat = pose.homography.apply(np.array(shapes).reshape(-1, 2)).reshape(-1, 4, 2)
    return float(np.median(np.linalg.norm(flat - np.roll(flat, 1, axis=1), axis=2)))


def _risk(layout: Layout, pose: BoardPose) -> float:
    """Return the standard deviation of the pose at the cells, in sides of a cell."""
    # An open mat has no cells; its markers are as small as what is placed on it.
    polygons = [cell.polygon for cell in layout.cells] or [one.corners for one in layout.fiducials]
    if pose.bend is not None:
        side = min(Quad(one).side for one in polygons)
        return pose.bend.risk(np.array(polygons).reshape(-1, 2)) / side
    used = np.array([one.corners for one in pose.fiducials]).reshape(-1, 2)
    return risk_at(pose.homography, used, pose.error_px, np.array(polygons))


def _curve(layout: Layout, pose: BoardPose) -> float:
    """Return the largest distance of the page from a plane at its cells, in sides of a cell."""
    if pose.bend is None or not layout.cells:
        return 0.0
    polygons = [cell.polygon for cell in layout.cells]
    side = min(Quad(one).side for one in polygons)
    return pose.bend.depth(np.array(polygons).reshape(-1, 2)) / side


def _second_board(
    layout: Layout, pose: BoardPose | None, found: Markers, off_sides: Floats
) -> Iterator[str]:
    """Yield a warning if markers with the board's ids are elsewhere: there is a second board."""
    own = {one.id for one in layout.fiducials}
    twice = sum(count > 1 for i, count in Counter(map(int, found.ids)).items() if i in own)
    own_ids = {one.id for one in pose.fiducials} if pose else set[int]()
    again = sum(int(i) in own_ids for i in found.ids[off_sides >= ELSEWHERE])
    if max(twice, again) >= TWICE:
        yield TWO_BOARDS


def _mirrored(layout: Layout, found: Markers) -> bool:
    """Return True if the unidentified squares are mirrored markers of the board."""
    own = {one.id for one in layout.fiducials}
    markers = dictionary(layout.fiducials[0].dictionary)
    mirrored_ids = set[int]()
    for white in found.unknown:
        bits = np.ascontiguousarray(white[1:-1, -2:0:-1]).astype(np.uint8)
        is_marker, number, _ = markers.identify(bits, 0.6)
        if is_marker and number in own:
            mirrored_ids.add(number)
    return len(mirrored_ids) > FEWEST


def _cut_off(grey: Grey, pose: BoardPose) -> Iterator[str]:
    """Yield a warning about the corners of the board that are outside the photo."""
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
