"""Read the pictures of a dataset and compare each reading with what lies there."""

from __future__ import annotations

import sys
from pathlib import Path

import cv2

from models.dataset.annotation import AnnotatedImage, Dataset
from models.measure.photos.compare import Verdict, judge
from models.measure.photos.overlays import side_by_side
from models.measure.photos.summary import Measured
from vision import Unreadable, load, read


def measure(dataset: Dataset, overlay: Path | None = None, *, moving: bool = False) -> Measured:
    """Read every picture of a set.

    Args:
        dataset: the set.
        overlay: a folder to draw the wrong ones into.
        moving: read by the first pass, as frames of a camera.
    """
    verdicts = []
    for number, image in enumerate(dataset.images, start=1):
        show_progress(dataset.name, number, len(dataset.images))
        verdicts.append(_verdict(dataset, image, overlay, moving=moving))
    return Measured(dataset, tuple(verdicts))


def _verdict(
    dataset: Dataset, image: AnnotatedImage, overlay: Path | None, *, moving: bool
) -> Verdict:
    try:
        photo = load(image.path)
        reading = read(photo, dataset.look, moving=moving)
        if moving:  # and the next frame, which shows the same
            reading = read(photo, dataset.look, moving=True, before=reading)
    except Unreadable:
        return judge(image, None)
    verdict = judge(image, reading)
    if overlay and verdict.faults:
        path = overlay / dataset.name / f"{image.path.name}.jpg"
        path.parent.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(path), side_by_side(photo, image, verdict, reading))
    return verdict


def show_progress(name: str, number: int, total: int) -> None:
    """Say on standard error how many pictures are done; to a file only once they all are."""
    if sys.stderr.isatty() or number == total:
        end = "\n" if number == total else ""
        sys.stderr.write(f"\r{name}: {number} of {total}{end}")
        sys.stderr.flush()
