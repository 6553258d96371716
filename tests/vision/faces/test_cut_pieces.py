"""A piece of which only a part is on the photo is not left out without a word."""

import json

import cv2
import numpy as np
import pytest

import vision
from tests import FIXTURES, ROOT
from vision.warnings import CUT
from webui import cli

SAMPLES = ROOT / "webui" / "static" / "samples"


@pytest.fixture(params=["sum", "farkle"])
def cut(request, tmp_path):
    """Return a photo of dice, and the same without 65 % of the die at its right edge."""
    photo = SAMPLES / f"{request.param}.jpg"
    whole = vision.read(photo, "dice")
    last = max((die.quad.array[:, 0] for die in whole.dice), key=np.max)
    bgr = cv2.imread(str(photo))
    cv2.imwrite(
        str(made := tmp_path / "cut.png"), bgr[:, : round(last.min() + 0.35 * np.ptp(last))]
    )
    return whole, made


def test_a_die_cut_off_by_the_edge_is_said_though_the_others_are_read(cut, capsys):
    whole, photo = cut

    assert CUT not in whole.warnings
    assert cli.main(["score", "sum", "--json", str(photo)]) == 0

    answer = json.loads(capsys.readouterr().out)
    assert len(answer["pieces"]) == len(whole.dice) - 1
    assert CUT in answer["warnings"]


def test_a_ninth_of_a_die_at_the_edge_is_said():
    photo = FIXTURES / "rendered" / "table-001001.jpg"  # 11 % of its top are on it

    assert CUT in vision.read(photo, "dice").warnings
