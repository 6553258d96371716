"""How the pieces of a sketch come to lie, and what lies beside them that is none."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from models.pieces import (
    BODY_HSV,
    COLOUR_PROBS,
    LAYOUTS,
    UNTURNED,
    PieceStyle,
    draw_colour,
    ink_for,
)
from models.sketch import bodies
from models.sketch.bodies import Floats
from models.sketch.dominoes import draw_domino
from models.sketch.sketch_pieces import (
    SketchPiece,
    body_row,
    draw_die,
    draw_style,
    finish,
    letter_pips,
    pip_row,
)
from models.sketch.view import SketchCamera
from models.textures.surfaces import Random


def draw_decoy(rng: Random, style: PieceStyle) -> SketchPiece:
    """Make a button, a coin, a ball, a sweet, a plain block or a cube with letters."""
    name = str(rng.choice(list(BODY_HSV)[:-1]))
    tint = draw_colour(rng, name)
    kind = CLASSES[int(rng.integers(len(CLASSES)))]
    size = style.side * rng.uniform(0.25, 0.8)
    body, pips = kind(rng, style, size, name, tint)
    return SketchPiece(body, pips, (), {}, name)


BodyRows = tuple[Floats, list[Floats]]  # of a body and of its pips


def _button(rng: Random, style: PieceStyle, size: float, _name: str, tint: Floats) -> BodyRows:
    style, body = _disc(rng, style, size, tint)
    ink = ink_for(rng, tint, 0)
    spread, radius = rng.uniform(0.15, 0.4) * size, rng.uniform(0.06, 0.14) * size
    holes = LAYOUTS[int(rng.choice([2, 4]))]
    return body, [pip_row(4, a * spread, b * spread, radius, ink, style) for a, b in holes]


def _coin(rng: Random, style: PieceStyle, size: float, _name: str, tint: Floats) -> BodyRows:
    style, body = _disc(rng, style, size, tint)
    if rng.random() >= 0.5:
        return body, []
    return body, letter_pips(rng, style, 4, (0.0, 0.0), 0.6 * size, ink_for(rng, tint, 0))


def _disc(rng: Random, style: PieceStyle, size: float, tint: Floats) -> tuple[PieceStyle, Floats]:
    """Return a ball cut flat, and how it is made."""
    half = np.array([size, size, size * rng.uniform(0.05, 0.3)])
    style = replace(style, edge=0.5, ball=UNTURNED)
    body = body_row(rng, style, half, 0.0, tint)
    body[bodies.BALL] = size
    return style, body


def _ball(rng: Random, style: PieceStyle, size: float, _name: str, tint: Floats) -> BodyRows:
    style = replace(style, edge=1.0, ball=UNTURNED)
    return body_row(rng, style, np.full(3, size), 0.0, tint), []


def _sweet(rng: Random, style: PieceStyle, size: float, _name: str, tint: Floats) -> BodyRows:
    half = np.array([size, size * rng.uniform(0.5, 1), size * rng.uniform(0.3, 0.6)])
    style = replace(style, edge=rng.uniform(0.5, 1), ball=UNTURNED)
    return body_row(rng, style, half, rng.uniform(0, 6.3), tint), []


def _lettered_cube(
    rng: Random, style: PieceStyle, _size: float, name: str, tint: Floats
) -> BodyRows:
    half = np.full(3, style.half)
    body = body_row(rng, style, half, rng.uniform(0, 6.3), tint)
    ink = ink_for(rng, tint, finish(rng, body, name, tint))
    pips: list[Floats] = []
    for face in (0, 1, 2, 3, 4):
        pips += letter_pips(rng, style, face, (0.0, 0.0), rng.uniform(0.3, 0.6) * half[0], ink)
    return body, pips


def _block(rng: Random, style: PieceStyle, size: float, _name: str, tint: Floats) -> BodyRows:
    """Return a block, sometimes long."""
    half = np.array([size * rng.uniform(0.5, 3), size, size * rng.uniform(0.2, 1)])
    style = replace(style, ball=UNTURNED)
    return body_row(rng, style, half, rng.uniform(0, 6.3), tint), []


CLASSES: tuple[Callable[[Random, PieceStyle, float, str, Floats], BodyRows], ...] = (
    _button,
    _coin,
    _ball,
    _sweet,
    _lettered_cube,
    _block,
)


MOST = 30  # pieces
TRIES = 25  # places tried for a piece
FARTHEST = 40  # world units from the origin


@dataclass(frozen=True, slots=True)
class SketchSets:
    """The styles and colours of the pieces on one table."""

    theme: str  # "dice", "dominoes" or "both"
    styles: tuple[PieceStyle, ...]
    colours: tuple[str, ...]
    blank: float  # share of the halves of dominoes that are blank anyhow


@dataclass(frozen=True, slots=True)
class PieceArrangement:
    """One way in which people lay pieces down."""

    way: str  # "strewn", "cluster" or "grid"
    base: float  # radians, of rows and of half the pieces in clusters
    gap: float
    pitch: float  # of a grid, in sides of a piece
    columns: int
    loose: float = 1.0  # how far from its place and its row a piece on a grid lies

    def draw_yaw(self, rng: Random) -> float:
        """Choose how a piece is turned."""
        yaw = (
            self.base + rng.normal(0, 0.07 * self.loose)
            if self.way == "grid"
            else rng.uniform(0, 2 * np.pi)
        )
        if self.way == "cluster" and rng.random() < 0.5:
            yaw = self.base + np.pi / 2 * rng.integers(4)
        return float(yaw)

    def on_grid(self, rng: Random, k: int, side: float) -> Floats:
        """Return where the piece with number k lies on the grid, about."""
        cell = np.array([k % self.columns, k // self.columns]) - (self.columns - 1) / 2
        step = self.pitch * side * cell + rng.normal(0, 0.04 * self.loose, 2)
        c, s = np.cos(self.base), np.sin(self.base)
        return np.array([c * step[0] - s * step[1], s * step[0] + c * step[1]])


def draw_pieces(
    rng: Random,
    view: SketchCamera,
    face: float,
    theme: str | None,
    blank: float,
    *,
    block: bool = False,
) -> list[SketchPiece]:
    """Choose the pieces of a table and lay them down, where asked for as a block side by side.

    Args:
        rng: random numbers.
        view: the camera that shall see them.
        face: px that a face of side 1 is about wide.
        theme: "dice", "dominoes" or "both"; None leaves it to chance.
        blank: share of the halves of dominoes that are blank anyhow.
        block: they lie in a block without gaps.
    """
    room = view.width * view.height / face**2
    count = int(min(MOST, max(1, rng.uniform(0.03, 0.22) * room)))
    count = min(count, int(rng.choice([2, 5, 9, 14, 30])))
    sets = _draw_sets(rng, theme, blank)
    arrangement = _draw_arrangement(rng, count)
    if block:
        arrangement = _draw_block(rng)
        count = arrangement.columns * int(rng.integers(1, arrangement.columns + 1))
    largest = max(style.side for style in sets.styles)
    placed: list[SketchPiece] = []
    for k in range(count):
        style = sets.styles[int(rng.integers(len(sets.styles)))]
        yaw = arrangement.draw_yaw(rng)
        piece = _draw_piece(rng, style, sets, str(rng.choice(sets.colours)), yaw)
        if arrangement.way == "grid":
            spot = arrangement.on_grid(rng, k, largest if block else style.side)
            at = spot if _is_free(spot, piece, placed, 0.01) else None
        else:
            at = _find_place(rng, view, piece, placed, arrangement)
        if at is None:
            continue
        piece.body[:2] = at
        placed.append(piece)
        if len(piece.values) == 2 and rng.random() < 0.06:
            placed.append(_stacked(rng, style, blank, piece))
    return placed


def _draw_sets(rng: Random, theme: str | None, blank: float) -> SketchSets:
    drawn = str(rng.choice(["dice", "dominoes", "both"], p=[0.66, 0.26, 0.08]))
    styles = tuple(draw_style(rng) for _ in range(int(rng.choice([1, 2, 6], p=[0.55, 0.2, 0.25]))))
    names, probs = list(COLOUR_PROBS), np.array(list(COLOUR_PROBS.values()))
    few = rng.choice(names, int(rng.choice([1, 2, 6], p=[0.3, 0.3, 0.4])), p=probs / probs.sum())
    return SketchSets(theme or drawn, styles, tuple(few.tolist()), blank)


def _draw_arrangement(rng: Random, count: int) -> PieceArrangement:
    way = str(rng.choice(["strewn", "cluster", "grid"], p=[0.5, 0.28, 0.22]))
    base, gap = rng.uniform(0, 2 * np.pi), float(rng.choice([0.01, rng.uniform(0.02, 0.5)]))
    pitch = rng.uniform(1.15, 2.6)
    columns = max(1, int(np.ceil(np.sqrt(count * rng.uniform(0.6, 1.6)))))
    return PieceArrangement(way, base, gap, pitch, columns)


def _draw_block(rng: Random) -> PieceArrangement:
    """Choose a block of up to 6 x 6 dice that touch or nearly do."""
    pitch, columns = rng.uniform(1.015, 1.07), int(rng.integers(2, 7))
    return PieceArrangement("grid", rng.uniform(0, 2 * np.pi), 0.0, pitch, columns, loose=0.1)


def _draw_piece(
    rng: Random, style: PieceStyle, sets: SketchSets, colour: str, yaw: float
) -> SketchPiece:
    if rng.random() < 0.1:
        return draw_decoy(rng, style)
    if sets.theme == "dominoes" or (sets.theme == "both" and rng.random() < 0.5):
        if colour not in ("white", "black") and rng.random() < 0.5:
            colour = "white"
        down = rng.random() < 0.06
        return draw_domino(rng, style, colour, yaw, down=down, blank=sets.blank)
    return draw_die(rng, style, colour, yaw)


def _stacked(rng: Random, style: PieceStyle, blank: float, under: SketchPiece) -> SketchPiece:
    """Return a domino that lies on another."""
    yaw = rng.uniform(0, 2 * np.pi)
    piece = draw_domino(rng, style, under.colour, yaw, down=False, blank=blank)
    piece.body[:2] = under.body[:2] + rng.normal(0, 0.15, 2)
    piece.body[bodies.AT + 2] += 2 * under.body[bodies.HALF + 2]
    return piece


def _find_place(
    rng: Random,
    view: SketchCamera,
    piece: SketchPiece,
    placed: list[SketchPiece],
    arrangement: PieceArrangement,
) -> Floats | None:
    """Return a free spot for a piece in the picture, None where none was found."""
    gap = arrangement.gap
    for _ in range(TRIES):
        if arrangement.way == "cluster" and placed:
            at = _beside(rng, placed[int(rng.integers(len(placed)))], piece, gap)
            if _is_free(at, piece, placed, 0.003) and _is_in_picture(view, at):
                return at
            continue
        margin = -0.02 if rng.random() < 0.2 else 0.06
        size = np.array([view.width, view.height])
        spot = view.on_table(rng.uniform(margin, 1 - margin, 2) * size)
        if spot is None or np.hypot(*spot) >= FARTHEST:
            continue
        if _is_free(spot, piece, placed, max(gap, 0.02)):
            return spot
    return None


def _beside(rng: Random, near: SketchPiece, piece: SketchPiece, gap: float) -> Floats:
    """Return a spot near another piece; half of the time side by side, and turned like it."""
    away = rng.uniform(0.9, 1.5) * (near.reach + piece.reach) / 1.2
    angle = rng.uniform(0, 2 * np.pi)
    at = near.body[:2] + away * np.array([np.cos(angle), np.sin(angle)])
    if rng.random() < 0.5:
        _turn_to(piece, np.arctan2(near.body[bodies.TURN + 3], near.body[bodies.TURN]))
        axis = int(rng.integers(2))
        frame = near.body[bodies.TURN : bodies.TURN + 6].reshape(2, 3)[:, axis]
        reach = near.body[bodies.HALF + axis] + piece.body[bodies.HALF + axis] + gap + 0.004
        at = near.body[:2] + frame * reach * rng.choice([-1, 1])
    return np.asarray(at, np.float64)


def _is_in_picture(view: SketchCamera, at: Floats) -> bool:
    x, y = view.project(np.append(at, 0.5)[None])[0]
    return bool(0 < x < view.width and 0 < y < view.height)


def _is_free(at: Floats, piece: SketchPiece, placed: list[SketchPiece], gap: float) -> bool:
    """Return True if a piece may lie there: boxes turned alike may touch, others keep apart."""
    for other in placed:
        step = at - other.body[:2]
        if np.hypot(*step) > piece.reach + other.reach + gap:
            continue
        if _overlap(at, piece, other, gap):
            return False
    return True


def _overlap(at: Floats, a: SketchPiece, b: SketchPiece, gap: float) -> bool:
    """Test two upright boxes for a separating axis."""
    step = b.body[:2] - at
    frames = [x.body[bodies.TURN : bodies.TURN + 6].reshape(2, 3)[:, :2] for x in (a, b)]
    halves = [x.body[bodies.HALF : bodies.HALF + 2] for x in (a, b)]
    for frame in frames:
        for axis in frame.T:
            spans = [np.abs(f.T @ axis) @ h for f, h in zip(frames, halves, strict=True)]
            if abs(step @ axis) > sum(spans) + gap:
                return False
    return True


def _turn_to(piece: SketchPiece, yaw: float) -> None:
    c, s = np.cos(yaw), np.sin(yaw)
    piece.body[bodies.TURN : bodies.TURN + 9] = (c, -s, 0, s, c, 0, 0, 0, 1)
