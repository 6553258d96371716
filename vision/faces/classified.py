"""Classify the places that a detector found, the doubtful ones in all orientations.

In: a picture, detections and the networks. Out: `Candidates`.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.faces.calibration import Calibration
from vision.faces.candidates import AGAIN, Candidates, ScoredCandidates, score_candidates
from vision.faces.classifier import TURNS, classify_crops, crop_faces
from vision.faces.detector import Detections
from vision.faces.networks import Models
from vision.photo import Pixels

GLIMPSED = 0.3  # detector probability from which a place counts for the size of the faces
SMALLEST = 9.0  # px of the picture, side of a face; the pips of a smaller one are under 2 px wide
# Confidence from which a face is not classified in other orientations too.
PLAINLY = 0.99
AS_BEFORE = 0.12  # sides by which the corners of an outline differ at most if it is the same face
MOST = 120  # places on a picture that are classified although the detector hardly sees a face
OnStage = Callable[[str], None]  # called with the name of a stage when it ends


def classify_candidates(
    bgr: Pixels,
    detections: Detections,
    scale: float,
    models: Models,
    on_stage: OnStage = lambda _: None,
    turns: int = 1,
    plain: Candidates | None = None,
) -> Candidates:
    """Classify the likeliest MOST places, each in *turns* orientations.

    Places that the detector takes for faces are never left out, however many there are. A place at
    one of the *plain* candidates is not classified again.
    """
    detections = detections.take(np.flatnonzero(detections.sizes >= SMALLEST))
    most = max(MOST, int((detections.probs >= GLIMPSED).sum()))
    detections = detections.take(np.argsort(-detections.probs, kind="stable")[:most])
    size = bgr.shape[1], bgr.shape[0]
    own = np.full(len(detections), -1) if plain is None else _lying_at(detections, plain)
    new = np.flatnonzero(own < 0)
    crops = crop_faces(bgr, detections.quads[new])
    on_stage("rectify")
    outputs = classify_crops(crops, models.face_classifier, turns)
    on_stage("classify")
    asked = Candidates(detections.take(new), *outputs, crops, scale, size)
    if plain is None or len(new) == len(own):
        return asked
    already_read = np.flatnonzero(own >= 0)
    both = replace(plain.take(own[already_read]), detections=detections.take(already_read)).also(
        asked
    )
    return both.take(np.argsort(np.concatenate([already_read, new])))


def _lying_at(detections: Detections, plain: Candidates) -> NDArray[np.intp]:
    """Return (n,) indices of the plain candidates with the same outlines, or -1."""
    own = np.full(len(detections), -1)
    if not len(plain):
        return own
    quads, middles = plain.detections.quads, plain.detections.middles
    for k, (quad, middle, size) in enumerate(
        zip(detections.quads, detections.middles, detections.sizes, strict=True)
    ):
        near = int(np.hypot(*(middles - middle).T).argmin())
        turns = [np.roll(quad, turn, axis=0) - quads[near] for turn in range(TURNS)]
        if np.linalg.norm(turns, axis=2).max(axis=1).min() < AS_BEFORE * size:
            own[k] = near
    return own


def doubtful_turned(candidates: Candidates, models: Models, *, halves: bool) -> Candidates:
    """Classify doubtful places in all other orientations too, and take the means.

    Doubtful are places that may be faces and are not plain. Classifying all places would take most
    of the time on a table with many tiles, of which few are doubtful.
    """
    taken = scored_by_kind(candidates, models.calibration, halves=halves)
    likely = np.any([one.real >= AGAIN for one in taken], axis=0)
    doubtful = np.flatnonzero(likely & ~are_plain(taken))
    if not len(doubtful):
        return candidates
    crops = candidates.crops[doubtful]
    turned = classify_crops(crops, models.face_classifier, TURNS, known_turns=1)
    outputs = [candidates.logits, candidates.colour_logits, candidates.embeddings]
    outputs = [array.copy() for array in outputs]
    for array, others in zip(outputs, turned, strict=True):
        array[doubtful] += (others - array[doubtful]) * ((TURNS - 1) / TURNS)
    logits, colours, embeddings = outputs
    return replace(candidates, logits=logits, colour_logits=colours, embeddings=embeddings)


def are_plain(taken: Sequence[ScoredCandidates]) -> NDArray[np.bool_]:
    """Say which places are so sure, however they are scored, that reading again changes nothing.

    Of 1,393 plain places on pictures that were read again four were wrong, and still were then.
    """
    return np.asarray(np.all([one.confidence >= PLAINLY for one in taken], axis=0), np.bool_)


def scored_by_kind(
    candidates: Candidates, calibration: Calibration, *, halves: bool
) -> list[ScoredCandidates]:
    """Return the candidates scored as dice (unless *halves*) and as halves of dominoes."""
    kinds = (True,) if halves else (False, True)
    return [score_candidates(candidates, calibration, halves=kind) for kind in kinds]
