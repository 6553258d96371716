"""Drawn boards with known truth: rounded dice on a plain table, seen under perspective."""

import itertools
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from models.pieces import LAYOUTS
from vision import Photo

UNIT = 120  # px of the flat drawing a cell is wide
FACE = 0.52  # of a cell
SPREAD = 0.25  # of a face
PIP = 0.095  # of a face
PAINT = {"white": (228, 236, 238), "black": (34, 32, 32), "red": (40, 30, 190)}
TABLE = (120, 138, 150)


@dataclass(frozen=True)
class Drawn:
    """One die of a drawing: where it lies, in cells from the middle of the board."""

    value: int
    colour: str
    x: float
    y: float
    turn: float = 0.0  # degrees


def grid_of(values, colours="wbwbwbwbw"):
    """Return dice for a row-by-row text such as "123456123"; a dot leaves a cell empty."""
    names = {"w": "white", "b": "black", "r": "red"}
    turns = np.random.default_rng(4).uniform(-40, 40, 9)
    return [
        Drawn(int(value), names[colours[i]], i % 3 - 1, i // 3 - 1, turns[i])
        for i, value in enumerate(values)
        if value != "."
    ]


@dataclass(frozen=True)
class DrawnLid:
    """A box lid with a printed grid of cells one unit wide, its middle that of the board."""

    stock: tuple[int, int, int] = (190, 205, 215)
    ink: tuple[int, int, int] = (50, 45, 50)
    thick: float = 0.05  # of a cell
    rows: int = 3
    columns: int = 3
    framed: bool = False  # by a thin line around the grid
    has_grid: bool = True


def draw_lid(dice, lid, *, elevation=60, roll=0, size=(960, 720)):
    """Return the photo of dice that stand on a lid, their faces' middles and the grid's corners."""
    flat, middle = 8 * UNIT, 4 * UNIT
    print_, top = (_view(elevation, roll, size, flat, height) for height in (0.0, FACE))
    table = np.full((flat, flat, 3), TABLE, np.uint8)
    _print(table, lid, middle)
    photo = cv2.warpPerspective(table, print_, size, flags=cv2.INTER_AREA, borderValue=TABLE)
    feet = np.array([(die.x, die.y) for die in dice]).reshape(-1, 2) * UNIT + middle
    for i in np.argsort(_seen(feet, print_)[:, 1]):
        _stand(photo, dice[i], feet[i], print_, top)
    photo = _taken(photo)
    half = np.array([lid.columns, lid.rows]) / 2
    ring = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half * UNIT + middle
    return photo, _seen(feet, top), _seen(ring, print_)


def _stand(photo, die, foot, print_, top):
    """Draw a die that stands at a place of the flat drawing: its body, then its face."""
    flat = np.zeros((8 * UNIT, 8 * UNIT, 3), np.uint8)
    draw_die(flat, die, 4 * UNIT)
    x, y = np.floor(foot).astype(int) - UNIT  # of the part of the flat drawing that it covers
    drawn = flat[y : y + 2 * UNIT, x : x + 2 * UNIT].any(axis=2)
    outline = np.argwhere(drawn)[:, ::-1] + (float(x), float(y))
    body = np.vstack([_seen(outline, print_), _seen(outline, top)]).round().astype(np.int32)
    shade = [0.6 * channel for channel in PAINT[die.colour]]
    cv2.fillConvexPoly(photo, cv2.convexHull(body), shade, cv2.LINE_AA)
    x, y, w, h = cv2.boundingRect(_seen(outline, top).astype(np.float32))
    there = slice(max(0, y - 2), y + h + 2), slice(max(0, x - 2), x + w + 2)
    face = cv2.warpPerspective(flat, top, photo.shape[1::-1], flags=cv2.INTER_AREA)[there]
    photo[there] = np.where(face.any(axis=2, keepdims=True), face, photo[there])


def _taken(scene):
    """Return what a camera makes of a scene."""
    blurred = cv2.GaussianBlur(scene, (0, 0), 0.8)
    return np.clip(blurred + _noise(scene.shape), 0, 255).astype(np.uint8)


@cache
def _noise(shape):
    return np.random.default_rng(1).normal(0, 2.0, shape)


def _print(table, lid, middle):
    half = np.array([lid.columns, lid.rows]) * UNIT / 2
    x, y = half.astype(int)
    margin, gap = 40, 14
    _box(table, middle, x + margin, y + margin, lid.stock, -1)
    if not lid.has_grid:
        return
    thick = round(lid.thick * UNIT)
    for k in range(lid.columns + 1):
        at = middle - x + k * UNIT
        cv2.line(table, (at, middle - y), (at, middle + y), lid.ink, thick)
    for k in range(lid.rows + 1):
        at = middle - y + k * UNIT
        cv2.line(table, (middle - x, at), (middle + x, at), lid.ink, thick)
    if lid.framed:
        _box(table, middle, x + gap, y + gap, lid.ink, 2)


def _box(table, middle, x, y, colour, thick):
    cv2.rectangle(table, (middle - x, middle - y), (middle + x, middle + y), colour, thick)


def _seen(places, matrix):
    flat = np.column_stack([places, np.ones(len(places))]) @ matrix.T
    points: NDArray[np.float64] = flat[:, :2] / flat[:, 2:]
    return points


def draw(dice, *, elevation=60, size=(960, 720), roll=0):
    """Return the photo and the dice's middles in px."""
    flat, middle = 8 * UNIT, 4 * UNIT
    table = np.full((flat, flat, 3), TABLE, np.uint8)
    for die in dice:
        draw_die(table, die, middle)
    matrix = _view(elevation, roll, size, flat)
    photo = cv2.warpPerspective(table, matrix, size, flags=cv2.INTER_AREA, borderValue=TABLE)
    photo = _taken(photo)
    at = np.array([(die.x * UNIT + middle, die.y * UNIT + middle) for die in dice])
    if not len(at):
        return photo, np.zeros((0, 2))
    return photo, cv2.perspectiveTransform(at[None].astype(np.float64), matrix)[0]


def draw_die(table, die, middle):
    side = FACE * UNIT
    angle = np.radians(die.turn)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    center = np.array([die.x, die.y]) * UNIT + middle
    corner = side / 2 - 0.14 * side
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * corner
    ring = (center + square @ turn.T).round().astype(np.int32)
    cv2.fillPoly(table, [ring], PAINT[die.colour])
    cv2.polylines(table, [ring], True, PAINT[die.colour], round(0.28 * side), cv2.LINE_AA)
    ink = (30, 30, 30) if die.colour == "white" else (235, 240, 240)
    for node in LAYOUTS[die.value]:
        x, y = center + np.array(node) * SPREAD * side @ turn.T
        cv2.circle(table, (round(x), round(y)), round(PIP * side), ink, -1, cv2.LINE_AA)


def _view(elevation, roll, size, flat, height=0.0):
    """Return the homography of a camera *elevation* degrees up, of a plane *height* cells up."""
    e, r = np.radians(elevation), np.radians(roll)
    spin = np.array([[np.cos(r), -np.sin(r), 0], [np.sin(r), np.cos(r), 0], [0, 0, 1]])
    up, near = -height * np.cos(e), 9.0 - height * np.sin(e)
    lift = np.array([[1, 0, 0], [0, np.sin(e), up], [0, -np.cos(e), near]])
    lens = np.array([[1.9 * size[0], 0, size[0] / 2], [0, 1.9 * size[0], size[1] / 2], [0, 0, 1]])
    to_cells = np.array(
        [[1 / UNIT, 0, -flat / 2 / UNIT], [0, 1 / UNIT, -flat / 2 / UNIT], [0, 0, 1]]
    )
    matrix: NDArray[np.float64] = lens @ lift @ spin @ to_cells
    return matrix


def photo_of(picture):
    return Photo(picture, picture.shape[1], picture.shape[0])


def values(reading):
    """Return the board row by row; a dot is an empty cell."""
    found = {die.cell: str(die.value) for die in reading.dice if die.cell}
    return "".join(found.get((row, column), ".") for row in range(3) for column in range(3))


TWO_THREE = ((15, 15), (45, 45), (15, 75), (30, 90), (45, 105))


def printed_board(rows: int, columns: int, pips=TWO_THREE, loose: int = 0) -> Photo:
    """Return a board with equal dominoes printed on it, each up to *loose* px out of place."""
    side, rng = 60, np.random.default_rng(2)
    board = np.full((rows * 160 + 40, columns * 100 + 40, 3), (70, 110, 60), np.uint8)
    lattice = itertools.product(range(40, rows * 160, 160), range(40, columns * 100, 100))
    for place in lattice:
        top, left = np.add(place, rng.integers(-loose, loose + 1, 2)).tolist()
        cv2.rectangle(board, (left, top), (left + side, top + 2 * side), (235, 235, 235), -1)
        cv2.line(board, (left + 6, top + side), (left + side - 6, top + side), (60, 60, 60), 3)
        for x, y in pips:
            cv2.circle(board, (left + x, top + y), 6, (30, 30, 30), -1, cv2.LINE_AA)
    return Photo.from_array(cv2.GaussianBlur(board, (3, 3), 0.8), "bgr")
