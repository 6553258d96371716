"""How well are pieces read by how far above the table the camera sees them?

`python -m models.measure.elevation FOLDER…` reads drawn pictures with truth, whatever lies on them,
and prints for faces of dice and halves of dominoes by the degrees above the table: how many there
are, how many of them were found, and how many of those have the right value.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from models.dataset.annotation import AnnotatedImage
from models.dataset.folders import drawn_images
from models.dataset.matching import match_faces
from vision import Face, Look, Photo, read
from vision.camera import elevations
from vision.geometry import Floats
from vision.photo import Pixels

DEGREES = (0.0, 10.0, 15.0, 20.0, 25.0, 30.0, 40.0, 50.0, 60.0, 90.0)
LEAST_SIDE = 12.0  # px of the picture; the pips of smaller faces are 2 px wide


def main() -> int:
    """Measure and print."""
    ask = argparse.ArgumentParser("elevation", description=__doc__.split("\n", 1)[0])
    ask.add_argument("folders", nargs="+", type=Path, help="of drawn pictures")
    ask.add_argument("--least", type=float, default=LEAST_SIDE, help="px, side of a face to count")
    args = ask.parse_args()
    shots = [shot for folder in args.folders for shot in drawn_images(folder)]
    if not shots:
        print("There are no pictures with truth in these folders.", file=sys.stderr)
        return 2
    print(as_text(by_face(shots, args.least)))
    return 0


def by_face(shots: Iterable[AnnotatedImage], least_side: float = LEAST_SIDE) -> Floats:
    """Return (n, 3) of n faces: degrees above the table, whether it is found, and read rightly."""
    rows: list[tuple[float, bool, bool]] = []
    for shot in shots:
        bgr = shot.pixels()
        faces = faces_on(bgr, Look("auto"))
        pairs = matched(shot, faces)
        degrees = elevations(np.array([face.quad for face in shot.faces]).reshape(-1, 4, 2))
        rows += [
            (float(degrees[i]), i in pairs, i in pairs and faces[pairs[i]].value == face.value)
            for i, face in enumerate(shot.faces)
            if face.size >= least_side
        ]
    return np.array(rows, np.float64).reshape(-1, 3)


def faces_on(bgr: Pixels, look: Look) -> list[Face]:
    """Return the dice and the halves of dominoes that are read on a picture."""
    reading = read(Photo(bgr, bgr.shape[1], bgr.shape[0]), look)
    return [*reading.dice, *(half for tile in reading.tiles for half in tile.halves)]


def matched(shot: AnnotatedImage, faces: list[Face]) -> dict[int, int]:
    """Return for a picture's true faces, by their index, which of those read is theirs."""
    middles = np.array([face.center for face in faces]).reshape(-1, 2)
    return match_faces(shot.faces, middles, np.array([face.confidence for face in faces]))


def in_bins(rows: Floats, edges: Sequence[float]) -> Iterator[tuple[float, float, Floats]]:
    """Yield low and high, and the rows whose first number lies between, where there are some."""
    for low, high in pairwise(edges):
        inside = rows[(rows[:, 0] >= low) & (rows[:, 0] < high)]
        if len(inside):
            yield low, high, inside


def found_and_right(rows: Floats) -> str:
    """Return three cells: how many faces, the share found, and of these the share read rightly."""
    found = rows[rows[:, 1] > 0]
    right = f"{found[:, 2].mean():7.1%}" if len(found) else "      –"
    return f"{len(rows):5} | {rows[:, 1].mean():7.1%} | {right}"


def as_text(rows: Floats) -> str:
    """Return a table in Markdown."""
    lines = [
        "| degrees above the table | faces |   found |   value |",
        "| ----------------------: | ----: | ------: | ------: |",
    ]
    lines += [
        f"| {f'{low:.0f} – {high:.0f}':>23} | {found_and_right(inside)} |"
        for low, high, inside in in_bins(rows, DEGREES)
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
