"""A single photo of dominoes without known tiles: the surface visible from above."""

from collections.abc import Iterator, Sequence

from scorer.dominoes import Lay, TopFace, TopView, ascending, connected, name, names, twice
from scorer.errors import NotScored
from scorer.messages import _, raw
from scorer.proposal import Doubt
from scorer.table import Cell, Tile
from scorer.words import just


def seen_from_above(
    tiles: Sequence[Tile], once: str, laid: Sequence[Lay] = ()
) -> tuple[TopView, tuple[Doubt, ...]]:
    """Return the largest connected surface, and doubts about pieces apart from it.

    Open halves of tiles known to be *laid* below count, with a doubt; so does a place of such a
    tile where nothing is seen. Raises NotScored for impossible tiles, by the rule *once*.
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
    open_halves = list(_open_halves(top, tiles, laid))
    top = {**top, **{cell: TopFace(number, 1, -1) for _lay, cell, number in open_halves}}
    overlooked = tuple(_overlooked(top, tiles, laid))
    part = max(connected(dict.fromkeys(top)), key=lambda part: (len(part), part[0]))
    doubts = tuple(
        Doubt(
            _("{tile} lies apart from the others and does not count", tile=name(tile.halves)),
            ("tiles", i),
        )
        for i, tile in enumerate(tiles)
        if set(part).isdisjoint(tile.on_cells)
    )
    halves = tuple(_asked(lay, number) for lay, cell, number in open_halves if cell in part)
    return {cell: top[cell] for cell in sorted(part)}, (*doubts, *halves, *overlooked)


def _open_halves(
    top: TopView, tiles: Sequence[Tile], laid: Sequence[Lay]
) -> Iterator[tuple[Lay, Cell, int]]:
    """Yield each open half of a tile on the table whose other half is covered."""
    shown = {ascending(tile.halves) for tile in tiles}
    for lay in laid:
        covered = [cell for cell in lay.cells if cell in top and top[cell].level > 1]
        if lay.tile not in shown and len(covered) == 1:
            for cell, number in zip(lay.cells, lay.tile, strict=True):
                if cell not in top:
                    yield lay, cell, number


def _overlooked(top: TopView, tiles: Sequence[Tile], laid: Sequence[Lay]) -> Iterator[Doubt]:
    """Ask about tiles on the table on whose places nothing was seen: tiles only cover tiles."""
    places = {frozenset(lay.cells): lay.tile for lay in laid}
    in_place = any(places.get(frozenset(tile.on_cells)) == ascending(tile.halves) for tile in tiles)
    if in_place and (bare := [lay.tile for lay in laid if not top.keys() >= {*lay.cells}]):
        text = _(
            "nothing was seen where {tiles} lay at first: was a tile overlooked?", tiles=names(bare)
        )
        yield Doubt(text)


def _asked(lay: Lay, number: int) -> Doubt:
    text = _(
        "half of {tile} lies open beside the tile on it, and counts: does it show {number}?",
        tile=name(lay.tile),
        number=just(number),
    )
    return Doubt(text)


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
