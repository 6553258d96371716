"""What one frame of a camera tells: what moves, what is in the way, and what the eyes read.

Points are px of the frame. `Sway` takes them to the table: px of the first frame, in which what
lies on the surface keeps its place however the camera or the surface swings.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Point, Quad
from vision.reading import Face, Reading

Complexes = NDArray[np.complex128]  # points of a plane, x + iy


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
        """Return the map back."""
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
        """Return what it shows, the smaller half of a tile first."""
        return tuple(sorted(face.value for face in self.faces))

    @property
    def sure(self) -> bool:
        """Say whether nobody need be asked about its values."""
        return all(face.sure for face in self.faces)


@dataclass(frozen=True, slots=True)
class FrameReading:
    """What the eyes read on one frame."""

    pieces: tuple[Piece, ...]
    missed: tuple[Quad, ...] = ()  # where a piece may lie that is not among them
    thorough: bool = False  # read as a photo is, where a frame gets the first pass alone


@dataclass(frozen=True, slots=True)
class Evidence:
    """One frame. `moving` and `hand` are the middles of blocks of the frame, `block` px wide."""

    number: int  # of the frame in its source, from 0
    time_s: float
    repeat: bool = False  # exactly the frame before once more
    sway: Sway = STILL
    moving: tuple[Point, ...] = ()  # changed since the frame before
    hand: tuple[Point, ...] = ()  # unlike the bare surface, and joined to the frame's edge
    strange: tuple[Quad, ...] = ()  # unlike the bare surface, and lying free: what no look reads
    block: float = 16.0
    size: tuple[int, int] = (1280, 960)  # width and height of the frame
    reading: FrameReading | None = None  # None: the eyes did not look
    # Corners on the table, as they were asked about, of places that look as the bare surface does.
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
