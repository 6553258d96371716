"""Teaching one's own pieces: what is learned, what is kept, what is refused in a sentence.

The networks here are made up: they see how bright a square is and know nothing of pips.
"""

import io
import json
import math

import cv2
import numpy as np
import pytest

from tests import FIXTURES
from tests.vision.faces.test_detector import scores_for
from vision import COLOURS, Adapter, ConfirmedFace, Look, NotTaught, Photo, fit_adapter, read
from vision.adapt.fit import PRIOR, regress
from vision.dominoes.scene import find_scene
from vision.faces.adapter import shipped_classifier
from vision.faces.calibration import Calibration
from vision.faces.classifier import CLASSES, NOTHING
from vision.faces.detector import softmax
from vision.faces.networks import Models
from webui import cli
from webui.commands.taught_files import PieceFiles

BOARD = FIXTURES / "boards" / "race-01.jpg"
SPOTS = [(96, 64), (96, 192), (224, 64), (224, 192)]
SIDE = 40
WEIGHTS = (0.0, 1.0, 0.0, 0.5, 0.0, 0.5, *(0.0,) * 5)
DOUBT = Calibration(WEIGHTS, WEIGHTS, shown=0.7, missed=0.6, sure=0.9)
SHADES = 6  # that the made-up classifier tells apart


def square(at, side=SIDE):
    half = side / 2
    return np.array(at) + np.array([(-half, -half), (half, -half), (half, half), (-half, half)])


