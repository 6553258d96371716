"""Compare one reading with what lies on the picture.

A die that was read is the labelled die whose box holds its middle; boxes are grown by 15 %, as
they are drawn by hand and some hug the upper face. A tile is the labelled tile whose two middles
lie within a third of a tile's length of its own. Nearest first, each used once. Where a board was
looked for, a die has to be in its cell too. Colours are counted, but a photo with a wrong colour
alone is wholly right.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from models.measure.labels import Box, Labelled, LabelledDie, LabelledTile, Spot
from vision import Face, Reading, Tile

GROW = 0.15  # of a box's size, on each side
NEAR = 1 / 3  # of a tile's length

Values = tuple[int, ...]  # one of a die, two of a tile
Piece = TypeVar("Piece", Face, Tile)
Nearness = tuple[float, int, int]  # a distance, the place of a label, the place of a reading


@dataclass(frozen=True, slots=True)
class Match:
    """A labelled piece beside what was read there; one of the two may be missing."""

    at: Spot
    truth: Values | None = None
    read: Values | None = None
    confidence: float = 0.0  # of what was read
    sure: bool = False
    colour_is_right: bool | None = None  # None where the label has none
    is_in_cell: bool = True  # its own, where a board was looked for

    @property
    def is_right(self) -> bool:
        """Say whether the values are those that lie there, and the die is in its cell."""
        return self.truth == self.read and self.is_in_cell

    def __str__(self) -> str:
        """Return it in words."""
        where = f"at {self.at[0]:.0f},{self.at[1]:.0f}"
        if self.truth is None:
            return f"extra {_named(self.read)} {where}"
        if self.read is None:
            return f"missed {_named(self.truth)} {where}"
        if self.truth == self.read:
            return f"{_named(self.truth)} put in another cell {where}"
        return f"{_named(self.truth)} read as {_named(self.read)} {where}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """How well one picture was read."""

    matches: tuple[Match, ...]  # of the pieces that count
    is_asked: bool  # some piece is doubtful, or there is a warning
    ms: float | None = None  # None where the picture was refused

    @property
    def faults(self) -> tuple[Match, ...]:
        """Return what was missed, misread or too much."""
        return tuple(match for match in self.matches if not match.is_right)

    @property
    def is_whole(self) -> bool:
        """Say whether nothing was missed, misread or too much."""
        return not self.faults

    @property
    def is_silent(self) -> bool:
        """Say whether it is wrong and nobody was asked: the worst a reader can do."""
        return bool(self.faults) and not self.is_asked


def judge(label: Labelled, reading: Reading | None) -> Verdict:
    """Compare a reading with the truth; a picture that was refused (None) counts as asked."""
    dice, tiles = (reading.dice, reading.tiles) if reading else ((), ())
    matches: list[Match] = []
    if label.dice is not None:
        on_board = label.board is not None and reading is not None and reading.board is not None
        matches += _dice_matches(label, label.dice, dice, on_board=on_board)
    if label.tiles is not None:
        matches += _tile_matches(label, label.tiles, tiles)
    return Verdict(tuple(matches), _asks(reading), reading.ms if reading else None)


def _asks(reading: Reading | None) -> bool:
    if reading is None or reading.warnings:
        return True
    return not all([*(die.sure for die in reading.dice), *(tile.sure for tile in reading.tiles)])


def _dice_matches(
    label: Labelled, dice: Sequence[LabelledDie], faces: Sequence[Face], *, on_board: bool
) -> Iterator[Match]:
    pairs = pair_dice(dice, faces)
    for i, die in enumerate(dice):
        if not die.counts or die.value is None:
            continue
        at, truth = middle_of(die.box), (die.value,)
        if i not in pairs:
            yield Match(at, truth)
            continue
        face = faces[pairs[i]]
        colour = face.colour == die.colour if die.colour else None
        in_cell = not on_board or face.cell == die.cell
        yield Match(at, truth, (face.value,), face.confidence, face.sure, colour, in_cell)
    for face in _left_over(faces, pairs):
        if not _is_pardoned(label, face.center):
            yield Match(face.center, None, (face.value,), face.confidence, face.sure)


def _tile_matches(
    label: Labelled, truths: Sequence[LabelledTile], tiles: Sequence[Tile]
) -> Iterator[Match]:
    apart = {
        (i, j): distance_of(truth, tile)
        for i, truth in enumerate(truths)
        for j, tile in enumerate(tiles)
    }
    pairs = nearest_first([(far, i, j) for (i, j), (far, _) in apart.items() if far <= NEAR])
    for i, truth in enumerate(truths):
        if not truth.counts:
            continue
        at = between(*truth.centers)
        if i not in pairs:
            yield Match(at, truth.halves)
            continue
        tile = tiles[pairs[i]]
        read = _values(tile)
        is_turned = apart[i, pairs[i]][1]
        yield Match(at, truth.halves, read[::-1] if is_turned else read, tile.confidence, tile.sure)
    for tile in _left_over(tiles, pairs):
        at = between(*(half.center for half in tile.halves))
        if not _is_pardoned(label, at):
            yield Match(at, None, _values(tile), tile.confidence, tile.sure)


def distance_of(truth: LabelledTile, tile: Tile) -> tuple[float, bool]:
    """Return the larger distance of two middles in tile lengths, and whether it is turned round."""
    a, b = truth.centers
    p, q = (half.center for half in tile.halves)
    length = 2 * math.dist(a, b) or 1.0
    straight = max(math.dist(a, p), math.dist(b, q)) / length
    turned = max(math.dist(a, q), math.dist(b, p)) / length
    return min(straight, turned), turned < straight


def pair_dice(dice: Sequence[LabelledDie], faces: Sequence[Face]) -> dict[int, int]:
    """Return {place of a labelled die: place of the face that was read there}."""
    return nearest_first(
        [
            (math.dist(face.center, middle_of(die.box)), i, j)
            for i, die in enumerate(dice)
            for j, face in enumerate(faces)
            if _holds(_grown(die.box), face.center)
        ]
    )


def nearest_first(near: list[Nearness]) -> dict[int, int]:
    """Return {place of a label: place of its reading}."""
    pairs: dict[int, int] = {}
    used: set[int] = set()
    for _, i, j in sorted(near):
        if i not in pairs and j not in used:
            pairs[i] = j
            used.add(j)
    return pairs


def _left_over(pieces: Sequence[Piece], pairs: dict[int, int]) -> Iterator[Piece]:
    used = set(pairs.values())
    return (piece for j, piece in enumerate(pieces) if j not in used)


def _is_pardoned(label: Labelled, at: Spot) -> bool:
    """Say whether a piece that no label asks for may be read there."""
    return not label.complete or any(_holds(box, at) for box in label.ignored)


def middle_of(box: Box) -> Spot:
    """Return the middle of a box."""
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def between(a: Spot, b: Spot) -> Spot:
    """Return the middle of two spots."""
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def _grown(box: Box) -> Box:
    x0, y0, x1, y1 = box
    x, y = GROW * (x1 - x0), GROW * (y1 - y0)
    return x0 - x, y0 - y, x1 + x, y1 + y


def _holds(box: Box, at: Spot) -> bool:
    return box[0] <= at[0] <= box[2] and box[1] <= at[1] <= box[3]


def _values(tile: Tile) -> Values:
    return tuple(half.value for half in tile.halves)


def _named(values: Values | None) -> str:
    return "-".join(map(str, values or ()))
