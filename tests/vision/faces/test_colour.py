"""Which colour a die has, of those the game knows."""

import numpy as np
import pytest

from vision.faces.colour import colour_probs
from vision.reading import COLOURS


def scores_of(**shares):
    """Return logits, (1, 12), of which the softmax gives these shares, the others little."""
    return np.log([[shares.get(name, 1e-4) for name in COLOURS]])


def test_without_a_palette_the_likeliest_colour_wins():
    probs, foreign = colour_probs(scores_of(blue=0.6, purple=0.4), ())

    assert COLOURS[probs[0].argmax()] == "blue"
    assert probs.sum() == pytest.approx(1)
    assert not foreign.any()


def test_a_colour_the_game_has_not_is_ruled_out():
    probs, foreign = colour_probs(scores_of(blue=0.6, purple=0.3, red=0.1), ("red", "purple"))

    assert COLOURS[probs[0].argmax()] == "purple"
    assert probs[0, COLOURS.index("blue")] == 0
    assert not foreign.any()


@pytest.mark.parametrize(("by_eye", "named"), [("yellow", "white"), ("grey", "black")])
def test_what_a_lamp_makes_of_a_body_is_not_foreign(by_eye, named):
    shares = {by_eye: 0.9, named: 0.1}

    probs, foreign = colour_probs(scores_of(**shares), ("black", "white"))

    assert COLOURS[probs[0].argmax()] == named
    assert not foreign.any()


def test_a_red_die_among_black_and_white_ones_is_foreign_and_stays_red():
    probs, foreign = colour_probs(scores_of(red=0.97), ("black", "white"))

    assert foreign.all()
    assert COLOURS[probs[0].argmax()] == "red"
