"""A die that the camera misses is no reason to give another one a wrong colour."""

from __future__ import annotations

import pytest

from scorer import Die, Table
from tests.conftest import BOARD, COLOURS
from tests.webui.follow_photos import follower

OTHER = {"black": "white", "white": "black"}


def seen(number, missed):
    """Return the first dice of a grid that is filled in turn, surely of their colours, but one."""
    dice = []
    for at, (letter, pips) in enumerate(BOARD[:number]):
        name = COLOURS[letter]
        dice.append(Die(int(pips), name, divmod(at, 3), 0.99, (), ((OTHER[name], 0.004),)))
    return Table(tuple(die for at, die in enumerate(dice) if at != missed))


def agree(asked):
    """Answer as a person who believes what is proposed."""
    return asked.step if asked.step.settled else None


@pytest.mark.parametrize("missed", [1, 3])
def test_a_missed_die_does_not_stop_a_followed_round(missed, fakes):
    match = follower("purple_house", fakes, agree)
    twice = (missed + 1, missed + 2)  # photos on which it is not seen

    shown = [
        match.take(fakes.photo(f"{n}.jpg", seen(n, missed if n in twice else None)))
        for n in range(1, 10)
    ]

    assert shown[twice[1] - 1].differences == ("a white die was probably missed: show all dice",)
    assert [one.left for one in shown].count(True) == 1
    assert len([move for move in match.moves if type(move).__name__ == "Place"]) == 9
