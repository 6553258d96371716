"""One picture from an order: lay the table, trace it, develop it, write it with its truth."""

from __future__ import annotations

import json
import os.path
from pathlib import Path

from models.render import light
from models.render.denoise import denoise
from models.render.develop import develop, encode
from models.render.image import Photo
from models.render.order import Order
from models.render.scene import Scene, chance, draw_scene
from models.render.solid import pack
from models.render.trace import trace
from models.render.truth import truth


def photograph(scene: Scene, samples: int) -> Photo:
    """Return the scene's photo, (H, W, 3) uint8 BGR."""
    seed = scene.order.seed
    forms, skins = pack(scene.solids())
    lamps = light.lights(chance(seed, "room"), scene.lamps, scene.ambient)
    camera = scene.camera
    traced = trace(camera.width, camera.height, samples, seed, camera.lens(), forms, skins, lamps)
    film = chance(seed, "film")
    return develop(denoise(traced), light.tint(scene.lamps), film, scene.order.dim)


def take(
    order: Order, path: Path, samples: int, largest: int | None = None, told: Path | None = None
) -> None:
    """Write the picture and its truth, which lies beside it unless *told* says where."""
    told = told or path.with_suffix(".json")
    file = Path(os.path.relpath(path, told.parent)).as_posix()
    scene = draw_scene(order)
    photo = photograph(scene, samples)
    quality = int(chance(order.seed, "jpeg").integers(75, 96))
    path.parent.mkdir(parents=True, exist_ok=True)
    told.write_text(json.dumps(truth(scene, file)) + "\n")
    path.write_bytes(encode(photo, quality, largest))
