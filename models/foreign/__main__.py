"""Draw tables as another renderer shows them: python -m models.foreign KIND… --count N --seed S."""

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

import cv2
import numpy as np

from models import drawn
from models.dataset.positions import lying, turn_of
from models.foreign.mesh import Floats, HeldPhone, held
from models.foreign.pieces import (
    DICE,
    DiceMake,
    Dominoes,
    GridPage,
    LyingPiece,
    UpperFace,
    draw_dice,
    draw_dominoes,
    draw_page,
    draw_top,
)
from models.foreign.scene import build, seen_shares, sheet_of, shoot
from models.harness import NothingToMeasure, run

CELLS = 3
HAND = 5  # dice of a player of Gords
JPEG = (78, 95)


@dataclass(frozen=True, slots=True, eq=False)
class ForeignTable:
    """Pieces, labels of each tile beside its faces, and a page with a grid under dice."""

    pieces: Sequence[LyingPiece]
    labels: Sequence[dict[str, Any]] = ()
    page: GridPage | None = None
    more: dict[str, Any] = field(default_factory=dict)


def loose(rng: np.random.Generator, seed: int) -> ForeignTable:
    """Return up to ten tiles strewn about, none over another."""
    made = draw_dominoes(rng)
    room = made.side * rng.uniform(2.5, 5.5)
    pieces: list[LyingPiece] = []
    lain: list[tuple[Any, Any, float]] = []
    for halves in _some(rng, int(rng.integers(2, 11))):
        for _ in range(50):
            at, yaw = rng.uniform(-room, room, 2), rng.uniform(0, 2 * np.pi)
            box = (tuple(at), (2 * made.side, made.side), float(np.degrees(yaw)))
            if all(cv2.rotatedRectangleIntersection(box, other)[0] == 0 for other in lain):
                lain.append(box)
                pieces.append(made.tile(halves, np.array([*at, 0.0]), float(yaw)))
                break
    return ForeignTable(pieces)


def boneyard(rng: np.random.Generator, seed: int) -> ForeignTable:
    """Return tiles strewn about, many of them face down, the double blank among the others."""
    up = loose(rng, seed)
    made = draw_dominoes(rng)
    pieces: list[LyingPiece] = []
    for n, piece in enumerate(up.pieces):
        corners = np.concatenate([face.corners for face in piece.faces])
        at, along = (
            corners.mean(axis=0),
            piece.faces[1].corners.mean(axis=0) - piece.faces[0].corners.mean(axis=0),
        )
        yaw = float(np.arctan2(along[1], along[0]))
        halves = (0, 0) if n == 0 else [face.value for face in piece.faces]
        flat = np.array([*at[:2], 0.0])
        pieces.append(
            made.back(flat, yaw) if n and rng.random() < 0.6 else made.tile(halves, flat, yaw)
        )
    return ForeignTable(pieces)


def chain(rng: np.random.Generator, seed: int) -> ForeignTable:
    """Return a line of tiles, equal halves beside each other, doubles across, turning once."""
    made = draw_dominoes(rng)
    gap = rng.uniform(0.1, 2.0)
    left = list(_some(rng, 28))
    at, heading, open_end = np.zeros(2), 0.0, int(left[0][0])
    pieces: list[LyingPiece] = []
    turn_after = int(rng.integers(3, 9))
    while len(pieces) < int(rng.integers(5, 15)):
        fits = [tile for tile in left if open_end in tile]
        if not fits:
            break
        tile = fits[0]
        left.remove(tile)
        if len(pieces) == turn_after:
            step = np.array([np.cos(heading), np.sin(heading)])
            side = np.array([-step[1], step[0]])
            at = at - step * made.side / 2 + side * (made.side / 2 + gap / 2)
            heading += np.pi / 2
        step = np.array([np.cos(heading), np.sin(heading)])
        halves = tile if tile[0] == open_end else tile[::-1]
        across = tile[0] == tile[1] and len(pieces) != turn_after
        long = made.side if across else 2 * made.side
        yaw = heading + (np.pi / 2 if across else 0) + rng.normal(0, 0.02)
        middle = at + step * (long / 2)
        pieces.append(made.tile(halves, np.array([*middle, 0.0]), yaw))
        at, open_end = at + step * (long + gap), halves[1]
    return ForeignTable(pieces)


