"""Detector and classifier one after the other: a picture to faces with value, colour and doubt."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, reduce
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from vision import models
from vision.decode import Pixels
from vision.faces.calibration import LIKELY, Calibration
from vision.faces.candidates import (
    AGAIN,
    Candidates,
    ScoredCandidates,
    doubtful_places,
    score_candidates,
)
from vision.faces.classifier import TURNS, classify_crops, crop_faces
from vision.faces.detector import (
    Detections,
    View,
    detect_faces,
    fuse_views,
    nms,
    nms_indices,
)
from vision.faces.larger_sets import LargerSets, shipped_larger_sets
from vision.geometry import Floats
from vision.models import Detector, FaceClassifier, PairClassifier, model_path
from vision.reading import COLOURS

FIRST = View(384)
# The detector is best where faces have this many px. Where they have not on the first view, the
# picture is looked at from where they have BEST.
FITTING, BEST = (25.0, 60.0), 30.0
# The same on frames of a camera, and the probability of a middle below which a peak is not looked
# at: 20 a second leave time for less.
MOVING, TRACKED, PLAIN = (20.0, 60.0), 27.0, 0.2
GLIMPSED = 0.3  # probability of the detector from which a place tells how large the faces are
STEP = 32  # px; the sides of views are whole steps
NEAREST, FARTHEST = 1280, 160  # px of the longer side of a view
FURTHER = np.sqrt(2.0)  # times as near, and as far, the picture is looked at again
# Of a die that fills the picture only pips were seen, taken for faces. On these and the first view
# faces from a fifteenth of the picture to nearly all of it have a FITTING size.
AFAR = (View(FARTHEST), View(64))
ANYWHERE = (View(704, mirrored=True), View(NEAREST), *AFAR)  # taken where no face was seen
SMALLEST = 9.0  # px of the picture, side of a face; a pip of a smaller one is under 2 px wide
# Confidence from which a face is not turned: one look is less sure than the mean of four.
PLAINLY = 0.99
AS_BEFORE = 0.12  # sides of a face, of a corner, up to which an outline is that of a look before
# Places in doubt up to which, where so many times as many faces are sure, only what lies around
# them is looked at again, on square views, the nearer one with sides of so many px.
FEW, MANY, AROUND = 4, 4, 320
# Median probability of being a half from which a table is one of dominoes. Of 110 photos of dice
# and drawn boards none had more than 0.65, of 51 drawn tables of dominoes nine in ten had.
PLAINLY_HALVES = 0.7
MOST = 120  # places a picture that are read though the detector sees hardly a face there

BLACK = COLOURS.index("black")
OnStage = Callable[[str], None]  # told the name of a stage when it ends
P = TypeVar("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class Models:
    """The networks and how far they can be trusted."""

    detector: Detector
    face_classifier: FaceClassifier
    pair_classifier: PairClassifier
    calibration: Calibration
    larger_sets: LargerSets | None = None  # what is known of the face classifier's features


Print = Callable[[Floats], NDArray[np.bool_]]  # of (n, 4, 2) px: it is print, and no face


@dataclass(frozen=True, slots=True, eq=False)
class KnownGround:
    """What is known of the ground that pieces lie on, such as a board whose print was found.

    Pages that nobody has looked for, another player's sheet, say, are only looked for, which takes
    time, once something may be a black square of one.
    """

    is_page: Print  # it is printed on any page
    side: float | None = None  # px of the picture, of a piece's face on the board that was found
    is_print: Print | None = None  # it is printed on that board

    def without_print(self, detections: Detections) -> Detections:
        """Leave out what is printed: nobody has to look at it again."""
        if self.is_print is None:
            return detections
        return detections.take(np.flatnonzero(~self.is_print(detections.quads)))

    def without_pages(self, candidates: Candidates) -> Candidates:
        """Leave out what is printed on a page that may lie there."""
        if not len(candidates):
            return candidates
        is_page = self.is_page(candidates.detections.quads)
        return candidates.take(np.flatnonzero(~is_page))


@cache
def shipped_models() -> Models:
    """Return the networks of `models/` with their calibration."""
    told = json.loads(model_path("calibration.json").read_text())
    return Models(
        models.detector(),
        models.face_classifier(),
        models.pair_classifier(),
        Calibration.from_json(told),
        shipped_larger_sets(),
    )


def passes(
    bgr: Pixels,
    models: Models,
    on_stage: OnStage = lambda _: None,
    *,
    halves: bool | None = False,
    ground: KnownGround | None = None,
) -> Iterator[Candidates]:
    """Yield what the first pass over a picture shows, and then what the refined one does.

    Between them, where only *halves* of dominoes lie and all but a few are sure, what lies around
    these seen from nearer. A half that no view has shown is missed by its other half; a die is
    not, and another reason to look at the whole picture again has shown some. Where either may lie
    (None), the detector tells.
    """
    first = first_pass(bgr, models, on_stage, ground=ground)
    yield first
    if halves or (halves is None and _shows_halves(first.detections)):
        seen = score_candidates(first, models.calibration, halves=True)
        doubtful = doubtful_places(seen, models.calibration)
        sure = seen.shown(models.calibration) & ~doubtful
        if 0 < doubtful.sum() <= min(FEW, sure.sum() / MANY):
            yield _halves_refined(bgr, first, doubtful, models, on_stage)
    yield refine(bgr, first, models, on_stage, halves=bool(halves), ground=ground)


def _shows_halves(detections: Detections) -> bool:
    """Say whether what is there is plainly halves of dominoes."""
    likely = detections.half[detections.probs >= LIKELY]
    return bool(len(likely) and np.median(likely) >= PLAINLY_HALVES)


def examine(
    passes: Iterable[P],
    is_clear: Callable[[P], bool],
    interpret: Callable[[P], T],
    is_settled: Callable[[T], bool] = lambda _: True,
) -> T:
    """Return what is made of the first pass that is clear and settled, or of the last one.

    This is the one policy of looking again: reading, teaching and calibration go by it. A pass is
    only made once the one before is not enough.
    """
    for now in passes:
        made = interpret(now) if is_clear(now) else None
        if made is not None and is_settled(made):
            return made
    return interpret(now) if made is None else made


def first_pass(
    bgr: Pixels,
    models: Models,
    on_stage: OnStage = lambda _: None,
    *,
    likely_side: float | None = None,
    ground: KnownGround | None = None,
) -> Candidates:
    """Ask the detector from where it sees faces best, and the classifier once.

    Where faces are likely to have sides of so many px, the detector need not find that out first.
    """
    if ground is not None and ground.side is not None:
        view = _best_view(ground.side, bgr)
        detections = ground.without_print(detect_faces(bgr, models.detector, view))
    else:
        tracked = _tracked(bgr, models.detector, likely_side)
        view, detections = tracked or _focused(bgr, models.detector)
    on_stage("detect")
    found = classify_candidates(bgr, detections, view.scale_of(bgr), models, on_stage)
    black = found.colour_logits.argmax(axis=1) == BLACK
    if ground is None or not black.any():
        return found
    likely = [one.real >= AGAIN for one in _taken(found, models.calibration, halves=False)]
    return ground.without_pages(found) if (black & np.any(likely, axis=0)).any() else found


def _tracked(bgr: Pixels, detector: Detector, side: float | None) -> tuple[View, Detections] | None:
    """Look from where faces with such sides have TRACKED px; None unless such faces are there."""
    if side is None:
        return None
    view = _best_view(side, bgr, TRACKED)
    detections = detect_faces(bgr, detector, view, PLAIN)
    sizes = _glimpsed(detections)
    fits = len(sizes) and _is_fitting(sizes * view.scale_of(bgr), MOVING)
    return (view, detections) if fits else None


def _focused(bgr: Pixels, detector: Detector) -> tuple[View, Detections]:
    """Look from afar and then, unless faces have a FITTING size there, from where they have."""
    detections = detect_faces(bgr, detector, FIRST)
    sizes = _glimpsed(detections)
    view = _best_view(float(np.median(sizes)), bgr) if len(sizes) else FIRST
    return view, detections if view is FIRST else detect_faces(bgr, detector, view)


def _glimpsed(detections: Detections) -> Floats:
    """Return the sizes of the places that tell how large the faces are."""
    return detections.sizes[detections.probs >= GLIMPSED]


def _best_view(side: float, bgr: Pixels, best: float = BEST) -> View:
    """Return FIRST where such a side is FITTING there, else the view where it has *best* px."""
    if _is_fitting(np.array([side]) * FIRST.scale_of(bgr)):
        return FIRST
    return _view(best / side * max(bgr.shape[:2]))


def _is_fitting(sizes: Floats, fitting: tuple[float, float] = FITTING) -> bool:
    """Say whether faces with these sides, px of a view, mostly have a size that suits it."""
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
    ground: KnownGround | None = None,
) -> Candidates:
    """Ask about further views of a picture than the first, and read every face turned too.

    Of places that lie on each other the likeliest is kept, as *halves* of dominoes or as dice.
    """
    views = _further_views(first, bgr, sized=ground is not None and ground.side is not None)
    candidates = first
    if views:
        taken = _taken(first, models.calibration, halves=halves)
        plain = first.take(np.flatnonzero(_are_plain(taken)))
        candidates = _of_views(bgr, first, plain, views, models, on_stage, ground)
    candidates = _doubtful_turned(candidates, models, halves=halves)
    on_stage("classify")
    likely = score_candidates(candidates, models.calibration, halves=halves).real
    return candidates.take(np.sort(nms_indices(candidates.detections, likely)))


def _halves_refined(
    bgr: Pixels,
    first: Candidates,
    doubtful: NDArray[np.bool_],
    models: Models,
    on_stage: OnStage,
) -> Candidates:
    """Ask about further views of what lies around some halves, and read it turned too."""
    sure = first.take(np.flatnonzero(~doubtful))
    found = first.detections.take(np.flatnonzero(doubtful))
    scale = first.scale * FURTHER  # of the nearer view
    looks, scales = [found], [first.scale]
    for view in (View(AROUND, mirrored=True), View(AROUND // 2)):
        parts = [
            _seen_around(bgr, models.detector, view, middle, AROUND / scale)
            for middle in found.middles
        ]
        looks.append(nms(reduce(Detections.also, parts)))
        scales.append(scale * view.longest / AROUND)
    fused = fuse_views(looks, scales)
    on_stage("detect again")
    both = sure.also(classify_candidates(bgr, fused, first.scale, models, on_stage, TURNS))
    likely = score_candidates(both, models.calibration, halves=True).real
    return both.take(np.sort(nms_indices(both.detections, likely)))


def _seen_around(
    bgr: Pixels, detector: Detector, view: View, middle: Floats, side: float
) -> Detections:
    """Return what a square with such a side, px, shows about as near its middle as a face is."""
    left, top = (max(0, round(c - side / 2)) for c in middle)
    part = bgr[top : top + round(side), left : left + round(side)]
    seen = detect_faces(part, detector, view)
    moved = replace(seen, quads=seen.quads + np.array([left, top]))
    away = np.abs(moved.middles - middle).max(axis=1, initial=0)
    return moved.take(np.flatnonzero(away < side / 8))


def _of_views(
    bgr: Pixels,
    first: Candidates,
    plain: Candidates,
    views: tuple[View, ...],
    models: Models,
    on_stage: OnStage,
    ground: KnownGround | None,
) -> Candidates:
    """Return what the first view and further ones together show; what is *plain* has been read."""
    others = [detect_faces(bgr, models.detector, view) for view in views]
    detections = fuse_views(
        [first.detections, *others], [first.scale, *(view.scale_of(bgr) for view in views)]
    )
    if ground is not None:
        detections = ground.without_print(detections)
    on_stage("detect again")
    candidates = classify_candidates(bgr, detections, first.scale, models, on_stage, plain=plain)
    return candidates if ground is None else ground.without_pages(candidates)


def _further_views(first: Candidates, bgr: Pixels, *, sized: bool) -> tuple[View, ...]:
    """Return from where else to look; only from nearer where it is known how large faces are."""
    if not sized and not (first.detections.probs >= GLIMPSED).any():
        return ANYWHERE
    longest = round(first.scale * max(bgr.shape[:2]))
    near = _view(longest * FURTHER, mirrored=True)
    views = (near,) if sized else (near, _view(longest / FURTHER), *AFAR)
    return tuple(view for view in dict.fromkeys(views) if view.longest != longest)


def classify_candidates(
    bgr: Pixels,
    detections: Detections,
    scale: float,
    models: Models,
    on_stage: OnStage = lambda _: None,
    turns: int = 1,
    plain: Candidates | None = None,
) -> Candidates:
    """Ask the classifier about the likeliest MOST places, each turned in so many ways.

    Of those that the detector takes for faces none is left out, however many lie there. What lies
    where one of the *plain* candidates does has been read.
    """
    detections = detections.take(np.flatnonzero(detections.sizes >= SMALLEST))
    most = max(MOST, int((detections.probs >= GLIMPSED).sum()))
    detections = detections.take(np.argsort(-detections.probs, kind="stable")[:most])
    size = bgr.shape[1], bgr.shape[0]
    own = np.full(len(detections), -1) if plain is None else _lying_at(detections, plain)
    new = np.flatnonzero(own < 0)
    crops = crop_faces(bgr, detections.quads[new])
    on_stage("rectify")
    told = classify_crops(crops, models.face_classifier, turns)
    on_stage("classify")
    asked = Candidates(detections.take(new), *told, crops, scale, size)
    if plain is None or len(new) == len(own):
        return asked
    known = np.flatnonzero(own >= 0)
    both = replace(plain.take(own[known]), detections=detections.take(known)).also(asked)
    return both.take(np.argsort(np.concatenate([known, new])))


def _lying_at(detections: Detections, plain: Candidates) -> NDArray[np.intp]:
    """Return (n,) which of the plain candidates lies as each place does, or -1."""
    own = np.full(len(detections), -1)
    if not len(plain):
        return own
    quads = plain.detections.quads
    for k, (quad, middle, size) in enumerate(
        zip(detections.quads, detections.middles, detections.sizes, strict=True)
    ):
        near = int(np.hypot(*(plain.detections.middles - middle).T).argmin())
        turns = [np.roll(quad, turn, axis=0) - quads[near] for turn in range(TURNS)]
        if np.linalg.norm(turns, axis=2).max(axis=1).min() < AS_BEFORE * size:
            own[k] = near
    return own


def _doubtful_turned(candidates: Candidates, models: Models, *, halves: bool) -> Candidates:
    """Ask the classifier about places in doubt turned in all other ways too; the mean counts.

    In doubt is what may be a face and is not plain. It takes most of the time where many tiles lie,
    and few of them are in doubt.
    """
    taken = _taken(candidates, models.calibration, halves=halves)
    likely = np.any([one.real >= AGAIN for one in taken], axis=0)
    doubtful = np.flatnonzero(likely & ~_are_plain(taken))
    if not len(doubtful):
        return candidates
    crops = candidates.crops[doubtful]
    turned = classify_crops(crops, models.face_classifier, TURNS, known_turns=1)
    told = [candidates.logits, candidates.colour_logits, candidates.embeddings]
    told = [array.copy() for array in told]
    for array, others in zip(told, turned, strict=True):
        array[doubtful] += (others - array[doubtful]) * ((TURNS - 1) / TURNS)
    logits, colours, embeddings = told
    return replace(candidates, logits=logits, colour_logits=colours, embeddings=embeddings)


def _are_plain(taken: Sequence[ScoredCandidates]) -> NDArray[np.bool_]:
    """Say which are so surely read, whatever they are taken for, that another look changes nothing.

    Of 1,393 plain places on pictures that were looked at again four were wrong, and were so then.
    """
    return np.asarray(np.all([one.confidence >= PLAINLY for one in taken], axis=0), np.bool_)


def _taken(
    candidates: Candidates, calibration: Calibration, *, halves: bool
) -> list[ScoredCandidates]:
    """Return the candidates taken for halves of dominoes and, unless only such lie there, dice."""
    kinds = (True,) if halves else (False, True)
    return [score_candidates(candidates, calibration, halves=kind) for kind in kinds]


def is_clear(
    candidates: Candidates,
    calibration: Calibration,
    ground: KnownGround | None = None,
    *,
    halves: bool = False,
) -> bool:
    """Say whether there are faces, of a fitting size, and nothing to ask about them.

    They are taken for *halves* of dominoes, or for dice. On a *ground* that tells how large they
    are there may be none.
    """
    seen = score_candidates(candidates, calibration, halves=halves)
    shown = seen.shown(calibration)
    if not shown.any():
        if ground is None or ground.side is None:
            return False
    elif not _is_fitting(candidates.detections.sizes[shown] * candidates.scale):
        return False
    return not doubtful_places(seen, calibration).any()
