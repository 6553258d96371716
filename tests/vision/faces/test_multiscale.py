"""From how near a photo is looked at, and what is looked at again."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.faces.test_detector import found_of, scores_for, turned
from vision.dominoes.scene import find_scene
from vision.faces.calibration import FEATURES, Calibration
from vision.faces.candidates import Candidates
from vision.faces.classified import classify_candidates
from vision.faces.classifier import CLASSES, EMBEDDING, SIDE
from vision.faces.multiscale import is_clear, passes
from vision.faces.networks import Models


def looked_from(face, *, sure=False):
    """Return the longer sides of the views of a picture of 704 px with one face so wide."""
    sides = []

    def detector(blob):
        side = max(blob.shape[2:])
        sides.append(side)
        middle = side / 2, side / 2
        quads = [] if face is None else [turned(0, face * side / 704 / 2, at=middle)]
        return scores_for(quads, (side // 4, side // 4))[None]

    def face_classifier(crops):
        return np.zeros((len(crops), CLASSES + 12), np.float32), np.zeros(
            (len(crops), EMBEDDING), np.float32
        )

    weights = (3.0 if sure else 0.0, *(0.0,) * (len(FEATURES) - 1))
    calibration = Calibration(weights, weights, shown=0.5, missed=0.1, sure=0.9)
    eyes = Models(detector, face_classifier, lambda _: np.zeros((0, 1)), calibration)
    find_scene(np.zeros((704, 704, 3), np.uint8), "dice", eyes)
    return sides


def test_a_sure_face_of_a_fitting_size_is_looked_at_once():
    assert looked_from(60, sure=True) == [384]


def test_a_small_face_is_looked_at_from_where_it_has_the_best_size():
    assert looked_from(25, sure=True) == [384, 832]


def test_a_doubtful_face_is_looked_at_from_nearer_and_farther():
    assert looked_from(60) == [384, 544, 256, 160, 64]


@pytest.mark.parametrize(("probs", "clear"), [(0.45, True), (0.6, False)])
def test_what_only_the_detector_takes_for_a_face_is_looked_at_again(probs, clear):
    """It may be mistaken in how the face lies, and the classifier saw a part of it."""
    found = found_of([turned(0, 20, at=(50, 50)), turned(0, 20, at=(150, 50))], [0.99, probs])
    crops = np.zeros((2, SIDE, SIDE, 3), np.uint8)
    zeros = (np.zeros((2, n)) for n in (CLASSES, 12, EMBEDDING))
    believing = (-8.0, 4.0, *(0.0,) * (len(FEATURES) - 2))  # the second one not at all
    certain = (9.0, *(0.0,) * (len(FEATURES) - 1))
    calibration = Calibration(believing, certain, shown=0.5, missed=0.1, sure=0.9)

    assert is_clear(Candidates(found, *zeros, crops, 1.0, (200, 100)), calibration) == clear


def asked_about(asked):
    """Return models whose face classifier notes how many crops it is asked about."""

    def face_classifier(crops):
        asked.append(len(crops))
        return np.zeros((len(crops), CLASSES + 12), np.float32), np.zeros(
            (len(crops), EMBEDDING), np.float32
        )

    weights = (9.0, *(0.0,) * (len(FEATURES) - 1))
    certain = Calibration(weights, weights, shown=0.5, missed=0.1, sure=0.9)
    return Models(lambda _: 1 / 0, face_classifier, lambda _: 1 / 0, certain)


@pytest.mark.parametrize(("off", "read"), [(1.0, [1]), (6.0, [2])])
def test_what_was_plainly_read_where_a_face_lies_is_not_read_again(off, read):
    asked = []
    then = found_of([turned(0, 20, at=(50, 50))], [0.99])
    scores = (np.full((1, n), 7.0) for n in (CLASSES, 12, EMBEDDING))
    plain = Candidates(then, *scores, np.ones((1, SIDE, SIDE, 3), np.uint8), 1.0, (200, 100))
    detections = found_of(
        [turned(0, 20, at=(150, 50)), turned(90, 20, at=(50 + off, 50))], [0.99, 0.9]
    )
    bgr = np.zeros((100, 200, 3), np.uint8)

    got = classify_candidates(bgr, detections, 1.0, asked_about(asked), plain=plain)

    assert asked == read
    assert got.detections.probs.tolist() == [0.99, 0.9]
    assert got.logits[:, 0].tolist() == ([0, 7] if len(detections) > sum(read) else [0, 0])


def test_only_around_few_doubtful_halves_among_many_is_looked_again():
    sides = []

    def detector(blob):
        sides.append(max(blob.shape[2:]))
        rows = [(48 + 64 * k, 100 + 80 * r) for r in range(2) for k in range(5)]
        scores = scores_for([turned(0, 16, at=at) for at in rows], (96, 96))
        scores[0, 25, 12] = 0.2  # of the first: neither a face nor none
        return scores[None, :, : blob.shape[2] // 4, : blob.shape[3] // 4]

    weights = (0.0, 2.0, *(0.0,) * (len(FEATURES) - 2))
    calibration = Calibration(weights, weights, shown=0.5, missed=0.1, sure=0.9)
    models = replace(asked_about([]), detector=detector, calibration=calibration)
    looks = passes(np.zeros((384, 384, 3), np.uint8), models, halves=True)

    first = next(looks)
    assert (len(first), sides) == (10, [384])
    next(looks)
    assert sides == [384, 320, 160]


def test_no_view_is_looked_at_twice():
    assert looked_from(300) == [384, 160, 224, 64]


def test_where_nothing_is_seen_other_views_are_tried():
    assert looked_from(None) == [384, 704, 1280, 160, 64]
