"""Which places are worth a question: what may be a die, and other things."""

from dataclasses import replace
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from vision.assemble import Scored, choose, without_faint, without_gaps, without_pattern
from vision.dominoes.matching import Pair
from vision.dominoes.scene import Scene
from vision.faces.calibration import Calibration
from vision.faces.candidates import Candidates, ScoredCandidates
from vision.faces.classifier import ASIDE, CLASSES, EMBEDDING, NOTHING, SIDE
from vision.faces.detector import Detections
from vision.faces.other_objects import DISC, is_tray, spread_of_mark
from vision.quad import Quad
from vision.reading import COLOURS, Look
from vision.unread import PlaceKinds

CALIBRATION = Calibration((), (), 0.5, 0.06, 0.96)


def face(pip):
    crop = np.full((SIDE, SIDE, 3), 220, np.uint8)
    pip(crop)
    return crop


def disc(crop):
    cv2.circle(crop, (32, 32), 6, (20, 20, 20), -1, cv2.LINE_AA)


def oblique_disc(crop):
    cv2.ellipse(crop, (32, 32), (7, 5), 30, 0, 360, (20, 20, 20), -1, cv2.LINE_AA)


def digit(text):
    return lambda crop: cv2.putText(crop, text, (20, 45), 0, 1.2, (20, 20, 20), 3, cv2.LINE_AA)


def blank(_):
    """Draw no pip."""


@pytest.mark.parametrize(
    ("mark", "least", "most"),
    [
        (disc, 1.0, 1.25),
        (oblique_disc, 1.0, 1.25),
        (blank, 1.0, 1.0),
        *((digit(text), DISC + 1e-6, np.inf) for text in "123579K"),
    ],
)
def test_a_pip_is_a_disc_and_a_digit_is_none(mark, least, most):
    assert least <= spread_of_mark(face(mark)) <= most


@pytest.mark.parametrize(
    ("radius", "side", "tray"), [(3, 700, True), (6, 700, False), (3, 200, False)]
)
def test_a_tray_with_a_thing_on_it_is_no_die_that_fills_the_picture(radius, side, tray):
    square = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float64)[None]
    place = Detections(square, np.ones(1), np.zeros((1, 7)), np.ones(1), np.zeros(1))
    crop = face(lambda drawn: cv2.circle(drawn, (32, 32), radius, (20, 20, 20), -1, cv2.LINE_AA))

    assert is_tray(place, crop[None], np.array([1]), (1200, 1000)) == [tray]


def beside_a_die(*, kind=3, right=0.9, side=40.0, at=150.0, crop=None):
    """Return a sure three with sides of 40 px, and beside it a place that may be a face."""
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float64)
    quads = np.stack([square * 40, square * side + (at, 0)])
    logits = np.zeros((2, CLASSES))
    logits[[0, 1], [3, kind]] = 9
    probs = np.full((2, 7), 0.01)
    probs[[0, 1], [3, kind if kind < NOTHING else 3]] = 0.9
    crops = np.stack([face(disc), face(disc) if crop is None else crop])
    found = Detections(quads, np.array([0.9, 0.4]), probs, np.array([0.9, 0.4]), np.zeros(2))
    raw = Candidates(
        found, logits, np.zeros((2, 12)), np.zeros((2, EMBEDDING)), crops, 1.0, (400, 400)
    )
    return ScoredCandidates(raw, probs, np.array([0.99, 0.3]), np.array([0.99, right]))


@pytest.mark.parametrize(
    "place",
    [
        *({}, {"kind": 1}, {"kind": ASIDE}, {"side": 50.0}, {"side": 28.0, "right": 0.3}),
        {"side": 45.0, "right": 0.6},
    ],
)
def test_a_place_that_may_be_a_die_is_asked_about(place):
    assert beside_a_die(**place).missed(CALIBRATION).tolist() == [False, True]


@pytest.mark.parametrize(
    "place",
    [
        pytest.param({"kind": NOTHING}, id="surely no face"),
        pytest.param({"right": 0.02}, id="no value is likely"),
        pytest.param({"right": 0.3}, id="it is large, and no value is to be read"),
        pytest.param({"side": 50.0, "right": 0.6}, id="it is large enough to be read surely"),
        pytest.param({"side": 80.0}, id="twice as large as the die"),
        pytest.param({"at": 28.0}, id="it lies on the die"),
        pytest.param({"kind": 1, "crop": face(digit("2"))}, id="its one is a digit"),
    ],
)
def test_another_thing_is_no_hint(place):
    assert not beside_a_die(**place).missed(CALIBRATION).any()


@pytest.mark.parametrize(
    ("place", "mark", "real", "beside", "numeral"),
    [
        ({"kind": 1}, digit("7"), 0.7, disc, True),
        ({"kind": 3}, digit("7"), 0.7, disc, True),
        ({"kind": 1}, oblique_disc, 0.7, disc, False),
        ({"kind": 3}, oblique_disc, 0.7, disc, False),
        ({"kind": 1}, digit("7"), 0.95, disc, False),  # glints make a pip that long too
        ({"kind": 1, "side": 40.0}, digit("7"), 0.7, disc, False),  # and what is swirled or small
        ({"kind": 1}, digit("7"), 0.7, blank, False),  # on a blurred photo no pip is round
    ],
)
def test_a_doubtful_face_without_a_round_pip_is_a_numeral(place, mark, real, beside, numeral):
    both = beside_a_die(**{"side": 50.0} | place, crop=face(mark))
    raw = replace(both.candidates, crops=np.stack([face(beside), face(mark)]))
    scored = replace(both, candidates=raw, real=np.array([0.99, real]))

    assert scored.numerals(CALIBRATION).tolist() == [False, numeral]


