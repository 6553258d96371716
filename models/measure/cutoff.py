"""May a face be believed that the edge of the photo cuts off?

`python -m models.measure.cutoff PICTURES…` takes labelled sets (the photos held back from training)
or folders of drawn pictures. Each face that is read rightly and surely there is cut off by the edge
of a smaller photo. Prints, by how large a part around its middle is left whole: how many faces are
found again, how many of them rightly, how many are sure whatever `is_cut_off` says, and how many of
these are wrong.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from models.dataset.annotation import AnnotatedImage
from models.dataset.folders import drawn_images, training_photos
from models.measure.accuracy import show_progress
from models.measure.elevation import faces_on, found_and_right, in_bins, matched
from vision import Face, Look
from vision.eyes import shipped
from vision.geometry import Floats, Quad
from vision.photo import Pixels
from vision.quality import share_inside

CUTS = (0.06, 0.12, 0.18, 0.24, 0.3)  # of a face's width or height
LEFT = (-np.inf, 0.4, 0.5, 0.6, 0.7, 0.8, np.inf)  # bins of `share_inside`
LEAST_SIDE = 18.0  # px of the picture
SMALLEST = 100  # px, side of a photo that is left


def main() -> int:
    """Measure and print."""
    ask = argparse.ArgumentParser("cutoff", description=__doc__.split("\n", 1)[0])
    ask.add_argument("folders", nargs="+", type=Path, help="of labelled sets or drawn pictures")
    args = ask.parse_args()
    shots = [
        shot
        for folder in args.folders
        for shot in (*training_photos(folder, held_back=True), *drawn_images(folder))
    ]
    if not shots:
        print("There are no pictures with truth in these folders.", file=sys.stderr)
        return 2
    print(as_text(by_face(_told(shots))))
    return 0


def _told(shots: list[AnnotatedImage]) -> Iterator[AnnotatedImage]:
    """Yield the pictures and tell how far it is."""
    for number, shot in enumerate(shots, start=1):
        yield shot
        show_progress("faces cut off", number, len(shots))


def by_face(shots: Iterable[AnnotatedImage]) -> Floats:
    """Return (n, 4) of n cut faces: share inside, whether found, read rightly, and confidence."""
    rows: list[tuple[float, bool, bool, float]] = []
    for shot in shots:
        bgr = shot.pixels()
        look = Look("dominoes" if any(face.partner for face in shot.faces) else "dice")
        for number, (face, value) in enumerate(_known(shot, faces_on(bgr, look))):
            for step, cut in enumerate(CUTS):
                part, quad = _cut(bgr, face.quad, cut, (number + step) % 4)
                height, width = part.shape[:2]
                if min(height, width) < SMALLEST:
                    continue
                near = [
                    one
                    for one in faces_on(part, look)
                    if np.hypot(*np.subtract(one.center, quad.center)) < quad.side / 2
                ]
                right = len(near) == 1 and near[0].value == value
                sure = max((one.confidence for one in near), default=0.0)
                rows.append((share_inside(quad, width, height), bool(near), right, sure))
    return np.array(rows, np.float64).reshape(-1, 4)


def _known(shot: AnnotatedImage, faces: list[Face]) -> Iterator[tuple[Face, int]]:
    """Yield the sure faces that are read rightly, with their values."""
    for i, j in matched(shot, faces).items():
        face, value = faces[j], shot.faces[i].value
        if face.sure and face.value == value and face.quad.side >= LEAST_SIDE:
            yield face, value


def _cut(bgr: Pixels, face: Quad, cut: float, side: int) -> tuple[Pixels, Quad]:
    """Return the photo without what lies beyond a line through the face, and its quad there."""
    low, high = face.array.min(axis=0), face.array.max(axis=0)
    axis = side % 2
    beyond = cut * (high - low)[axis]
    first, last = 0, bgr.shape[1 - axis]
    if side < 2:
        first = max(0, round(low[axis] + beyond))
    else:
        last = min(last, round(high[axis] - beyond))
    part = bgr[:, first:last] if axis == 0 else bgr[first:last]
    moved = face.array.copy()
    moved[:, axis] -= first
    return np.ascontiguousarray(part), Quad.around(moved)


def as_text(rows: Floats) -> str:
    """Return a table in Markdown."""
    doubt = shipped().doubt
    lines = [
        "| whole around the middle | faces |   found |   right |  sure | sure and wrong |",
        "| ----------------------: | ----: | ------: | ------: | ----: | -------------: |",
    ]
    for low, high, inside in in_bins(rows, LEFT):
        sure = inside[inside[:, 3] >= doubt.sure]
        words = f"{max(low, 0):.0%} – {min(high, 1):.0%}"
        lines.append(
            f"| {words:>23} | {found_and_right(inside)}"
            f" | {len(sure):5} | {(sure[:, 2] == 0).sum():14} |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
