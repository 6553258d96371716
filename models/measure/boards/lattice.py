"""Cells and levels of stacked dominoes.

Positions of Even at Odds after random legal turns, the last turn not known yet. Three ways to see
them, all synthetic: true outlines shaken as a detector shakes them, of which nothing is known
(`alone`) or all but the last tile (`known`), and with `--pictures DIR` drawn ones, read by the
shipped networks (`read`; `python -m models.train stacks` draws them).

A position is `whole` if the tile laid is reported with its cells, and nothing wrong is; `asked` if
something is asked about; `SILENT` if something wrong is reported and nothing asked about.
"""

import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import numpy as np

from models.dataset.positions import (
    GAME,
    Eye,
    Lying,
    StackTurn,
    draw_eye,
    drawn_in,
    lying,
    outlines,
    random_turn,
    turn_of,
)
from models.harness import at_least, markdown_table, share
from scorer import Table
from scorer import Tile as Fact
from scorer.dominoes import Lay
from vision import Face, Look, LyingTile, TileReading, Unreadable, load, read
from vision.dominoes.cells import lay_out
from vision.dominoes.lattice import PlacedTile, find_lattice
from vision.dominoes.tiles import tile_quad
from vision.geometry import Floats
from vision.quad import Quad

HEADS = (
    *("", "positions", "whole", "asked", "SILENT"),
    *("tiles", "cells right", "wrong", "levels", "s"),
)
Cells = tuple[tuple[int, int], tuple[int, int]]


def main(
    *,
    count: Annotated[int, "positions; 0: only the pictures", at_least(0)] = 200,
    first: Annotated[int, "seed"] = 1,
    pictures: Annotated[Path, "a folder of drawn positions to read"] | None = None,
) -> None:
    """Measure and print a table."""
    drawn = drawn_in(pictures) if pictures else []
    seeds = range(first, first + count)
    rows = [_row("alone", map(alone, seeds)), _row("known", map(known, seeds))]
    if drawn:
        rows.append(_row("read", map(as_read, drawn)))
    print(markdown_table(HEADS, rows))


def _row(name: str, found: Iterator[Counter[str] | None]) -> tuple[str, ...]:
    total: Counter[str] = Counter()
    for counter in found:
        total += counter or Counter()
    n, tiles = total["position"], total["tile"]
    return (
        name, str(n), share(total["whole"], n), share(total["asked"], n), str(total["silent"]),
        str(tiles), share(total["right"], tiles), str(total["wrong"]),
        share(total["level"], total["right"]), f"{total['us'] / 1e6 / max(n, 1):.2f}",
    )  # fmt: skip


def seen_by(turn: StackTurn, seed: int) -> tuple[list[Lying], Floats, Eye]:
    """Return the open tiles of a position in any order, their outlines in px and the camera."""
    rng = np.random.default_rng([31, seed])
    tiles = [tile for tile in lying(turn.after) if all(tile.open)]
    tiles = [tiles[k] for k in rng.permutation(len(tiles))]
    eye = _eye_over(rng, tiles)
    return tiles, outlines(rng, tiles, eye), eye


def _eye_over(rng: np.random.Generator, tiles: Sequence[Lying]) -> Eye:
    at = np.array([cell for tile in tiles for cell in tile.cells], np.float64)[:, ::-1]
    low, high = at.min(axis=0), at.max(axis=0)
    return draw_eye(rng, (low + high) / 2, float((high - low).max() + 2))


def alone(seed: int) -> Counter[str] | None:
    """Return the outcome of a position without known tiles; levels do not count."""
    if (turn := random_turn(seed)) is None:
        return None
    tiles, quads, eye = seen_by(turn, seed)
    began = time.process_time()
    lattice = find_lattice(quads, eye.size)
    took = time.process_time() - began
    placed = lattice.tiles if lattice and lattice.flat else [PlacedTile()] * len(tiles)
    right = agreeing(tiles, [one.cells for one in placed])
    in_cells = sum(one.cells is not None for one in placed)
    counts = Counter(tile=len(tiles), right=right, wrong=in_cells - right)
    return counts + _of_position(right == len(tiles), in_cells < len(tiles), in_cells > right, took)


def known(seed: int) -> Counter[str] | None:
    """Return the outcome of a position whose tiles are known but for the last one."""
    if (turn := random_turn(seed)) is None:
        return None
    tiles, lone, size = photographed(turn, seed)
    before, truth = lying(turn.before), lying(turn.after)[-1]
    began = time.process_time()
    arranged = lay_out(tiles, lone, Look("dominoes", lying=_known(before)), size)
    took = time.process_time() - began
    counts = _tiles_of(arranged.tiles, lying(turn.after))
    there = {(frozenset(tile.cells), tile.level) for tile in before}
    new = [
        tile for tile in arranged.tiles
        if tile.halves[0].cell and (frozenset(_cells_of(tile)), tile.level) not in there
    ]  # fmt: skip
    right = len(new) == 1 and new[0].level == truth.level and (
        dict(zip(_cells_of(new[0]), (half.value for half in new[0].halves), strict=True))
        == dict(zip(truth.cells, truth.halves, strict=True))
    )  # fmt: skip
    asked = len(new) != 1 or bool(arranged.warnings) or not all(t.sure for t in arranged.tiles)
    return counts + _of_position(right, asked, not right or counts["wrong"] > 0, took)


