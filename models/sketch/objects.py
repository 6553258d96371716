"""What lies on tables and is no die: polyhedra, letter dice, mahjong, keys, sockets, coins, bricks.

A thing is a few convex solids around the origin, standing on z = 0; a die has side 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from models.pieces import (
    BODY_HSV,
    SIDES,
    box,
    draw_colour,
    facets,
    ink_for,
    laid_on,
    prism,
    regular_normals,
)
from models.sketch import bodies
from models.sketch.bodies import Floats
from models.sketch.view import SketchCamera
from models.textures import skins
from models.textures.skins import SKIN
from models.textures.surfaces import Picture, Random, any_colour, as_picture, linear

GRAZING = 0.02  # cosine between a facet and the look along it, below which it is not seen
FLATTEST = 0.75  # cosine between a facet that looks up and the table's normal
FINEST = 1.5  # px of a skin a px of the picture; a finer one is shrunk first
SOFT_SHADOW = (0.8, 4.0)  # px


@dataclass(frozen=True, slots=True, eq=False)
class ConvexSolid:
    """A convex thing, or a part of one."""

    planes: Floats  # (n, 4) in its own axes
    colour: Floats  # (3,) light that it gives back
    skins: dict[int, Picture] = field(default_factory=dict)  # what stands on a plane, by number
    gloss: float = 0.0
    at: Floats = field(default_factory=lambda: np.zeros(3))
    turn: Floats = field(default_factory=lambda: np.eye(3))  # (3, 3) own axes to the world's
    glows: bool = False  # its skins shine by themselves

    def laid(self, turn: Floats, at: Floats) -> ConvexSolid:
        """Return it turned about the origin, then moved."""
        return replace(self, turn=turn @ self.turn, at=turn @ self.at + at)

    def corners(self) -> list[Floats]:
        """Return the corners, (k, 3), of each facet in the world."""
        return [own @ self.turn.T + self.at for own in facets(self.planes)]


def paint(
    rng: Random,
    image: Picture,
    view: SketchCamera,
    solids: Sequence[ConvexSolid],
    lights: Floats,
    ambient: Floats,
) -> list[Floats]:
    """Paint solids on a lit table, far ones first; return (4, 2) px of what one may see as faces.

    These are the squares of facets that look up, and the least rectangle around each solid.
    """
    made = [(solid, solid.corners()) for solid in solids]
    _shade_table(rng, image, view, [corners for _, corners in made], lights)
    made.sort(key=lambda one: -float(np.linalg.norm(one[0].at - view.eye)))
    quads: list[Floats] = []
    for solid, corners in made:
        quads += _paint_one(rng, image, view, solid, corners, (lights, ambient))
    return quads


def _paint_one(
    rng: Random,
    image: Picture,
    view: SketchCamera,
    solid: ConvexSolid,
    corners: list[Floats],
    light: tuple[Floats, Floats],
) -> list[Floats]:
    quads = []
    bevel, ramp = rng.uniform(0.9, 1.5), rng.normal(0, 0.06)
    for number, (plane, own) in enumerate(zip(solid.planes, corners, strict=True)):
        if len(own) < 3:
            continue
        normal, middle = solid.turn @ plane[:3], own.mean(axis=0)
        away = view.eye - middle
        if normal @ away < GRAZING * np.linalg.norm(away):
            continue
        shade = _shade(solid, normal, away, light) * (1 + ramp * rng.normal())
        corners_px = view.project(own)
        if not np.isfinite(corners_px).all() or np.abs(corners_px).max() > 8 * max(
            view.width, view.height
        ):
            continue
        outline = np.round(corners_px * 8).astype(np.int32)
        colour = [float(c) for c in solid.colour * shade]
        cv2.fillConvexPoly(image, outline, colour, cv2.LINE_AA, 3)
        edge = [float(c) for c in solid.colour * shade * bevel]
        cv2.polylines(image, [outline], True, edge, 1, cv2.LINE_AA, 3)
        quad = view.project(_square(own, normal, solid.turn))
        if number in solid.skins:
            glow = np.ones(3) if solid.glows else shade
            _lay(image, solid.skins[number], quad, glow)
        if normal[2] > FLATTEST:
            quads.append(quad)
    around = np.vstack([view.project(own) for own in corners if len(own)])
    quads.append(np.asarray(cv2.boxPoints(cv2.minAreaRect(around.astype(np.float32))), np.float64))
    return quads


def _shade(
    solid: ConvexSolid, normal: Floats, away: Floats, light: tuple[Floats, Floats]
) -> Floats:
    """Return the light, (3,), that a facet gives back where it is white."""
    lights, ambient = light
    total = ambient * (0.65 + 0.35 * normal[2])
    look = away / np.linalg.norm(away)
    for row in lights:
        straight = max(0.0, float(normal @ row[:3]))
        mirrored = 2 * straight * normal - row[:3]
        glint = solid.gloss * max(0.0, float(mirrored @ look)) ** 20
        total = total + row[bodies.LIGHT_COLOUR : bodies.LIGHT_COLOUR + 3] * (straight + glint)
    return np.asarray(total, np.float64)


def _square(own: Floats, normal: Floats, turn: Floats) -> Floats:
    """Return the corners, (4, 3), of the largest upright square about a facet's middle."""
    middle = own.mean(axis=0)
    along = turn[:, 0] - normal * (turn[:, 0] @ normal)
    if np.linalg.norm(along) < 0.3:
        along = turn[:, 1] - normal * (turn[:, 1] @ normal)
    u = along / np.linalg.norm(along)
    v = np.cross(normal, u)
    sides = np.roll(own, -1, axis=0) - own
    outs = np.cross(sides, normal)
    outs /= np.maximum(np.linalg.norm(outs, axis=1, keepdims=True), 1e-9)
    half = float(((own - middle) * outs).sum(axis=1).min())
    return np.array(
        [middle + half * (a * u + b * v) for a, b in ((-1, 1), (1, 1), (1, -1), (-1, -1))]
    )


