"""Things that lie on a sheet: pens, rings of coffee, glasses, phones, and what hides nothing.

A thing is a layer over the paper: what it lets `through` of the light that comes from the paper,
and its own `light`, both (h, w, 3) in [0, 1]. It has a height, so it leans away from the camera and
its shadow falls beside it. `hides` is where nobody can see a mark.
"""

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from models.sheets.strokes import Floats, InkShares, Random

PX_PER_MM = 4.0
AROUND = 45.0  # mm around the paper that a thing may lie on too
Size = tuple[float, float]  # mm


@dataclass(frozen=True, slots=True, eq=False)
class ThingLayer:
    """A layer, AROUND mm larger than the paper on each side, PX_PER_MM fine."""

    through: InkShares  # (h, w, 3)
    light: InkShares  # (h, w, 3)
    hides: InkShares  # (h, w)


class Overlaid:
    """A layer that is drawn, with the lamp and the camera of one photo."""

    def __init__(self, rng: Random, paper_mm: Size) -> None:
        """Start with nothing on it."""
        self.rng, self.paper = rng, np.array(paper_mm)
        wide, high = np.round((self.paper + 2 * AROUND) * PX_PER_MM).astype(int).tolist()
        self.shape = high, wide
        self.through = np.ones((high, wide, 3), np.float32)
        self.light = np.zeros((high, wide, 3), np.float32)
        self.hides = np.zeros((high, wide), np.float32)
        way, lean = rng.uniform(0, 2 * np.pi, 2), rng.uniform(0, 0.6)
        self.lean = lean * np.array([np.cos(way[0]), np.sin(way[0])])  # mm each mm of height
        self.lamp = rng.uniform(0.2, 1.3) * np.array([np.cos(way[1]), np.sin(way[1])])

    def any_place(self) -> Floats:
        """Return a place above the cells, mm of the paper."""
        return np.asarray(self.rng.uniform((35, 60), self.paper - (35, 45)), np.float64)

    def polygon(self, corners: Floats) -> InkShares:
        """Return (h, w) shares that a polygon, mm of the paper, covers of each px."""
        mask = np.zeros(self.shape, np.uint8)
        px = np.round(16 * ((corners + AROUND) * PX_PER_MM - 0.5)).astype(np.int32)
        cv2.fillPoly(mask, [px], 255, cv2.LINE_AA, 4)
        return np.asarray(mask / np.float32(255), np.float32)

    def disc(self, middle: Floats, radius: float) -> InkShares:
        """Return (h, w) shares that a disc covers."""
        turn = np.linspace(0, 2 * np.pi, 90)[:, None]
        return self.polygon(middle + radius * np.hstack([np.cos(turn), np.sin(turn)]))

    def standing(self, mask: InkShares, height: float) -> InkShares:
        """Return (h, w) shares that a body of that outline and height covers, as it is seen."""
        steps = [self._moved(mask, share * height * self.lean) for share in (0.5, 1.0)]
        return np.asarray(np.maximum.reduce([mask, *steps]), np.float32)

    def shade(self, mask: InkShares, height: float, depth: float) -> None:
        """Let the shadow of a body fall on the paper: sharp where it touches, soft beside it."""
        near = cv2.GaussianBlur(mask, (0, 0), 0.8 * PX_PER_MM)
        far = self._moved(mask, height * self.lamp)
        soft = cv2.GaussianBlur(far, (0, 0), max(0.5, 0.35 * height) * PX_PER_MM)
        self.through *= (1 - depth * np.maximum(0.6 * near, soft))[..., None]

    def lay(self, mask: InkShares, colour: Floats | InkShares) -> None:
        """Lay something opaque down; its colour is BGR, for all or for each px."""
        cover = mask[..., None]
        self.light *= 1 - cover
        self.light += cover * np.asarray(colour, np.float32)
        self.through *= 1 - cover
        np.maximum(self.hides, mask, out=self.hides)

    def stain(self, mask: InkShares | Floats, colour: Floats) -> None:
        """Let the light through in a colour; a mark below remains visible."""
        self.through *= 1 - mask[..., None] * (1 - np.asarray(colour, np.float32))

    def done(self) -> ThingLayer:
        """Return the layer."""
        return ThingLayer(self.through, self.light, self.hides)

    def places(self) -> tuple[InkShares, InkShares]:
        """Return (h, w) x and y of each px, mm of the paper."""
        y, x = np.mgrid[0 : self.shape[0], 0 : self.shape[1]].astype(np.float32)
        return (x + 0.5) / PX_PER_MM - AROUND, (y + 0.5) / PX_PER_MM - AROUND

    def around(self, middle: Floats) -> tuple[InkShares, InkShares]:
        """Return (h, w) the distance of each px from a place, mm, and its direction."""
        x, y = self.places()
        x, y = x - np.float32(middle[0]), y - np.float32(middle[1])
        return np.hypot(x, y), np.arctan2(y, x)

    def _moved(self, mask: InkShares, way: Floats) -> InkShares:
        step = np.array([[1, 0, way[0] * PX_PER_MM], [0, 1, way[1] * PX_PER_MM]])
        return np.asarray(cv2.warpAffine(mask, step, self.shape[::-1]), np.float32)


