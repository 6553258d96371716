"""One thing on the table as the tracer sees it, and many of them as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from models.render import arrays
from models.render.arrays import BOX, FACES, MOST_PARTS, MOST_PIPS, PART, Floats, Forms, Skins
from models.textures.texture import Material, Picture

Colour = tuple[float, float, float]  # linear RGB reflectance
UNCUT = 1e9  # mm; the ball of a solid that is cut by none


@dataclass(frozen=True, slots=True)
class Pip:
    """One pip on a face; mm from the face's middle."""

    u: float
    v: float
    radius: float
    ink: Colour


@dataclass(frozen=True, slots=True, kw_only=True)
class Solid:
    """A body, perhaps with pips, with a colour and perhaps pictures on it. Lengths in mm."""

    centre: tuple[float, float, float] = (0.0, 0.0, 0.0)
    turn: Floats = field(default_factory=lambda: np.eye(3))  # (3, 3): its axes as columns
    half: tuple[float, float, float]
    edge: float = 0.5  # radius of the rounded edges
    roughness: float
    kind: int = BOX
    parts: Floats | None = None  # (n, up to PART) planes of a polyhedron or bones of a hand
    body: Colour = (1.0, 1.0, 1.0)
    second: Colour | None = None  # of a marbled or grained body
    grain: tuple[float, float, float] = (0.0, 0.0, 0.0)  # a mm along each axis
    sharp: float = 2.0
    shine: float = 0.04
    clear: float = 0.0
    bump: tuple[float, float] = (0.0, 0.0)  # tilt, bumps a mm
    crease: float = 0.0  # how much higher than bumps are the folds between them
    top: Material | None = None
    side: Material | None = None
    ball: float = UNCUT
    pips: tuple[tuple[Pip, ...], ...] = ((),) * FACES
    pip_depth: float = 0.1
    ring: float = 0.0
    bar: tuple[float, float, float] = (0.0, 0.0, 0.0)  # half width, half length, depth
    ink: Colour = (0.0, 0.0, 0.0)  # of the bar, of numerals, of nails


def pack(solids: Sequence[Solid]) -> tuple[Forms, Skins]:
    """Return the solids as arrays for the compiled code."""
    n = len(solids)
    pips, inks = np.zeros((n, FACES, MOST_PIPS, 3)), np.zeros((n, FACES, MOST_PIPS, 3))
    parts = np.zeros((n, MOST_PARTS, PART))
    for k, solid in enumerate(solids):
        inks[k] = solid.ink
        for face, places in enumerate(solid.pips):
            for i, pip in enumerate(places):
                pips[k, face, i] = pip.u, pip.v, pip.radius
                inks[k, face, i] = pip.ink
        if solid.parts is not None:
            parts[k, : len(solid.parts), : solid.parts.shape[1]] = solid.parts
    used: list[Material] = []
    skins = np.array([_skin(solid, used) for solid in solids])
    spans = np.array([(one.span, _number(one.fine, used)) for one in used]).reshape(-1, 2)
    pictures = _same_size([material.picture for material in used])
    forms = np.array([_form(solid) for solid in solids])
    return Forms(forms, parts, pips), Skins(skins, inks, pictures, spans)


def _form(solid: Solid) -> Floats:
    row = np.zeros(arrays.FORM)
    row[arrays.KIND] = solid.kind
    row[arrays.CENTRE : arrays.CENTRE + 3] = solid.centre
    row[arrays.TURN : arrays.TURN + 9] = solid.turn.ravel()
    row[arrays.HALF : arrays.HALF + 3] = solid.half
    row[arrays.EDGE], row[arrays.BALL] = solid.edge, solid.ball
    row[arrays.DEPTH], row[arrays.RING] = solid.pip_depth, solid.ring
    row[arrays.BAR : arrays.BAR + 3] = solid.bar
    row[arrays.PARTS] = 0 if solid.parts is None else len(solid.parts)
    row[arrays.PIPS : arrays.PIPS + FACES] = [len(face) for face in solid.pips]
    return row


def _skin(solid: Solid, used: list[Material]) -> Floats:
    row = np.zeros(arrays.SKIN)
    row[arrays.BODY : arrays.BODY + 3] = solid.body
    row[arrays.SECOND : arrays.SECOND + 3] = solid.second or solid.body
    row[arrays.GRAIN : arrays.GRAIN + 3] = solid.grain
    row[arrays.SHARP] = solid.sharp
    row[arrays.BAR_INK : arrays.BAR_INK + 3] = solid.ink
    row[arrays.ROUGH], row[arrays.SHINE] = solid.roughness, solid.shine
    row[arrays.CLEAR] = solid.clear
    row[arrays.TILT], row[arrays.BUMPS] = solid.bump
    row[arrays.CREASE] = solid.crease
    row[arrays.TOP_PICTURE] = _number(solid.top, used)
    row[arrays.SIDE_PICTURE] = _number(solid.side, used)
    return row


def _number(material: Material | None, used: list[Material]) -> int:
    """Return a material's place among those used, -1 for none; a new one is added."""
    if material is None:
        return -1
    if not any(material is other for other in used):
        used.append(material)
        _number(material.fine, used)
    return next(i for i, other in enumerate(used) if other is material)


def _same_size(pictures: Sequence[Picture]) -> Picture:
    side = max((len(picture) for picture in pictures), default=1)
    if not pictures:
        return np.ones((1, side, side, 3), np.float32)
    return np.stack(
        [
            picture if len(picture) == side else cv2.resize(picture, (side, side))
            for picture in pictures
        ]
    )
