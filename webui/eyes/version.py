"""The version of the reading code and networks: equal versions read equally."""

import hashlib
from functools import cache
from importlib.metadata import version

from vision.models import model_path

NETWORKS = (
    "detector.onnx",
    "face_classifier.onnx",
    "pair_classifier.onnx",
    "mark_classifier.onnx",
    "edge_classifier.onnx",
    "mark_calibration.json",
    "larger_sets.json",
    "kinds.npz",
    "calibration.json",
)


@cache
def eyes_version() -> str:
    """Return the version of Pipsight and a short hash of its networks: 0.9.0-1c2f3a4b."""
    digest = hashlib.sha256()
    for name in NETWORKS:
        digest.update(model_path(name).read_bytes())
    return f"{version('pipsight')}-{digest.hexdigest()[:8]}"
