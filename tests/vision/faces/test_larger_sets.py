"""Halves with more pips than six are told and asked about, and read as nothing less for sure."""

import hashlib
from types import SimpleNamespace

import numpy as np
import pytest

from tests import ROOT
from vision import Look, LyingTile, load, read
from vision.faces import larger_sets
from vision.faces.larger_sets import (
    FEATURES,
    LargerSets,
    beyond_six,
    many_pips,
    shipped_larger_sets,
)
from vision.faces.networks import shipped_models

# Drawn by `python -m models.train --var var dominoes --count 1 --first 910032`: 6-2, 9-9, 1-6, 3-6.
PICTURE = ROOT / "fixtures" / "larger-set" / "dominoes-910032.jpg"


def test_the_weights_are_those_of_the_networks_that_are_shipped():
    shipped = shipped_larger_sets()
    for name in ("detector", "face_classifier"):
        digest = hashlib.sha256((ROOT / "models" / f"{name}.onnx").read_bytes()).hexdigest()
        assert getattr(shipped, name) == digest

    assert len(shipped.weights) == 1 + FEATURES


def test_the_features_tell_how_likely_it_is():
    larger = LargerSets("", "", (-1.0, 2.0, 0.0), 0.1)

    probs = many_pips(np.array([[0.5, 9.0], [3.0, 9.0]]), larger)

    assert probs == pytest.approx([0.5, 1 / (1 + np.exp(-5))])


def told(monkeypatch, *probs, halves=None):
    """Return how likely each half has more than six pips; by itself it does by so much."""
    is_half = np.array(halves or (True,) * len(probs))
    monkeypatch.setattr(larger_sets, "features_of", lambda _: None)
    monkeypatch.setattr(larger_sets, "many_pips", lambda *_: np.array(probs)[is_half])
    candidates = SimpleNamespace(take=lambda _: None)
    return beyond_six(candidates, is_half, LargerSets("", "", (), share=0.1)).tolist()


def test_where_one_half_has_more_than_six_others_may_too(monkeypatch):
    alone = told(monkeypatch, 0.3, *[0.01] * 3)
    among = told(monkeypatch, 0.3, 0.99, 0.99, 0.01)

    assert alone[0] < 0.05
    assert among[0] > 0.25
    assert among[3] < 0.02


def test_one_half_of_very_many_is_rather_misread(monkeypatch):
    few, many = (told(monkeypatch, 0.9, *[0.01] * others)[0] for others in (3, 27))

    assert few > 0.1
    assert many < 0.001


def test_a_die_never_has_more_than_six(monkeypatch):
    assert told(monkeypatch, 0.99, 0.2, halves=(False, True))[0] == 0


def test_a_tile_that_may_be_of_a_larger_set_is_not_told_as_certain():
    reading = read(load(PICTURE), Look("dominoes"))

    asked = [half for tile in reading.tiles for half in tile.halves if not half.sure]
    assert asked
    assert all(half.confidence < shipped_models().calibration.sure for half in asked)
    assert all(
        tile.confidence < shipped_models().calibration.sure
        for tile in reading.tiles
        if not tile.sure
    )


def test_tiles_laid_to_known_ones_are_of_their_set():
    lies = LyingTile((1, 6), ((0, 0), (0, 1)), 0)

    reading = read(load(PICTURE), Look("dominoes", lying=(lies,)))

    said = (*reading.warnings, *reading.notices)
    assert not any("more than six pips on a half" in sentence for sentence in said)
