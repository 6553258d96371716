"""How near the finder's places are to the truth is counted rightly."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from models.dataset.folders import drawn_images
from models.measure.nearness import as_text, nearness
from vision.finder import CHANNELS


def test_a_finder_that_sees_nothing_misses_every_face_in_every_view():
    (shot, *_) = drawn_images(Path(__file__).parents[1] / "fixtures" / "rendered")

    def blind(picture):
        return np.full((1, CHANNELS, *(side // 4 for side in picture.shape[2:])), -9, np.float32)

    rows = nearness([shot], blind)

    assert len(rows) > 0
    assert np.isnan(rows[:, 1:]).all()


def test_the_table_tells_px_and_shares_by_size_and_leaves_out_sizes_not_seen():
    text = as_text(np.array([(20, 0.1, 0.8), (20, np.nan, np.nan), (50, 0.02, 0.9)]))

    assert text.splitlines()[2:] == [
        "| 18 – 22 | 2 | 50.0% | 2.00 | 0.100 | 0.100 | 0.800 |",
        "| 45 – 60 | 1 | 0.0% | 1.00 | 0.020 | 0.020 | 0.900 |",
    ]