def block(rng: np.random.Generator, seed: int) -> ForeignTable:
    """Return tiles side by side in rows, as they are counted or drawn from."""
    made = draw_dominoes(rng)
    gaps = made.side * rng.uniform(0.0, 0.2, 2) + 0.1
    rows, columns = int(rng.integers(1, 5)), int(rng.integers(2, 6))
    pieces = []
    for n, halves in enumerate(_some(rng, rows * columns)):
        row, column = divmod(n, columns)
        at = np.array([row * (2 * made.side + gaps[0]), column * (made.side + gaps[1]), 0.0])
        yaw = (np.pi if rng.random() < 0.5 else 0.0) + rng.normal(0, 0.02)
        pieces.append(made.tile(halves, at, yaw))
    return ForeignTable(pieces)


def stack(rng: np.random.Generator, seed: int) -> ForeignTable:
    """Return a position of Even at Odds; `models.dataset.positions` knows what was laid last."""
    made = draw_dominoes(rng)
    turn = turn_of(seed)
    spots = lying(turn.after) if turn else []
    cell = made.side + rng.uniform(0.1, 1.0)
    pieces = [_stacked(rng, made, cell, spot.halves, spot.cells, spot.level) for spot in spots]
    labels = [{"cells": spot.cells, "level": spot.level} for spot in spots]
    return ForeignTable(pieces, labels, more={"high": 0})


def grid(rng: np.random.Generator, seed: int) -> ForeignTable:
    """Return three to nine black and white dice on a page with a grid."""
    page = draw_page(rng)
    made = draw_dice(rng)
    room = (page.cell - made.side * 1.4) / 2
    pieces, labels = [], []
    for n in rng.permutation(CELLS * CELLS)[: int(rng.integers(3, 10))]:
        row, column = divmod(int(n), CELLS)
        off = rng.uniform(-max(room, 0.0), max(room, 0.0), 2)
        at = np.array([*(page.middle(row, column) + off), 0.2])
        word = str(rng.choice(["black", "white"]))
        pieces.append(made.die(int(rng.integers(1, 7)), word, at, rng.uniform(0, 2 * np.pi)))
        labels.append({"cell": [row, column]})
    return ForeignTable(pieces, labels, page)


def level(rng: np.random.Generator, seed: int) -> ForeignTable:
    """Return a reveal whose twos and threes have their pips side by side, not on a diagonal."""
    return reveal(rng, seed, replace(draw_dice(rng), level=True))


def reveal(rng: np.random.Generator, seed: int, made: DiceMake | None = None) -> ForeignTable:
    """Return the dice of two to five players of Gords: five each, of a colour and a make."""
    made = made or draw_dice(rng)
    words = [str(w) for w in rng.permutation(sorted(set(DICE) - {"white"}))[: rng.integers(2, 6)]]
    room = made.side * (1.5 + 0.75 * len(words))
    pieces: list[LyingPiece] = []
    lain: list[Floats] = []
    for word in words:
        mixed = float(rng.uniform(0, 1))
        for _ in range(HAND):
            at = rng.uniform(-room, room, 2)
            while any(np.hypot(*(at - other)) < 1.6 * made.side for other in lain):
                at = rng.uniform(-room, room, 2)
            lain.append(at)
            yaw = float(rng.uniform(0, 2 * np.pi))
            value = int(rng.integers(1, 7))
            pieces.append(made.die(value, word, np.array([*at, 0.0]), yaw, mixed))
    return ForeignTable(pieces, more={"colours": words})


KINDS: dict[str, Callable[[np.random.Generator, int], ForeignTable]] = {
    "loose": loose, "chain": chain, "block": block, "stack": stack, "grid": grid, "reveal": reveal,
    "boneyard": boneyard, "level": level,
}  # fmt: skip


def write(folder: Path, kind: str, seed: int) -> bool:
    """Write the photo of a seed and its truth into FOLDER/KIND; return True if it is new."""
    own = folder / kind
    path = own / f"{kind}-{seed:06d}.jpg"
    if path.with_suffix(".json").exists():
        return False
    rng = np.random.default_rng([83, seed, list(KINDS).index(kind)])
    table = KINDS[kind](rng, seed)
    if not table.pieces:
        return False
    corners = np.concatenate([face.corners for piece in table.pieces for face in piece.faces])
    corners = corners if table.page is None else np.concatenate([corners, table.page.corners])
    phone = held(rng, corners)
    page = table.page
    sheet = None if page is None else sheet_of(page.ink, page.size, np.zeros(2), page.yaw)
    built = build(rng, [piece.mesh for piece in table.pieces], draw_top(rng), sheet)
    photo, scene = shoot(rng, built, phone)
    quality = int(rng.integers(*JPEG))
    truth = _truth(table, phone, scene)
    height, width = photo.shape[:2]
    labels = {"file": "", "width": width, "height": height, "seed": seed} | truth | table.more
    drawn.write(path, photo, labels, quality)
    return True


