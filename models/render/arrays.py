"""The scene as the compiled code reads it: plain arrays. Lengths in mm, colours linear RGB.

Faces are numbered +x -x +y -y +z -z; a pip lies at (u, v) on its face, u and v along the
two axes that follow the face's own in the order x y z x y.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

FACES, MOST_PIPS, MOST_PARTS = 6, 19, 21
PART = 9  # numbers that tell a bone: two ends, two radii, whether a nail is on it; a plane has 7
BOX, POLYHEDRON, HAND, DISC = 0, 1, 2, 3
NUMERALS = 5  # numerals of a polyhedron stand in 5 rows and 5 columns of their picture


# Columns of the table of forms: a solid a row, in its own axes with the origin at its centre.
KIND, CENTRE, TURN, HALF = 0, 1, 4, 13  # TURN: 9 columns, row by row; HALF: of the box it fits in
EDGE, BALL = 16, 17  # radius of the rounded edges; of the sphere a box is cut with
DEPTH, RING = 18, 19  # of pips, 0 is printed; share of a pip's radius that is bare in its middle
BAR = 20  # half width, half length and depth of a domino's bar on +z
PARTS, PIPS = 23, 24  # how many parts; how many pips on each of six faces
FORM = 30
# Columns of the table of skins. Reflectances are linear RGB in [0, 1].
BODY, SECOND = 0, 3  # the other colour of a marbled, speckled or grained body
GRAIN, SHARP = 6, 9  # grains a mm along each axis, 0 plain; contrast between the two colours
BAR_INK = 10
ROUGH, SHINE = 13, 14  # 0.1 polished to 1 matt; mirrored from above: 0.04 plastic, 0.6 metal
CLEAR = 15  # share of the light that enters and goes through
TILT, BUMPS, CREASE = 16, 17, 18  # of the normal; bumps a mm; how sharp some of them are
TOP_PICTURE, SIDE_PICTURE = 19, 20  # on +z, or with a polyhedron's numerals; on the rest; -1 none
SKIN = 21


class Forms(NamedTuple):
    """The shapes and places of n solids. Few arrays: each one costs at every compiled call."""

    rows: Floats  # (n, FORM)
    parts: Floats  # (n, 21, 9): a plane's normal and offset, or a bone: two ends, radii, has a nail
    pips: Floats  # (n, 6, 19, 3): u, v, radius


class Skins(NamedTuple):
    """The surfaces of n solids."""

    rows: Floats  # (n, SKIN)
    inks: Floats  # (n, 6, 19, 3) inside the pips
    pictures: NDArray[np.float32]  # (m, side, side, 3)
    spans: Floats  # (m, 2): mm a picture covers before it repeats; the finer one on it, -1 none


class Lights(NamedTuple):
    """Rectangular lamps and the room around the table."""

    centres: Floats  # (l, 3)
    across: Floats  # (l, 3) half of one side
    along: Floats  # (l, 3) half of the other
    glow: Floats  # (l, 3) radiance
    room: Floats  # (h, w, 3) radiance: rows from straight up to straight down


class Lens(NamedTuple):
    """A camera; a pinhole where the aperture is 0."""

    eye: Floats  # (3,)
    axes: Floats  # (3, 3) rows: right, down, forward
    focal: float  # px
    aperture: float = 0.0  # radius
    focus: float = 1.0  # distance that is sharp
