"""Places on a picture that may be faces: what the networks say of them, and what that is worth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.decode import Pixels
from vision.faces.calibration import LIKELY, Calibration, calibrated_probs, value_probs
from vision.faces.detector import Detections
from vision.faces.other_objects import is_other
from vision.geometry import Floats

# Odds of a face from which a place that is not reported is looked at again. A look takes some
# milliseconds and nobody's attention, so nobody is asked about less than that.
AGAIN = 0.02
GUESS = 1 / 3  # confidence below which a value is twice as likely wrong as right


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """What the networks say of the n places on a picture that may be faces, px of it."""

    detections: Detections
    logits: Floats  # (n, CLASSES) logits of the classifier
    colour_logits: Floats  # (n, 12) logits
    embeddings: Floats  # (n, 256)
    crops: Pixels  # (n, 64, 64, 3) BGR, the faces upright
    scale: float  # px of the view on which they were found first, one px of the picture
    size: tuple[int, int]  # width and height of the picture, px

    def __len__(self) -> int:
        return len(self.logits)

    def also(self, other: Candidates) -> Candidates:
        """Return these places and, after them, those of *other*."""
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
        """Return the places of these indices, in their order."""
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
    """Places that may be faces, judged. Arrays of n rows."""

    candidates: Candidates
    probs: Floats  # (n, 7) of the values, summing to 1
    real: Floats  # (n,) probabilities that a face looks up there
    right: Floats  # (n,) probabilities that its likeliest value is right, if one does
    halves: bool = False  # they were taken for halves of dominoes

    def __len__(self) -> int:
        return len(self.probs)

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

        The likeliest is as likely as the calibration believes it, and none of the others likelier.
        """
        top, right = int(self.probs[i].argmax()), float(self.right[i])
        rest = self.probs[i] + 1e-3
        rest[top] = 0
        rest *= (1 - right) / rest.sum()
        probs = np.minimum(rest, 0.99 * right)
        probs[top] = right
        return np.asarray(probs / probs.sum(), np.float64)

    def shown(self, calibration: Calibration) -> NDArray[np.bool_]:
        """Say which places are reported: likely a face, and its value more than a GUESS."""
        return (self.real >= calibration.shown) & (self.confidence >= GUESS)

    def missed(self, calibration: Calibration) -> NDArray[np.bool_]:
        """Say about which of the others a person is asked."""
        shown = self.shown(calibration)
        asked = (self.real >= calibration.missed) & ~shown
        if self.halves:  # blank halves look like no face
            return asked
        raw = self.candidates
        return asked & ~is_other(
            *(raw.detections, raw.logits, raw.crops, self.values, self.confidence, self.right),
            shown=shown,
            asked=asked,
        )


def doubtful_places(seen: ScoredCandidates, calibration: Calibration) -> NDArray[np.bool_]:
    """Say which places are reported though in doubt, or may be faces and are not reported.

    Where the detector is mistaken in how a face lies, the classifier sees a part of it, and no
    face.
    """
    shown = seen.shown(calibration)
    likely = (seen.candidates.detections.probs >= LIKELY) | (seen.real >= AGAIN)
    return np.where(shown, seen.confidence < calibration.sure, likely)


def score_candidates(
    candidates: Candidates, calibration: Calibration, *, halves: bool = False
) -> ScoredCandidates:
    """Say what each place shows, taken for a die, or for half of a domino."""
    probs = value_probs(candidates.detections, candidates.logits, halves=halves)
    return ScoredCandidates(
        candidates,
        probs,
        *calibrated_probs(
            candidates.detections, candidates.logits, candidates.size, calibration, halves=halves
        ),
        halves,
    )
