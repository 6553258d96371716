"""What training takes for true: whose box a place belongs to, printed cells, changed photos."""

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from models import augment
from models.dataset.annotation import UNKNOWN, AnnotatedFace, AnnotatedImage, match_faces
from models.dataset.folders import drawn_images, is_held_back
from models.textures.surfaces import tinted as tinted_texture
from models.train.calibration.calibrate import (
    ASKS,
    SILENT,
    UNSURE,
    Checked,
    Looks,
    calibrate,
    summary,
    varied,
)
from models.train.crops import NOT_UP, draw_crops, other_quads, truth_of
from models.train.edges import UNKNOWN as UNSAID
from models.train.edges import draw_strips, truth_along
from models.train.quads import write_mistakes, write_quads
from tests.vision.faces.test_detector import found_of, scores_for, turned
from tests.vision.fake_eyes import candidates_of, classifier_of
from vision.faces.calibration import Calibration
from vision.faces.candidates import score_candidates
from vision.faces.classifier import ASIDE, NOTHING, SIDE


def test_a_tinted_table_keeps_what_is_on_it():
    plain = np.full((SIDE, SIDE, 3), 0.5, np.float32)
    plain[:8] = 0.6

    tinted = tinted_texture(plain, np.array([0.7, 0.4, 0.3]))

    np.testing.assert_allclose(tinted.mean(axis=(0, 1)), (0.7, 0.4, 0.3), atol=1e-3)
    np.testing.assert_allclose(tinted[0] - tinted[-1], 0.1, atol=1e-3)


def box(x0, y0, x1, y1, value=5):
    return AnnotatedFace(np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], float), value)


def shot(path, *faces):
    return AnnotatedImage(path, faces, is_photo=True)


def test_of_neighbours_each_keeps_its_own_box(tmp_path):
    dice = shot(tmp_path, box(0, 0, 100, 100), box(90, 0, 190, 100))

    pairs = match_faces(dice.faces, np.array([(95.0, 50.0), (55.0, 50.0)]), np.array([0.9, 0.95]))

    assert pairs == {0: 1, 1: 0}


def test_cells_of_a_printed_board_are_places_to_refuse(tmp_path):
    cv2.imwrite(str(tmp_path / "a.jpg"), np.zeros((200, 300, 3), np.uint8))
    corners = [[10, 20], [250, 20], [250, 180], [10, 180]]
    board = {"name": "grid:2x3", "corners": corners}
    labels = {"file": "a.jpg", "width": 300, "height": 200, "dice": [], "board": board}
    (tmp_path / "a.json").write_text(json.dumps(labels))

    (picture,) = drawn_images(tmp_path)

    assert len(picture.decoys) == 6
    assert picture.decoys[0] == pytest.approx(np.array([(10, 20), (90, 20), (90, 100), (10, 100)]))
    assert picture.decoys[5][2] == pytest.approx((250, 180))


