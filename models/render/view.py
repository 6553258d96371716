"""How a phone is held over a table: near or far, from straight above to nearly level."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from models.render.camera import Camera, Points

Random = np.random.Generator
WIDE = 640  # px; as many of a picture show what counts as seen across, however wide it is
SIZES = ((640, 480), (640, 480), (640, 640), (640, 360), (480, 640), (480, 640), (360, 640))
NEAREST = (75.0, 140.0)  # mm; closer a phone cannot focus, so the picture is cut from a larger one
SOFTEST = 2.2  # px either way; few paths a pixel would show more as noise
INSIDE = 0.1  # of the picture, all around, where people have no piece if they can help it
FRONT = 30.0  # degrees either way from which a printed board is looked at
Steepness = tuple[
    tuple[float, float, float], ...
]  # from and to, degrees above the table; probability
STEEP: Steepness = ((8.0, 25.0, 0.05), (22.0, 45.0, 0.17), (40.0, 75.0, 0.42), (70.0, 90.0, 0.36))
LOW: Steepness = ((10.0, 40.0, 1.0),)  # from where somebody sits


def draw_face(rng: Random) -> float:
    """Choose how many px a face is wide: mostly 28 to 110, now and then 12 or 600."""
    kind = rng.random()
    low, high = (28, 110) if kind < 0.86 else (100, 600) if kind < 0.96 else (12, 28)
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def hold(
    rng: Random, side: float, face: float, *, from_front: bool, steep: Steepness = STEEP
) -> Camera:
    """Hold the phone so that a face of so many mm at the origin is about so many px wide."""
    width, height = SIZES[int(rng.integers(len(SIZES)))]
    focal = WIDE * float(rng.uniform(0.75, 1.7))
    distance = focal * side / face
    nearest = float(rng.uniform(*NEAREST))
    if distance < nearest:
        focal, distance = focal * nearest / distance, nearest
    low, high, _ = steep[int(rng.choice(len(steep), p=[probs for *_, probs in steep]))]
    rise = np.deg2rad(rng.uniform(low, high))
    turn = np.deg2rad(rng.uniform(-FRONT, FRONT) if from_front else rng.uniform(0, 360))
    back = np.array([np.cos(rise) * np.sin(turn), -np.cos(rise) * np.cos(turn), np.sin(rise)])
    far = np.array([-np.sin(turn), np.cos(turn), 0.0])
    right = np.cross(far, np.array([0, 0, 1.0]))
    down = np.cross(-back, right)
    roll = np.deg2rad(rng.normal(0, 6))
    c, s = np.cos(roll), np.sin(roll)
    axes = np.stack([c * right + s * down, c * down - s * right, -back])
    off = rng.uniform(-0.12, 0.12, 2) * np.array([width, height]) * distance / focal
    eye = distance * back + off[0] * axes[0] + off[1] * axes[1]
    camera = Camera(eye, axes, focal, width, height)
    sharp = distance * float(rng.normal(1, 0.015))
    return replace(
        camera, aperture=min(float(rng.uniform(0.2, 1.7)), _widest(camera, sharp)), focus=sharp
    )


def _widest(camera: Camera, sharp: float) -> float:
    """Return the radius of a lens, mm, that spreads no point of the table by more than SOFTEST."""
    spread = 1e-9
    for y in (0.0, 0.35 * camera.height, camera.height - 1.0):
        spot = camera.on_table((camera.width / 2, y))
        if spot is not None:
            depth = float(camera.depth(np.array([[*spot, 0.0]]))[0])
            spread = max(spread, abs(1 / sharp - 1 / depth) * camera.focal)
    return SOFTEST / spread


def in_sight(camera: Camera, points: Points, margin: float) -> bool:
    """Say whether all points (n, 3) mm are in the picture, or off it by no more than a margin.

    Args:
        camera: the phone.
        points: (n, 3) mm.
        margin: share of the picture's width and height.
    """
    if (camera.depth(points) < 5.0).any():
        return False
    px = camera.project(points)
    size = np.array([camera.width, camera.height])
    return bool(((px > -margin * size) & (px < (1 + margin) * size)).all())


def framed(rng: Random, camera: Camera, points: Points, smallest: float) -> Camera:
    """Slide the phone over the table, and draw it back, until it sees all points if it may.

    Args:
        rng: how far off the middle they then are.
        camera: the phone.
        points: (n, 3) mm, what is to be seen.
        smallest: share of their size that things may be left with, further away.
    """
    middle = points.mean(axis=0)
    spot = camera.on_table((camera.width / 2 - 0.5, camera.height / 2 - 0.5))
    if spot is None:
        return camera
    off = rng.uniform(-0.1, 0.1, 2) * np.ptp(points[:, :2], axis=0)
    slide = np.append(middle[:2] - spot + off, 0.0)
    moved = replace(camera, eye=camera.eye + slide)
    away = 1.0
    while away * smallest < 1 and not in_sight(moved, points, -INSIDE):
        away *= 1.08
        eye = camera.eye + slide - (away - 1) * camera.focus * camera.axes[2]
        moved = replace(camera, eye=eye, focus=away * camera.focus)
    return moved