def _lay(image: Picture, skin: Picture, quad: Floats, shade: Floats) -> None:
    """Blend a skin, lit, into its place."""
    low = np.floor(quad.min(axis=0)).astype(int).clip(0)
    high = np.ceil(quad.max(axis=0)).astype(int) + 1
    place = image[low[1] : high[1], low[0] : high[0]]
    if place.size == 0:
        return
    wide = float(np.sqrt(max(cv2.contourArea(quad.astype(np.float32)), 1.0)))
    if SKIN / wide > FINEST:
        few = max(4, round(wide))
        skin = as_picture(cv2.resize(skin, (few, few), interpolation=cv2.INTER_AREA))
    side = len(skin)
    own = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32) - np.float32(0.5)
    to = cv2.getPerspectiveTransform(own, (quad - low).astype(np.float32))
    laid = cv2.warpPerspective(skin, to, (place.shape[1], place.shape[0]))
    place += laid[..., 3:] * (laid[..., :3] * shade.astype(np.float32) - place)


def _shade_table(
    rng: Random, image: Picture, view: SketchCamera, solids: list[list[Floats]], lights: Floats
) -> None:
    """Darken the table where the solids keep a light from it, and where they stand."""
    for light in lights:
        ray = np.array([*light[:2], max(light[2], 0.15)])
        dark = np.zeros(image.shape[:2], np.float32)
        for corners in solids:
            every = np.vstack([own for own in corners if len(own)])
            for height, much in ((every[:, 2:], 0.75), (0 * every[:, 2:], 0.35)):
                _fill(
                    dark,
                    view.project(every * (1, 1, 0) - (ray * (1, 1, 0)) * height / ray[2]),
                    much,
                )
        soft = cv2.GaussianBlur(np.minimum(dark, 1), (0, 0), rng.uniform(*SOFT_SHADOW))
        image *= 1 - (soft * np.float32((1 - light[6]) / len(lights)))[..., None]