@pytest.mark.parametrize("kind", [".", "heap"])  # a folder of pictures, or of kinds of them
def test_what_the_detector_takes_for_a_face_is_a_place_to_refuse_unless_it_is_one(tmp_path, kind):
    folder = tmp_path / kind
    folder.mkdir(exist_ok=True)
    cv2.imwrite(str(folder / "a.jpg"), np.zeros((160, 160, 3), np.uint8))
    face = {"quad": turned(0, 20, at=(40, 40)).tolist(), "value": 3, "color": "red"}
    labels = {"file": "a.jpg", "width": 160, "height": 160, "dice": [face]}
    (folder / "a.json").write_text(json.dumps(labels))
    quads = [turned(0, 20, at=(40, 40)), turned(0, 20, at=(120, 100))]

    def detector(blob):
        grown = blob.shape[2] / 160
        return scores_for([quad * grown for quad in quads], (blob.shape[2] // 4,) * 2)[None]

    assert write_mistakes(tmp_path, detector, 10).endswith("1 mistakes on 1 pictures")
    (picture,) = drawn_images(folder)

    assert len(picture.faces) == 1
    assert [quad.mean(axis=0) for quad in picture.decoys] == [pytest.approx((120, 100), abs=2)]


DIE = box(100, 60, 140, 100)  # its upper face
FRONT = box(100, 102, 140, 140).quad
TABLE = box(300, 20, 340, 60).quad


@pytest.mark.parametrize(
    ("sides", "front"), [((FRONT,), ASIDE), ((), NOTHING), (None, NOT_UP)], ids=str
)
def test_a_side_is_learned_as_one_where_it_is_known_to_be_one(tmp_path, sides, front):
    picture = AnnotatedImage(tmp_path, (DIE,), sides=sides)

    assert truth_of(FRONT, picture) == front
    assert truth_of(FRONT * 0.999, picture) == front  # as a detector would give it
    assert truth_of(TABLE, picture) == NOTHING


def test_crops_show_faces_with_their_values_and_places_to_refuse(tmp_path):
    path = tmp_path / "a.png"
    cv2.imwrite(str(path), np.full((200, 400, 3), 90, np.uint8))
    picture = AnnotatedImage(path, (DIE,), sides=(FRONT,), decoys=(TABLE,))

    drawn = [draw_crops(np.random.default_rng(seed), picture) for seed in range(20)]

    assert all(crops.shape == (len(truth), SIDE, SIDE, 3) for crops, truth in drawn)
    assert all(truth[0].tolist() == [DIE.value, UNKNOWN] for _, truth in drawn)
    assert {int(kind) for _, truth in drawn for kind in truth[1:, 0]} >= {ASIDE, NOTHING}


def test_no_upper_face_is_among_the_places_to_refuse(tmp_path):
    picture = AnnotatedImage(tmp_path, (DIE,), sides=(FRONT, DIE.quad), decoys=(DIE.quad,))
    rng = np.random.default_rng(3)

    quads = [quad for _ in range(30) for quad in other_quads(rng, picture, (400, 200), 3)]

    assert len(quads) > 60
    assert all(np.abs(quad - DIE.quad).max() > 5 for quad in quads)


def test_sheen_makes_parts_brighter_and_no_part_darker():
    plain = np.full((SIDE, SIDE, 3), 60, np.uint8)

    for seed in range(20):
        shone = augment.sheen(np.random.default_rng(seed), plain).astype(int)

        assert shone.shape == plain.shape
        assert shone.min() == 60


def test_smear_takes_grain_away_and_leaves_every_pip():
    face = np.full((SIDE, SIDE, 3), 150, np.uint8)
    for x, y in ((18, 18), (32, 32), (46, 46)):
        cv2.circle(face, (x, y), 6, (40, 40, 40), -1)

    smeared = np.array([augment.smear(np.random.default_rng(k), face) for k in range(40)]).astype(
        int
    )
    pips = smeared[:, [18, 32, 46], [18, 32, 46]]
    neighbours = np.abs(np.diff(smeared[:, 2:10, 30:62], axis=2)).mean(axis=(1, 2, 3))

    assert pips.max() < 110
    assert 0.5 < np.median(neighbours) < 3  # 5 to 20 of as much grain as it adds


def test_a_dull_patch_fades_pips_but_leaves_each_of_them_to_be_seen():
    face = np.full((SIDE, SIDE, 3), 200, np.uint8)
    for x, y in ((18, 18), (32, 32), (46, 46)):
        cv2.circle(face, (x, y), 5, (20, 20, 20), -1)

    dulled = np.array([augment.dull(np.random.default_rng(seed), face) for seed in range(40)])
    depths = 200 - dulled[:, [18, 32, 46], [18, 32, 46], 0].astype(int)

    assert dulled.max() <= 201
    assert depths.min() >= 0.2 * 180
    assert (depths.min(axis=1) < 0.7 * 180).sum() >= 5
    assert (depths.max(axis=1) > 0.9 * 180).all()


def test_a_repainted_face_keeps_its_pips_and_its_colour_has_no_word(tmp_path):
    path = tmp_path / "a.png"
    picture = np.full((200, 400, 3), (60, 60, 60), np.uint8)
    picture[60:100, 100:140] = (30, 40, 200)
    picture[74:86, 114:126] = (240, 240, 240)
    cv2.imwrite(str(path), picture)
    red = AnnotatedFace(DIE.quad, 1, "red")

    die = AnnotatedImage(path, (red,))

    drawn = [draw_crops(np.random.default_rng(seed), die) for seed in range(80)]
    named = np.array([truth[0, 1] == red.colour_index for _, truth in drawn])
    reds = np.array([crops[0, 16:22, 16:22].astype(int).mean(axis=(0, 1)) for crops, _ in drawn])

    assert all(truth[0, 0] == 1 for _, truth in drawn)
    assert 0.6 < named.mean() < 0.95
    assert (reds[named, 2] > reds[named, :2].max(axis=1)).mean() > 0.95
    assert (reds[~named, 2] > reds[~named, :2].max(axis=1)).mean() < 0.7


def test_quads_lead_to_their_photos_wherever_training_is_started_from(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    photos = Path("photos")
    name = next(f"{n}.png" for n in range(99) if not is_held_back(f"{n}.png"))
    own = photos / "own"
    (own / "images").mkdir(parents=True)
    die = {"box": [40, 40, 80, 80], "value": 5, "color": None}
    labels = {"images": [{"file": name, "dice": [die]}]}
    (own / "labels.json").write_text(json.dumps(labels))
    cv2.imwrite(str(own / "images" / name), np.zeros((120, 160, 3), np.uint8))

    def detector(blob):
        grown = blob.shape[3] / 160
        quads = [turned(0, 24 / 2, at=(56, 54)) * grown, turned(0, 10 / 2, at=(74, 74)) * grown]
        return scores_for(quads, (blob.shape[2] // 4, blob.shape[3] // 4))[None]

    report = write_quads(photos, detector, classifier_of(5, 9), Path("quads"))
    (picture,) = drawn_images(Path("quads") / "own")

    assert report.startswith("own: 1 of 1 boxes")
    assert [face.value for face in picture.faces] == [5]
    assert picture.sides is None  # what else lies in the box may be one
    # This detector knows of no mirror, so in the mirrored view it sees a face far from the box too.
    assert [quad.mean(axis=0) for quad in picture.decoys] == [
        pytest.approx((103, 54), abs=2),
        pytest.approx((74, 74), abs=2),
    ]


def test_a_changed_photo_keeps_its_truth_on_its_pieces(tmp_path):
    """Whatever is done to a photo, the bright square stays inside its box."""
    picture = np.full((200, 320, 3), 40, np.uint8)
    picture[60:100, 30:70] = 255
    cv2.imwrite(str(tmp_path / "a.png"), picture)
    photo = shot(tmp_path / "a.png", box(30, 60, 69, 99))
    sizes = set()

    for seed in range(12):
        bgr, changed = varied(np.random.default_rng(seed), photo)
        (x0, y0), (x1, y1) = (
            edge(changed.faces[0].quad, axis=0).astype(int) for edge in (np.min, np.max)
        )
        sizes.add(bgr.shape)
        inside, outside = bgr[y0 + 4 : y1 - 4, x0 + 4 : x1 - 4], np.delete(bgr, slice(x0, x1), 1)
        assert inside.mean() > outside.mean() + 50

    assert len(sizes) == 12


def test_a_changed_photo_of_a_tile_knows_where_its_other_halves_are(tmp_path):
    cv2.imwrite(str(tmp_path / "a.png"), np.full((300, 400, 3), 90, np.uint8))
    left, right = box(160, 120, 200, 160, 2), box(200, 120, 240, 160, 5)
    tile = [replace(left, partner=(220.0, 140.0)), replace(right, partner=(180.0, 140.0))]
    image = shot(tmp_path / "a.png", *tile)

    varied_faces = [varied(np.random.default_rng(seed), image)[1].faces for seed in range(12)]

    whole = [faces for faces in varied_faces if len(faces) == 2]
    assert whole
    for half, other in whole:
        assert half.partner == pytest.approx(other.middle, abs=1e-6)
        assert other.partner == pytest.approx(half.middle, abs=1e-6)


def picture_with(confidence, *, right=True, dark=False):
    """Return a picture with one place that the detector believes so far, a three or no face."""
    raw = candidates_of(found_of([turned(0, 20, at=(50, 50))], [confidence]))
    raw.crops[:, SIDE // 2 :] = 30 if dark else 240
    raw.logits[:, 3] = 0.1
    yes, no = np.ones(1, np.bool_), np.zeros(1, np.bool_)
    there = yes if right else no
    checked = Checked(raw, there, there, no, yes, 0)
    return Looks(checked, checked)


def test_doubt_promises_as_many_faces_as_there_are():
    """The detector says 0.6 where 95 of 100 places are faces, and 0.3 where 2 of 100 are."""
    likely = [picture_with(0.6, right=k >= 5) for k in range(100)]
    unlikely = [picture_with(0.3, right=k < 2) for k in range(100)]

    calibration = calibrate(likely + unlikely, [1.0] * 200)

    assert score_candidates(likely[0].refined.candidates, calibration).real[0] == pytest.approx(
        0.95, abs=0.01
    )
    assert score_candidates(unlikely[0].refined.candidates, calibration).real[0] == pytest.approx(
        0.02, abs=0.01
    )


def test_a_person_is_asked_where_a_silent_error_would_cost_more_than_the_question():
    calibration = calibrate([picture_with(0.6), picture_with(0.3, right=False)], [1.0, 1.0])
    wrong = 1 - calibration.sure

    assert calibration.missed >= wrong
    assert wrong / SILENT == pytest.approx((1 - wrong) / ASKS, rel=0.01)


def test_a_glance_that_seems_clear_and_is_wrong_counts_as_wrong():
    """What a second look would have found is of no use where none is taken."""
    fooled = Looks(picture_with(0.9, right=False).first_pass, picture_with(0.9).refined)

    report = summary([fooled], believing_the_detector())

    assert "0.0 % of the pictures whole, 0.0 % of these ask, 100.0 % of all wrong" in report


def believing_the_detector():
    weights = (0.0, 1.0, *[0.0] * (len(UNSURE.real) - 2))
    return Calibration(weights, (9.0, *[0.0] * (len(UNSURE.right) - 1)), 0.5, 0.2, 0.8)


@pytest.mark.parametrize(
    ("picture", "whole", "asking", "silent"),
    [
        (picture_with(0.9), 100, 0, 0),
        (picture_with(0.7), 100, 100, 0),
        (picture_with(0.9, dark=True), 100, 100, 0),
        (picture_with(0.9, right=False), 0, 0, 100),
        (picture_with(0.7, right=False), 0, 0, 0),
        (picture_with(0.3, right=False), 100, 100, 0),
        (picture_with(0.1, right=False), 100, 0, 0),
    ],
)
def test_a_summary_tells_questions_from_silence(picture, whole, asking, silent):
    report = summary([picture], believing_the_detector())

    assert f"{whole:.1f} % of the pictures whole, {asking:.1f} % of these ask" in report
    assert f"{silent:.1f} % of all wrong without asking" in report


ALONG = np.arange(5.0, 100, 10)  # px, places on an edge


@pytest.mark.parametrize(
    ("at", "middle"), [(100, 0), (101, UNSAID), (106, 1), (130, 1), (139, UNSAID), (142, 0)]
)
def test_a_piece_is_cut_off_where_the_edge_leaves_a_part_of_it(at, middle):
    die = box(100, 30, 140, 70).quad
    truth = truth_along(at, ALONG, die[None], np.zeros((0, 4, 2)))

    assert truth[4] == truth[5] == middle  # 45 and 55 px: the middle of the die
    assert not truth[[0, 1, 8, 9]].any()


def test_what_is_unknown_is_neither_a_cut_piece_nor_none():
    truth = truth_along(120, ALONG, np.zeros((0, 4, 2)), box(100, 30, 140, 70).quad[None])

    assert set(truth[3:7]) == {UNSAID}


def test_strips_across_a_die_show_it_where_their_truth_says(tmp_path):
    """A bright die on a dark ground: where it is cut off the strip's last pixels are bright."""
    picture = np.random.default_rng(0).integers(0, 60, (400, 400, 3)).astype(np.uint8)
    picture[180:220, 180:220] = 255
    cv2.imwrite(str(tmp_path / "a.png"), picture)
    photo = shot(tmp_path / "a.png", box(180, 180, 219, 219))
    strips = [one for seed in range(6) for one in draw_strips(np.random.default_rng(seed), photo)]
    cut = [strip[:, -1, :3].reshape(-1, 12).mean(axis=1)[truth == 1] for strip, truth in strips]

    assert np.concatenate(cut).min() > 100
