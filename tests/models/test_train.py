"""What networks learn from, how far they are believed, what they came from, and the recipe."""

import argparse
import json

import cv2
import numpy as np
import pytest

from models.dataset.annotation import AnnotatedImage
from models.sketch.ground import DECOYS, PRINTED, USUAL, draw_surface
from models.textures import prints
from models.textures.surfaces import SKETCH_SIDE
from models.train import recipe
from models.train.calibration import half_calibration
from models.train.calibration.calibrate import FILE, UNSURE, summary
from models.train.calibration.card import LARGER_SETS, MARKS, OF_OTHERS, part_of, with_part
from models.train.calibration.half_calibration import (
    FOLDS,
    LARGER_FILE,
    TOO_FEW,
    CheckedHalves,
    HalfLooks,
    calibrate_halves,
    fit_larger_sets,
    reliability,
)
from models.train.crops import FACES, SIDE, draw_crops, shows_colour
from models.train.kinds import Places, fit_with_real
from models.train.origin import read_origins, write_origins
from models.train.recipe import RECIPE, DoneSteps, RecipeStep, run_all
from tests import ROOT
from tests.grids import few
from tests.models.noted_steps import fail_once, note
from vision.faces.calibration import FEATURES, HALF_FEATURES, Calibration
from vision.faces.classifier import NOTHING
from vision.faces.kinds import KINDS, KindHead
from vision.faces.larger_sets import LargerSets
from vision.faces.networks import shipped_models
from vision.models import model_path
from vision.reading import COLOURS

GROUND = 60  # grey level around a face


def crop(body, pip, pips=1):
    """Return a face with a number of square *pips* in a row."""
    out = np.full((SIDE, SIDE, 3), GROUND, np.uint8)
    out[8:-8, 8:-8] = body
    for k in range(pips):
        out[16 + 14 * k : 22 + 14 * k, 29:35] = pip
    return out


@pytest.mark.parametrize("pips", [0, 1, 3])
def test_a_black_face_in_any_light_is_black(pips):
    assert shows_colour(crop(90, 240, pips), COLOURS.index("black"))


def test_a_black_face_that_glares_tells_no_colour():
    assert not shows_colour(crop(200, 250), COLOURS.index("black"))


def test_only_what_is_white_or_clear_may_be_burnt_out():
    names = [name for k, name in enumerate(COLOURS) if shows_colour(crop(245, 20), k)]

    assert names == ["white", "clear"]


@pytest.mark.parametrize("kind", few([one for one, _ in DECOYS], 2), ids=lambda kind: kind.__name__)
def test_print_differs_from_seed_to_seed_and_a_seed_gives_it_again(kind):
    first, again, other = (kind(np.random.default_rng(seed)) for seed in (1, 1, 2))

    assert first.shape == (SKETCH_SIDE, SKETCH_SIDE, 3)
    assert first.dtype == np.float32
    assert 0 <= first.min() < first.max() <= 1
    np.testing.assert_array_equal(first, again)
    assert np.abs(first - other).max() > 0.1


@pytest.mark.parametrize("kinds", [USUAL, PRINTED], ids=["usual", "printed"])
def test_a_table_top_is_of_one_of_the_kinds(kinds):
    top = draw_surface(np.random.default_rng(5), kinds)

    assert top.shape == (SKETCH_SIDE, SKETCH_SIDE, 3)
    assert 0 <= top.min() < top.max() <= 1


def test_a_logo_has_letters_on_its_patch():
    paper = np.full((300, 300, 3), 200, np.uint8)

    prints.logo(np.random.default_rng(3), paper, (60, 80), 120)

    patch = paper[100:180, 70:160].reshape(-1, 3)
    assert len(np.unique(patch, axis=0)) > 2  # its ground, its ink, and between them
    assert (paper[:40] == 200).all()


def test_of_a_table_without_faces_as_many_places_are_learned_to_refuse(tmp_path):
    path = tmp_path / "a.png"
    cv2.imwrite(str(path), np.full((200, 400, 3), 90, np.uint8))
    letter = np.array([(300, 20), (340, 20), (340, 60), (300, 60)], float)

    crops, truth = draw_crops(np.random.default_rng(1), AnnotatedImage(path, (), decoys=(letter,)))

    assert len(crops) == FACES
    assert set(truth[:, 0]) == {NOTHING}


VALUE = FEATURES.index("value")


