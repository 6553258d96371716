"""What stands on things that are no dice: numerals, keys' letters, coins, caps, sockets, digits.

A skin is (SKIN, SKIN, 4): RGB light, and how much of what is below it covers.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from models.textures.prints import CAPITALS, SIGNS, spelt
from models.textures.surfaces import Picture, Random, any_colour, as_picture, linear

SKIN = 112  # px
MIDDLE = SKIN // 2
InkLight = NDArray[np.floating]  # (3,) light
Cover = NDArray[np.uint8]  # (SKIN, SKIN)
HANZI = "一二三四五六七八九萬東南西北中發白竹筒春夏秋冬"
SYMBOLS = "♠♣♥♦★☆◆▲▼■□←→↑↓♪☀☂☎✂✈♻⚡✓✗+-×÷=?!&@#%€$"
LETTERS = "".join(c for c in SIGNS if c not in "●○◎")  # which are a pip
SEGMENTS = {  # of a digit: top, upper left, upper right, middle, lower left, lower right, bottom
    "0": "1110111", "1": "0010010", "2": "1011101", "3": "1011011", "4": "0111010",
    "5": "1101011", "6": "1101111", "7": "1010010", "8": "1111111", "9": "1111011",
}  # fmt: skip
BARS = (  # where each segment lies, x0 y0 x1 y1 of a digit 1 wide and 2 high
    (0.15, 0.0, 0.85, 0.0), (0.0, 0.15, 0.0, 0.85), (1.0, 0.15, 1.0, 0.85), (0.15, 1.0, 0.85, 1.0),
    (0.0, 1.15, 0.0, 1.85), (1.0, 1.15, 1.0, 1.85), (0.15, 2.0, 0.85, 2.0),
)  # fmt: skip


def skin(cover: Cover, ink: InkLight) -> Picture:
    """Return ink of one colour where *cover*, (SKIN, SKIN) bytes, says."""
    made = np.empty((SKIN, SKIN, 4), np.float32)
    made[..., :3] = ink
    made[..., 3] = cover / np.float32(255)
    return made


def over(below: Picture, above: Picture) -> Picture:
    """Return one skin on another."""
    share = above[..., 3:]
    made = below.copy()
    made[..., :3] += share * (above[..., :3] - made[..., :3])
    made[..., 3:] = share + below[..., 3:] * (1 - share)
    return made


def empty() -> Cover:
    """Return what covers nothing."""
    return np.zeros((SKIN, SKIN), np.uint8)


def text(rng: Random, what: str, size: float, at: tuple[float, float] = (0, 0)) -> Cover:
    """Return the cover, as bytes, of a word *size* high around a place in [-1, 1]."""
    made = empty()
    face = cv2.FontFace(str(rng.choice(["sans", "italic", "uni"])))
    high, weight = max(6, int(size * SKIN / 2)), int(rng.integers(300, 900))
    box = cv2.getTextSize((SKIN, SKIN), what, (0, 0), face, high, weight)
    x = MIDDLE * (1 + at[0]) - box[0] - box[2] / 2
    y = MIDDLE * (1 + at[1]) - box[1] - box[3] / 2
    cv2.putText(made, what, (int(x), int(y)), (255,), face, high, weight)
    return made


def numeral(rng: Random, number: int, ink: InkLight) -> Picture:
    """Return a number as it stands on a polyhedron, with its dot or line below it or without."""
    cover = text(rng, str(number), float(rng.uniform(0.5, 0.95)))
    if number in (6, 9) and rng.random() < 0.7:
        low = int(MIDDLE * 1.6)
        if rng.random() < 0.5:
            cv2.circle(cover, (MIDDLE + 14, low), 4, 255, -1, cv2.LINE_AA)
        else:
            cv2.line(cover, (MIDDLE - 12, low), (MIDDLE + 12, low), 255, 3, cv2.LINE_AA)
    return skin(cover, ink)


def sign(rng: Random, ink: InkLight) -> Picture:
    """Return a letter, a word or a symbol, as on letter dice, keys and stamps."""
    kind = rng.random()
    if kind < 0.5:
        return skin(text(rng, spelt(rng, CAPITALS, 1), float(rng.uniform(0.5, 1.2))), ink)
    if kind < 0.75:
        some = SYMBOLS if rng.random() < 0.6 else LETTERS
        return skin(text(rng, spelt(rng, some, 1), float(rng.uniform(0.5, 1.2))), ink)
    word = spelt(rng, CAPITALS, int(rng.integers(2, 5)))
    return skin(text(rng, word, float(rng.uniform(0.3, 0.5))), ink)


def key_cap(rng: Random, ink: InkLight) -> Picture:
    """Return what stands on a key: a letter, one or two signs in corners, a word."""
    far = float(rng.choice([0.0, 0.25, 0.35]))
    first = text(rng, spelt(rng, CAPITALS + "0123456789", 1), rng.uniform(0.35, 0.7), (-far, -far))
    if rng.random() < 0.25:
        first |= text(rng, spelt(rng, SYMBOLS, 1), 0.35, (far, far))
    if rng.random() < 0.12:
        first = text(rng, spelt(rng, CAPITALS, 4), 0.25, (-0.1, -0.2))
    if rng.random() < 0.08:  # a lamp on it, or the rib that fingers find
        cv2.circle(first, (MIDDLE, int(MIDDLE * rng.uniform(0.4, 1.7))), 4, 255, -1, cv2.LINE_AA)
    return skin(first, ink)


def coin(rng: Random, ink: InkLight) -> Picture:
    """Return a coin's face: a rim, a number or a head, letters around."""
    cover = empty()
    cv2.circle(cover, (MIDDLE, MIDDLE), int(rng.uniform(44, 52)), 150, 2, cv2.LINE_AA)
    if rng.random() < 0.6:
        cover |= text(rng, spelt(rng, "1251025050", int(rng.integers(1, 3))), rng.uniform(0.5, 0.9))
    else:
        axes = int(rng.uniform(14, 22)), int(rng.uniform(20, 30))
        cv2.ellipse(cover, (MIDDLE, MIDDLE), axes, 15, 0, 360, 130, -1, cv2.LINE_AA)
    for turn in np.linspace(0.3, rng.uniform(2, 6), int(rng.integers(4, 16))):
        x, y = MIDDLE + 40 * np.cos(turn), MIDDLE + 40 * np.sin(turn)
        cv2.circle(cover, (int(x), int(y)), 2, 160, -1, cv2.LINE_AA)
    return skin(cover, ink)