BODIES = np.array(  # BGR of lacquer and plastic
    [(0.1, 0.75, 0.92), (0.2, 0.45, 0.12), (0.15, 0.13, 0.7), (0.55, 0.25, 0.1), (0.1, 0.1, 0.11),
     (0.55, 0.72, 0.85), (0.93, 0.93, 0.93), (0.7, 0.7, 0.72), (0.75, 0.5, 0.85)]
)  # fmt: skip


def _colour(rng: Random) -> Floats:
    body = BODIES[int(rng.integers(len(BODIES)))]
    return np.asarray(np.clip(body * rng.uniform(0.8, 1.1), 0, 1), np.float64)


def _bar(layer: Overlaid, length: float, width: float) -> tuple[Floats, Floats, Floats]:
    """Return the ends of a bar that lies across the cells in any direction, and its normal."""
    middle, turn = layer.any_place(), layer.rng.uniform(0, np.pi)
    along = np.array([np.cos(turn), np.sin(turn)])
    shift = layer.rng.uniform(-0.4, 0.4) * length
    start = middle + along * (shift - length / 2)
    return start, start + along * length, width / 2 * np.array([-along[1], along[0]])


def _piece(a: Floats, b: Floats, before: Floats, after: Floats) -> Floats:
    return np.array([a + before, b + after, b - after, a - before])


def _rounded(layer: Overlaid, start: Floats, normal: Floats, hue: Floats) -> InkShares:
    """Return (h, w, 3) light of a round bar: dark at its sides, a gloss along it."""
    x, y = layer.places()
    across = ((x - start[0]) * normal[0] + (y - start[1]) * normal[1]) / float(normal @ normal)
    shape = 0.55 + 0.45 * np.sqrt(np.clip(1 - across**2, 0, 1))
    if layer.rng.random() < 0.4:  # with facets
        shape = 0.6 + 0.4 * np.choose(((across + 1) * 1.5).astype(int).clip(0, 2), (0.5, 1.0, 0.2))
    at, wide = layer.rng.uniform(-0.5, 0.5), layer.rng.uniform(0.05, 0.2)
    gloss = layer.rng.uniform(0.0, 0.8) * np.exp(-(((across - at) / wide) ** 2))
    return np.asarray(np.clip(shape[..., None] * hue + gloss[..., None], 0, 1), np.float32)


def pencil(layer: Overlaid) -> None:
    """Draw a pencil of any length: lacquer, a cone of wood, its lead, perhaps a rubber."""
    rng, width = layer.rng, layer.rng.uniform(6.5, 8.0)
    start, end, side = _bar(layer, rng.uniform(70, 185), width)
    along = (end - start) / float(np.hypot(*(end - start)))
    neck, lead = end - 20 * along, end - 4 * along
    parts = [
        (_piece(start, neck, side, side), _colour(rng)),
        (_piece(neck, lead, side, 0.25 * side), np.array([0.55, 0.75, 0.88])),
        (_piece(lead, end, 0.25 * side, 0.05 * side), np.array([0.2, 0.2, 0.2])),
    ]
    if rng.random() < 0.5:
        parts.append((_piece(start, start + 9 * along, side, side), np.array([0.6, 0.55, 0.85])))
    _bodies(layer, parts, width, start, side)


