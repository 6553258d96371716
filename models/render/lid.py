"""The box whose lid is the board: what it is made of and the grid printed on it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.render.image import blur
from models.render.materials import STOCKS
from models.render.solid import Colour, Solid
from models.textures.noise import Grain, spectral_noise
from models.textures.texture import SIDE, Material, Picture, as_picture

CELLS = 3
INKS: dict[str, tuple[Colour, ...]] = {  # what shows on which stock
    "cardboard": ((0.02, 0.02, 0.022), (0.10, 0.03, 0.16), (0.02, 0.05, 0.16)),
    "wood": ((0.025, 0.018, 0.015), (0.03, 0.025, 0.02)),
    "purple": ((0.74, 0.70, 0.62), (0.62, 0.48, 0.20), (0.60, 0.52, 0.72)),
}


@dataclass(frozen=True, slots=True, eq=False)
class Lid:
    """A closed box, its lid's middle over the origin, its sides along x and y."""

    cell: float  # mm, side of a cell
    side: float  # mm, side of the lid
    height: float  # mm, of the lid above the table
    stock: Material
    print_: Material  # the lid seen from above, once over its whole side

    @property
    def grid(self) -> NDArray[np.float64]:
        """Return the grid's corners on the lid, (4, 3) mm, clockwise from far left."""
        half = CELLS * self.cell / 2
        corners = [(-half, half), (half, half), (half, -half), (-half, -half)]
        return np.array([(x, y, self.height) for x, y in corners])

    def cell_centre(self, row: int, column: int) -> tuple[float, float]:
        """Return the middle of a cell, mm; row 0 is far from the camera, column 0 left."""
        return (column - 1) * self.cell, (1 - row) * self.cell


def draw_lid(rng: np.random.Generator, stock_name: str, cell: float) -> Lid:
    """Choose a box for cells of this size and print the grid on its lid."""
    stock = STOCKS[stock_name](rng)
    side = CELLS * cell + 2 * rng.uniform(4, 16)
    inks = INKS[stock_name]
    printed = _print(rng, stock, side, cell, inks[rng.integers(len(inks))])
    picture = np.ascontiguousarray(np.rot90(printed, int(rng.integers(4))))
    top = Material(picture, side, stock.roughness)
    return Lid(cell, side, float(rng.uniform(14, 48)), stock, top)


def _print(
    rng: np.random.Generator, stock: Material, side: float, cell: float, ink: Colour
) -> Picture:
    """Return the stock, cut to the lid's size, with the grid and a frame printed on it."""
    scale = SIDE / side  # px a mm
    width = int(SIDE * min(1.0, side / stock.span))
    paper = cv2.resize(stock.picture[:width, :width], (SIDE, SIDE))
    cover = _lines(rng, scale, cell)
    # Ink never covers evenly: a little of the paper shows through, more where it is worn.
    worn = np.clip(
        0.95 + 0.03 * spectral_noise(rng, 6) - 0.06 * np.clip(spectral_noise(rng, 90), 0, 3), 0, 1
    )
    cover = (cover * worn)[..., None]
    picture = paper * (1 - cover) + np.array(ink) * cover
    return _rub_edges(rng, as_picture(picture), scale)


def _lines(rng: np.random.Generator, scale: float, cell: float) -> Grain:
    """Return where ink lies, (SIDE, SIDE) in [0, 1]: the grid, perhaps a frame around it."""
    cover = np.zeros((SIDE, SIDE), np.float32)
    thick = max(2, round(float(rng.uniform(0.6, 2.2)) * scale))
    middle, half = SIDE / 2, CELLS * cell * scale / 2
    low, high = middle - half, middle + half
    for k in range(CELLS + 1):
        at = low + k * cell * scale
        for start, end in (((low, at), (high, at)), ((at, low), (at, high))):
            ends = [tuple(round(16 * value) for value in point) for point in (start, end)]
            cv2.line(cover, ends[0], ends[1], (1.0,), thick, cv2.LINE_8, shift=4)
    if rng.random() < 0.5:
        gap = min(low * 0.55, 3.5 * scale)
        a, b = round(low - gap), round(high + gap)
        cv2.rectangle(cover, (a, a), (b, b), (1.0,), max(2, round(0.4 * scale)))
    return blur(cover, 0.9)


def _rub_edges(rng: np.random.Generator, picture: Picture, scale: float) -> Picture:
    """Lighten the lid's rim as years in a cupboard do."""
    from_rim = np.minimum(np.arange(SIDE), np.arange(SIDE)[::-1]) / scale  # mm
    rim = np.minimum(from_rim[:, None], from_rim[None, :])
    depth = rng.uniform(0.15, 0.6) * (
        1 + 0.5 * spectral_noise(rng, 14) + 0.6 * spectral_noise(rng, 160)
    )
    rubbed = 0.3 * np.clip(1 - rim / np.maximum(depth, 0.1), 0, 1)[..., None]
    return as_picture(picture * (1 - rubbed) + 0.5 * rubbed)


def box(lid: Lid) -> list[Solid]:
    """Return the box as solids: the lid's cap and, a little narrower, the base below it."""
    half, cap = lid.side / 2, min(0.6 * lid.height, 22.0)
    upright = np.eye(3)
    lower = Solid(
        centre=(0, 0, (lid.height - cap) / 2),
        turn=upright,
        half=(half - 0.9, half - 0.9, (lid.height - cap) / 2 + 0.5),
        edge=0.4,
        roughness=lid.stock.roughness,
        body=(0.85, 0.85, 0.85),
        top=lid.stock,
        side=lid.stock,
    )
    upper = Solid(
        centre=(0, 0, lid.height - cap / 2),
        turn=upright,
        half=(half, half, cap / 2),
        edge=0.8,
        roughness=lid.stock.roughness,
        top=lid.print_,
        side=lid.stock,
    )
    return [lower, upper]
