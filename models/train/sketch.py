"""Sketch pictures of tables with truth: some ten a second, where the path tracer makes one.

A sketch has true perspective, round edges, drilled pips, side faces, shadows and whatever a phone
adds; it lacks bounced light and real materials. Truth is written in the renderer's format, with
`visible` (share of the face that is seen) and `sides` (faces that do not look up) added.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.train import cast, film, layouts, palette, toybox
from models.train.lights import draw_lamps, draw_lights
from models.train.surfaces import SIDE, tinted
from models.train.tables import DECOYS, USUAL, Kinds, draw_surface
from models.train.toybox import Floats, Make, Piece

CANVAS = 720  # px, longer side of the drawing; the picture is then shrunk, which smooths its edges
SHRINK = (0.55, 0.9)
FACE = (13.0, 190.0)  # px, side of a face on the canvas
CLOSE_UP = 0.07  # of the pictures show faces larger than that, up to:
LARGEST = 480.0
MOST = 30  # pieces
ALIKE = 0.18  # of the tables have the colour of a piece: white dice on white paper
UP = 4  # the face +z
LOWEST = 0.5  # sine of the height from which a layout is seen; farther down tiles hide each other
FILLS = (0.6, 1.3)  # of the canvas, the width of a layout

Random = np.random.Generator


@dataclass(frozen=True, slots=True)
class Order:
    """What a sketch shall show; all else falls to its seed."""

    bare: bool = False  # no piece lies there
    tables: Kinds = USUAL
    theme: str | None = None  # "dice", "dominoes" or "both"
    blank: float = toybox.BLANK  # share of the halves of dominoes that are blank anyhow
    layout: str | None = None  # of `layouts.LAYOUTS`: how dominoes lie, and nothing beside them


ANY, BARE = Order(), Order(bare=True)
BARE_PRINT = Order(bare=True, tables=DECOYS)
TILES = Order(theme="dominoes", blank=0.5)


@dataclass(slots=True)
class View:
    """A pinhole camera over the table z = 0."""

    eye: Floats
    axes: Floats  # (3, 3) rows right, down, forward
    focal: float
    middle: Floats
    width: int
    height: int

    def project(self, points: Floats) -> Floats:
        """Return px of (n, 3) points."""
        seen = (points - self.eye) @ self.axes.T
        return self.middle + self.focal * seen[:, :2] / np.maximum(seen[:, 2:], 0.05)

    def on_table(self, px: Floats) -> Floats | None:
        """Return where the ray through a pixel meets the table, (2,), if not too far away."""
        ray = np.append((px - self.middle) / self.focal, 1.0) @ self.axes
        if ray[2] > -0.06 * np.linalg.norm(ray):
            return None
        return np.asarray((self.eye + ray * (-self.eye[2] / ray[2]))[:2], np.float64)


def draw_view(rng: Random, face: float) -> View:
    """Choose a camera that shows a face of side 1 about *face* px wide."""
    width, height = CANVAS, int(CANVAS * rng.choice([0.5625, 0.75, 1.0]))
    if rng.random() < 0.5:
        width, height = height, width
    focal = CANVAS * rng.uniform(0.75, 1.7)
    rise = np.deg2rad(
        rng.choice(
            [rng.uniform(16, 45), rng.uniform(40, 75), rng.uniform(70, 90)], p=[0.28, 0.42, 0.3]
        )
    )
    turn, roll = rng.uniform(0, 2 * np.pi), rng.normal(0, 0.12)
    forward = -np.array([np.cos(rise) * np.cos(turn), np.cos(rise) * np.sin(turn), np.sin(rise)])
    right = np.array([-np.sin(turn), np.cos(turn), 0.0])
    down = np.cross(forward, right)
    c, s = np.cos(roll), np.sin(roll)
    axes = np.stack([c * right + s * down, c * down - s * right, forward])
    eye = -forward * max(2.5, focal / face)
    return View(eye, axes, focal, np.array([width / 2, height / 2]), width, height)


def _is_free(at: Floats, piece: Piece, placed: list[Piece], gap: float) -> bool:
    """Say whether a piece may lie there: boxes turned alike may touch, others keep apart."""
    for other in placed:
        step = at - other.body[:2]
        if np.hypot(*step) > piece.reach + other.reach + gap:
            continue
        if _overlap(at, piece, other, gap):
            return False
    return True


def _overlap(at: Floats, a: Piece, b: Piece, gap: float) -> bool:
    """Test two upright boxes for a separating axis."""
    step = b.body[:2] - at
    frames = [x.body[cast.TURN : cast.TURN + 6].reshape(2, 3)[:, :2] for x in (a, b)]
    halves = [x.body[cast.HALF : cast.HALF + 2] for x in (a, b)]
    for frame in frames:
        for axis in frame.T:
            spans = [np.abs(f.T @ axis) @ h for f, h in zip(frames, halves, strict=True)]
            if abs(step @ axis) > sum(spans) + gap:
                return False
    return True


def _turn_to(piece: Piece, yaw: float) -> None:
    c, s = np.cos(yaw), np.sin(yaw)
    piece.body[cast.TURN : cast.TURN + 9] = (c, -s, 0, s, c, 0, 0, 0, 1)


def draw_pieces(rng: Random, view: View, face: float, order: Order) -> list[Piece]:
    """Choose the pieces and lay them down: strewn, in clusters, in rows or on a grid."""
    room = view.width * view.height / face**2
    count = int(min(MOST, max(1, rng.uniform(0.03, 0.22) * room)))
    count = min(count, int(rng.choice([2, 5, 9, 14, 30])))
    theme = str(rng.choice(["dice", "dominoes", "both"], p=[0.66, 0.26, 0.08]))
    theme = order.theme or theme
    makes = [toybox.draw_make(rng) for _ in range(int(rng.choice([1, 2, 6], p=[0.55, 0.2, 0.25])))]
    names, odds = list(palette.ODDS), np.array(list(palette.ODDS.values()))
    few = rng.choice(names, int(rng.choice([1, 2, 6], p=[0.3, 0.3, 0.4])), p=odds / odds.sum())
    way = rng.choice(["strewn", "cluster", "grid"], p=[0.5, 0.28, 0.22])
    base, gap = rng.uniform(0, 2 * np.pi), rng.choice([0.01, rng.uniform(0.02, 0.5)])
    pitch = rng.uniform(1.15, 2.6)
    columns = max(1, int(np.ceil(np.sqrt(count * rng.uniform(0.6, 1.6)))))
    placed: list[Piece] = []
    for k in range(count):
        make = makes[int(rng.integers(len(makes)))]
        yaw = base + rng.normal(0, 0.07) if way == "grid" else rng.uniform(0, 2 * np.pi)
        if way == "cluster" and rng.random() < 0.5:
            yaw = base + np.pi / 2 * rng.integers(4)
        piece = _draw_piece(rng, make, theme, order.blank, str(rng.choice(few)), yaw)
        cell = np.array([k % columns, k // columns]) - (columns - 1) / 2
        if way == "grid":
            step = pitch * make.side * cell + rng.normal(0, 0.04, 2)
            c, s = np.cos(base), np.sin(base)
            at: Floats | None = np.array([c * step[0] - s * step[1], s * step[0] + c * step[1]])
            at = at if at is not None and _is_free(at, piece, placed, 0.01) else None
        else:
            at = _find_place(rng, view, piece, placed, str(way), gap)
        if at is None:
            continue
        piece.body[:2] = at
        placed.append(piece)
        if len(piece.values) == 2 and rng.random() < 0.06:
            placed.append(_stacked(rng, make, order.blank, piece))
    return placed


def _draw_piece(
    rng: Random, make: Make, theme: str, blank: float, colour: str, yaw: float
) -> Piece:
    if rng.random() < 0.1:
        return toybox.draw_decoy(rng, make)
    if theme == "dominoes" or (theme == "both" and rng.random() < 0.5):
        if colour not in ("white", "black") and rng.random() < 0.5:
            colour = "white"
        down = rng.random() < 0.06
        return toybox.draw_domino(rng, make, colour, yaw, down=down, blank=blank)
    return toybox.draw_die(rng, make, colour, yaw)


def _stacked(rng: Random, make: Make, blank: float, under: Piece) -> Piece:
    """Return a domino that lies on another."""
    yaw = rng.uniform(0, 2 * np.pi)
    piece = toybox.draw_domino(rng, make, under.colour, yaw, down=False, blank=blank)
    piece.body[:2] = under.body[:2] + rng.normal(0, 0.15, 2)
    piece.body[cast.AT + 2] += 2 * under.body[cast.HALF + 2]
    return piece


def _find_place(
    rng: Random, view: View, piece: Piece, placed: list[Piece], way: str, gap: float
) -> Floats | None:
    for _ in range(25):
        if way == "cluster" and placed:
            near = placed[int(rng.integers(len(placed)))]
            away = rng.uniform(0.9, 1.5) * (near.reach + piece.reach) / 1.2
            angle = rng.uniform(0, 2 * np.pi)
            at = near.body[:2] + away * np.array([np.cos(angle), np.sin(angle)])
            if rng.random() < 0.5:  # side by side, face to face
                _turn_to(piece, np.arctan2(near.body[cast.TURN + 3], near.body[cast.TURN]))
                axis = int(rng.integers(2))
                frame = near.body[cast.TURN : cast.TURN + 6].reshape(2, 3)[:, axis]
                reach = near.body[cast.HALF + axis] + piece.body[cast.HALF + axis] + gap + 0.004
                at = near.body[:2] + frame * reach * rng.choice([-1, 1])
            if not _is_free(at, piece, placed, 0.003):
                continue
            inside = view.project(np.append(at, 0.5)[None])[0]
            if not (0 < inside[0] < view.width and 0 < inside[1] < view.height):
                continue
            return np.asarray(at, np.float64)
        margin = -0.02 if rng.random() < 0.2 else 0.06
        size = np.array([view.width, view.height])
        spot = view.on_table(rng.uniform(margin, 1 - margin, 2) * size)
        if (
            spot is not None
            and np.hypot(*spot) < 40
            and _is_free(spot, piece, placed, max(gap, 0.02))
        ):
            return spot
    return None


def _corners(piece: Piece, grow: float = 0.0) -> Floats:
    """Return the 8 corners of a box in the world."""
    half = piece.body[cast.HALF : cast.HALF + 3] - 0.2 * piece.body[cast.ROUND] + grow
    signs = np.array([[x, y, z] for z in (-1, 1) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
    turn = piece.body[cast.TURN : cast.TURN + 9].reshape(3, 3)
    return np.asarray(signs * half @ turn.T + piece.body[cast.AT : cast.AT + 3], np.float64)


def _fill(mask: NDArray[np.float32], points: Floats, amount: float) -> None:
    if not np.isfinite(points).all() or np.abs(points).max() > 20000:
        return
    hull = cv2.convexHull(np.round(points * 8).astype(np.int32))
    piece = np.zeros(mask.shape, np.uint8)
    cv2.fillConvexPoly(piece, hull, 255, cv2.LINE_AA, 3)
    mask += piece * np.float32(amount / 255)


def _ground(
    rng: Random,
    view: View,
    pieces: list[Piece],
    lights: Floats,
    ambient: Floats,
    tables: Kinds,
) -> NDArray[np.float32]:
    """Draw the table with its shadows; light, RGB."""
    surface = draw_surface(rng, tables)
    if pieces and rng.random() < ALIKE:
        piece = pieces[int(rng.integers(len(pieces)))]
        surface = tinted(surface, _near(rng, piece.body[cast.COLOUR : cast.COLOUR + 3]))
    spots = [
        view.on_table(np.array(p))
        for p in ((0, view.height), (view.width, view.height), (view.width / 2, view.height / 2))
    ]
    far = max([np.hypot(*s) for s in spots if s is not None] or [5.0])
    span = far * rng.uniform(1.1, 2.2) / (SIDE / 2)  # world units a px of the surface
    world = np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)], np.float64) * SIDE / 2 * span
    px = view.project(np.column_stack([world, np.zeros(4)]))
    seen = (np.column_stack([world, np.zeros(4)]) - view.eye) @ view.axes.T
    if (seen[:, 2] > 0.3).all():
        to = cv2.getPerspectiveTransform(
            np.array([(0, 0), (SIDE, 0), (SIDE, SIDE), (0, SIDE)], np.float32),
            px.astype(np.float32),
        )
    else:  # the table reaches behind the lens: map by the plane's own matrix
        frame = np.column_stack(
            [view.axes[:, 0] * span, view.axes[:, 1] * span, -view.axes @ view.eye]
        )
        lens = np.array(
            [[view.focal, 0, view.middle[0]], [0, view.focal, view.middle[1]], [0, 0, 1]]
        )
        to = lens @ frame @ np.array([[1, 0, -SIDE / 2], [0, -1, SIDE / 2], [0, 0, 1]])
    image = cv2.warpPerspective(
        surface, to, (view.width, view.height), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REFLECT
    )
    ground = np.clip(image, 0, 1) ** np.float32(2.2)
    total = np.broadcast_to(ambient.astype(np.float32), ground.shape).copy()
    size = (view.height, view.width)
    for light in lights:
        dark = np.zeros(size, np.float32)
        soft = rng.uniform(0.02, 0.3)
        samples = 5
        for piece in pieces:
            corners = _corners(piece)
            for _ in range(samples):
                ray = light[:3] + rng.normal(0, soft, 3) * (1, 1, 0.3)
                ray[2] = max(ray[2], 0.15)
                shade = corners - ray * (corners[:, 2:] / ray[2])
                _fill(dark, view.project(shade), 1 / samples)
        dark = cv2.GaussianBlur(np.minimum(dark, 1), (0, 0), rng.uniform(0.8, 3))
        lit = light[2] * (1 - dark * (1 - np.float32(light[6])))
        total += lit[..., None] * light[3:6].astype(np.float32)
    contact = np.zeros(size, np.float32)
    for piece in pieces:
        foot = _corners(piece, 0.1)
        foot[:, 2] = 0
        _fill(contact, view.project(foot), 0.6)
    blur = max(0.8, 0.05 * view.focal / np.linalg.norm(view.eye))
    total *= (1 - cv2.GaussianBlur(np.minimum(contact, 0.6), (0, 0), blur))[..., None]
    y, x = np.mgrid[-1 : 1 : size[0] * 1j, -1 : 1 : size[1] * 1j].astype(np.float32)
    slope = rng.normal(0, 0.16, 2)
    total *= np.maximum(0.3, 1 + slope[0] * x + slope[1] * y)[..., None]
    return np.ascontiguousarray(ground * total, np.float32)


def _near(rng: Random, light: Floats) -> Floats:
    """Return sRGB close to a colour given as light."""
    return np.asarray(light ** (1 / 2.2) * rng.uniform(0.8, 1.15) + rng.normal(0, 0.03, 3))


def _upper_quads(piece: Piece) -> list[Floats]:
    """Return (4, 3) corners of the upper face, or of the two halves."""
    f, turn = piece.flat, piece.body[cast.TURN : cast.TURN + 9].reshape(3, 3)
    top = piece.body[cast.HALF + 2]
    square = np.array([(-f, -f, top), (-f, f, top), (f, f, top), (f, -f, top)])
    if len(piece.values) == 1:
        quads = [square]
    else:
        long = piece.body[cast.HALF] - (piece.body[cast.HALF + 1] - f)
        quads = []
        for sign in (-1, 1):
            x0, x1 = sorted((0.0, sign * long))
            quads.append(np.array([(x0, -f, top), (x0, f, top), (x1, f, top), (x1, -f, top)]))
    return [q @ turn.T + piece.body[cast.AT : cast.AT + 3] for q in quads]


def _side_quads(piece: Piece, view: View) -> list[tuple[Floats, int]]:
    """Return px corners and pips of the side faces that the camera sees."""
    f, turn = piece.flat, piece.body[cast.TURN : cast.TURN + 9].reshape(3, 3)
    at, half = piece.body[cast.AT : cast.AT + 3], piece.body[cast.HALF]
    seen = []
    for face, value in piece.sides.items():
        axis, sign = face // 2, 1 - 2 * (face % 2)
        normal = sign * turn[:, axis]
        other = turn[:, 1 - axis]
        up = turn[:, 2]
        middle = at + normal * half
        if normal @ (view.eye - middle) < 0.15 * np.linalg.norm(view.eye - middle):
            continue
        corners = np.array(
            [middle + f * (a * other + b * up) for a, b in ((-1, 1), (1, 1), (1, -1), (-1, -1))]
        )
        seen.append((view.project(corners), value))
    return seen


def _clockwise(quad: Floats) -> Floats:
    """Return the corners clockwise on the picture, the uppermost left one first."""
    x, y = quad.T
    if x @ np.roll(y, -1) - y @ np.roll(x, -1) < 0:
        quad = quad[::-1]
    return np.asarray(np.roll(quad, -int(quad.sum(axis=1).argmin()), axis=0), np.float64)


def sketch(seed: int, order: Order) -> tuple[NDArray[np.uint8], dict[str, Any]]:
    """Return a picture, (h, w, 3) BGR, and what it shows."""
    rng = np.random.default_rng(np.random.SeedSequence([20, seed]))
    view, pieces = _laid_out(rng, order) if order.layout else _strewn(rng, order)
    lights, ambient = draw_lights(rng)
    image = _ground(rng, view, pieces, lights, ambient, order.tables)
    owner = np.full(image.shape[:2], cast.MISS, np.int16)
    face_of = np.full(image.shape[:2], -1, np.int8)
    if pieces:
        _cast(rng, view, pieces, lights, ambient, image, owner, face_of)
    shrink = rng.uniform(*SHRINK)
    photo = _develop(rng, image, shrink)
    told = _tell(view, pieces, owner, face_of, photo.shape[1] / view.width)
    return photo, {
        "file": "",
        "width": photo.shape[1],
        "height": photo.shape[0],
        "seed": seed,
    } | told


def _strewn(rng: Random, order: Order) -> tuple[View, list[Piece]]:
    sizes = (FACE[1], LARGEST) if rng.random() < CLOSE_UP else FACE
    face = float(np.exp(rng.uniform(*np.log(sizes))))
    view = draw_view(rng, face)
    empty = order.bare or rng.random() <= 0.03
    return view, [] if empty else draw_pieces(rng, view, face, order)


def _laid_out(rng: Random, order: Order) -> tuple[View, list[Piece]]:
    pieces = layouts.lay(rng, str(order.layout), order.blank)
    face = min(0.5625 * CANVAS * rng.uniform(*FILLS) / layouts.span(pieces), FACE[1])
    view = draw_view(rng, face)
    while view.eye[2] < LOWEST * np.linalg.norm(view.eye):
        view = draw_view(rng, face)
    return view, pieces


def _cast(
    rng: Random,
    view: View,
    pieces: list[Piece],
    lights: Floats,
    ambient: Floats,
    image: NDArray[np.float32],
    owner: NDArray[np.int16],
    face_of: NDArray[np.int8],
) -> None:
    bodies = np.array([piece.body for piece in pieces])
    lamps = draw_lamps(rng, view.eye, [piece.body[:2] for piece in pieces])
    rows = [row for piece in pieces for row in piece.pips]
    pips = np.array(rows) if rows else np.zeros((0, cast.PIP))
    first = np.concatenate([[0], np.cumsum([len(piece.pips) for piece in pieces])])
    sky = np.full(3, rng.uniform(0.2, 1.2)) * ambient
    cast.cast(
        image,
        owner,
        face_of,
        view.eye,
        view.axes,
        view.focal,
        view.middle,
        bodies,
        pips,
        first.astype(np.int64),
        lights,
        lamps,
        ambient,
        sky,
    )


def _develop(rng: Random, image: NDArray[np.float32], shrink: float) -> NDArray[np.uint8]:
    """Expose, shrink and add what the phone adds; RGB light to BGR px."""
    bright = float(np.percentile(image.max(axis=2), 97))
    image = image * np.float32(rng.uniform(0.45, 1.15) / max(bright, 0.05))
    glow = cv2.GaussianBlur(np.maximum(image - 1, 0), (0, 0), 3)
    image = np.minimum(image, 1) + 0.3 * glow
    small = cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    srgb = np.clip(small, 0, 1) ** np.float32(1 / 2.2)
    photo = (255 * srgb[..., ::-1]).astype(np.uint8)
    photo = film.recolour(rng, np.ascontiguousarray(photo), 0.5)
    if rng.random() < 0.2:
        photo = film.glare(rng, photo)
    return film.roughen(rng, film.soften(rng, photo, 1.0), 8.0)


def _tell(
    view: View,
    pieces: list[Piece],
    owner: NDArray[np.int16],
    face_of: NDArray[np.int8],
    scale: float,
) -> dict[str, Any]:
    dice: list[dict[str, Any]] = []
    tiles: list[dict[str, Any]] = []
    sides: list[dict[str, Any]] = []
    up = face_of == UP
    for i, piece in enumerate(pieces):
        faces = []
        for world, value in zip(
            _upper_quads(piece) if piece.values else [], piece.values, strict=True
        ):
            quad = view.project(world)
            area = abs(cv2.contourArea(quad.astype(np.float32)))
            seen = float((up & (owner == i) & _inside(quad, owner.shape)).sum())
            center = view.project(world.mean(axis=0)[None])[0]
            faces.append(
                {
                    "quad": _px(_clockwise(quad), scale),
                    "center": _px(center[None], scale)[0],
                    "value": value,
                    "color": piece.colour or None,
                    "cell": None,
                    "visible": round(min(1.0, seen / max(area, 1.0)), 2),
                }
            )
        if len(faces) == 1:
            dice.append(faces[0])
            sides += [
                {"quad": _px(quad, scale), "value": n} for quad, n in _side_quads(piece, view)
            ]
        elif faces:
            tiles.append(
                {
                    "halves": [f["value"] for f in faces],
                    "centers": [f["center"] for f in faces],
                    "faces": faces,
                }
            )
    return {"dice": dice, "tiles": tiles, "sides": sides}


def _inside(quad: Floats, shape: tuple[int, int]) -> NDArray[np.bool_]:
    mask = np.zeros(shape, np.uint8)
    cv2.fillConvexPoly(mask, np.round(quad).astype(np.int32), 1)
    return mask.astype(np.bool_)


def _px(points: Floats, scale: float) -> list[list[float]]:
    moved = (points + 0.5) * scale - 0.5
    return [[round(float(x), 2), round(float(y), 2)] for x, y in moved]


def write(folder: Path, seed: int, order: Order = ANY) -> None:
    """Write the picture of a seed and its truth, unless they are there."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"sketch-{seed:06d}.jpg"
    if path.with_suffix(".json").exists():
        return
    photo, told = sketch(seed, order)
    cv2.imwrite(str(path), photo, [cv2.IMWRITE_JPEG_QUALITY, 92])
    path.with_suffix(".json").write_text(json.dumps(told | {"file": path.name}))


def write_layouts(folder: Path, seed: int) -> None:
    """Write dominoes as they lie in play, every layout in turn, into a folder for each."""
    names = list(layouts.LAYOUTS)
    name = names[seed % len(names)]
    write(folder / name, seed, Order(layout=name))


def write_decoys(folder: Path, seed: int, tables: Kinds) -> None:
    """Write a table of one of the kinds; on every third lie pieces."""
    write(folder, seed, Order(bare=seed % 3 != 0, tables=tables))
