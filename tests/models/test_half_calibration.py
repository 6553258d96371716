"""How far halves of dominoes are believed is fitted to drawn tables, and told with its figures."""

import json

import numpy as np
import pytest

from models.train.calibration import half_calibration
from models.train.calibration.calibrate import FILE, UNSURE
from models.train.calibration.half_calibration import (
    FOLDS,
    CheckedHalves,
    calibrate_halves,
    reliability,
)
from vision.faces.calibration import FEATURES, HALF_FEATURES, Calibration
from vision.models import model_path

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


def test_a_table_tells_what_is_asked_and_what_is_not():
    lines = reliability(
        np.array([0.92, 0.99, 0.99, 0.3]), np.array([True, True, False, False]), 0.9
    )

    assert lines[-1] == "0.0 % of the right ones are asked about, and 1 of 2 wrong ones are not."
    assert "| 0.900–0.950 | 1 | 92.0 % | 100.0 % |" in lines
