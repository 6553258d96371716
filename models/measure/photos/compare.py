"""Compare one reading with what lies on the picture.

What was read is matched to the annotations by `models.dataset.annotation`. Where a board was looked
for, a die has to be in its cell too. Colours are counted, but a photo with a wrong colour alone is
wholly right.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from models.dataset.annotation import (
    AnnotatedFace,
    AnnotatedImage,
    AnnotatedTile,
    PointPx,
    match_faces,
    match_tiles,
    middle_of,
    tile_distance,
    unmatched,
)
from scorer.photo.interpret import drawn
from vision import Face, Look, Photo, Reading, TileReading, draw_overlay, read
from vision.geometry import iou
from vision.photo import Pixels

PieceValues = tuple[int, ...]  # one of a die, two of a tile


@dataclass(frozen=True, slots=True)
class LabelledReading:
    """A labelled piece beside what was read there; one of the two may be missing."""

    at: PointPx
    truth: PieceValues | None = None
    read: PieceValues | None = None
    confidence: float = 0.0  # of what was read
    sure: bool = False
    colour_is_right: bool | None = None  # None where the label has none
    is_in_cell: bool = True  # its own, where a board was looked for

    @property
    def is_right(self) -> bool:
        """Return True if the values are those that lie there, and the die is in its cell."""
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

    matches: tuple[LabelledReading, ...]  # of the pieces that count
    is_asked: bool  # some piece is doubtful, or there is a warning
    is_question: bool  # and more than a look at pieces whose value likely stands
    ms: float | None = None  # None where the picture was refused

    @property
    def faults(self) -> tuple[LabelledReading, ...]:
        """Return what was missed, misread or too much."""
        return tuple(match for match in self.matches if not match.is_right)

    @property
    def is_whole(self) -> bool:
        """Return True if nothing was missed, misread or too much."""
        return not self.faults

    @property
    def is_only_marked(self) -> bool:
        """Return True if all that is asked for is a look at pieces marked on the photo."""
        return self.is_asked and not self.is_question

    @property
    def is_silent(self) -> bool:
        """Return True if it is wrong and nobody was asked: the worst a classifier can do."""
        return bool(self.faults) and not self.is_asked


def judge(image: AnnotatedImage, reading: Reading | None) -> Verdict:
    """Compare a reading with the truth; a picture that was refused (None) counts as asked."""
    dice, tiles = (reading.dice, reading.tiles) if reading else ((), ())
    matches: list[LabelledReading] = []
    if image.dice is not None:
        on_board = image.board is not None and reading is not None and reading.board is not None
        matches += _dice_matches(image, image.dice, dice, on_board=on_board)
    if image.tiles is not None:
        matches += _tile_matches(image, image.tiles, tiles)
    pieces: list[Face | TileReading] = [*dice, *tiles]
    doubtful = [piece for piece in pieces if not piece.sure]
    warned = reading is None or bool(reading.warnings)
    question = warned or not all(drawn(piece.confidence) for piece in doubtful)
    ms = reading.ms if reading else None
    return Verdict(tuple(matches), warned or bool(doubtful), question, ms)


def _dice_matches(
    image: AnnotatedImage, dice: Sequence[AnnotatedFace], faces: Sequence[Face], *, on_board: bool
) -> Iterator[LabelledReading]:
    centers = [face.center for face in faces]
    pairs = match_faces(dice, centers)
    for i, die in enumerate(dice):
        if not die.counts or die.value is None:
            continue
        at, truth = middle_of(die.box), (die.value,)
        if i not in pairs:
            yield LabelledReading(at, truth)
            continue
        face = faces[pairs[i]]
        colour = face.colour == die.colour if die.colour else None
        in_cell = not on_board or face.cell == die.cell
        yield LabelledReading(at, truth, (face.value,), face.confidence, face.sure, colour, in_cell)
    for j in _too_many(image, centers, pairs):
        yield LabelledReading(
            centers[j], None, (faces[j].value,), faces[j].confidence, faces[j].sure
        )


def _tile_matches(
    image: AnnotatedImage, annotated: Sequence[AnnotatedTile], tiles: Sequence[TileReading]
) -> Iterator[LabelledReading]:
    centers = [(tile.halves[0].center, tile.halves[1].center) for tile in tiles]
    pairs = match_tiles(annotated, centers)
    for i, truth in enumerate(annotated):
        if not truth.counts:
            continue
        at = between(*truth.centers)
        if i not in pairs:
            yield LabelledReading(at, truth.values)
            continue
        tile = tiles[pairs[i]]
        read = _values(tile)
        _, is_turned = tile_distance(truth.centers, centers[pairs[i]])
        yield LabelledReading(
            at, truth.values, read[::-1] if is_turned else read, tile.confidence, tile.sure
        )
    middles = [between(*pair) for pair in centers]
    for j in _too_many(image, middles, pairs):
        yield LabelledReading(
            middles[j], None, _values(tiles[j]), tiles[j].confidence, tiles[j].sure
        )


def _too_many(
    image: AnnotatedImage, middles: Sequence[PointPx], pairs: dict[int, int]
) -> list[int]:
    """Return the readings without an annotation, for a photo whose annotation is complete."""
    return unmatched(middles, pairs, image.ignored) if image.complete else []


def between(a: PointPx, b: PointPx) -> PointPx:
    """Return the middle of two spots."""
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def _values(tile: TileReading) -> PieceValues:
    return tuple(half.value for half in tile.halves)


def _named(values: PieceValues | None) -> str:
    return "-".join(map(str, values or ()))


@dataclass(frozen=True, slots=True)
class FaceOutcome:
    """The outcome of one annotated face, and the figure or word that it is sorted by."""

    key: float | str
    found: bool
    right: bool = False  # its value
    sure: bool = False
    offset: float | None = None  # of the middle, sides of the face; None of what was not found,
    iou: float | None = None  # and on photos, where only a box is known
    colour_right: bool | None = None  # None where no colour is annotated
    colour: str = ""  # as read
    colour_doubtful: bool = False  # another colour is named beside it

    @property
    def is_sure_and_wrong(self) -> bool:
        """Return True if nobody would be asked about a wrong value."""
        return self.sure and not self.right

    @property
    def colour_unnoticed(self) -> bool:
        """Return True if the colour is wrong, and no other one is named beside it."""
        return self.colour_right is False and not self.colour_doubtful


def reading_of(bgr: Pixels, look: Look) -> Reading:
    """Return what is read on a picture."""
    return read(Photo(bgr, bgr.shape[1], bgr.shape[0]), look)


def faces_of(reading: Reading) -> list[Face]:
    """Return the dice and the halves of dominoes that were read."""
    return [*reading.dice, *(half for tile in reading.tiles for half in tile.halves)]


def outcomes_on(
    image: AnnotatedImage, faces: Sequence[Face], keys: Sequence[float | str]
) -> Iterator[FaceOutcome]:
    """Yield the outcome of each annotated face of a picture, *keys* in their order."""
    centers, confidences = (
        [getattr(face, name) for face in faces] for name in ("center", "confidence")
    )
    pairs = match_faces(image.faces, centers, confidences)
    for i, (annotated, key) in enumerate(zip(image.faces, keys, strict=True)):
        read_there = faces[pairs[i]] if i in pairs else None
        yield outcome(annotated, read_there, key, has_quad=not image.is_photo)


def outcome(
    annotated: AnnotatedFace, face: Face | None, key: float | str, *, has_quad: bool
) -> FaceOutcome:
    """Return the outcome of one face: it was read as *face*, or not at all."""
    if face is None:
        return FaceOutcome(key, found=False)
    away = math.dist(annotated.middle, face.quad.array.mean(axis=0))
    return FaceOutcome(
        key,
        found=True,
        right=face.value == annotated.value,
        sure=face.sure,
        offset=away / annotated.size if has_quad else None,
        iou=iou(annotated.quad, face.quad.array) if has_quad else None,
        colour_right=face.colour == annotated.colour if annotated.colour else None,
        colour=face.colour,
        colour_doubtful=bool(face.colour_alternatives),
    )


RIGHT, WRONG = (0, 200, 0), (0, 0, 255)  # BGR


def side_by_side(photo: Photo, verdict: Verdict, reading: Reading) -> Pixels:
    """Return the true values and the reading side by side; what was missed or misread is red."""
    truth, shown = photo.bgr.copy(), draw_overlay(photo, reading, whole=True)
    large = min(truth.shape[:2]) / 480
    for match in verdict.matches:
        if match.truth is not None:
            x, y = (round(px / photo.scale) for px in match.at)
            colour, thick = RIGHT if match.is_right else WRONG, max(1, round(2 * large))
            cv2.putText(truth, _named(match.truth), (x, y), 0, large, colour, thick, cv2.LINE_AA)
    below = shown.shape[0] - truth.shape[0]  # a warning stands there
    return np.hstack([np.pad(truth, ((0, below), (0, 0), (0, 0))), shown])
