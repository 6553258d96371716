"""Faults of a photo: what the eyes may make of a true table, with the confidences they would give.

The confidences follow the table "How often a confidence was right" of docs/accuracy.md, which holds
for 1,190 pieces on photos nobody trained on.
"""

import random
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from scorer import Die, Table, Tile
from tests.scorer.photo.truth import Truth, mirrored

T = TypeVar("T")
Chance = random.Random
Damage = Callable[[Chance, Truth, Table], Table | None]

MARKS = ("blank", "checked", "struck", "blackened")
SURE = 0.968  # from here on the eyes ask nothing
RIGHT = ((0.968, 0.98, 47), (0.98, 0.99, 116), (0.99, 0.995, 176), (0.995, 0.999, 607))
RIGHT = (*RIGHT, (0.999, 1.0, 202))  # of pieces read rightly and believed: from, to, how many
WRONG = ((0.35, 0.5, 3), (0.5, 0.8, 6), (0.8, 0.9, 3), (0.995, 0.999, 1))
AMONG = 0.85  # how often the right value is among the alternatives of a wrong one; a guess


def _drawn(chance, bins):
    low, high, _ = chance.choices(bins, [count for *_, count in bins])[0]
    return chance.uniform(low, high)


def _left(chance, most):
    """Return the probability of the first alternative: the most of what is left."""
    return min(most * 0.99, (1 - most) * chance.uniform(0.5, 1))


def believed(chance, table):
    """Return the table with the confidences of pieces that are right and that nobody asks about."""

    def some(words):
        most = _drawn(chance, RIGHT)
        return most, ((chance.choice(words), _left(chance, most)),)

    dice, tiles, marks = [], [], []
    for die in table.dice:
        most, others = some([v for v in range(1, 7) if v != die.value])
        dice.append(replace(die, confidence=most, values=others))
    for tile in table.tiles:
        most, others = some([(tile.halves[0], n) for n in range(7) if n != tile.halves[1]])
        tiles.append(replace(tile, confidence=most, others=others))
    for mark in table.marks:
        most, others = some([word for word in ("blank", "checked") if word != mark.mark])
        marks.append(replace(mark, confidence=most, others=others))
    return replace(table, dice=tuple(dice), tiles=tuple(tiles), marks=tuple(marks))


def _misread(chance, right, other):
    """Return the confidence of a wrong reading and its alternative, mostly the right one."""
    most = _drawn(chance, WRONG)
    return most, (right if chance.random() < AMONG else other, _left(chance, most))


def value(chance, _truth, table):
    """Read one die, tile or mark as another."""
    pieces = [("dice", i) for i in range(len(table.dice))]
    pieces += [("tiles", i) for i in range(len(table.tiles))]
    pieces += [("marks", i) for i in range(len(table.marks))] if chance.random() < 0.5 else []
    if not pieces:
        return None
    kind, at = chance.choice(pieces)
    piece = getattr(table, kind)[at]
    if isinstance(piece, Die):
        wrong, other = chance.sample([v for v in range(1, 7) if v != piece.value], 2)
        most, alternative = _misread(chance, piece.value, other)
        piece = replace(piece, value=wrong, confidence=most, values=(alternative,))
    elif isinstance(piece, Tile):
        a, b = piece.halves
        wrong, other = chance.sample([n for n in range(7) if n != b], 2)
        most, alternative = _misread(chance, piece.halves, (a, other))
        piece = replace(piece, halves=(a, wrong), confidence=most, others=(alternative,))
    else:
        wrong, other = chance.sample([word for word in MARKS if word != piece.mark], 2)
        most, alternative = _misread(chance, piece.mark, other)
        piece = replace(piece, mark=wrong, confidence=most, others=(alternative,))
    return _with(table, kind, at, piece)


def colour(chance, truth, table):
    """Read one die as of another colour; the right one is a second colour then."""
    if not truth.colours or not table.dice:
        return None
    at = chance.randrange(len(table.dice))
    die = table.dice[at]
    share = _drawn(chance, WRONG)
    wrong = chance.choice([name for name in truth.colours if name != die.colour])
    second = ((die.colour, _left(chance, share)),)
    piece = replace(die, colour=wrong, confidence=share * die.confidence, colours=second)
    return _with(table, "dice", at, piece)


def _with(table, kind, at, *pieces):
    old = getattr(table, kind)
    return replace(table, **{kind: (*old[:at], *pieces, *old[at + 1 :])})


def missed(chance, _truth, table):
    """Leave one die or tile out."""
    kind = "dice" if table.dice else "tiles"
    count = len(getattr(table, kind))
    return _with(table, kind, chance.randrange(count)) if count else None


def extra(chance, truth, table):
    """Add a die or tile that does not lie there, in a cell, beside the grid or on the table."""
    most = _drawn(chance, WRONG)
    if table.tiles:
        p = (chance.randrange(-3, 6), chance.randrange(-3, 7))
        q = chance.choice([(p[0] + 1, p[1]), (p[0], p[1] + 1)])
        halves = (chance.randrange(7), chance.randrange(7))
        return replace(table, tiles=(*table.tiles, Tile(halves, (p, q), confidence=most)))
    if not table.dice:
        return None
    like = chance.choice(table.dice)
    cell = like.cell and (chance.randrange(3) if like.cell[0] else 0, chance.randrange(3))
    shown = Die(
        chance.randint(1, 6),
        chance.choice(truth.colours or (like.colour,)),
        cell if chance.random() < 0.7 else None,
        most,
    )
    return replace(table, dice=(*table.dice, shown))


def turned(chance, truth, table):
    """Photograph the grid from another side of the table."""
    if truth.game.name != "purple_house":
        return None
    quarters = chance.randint(1, 3)
    dice = []
    for die in table.dice:
        cell = die.cell
        for _ in range(quarters):
            cell = cell and (cell[1], 2 - cell[0])
        dice.append(replace(die, cell=cell))
    return replace(table, dice=tuple(dice))


def mirror(_chance, truth, table):
    """Photograph the table as a front camera stores it."""
    if truth.game.name not in ("purple_house", "even_at_odds"):
        return None
    return mirrored(table)


def stale(chance, truth, table):
    """Photograph the table as it was before."""
    return believed(chance, chance.choice(truth.stale)) if truth.stale else None


def left(chance, truth, _table):
    """Photograph what lies there before anything was rolled again, without what was set aside."""
    return believed(chance, chance.choice(truth.left)) if truth.left else None


def taken(chance, truth, table):
    """Photograph the last roll as it lay, with dice taken away till as many are there as now."""
    old = truth.before or Table()
    if len(old.dice) <= len(table.dice):
        return None
    return believed(chance, replace(old, dice=tuple(chance.sample(old.dice, len(table.dice)))))


def foreign(chance, truth, table):
    """Photograph another table, or another player's sheet."""
    return believed(chance, chance.choice(truth.foreign)) if truth.foreign else None


PIECES: dict[str, Damage] = {"value": value, "colour": colour, "missed": missed, "extra": extra}
BOARDS: dict[str, Damage] = {
    "turned": turned,
    "mirrored": mirror,
    "stale": stale,
    "left": left,
    "taken": taken,
    "foreign": foreign,
}
DAMAGES = PIECES | BOARDS
