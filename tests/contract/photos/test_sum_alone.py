"""A sum of one photo: what it counts pieces as, and of which colour."""

from __future__ import annotations

import json

from scorer import Die, Table
from tests import FIXTURES
from tests.contract.photos.test_score import told
from webui import cli

FULL_SET = FIXTURES / "full-set" / "full-set.jpg"


def test_a_whole_set_of_dominoes_is_summed_as_tiles(capsys):
    assert cli.main(["score", "sum", "--json", str(FULL_SET)]) == 0

    answer = json.loads(capsys.readouterr().out)
    assert (answer["sum"], len(answer["pieces"])) == (168, 28)


def test_each_die_whose_second_colour_is_the_one_that_counts_is_asked_about():
    """Red dice under a lamp look orange."""
    lamp = tuple(Die(6, "orange", None, 0.97, (), (("red", 0.025),)) for _ in range(3))
    table = Table((Die(5, "red"), *lamp, Die(4, "blue", None, 0.97, (), (("green", 0.025),))))

    scored = told("sum", table, colour="red")

    assert scored.score == (5,)
    assert [doubt.piece for doubt in scored.doubts] == [("dice", 1), ("dice", 2), ("dice", 3)]
