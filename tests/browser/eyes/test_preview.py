"""The eyes of a browser and those of the server: one first pass, stage by stage the same."""

import json

import cv2
import numpy as np
import pytest

from tests import ROOT
from tests.browser.preview import BrowserEyes
from vision import load
from vision.faces.calibration import calibrated_probs
from vision.faces.candidates import score_candidates
from vision.faces.multiscale import first_pass
from vision.faces.networks import shipped_models
from vision.reading import COLOURS

pytestmark = pytest.mark.browser

BOARDS = ROOT / "fixtures" / "boards"
SAMPLES = ROOT / "webui" / "static" / "samples"


@pytest.fixture
def eyes(opened, server):
    """Return the eyes on the page of a match."""
    eyes = BrowserEyes.on(opened(server.match("farkle", "Ada", "Ben")["url"], eyes=True))
    yield eyes
    eyes.close()


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


@pytest.mark.release
def test_a_browser_reads_what_the_first_pass_of_the_server_reads(eyes, tmp_path):
    models = shipped_models()
    for photo, halves in (
        (BOARDS / "ten.jpg", False),
        (BOARDS / "race-04.jpg", False),
        (SAMPLES / "dice_wide_shut.jpg", False),
        (ROOT / "fixtures" / "full-set" / "full-set.jpg", True),
    ):
        found = eyes.read(photo, halves=halves)["faces"]

        picture = load(photo)
        passed = first_pass(picture.bgr, models)
        scored = score_candidates(passed, models.calibration, halves=halves)
        shown = np.flatnonzero(scored.shown(models.calibration))
        assert len(found) == len(shown) > 0
        per_px = scored.candidates.scale / picture.scale  # px of the network's input
        for place in shown:
            quad = (scored.candidates.detections.quads[place] + 0.5) * picture.scale - 0.5
            near = min(found, key=lambda face: farthest_corner(quad, np.array(face["quad"])))
            assert farthest_corner(quad, np.array(near["quad"])) * per_px < 1
            assert near["value"] == scored.values[place]
            assert near["colour"] == COLOURS[int(scored.candidates.colour_logits[place].argmax())]
            assert near["confidence"] == pytest.approx(float(scored.confidence[place]), abs=0.05)
    found = eyes.read(tray(tmp_path / "tray.png"))

    passed = first_pass(load(tmp_path / "tray.png").bgr, models)
    real, _ = calibrated_probs(passed.detections, passed.logits, passed.size, models.calibration)
    assert real.max() > 0.9  # by the networks alone it is the one of a die
    assert found["faces"] == found["perhaps"] == []


def test_the_networks_of_a_browser_are_the_shipped_files(client, new_match):
    shown = client.get(f"/m/{new_match()['id']}")
    eyes = json.loads(shown.text.split('data-eyes="')[1].split('"')[0].replace("&#34;", '"'))

    for name, file in (("detector", "detector"), ("classifier", "face_classifier")):
        sent = client.get(eyes[name], headers={"Accept-Encoding": "identity"})
        assert sent.data == (ROOT / "models" / f"{file}.onnx").read_bytes()
    assert "'wasm-unsafe-eval'" in shown.headers["Content-Security-Policy"]
    assert "unsafe" not in client.get("/").headers["Content-Security-Policy"]
    assert client.get("/eyes/000000000000/detector.onnx").status_code == 404
