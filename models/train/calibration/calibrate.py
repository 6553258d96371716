"""How far can the networks be believed? Fit `vision.faces.calibration` to pictures held back from
training.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models import augment
from models.dataset.annotation import AnnotatedFace, AnnotatedImage, match_faces, unmatched
from vision.assemble import NEARLY
from vision.faces.calibration import FEATURES, Calibration, features, value_probs
from vision.faces.candidates import Candidates, ScoredCandidates, score_candidates
from vision.faces.multiscale import examine, first_pass, is_clear, refine
from vision.faces.networks import Models
from vision.geometry import Floats
from vision.models import load_face_classifier, load_plain
from vision.photo import Pixels
from vision.quality import complaints_of_pieces

BINS = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 1.0)
HINT_BINS = (0.02, 0.03, 0.04, 0.06, 0.1, 0.2, 0.5)
SILENT = 0.005  # the aim: share of pictures that may be wrong without asking
ASKS = 0.15  # the aim: share of the right pictures that may ask
# Probability of being wrong from which asking costs less: p / SILENT = (1 - p) / ASKS (Elkan, "The
# foundations of cost-sensitive learning", IJCAI 2001). On 325 strangers' photos (`make risk`), 1 -
# RISK asks on 69 right ones and none is silent; 0.95 asks on 62, with one silent. At 0.8 still 26
# right photos of dice ask: no threshold alone brings them to an eighth.
RISK = SILENT / (SILENT + ASKS)
RIDGE = 0.3  # keeps a weight that few faces speak for from growing
ROUNDS = 60  # of Newton's method; it settles after ten
FILE = "calibration.json"
SHOWN = 0.5  # probability of a face from which it is reported: there is more likely one than none
# Odds of a face from which a person is asked about a place that is not shown. More than RISK, as
# low odds flatter: of 85 places held back from odds of 0.03 up to that one was a face (`hints`).
HINTED = 0.06
UNSURE = Calibration(
    (0.0,) * len(FEATURES), (0.0,) * len(FEATURES), SHOWN, HINTED, round(1 - RISK, 3)
)


@dataclass(frozen=True, slots=True, eq=False)
class Checked:
    """A picture's places with their truth. Arrays of n rows."""

    candidates: Candidates
    is_real: NDArray[np.bool_]
    is_right: NDArray[np.bool_]
    is_half: NDArray[np.bool_]  # of a domino
    counts: NDArray[np.bool_]  # not on anything that a person could not read either
    missed: int  # faces without a place


@dataclass(frozen=True, slots=True, eq=False)
class Looks:
    """A picture as the first pass shows it, and as the refined one does."""

    first_pass: Checked
    refined: Checked

    @property
    def both(self) -> tuple[Checked, Checked]:
        """Return the first pass and the refined one."""
        return self.first_pass, self.refined

    def as_read(self, calibration: Calibration) -> Checked:
        """Return what a reading goes by: the first pass, where it is clear."""
        return examine(
            self.both, lambda one: is_clear(one.candidates, calibration), lambda one: one
        )


def load_models(folder: Path) -> Models:
    """Return the networks in a folder, not yet calibrated."""
    return Models(
        load_plain(folder / "detector.onnx"),
        load_face_classifier(folder / "face_classifier.onnx"),
        load_plain(folder / "pair_classifier.onnx"),
        UNSURE,
    )


def check(shot: AnnotatedImage, eyes: Models, bgr: Pixels | None = None) -> Looks:
    """Compare with its truth what the networks see on a picture, as it is or as *bgr*."""
    bgr = shot.pixels() if bgr is None else bgr
    first = first_pass(bgr, eyes)
    again = refine(bgr, first, eyes)
    return Looks(compare(shot, first), compare(shot, again))


