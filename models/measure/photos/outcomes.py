"""What became of each annotated face: found, read rightly, sure, how near its quad is."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from models.dataset.annotation import AnnotatedFace, AnnotatedImage, match_faces
from vision import Face, Look, Photo, read
from vision.decode import Pixels
from vision.geometry import iou


@dataclass(frozen=True, slots=True)
class FaceOutcome:
    """What became of one annotated face, and the figure or word that it is sorted by."""

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


def faces_on(bgr: Pixels, look: Look) -> list[Face]:
    """Return the dice and the halves of dominoes that are read on a picture."""
    reading = read(Photo(bgr, bgr.shape[1], bgr.shape[0]), look)
    return [*reading.dice, *(half for tile in reading.tiles for half in tile.halves)]


def matched(image: AnnotatedImage, faces: Sequence[Face]) -> dict[int, int]:
    """Return {index of an annotated face: index of the one that was read there}."""
    return match_faces(
        image.faces, [face.center for face in faces], [face.confidence for face in faces]
    )


def outcomes_on(
    image: AnnotatedImage, faces: Sequence[Face], keys: Sequence[float | str]
) -> Iterator[FaceOutcome]:
    """Yield the outcome of each annotated face of a picture, *keys* in their order."""
    pairs = matched(image, faces)
    for i, (annotated, key) in enumerate(zip(image.faces, keys, strict=True)):
        read_there = faces[pairs[i]] if i in pairs else None
        yield outcome(annotated, read_there, key, has_quad=not image.is_photo)


def outcome(
    annotated: AnnotatedFace, face: Face | None, key: float | str, *, has_quad: bool
) -> FaceOutcome:
    """Return what became of one face: it was read as *face*, or not at all."""
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
