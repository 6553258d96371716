"""One picture: lay the table, trace it, develop it, write it with its truth."""

from __future__ import annotations

import json
import os.path
from pathlib import Path
from typing import Any

import numpy as np

from models import augment
from models.render import light
from models.render.board import draw_board
from models.render.denoise import denoise
from models.render.develop import develop, encode, uneven
from models.render.image import Photo
from models.render.order import Order, chance
from models.render.scene import RenderedScene
from models.render.solid import pack
from models.render.spot import BRIGHTEST
from models.render.tabletop import draw_tabletop
from models.render.tell import tell
from models.render.trace import owners, trace
from models.render.truth import truth
from models.render.view import STEEP, Steepness
from models.textures.texture import Picture

ASLANT = 0.8  # of a lamp's light falls on a table, which seldom faces it
USUAL = 0.3  # of the light that falls on a table, what comes back
KEPT = 0.4  # power of how much more or less comes back, of which the photo is paler or darker
CAUSTICS = 0.5  # of a table's; few paths a pixel would show more as specks


def expose(scene: RenderedScene, samples: int, caustics: float = BRIGHTEST) -> Picture:
    """Return the light that falls into the camera, (H, W, 3) linear RGB."""
    forms, skins = pack(scene.solids)
    lights = light.lights(chance(scene.seed, "room"), scene.lamps, scene.ambient)
    camera = scene.camera
    size = camera.width, camera.height
    traced = trace(*size, samples, scene.seed, camera.lens(), forms, skins, lights, caustics)
    return denoise(traced)


def photograph(scene: RenderedScene, samples: int) -> Photo:
    """Return a scene's photo, developed plainly, (H, W, 3) uint8 BGR."""
    exposed = expose(scene, samples)
    return develop(exposed, light.tint(scene.lamps), chance(scene.seed, "film"), scene.dim)


def snap(scene: RenderedScene, samples: int) -> Photo:
    """Return a scene's photo as some phone gives it, (H, W, 3) uint8 BGR."""
    exposed = expose(scene, samples, CAUSTICS)
    rng = chance(scene.seed, "film")
    tint = light.tint(scene.lamps)
    falls = ASLANT * float(tint.mean()) + scene.ambient
    pale = float(exposed.mean()) / falls / USUAL
    middle = float(rng.uniform(0.18, 0.45) * np.clip(pale, 0.1, 2.5) ** KEPT)
    photo = develop(uneven(rng, exposed), tint, rng, scene.dim, middle)
    photo = augment.recolour(rng, photo, 0.3)
    if rng.random() < 0.05:
        photo = augment.glare(rng, photo)
    if rng.random() < 0.5:
        photo = augment.soften(rng, photo, 1.3)
    return augment.roughen(rng, photo, 3.0) if rng.random() < 0.4 else photo


def take(
    order: Order, path: Path, *, samples: int, largest: int | None = None, told: Path | None = None
) -> None:
    """Write a board's picture and its truth, which lies beside it unless *told* says where."""
    told = told or path.with_suffix(".json")
    file = Path(os.path.relpath(path, told.parent)).as_posix()
    board = draw_board(order)
    photo = photograph(board.scene, samples)
    quality = int(chance(order.seed, "jpeg").integers(75, 96))
    write(path, encode(photo, quality, largest), told, truth(board, file))


def take_table(
    seed: int,
    path: Path,
    *,
    samples: int,
    largest: int | None = None,
    steep: Steepness = STEEP,
) -> None:
    """Write the picture of any table and, beside it, its truth."""
    table = draw_tabletop(seed, steep)
    camera = table.scene.camera
    forms, _ = pack(table.scene.solids)
    seen = owners(camera.width, camera.height, camera.lens(), forms)
    photo = np.ascontiguousarray(snap(table.scene, samples))
    quality = int(chance(seed, "jpeg").integers(55, 97))
    told = path.with_suffix(".json")
    write(path, encode(photo, quality, largest), told, tell(table, seen, path.name))


def write(path: Path, photo: bytes, told: Path, truth: dict[str, Any]) -> None:
    """Write the truth, then the picture; each is whole or not there at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    for target, content in ((told, (json.dumps(truth) + "\n").encode()), (path, photo)):
        part = target.with_name(target.name + ".part")
        part.write_bytes(content)
        part.replace(target)