def _fill(dark: Picture, spots: Floats, much: float) -> None:
    if np.isfinite(spots).all() and np.abs(spots).max() < 20000:
        hull = cv2.convexHull(np.round(spots).astype(np.int32))
        cv2.fillConvexPoly(dark, hull, much)


TOP = 4  # the plane of a box that looks up
TRIES = 12  # places tried for a thing
QUIET = ("white", "black", "grey", "brown")
INNER = {4: 0.33, 6: 0.5, 8: 0.42, 10: 0.45, 12: 0.55, 20: 0.55}  # of a polyhedron's planes
Thing = list[ConvexSolid]
Floor = list[tuple[Floats, float]]  # what lies there already: a middle on the table, a reach
Painter = Callable[[Random, Picture], Picture]


def _tint(rng: Random, quiet: float = 0.5) -> Floats:
    """Return a thing's colour as light."""
    name = rng.choice(QUIET if rng.random() < quiet else list(BODY_HSV)[:-1])
    return draw_colour(rng, str(name))


def _ink(rng: Random, body: Floats) -> Picture:
    return np.asarray(ink_for(rng, body, 0), np.float32)


def _metal(rng: Random) -> Floats:
    return np.array([0.55, 0.5, 0.42 * rng.uniform(0.5, 1.1)]) * rng.uniform(0.4, 1.3)


def polyhedron(rng: Random, signs: bool | None = None) -> Thing:
    """Make a die with numerals, of any number of sides, or a cube with *signs*; None: either."""
    sides = int(rng.choice(SIDES, p=[0.12, 0.24, 0.16, 0.16, 0.16, 0.16])) if not signs else 6
    normals = regular_normals(sides)
    inner = INNER[sides] * rng.uniform(0.6, 1.4)
    body = _tint(rng, 0.25)
    ink = _ink(rng, body)
    lettered = rng.random() < (0.5 if sides == 6 else 0.1) if signs is None else signs
    draw = skins.sign if lettered else None
    first = int(sides == 10)
    pictures = {
        k: draw(rng, ink) if draw else skins.numeral(rng, k + 1 - first, ink) for k in range(sides)
    }
    planes = np.column_stack([normals, np.full(sides, inner)])
    if sides == 6 and rng.random() < 0.6:  # its corners are cut
        cuts = regular_normals(8)
        planes = np.vstack(
            [planes, np.column_stack([cuts, np.full(8, inner * rng.uniform(1.3, 1.6))])]
        )
    turn = laid_on(normals[int(rng.integers(sides))])
    return [ConvexSolid(planes, body, pictures, rng.uniform(0, 0.6), np.array([0, 0, inner]), turn)]


def _slab(
    rng: Random, half: tuple[float, float, float], body: Floats, top: Picture | None
) -> ConvexSolid:
    """Return a box that stands on the table, with a picture on its top."""
    drawn = {} if top is None else {TOP: top}
    return ConvexSolid(box(*half), body, drawn, rng.uniform(0, 0.4), np.array([0, 0, half[2]]))


def mahjong(rng: Random) -> Thing:
    """Make a mahjong or rummy tile, or one with a letter and its worth."""
    body = draw_colour(rng, "white")
    half = (rng.uniform(0.55, 0.75), rng.uniform(0.4, 0.6), rng.uniform(0.1, 0.45))
    ink = np.asarray(linear(any_colour(rng)) * 0.6, np.float32)
    draw: Painter = skins.circles_tile if rng.random() < 0.65 else skins.sign
    return [_slab(rng, half, body, np.ascontiguousarray(np.rot90(draw(rng, ink))))]


