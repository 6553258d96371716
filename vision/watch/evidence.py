"""Evidence from one frame of a camera: motion, hands, and the reading.

Points are px of the frame. `Sway` maps them to the table: px of the first frame, where objects on
the surface keep their places although the camera or the surface moves.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Complexes
from vision.quad import Point, Quad
from vision.reading import Face, Reading


@dataclass(frozen=True, slots=True)
class Sway:
    """An affine map of the plane: z to turn · z + skew · z̄ + shift, in complex numbers."""

    turn: complex = 1.0
    shift: complex = 0.0
    skew: complex = 0.0

    def apply(self, z: Complexes) -> Complexes:
        """Map points."""
        return np.asarray(self.turn * z + self.skew * np.conj(z) + self.shift, np.complex128)

    def then(self, other: Sway) -> Sway:
        """Return this map followed by *other*."""
        turn, skew, shift = complex(self.turn), complex(self.skew), complex(self.shift)
        return Sway(
            other.turn * turn + other.skew * skew.conjugate(),
            other.turn * shift + other.skew * shift.conjugate() + other.shift,
            other.turn * skew + other.skew * turn.conjugate(),
        )

    def inverse(self) -> Sway:
        """Return the inverse map."""
        turn, skew, shift = complex(self.turn), complex(self.skew), complex(self.shift)
        size = abs(turn) ** 2 - abs(skew) ** 2
        back, across = turn.conjugate() / size, -skew / size
        return Sway(back, -(back * shift + across * shift.conjugate()), across)

    @classmethod
    def from_matrix(cls, matrix: NDArray[np.float64]) -> Sway:
        """Return the map of a (2, 3) affine matrix."""
        (a, b, x), (c, d, y) = matrix.tolist()
        return cls(complex(a + d, c - b) / 2, complex(x, y), complex(a - d, c + b) / 2)

    @property
    def matrix(self) -> NDArray[np.float64]:
        """Return the (2, 3) affine matrix."""
        p, q, t = complex(self.turn), complex(self.skew), complex(self.shift)
        return np.array([
            [p.real + q.real, q.imag - p.imag, t.real],
            [p.imag + q.imag, p.real - q.real, t.imag],
        ])  # fmt: skip


STILL = Sway()


@dataclass(frozen=True, slots=True)
class Piece:
    """A die, or a tile with its two halves."""

    quad: Quad
    faces: tuple[Face, ...]

    @property
    def values(self) -> tuple[int, ...]:
        """Return its value, or the values of a tile's halves, the smaller first."""
        return tuple(sorted(face.value for face in self.faces))

    @property
    def sure(self) -> bool:
        """Return True if none of its values is doubtful."""
        return all(face.sure for face in self.faces)


@dataclass(frozen=True, slots=True)
class FrameReading:
    """What was read on one frame."""

    pieces: tuple[Piece, ...]
    missed: tuple[Quad, ...] = ()  # places of further pieces that may have been missed
    thorough: bool = False  # read like a photo; other frames get the first pass only


@dataclass(frozen=True, slots=True)
class Evidence:
    """One frame. `moving` and `hand` are the middles of blocks of the frame, `block` px wide."""

    number: int  # of the frame in its source, from 0
    time_s: float
    unseen_s: float | None = None  # time without a look before it; None: since the last frame
    repeat: bool = False  # identical to the frame before
    sway: Sway = STILL
    moving: tuple[Point, ...] = ()  # changed since the frame before
    hand: tuple[Point, ...] = ()  # unlike the bare surface, and connected to the frame's edge
    strange: tuple[Quad, ...] = ()  # unlike the bare surface, apart from the edge, and not read
    block: float = 16.0
    size: tuple[int, int] = (1280, 960)  # width and height of the frame
    reading: FrameReading | None = None  # None: the frame was not read
    # Corners on the table of places of pieces that look like the bare surface.
    bare: tuple[tuple[complex, ...], ...] = ()


def frame_reading(reading: Reading, *, thorough: bool = False) -> FrameReading:
    """Return dice and tiles as pieces."""
    dice = (Piece(die.quad, (die,)) for die in reading.dice)
    tiles = (Piece(tile.quad, tile.halves) for tile in reading.tiles)
    return FrameReading((*dice, *tiles), reading.missed_candidates, thorough)


def as_complex(points: object) -> Complexes:
    """Return (n, 2) points as n complex numbers."""
    xy = np.asarray(points, np.float64).reshape(-1, 2)
    return np.asarray(xy[:, 0] + 1j * xy[:, 1], np.complex128)
