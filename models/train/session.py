"""Run an ONNX file as the `Predict` that `infer` takes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime

from models.train.infer import Predict, Scores


def load(path: Path, threads: int = 1) -> Predict:
    """Return the network in a file as a function of its input."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])

    def predict(picture: Scores) -> Scores:
        return np.asarray(session.run(None, {"picture": picture})[0], np.float32)

    return predict
