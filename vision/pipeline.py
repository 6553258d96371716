"""The stages in order: photo to faces, faces to values and colours, faces to cells."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import replace

import cv2
import numpy as np

from vision.blobs import Floats
from vision.board import Placed, place_dice
from vision.colour import light_of, read_colours, within_palette
from vision.doubt import after_second_look
from vision.faces import Found, find_faces
from vision.geometry import Quad
from vision.photo import Photo, Pixels
from vision.pips import crop_faces, read_pips
from vision.quality import complaints
from vision.reading import COLOURS, VALUES, Board, Face, Look, Reading

SURE = 0.93  # confidence above which nobody is asked; chosen on the training photos
SURE_COLOUR = 0.75  # the same for a colour where the game tells dice apart by it
UNLIKELY = 0.5  # confidence below which a die too many is dropped
LEAST_ODDS = 0.01  # of each other value, so that every answer stays on offer
WORK_SIDE = 1600  # px, longer side of the picture the finder sees; dice of 25 px are still found

UNREAD = {
    "dominoes": "Dominoes are not read yet. Enter the tiles by hand.",
    "sheet": "The sheet {} is not read yet. Enter its marks by hand.",
    "board": "The board {} is not read yet. Enter its pieces by hand.",
}


def read(photo: Photo, look: Look | None = None) -> Reading:
    """Read everything *look* asks for (by default whatever there is) on an upright photo."""
    look = look or Look()
    started = time.perf_counter()
    dice, warnings = ([], []) if look.kind == "dominoes" else _read_dice(photo, look)
    if look.kind in UNREAD:
        warnings.append(UNREAD[look.kind].format(look.name))
    board: Board | None = None
    if look.grid:
        dice, board, found = _on_grid(photo, dice, look)
        warnings += found
    ms = photo.ms + 1000 * (time.perf_counter() - started)
    size = (photo.width, photo.height)
    return Reading(*size, tuple(dice), board=board, warnings=tuple(warnings), ms=ms)


def _read_dice(photo: Photo, look: Look) -> tuple[list[Face], list[str]]:
    """Return the dice on the photo, the surest first, and warnings."""
    work, scale = _work_picture(photo)
    found = find_faces(work)
    crops = crop_faces(photo.bgr, [face.quad.scaled(1 / scale) for face in found])
    dark_pips = np.array([face.dark_pips for face in found], np.bool_)
    colours, chroma = read_colours(crops, dark_pips, light_of(work))
    colours, foreign = within_palette(colours, chroma, look.colours)
    dice = [
        _face(face, face.quad.scaled(photo.scale / scale), odds, colour, look)
        for face, odds, colour in zip(found, read_pips(crops), colours, strict=True)
    ]
    warnings = complaints(work, [die.quad.side for die in dice])
    warnings += [
        f"A {die.colour} die does not belong to this game. Take it away or correct its colour."
        for die, is_foreign in zip(dice, foreign, strict=True)
        if is_foreign
    ]
    dice.sort(key=lambda die: (-die.confidence, die.center))
    most = len(dice) if look.count is None else look.count
    return dice[:most] + [die for die in dice[most:] if die.confidence >= UNLIKELY], warnings


def _work_picture(photo: Photo) -> tuple[Pixels, float]:
    """Return the picture for the finder and its size as a share of `photo.bgr`."""
    longest: int = max(photo.bgr.shape[:2])
    scale = min(1.0, WORK_SIDE / longest)
    if scale == 1.0:
        return photo.bgr, scale
    work = cv2.resize(photo.bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(work, np.uint8), scale


def _face(found: Found, quad: Quad, seen: Floats, colours: Floats, look: Look) -> Face:
    """Join what the finder counted with what the reader saw."""
    confidence = after_second_look(found.belief, float(seen[found.value]))
    others = np.where(np.array(VALUES) == found.value, 0.0, seen + LEAST_ODDS)
    others[0] = 0.0  # a die has no blank face
    odds = others / others.sum() * (1 - confidence)
    odds[found.value] = confidence
    order = np.argsort(-colours, kind="stable")
    named = tuple((COLOURS[i], round(float(colours[i]), 3)) for i in order[:3])
    sure = confidence > SURE and not found.odd_tilt
    if look.colours:
        sure = sure and named[0][1] > SURE_COLOUR
    return Face(quad, tuple(float(o) for o in odds), named, confidence, sure)


def _on_grid(
    photo: Photo, dice: list[Face], look: Look
) -> tuple[list[Face], Board | None, list[str]]:
    """Give each die its cell; return the dice in reading order, the board and warnings."""
    rows, columns = look.grid or (0, 0)
    placed = place_dice(photo, dice, rows, columns)
    grid = placed.grid if placed else None
    board = Board(str(look), grid.corners, grid.to_px.error) if grid else None
    if not dice:
        return dice, board, ["No dice were found. Take the photo closer and in more light."]
    if placed is None:
        hint = f"The {rows}x{columns} grid was not found. Show the whole board, from above."
        return dice, None, [hint]
    with_cells = [
        replace(die, cell=cell, sure=die.sure and not (between and cell))
        for die, cell, between in zip(dice, placed.cells, placed.between, strict=True)
    ]
    warnings = [
        f"A die lies on the line of its cell ({_name(cell)}). Push it into one cell."
        for cell, between in zip(placed.cells, placed.between, strict=True)
        if cell and between
    ]
    with_cells.sort(key=lambda die: (die.cell is None, die.cell or (), die.center))
    cells = [cell for cell in placed.cells if cell]
    return with_cells, board, warnings + _crowded(cells) + _unanchored(placed)


def _crowded(cells: list[tuple[int, int]]) -> list[str]:
    numbers = {2: "Two"}
    return [
        f"{numbers.get(count, count)} dice lie in one cell ({_name(cell)})."
        for cell, count in sorted(Counter(cells).items())
        if count > 1
    ]


def _unanchored(placed: Placed) -> list[str]:
    """Warn where only dice tell and do not reach over the whole grid: the cells are a guess."""
    if placed.on_print or placed.spans:
        return []
    return ["A whole row or column is empty. Check which cells the dice lie in."]


def _name(cell: tuple[int, int]) -> str:
    return f"row {cell[0] + 1}, column {cell[1] + 1}"
