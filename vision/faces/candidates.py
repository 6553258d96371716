"""Candidate faces on a picture: what the networks output for them, and calibrated probabilities."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vision.faces.calibration import LIKELY, Calibration, calibrated_probs, value_probs
from vision.faces.detector import Detections
from vision.faces.other_objects import DOUBTFUL, are_numerals, is_other, is_tray
from vision.faces.view_prior import hanging, most_stand
from vision.geometry import Floats
from vision.photo import Pixels

# Probability of a face from which a place that is not reported is read again. That takes some
# milliseconds but nobody's attention, unlike a question.
AGAIN = 0.02
GUESS = 1 / 3  # confidence below which a value is twice as likely wrong as right


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """What the networks output for the n places on a picture that may be faces; px of it."""

    detections: Detections
    logits: Floats  # (n, CLASSES) logits of the classifier
    colour_logits: Floats  # (n, 12) logits
    embeddings: Floats  # (n, 256)
    crops: Pixels  # (n, 64, 64, 3) BGR, the faces upright
    scale: float  # of the view on which they were found first, per px of the picture
    size: tuple[int, int]  # width and height of the picture, px

    def __len__(self) -> int:
        return len(self.logits)

    def also(self, other: Candidates) -> Candidates:
        """Return these places followed by those of *other*."""
        return Candidates(
            self.detections.also(other.detections),
            np.concatenate([self.logits, other.logits]),
            np.concatenate([self.colour_logits, other.colour_logits]),
            np.concatenate([self.embeddings, other.embeddings]),
            np.concatenate([self.crops, other.crops]),
            self.scale,
            self.size,
        )

    def take(self, index: NDArray[np.intp]) -> Candidates:
        """Return the places with these indices, in their order."""
        return Candidates(
            self.detections.take(index),
            self.logits[index],
            self.colour_logits[index],
            self.embeddings[index],
            self.crops[index],
            self.scale,
            self.size,
        )


@dataclass(frozen=True, slots=True, eq=False)
class ScoredCandidates:
    """The n places on a picture that may be faces, with calibrated probabilities."""

    candidates: Candidates
    probs: Floats  # (n, 7) of the values, summing to 1
    real: Floats  # (n,) probability that a face points up there
    right: Floats  # (n,) probability that its likeliest value is right, if there is a face
    halves: bool = False  # scored as halves of dominoes rather than as dice

    @property
    def values(self) -> NDArray[np.intp]:
        """Return the likeliest values."""
        return np.asarray(self.probs.argmax(axis=1), np.intp)

    @property
    def confidence(self) -> Floats:
        """Return (n,) probabilities that there is a face and its likeliest value is right."""
        return self.real * self.right

    def value_probs(self, i: int) -> Floats:
        """Return (7,) probabilities of the values of place i, if it is a face.

        The likeliest value gets its calibrated probability, and no other gets more.
        """
        top, right = int(self.probs[i].argmax()), float(self.right[i])
        rest = self.probs[i] + 1e-3
        rest[top] = 0
        rest *= (1 - right) / rest.sum()
        probs = np.minimum(rest, 0.99 * right)
        probs[top] = right
        return np.asarray(probs / probs.sum(), np.float64)

    def shown(self, calibration: Calibration) -> NDArray[np.bool_]:
        """Say which of the n places are reported: probably a face, with a value above GUESS."""
        return (self.real >= calibration.shown) & (self.confidence >= GUESS)

    def numerals(self, calibration: Calibration) -> NDArray[np.bool_]:
        """Say which of the n places are faces of dice with numerals, beside dice with pips."""
        raw, quads = self.candidates, self.candidates.detections.quads
        whole = ((quads >= 0) & (quads <= raw.size)).all(axis=(1, 2))  # else marks are cut off
        sure = self.shown(calibration) & (self.confidence >= calibration.sure)
        doubtful = whole & (self.real >= calibration.missed) & (self.real < DOUBTFUL)
        return are_numerals(raw.detections, raw.crops, self.values, sure=sure, doubtful=doubtful)

    def missed(self, calibration: Calibration) -> NDArray[np.bool_]:
        """Say which of the n other places a person is asked about.

        Where most dice show a side, a place where one would lie is not asked about.
        """
        shown = self.shown(calibration)
        asked = (self.real >= calibration.missed) & ~shown
        if self.halves:  # blank halves do not look like faces
            return asked
        raw = self.candidates
        asked &= ~is_other(
            *(raw.detections, raw.logits, raw.crops, self.values, self.confidence, self.right),
            shown=shown,
            asked=asked,
        )
        if asked.any() and shown.any():
            hangs = hanging(raw.detections, np.flatnonzero(shown), raw.size)
            asked &= ~(most_stand(hangs) & hangs.any(axis=1))
        return asked


def doubtful_places(scored: ScoredCandidates, calibration: Calibration) -> NDArray[np.bool_]:
    """Say which of n places are reported but doubtful, or may be faces but are not reported.

    If the detector's outline of a face is wrong, the classifier sees only a part and no face.
    """
    shown = scored.shown(calibration)
    likely = (scored.candidates.detections.probs >= LIKELY) | (scored.real >= AGAIN)
    return np.where(shown, scored.confidence < calibration.sure, likely)


@lru_cache(maxsize=8)
def score_candidates(
    candidates: Candidates, calibration: Calibration, *, halves: bool = False
) -> ScoredCandidates:
    """Compute calibrated probabilities, scoring the places as dice or as *halves* of dominoes.

    Most of the last few are asked for again, by one stage after the other.
    """
    detections, logits = candidates.detections, candidates.logits
    probs = value_probs(detections, logits, halves=halves)
    real, right = calibrated_probs(detections, logits, candidates.size, calibration, halves=halves)
    if not halves:  # the pips of dominoes are smaller
        values = np.asarray(probs.argmax(axis=1), np.intp)
        trays = is_tray(detections, candidates.crops, values, candidates.size)
        real = np.where(trays, 0.0, real)
    return ScoredCandidates(candidates, probs, real, right, halves)
