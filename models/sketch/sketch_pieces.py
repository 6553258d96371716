"""Dice of a sketch, letters, a hand of boxes; and rows of the raycaster's tables for them."""

from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from models.pieces import (
    BEYOND_SIX,
    BODY_HSV,
    LAYOUTS,
    SEE_THROUGH,
    UNTURNED,
    PieceStyle,
    draw_colour,
    draw_inks,
    ink_for,
)
from models.sketch import bodies
from models.sketch.bodies import Floats
from models.textures.surfaces import Random

READABLE = 0.25  # of white, light, between a die and its faintest pip; less nobody plays with
TWO = 0.5  # of the marbled dice are of two colours that meet somewhere
MARBLED = (0.6, 3.0)  # swirls across half a side


@dataclass(slots=True)
class SketchPiece:
    """One thing on the table with its rows for the caster."""

    body: Floats  # (BODY,)
    pips: list[Floats] = field(default_factory=list)
    values: tuple[int, ...] = ()  # of the upper face or of its two halves; () is a decoy
    sides: dict[int, int] = field(default_factory=dict)  # face -> its pips
    colour: str = ""  # its name, if it has one
    flat: float = 1.0  # half the width of the upper face that counts, in world units
    kind: str = ""  # of a piece without a value, "back"

    @property
    def contrast(self) -> float:
        """Return how much lighter or darker than the body the faintest pip is, of white."""
        body = self.body[bodies.COLOUR : bodies.COLOUR + 3].mean()
        return min(abs(float(pip[bodies.INK : bodies.INK + 3].mean() - body)) for pip in self.pips)

    @property
    def reach(self) -> float:
        """Return the radius of its shadow seen from above."""
        return float(np.hypot(self.body[bodies.HALF], self.body[bodies.HALF + 1]))


def draw_style(rng: Random) -> PieceStyle:
    """Choose how a set is made."""
    pip = rng.uniform(0.13, 0.27)
    ball = rng.uniform(1.3, 1.6) if rng.random() < 0.4 else UNTURNED
    return PieceStyle(
        side=rng.uniform(0.85, 1.15),
        edge=float(rng.choice([rng.uniform(0.03, 0.15), rng.uniform(0.1, 0.5)])),
        ball=ball,
        pip=pip,
        lone=pip * (rng.uniform(1.3, 2.4) if rng.random() < 0.3 else 1.0),
        spread=rng.uniform(0.44, 0.58) if ball > 2 else rng.uniform(0.42, 0.5),
        narrow=rng.uniform(0.75, 1.0),
        depth=rng.uniform(0.2, 1.2) if rng.random() < 0.65 else 0.0,
        ring=rng.uniform(0.45, 0.7) if rng.random() < 0.04 else 0.0,
        gloss=rng.uniform(0.1, 0.9) if rng.random() < 0.7 else 0.0,
        wave=float(np.exp(rng.uniform(*np.log([0.01, 0.2])))) if rng.random() < 0.6 else 0.0,
        ripple=float(np.exp(rng.uniform(*np.log([0.7, 14.0])))),
        dirt=rng.uniform(0.05, 0.5) if rng.random() < 0.25 else 0.0,
        asian=rng.random() < 0.2,
        level=rng.random() < 0.12,
        rainbow=rng.random() < 0.08,
    )


def face_spots(
    style: PieceStyle, value: int, turn: bool, mirror: bool
) -> list[tuple[float, float, float]]:
    """Return (u, v, radius) of the pips of a face of half width 1."""
    spots = []
    for a, b in LAYOUTS[value] if value in LAYOUTS else BEYOND_SIX[value]:
        p, q = a * style.spread, b * style.spread
        if value == 6:
            p *= style.narrow  # rows closer to each other
        if value == 2 and style.level:
            q = 0.0
        if mirror:
            p = -p
        if turn:
            p, q = -q, p
        radius = style.lone if value == 1 else style.pip
        spots.append((p, q, radius))
    return spots