def _truth(table: ForeignTable, phone: HeldPhone, scene: Any) -> dict[str, Any]:
    dice, tiles, unread = [], [], []
    turns = 0 if table.page is None else table.page.turns(phone)
    every = [face for piece in table.pieces for face in piece.faces]
    shares = iter(seen_shares(scene, phone, [face.corners for face in every]))
    for n, piece in enumerate(table.pieces):
        faces = [_face(face, phone, next(shares)) for face in piece.faces]
        more = table.labels[n] if table.labels else {}
        if piece.kind:
            unread.append({"kind": piece.kind, "quad": faces[0]["quad"]})
        elif len(faces) == 1:
            more = {"cell": _rotated(more["cell"], turns)} if table.page else {}
            dice.append(faces[0] | more)
        else:
            halves = [face["value"] for face in faces]
            centers = [face["center"] for face in faces]
            tiles.append({"halves": halves, "centers": centers, "faces": faces} | more)
    truth: dict[str, Any] = {"dice": dice, "tiles": tiles, "objects": [], "unread": unread}
    if table.page is not None:
        corners_px = phone.project(table.page.corners)
        truth["board"] = {
            "name": f"grid:{CELLS}x{CELLS}",
            "corners": np.roll(corners_px, -turns, axis=0).round(2).tolist(),
        }
    return truth


def _face(face: UpperFace, phone: HeldPhone, visible: float) -> dict[str, Any]:
    quad = phone.project(face.corners)
    first = int(np.argmin(quad.sum(axis=1)))
    return {
        "quad": np.roll(quad, -first, axis=0).round(2).tolist(),
        "center": phone.project(face.corners.mean(axis=0)).round(2).tolist(),
        "value": face.value,
        "color": face.colour,
        "cell": None,
        "visible": round(visible, 2),
    }


def _rotated(cell: Sequence[int], turns: int) -> list[int]:
    row, column = cell
    for _ in range(turns):
        row, column = CELLS - 1 - column, row
    return [row, column]


def _stacked(
    rng: np.random.Generator,
    made: Dominoes,
    cell: float,
    halves: Sequence[int],
    cells: Sequence[tuple[int, int]],
    level: int,
) -> LyingPiece:
    ends = np.array(cells, np.float64)[:, ::-1] * [cell, -cell]
    along = ends[1] - ends[0]
    at = ends.mean(axis=0) + rng.normal(0, 0.03 * made.side, 2)
    yaw = float(np.arctan2(along[1], along[0]) + rng.normal(0, 0.02))
    return made.tile(halves, np.array([*at, level * made.thick]), yaw)


def _some(rng: np.random.Generator, count: int) -> list[tuple[int, int]]:
    """Return *count* tiles of a double-six set, either half first."""
    box = [(a, b) for a in range(7) for b in range(a, 7)]
    drawn = [box[n] for n in rng.permutation(len(box))[:count]]
    return [tile[::-1] if rng.random() < 0.5 else tile for tile in drawn]


def main(
    kinds: Annotated[Sequence[str], f"of {', '.join(KINDS)}"] = (*KINDS,),
    *,
    count: Annotated[int, "pictures of each"] = 20,
    seed: Annotated[int, "of the first"] = 1,
    out: Path = Path("var/foreign"),
) -> None:
    """Draw; a picture that is there is left alone."""
    if unknown := set(kinds) - set(KINDS):
        names = ", ".join(sorted(unknown))
        raise NothingToMeasure(f"There are no tables of {names}; there are {', '.join(KINDS)}.")
    began, drawn = time.monotonic(), 0
    for number in range(seed, seed + count):
        for kind in kinds:
            drawn += write(out, kind, number)
        print(f"seed {number}: {drawn} pictures, {time.monotonic() - began:.0f} s", flush=True)


if __name__ == "__main__":
    sys.exit(run(main))
