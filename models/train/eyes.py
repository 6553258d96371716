"""Both networks one after the other: a picture to faces with value, colour and doubt."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from models.train.infer import (
    COLOURS,
    NOTHING,
    Floats,
    Found,
    Pixels,
    Predict,
    crop_faces,
    find_faces,
    join,
    read_crops,
    softmax,
)

LONGEST = 704  # px of the first view
CLOSER = 1280  # px of the second view, for small faces or none
SMALL = 26.0  # px of a face on the first view below which the second is taken
MOST = 120  # faces a picture that are read
LIKELY = 0.4  # confidence below which a face is dropped; from the photos held back
LEAST = 0.02  # odds the finder leaves to any value


@dataclass(frozen=True, slots=True)
class Doubt:
    """Temperature of the reader's kinds, and the confidence from which a face is sure."""

    kind: float = 1.0
    sure: float = 0.95


@dataclass(frozen=True, slots=True, eq=False)
class Eyes:
    """The two networks and how far they can be believed."""

    finder: Predict
    reader: Predict
    doubt: Doubt = field(default_factory=Doubt)


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """The faces of a picture, px of it. `kinds` has the raw scores, for calibration."""

    found: Found
    kinds: Floats  # (n, 8) plain scores
    colour_scores: Floats  # (n, 12)
    odds: Floats  # (n, 7) of the values, summing to 1
    real: Floats  # (n,) odds that a face looks up there
    confidence: Floats  # (n,)

    @property
    def values(self) -> Floats:
        """Return the likeliest values."""
        return np.asarray(self.odds.argmax(axis=1) if len(self.odds) else [], np.intp)

    @property
    def colours(self) -> list[str]:
        """Return the likeliest colours."""
        return [COLOURS[i] for i in self.colour_scores.argmax(axis=1)] if len(self.odds) else []


Raw = tuple[Found, Floats, Floats]  # faces that may be, and the reader's plain scores


def look(bgr: Pixels, eyes: Eyes) -> Seen:
    """Find and read the faces on a picture."""
    return judge(*gather(bgr, eyes), eyes.doubt)


def gather(bgr: Pixels, eyes: Eyes) -> Raw:
    """Ask both networks; small faces, or none, are looked for once more from nearer."""
    found = find_faces(bgr, eyes.finder, LONGEST)
    scale = LONGEST / max(bgr.shape[:2])
    sizes = _sizes(found)[found.odds > 0.4] * scale
    if not len(sizes) or np.median(sizes) < SMALL:
        found = join([found, find_faces(bgr, eyes.finder, CLOSER)])
    found = found.take(np.argsort(-found.odds, kind="stable")[:MOST])
    return found, *read_crops(crop_faces(bgr, found.quads), eyes.reader)


def judge(found: Found, kinds: Floats, colour_scores: Floats, doubt: Doubt) -> Seen:
    """Join what finder and reader say of each face, as if independent; drop what is likely none."""
    shares = softmax(kinds / doubt.kind) if len(kinds) else np.zeros((0, NOTHING + 1))
    both = shares[:, :NOTHING] * (found.values + LEAST)
    odds = both / np.maximum(both.sum(axis=1, keepdims=True), 1e-12)
    real = found.odds * (1 - shares[:, NOTHING])
    confidence = real * odds.max(axis=1, initial=0)
    keep = np.flatnonzero(confidence > LIKELY)
    return Seen(
        found.take(keep),
        kinds[keep],
        colour_scores[keep],
        odds[keep],
        real[keep],
        confidence[keep],
    )


def _sizes(found: Found) -> Floats:
    a, b, c, d = found.quads.transpose(1, 0, 2) if len(found) else np.zeros((4, 0, 2))
    one, two = c - a, d - b
    return np.asarray(
        np.sqrt(np.abs(one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0]) / 2), np.float64
    )