def body_row(rng: Random, style: PieceStyle, half: Floats, yaw: float, colour: Floats) -> Floats:
    """Return a body's row for the raycaster, standing on the table at the origin."""
    row = np.zeros(bodies.BODY)
    c, s = np.cos(yaw), np.sin(yaw)
    row[bodies.TURN : bodies.TURN + 9] = (c, -s, 0, s, c, 0, 0, 0, 1)
    row[bodies.HALF : bodies.HALF + 3] = half
    row[bodies.ROUND] = style.edge * half.min()
    row[bodies.BALL] = style.ball * half.min() if style.ball < 2 else UNTURNED
    row[bodies.COLOUR : bodies.COLOUR + 3] = colour
    row[bodies.SECOND : bodies.SECOND + 3] = colour
    row[bodies.GLOSS] = style.gloss
    row[bodies.WAVE], row[bodies.RIPPLE], row[bodies.DIRT] = style.wave, style.ripple, style.dirt
    row[bodies.SEED] = rng.uniform(0, 100)
    row[bodies.AT + 2] = half[2]
    return row


def pip_row(face: int, u: float, v: float, radius: float, ink: Floats, style: PieceStyle) -> Floats:
    """Return a pip's row for the raycaster."""
    row = np.zeros(bodies.PIP)
    row[bodies.FACE], row[bodies.PU], row[bodies.PV], row[bodies.RADIUS] = face, u, v, radius
    row[bodies.INK : bodies.INK + 3] = ink
    row[bodies.DEPTH] = style.depth
    row[bodies.RING] = style.ring * radius
    return row


def finish(rng: Random, body: Floats, colour: str, tint: Floats) -> float:
    """Choose how the body looks within; return how clear it is."""
    clear = rng.uniform(0.6, 0.95) if colour == "clear" else 0.0
    if colour in SEE_THROUGH and rng.random() < 0.22:
        clear = rng.uniform(0.25, 0.85)
    body[bodies.CLEAR] = clear
    kind = rng.random()
    if colour == "brown" and kind < 0.5:
        body[bodies.GRAIN] = rng.uniform(8, 40)
        body[bodies.SECOND : bodies.SECOND + 3] = tint * rng.uniform(0.45, 0.8)
    elif kind < 0.14 and colour not in ("clear", "white"):  # marbled
        body[bodies.SWIRL] = rng.uniform(*MARBLED)
        body[bodies.SECOND : bodies.SECOND + 3] = tint * rng.uniform(0.1, 0.6) + rng.uniform(
            0, 0.06, 3
        )
    elif kind < 0.2:
        body[bodies.SWIRL] = rng.uniform(8, 30)  # speckled
        body[bodies.SECOND : bodies.SECOND + 3] = tint * rng.uniform(0.6, 0.9)
    return clear


def draw_die(
    rng: Random, style: PieceStyle, colour: str, yaw: float, value: int | None = None
) -> SketchPiece:
    """Make a die that shows *value*, or one chosen at random, each equally often."""
    half = np.full(3, style.side / 2)
    tint = draw_colour(rng, colour)
    body = body_row(rng, style, half, yaw, tint)
    clear = finish(rng, body, colour, tint)
    if 0 < body[bodies.SWIRL] < MARBLED[1] and rng.random() < TWO:
        body[bodies.SWIRL] = rng.uniform(0.3, 1.5)
        body[bodies.SECOND : bodies.SECOND + 3] = draw_colour(
            rng, str(rng.choice(list(BODY_HSV)[:-1]))
        )
        colour = ""  # it has no one name
    inks = draw_inks(rng, style, ink_for(rng, tint, clear), 6)
    value = int(rng.integers(1, 7)) if value is None else value
    around = [n for n in range(1, 7) if n not in (value, 7 - value)]
    x = int(rng.choice(around))
    y = int(rng.choice([n for n in around if n not in (x, 7 - x)]))
    shown = {0: x, 1: 7 - x, 2: y, 3: 7 - y, 4: value, 5: 7 - value}
    pips = []
    for face, n in shown.items():
        spots = face_spots(style, n, rng.random() < 0.5, rng.random() < 0.5)
        pips += [
            pip_row(face, u * half[0], v * half[0], r * half[0], inks[n], style)
            for u, v, r in spots
        ]
    flat = float(half[0] - 0.293 * body[bodies.ROUND])
    return SketchPiece(body, pips, (value,), {f: shown[f] for f in range(4)}, colour, flat)


