"""What a phone may leave out of a photo: `make bench-sending PHOTOS=folder`.

Each photo is shrunk and compressed as a phone would (webui/static/photo.js), read, and judged. A
line a way: the longer side in px, the format, its quality, kB of a photo in the median and of the
largest twentieth, photos whole, asked, SILENT. Photos are never enlarged, so the ways differ on
large ones.
"""

from __future__ import annotations

import io
import statistics
import sys
from dataclasses import dataclass, replace
from typing import Literal

import cv2
from PIL import Image, ImageOps

from models.dataset.annotation import AnnotatedImage, Dataset
from models.measure.photos.choice import chosen, parser_of
from models.measure.photos.compare import Verdict, judge
from models.measure.photos.markdown import markdown_table, share
from models.measure.photos.reading import show_progress
from vision import Face, Unreadable, read
from vision.decode import decode


@dataclass(frozen=True, slots=True)
class Shrinking:
    """How a photo is made small; a longest side of 0 leaves it as it is."""

    longest: int
    format: Literal["JPEG", "WebP"] = "JPEG"
    quality: int = 88

    def __str__(self) -> str:
        return f"{self.longest} px {self.format} {self.quality}" if self.longest else "as taken"

    def sent(self, photo: bytes) -> bytes:
        """Return what goes over the network for a photo."""
        picture = ImageOps.exif_transpose(Image.open(io.BytesIO(photo))).convert("RGB")
        if not self.longest:
            return photo
        picture.thumbnail((self.longest, self.longest), Image.Resampling.BICUBIC)
        made = io.BytesIO()
        picture.save(made, self.format, quality=self.quality)
        return made.getvalue()


WAYS = (
    Shrinking(0),
    Shrinking(2400),
    Shrinking(1920, quality=80),
    Shrinking(1600, quality=80),
    Shrinking(1600, quality=70),
    Shrinking(1600, "WebP", 75),
    Shrinking(1280, quality=75),
)


def main() -> int:
    """Measure what the command line names; return 0, or 2 if there is nothing to read."""
    ask = parser_of("sent", "Measure what shrinking photos costs.")
    ask.add_argument("--every", type=int, default=1, metavar="N", help="only one photo in N")
    ask.add_argument("--least", type=int, default=0, metavar="PX", help="only photos as large")
    args = ask.parse_args()
    cv2.setNumThreads(1)
    try:
        sets = chosen(args.photos, args.sets, all_photos=True)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    images = [
        (one, image)
        for one in sets
        for image in one.images[:: args.every]
        if max(_size(image)) >= args.least
    ]
    print(markdown_table(HEADS, [row(way, images) for way in WAYS]))
    return 0


HEADS = ("way", "photos", "kB", "kB, 95 %", "whole", "asked", "SILENT")


def row(way: Shrinking, images: list[tuple[Dataset, AnnotatedImage]]) -> tuple[str, ...]:
    """Return the line of a way."""
    sizes: list[int] = []
    verdicts: list[Verdict] = []
    for number, (dataset, image) in enumerate(images, start=1):
        show_progress(str(way), number, len(images))
        sent = way.sent(image.path.read_bytes())
        sizes.append(len(sent))
        verdicts.append(_verdict(dataset, image, sent))
    return (
        str(way),
        str(len(images)),
        f"{statistics.median(sizes) / 1000:.0f}",
        f"{sorted(sizes)[int(0.95 * (len(sizes) - 1))] / 1000:.0f}",
        share(sum(one.is_whole for one in verdicts), len(verdicts)),
        str(sum(one.is_asked for one in verdicts)),
        str(sum(one.is_silent for one in verdicts)),
    )


def _verdict(dataset: Dataset, image: AnnotatedImage, sent: bytes) -> Verdict:
    try:
        reading = read(decode(sent), dataset.look)
    except Unreadable:
        return judge(image, None)
    factor = max(_size(image)) / max(reading.width, reading.height)
    halves = (tuple(_scaled(half, factor) for half in tile.halves) for tile in reading.tiles)
    tiles = (
        replace(tile, halves=(first, second))
        for tile, (first, second) in zip(reading.tiles, halves, strict=True)
    )
    dice = tuple(_scaled(die, factor) for die in reading.dice)
    return judge(image, replace(reading, dice=dice, tiles=tuple(tiles)))


def _scaled(face: Face, factor: float) -> Face:
    return replace(face, quad=face.quad.scaled(factor))


def _size(image: AnnotatedImage) -> tuple[int, int]:
    """Return the px of a picture as its file says."""
    with Image.open(image.path) as picture:
        return picture.size


if __name__ == "__main__":
    sys.exit(main())