def find(picture):
    """Find a face that is hardly one at each spot."""
    scores = scores_for([square(spot) * 2.2 for spot in SPOTS], (128, 176))
    scores[0] = np.where(scores[0] > 0, 0.2, -9)
    scores[8:15] = 0
    return scores[None, :, : picture.shape[2] // 4, : picture.shape[3] // 4]


def tell(crops):
    """Know no value and no colour, but how bright the middle is."""
    shade = crops[:, :, 24:40, 24:40].mean(axis=(1, 2, 3))
    features = np.eye(SHADES, dtype=np.float32)[(shade * (SHADES - 0.01)).astype(int)]
    return np.zeros((len(crops), CLASSES + len(COLOURS)), np.float32), features


EYES = Models(find, tell, lambda _: 1 / 0, DOUBT)


def photo_of(*shades):
    """Return a photo of four squares; the networks see it 2.2 times as large."""
    bgr = np.full((240, 320, 3), 128, np.uint8)
    for (x, y), shade in zip(SPOTS, shades, strict=True):
        cv2.rectangle(bgr, (x - 20, y - 20), (x + 20, y + 20), (shade, shade, shade), -1)
    return Photo(bgr, 320, 240)


def confirmed(*values, colour=None):
    return [ConfirmedFace(spot, value, colour) for spot, value in zip(SPOTS, values, strict=True)]


def dice(photo, pieces=None):
    """Return {spot: (value, colour)} of the dice read."""
    reading = read(photo, Look("dice"), EYES, pieces)
    return {
        min(SPOTS, key=lambda spot: math.dist(spot, die.center)): (die.value, die.colour)
        for die in reading.dice
    }


@pytest.fixture(scope="module")
def taught():
    photos = [
        (photo_of(250, 128, 250, 20), confirmed(5, None, 5, 2, colour="red")),
        (photo_of(20, 250, 128, 20), confirmed(2, 5, None, 2)),
    ]
    return fit_adapter(photos, Look("dice"), EYES, "made up")


def test_taught_pieces_are_read_where_nothing_was_seen_before(taught):
    unseen = photo_of(20, 20, 128, 250)

    assert dice(unseen) == {}
    dice_read = dice(unseen, taught)
    assert {spot: value for spot, (value, _) in dice_read.items()} == {
        SPOTS[0]: 2,
        SPOTS[1]: 2,
        SPOTS[3]: 5,
    }
    assert {colour for _, colour in dice_read.values()} == {"red"}


def test_teaching_twice_gives_the_same(taught):
    first, other = (
        fit_adapter([(photo_of(250, 20, 250, 20), confirmed(5, 2, 5, 2))], models=EYES)
        for _ in range(2)
    )

    assert first.to_json() == other.to_json()
    assert (first.faces, taught.faces) == (4, 6)


def test_a_value_learned_leaves_the_odds_of_no_face_alone(taught):
    raw = find_scene(photo_of(20, 20, 128, 250).bgr, "dice", EYES).candidates

    after = taught.adjust(raw)

    before, odds = (softmax(kinds)[:, NOTHING:] for kinds in (raw.logits, after.logits))
    np.testing.assert_allclose(odds, before)
    assert np.abs(after.logits[:, :NOTHING] - raw.logits[:, :NOTHING]).max() > 1
    assert len(taught.adjust(raw.take(np.zeros(0, np.intp)))) == 0


def test_what_is_shown_and_was_not_mentioned_is_not_learned():
    calibration = Calibration(WEIGHTS, WEIGHTS, shown=0.3, missed=0.2, sure=0.9)
    eyes = Models(find, tell, EYES.pair_classifier, calibration)

    pieces = fit_adapter([(photo_of(250, 20, 250, 20), [ConfirmedFace(SPOTS[0], 5)])], models=eyes)

    dark = np.eye(SHADES)[0]
    assert (np.append(dark, 0) @ pieces.real) > -0.01  # the dark ones are not taken for nothing


def test_pieces_that_were_not_found_cannot_be_taught():
    with pytest.raises(NotTaught, match="None of the confirmed pieces was found"):
        fit_adapter([(photo_of(250, 20, 250, 20), [ConfirmedFace((300, 230), 5)])], models=EYES)


def test_a_regression_tells_the_truth_with_a_small_map():
    features, truth = np.eye(3), np.array([2, 0, 1])

    found = regress(features, np.zeros((3, 3)), truth, np.full(3, 100.0))
    held_back = regress(features, np.zeros((3, 3)), truth, np.full(3, 0.01 * PRIOR))

    assert list((features @ found).argmax(axis=1)) == [2, 0, 1]
    assert np.abs(held_back).max() < 0.01
    assert not regress(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(0, np.intp), np.zeros(0)).any()


@pytest.mark.parametrize(("value", "colour"), [(7, None), (-1, None), (3, "beige")])
def test_there_are_only_known_values_and_colours(value, colour):
    with pytest.raises(ValueError, match=r"pips|colour"):
        ConfirmedFace((0, 0), value, colour)


def test_pieces_come_back_from_their_file(taught, tmp_path):
    path = tmp_path / "ours.json"
    path.write_text(taught.to_text())

    back = Adapter.load(str(path))

    assert back.to_json() == taught.to_json()
    assert [one.name for one in tmp_path.iterdir()] == ["ours.json"]


@pytest.mark.parametrize(
    "damage", ["", "{}", "[]", "null", '{"pipsight": "pieces"}', "\x00", "[" * 9999]
)
def test_a_damaged_file_says_so(damage, tmp_path):
    path = tmp_path / "ours.json"
    path.write_text(damage)

    with pytest.raises(NotTaught, match="Teach them again"):
        Adapter.load(path)


@pytest.mark.parametrize("name", ["values", "real", "faces"])
def test_numbers_that_are_none_or_endless_are_damage(taught, name):
    damaged = json.loads(json.dumps(taught.to_json()))
    if name == "faces":
        damaged[name] = float("inf")
    else:
        damaged[name][0] = float("nan") if name == "real" else [float("nan")] * 7

    with pytest.raises(NotTaught, match=r"damaged.*Teach them again"):
        Adapter.from_json(damaged)


def test_pieces_of_another_reader_are_refused(taught, tmp_path):
    PieceFiles(tmp_path).save("ours", taught)

    with pytest.raises(NotTaught, match="taught to an older Pipsight"):
        PieceFiles(tmp_path).load("ours")
    with pytest.raises(NotTaught, match="taught to an older Pipsight"):
        read(photo_of(0, 0, 0, 0), adapter=taught)


@pytest.mark.parametrize("name", ["", "../x", "a/b", ".x", "x" * 41, "x.", "x "])
def test_a_name_is_one_for_a_file(name, tmp_path):
    with pytest.raises(NotTaught, match="is not a name for pieces"):
        PieceFiles(tmp_path).path_of(name)


def test_pieces_are_taught_used_listed_and_forgotten(tmp_path, monkeypatch, capsys):
    folder = ["--folder", str(tmp_path / "kept")]
    typed = "1=0\n1=9\n99=3\nnonsense\n1=3 beige\n1=none\n\n2=none\n"
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))

    assert cli.main(["teach", "our dice", str(BOARD), *folder, "--overlay", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "A face shows 0 to 6 pips, not 9." in out
    assert "The numbers go from 1 to" in out
    assert "There is no colour beige" in out
    assert out.count("Write it as 2=5 red") == 1
    assert (tmp_path / "race-01.jpg.numbers.jpg").stat().st_size > 10_000

    assert cli.main(["read", "--pieces", "our dice", *folder, str(BOARD)]) == 0
    assert cli.main(["teach", "--list", *folder]) == 0
    assert "our dice: " in capsys.readouterr().out
    assert Adapter.load(tmp_path / "kept" / "our dice.json").face_classifier == shipped_classifier()
    assert cli.main(["teach", "--forget", "our dice", *folder]) == 0
    assert cli.main(["teach", "--forget", "our dice", *folder]) == 1
    assert "No pieces are called our dice." in capsys.readouterr().err


def test_no_values_and_no_name_are_not_taken_for_none_given(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO("\n"))  # which would confirm all
    folder = ["--folder", str(tmp_path)]

    assert cli.main(["teach", "x", str(BOARD), "--values", "", *folder]) == 1
    assert cli.main(["read", "--pieces", "", *folder, str(BOARD)]) == 1
    assert "'' is not a name for pieces" in capsys.readouterr().err


def interrupted():
    yield "1=none\n"
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("given", "code", "sentence"),
    [
        *((io.StringIO(said), 1, ": the input ended") for said in ("", "1=none\n", "1=none")),
        (interrupted(), 130, "."),
    ],
    ids=["nothing", "a line", "half a line", "Ctrl-C"],
)
def test_the_end_of_the_input_confirms_nothing(
    given, code, sentence, tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr("sys.stdin", given)
    kept, numbers = tmp_path / "kept", tmp_path / "numbers"
    photos = [tmp_path / folder / "a.jpg" for folder in ("may", "june")]
    for photo in photos:
        photo.parent.mkdir()
        photo.write_bytes(BOARD.read_bytes())

    argv = ["teach", "x", *map(str, photos), "--folder", str(kept), "--overlay", str(numbers)]
    assert cli.main(argv) == code

    drawn = sorted(path.name for path in numbers.iterdir())
    assert drawn == ["june-a.jpg.numbers.jpg", "may-a.jpg.numbers.jpg"]

    assert f"Nothing was learned{sentence}" in capsys.readouterr().err
    assert not kept.exists()


@pytest.mark.parametrize("blocked", ["--overlay", "--folder"])
def test_a_file_in_the_way_of_what_is_taught_is_told(blocked, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO("\n"))
    (tmp_path / "taken").write_text("a shopping list")
    where = {
        "--overlay": str(tmp_path),
        "--folder": str(tmp_path),
        blocked: str(tmp_path / "taken"),
    }

    argv = [part for option in where.items() for part in option]
    assert cli.main(["teach", "x", *argv, str(BOARD)]) == 1

    assert f"{tmp_path / 'taken'} cannot be written: File exists." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (["teach", "x", "none.jpg"], "cannot be opened"),
        (["teach", "../x", str(BOARD)], "is not a name for pieces"),
        (["teach", "x", str(BOARD), "--values", "5 red, 3"], "and 2 values were given"),
        (["teach", "--forget", "x"], "No pieces are called x."),
        (["read", "--pieces", "x", str(BOARD)], "called x. Nothing has been taught yet."),
    ],
)
def test_bad_input_gets_a_sentence_and_leaves_nothing_behind(argv, sentence, tmp_path, capsys):
    assert cli.main([*argv, "--folder", str(tmp_path)]) == 1
    assert sentence in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_said_with_the_file_of_what_was_taught(tmp_path, monkeypatch, capsys):
    def full(_file):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    corners = ("--corners", "300,200", "1300,200", "1300,1100", "300,1100", "--cells", "3x3")

    assert cli.main(["teach", "--board", "x", *corners, "--folder", str(tmp_path), str(BOARD)]) == 1
    file = tmp_path / "boards" / "x.json"
    assert capsys.readouterr().err == f"{file} cannot be written: No space left on device.\n"
