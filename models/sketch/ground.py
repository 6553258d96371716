"""The table of a sketch: its top in perspective, lit, with the pieces' shadows on it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.sketch import bodies
from models.sketch.bodies import Floats
from models.sketch.sketch_pieces import SketchPiece
from models.sketch.view import SketchCamera
from models.textures.prints import headlines, page, print_work, printed, sweets
from models.textures.ruled import cards, ruled
from models.textures.surfaces import (
    SKETCH_SIDE,
    Picture,
    Random,
    as_picture,
    basket,
    cloth,
    felt,
    pattern,
    plain,
    stone,
    tinted,
    wood,
)

Kinds = tuple[tuple[Callable[[Random], Picture], float], ...]  # each with its share

USUAL: Kinds = (
    (plain, 0.2),
    (wood, 0.2),
    (felt, 0.14),
    (cloth, 0.14),
    (stone, 0.12),
    (pattern, 0.1),
    (basket, 0.07),
    (sweets, 0.03),
    (print_work, 0.08),
    (page, 0.06),
    (headlines, 0.04),
)
PRINTED: Kinds = ((headlines, 0.33), (ruled, 0.27), (page, 0.15), (sweets, 0.15), (print_work, 0.1))

CARDS: Kinds = ((cards, 1.0),)
DECOYS: Kinds = (*PRINTED, (cards, 0.2))


def draw_surface(rng: Random, kinds: Kinds = USUAL) -> Picture:
    """Choose and make one table top, often with something printed on it."""
    probs = np.array([share for _, share in kinds])
    made = kinds[int(rng.choice(len(kinds), p=probs / probs.sum()))][0](rng)
    made = np.ascontiguousarray(np.rot90(made, int(rng.integers(4))), np.float32)
    if rng.random() < 0.4:
        made = printed(rng, made, int(rng.integers(1, 8)), 120)
    return np.clip(made, 0, 1)


ALIKE = 0.18  # of the tables have the colour of a piece: white dice on white paper
SOFT = 0.4  # px of the view, blur of a page that shrinks
SLOPE = 0.16  # by which the light differs between the middle and the edges, standard deviation
SAMPLES = 5  # shadows of a piece in one light, which blur into one


@dataclass(frozen=True, slots=True)
class Flat:
    """A piece of paper or paint on the table."""

    corners: Floats  # (n, 2) in the world, convex
    colour: Floats  # (3,) light, RGB


@dataclass(frozen=True, slots=True, eq=False)
class Page:
    """A printed page on the table."""

    corners: Floats  # (4, 2) in the world, clockwise from the page's own upper left
    picture: Picture  # (h, w, 3) its reflectance, RGB


@dataclass(frozen=True, slots=True)
class SketchTop:
    """The top of a table that is seen on several pictures, and what lies flat on it."""

    seed: int
    flats: Sequence[Flat] = ()
    page: Page | None = None


def draw_ground(
    rng: Random,
    view: SketchCamera,
    pieces: list[SketchPiece],
    lights: Floats,
    ambient: Floats,
    tables: Kinds,
    top: SketchTop | None = None,
) -> Picture:
    """Draw the table with its shadows, (h, w, 3) light, RGB; without *top* any table."""
    if top is None:
        ground = _draw_top(rng, view, pieces, tables)
    else:
        ground = lay_top(view, pieces, tables, top)
    return light_ground(rng, view, pieces, lights, ambient, ground)


def lay_top(
    view: SketchCamera, pieces: list[SketchPiece], tables: Kinds, top: SketchTop
) -> Picture:
    """Return the reflectance of a table with what lies flat on it; it may be near a piece's."""
    ground = _draw_top(np.random.default_rng(top.seed), view, pieces, tables)
    for flat in top.flats:
        _paint(ground, view, flat)
    if top.page is not None:
        _lay_page(ground, view, top.page)
    return ground


def light_ground(
    rng: Random | int,
    view: SketchCamera,
    pieces: list[SketchPiece],
    lights: Floats,
    ambient: Floats,
    ground: Picture,
) -> Picture:
    """Return a table's reflectance *ground* lit and with the pieces' shadows, (h, w, 3) light.

    If *rng* is a seed, the light does not depend on the pieces: frames of a video share it.
    """
    chance = np.random.default_rng(rng)
    total = np.broadcast_to(ambient.astype(np.float32), ground.shape).copy()
    for k, light in enumerate(lights):
        own = np.random.default_rng((rng, k)) if isinstance(rng, int) else chance
        shadow = _shadow(own, view, pieces, light, alike=isinstance(rng, int))
        lit = light[2] * (1 - shadow * (1 - np.float32(light[6])))
        total += lit[..., None] * light[3:6].astype(np.float32)
    slope = chance.normal(0, SLOPE, 2)  # by which the light differs at the edges
    total *= (1 - _contact(view, pieces))[..., None]
    y, x = np.mgrid[-1 : 1 : view.height * 1j, -1 : 1 : view.width * 1j].astype(np.float32)
    total *= np.maximum(0.3, 1 + slope[0] * x + slope[1] * y)[..., None]
    return np.ascontiguousarray(ground * total, np.float32)


