"""One thing on the table as the tracer sees it, and many of them as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.render.materials import Material
from models.render.shapes import FACES, MOST_PIPS, Forms
from models.render.trace import Skins

Colour = tuple[float, float, float]  # linear RGB reflectance
FacePips = tuple[tuple[float, float], ...]  # (u, v) of each pip, mm from the face's middle
UNCUT = 1e9  # mm; the ball of a solid that is cut by none


@dataclass(frozen=True, slots=True)
class Solid:
    """A box with rounded edges, perhaps with pips, with a colour and perhaps pictures on it."""

    centre: tuple[float, float, float]  # mm
    turn: NDArray[np.float64]  # (3, 3): its axes as columns
    half: tuple[float, float, float]  # mm
    edge: float  # mm, radius of the rounded edges
    roughness: float
    body: Colour = (1.0, 1.0, 1.0)
    top: Material | None = None
    side: Material | None = None
    ball: float = UNCUT
    ink: Colour = (0.0, 0.0, 0.0)
    pips: tuple[FacePips, ...] = ((),) * FACES
    pip_radius: float = 1.0
    pip_depth: float = 0.1


def pack(solids: Sequence[Solid]) -> tuple[Forms, Skins]:
    """Return the solids as arrays for the compiled code."""
    counts = np.array([[len(face) for face in solid.pips] for solid in solids], np.int64)
    pips = np.zeros((len(solids), FACES, MOST_PIPS, 2))
    for k, solid in enumerate(solids):
        for face, places in enumerate(solid.pips):
            pips[k, face, : len(places)] = np.array(places).reshape(-1, 2)
    forms = Forms(
        centres=np.array([solid.centre for solid in solids]),
        turns=np.array([solid.turn for solid in solids]),
        halves=np.array([solid.half for solid in solids]),
        edges=np.array([solid.edge for solid in solids]),
        balls=np.array([solid.ball for solid in solids]),
        pip_radii=np.array([solid.pip_radius for solid in solids]),
        pip_depths=np.array([solid.pip_depth for solid in solids]),
        pip_counts=counts,
        pips=pips,
    )
    return forms, _skins(solids)


def _skins(solids: Sequence[Solid]) -> Skins:
    used: list[Material] = []

    def number(material: Material | None) -> int:
        if material is None:
            return -1
        if not any(material is other for other in used):
            used.append(material)
        return next(i for i, other in enumerate(used) if other is material)

    tops = np.array([number(solid.top) for solid in solids], np.int64)
    sides = np.array([number(solid.side) for solid in solids], np.int64)
    return Skins(
        bodies=np.array([solid.body for solid in solids]),
        inks=np.array([solid.ink for solid in solids]),
        roughness=np.array([solid.roughness for solid in solids]),
        tops=tops,
        sides=sides,
        pictures=np.stack([material.picture for material in used]),
        spans=np.array([material.span for material in used]),
    )
