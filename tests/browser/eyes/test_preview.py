"""The eyes of a browser and those of the server: one first pass, stage by stage the same."""

import json

import cv2
import numpy as np
import pytest

from tests import FIXTURES, ROOT
from tests.grids import few
from tests.vision.pictures import TWO_THREE, printed_board
from vision import Look, load, read
from vision.dominoes.scene import Scene
from vision.faces.calibration import calibrated_probs
from vision.faces.candidates import score_candidates
from vision.faces.cut_pieces import cut_at_edge
from vision.faces.kinds import kind_probs
from vision.faces.multiscale import first_pass, is_clear, refine
from vision.faces.networks import shipped_models
from vision.faces.other_objects import has_round_mark, size_of_mark, spread_of_mark
from vision.quad import Quad
from vision.reading import COLOURS
from vision.unread import kinds_on, with_kinds

pytestmark = pytest.mark.browser

BOARDS = FIXTURES / "boards"
SAMPLES = ROOT / "webui" / "static" / "samples"
UNREAD = FIXTURES / "unread"


def farthest_corner(quad, other):
    """Return px between corners of two outlines, whichever corner comes first."""
    turns = (np.roll(other, turn, axis=0) for turn in range(4))
    return min(float(np.abs(turned - quad).max()) for turned in turns)


def tray(path):
    """Draw a red tray that fills the picture, with a counter on it."""
    picture = np.full((400, 480, 3), (60, 90, 120), np.uint8)
    for side, red in ((240, 152), (200, 190)):
        corners = cv2.boxPoints(((240, 200), (side, side), 20)).astype(np.int32)
        cv2.polylines(picture, [corners], True, (32, 32, red), 40, cv2.LINE_AA)
        cv2.fillPoly(picture, [corners], (32, 32, red))
    cv2.circle(picture, (240, 200), 16, (240, 240, 240), -1, cv2.LINE_AA)
    cv2.imwrite(str(path), cv2.GaussianBlur(picture, (7, 7), 0))
    return path


def check_same(found, picture, scored, *, within=1.0):
    """Check that a browser has *found* the faces that the server has on a *picture*.

    Their corners are *within* so many px of the network's input.
    """
    passed = scored.candidates
    shown = np.flatnonzero(scored.shown(shipped_models().calibration))
    assert len(found) == len(shown) > 0
    per_px = passed.scale / picture.scale  # px of the network's input
    for place in shown:
        quad = (passed.detections.quads[place] + 0.5) * picture.scale - 0.5
        near = min(found, key=lambda face: farthest_corner(quad, np.array(face["quad"])))
        assert farthest_corner(quad, np.array(near["quad"])) * per_px < within
        assert near["value"] == scored.values[place]
        assert near["colour"] == COLOURS[int(passed.colour_logits[place].argmax())]
        assert near["confidence"] == pytest.approx(float(scored.confidence[place]), abs=0.05)


@pytest.mark.release
def test_a_browser_reads_what_the_first_pass_of_the_server_reads(eyes, tmp_path):
    models = shipped_models()
    for photo, halves in (
        (BOARDS / "ten.jpg", False),
        (BOARDS / "race-04.jpg", False),
        (SAMPLES / "dice_wide_shut.jpg", False),
        (FIXTURES / "full-set" / "full-set.jpg", True),
    ):
        found = eyes.read(photo, halves=halves)["faces"]

        picture = load(photo)
        passed = first_pass(picture.bgr, models)
        check_same(found, picture, score_candidates(passed, models.calibration, halves=halves))
    found = eyes.read(tray(tmp_path / "tray.png"))

    passed = first_pass(load(tmp_path / "tray.png").bgr, models)
    real, _ = calibrated_probs(passed.detections, passed.logits, passed.size, models.calibration)
    assert real.max() > 0.9  # by the networks alone it is the one of a die
    assert found["faces"] == found["perhaps"] == []


@pytest.mark.release
def test_what_is_not_clear_is_looked_at_again_as_the_server_does(eyes):
    models = shipped_models()
    for photo in (FIXTURES / "translucent" / "translucent-2.jpg", BOARDS / "low.jpg"):
        found = eyes.read(photo, twice=True)["faces"]

        picture = load(photo)
        first = first_pass(picture.bgr, models)
        assert not is_clear(first, models.calibration)
        again = refine(picture.bgr, first, models)
        as_die = score_candidates(again, models.calibration)
        kinds = kinds_on(picture, Scene(again, "dice"), as_die, as_die, models)
        # A place that is a face on one view only just weighs in the mean outline or does not.
        check_same(found, picture, with_kinds(as_die, kinds, models), within=2)


@pytest.mark.release
@pytest.mark.parametrize(
    "photo",
    [FIXTURES / "full-set" / "full-set.jpg", FIXTURES / "contested" / "sketch-700191.jpg"],
)
def test_dominoes_are_joined_as_the_server_joins_them(eyes, photo):
    found = eyes.read(photo, halves=True, twice=True)["tiles"]

    tiles = read(photo, Look("dominoes", loose=True)).tiles
    assert len(found) == len(tiles) > 1
    for tile in tiles:
        near = min(found, key=lambda one: farthest_corner(tile.quad.array, np.array(one["quad"])))
        assert near["confidence"] == pytest.approx(tile.confidence, abs=0.1)
        for half in tile.halves:
            quads = [np.array(one["quad"]) for one in near["halves"]]
            off = [farthest_corner(half.quad.array, quad) for quad in quads]
            assert min(off) < 0.1 * half.quad.side
            assert near["halves"][int(np.argmin(off))]["value"] == half.value


