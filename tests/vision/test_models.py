"""The networks that are shipped are those the card describes."""

import hashlib
import json
import re

import numpy as np
import pytest

from tests import ROOT
from vision import models
from vision.boards.sheet.marks import shipped_calibration
from vision.faces.calibration import Calibration
from vision.faces.classifier import CLASSES, EMBEDDING, SIDE
from vision.faces.detector import CHANNELS
from vision.reading import COLOURS

MODELS = ROOT / "models"
LARGEST = 12_000_000  # bytes together


@pytest.mark.parametrize(
    "name", ["detector", "face_classifier", "pair_classifier", "mark_classifier"]
)
def test_the_card_and_the_origin_tell_the_sum_of_each_network(name):
    row = re.search(rf"`{name}\.onnx`.*`([0-9a-f]{{64}})`", (MODELS / "CARD.md").read_text())
    digest = hashlib.sha256((MODELS / f"{name}.onnx").read_bytes()).hexdigest()

    assert row is not None
    assert digest == row[1]
    assert digest == json.loads((MODELS / "origin.json").read_text())[name]["sha256"]


def test_the_networks_are_small():
    assert sum(path.stat().st_size for path in MODELS.glob("*.onnx")) <= LARGEST


def test_the_card_tells_the_thresholds_in_use():
    calibration = Calibration.from_json(json.loads((MODELS / "calibration.json").read_text()))
    card = (MODELS / "CARD.md").read_text()

    assert f"confidence of {calibration.sure}" in card
    assert 0 < calibration.missed <= calibration.shown < 1
    assert 0.5 <= calibration.sure < 1


def test_the_card_tells_the_calibration_of_marks():
    calibration = shipped_calibration()
    card = (MODELS / "CARD.md").read_text()

    assert f"Temperature {calibration.temperature}, sure from" in card
    assert 0.5 <= calibration.sure < 1


@pytest.mark.parametrize("size", [(64, 96), (352, 704)])
def test_the_detector_takes_any_whole_size(size):
    scores = models.detector()(np.zeros((1, 3, *size), np.float32))

    assert scores.shape == (1, CHANNELS, size[0] // 4, size[1] // 4)
    assert np.isfinite(scores).all()


@pytest.mark.parametrize("period", [3, 9.6, 19.2, 38.4, 70])
def test_no_pattern_makes_the_detector_shout(period):
    """One channel that slept through its training once said 75 on a cloth, and all others 6."""
    y, x = np.mgrid[0:288, 0:384] / period
    stripes = [(a % 2 < 1).astype(np.float32) for a in (y, x)]
    ramp = np.linspace(0.1, 1, 12).reshape(4, 3, 1, 1).astype(np.float32)
    loudest = [
        np.abs(models.detector()((1 - ink * cloth)[None])).max()
        for ink in ramp
        for cloth in (sum(stripes) / 2, stripes[0] * stripes[1], stripes[0])
    ]

    assert max(loudest) < 30  # on pictures of every kind it says up to 18


@pytest.mark.parametrize("count", [1, 7])
def test_the_reader_takes_any_number_of_crops(count):
    scores, features = models.face_classifier()(np.zeros((count, 3, SIDE, SIDE), np.float32))

    assert scores.shape == (count, CLASSES + len(COLOURS))
    assert features.shape == (count, EMBEDDING)


def test_the_scores_are_a_linear_map_of_the_features():
    """What taught pieces rest on."""
    crops = np.random.default_rng(2).random((400, 3, SIDE, SIDE), np.float32)
    crops *= np.random.default_rng(3).random((400, 3, 1, 1), np.float32)
    scores, features = models.face_classifier()(crops)
    inputs = np.column_stack([features, np.ones(len(features))]).astype(np.float64)

    learned, *_ = np.linalg.lstsq(inputs, scores.astype(np.float64), rcond=None)

    assert np.abs(inputs @ learned - scores).max() < 1e-2
