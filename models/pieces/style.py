"""How the pieces of one set are made, sketched or traced: edges, pips, inks, polish."""

from __future__ import annotations

from dataclasses import dataclass

from models.pieces.palette import Floats, Random
from models.textures.colour import from_hsv

UNTURNED = 20.0  # halves of a side; the ball of a die whose corners are not turned round
RED_FOUR = 0.7  # of the sets with a red one


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceStyle:
    """How the dice or dominoes of one set are made. Lengths are in halves of a face's side."""

    side: float  # of a face: about 1
    edge: float  # radius of the rounded edges
    ball: float = UNTURNED  # radius of the sphere that the corners are turned to
    pip: float  # radius
    lone: float  # radius of a single pip
    spread: float  # from the middle of a face to its outer pips, along each side
    narrow: float = 1.0  # of the columns of a six
    depth: float = 0.0  # of hollow pips, how steep they are; 0 is printed
    ring: float = 0.0  # share of a pip's radius that is bare in its middle
    asian: bool = False  # red one and four
    level: bool = False  # the pips of a two lie side by side, not on a diagonal
    rainbow: bool = False  # every value has its colour
    gloss: float = 0.0
    wave: float = 0.0  # tilt of its polish where that is not flat
    ripple: float = 1.0  # waves of it a face
    dirt: float = 0.0

    @property
    def half(self) -> float:
        """Return half the side of a face."""
        return self.side / 2


def draw_inks(rng: Random, style: PieceStyle, ink: Floats, most: int) -> dict[int, Floats]:
    """Return the ink, light RGB, of the pips of each value.

    Args:
        rng: random numbers.
        style: of the set.
        ink: of most of its pips.
        most: the largest value.
    """
    inks = dict.fromkeys(range(most + 1), ink)
    red = from_hsv(rng.uniform(-4, 4), rng.uniform(0.8, 1), rng.uniform(0.6, 0.9))
    if style.asian:
        inks |= {1: red, 4: red if rng.random() < RED_FOUR else ink}
    if style.rainbow:
        hue = rng.uniform(0, 180)
        inks = {n: from_hsv(hue + 26 * n, rng.uniform(0.6, 1), rng.uniform(0.3, 0.8)) for n in inks}
    return inks
