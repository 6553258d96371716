"""The truth beside a picture of any table: visible faces, which is up, how much is seen."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.render.arrays import Floats
from models.render.camera import Camera, clockwise
from models.render.lay import Laid
from models.render.tabletop import Tabletop
from models.render.toys import DIE, TILE, ToyFace

UP = 0.9  # cosine to straight up from which a face counts as up
GLIMPSE = 0.02  # share of a face that must be seen for it to be told
FACING = 0.08  # cosine to the camera below which a side is only an edge
NEAR = 5.0  # mm; what is nearer to the lens is not told

ScoredCandidates = NDArray[
    np.int16
]  # (H, W, 2): number of the piece at a pixel, -1 none, and its side


def tell(table: Tabletop, seen: ScoredCandidates, file: str) -> dict[str, Any]:
    """Return what the picture shows, ready for JSON; px of the picture."""
    camera, grid = table.scene.camera, table.ground.grid
    told: dict[str, Any] = {
        "file": file,
        "width": camera.width,
        "height": camera.height,
        "seed": table.scene.seed,
        "dice": [],
        "tiles": [],
        "sides": [],
        "ignore": [],
        "board": None,
    }
    if grid is not None and (camera.depth(grid.corners()) > NEAR).all():
        name = f"grid:{grid.rows}x{grid.columns}"
        told["board"] = {"name": name, "corners": _px(camera.project(grid.corners()))}
    for number, piece in enumerate(table.pieces):
        corners = np.concatenate([face.quad for face in piece.toy.faces] or [np.zeros((1, 3))])
        if (camera.depth(_world(piece, corners)) < NEAR).any():
            continue
        if piece.toy.kind == DIE:
            _tell_die(told, piece, number, camera, seen)
        elif piece.toy.kind == TILE:
            _tell_tile(told, piece, number, camera, seen)
    return told


def _tell_die(
    told: dict[str, Any], piece: Laid, number: int, camera: Camera, seen: ScoredCandidates
) -> None:
    rotation = piece.rotation()
    rises = [
        float(rotation[2, face.side // 2]) * (1 - 2 * (face.side % 2)) for face in piece.toy.faces
    ]
    highest = int(np.argmax(rises))
    for k, face in enumerate(piece.toy.faces):
        one = _tell_face(piece, face, number, camera, seen)
        if one is None:
            continue
        if k != highest:
            told["sides"].append(one | {"up": False})
        elif rises[k] < UP:
            told["ignore"].append(one | {"up": False})
        else:
            cell = None if piece.cell is None else list(piece.cell)
            told["dice"].append(one | {"cell": cell, "level": piece.level, "up": True})


def _tell_tile(
    told: dict[str, Any], piece: Laid, number: int, camera: Camera, seen: ScoredCandidates
) -> None:
    halves = [_tell_face(piece, face, number, camera, seen, least=0.0) for face in piece.toy.faces]
    if any(half is None for half in halves):
        return
    faces = [half for half in halves if half is not None]
    visible = round(float(np.mean([face["visible"] for face in faces])), 2)
    if visible < GLIMPSE:
        return
    corners = np.array([face.quad for face in piece.toy.faces])
    outer = np.concatenate([corners[0][[0, 3]], corners[1][[1, 2]]])[[0, 2, 3, 1]]
    told["tiles"].append(
        {
            "quad": _px(clockwise(camera.project(_world(piece, outer)))),
            "halves": [face["value"] for face in faces],
            "centers": [face["center"] for face in faces],
            "color": piece.toy.color,
            "visible": visible,
            "level": piece.level,
            "cells": None,
            "up": True,
            "faces": faces,
        }
    )


def _tell_face(
    piece: Laid,
    face: ToyFace,
    number: int,
    camera: Camera,
    seen: ScoredCandidates,
    least: float = GLIMPSE,
) -> dict[str, Any] | None:
    """Return one face, or None where the camera does not see it."""
    world = _world(piece, face.quad)
    middle = world.mean(axis=0)
    normal = piece.rotation()[:, face.side // 2] * (1 - 2 * (face.side % 2))
    to_eye = camera.eye - middle
    if normal @ to_eye < FACING * np.linalg.norm(to_eye):
        return None
    quad = camera.project(world)
    visible = share_seen(quad, number, face.side, seen)
    if visible < least:
        return None
    return {
        "quad": _px(clockwise(quad)),
        "center": _px(camera.project(middle[None]))[0],
        "value": face.value,
        "color": piece.toy.color,
        "visible": round(visible, 2),
    }


def share_seen(quad: Floats, number: int, side: int, seen: ScoredCandidates) -> float:
    """Return which share of a face's quad, (4, 2) px, shows that side of that piece, 0 to 1."""
    area = abs(float(cv2.contourArea(quad.astype(np.float32))))
    height, width = seen.shape[:2]
    left, top = np.maximum(np.floor(quad.min(axis=0)).astype(int), 0)
    right, low = np.minimum(np.ceil(quad.max(axis=0)).astype(int) + 1, [width, height])
    if right <= left or low <= top:
        return 0.0
    mask = np.zeros((low - top, right - left), np.uint8)
    shifted = np.round((quad - [left, top]) * 16).astype(np.int32)
    cv2.fillConvexPoly(mask, shifted, 1, cv2.LINE_8, 4)
    part = seen[top:low, left:right]
    shown = (mask > 0) & (part[..., 0] == number) & (part[..., 1] == side)
    return min(1.0, float(shown.sum()) / max(area, 1.0))


def _world(piece: Laid, points: Floats) -> Floats:
    return np.asarray(points @ piece.rotation().T + piece.centre(), np.float64)


def _px(points: Floats) -> list[list[float]]:
    return [[round(float(x), 2), round(float(y), 2)] for x, y in points]