def _of_position(right: bool, asked: bool, wrong: bool, took: float) -> Counter[str]:
    return Counter(
        position=1, whole=int(right and not asked), asked=int(asked),
        silent=int(wrong and not asked), us=int(1e6 * took),
    )  # fmt: skip


def photographed(
    turn: StackTurn, seed: int
) -> tuple[list[TileReading], dict[int, Face], tuple[int, int]]:
    """Return the tiles and the lone halves of a position as they are read, and the photo's size.

    Every open half is seen, also what a stack would hide.
    """
    rng = np.random.default_rng([31, seed])
    truth = lying(turn.after)
    eye = _eye_over(rng, truth)
    tiles, lone = [], {}
    for k, (tile, quads) in enumerate(zip(truth, outlines(rng, truth, eye), strict=True)):
        first, second = (
            Face(
                Quad.around(quad), tuple(0.994 if n == number else 0.001 for n in range(7)),
                (("white", 1.0),), 0.994, sure=True,
            )
            for number, quad in zip(tile.halves, quads, strict=True)
        )  # fmt: skip
        if all(tile.open):
            quad = tile_quad(first.quad, second.quad)
            tiles.append(TileReading(quad, (first, second), 0.98, sure=True))
        elif any(tile.open):
            lone[k] = first if tile.open[0] else second
    return [tiles[k] for k in rng.permutation(len(tiles))], lone, eye.size


def as_read(truth: Path) -> Counter[str]:
    """Return the outcome of a drawn position: read, then judged by the rules like a photo."""
    labels = json.loads(truth.read_text())
    turn = turn_of(labels["seed"], labels.get("high", 0))
    assert turn is not None
    began = time.process_time()
    try:
        look = Look("dominoes", lying=_known(lying(turn.before)))
        reading = read(load(truth.with_suffix(".jpg")), look)
    except Unreadable:
        return Counter(position=1, asked=1)
    took = time.process_time() - began
    celled = [tile for tile in reading.tiles if tile.halves[0].cell]
    proposal = GAME.observe(turn.before, Table(tiles=tuple(map(_fact, celled))))
    moves = [move for move in proposal.moves if isinstance(move, Lay)]
    asked = bool(proposal.doubts or proposal.differences or len(moves) != 1) or bool(
        reading.warnings or not all(tile.sure for tile in reading.tiles)
    )
    right = moves == [turn.move]
    return _tiles_of(reading.tiles, lying(turn.after)) + _of_position(right, asked, not right, took)


def _tiles_of(tiles: Sequence[TileReading], truth: Sequence[Lying]) -> Counter[str]:
    """Count cells and levels of the tiles whose two numbers a tile of the position has."""
    by_halves = {tuple(sorted(tile.halves)): tile for tile in truth}
    counts: Counter[str] = Counter()
    for tile in tiles:
        shown = tuple(half.value for half in tile.halves)
        lies = by_halves.get(tuple(sorted(shown)))
        counts["tile"] += lies is not None
        if lies and tile.halves[0].cell:
            ways: dict[tuple[int, ...], Cells] = {
                lies.halves: lies.cells,
                lies.halves[::-1]: lies.cells[::-1],
            }
            cells = _cells_of(tile)
            fits = cells == ways[shown] or (len(ways) == 1 and cells == lies.cells)
            counts += Counter(right=int(fits), wrong=int(not fits))
            counts["level"] += fits and tile.level in (lies.level, None)
    return counts


def _cells_of(tile: TileReading) -> Cells:
    first, second = (half.cell for half in tile.halves)
    assert first
    assert second
    return (int(first[0]), int(first[1])), (int(second[0]), int(second[1]))


def _fact(tile: TileReading) -> Fact:
    level = None if tile.level is None else tile.level + 1
    first, second = tile.halves
    return Fact((first.value, second.value), _cells_of(tile), level, tile.confidence)


def _known(tiles: Sequence[Lying]) -> tuple[LyingTile, ...]:
    return tuple(LyingTile(tile.halves, tile.cells, tile.level) for tile in tiles)


def agreeing(truth: Sequence[Lying], cells: Sequence[Cells | None]) -> int:
    """Return how many tiles lie right among each other, however the whole is turned."""
    votes: Counter[tuple[int, int, int]] = Counter()
    for tile, both in zip(truth, cells, strict=True):
        for turns in range(4) if both else ():
            first, second = (_turned(cell, turns) for cell in both or ())
            pairs = zip(tile.cells, (first, second), strict=True)
            off = [(a[0] - b[0], a[1] - b[1]) for a, b in pairs]
            if off[0] == off[1]:
                votes[turns, *off[0]] += 1
    return max(votes.values(), default=0)


def _turned(cell: tuple[int, int], turns: int) -> tuple[int, int]:
    row, column = cell
    for _ in range(turns):
        row, column = column, -row
    return row, column
