"""How likely a face is there and shows its value, and from how near a photo is looked at."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from tests.vision.faces.test_detector import found_of, scores_for, turned
from tests.vision.faces.test_priors import SIZE, TiltedCamera
from tests.vision.fake_eyes import candidates_of, classifier_of
from vision.dominoes.scene import Scene, find_scene
from vision.faces.calibration import (
    FEATURES,
    Calibration,
    calibrated_probs,
    classifier_features,
    features,
    value_probs,
)
from vision.faces.candidates import ScoredCandidates
from vision.faces.classified import classify_candidates
from vision.faces.classifier import ASIDE, CLASSES, NOTHING
from vision.faces.kinds import KINDS
from vision.faces.multiscale import is_clear, passes
from vision.faces.networks import Models, shipped_models
from vision.photo import Photo
from vision.quad import Quad
from vision.unread import PlaceKinds, kinds_on, with_kinds


def kinds_of(value, share, nothing=0.01, aside=0.01):
    rest = (1 - share - nothing - aside) / 6
    shares = np.full(CLASSES, rest)
    shares[value], shares[NOTHING], shares[ASIDE] = share, nothing, aside
    return np.log([shares])


STERN = Calibration(
    (0, 1, 0.5, 1, 1, 0.5, 0, 0, -1, -1, -1), (0, 0.5, 0, 0, 0, 1, 1, 0, 0, 0, 0), 0.5, 0.1, 0.95
)


def belief(probs=0.95, share=0.97, **against):
    found, kinds = found_of([turned(0, 20, at=(50, 50))], [probs]), kinds_of(5, share, **against)
    real, right = calibrated_probs(found, kinds, SIZE, STERN)
    return real[0], real[0] * right[0]


def test_every_cue_has_a_weight():
    assert len(STERN.real) == len(STERN.right) == len(FEATURES)
    assert Calibration.from_json(STERN.to_json()) == STERN


def test_surroundings_speak_for_a_doubtful_die_and_take_none_back():
    models = shipped_models()
    die = np.array([0.99, 0.99, 0.01, 0.99, 0])  # the last was not looked at
    probs = np.column_stack([die, np.zeros((5, len(KINDS) - 2)), np.where(die, 1 - die, 0)])
    faces = np.tile(np.eye(7)[3], (5, 1))
    doubtful = ScoredCandidates(None, faces, np.array([0.9, 0.3, 0.9, 0.99, 0.9]), np.ones(5))
    nowhere = np.zeros(5, np.bool_)

    real = with_kinds(doubtful, PlaceKinds(probs, nowhere, nowhere), models).real

    assert real[0] > models.calibration.sure
    assert real[1:] == pytest.approx([0.3, 0.9, 0.99, 0.9])


@pytest.mark.parametrize(
    ("kind", "side", "right", "beside", "is_gone"),
    [
        ("nothing", 90, 0.9, 0.1, False),
        ("nothing", 70, 0.9, 0.1, True),  # as large as dice on any table
        ("printed", 90, 0.9, 0.1, True),  # print is known by its look
        ("nothing", 90, 0.7, 0.1, True),  # of a die close up the pips can be counted
        ("nothing", 90, 0.9, 0.5, True),  # dice are rarely close up beside others
    ],
)
def test_a_die_close_up_is_not_taken_for_nothing(kind, side, right, beside, is_gone, monkeypatch):
    probs = np.array([[0.9 * (name == kind) for name in KINDS], np.zeros(len(KINDS))])
    monkeypatch.setattr("vision.unread._probs", lambda *_: probs)
    photo = Photo.from_array(np.zeros((640, 800), np.uint8), "grey")
    found = found_of([turned(0, side / 2, at=(300, 300)), turned(0, 20)], [0.5, 0.4])
    scene = Scene(SimpleNamespace(detections=found, size=(800, 640)), "dice")
    faces = np.tile(np.eye(7)[3], (2, 1))
    scored = ScoredCandidates(None, faces, np.array([0.5, beside]), np.array([right, 0.9]))

    kinds = kinds_on(photo, scene, scored, scored, None)

    assert kinds.gone.tolist() == [is_gone, False]


def test_halves_of_dominoes_are_believed_by_weights_of_their_own():
    """A blank half is told by what is not there, so it is doubted more than one with pips."""
    of_half = (*STERN.right[:-1], 0.0, -2.0)
    calibration = replace(STERN, right_of_half=of_half)
    found = found_of([turned(0, 20, at=(50, 50))], [0.95])

    def right(value, *, halves, by):
        sure = replace(found, values=np.where(np.arange(7) == value, 0.94, 0.01)[None])
        kinds = kinds_of(value, 0.97)
        return float(calibrated_probs(sure, kinds, SIZE, by, halves=halves)[1][0])

    assert right(0, halves=True, by=calibration) < right(5, halves=True, by=calibration)
    assert right(5, halves=True, by=calibration) == right(5, halves=True, by=STERN)
    assert right(5, halves=False, by=calibration) == right(5, halves=False, by=STERN)
    assert Calibration.from_json(calibration.to_json()) == calibration


@pytest.mark.parametrize(
    "worse",
    [
        {"probs": 0.4},
        {"share": 0.5},
        {"nothing": 0.4, "share": 0.58},
        {"aside": 0.4, "share": 0.58},
    ],
)
def test_whatever_speaks_against_a_face_lowers_its_belief(worse):
    good, bad = belief(), belief(**worse)

    assert bad[1] < good[1]
    assert bad[0] <= good[0]


def cue_of(name, quads, *, halves=False):
    """Return a cue of places that are all plainly faces."""
    kinds = np.repeat(kinds_of(5, 0.97), len(quads), axis=0)
    cues = features(found_of(quads, [0.99] * len(quads)), kinds, SIZE, halves=halves)
    return cues[:, FEATURES.index(name)]


def middle_y(quad):
    return float(quad[:, 1].mean())


def seen_low():
    """Return the upper faces of dice seen from low down, and the side of one of them."""
    dice = TiltedCamera(0.75, 50).dice()
    return list(dice[:, 0]), max(dice[2, 1:], key=middle_y)


def test_a_side_lies_in_another_plane_than_the_faces_that_look_up():
    up = [turned(d, 20) * (1, 0.7) + (60 * d, 50) for d in (1, 2, 3)]
    side = turned(0, 20) * (0.6, 1) + (60, 75)

    *among_others, last = cue_of("lies unlike others", [*up, side])

    assert max(among_others) < last - 0.5


def test_far_dice_are_no_smaller_than_near_ones():
    tops, _ = seen_low()
    far, near = min(tops, key=middle_y), max(tops, key=middle_y)
    stranger = near.mean(axis=0) + 0.5 * (near - near.mean(axis=0))

    *alike, other = cue_of("size unlike others", [*tops, stranger])

    assert Quad.around(near).side > 1.3 * Quad.around(far).side
    assert max(alike) < 0
    assert other > 0.3


@pytest.mark.parametrize("cue", ["size unlike others", "lies unlike others"])
def test_a_face_alone_is_unlike_no_other(cue):
    assert cue_of(cue, [turned(30, 20)]) == [0]


def test_a_place_that_hangs_from_a_face_is_its_side():
    tops, side = seen_low()

    *of_tops, of_side = cue_of("side of another", [*tops, side])

    assert max(of_tops) < 0.5
    assert of_side > 4


def test_dominoes_have_no_sides_to_be_read():
    tops, side = seen_low()

    assert max(cue_of("side of another", [*tops, side], halves=True)) == 0


def test_a_side_is_a_face_that_does_not_look_up():
    plain, side, print_ = (
        classifier_features(kinds_of(5, *told), halves=False)[0]
        for told in ((0.97, 0.01, 0.01), (0.2, 0.01, 0.78), (0.2, 0.78, 0.01))
    )

    assert side[0] == pytest.approx(plain[0])  # as plainly a face
    assert side[1] < 0 < plain[1]  # and not the upper one
    assert max(print_) < 0


@pytest.mark.parametrize("kinds", [kinds_of(0, 0.9), kinds_of(2, 0.2, nothing=0.7)])
def test_a_half_that_shows_nothing_is_blank_and_a_die_has_no_blank_face(kinds):
    found = found_of([turned(0, 20)], [0.9])

    assert value_probs(found, kinds, halves=True)[0].argmax() == 0
    assert value_probs(found, kinds, halves=False)[0, 0] == 0
    assert value_probs(found, kinds, halves=False).sum() == pytest.approx(1)


def looked_from(face, *, sure):
    """Return the longer sides of the views of a picture of 704 px with one face so wide."""
    sides = []

    def detector(blob):
        side = max(blob.shape[2:])
        sides.append(side)
        middle = side / 2, side / 2
        quads = [] if face is None else [turned(0, face * side / 704 / 2, at=middle)]
        return scores_for(quads, (side // 4, side // 4))[None]

    weights = (3.0 if sure else 0.0, *(0.0,) * (len(FEATURES) - 1))
    calibration = Calibration(weights, weights, shown=0.5, missed=0.1, sure=0.9)
    eyes = Models(detector, classifier_of(), lambda _: np.zeros((0, 1)), calibration)
    find_scene(np.zeros((704, 704, 3), np.uint8), "dice", eyes)
    return sides


@pytest.mark.parametrize(
    ("face", "sure", "sides"),
    [
        (60, True, [384]),
        (25, True, [384, 832]),  # small: from where it has the best size
        (60, False, [384, 544, 256, 160, 64]),  # from nearer and farther
        (300, False, [384, 160, 224, 64]),  # no view twice
        (None, False, [384, 704, 1280, 160, 64]),
    ],
)
def test_a_face_is_looked_at_as_often_as_its_size_and_doubt_ask_for(face, sure, sides):
    assert looked_from(face, sure=sure) == sides


@pytest.mark.parametrize(("probs", "clear"), [(0.45, True), (0.6, False)])
def test_what_only_the_detector_takes_for_a_face_is_looked_at_again(probs, clear):
    """It may be mistaken in how the face lies, and the classifier saw a part of it."""
    found = found_of([turned(0, 20, at=(50, 50)), turned(0, 20, at=(150, 50))], [0.99, probs])
    believing = (-8.0, 4.0, *(0.0,) * (len(FEATURES) - 2))  # the second one not at all
    certain = (9.0, *(0.0,) * (len(FEATURES) - 1))
    calibration = Calibration(believing, certain, shown=0.5, missed=0.1, sure=0.9)

    assert is_clear(candidates_of(found), calibration) == clear


def asked_about(asked):
    """Return models whose face classifier notes how many crops it is asked about."""

    def face_classifier(crops):
        asked.append(len(crops))
        return classifier_of()(crops)

    weights = (9.0, *(0.0,) * (len(FEATURES) - 1))
    certain = Calibration(weights, weights, shown=0.5, missed=0.1, sure=0.9)
    return Models(lambda _: 1 / 0, face_classifier, lambda _: 1 / 0, certain)


@pytest.mark.parametrize(("off", "read"), [(1.0, [1]), (6.0, [2])])
def test_what_was_plainly_read_where_a_face_lies_is_not_read_again(off, read):
    asked = []
    then = found_of([turned(0, 20, at=(50, 50))], [0.99])
    plain = candidates_of(then, 7.0, (200, 100))
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
