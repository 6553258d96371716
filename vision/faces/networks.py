"""The networks that read faces, with their calibration."""

import json
from dataclasses import dataclass
from functools import cache

from vision import models
from vision.faces.calibration import Calibration
from vision.faces.kinds import KindHead, shipped_kinds
from vision.faces.larger_sets import LargerSets, shipped_larger_sets
from vision.models import Detector, EdgeClassifier, FaceClassifier, PairClassifier, model_path


@dataclass(frozen=True, slots=True, eq=False)
class Models:
    """The networks and their calibration."""

    detector: Detector
    face_classifier: FaceClassifier
    pair_classifier: PairClassifier
    calibration: Calibration
    larger_sets: LargerSets | None = None  # None: not fitted to these networks
    kinds: KindHead | None = None  # the same
    edge_classifier: EdgeClassifier | None = None  # None: cut pieces are not looked for


@cache
def shipped_models() -> Models:
    """Return the shipped networks with their calibration."""
    stored = json.loads(model_path("calibration.json").read_text())
    return Models(
        models.detector(),
        models.face_classifier(),
        models.pair_classifier(),
        Calibration.from_json(stored),
        shipped_larger_sets(),
        shipped_kinds(),
        models.edge_classifier(),
    )
