"""Sheets with things on them, as they are drawn and counted."""

import inspect
from dataclasses import replace

import numpy as np
import pytest

from models.measure.marks import marks
from models.measure.marks import things as measure
from models.sheets import things
from scorer.games.dice_wide_shut.photo.marks import printed
from scorer.games.dice_wide_shut.state import Sheet
from tests.grids import few
from vision.reading import MarkReading, Reading

PAPER = (210.0, 297.0)
CLEAR = ("nothing", "shadow", "crease", "ring", "rain", "hair")


@pytest.mark.parametrize("kind", few([*things.CHOSEN, *things.HELD_BACK], 2))
def test_a_thing_hides_what_is_below_it_and_only_that(kind):
    thing = things.draw_thing(np.random.default_rng(5), kind, PAPER)

    assert (thing.hides.max() > 0.9) == (kind not in (*CLEAR, "glass"))
    assert thing.through[thing.hides > 0.9].max(initial=0) < 0.11
    assert (thing.through.min() < 1) == (kind != "nothing")


def read_as(monkeypatch, **changed):
    """Count an empty sheet whose cells are read as *changed* instead."""
    truth = printed(Sheet())
    read = [MarkReading(one.cell, "blank", 0.999, True) for one in truth]
    read[0] = replace(read[0], **changed)
    reading = Reading(1500, 2000, marks=tuple(read))
    monkeypatch.setattr(measure, "read_sheet", lambda _content: reading)
    return measure.counted(measure.SheetCase(b"", truth))


def test_a_sheet_counts_as_right_asked_or_silently_wrong(monkeypatch):
    assert read_as(monkeypatch) == measure.SheetCount(1, right=1)
    assert read_as(monkeypatch, mark="checked") == measure.SheetCount(1, wrong=1, silent=1, sure=1)
    doubtful = {"confidence": 0.6, "sure": False, "alternatives": (("checked", 0.4),)}
    assert read_as(monkeypatch, **doubtful) == measure.SheetCount(1, asked=1, questions=1)
    unseen = {"confidence": 0.5, "sure": False, "alternatives": (("checked", 0.5),)}
    assert read_as(monkeypatch, **unseen) == measure.SheetCount(1, again=1)


def test_a_sheet_with_many_doubts_is_to_be_photographed_again(monkeypatch):
    truth = printed(Sheet())
    doubtful = {"confidence": 0.6, "sure": False, "alternatives": (("checked", 0.4),)}
    read = tuple(MarkReading(one.cell, "blank", **doubtful) for one in truth)
    monkeypatch.setattr(measure, "read_sheet", lambda _content: Reading(1500, 2000, marks=read))

    assert measure.counted(measure.SheetCase(b"", truth)) == measure.SheetCount(1, again=1)


def test_a_persons_answer_counts(monkeypatch):
    doubtful = {"mark": "checked", "confidence": 0.6, "sure": False}

    count = read_as(monkeypatch, **doubtful, alternatives=(("blank", 0.4),))

    assert count == measure.SheetCount(1, asked=1, questions=1)


def test_the_photos_to_test_on_are_read_only_if_they_are_named():
    assert inspect.signature(marks.main).parameters["photos"].default is None