def compare(shot: AnnotatedImage, candidates: Candidates) -> Checked:
    """Compare places with the truth of their picture."""
    values = [
        value_probs(candidates.detections, candidates.logits, halves=halves).argmax(axis=1)
        for halves in (False, True)
    ]
    pairs = match_faces(shot.faces, candidates.detections.middles, candidates.detections.probs)
    real, right, half, counts = (np.zeros(len(candidates), np.bool_) for _ in range(4))
    counts[list(pairs.values())] = True
    counts[unmatched(candidates.detections.middles, pairs, shot.unlearned)] = True
    for i, j in pairs.items():
        half[j] = shot.faces[i].partner is not None
        real[j], right[j] = True, values[int(half[j])][j] == shot.faces[i].pips
    return Checked(candidates, real, right, half, counts, len(shot.faces) - len(pairs))


def regress(inputs: Floats, truth: NDArray[np.bool_], weights: Floats) -> tuple[float, ...]:
    """Return the weights of a ridge logistic regression, by Newton's method."""
    found = np.zeros(inputs.shape[1])
    keep = RIDGE * np.diag([0.0] + [1.0] * (inputs.shape[1] - 1))
    for _ in range(ROUNDS):
        probs = 1 / (1 + np.exp(-np.clip(inputs @ found, -30, 30)))
        slope = inputs.T @ (weights * (probs - truth)) + keep @ found
        curve = (inputs * (weights * probs * (1 - probs))[:, None]).T @ inputs + keep
        found -= np.linalg.solve(curve + 1e-9 * np.eye(len(found)), slope)
    return tuple(round(float(w), 4) for w in found)


def calibrate(looks: list[Looks], weights: list[float]) -> Calibration:
    """Return the weights fitted to both looks at each picture; the thresholds go by RISK.

    Were the thresholds chosen by counting which of these pictures are wrong unasked, three or four
    of them would decide, and by weights that were fitted to them. How each set fares with the doubt
    of the others is on the card (`models/train/calibration/card.py`).

    Args:
        looks: at pictures not trained on.
        weights: of each picture; a photo says more than a drawn picture.
    """
    both = [one for look in looks for one in look.both]
    inputs = np.concatenate([_features(c)[c.counts] for c in both])
    real = np.concatenate([c.is_real[c.counts] for c in both])
    right = np.concatenate([c.is_right[c.counts] for c in both])
    share = np.concatenate(
        [np.full(c.counts.sum(), w / 2) for c, w in zip(both, np.repeat(weights, 2), strict=True)]
    )
    return replace(
        UNSURE,
        real=regress(inputs, real, share),
        right=regress(inputs[real], right[real], share[real]),
    )


def _features(checked: Checked) -> Floats:
    candidates = checked.candidates
    dice, halves = (
        features(candidates.detections, candidates.logits, candidates.size, halves=half)
        for half in (False, True)
    )
    return np.where(checked.is_half[:, None], halves, dice)


def judged(checked: Checked, calibration: Calibration) -> ScoredCandidates:
    """Judge the places, halves of dominoes as such."""
    dice, halves = (
        score_candidates(checked.candidates, calibration, halves=halves) for halves in (False, True)
    )
    as_half = checked.is_half
    return ScoredCandidates(
        checked.candidates,
        np.where(as_half[:, None], halves.probs, dice.probs),
        np.where(as_half, halves.real, dice.real),
        np.where(as_half, halves.right, dice.right),
        bool(as_half.any()),
    )


def _judged_all(
    looks: list[Looks], calibration: Calibration
) -> Iterator[tuple[Checked, ScoredCandidates, NDArray[np.bool_]]]:
    """Yield each picture's places as a reading goes by them, judged, and which are on show."""
    for checked in (look.as_read(calibration) for look in looks):
        scored = judged(checked, calibration)
        yield checked, scored, scored.shown(calibration)


def _is_whole(checked: Checked, on: NDArray[np.bool_]) -> bool:
    """Return True if a picture is right with these places on show."""
    fine = checked.is_right | ~checked.counts
    return bool(checked.missed == 0 and (checked.is_real <= on).all() and fine[on].all())


