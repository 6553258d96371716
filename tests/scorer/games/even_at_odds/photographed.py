"""Tiles as they lie on a photo, and what is proposed from it."""

from dataclasses import replace

from scorer import Doubt, Proposal, Table
from scorer import table as on_table
from scorer.dominoes import surface


def photo(laid, turns=0, down=0, right=0, **extra):
    """The tiles of *laid* that nothing lies on, as the camera gives them, in its own frame."""
    top = surface(laid)
    whole = [
        move for place, move in enumerate(laid) if all(top[cell][2] == place for cell in move.cells)
    ]
    return Table(tiles=tuple(shot(move, turns, down, right, **extra) for move in whole))


def shot(move, turns=0, down=0, right=0, **extra):
    return on_table.Tile(
        move.tile, tuple(moved(c, turns, down, right) for c in move.cells), **extra
    )


def moved(cell, turns, down, right):
    row, column = cell
    for _ in range(turns):
        row, column = -column, row
    return row + down, column + right


def plus(table, *more):
    return replace(table, tiles=(*table.tiles, *more))


NOTHING = Proposal(doubts=(Doubt("no new tile was found"),))


def sentences(found):
    return [difference.sentence for difference in found.differences]


def doubts(found):
    return [doubt.sentence for doubt in found.doubts]
