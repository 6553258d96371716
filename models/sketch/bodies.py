"""The tables that the raycaster reads: bodies, their pips, lights and lamps, a number a column.

A die is a box with round edges, perhaps cut by a ball; a domino is a flat one; a sweet is a box
that is all edge. Faces are numbered +x -x +y -y +z -z.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Columns of the (n, BODY) table of boxes.
BODY = 35
AT, TURN, HALF, ROUND, BALL, COLOUR, SECOND = 0, 3, 12, 15, 16, 17, 20
SWIRL, GLOSS, CLEAR, SEED, BAR, GRAIN = 23, 24, 25, 26, 27, 28
BAR_COLOUR = 29  # 3 columns
WAVE, RIPPLE, DIRT = 32, 33, 34  # tilt of a wavy polish, its waves a unit; share of dirt
# Columns of the (m, PIP) table of pips, sorted by box.
PIP = 12
OWNER, FACE, PU, PV, RADIUS, INK, DEPTH, RING = 0, 1, 2, 3, 4, 5, 8, 9
# Columns of the (k, LIGHT) table of lights: direction to it, colour, what reaches its shadow.
LIGHT_COLOUR, IN_SHADOW = 3, 6
# Columns of the (k, LAMP) table of lamps, level over the table: middle, half width and depth.
LAMP = 8
LAMP_HALF, LAMP_ROUND, LAMP_SOFT, LAMP_BRIGHT = 3, 5, 6, 7  # round or not; share of its edge


class Bodies(NamedTuple):
    """The pieces on the table."""

    rows: Floats  # (n, BODY)
    pips: Floats  # (m, PIP)
    first: NDArray[np.int64]  # (n + 1,) rows of pips a body


class Pinhole(NamedTuple):
    """A camera."""

    eye: Floats  # (3,) place of the lens
    axes: Floats  # (3, 3) rows right, down, forward
    focal: float  # px
    middle: Floats  # (2,) px


class Lighting(NamedTuple):
    """The lights on the table, and the reflections in polish."""

    lights: Floats  # (k, LIGHT)
    lamps: Floats  # (j, LAMP) what polished bodies mirror; light comes from *lights* alone
    ambient: Floats  # (3,) light from everywhere
    sky: Floats  # (3,) what a mirror shows