def reliability(looks: list[Looks], calibration: Calibration) -> str:
    """Return a table: faces on show by confidence, and how many of them were right."""
    parts = [
        (scored.confidence[on & checked.counts], checked.is_right[on & checked.counts])
        for checked, scored, on in _judged_all(looks, calibration)
    ]
    confidence, right = (np.concatenate(some) for some in zip(*parts, strict=True))
    return "\n".join(by_confidence(confidence, right, "faces"))


def by_confidence(confidence: Floats, right: NDArray[np.bool_], of: str) -> list[str]:
    """Return the lines of a table *of* n things by confidence, and how many of them were right."""
    lines = [f"| confidence | {of} | mean | right |", "| --- | --- | --- | --- |"]
    for low, high in pairwise(BINS):
        inside = (confidence >= low) & ((confidence < high) | (high == 1.0))
        if inside.any():
            lines.append(
                f"| {low:.3f}–{high:.3f} | {inside.sum()}"
                f" | {100 * confidence[inside].mean():.1f} % | {100 * right[inside].mean():.1f} % |"
            )
    return lines


def hints(looks: list[Looks], calibration: Calibration) -> str:
    """Return a table: places that are not on show by their odds, and how many of them are faces.

    Asked are those that a person is asked about.
    """
    parts = []
    for checked, scored, on in _judged_all(looks, calibration):
        off = ~on & checked.counts
        parts.append((scored.real[off], checked.is_real[off], scored.missed(calibration)[off]))
    odds, real, asked = (np.concatenate(some) for some in zip(*parts, strict=True))
    lines = [
        "| odds of a face | places | faces | asked | faces among these |",
        "| --- | --- | --- | --- | --- |",
    ]
    for low, high in pairwise(HINT_BINS):
        inside = (odds >= low) & (odds < high)
        lines.append(
            f"| {low:g}–{high:g} | {inside.sum()} | {(inside & real).sum()}"
            f" | {(inside & asked).sum()} | {(inside & asked & real).sum()} |"
        )
    return "\n".join(lines)


def summary(looks: list[Looks], calibration: Calibration) -> str:
    """Return one line: pictures, faces found and right, whole, asked though right, silent."""
    if not looks:
        return "no picture, so nothing was measured"
    every = [*_judged_all(looks, calibration)]
    faces = sum(c.missed + c.is_real.sum() for c, _, _ in every)
    found = sum((c.is_real & on).sum() for c, _, on in every)
    right = sum((c.is_right & on).sum() for c, _, on in every)
    extra = sum((~c.is_real & c.counts & on).sum() for c, _, on in every)
    whole = np.array([_is_whole(c, on) for c, _, on in every])
    asked = np.array([_asks(s, calibration) for _, s, _ in every])
    return (
        f"{len(every)} pictures, {faces} faces: {100 * found / max(faces, 1):.1f} % found,"
        f" {100 * right / max(found, 1):.1f} % of those with the right value, {extra} too many;"
        f" {100 * whole.mean():.1f} % of the pictures whole,"
        f" {100 * asked[whole].mean() if whole.any() else 0:.1f} % of these ask,"
        f" {100 * (~whole & ~asked).mean():.1f} % of all wrong without asking"
    )


def _asks(scored: ScoredCandidates, calibration: Calibration) -> bool:
    """Return True if anything is asked about: a face, what may be one, or the photo as a whole."""
    on = scored.shown(calibration)
    doubtful = scored.confidence[on] < calibration.sure
    missed = scored.missed(calibration) & (on.any() | (scored.real >= NEARLY))
    if doubtful.any() or missed.any():
        return True
    return bool(
        on.any()
        and complaints_of_pieces(
            scored.candidates.crops[on], scored.candidates.detections.quads[on]
        )
    )


ZOOMS = (0.75, 1.6)  # of the pixels of a photo that is changed
CLOSEST = 6.0  # times as near it may be taken
LEGIBLE = 0.06  # of a face's side, the blur up to which a person still counts its pips
TURNED = 0.15  # of the changed photos lie on a side or upside down
UP = 0.7  # of a box's side, about the side of the upper face in it
WHOLE = 0.95  # share of a die's box from which the whole of it is on the photo


