"""The dominoes of a sketch, and how they lie in play: crosses, T-junctions, blocks, stacks.

A layout is a list of spots on the table, in widths of a tile, which is twice as long; `lay` puts
tiles of one set on them. These are the tables on which a half may be taken for a stranger's.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from models.pieces import COLOUR_PROBS, UNTURNED, PieceStyle, draw_colour, draw_inks, ink_for
from models.sketch import bodies
from models.sketch.bodies import Floats
from models.sketch.sketch_pieces import (
    SketchPiece,
    body_row,
    draw_style,
    face_spots,
    finish,
    letter_pips,
    pip_row,
)
from models.textures.surfaces import Random, from_hsv

BLANK = 0.12  # of the halves of dominoes are blank beside those that fall so
BARRED = 0.9  # of the tiles have a bar between their halves


def draw_domino(
    rng: Random,
    style: PieceStyle,
    colour: str,
    yaw: float,
    *,
    down: bool,
    blank: float = BLANK,
    halves: tuple[int, int] | None = None,
    barred: float = BARRED,
) -> SketchPiece:
    """Make a domino lying flat, or face *down*, with these halves or any.

    Any halves are *blank* more often than fair by that; a share *barred* of the tiles has a bar.
    """
    half = np.array([1.0, 0.5, rng.uniform(0.1, 0.22)]) * style.side
    style = _as_tile(rng, style)
    tint = draw_colour(rng, colour)
    body = body_row(rng, style, half, yaw, tint)
    ink = ink_for(rng, tint, finish(rng, body, colour, tint))
    inks = draw_inks(rng, style, ink, max(6, *halves) if halves else 6)
    if down:
        wide = float(half[1] - 0.293 * body[bodies.ROUND])
        back = _back(rng, style, half, ink)
        return SketchPiece(body, back, colour=colour, flat=wide, kind="back")
    body[bodies.BAR] = rng.uniform(0.015, 0.06) if rng.random() < barred else 0.0
    body[bodies.BAR_COLOUR : bodies.BAR_COLOUR + 3] = ink
    halves = halves or (draw_half(rng, blank), draw_half(rng, blank))
    pips = _draw_pips(rng, style, halves, half[1], inks)
    return SketchPiece(body, pips, halves, {}, colour, float(half[1] - 0.293 * body[bodies.ROUND]))


def _as_tile(rng: Random, style: PieceStyle) -> PieceStyle:
    """Return how a set's dominoes are made: flat, mostly polished, their pips smaller."""
    edge, rainbow = rng.uniform(0.1, 0.9), rng.random() < 0.4
    gloss = max(style.gloss, rng.uniform(0, 1))
    pip, spread = rng.uniform(0.14, 0.22), rng.uniform(0.48, 0.6)
    return replace(
        style,
        edge=edge,
        ball=UNTURNED,
        rainbow=rainbow,
        gloss=gloss,
        pip=pip,
        lone=pip,
        spread=spread,
    )


def _draw_pips(
    rng: Random, style: PieceStyle, halves: tuple[int, int], width: float, inks: dict[int, Floats]
) -> list[Floats]:
    """Return the pips of both halves, and perhaps the brass pin between them."""
    along = rng.random() < 0.75  # the rows of a six run across the tile on most sets
    pips = []
    for sign, n in zip((-1, 1), halves, strict=True):
        turn = not along if n >= 6 else rng.random() < 0.5
        for u, v, r in face_spots(style, n, turn, rng.random() < 0.5):
            # World x is the face's u, y its v.
            pips.append(pip_row(4, (sign + u) * width, v * width, r * width, inks[n], style))
    if rng.random() < 0.3:
        pips.append(pip_row(4, 0, 0, rng.uniform(0.05, 0.1), from_hsv(22, 0.5, 0.75), style))
    return pips


def draw_half(rng: Random, blank: float) -> int:
    """Return the pips on half a domino, *blank* more often than fair by that."""
    return 0 if rng.random() < blank else int(rng.integers(7))


def _back(rng: Random, style: PieceStyle, half: Floats, ink: Floats) -> list[Floats]:
    """Return what the maker put on the back of a domino: nothing, letters or an emblem."""
    kind = rng.random()
    if kind < 0.35:
        return []
    size = half[1] * rng.uniform(0.3, 0.8)
    middles = [(0.0, 0.0)] if rng.random() < 0.6 else [(-half[1], 0.0), (half[1], 0.0)]
    if kind < 0.7:
        return [pip for at in middles for pip in letter_pips(rng, style, 4, at, size, ink)]
    angles = np.arange(24) * np.pi / 12
    circles = size * rng.uniform(0.3, 1.0, int(rng.integers(1, 3)))
    return [
        pip_row(4, at[0] + r * np.cos(a), at[1] + r * np.sin(a), 0.16 * r, ink, style)
        for at in middles
        for r in circles
        for a in angles
    ]


ACROSS = np.pi / 2
GAP = 0.03  # widths, the mean distance of two tiles that touch, as hands lay them
USUAL = 0.75  # of the sets are ivory or black
ASKEW = 0.02  # radians, how far off its direction a tile lies


@dataclass(frozen=True, slots=True)
class TileSpot:
    """Where a tile lies, its length along *yaw*; or stands, leaning back by *lean* radians."""

    x: float
    y: float
    yaw: float = 0.0
    level: int = 0  # 1 lies on those of level 0
    halves: tuple[int, int] | None = None  # at the near end and at the far one
    lean: float | None = None  # from upright; None: it lies
    of: int = 0  # which set