def scored_places(*real, look="auto", lone=()):
    """Return places, of which those from a half on are dice; *lone* ones may be half a domino."""
    n, probs = len(real), np.array(real)
    square = np.array([(0, 0), (9, 0), (9, 9), (0, 9)], np.float64)
    quads = square + 20 * np.arange(n)[:, None, None]
    found = Detections(quads, probs, np.zeros((n, 7)), probs, np.zeros(n))
    raw = SimpleNamespace(detections=found, colour_logits=np.zeros((n, len(COLOURS))))
    faces = SimpleNamespace(
        real=probs,
        confidence=probs,
        shown=lambda _: probs >= 0.5,
        missed=lambda _: probs < 0.5,
        numerals=lambda _: np.zeros(n, np.bool_),
        value_probs=lambda _: np.eye(7)[1],
        halves=False,
    )
    colours = np.full((n, len(COLOURS)), 1 / len(COLOURS))
    outlines = tuple(map(Quad.around, quads))
    return Scored(
        *(Scene(raw, "auto", lone=frozenset(lone)), Look.parse(look), CALIBRATION, faces, faces),
        *(
            colours,
            np.zeros(n, np.bool_),
            outlines,
            (False,) * n,
            np.zeros(n),
            PlaceKinds.unknown(n),
        ),
    )


@pytest.mark.parametrize(
    ("real", "look", "left"),
    [
        ((0.8, 0.4, 0.4, 0.4), "auto", 0),
        ((0.8, 0.4, 0.4, 0.4), "grid:3x3", 1),  # the board's dice may be hard to see
        ((0.95, 0.4, 0.4, 0.4), "auto", 1),  # a piece as likely is no pattern
        ((0.8, 0.4, 0.4), "auto", 1),  # they may be the sides of that die
        ((0.8, 0.07, 0.07, 0.07), "auto", 0),  # the faintest are not asked about, but count
    ],
)
def test_many_faint_places_and_no_likely_piece_are_a_pattern(real, look, left):
    scored = scored_places(*real, look=look)

    _, choice = without_pattern(scored, choose(scored))

    assert len(choice.shown) == left
    assert bool(choice.missed) == bool(left)


def test_the_faintest_places_beside_a_die_are_not_asked_about():
    scored = scored_places(0.95, 0.09, 0.2)

    assert without_pattern(scored, choose(scored))[1].missed == (2,)


@pytest.mark.parametrize(
    ("sure", "real", "missed"),
    [(True, (0.15, 0.25), (1,)), (False, (0.15, 0.25), (1, 0)), (True, (0.9, 0.15), (1,))],
)
def test_faint_places_beside_dominoes_that_are_all_sure_are_not_asked_about(sure, real, missed):
    scored = scored_places(*real, look="dominoes")
    scored = replace(scored, scene=replace(scored.scene, kind="dominoes"))
    tiles = [SimpleNamespace(sure=True), SimpleNamespace(sure=sure)]

    choice = without_faint(scored, choose(scored), tiles)

    assert choice.missed == missed  # beside half a domino a faint place may be its other half


@pytest.mark.parametrize(("shade", "value", "is_half"), [(20, 0, 0), (20, 1, 1), (170, 0, 1)])
def test_a_blank_place_that_has_the_colour_of_no_domino_is_a_gap(shade, value, is_half):
    scored = scored_places(0.9, 0.9, 0.9, look="dominoes")
    scored.scene.candidates.crops = np.full((3, SIDE, SIDE, 3), 220, np.uint8)
    scored.scene.candidates.crops[2] = shade
    scored.as_half.value_probs = lambda _: np.eye(7)[value]
    scored = replace(scored, scene=replace(scored.scene, kind="dominoes", pairs=[Pair(0, 1, 0.9)]))

    assert without_gaps(scored, choose(scored)).shown == (2,) * is_half


@pytest.mark.parametrize(("dice", "lone", "doubted"), [(7, 2, 0), (6, 2, 6), (2, 1, 2)])
def test_a_few_of_many_dice_that_touch_are_no_halves_of_dominoes(dice, lone, doubted):
    choice = choose(scored_places(*[0.99] * dice, lone=tuple(range(lone))))

    assert len(choice.lone) == doubted


@pytest.mark.parametrize(
    ("real", "look", "shown", "missed"),
    [
        ((0.4, 0.2), "auto", (), (0,)),
        ((0.4, 0.2), "dice", (), (0,)),
        ((0.4, 0.2), "grid:3x3", (), (0, 1)),  # an overlooked die looks like an empty cell
        ((0.4, 0.2, 0.9), "auto", (2,), (0, 1)),  # where one lies another may
    ],
)
def test_where_nothing_is_read_only_what_is_nearly_a_piece_is_asked_about(
    real, look, shown, missed
):
    choice = choose(scored_places(*real, look=look))

    assert (choice.shown, choice.missed) == (shown, missed)
