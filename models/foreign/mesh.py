"""Meshes for the other renderer, and the phone that sees them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.camera import axes_of

Floats = NDArray[np.float64]

FINE, COARSE = 0.22, 0.6  # mm between vertices of a face with pips, and of a bare one
EDGE = 0.15  # mm over which ink fades into the body
# The normal of each face and the two directions along it; u × v = normal.
FACES = {
    "top": ((0, 0, 1), (1, 0, 0), (0, 1, 0)),
    "bottom": ((0, 0, -1), (0, 1, 0), (1, 0, 0)),
    "east": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "west": ((-1, 0, 0), (0, 0, 1), (0, 1, 0)),
    "north": ((0, 1, 0), (0, 0, 1), (1, 0, 0)),
    "south": ((0, -1, 0), (1, 0, 0), (0, 0, 1)),
}
SPOTS: dict[int, tuple[tuple[float, float], ...]] = {
    0: (),
    1: ((0, 0),),
    2: ((-1, 1), (1, -1)),
    3: ((-1, 1), (0, 0), (1, -1)),
    4: ((-1, 1), (1, 1), (-1, -1), (1, -1)),
    5: ((-1, 1), (1, 1), (0, 0), (-1, -1), (1, -1)),
    6: ((-1, 1), (-1, 0), (-1, -1), (1, 1), (1, 0), (1, -1)),
}
LEVEL = SPOTS | {2: ((-1, 0), (1, 0)), 3: ((-1, 0), (0, 0), (1, 0))}  # side by side


@dataclass(frozen=True, slots=True)
class Drilled:
    """Pips at (n, 2) mm from a face's middle, and perhaps a bar across; lengths in mm."""

    pips: Floats
    radius: float
    depth: float
    bar: float = 0.0  # half its length
    bar_width: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """Vertices with normals and colours, (n, 3) each, and triangles, (m, 3)."""

    vertices: Floats
    normals: Floats
    colours: Floats
    triangles: NDArray[np.uint32]

    def placed(self, at: Floats, yaw: float) -> Mesh:
        """Return it turned about the upright axis by *yaw* radians, then moved by *at*, mm."""
        c, s = np.cos(yaw), np.sin(yaw)
        turn = np.array([[c, s, 0], [-s, c, 0], [0, 0, 1.0]])
        return Mesh(self.vertices @ turn + at, self.normals @ turn, self.colours, self.triangles)


def spots(value: int, spread: float, *, level: bool = False) -> Floats:
    """Return where the pips of a value lie on a square face, (n, 2) mm; *spread* to the outer."""
    return np.array((LEVEL if level else SPOTS)[value], np.float64).reshape(-1, 2) * spread


def rounded_box(
    half: Floats, radius: float, drilled: dict[str, Drilled], body: Floats, ink: Floats
) -> Mesh:
    """Return a box around the origin, *half* its sides (3,) mm, with some of its faces drilled.

    *body* and *ink* are light RGB of its stuff and of what its pips are painted with.
    """
    parts = [
        _face(half, radius, np.array(FACES[name], np.float64), drilled.get(name), body, ink)
        for name in FACES
    ]
    return joined(parts)


def joined(parts: Sequence[Mesh]) -> Mesh:
    """Return several meshes as one."""
    counts = np.cumsum([0, *(len(part.vertices) for part in parts)])
    triangles = [part.triangles + start for part, start in zip(parts, counts[:-1], strict=True)]
    return Mesh(
        np.concatenate([part.vertices for part in parts]),
        np.concatenate([part.normals for part in parts]),
        np.concatenate([part.colours for part in parts]),
        np.concatenate(triangles).astype(np.uint32),
    )


