"""Risk against questions: what each threshold of doubt costs and saves. `make risk PHOTOS=folder`.

Reads strangers' photos once. The first table moves the confidence from which a piece is sure, the
second the one from which a doubtful piece is only marked on the photo. `question` are right photos
with more than a mark; SILENT are wrong photos that ask nothing, `only marked` wrong photos that ask
for no more than a look. A piece that is doubted for another reason (it is cut off, it may be half a
domino) stays so at every threshold; below the shipped one such reasons are not known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from models.dataset.annotation import AnnotatedImage, Dataset
from models.dataset.folders import Photos, SetNames, chosen
from models.harness import markdown_table, progress, share
from models.measure.photos.compare import judge
from scorer.photo.interpret import STANDS
from vision import Face, Look, Reading, TileReading, Unreadable, load, read
from vision.faces.networks import shipped_models

SURE = (0.9, 0.95, 0.968, 0.98, 0.99, 0.995)
STANDING = (0.5, 0.6, STANDS, 0.75, 0.85, 0.95)
HEADS = ("pieces", "photos", "right", "question", "marked", "SILENT", "only marked")


@dataclass(frozen=True, slots=True)
class Asking:
    """A photo that was read: is it right, and what asks for a look at it."""

    is_right: bool
    is_warned: bool
    confidences: tuple[float, ...]
    doubted: tuple[float, ...] = ()  # of pieces that are doubtful for another reason

    def is_asked(self, sure: float) -> bool:
        """Return True if a piece is doubtful, or there is a warning."""
        return self.is_question(sure, sure) or any(value < sure for value in self.confidences)

    def is_question(self, sure: float, stands: float) -> bool:
        """Return True if it asks for more than a look at pieces whose value likely stands."""
        below = any(value < min(stands, sure) for value in self.confidences)
        return self.is_warned or below or any(value >= sure for value in self.doubted)


def main(
    photos: Photos,
    *,
    sets: SetNames = ("*",),
    counted: Annotated[bool, "the look knows how many dice there are"] = False,
) -> None:
    """Measure and print two tables."""
    kinds: dict[str, list[Asking]] = {}
    for labelled in chosen(photos, sets, strangers=True):
        there = any(image.dice or image.tiles for image in labelled.images)
        kind = labelled.look.kind if there else "others"
        kinds.setdefault(kind, []).extend(_askings(labelled, counted=counted))
    print(table("sure from", kinds, [(value, value, STANDS) for value in SURE]))
    print()
    sure = shipped_models().calibration.sure
    print(table("marked from", kinds, [(value, sure, value) for value in STANDING]))


def table(
    head: str, kinds: dict[str, list[Asking]], lines: Sequence[tuple[float, float, float]]
) -> str:
    """Return a Markdown table; a line has its name, and the confidences for sure and for a mark."""
    body = [
        (f"{name:.3f}", kind, *_cells(askings, sure, stands))
        for kind, askings in kinds.items()
        for name, sure, stands in lines
    ]
    return markdown_table((head, *HEADS), body)


def _cells(askings: Sequence[Asking], sure: float, stands: float) -> Iterator[str]:
    def count(holds: Callable[[Asking], bool], *, right: bool) -> int:
        return sum(one.is_right is right and holds(one) for one in askings)

    right = count(lambda _: True, right=True)
    question = count(lambda one: one.is_question(sure, stands), right=True)
    yield from (str(len(askings)), str(right), f"{question} ({share(question, right)})")
    yield str(count(lambda one: one.is_asked(sure), right=True) - question)
    silent = count(lambda one: not one.is_asked(sure), right=False)
    yield str(silent)
    yield str(count(lambda one: not one.is_question(sure, stands), right=False) - silent)


def _askings(labelled: Dataset, *, counted: bool) -> Iterator[Asking]:
    for image in progress(labelled.name, labelled.images):
        look = _counting(image, labelled) if counted else Look("auto")
        try:
            yield asking_of(image, read(load(image.path), look))
        except Unreadable:
            yield Asking(is_right=False, is_warned=True, confidences=())


def _counting(image: AnnotatedImage, labelled: Dataset) -> Look:
    dice = [die for die in image.dice or () if die.counts]
    return replace(labelled.look, count=len(dice)) if dice else labelled.look


def asking_of(image: AnnotatedImage, reading: Reading) -> Asking:
    """Return what a reading with the shipped thresholds asks for."""
    pieces: list[Face | TileReading] = [*reading.dice, *reading.tiles]
    shipped = shipped_models().calibration.sure
    doubted = [piece for piece in pieces if piece.confidence >= shipped and not piece.sure]
    return Asking(
        judge(image, reading).is_whole,
        bool(reading.warnings),
        tuple(piece.confidence for piece in pieces),
        tuple(piece.confidence for piece in doubted),
    )
