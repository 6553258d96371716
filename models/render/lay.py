"""How pieces come to lie: strewn, touching, on cells, in chains, blocks and heaps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from models.render.arrays import Floats
from models.render.solid import Solid
from models.render.toys import DIE, Toy

Random = np.random.Generator
TRIES = 40
SAME_TOP = 0.05  # mm
COCKED = 0.012  # of all dice
HIGHEST = 2  # level; a higher tower would not stand
Place = Callable[[], tuple[float, float]]


@dataclass(frozen=True, slots=True, eq=False)
class Laid:
    """One piece as it lies; its footprint is an upright box."""

    toy: Toy
    at: tuple[float, float]  # mm
    floor: float  # mm
    yaw: float  # radians
    turn: Floats  # (3, 3) that brings the wanted side up, before the yaw
    level: int = 0
    cell: tuple[int, int] | None = None

    @property
    def half(self) -> Floats:
        """Return half the sides of its upright box, mm."""
        size = np.abs(self.turn) @ np.array(self.toy.solid.half)
        if self.toy.rise is not None:
            size[2] = self.toy.rise
        return np.asarray(size, np.float64)

    @property
    def top(self) -> float:
        """Return how high it reaches, mm."""
        return self.floor + 2 * float(self.half[2])

    def rotation(self) -> Floats:
        """Return its axes as columns."""
        return spin(self.yaw) @ self.turn

    def centre(self) -> Floats:
        """Return its middle, mm."""
        return np.array([*self.at, self.floor + self.half[2]])

    def solid(self) -> Solid:
        """Return it for the tracer."""
        x, y, z = (float(c) for c in self.centre())
        return replace(self.toy.solid, centre=(x, y, z), turn=self.rotation())


def spin(angle: float) -> Floats:
    """Return the turn about the upright axis."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])


def side_up(side: int) -> Floats:
    """Return the turn that brings a side of a box up."""
    turn = np.roll(np.eye(3), side // 2 - 2, axis=1)
    return np.diag([1.0, -1.0, -1.0]) @ turn if side % 2 else turn


def pose(rng: Random, toy: Toy) -> Floats:
    """Choose which side is up; now and then a die stands on an edge, leaning."""
    if toy.rests_on is not None:
        return toy.rests_on
    if toy.kind != DIE:
        return np.eye(3)
    turn = side_up(int(rng.integers(6)))
    if rng.random() > COCKED:
        return turn
    lean = np.deg2rad(rng.uniform(8, 40))
    c, s = np.cos(lean), np.sin(lean)
    return np.asarray(np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]) @ turn, np.float64)


def overlap(a: Laid, b: Laid, gap: float) -> bool:
    """Say whether two footprints are nearer than a gap, mm: no axis parts the two boxes."""
    step = np.array(b.at) - np.array(a.at)
    frames = [spin(piece.yaw)[:2, :2] for piece in (a, b)]
    halves = [piece.half[:2] for piece in (a, b)]
    if np.hypot(*step) > np.hypot(*halves[0]) + np.hypot(*halves[1]) + gap:
        return False
    for frame in frames:
        for axis in frame.T:
            spans = [np.abs(f.T @ axis) @ h for f, h in zip(frames, halves, strict=True)]
            if abs(step @ axis) > sum(spans) + gap:
                return False
    return True


def _carries(below: Laid, at: tuple[float, float]) -> bool:
    """Say whether the middle of a piece that lies there is over a lower one."""
    off = spin(below.yaw)[:2, :2].T @ (np.array(at) - np.array(below.at))
    return bool((np.abs(off) < 0.8 * below.half[:2]).all())


def settle(piece: Laid, placed: Sequence[Laid], gap: float, *, stack: bool) -> Laid | None:
    """Return the piece where it comes to rest, or None where it would tip or is not wanted."""
    under = [other for other in placed if overlap(piece, other, gap)]
    if not under:
        return piece
    if not stack:
        return None
    floor = max(other.top for other in under)
    carriers = [o for o in under if o.top > floor - SAME_TOP and _carries(o, piece.at)]
    if not carriers or any(c.toy.kind == "decoy" for c in carriers):
        return None
    level = 1 + max(c.level for c in carriers)
    return replace(piece, floor=floor, level=level) if level <= HIGHEST else None


def strew(
    rng: Random, toys: Sequence[Toy], place: Place, placed: list[Laid], *, stack: bool, near: bool
) -> None:
    """Lay pieces where *place* says, one after another, at rest; some close to others."""
    base = rng.uniform(0, 2 * np.pi)
    for toy in toys:
        turn = pose(rng, toy)
        for _ in range(TRIES):
            yaw = float(rng.uniform(0, 2 * np.pi))
            x, y = place()
            piece = Laid(toy, (x, y), 0.0, yaw, turn)
            if near and placed and rng.random() < 0.8:
                if rng.random() < 0.5:
                    piece = replace(piece, yaw=base + np.pi / 2 * float(rng.integers(4)))
                piece = _beside(rng, piece, placed[int(rng.integers(len(placed)))])
            if stack and placed and rng.random() < 0.45:
                below = placed[int(rng.integers(len(placed)))]
                off = rng.normal(0, 0.35, 2) * below.half[:2]
                at = (float(below.at[0] + off[0]), float(below.at[1] + off[1]))
                piece = replace(piece, at=at)
            rest = settle(piece, placed, 0.05, stack=stack)
            if rest is not None:
                placed.append(rest)
                break


