"""Drawn dominoes, and dominoes laid on a lattice by hands."""

import cv2
import numpy as np
import pytest

from models.dataset.positions import Lying, Neatness, draw_eye, outlines
from tests.vision.faces.test_calibration import STERN
from tests.vision.faces.test_detector import found_of, turned
from tests.vision.fake_eyes import candidates_of, classifier_of, face_read_as
from vision import Look, LyingTile, TileReading
from vision.dominoes.cells import lay_out
from vision.dominoes.matching import Pair, scene_probs
from vision.dominoes.tiles import tile_quad
from vision.faces.networks import Models


def halves(x, y, degrees):
    """Return the two faces, of side 20, of a tile whose middle lies there."""
    step = 10 * np.array([np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))])
    return [turned(degrees, 10, at=np.array([x, y]) + sign * step) for sign in (-1, 1)]


def places(quads):
    return candidates_of(found_of(quads, [0.9] * len(quads)))


def eyes_that_join(judge):
    """Return eyes whose pair classifier says what *judge* says of a crop: yes, no, or a score.

    Their classifier sees blanks.
    """

    def score(crop):
        said = judge(crop)
        return said if isinstance(said, float) else 9.0 if said else -9.0

    def pair_classifier(crops):
        return np.array([score(crop) for crop in crops], np.float32).reshape(-1, 1)

    return Models(lambda _: 1 / 0, classifier_of(0, 9), pair_classifier, STERN)


def has_bar(crop):
    """Return True if a line of ink runs across the middle of a crop, between its halves."""
    return crop[0, 8:24, 27:29].mean() < 0.3


def drawn_tiles(tiles):
    """Return white tiles with a bar on grey; touching ones have no gap."""
    picture = np.full((300, 300, 3), 128, np.uint8)
    for x, y, degrees in tiles:
        for quad in halves(x, y, degrees):
            cv2.fillConvexPoly(picture, np.round(quad).astype(np.int32), (240, 240, 240))
        along = np.array([-np.sin(np.deg2rad(degrees)), np.cos(np.deg2rad(degrees))])
        ends = [np.round(np.array([x, y]) + sign * 8 * along).astype(int) for sign in (-1, 1)]
        cv2.line(picture, tuple(ends[0].tolist()), tuple(ends[1].tolist()), (10, 10, 10), 3)
    return picture


def likeliest(probs, alone):
    pairs = [Pair(2 * k, 2 * k + 1, share) for k, share in enumerate(probs)]
    shares = scene_probs(pairs, alone)

    assert sum(shares) == pytest.approx(1)
    best = ("dice", "dominoes", "both")[int(np.argmax(shares))]
    return best if max(shares) > 0.9 else "unsure"


FOUNDATION = tuple(
    Lying((n, n), ((row, column), (row, column + 1)), 0, (True, True))
    for n, (row, column) in zip(
        (1, 6, 2, 5, 3, 4), ((r, c) for r in range(3) for c in (0, 2)), strict=True
    )
)
NEAT = Neatness(shift=0.02, turn=0.01, shake=0.01)


def known(tiles):
    return tuple(LyingTile(tile.halves, tile.cells, tile.level) for tile in tiles)


def eye_at(rise):
    middle = np.array([1.5, 1.0])
    return draw_eye(np.random.default_rng(1), middle, 6.0, (rise, rise + 0.01))


def tile_of(lies, quads):
    first, second = (
        face_read_as(number, quad, confidence=0.99)
        for number, quad in zip(lies.halves, quads, strict=True)
    )
    return TileReading(tile_quad(first.quad, second.quad), (first, second), 0.98, sure=True)


EYE = eye_at(60)


def photographed(tiles, eye=EYE):
    quads = outlines(np.random.default_rng(3), tiles, eye, NEAT, thickness=0.35)
    return [tile_of(*both) for both in zip(tiles, quads, strict=True)]


def laid(tiles, lone=None, lies=FOUNDATION, **more):
    """Return how tiles and lone halves lie that were photographed where *lies* is known to lie."""
    return lay_out(tiles, lone or {}, Look("dominoes", lying=known(lies)), EYE.size, **more)
