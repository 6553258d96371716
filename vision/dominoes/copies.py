"""Doubt dominoes that a set does not have; without numpy."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from vision.reading import Look, TileReading

SEVERAL = 3  # different tiles that are read twice, from which two sets are on the table


def doubted_tiles(tiles: Sequence[TileReading], look: Look) -> tuple[TileReading, ...]:
    """Return the tiles with their pips counted, doubtful where a set has no such tiles."""
    doubted = doubt_copies(tiles)
    return tuple(doubted if look.kind == "dominoes" else doubt_lone_blanks(doubted))


def doubt_lone_blanks(tiles: list[TileReading]) -> list[TileReading]:
    """Make double blanks doubtful if no domino shows pips: blank cards look the same."""
    if any(half.value for tile in tiles for half in tile.halves):
        return tiles
    return [replace(tile, sure=False) for tile in tiles]


def doubt_copies(tiles: Sequence[TileReading]) -> list[TileReading]:
    """Make every tile doubtful that is read twice, as a set has it once.

    Of SEVERAL tiles read twice each, two sets are on the table. A double blank read twice is rather
    a tile that is face down, and no two sets have a tile three times.
    """
    halves = [tuple(sorted(half.value for half in tile.halves)) for tile in tiles]
    times = Counter(halves)
    two_sets = sum(times[own] == 2 for own in times if any(own)) >= SEVERAL
    most = {own: 2 if two_sets and any(own) else 1 for own in times}
    return [
        tile if times[own] <= most[own] else replace(tile, sure=False)
        for tile, own in zip(tiles, halves, strict=True)
    ]