def cross(rng: Random) -> list[TileSpot]:
    """Return a tile with neighbours on both long sides, and mostly on both ends too."""
    arms = [(0.0, 1.5, ACROSS), (0.0, -1.5, ACROSS)]
    if rng.random() < 0.7:
        arms += [(2.0, 0.0, 0.0), (-2.0, 0.0, 0.0)] if rng.random() < 0.6 else [(1.5, 0.0, ACROSS)]
    spots = [TileSpot(0.0, 0.0), *(TileSpot(*arm) for arm in arms)]
    if rng.random() < 0.4:  # an arm goes on
        spots.append(TileSpot(0.0, 3.5, ACROSS))
    return spots


def tee(rng: Random) -> list[TileSpot]:
    """Return one or two tiles that end on the long side of another, or of two in a row."""
    spots = [TileSpot(0.0, 0.0), TileSpot(float(rng.choice([-0.5, 0.0, 0.5])), 1.5, ACROSS)]
    if rng.random() < 0.5:
        spots.append(TileSpot(2.0, 0.0))
    if rng.random() < 0.4:
        spots.append(TileSpot(float(rng.choice([-0.5, 0.5])), -1.5, ACROSS))
    return spots


def block(rng: Random) -> list[TileSpot]:
    """Return tiles side by side in one row or more, perhaps as bricks lie."""
    columns, rows = int(rng.integers(2, 6)), int(rng.integers(1, 4))
    shift = float(rng.choice([0.0, 0.0, 0.5, 1.0]))
    return [
        TileSpot(2.0 * row - shift * (column % 2), float(column))
        for column in range(columns)
        for row in range(rows)
    ]


def stack(rng: Random) -> list[TileSpot]:
    """Return tiles side by side with others on them that cover one half each of some."""
    columns = int(rng.integers(2, 5))
    spots = [TileSpot(float(column), 0.0, ACROSS) for column in range(columns)]
    if rng.random() < 0.3:
        spots += [TileSpot(float(column), 2.0, ACROSS) for column in range(columns)]
    end = float(rng.choice([-0.5, 0.5]))
    over = float(rng.integers(columns - 1))
    if rng.random() < 0.6:  # across two halves: those in the open look like one tile
        return [*spots, TileSpot(over + 0.5, end, 0.0, 1)]
    yaw = float(rng.choice([ACROSS, rng.uniform(0, np.pi)]))
    return [*spots, TileSpot(over, 2 * end, yaw, 1)]


def single(rng: Random) -> list[TileSpot]:
    """Return one to four tiles far apart."""
    count = int(rng.integers(1, 5))
    far = float(rng.uniform(3.0, 5.0))
    turns = rng.uniform(0, np.pi, count)
    return [TileSpot(far * (k % 2), far * (k // 2), float(turns[k])) for k in range(count)]


LAYOUTS: dict[str, Callable[[Random], list[TileSpot]]] = {
    plan.__name__: plan for plan in (cross, tee, block, stack, single)
}


def lay(rng: Random, name: str, blank: float) -> list[SketchPiece]:
    """Return the tiles of one set, each only once, in a layout around the origin.

    Args:
        rng: chooses whatever is left open.
        name: of LAYOUTS.
        blank: share of the halves that are blank beside those that fall so.
    """
    style = draw_style(rng)
    colour = draw_tile_colour(rng)
    spots = LAYOUTS[name](rng)
    middle = np.mean([(spot.x, spot.y) for spot in spots], axis=0)
    turn, wide = rng.uniform(0, 2 * np.pi), style.side * (1 + rng.exponential(GAP))
    c, s = np.cos(turn), np.sin(turn)
    batch = int(rng.integers(2**32))
    pieces = []
    for spot, values in zip(spots, draw_values(rng, len(spots), blank), strict=True):
        yaw = turn + spot.yaw + np.pi * int(rng.integers(2)) + rng.normal(0, ASKEW)
        same = np.random.default_rng(batch)  # all tiles of a set are made alike
        piece = draw_domino(same, style, colour, yaw, down=False, halves=(min(values), max(values)))
        x, y = wide * (np.array([spot.x, spot.y]) - middle)
        piece.body[:2] = c * x - s * y, s * x + c * y
        piece.body[bodies.AT + 2] += 2 * spot.level * piece.body[bodies.HALF + 2]
        pieces.append(piece)
    return pieces


def span(pieces: list[SketchPiece]) -> float:
    """Return the width of the circle around the origin that holds the pieces."""
    return 2 * max(float(np.hypot(*piece.body[:2])) + piece.reach for piece in pieces)


def draw_values(
    rng: Random, count: int, blank: float, *, twice: bool = False
) -> list[tuple[int, int]]:
    """Return the halves of tiles that all differ, as far as a set has tiles; of two sets any."""
    chosen: list[tuple[int, int]] = []
    while len(chosen) < count:
        a, b = draw_half(rng, blank), draw_half(rng, blank)
        if twice or len(chosen) >= 20 or not {(a, b), (b, a)} & set(chosen):
            chosen.append((a, b))
    return chosen


def draw_tile_colour(rng: Random) -> str:
    """Choose the colour of a set: ivory or black, mostly."""
    usual = rng.random() < USUAL
    return str(rng.choice(["white", "white", "black"] if usual else list(COLOUR_PROBS)))