def cap(rng: Random, ink: InkLight) -> Picture:
    """Return a bottle cap from above: a crimped edge, a ring, a logo."""
    cover = empty()
    for turn in np.linspace(0, 2 * np.pi, 21, endpoint=False):
        x, y = MIDDLE + 54 * np.cos(turn), MIDDLE + 54 * np.sin(turn)
        cv2.circle(cover, (int(x), int(y)), 4, 170, -1, cv2.LINE_AA)
    cv2.circle(cover, (MIDDLE, MIDDLE), int(rng.uniform(30, 44)), 120, 2, cv2.LINE_AA)
    made = skin(cover, ink * 0.4)
    return over(made, sign(rng, ink)) if rng.random() < 0.8 else made


def holes(rng: Random, ink: InkLight) -> Picture:
    """Return the holes of a button, a socket, a plug, a nut, a cracker or a grille."""
    cover = empty()
    kind = int(rng.integers(5))
    if kind == 0:  # a button
        away, wide = rng.uniform(10, 18), int(rng.uniform(4, 8))
        for turn in np.pi / 4 + np.pi * np.arange(4) / 2 if rng.random() < 0.6 else (0.0, np.pi):
            x, y = MIDDLE + away * np.cos(turn), MIDDLE + away * np.sin(turn)
            cv2.circle(cover, (int(x), int(y)), wide, 255, -1, cv2.LINE_AA)
        cv2.circle(cover, (MIDDLE, MIDDLE), 44, 70, int(rng.integers(1, 6)), cv2.LINE_AA)
    elif kind == 1:  # a socket: its well, two or three holes, round or slots
        cv2.circle(cover, (MIDDLE, MIDDLE), int(rng.uniform(36, 50)), 60, -1, cv2.LINE_AA)
        away = int(rng.uniform(14, 22))
        slots = rng.random() < 0.5
        for x in (-away, away):
            spot = (MIDDLE + x, MIDDLE - (6 if slots else 0))
            axes = (4, 10) if slots else (5, 5)
            cv2.ellipse(cover, spot, axes, 0, 0, 360, 255, -1, cv2.LINE_AA)
        if rng.random() < 0.5:
            cv2.circle(cover, (MIDDLE, MIDDLE + away), 5, 255, -1, cv2.LINE_AA)
    elif kind == 2:  # a plug from its end
        cv2.rectangle(cover, (14, 34), (98, 78), 130, 3)
        for x in (38, 74) if rng.random() < 0.6 else (30, 47, 64, 81):
            cv2.rectangle(cover, (x - 6, 46), (x + 6, 58), 255, -1)
    elif kind == 3:  # a nut, a ring, a speaker: one wide hole
        cv2.circle(cover, (MIDDLE, MIDDLE), int(rng.uniform(18, 38)), 255, -1, cv2.LINE_AA)
        cv2.circle(cover, (MIDDLE, MIDDLE), int(rng.uniform(8, 16)), 120, -1, cv2.LINE_AA)
    else:  # a cracker, a grille, a brick of many holes
        across, down = (int(n) for n in rng.integers(3, 9, 2))
        wide = max(2, int(rng.uniform(0.12, 0.32) * SKIN / max(across, down)))
        for i, j in np.ndindex(across, down):
            x, y = ((np.array([i, j]) + 0.5) / (across, down) * SKIN * 0.9 + 6).astype(int)
            cv2.circle(cover, (int(x), int(y)), wide, 255, -1, cv2.LINE_AA)
    return skin(cover, ink)


