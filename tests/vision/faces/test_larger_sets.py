"""Halves with more pips than six are told, counted and asked about, and nothing less for sure."""

import hashlib
from dataclasses import replace
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from tests import ROOT
from vision import Look, LyingTile, load, pipeline, read
from vision.dominoes.pip_counter import SIDE, count_pips
from vision.faces import larger_sets
from vision.faces.larger_sets import (
    FEATURES,
    LargerSets,
    beyond_six,
    many_pips,
    shipped_larger_sets,
)
from vision.faces.networks import shipped_models
from vision.warnings import LARGER

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


def shares_of(monkeypatch, *probs, halves=None, largest=None):
    """Return the probability of more than six pips on each half, given that of each one alone."""
    is_half = np.array(halves or (True,) * len(probs))
    monkeypatch.setattr(larger_sets, "features_of", lambda _: None)
    monkeypatch.setattr(larger_sets, "many_pips", lambda *_: np.array(probs)[is_half])
    candidates = SimpleNamespace(take=lambda _: None)
    return beyond_six(candidates, is_half, LargerSets("", "", (), share=0.1), largest).tolist()


def test_where_one_half_has_more_than_six_others_may_too(monkeypatch):
    alone = shares_of(monkeypatch, 0.3, *[0.01] * 3)
    among = shares_of(monkeypatch, 0.3, 0.99, 0.99, 0.01)

    assert alone[0] < 0.05
    assert among[0] > 0.25
    assert among[3] < 0.02


def test_one_half_of_very_many_is_rather_misread(monkeypatch):
    few, many = (shares_of(monkeypatch, 0.9, *[0.01] * others)[0] for others in (3, 27))

    assert few > 0.1
    assert many < 0.001


def test_a_die_never_has_more_than_six(monkeypatch):
    assert shares_of(monkeypatch, 0.99, 0.2, halves=(False, True))[0] == 0


def test_in_a_set_that_is_known_each_half_is_told_by_itself(monkeypatch):
    """Of double-nine tiles, three numbers of ten are more than six, not one of ten as measured."""
    (nine,) = shares_of(monkeypatch, 0.1, largest=9)
    (beside,) = shares_of(monkeypatch, 0.9, largest=9)

    assert nine == pytest.approx(0.3)
    assert shares_of(monkeypatch, 0.9, *[0.01] * 27, largest=9)[0] == pytest.approx(beside)
    assert shares_of(monkeypatch, 0.99, 0.99, largest=6) == [0, 0]


def test_tiles_laid_to_known_ones_are_of_their_set():
    lies = LyingTile((1, 6), ((0, 0), (0, 1)), 0)

    reading = read(load(PICTURE), Look("dominoes", lying=(lies,)))

    said = (*reading.warnings, *reading.notices)
    assert not any("more than six pips on a half" in sentence for sentence in said)


def half(columns, rows, missing=(), radius=7, pip=(90, 30, 20), face=(225, 235, 240)):
    """Return a half with pips in columns and rows, but not on those *missing*."""
    crop = np.full((SIDE, SIDE, 3), face, np.uint8)
    for x, y in np.ndindex(columns, rows):
        if (x, y) not in missing:
            at = [round(SIDE * (place + 1) / (of + 1)) for place, of in ((x, columns), (y, rows))]
            cv2.circle(crop, at, radius, pip, -1, cv2.LINE_AA)
    return crop


@pytest.mark.parametrize(
    ("crop", "pips"),
    [
        (half(3, 3, missing=[(0, 1), (2, 1)]), 7),
        (half(3, 3, missing=[(1, 1)]), 8),
        (half(3, 3), 9),
        (half(3, 4), 12),
        (half(4, 4, missing=[(1, 1)], radius=6), 15),
        (half(3, 3, pip=(250, 250, 250), face=(40, 40, 40)), 9),
    ],
)
def test_pips_are_counted_whatever_their_colour(crop, pips):
    assert count_pips(crop) == pips


def test_of_six_pips_or_other_things_nothing_is_counted():
    streaked = half(3, 3)
    cv2.rectangle(streaked, (10, 40), (86, 56), (90, 30, 20), -1)

    assert count_pips(half(2, 3)) is None
    assert count_pips(streaked) is None
    assert count_pips(np.full((SIDE, SIDE, 3), 200, np.uint8)) is None


@pytest.mark.parametrize("look", ["auto", "dominoes"])
def test_a_tile_of_a_larger_set_is_counted_and_asked_about(look):
    reading, least = read(load(PICTURE), Look(look)), shipped_models().calibration.sure

    tiles = {tuple(sorted(half.value for half in tile.halves)): tile for tile in reading.tiles}
    assert set(tiles) == {(2, 6), (9, 9), (1, 6), (3, 6)}
    assert not tiles[9, 9].sure
    assert any(tile.sure for tile in reading.tiles)
    asked = [one for tile in reading.tiles for one in (tile, *tile.halves) if not one.sure]
    assert all(one.confidence < least for one in asked)
    assert reading.notices == [LARGER]
    assert not reading.warnings


def test_a_tile_is_doubted_as_a_second_one_by_the_pips_that_are_counted(monkeypatch):
    """By the pips that the networks take it for, a double nine would make a double six doubtful."""
    before = read(load(PICTURE)).tiles
    twin = next(tile for tile in before if sorted(half.value for half in tile.halves) == [2, 6])
    assert twin.sure

    def count(_photo, tiles):
        nine = next(tile for tile in tiles if not tile.sure)
        return tuple(replace(tile, halves=twin.halves) if tile is nine else tile for tile in tiles)

    monkeypatch.setattr(pipeline, "counted", count)

    values = {tile.quad: tile.sure for tile in read(load(PICTURE)).tiles}
    assert not values[twin.quad]
