"""The eyes as a library: docs/library.md is true, and what is mistaken is refused in a sentence."""

import doctest
import hashlib
import importlib
import io
import json
import re
import subprocess
import sys
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

import pipsight
import vision
from scorer import Malformed, NotScored
from tests import ROOT
from tests.grids import few
from vision import models
from vision.boards.sheet.marks import shipped_calibration
from vision.faces.calibration import Calibration
from vision.faces.classifier import CLASSES, EMBEDDING, SIDE
from vision.faces.detector import CHANNELS
from vision.reading import COLOURS

DEMO = ROOT / "webui" / "static" / "samples" / "purple_house.jpg"


def values(reading):
    return [(die.value, die.colour) for die in reading.dice]


@pytest.mark.release
def test_the_page_of_the_library_is_true(monkeypatch):
    monkeypatch.chdir(ROOT)

    result = doctest.testfile(str(ROOT / "docs" / "library.md"), module_relative=False)

    assert result.attempted >= 20
    assert result.failed == 0


def test_what_the_library_offers_is_there_and_has_a_version():
    assert all(getattr(pipsight, name) is not None for name in pipsight.__all__)
    assert all(getattr(vision, name) is not None for name in vision.__all__)
    assert vision.__version__ == version("pipsight")
    with pytest.raises(AttributeError, match="nonsense"):
        _ = vision.nonsense


def test_a_photo_is_taken_by_its_name_its_path_or_as_an_array_of_named_channels():
    bgr = cv2.imread(str(DEMO))
    plain = values(vision.read(vision.load(DEMO), "dice"))

    assert values(vision.read(str(DEMO), "dice")) == plain
    assert values(vision.read(DEMO, vision.Look("dice"))) == plain
    for pixels, channels in ((bgr, "bgr"), (bgr[..., ::-1], "rgb")):
        photo = vision.Photo.from_array(pixels, channels)
        assert sorted(values(vision.read(photo, "dice"))) == sorted(plain)
    grey = vision.Photo.from_array(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), "grey")
    assert sorted(v for v, _ in values(vision.read(grey, "dice"))) == sorted(v for v, _ in plain)


TAKEN = str, Path, Path.read_bytes, lambda path: memoryview(path.read_bytes()), Image.open


@pytest.mark.parametrize("take", few([*TAKEN, vision.load], 2))
def test_a_reading_of_the_library_keeps_its_photo_and_shows_it(take):
    reading = pipsight.read(take(DEMO), "dice")

    assert sorted(die.value for die in reading.dice) == [1, 2, 2, 3, 3, 4, 5, 5, 6, 6]
    assert reading._repr_html_().startswith('<img src="data:image/jpeg;base64,')
    assert pipsight.to_json(reading, "a.jpg")["file"] == "a.jpg"
    assert pipsight.draw(reading).width > 500


def test_a_reading_without_a_photo_is_shown_as_text_and_not_drawn():
    bare = pipsight.ReadPhoto(640, 480, warnings=("too <dark>",))

    assert bare._repr_html_().endswith("<p>too &lt;dark&gt;</p>")
    with pytest.raises(ValueError, match="has no photo"):
        pipsight.draw(bare)


def test_a_sheet_that_pipsight_prints_is_known_to_the_library_and_drawn_with_its_marks():
    sheet = ROOT / "fixtures" / "sheets" / "sheet-009001.jpg"

    reading = pipsight.read(sheet, "sheet:dice-wide-shut")

    assert len(reading.marks) > 50
    assert pipsight.draw(reading) != pipsight.draw(replace(reading, marks=()))
    assert pipsight.score(sheet.read_bytes(), "dice_wide_shut").score == (13,)
    with pytest.raises(NotScored, match=r"does not show this: “The bid"):
        pipsight.score(sheet, "gords")


