"""What two confirmed photos of the same pieces do to the rest of a set.

It teaches each set's first two photos by
name that hold at least three pieces, with their true values, and reads all others twice: as the
eyes read them untaught, and with the taught pieces. `right` are pieces found with the right value.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Iterator

from models.dataset.annotation import AnnotatedImage, Dataset, box_of, middle_of
from models.harness import NothingToMeasure, markdown_table, share
from models.measure.photos.choice import Photos, SetNames, chosen
from models.measure.photos.compare import Verdict, judge
from models.measure.photos.summary import SummaryRow, row
from vision import (
    Adapter,
    ConfirmedFace,
    Look,
    NotTaught,
    Photo,
    Unreadable,
    fit_adapter,
    load,
    read,
)
from vision.adapt.fit import places

LESSONS = 2  # photos
FEWEST = 3  # pieces on each
REST = 3  # photos that must be left to read
HEADS = (
    *("set", "photos", "pieces", "", "right", "colour", "extra"),
    *("whole", "asked", "SILENT", "taught in s"),
)


def main(photos: Photos, *, sets: SetNames = ("*",)) -> None:
    """Measure and print a table."""
    lines = [line for one in chosen(photos, sets) for line in measure(one)]
    if not lines:
        raise NothingToMeasure("No set has two photos to teach and some to read.")
    print(markdown_table(HEADS, lines))


def measure(labelled: Dataset) -> Iterator[tuple[str, ...]]:
    """Yield the two lines of a set: untaught and taught; none if it is too small."""
    pictures = sorted(labelled.images, key=lambda picture: picture.path.name)
    lessons = [picture for picture in pictures if len(list(_pieces(picture))) >= FEWEST][:LESSONS]
    rest = [picture for picture in pictures if picture not in lessons]
    if len(lessons) < LESSONS or len(rest) < REST:
        return
    photos = [load(picture.path) for picture in lessons]
    said = [confirmed(*pair, labelled.look) for pair in zip(photos, lessons, strict=True)]
    started = time.perf_counter()
    try:
        pieces = fit_adapter(list(zip(photos, said, strict=True)), labelled.look)
    except NotTaught as fault:
        print(f"{labelled.name}: {fault}", file=sys.stderr)
        return
    seconds = time.perf_counter() - started
    for name, used in (("untaught", None), ("taught", pieces)):
        summary = row(labelled.name, [_verdict(picture, labelled.look, used) for picture in rest])
        yield (*_cells(summary, name), f"{seconds:.1f}" if used else "")


def confirmed(photo: Photo, picture: AnnotatedImage, look: Look) -> list[ConfirmedFace]:
    """Return the answers of a person who knows the labels: each piece, and what is none."""
    pieces = list(_pieces(picture))
    unsaid = [middle_of(die.box) for die in picture.dice or () if not die.counts]
    unsaid += [at for tile in picture.tiles or () if not tile.counts for at in tile.centers]
    unsaid += [middle_of(box_of(quad)) for quad in picture.ignored]
    taken = [one.center for one in pieces] + unsaid
    nothing = [
        ConfirmedFace(place.quad.center, None)
        for place in places(photo, look)
        if place.shown
        and picture.complete
        and all(math.dist(place.quad.center, at) > place.quad.side for at in taken)
    ]
    return pieces + nothing


def _pieces(picture: AnnotatedImage) -> Iterator[ConfirmedFace]:
    for die in picture.dice or ():
        if die.counts:
            yield ConfirmedFace(middle_of(die.box), die.value, die.colour)
    for tile in picture.tiles or ():
        if tile.counts:
            for at, value in zip(tile.centers, tile.values, strict=True):
                yield ConfirmedFace(at, value)


def _verdict(picture: AnnotatedImage, look: Look, pieces: Adapter | None) -> Verdict:
    try:
        return judge(picture, read(load(picture.path), look, adapter=pieces))
    except Unreadable:
        return judge(picture, None)


def _cells(summary: SummaryRow, name: str) -> tuple[str, ...]:
    return (
        *(summary.name, str(summary.photos), str(summary.pieces), name),
        *(
            share(summary.value, summary.pieces),
            share(summary.colour, summary.coloured),
            str(summary.extra),
        ),
        share(summary.whole, summary.photos),
        *(str(summary.asked), str(summary.silent)),
    )
