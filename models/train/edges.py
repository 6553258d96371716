"""Strips along lines down pictures, as if the photo ended there, with what the line cuts off."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.dataset.annotation import AnnotatedImage
from models.dataset.folders import choose_image
from vision.faces.cut_pieces import CELL, DEEP, FACE, colours_at, strip_at_right
from vision.geometry import Floats, sides_of
from vision.photo import Pixels

Random = np.random.Generator

LONG = 128  # px of a strip
STRIPS = 8  # a picture
PHOTO_SHARE = 0.55
ACROSS = 0.65  # share of the strips that are cut across a piece, where there is one
OWN_EDGE = 0.3  # share of the others that lie along the picture's own edge
LEAST, MOST = 0.06, 0.88  # share of a piece that is left where it counts as cut off
FOUND, TOUCHED = 0.6, 1.3  # of half its length along the edge: has to be found there, may be
SMALL = 10.0  # px, side of faces that are too small
UNKNOWN = -1.0  # truth of a place of which it is not known
SIDES = (0.85, 1.15), (0.65, 1.0)  # of a quad, of a photo's box: side that is taken for a face's
ALONE = (6, 40)  # faces that the longer side of a picture without one would hold

Strip = tuple[Pixels, NDArray[np.float32]]


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """A picture, turned so that the line goes down it, and where pieces lie."""

    bgr: Pixels
    pieces: Floats  # (n, 4, 2) px
    unknown: Floats  # (m, 4, 2) px, of which it is not said whether they are cut off

    def turned(self) -> "Ground":
        """Return it a quarter turn on."""
        width = self.bgr.shape[1]
        pieces, unknown = (
            np.stack([quads[..., 1], width - 1 - quads[..., 0]], axis=-1)
            for quads in (self.pieces, self.unknown)
        )
        return Ground(np.rot90(self.bgr), pieces, unknown)


def strips_of(
    groups: Sequence[Sequence[AnnotatedImage]], rng: Random
) -> Iterator[tuple[Pixels, NDArray[np.float32]]]:
    """Yield (n, LONG, DEEP, 4) strips of one picture after another, and (n, LONG / CELL) truths."""
    photos = [shots for shots in groups if shots[0].is_photo]
    drawn = [shots for shots in groups if not shots[0].is_photo]
    while True:
        some = photos if photos and (not drawn or rng.random() < PHOTO_SHARE) else drawn
        strips = [*draw_strips(rng, choose_image(rng, some))]
        if strips:
            pictures, truths = zip(*strips, strict=True)
            yield np.array(pictures, np.uint8), np.array(truths, np.float32)


def draw_strips(rng: Random, shot: AnnotatedImage) -> Iterator[Strip]:
    """Yield some strips of a picture."""
    large = [face for face in shot.every_face if face.size >= SMALL]
    pieces = [face.quad for face in large if face.counts]
    others = [face.quad for face in large if not face.counts]
    unknown = [*others, *shot.ignored, *(shot.sides or ())]
    ground = Ground(shot.pixels(), *(np.reshape(quads, (-1, 4, 2)) for quads in (pieces, unknown)))
    for _ in range(STRIPS):
        for _ in range(int(rng.integers(4))):
            ground = ground.turned()
        strip = _strip(rng, ground, SIDES[shot.is_photo])
        if strip is not None:
            yield strip


def _strip(rng: Random, ground: Ground, sides: tuple[float, float]) -> Strip | None:
    """Return a strip along a line down a picture, with its truth; None if nothing is on it."""
    bgr, pieces = ground.bgr, ground.pieces
    height, width = bgr.shape[:2]
    side = max(height, width) / rng.uniform(*ALONE)
    if len(pieces):
        side = float(np.median(sides_of(pieces)) * rng.uniform(*sides))
    at, middle = _line(rng, ground, side)
    high = LONG / FACE * side
    first = round(min(max(0.0, middle - high / 2), max(0.0, height - high)))
    part = bgr[first : round(first + high), max(0, at - round(2 * side)) : at]
    if at < 2 * side or len(part) < round(high) - 1:
        return None
    strip = _in_other_light(rng, part, side, _colours(rng, bgr, pieces, at, side))
    if strip is None or strip.shape != (LONG, DEEP, 4):
        return None
    places = (np.arange(LONG // CELL) + 0.5) * CELL / FACE * side + first
    truth = truth_along(at, places, pieces, ground.unknown)
    return (strip[::-1], truth[::-1]) if rng.random() < 0.5 else (strip, truth)


def _line(rng: Random, ground: Ground, side: float) -> tuple[int, float]:
    """Return where a line goes down a picture, and the middle of what is shown of it, px."""
    height, width = ground.bgr.shape[:2]
    if len(ground.pieces) and rng.random() < ACROSS:
        quad = ground.pieces[int(rng.integers(len(ground.pieces)))]
        (left, _), (right, _) = quad.min(axis=0), quad.max(axis=0)
        at = round(left + rng.uniform(LEAST, MOST) ** 1.3 * (right - left))
        return min(width, max(0, at)), quad[:, 1].mean() + rng.normal(0, 1.5) * side
    at = width if rng.random() < OWN_EDGE else int(rng.uniform(0.25, 1.0) * width)
    return at, float(rng.uniform(0, height))


def _colours(rng: Random, bgr: Pixels, pieces: Floats, at: int, side: float) -> Floats:
    """Return the colours of the pieces that are left, or of places anywhere."""
    whole = pieces[pieces[..., 0].max(axis=1) <= at] if len(pieces) else pieces
    if len(whole):
        return colours_at(bgr, whole.mean(axis=1), side)
    anywhere = rng.uniform(0, 1, (int(rng.integers(1, 4)), 2)) * (bgr.shape[1] - 1, len(bgr) - 1)
    return colours_at(bgr, anywhere, side)


def _in_other_light(rng: Random, part: Pixels, side: float, colours: Floats) -> Pixels | None:
    small = min(1.0, 2 * FACE / side)
    few = cv2.resize(part, None, fx=small, fy=small, interpolation=cv2.INTER_AREA)
    gains = rng.uniform(0.8, 1.2, 3) * rng.uniform(0.7, 1.2)
    lit = few * gains + rng.normal(0, rng.uniform(0, 6), few.shape)
    colours = np.clip(colours * gains, 0, 255)
    return strip_at_right(np.clip(lit, 0, 255).astype(np.uint8), small * side, colours)


def truth_along(at: int, places: Floats, pieces: Floats, unknown: Floats) -> NDArray[np.float32]:
    """Return (n,) 1 where a line cuts off a piece, 0 where none, UNKNOWN in between.

    Args:
        at: x of the line, px; what is left of it stays.
        places: (n,) y along it, px.
        pieces: (m, 4, 2) px.
        unknown: (k, 4, 2) px, of things of which it is not said.
    """
    truth = np.zeros(len(places), np.float32)
    for quad, is_piece in [*((q, True) for q in pieces), *((q, False) for q in unknown)]:
        (x0, y0), (x1, y1) = quad.min(axis=0), quad.max(axis=0)
        if not x0 < at < x1 + 1:
            continue
        away = np.abs(places - (y0 + y1) / 2) / ((y1 - y0) / 2)
        is_cut = is_piece and LEAST <= (at - x0) / (x1 - x0) <= MOST
        truth[(away < TOUCHED) & (truth == 0)] = UNKNOWN
        truth[(away < FOUND) & is_cut] = 1
    return truth
