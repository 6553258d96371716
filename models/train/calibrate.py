"""How far the networks can be believed: temperature, the sure threshold, reliability.

Measured on photos held back from training.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.train.eyes import Doubt, Eyes, Raw, Seen, judge
from models.train.infer import NOTHING, Floats, softmax
from models.train.pictures import Shot
from models.train.score import extras, pair
from models.train.session import load

BINS = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 1.0)
MAY_BE_WRONG = 0.003  # of the faces that are called sure
FILE = "doubt.json"


def load_eyes(folder: Path) -> Eyes:
    """Return the networks in a folder with their calibration, if it is there."""
    doubt, path = Doubt(), folder / FILE
    if path.exists():
        doubt = Doubt(**json.loads(path.read_text()))
    return Eyes(load(folder / "finder.onnx"), load(folder / "reader.onnx"), doubt)


def temperature(scores: Floats, truth: np.ndarray) -> float:
    """Return the divisor of the scores under which the truth is likeliest (Guo et al. 2017)."""
    tried = np.exp(np.linspace(np.log(0.5), np.log(4), 60))
    rows = np.arange(len(truth))
    rows = np.arange(len(truth))
    losses = [-np.log(softmax(scores / t)[rows, truth] + 1e-12).mean() for t in tried]
    return round(float(tried[int(np.argmin(losses))]), 3)


def measure(shots: list[Shot], seen: list[Seen]) -> tuple[Floats, NDArray[np.bool_]]:
    """Return the confidence of every face that was read and whether it was right."""
    confidence, right = [], []
    for shot, one in zip(shots, seen, strict=True):
        pairs = pair(shot, one)
        for i, j in pairs.items():
            confidence.append(one.confidence[j])
            right.append(one.values[j] == shot.faces[i].value)
        for j in extras(shot, one, pairs):
            confidence.append(one.confidence[j])
            right.append(False)
    return np.array(confidence), np.array(right, np.bool_)


def threshold(confidence: Floats, right: np.ndarray) -> float:
    """Return the lowest confidence above which at most MAY_BE_WRONG of the faces are wrong."""
    order = np.argsort(-confidence)
    wrong = np.cumsum(~right[order])
    # One fault more than was seen: a handful of faces proves little.
    fine = np.flatnonzero((wrong + 1) / (np.arange(len(order)) + 1) <= MAY_BE_WRONG)
    if not len(fine):
        return 0.99
    return round(float(np.clip(confidence[order][fine[-1]], 0.8, 0.999)), 4)


def reliability(confidence: Floats, right: np.ndarray) -> str:
    """Return a table: faces by confidence and how many of them were right."""
    lines = ["| confidence | faces | mean | right |", "| --- | --- | --- | --- |"]
    for low, high in pairwise(BINS):
        inside = (confidence >= low) & ((confidence < high) | (high == 1.0))
        if inside.any():
            lines.append(
                f"| {low:.3f}–{high:.3f} | {inside.sum()}"
                f" | {100 * confidence[inside].mean():.1f} % | {100 * right[inside].mean():.1f} % |"
            )
    return "\n".join(lines)


def calibrate(folder: Path, shots: list[Shot], raw: list[Raw]) -> Doubt:
    """Measure on what the networks said of photos that were held back; write FILE."""
    scores, truth = _paired(shots, [judge(*one, Doubt()) for one in raw])
    doubt = Doubt(kind=temperature(scores[:, :NOTHING], truth))
    confidence, right = measure(shots, [judge(*one, doubt) for one in raw])
    doubt = Doubt(doubt.kind, sure=threshold(confidence, right))
    (folder / FILE).write_text(json.dumps(asdict(doubt), indent=1) + "\n")
    return doubt


def _paired(shots: list[Shot], seen: list[Seen]) -> tuple[Floats, np.ndarray]:
    scores, truth = [], []
    for shot, one in zip(shots, seen, strict=True):
        for i, j in pair(shot, one).items():
            scores.append(one.kinds[j])
            truth.append(shot.faces[i].value)
    return np.array(scores), np.array(truth)
