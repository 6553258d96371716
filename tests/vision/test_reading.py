"""What is asked of a photo and what is answered: looks as text, and other readings."""

import pytest

from tests.vision.test_geometry import SQUARE
from vision.geometry import Quad
from vision.reading import Face, Look


@pytest.mark.parametrize(
    "text",
    ["auto", "dice", "dominoes", "grid:3x3", "grid:4x2", "sheet:dice-wide-shut", "board:gords"],
)
def test_a_look_reads_back_from_its_text(text):
    assert str(Look.parse(text)) == text


@pytest.mark.parametrize(
    "text", ["", "cards", "grid", "grid:0x3", "grid:3x99", "sheet:", "board:A/b"]
)
def test_an_unknown_look_is_refused_with_the_possible_ones(text):
    with pytest.raises(ValueError, match="use auto, dice, dominoes"):
        Look.parse(text)


def test_a_look_knows_only_the_colours_of_a_reading():
    with pytest.raises(ValueError, match="mauve"):
        Look(colours=("black", "mauve"))


def test_alternatives_are_the_other_values_by_their_odds():
    quad = Quad.around(SQUARE)

    face = Face(quad, (0, 0, 0.1, 0.3, 0.6, 0, 0), (("red", 0.9),), 0.6, sure=False)

    assert face.value == 4
    assert face.alternatives == ((3, 0.3), (2, 0.1))


@pytest.mark.parametrize(
    ("colours", "words"),
    [
        ((("blue", 0.55), ("purple", 0.42), ("green", 0.03)), "blue or purple"),
        ((("white", 0.7), ("yellow", 0.25)), "white or yellow"),
        ((("red", 0.97), ("pink", 0.02)), "red"),
    ],
)
def test_a_doubtful_colour_is_said_to_be_doubtful(colours, words):
    face = Face(Quad.around(SQUARE), (0, 0, 0, 0, 1, 0, 0), colours, 0.99, sure=True)

    assert face.colour_words == words
