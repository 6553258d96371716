"""Halfway between a network and what became of it when it was trained again.

The mean of the weights keeps much of what the second training forgot, and most of what it taught
(Wortsman et al. 2022, "Robust fine-tuning of zero-shot models").
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper


def interpolate_weights(before: Path, after: Path, out: Path, share: float) -> None:
    """Write a network whose weights lie between those of two files.

    Args:
        before: the ONNX file that a training took up.
        after: the one that came of it.
        out: where to write.
        share: of *after*, from 0 to 1.

    Raises:
        ValueError: they are not of one make.
    """
    first, second = (onnx.load(str(path)) for path in (before, after))
    pairs = list(zip(first.graph.initializer, second.graph.initializer, strict=True))
    for weights, other in pairs:
        a, b = numpy_helper.to_array(weights), numpy_helper.to_array(other)
        if weights.name != other.name or a.shape != b.shape:
            raise ValueError(f"{before.name} and {after.name} are not networks of one make")
        if a.dtype == np.float32:
            mean = ((1 - share) * a + share * b).astype(np.float32)
            weights.CopyFrom(numpy_helper.from_array(mean, weights.name))
    onnx.save(first, str(out))
