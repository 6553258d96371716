"""How well pieces are read by how far above the table they are seen from is counted rightly."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from models.dataset.folders import drawn_images
from models.measure.elevation import as_text, by_face

FIXTURES = Path(__file__).parents[1] / "fixtures"


def test_every_face_large_enough_counts_by_its_elevation():
    (shot, *_) = drawn_images(FIXTURES / "boards")

    rows = by_face([shot])

    assert len(rows) == len(shot.faces)
    assert ((rows[:, 0] > 30) & (rows[:, 0] <= 90)).all()
    assert rows[:, 1:].all()  # found, and read rightly
    assert len(by_face([shot], least_side=1000)) == 0


def test_the_table_tells_shares_by_elevation_and_leaves_out_those_not_seen():
    text = as_text(np.array([(12, 0, 0), (22, 1, 1), (23, 1, 0), (24, 0, 0), (24.9, 0, 0)]))

    assert [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines()[2:]] == [
        ["10 – 15", "1", "0.0%", "–"],
        ["20 – 25", "4", "50.0%", "50.0%"],
    ]
