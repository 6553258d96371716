"""What a phone may leave out of a photo: `make bench-sending PHOTOS=folder`.

Each photo is shrunk and compressed as a phone would (webui/static/camera/photo.js) and read. A
line a way: the longer side in px, the format, its quality, kB of a photo in the median and of the
largest twentieth, photos whole, asked, SILENT. Photos are never enlarged, so the ways differ on
large ones. A way with a margin cuts off what is farther than so many sides from every die, if the
first pass sees as many dice as there are, is sure of each, and thinks of no other; where something
is asked about what is left, the whole photo is sent besides.
"""

import io
import statistics
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import cv2
import numpy as np
from PIL import Image, ImageOps

from models.dataset.annotation import AnnotatedImage, Dataset
from models.dataset.folders import Photos, SetNames, chosen
from models.harness import NothingToMeasure, markdown_table, progress, share
from models.measure.photos.compare import Verdict, judge
from vision import Face, Photo, Unreadable, read
from vision.faces.candidates import score_candidates
from vision.faces.multiscale import first_pass
from vision.faces.networks import shipped_models
from vision.part import PhotoPart, painted
from vision.photo import decode


@dataclass(frozen=True, slots=True)
class Sent:
    """The bytes sent for a photo, and their place on it."""

    photo: bytes
    size: tuple[int, int]
    scale: float = 1.0  # px of the photo per px that is sent
    part: PhotoPart | None = None  # of the shrunk photo, where that alone is sent

    def shown(self) -> Photo:
        """Return the photo as it is read."""
        photo = decode(self.photo)
        return photo if self.part is None else painted(photo, self.part)

    def back(self, face: Face, longest: int) -> Face:
        """Return a face of a reading, whose longer side has *longest* px, in px of the photo."""
        return replace(face, quad=face.quad.scaled(max(self.size) / longest * self.scale))


@dataclass(frozen=True, slots=True)
class Shrinking:
    """How a photo is made small; a longest side of 0 leaves it as it is."""

    longest: int
    format: Literal["JPEG", "WebP"] = "JPEG"
    quality: int = 88
    margin: float | None = None  # sides of a die that are left around the dice; None: all is

    def __str__(self) -> str:
        way = f"{self.longest} px {self.format} {self.quality}" if self.longest else "as taken"
        return way if self.margin is None else f"{way}, cropped to {self.margin:g} sides"

    def sent(self, photo: bytes, dice: int) -> Sent:
        """Return what is sent for a photo with *dice* dice."""
        picture = ImageOps.exif_transpose(Image.open(io.BytesIO(photo))).convert("RGB")
        whole = picture.size
        if not self.longest:
            return Sent(photo, whole)
        picture.thumbnail((self.longest, self.longest), Image.Resampling.BICUBIC)
        every_px = (0, 0, *picture.size)
        box = every_px if self.margin is None else what_matters(picture, dice, self.margin)
        made = io.BytesIO()
        picture.crop(box).save(made, self.format, quality=self.quality)
        part = None if box == every_px else PhotoPart(*box, *picture.size)
        return Sent(made.getvalue(), picture.size, max(whole) / max(picture.size), part)


WAYS = (
    Shrinking(0),
    Shrinking(2400),
    Shrinking(1920, quality=80),
    Shrinking(1600, quality=80),
    Shrinking(1600, quality=70),
    Shrinking(1600, "WebP", 75),
    Shrinking(1600, "WebP", 75, margin=2),
    Shrinking(1600, "WebP", 75, margin=1),
    Shrinking(1280, quality=75),
)


def what_matters(picture: Image.Image, dice: int, margin: float) -> tuple[int, int, int, int]:
    """Return the box of what matters on a picture: all where the first pass is not sure of all."""
    models = shipped_models()
    bgr = np.ascontiguousarray(np.asarray(picture)[:, :, ::-1])
    scored = score_candidates(first_pass(bgr, models), models.calibration)
    shown = scored.shown(models.calibration)
    sure = scored.confidence[shown] >= models.calibration.sure
    missed = scored.missed(models.calibration)
    if len(sure) != dice or not dice or not sure.all() or missed.any():
        return 0, 0, *picture.size
    quads = scored.candidates.detections.quads[shown].reshape(-1, 2)
    around = margin * float(np.median(scored.candidates.detections.sizes[shown]))
    (left, top), (right, bottom) = quads.min(axis=0) - around, quads.max(axis=0) + around
    width, height = picture.size
    return max(0, int(left)), max(0, int(top)), min(width, int(right)), min(height, int(bottom))


def main(
    photos: Photos,
    *,
    sets: SetNames = ("*",),
    least: Annotated[int, "only photos of so many px or more"] = 0,
) -> None:
    """Measure and print a table."""
    cv2.setNumThreads(1)
    images = [
        (one, image)
        for one in chosen(photos, sets, all_photos=True)
        for image in one.images
        if max(_size(image)) >= least
    ]
    if not images:
        raise NothingToMeasure(f"No photo there has {least} px or more.")
    print(markdown_table(HEADS, [row(way, images) for way in WAYS]))


HEADS = ("way", "photos", "kB", "kB, 95 %", "whole", "asked", "SILENT")


def row(way: Shrinking, images: list[tuple[Dataset, AnnotatedImage]]) -> tuple[str, ...]:
    """Return the line of a way."""
    sizes: list[int] = []
    verdicts: list[Verdict] = []
    for dataset, image in progress(str(way), images):
        dice = sum(face.counts for face in image.dice or ())
        sent = way.sent(image.path.read_bytes(), dice)
        sizes.append(len(sent.photo))
        verdict = _verdict(dataset, image, sent)
        if sent.part is not None and verdict.is_asked:
            sent = replace(way, margin=None).sent(image.path.read_bytes(), dice)
            sizes[-1] += len(sent.photo)
            verdict = _verdict(dataset, image, sent)
        verdicts.append(verdict)
    return (
        str(way),
        str(len(images)),
        f"{statistics.median(sizes) / 1000:.0f}",
        f"{sorted(sizes)[int(0.95 * (len(sizes) - 1))] / 1000:.0f}",
        share(sum(one.is_whole for one in verdicts), len(verdicts)),
        str(sum(one.is_asked for one in verdicts)),
        str(sum(one.is_silent for one in verdicts)),
    )


def _verdict(dataset: Dataset, image: AnnotatedImage, sent: Sent) -> Verdict:
    try:
        reading = read(sent.shown(), dataset.look)
    except Unreadable:
        return judge(image, None)
    longest = max(reading.width, reading.height)
    halves = (tuple(sent.back(half, longest) for half in tile.halves) for tile in reading.tiles)
    tiles = (
        replace(tile, halves=(first, second))
        for tile, (first, second) in zip(reading.tiles, halves, strict=True)
    )
    dice = tuple(sent.back(die, longest) for die in reading.dice)
    return judge(image, replace(reading, dice=dice, tiles=tuple(tiles)))


def _size(image: AnnotatedImage) -> tuple[int, int]:
    """Return the px of a picture as its file says."""
    with Image.open(image.path) as picture:
        return picture.size