def _draw_top(rng: Random, view: SketchCamera, pieces: list[SketchPiece], tables: Kinds) -> Picture:
    """Return the reflectance of the table in each px."""
    surface = draw_surface(rng, tables)
    if pieces and rng.random() < ALIKE:
        piece = pieces[int(rng.integers(len(pieces)))]
        surface = tinted(surface, _near(rng, piece.body[bodies.COLOUR : bodies.COLOUR + 3]))
    span = far_seen(view) * rng.uniform(1.1, 2.2) / (SKETCH_SIDE / 2)
    return lay_surface(view, surface, span)


def far_seen(view: SketchCamera) -> float:
    """Return how far from the origin the near and middle parts of the picture show the table."""
    spots = [
        view.on_table(np.array(p))
        for p in ((0, view.height), (view.width, view.height), (view.width / 2, view.height / 2))
    ]
    return float(max([np.hypot(*s) for s in spots if s is not None] or [5.0]))


def lay_surface(view: SketchCamera, surface: Picture, span: float) -> Picture:
    """Return the reflectance seen in each px, of a *surface* with *span* world units a px."""
    size = (view.width, view.height)
    image = cv2.warpPerspective(
        surface, view.homography(span, SKETCH_SIDE), size,
        flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REFLECT,
    )  # fmt: skip
    return as_picture(np.clip(image, 0, 1) ** np.float32(2.2))


def _paint(ground: Picture, view: SketchCamera, flat: Flat) -> None:
    """Put a flat thing on the table where the camera sees it."""
    world = np.column_stack([flat.corners, np.zeros(len(flat.corners))])
    cover = np.zeros(ground.shape[:2], np.float32)
    _fill(cover, view.project(world), 1.0)
    ground += cover[..., None] * (flat.colour.astype(np.float32) - ground)


def _lay_page(ground: Picture, view: SketchCamera, page: Page) -> None:
    """Put a page on the table; where it shrinks, its px are averaged."""
    high, wide = page.picture.shape[:2]
    own = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32) - np.float32(0.5)
    corners_px = view.project(np.column_stack([page.corners, np.zeros(4)])).astype(np.float32)
    shrink = float(np.sqrt(cv2.contourArea(corners_px) / (wide * high)))
    soft = cv2.GaussianBlur(page.picture, (0, 0), SOFT / shrink) if shrink < 1 else page.picture
    to_view = cv2.getPerspectiveTransform(own, corners_px)
    size = view.width, view.height
    cover = cv2.warpPerspective(np.ones((high, wide), np.float32), to_view, size)[..., None]
    ground += cover * (cv2.warpPerspective(soft, to_view, size) - ground)


def _shadow(
    rng: Random,
    view: SketchCamera,
    pieces: list[SketchPiece],
    light: Floats,
    *,
    alike: bool = False,
) -> Picture:
    """Return how dark one light's shadows are, (h, w) in [0, 1].

    Where they are *alike* each piece has the same, whatever lies beside it.
    """
    dark = np.zeros((view.height, view.width), np.float32)
    soft = rng.uniform(0.02, 0.3)
    shared = rng.normal(0, soft, (SAMPLES, 3)) if alike else None
    for piece in pieces:
        corners = _corners(piece)
        for k in range(SAMPLES):
            ray = light[:3] + (rng.normal(0, soft, 3) if shared is None else shared[k]) * (
                1,
                1,
                0.3,
            )
            ray[2] = max(ray[2], 0.15)
            shade = corners - ray * (corners[:, 2:] / ray[2])
            _fill(dark, view.project(shade), 1 / SAMPLES)
    return as_picture(cv2.GaussianBlur(np.minimum(dark, 1), (0, 0), rng.uniform(0.8, 3)))


def _contact(view: SketchCamera, pieces: list[SketchPiece]) -> Picture:
    """Return how dark it is where pieces touch the table, (h, w) in [0, 1]."""
    contact = np.zeros((view.height, view.width), np.float32)
    for piece in pieces:
        foot = _corners(piece, 0.1)
        foot[:, 2] = 0
        _fill(contact, view.project(foot), 0.6)
    blur = max(0.8, float(0.05 * view.focal / np.linalg.norm(view.eye)))
    return as_picture(cv2.GaussianBlur(np.minimum(contact, 0.6), (0, 0), blur))


def _near(rng: Random, light: Floats) -> Floats:
    """Return sRGB close to a colour given as light."""
    return np.asarray(light ** (1 / 2.2) * rng.uniform(0.8, 1.15) + rng.normal(0, 0.03, 3))


def _corners(piece: SketchPiece, grow: float = 0.0) -> Floats:
    """Return the 8 corners of a box in the world."""
    half = piece.body[bodies.HALF : bodies.HALF + 3] - 0.2 * piece.body[bodies.ROUND] + grow
    signs = np.array([[x, y, z] for z in (-1, 1) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
    turn = piece.body[bodies.TURN : bodies.TURN + 9].reshape(3, 3)
    return np.asarray(signs * half @ turn.T + piece.body[bodies.AT : bodies.AT + 3], np.float64)


def _fill(mask: NDArray[np.float32], points: Floats, amount: float) -> None:
    if not np.isfinite(points).all() or np.abs(points).max() > 20000:
        return
    hull = cv2.convexHull(np.round(points * 8).astype(np.int32))
    piece = np.zeros(mask.shape, np.uint8)
    cv2.fillConvexPoly(piece, hull, 255, cv2.LINE_AA, 3)
    mask += piece * np.float32(amount / 255)
