"""Which cells the tiles of a reading cover: on a lattice of their own, or where some are known.

In: tiles and lone halves as they were read, and a `Look`. Out: a `Layout`. Where it is known what
lies there, two halves that the eyes joined wrongly are taken apart, and those of one known tile are
joined; a half that is left over belongs to a tile that is half covered, or is asked about.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.dominoes.lattice import Placed, find_lattice
from vision.dominoes.registration import Registered, register
from vision.dominoes.tiles import tile_quad
from vision.quality import where
from vision.reading import Face, Look, LyingTile, Tile, Unreadable

NEAR = 0.4  # sides of a face between where it lies and where it should
MIRRORED = (
    "The photo is mirrored. Take it with the camera on the back of the phone, or switch"
    " mirroring off."
)
ASKEW = "A tile lies off the lattice of the others ({}). Push it straight, or say where it lies."


@dataclass(frozen=True, slots=True)
class Layout:
    """Tiles with their cells, those with cells first, and the halves that need no other one."""

    tiles: tuple[Tile, ...]
    explained: frozenset[int] = frozenset()  # of the lone halves
    warnings: tuple[str, ...] = ()


def lay_out(
    tiles: Sequence[Tile], lone: Mapping[int, Face], look: Look, size: tuple[int, int]
) -> Layout:
    """Put tiles on cells.

    Args:
        tiles: as they were joined.
        lone: halves without another one, by whatever names them.
        look: what is known to lie there.
        size: px of the photo, width and height.

    Raises:
        Unreadable: what is known lies there as only a mirror shows it.
    """
    quads = np.array([[half.quad.array for half in tile.halves] for tile in tiles])
    if look.lying and tiles:
        numbers = [(tile.halves[0].value, tile.halves[1].value) for tile in tiles]
        registered = register(quads, numbers, look.lying, size)
        if registered and registered.mirrored:
            raise Unreadable("lattice", MIRRORED)
        if registered:
            return _among_known(tiles, lone, look.lying, registered, size)
    lattice = find_lattice(quads, size) if tiles else None
    if lattice is None:
        return Layout(tuple(tiles))
    # How high the lowest of them lies does not show.
    placed = [replace(one, level=None) for one in lattice.tiles]
    touching = [one.hypotheses != () for one in placed]
    return Layout(
        _celled_first([_in_cells(*both) for both in zip(tiles, placed, strict=True)]),
        warnings=_asked(tiles, placed, touching, size),
    )


def _among_known(
    tiles: Sequence[Tile],
    lone: Mapping[int, Face],
    known: Sequence[LyingTile],
    registered: Registered,
    size: tuple[int, int],
) -> Layout:
    placed = registered.lattice.tiles
    kept = [i for i in range(len(tiles)) if i not in registered.split]
    put = [
        replace(_in_cells(tiles[i], placed[i]), sure=tiles[i].sure or i in registered.found)
        for i in kept
    ]
    halves = dict(lone)
    halves |= {
        -1 - 2 * i - k: half for i in registered.split for k, half in enumerate(tiles[i].halves)
    }
    there = _known_faces(halves, known, registered)
    taken = {cell for tile in put for half in tile.halves if (cell := half.cell)}
    for tile in known:
        ends = [there.get((cell, tile.level)) for cell in tile.cells]
        if None not in ends and not taken & set(tile.cells):
            put.append(_joined(tile, [halves[k] for k in ends if k is not None]))
    return Layout(
        _celled_first(put),
        frozenset(there.values()) & frozenset(lone),
        _asked([tiles[i] for i in kept], [placed[i] for i in kept], [True] * len(kept), size),
    )


def _known_faces(
    halves: Mapping[int, Face], known: Sequence[LyingTile], registered: Registered
) -> dict[tuple[tuple[int, int], int], int]:
    """Return the half that is the known face on a cell and level, where one is."""
    top = {
        cell: (number, tile.level)
        for tile in known
        for cell, number in zip(tile.cells, tile.halves, strict=True)
    }
    camera, found = registered.lattice.camera, {}
    for cell, (number, level) in top.items():
        at = np.array([[cell[1], cell[0], level * camera.thickness]])
        middle = camera.project(at)[0]
        for k, half in halves.items():
            away = float(np.hypot(*(np.array(half.center) - middle)))
            if away <= NEAR * half.quad.side and half.value == number:
                found[cell, level] = k
    return found


def _joined(tile: LyingTile, ends: Sequence[Face]) -> Tile:
    first, second = (
        replace(half, cell=cell) for half, cell in zip(ends, tile.cells, strict=True)
    )
    odds = first.confidence * second.confidence
    return Tile(tile_quad(first.quad, second.quad), (first, second), odds, True, tile.level)


def _in_cells(tile: Tile, placed: Placed) -> Tile:
    if placed.cells is None:
        return tile
    first, second = (
        replace(half, cell=cell) for half, cell in zip(tile.halves, placed.cells, strict=True)
    )
    return replace(tile, halves=(first, second), level=placed.level)


def _celled_first(tiles: Sequence[Tile]) -> tuple[Tile, ...]:
    return tuple(sorted(tiles, key=lambda tile: tile.halves[0].cell is None))


def _asked(
    tiles: Sequence[Tile], placed: Sequence[Placed], touching: Sequence[bool], size: tuple[int, int]
) -> tuple[str, ...]:
    off = [
        tile
        for tile, one, near in zip(tiles, placed, touching, strict=True)
        if near and one.cells is None
    ]
    if not off:
        return ()
    places = dict.fromkeys(where(tile.quad.center, *size) for tile in off)
    return (ASKEW.format(", ".join(places)),)

