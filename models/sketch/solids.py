"""Convex solids on a sketch: facets with a picture on them, lit, with their shadows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from models.pieces.polyhedra import facets
from models.sketch import bodies
from models.sketch.bodies import Floats
from models.sketch.view import SketchCamera
from models.textures.skins import SKIN
from models.textures.texture import Picture, Random, as_picture

GRAZING = 0.02  # cosine between a facet and the look along it, below which it is not seen
FLATTEST = 0.75  # cosine between a facet that looks up and the table's normal
FINEST = 1.5  # px of a skin a px of the picture; a finer one is shrunk first
SOFT_SHADOW = (0.8, 4.0)  # px


@dataclass(frozen=True, slots=True, eq=False)
class ConvexSolid:
    """A convex thing, or a part of one."""

    planes: Floats  # (n, 4) in its own axes
    colour: Floats  # (3,) light that it gives back
    skins: dict[int, Picture] = field(default_factory=dict)  # what stands on a plane, by number
    gloss: float = 0.0
    at: Floats = field(default_factory=lambda: np.zeros(3))
    turn: Floats = field(default_factory=lambda: np.eye(3))  # (3, 3) own axes to the world's
    glows: bool = False  # its skins shine by themselves

    def laid(self, turn: Floats, at: Floats) -> ConvexSolid:
        """Return it turned about the origin, then moved."""
        return replace(self, turn=turn @ self.turn, at=turn @ self.at + at)

    def corners(self) -> list[Floats]:
        """Return the corners, (k, 3), of each facet in the world."""
        return [own @ self.turn.T + self.at for own in facets(self.planes)]


def paint(
    rng: Random,
    image: Picture,
    view: SketchCamera,
    solids: Sequence[ConvexSolid],
    lights: Floats,
    ambient: Floats,
) -> list[Floats]:
    """Paint solids on a lit table, far ones first; return (4, 2) px of what one may see as faces.

    These are the squares of facets that look up, and the least rectangle around each solid.
    """
    made = [(solid, solid.corners()) for solid in solids]
    _shade_table(rng, image, view, [corners for _, corners in made], lights)
    made.sort(key=lambda one: -float(np.linalg.norm(one[0].at - view.eye)))
    quads: list[Floats] = []
    for solid, corners in made:
        quads += _paint_one(rng, image, view, solid, corners, (lights, ambient))
    return quads


def _paint_one(
    rng: Random,
    image: Picture,
    view: SketchCamera,
    solid: ConvexSolid,
    corners: list[Floats],
    light: tuple[Floats, Floats],
) -> list[Floats]:
    quads = []
    bevel, ramp = rng.uniform(0.9, 1.5), rng.normal(0, 0.06)
    for number, (plane, own) in enumerate(zip(solid.planes, corners, strict=True)):
        if len(own) < 3:
            continue
        normal, middle = solid.turn @ plane[:3], own.mean(axis=0)
        away = view.eye - middle
        if normal @ away < GRAZING * np.linalg.norm(away):
            continue
        shade = _shade(solid, normal, away, light) * (1 + ramp * rng.normal())
        corners_px = view.project(own)
        if not np.isfinite(corners_px).all() or np.abs(corners_px).max() > 8 * max(
            view.width, view.height
        ):
            continue
        outline = np.round(corners_px * 8).astype(np.int32)
        colour = [float(c) for c in solid.colour * shade]
        cv2.fillConvexPoly(image, outline, colour, cv2.LINE_AA, 3)
        edge = [float(c) for c in solid.colour * shade * bevel]
        cv2.polylines(image, [outline], True, edge, 1, cv2.LINE_AA, 3)
        quad = view.project(_square(own, normal, solid.turn))
        if number in solid.skins:
            glow = np.ones(3) if solid.glows else shade
            _lay(image, solid.skins[number], quad, glow)
        if normal[2] > FLATTEST:
            quads.append(quad)
    around = np.vstack([view.project(own) for own in corners if len(own)])
    quads.append(np.asarray(cv2.boxPoints(cv2.minAreaRect(around.astype(np.float32))), np.float64))
    return quads


def _shade(
    solid: ConvexSolid, normal: Floats, away: Floats, light: tuple[Floats, Floats]
) -> Floats:
    """Return the light, (3,), that a facet gives back where it is white."""
    lights, ambient = light
    total = ambient * (0.65 + 0.35 * normal[2])
    look = away / np.linalg.norm(away)
    for row in lights:
        straight = max(0.0, float(normal @ row[:3]))
        mirrored = 2 * straight * normal - row[:3]
        glint = solid.gloss * max(0.0, float(mirrored @ look)) ** 20
        total = total + row[bodies.LIGHT_COLOUR : bodies.LIGHT_COLOUR + 3] * (straight + glint)
    return np.asarray(total, np.float64)


def _square(own: Floats, normal: Floats, turn: Floats) -> Floats:
    """Return the corners, (4, 3), of the largest upright square about a facet's middle."""
    middle = own.mean(axis=0)
    along = turn[:, 0] - normal * (turn[:, 0] @ normal)
    if np.linalg.norm(along) < 0.3:
        along = turn[:, 1] - normal * (turn[:, 1] @ normal)
    u = along / np.linalg.norm(along)
    v = np.cross(normal, u)
    sides = np.roll(own, -1, axis=0) - own
    outs = np.cross(sides, normal)
    outs /= np.maximum(np.linalg.norm(outs, axis=1, keepdims=True), 1e-9)
    half = float(((own - middle) * outs).sum(axis=1).min())
    return np.array(
        [middle + half * (a * u + b * v) for a, b in ((-1, 1), (1, 1), (1, -1), (-1, -1))]
    )