def pen(layer: Overlaid) -> None:
    """Draw a ball pen or a felt pen with its cap."""
    rng, width = layer.rng, layer.rng.uniform(7.5, 13.0)
    start, end, side = _bar(layer, rng.uniform(110, 150), width)
    cut = start + rng.uniform(0.3, 0.7) * (end - start)
    tip = start + 0.9 * (end - start)
    body, cap = _colour(rng), _colour(rng)
    parts = [
        (_piece(start, cut, side, side), cap),
        (_piece(cut, tip, 0.9 * side, 0.85 * side), body),
        (_piece(tip, end, 0.7 * side, 0.15 * side), 0.4 * body + 0.3),
    ]
    _bodies(layer, parts, width, start, side)


def _bodies(
    layer: Overlaid, parts: list[tuple[Floats, Floats]], width: float, start: Floats, side: Floats
) -> None:
    masks = [layer.standing(layer.polygon(corners), 0.4 * width) for corners, _ in parts]
    layer.shade(np.maximum.reduce(masks), 0.5 * width, layer.rng.uniform(0.2, 0.6))
    for mask, (_, hue) in zip(masks, parts, strict=True):
        layer.lay(mask, _rounded(layer, start, side, hue))


def ring(layer: Overlaid) -> None:
    """Draw the ring that a cup leaves, or some."""
    rng = layer.rng
    for _ in range(int(rng.choice([1, 2], p=[0.75, 0.25]))):
        middle, radius = layer.any_place(), rng.uniform(27, 44)
        away, turn = layer.around(middle)
        wave = sum(
            rng.uniform(0, 0.5) * np.sin(k * turn + rng.uniform(0, 6.3)) for k in range(1, 7)
        )
        strong = np.clip(rng.uniform(0.5, 1.2) + wave, 0, 1.3)
        wide = rng.uniform(0.7, 2.2)
        line = np.exp(-(((away - radius) / wide) ** 2)) + 0.5 * np.exp(
            -(((away - radius - wide) / 0.35) ** 2)
        )
        inside = 0.1 * rng.random() * (away < radius)
        colour = np.array([0.35, 0.55, 0.7]) * rng.uniform(0.6, 1.2)
        layer.stain(np.clip(strong * line + inside, 0, 1).astype(np.float32), np.clip(colour, 0, 1))


def glass(layer: Overlaid) -> None:
    """Draw an empty glass: its foot and its rim, bright and dark, and light that it bends."""
    rng = layer.rng
    foot, radius, height = layer.any_place(), rng.uniform(24, 36), rng.uniform(30, 110)
    rim = foot + 0.6 * height * layer.lean
    layer.shade(layer.disc(foot, radius), 0.2 * height, rng.uniform(0.05, 0.3))
    layer.stain(layer.standing(layer.disc(foot, radius), 0.6 * height), rng.uniform(0.8, 0.97, 3))
    for middle, size in ((foot, radius), (foot, 0.9 * radius), (rim, 1.1 * radius)):
        away, turn = layer.around(middle)
        line = np.exp(-(((away - size) / rng.uniform(0.5, 1.5)) ** 2)).astype(np.float32)
        bright = np.clip(np.sin(turn * rng.integers(1, 4) + rng.uniform(0, 6.3)), -1, 1)
        layer.stain(line * np.clip(-bright, 0, 1) * rng.uniform(0.3, 0.8), np.array([0.3] * 3))
        layer.light += (line * np.clip(bright, 0, 1) * rng.uniform(0.2, 0.7))[..., None]
        np.maximum(layer.hides, line * np.abs(bright) * 0.7, out=layer.hides)


def mug(layer: Overlaid) -> None:
    """Draw a mug with a drink, or a bowl: opaque and high."""
    rng = layer.rng
    middle, radius, height = layer.any_place(), rng.uniform(32, 48), rng.uniform(40, 95)
    foot = layer.disc(middle, 0.85 * radius)
    body = layer.standing(np.maximum(foot, layer.disc(middle, radius)), height)
    layer.shade(body, 0.4 * height, rng.uniform(0.2, 0.6))
    layer.lay(body, 0.9 * _colour(rng))
    top = middle + height * layer.lean
    layer.lay(layer.disc(top, radius), _colour(rng))
    layer.lay(layer.disc(top, 0.88 * radius), rng.uniform(0.05, 0.4) * np.array([0.5, 0.8, 1.2]))


