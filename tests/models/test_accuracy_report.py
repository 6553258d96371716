"""The report of accuracy: sets that are chosen, tables, worst photos, faces by what they are."""

import json
import re
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.dataset.annotation import AnnotatedFace, AnnotatedImage, Dataset
from models.dataset.folders import datasets_under, drawn_images, is_held_back
from models.measure.__main__ import main as measured_by
from models.measure.photos import report, summary
from models.measure.photos.compare import RIGHT as GREEN
from models.measure.photos.compare import WRONG as RED
from models.measure.photos.compare import FaceOutcome, judge, outcomes_on, side_by_side
from models.measure.photos.report import STRATA, by_elevation, named
from models.measure.photos.summary import Measured
from tests import FIXTURES
from tests.models.verdicts import FIVE, TILE, TWO, die, reading, tile, with_dice, with_tiles
from tests.vision.fake_eyes import face_read_as
from vision import Look, Photo

# Sets


@pytest.fixture
def folder(tmp_path):
    """Return a folder of two sets: training photos, of which few are held back, and a drawn one."""
    names = [f"{k}.png" for k in range(20)]
    photos = tmp_path / "train" / "dice-none"
    (photos / "images").mkdir(parents=True)
    blank = np.full((384, 384, 3), 128, np.uint8)
    for name in names:
        cv2.imwrite(str(photos / "images" / name), blank)
    images = [{"file": name, "dice": []} for name in names]
    first = next(image for image in images if is_held_back(image["file"]))
    first["dice"] = [{"box": [20, 20, 60, 60], "value": 3}]
    (photos / "labels.json").write_text(json.dumps({"images": images}))
    made = tmp_path / "train" / "rendered"
    made.mkdir()
    cv2.imwrite(str(made / "a.png"), blank)
    (made / "a.json").write_text(json.dumps({"file": "a.png", "dice": [], "tiles": []}))
    (made / "order.json").write_text("[]")
    return tmp_path / "train"


def test_of_training_photos_only_those_held_back_are_read(folder):
    photos, rendered = datasets_under(folder)
    everything = next(datasets_under(folder / "dice-none", all_photos=True))

    kept = [picture.path.name for picture in photos.images]
    assert 0 < len(kept) < 20
    assert all(is_held_back(name) for name in kept)
    assert len(everything.images) == 20
    assert (rendered.synthetic, len(rendered.images)) == (True, 1)


@pytest.mark.parametrize(
    ("images", "look"),
    [
        ([{"file": "a", "dice": [FIVE]}, {"file": "b", "dice": []}], "dice"),
        ([{"file": "a", "tiles": []}, {"file": "b", "tiles": [TILE]}], "dominoes"),
    ],
)
def test_a_set_is_looked_at_for_what_is_labelled(tmp_path, images, look):
    (tmp_path / "labels.json").write_text(json.dumps({"images": images}))

    (found,) = datasets_under(tmp_path)

    assert found.look == Look.parse(look)


# The report


def measured(name, look, *verdicts, synthetic=False):
    label = with_dice(FIVE) if look == "dice" else with_tiles(TILE)
    pictures = (label,) * len(verdicts)
    return Measured(Dataset(name, Look.parse(look), pictures, synthetic), verdicts)


RIGHT = judge(with_dice(FIVE), reading(die(150, 150, 5)))
DOUBTED = judge(with_dice(FIVE), reading(die(150, 150, 5, confidence=0.7, sure=False)))
SILENT = judge(with_dice(FIVE), reading(die(150, 150, 6, confidence=0.97)))
MISSED = judge(with_dice(FIVE), reading(warnings=("too dark",)))


def test_a_row_counts_photos_and_pieces():
    line = summary.row("a", [RIGHT, DOUBTED, SILENT, MISSED])

    assert (line.photos, line.pieces, line.found, line.value) == (4, 4, 3, 2)
    assert (line.whole, line.asked, line.silent, line.right_but_asked) == (2, 2, 1, 1)
    assert line.cells()[3] == "75.00 %"


def test_dice_dominoes_and_drawn_pictures_are_summed_apart():
    lines = summary.rows(
        [
            measured("dice-a", "dice", RIGHT),
            measured("dice-b", "dice", SILENT),
            measured("domino-a", "dominoes", MISSED),
            measured("domino-b", "dominoes", MISSED),
            measured("drawn", "dice", RIGHT, synthetic=True),
        ]
    )

    assert [(line.name, line.photos) for line in lines[4:]] == [
        ("drawn (synthetic)", 1),
        ("all dice", 2),
        ("all dominoes", 2),
    ]


def test_a_table_has_a_cell_under_each_head():
    table = summary.as_table(summary.rows([measured("a", "dice"), measured("b", "dice", RIGHT)]))

    lines = table.splitlines()
    assert len({line.count("|") for line in lines}) == 1
    assert {len(line) for line in lines} == {len(lines[0])}


def test_reliability_sets_confidence_beside_the_share_right():
    low, high = summary.reliability([DOUBTED, SILENT, RIGHT, MISSED])[:2]

    assert (low.pieces, low.right, low.sure) == (1, 1, 0)
    assert (high.low, high.high, high.sure_and_wrong) == (0.95, 0.98, 1)


