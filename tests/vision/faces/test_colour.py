"""Which colour a die has, of those the game knows."""

import numpy as np
import pytest

from vision.faces.colour import colour_probs
from vision.reading import COLOURS


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
