"""A sheet of paper with a grid of three by three, printed or drawn by hand."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np

from models.foreign.mesh import Floats
from models.foreign.tops import written
from models.foreign.view import HeldPhone

PX_PER_MM = 5
STYLES = ("plain", "framed", "hash", "double", "dashed", "faint", "wobbly")
WORDS = ("EVEN & ODD", "Tic Tac Toe", "ROUND 1", "3 x 3")
INKS = ((0.02, 0.02, 0.02), (0.02, 0.05, 0.3), (0.35, 0.03, 0.03), (0.12, 0.12, 0.12))


@dataclass(frozen=True, slots=True, eq=False)
class GridPage:
    """The page, around the origin of the table; mm."""

    ink: Floats  # (h, w, 3) light RGB
    size: tuple[float, float]
    cell: float
    yaw: float
    style: str

    def at(self, x: float, y: float) -> Floats:
        """Return where a point of the page, mm from its middle, lies on the table, (2,)."""
        c, s = np.cos(self.yaw), np.sin(self.yaw)
        return np.array([c * x - s * y, s * x + c * y])

    def middle(self, row: int, column: int) -> Floats:
        """Return the middle of a cell; row 0 is the upper one of the page."""
        return self.at((column - 1) * self.cell, (1 - row) * self.cell)

    @property
    def corners(self) -> Floats:
        """Return the grid's outer corners, (4, 3), clockwise from cell (0, 0)."""
        out = 1.5 * self.cell
        spots = ((-out, out), (out, out), (out, -out), (-out, -out))
        return np.array([[*self.at(x, y), 0.15] for x, y in spots])

    def turns(self, phone: HeldPhone) -> int:
        """Return the number of the corner that is the first once row 0 is the upper one there."""
        corners_px = phone.project(self.corners)
        uppers = [corners_px[k][1] + corners_px[(k + 1) % 4][1] for k in range(4)]
        return int(np.argmin(uppers))


def draw_page(rng: np.random.Generator) -> GridPage:
    """Return any page."""
    cell = float(rng.uniform(26, 44))
    size = tuple(float(3 * cell + rng.uniform(16, 70)) for _ in range(2))
    width, height = (round(PX_PER_MM * side) for side in size)
    paper = np.array([1, rng.uniform(0.95, 1), rng.uniform(0.82, 1)]) * rng.uniform(0.65, 0.85)
    sheet = np.broadcast_to(paper, (height, width, 3)).copy()
    style = str(rng.choice(STYLES))
    ink = np.array(INKS[int(rng.integers(len(INKS)))])
    if style == "faint":
        ink = paper * rng.uniform(0.5, 0.75)
    mask = np.zeros((height, width), np.float32)
    _rule(rng, mask, cell * PX_PER_MM, style)
    if rng.random() < 0.3:
        mask = np.maximum(mask, written(str(rng.choice(WORDS)), (20, 28), 0.8, mask.shape))
    sheet += mask[..., None] * (ink - sheet)
    return GridPage(sheet, (size[0], size[1]), cell, float(rng.uniform(0, 2 * np.pi)), style)


def _rule(rng: np.random.Generator, mask: np.ndarray, cell: float, style: str) -> None:
    height, width = mask.shape
    lines = (1, 2) if style == "hash" else (0, 1, 2, 3)
    thick = int(rng.integers(2, 9))
    bend = cell * 0.03 if style == "wobbly" else 0.0
    offsets = (-0.025, 0.025) if style == "double" else (0.0,)
    middle = np.array([width / 2, height / 2])
    for across in (False, True):
        for line in lines:
            for offset in offsets:
                reach = 1.5 + (rng.normal(0, 0.04) if style in ("hash", "wobbly") else 0)
                along = np.linspace(-reach, reach, 60) * cell
                fixed = (line - 1.5 + offset) * cell + bend * np.cumsum(rng.normal(0, 0.35, 60))
                points = np.stack([along, fixed] if across else [fixed, along], axis=1) + middle
                _stroke(mask, points, thick, dashed=style == "dashed")
    if style == "framed":
        lo, hi = middle - 1.6 * cell, middle + 1.6 * cell
        cv2.rectangle(mask, tuple(lo.astype(int)), tuple(hi.astype(int)), 1.0, thick + 4)


def _stroke(mask: np.ndarray, points: Floats, thick: int, *, dashed: bool) -> None:
    spots = np.rint(points).astype(int).tolist()
    for n, (start, end) in enumerate(pairwise(spots)):
        if not dashed or n % 4 < 2:
            cv2.line(mask, start, end, 1.0, thick, cv2.LINE_AA)
