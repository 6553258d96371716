"""Find out which cells of the game's lattice the tiles on a photo cover.

In: tiles and single halves as they were read, and a `Look`. Out: an `Arrangement`. If the look
names tiles in place, `explain` says what each face is: wrongly joined halves are separated, the
halves of one tile are joined, and a half that remains is partly covered or asked about. Otherwise
cells are counted from the tiles themselves.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from vision.dominoes.closer_look import CloserLook, real_prob
from vision.dominoes.explained_photo import (
    CERTAINLY,
    Arrangement,
    ExplainedPhoto,
    celled_first,
    in_cells,
)
from vision.dominoes.lattice import PlacedTile, find_lattice
from vision.dominoes.registration import Faces, register
from vision.errors import Unreadable
from vision.quad import Quad
from vision.reading import Face, Look, TileReading
from vision.warnings import where_all

MIRRORED = (
    "The photo is mirrored. Take it with the camera on the back of the phone, or switch"
    " mirroring off."
)
ASKEW = "A tile does not line up with the others ({}). Push it straight, or enter where it lies."
UNPLACED = "Can't see how the tiles are stacked. Take the photo from higher up."


def lay_out(
    tiles: Sequence[TileReading],
    lone: Mapping[int, Face],
    look: Look,
    size: tuple[int, int],
    real: Mapping[Quad, float] | None = None,
    closer: CloserLook | None = None,
) -> Arrangement:
    """Assign tiles to cells.

    Args:
        tiles: as their halves were joined.
        lone: faces without another half, faint ones too, by their index.
        look: `look.lying` are the tiles in place.
        size: width and height of the photo, px.
        real: the probability that each place is a face; 1 for places not in it.
        closer: reads faces where the camera expects them.

    Raises:
        Unreadable: the photo is mirrored.
    """
    quads = np.array([[half.quad.array for half in tile.halves] for tile in tiles])
    quads = quads.reshape(-1, 2, 4, 2)
    if look.lying and tiles:
        numbers = [(tile.halves[0].value, tile.halves[1].value) for tile in tiles]
        registered = register(quads, numbers, look.lying, size, _certain(lone))
        if registered and registered.mirrored:
            raise Unreadable("lattice", MIRRORED)
        explained = registered and ExplainedPhoto.of(
            *(tiles, lone, real or {}, look.lying, registered.camera, closer)
        )
        if explained and explained.is_plain():
            return explained.arranged(size)
        if all(tile.level == 0 for tile in look.lying):  # else they lie at many heights
            tiles = _alone(tiles, lone, size).tiles
        return Arrangement(tuple(tiles), warnings=(UNPLACED,))
    return _alone(tiles, lone, size)


def _alone(
    tiles: Sequence[TileReading], lone: Mapping[int, Face], size: tuple[int, int]
) -> Arrangement:
    """Assign tiles to cells when none is in place before, if all touching ones are on one level.

    A half without its other half is under another tile: then heights are unknown.
    """
    if len(_certain(lone).numbers):
        return Arrangement(tuple(tiles))
    quads = np.array([[half.quad.array for half in tile.halves] for tile in tiles])
    lattice = find_lattice(quads, size) if tiles else None
    if lattice is None or not lattice.flat:
        return Arrangement(tuple(tiles))
    # A photo does not show the height of the lowest of them.
    placed = [replace(one, level=None) for one in lattice.tiles]
    return Arrangement(
        celled_first([in_cells(*both) for both in zip(tiles, placed, strict=True)]),
        warnings=_off_lattice(tiles, placed, size),
    )


def _certain(lone: Mapping[int, Face]) -> Faces:
    halves = [half for half in lone.values() if real_prob(half) >= CERTAINLY]
    quads = np.array([half.quad.array for half in halves]).reshape(-1, 4, 2)
    return Faces(quads, np.array([half.value for half in halves], np.intp))


def _off_lattice(
    tiles: Sequence[TileReading], placed: Sequence[PlacedTile], size: tuple[int, int]
) -> tuple[str, ...]:
    both = zip(tiles, placed, strict=True)
    off = [tile for tile, one in both if one.hypotheses and one.cells is None]
    if not off:
        return ()
    return (ASKEW.format(where_all((tile.quad for tile in off), *size)),)
