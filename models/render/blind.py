"""A blind test: photos and rendered tables mixed, small, nameless; and what a judge made of it.

The judge sees the numbered sheets alone and says of each picture how likely it is rendered.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np

from models.render.image import Photo, load
from models.render.sheet import filled

THUMBNAIL, SHOWN = 128, 256  # px; a thumbnail is shown twice as large, so that all of it is seen
ROWS = 4  # of pictures on a sheet, and as many columns
NUMBER = 22  # px above each picture
PICTURES = (".jpg", ".jpeg", ".png")
KEY = "key.json"


def mix(out: Path, photos: Path, rendered: Path, each: int, of_a_set: int, seed: int) -> int:
    """Write numbered sheets and KEY; return how many pictures they show.

    Args:
        out: folder for the sheets.
        photos: folder of sets, each with its pictures in `images`.
        rendered: folder of rendered pictures with their truth; those without a piece are left out,
            as every photo shows some.
        each: photos, and rendered pictures, at most.
        of_a_set: photos of one set at most: people's own tables come again and again.
        seed: of the choice and the order.
    """
    rng = np.random.default_rng(seed)
    real = [path for one in sorted(photos.glob("d*/images")) for path in _some(rng, one, of_a_set)]
    real = _shuffled(rng, real)[:each]
    drawn = _shuffled(rng, [path for path in _pictures(rendered) if _has_pieces(path)])[: len(real)]
    both = _shuffled(rng, [*real, *drawn])
    out.mkdir(parents=True, exist_ok=True)
    for number, sheet in enumerate(_sheets(both)):
        cv2.imwrite(str(out / f"sheet{number}.png"), sheet)
    told = {str(number): path in drawn for number, path in enumerate(both)}
    (out / KEY).write_text(json.dumps(told, indent=0) + "\n")
    return len(both)


def judged(out: Path, answers: Path) -> tuple[int, int]:
    """Return how many pictures the judge told rightly, and of how many.

    Args:
        out: folder that `mix` wrote.
        answers: JSON, number of each picture to the probability that it is rendered.
    """
    told = json.loads((out / KEY).read_text())
    probs = json.loads(answers.read_text())
    return sum((float(probs[number]) > 0.5) == truth for number, truth in told.items()), len(told)


def _some(rng: np.random.Generator, folder: Path, most: int) -> list[Path]:
    return _shuffled(rng, _pictures(folder))[:most]


def _pictures(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.suffix.lower() in PICTURES)


def _has_pieces(rendered: Path) -> bool:
    told = json.loads(rendered.with_suffix(".json").read_text())
    return bool(told["dice"] or told["tiles"])


def _shuffled(rng: np.random.Generator, paths: Sequence[Path]) -> list[Path]:
    return [paths[k] for k in rng.permutation(len(paths))]


def _sheets(paths: Sequence[Path]) -> Iterator[Photo]:
    blank = np.full((SHOWN + NUMBER, SHOWN + 6, 3), 255, np.uint8)
    tiles = [_numbered(number, load(path)) for number, path in enumerate(paths)]
    for first in range(0, len(tiles), ROWS * ROWS):
        some = tiles[first : first + ROWS * ROWS]
        some += [blank] * (ROWS * ROWS - len(some))
        yield np.vstack([np.hstack(some[k : k + ROWS]) for k in range(0, ROWS * ROWS, ROWS)])


def _numbered(number: int, photo: Photo) -> Photo:
    """Return a thumbnail with its number above it, (SHOWN + NUMBER, SHOWN + 6, 3)."""
    small = filled(photo, (THUMBNAIL, THUMBNAIL))
    shown = cv2.resize(small, (SHOWN, SHOWN), interpolation=cv2.INTER_CUBIC)
    framed = cv2.copyMakeBorder(shown, NUMBER, 0, 3, 3, cv2.BORDER_CONSTANT, value=(255, 255, 255))
    cv2.putText(framed, str(number), (5, NUMBER - 5), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0))
    return np.asarray(framed, np.uint8)
