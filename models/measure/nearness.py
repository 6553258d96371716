"""How near to the truth does the finder say that faces lie, by how large it sees them?

`python -m models.measure.nearness FOLDER…` looks at drawn pictures with truth from several
distances and prints by the side of a face, in px of the view: how many were missed, how far off the
middles of the others are, in px of the view and as a share of the face's side, and what their quads
share of the union with the true ones.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from models.dataset.annotation import AnnotatedImage
from models.dataset.folders import drawn_images
from models.dataset.matching import match_faces
from models.measure.elevation import in_bins
from vision import networks
from vision.finder import View, find_faces
from vision.geometry import Floats, share_of_union
from vision.networks import Finder

LONGEST = (256, 384, 576, 864)  # px of the longer side of the views
SIDES = (10.0, 14.0, 18.0, 22.0, 26.0, 30.0, 36.0, 45.0, 60.0, 90.0)  # px


def main() -> int:
    """Measure and print."""
    ask = argparse.ArgumentParser("nearness", description=__doc__.split("\n", 1)[0])
    ask.add_argument("folders", nargs="+", type=Path, help="of drawn pictures, such as var/boards")
    ask.add_argument("--most", type=int, default=50, help="pictures of a folder")
    args = ask.parse_args()
    shots = [shot for folder in args.folders for shot in drawn_images(folder)[: args.most]]
    if not shots:
        print("There are no pictures with truth in these folders.", file=sys.stderr)
        return 2
    print(as_text(nearness(shots, networks.finder())))
    return 0


def nearness(shots: Iterable[AnnotatedImage], finder: Finder) -> Floats:
    """Return (n, 3) of n faces seen: side in px of the view, sides off the middle, share of union.

    The last two are NaN of a face that was missed.
    """
    rows: list[tuple[float, float, float]] = []
    for shot in shots:
        bgr = shot.pixels()
        for view in map(View, LONGEST):
            found = find_faces(bgr, finder, view)
            pairs = match_faces(shot.faces, found.middles, found.odds)
            for i, face in enumerate(shot.faces):
                side = face.size * view.scale_of(bgr)
                if i in pairs:
                    quad = found.quads[pairs[i]]
                    away = math.dist(quad.mean(axis=0), face.middle) / face.size
                    rows.append((side, away, share_of_union(quad, face.quad)))
                else:
                    rows.append((side, np.nan, np.nan))
    return np.array(rows, np.float64).reshape(-1, 3)


def as_text(rows: Floats) -> str:
    """Return a table in Markdown."""
    lines = [
        "| side, px | faces | missed | off, px | off, sides | worst twentieth | of the union |",
        "| -------: | ----: | -----: | ------: | ---------: | --------------: | -----------: |",
    ]
    for low, high, inside in in_bins(rows, SIDES):
        seen = inside[~np.isnan(inside[:, 1])]
        if len(seen):
            lines.append(
                f"| {low:.0f} – {high:.0f} | {len(inside)} | {1 - len(seen) / len(inside):.1%}"
                f" | {(seen[:, 0] * seen[:, 1]).mean():.2f} | {seen[:, 1].mean():.3f}"
                f" | {np.percentile(seen[:, 1], 95):.3f} | {seen[:, 2].mean():.3f} |"
            )
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
