"""A step is told in one line, also where it put many moves down."""

import pytest

from webui.match.summary import gains, summary

PLACED = {"Place": "dice placed", "Roll": "rolls"}


def moves(*kinds):
    return [{"move": kind} for kind in kinds]


@pytest.mark.parametrize(
    ("kinds", "by_photo", "said"),
    [
        (["Agree"], False, "m1"),
        (["Roll", "Roll"], True, "m1; m2"),  # short enough to be told as they are
        (["Place"] * 9, False, "9 dice placed"),
        (["Place"] * 9, True, "9 dice placed, read from a photo"),
        (["Agree", "Place", "Place"], True, "m1; 2 dice placed, read from a photo"),
        (["Lay"] * 3, False, "3 moves"),  # of a game without words for it, or that is gone
        ([], False, "m1"),  # a step taken back has a sentence and no moves
    ],
)
def test_many_moves_of_a_kind_are_counted(kinds, by_photo, said):
    text = [f"m{number}" for number in range(1, max(len(kinds), 1) + 1)]

    assert summary(text, moves(*kinds), PLACED, from_photo=by_photo) == said


def test_gains_are_what_the_score_changed_by():
    assert gains((3, -50), (8, -42)) == [5, 8]
