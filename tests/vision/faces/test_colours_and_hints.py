"""Colours in any light, and which places are worth a question."""

import json
from dataclasses import replace
from math import dist
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from scorer.games import gords as gd
from tests import FIXTURES
from tests.scorer.games.bids import CALLED, after
from vision import load, read
from vision.assemble import Scored, choose, without_pattern
from vision.dominoes.scene import Scene
from vision.faces.calibration import Calibration
from vision.faces.candidates import Candidates, ScoredCandidates
from vision.faces.classifier import ASIDE, CLASSES, EMBEDDING, NOTHING, SIDE, classify_crops
from vision.faces.detector import Detections, softmax
from vision.faces.other_objects import DISC, is_tray, spread_of_mark
from vision.faces.white_balance import (
    LAMP,
    NEUTRAL,
    RELIT,
    at_borders,
    colours_in_light,
    log_gains,
    neutral_twins,
    relit,
)
from vision.quad import Quad
from vision.reading import COLOURS, WORTH_NAMING, Look
from vision.unread import PlaceKinds
from webui.eyes import photo

WHITE, BLACK, YELLOW, RED = map(COLOURS.index, ("white", "black", "yellow", "red"))
WARM = np.log([0.43, 1.0, 1.59])  # a lamp of 3000 K beside daylight; blue, green, red
CALIBRATION = Calibration((), (), 0.5, 0.06, 0.96)


def table(colour):
    return np.full((128, 128, 3), colour, np.uint8)


@pytest.mark.parametrize("light", [WARM, WARM / 2, -WARM / 2])
def test_the_gains_take_a_lamps_light_away(light):
    grey = np.array([0.18] * 3) * np.exp(light)
    lit = table(tuple((255 * grey ** (1 / 2.2)).round().astype(int)))

    blue, green, red = np.exp(log_gains(lit) + light)

    assert (blue / green, red / green) == pytest.approx((1, 1), abs=0.12)


def test_a_green_cloth_makes_no_light_green():
    blue, green, red = log_gains(table((20, 160, 20)))

    assert (blue - green, red - green) == pytest.approx((0, 0), abs=0.02)


def test_a_bright_grey_photo_is_taken_as_it_is_and_one_without_a_usable_pixel_too():
    assert log_gains(table((205, 205, 205))) == pytest.approx(np.zeros(3), abs=0.02)
    assert np.isfinite([log_gains(table((level,) * 3)) for level in (0, 255)]).all()


def test_relit_crops_are_as_much_lighter_in_linear_light():
    crops = np.full((1, 2, 2, 3), 100, np.uint8)

    lit = relit(crops, np.log([0.5, 1.0, 2.0]))[0, 0, 0].astype(float)

    assert (lit / 100) ** 2.2 == pytest.approx([0.5, 1.0, 2.0], rel=0.02)


def by_blue(tensor):
    """Name what has as much blue as red white, what has less yellow, what has none red."""
    logits = np.zeros((len(tensor), CLASSES + len(COLOURS)), np.float32)
    share = tensor[:, 2].mean(axis=(1, 2)) / tensor[:, 0].mean(axis=(1, 2))
    logits[:, CLASSES + WHITE] = 10 * (share - 0.8)
    logits[:, CLASSES + YELLOW] = 10 * (0.8 - share)
    logits[:, CLASSES + RED] = np.where(share < 0.1, 50, 0)
    return logits, np.zeros((len(tensor), EMBEDDING), np.float32)


@pytest.mark.parametrize(
    ("body", "colour"),
    [
        ((215, 215, 215), WHITE),
        ((140, 215, 230), WHITE),
        ((60, 215, 230), YELLOW),
        ((5, 5, 230), RED),
    ],
)
def test_a_white_die_under_a_lamp_is_white_and_a_yellow_one_yellow(body, colour):
    crops = np.full((1, SIDE, SIDE, 3), body, np.uint8)
    colours = classify_crops(crops, by_blue)[1]

    probs = colours_in_light(crops, colours, np.zeros(3), by_blue)

    assert probs.argmax() == colour


def test_what_is_plainly_red_is_looked_at_once():
    crops = np.full((1, SIDE, SIDE, 3), (5, 5, 230), np.uint8)
    colours = classify_crops(crops, by_blue)[1]

    probs = colours_in_light(crops, colours, np.zeros(3), lambda _: 1 / 0)

    assert np.exp(probs) == pytest.approx(softmax(colours), abs=1e-5)
    assert LAMP[0] > 0 > LAMP[2]


def test_a_colour_that_the_lamp_may_have_made_of_another_is_likely_too():
    def surely(tensor):
        logits, embeddings = by_blue(tensor)
        return 5 * logits, embeddings

    crops = np.full((1, SIDE, SIDE, 3), (100, 215, 230), np.uint8)
    colours = classify_crops(crops, surely)[1]  # yellow as it is, white in neutral light

    probs = np.exp(colours_in_light(crops, colours, np.log([2.5, 1.0, 0.4]), surely))

    assert probs[0, [WHITE, YELLOW]] == pytest.approx([RELIT, 1 - RELIT], abs=0.05)
    assert 1 - RELIT > WORTH_NAMING


