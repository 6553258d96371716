"""One photo of dominoes, of which nothing is known: the surface that shows from above."""

from __future__ import annotations

from collections.abc import Sequence

from scorer.dominoes import TopFace, TopView, connected, name, names, twice
from scorer.errors import NotScored
from scorer.messages import _, raw
from scorer.proposal import Doubt
from scorer.table import Cell, Tile


def seen_from_above(tiles: Sequence[Tile], once: str) -> tuple[TopView, tuple[Doubt, ...]]:
    """Return the largest surface that hangs together, and doubts about what lies apart from it.

    Raises NotScored where tiles cannot lie so; *once* is the rule that a set has each once.
    """
    if not tiles:
        raise NotScored(_("No tiles were found whose places in the grid are clear."))
    if double := twice(tile.halves for tile in tiles):
        raise NotScored(
            _(
                "{tile} was read twice, but a set has only one ({rule}).",
                tile=name(double),
                rule=raw(once),
            )
        )
    top = _from_above(tiles)
    part = max(connected(dict.fromkeys(top)), key=lambda part: (len(part), part[0]))
    doubts = tuple(
        Doubt(
            _("{tile} lies apart from the others and does not count", tile=name(tile.halves)),
            ("tiles", i),
        )
        for i, tile in enumerate(tiles)
        if set(part).isdisjoint(tile.on_cells)
    )
    return {cell: top[cell] for cell in sorted(part)}, doubts


def _from_above(tiles: Sequence[Tile]) -> TopView:
    top: dict[Cell, TopFace] = {}
    for place, tile in sorted(enumerate(tiles), key=lambda one: one[1].level or 1):
        level = tile.level or 1
        for cell, number in zip(tile.on_cells, tile.halves, strict=True):
            if cell in top and top[cell].level == level:
                both = names([tiles[top[cell].place].halves, tile.halves])
                text = _(
                    "{tiles} were read on one cell, and it is not clear which lies on top.",
                    tiles=both,
                )
                raise NotScored(text)
            top[cell] = TopFace(number, level, place)
    return top