def _lay(image: Picture, skin: Picture, quad: Floats, shade: Floats) -> None:
    """Blend a skin, lit, into its place."""
    low = np.floor(quad.min(axis=0)).astype(int).clip(0)
    high = np.ceil(quad.max(axis=0)).astype(int) + 1
    place = image[low[1] : high[1], low[0] : high[0]]
    if place.size == 0:
        return
    wide = float(np.sqrt(max(cv2.contourArea(quad.astype(np.float32)), 1.0)))
    if SKIN / wide > FINEST:
        few = max(4, round(wide))
        skin = as_picture(cv2.resize(skin, (few, few), interpolation=cv2.INTER_AREA))
    side = len(skin)
    own = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32) - np.float32(0.5)
    to = cv2.getPerspectiveTransform(own, (quad - low).astype(np.float32))
    laid = cv2.warpPerspective(skin, to, (place.shape[1], place.shape[0]))
    place += laid[..., 3:] * (laid[..., :3] * shade.astype(np.float32) - place)


def _shade_table(
    rng: Random, image: Picture, view: SketchCamera, solids: list[list[Floats]], lights: Floats
) -> None:
    """Darken the table where the solids keep a light from it, and where they stand."""
    for light in lights:
        ray = np.array([*light[:2], max(light[2], 0.15)])
        dark = np.zeros(image.shape[:2], np.float32)
        for corners in solids:
            every = np.vstack([own for own in corners if len(own)])
            for height, much in ((every[:, 2:], 0.75), (0 * every[:, 2:], 0.35)):
                _fill(
                    dark,
                    view.project(every * (1, 1, 0) - (ray * (1, 1, 0)) * height / ray[2]),
                    much,
                )
        soft = cv2.GaussianBlur(np.minimum(dark, 1), (0, 0), rng.uniform(*SOFT_SHADOW))
        image *= 1 - (soft * np.float32((1 - light[6]) / len(lights)))[..., None]


def _fill(dark: Picture, spots: Floats, much: float) -> None:
    if np.isfinite(spots).all() and np.abs(spots).max() < 20000:
        hull = cv2.convexHull(np.round(spots).astype(np.int32))
        cv2.fillConvexPoly(dark, hull, much)
