"""Tables of dominoes as strangers have them: chains, racks, heaps, two sets, dice beside tiles.

Beside `layouts`, whose seeds stay what they were. Tiles of a set are made alike and differ in their
halves; lengths are in widths of a tile, which is twice as long.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np

from models.pieces import COLOUR_PROBS, PieceStyle
from models.sketch import bodies
from models.sketch.bodies import Floats
from models.sketch.dominoes import (
    ACROSS,
    ASKEW,
    BARRED,
    BLANK,
    GAP,
    LAYOUTS,
    TileSpot,
    draw_domino,
    draw_tile_colour,
    draw_values,
)
from models.sketch.ground import CARDS, DECOYS, PRINTED, Kinds
from models.sketch.ground import USUAL as USUAL_TABLES
from models.sketch.sketch_pieces import SketchPiece, body_row, draw_die, draw_style
from models.textures.surfaces import Random, from_hsv

UNBARRED = 0.35  # of the sets have no bar on any tile
BLANKER = 0.4  # of the tables have many blanks
MANY_BLANK = 0.45
LARGER = 9  # pips at most, of a set to double nine
LOW = 0.26  # sine of the lowest height a chain is seen from, 15 degrees
FLAT = 0.5  # the same of other tables
ON_PRINT = 0.25  # of the tables are printed, or have cards on them
MATCHED = 0.7  # of the chains have the same number at both sides of a joint
TRIES = 40  # places tried for a tile that lies free
STEEPEST, BEFORE = 0.9, 0.35  # how a camera looks at a rack: sine of its height, cosine of its side


@dataclass(frozen=True, slots=True, eq=False)
class DominoTable:
    """Pieces around the origin, and what can be said of the camera and the ground."""

    pieces: list[SketchPiece]
    tables: Kinds
    lowest: float  # sine of the height from which it may be seen
    facing: float | None = None  # radians, the side from which standing tiles show their pips


# Of a rectangle the middle, the sides, and its turn in radians.
TurnedRectangle = tuple[tuple[float, float], tuple[float, float], float]
TablePlan = Callable[[Random], list[TileSpot]]


def chain(rng: Random) -> list[TileSpot]:
    """Return tiles end to end, doubles across, with a corner here and there."""
    spots: list[TileSpot] = []
    end, way = np.zeros(2), np.array([1.0, 0.0])
    numbers = _walk(rng, int(rng.integers(4, 13)))
    straight = rng.random() < 0.4
    for a, b in numbers:
        yaw = float(np.arctan2(way[1], way[0]))
        if a == b and rng.random() < 0.7:
            spots.append(_at(end + 0.5 * way, yaw + ACROSS, (a, b)))
            end = end + way
            continue
        if not straight and spots and rng.random() < 0.15:
            turned = np.array([-way[1], way[0]]) * rng.choice([-1, 1])
            middle = end + 0.5 * way + 0.5 * turned
            end, way = end + 0.5 * way + 1.5 * turned, turned
            spots.append(_at(middle, float(np.arctan2(way[1], way[0])), (a, b)))
            continue
        spots.append(_at(end + way, yaw, (a, b)))
        end = end + 2 * way
    return spots


def _at(middle: Floats, yaw: float, halves: tuple[int, int]) -> TileSpot:
    return TileSpot(float(middle[0]), float(middle[1]), yaw, halves=halves)


def _walk(rng: Random, count: int) -> list[tuple[int, int]]:
    """Return the halves of tiles that all differ; mostly each begins with what one ends with."""
    matched = rng.random() < MATCHED
    pairs: list[tuple[int, int]] = []
    used: set[tuple[int, int]] = set()
    last = int(rng.integers(7))
    while len(pairs) < count:
        free = [(last if matched else int(rng.integers(7)), n) for n in rng.permutation(7).tolist()]
        new = [pair for pair in free if tuple(sorted(pair)) not in used]
        a, b = new[0] if new else (int(rng.integers(7)), int(rng.integers(7)))
        used.add((min(a, b), max(a, b)))
        pairs.append((a, b))
        last = b
    return pairs


def row(rng: Random) -> list[TileSpot]:
    """Return tiles side by side, each perhaps shifted along, with gaps here and there."""
    shift = float(rng.choice([0.0, 0.05, 0.3]))
    at, spots = 0.0, []
    for _ in range(int(rng.integers(3, 9))):
        spots.append(TileSpot(at, float(rng.normal(0, shift)), ACROSS))
        at += 1.0 + (float(rng.uniform(0.05, 0.5)) if rng.random() < 0.25 else 0.0)
    return spots


def rack(rng: Random) -> list[TileSpot]:
    """Return tiles standing in a row, leaning back a little."""
    lean = float(rng.uniform(0.1, 0.5))
    return [TileSpot(float(k), 0.0, lean=lean) for k in range(int(rng.integers(3, 8)))]


def heap(rng: Random) -> list[TileSpot]:
    """Return tiles thrown together, some of them upon others."""
    count = int(rng.integers(5, 15))
    far = float(rng.uniform(0.7, 1.4)) * np.sqrt(count)
    spots: list[TileSpot] = []
    for _ in range(count):
        x, y = (float(at) for at in rng.normal(0, 0.5 * far, 2))
        yaw = float(rng.uniform(0, np.pi))
        under = [spot.level for spot in spots if _overlap(TileSpot(x, y, yaw), spot)]
        level = max(under, default=-1) + 1
        if level < 3:
            spots.append(TileSpot(x, y, yaw, level))
    return spots


def apart(rng: Random) -> list[TileSpot]:
    """Return tiles at random, close to each other, none on another."""
    spots: list[TileSpot] = []
    far = 0.5 * float(rng.uniform(1.6, 2.6)) * np.sqrt(count := int(rng.integers(4, 17)))
    for _ in range(TRIES * count):
        turn = float(rng.uniform(0, np.pi)) if rng.random() < 0.7 else ACROSS * rng.integers(2)
        x, y = (float(at) for at in rng.uniform(-far, far, 2))
        spot = TileSpot(x, y, float(turn))
        if len(spots) < count and not any(_overlap(spot, other, 0.04) for other in spots):
            spots.append(spot)
    return spots


def two_sets(rng: Random) -> list[TileSpot]:
    """Return tiles of two sets beside each other."""
    return [replace(spot, of=int(rng.integers(2))) for spot in _any_flat(rng)]


def larger_set(rng: Random) -> list[TileSpot]:
    """Return tiles of a set to double nine."""
    spots = _any_flat(rng)
    numbers = rng.integers(0, LARGER + 1, (len(spots), 2)).tolist()
    return [replace(spot, halves=(a, b)) for spot, (a, b) in zip(spots, numbers, strict=True)]


def beside_dice(rng: Random) -> list[TileSpot]:
    """Return tiles; dice come to lie beside them (`lay`)."""
    return _any_flat(rng)


def laid(rng: Random) -> list[TileSpot]:
    """Return crosses, T-junctions, blocks, stacks and single tiles, as `layouts` has them."""
    return list(LAYOUTS.values())[int(rng.integers(len(LAYOUTS)))](rng)


def _any_flat(rng: Random) -> list[TileSpot]:
    return (chain, row, apart, laid)[int(rng.integers(4))](rng)


TABLES: dict[str, TablePlan] = {
    plan.__name__: plan
    for plan in (chain, row, rack, heap, apart, two_sets, larger_set, beside_dice, laid)
}


def lay(rng: Random, name: str, down: float = 0.0) -> DominoTable:
    """Return a table of dominoes, a share of them face *down*; *name* is of TABLES."""
    spots = TABLES[name](rng)
    blank = MANY_BLANK if rng.random() < BLANKER else BLANK
    middle = np.mean([(spot.x, spot.y) for spot in spots], axis=0)
    turn = float(rng.uniform(0, 2 * np.pi))
    sets = [_Set.drawn(rng) for _ in range(2)]
    gap = float(1 + rng.exponential(GAP))
    values = iter(draw_values(rng, len(spots), blank, twice=name == "two_sets"))
    pieces = []
    for spot in spots:
        own = sets[spot.of]
        drawn = next(values)
        ends = spot.halves or drawn
        flip = 0 if spot.halves or spot.lean is not None else np.pi * int(rng.integers(2))
        yaw = float(turn + spot.yaw + flip + rng.normal(0, ASKEW))
        piece = own.tile(ends, yaw, down=bool(down) and rng.random() < down)
        c, s = np.cos(turn), np.sin(turn)
        x, y = sets[0].style.side * gap * (np.array([spot.x, spot.y]) - middle)
        piece.body[bodies.AT : bodies.AT + 2] = c * x - s * y, s * x + c * y
        if spot.lean is None:
            piece.body[bodies.AT + 2] += 2 * spot.level * piece.body[bodies.HALF + 2]
        else:
            _stand(piece, turn, spot.lean)
        pieces.append(piece)
    standing = spots[0].lean is not None
    if standing and rng.random() < 0.7:
        pieces.append(_rack_behind(rng, pieces, turn))
    if name == "beside_dice":
        pieces += _dice_beside(rng, pieces, sets[0].style)
    tables = (PRINTED, CARDS, DECOYS)[int(rng.integers(3))]
    return DominoTable(
        pieces,
        tables if rng.random() < ON_PRINT else USUAL_TABLES,
        LOW if name in ("chain", "rack") else FLAT,
        turn - ACROSS if standing else None,
    )


@dataclass(frozen=True, slots=True)
class _Set:
    """How the tiles of one set are made."""

    style: PieceStyle
    colour: str
    batch: int
    barred: float

    @classmethod
    def drawn(cls, rng: Random) -> _Set:
        colour = draw_tile_colour(rng)
        barred = 0.0 if rng.random() < UNBARRED else max(BARRED, 1.0)
        return cls(draw_style(rng), colour, int(rng.integers(2**32)), barred)

    def tile(self, halves: tuple[int, int], yaw: float, *, down: bool = False) -> SketchPiece:
        same = np.random.default_rng(self.batch)
        return draw_domino(
            *(same, self.style, self.colour, yaw), down=down, halves=halves, barred=self.barred
        )


def _stand(piece: SketchPiece, turn: float, lean: float) -> None:
    """Stand a tile up, its pips towards the side that *turn* has on its right hand."""
    out = np.array([np.sin(turn), -np.cos(turn), 0.0])
    up = np.array([0.0, 0.0, 1.0])
    normal = np.cos(lean) * out + np.sin(lean) * up
    along = np.cos(lean) * up - np.sin(lean) * out
    frame = np.column_stack([along, np.cross(normal, along), normal])
    piece.body[bodies.TURN : bodies.TURN + 9] = frame.ravel()
    half = piece.body[bodies.HALF : bodies.HALF + 3]
    piece.body[bodies.AT + 2] = np.cos(lean) * half[0] + np.sin(lean) * half[2]


def _rack_behind(rng: Random, pieces: list[SketchPiece], turn: float) -> SketchPiece:
    """Return the wooden bar that standing tiles lean against."""
    width = 0.55 * len(pieces) * 2 * pieces[0].body[bodies.HALF + 1]
    high = float(rng.uniform(0.3, 0.8)) * pieces[0].body[bodies.HALF]
    half = np.array([width, float(rng.uniform(0.15, 0.4)), high])
    tint = from_hsv(rng.uniform(6, 19), rng.uniform(0.3, 0.8), rng.uniform(0.2, 0.8))
    body = body_row(rng, replace(draw_style(rng), edge=0.1, ball=20.0), half, turn, tint)
    out = np.array([np.sin(turn), -np.cos(turn)])
    deep = pieces[0].body[bodies.HALF + 2] + half[1]
    middle = np.mean([piece.body[bodies.AT : bodies.AT + 2] for piece in pieces], axis=0)
    body[bodies.AT : bodies.AT + 2] = middle - out * (deep + 0.5 * pieces[0].body[bodies.HALF])
    return SketchPiece(body, [])


def _dice_beside(rng: Random, pieces: list[SketchPiece], style: PieceStyle) -> list[SketchPiece]:
    """Return a few dice, touching tiles or each other where there is room."""
    dice: list[SketchPiece] = []
    own = replace(draw_style(rng), side=style.side * float(rng.uniform(0.7, 1.1)))
    colour = str(rng.choice(list(COLOUR_PROBS)))
    for _ in range(int(rng.integers(1, 5))):
        near = [*pieces, *dice][int(rng.integers(len(pieces) + len(dice)))]
        yaw = float(np.arctan2(near.body[bodies.TURN + 3], near.body[bodies.TURN]))
        die = draw_die(rng, own, colour, yaw)
        for _ in range(TRIES):
            axis = int(rng.integers(2))
            way = near.body[bodies.TURN : bodies.TURN + 9].reshape(3, 3)[:2, axis]
            side = near.body[bodies.TURN : bodies.TURN + 9].reshape(3, 3)[:2, 1 - axis]
            reach = near.body[bodies.HALF + axis] + die.body[bodies.HALF] + rng.exponential(0.03)
            slide = rng.choice([-0.5, 0.0, 0.5]) * style.side
            at = near.body[:2] + way * reach * rng.choice([-1, 1]) + side * slide
            die.body[:2] = at
            if not any(_footprints_meet(die, other) for other in [*pieces, *dice]):
                dice.append(die)
                break
    return dice


def _overlap(first: TileSpot, second: TileSpot, room: float = 0.0) -> bool:
    far = float(np.hypot(first.x - second.x, first.y - second.y))
    outlines = (((s.x, s.y), (2.0 + room, 1.0 + room), s.yaw) for s in (first, second))
    return far < np.sqrt(5.0) + room and _rectangles_meet(*outlines)


def _footprints_meet(first: SketchPiece, second: SketchPiece) -> bool:
    def footprint(piece: SketchPiece) -> TurnedRectangle:
        wide, deep = 2 * piece.body[bodies.HALF : bodies.HALF + 2]
        yaw = float(np.arctan2(piece.body[bodies.TURN + 3], piece.body[bodies.TURN]))
        x, y = piece.body[:2]
        return (float(x), float(y)), (0.99 * float(wide), 0.99 * float(deep)), yaw

    return _rectangles_meet(footprint(first), footprint(second))


def _rectangles_meet(first: TurnedRectangle, second: TurnedRectangle) -> bool:
    """Return True if two rectangles share area."""
    ours, theirs = (
        (middle, size, float(np.degrees(turn))) for middle, size, turn in (first, second)
    )
    kind, _ = cv2.rotatedRectangleIntersection(ours, theirs)
    return bool(kind != cv2.INTERSECT_NONE)


def name_of(seed: int) -> str:
    """Return which of TABLES a seed draws: every one in turn."""
    return list(TABLES)[seed % len(TABLES)]


def is_seen_from(table: DominoTable, eye: Floats) -> bool:
    """Return True if a camera looks from high enough and, at a rack, from before it."""
    sight = eye / np.linalg.norm(eye)
    if table.facing is None:
        return bool(sight[2] >= table.lowest)
    out = np.array([np.cos(table.facing), np.sin(table.facing), 0.0])
    return bool(table.lowest <= sight[2] <= STEEPEST and sight @ out > BEFORE)