@pytest.mark.release
def test_a_script_brings_no_server_and_is_run_once_though_a_camera_has_its_own_process(tmp_path):
    script = tmp_path / "mine.py"
    script.write_text(
        "import sys, pipsight\n"
        "print({'flask', 'sqlalchemy', 'waitress'} & set(sys.modules), flush=True)\n"
        "try: next(pipsight.watch(987))\n"
        "except Exception as fault: print(fault)"
    )
    run = subprocess.run(
        [sys.executable, script], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert run.stdout.startswith("set()\nThere is no camera 987"), run.stderr


def photo(shape, channels="rgb", kind=np.uint8):
    return lambda: vision.Photo.from_array(np.zeros(shape, kind), channels)


NO_LOOKS = ("grid:3x3", "nonsense", "grid", "sheet", "board", "", None)


@pytest.mark.parametrize(
    ("call", "error", "sentence"),
    [
        (lambda: pipsight.read(3), TypeError, "not int"),
        (lambda: pipsight.read(np.zeros((90, 90, 3), np.uint8)), TypeError, "channels='rgb'"),
        (lambda: pipsight.read(DEMO, None), TypeError, "'dice', or a Look, not NoneType"),
        (lambda: pipsight.read(DEMO, adapter="ours.json"), TypeError, "an Adapter, not str"),
        (lambda: pipsight.draw("a"), TypeError, "a reading, as pipsight.read returns it, not str"),
        (lambda: pipsight.to_json(DEMO.name), TypeError, "a reading or a roll, not str"),
        (lambda: pipsight.watch(None), TypeError, "a URL or frames, not NoneType"),
        (
            lambda: next(pipsight.watch([np.zeros((9, 9, 3))])),
            TypeError,
            "number, time_s), not",
        ),
        (
            lambda: next(pipsight.watch([pipsight.Frame(np.zeros((90, 90), np.uint8), 0, 0.0)])),
            ValueError,
            "pixels are (height, width, 3) uint8",
        ),
        (
            lambda: pipsight.read(Image.open(io.BytesIO(DEMO.read_bytes()[:30_000]))),
            pipsight.Unreadable,
            "cut off or damaged",
        ),
        (lambda: pipsight.score(np.zeros(3), "pig"), TypeError, "bytes of a file, not ndarray"),
        (lambda: pipsight.score(DEMO, "chess"), KeyError, "no game 'chess'; there are beat_the"),
        (lambda: pipsight.replay(DEMO), Malformed, "is no recording: it is not text"),
        (lambda: vision.read(np.zeros((9, 9, 3), np.uint8)), TypeError, "order of their channels"),
        (lambda: vision.read(None), TypeError, "a path, the bytes of a file or pixels, not"),
        (lambda: vision.decode(str(DEMO)), TypeError, "load takes its name"),
        (lambda: vision.load("nowhere.jpg"), vision.Unreadable, "cannot be opened"),
        (lambda: vision.read(vision.load(DEMO), "gridd"), ValueError, "no such look: 'gridd'"),
        *((partial(vision.Look, kind), ValueError, "Look.parse('grid:3x3')") for kind in NO_LOOKS),
        (lambda: vision.Look("dice", count=-1), ValueError, "count must be 0 or more, not -1"),
        (photo((8, 8, 3)), vision.Unreadable, "only 8 x 8 pixels"),
        (photo((90, 90, 4)), ValueError, "uint8 (90, 90, 4)"),
        (photo((90, 90, 3), kind=np.float32), ValueError, "float32"),
        (photo((90, 90, 3), "grey"), ValueError, "(90, 90, 3)"),
        (photo(90, "grey"), ValueError, "(90,)"),
        (photo((90, 90, 3), "RGB"), ValueError, "'RGB'; use rgb, bgr or grey"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(call, error, sentence):
    with pytest.raises(error, match=re.escape(sentence)):
        call()


def test_a_large_array_is_shrunk_as_a_large_file_is():
    photo = vision.Photo.from_array(np.zeros((3000, 4000, 3), np.uint8), "rgb")

    assert (photo.width, photo.height, photo.scale) == (4000, 3000, 2)


def test_pixels_that_were_given_stay_as_they_are():
    pixels = cv2.imread(str(DEMO))
    before = pixels.copy()

    photo = vision.Photo.from_array(pixels, "bgr")
    photo.bgr[:] = 0

    assert (pixels == before).all()


VISION = Path(__file__).parents[2] / "vision"
WITH_EXAMPLES = [
    ".".join(path.relative_to(VISION.parent).with_suffix("").parts)
    for path in sorted(VISION.rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_the_examples_in_docstrings_are_right(name):
    assert "vision.geometry" in WITH_EXAMPLES
    assert doctest.testmod(importlib.import_module(name)).failed == 0


MODELS = ROOT / "models"
LARGEST = 12_000_000  # bytes together


@pytest.mark.parametrize(
    "name",
    ["detector", "face_classifier", "pair_classifier", "mark_classifier", "edge_classifier"],
)
def test_the_card_and_the_origin_tell_the_sum_of_each_network(name):
    row = re.search(rf"`{name}\.onnx`.*`([0-9a-f]{{64}})`", (MODELS / "CARD.md").read_text())
    digest = hashlib.sha256((MODELS / f"{name}.onnx").read_bytes()).hexdigest()

    assert digest == row[1]
    assert digest == json.loads((MODELS / "origin.json").read_text())[name]["sha256"]


def test_the_networks_are_small_and_the_card_tells_the_thresholds_in_use():
    calibration = Calibration.from_json(json.loads((MODELS / "calibration.json").read_text()))
    of_marks, card = shipped_calibration(), (MODELS / "CARD.md").read_text()

    assert sum(path.stat().st_size for path in MODELS.glob("*.onnx")) <= LARGEST
    assert f"confidence of {calibration.sure}" in card
    assert f"Temperature {of_marks.temperature}, sure from" in card
    assert 0 < calibration.missed <= calibration.shown < 1
    assert 0.5 <= min(calibration.sure, of_marks.sure) <= max(calibration.sure, of_marks.sure) < 1


@pytest.mark.parametrize("size", [(64, 96), (352, 704)])
def test_the_detector_takes_any_whole_size(size):
    scores = models.detector()(np.zeros((1, 3, *size), np.float32))

    assert scores.shape == (1, CHANNELS, size[0] // 4, size[1] // 4)
    assert np.isfinite(scores).all()


@pytest.mark.parametrize("period", [3, 9.6, 19.2, 38.4, 70])
def test_no_pattern_makes_the_detector_shout(period):
    """One channel that slept through its training once said 75 on a cloth, and all others 6."""
    y, x = np.mgrid[0:288, 0:384] / period
    stripes = [(a % 2 < 1).astype(np.float32) for a in (y, x)]
    ramp = np.linspace(0.1, 1, 12).reshape(4, 3, 1, 1).astype(np.float32)
    loudest = [
        np.abs(models.detector()((1 - ink * cloth)[None])).max()
        for ink in ramp
        for cloth in (sum(stripes) / 2, stripes[0] * stripes[1], stripes[0])
    ]

    assert max(loudest) < 30  # on pictures of every kind it says up to 18


@pytest.mark.parametrize("count", [1, 7])
def test_the_reader_takes_any_number_of_crops(count):
    scores, features = models.face_classifier()(np.zeros((count, 3, SIDE, SIDE), np.float32))

    assert scores.shape == (count, CLASSES + len(COLOURS))
    assert features.shape == (count, EMBEDDING)


def test_the_scores_are_a_linear_map_of_the_features():
    """What taught pieces rest on."""
    crops = np.random.default_rng(2).random((400, 3, SIDE, SIDE), np.float32)
    crops *= np.random.default_rng(3).random((400, 3, 1, 1), np.float32)
    scores, features = models.face_classifier()(crops)
    inputs = np.column_stack([features, np.ones(len(features))]).astype(np.float64)

    learned, *_ = np.linalg.lstsq(inputs, scores.astype(np.float64), rcond=None)

    assert np.abs(inputs @ learned - scores).max() < 1e-2