def _beside(rng: Random, piece: Laid, other: Laid) -> Laid:
    """Move a piece until it touches another, or nearly."""
    angle = float(rng.uniform(0, 2 * np.pi))
    if rng.random() < 0.5:
        angle = other.yaw + np.pi / 2 * float(rng.integers(4))
        piece = replace(piece, yaw=other.yaw)
    way = np.array([np.cos(angle), np.sin(angle)])
    near, far = 0.0, float(np.hypot(*piece.half[:2]) + np.hypot(*other.half[:2]))
    for _ in range(12):
        middle = (near + far) / 2
        x, y = np.array(other.at) + middle * way
        moved = replace(piece, at=(float(x), float(y)))
        near, far = (middle, far) if overlap(moved, other, 0.0) else (near, middle)
    x, y = np.array(other.at) + (far + rng.exponential(0.04) * piece.half[1] + 0.1) * way
    return replace(piece, at=(float(x), float(y)))


def fill_cells(
    rng: Random,
    toys: Sequence[Toy],
    cells: Sequence[tuple[int, int]],
    centre: Callable[[int, int], tuple[float, float]],
    cell: float,
    placed: list[Laid],
) -> None:
    """Put one piece on each cell, a little off its middle and turned, as hands do."""
    straight = rng.random() < 0.5
    for toy, (row, column) in zip(toys, cells, strict=False):
        yaw = float(np.deg2rad(rng.normal(0, 9)) if straight else rng.uniform(0, 2 * np.pi))
        piece = Laid(toy, (0.0, 0.0), 0.0, yaw, pose(rng, toy), 0, (row, column))
        corner = np.abs(spin(yaw)[:2, :2]) @ piece.half[:2]
        dx, dy = rng.uniform(-0.8, 0.8, 2) * np.maximum(cell / 2 - corner, 0)
        x, y = centre(row, column)
        piece = replace(piece, at=(float(x + dx), float(y + dy)))
        if settle(piece, placed, 0.02, stack=False) is not None:
            placed.append(piece)


def chain(rng: Random, tiles: Sequence[Toy], placed: list[Laid]) -> None:
    """Lay dominoes end to end with turns, doubles across, as in play."""
    heading = float(rng.uniform(0, 2 * np.pi))
    x, y = 0.0, 0.0
    gap = float(rng.exponential(0.4))
    for tile in tiles:
        double = tile.faces and tile.faces[0].value == tile.faces[1].value
        across = bool(double) and rng.random() < 0.7
        for _ in range(4):
            half = tile.solid.half[1] if across else tile.solid.half[0]
            way = np.array([np.cos(heading), np.sin(heading)])
            at = np.array([x, y]) + way * (half + gap)
            yaw = heading + (np.pi / 2 if across else 0) + float(rng.normal(0, 0.03))
            flip = np.pi * float(rng.integers(2))
            piece = Laid(tile, (float(at[0]), float(at[1])), 0.0, yaw + flip, np.eye(3))
            if settle(piece, placed, -0.4, stack=False) is not None:
                placed.append(piece)
                x, y = at + way * half
                break
            heading += np.pi / 2 * float(rng.choice([-1, 1]))
        if rng.random() < 0.2:
            side = float(rng.choice([-1, 1]))
            turn = np.array([np.cos(heading), np.sin(heading)])
            x, y = np.array([x, y]) + turn * tile.solid.half[1]
            heading += side * np.pi / 2
            turn = np.array([np.cos(heading), np.sin(heading)])
            x, y = np.array([x, y]) + turn * tile.solid.half[1]


def block(rng: Random, toys: Sequence[Toy], placed: list[Laid], gap: float) -> None:
    """Lay pieces in rows and columns, touching or apart, all turned alike."""
    if not toys:
        return
    base = float(rng.uniform(0, 2 * np.pi))
    columns = max(1, round(float(np.sqrt(len(toys)) * rng.uniform(0.6, 1.6))))
    size = np.max([toy.solid.half for toy in toys], axis=0)[:2] * 2 + gap
    rows = -(-len(toys) // columns)
    for k, toy in enumerate(toys):
        row, column = divmod(k, columns)
        step = (np.array([column, row]) - np.array([columns - 1, rows - 1]) / 2) * size
        off = spin(base)[:2, :2] @ (step + rng.normal(0, 0.15 * gap + 0.02, 2))
        flip = np.pi / (1 if toy.kind != DIE else 2) * float(rng.integers(4))
        yaw = base + flip + float(rng.normal(0, 0.015))
        piece = Laid(toy, (float(off[0]), float(off[1])), 0.0, yaw, pose(rng, toy))
        if settle(piece, placed, -0.5, stack=False) is not None:
            placed.append(piece)
