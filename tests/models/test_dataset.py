"""One annotation, read by one parser, is what networks learn from and what they are measured by."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.dataset.annotation import UNKNOWN, match_faces, match_tiles, unmatched
from models.dataset.folders import (
    CROP_SETS,
    datasets_under,
    drawn_images,
    is_held_back,
    parse_drawn,
    parse_photo,
    photos_by_set,
    training_photos,
)
from models.measure.photos.compare import judge
from vision import Reading

PATH = Path("set") / "images" / "a.jpg"
DIE = {"box": [10, 20, 50, 60], "value": 5, "color": "red"}


def quad(x, y, size=20):
    return [[x, y], [x + size, y], [x + size, y + size], [x, y + size]]


def face(x, y, value, **more):
    return {"quad": quad(x, y), "center": [x + 10, y + 10], "value": value, **more}


def test_a_photo_s_box_becomes_a_face_that_is_learned_and_measured():
    (die,) = parse_photo(PATH, {"dice": [DIE]}).faces

    assert die.box == (10, 20, 50, 60)
    assert (die.pips, die.colour, die.counts) == (5, "red", True)
    assert (
        parse_photo(PATH, {"dice": [DIE | {"color": "no word"}]}).faces[0].colour_index == UNKNOWN
    )


@pytest.mark.parametrize("mark", [{"ignore": True}, {"value": None}])
def test_a_die_no_person_can_read_is_taught_neither_as_a_face_nor_as_none(mark):
    image = parse_photo(PATH, {"dice": [DIE | mark]})

    assert image.faces == ()
    assert [quad.tolist() for quad in image.unlearned] == [[[10, 20], [50, 20], [50, 60], [10, 60]]]


@pytest.mark.parametrize(
    ("more", "learned", "unlearned"),
    [
        ({"visible": 0.6}, 1, 0),
        ({"visible": 0.4}, 0, 1),  # half hidden
        ({"visible": 0.1}, 0, 0),  # not there for anyone
        ({"value": 9, "visible": 0.1}, 0, 1),  # of a larger set
    ],
)
def test_what_is_learned_of_a_drawn_face_goes_by_how_much_is_seen(more, learned, unlearned):
    image = parse_drawn(PATH, {"dice": [face(0, 0, 3) | more]})

    assert (len(image.faces), len(image.unlearned)) == (learned, unlearned)


def test_the_halves_of_a_domino_know_each_other_and_both_formats_say_the_same():
    photo = {"tiles": [{"halves": [6, 1], "half_centers": [[10, 10], [30, 10]]}]}
    drawn = {"quad": quad(0, 0, 40), "faces": [face(0, 0, 6), face(20, 0, 1)]}
    back = {"quad": quad(100, 100)}

    image = parse_drawn(PATH, {"dice": [], "tiles": [drawn, back]})

    assert [(half.value, half.partner) for half in image.faces] == [(6, (30, 10)), (1, (10, 10))]
    assert len(image.ignored) == 1  # the one that lies face down
    for tiles in (image.tiles, parse_photo(PATH, photo).tiles):
        (tile,) = tiles
        assert (tile.values, tile.centers) == ((6, 1), ((10, 10), (30, 10)))
        assert tile.counts
        assert match_tiles(tiles, [((30, 10), (10, 10))]) == {0: 0}  # from either end
        assert match_tiles(tiles, [((30, 40), (10, 40))]) == {}


@pytest.fixture
def photos(tmp_path):
    """Return a training set whose first photo is completely labelled, and its second is not."""
    names = [name for k in range(99) if not is_held_back(name := f"{k}.jpg")][:2]
    (tmp_path / "dice-own").mkdir()
    images = [{"file": names[0], "dice": [DIE]}, {"file": names[1], "dice": [], "complete": False}]
    (tmp_path / "dice-own" / "labels.json").write_text(json.dumps({"images": images}))
    return tmp_path


def test_where_not_all_is_labelled_nothing_is_learned_and_nothing_is_too_much(photos):
    learned = list(training_photos(photos, held_back=False))
    (dataset,) = datasets_under(photos / "dice-own", all_photos=True)

    assert [image.complete for image in dataset.images] == [True, False]
    assert [image.path for image in learned] == [dataset.images[0].path]


def test_a_set_that_tells_of_pictures_which_are_gone_is_refused(tmp_path):
    (tmp_path / "a.json").write_text(json.dumps({"file": "gone.jpg", "dice": []}))

    with pytest.raises(FileNotFoundError, match="none of them is there"):
        drawn_images(tmp_path)
    with pytest.raises(ValueError, match="none of them is there"):
        list(datasets_under(tmp_path))


def test_of_places_in_a_box_the_likelier_is_the_face_and_of_readings_the_nearer():
    dice = parse_photo(PATH, {"dice": [DIE]}).faces
    places = [(30.0, 38.0), (30.0, 30.0)]  # the middle of a side, and of the upper face

    assert match_faces(dice, places, [0.2, 0.9]) == {0: 1}
    assert match_faces(dice, places) == {0: 0}
    assert unmatched(places, {0: 1}) == [0]
    assert unmatched(places, {0: 1}, [np.array(quad(20, 30))]) == []


def test_what_is_learned_of_a_drawn_picture_is_what_it_is_measured_by():
    truth = {"dice": [face(0, 0, 5), face(100, 0, 2, visible=0.4)], "sides": [], "board": None}
    image = parse_drawn(PATH, truth)

    missed = judge(image, Reading(200, 100))

    assert [match.truth for match in missed.matches] == [(face.pips,) for face in image.faces]


def test_a_half_that_lies_upon_the_other_half_of_a_tile_is_no_half_of_it():
    lower = {"halves": [3, 5], "faces": [face(0, 0, 3), face(20, 0, 5, visible=0.0)]}
    upper = {"halves": [1, 2], "faces": [face(20, 1, 1), face(20, 21, 2)]}
    tiles = [t | {"centers": [f["center"] for f in t["faces"]]} for t in (lower, upper)]
    image = parse_drawn(PATH, {"file": "a.jpg", "dice": [], "tiles": tiles})

    open_half, covered, *upon = image.every_face
    assert open_half.is_one_tile_with(covered)
    assert upon[0].is_one_tile_with(upon[1])
    assert not open_half.is_one_tile_with(upon[0])
    assert not upon[0].is_one_tile_with(open_half)


def test_crops_in_folders_by_value_are_photos_of_one_die(tmp_path):
    for value in (2, 5):
        folder = tmp_path / "crops" / CROP_SETS[0] / str(value)
        folder.mkdir(parents=True)
        for number in range(6):
            pixels = np.zeros((40, 60, 3), np.uint8)
            cv2.imwrite(str(folder / f"{value}-{number}.png"), pixels)

    shots = photos_by_set(tmp_path / "train")[CROP_SETS[0]]

    assert {shot.path.parent.name for shot in shots} == {"2", "5"}
    assert all(str(shot.faces[0].pips) == shot.path.parent.name for shot in shots)
    assert {shot.faces[0].box for shot in shots} == {(0, 0, 60, 40)}
    assert not any(is_held_back(shot.path.name) for shot in shots)
