"""Positions of Even at Odds as they come about: both players lay any legal tile at random."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.camera import axes_of, lens_of, sent
from models.harness import NothingToMeasure
from scorer.dominoes import Lay
from scorer.games import GAMES
from scorer.games.even_at_odds.moves import Agree
from scorer.games.even_at_odds.state import State

GAME = GAMES["even_at_odds"]
UPWARD = 0.8  # share of turns in which a tile is laid as high as one can, of a game for height
STACKS = 0.6  # share of turns in which a tile is stacked where one can be; by chance few are


@dataclass(frozen=True, slots=True)
class Lying:
    """A tile: `halves[i]` lies on `cells[i]`, (row, column); level 0 is the lowest."""

    halves: tuple[int, int]
    cells: tuple[tuple[int, int], tuple[int, int]]
    level: int
    open: tuple[bool, bool]  # does nothing lie on each half?


def drawn_in(folder: Path) -> list[Path]:
    """Return the truths of drawn positions; raises NothingToMeasure."""
    found = sorted(folder.glob("*.json"))
    if not found:
        raise NothingToMeasure(f"{folder} holds no drawn position with its truth.")
    return found


def random_state(seed: int) -> State:
    """Return the state after up to 16 turns of two players, each legal, by chance."""
    rng = np.random.default_rng([29, seed])
    state: State = GAME.apply(GAME.start(2, {}), Agree(0, 0))
    for _ in range(int(rng.integers(0, 17))):
        if GAME.is_over(state):
            break
        lays = [move for move in GAME.legal_moves(state) if isinstance(move, Lay)]
        if not lays:
            break
        state = GAME.apply(state, _drawn(rng, state, lays))
    return state


@dataclass(frozen=True, slots=True)
class StackTurn:
    """A position before and after one tile is laid."""

    before: State
    move: Lay
    after: State


def random_turn(seed: int) -> StackTurn | None:
    """Return a turn of a random game; None where no tile can be laid."""
    before = random_state(seed)
    lays = [move for move in GAME.legal_moves(before) if isinstance(move, Lay)]
    if not lays:
        return None
    rng = np.random.default_rng([30, seed])
    move = _drawn(rng, before, lays)
    return StackTurn(before, move, GAME.apply(before, move))


def high_turn(seed: int, levels: int) -> StackTurn | None:
    """Return the turn of a game that brings the first tile to lie on the highest of *levels*.

    Both players build as high as they can, mostly. None where they do not come so far.
    """
    rng = np.random.default_rng([32, seed])
    before: State = GAME.apply(GAME.start(2, {}), Agree(0, 0))
    while not GAME.is_over(before):
        heights = Counter(cell for lay in before.laid for cell in lay.cells)
        lays = [move for move in GAME.legal_moves(before) if isinstance(move, Lay)]
        if not lays:
            return None
        reached = [heights[lay.cells[0]] + 1 for lay in lays]
        wanted = max(reached) if rng.random() < UPWARD else int(rng.choice(sorted(set(reached))))
        some = [lay for lay, level in zip(lays, reached, strict=True) if level == wanted]
        move = some[int(rng.integers(len(some)))]
        after = GAME.apply(before, move)
        if wanted == levels:
            return StackTurn(before, move, after)
        before = after
    return None


def turn_of(seed: int, high: int = 0) -> StackTurn | None:
    """Return a turn of a game at random, or one played for height."""
    return high_turn(seed, high) if high else random_turn(seed)


def _drawn(rng: np.random.Generator, state: State, lays: list[Lay]) -> Lay:
    covered = {cell for lay in state.laid for cell in lay.cells}
    stacked = [lay for lay in lays if lay.cells[0] in covered]
    among = stacked if stacked and rng.random() < STACKS else lays
    return among[int(rng.integers(len(among)))]


def lying(state: State) -> list[Lying]:
    """Return all tiles of a position in the order in which they were laid."""
    heights: dict[tuple[int, int], int] = {}
    top: dict[tuple[int, int], int] = {}
    placed = []
    for place, lay in enumerate(state.laid):
        placed.append(heights.get(lay.cells[0], 0))
        for cell in lay.cells:
            heights[cell], top[cell] = placed[-1] + 1, place
    return [
        Lying(lay.tile, lay.cells, level, (top[lay.cells[0]] == k, top[lay.cells[1]] == k))
        for k, (lay, level) in enumerate(zip(state.laid, placed, strict=True))
    ]


Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Neatness:
    """How neatly tiles are laid and outlined."""

    shift: float = 0.04  # cells, standard deviation of each tile's place
    turn: float = 0.02  # radians
    gap: float = 0.03  # cells, mean
    shake: float = 0.02  # sides of a face, of each corner as it is outlined


@dataclass(frozen=True, slots=True, eq=False)
class Eye:
    """A pinhole: `matrix` (3, 4) takes columns, rows, height (in cells, upwards) to px."""

    matrix: Floats
    size: tuple[int, int]
    rise: float  # radians above the table

    def project(self, points: Floats) -> Floats:
        """Return px of (n, 3) points."""
        return sent(self.matrix, points)


def draw_eye(
    rng: np.random.Generator, middle: Floats, span: float, rises: tuple[float, float] = (30, 90)
) -> Eye:
    """Choose a camera that sees *span* cells around a place from somewhere between two heights."""
    size = (3000, 4000) if rng.random() < 0.7 else (4000, 3000)
    focal = max(size) * float(rng.uniform(0.68, 1.3))
    rise, way, roll = np.radians(rng.uniform(*rises)), rng.uniform(0, 2 * np.pi), rng.normal(0, 0.1)
    far = focal * span / (min(size) * rng.uniform(0.65, 0.95))
    aim = np.append((middle + rng.normal(0, 0.04 * span, 2)) * (1, -1), 0.0)
    axes = axes_of(rise, way, roll)
    eye = aim - axes[2] * far
    rows_down = np.diag([1.0, -1.0, 1.0, 1.0])  # seen from above
    matrix = lens_of(focal, size) @ np.column_stack([axes, -axes @ eye]) @ rows_down
    return Eye(matrix, size, float(rise))


def outlines(
    rng: np.random.Generator,
    tiles: Sequence[Lying],
    eye: Eye,
    hands: Neatness | None = None,
    thickness: float | None = None,
) -> Floats:
    """Return (n, 2, 4, 2) px, clockwise, of the halves of all tiles, hidden or not."""
    hands = hands or Neatness()
    pitch = 1 + rng.exponential(hands.gap)
    height = rng.uniform(0.2, 0.45) if thickness is None else thickness
    face = rng.uniform(0.9, 1.0)
    outlines_px = []
    for tile in tiles:
        ends = pitch * np.array(tile.cells, np.float64)[:, ::-1]
        middle = ends.mean(axis=0) + np.clip(rng.normal(0, hands.shift, 2), -0.15, 0.15)
        way = (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])
        turn = float(np.clip(rng.normal(0, hands.turn), -0.105, 0.105))
        c, s = np.cos(turn), np.sin(turn)
        way = np.array([c * way[0] - s * way[1], s * way[0] + c * way[1]])
        right = np.array([-way[1], way[0]])
        for sign in (-0.5, 0.5):
            ring = [
                middle + sign * way + face / 2 * (a * way + b * right)
                for a, b in ((1, -1), (1, 1), (-1, 1), (-1, -1))
            ]
            px = eye.project(np.column_stack([ring, np.full(4, tile.level * height)]))
            side = np.sqrt(cv2.contourArea(px.astype(np.float32)))
            px = (
                px
                + rng.normal(0, hands.shake * side, 2)
                + rng.normal(0, hands.shake * side, (4, 2))
            )
            outlines_px.append(px)
    return np.array(outlines_px).reshape(-1, 2, 4, 2)