def test_silent_photos_come_first_among_the_worst():
    two = judge(with_dice(FIVE, TWO), reading(warnings=("too dark",)))

    lines = summary.worst([measured("a", "dice", RIGHT, MISSED, two, SILENT)])

    assert [line.split(": ")[1] for line in lines] == [
        "5 read as 6 at 150,150",
        "missed 5 at 150,150; missed 2 at 350,150",
        "missed 5 at 150,150",
    ]
    assert "`a/a.jpg` **SILENT**" in lines[0]
    assert len(summary.worst([measured("a", "dice", MISSED, SILENT)], 1)) == 1


# The command


@pytest.mark.release
def test_the_command_prints_the_report_and_draws_what_is_wrong(folder, tmp_path, capfd):
    assert measured_by(["accuracy", str(folder), "--overlay", str(tmp_path / "seen")]) == 0

    out = capfd.readouterr().out
    assert "| dice-none " in out
    assert "| rendered (synthetic) |" in out
    (name,) = re.findall(r"`dice-none/(.*)`: missed 3 at 40,40", out.replace(" **SILENT**", ""))
    assert cv2.imread(str(tmp_path / "seen" / "dice-none" / f"{name}.jpg")).shape == (384, 768, 3)


def test_sets_are_chosen_by_name(folder, capfd):
    measured_by(["accuracy", str(folder), "--sets", "rend*"])

    assert "dice-none" not in capfd.readouterr().out


def test_nothing_to_measure_is_wrong_usage(tmp_path, capfd):
    assert measured_by(["accuracy", str(tmp_path)]) == 2
    assert "labels.json" in capfd.readouterr().err


def test_the_overlay_shows_truth_beside_reading_and_what_was_missed_in_red():
    label = replace(with_dice(FIVE, TWO | {"ignore": True}), tiles=with_tiles(TILE).tiles)
    shown = Photo(np.zeros((480, 640, 3), np.uint8), 640, 480)
    read = reading(die(150, 150, 6), tile((100, 100, 6), (200, 100, 1)))

    both = side_by_side(shown, judge(label, read), read)

    assert both.shape == (480, 1280, 3)
    green, red = (np.argwhere((both[:, :640] == colour).all(axis=2)) for colour in (GREEN, RED))
    assert np.abs(green.mean(axis=0) - (90, 175)).max() < 30  # of the tile, right of its middle
    assert np.abs(red.mean(axis=0) - (140, 160)).max() < 30
    assert both[:, 640:].any()


@pytest.fixture(scope="module")
def board():
    """Return one rendered board, on which every die is found and read rightly."""
    return Dataset("board", Look("dice"), tuple(drawn_images(FIXTURES / "boards")[:1]), True)


def quad(x, y, side=20):
    return np.array([(x, y), (x + side, y), (x + side, y + side), (x, y + side)], float)


def cells(text):
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines()[2:]]


def test_each_face_is_found_read_and_placed_or_not():
    dice = tuple(AnnotatedFace(quad(x, 0), 3) for x in (0, 100, 200))
    image = AnnotatedImage(Path("a.jpg"), dice)
    faces = [face_read_as(3, quad(0, 0), "red"), face_read_as(5, quad(104, 0), "red", sure=False)]

    right, wrong, missed = outcomes_on(image, faces, (1.0, 2.0, 3.0))

    assert (right.found, right.right, right.sure, right.offset) == (True, True, True, 0)
    assert right.iou == pytest.approx(1)
    assert (wrong.right, wrong.is_sure_and_wrong, wrong.offset) == (False, False, 0.2)
    assert wrong.iou == pytest.approx(16 / 24)
    assert missed == FaceOutcome(3.0, found=False)


def test_on_a_photo_a_box_tells_nothing_of_where_a_face_lies():
    image = AnnotatedImage(Path("a.jpg"), (AnnotatedFace(quad(0, 0), 3),), is_photo=True)

    (outcome,) = outcomes_on(image, [face_read_as(3, quad(2, 0), "red")], (1.0,))

    assert (outcome.right, outcome.offset, outcome.iou) == (True, None, None)


def test_every_face_large_enough_counts_by_its_elevation(board, monkeypatch):
    (outcomes,) = by_elevation([board]).values()

    assert len(outcomes) == len(board.images[0].faces)
    assert all(30 < one.key <= 90 and one.right for one in outcomes)
    monkeypatch.setattr(report, "LEAST_SIDE", 1000)
    assert by_elevation([board]) == {"degrees above the table": []}


@pytest.mark.parametrize(
    ("palette", "found"),
    [((), [("red", True), ("white", False)]), (("red", "blue"), [("red", True)]), (("blue",), [])],
)
def test_of_a_game_s_colours_only_its_own_dice_are_counted(palette, found):
    dice = (AnnotatedFace(quad(0, 0), 3, "red"), AnnotatedFace(quad(100, 0), 3, "white"))
    yellowish = replace(face_read_as(3, quad(100, 0)), colours=(("yellow", 0.7), ("white", 0.3)))
    faces = [yellowish, face_read_as(3, quad(0, 0), "red")]

    outcomes = list(named(AnnotatedImage(Path("a.jpg"), dice), faces, palette))

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