def halves(count, *, blanks_wrong, seed=3):
    """Return halves that show pips and are right, or are blank and wrong so often."""
    rng = np.random.default_rng(seed)
    features = np.zeros((count, len(HALF_FEATURES)))
    features[:, 0], features[:, VALUE] = 1, rng.normal(4, 1, count)
    features[: count // 2, -1] = 1
    wrong = (features[:, -1] == 1) & (rng.random(count) < blanks_wrong)
    return CheckedHalves(features, ~wrong, rng.integers(FOLDS, size=count))


def test_what_is_shipped_has_a_weight_for_every_feature():
    calibration = Calibration.from_json(json.loads(model_path("calibration.json").read_text()))

    assert len(calibration.right_of_half) == len(HALF_FEATURES)


def test_blank_halves_that_are_often_wrong_are_believed_less():
    confidence = halves(400, blanks_wrong=0.2).left_out()

    assert confidence[:200].mean() == pytest.approx(0.8, abs=0.05)
    assert confidence[200:].min() > 0.95


def test_a_picture_is_judged_by_what_was_fitted_to_the_others():
    """Else a table in which all is wrong would look as well known as the others."""
    checked = halves(400, blanks_wrong=0.0)
    first = checked.fold == 0
    odd = CheckedHalves(checked.inputs, checked.is_right & ~first, checked.fold)

    assert odd.left_out()[first].min() > 0.95


def test_the_others_of_the_calibration_and_the_card_stay(tmp_path, monkeypatch):
    (tmp_path / FILE).write_text(json.dumps(UNSURE.to_json()))
    (tmp_path / "CARD.md").write_text("# The networks\n\n## Doubt\n1\n")
    monkeypatch.setattr(half_calibration, "load_models", lambda _: None)
    monkeypatch.setattr(half_calibration, "look_at", lambda *_: halves(400, blanks_wrong=0.2))

    lines = calibrate_halves(tmp_path, [], [])

    after = Calibration.from_json(json.loads((tmp_path / FILE).read_text()))
    assert after.right_of_half[-1] < 0
    assert (after.real, after.right, after.sure) == (UNSURE.real, UNSURE.right, UNSURE.sure)
    assert (tmp_path / "CARD.md").read_text() == "# The networks\n\n## Doubt\n1\n\n" + "\n".join(
        [*lines, ""]
    )


def test_photos_of_dice_alone_leave_a_line_about_dominoes(tmp_path, monkeypatch):
    """A run on a table of one's own ended here after nine hours."""
    (tmp_path / FILE).write_text(json.dumps(UNSURE.to_json()))
    (tmp_path / "CARD.md").write_text("# The networks\n\n## Doubt\n1\n")
    monkeypatch.setattr(half_calibration, "load_models", lambda _: None)
    look_at = half_calibration.look_at
    drawn = halves(400, blanks_wrong=0)
    monkeypatch.setattr(half_calibration, "drawn_images", lambda folder: [folder])
    monkeypatch.setattr(half_calibration, "look_at", lambda *of: drawn if of[0] else look_at(*of))

    lines = calibrate_halves(tmp_path, [tmp_path], [])

    assert lines[-1] == "There were no photos of dominoes to judge this by."
    none = HalfLooks(np.zeros(0), np.zeros(0, np.bool_))
    assert none.line("photos", LargerSets("", "", (), 0.1)) == "- photos: no halves were there"


def test_a_trial_whose_networks_find_no_larger_halves_goes_on(tmp_path, monkeypatch):
    (tmp_path / "CARD.md").write_text("# The networks\n")
    monkeypatch.setattr(half_calibration, "load_models", lambda _: None)

    lines = fit_larger_sets(tmp_path, [], tmp_path)

    assert lines == [LARGER_SETS, TOO_FEW]
    assert part_of((tmp_path / "CARD.md").read_text(), LARGER_SETS).split("\n")[:2] == lines
    assert not (tmp_path / LARGER_FILE).exists()


@pytest.mark.parametrize("real", [[], [0.99999], [0.5, 0.5]])
def test_where_only_dice_are_in_doubt_the_calibration_alone_tells_them(real):
    """Else each face were a die with a probability of one half; no photo may be held back."""
    count, head = len(real), KindHead(*np.zeros((4, 1)))
    dice, pictures = np.full(count, KINDS.index("die")), np.zeros(count, np.intp)
    places = Places(np.zeros((count, 1), np.float32), dice, np.column_stack([real, real]), pictures)

    assert fit_with_real(head, Places.joined([Places.joined([]), places])) is head.with_real


def test_a_table_tells_what_is_asked_and_what_is_not():
    lines = reliability(
        np.array([0.92, 0.99, 0.99, 0.3]), np.array([True, True, False, False]), 0.9
    )

    assert lines[-1] == "0.0 % of the right ones are asked about, and 1 of 2 wrong ones are not."
    assert "| 0.900–0.950 | 1 | 92.0 % | 100.0 % |" in lines


CARD = ROOT / "models" / "CARD.md"


@pytest.mark.parametrize("heading", OF_OTHERS)
def test_a_part_written_as_it_was_changes_nothing(heading):
    card = CARD.read_text()

    assert part_of(card, heading).startswith(heading)
    assert with_part(card, heading, part_of(card, heading)) == card


def test_parts_stand_below_the_rest_in_one_order_whichever_is_told_first():
    card = with_part("# Networks\n\n## Doubt\n1\n", MARKS, f"{MARKS}\n2")
    card = with_part(card, LARGER_SETS, f"{LARGER_SETS}\n3")

    assert card == f"# Networks\n\n## Doubt\n1\n\n{LARGER_SETS}\n3\n\n{MARKS}\n2\n"
    assert with_part(card, MARKS, f"{MARKS}\n4") == card.replace("2\n", "4\n")


def test_a_set_of_which_no_photo_is_held_back_has_a_line_that_says_so():
    assert summary([], shipped_models().calibration) == "no picture, so nothing was measured"


BEGAN = "ab" * 32


def logged(folder, *rows):
    folder.mkdir(parents=True)
    (folder / "log.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))


def shipped(tmp_path, *names, pictures=()):
    """Return a folder of made-up networks, and one of drawn pictures to learn from."""
    out, var = tmp_path / "models", tmp_path / "var"
    out.mkdir()
    for name in names:
        (out / f"{name}.onnx").write_bytes(name.encode())
    for labels in pictures:
        (var / labels).parent.mkdir(parents=True, exist_ok=True)
        (var / labels).write_text("{}")
    return out, var


def test_the_origin_tells_steps_hours_beginning_and_pictures(tmp_path):
    pictures = "sketch/1.json", "quads/dice-a/1.json"
    out, var = shipped(tmp_path, "detector", "face_classifier", pictures=pictures)
    logged(var / "detector", {"step": 0, "seconds": 0.0, "seed": 5}, {"step": 1, "seconds": 1.0})
    logged(
        var / "face_classifier",
        {"step": 0, "seconds": 0.0, "seed": 7, "from": BEGAN},
        {"step": 50, "seconds": 900.0},
        {"step": 50, "seconds": 1800.0},  # stopped and done again
        {"mixed": 0.5},
    )

    write_origins(out, var)

    detector, origin = (read_origins(out)[name] for name in ("detector", "face_classifier"))
    assert (origin.steps, origin.hours, origin.before, origin.share) == (50, 0.5, BEGAN, 0.5)
    assert origin.pictures == {"sketch": 1, "quads": 1}
    assert detector.seed == 5
    assert detector.pictures == {"sketch": 1}  # and boxes, not quads
    assert origin.line() == (
        "1 sketches, 1 photos with quads that the detector gave; training seed 7"
    )


def test_a_network_that_was_not_trained_again_keeps_its_origin(tmp_path):
    (out, first), then = shipped(tmp_path, "detector", "face_classifier"), tmp_path / "then"
    for name in ("detector", "face_classifier"):
        logged(first / name, {"step": 10, "seconds": 36.0, "seed": 1})
    write_origins(out, first)
    logged(then / "face_classifier", {"step": 99, "seconds": 36.0, "seed": 2})

    write_origins(out, then)

    origins = read_origins(out)
    assert (origins["detector"].steps, origins["face_classifier"].steps) == (10, 99)
    assert (origins["detector"].seed, origins["face_classifier"].seed) == (1, 2)
    assert origins["detector"].before == "nothing"


def test_the_pair_classifier_learns_from_what_was_gathered_for_it_alone(tmp_path):
    pictures = (
        *("layouts/tee/1.json", "pairs/layouts/tee/1.json", "pairs/tile_photos/a/1.json"),
        *(f"pairs/dominoes/row/{number}.json" for number in (1, 2)),
    )
    out, var = shipped(tmp_path, "face_classifier", "pair_classifier", pictures=pictures)
    for name in ("face_classifier", "pair_classifier"):
        logged(var / name, {"step": 10, "seconds": 36.0, "seed": 1})

    write_origins(out, var)

    origins = read_origins(out)
    assert origins["face_classifier"].pictures == {"layouts": 1}
    assert origins["pair_classifier"].pictures == {"layouts": 1, "dominoes": 2, "tile_photos": 1}


def step(name, run, size):
    return RecipeStep(name, run, {"size": size})


def start(folder, share=1.0):
    run_all(argparse.Namespace(photos=folder, var=folder, share=share, threads=0))
    return sorted((folder / "done.txt").read_text().split("\n"))[1:]


def test_steps_of_one_line_have_a_thread_each_and_sizes_their_share(tmp_path, monkeypatch):
    lines = ((step("a", note, 100),), (step("b", note, 30), step("c", note, 1)))
    monkeypatch.setattr(recipe, "RECIPE", lines)

    assert start(tmp_path, share=0.1) == ["1 by 1", "10 by 0", "3 by 1"]
    assert start(tmp_path, share=0.1) == ["1 by 1", "10 by 0", "3 by 1"]


def test_a_run_that_failed_says_which_step_and_goes_on_with_it_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(recipe, "RECIPE", ((step("whole", note, 5), step("broken", fail_once, 7)),))

    with pytest.raises(SystemExit, match="broken"):
        start(tmp_path)
    assert list(DoneSteps(tmp_path / "recipe.jsonl").seconds) == ["whole"]
    assert start(tmp_path) == ["5 by 1", "7 by 0"]


def test_every_step_of_the_recipe_has_a_name_of_its_own():
    names = [step.name for line in RECIPE for step in line]

    assert len(set(names)) == len(names)
