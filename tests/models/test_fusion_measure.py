"""The measure of what fusing frames does: frames of one photo, judged once and fused."""

from __future__ import annotations

import numpy as np
import pytest

from models.dataset.annotation import Dataset
from models.dataset.folders import drawn_images
from models.measure.watch import fusion
from tests import FIXTURES
from vision import Look, load

LAYOUTS = FIXTURES / "layouts" / "single"


@pytest.fixture(scope="module")
def drawn() -> Dataset:
    image = drawn_images(LAYOUTS)[0]
    return Dataset("single", Look("dominoes"), (image,), synthetic=True)


def test_frames_show_one_photo_and_no_two_are_alike(drawn):
    photo = load(drawn.images[0].path)

    first, second = (one.bgr for one, _ in zip(fusion.frames(photo, _rng()), "12", strict=False))

    assert (first != second).mean() > 0.5
    assert np.abs(first.astype(float) - second).mean() < 12


def test_a_photo_is_judged_by_one_look_and_by_all_fused(drawn):
    (pair,) = fusion.measure(drawn)

    truths = [sum(m.truth is not None for m in v.matches) for v in (pair.once, pair.fused)]
    assert truths == [len(drawn.images[0].tiles or ())] * 2
    assert any(match.is_right for match in pair.fused.matches)


def _rng():
    return np.random.default_rng(1)
