"""The stages in order: photo to faces, faces to values and colours, faces to cells."""

from __future__ import annotations

import time

import cv2
import numpy as np

from vision.blobs import Floats
from vision.colour import light_of, read_colours
from vision.faces import Found, find_faces
from vision.geometry import Quad
from vision.photo import Photo, Pixels
from vision.pips import crop_faces, read_pips
from vision.reading import COLOURS, Face, Look, Reading

WORK_SIDE = 1600  # px, longer side of the picture the finder sees; dice of 25 px are still found


def read(photo: Photo, look: Look | None = None) -> Reading:
    """Read everything *look* asks for (by default whatever there is) on an upright photo."""
    look = look or Look()
    started = time.perf_counter()
    faces = _read_faces(photo, look)
    ms = photo.ms + 1000 * (time.perf_counter() - started)
    return Reading(photo.width, photo.height, dice=tuple(faces), ms=ms)


def _read_faces(photo: Photo, look: Look) -> list[Face]:
    work, scale = _work_picture(photo)
    found = find_faces(work)
    quads = [face.quad.scaled(1 / scale) for face in found]
    crops = crop_faces(photo.bgr, quads)
    odds = read_pips(crops)
    dark = np.array([face.dark_pips for face in found], np.bool_)
    colours = read_colours(crops, dark, light_of(work))
    return [
        _face(face, face.quad.scaled(photo.scale / scale), o, c)
        for face, o, c in zip(found, odds, colours, strict=True)
    ]


def _work_picture(photo: Photo) -> tuple[Pixels, float]:
    """Return the picture for the finder and its size as a share of `photo.bgr`."""
    longest: int = max(photo.bgr.shape[:2])
    scale = min(1.0, WORK_SIDE / longest)
    if scale == 1.0:
        return photo.bgr, scale
    work = cv2.resize(photo.bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(work, np.uint8), scale


def _face(found: Found, quad: Quad, seen: Floats, colours: Floats) -> Face:
    counted = np.full(7, 0.02)
    counted[found.value] = 1
    odds = counted * seen
    odds /= odds.sum()
    order = np.argsort(-colours, kind="stable")
    named = tuple((COLOURS[i], round(float(colours[i]), 3)) for i in order[:3])
    confidence = float(odds.max()) * min(1.0, found.score / found.value)
    return Face(quad, tuple(float(o) for o in odds), named, confidence, confidence > 0.9)