def keyboard(rng: Random) -> Thing:
    """Make a part of a keyboard, a calculator or a remote control, its keys lit or not."""
    pitch, gap = rng.uniform(0.6, 1.6), rng.uniform(0.03, 0.3)
    rows, columns = int(rng.integers(2, 6)), int(rng.integers(3, 9))
    case = _tint(rng, 0.9)
    caps = case * rng.uniform(0.7, 1.3) if rng.random() < 0.6 else _tint(rng, 0.7)
    lit = rng.random() < 0.3
    ink = np.asarray(2.5 * linear(any_colour(rng)) if lit else ink_for(rng, caps, 0), np.float32)
    if lit:
        case, caps = 0.15 * case, 0.2 * caps
    high, base = rng.uniform(0.02, 0.25), rng.uniform(0.05, 0.3)
    size = (columns * pitch / 2, rows * pitch / 2)
    parts = [_slab(rng, (size[0] + 0.1, size[1] + 0.1, base / 2), case, None)]
    shift = rng.uniform(0, 0.4) if rng.random() < 0.6 else 0.0
    round_ = rng.random() < 0.15
    half = (pitch - gap) / 2
    for row, column in np.ndindex(rows, columns):
        x = (column + 0.5 + shift * row % 1 * 0.5) * pitch - size[0]
        y = (row + 0.5) * pitch - size[1]
        planes = prism(16 if round_ else 4, half, high / 2 + 0.01, rng.uniform(0, 0.3))
        top = len(planes) - 2
        drawn = {top: skins.key_cap(rng, ink)} if rng.random() < 0.95 else {}
        at = np.array([x, y, base + high / 2])
        parts.append(ConvexSolid(planes, caps, drawn, 0.1, at, glows=lit))
    return parts


def coin(rng: Random) -> Thing:
    """Make a coin, a bottle cap, a button, a nut, a numbered disc or a counter."""
    kind = int(rng.integers(6))
    metal = kind in (0, 3) or (kind == 1 and rng.random() < 0.3)
    body = _metal(rng) if metal else _tint(rng, 0.3)
    radius = rng.uniform(0.25, 0.9)
    draw = (skins.coin, skins.cap, skins.holes, skins.holes, skins.sign, skins.spots)[kind]
    high = radius * rng.uniform(0.05, 0.4)
    sides = 6 if kind == 3 else 24
    dark = np.asarray(body * rng.uniform(0.1, 0.5), np.float32)
    ink = dark if kind in (0, 2, 3) else _ink(rng, body)
    planes = prism(sides, radius, high / 2)
    at = np.array([0, 0, high / 2])
    return [ConvexSolid(planes, body, {sides: draw(rng, ink)}, 0.8 if metal else 0.2, at)]


def brick(rng: Random) -> Thing:
    """Make a toy brick with studs, or a piece of chocolate."""
    body = _tint(rng, 0.15)
    columns, rows = int(rng.integers(1, 5)), int(rng.integers(1, 4))
    pitch, high = rng.uniform(0.35, 0.8), rng.uniform(0.2, 1.0)
    parts = [_slab(rng, (columns * pitch / 2, rows * pitch / 2, high / 2), body, None)]
    stud, rise = pitch * rng.uniform(0.25, 0.36), pitch * rng.uniform(0.12, 0.3)
    for x, y in np.ndindex(columns, rows):
        spot = np.array(
            [(x + 0.5 - columns / 2) * pitch, (y + 0.5 - rows / 2) * pitch, high + rise / 2]
        )
        parts.append(ConvexSolid(prism(14, stud, rise / 2), body, {}, 0.3, spot))
    return parts