def pipped(body, pips):
    crop = np.full((1, SIDE, SIDE, 3), body, np.uint8)
    for x, y in ((22, 22), (42, 22), (22, 42), (42, 42)):
        cv2.circle(crop[0], (x, y), 4, pips, -1)
    return crop


@pytest.mark.parametrize(
    ("body", "pips", "twins"),
    [
        pytest.param((136, 92, 56), (226, 209, 180), [BLACK], id="a window on glossy black"),
        pytest.param((230, 190, 150), (60, 40, 30), [WHITE], id="white in its shade"),
        pytest.param((252, 252, 228), (160, 140, 130), [BLACK, WHITE], id="a lamp's glare"),
        pytest.param((180, 60, 10), (230, 230, 230), [], id="plainly blue"),
        pytest.param((200, 90, 90), (230, 230, 230), [], id="violet, as no light is"),
        pytest.param((120, 120, 120), (230, 230, 230), [], id="in the photo's own light"),
    ],
)
def test_a_blue_that_may_be_the_sky_on_black_or_white(body, pips, twins):
    may_be = neutral_twins(pipped(body, pips), np.zeros(3))[0]

    assert np.array(NEUTRAL)[may_be].tolist() == twins


@pytest.mark.parametrize(
    ("named", "hue", "saturation", "too"),
    [
        ("yellow", 20, 160, ["orange"]),
        ("yellow", 26, 160, []),
        ("blue", 122, 160, ["purple"]),
        ("blue", 94, 160, ["green"]),
        ("blue", 110, 160, []),
        ("blue", 122, 30, []),
        ("purple", 136, 160, []),
    ],
)
def test_a_hue_between_two_colours_may_be_either(named, hue, saturation, too):
    body = cv2.cvtColor(np.array([[(hue, saturation, 200)]], np.uint8), cv2.COLOR_HSV2BGR)[0, 0]
    crops = np.full((1, SIDE, SIDE, 3), body, np.uint8)

    may = at_borders(crops, np.array([COLOURS.index(named)]))[0]

    assert [COLOURS[i] for i in np.flatnonzero(may)] == too


def test_of_a_purple_die_that_looks_blue_both_are_named():
    truth = json.loads((FIXTURES / "rendered" / "table-001011.json").read_text())
    purple = [np.mean(die["quad"], axis=0) for die in truth["dice"] if die["color"] == "purple"]

    dice = read(load(FIXTURES / "rendered" / "table-001011.jpg")).dice

    named = [min(dice, key=lambda die: dist(die.center, at)).colour_words for at in purple]
    assert len(named) > 1
    assert all("purple" in words for words in named)


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


REVEAL = FIXTURES / "photos" / "reveal-000002.jpg"


def test_no_die_of_a_reveal_is_told_in_a_wrong_colour_without_a_question():
    """Another renderer's: by themselves four yellow dice look white, five grey ones too."""
    truth = json.loads(REVEAL.with_suffix(".json").read_text())
    called = after(*CALLED, dice=(5,) * 5, colours=truth["colours"])

    sight = photo.see(REVEAL.read_bytes(), gd.ONE.equipment(called))

    colours = [(die.colour, _true_colour(truth, die.center), die.sure) for die in sight.source.dice]
    asked = {doubt.piece for doubt in sight.doubts}
    assert len(colours) == 25
    assert sum(read == true for read, true, _ in colours) >= 23
    assert all(
        read == true or (not sure and ("dice", place) in asked)
        for place, (read, true, sure) in enumerate(colours)
    )


def _true_colour(truth, at):
    return min(truth["dice"], key=lambda die: dist(die["center"], at))["color"]


@pytest.mark.parametrize(
    ("kind", "shown", "missed"),
    [
        ("auto", (), (0,)),
        ("dice", (), (0,)),
        ("grid", (), (0, 1)),  # a die that was overlooked looks like an empty cell
        ("auto", (2,), (0, 1)),  # where one lies another may
    ],
)
def test_where_nothing_is_read_only_what_is_nearly_a_piece_is_asked_about(kind, shown, missed):
    places = SimpleNamespace(
        real=np.array([0.4, 0.2, 0.9]),
        shown=lambda _: np.isin(range(3), shown),
        missed=lambda _: np.array([True, True, False]),
        numerals=lambda _: np.zeros(3, np.bool_),
        halves=False,
    )
    scene = SimpleNamespace(pairs=(), kind="dice", lone=frozenset(), ambiguous=frozenset())
    scored = SimpleNamespace(
        scene=scene,
        look=SimpleNamespace(kind=kind),
        kinds=PlaceKinds.unknown(3),
        calibration=None,
        as_die=places,
        quads=range(3),
        cut=(False,) * 3,
    )

    choice = choose(scored)

    assert (choice.shown, choice.missed) == (shown, missed)


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


@pytest.mark.parametrize(("dice", "lone", "doubted"), [(7, 2, 0), (6, 2, 6), (2, 1, 2)])
def test_a_few_of_many_dice_that_touch_are_no_halves_of_dominoes(dice, lone, doubted):
    choice = choose(scored_places(*[0.99] * dice, lone=tuple(range(lone))))

    assert len(choice.lone) == doubted
