"""Halves with more pips than six are told and asked about, and read as nothing less for sure."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest

from vision import Look, LyingTile, load, read
from vision.dominoes import larger_sets
from vision.dominoes.larger_sets import LargerSets, beyond_six, many_pips, shipped_larger_sets
from vision.faces.classifier import EMBEDDING

ROOT = Path(__file__).parents[1]
# Drawn by `python -m models.train --var var dominoes --count 1 --first 910032`: 6-2, 9-9, 1-6, 3-6.
PICTURE = ROOT / "fixtures" / "larger-set" / "dominoes-910032.jpg"


def test_the_weights_are_those_of_the_classifier_that_is_shipped():
    digest = hashlib.sha256((ROOT / "models" / "face_classifier.onnx").read_bytes()).hexdigest()

    assert shipped_larger_sets().face_classifier == digest
    assert len(shipped_larger_sets().weights) == EMBEDDING + 1


def test_the_features_tell_how_likely_it_is():
    known = LargerSets("", (-1.0, 2.0, 0.0))

    told = many_pips(np.array([[0.5, 9.0], [3.0, 9.0]]), known)

    assert told == pytest.approx([0.5, 1 / (1 + np.exp(-5))])


@pytest.mark.parametrize("look", ["auto", "dominoes"])
def test_a_nine_is_told_and_the_tiles_beside_it_are_read(look):
    reading = read(load(PICTURE), Look(look))

    assert any("more than six pips on a half" in warning for warning in reading.warnings)
    sure = sorted(sorted(half.value for half in tile.halves) for tile in reading.tiles if tile.sure)
    assert sure
    assert all(values in ([1, 6], [2, 6], [3, 6]) for values in sure)


def told(monkeypatch, *probs: float, halves: tuple[bool, ...]) -> list[bool]:
    monkeypatch.setattr(larger_sets, "many_pips", lambda *_: np.array(probs))
    embeddings = np.zeros((len(probs), EMBEDDING))
    return beyond_six(embeddings, np.array(halves), shipped_larger_sets()).tolist()


def test_where_one_half_has_more_than_six_others_may_too(monkeypatch):
    assert told(monkeypatch, 0.9, 0.2, 0.01, halves=(True,) * 3) == [True, True, False]
    assert told(monkeypatch, 0.4, 0.2, 0.01, halves=(True,) * 3) == [False] * 3


def test_a_die_never_has_more_than_six(monkeypatch):
    assert told(monkeypatch, 0.9, 0.2, halves=(False, True)) == [False, False]


def test_tiles_laid_to_known_ones_are_of_their_set():
    lies = LyingTile((1, 6), ((0, 0), (0, 1)), 0)

    reading = read(load(PICTURE), Look("dominoes", lying=(lies,)))

    assert not any("more than six pips on a half" in warning for warning in reading.warnings)
