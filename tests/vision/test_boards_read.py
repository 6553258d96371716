"""Whole photos: boards with known truth, bad boards, and what the command prints."""

import json
import math
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests import FIXTURES
from tests.grids import every_value, few
from tests.vision.fake_eyes import face_read_as
from tests.vision.pictures import Drawn, draw, grid_of, photo_of, values
from vision import Look, Reading, draw_overlay, load, read
from vision.canvas import DARK
from vision.faces.networks import shipped_models
from webui import cli

BOARDS = FIXTURES / "boards"
GRID = Look.parse("grid:3x3", colours=("black", "white"))


def faults(reading, truth):
    """Say what is missing, wrong or too much."""
    rest, found = list(reading.dice), []
    for die in truth["dice"]:
        side = math.sqrt(cv2.contourArea(np.array(die["quad"], np.float32)))
        near = [face for face in rest if math.dist(face.center, die["center"]) < side / 2]
        if not near:
            found.append("missed")
            continue
        rest.remove(near[0])
        cell = None if near[0].cell is None else list(near[0].cell)
        if (near[0].value, near[0].colour, cell) != (die["value"], die["color"], die["cell"]):
            found.append("wrong")
    return found + ["extra"] * len(rest)


@every_value(elevation=[90, 70, 50, 35], roll=[0, 20, -30])
def test_a_board_is_read_from_any_side(elevation, roll):
    picture, _ = draw(grid_of("123456632"), elevation=elevation, roll=roll)

    reading = read(photo_of(picture), GRID)

    assert values(reading) == "123456632"
    assert [die.colour for die in reading.dice] == ["white", "black"] * 4 + ["white"]
    assert sum(die.sure for die in reading.dice) >= 8
    assert reading.warnings == ()
    assert reading.board is not None


@pytest.mark.parametrize(
    "name", few(sorted((path.stem for path in BOARDS.glob("*.jpg")), reverse=True), 2)
)
def test_each_rendered_board_is_read_as_it_lies(name):
    """Path traced, up to ten dice on a lid: all values and colours, all in their cells."""
    truth = json.loads((BOARDS / f"{name}.json").read_text())

    reading = read(load(BOARDS / f"{name}.jpg"), GRID)

    assert reading.board is not None
    assert faults(reading, truth) == []


CROWD = [Drawn(4, "black", 0.72, -0.05), Drawn(2, "white", 1.28, 0.05)]


@pytest.mark.parametrize(
    ("dice", "light", "said"),
    [
        ([*grid_of("12345.123"), *CROWD], 1, "Two dice lie in one cell (row 2, column 3)."),
        (grid_of("...456123"), 1, "row or column is empty"),
        (grid_of("123456123", "wbwbwrwbw"), 1, "red die does not belong"),
        (grid_of("123456123"), 0.15, "too dark"),
    ],
)
def test_what_is_wrong_with_a_board_or_its_light_is_told(dice, light, said):
    picture, _ = draw(dice, elevation=80 if CROWD[0] in dice else 60)

    reading = read(photo_of((picture * light).astype(np.uint8)), GRID)

    assert any(said in warning for warning in reading.warnings)
    assert "does not belong" not in said or [
        die.colour for die in reading.dice if die.cell == (1, 2)
    ] == ["red"]


@pytest.mark.parametrize("level", few([128, 0, 255]))
def test_a_picture_of_nothing_reads_as_nothing(level):
    blank = np.full((600, 800, 3), level, np.uint8)

    assert read(photo_of(blank)).dice == ()
    assert any("No dice were found" in hint for hint in read(photo_of(blank), GRID).warnings)


def test_a_camera_s_frame_is_looked_at_once_and_says_what_is_doubtful():
    eyes = replace(
        shipped_models(), calibration=replace(shipped_models().calibration, sure=1.0)
    )  # nothing is ever clear
    photo = photo_of(draw(grid_of("123456123"))[0])

    still, frame = (read(photo, GRID, eyes, moving=moving) for moving in (False, True))

    assert values(frame) == values(still) == "123456123"
    assert not any(die.sure for die in frame.dice)
    assert "detect again" in still.stages
    assert "detect again" not in frame.stages


