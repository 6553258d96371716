"""Registration of a photo of dominoes with the known tiles: shift, quarter turns, mirroring.

The photo's cells have an arbitrary origin. Every known tile that is read again votes for a frame,
and the one with most agreeing faces wins.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from scorer.table import Cell, Tile

GridFrame = tuple[int, int, int]  # quarter turns, then rows down and columns right
KnownTiles = Sequence[tuple[tuple[int, int], tuple[Cell, Cell]]]  # numbers and cells, lowest first
ENOUGH = 6  # faces that must agree before a photo is called mirrored


def moved(cell: Cell, frame: GridFrame) -> Cell:
    """Transform a cell of the photo to the known table."""
    row, column = cell
    for _ in range(frame[0]):
        row, column = column, -row
    return row + frame[1], column + frame[2]


def frame_of(tiles: Sequence[Tile], tiles_in_place: KnownTiles) -> tuple[GridFrame | None, bool]:
    """Return the best frame for the photo's cells, and whether it is unique."""
    ranked = _ranked(tiles, tiles_in_place)
    if not ranked:
        return None, False
    return ranked[0][1], len(ranked) == 1 or ranked[0][0] > ranked[1][0]


def mirrored(tiles: Sequence[Tile], tiles_in_place: KnownTiles) -> bool:
    """Return True if the photo fits the known tiles better mirrored."""
    over = [
        replace(tile, cells=((p[0], -p[1]), (q[0], -q[1])))
        for tile in tiles
        for p, q in [tile.on_cells]
    ]
    ranked, best = _ranked(over, tiles_in_place), _ranked(tiles, tiles_in_place)
    return bool(ranked) and ranked[0][0][0] >= ENOUGH and (not best or ranked[0][0] > best[0][0])


def _ranked(
    tiles: Sequence[Tile], tiles_in_place: KnownTiles
) -> list[tuple[tuple[int, int], GridFrame]]:
    """Return the proposed frames with the agreeing faces and tiles, best first.

    A double fits in two directions.
    """
    at = {_sorted(halves, cells)[0]: _sorted(halves, cells)[1] for halves, cells in tiles_in_place}
    votes: Counter[GridFrame] = Counter()
    for tile in tiles:
        halves, cells = _sorted(tile.halves, tile.on_cells)
        if halves not in at:
            continue
        first, second = at[halves]
        for turns in range(4):
            for p, q in (cells, cells[::-1])[: 1 + (halves[0] == halves[1])]:
                row, column = moved(p, (turns, 0, 0))
                frame = (turns, first[0] - row, first[1] - column)
                if moved(q, frame) == second:
                    votes[frame] += 1
    top = {
        cell: number
        for halves, cells in tiles_in_place
        for cell, number in zip(cells, halves, strict=True)
    }
    faces = [face for tile in tiles for face in zip(tile.on_cells, tile.halves, strict=True)]

    def agreeing(frame: GridFrame) -> int:
        return sum(top.get(moved(cell, frame)) == number for cell, number in faces)

    ranked = [((agreeing(frame), count), frame) for frame, count in votes.items()]
    return sorted(ranked, key=lambda one: one[0], reverse=True)


def _sorted(
    halves: tuple[int, int], cells: tuple[Cell, Cell]
) -> tuple[tuple[int, int], tuple[Cell, Cell]]:
    (a, b), (p, q) = halves, cells
    return (halves, cells) if a < b or (a == b and p <= q) else ((b, a), (q, p))
