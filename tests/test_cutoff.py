"""Faces are cut off by the edge of a smaller photo, and what becomes of them is counted."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from models.dataset.folders import drawn_images
from models.measure.cutoff import CUTS, as_text, by_face

FIXTURES = Path(__file__).parents[1] / "fixtures"


def test_every_sure_face_is_cut_off_by_so_much():
    (shot, *_) = drawn_images(FIXTURES / "boards")

    rows = by_face([shot])

    assert 0 < len(rows) <= len(shot.faces) * len(CUTS)
    assert ((rows[:, 0] > 0.1) & (rows[:, 0] < 1)).all()
    assert rows[:, 1].mean() > 0.8  # most are found again
    assert rows[rows[:, 1] > 0, 2].mean() > 0.8


def test_the_table_tells_what_is_left_whole():
    rows = np.array([(-1, 0, 0, 0), (0.45, 1, 1, 0.99), (0.49, 1, 0, 0.99), (0.9, 1, 1, 0.5)])

    text = as_text(rows)

    assert [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines()[2:]] == [
        ["0% – 40%", "1", "0.0%", "–", "0", "0"],
        ["40% – 50%", "2", "100.0%", "50.0%", "2", "1"],
        ["80% – 100%", "1", "100.0%", "100.0%", "0", "0"],
    ]


def test_pictures_without_faces_give_an_empty_table():
    assert by_face([]).shape == (0, 4)
    assert len(as_text(by_face([])).splitlines()) == 2
