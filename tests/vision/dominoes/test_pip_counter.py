"""Halves of dominoes with more than six pips are counted, and each is asked about."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests import ROOT
from vision import Look, load, pipeline, read
from vision.dominoes.pip_counter import SIDE, count_pips
from vision.warnings import LARGER

# Drawn by `python -m models.train --var var dominoes --count 1 --first 910032`: 6-2, 9-9, 1-6, 3-6.
PICTURE = ROOT / "fixtures" / "larger-set" / "dominoes-910032.jpg"


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
    reading = read(load(PICTURE), Look(look))

    tiles = {tuple(sorted(half.value for half in tile.halves)): tile for tile in reading.tiles}
    assert set(tiles) == {(2, 6), (9, 9), (1, 6), (3, 6)}
    assert not tiles[9, 9].sure
    assert any(tile.sure for tile in reading.tiles)
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
