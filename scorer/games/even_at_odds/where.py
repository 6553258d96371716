"""Even at Odds: where a tile is laid, in words: by the tile that it touches or covers."""

from __future__ import annotations

from collections.abc import Sequence

from scorer.dominoes import Lay, TopFace, name, surface
from scorer.game import House
from scorer.games.even_at_odds.board import BITS
from scorer.messages import Message, _
from scorer.table import Cell

Step = tuple[int, int]  # rows down, columns to the right
LEFT, RIGHT, ABOVE, BELOW = (0, -1), (0, 1), (-1, 0), (1, 0)


def lay_said(laid: Sequence[Lay], lay: Lay, house: House) -> Message:
    """Return what laying a tile is, in words that no other place has."""
    top = surface(laid)
    (a, b), (p, q) = lay.tile, lay.cells
    if p in top and q in top:
        return _(
            "stacks {tile} on level {level}: its {first} on {below}, its {second} on {under}",
            tile=name(lay.tile),
            level=top[p].level + 1,
            first=a,
            below=_face(laid, top[p], p),
            second=b,
            under=_face(laid, top[q], q),
        )
    for number, other, cell, rest in ((a, b, p, q), (b, a, q, p)):
        for side in (LEFT, RIGHT, ABOVE, BELOW):
            beside = (cell[0] - side[0], cell[1] - side[1])
            face = top.get(beside)
            if face and BITS[house["blank_matches_blank"]][face.number] >> number & 1:
                return _beside(laid, lay, (number, cell), (other, rest), beside, side)
    return _("plays {tile}", tile=name(lay.tile))


def _beside(
    laid: Sequence[Lay],
    lay: Lay,
    touching: tuple[int, Cell],
    other: tuple[int, Cell],
    beside: Cell,
    side: Step,
) -> Message:
    """Return "plays 1-4 left of the 1-1, its 1 touching", and where its other half is."""
    number, cell = touching
    over, rest = other
    face = surface(laid)[beside]
    along = beside[0] - side[0], beside[1] - side[1]
    whole = along in laid[face.place].cells  # it goes on where the tile beside it ends
    tile = name(laid[face.place].tile)
    there = _("the {tile}", tile=tile) if whole else _face(laid, face, beside)
    facts = {"tile": name(lay.tile), "where": _side(side, there)}
    onward = rest[0] - cell[0], rest[1] - cell[1]
    if onward == side:
        return _("plays {tile} {where}, its {number} touching", number=number, **facts)
    return _(
        "plays {tile} {where}, its {number} touching and its {other} {onward}",
        number=number,
        other=over,
        onward=_onward(onward),
        **facts,
    )


def _side(side: Step, there: Message) -> Message:
    if side == LEFT:
        return _("left of {place}", place=there)
    if side == RIGHT:
        return _("right of {place}", place=there)
    if side == ABOVE:
        return _("above {place}", place=there)
    return _("below {place}", place=there)


def _onward(step: Step) -> Message:
    if step == LEFT:
        return _("to the left")
    if step == RIGHT:
        return _("to the right")
    return _("above it") if step == ABOVE else _("below it")


def _face(laid: Sequence[Lay], face: TopFace, cell: Cell) -> Message:
    """Return a face as players name it: "the 3 of the 1-3", "the left half of the 1-1"."""
    under = laid[face.place]
    tile = name(under.tile)
    if under.tile[0] != under.tile[1]:
        return _("the {number} of the {tile}", number=face.number, tile=tile)
    first, second = under.cells  # a double's upper or left half comes first
    if first[0] == second[0]:
        left = _("the left half of the {tile}", tile=tile)
        return left if cell == first else _("the right half of the {tile}", tile=tile)
    upper = _("the upper half of the {tile}", tile=tile)
    return upper if cell == first else _("the lower half of the {tile}", tile=tile)
