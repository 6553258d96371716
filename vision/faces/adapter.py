"""Taught pieces: a small correction of the networks' output for a family's own pieces.

The classifier's logits are a linear map of its embeddings. An `Adapter` is added to that map so
that a family's own dice or dominoes are read correctly; `vision.adapt.fit` learns it, and it is
stored as a JSON file.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from functools import cache
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from vision.faces.calibration import logit
from vision.faces.candidates import Candidates
from vision.faces.classifier import NOTHING
from vision.faces.detector import sigmoid
from vision.geometry import Floats
from vision.models import model_path
from vision.reading import COLOURS

OLD = "These pieces were taught to an older Pipsight. Teach them again."
DAMAGED = "This file does not hold taught pieces, or it is damaged. Teach them again."


class NotTaught(Exception):
    """Pieces that cannot be taught or used; `str()` is a sentence that says what to do next."""


@dataclass(frozen=True, slots=True, eq=False)
class Adapter:
    """Linear maps from the embeddings (and a bias) to what is added to the networks' logits."""

    face_classifier: str  # SHA-256 of the network that computes the embeddings
    faces: int  # number of faces it was taught on
    values: Floats  # (features + 1, 7), to the logits of the values
    colours: Floats  # (features + 1, 12), to the logits of the body colours
    real: Floats  # (features + 1,), to the detector's log odds

    def adjust(self, candidates: Candidates) -> Candidates:
        """Return the candidates with corrected logits.

        Raises:
            NotTaught: the embeddings are those of another classifier.
        """
        if not len(candidates):
            return candidates
        inputs = with_bias(candidates.embeddings)
        if inputs.shape[1] != len(self.real):
            raise NotTaught(OLD)
        logits = candidates.logits.copy()
        logits[:, :NOTHING] += inputs @ self.values
        # The values change, but not the probability that it is no face that points up.
        more = _log_sum(logits[:, :NOTHING]) - _log_sum(candidates.logits[:, :NOTHING])
        logits[:, NOTHING:] += more[:, None]
        probs = sigmoid(logit(candidates.detections.probs) + inputs @ self.real)
        colours = candidates.colour_logits + self.colour_shift(candidates.embeddings)
        return replace(
            candidates,
            detections=replace(candidates.detections, probs=probs),
            logits=logits,
            colour_logits=colours,
        )

    def colour_shift(self, embeddings: Floats) -> Floats:
        """Return (n, 12) corrections of the logits of the body colours."""
        return np.asarray(with_bias(embeddings) @ self.colours, np.float64)

    def check(self, face_classifier: str | None = None) -> None:
        """Raise NotTaught unless it was learned on that classifier (default: the shipped one)."""
        if self.face_classifier != (face_classifier or shipped_classifier()):
            raise NotTaught(OLD)

    def to_json(self) -> dict[str, Any]:
        """Return a JSON object."""
        return {
            "pipsight": "pieces",
            "reader": self.face_classifier,
            "faces": self.faces,
            **{name: np.round(getattr(self, name), 5).tolist() for name in MAPS},
        }

    @classmethod
    def from_json(cls, stored: Any) -> Adapter:
        """Read what `to_json` wrote; raises NotTaught."""
        try:
            maps = [np.array(stored[name], np.float64) for name in MAPS]
            rows = len(maps[-1])
            fits = [m.shape for m in maps] == [(rows, NOTHING), (rows, len(COLOURS)), (rows,)]
            if stored["pipsight"] == "pieces" and fits and all(np.isfinite(m).all() for m in maps):
                return cls(str(stored["reader"]), int(stored["faces"]), *maps)
        except (KeyError, TypeError, ValueError, OverflowError):
            pass
        raise NotTaught(DAMAGED)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Adapter:
        """Read a file that holds `to_json`; raises NotTaught."""
        try:
            stored = json.loads(Path(path).read_text())
        except (OSError, ValueError, RecursionError):
            raise NotTaught(DAMAGED) from None
        return cls.from_json(stored)

    def to_text(self) -> str:
        """Return the text of a file that `load` reads."""
        return f"{json.dumps(self.to_json())}\n"


MAPS = ("values", "colours", "real")


@cache
def shipped_classifier() -> str:
    """Return the SHA-256 of the shipped classifier network."""
    return hashlib.sha256(model_path("face_classifier.onnx").read_bytes()).hexdigest()


def with_bias(embeddings: Floats) -> Floats:
    """Append a column of ones to (n, features) embeddings, for the bias."""
    return np.column_stack([embeddings, np.ones(len(embeddings))])


def _log_sum(logits: Floats) -> Floats:
    top = logits.max(axis=1)
    return np.asarray(top + np.log(np.exp(logits - top[:, None]).sum(axis=1)), np.float64)
