"""What counts as right, wrong, too much and silent when readings are measured."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from models.dataset.annotation import AnnotatedImage, Dataset
from models.dataset.folders import datasets_under, is_held_back
from models.dataset.parse import parse_drawn, parse_photo
from models.measure.photos import report, summary, teach
from models.measure.photos.compare import Verdict, judge
from models.measure.photos.overlays import as_reading, side_by_side
from models.measure.photos.summary import Measured
from models.measure.speed.bench import percentile
from models.measure.speed.timing import enlarged
from vision import Face, Look, Photo, Reading, TileReading
from vision.geometry import Quad
from vision.reading import BoardReading

PATH = Path("a.jpg")
FIVE = {"box": [100, 100, 200, 200], "value": 5, "color": "red"}
TWO = {"box": [300, 100, 400, 200], "value": 2, "color": "white"}
TILE = {"halves": [6, 1], "half_centers": [[100, 100], [200, 100]]}


def square(x: float, y: float, side: float = 60) -> Quad:
    step = side / 2
    return Quad(
        ((x - step, y - step), (x + step, y - step), (x + step, y + step), (x - step, y + step))
    )


def die(
    x: float, y: float, value: int, *, colour: str = "red", confidence: float = 0.99, sure=True
) -> Face:
    probs = tuple(float(k == value) for k in range(7))
    return Face(square(x, y), probs, ((colour, 1.0),), confidence, sure)


def tile(
    a: tuple[float, float, int], b: tuple[float, float, int], *, sure: bool = True
) -> TileReading:
    return TileReading(square(a[0], a[1]), (die(*a), die(*b)), 0.9, sure)


def reading(*pieces: Face | TileReading, warnings: tuple[str, ...] = ()) -> Reading:
    dice = tuple(piece for piece in pieces if isinstance(piece, Face))
    tiles = tuple(piece for piece in pieces if isinstance(piece, TileReading))
    return Reading(640, 480, dice, tiles, warnings=warnings, ms=20.0)


def with_dice(*dice: dict[str, Any], **more: Any) -> AnnotatedImage:
    return parse_photo(PATH, {"dice": list(dice), **more})


def with_tiles(*tiles: dict[str, Any], **more: Any) -> AnnotatedImage:
    return parse_photo(PATH, {"tiles": list(tiles), **more})


def told(verdict: Verdict) -> list[str]:
    return [str(fault) for fault in verdict.faults]


# Dice


def test_a_reading_of_what_lies_there_is_whole():
    verdict = judge(with_dice(FIVE, TWO), reading(die(150, 150, 5), die(340, 160, 2)))

    assert verdict.is_whole
    assert not verdict.is_asked
    assert verdict.ms == 20.0


@pytest.mark.parametrize(
    ("read", "faults"),
    [
        ([], ["missed 5 at 150,150"]),
        ([die(150, 150, 6)], ["5 read as 6 at 150,150"]),
        ([die(150, 150, 5), die(500, 300, 4)], ["extra 4 at 500,300"]),
        ([die(150, 150, 5), die(160, 150, 5)], ["extra 5 at 160,150"]),  # each label once
        ([die(214, 86, 5)], []),  # in the margin of a box drawn by hand
        ([die(216, 150, 5)], ["missed 5 at 150,150", "extra 5 at 216,150"]),
    ],
)
def test_what_is_wrong_is_named_with_its_place(read, faults):
    assert told(judge(with_dice(FIVE), reading(*read))) == faults


def test_of_two_readings_in_a_box_the_nearer_one_counts():
    verdict = judge(with_dice(FIVE), reading(die(190, 150, 5), die(155, 150, 6)))

    assert told(verdict) == ["5 read as 6 at 150,150", "extra 5 at 190,150"]


@pytest.mark.parametrize("mark", [{"ignore": True}, {"value": None}])
@pytest.mark.parametrize("read", [[], [die(150, 150, 1)]])
def test_a_die_no_person_can_read_counts_for_nothing(mark, read):
    verdict = judge(with_dice(FIVE | mark), reading(*read))

    assert verdict.matches == ()


@pytest.mark.parametrize("measure", [report, teach])
def test_a_folder_without_sets_is_refused_in_a_sentence(measure, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["measure", str(tmp_path)])

    assert measure.main() == 2
    assert "holds neither labels.json nor pictures" in capsys.readouterr().err


def test_a_wrong_colour_is_counted_but_the_photo_stays_whole():
    verdict = judge(with_dice(FIVE, TWO), reading(die(150, 150, 5), die(340, 160, 2)))

    line = summary.row("a", [verdict])
    assert (line.coloured, line.colour, line.whole) == (2, 1, 1)


def test_a_die_without_a_labelled_colour_is_not_counted_among_colours():
    verdict = judge(with_dice(FIVE | {"color": None}), reading(die(150, 150, 5)))

    assert summary.row("a", [verdict]).coloured == 0


def test_where_not_all_is_labelled_nothing_is_too_much():
    label = with_dice(FIVE, complete=False)

    assert judge(label, reading(die(150, 150, 5), die(500, 300, 4))).is_whole


def test_where_only_one_kind_lies_the_other_is_too_much():
    tiles = [tile((500, 300, 1), (560, 300, 1))]
    label = {"halves": [1, 1], "half_centers": [[500, 300], [560, 300]]}

    assert told(judge(with_dice(FIVE), reading(die(150, 150, 5), *tiles))) == [
        "extra 1-1 at 530,300"
    ]
    assert told(judge(with_tiles(label), reading(die(150, 150, 5), *tiles))) == [
        "extra 5 at 150,150"
    ]


def test_a_domino_on_a_puzzle_is_not_judged():
    tiles = [tile((500, 300, 1), (560, 300, 1))]

    assert judge(parse_photo(PATH, {"cells": []}), reading(*tiles)).is_whole


def test_a_die_read_on_a_puzzle_is_too_much():
    assert told(judge(parse_photo(PATH, {"cells": []}), reading(die(150, 150, 5)))) == [
        "extra 5 at 150,150"
    ]


# Dominoes


@pytest.mark.parametrize(
    ("read", "faults"),
    [
        (tile((100, 100, 6), (200, 100, 1)), []),
        (tile((200, 100, 1), (100, 100, 6)), []),  # read from its other end
        (tile((100, 100, 1), (200, 100, 6)), ["6-1 read as 1-6 at 150,100"]),
        (tile((100, 166, 6), (200, 166, 1)), []),  # a third of its length, 200 px, away
        (
            tile((100, 168, 6), (200, 168, 1)),
            ["missed 6-1 at 150,100", "extra 6-1 at 150,168"],
        ),
    ],
)
def test_a_tile_is_matched_by_the_middles_of_its_halves(read, faults):
    assert told(judge(with_tiles(TILE), reading(read))) == faults


def test_a_tile_of_a_larger_set_counts_for_nothing():
    nine = {"halves": [9, 1], "half_centers": [[100, 100], [200, 100]]}

    assert judge(with_tiles(nine), reading(tile((100, 100, 5), (200, 100, 1)))).matches == ()
    assert judge(with_tiles(nine), reading()).matches == ()


# Asking


@pytest.mark.parametrize(
    ("read", "asked", "silent"),
    [
        (reading(die(150, 150, 6)), False, True),
        (reading(die(150, 150, 6, sure=False)), True, False),
        (reading(die(150, 150, 6), warnings=("too dark",)), True, False),
        (reading(die(150, 150, 6), tile((1, 1, 1), (9, 1, 1), sure=False)), True, False),
        (reading(die(150, 150, 5, sure=False)), True, False),
        (reading(), False, True),
        (None, True, False),  # the photo was refused, so a person knows
    ],
)
def test_silent_is_wrong_with_nothing_asked(read, asked, silent):
    verdict = judge(with_dice(FIVE), read)

    assert (verdict.is_asked, verdict.is_silent) == (asked, silent)


# Drawn pictures


def face(x: float, y: float, value: int, **more: Any) -> dict[str, Any]:
    return {"quad": square(x, y).to_json(), "center": [x, y], "value": value, **more}


def test_the_truth_of_a_drawn_picture_is_judged_alike():
    truth = {
        "dice": [face(100, 100, 5, color="red"), face(300, 100, 2, visible=0.4)],
        "tiles": [{"faces": [face(100, 300, 0), face(160, 300, 6)]}],
    }

    verdict = judge(parse_drawn(PATH, truth), reading(die(105, 100, 5)))

    assert told(verdict) == ["missed 0-6 at 130,300"]  # and the die hardly seen is not missed


@pytest.mark.parametrize(
    ("cell", "board", "faults"),
    [
        ((0, 1), "grid:3x3", []),
        ((0, 2), "grid:3x3", ["5 put in another cell at 100,100"]),
        (None, "grid:3x3", ["5 put in another cell at 100,100"]),
        (None, None, []),  # no board was found, and that was said
    ],
)
def test_on_a_board_a_die_has_to_be_in_its_cell(cell, board, faults):
    truth = {
        "dice": [face(100, 100, 5, cell=[0, 1])],
        "board": {"name": "grid:3x3", "corners": []},
    }
    found = reading(replace(die(100, 100, 5), cell=cell))
    corners = square(150, 150, 300)

    there = replace(found, board=BoardReading(board, corners, 0.1)) if board else found

    assert told(judge(parse_drawn(PATH, truth), there)) == faults


def test_on_an_ignored_spot_nothing_is_too_much():
    back = {"quad": square(300, 300).to_json()}
    truth = {"dice": [], "tiles": [back], "ignore": [back | {"quad": square(50, 50).to_json()}]}

    verdict = judge(
        parse_drawn(PATH, truth),
        reading(die(300, 300, 1), tile((30, 50, 1), (70, 50, 1)), die(400, 50, 3)),
    )

    assert told(verdict) == ["extra 3 at 400,50"]


# Sets


@pytest.fixture
def folder(tmp_path):
    """Return a folder of two sets: training photos, of which few are held back, and a drawn one."""
    names = [f"{k}.png" for k in range(20)]
    photos = tmp_path / "train" / "dice-none"
    (photos / "images").mkdir(parents=True)
    blank = np.full((96, 96, 3), 128, np.uint8)
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


def test_a_folder_without_truth_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"labels\.json"):
        list(datasets_under(tmp_path))


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


def measured(name: str, look: str, *verdicts: Verdict, synthetic: bool = False) -> Measured:
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


def test_every_confidence_has_its_bin():
    edges = [judge(with_dice(FIVE), reading(die(150, 150, 5, confidence=c))) for c in summary.BINS]

    assert sum(b.pieces for b in summary.reliability(edges)) == len(edges)


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


def test_many_faults_of_one_photo_are_cut_short():
    verdict = judge(with_dice(), reading(*(die(60 * k, 50, 1) for k in range(9))))

    (line,) = summary.worst([measured("a", "dice", verdict)])

    assert line.endswith("and 3 more")


# The command


def test_the_command_prints_the_report_and_writes_its_figures(folder, tmp_path, capfd, monkeypatch):
    file = tmp_path / "figures.json"
    given = [str(folder), "--json", str(file), "--overlay", str(tmp_path / "seen")]
    monkeypatch.setattr("sys.argv", ["report", *given])

    assert report.main() == 0

    out = capfd.readouterr().out
    assert "| dice-none " in out
    assert "| rendered (synthetic) |" in out
    figures = json.loads(file.read_text())
    assert [line["pieces"] for line in figures["sets"]] == [1, 0]
    (wrong,) = figures["wrong"]
    assert wrong["faults"] == ["missed 3 at 40,40"]
    assert f"`dice-none/{wrong['file']}`" in out
    picture = tmp_path / "seen" / "dice-none" / f"{wrong['file']}.jpg"
    assert cv2.imread(str(picture)).shape == (96, 192, 3)


def test_sets_are_chosen_by_name(folder, capfd, monkeypatch):
    monkeypatch.setattr("sys.argv", ["report", str(folder), "--sets", "rend*"])

    report.main()

    assert "dice-none" not in capfd.readouterr().out


def test_nothing_to_measure_is_wrong_usage(tmp_path, capfd, monkeypatch):
    monkeypatch.setattr("sys.argv", ["report", str(tmp_path)])

    assert report.main() == 2
    assert "labels.json" in capfd.readouterr().err


def test_the_overlay_shows_truth_beside_reading_and_doubts_what_was_missed():
    label = with_dice(FIVE, TWO | {"ignore": True})
    shown = Photo(np.zeros((480, 640, 3), np.uint8), 640, 480)
    read = reading(die(150, 150, 6))
    verdict = judge(label, read)

    truth = as_reading(shown, label, verdict)
    both = side_by_side(shown, label, verdict, read)

    assert [(face.value, face.sure) for face in truth.dice] == [(5, False)]
    assert both.shape == (480, 1280, 3)
    assert both[:, :640].any()
    assert both[:, 640:].any()


def test_a_labelled_tile_is_drawn_over_both_halves():
    label = with_tiles(TILE)
    shown = Photo(np.zeros((480, 640, 3), np.uint8), 640, 480)

    (drawn,) = as_reading(
        shown, label, judge(label, reading(tile((100, 100, 6), (200, 100, 1))))
    ).tiles

    assert drawn.sure
    assert drawn.quad.corners == ((50, 50), (250, 50), (250, 150), (50, 150))
    assert [half.center for half in drawn.halves] == [(100, 100), (200, 100)]


# Speed


@pytest.mark.parametrize(("values", "p95"), [([7], 7), (list(range(100)), 95), ([3, 1, 2], 3)])
def test_the_95th_percentile_is_a_value_near_the_slow_end(values, p95):
    assert percentile(values, 95) == p95


@pytest.mark.parametrize("area", [1280 * 960, 320 * 240])
def test_a_bench_picture_has_the_size_asked_for_and_its_proportions(area):
    sized = enlarged(np.full((480, 640, 3), 128, np.uint8), area)

    assert sized.shape[0] * sized.shape[1] == area
    assert sized.shape[1] * 3 == sized.shape[0] * 4