def _face(
    half: Floats, radius: float, axes: Floats, drilled: Drilled | None, body: Floats, ink: Floats
) -> Mesh:
    normal, along, across = axes
    step = FINE if drilled else COARSE
    width, height = np.abs(along) @ half, np.abs(across) @ half
    u, v = np.meshgrid(_steps(width, step), _steps(height, step))
    plane = u[..., None] * along + v[..., None] * across + normal * (np.abs(normal) @ half)
    inner = np.clip(plane, -(half - radius), half - radius)
    outward = plane - inner
    outward /= np.linalg.norm(outward, axis=-1, keepdims=True)
    surface = inner + radius * outward
    colours = np.broadcast_to(body, surface.shape).copy()
    if drilled:
        sunk, inked = _drill(u, v, drilled)
        surface -= sunk[..., None] * normal
        colours += inked[..., None] * (ink - body)
        outward = np.cross(np.gradient(surface, axis=1), np.gradient(surface, axis=0))
        outward /= np.linalg.norm(outward, axis=-1, keepdims=True)
    rows, columns = u.shape
    corner = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    triangles = np.concatenate([
        np.stack([corner, corner + 1, corner + columns + 1], axis=1),
        np.stack([corner, corner + columns + 1, corner + columns], axis=1),
    ])  # fmt: skip
    return Mesh(
        surface.reshape(-1, 3), outward.reshape(-1, 3), colours.reshape(-1, 3),
        triangles.astype(np.uint32),
    )  # fmt: skip


def _steps(half: float, step: float) -> Floats:
    return np.linspace(-half, half, max(8, round(2 * half / step)) + 1)


def _drill(u: Floats, v: Floats, drilled: Drilled) -> tuple[Floats, Floats]:
    """Return how deep, mm, and how far inked, 0 to 1, each vertex of a face is."""
    sunk, inked = np.zeros_like(u), np.zeros_like(u)
    for x, y in drilled.pips:
        away = np.hypot(u - x, v - y)
        sunk = np.maximum(sunk, drilled.depth * (1 - (away / drilled.radius) ** 2))
        inked = np.maximum(inked, (drilled.radius - away) / EDGE)
    if drilled.bar:
        within = np.minimum(drilled.bar_width / 2 - np.abs(u), drilled.bar - np.abs(v))
        sunk = np.where(within > 0, np.maximum(sunk, drilled.depth / 2), sunk)
        inked = np.maximum(inked, within / EDGE)
    return sunk, np.clip(inked, 0, 1)


SIZE = (880, 660)  # px
RISE = (30.0, 90.0)  # degrees above the table
ACROSS = (45.0, 68.0)  # degrees of the longer side
FILLS = (0.65, 0.93)  # of the picture


@dataclass(frozen=True, slots=True, eq=False)
class HeldPhone:
    """A camera without distortion; mm."""

    eye: Floats  # (3,)
    axes: Floats  # (3, 3) right, down, forward
    focal: float  # px
    size: tuple[int, int]  # width, height, px

    def project(self, points: Floats) -> Floats:
        """Return (…, 3) mm as (…, 2) px; (0, 0) is the middle of the first pixel."""
        in_camera = (points - self.eye) @ self.axes.T
        return self.focal * in_camera[..., :2] / in_camera[..., 2:] + np.array(self.size) / 2 - 0.5


def held(rng: np.random.Generator, corners: Floats, rise: tuple[float, float] = RISE) -> HeldPhone:
    """Return a phone that sees all *corners*, (n, 3) mm, from anywhere around."""
    size = SIZE if rng.random() < 0.6 else SIZE[::-1]
    up, turn = np.radians(rng.uniform(*rise)), rng.uniform(0, 2 * np.pi)
    focal = max(size) / 2 / np.tan(np.radians(rng.uniform(*ACROSS)) / 2)
    axes = axes_of(up, turn, rng.normal(0, 0.08))
    forward = axes[2]
    middle, fills, away = corners.mean(axis=0), rng.uniform(*FILLS), 120.0
    while True:
        phone = HeldPhone(middle - away * forward, axes, float(focal), size)
        off = np.abs(phone.project(corners) / (np.array(size) / 2) - 1)
        if ((corners - phone.eye) @ forward > 20).all() and off.max() < fills:
            return phone
        away *= 1.04
