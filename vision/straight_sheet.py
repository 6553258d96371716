"""A sheet straightened: the picture of its cells seen from above, the light of its paper taken out.

In: a photo, the map from the sheet to it, the cells' polygons.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, Homography
from vision.layout import Layout
from vision.photo import Photo, Pixels, halved
from vision.quad import Quad

FINE = 2.0  # px per mm of the straightened sheet
RIM = 4.0  # mm kept around the cells
PAPER, SMOOTH = 24.0, 4.0  # mm, widest dark thing beside which the paper's light is known; its blur
FINER = 1.8  # times FINE; finer photos are halved first
LIGHT = 200.0  # grey level of paper
FRAME = 4  # px of a cell around its inside: the frame's print
FEW = 4  # px of the straightened sheet for one by which its light is measured
# Px by which a frame may lie beside its place, on a sheet that is bent a little; of its blur; by
# which it may be off the median of so many cells beside it.
STRAY, SOFT, OFF, BESIDE = 8, 0.8, 2.0, 8
PRINTED = 0.75  # of the cells of a kind, by light: what these have is print


@dataclass(frozen=True, slots=True, eq=False)
class StraightSheet:
    """The part of a sheet with its n cells."""

    flat: Pixels  # (h, w, 3) BGR
    light: Pixels  # (h, w, 3) BGR beside the paper's, which is LIGHT
    cells: Floats  # (n, 4, 2) px
    to_photo: Homography

    def boxes(self, inset: int = 0) -> NDArray[np.intp]:
        """Return (n, 4) px, left, top, right and bottom of the cells, *inset* px within these."""
        ends = np.hstack([self.cells.min(axis=1) + inset, self.cells.max(axis=1) - inset])
        return np.asarray(ends.round().clip(0), np.intp)

    @property
    def finer(self) -> float:
        """Return how many px of the photo a px of the sheet is made of, along one side."""
        return _finer(self.to_photo, self.flat.shape[1::-1])


def sheet_at(photo: Photo, corners: Quad, layout: Layout) -> StraightSheet | None:
    """Return the sheet of a photo with the outline of its layout at *corners*, px of the photo."""
    to_px = Homography.fit(layout.outline, corners.scaled(1 / photo.scale).array)
    polygons = np.array([cell.polygon for cell in layout.cells if cell.marks])
    return straightened(photo.bgr, to_px, polygons) if to_px and len(polygons) else None


def straightened(bgr: Pixels, to_px: Homography, polygons: Floats) -> StraightSheet:
    """Return the sheet of a photo.

    Args:
        bgr: the photo.
        to_px: from the polygons' mm to px of the photo.
        polygons: (n, 4, 2), clockwise from each cell's own upper left.
    """
    corner = polygons.min(axis=(0, 1)) - RIM
    size = np.ceil((polygons.max(axis=(0, 1)) + RIM - corner) * FINE).astype(int)
    matrix = to_px.matrix @ np.array(
        [[1 / FINE, 0, corner[0] + 0.5 / FINE], [0, 1 / FINE, corner[1] + 0.5 / FINE], [0, 0, 1]]
    )
    flat = _flat(bgr, matrix, (int(size[0]), int(size[1])))
    return StraightSheet(
        flat, _lit(flat), (polygons - corner) * FINE - 0.5, Homography(matrix, 0.0)
    )


def on_photo(bgr: Pixels, to_px: Homography, polygons: Floats) -> NDArray[np.bool_]:
    """Return (n,) whether the middle three quarters of each cell, both ways, are on the photo."""
    middles = polygons.mean(axis=1, keepdims=True)
    inner = to_px.apply((middles + 0.75 * (polygons - middles)).reshape(-1, 2)).reshape(-1, 4, 2)
    inside = (inner >= 0) & (inner <= np.array(bgr.shape[1::-1]) - 1)
    return np.asarray(inside.all(axis=(1, 2)), np.bool_)


def printed_alike(
    sheet: StraightSheet, picture: NDArray[Any], kinds: Sequence[Hashable], around: int
) -> Iterator[tuple[list[int], list[NDArray[Any]], NDArray[Any]]]:
    """Yield the cells of each kind, their patches of a picture, and what these have in common.

    Patches are so many px *around* the cells.
    """
    sides = np.ceil(np.ptp(sheet.cells, axis=1)).astype(int) + 2 * around
    for kind in set(kinds):
        some = [k for k, other in enumerate(kinds) if other == kind]
        size = np.median(sides[some], axis=0).astype(int).tolist()
        patches = [cv2.getRectSubPix(picture, size, sheet.cells[k].mean(axis=0)) for k in some]
        yield some, patches, _highest(patches, len(some) - int(PRINTED * len(some)))


def settled(sheet: StraightSheet) -> StraightSheet:
    """Return the sheet with its cells where their frames are: paper is never quite flat.

    A cell that its mark would move otherwise than its neighbours is moved like these.
    """
    if len(sheet.cells) <= BESIDE:
        return sheet
    soft = cv2.GaussianBlur(darkest(sheet.light), (0, 0), SOFT)
    dark = np.asarray(cv2.bitwise_not(soft), np.uint8)
    moved = np.array([_moved(dark, cell) for cell in sheet.cells])
    return replace(sheet, cells=sheet.cells + agreeing(moved, sheet.cells)[:, None])


def agreeing(moved: Floats, cells: Floats) -> Floats:
    """Return (n, 2) by how much cells are *moved*; one that is moved otherwise goes with others."""
    middles = cells.mean(axis=1)
    far = np.linalg.norm(middles[:, None] - middles, axis=2)
    usual = np.median(moved[far.argsort(axis=1)[:, 1 : BESIDE + 1]], axis=1)
    odd = np.linalg.norm(moved - usual, axis=1) > OFF
    return np.asarray(np.where(odd[:, None], usual, moved), np.float64)


def _moved(dark: Pixels, cell: Floats) -> Floats:
    """Return by how many px the frame of a cell lies beside its place; 0 if it is not seen."""
    low, side = cell.min(axis=0), np.ptp(cell, axis=0)
    wide, high = np.ceil(side).astype(int) + 2 * FRAME
    middle = low + side / 2
    frame = np.zeros((high, wide), np.float32)
    corners = cell - middle + (np.array([wide, high]) - 1) / 2
    cv2.polylines(frame, [(corners * 16).round().astype(np.int32)], True, 1.0, 1, cv2.LINE_8, 4)
    patch = cv2.getRectSubPix(dark, (int(wide) + 2 * STRAY, int(high) + 2 * STRAY), middle)
    scores = cv2.matchTemplate(
        patch.astype(np.float32), cv2.GaussianBlur(frame, (0, 0), SOFT), cv2.TM_CCOEFF
    )
    return best_of(scores)


def best_of(scores: NDArray[Any]) -> Floats:
    """Return (2,) where, from their middle, some scores (h, w) are best; 0 if that is at a rim."""
    row, column = np.unravel_index(int(scores.argmax()), scores.shape)
    high, wide = scores.shape
    if not (0 < row < high - 1 and 0 < column < wide - 1):
        return np.zeros(2)
    lines = scores[row, column - 1 : column + 2], scores[row - 1 : row + 2, column]
    return np.array(
        [
            at - size // 2 + 0.5 * (after - before) / max(2 * most - after - before, 1e-6)
            for at, size, (before, most, after) in zip(
                (column, row), (wide, high), lines, strict=True
            )
        ],
        np.float64,
    )


def _highest(pictures: Sequence[NDArray[Any]], place: int) -> NDArray[Any]:
    """Return the highest of each px of some pictures, or what has another *place*, from 1 on."""
    top: list[NDArray[Any]] = []
    for picture in pictures:
        rest = picture
        for k, high in enumerate(top):
            top[k], rest = np.maximum(high, rest), np.minimum(high, rest)
        top = [*top, rest][:place]
    return top[-1]


def darkest(bgr: Pixels) -> Pixels:
    """Return (h, w) the least of three channels."""
    blue, green, red = cv2.split(bgr)
    return np.asarray(cv2.min(cv2.min(blue, green), red), np.uint8)


def areas_in(labels: NDArray[np.int32], number: int, boxes: NDArray[np.intp]) -> Floats:
    """Return (number, n) mm² of what has each of the (h, w) labels inside n boxes, 0 being none."""
    areas = np.zeros((number, len(boxes)))
    for k, (left, top, right, bottom) in enumerate(boxes):
        inside = labels[top : bottom + 1, left : right + 1].ravel()
        areas[:, k] = np.bincount(inside, minlength=number) / FINE**2
    areas[0] = 0
    return areas


def _flat(bgr: Pixels, matrix: Floats, size: tuple[int, int]) -> Pixels:
    """Return the sheet, (h, w, 3) of a *size*, which *matrix* maps to px of the photo."""
    finer = _finer(Homography(matrix, 0.0), size)
    while finer > FINER and min(bgr.shape[:2]) > 1:  # else the map would skip px
        bgr, finer = halved(bgr), finer / 2
        matrix = np.array([[0.5, 0, -0.25], [0, 0.5, -0.25], [0, 0, 1]]) @ matrix
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    flat = cv2.warpPerspective(bgr, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(flat, np.uint8)


def _finer(to_photo: Homography, size: tuple[int, ...]) -> float:
    wide, high = size
    rim = to_photo.apply(np.array([(0, 0), (wide, 0), (wide, high), (0, high)]))
    return float(np.sqrt(cv2.contourArea(rim.astype(np.float32)) / (wide * high)))


def paper_of(picture: NDArray[Any]) -> NDArray[Any]:
    """Return the paper of each px of a picture (h, w, 3): what is as bright as all around it."""
    small = cv2.resize(picture, None, fx=1 / FEW, fy=1 / FEW, interpolation=cv2.INTER_AREA)
    side = round(PAPER * FINE / FEW)
    around = np.ones((side, side), np.uint8)
    closed = cv2.morphologyEx(small, cv2.MORPH_CLOSE, around, borderType=cv2.BORDER_REPLICATE)
    closed = cv2.GaussianBlur(closed, (0, 0), SMOOTH * FINE / FEW)
    return cv2.resize(closed, picture.shape[1::-1], interpolation=cv2.INTER_LINEAR)


def _lit(flat: Pixels) -> Pixels:
    """Return (h, w, 3) the light of each px beside the paper's."""
    return np.asarray(cv2.divide(flat, paper_of(flat), None, LIGHT), np.uint8)
