"""The light of an evening or a day: lamps over the table and the room around it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from models.render.arrays import Lights

ROWS, COLUMNS = 24, 48  # of the room's picture: windows and corners need no more
WARM, NEUTRAL, COLD = (1.0, 0.74, 0.46), (1.0, 0.93, 0.84), (0.86, 0.95, 1.0)


@dataclass(frozen=True, slots=True)
class Lamp:
    """A rectangle that shines on the table's middle."""

    azimuth: float  # degrees
    elevation: float  # degrees
    distance: float  # mm
    half: tuple[float, float]  # mm
    colour: tuple[float, float, float]
    strength: float  # light on a surface that faces it at the table's middle; 1 is usual


def draw_lamps(rng: np.random.Generator) -> tuple[Lamp, ...]:
    """Choose a main lamp and perhaps a window or a second lamp."""
    hard = rng.random() < 0.45
    half = float(rng.uniform(25, 60) if hard else rng.uniform(120, 320))
    colour = (WARM, NEUTRAL, NEUTRAL, COLD)[rng.integers(4)]
    main = Lamp(
        azimuth=float(rng.uniform(0, 360)),
        elevation=float(rng.uniform(42, 82)),
        distance=float(rng.uniform(900, 1500)),
        half=(half, half * float(rng.uniform(0.6, 1.6))),
        colour=colour,
        strength=1.0,
    )
    if rng.random() < 0.35:
        return (main,)
    window = Lamp(
        azimuth=main.azimuth + float(rng.uniform(70, 290)),
        elevation=float(rng.uniform(20, 50)),
        distance=1800.0,
        half=(float(rng.uniform(250, 500)), float(rng.uniform(300, 600))),
        colour=(NEUTRAL, COLD)[rng.integers(2)],
        strength=float(rng.uniform(0.15, 0.6)),
    )
    return main, window


def draw_evening(rng: np.random.Generator) -> tuple[Lamp, ...]:
    """Choose any light: a lamp and a window, the phone's flash, hard sun, coloured bulbs."""
    kind = rng.random()
    if kind < 0.6:
        lamps = draw_lamps(rng)
    elif kind < 0.75:  # low hard sun or a desk lamp
        half = float(rng.uniform(10, 40))
        low = float(rng.uniform(22, 55))
        lamps = (Lamp(float(rng.uniform(0, 360)), low, 1400.0, (half, half), NEUTRAL, 1.0),)
    elif kind < 0.9:  # a ceiling of panels, or a cloudy day
        wide = float(rng.uniform(400, 900))
        lamps = (Lamp(0.0, float(rng.uniform(60, 88)), 1800.0, (wide, wide), COLD, 1.0),)
    else:  # two bulbs
        lamps = tuple(
            Lamp(
                azimuth=float(rng.uniform(0, 360)),
                elevation=float(rng.uniform(35, 80)),
                distance=1200.0,
                half=(45.0, 45.0),
                colour=(WARM, NEUTRAL, COLD)[rng.integers(3)],
                strength=float(rng.uniform(0.4, 1.0)),
            )
            for _ in range(2)
        )
    if rng.random() < 0.4:
        return lamps
    cast = np.clip(rng.normal(1, 0.07, 3), 0.5, 1.5)
    return tuple(_tinted(lamp, cast) for lamp in lamps)


def _tinted(lamp: Lamp, cast: NDArray[np.float64]) -> Lamp:
    r, g, b = (float(c) for c in np.array(lamp.colour) * cast)
    return replace(lamp, colour=(r, g, b))


def tint(lamps: tuple[Lamp, ...]) -> NDArray[np.float64]:
    """Return the colour of all lamps together, linear RGB."""
    colours = np.array([lamp.colour for lamp in lamps])
    strengths = np.array([lamp.strength for lamp in lamps])
    return np.asarray(strengths @ colours, np.float64)


def lights(rng: np.random.Generator, lamps: tuple[Lamp, ...], ambient: float) -> Lights:
    """Return lamps and room for the tracer; *ambient* is the room's light against a lamp's."""
    placed = [_place(lamp) for lamp in lamps]
    centres, across, along, glow = (np.array(part) for part in zip(*placed, strict=True))
    return Lights(centres, across, along, glow, ambient * _room(rng, lamps))


def _place(lamp: Lamp) -> tuple[NDArray[np.float64], ...]:
    azimuth, elevation = np.deg2rad(lamp.azimuth), np.deg2rad(lamp.elevation)
    towards = np.array(
        [
            np.cos(elevation) * np.cos(azimuth),
            np.cos(elevation) * np.sin(azimuth),
            np.sin(elevation),
        ]
    )
    across = np.array([-np.sin(azimuth), np.cos(azimuth), 0.0])
    upright = np.cross(across, towards)
    area = 4 * lamp.half[0] * lamp.half[1]
    glow = np.pi * lamp.strength * lamp.distance**2 / area * np.array(lamp.colour)
    return lamp.distance * towards, lamp.half[0] * across, lamp.half[1] * upright, glow


def _room(rng: np.random.Generator, lamps: tuple[Lamp, ...]) -> NDArray[np.float64]:
    """Return the room's radiance: light ceiling, darker walls with things on them, dark floor."""
    height = np.linspace(1, -1, ROWS)[:, None, None]
    ceiling, walls, floor = 1.0, float(rng.uniform(0.35, 0.7)), 0.15
    level = np.where(height > 0.55, ceiling, np.where(height > 0, walls, floor))
    things = cv2.resize(rng.uniform(0.4, 1.6, (6, 12, 3)), (COLUMNS, ROWS))
    room = level * (0.75 + 0.25 * things) * tint(lamps) / tint(lamps).max()
    for lamp in lamps:  # its light on ceiling and wall around it
        row = (1 - np.sin(np.deg2rad(lamp.elevation))) / 2 * (ROWS - 1)
        column = ((lamp.azimuth / 360 + 0.5) % 1) * COLUMNS
        down = np.arange(ROWS)[:, None] - row
        across = (np.arange(COLUMNS)[None, :] - column + COLUMNS / 2) % COLUMNS - COLUMNS / 2
        pool = 2.0 * lamp.strength * np.exp(-(down**2 / 12 + across**2 / 20))
        room = room + pool[..., None] * np.array(lamp.colour)
    return np.asarray(cv2.GaussianBlur(room, (0, 0), 0.8), np.float64)
