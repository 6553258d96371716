"""Colours in any light, and of those that a game has."""

import json
from math import dist

import cv2
import numpy as np
import pytest

from scorer.games import gords as gd
from tests import FIXTURES
from tests.scorer.games.bids import CALLED, after
from vision import load, read
from vision.faces.classifier import CLASSES, EMBEDDING, SIDE, classify_crops
from vision.faces.colour import colour_probs
from vision.faces.detector import softmax
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
from vision.reading import COLOURS, WORTH_NAMING
from webui.eyes import photo

WHITE, BLACK, YELLOW, RED = map(COLOURS.index, ("white", "black", "yellow", "red"))
WARM = np.log([0.43, 1.0, 1.59])  # a lamp of 3000 K beside daylight; blue, green, red


def table(colour):
    return np.full((128, 128, 3), colour, np.uint8)


@pytest.mark.parametrize("light", [WARM, WARM / 2, -WARM / 2])
def test_the_gains_take_a_lamps_light_away(light):
    grey = np.array([0.18] * 3) * np.exp(light)
    lit = table(tuple((255 * grey ** (1 / 2.2)).round().astype(int)))

    blue, green, red = np.exp(log_gains(lit) + light)

    assert (blue / green, red / green) == pytest.approx((1, 1), abs=0.12)


def test_grey_and_a_green_cloth_are_taken_as_they_are_and_a_photo_without_a_usable_pixel_too():
    blue, green, red = log_gains(table((20, 160, 20)))

    assert (blue - green, red - green) == pytest.approx((0, 0), abs=0.02)
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
    ("shares", "palette", "named", "foreign"),
    [
        ({"blue": 0.6, "purple": 0.4}, (), "blue", False),
        ({"blue": 0.6, "purple": 0.3, "red": 0.1}, ("red", "purple"), "purple", False),
        ({"yellow": 0.9, "white": 0.1}, ("black", "white"), "white", False),  # a lamp's work
        ({"grey": 0.9, "black": 0.1}, ("black", "white"), "black", False),
        ({"red": 0.97}, ("black", "white"), "red", True),
    ],
)
def test_a_colour_is_the_likeliest_that_the_game_has_unless_it_is_plainly_foreign(
    shares, palette, named, foreign
):
    logits = np.log([[shares.get(name, 1e-4) for name in COLOURS]])

    probs, is_foreign = colour_probs(logits, palette)

    ruled_out = [name not in palette for name in COLOURS] if palette and not foreign else []
    assert is_foreign.tolist() == [foreign]
    assert COLOURS[probs[0].argmax()] == named
    assert probs.sum() == pytest.approx(1)
    assert not probs[0][np.flatnonzero(ruled_out)].any()
