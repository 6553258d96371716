"""How well faces are read by elevation, cut-off and colour is counted rightly."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from models.dataset.annotation import AnnotatedFace, AnnotatedImage, Dataset
from models.dataset.folders import drawn_images
from models.measure.__main__ import main as measured_by
from models.measure.photos import report
from models.measure.photos.compare import FaceOutcome, outcomes_on
from models.measure.photos.report import CUTS, STRATA, by_cutoff, by_elevation, named
from tests import FIXTURES
from vision import Face, Look
from vision.geometry import Quad


@pytest.fixture(scope="module")
def board():
    """Return one rendered board, on which every die is found and read rightly."""
    return Dataset("board", Look("dice"), tuple(drawn_images(FIXTURES / "boards")[:1]), True)


def quad(x, y, side=20):
    return np.array([(x, y), (x + side, y), (x + side, y + side), (x, y + side)], float)


def read_as(value, corners, colours=(("red", 1.0),), sure=True):
    probs = tuple(float(k == value) for k in range(7))
    return Face(Quad.around(corners), probs, colours, 1.0, sure)


def cells(text):
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines()[2:]]


def test_each_face_is_found_read_and_placed_or_not():
    dice = tuple(AnnotatedFace(quad(x, 0), 3) for x in (0, 100, 200))
    image = AnnotatedImage(Path("a.jpg"), dice)
    faces = [read_as(3, quad(0, 0)), read_as(5, quad(104, 0), sure=False)]

    right, wrong, missed = outcomes_on(image, faces, (1.0, 2.0, 3.0))

    assert (right.found, right.right, right.sure, right.offset) == (True, True, True, 0)
    assert right.iou == pytest.approx(1)
    assert (wrong.right, wrong.is_sure_and_wrong, wrong.offset) == (False, False, 0.2)
    assert wrong.iou == pytest.approx(16 / 24)
    assert missed == FaceOutcome(3.0, found=False)


def test_on_a_photo_a_box_tells_nothing_of_where_a_face_lies():
    image = AnnotatedImage(Path("a.jpg"), (AnnotatedFace(quad(0, 0), 3),), is_photo=True)

    (outcome,) = outcomes_on(image, [read_as(3, quad(2, 0))], (1.0,))

    assert (outcome.right, outcome.offset, outcome.iou) == (True, None, None)


def test_every_face_large_enough_counts_by_its_elevation(board, monkeypatch):
    (outcomes,) = by_elevation([board]).values()

    assert len(outcomes) == len(board.images[0].faces)
    assert all(30 < one.key <= 90 and one.right for one in outcomes)
    monkeypatch.setattr(report, "LEAST_SIDE", 1000)
    assert by_elevation([board]) == {"degrees above the table": []}


@pytest.mark.release
def test_every_sure_face_is_cut_off_by_so_much(board, monkeypatch):
    monkeypatch.setattr(report, "CUTS", CUTS[::3])

    (outcomes,) = by_cutoff([board]).values()

    assert 0 < len(outcomes) <= len(board.images[0].faces) * len(CUTS[::3])
    assert all(0.1 < one.key < 1 for one in outcomes)
    found = [one for one in outcomes if one.found]
    assert len(found) > 0.8 * len(outcomes)  # most are found again
    assert sum(one.right for one in found) > 0.8 * len(found)


@pytest.mark.parametrize(
    ("palette", "found"),
    [((), [("red", True), ("white", False)]), (("red", "blue"), [("red", True)]), (("blue",), [])],
)
def test_of_a_game_s_colours_only_its_own_dice_are_counted(palette, found):
    dice = (AnnotatedFace(quad(0, 0), 3, "red"), AnnotatedFace(quad(100, 0), 3, "white"))
    yellowish = read_as(3, quad(100, 0), (("yellow", 0.7), ("white", 0.3)))

    outcomes = list(
        named(AnnotatedImage(Path("a.jpg"), dice), [yellowish, read_as(3, quad(0, 0))], palette)
    )

    assert [(one.key, one.colour_right) for one in outcomes] == found
    assert [one.colour_doubtful for one in outcomes] == [not right for _, right in found]


SOME = FaceOutcome(12.0, found=True, right=True, sure=True, offset=0.1, iou=0.8, colour_right=True)
WRONG = replace(SOME, right=False, offset=0.3, iou=0.6, colour_right=False)


@pytest.mark.parametrize(
    ("by", "outcomes", "rows"),
    [
        (
            "elevation",
            [FaceOutcome(12, found=False), replace(SOME, key=22), replace(WRONG, key=24.9)],
            [
                ["10 – 15", "1", "0.00 %", "–", "0", "0", "–", "–", "–"],
                ["20 – 25", "2", "100.00 %", "50.00 %", "2", "1", "0.200", "0.290", "0.700"],
            ],
        ),
        (
            "cutoff",
            [FaceOutcome(-1, found=False), replace(SOME, key=0.45), replace(SOME, key=0.9)],
            [
                ["0% – 40%", "1", "0.00 %", "–", "0", "0", "–", "–", "–"],
                ["40% – 50%", "1", "100.00 %", "100.00 %", "1", "0", "0.100", "0.100", "0.800"],
                ["80% – 100%", "1", "100.00 %", "100.00 %", "1", "0", "0.100", "0.100", "0.800"],
            ],
        ),
        (
            "colour",
            [replace(SOME, key="red"), replace(WRONG, key="red"), replace(SOME, key="blue")],
            [
                ["red", "2", "50.00 %", "0.00 %", "50.00 %", "0.00 %"],
                ["blue", "1", "100.00 %", "0.00 %", "0.00 %", "0.00 %"],
            ],
        ),
    ],
)
def test_a_table_has_a_line_a_stratum_and_none_for_an_empty_one(by, outcomes, rows, monkeypatch):
    monkeypatch.setitem(STRATA, by, replace(STRATA[by], outcomes=lambda _: {by: outcomes}))

    assert cells(report.stratified([], by)) == rows


@pytest.mark.parametrize(
    ("by", "sentence"),
    [
        ("elevation", "known of drawn pictures alone"),
        ("colour", "No die there has a labelled colour"),
    ],
)
def test_where_there_is_nothing_to_sort_by_that_is_said(by, sentence, tmp_path, capsys):
    (tmp_path / "labels.json").write_text('{"images": []}')

    assert measured_by(["accuracy", str(tmp_path), "--by", by]) == 2
    assert sentence in capsys.readouterr().err