def panel(rng: Random) -> Thing:
    """Make sockets in a row, plugs, a clock with lamps for digits, a plate with screws."""
    kind = int(rng.integers(4))
    draw: Painter = (skins.holes, skins.segments, skins.screws, skins.holes)[kind]
    body = _tint(rng, 0.8) * (0.12 if kind == 1 else 1.0)
    many = int(rng.choice([1, 1, 2, 3, 5])) if kind in (0, 3) else 1
    half, high = rng.uniform(0.4, 1.8), rng.uniform(0.05, 0.4)
    ink = np.asarray(linear(any_colour(rng)) * 2 if kind == 1 else body * 0.1, np.float32)
    case = _slab(rng, (half * many * 1.1, half * rng.uniform(1.0, 1.4), high), body, None)
    wells = []
    for k in range(many):
        spot = np.array([(k + 0.5 - many / 2) * 2.1 * half, 0, 2 * high + 0.01])
        well = ConvexSolid(
            box(half, half, 0.01), body * rng.uniform(0.9, 1.1), {TOP: draw(rng, ink)}, 0.1
        )
        wells.append(well.laid(np.eye(3), spot))
    return [case, *wells] if kind != 1 else [*wells]


def patch(rng: Random) -> Thing:
    """Make a dotted, stitched or punched thing: cloth, a cracker, a gift, a cube of spots."""
    body = _tint(rng, 0.3)
    draw: Painter = skins.spots if rng.random() < 0.7 else skins.holes
    size = rng.uniform(0.5, 3.0)
    half = (size, size * rng.uniform(0.6, 1.0), size * float(rng.choice([0.02, 0.1, 0.9])))
    pictures = {k: draw(rng, _ink(rng, body)) for k in (0, 1, 2, 3, TOP)}
    return [ConvexSolid(box(*half), body, pictures, 0.05, np.array([0, 0, half[2]]))]


def tray(rng: Random) -> Thing:
    """Make a tray, a box or a frame with one thing in it."""
    body, half = _tint(rng, 0.6), rng.uniform(0.5, 3.0)
    top = skins.tray(rng, np.asarray(linear(any_colour(rng)), np.float32))
    return [_slab(rng, (half, half * rng.uniform(1, 1.3), rng.uniform(0.05, 0.5)), body, top)]


ThingKinds = tuple[tuple[Callable[[Random], Thing], float], ...]
KINDS: ThingKinds = (
    (polyhedron, 0.3),
    (mahjong, 0.1),
    (keyboard, 0.14),
    (coin, 0.16),
    (brick, 0.08),
    (panel, 0.1),
    (patch, 0.07),
    (tray, 0.05),
)


def draw_objects(
    rng: Random, view: SketchCamera, floor: Floor, kinds: ThingKinds = KINDS
) -> list[ConvexSolid]:
    """Choose the things of a table and lay them where nothing lies on its *floor*."""
    probs = np.array([share for _, share in kinds])
    few = rng.choice(len(kinds), int(rng.choice([1, 2, 4])), p=probs / probs.sum())
    in_rows, base = rng.random() < 0.3, rng.uniform(0, 2 * np.pi)
    laid: list[ConvexSolid] = []
    for _ in range(int(rng.choice([1, 3, 7, 14, 24]))):
        thing = kinds[int(rng.choice(few))][0](rng)
        turn = base + rng.normal(0, 0.05) if in_rows else rng.uniform(0, 2 * np.pi)
        reach = max(float(np.hypot(*np.vstack(part.corners())[:, :2].T).max()) for part in thing)
        spot = _free_spot(rng, view, floor, reach)
        if spot is None:
            continue
        floor = [*floor, (spot, reach)]
        c, s = np.cos(turn), np.sin(turn)
        about = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
        laid += [part.laid(about, np.append(spot, 0.0)) for part in thing]
    return laid


def _free_spot(rng: Random, view: SketchCamera, floor: Floor, reach: float) -> Floats | None:
    """Return a place on the table that the camera sees and where nothing lies."""
    for _ in range(TRIES):
        spot = view.on_table(rng.uniform(0.02, 0.98, 2) * (view.width, view.height))
        if spot is None or np.hypot(*spot) > 40:
            continue
        if np.linalg.norm(np.append(spot, 0) - view.eye) < 2 * reach:
            continue
        if all(np.linalg.norm(spot - other) > 0.95 * (reach + far) for other, far in floor):
            return spot
    return None
