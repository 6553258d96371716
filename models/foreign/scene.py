"""Meshes on a table under a lamp and a window, traced by Mitsuba and developed as a phone does."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import cv2
import mitsuba as mi
import numpy as np
from numpy.typing import NDArray

from models.foreign.mesh import Floats, HeldPhone, Mesh, joined

# Its compiled variant needs a libLLVM from 15 up, named by this variable; else it traces slowly.
mi.set_variant("llvm_ad_rgb" if "DRJIT_LIBLLVM_PATH" in os.environ else "scalar_rgb")

SAMPLES = 8  # a pixel
TABLE = 700.0  # mm, half a side
SIGHT = 0.6  # mm that a point is lifted by before it is asked whether it is seen
GRID = np.linspace(-0.72, 0.72, 7)  # where a face is asked for, from its middle to its edges


def build(
    rng: np.random.Generator, meshes: Sequence[Mesh], top: Floats, sheet: MitsubaShape | None = None
) -> dict[str, Any]:
    """Return a scene without a camera: pieces with one polish, the table, and its lights."""
    polish = {"roughness": float(rng.uniform(0.12, 0.6)), "specular": 0.5}
    scene: dict[str, Any] = {"type": "scene", "integrator": {"type": "path", "max_depth": 3}}
    scene["pieces"] = _shape("pieces", joined(meshes), polish)  # one shape is compiled once for all
    scene["table"] = _flat(top, TABLE, TABLE, 0.0, np.zeros(2), 0.0)
    scene |= {} if sheet is None else {"sheet": sheet}
    scene["room"] = {"type": "envmap", "bitmap": mi.Bitmap(_room(rng))}
    away = rng.normal(0, 1, 2)
    away *= rng.uniform(150, 700) / np.linalg.norm(away)
    bright = rng.uniform(10, 60) if rng.random() < 0.7 else 0.1
    light = bright * np.array([1.0, rng.uniform(0.75, 1.0), rng.uniform(0.5, 1.0)])
    scene["lamp"] = {
        "type": "sphere",
        "center": [*map(float, away), float(rng.uniform(350, 1000))],
        "radius": float(rng.uniform(25, 90)),
        "emitter": {"type": "area", "radiance": {"type": "rgb", "value": light.tolist()}},
    }
    return scene


MitsubaShape = dict[str, Any]


def sheet_of(page: Floats, size: tuple[float, float], at: Floats, yaw: float) -> MitsubaShape:
    """Return a page, (h, w, 3) light RGB, as a sheet of these mm lying just above the table."""
    return _flat(page, size[0] / 2, size[1] / 2, 0.15, at, yaw)


def shoot(
    rng: np.random.Generator, built: dict[str, Any], phone: HeldPhone
) -> tuple[NDArray[np.uint8], Any]:
    """Return the photo, (h, w, 3) BGR, and the loaded scene."""
    width, height = phone.size
    forward, down = phone.axes[2], phone.axes[1]
    pose = mi.ScalarTransform4f().look_at(
        origin=phone.eye.tolist(), target=(phone.eye + forward).tolist(), up=(-down).tolist()
    )
    scene = mi.load_dict(
        built
        | {
            "camera": {
                "type": "perspective",
                "fov": float(2 * np.degrees(np.arctan(width / 2 / phone.focal))),
                "fov_axis": "x",
                "to_world": pose,
                "film": {
                    "type": "hdrfilm",
                    "width": width,
                    "height": height,
                    "pixel_format": "rgb",
                },
                "sampler": {"type": "independent", "sample_count": SAMPLES},
            }
        }
    )
    light = np.array(mi.render(scene, seed=int(rng.integers(2**31))), np.float64)
    return _develop(rng, light), scene


def seen_shares(scene: Any, phone: HeldPhone, faces: Sequence[Floats]) -> list[float]:
    """Return how much of each face, its four corners (4, 3) mm, the camera sees, from 0 to 1."""
    points = np.array([
        face.mean(axis=0) + a * (face[1] - face[0]) / 2 + b * (face[3] - face[0]) / 2
        for face in faces for a in GRID for b in GRID
    ])  # fmt: skip
    toward = phone.eye - points
    away = np.linalg.norm(toward, axis=1)
    toward /= away[:, None]
    hidden = _meets(scene, points + SIGHT * toward, toward, away - 2 * SIGHT)
    points_px = phone.project(points)
    inside = ((points_px > 0) & (points_px < np.array(phone.size))).all(axis=1)
    return [float(share) for share in (inside & ~hidden).reshape(len(faces), -1).mean(axis=1)]


def _meets(scene: Any, origins: Floats, directions: Floats, lengths: Floats) -> NDArray[np.bool_]:
    """Say of each ray, (n, 3) mm, whether something is on its way."""
    if not mi.variant().startswith("scalar"):
        ray = mi.Ray3f(mi.Point3f(*origins.T), mi.Vector3f(*directions.T))
        ray.maxt = mi.Float(lengths)
        return np.array(scene.ray_test(ray), bool)
    met = []
    for origin, direction, length in zip(origins, directions, lengths, strict=True):
        ray = mi.Ray3f(mi.Point3f(origin.tolist()), mi.Vector3f(direction.tolist()))
        ray.maxt = float(length)
        met.append(bool(scene.ray_test(ray)))
    return np.array(met)


def _shape(name: str, mesh: Mesh, polish: dict[str, float]) -> Any:
    colour = {"type": "mesh_attribute", "name": "vertex_color"}
    given = mi.Properties()
    given["bsdf"] = mi.load_dict({"type": "principled", "base_color": colour, **polish})
    made = mi.Mesh(name, len(mesh.vertices), len(mesh.triangles), has_vertex_normals=True,
                   props=given)  # fmt: skip
    made.add_attribute("vertex_color", 3, mesh.colours.astype(np.float32).ravel())
    params = mi.traverse(made)
    params["vertex_positions"] = mesh.vertices.astype(np.float32).ravel()
    params["vertex_normals"] = mesh.normals.astype(np.float32).ravel()
    params["faces"] = mesh.triangles.ravel()
    params.update()
    return made


def _flat(
    texture: Floats, half_w: float, half_h: float, height: float, at: Floats, yaw: float
) -> dict[str, Any]:
    move = mi.ScalarTransform4f()
    pose = (
        move.translate([float(at[0]), float(at[1]), height])
        @ move.rotate([0, 0, 1], float(np.degrees(yaw)))
        @ move.scale([half_w, half_h, 1])
    )
    upright = np.ascontiguousarray(texture[::-1], np.float32)  # its first row is the nearest there
    bitmap = {"type": "bitmap", "raw": True, "bitmap": mi.Bitmap(upright)}
    return {
        "type": "rectangle",
        "to_world": pose,
        "bsdf": {"type": "twosided", "m": {"type": "diffuse", "reflectance": bitmap}},
    }


def _room(rng: np.random.Generator) -> NDArray[np.float32]:
    """Return the light of a room, dim walls with a window or two, (64, 128, 3)."""
    room = np.full((64, 128, 3), rng.uniform(0.15, 0.6)) * rng.uniform(0.85, 1.0, 3)
    for _ in range(int(rng.integers(1, 3))):
        x, y = int(rng.integers(0, 110)), int(rng.integers(8, 26))
        w, h = int(rng.integers(6, 18)), int(rng.integers(5, 12))
        room[y : y + h, x : x + w] = rng.uniform(2, 14) * rng.uniform(0.8, 1.0, 3)
    return cv2.GaussianBlur(room, (0, 0), 1.0).astype(np.float32)


def _develop(rng: np.random.Generator, light: Floats) -> NDArray[np.uint8]:
    bright = np.percentile(light.max(axis=2), 96)
    light = light / max(bright, 1e-6) * rng.uniform(0.65, 1.1) * rng.normal(1, 0.04, 3)
    soft = cv2.GaussianBlur(light, (0, 0), float(rng.uniform(0.3, 1.0)))
    tones = np.clip(soft, 0, 1) ** (1 / 2.2)
    tones = tones + rng.normal(0, rng.uniform(0.002, 0.02), tones.shape)
    photo = np.rint(255 * np.clip(tones, 0, 1)[..., ::-1]).astype(np.uint8)
    return np.asarray(cv2.fastNlMeansDenoisingColored(photo, None, 5, 5, 5, 11), np.uint8)
