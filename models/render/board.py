"""A box whose lid is a board, from one seed: the dice on it, lamps and the camera.

Every part draws from its own random numbers, named after it, so that changing how
lamps are chosen does not move a die.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.pieces.style import PieceStyle
from models.render import lid, light, materials
from models.render.board_dice import BoardDie, draw_style, solid
from models.render.camera import Camera, aim, upper_left
from models.render.order import EMPTY, Order, chance, random_tokens, read_token
from models.render.scene import RenderedScene
from models.render.solid import Solid
from models.textures.texture import Material

Cell = tuple[int, int]
TRIES = 60  # places tried for the die beside the board


@dataclass(frozen=True, slots=True, eq=False)
class RenderedBoard:
    """A scene with a box whose lid has 3 x 3 cells, and what the truth must know of it."""

    scene: RenderedScene
    lid: lid.Lid
    dice: tuple[BoardDie, ...]


def draw_board(order: Order) -> RenderedBoard:
    """Lay out the board an order describes.

    Raises:
        ValueError: a token is not understood, or a cell is too small for its dice.
    """
    seed = order.seed
    tokens = order.tokens or random_tokens(chance(seed, "tokens"))
    crowded = any("+" in token for token in tokens)
    style = draw_style(chance(seed, "make"))
    rng = chance(seed, "box")
    ratio = rng.uniform(2.3, 2.5) if crowded else rng.uniform(1.5, 2.2)
    stock = order.stock or str(rng.choice(list(materials.STOCKS)))
    box = lid.draw_lid(rng, stock, float(ratio) * style.side)
    camera = _hold_camera(order, box)
    placed = _lay_dice(chance(seed, "dice"), tokens, box, style)
    dice = (*placed, *_lay_beside(order, box, style, camera))
    rng = chance(seed, "table")
    table = materials.TABLES[order.table or str(rng.choice(list(materials.TABLES)))](rng)
    scene = RenderedScene(
        seed=seed,
        solids=(_table_top(seed, table), *lid.box(box), *(solid(die) for die in dice)),
        lamps=light.draw_lamps(chance(seed, "lamps")),
        ambient=float(chance(seed, "ambient").uniform(0.25, 0.6)),
        camera=camera,
        dim=order.dim,
    )
    return RenderedBoard(scene, box, dice)


def _lay_dice(
    rng: np.random.Generator, tokens: tuple[str, ...], board: lid.Lid, style: PieceStyle
) -> list[BoardDie]:
    """Put the dice on their cells, a little off the middle and turned, as hands do."""
    if len(tokens) != lid.CELLS**2:
        raise ValueError(f"a board has nine cells, got {len(tokens)} tokens")
    dice = []
    for index, token in enumerate(tokens):
        cell = divmod(index, lid.CELLS)
        names = [] if token == EMPTY else token.split("+")
        yaw = float(rng.normal(0, 9) if rng.random() < 0.5 else rng.uniform(0, 90))
        for place, name in enumerate(names):
            x, y, turn = _place(rng, board, style, cell, yaw, place, len(names))
            dice.append(_die(rng, name, style, (x, y, board.height), turn, cell))
    return dice


def _place(
    rng: np.random.Generator,
    board: lid.Lid,
    style: PieceStyle,
    cell: Cell,
    yaw: float,
    place: int,
    count: int,
) -> tuple[float, float, float]:
    """Return x, y in mm and the yaw of a die in its cell; two dice lie side by side."""
    x, y = board.cell_centre(*cell)
    if count > 1:
        yaw = float(rng.normal(0, 4))
        return x + (place - 0.5) * 1.12 * style.side, y + float(rng.normal(0, 0.5)), yaw
    turn = np.deg2rad(yaw)
    free = board.cell - style.side * (abs(np.cos(turn)) + abs(np.sin(turn)))
    dx, dy = rng.uniform(-0.42, 0.42, 2) * max(free, 0.0)
    return x + float(dx), y + float(dy), yaw


def _die(
    rng: np.random.Generator,
    token: str,
    style: PieceStyle,
    place: tuple[float, float, float],
    yaw: float,
    cell: Cell | None,
) -> BoardDie:
    color, value = read_token(token)
    quarter = 90.0 * float(rng.integers(4))  # which side face looks where
    flipped = bool(rng.random() < 0.5)
    return BoardDie(style, color, value, *place, yaw + quarter, cell, flipped)


def _lay_beside(order: Order, board: lid.Lid, style: PieceStyle, camera: Camera) -> list[BoardDie]:
    """Lay the die that is left over on the table, where the camera sees it; often none."""
    rng = chance(order.seed, "beside")
    token = order.beside
    if token is None:
        token = f"{'BW'[rng.integers(2)]}{rng.integers(1, 7)}" if rng.random() < 0.35 else EMPTY
    if token == EMPTY:
        return []
    for _ in range(TRIES):
        angle = np.deg2rad(rng.uniform(-160, -20))  # the near side: the box hides the far one
        out = board.side / 2 + style.side * rng.uniform(1.2, 3.5)
        x, y = out * np.cos(angle) * 1.25, out * np.sin(angle)
        die = _die(rng, token, style, (float(x), float(y), 0.0), float(rng.uniform(0, 90)), None)
        clear = max(abs(x), abs(y)) > board.side / 2 + style.side
        if clear and _in_picture(camera, die):
            return [die]
    return []


def _in_picture(camera: Camera, die: BoardDie) -> bool:
    face = die.upper_face()
    px = camera.project(np.concatenate([face, face - [0, 0, die.style.side]]))
    size = np.array([camera.width, camera.height])
    margin = 0.03 * size
    return bool(((px > margin) & (px < size - margin)).all())


def _hold_camera(order: Order, board: lid.Lid) -> Camera:
    """Hold the phone so that the whole lid is in the picture, its far left corner upper left."""
    rng = chance(order.seed, "camera")
    elevation = rng.uniform(35, 90) if order.elevation is None else order.elevation
    half = board.side / 2
    corners = [(x, y, board.height) for x in (-half, half) for y in (-half, half)]
    yaw, roll = float(rng.normal(0, 16)), float(rng.normal(0, 4))
    view, fill = float(rng.uniform(44, 62)), float(rng.uniform(0.58, 0.84))
    shift = float(rng.uniform(-0.35, 0.35)), float(rng.uniform(-0.35, 0.35))
    while True:
        camera = aim(np.array(corners), float(elevation), yaw, roll, view, fill, shift, order.size)
        if upper_left(camera.project(board.grid)) == 0:
            return camera
        yaw, roll = 0.8 * yaw, 0.8 * roll  # a person turns until the board stands upright


def _table_top(seed: int, material: Material) -> Solid:
    rng = chance(seed, "top")
    turn = np.deg2rad(90 * rng.integers(4) + rng.normal(0, 8))
    c, s = np.cos(turn), np.sin(turn)
    thick = 15.0
    return Solid(
        centre=(float(rng.uniform(-150, 150)), float(rng.uniform(100, 400)), -thick),
        turn=np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]]),
        half=(900.0, 900.0, thick),
        edge=4.0,
        roughness=material.roughness,
        top=material,
        side=material,
    )
