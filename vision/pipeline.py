"""The stages in order: photo to faces, faces to values and colours, faces to cells."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import replace

import cv2
import numpy as np

from vision.blobs import Floats
from vision.board import place_on_lattice
from vision.colour import light_of, read_colours, within_palette
from vision.doubt import after_second_look
from vision.faces import Found, find_faces
from vision.geometry import Quad
from vision.photo import Photo, Pixels
from vision.pips import crop_faces, read_pips
from vision.reading import COLOURS, Board, Face, Look, Reading

SURE = 0.93  # confidence above which nobody is asked; see docs/accuracy.md
LEAST_ODDS = 0.01
WORK_SIDE = 1600  # px, longer side of the picture the finder sees; dice of 25 px are still found


def read(photo: Photo, look: Look | None = None) -> Reading:
    """Read everything *look* asks for (by default whatever there is) on an upright photo."""
    look = look or Look()
    started = time.perf_counter()
    dice = _read_faces(photo, look)
    board: Board | None = None
    warnings: list[str] = []
    if look.grid:
        dice, board, warnings = _on_grid(dice, look)
    ms = photo.ms + 1000 * (time.perf_counter() - started)
    return Reading(
        photo.width, photo.height, tuple(dice), board=board, warnings=tuple(warnings), ms=ms
    )


def _on_grid(dice: list[Face], look: Look) -> tuple[list[Face], Board | None, list[str]]:
    """Give each die its cell; return the dice in reading order, the board and warnings."""
    rows, columns = look.grid or (0, 0)
    if not dice:
        return dice, None, ["No dice were found. Take the photo closer and in more light."]
    placed = place_on_lattice(np.array([die.center for die in dice]), rows, columns)
    if placed is None:
        hint = f"The {rows}x{columns} grid was not found. Show the whole board, from above."
        return dice, None, [hint]
    with_cells = [
        replace(die, cell=cell, sure=die.sure and not (between and cell))
        for die, cell, between in zip(dice, placed.cells, placed.between, strict=True)
    ]
    with_cells.sort(key=lambda die: (die.cell is None, die.cell or (), die.center))
    board = Board(str(look), placed.grid.corners, placed.grid.to_px.error)
    return with_cells, board, _cell_warnings(with_cells)


def _cell_warnings(dice: list[Face]) -> list[str]:
    counts = Counter(die.cell for die in dice if die.cell)
    return [
        f"Two dice lie in one cell (row {int(row) + 1}, column {int(column) + 1})."
        if count == 2
        else f"{count} dice lie in one cell (row {int(row) + 1}, column {int(column) + 1})."
        for (row, column), count in sorted(counts.items())
        if count > 1
    ]


def _read_faces(photo: Photo, look: Look) -> list[Face]:
    work, scale = _work_picture(photo)
    found = find_faces(work)
    quads = [face.quad.scaled(1 / scale) for face in found]
    crops = crop_faces(photo.bgr, quads)
    odds = read_pips(crops)
    dark = np.array([face.dark_pips for face in found], np.bool_)
    colours, chroma = read_colours(crops, dark, light_of(work))
    colours, _foreign = within_palette(colours, chroma, look.colours)
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
    """Join what the finder counted with what the reader saw."""
    confidence = after_second_look(found.belief, float(seen[found.value]))
    others = np.where(np.arange(7) == found.value, 0.0, seen + LEAST_ODDS)
    others[0] = 0.0  # a die has no blank face
    odds = others / others.sum() * (1 - confidence)
    odds[found.value] = confidence
    sure = confidence > SURE and not found.odd_tilt
    order = np.argsort(-colours, kind="stable")
    named = tuple((COLOURS[i], round(float(colours[i]), 3)) for i in order[:3])
    return Face(quad, tuple(float(o) for o in odds), named, confidence, sure)