@pytest.mark.release
def test_a_camera_s_next_frame_is_looked_at_once_where_faces_are_as_large_as_before():
    shapes = []

    def detector(pixels):
        shapes.append(pixels.shape[2:])
        return shipped_models().detector(pixels)

    eyes = replace(shipped_models(), detector=detector)
    picture, _ = draw(grid_of("123456123"))
    high, wide = picture.shape[:2]
    far_off = np.pad(picture, ((high // 2, high // 2), (wide // 2, wide // 2), (0, 0)), "edge")
    near, afar = photo_of(picture), photo_of(far_off)

    def frame_after(before, photo):
        shapes.clear()
        return read(photo, GRID, eyes, moving=True, before=before), len(shapes)

    first, looks = frame_after(None, afar)
    second, looks_again = frame_after(first, afar)
    assert values(first) == values(second) == "123456123"
    for die, again in zip(first.dice, second.dice, strict=True):  # from a little farther off
        assert math.dist(die.center, again.center) < 0.05 * die.quad.side
    assert (looks, looks_again) == (2, 1)

    third, _ = frame_after(second, near)  # somebody has moved the camera
    assert values(third) == "123456123"
    empty = read(photo_of(np.full((600, 800, 3), 128, np.uint8)), GRID, eyes, moving=True)
    assert empty.face_side is None
    assert values(frame_after(empty, near)[0]) == "123456123"


@pytest.mark.release
@pytest.mark.parametrize("blur", few([9, 12, 6, 20], 2))
def test_a_blurred_photo_is_never_wrong_and_silent(blur):
    picture, _ = draw(grid_of("123456123"))

    reading = read(photo_of(cv2.GaussianBlur(picture, (0, 0), blur)), GRID)

    asks = reading.warnings or not all(die.sure for die in reading.dice)
    assert asks or values(reading) == "123456123"


@pytest.mark.parametrize("look", ["sheet:dice-wide-shut", "board:gords"])
def test_what_is_not_read_yet_is_said(look):
    reading = read(photo_of(draw(grid_of("123456123"))[0]), Look.parse(look))

    assert (reading.tiles, reading.marks) == ((), ())
    assert any("not read yet" in warning for warning in reading.warnings)


def test_a_count_of_dice_says_nothing_of_dominoes():
    photo = load(BOARDS / "race-04.jpg")

    plain, counted = (read(photo, Look("dominoes", count=count)) for count in (None, 0))

    assert plain.warnings  # dice, taken for halves that have no other
    assert (counted.tiles, counted.warnings) == (plain.tiles, plain.warnings)


def test_dice_that_may_be_a_domino_are_asked_about_in_words():
    def likely(crops):  # of the one pair that touches; of places beside a face nothing
        return np.full((len(crops), 1), 0.85 if len(crops) == 1 else -9.0, np.float32)

    eyes = replace(shipped_models(), pair_classifier=likely)
    dice = [Drawn(5, "white", 0, 0), Drawn(3, "white", 0.56, 0), Drawn(2, "white", 1.9, 1.5)]

    reading = read(photo_of(draw(dice)[0]), Look(), eyes)

    assert {die.value: die.sure for die in reading.dice} == {5: False, 3: False, 2: True}
    assert "Dice that touch may be a domino (middle). Move them apart." in reading.warnings


def test_the_answer_has_the_shape_the_design_gives():
    answer = read(photo_of(draw(grid_of("123456123"))[0]), GRID).to_json("a.jpg")

    assert list(answer) == [
        *("file", "width", "height", "dice", "tiles", "marks", "board"),
        *("warnings", "perhaps", "hint", "unread", "ms"),
    ]
    assert list(answer["dice"][0]) == [
        *("quad", "center", "value", "color", "confidence", "sure"),
        *("alternatives", "color_alternatives", "cell"),
    ]
    assert answer["dice"][0]["cell"] == [0, 0]
    assert (answer["board"]["name"], len(answer["board"]["corners"])) == ("grid:3x3", 4)
    assert json.loads(json.dumps(answer)) == answer


def test_what_is_doubtful_is_dashed_in_the_overlay():
    """The outline differs by more than its colour: it has gaps."""
    photo = photo_of(draw(grid_of("5"))[0])
    (die,) = read(photo).dice
    pictures = []
    for sure in (True, False):
        marked = Reading(
            photo.width, photo.height, (type(die)(die.quad, die.probs, die.colours, 1, sure),)
        )
        pictures.append((draw_overlay(photo, marked, whole=True) != photo.bgr).any(axis=2))

    perhaps = Reading(photo.width, photo.height, missed_candidates=(die.quad,))
    pictures.append((draw_overlay(photo, perhaps, whole=True) != photo.bgr).any(axis=2))
    solid, dashed, asked = pictures
    edge = np.linspace(die.quad.array[1], die.quad.array[2], 200).round().astype(int)
    assert solid[edge[:, 1], edge[:, 0]].mean() > 0.95
    assert dashed[edge[:, 1], edge[:, 0]].mean() < 0.85
    assert 0.3 < asked[edge[:, 1], edge[:, 0]].mean() < 0.85


def test_a_long_warning_stays_on_an_upright_photo():
    photo = photo_of(np.full((600, 300, 3), 255, np.uint8))
    said = "There may be 2 more pieces (top left, bottom right). Look there. " * 2

    drawn = draw_overlay(photo, Reading(300, 600, warnings=(said,)))

    assert (drawn[:600] == 255).all()  # it stands below the photo, so it hides no piece
    words = drawn[600:] != DARK
    assert words.any()
    assert not words[:, -2:].any()


def test_the_overlay_shows_the_part_with_the_pieces_and_the_whole_photo_small():
    photo = photo_of(np.full((900, 1200, 3), 255, np.uint8))
    die = face_read_as(4, [(600, 400), (660, 400), (660, 460), (600, 460)], "red")

    drawn = draw_overlay(photo, Reading(1200, 900, (die,)))
    whole = draw_overlay(photo, Reading(1200, 900, (die,)), whole=True)

    def widest(picture):
        """Return the width of what was outlined, px."""
        blue, green, red = np.moveaxis(picture.astype(int), 2, 0)
        outlined = (green > blue + 40) & (green > red + 40)  # SURE
        return np.ptp(np.flatnonzero(outlined.any(axis=0)))

    assert whole.shape == photo.bgr.shape
    large, small = np.split(drawn, [round(drawn.shape[0] / 1.4)])
    assert widest(large) > 3 * widest(whole) > widest(small) > 0


@pytest.fixture
def folder(tmp_path):
    cv2.imwrite(str(tmp_path / "b.jpg"), draw(grid_of("123456123"))[0])
    cv2.imwrite(str(tmp_path / "a.PNG"), draw(grid_of("5"))[0])
    (tmp_path / "notes.txt").write_text("no photo")
    return tmp_path


def test_json_is_an_object_a_line_also_of_a_photo_that_cannot_be_read(folder, capfd):
    (folder / "c.jpg").write_bytes(b"broken")
    photos = str(folder), str(folder / "none.jpg")

    code = cli.main(["read", "--json", "--look", "grid:3x3", *photos])

    first, second, broken, missing = map(json.loads, capfd.readouterr().out.splitlines())
    assert code == 1
    assert [Path(row["file"]).name for row in (first, second)] == ["a.PNG", "b.jpg"]
    assert [len(row["dice"]) for row in (first, second)] == [1, 9]
    assert second["ms"] > 0
    assert set(broken) == set(missing) == {"file", "error"}
    assert "JPEG" in broken["error"]


def test_the_folders_in_a_folder_are_read_where_asked(tmp_path, capfd):
    inner = tmp_path / "2026" / "march.jpg"  # a folder, whatever it is called
    inner.mkdir(parents=True)
    for place in (tmp_path / "b.jpg", inner / "a.png", inner / "notes.txt"):
        place.write_bytes(b"broken")

    def files(*options):
        cli.main(["read", "--json", *options, str(tmp_path)])
        return [json.loads(line)["file"] for line in capfd.readouterr().out.splitlines()]

    assert files() == [str(tmp_path / "b.jpg")]
    assert files("--recursive") == [str(inner / "a.png"), str(tmp_path / "b.jpg")]


def test_a_folder_without_photos_is_wrong_usage(tmp_path):
    with pytest.raises(SystemExit) as end:
        cli.main(["read", str(tmp_path)])

    assert end.value.code == 2


def test_without_json_a_person_can_read_it(folder, capfd):
    cli.main(["read", "--look", "grid:3x3", str(folder / "b.jpg")])

    out = capfd.readouterr().out
    assert "9 dice" in out
    assert "6 black   row 2, column 3" in out
