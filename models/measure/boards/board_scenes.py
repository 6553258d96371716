"""Printed boards in photographs of real tables, half of their fiducials under hands and dice."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from models.measure.boards.composites import BODIES, CameraShot, Cube, any_shot, composed
from vision.decode import Pixels
from vision.geometry import Floats, Points
from vision.layout import Layout


@dataclass(frozen=True, slots=True, eq=False)
class BoardScene:
    """A photo (h, w, 3) BGR of a printed board, and how it was taken."""

    picture: Pixels
    shot: CameraShot
    places: Floats  # (n, 2) px, of the cells' corners, or the fiducials' where there are none


def board_scene(
    rng: np.random.Generator,
    grounds: list[Path],
    page: tuple[Pixels, Layout],
    px_per_mm: float,
    covered: float,
) -> BoardScene:
    """Return a photo of a printed *page* on one of the *grounds*."""
    picture, layout = page
    shot = any_shot(rng)
    ground = cv2.imread(str(grounds[int(rng.integers(len(grounds)))]))
    markers = np.array([one.corners for one in layout.fiducials])
    cubes, fingers = _hidden(rng, layout, covered)
    shown = markers.reshape(-1, 2)
    made = composed(
        rng, np.asarray(ground, np.uint8), picture, px_per_mm, shot, cubes, fingers, shown
    )
    return BoardScene(made.picture, shot, made.sees(places_of(layout)))


def places_of(layout: Layout) -> Points:
    """Return (n, 2) mm, the corners of a board's cells, or of its fiducials if it has none."""
    shapes = [one.polygon for one in layout.cells] or [one.corners for one in layout.fiducials]
    return np.array(shapes).reshape(-1, 2)


def _hidden(
    rng: np.random.Generator, layout: Layout, covered: float
) -> tuple[list[Cube], list[Points]]:
    """Cover a share of the fiducials: by dice anywhere, and mostly by a hand at one side."""
    count = len(layout.fiducials)
    middles = np.array([np.mean(one.corners, axis=0) for one in layout.fiducials])
    wanted = round(covered * count)
    fingers: list[Points] = []
    run = int(rng.integers(0, wanted // 2 + 1))
    first = int(rng.integers(count))
    hand = [(first + k) % count for k in range(run)]
    centre = middles.mean(axis=0)
    for i in hand:
        away = middles[i] - centre
        inside = middles[i] - 0.12 * away + rng.normal(0, 3, 2)
        fingers.append(np.array([inside, middles[i] + 1.4 * away / np.linalg.norm(away) * 60]))
    others = rng.permutation([i for i in range(count) if i not in hand])[: wanted - run]
    cubes = [
        Cube(
            (float(x), float(y)),
            float(rng.uniform(0, 90)),
            int(rng.integers(1, 7)),
            str(rng.choice(list(BODIES))),
            side=float(rng.uniform(14, 18)),
        )
        for x, y in middles[others] + rng.normal(0, 2, (len(others), 2))
    ]
    return cubes, fingers
