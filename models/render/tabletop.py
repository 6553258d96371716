"""Any table with dice and dominoes on it, from one seed: what lies there, lamps and camera.

Every part draws from its own random numbers, named after it, so that changing how
lamps are chosen does not move a die.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from models.pieces.palette import COLOUR_PROBS
from models.pieces.style import PieceStyle
from models.render import clutter, lay, light, toys
from models.render.camera import Camera, upper_left
from models.render.ground import TableGround, draw_ground
from models.render.hand import hand
from models.render.lay import Laid
from models.render.order import chance
from models.render.scene import RenderedScene
from models.render.tiles import TileStyle, back_of, draw_tile, draw_tile_style
from models.render.view import STEEP, WIDE, Steepness, draw_face, framed, hold, in_sight

Random = np.random.Generator
# What people's dice are: three in four are white, black, red, green, blue or yellow.
COMMON = dict.fromkeys(COLOUR_PROBS, 0.04) | {
    "white": 0.25,
    "black": 0.14,
    "red": 0.14,
    "green": 0.08,
}
COMMON |= {"blue": 0.08, "yellow": 0.08}
# And their dominoes: ivory, black, wood.
COMMON_TILES = dict.fromkeys(COLOUR_PROBS, 0.03) | {"white": 0.55, "black": 0.14, "brown": 0.07}
ALIKE = 0.1  # by which the sides of dice of several styles mostly differ, share
SMALL = 36.0  # px of a face
SMALLEST = 18.0  # px of a face, to see all pieces
NEAR = 5.0  # mm before the lens, where nothing is seen
FRAMED = 0.85  # of the pictures: pieces are well inside
COUNTS = (1, 2, 3, 5, 6, 9, 12, 20, 30)
CLOSE = 150.0  # px; on larger faces what else lies about would hide them
CROWDED = 0.2  # share of the picture that pieces may cover
HAND = 0.04  # of all pictures
HAND_ROOM = 220.0  # mm seen across; nearer, a hand would cover the lens


@dataclass(frozen=True, slots=True, eq=False)
class Tabletop:
    """A scene with any pieces, and what the truth must know of it."""

    scene: RenderedScene  # its pieces' solids come first and in their order
    ground: TableGround
    pieces: tuple[Laid, ...]


@dataclass(frozen=True, slots=True)
class Sets:
    """The styles and colours on one table."""

    dice: tuple[PieceStyle, ...]
    tiles: tuple[TileStyle, ...]
    colors: tuple[str, ...]
    tile_colors: tuple[str, ...]
    theme: str  # "dice", "tiles", "both" or "none"

    @property
    def side(self) -> float:
        """Return how wide a face is, mm."""
        return self.tiles[0].pips.side if self.theme == "tiles" else self.dice[0].side

    def draw(self, rng: Random) -> toys.Toy:
        """Make one piece of these sets."""
        if self.theme == "tiles" or (self.theme == "both" and rng.random() < 0.5):
            color = str(rng.choice(self.tile_colors))
            return draw_tile(rng, self.tiles[int(rng.integers(len(self.tiles)))], color)
        color = str(rng.choice(self.colors))
        return toys.draw_die(rng, self.dice[int(rng.integers(len(self.dice)))], color)

    def deal(self, rng: Random, count: int) -> list[toys.Toy]:
        """Make so many pieces; a set of dominoes has every tile once."""
        pieces: list[toys.Toy] = []
        dealt: set[tuple[int, ...]] = set()
        while len(pieces) < count:
            toy = self.draw(rng)
            shows = tuple(sorted(face.value for face in toy.faces))
            if toy.kind != toys.TILE or shows not in dealt:
                dealt.add(shows)
                pieces.append(toy)
        return pieces


def draw_sets(rng: Random) -> Sets:
    """Choose what the pieces on a table are like."""
    theme = str(rng.choice(["dice", "tiles", "both", "none"], p=[0.6, 0.27, 0.07, 0.06]))
    styles = int(rng.choice([1, 2, 6], p=[0.7, 0.17, 0.13]))
    few = int(rng.choice([1, 2, 6], p=[0.45, 0.3, 0.25]))
    return Sets(
        _draw_styles(rng, styles),
        tuple(draw_tile_style(rng) for _ in range(1 if rng.random() < 0.95 else 2)),
        _draw_colors(rng, COMMON, few),
        _draw_colors(rng, COMMON_TILES, 1 if rng.random() < 0.9 else 2),
        theme,
    )


def _draw_styles(rng: Random, count: int) -> tuple[PieceStyle, ...]:
    """Choose styles of dice, most of which are nearly of one size."""
    first, *others = (toys.draw_style(rng) for _ in range(count))
    sides = first.side * rng.uniform(1 - ALIKE, 1 + ALIKE, len(others))
    return first, *(
        replace(style, side=float(side)) if rng.random() < 0.8 else style
        for style, side in zip(others, sides, strict=True)
    )


def _draw_colors(rng: Random, common: dict[str, float], count: int) -> tuple[str, ...]:
    probs = np.array(list(common.values()))
    return tuple(str(name) for name in rng.choice(list(common), count, p=probs / probs.sum()))


def draw_tabletop(seed: int, steep: Steepness = STEEP) -> Tabletop:
    """Lay out the table of a seed, looked down at as steeply as *steep* says."""
    sets = draw_sets(chance(seed, "sets"))
    rng = chance(seed, "camera")
    face = draw_face(rng)
    face = min(face, CLOSE) if sets.theme == "none" else face
    camera = hold(rng, sets.side, face, from_front=False, steep=steep)
    seen = WIDE / camera.focal * camera.focus
    sine = -float(camera.axes[2, 2])
    ground = draw_ground(chance(seed, "ground"), sets.side, seen, sine)
    if ground.grid is not None:
        while True:
            camera = hold(rng, sets.side, face, from_front=True, steep=steep)
            corners = ground.grid.corners()
            if (camera.depth(corners) < NEAR).any() or upper_left(camera.project(corners)) == 0:
                break
    pieces = _lay_pieces(seed, sets, ground, camera, face)
    rng = chance(seed, "framing")
    if rng.random() < FRAMED:
        camera = _framed(rng, camera, pieces, ground, face)
    rng = chance(seed, "evening")
    counted = tuple(piece for piece in pieces if _counts(piece, camera))
    scene = RenderedScene(
        seed=seed,
        solids=(*(piece.solid() for piece in counted), *ground.solids),
        lamps=light.draw_evening(rng),
        ambient=float(np.exp(rng.uniform(np.log(0.15), np.log(1.2)))),
        camera=camera,
        dim=bool(rng.random() < 0.05),
    )
    return Tabletop(scene, ground, counted)


def _framed(
    rng: Random, camera: Camera, pieces: list[Laid], ground: TableGround, face: float
) -> Camera:
    """Return how people hold the phone once pieces lie there: all of them are in the picture."""
    if not any(piece.toy.faces for piece in pieces):
        return camera
    edges = np.array([(-1, -1, 0), (-1, 1, 0), (1, -1, 0), (1, 1, 0)])
    points = np.concatenate(
        [p.centre() + edges @ (p.rotation() * p.toy.solid.half).T for p in pieces if p.toy.faces]
    )
    moved = framed(rng, camera, points, SMALLEST / face)
    if ground.grid is None:
        return moved
    corners = ground.grid.corners()
    told = (moved.depth(corners) >= NEAR).all() and upper_left(moved.project(corners)) == 0
    return moved if told else camera


def _lay_pieces(
    seed: int, sets: Sets, ground: TableGround, camera: Camera, face: float
) -> list[Laid]:
    rng = chance(seed, "pieces")
    tilt = max(0.3, -float(camera.axes[2, 2]))
    room = camera.width * camera.height / (face**2 * tilt)
    most = int(np.clip(CROWDED * room, 1, 30)) // (2 if sets.theme == "tiles" else 1)
    least = 3 if face < SMALL else 1  # nobody photographs one die from afar
    count = min(max(least, int(rng.choice(COUNTS))), max(1, most))
    wanted = sets.deal(rng, count)
    if sets.theme == "none":
        wanted = []
    if sets.theme in ("tiles", "both") and rng.random() < 0.25:
        backs = int(rng.integers(1, 3))
        wanted = [
            back_of(rng, toy, printed=sets.tiles[0].printed_back)
            if toy.kind == toys.TILE and k < backs
            else toy
            for k, toy in enumerate(wanted)
        ]
    placed: list[Laid] = []
    _lay_wanted(rng, wanted, sets, ground, camera, placed)
    others = (rng.random() < 0.25 and face < CLOSE) or sets.theme == "none"
    decoys = [
        clutter.draw_decoy(rng, sets.side * float(rng.uniform(0.6, 1.3)))
        for _ in range(int(rng.choice([1, 2, 3, 6], p=[0.4, 0.3, 0.2, 0.1])) if others else 0)
    ]
    lay.strew(rng, decoys, _placer(rng, ground, camera), placed, stack=False, near=False)
    if rng.random() < HAND and WIDE / camera.focal * camera.focus > HAND_ROOM:
        placed += _reach_in(rng, camera)
    return placed


def _lay_wanted(
    rng: Random,
    wanted: list[toys.Toy],
    sets: Sets,
    ground: TableGround,
    camera: Camera,
    placed: list[Laid],
) -> None:
    """Lay the pieces in one of the ways people do."""
    way = rng.random()
    grid = ground.grid
    if grid is not None and sets.theme == "dice" and way < 0.85:
        cells = [(r, c) for r in range(grid.rows) for c in range(grid.columns)]
        if rng.random() < 0.6:
            wanted = sets.deal(rng, len(cells))
        shuffled = [cells[k] for k in rng.permutation(len(cells))]
        lay.fill_cells(rng, wanted, shuffled, grid.centre, grid.cell, placed)
        return
    if sets.theme == "tiles" and way < 0.4:
        lay.chain(rng, wanted, placed)
        return
    if way < 0.08 or (sets.theme == "tiles" and way < 0.55):
        gap = sets.side * float(rng.choice([0.0, rng.uniform(0.05, 1.2)]))
        lay.block(rng, wanted, placed, gap)
        return
    heap = rng.random() < 0.1
    near = rng.random() < 0.5
    lay.strew(rng, wanted, _placer(rng, ground, camera), placed, stack=heap, near=near)


def _placer(rng: Random, ground: TableGround, camera: Camera) -> lay.Place:
    """Return what chooses places that are in the picture and on the play area."""
    reach = ground.reach or (1e9, 1e9)
    low = 0.1 if rng.random() < FRAMED else -0.02

    def place() -> tuple[float, float]:
        for _ in range(60):
            px = rng.uniform(low, 1 - low, 2) * [camera.width, camera.height]
            spot = camera.on_table((float(px[0]), float(px[1])))
            if spot is None or np.hypot(*(spot - camera.eye[:2])) > 3.5 * camera.focus:
                continue
            if (np.abs(spot) < reach).all():
                return float(spot[0]), float(spot[1])
        return float(rng.uniform(-1, 1)), float(rng.uniform(-1, 1))

    return place


def _counts(piece: Laid, camera: Camera) -> bool:
    """Say whether a piece is worth tracing: its middle is near the picture."""
    middle = piece.centre()[None]
    margin = 0.5 if piece.toy.kind == toys.DECOY else 0.12
    return in_sight(camera, middle, margin)


def _reach_in(rng: Random, camera: Camera) -> list[Laid]:
    """Let a hand reach in from the near side or from beside."""
    towards = float(np.arctan2(*camera.axes[2, 1::-1]) + rng.normal(0, 0.9))
    spot = -np.array([np.cos(towards), np.sin(towards)]) * float(rng.uniform(75, 150))
    at, floor = (float(spot[0]), float(spot[1])), float(rng.uniform(0, 35))
    turn = np.diag([1.0, float(rng.choice([-1, 1])), 1.0])
    return [Laid(toy, at, floor, towards, turn) for toy in hand(rng)]