LETTERS = "ABCDEFGHKMNOPRSTUXYZ0123456789&*#%"
DOTS = 18  # across what is written on a piece


def letter_pips(
    rng: Random, style: PieceStyle, face: int, middle: tuple[float, float], size: float, ink: Floats
) -> list[Floats]:
    """Return pips so small and close that they style letters *size* high either way."""
    turn, mirror = rng.uniform(0, 2 * np.pi), rng.choice([-1.0, 1.0])
    c, s = np.cos(turn), np.sin(turn)
    pips = []
    for x, y in _letters(rng):
        u, v = mirror * (c * x - s * y), s * x + c * y
        at = middle[0] + size * u, middle[1] + size * v
        pips.append(pip_row(face, *at, 1.6 * size / DOTS, ink, style))
    return pips


def _letters(rng: Random) -> list[tuple[float, float]]:
    """Return the dots that a letter or two are drawn with, within (-1, 1) both ways."""
    text = "".join(rng.choice(list(LETTERS), int(rng.choice([1, 2]))))
    paper = np.zeros((DOTS, DOTS), np.uint8)
    font = int(rng.choice([cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_COMPLEX]))
    (width, height), _ = cv2.getTextSize(text, font, 1.0, 1)
    grow = 0.9 * DOTS / max(width, height)
    at = round((DOTS - grow * width) / 2), round((DOTS + grow * height) / 2)
    cv2.putText(paper, text, at, font, grow, 255, 1)
    rows, columns = np.nonzero(paper)
    return [(2 * x / DOTS - 1, 1 - 2 * y / DOTS) for x, y in zip(columns, rows, strict=True)]


SKINS = ((0.54, 0.31, 0.22), (0.38, 0.21, 0.14), (0.6, 0.38, 0.29), (0.17, 0.084, 0.058))
# Middle and half sizes of the parts of a hand that reaches along -x, as from an arm at +x.
HAND = (
    ((0.6, 0.0, 0.0), (1.5, 1.35, 0.6)),
    *(((-1.3, y, -0.25), (1.2, 0.32, 0.32)) for y in (-1.0, -0.35, 0.35, 1.0)),
    ((-0.3, 1.6, -0.3), (1.1, 0.36, 0.36)),
    ((14.0, 0.0, 0.3), (13.0, 1.05, 0.9)),
)


def draw_skin(rng: Random) -> Floats:
    """Choose whose hand it is: (3,) reflectance, RGB."""
    return np.asarray(np.array(SKINS[int(rng.integers(len(SKINS)))]) * rng.uniform(0.85, 1.1))


def hand_pieces(style: PieceStyle, skin: Floats, at: Floats, toward: float) -> list[SketchPiece]:
    """Return the parts of a hand at (3,) *at* whose arm comes from the side *toward*, radians."""
    c, s = np.cos(toward), np.sin(toward)
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
    plain = replace(style, edge=0.98, ball=20.0, gloss=0.1, wave=0.0, dirt=0.0)
    parts = []
    for middle, half in HAND:
        row = body_row(np.random.default_rng(1), plain, np.array(half), 0.0, skin)
        row[bodies.AT : bodies.AT + 3] = at + turn @ np.array(middle)
        row[bodies.TURN : bodies.TURN + 9] = turn.ravel()
        parts.append(SketchPiece(row))
    return parts
