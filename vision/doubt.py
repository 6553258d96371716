"""How far can a face be believed?

In: what both networks say of a place. Out: the share of such places where a face looks up, and the
share where its value is right too. Both are logistic regressions on the same cues; their weights
and the thresholds stand in `models/doubt.json`, written by `python -m models.train card` from
photos held back from training and from rendered pictures. What they are worth on other people's
tables is in docs/accuracy.md.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from vision.finder import Found, softmax
from vision.geometry import Floats
from vision.reader import NOTHING

CUES = ("bias", "finder", "a face", "value", "finder's value", "size", "unlike others")
FLOOR = 1e-4  # odds nearer to 0 or 1 are not told apart
USUAL_SIZE = 48.0  # px; the cue of the size is 0 there
LIKELY = 0.5  # odds of the finder from which a face tells how large the others are


@dataclass(frozen=True, slots=True)
class Doubt:
    """Weights of the `CUES`, and the thresholds that were chosen with them."""

    real: tuple[float, ...]  # weights of "a face looks up there"
    right: tuple[float, ...]  # weights of "its likeliest value is right, if there is one"
    shown: float  # odds of a face from which it is reported
    hinted: float  # the same, from which a person is asked whether something was missed
    sure: float  # confidence from which nobody is asked

    @classmethod
    def from_json(cls, told: dict[str, Any]) -> Doubt:
        """Read what `to_json` wrote; raises KeyError if something is missing."""
        real, right = tuple(told["real"]), tuple(told["right"])
        assert len(real) == len(right) == len(CUES)
        return cls(real, right, told["shown"], told["hinted"], told["sure"])

    def to_json(self) -> dict[str, Any]:
        """Return an object of lists and numbers."""
        return {n: list(v) if isinstance(v, tuple) else v for n, v in asdict(self).items()}


def value_odds(found: Found, kinds: Floats, lowest: int) -> Floats:
    """Return (n, 7) odds of the values from both networks, as if they erred independently.

    Args:
        found: the places.
        kinds: (n, 8) plain scores of the reader.
        lowest: the least value possible: 0 of a domino, 1 of a die.
    """
    both = softmax(kinds[:, :NOTHING]) * (found.values + 0.02)
    both[:, :lowest] = 0
    return np.asarray(both / np.maximum(both.sum(axis=1, keepdims=True), 1e-12), np.float64)


def cues(found: Found, kinds: Floats, odds: Floats) -> Floats:
    """Return (n, len(CUES)) of n places with the odds of their values."""
    if not len(found):
        return np.zeros((0, len(CUES)))
    top = np.arange(len(odds)), odds.argmax(axis=1)
    shares = softmax(kinds[:, :NOTHING])
    sizes = np.log(np.maximum(found.sizes, 1.0))
    likely = found.odds > LIKELY
    usual = np.median(sizes[likely]) if likely.any() else np.median(sizes)
    return np.column_stack([
        np.ones(len(found)),
        log_odds(found.odds),
        log_odds(1 - softmax(kinds)[:, NOTHING]),
        log_odds(shares[top]),
        np.log(found.values[top] + FLOOR),
        np.clip(sizes - np.log(USUAL_SIZE), -2, 2),
        np.minimum(np.abs(sizes - usual), 1.5),
    ])  # fmt: skip


def log_odds(odds: Floats) -> Floats:
    """Return log(odds / (1 - odds)), held within what FLOOR allows."""
    held = np.clip(odds, FLOOR, 1 - FLOOR)
    return np.asarray(np.log(held / (1 - held)), np.float64)


def believed(found: Found, kinds: Floats, odds: Floats, doubt: Doubt) -> tuple[Floats, Floats]:
    """Return (n,) odds that there is a face, and (n,) that its likeliest value is right too."""
    told = cues(found, kinds, odds)
    real, right = (1 / (1 + np.exp(-told @ np.array(w))) for w in (doubt.real, doubt.right))
    return real, real * right