def test_a_browser_knows_what_a_place_shows_as_the_server_does(eyes):
    models, kinds = shipped_models(), set()
    for photo in (UNREAD / "boneyard-000004.jpg", UNREAD / "unread-900192.jpg"):
        bgr = load(photo).bgr
        found = first_pass(bgr, models)

        own = eyes.kinds(photo, found.detections)

        server = kind_probs(bgr, found, models.face_classifier, models.kinds)
        assert np.array(own) == pytest.approx(server, abs=0.05)
        kinds |= set(server.argmax(axis=1).tolist())
    assert len(kinds) > 2


def test_a_browser_sees_what_an_edge_cuts_off_as_the_server_does(eyes, tmp_path):
    """Of ten dice the photo shows ever less, by each of its edges."""
    bgr, models = load(BOARDS / "ten.jpg").bgr, shipped_models()
    verdicts, path = set(), tmp_path / "part.png"
    for turn, left in enumerate((0.8, 0.7, 0.6, 0.5)):
        part = np.ascontiguousarray(np.rot90(bgr[:, : round(left * bgr.shape[1])], turn))
        cv2.imwrite(str(path), part)

        found = eyes.read(path, twice=True)

        quads = np.array([face["quad"] for face in found["faces"]])
        is_cut = cut_at_edge(part, quads, models.edge_classifier)
        assert found["cut"] == is_cut, (turn, left)
        verdicts.add(is_cut)
    assert verdicts == {True, False}


def test_pips_and_numerals_have_the_shapes_that_the_server_sees(eyes):
    crops = np.concatenate([
        first_pass(load(photo).bgr, shipped_models()).crops
        for photo in (BOARDS / "ten.jpg", UNREAD / "unread-900192.jpg")
    ])  # fmt: skip

    shapes = [*zip(*eyes.marks(crops), strict=True)]

    assert shapes[0] == pytest.approx([*map(size_of_mark, crops)], abs=0.01)
    assert shapes[1] == pytest.approx([*map(spread_of_mark, crops)], abs=0.02)
    assert [*shapes[2]] == [*map(has_round_mark, crops)]
    assert {*shapes[2]} == {False, True}


@pytest.mark.parametrize(
    ("photo", "look"),
    [("unread-900036.jpg", Look("dominoes", loose=True)), ("unread-900192.jpg", Look("dice"))],
)
def test_what_has_no_value_is_told_as_the_server_tells_it(eyes, photo, look):
    found = eyes.read(UNREAD / photo, halves=look.kind == "dominoes", twice=True)

    server = read(UNREAD / photo, look)
    assert len(found["unread"]) == len(server.unread) > 1
    assert len(found["faces"]) == len(server.dice)
    assert len(found["perhaps"]) == len(server.missed_candidates)
    for piece in server.unread:
        near = min(
            found["unread"],
            key=lambda one: farthest_corner(piece.quad.array, Quad.around(one["quad"]).array),
        )
        off = farthest_corner(piece.quad.array, Quad.around(near["quad"]).array)
        assert off < 0.1 * piece.quad.side
        assert near["kind"] == piece.kind
        assert near["probability"] == pytest.approx(piece.probability, abs=0.05)


@pytest.mark.parametrize(
    ("rows", "columns", "pips", "loose", "printed"),
    few(
        [(4, 6, (), 0, 24), (3, 4, (), 18, 0), (4, 4, TWO_THREE, 0, 16), (2, 3, TWO_THREE, 0, 0)], 2
    ),
)
def test_the_print_of_a_board_is_no_dominoes_without_a_server_either(
    eyes, tmp_path, rows, columns, pips, loose, printed
):
    cv2.imwrite(str(tmp_path / "board.png"), printed_board(rows, columns, pips, loose).bgr)

    found = eyes.read(tmp_path / "board.png", halves=True, twice=True)

    assert [piece["kind"] for piece in found["unread"]].count("printed") == printed
    assert len(found["tiles"]) == rows * columns - printed


def test_the_networks_of_a_browser_are_the_shipped_files(client, new_match):
    shown = client.get(f"/m/{new_match()['id']}")
    eyes = json.loads(shown.text.split('data-eyes="')[1].split('"')[0].replace("&#34;", '"'))

    files = {"detector": "detector", "classifier": "face_classifier", "pairs": "pair_classifier"}
    for name, file in files.items():
        sent = client.get(eyes[name], headers={"Accept-Encoding": "identity"})
        assert sent.data == (ROOT / "models" / f"{file}.onnx").read_bytes()
    assert client.get(eyes["kinds"]).status_code == 200
    assert "'wasm-unsafe-eval'" in shown.headers["Content-Security-Policy"]
    assert "unsafe" not in client.get("/").headers["Content-Security-Policy"]
    assert client.get("/eyes/000000000000/detector.onnx").status_code == 404