def phone(layer: Overlaid) -> None:
    """Draw a phone, a wallet or a card box: a plain rectangle."""
    rng = layer.rng
    start, end, side = _bar(layer, rng.uniform(85, 160), rng.uniform(54, 80))
    mask = cv2.GaussianBlur(layer.polygon(_piece(start, end, side, side)), (0, 0), 2.5 * PX_PER_MM)
    mask = np.clip((mask - 0.48) * 25, 0, 1).astype(np.float32)
    mask = layer.standing(mask, rng.uniform(6, 14))
    layer.shade(mask, 8, rng.uniform(0.2, 0.6))
    x, y = layer.places()
    way = rng.normal(0, 0.003, 2)
    shine = np.clip(1 + way[0] * (x - start[0]) + way[1] * (y - start[1]), 0.6, 1.6)[..., None]
    layer.lay(mask, np.clip(_colour(rng) * shine, 0, 1))


def sleeve(layer: Overlaid) -> None:
    """Draw an arm in its sleeve that reaches over the sheet, and the hand at its end."""
    rng = layer.rng
    aim, turn = layer.any_place(), rng.uniform(0, 2 * np.pi)
    along = np.array([np.cos(turn), np.sin(turn)])
    side = rng.uniform(28, 45) * np.array([-along[1], along[0]])
    cuff = aim + rng.uniform(0, 45) * along
    arm = layer.standing(layer.polygon(_piece(cuff, cuff + 400 * along, side, 1.3 * side)), 25)
    fist = layer.standing(layer.disc(aim, rng.uniform(30, 42)), 25)
    layer.shade(np.maximum(arm, fist), 25, rng.uniform(0.2, 0.6))
    tone = np.array([0.55, 0.65, 0.88]) * rng.uniform(0.4, 1.0)
    layer.lay(fist, tone)
    knit = cv2.resize(rng.standard_normal((300, 240), np.float32), layer.shape[::-1])
    layer.lay(arm, np.clip(_colour(rng) * (1 + 0.15 * knit[..., None]), 0, 1))


def shadow(layer: Overlaid) -> None:
    """Let the shadow of something beside the sheet fall over it: it hides nothing."""
    rng = layer.rng
    start, end, side = _bar(layer, rng.uniform(60, 260), rng.uniform(30, 140))
    mask = layer.polygon(_piece(start, end, side, rng.uniform(0.5, 1.2) * side))
    soft = cv2.GaussianBlur(mask, (0, 0), rng.uniform(1.5, 10) * PX_PER_MM)
    layer.through *= (1 - rng.uniform(0.15, 0.5) * soft)[..., None]


def crease(layer: Overlaid) -> None:
    """Fold the paper and flatten it: a line, one side a little darker. It hides nothing."""
    rng = layer.rng
    x, y = layer.places()
    for _ in range(int(rng.integers(1, 3))):
        middle, turn = layer.any_place(), rng.choice([0, np.pi / 2]) + rng.normal(0, 0.15)
        away = (x - middle[0]) * np.sin(turn) + (y - middle[1]) * np.cos(turn)
        ridge = rng.normal(0, 0.18) * np.exp(-((away / rng.uniform(0.25, 0.8)) ** 2))
        slope = rng.normal(0, 0.05) * np.tanh(away / rng.uniform(1, 10))
        layer.through *= np.clip(1 + ridge + slope, 0.4, 1.1)[..., None]


def corner(layer: Overlaid) -> None:
    """Fold a corner of the paper over: its back is as white as its front."""
    rng, size = layer.rng, layer.rng.uniform(30, 75, 2)
    at = rng.integers(0, 2, 2)
    tip, way = at * layer.paper, 1 - 2 * at
    a, b = tip + way * (size[0], 0), tip + way * (0, size[1])
    normal = np.array([-(b - a)[1], (b - a)[0]]) / float(np.hypot(*(b - a)))
    back = tip - 2 * float((tip - a) @ normal) * normal  # the tip, mirrored by the fold
    flap = layer.polygon(np.array([a, b, back]))
    layer.shade(flap, 3, rng.uniform(0.1, 0.5))
    layer.lay(flap, rng.uniform(0.8, 0.97) * np.ones(3))
    layer.lay(
        layer.polygon(np.array([a, b, tip + 3 * (tip - (a + b) / 2)])), rng.uniform(0.1, 0.6, 3)
    )


