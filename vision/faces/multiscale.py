"""Run detector and classifier on a picture, at further scales where the first is not clear.

In: a picture and the networks. Out: `Candidates`. `passes` yields what each pass found and
`examine` decides when a pass is enough.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import reduce
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from vision.faces.calibration import LIKELY, Calibration
from vision.faces.candidates import AGAIN, Candidates, doubtful_places, score_candidates
from vision.faces.classified import (
    GLIMPSED,
    OnStage,
    are_plain,
    classify_candidates,
    doubtful_turned,
    scored_by_kind,
)
from vision.faces.classifier import TURNS
from vision.faces.detector import (
    FEWEST,
    Detections,
    View,
    detect_faces,
    fuse_views,
    nms,
    nms_indices,
)
from vision.faces.networks import Models
from vision.geometry import Floats
from vision.models import Detector
from vision.photo import Pixels
from vision.reading import COLOURS

FIRST = View(384)
# The detector works best for faces with sides from so many px to so many. If they have not on the
# first view, the picture is scaled so that they have BEST.
FITTING, BEST = (25.0, 60.0), 30.0
# The same on all frames of a camera, and the probability of a middle below which a peak is ignored,
# as there are 20 frames a second. At another scale the outlines jump by a twentieth of a side.
MOVING, TRACKED, PLAIN = (20.0, 60.0), 27.0, 0.2
STEP = 32  # px; the sides of views are multiples of it
NEAREST, FARTHEST = 1280, 160  # px, largest and smallest longer side of a view
FURTHER = np.sqrt(2.0)  # factor between the scales of the first pass and of further views
# Small views for a die that fills the picture, of which the first view finds only pips. On these
# and the first view faces from a fifteenth of the picture to nearly all of it are FITTING.
AFAR = (View(FARTHEST), View(64))
SMALLEST = View(NEAREST)
ANYWHERE = (View(704, mirrored=True), SMALLEST, *AFAR)  # used if no face was found
# A view nearer by less than this than the first, which showed no face, is left out. Of 325 photos
# by strangers none is read in another way so; of 144 made smaller beside a fine pattern, one is.
NEARLY = 1.25
# If at most FEW places are doubtful and MANY times as many are sure, only the surroundings of the
# doubtful ones are detected again, on square views of AROUND px and of half as many.
FEW, MANY, AROUND = 4, 4, 320
# Median probability of being a half from which a table has dominoes. None of 110 photos of dice and
# drawn boards has more than 0.65; nine in ten of 51 drawn tables of dominoes have.
PLAINLY_HALVES = 0.7

BLACK = COLOURS.index("black")
P = TypeVar("P")
T = TypeVar("T")


PictureBox = tuple[int, int, int, int]  # left, top, right, bottom
IsPrint = Callable[[Floats], NDArray[np.bool_]]  # which of (n, 4, 2) quads, px, are print


@dataclass(frozen=True, slots=True, eq=False)
class KnownGround:
    """What is known about the surface under the pieces, such as a board that was located.

    Other printed pages, such as another player's sheet, are searched for only if a candidate may be
    a black square of one, because that takes time.
    """

    is_page: IsPrint | None = None  # printed on any known page
    side: float | None = None  # side of a piece's face on the located board, px of the picture
    is_print: IsPrint | None = None  # printed on the located board
    is_ink: IsPrint | None = None  # in a cell for marks, so that it is ink or a die on top of it
    # px, where alone the smallest faces are looked for; None: nowhere
    small: Callable[[], PictureBox | None] | None = None

    def faces(
        self, bgr: Pixels, detector: Detector, view: View, fewest: float = FEWEST
    ) -> Detections:
        """Return the faces on one view, as `detect_faces` does, without print."""
        return self.without_print(detect_faces(bgr, detector, view, fewest))

    def without_print(self, detections: Detections) -> Detections:
        """Leave out what is printed on the located board, so that it is not read again."""
        if self.is_print is None:
            return detections
        return detections.take(np.flatnonzero(~self.is_print(detections.quads)))

    def without_known(self, candidates: Candidates, calibration: Calibration) -> Candidates:
        """Leave out ink in cells for marks, and what is printed on a page on the table."""
        return self._without_pages(self._without_ink(candidates, calibration), calibration)

    def _without_ink(self, candidates: Candidates, calibration: Calibration) -> Candidates:
        """Leave out what lies in cells for marks, unless it is likely a die."""
        if self.is_ink is None or not len(candidates):
            return candidates
        is_ink = self.is_ink(candidates.detections.quads)
        is_ink &= score_candidates(candidates, calibration).real < LIKELY
        return candidates.take(np.flatnonzero(~is_ink))

    def _without_pages(self, candidates: Candidates, calibration: Calibration) -> Candidates:
        """Leave out what is printed on a page on the table."""
        if self.is_page is None:
            return candidates
        black = candidates.colour_logits.argmax(axis=1) == BLACK
        if not black.any():
            return candidates
        taken = scored_by_kind(candidates, calibration, halves=False)
        if not (black & np.any([one.real >= AGAIN for one in taken], axis=0)).any():
            return candidates
        is_page = self.is_page(candidates.detections.quads)
        return candidates.take(np.flatnonzero(~is_page))


UNKNOWN = KnownGround()


def passes(
    bgr: Pixels,
    models: Models,
    on_stage: OnStage = lambda _: None,
    *,
    halves: bool | None = False,
    ground: KnownGround = UNKNOWN,
) -> Iterator[Candidates]:
    """Yield the candidates of the first pass over a picture, then those of the refined pass.

    If only *halves* of dominoes are on the picture and all but a few are sure, a pass over just the
    surroundings of these comes in between. That is safe for dominoes, as an undetected half leaves
    its other half single, but not for dice. If *halves* is None, the detector decides.
    """
    first = first_pass(bgr, models, on_stage, ground=ground)
    yield first
    if halves or (halves is None and _shows_halves(first.detections)):
        scored = score_candidates(first, models.calibration, halves=True)
        doubtful = doubtful_places(scored, models.calibration)
        sure = scored.shown(models.calibration) & ~doubtful
        if 0 < doubtful.sum() <= min(FEW, sure.sum() / MANY):
            yield _halves_refined(bgr, first, doubtful, models, on_stage)
    yield refine(bgr, first, models, on_stage, halves=bool(halves), ground=ground)


def _shows_halves(detections: Detections) -> bool:
    """Return True if the faces are clearly halves of dominoes."""
    likely = detections.half[detections.probs >= LIKELY]
    return bool(len(likely) and np.median(likely) >= PLAINLY_HALVES)


def examine(
    passes: Iterable[P],
    is_clear: Callable[[P], bool],
    interpret: Callable[[P], T],
    is_settled: Callable[[T], bool] = lambda _: True,
) -> T:
    """Interpret the first pass that is clear and settled, or the last one.

    Reading, teaching and calibration all use this policy. *passes* is lazy: a further pass is only
    run if the one before is not enough.
    """
    for candidates in passes:
        made = interpret(candidates) if is_clear(candidates) else None
        if made is not None and is_settled(made):
            return made
    return interpret(candidates) if made is None else made


def first_pass(
    bgr: Pixels,
    models: Models,
    on_stage: OnStage = lambda _: None,
    *,
    best: float = BEST,
    likely_side: float | None = None,
    ground: KnownGround = UNKNOWN,
) -> Candidates:
    """Detect faces at the scale where they have *best* px, and classify each once.

    If the side of the faces is probably *likely_side* px, the search for the scale is skipped.
    """
    if ground.side is not None:
        view = _best_view(ground.side, bgr)
        detections = ground.faces(bgr, models.detector, view)
    else:
        tracked = _tracked(bgr, models.detector, likely_side, ground)
        view, detections = tracked or _focused(bgr, models.detector, best, ground)
    on_stage("detect")
    found = classify_candidates(bgr, detections, view.scale_of(bgr), models, on_stage)
    return ground.without_known(found, models.calibration)


def _tracked(
    bgr: Pixels, detector: Detector, side: float | None, ground: KnownGround
) -> tuple[View, Detections] | None:
    """Detect at the scale where such sides have TRACKED px; None if no such faces are there."""
    if side is None:
        return None
    view = _best_view(side, bgr, TRACKED)
    detections = ground.faces(bgr, detector, view, PLAIN)
    sizes = _glimpsed(detections)
    fits = len(sizes) and _is_fitting(sizes * view.scale_of(bgr), MOVING)
    return (view, detections) if fits else None


def _focused(
    bgr: Pixels, detector: Detector, best: float, ground: KnownGround
) -> tuple[View, Detections]:
    """Detect on the first view and, unless faces are FITTING there, at the scale where they are."""
    detections = ground.faces(bgr, detector, FIRST)
    sizes = _glimpsed(detections)
    view = _best_view(float(np.median(sizes)), bgr, best) if len(sizes) else FIRST
    return view, detections if view is FIRST else ground.faces(bgr, detector, view)


def _glimpsed(detections: Detections) -> Floats:
    """Return the sizes, px, of the places that are probably faces."""
    return detections.sizes[detections.probs >= GLIMPSED]


def _best_view(side: float, bgr: Pixels, best: float = BEST) -> View:
    """Return FIRST if such a side is FITTING there, else the view where it has *best* px."""
    if _is_fitting(np.array([side]) * FIRST.scale_of(bgr)):
        return FIRST
    return _view(best / side * max(bgr.shape[:2]))


def _is_fitting(sizes: Floats, fitting: tuple[float, float] = FITTING) -> bool:
    """Return True if the median of these sides, px of a view, is in the range *fitting*."""
    low, high = fitting
    return bool(low <= np.median(sizes) <= high)


def _view(longest: float, *, mirrored: bool = False) -> View:
    steps = round(min(max(longest, FARTHEST), NEAREST) / STEP)
    return View(steps * STEP, mirrored)


def refine(
    bgr: Pixels,
    first: Candidates,
    models: Models,
    on_stage: OnStage = lambda _: None,
    *,
    halves: bool = False,
    ground: KnownGround = UNKNOWN,
) -> Candidates:
    """Detect on further views, and classify doubtful faces in all orientations.

    Of overlapping places the likeliest is kept, as *halves* of dominoes or as dice.
    """
    views = _further_views(first, bgr, ground)
    candidates = first
    if views:
        taken = scored_by_kind(first, models.calibration, halves=halves)
        plain = first.take(np.flatnonzero(are_plain(taken)))
        candidates = _of_views(bgr, first, plain, views, models, on_stage, ground)
    candidates = doubtful_turned(candidates, models, halves=halves)
    on_stage("classify")
    likely = score_candidates(candidates, models.calibration, halves=halves).real
    return candidates.take(np.sort(nms_indices(candidates.detections, likely)))


def _halves_refined(
    bgr: Pixels, first: Candidates, doubtful: NDArray[np.bool_], models: Models, on_stage: OnStage
) -> Candidates:
    """Detect again around doubtful halves, and classify what is found in all orientations."""
    sure = first.take(np.flatnonzero(~doubtful))
    found = first.detections.take(np.flatnonzero(doubtful))
    scale = first.scale * FURTHER  # of the nearer view
    looks, scales = [found], [first.scale]
    for view in (View(AROUND, mirrored=True), View(AROUND // 2)):
        parts = [
            _detect_around(bgr, models.detector, view, middle, AROUND / scale)
            for middle in found.middles
        ]
        looks.append(nms(reduce(Detections.also, parts)))
        scales.append(scale * view.longest / AROUND)
    fused = fuse_views(looks, scales)
    on_stage("detect again")
    both = sure.also(classify_candidates(bgr, fused, first.scale, models, on_stage, TURNS))
    likely = score_candidates(both, models.calibration, halves=True).real
    return both.take(np.sort(nms_indices(both.detections, likely)))


def _detect_around(
    bgr: Pixels, detector: Detector, view: View, middle: Floats, side: float
) -> Detections:
    """Detect on a square around *middle*; return the faces close to it, px of the picture."""
    left, top = (max(0, round(c - side / 2)) for c in middle)
    box = left, top, left + round(side), top + round(side)
    found = _detect_within(bgr, detector, view, box)
    away = np.abs(found.middles - middle).max(axis=1, initial=0)
    return found.take(np.flatnonzero(away < side / 8))


def _detect_within(bgr: Pixels, detector: Detector, view: View, box: PictureBox) -> Detections:
    """Detect on a view of a part of the picture; return the faces, px of the picture."""
    left, top, right, bottom = box
    found = detect_faces(bgr[top:bottom, left:right], detector, view)
    return replace(found, quads=found.quads + np.array([left, top]))


def _of_views(
    bgr: Pixels,
    first: Candidates,
    plain: Candidates,
    views: tuple[View, ...],
    models: Models,
    on_stage: OnStage,
    ground: KnownGround,
) -> Candidates:
    """Return the candidates of all views together; the *plain* ones are not classified again."""
    others = [_detect_on(bgr, models.detector, view, ground) for view in views]
    detections = fuse_views(
        [first.detections, *others], [first.scale, *(view.scale_of(bgr) for view in views)]
    )
    detections = ground.without_print(detections)
    on_stage("detect again")
    found = classify_candidates(bgr, detections, first.scale, models, on_stage, plain=plain)
    return ground.without_known(found, models.calibration)


def _detect_on(bgr: Pixels, detector: Detector, view: View, ground: KnownGround) -> Detections:
    """Detect on a view; for the smallest faces only where the ground may have them."""
    part = ground.small() if view == SMALLEST and ground.small else None
    if part is None:
        return detect_faces(bgr, detector, view)
    left, top, right, bottom = part
    longest = view.scale_of(bgr) * max(right - left, bottom - top)
    return _detect_within(bgr, detector, _view(longest), part)


def _further_views(first: Candidates, bgr: Pixels, ground: KnownGround) -> tuple[View, ...]:
    """Return the further views to use; only a nearer one if the size of faces is known."""
    longest = round(first.scale * max(bgr.shape[:2]))
    if ground.side is not None:
        views: tuple[View, ...] = (_view(longest * FURTHER, mirrored=True),)
    elif (first.detections.probs >= GLIMPSED).any():
        views = (_view(longest * FURTHER, mirrored=True), _view(longest / FURTHER), *AFAR)
    else:
        views = tuple(view for view in ANYWHERE if not longest <= view.longest < longest * NEARLY)
        if ground.small and ground.small() is None:
            views = tuple(view for view in views if view != SMALLEST)
    return tuple(view for view in dict.fromkeys(views) if view.longest != longest)


def is_clear(
    candidates: Candidates,
    calibration: Calibration,
    ground: KnownGround = UNKNOWN,
    *,
    halves: bool = False,
) -> bool:
    """Return True if there are faces of a fitting size and none of them is doubtful.

    They are scored as *halves* of dominoes or as dice. If the *ground* gives their size, there may
    also be no face at all.
    """
    scored = score_candidates(candidates, calibration, halves=halves)
    shown = scored.shown(calibration)
    if not shown.any():
        if ground.side is None:
            return False
    elif not _is_fitting(candidates.detections.sizes[shown] * candidates.scale):
        return False
    return not doubtful_places(scored, calibration).any()
