"""One camera, one light: pictures of a table on which things come and go, for videos."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from models.sketch import bodies
from models.sketch.bodies import PIP, Bodies, Floats, Lighting
from models.sketch.ground import light_steadily
from models.sketch.render.intersect import MISS
from models.sketch.render.lights import draw_lights
from models.sketch.render.raycast import raycast
from models.sketch.sketch_pieces import SketchPiece
from models.sketch.view import SketchCamera
from models.textures.texture import Picture, Random


@dataclass(frozen=True, slots=True, eq=False)
class Illumination:
    """The light of an evening; no lamp is mirrored, which would hide pips from a person too."""

    lights: Floats  # (k, LIGHT)
    ambient: Floats  # (3,)
    sky: Floats  # (3,) what a mirror shows
    shadows: int  # seed of how soft they are


def draw_illumination(rng: Random, lights: tuple[Floats, Floats] | None = None) -> Illumination:
    """Choose the light of an evening; *lights* are of `draw_lights`, if they are known."""
    shining, ambient = lights or draw_lights(rng)
    sky = np.full(3, rng.uniform(0.2, 1.2)) * ambient
    return Illumination(shining, ambient, sky, int(rng.integers(2**31)))


def lit_table(
    view: SketchCamera, pieces: list[SketchPiece], ground: Picture, light: Illumination
) -> Picture:
    """Return *pieces* on a table whose reflectance is *ground*, as light, (h, w, 3) RGB."""
    image = light_steadily(light.shadows, view, pieces, light.lights, light.ambient, ground)
    if pieces:
        owner = np.full(image.shape[:2], MISS, np.int16)
        face_of = np.full(image.shape[:2], -1, np.int8)
        lamps = np.zeros((0, bodies.LAMP))
        lighting = Lighting(light.lights, lamps, light.ambient, light.sky)
        raycast(image, owner, face_of, view.pinhole(), packed(pieces), lighting)
    return image


def packed(pieces: Sequence[SketchPiece]) -> Bodies:
    """Return the pieces as tables for the raycaster."""
    rows = [row for piece in pieces for row in piece.pips]
    pips = np.array(rows) if rows else np.zeros((0, PIP))
    first = np.concatenate([[0], np.cumsum([len(piece.pips) for piece in pieces])])
    return Bodies(np.array([piece.body for piece in pieces]), pips, first.astype(np.int64))
