"""How far can a face be believed?

In: what the finder and the reader saw. Out: the share of such faces whose value was right on the
training photos. The weights are a logistic regression over 1,028 faces found on up to 60 photos
each of four sets of real photos, byler, catan, epanemu and skovy. They promise nothing for dice
unlike those; docs/accuracy.md says how often they mislead on other people's photos.
`python -m models.fit_doubt ../shared/photos/train` fits them again and compares the two.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.blobs import Floats

BIAS = -5.5
# A lone spot, and a pair of spots, occur everywhere; four to six in order only on dice.
BY_VALUE = {1: -1.1, 2: -1.3, 3: -0.1, 4: 0.0, 5: 1.1, 6: 1.1}
FIT, CONTRAST, UNEVEN, ROUND, SIZE = 4.4, 0.8, -1.0, 5.5, -4.3
UNKNOWN_SIZE = 0.3  # log ratio assumed where no other die tells the usual size
FARTHEST_SIZE = 1.5

SECOND_BIAS, SECOND_LOOK = -2.8, 3.0  # what the reader's share for the same value adds

FEWEST_PIPS, LEAST_FIT = 3, 0.9  # faces that tell how large dice are on this photo


@dataclass(frozen=True, slots=True)
class Cues:
    """What speaks for one face."""

    value: int
    fit: float  # to its layout and body; 1 is perfect, may be negative
    contrast: float  # grey levels between pips and body
    uneven: float  # spread of the distances from the middle to the four edges, half spreads
    roundness: float  # share of rays on which the pips' rims are ellipses
    side: float  # px


def usual_side(faces: list[Cues]) -> float | None:
    """Return the usual side in px of the faces on one photo; None where none can tell."""
    told = [f.side for f in faces if f.value >= FEWEST_PIPS and f.fit > LEAST_FIT]
    return float(np.median(told)) if told else None


def beliefs(faces: list[Cues], usual: float | None) -> Floats:
    """Return (N,) how likely each is a face with that value, where dice are *usual* px wide."""
    return np.array([_sigmoid(_logit(face, usual)) for face in faces])


def after_second_look(belief: float, share: float) -> float:
    """Return the belief once the reader gave *share* of its odds to the finder's value."""
    before = float(np.log(belief / (1 - belief)))
    return _sigmoid(before + SECOND_BIAS + SECOND_LOOK * share)


def _logit(face: Cues, usual: float | None) -> float:
    away = abs(float(np.log(face.side / usual))) if usual else UNKNOWN_SIZE
    return (
        BIAS
        + BY_VALUE[face.value]
        + FIT * min(face.fit, 1.0)
        + CONTRAST * float(np.log(max(face.contrast, 1.0) / 100))
        + UNEVEN * face.uneven
        + ROUND * face.roundness
        + SIZE * min(away, FARTHEST_SIZE)
    )


def _sigmoid(x: float) -> float:
    return float(1 / (1 + np.exp(-np.clip(x, -20, 20))))
