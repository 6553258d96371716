"""Taught pieces: a small correction of what the networks say, kept in a file.

The classifier's logits are a linear map of its features. An `Adapter` holds what to add to that map
so that a family's own dice or dominoes come out right; `vision.adapt.fit` learns it.
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
    """Pieces that cannot be taught or used; `str()` is a sentence that says what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class Adapter:
    """What was learned: maps from features, and 1, to what is added to the logits."""

    face_classifier: str  # SHA-256 of the network whose features they are
    faces: int  # that were taught
    values: Floats  # (features + 1, 7)
    colours: Floats  # (features + 1, 12)
    real: Floats  # (features + 1,) to the log probability of the detector

    def adjust(self, candidates: Candidates) -> Candidates:
        """Return what the networks would say of the places if they knew these pieces.

        Raises:
            NotTaught: the features are those of another classifier.
        """
        if not len(candidates):
            return candidates
        told = with_one(candidates.embeddings)
        if told.shape[1] != len(self.real):
            raise NotTaught(OLD)
        logits = candidates.logits.copy()
        logits[:, :NOTHING] += told @ self.values
        # Other values, but the same probability that it is no face that looks up.
        more = _log_sum(logits[:, :NOTHING]) - _log_sum(candidates.logits[:, :NOTHING])
        logits[:, NOTHING:] += more[:, None]
        probs = sigmoid(logit(candidates.detections.probs) + told @ self.real)
        colours = candidates.colour_logits + self.colour_shift(candidates.embeddings)
        return replace(
            candidates,
            detections=replace(candidates.detections, probs=probs),
            logits=logits,
            colour_logits=colours,
        )

    def colour_shift(self, embeddings: Floats) -> Floats:
        """Return (n, 12), what is added to the logits of the body colours."""
        return np.asarray(with_one(embeddings) @ self.colours, np.float64)

    def check(self, face_classifier: str | None = None) -> None:
        """Raise NotTaught unless they were learned on that classifier, or on the shipped one."""
        if self.face_classifier != (face_classifier or shipped_classifier()):
            raise NotTaught(OLD)

    def to_json(self) -> dict[str, Any]:
        """Return an object of texts, numbers and lists."""
        return {
            "pipsight": "pieces",
            "reader": self.face_classifier,
            "faces": self.faces,
            **{name: np.round(getattr(self, name), 5).tolist() for name in MAPS},
        }

    @classmethod
    def from_json(cls, told: Any) -> Adapter:
        """Read what `to_json` wrote; raises NotTaught."""
        try:
            maps = [np.array(told[name], np.float64) for name in MAPS]
            rows = len(maps[-1])
            fits = [m.shape for m in maps] == [(rows, NOTHING), (rows, len(COLOURS)), (rows,)]
            if told["pipsight"] == "pieces" and fits and all(np.isfinite(m).all() for m in maps):
                return cls(str(told["reader"]), int(told["faces"]), *maps)
        except (KeyError, TypeError, ValueError):
            pass
        raise NotTaught(DAMAGED)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Adapter:
        """Read a file that holds `to_json`; raises NotTaught."""
        try:
            told = json.loads(Path(path).read_text())
        except (OSError, ValueError):
            raise NotTaught(DAMAGED) from None
        return cls.from_json(told)

    def to_text(self) -> str:
        """Return the text of a file that `load` reads."""
        return f"{json.dumps(self.to_json())}\n"


MAPS = ("values", "colours", "real")


@cache
def shipped_classifier() -> str:
    """Return the SHA-256 of the classifier network that is shipped."""
    return hashlib.sha256(model_path("face_classifier.onnx").read_bytes()).hexdigest()


def with_one(embeddings: Floats) -> Floats:
    """Return (n, features + 1)."""
    return np.column_stack([embeddings, np.ones(len(embeddings))])


def _log_sum(logits: Floats) -> Floats:
    top = logits.max(axis=1)
    return np.asarray(top + np.log(np.exp(logits - top[:, None]).sum(axis=1)), np.float64)