def rain(layer: Overlaid) -> None:
    """Let drops of water fall: each a small lens with a dark and a bright side."""
    rng = layer.rng
    x, y = layer.places()
    for _ in range(int(rng.integers(4, 25))):
        middle, radius = layer.any_place(), rng.uniform(1.0, 5.0)
        u, v = (x - middle[0]) / radius, (y - middle[1]) / radius
        lens = np.clip(1.2 - np.hypot(u, v), 0, 1) * 2.5
        side = (u * layer.lamp[0] + v * layer.lamp[1]) / float(np.hypot(*layer.lamp))
        mask = np.clip(lens, 0, 1).astype(np.float32)
        layer.stain(mask * np.clip(0.2 - 0.3 * side, 0, 0.5), np.array([0.3] * 3))
        spark = np.exp(-((u - 0.4) ** 2 + (v - 0.4) ** 2) / 0.03) * rng.uniform(0, 0.6)
        layer.light += (mask * spark)[..., None].astype(np.float32)


def hair(layer: Overlaid) -> None:
    """Let hairs of a cat or a person lie on the sheet."""
    rng = layer.rng
    for _ in range(int(rng.integers(1, 6))):
        place, turn, bend = layer.any_place(), rng.uniform(0, 6.3), rng.normal(0, 0.02)
        points = [place]
        for _step in range(int(rng.integers(25, 90))):
            turn, bend = turn + bend, bend + rng.normal(0, 0.006)
            points.append(points[-1] + np.array([np.cos(turn), np.sin(turn)]))
        px = np.round(16 * ((np.array(points) + AROUND) * PX_PER_MM)).astype(np.int32)
        mask = np.zeros(layer.shape, np.uint8)
        cv2.polylines(mask, [px], False, 255, 1, cv2.LINE_AA, 4)
        layer.stain(mask / np.float32(255) * rng.uniform(0.3, 0.8), np.array([0.15, 0.2, 0.25]))


def ruler(layer: Overlaid) -> None:
    """Draw a ruler with its scale, or a strip of card."""
    rng = layer.rng
    start, end, side = _bar(layer, rng.uniform(150, 310), rng.uniform(25, 40))
    mask = layer.polygon(_piece(start, end, side, side))
    layer.shade(mask, 2, rng.uniform(0.1, 0.5))
    layer.lay(mask, rng.uniform(0.5, 0.95) * np.array([0.75, 0.9, 1.0]))
    along = (end - start) / float(np.hypot(*(end - start)))
    for at in np.arange(5, float(np.hypot(*(end - start))) - 5, 5):
        place = start + at * along + side
        tick = np.array([place - 0.2 * along, place + 0.2 * along])
        layer.lay(layer.polygon(np.vstack([tick, tick[::-1] - 0.25 * side])), np.zeros(3))


def cable(layer: Overlaid) -> None:
    """Draw a cable that winds over the sheet, or a rubber band."""
    rng, width = layer.rng, layer.rng.uniform(1.2, 4.0)
    place, turn, bend, points = layer.any_place(), rng.uniform(0, 6.3), rng.normal(0, 0.01), []
    for _ in range(int(rng.integers(120, 300))):
        turn, bend = turn + bend, np.clip(bend + rng.normal(0, 0.006), -0.06, 0.06)
        place = place + np.array([np.cos(turn), np.sin(turn)])
        points.append(place)
    px = np.round(16 * ((np.array(points) + AROUND) * PX_PER_MM)).astype(np.int32)
    drawn = np.zeros(layer.shape, np.uint8)
    cv2.polylines(drawn, [px], False, 255, round(width * PX_PER_MM), cv2.LINE_AA, 4)
    mask = np.asarray(drawn / np.float32(255), np.float32)
    layer.shade(mask, width, rng.uniform(0.2, 0.6))
    layer.lay(mask, _colour(rng))


def nothing(_layer: Overlaid) -> None:
    """Draw nothing."""


DrawThing = Callable[[Overlaid], None]
# Thresholds are chosen on CHOSEN; HELD_BACK is only for reporting.
CHOSEN: dict[str, DrawThing] = {
    one.__name__: one
    for one in (
        *(nothing, pencil, pen, ring, glass, phone, sleeve, shadow, crease, corner),
        *(cable, rain, hair),
    )
}
HELD_BACK: dict[str, DrawThing] = {one.__name__: one for one in (mug, ruler)}


def draw_thing(rng: Random, kind: str, paper_mm: Size) -> ThingLayer:
    """Draw a thing of one of the kinds."""
    layer = Overlaid(rng, paper_mm)
    (CHOSEN | HELD_BACK)[kind](layer)
    return layer.done()