def varied(rng: np.random.Generator, shot: AnnotatedImage) -> tuple[Pixels, AnnotatedImage]:
    """Return a photo as another phone might have taken it, from nearer or farther, and its truth.

    What holds on the few photos held back should hold on a stranger's too, and on close-ups, which
    none of them is: those show a part of the photo, larger. Small dice are blurred less: what no
    person can read tells nothing of how far a reading can be believed.
    """
    bgr, shot = _nearer(rng, shot.pixels(), shot)
    zoom = float(np.exp(rng.uniform(*np.log(ZOOMS))))
    way = cv2.INTER_AREA if zoom < 1 else cv2.INTER_CUBIC
    changed = np.asarray(cv2.resize(bgr, None, fx=zoom, fy=zoom, interpolation=way), np.uint8)
    height, width = changed.shape[:2]
    mirrored = rng.random() < 0.5
    if mirrored:
        changed = np.ascontiguousarray(changed[:, ::-1])
    quarters = int(rng.integers(1, 4)) if rng.random() < TURNED else 0
    changed = np.ascontiguousarray(np.rot90(changed, quarters))
    smallest = zoom * UP * min((face.size for face in shot.faces), default=np.inf)
    blur = min(augment.BLUR, LEGIBLE * smallest)
    changed = augment.roughen(rng, augment.soften(rng, augment.recolour(rng, changed), blur))

    def moved(quad: Floats) -> Floats:
        placed = (quad + 0.5) * zoom - 0.5
        if mirrored:
            placed = placed * (-1, 1) + (width - 1, 0)
        last = (width - 1, height - 1)
        for quarter in range(quarters):
            placed = placed[:, ::-1] * (1, -1) + (0, last[quarter % 2])
        return placed

    faces = tuple(_moved(face, moved) for face in shot.faces)
    return changed, replace(shot, dice=faces, ignored=tuple(map(moved, shot.unlearned)))


def _moved(face: AnnotatedFace, move: Callable[[Floats], Floats]) -> AnnotatedFace:
    """Return a face, and the middle of its other half, where they lie after a change."""
    partner = None
    if face.partner is not None:
        x, y = move(np.array([face.partner]))[0]
        partner = float(x), float(y)
    return replace(face, quad=move(face.quad), partner=partner)


def _nearer(
    rng: np.random.Generator, bgr: Pixels, shot: AnnotatedImage
) -> tuple[Pixels, AnnotatedImage]:
    """Return a part of a photo around one of its dice, and the truth of that part."""
    size = np.array([bgr.shape[1], bgr.shape[0]])
    part = size * np.exp(-rng.uniform(0, np.log(CLOSEST)))
    middle = rng.uniform(0, 1, 2) * size
    if shot.faces:
        face = shot.faces[int(rng.integers(len(shot.faces)))]
        part = np.maximum(part, 1.3 * np.ptp(face.quad, axis=0))
        middle = face.middle + rng.uniform(-0.3, 0.3, 2) * (part - np.ptp(face.quad, axis=0))
    low = np.clip(np.round(middle - part / 2), 0, size - 1).astype(int)
    high = np.clip(np.round(middle + part / 2), low + 1, size).astype(int)

    def share(quad: Floats) -> float:
        inside = np.minimum(quad.max(axis=0), high) - np.maximum(quad.min(axis=0), low)
        return float(np.prod(np.maximum(inside, 0) / np.maximum(np.ptp(quad, axis=0), 1e-6)))

    faces = tuple(
        _moved(face, lambda quad: quad - low) for face in shot.faces if share(face.quad) > WHOLE
    )
    ignored = [*shot.unlearned, *(f.quad for f in shot.faces if share(f.quad) <= WHOLE)]
    ignored = [quad - low for quad in ignored if share(quad) > 0]
    there = replace(shot, dice=faces, tiles=None, ignored=tuple(ignored))
    return bgr[low[1] : high[1], low[0] : high[0]], there
