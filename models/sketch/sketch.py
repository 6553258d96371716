"""Sketch pictures of tables with truth: some ten a second.

A sketch has true perspective, round edges, drilled pips, side faces, shadows and whatever a phone
adds; it lacks bounced light and real materials. `models/sketch/truth.py` has the format of its
labels.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models import augment
from models.drawn import write_new
from models.sketch import bodies, dominoes
from models.sketch.arrange import draw_pieces
from models.sketch.bodies import PIP, Bodies, Floats, Lighting
from models.sketch.domino_tables import DominoTable, is_seen_from, lay, name_of
from models.sketch.dominoes import BLANK
from models.sketch.ground import DECOYS, USUAL, Kinds, SketchTop, draw_ground, light_ground
from models.sketch.objects import KINDS, ThingKinds, draw_objects, paint
from models.sketch.render.raycast import draw_lamps, draw_lights, raycast
from models.sketch.render.surface import MISS
from models.sketch.sketch_pieces import SketchPiece
from models.sketch.truth import mark_illegible, tell
from models.sketch.view import CANVAS, SketchCamera, draw_view, exposure
from models.textures.surfaces import Picture, Random


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
    image = light_ground(light.shadows, view, pieces, light.lights, light.ambient, ground)
    lamps = np.zeros((0, bodies.LAMP))
    cast(image, view, pieces, Lighting(light.lights, lamps, light.ambient, light.sky))
    return image


def cast(
    image: Picture, view: SketchCamera, pieces: list[SketchPiece], lighting: Lighting | None
) -> tuple[NDArray[np.int16], NDArray[np.int8]]:
    """Draw pieces onto their table; return which of them, and which face, each px shows."""
    owner = np.full(image.shape[:2], MISS, np.int16)
    face_of = np.full(image.shape[:2], -1, np.int8)
    if pieces and lighting:
        raycast(image, owner, face_of, view.pinhole(), packed(pieces), lighting)
    return owner, face_of


def packed(pieces: Sequence[SketchPiece]) -> Bodies:
    """Return the pieces as tables for the raycaster."""
    rows = [row for piece in pieces for row in piece.pips]
    pips = np.array(rows) if rows else np.zeros((0, PIP))
    first = np.concatenate([[0], np.cumsum([len(piece.pips) for piece in pieces])])
    return Bodies(np.array([piece.body for piece in pieces]), pips, first.astype(np.int64))


QUALITY = 92  # of the JPEGs
SHRINK = (0.55, 0.9)
FACE = (13.0, 190.0)  # px, side of a face on the canvas
CLOSE_UP = 0.07  # of the pictures show faces larger than that, up to:
LARGEST = 480.0
LOWEST = 0.5  # sine of the height from which a layout is seen; farther down tiles hide each other
FILLS = (0.6, 1.3)  # of the canvas, the width of a layout


@dataclass(frozen=True, slots=True)
class SketchOptions:
    """The contents of a sketch; its seed decides the rest."""

    bare: bool = False  # without pieces
    tables: Kinds = USUAL
    theme: str | None = None  # "dice", "dominoes" or "both"
    blank: float = BLANK  # share of the halves of dominoes that are blank anyhow
    layout: str | None = None  # of `dominoes.LAYOUTS`: how dominoes lie, and nothing beside them
    block: bool = False  # dice lie side by side in a block
    objects: bool = False  # things that are no dice lie there, of `models.sketch.objects`


ANY, BARE = SketchOptions(), SketchOptions(bare=True)
BARE_PRINT = SketchOptions(bare=True, tables=DECOYS)
TILES = SketchOptions(theme="dominoes", blank=0.5)


def sketch(seed: int, options: SketchOptions) -> tuple[NDArray[np.uint8], dict[str, Any]]:
    """Return a picture, (h, w, 3) BGR, and what it shows."""
    rng = np.random.default_rng(np.random.SeedSequence([20, seed]))
    view, pieces = _laid_out(rng, options) if options.layout else _strewn(rng, options)
    things = KINDS if options.objects else ()
    photo, labels = photograph(rng, view, pieces, options.tables, things=things)
    return photo, labels | {"seed": seed}


def photograph(
    rng: Random,
    view: SketchCamera,
    pieces: list[SketchPiece],
    tables: Kinds,
    top: SketchTop | None = None,
    *,
    things: ThingKinds = (),
    metered: bool = False,
) -> tuple[NDArray[np.uint8], dict[str, Any]]:
    """Return a picture of *pieces* in any light, by any phone, and what it shows.

    *things* beside them are no pieces. Unless it is *metered*, white pieces may be burnt out: to
    learn from, not to measure on.
    """
    lights, ambient = draw_lights(rng)
    image = draw_ground(rng, view, pieces, lights, ambient, tables, top)
    others: list[Floats] = []
    if things:
        floor = [(piece.body[:2], piece.reach) for piece in pieces]
        others = paint(rng, image, view, draw_objects(rng, view, floor, things), lights, ambient)
    lighting = _lighting(rng, view, pieces, lights, ambient) if pieces else None
    owner, face_of = cast(image, view, pieces, lighting)
    shrink = rng.uniform(*SHRINK)
    photo = _develop(rng, image, shrink, metered=metered)
    labels = tell(view, pieces, owner, face_of, photo.shape[1] / view.width, others)
    mark_illegible(photo, labels)
    height, width = photo.shape[:2]
    return photo, {"file": "", "width": width, "height": height} | labels


def _strewn(rng: Random, options: SketchOptions) -> tuple[SketchCamera, list[SketchPiece]]:
    sizes = (FACE[1], LARGEST) if rng.random() < CLOSE_UP else FACE
    face = float(np.exp(rng.uniform(*np.log(sizes))))
    view = draw_view(rng, face)
    empty = options.bare or rng.random() <= 0.03
    if empty:
        return view, []
    how = options.theme, options.blank
    return view, draw_pieces(rng, view, face, *how, block=options.block)


def _laid_out(rng: Random, options: SketchOptions) -> tuple[SketchCamera, list[SketchPiece]]:
    pieces = dominoes.lay(rng, str(options.layout), options.blank)
    face = min(0.5625 * CANVAS * rng.uniform(*FILLS) / dominoes.span(pieces), FACE[1])
    view = draw_view(rng, face)
    while view.eye[2] < LOWEST * np.linalg.norm(view.eye):
        view = draw_view(rng, face)
    return view, pieces


def _lighting(
    rng: Random, view: SketchCamera, pieces: list[SketchPiece], lights: Floats, ambient: Floats
) -> Lighting:
    """Return the lights with what polished pieces mirror beside them."""
    lamps = draw_lamps(rng, view.eye, [piece.body[:2] for piece in pieces])
    return Lighting(lights, lamps, ambient, np.full(3, rng.uniform(0.2, 1.2)) * ambient)


def _develop(rng: Random, image: Picture, shrink: float, *, metered: bool) -> NDArray[np.uint8]:
    """Expose, shrink and add what the phone adds; RGB light to BGR px."""
    bright = float(np.percentile(image.max(axis=2), 97))
    usual = rng.uniform(0.45, 1.15) / max(bright, 0.05)
    image = image * np.float32(min(usual, exposure(image)) if metered else usual)
    glow = cv2.GaussianBlur(np.maximum(image - 1, 0), (0, 0), 3)
    image = np.minimum(image, 1) + 0.3 * glow
    small = cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    srgb = np.clip(small, 0, 1) ** np.float32(1 / 2.2)
    photo = (255 * srgb[..., ::-1]).astype(np.uint8)
    photo = augment.recolour(rng, np.ascontiguousarray(photo), 0.5)
    if rng.random() < 0.2:
        photo = augment.glare(rng, photo)
    return augment.roughen(rng, augment.soften(rng, photo, 1.0), 8.0)


def write(folder: Path, seed: int, options: SketchOptions = ANY) -> None:
    """Write the picture of a seed and its truth, unless they are there."""
    write_new(folder / f"sketch-{seed:06d}.jpg", lambda: sketch(seed, options), QUALITY)


SMALLEST = 22.0  # px of the drawing, side of a face; a long chain leaves the picture instead


def sketch_dominoes(seed: int, name: str = "") -> tuple[NDArray[np.uint8], dict[str, Any]]:
    """Return a picture, (h, w, 3) BGR, of the table whose turn it is, and what it shows.

    With a *name* of TABLES it is one of these.
    """
    rng = np.random.default_rng(np.random.SeedSequence([32 if name else 31, seed]))
    photo, labels = photograph_dominoes(rng, lay(rng, name or name_of(seed)))
    return photo, labels | {"seed": seed}


def photograph_dominoes(
    rng: Random, table: DominoTable
) -> tuple[NDArray[np.uint8], dict[str, Any]]:
    """Return a picture of a table from where it may be seen, and what it shows."""
    face = 0.5625 * CANVAS * rng.uniform(*FILLS) / dominoes.span(table.pieces)
    face = float(np.clip(face, SMALLEST, FACE[1]))
    view = draw_view(rng, face)
    while not is_seen_from(table, view.eye):
        view = draw_view(rng, face)
    return photograph(rng, view, table.pieces, table.tables)