def segments(rng: Random, ink: InkLight) -> Picture:
    """Return digits of lamps, with a colon or a point, and the lamps that are out."""
    many = int(rng.integers(1, 5))
    wide = SKIN / (many + 0.6)
    lit, out = empty(), empty()
    for k in range(many):
        left, high = (k + 0.45) * wide, min(0.55 * wide, 30)
        for on, (x0, y0, x1, y1) in zip(SEGMENTS[str(int(rng.integers(10)))], BARS, strict=True):
            a = int(left + x0 * 0.55 * wide), int(MIDDLE + (y0 - 1) * high)
            b = int(left + x1 * 0.55 * wide), int(MIDDLE + (y1 - 1) * high)
            cv2.line(lit if on == "1" else out, a, b, 255, max(2, int(wide / 9)), cv2.LINE_AA)
    if rng.random() < 0.6:
        x = int((many // 2 + 0.22) * wide)
        for y in (-0.4, 0.4) if rng.random() < 0.6 else (1.0,):
            place = (x, int(MIDDLE + y * min(0.55 * wide, 30)))
            cv2.circle(lit, place, max(2, int(wide / 12)), 255, -1, cv2.LINE_AA)
    glow = np.maximum(lit, cv2.GaussianBlur(lit, (0, 0), 3) // 2)
    return over(skin(out // 12, ink), skin(glow.astype(np.uint8), ink * 2.5))


def spots(rng: Random, ink: InkLight) -> Picture:
    """Return polka dots in rows or strewn, stitched or printed: no number of a die."""
    cover = empty()
    step, wide = rng.uniform(14, 34), rng.uniform(0.12, 0.4)
    mixed = rng.random() < 0.3
    for row, y in enumerate(np.arange(rng.uniform(0, 8), SKIN, step)):
        for x in np.arange(step / 2 * (row % 2), SKIN, step):
            off = rng.normal(0, 0.3 * step, 2) if mixed else np.zeros(2)
            place = (int(x + off[0]), int(y + off[1]))
            if rng.random() < 0.15 and mixed:
                cv2.drawMarker(cover, place, 255, cv2.MARKER_TILTED_CROSS, int(step / 2), 2)
            else:
                cv2.circle(cover, place, max(1, int(wide * step)), 255, -1, cv2.LINE_AA)
    return skin(cover, ink)


def circles_tile(rng: Random, ink: InkLight) -> Picture:
    """Return a mahjong tile's top: circles with rings, bamboos, a Chinese sign."""
    kind = rng.random()
    if kind < 0.45:
        return skin(text(rng, spelt(rng, HANZI, int(rng.integers(1, 3))), 0.8), ink)
    made = skin(empty(), ink)
    many = int(rng.integers(1, 10))
    across = 1 if many == 1 else 2 if many < 5 or rng.random() < 0.4 else 3
    rows = -(-many // across)
    size = int(0.8 * SKIN / (2 * max(across, rows)))
    for k in range(many):
        x = int((k % across + 0.5) * SKIN * 0.8 / across + 0.1 * SKIN)
        y = int((k // across + 0.5) * SKIN * 0.9 / rows + 0.05 * SKIN)
        own = as_picture(linear(any_colour(rng))) * 0.5
        cover = empty()
        if kind < 0.75:
            cv2.circle(cover, (x, y), size, 255, max(2, size // 4), cv2.LINE_AA)
            cv2.circle(cover, (x, y), max(1, size // 2), 255, max(1, size // 5), cv2.LINE_AA)
        else:
            cv2.line(cover, (x, y - size), (x, y + size), 255, max(3, size // 3), cv2.LINE_AA)
        made = over(made, skin(cover, own))
    return made


def tray(rng: Random, ink: InkLight) -> Picture:
    """Return a tray or a box from above: its wall, its floor, one thing lying in it."""
    cover, thick = empty(), int(rng.uniform(5, 16))
    cv2.rectangle(cover, (thick, thick), (SKIN - thick, SKIN - thick), 255, -1)
    floor = skin(cover, as_picture(linear(any_colour(rng))))
    edge = empty()
    cv2.rectangle(edge, (thick, thick), (SKIN - thick, SKIN - thick), 150, 2)
    made = over(floor, skin(edge, ink * 0.2))
    thing, size = empty(), int(rng.uniform(6, 22))
    place = tuple(int(c) for c in rng.normal(MIDDLE, 12, 2))
    if rng.random() < 0.6:
        cv2.circle(thing, place, size, 255, -1, cv2.LINE_AA)
    else:
        corners = rng.uniform(-size, size, (int(rng.integers(4, 9)), 2)) + place
        cv2.fillPoly(thing, [cv2.convexHull(corners.astype(np.int32))], 255, cv2.LINE_AA)
    dark = cv2.GaussianBlur(thing, (0, 0), 4) // 2
    return over(over(made, skin(dark.astype(np.uint8), ink * 0)), skin(thing, ink))


def screws(rng: Random, ink: InkLight) -> Picture:
    """Return the heads of two to four screws in the corners of a plate."""
    metal = as_picture(np.full(3, rng.uniform(0.25, 0.7)))
    heads, slots = empty(), empty()
    away, wide = rng.uniform(30, 44), int(rng.uniform(5, 10))
    for x, y in ((-1, -1), (1, 1), (1, -1), (-1, 1))[: int(rng.choice([2, 4]))]:
        place = (int(MIDDLE + x * away), int(MIDDLE + y * away))
        cv2.circle(heads, place, wide, 255, -1, cv2.LINE_AA)
        c, s = np.cos(turn := rng.uniform(0, 3.1)) * wide, np.sin(turn) * wide
        for a, b in ((c, s), (-s, c))[: int(rng.integers(1, 3))]:
            ends = [(int(place[0] + k * a), int(place[1] + k * b)) for k in (-0.8, 0.8)]
            cv2.line(slots, ends[0], ends[1], 255, 2, cv2.LINE_AA)
    made = over(skin(heads, metal), skin(slots, metal * 0.1))
    if rng.random() < 0.5:
        made = over(made, skin(text(rng, spelt(rng, CAPITALS, 4), 0.25), ink))
    return made
