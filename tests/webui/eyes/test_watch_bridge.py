"""What is asked about a roll on a board: what its frames and the picture kept of it say."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from scorer.game import Equipment
from vision.geometry import Quad
from vision.reading import Face, Reading
from vision.watch.evidence import Piece
from vision.watch.state import SettledRoll
from webui.eyes import watch
from webui.eyes.watch import FAINT, UNLIKE, reading_of_roll

SQUARE = Quad(((10, 10), (30, 10), (30, 30), (10, 30)))
FOUR = Face(
    SQUARE, (0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0), (("white", 1.0),), 0.99, True, ("place", 3)
)
THREE = replace(FOUR, probs=(0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0))
BOARD = Equipment("board:gords", colours={"white": 1})


@pytest.mark.parametrize(
    ("frames", "sure", "asked"),
    [
        (FOUR, True, ()),
        (replace(FOUR, sure=False), False, ()),  # quick looks alone doubted it
        (FOUR, False, (FAINT,)),  # something else came and went
        (THREE, True, (UNLIKE,)),
    ],
)
def test_the_picture_kept_of_a_roll_clears_what_its_frames_only_doubted(
    frames, sure, asked, monkeypatch
):
    sight = SimpleNamespace(source=Reading(100, 100, dice=(FOUR,)), jpeg=b"")
    monkeypatch.setattr(watch, "see", lambda *_args, **_named: sight)
    roll = SettledRoll(7, 1.0, (Piece(SQUARE, (frames,)),), sure)

    reading = reading_of_roll(b"", roll, BOARD)

    assert [str(doubt.sentence) for doubt in reading.doubts] == [str(text) for text in asked]


@pytest.mark.parametrize(("colours", "asked"), [({"blue": 5, "black": 5}, 1), ({}, 0)])
def test_a_die_in_which_frames_see_two_of_the_games_colours_is_asked_about(
    colours, asked, monkeypatch
):
    unclear = replace(FOUR, cell=None, colours=(("black", 0.6), ("blue", 0.4)))
    sight = SimpleNamespace(source=Reading(100, 100, dice=(replace(FOUR, cell=None),)), jpeg=b"")
    monkeypatch.setattr(watch, "see", lambda *_args, **_named: sight)
    roll = SettledRoll(7, 1.0, (Piece(SQUARE, (unclear,)),), sure=True)

    reading = reading_of_roll(b"", roll, Equipment(colours=colours))

    assert len(reading.doubts) == asked
