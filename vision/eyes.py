"""Both networks one after the other: a picture to faces with value, colour and doubt."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from vision import networks
from vision.doubt import Doubt, believed, value_odds
from vision.finder import Found, find_faces, join
from vision.geometry import Floats
from vision.networks import Finder, Reader, model_path
from vision.photo import Pixels
from vision.reader import crop_faces, read_crops

LONGEST = 704  # px of the first view
CLOSER = 1280  # px of the second view, for small faces or none
SMALL = 26.0  # px of a face on the first view below which the second is taken
MOST = 120  # faces a picture that are read

Tick = Callable[[str], None]  # told the name of a stage when it ends


@dataclass(frozen=True, slots=True, eq=False)
class Eyes:
    """The two networks and how far they can be believed."""

    finder: Finder
    reader: Reader
    doubt: Doubt


@dataclass(frozen=True, slots=True, eq=False)
class Raw:
    """What the networks say of the n places on a picture that may be faces, px of it."""

    found: Found
    kinds: Floats  # (n, 8) plain scores of the reader
    colours: Floats  # (n, 12) plain scores
    features: Floats  # (n, 256)
    crops: Pixels  # (n, 64, 64, 3) BGR, the faces upright

    def __len__(self) -> int:
        return len(self.kinds)

    def take(self, index: NDArray[np.intp]) -> Raw:
        """Return the places of these indices, in their order."""
        return Raw(
            self.found.take(index),
            self.kinds[index],
            self.colours[index],
            self.features[index],
            self.crops[index],
        )


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """Places that may be faces, judged. Arrays of n rows."""

    raw: Raw
    odds: Floats  # (n, 7) of the values, summing to 1
    real: Floats  # (n,) odds that a face looks up there
    confidence: Floats  # (n,) that there is one, and that its likeliest value is right

    def __len__(self) -> int:
        return len(self.odds)

    @property
    def values(self) -> NDArray[np.intp]:
        """Return the likeliest values."""
        return np.asarray(self.odds.argmax(axis=1), np.intp)

    def take(self, index: NDArray[np.intp]) -> Seen:
        """Return the places of these indices, in their order."""
        return Seen(
            self.raw.take(index), self.odds[index], self.real[index], self.confidence[index]
        )


@cache
def shipped() -> Eyes:
    """Return the networks of `models/` with their calibration."""
    told = json.loads(model_path("doubt.json").read_text())
    return Eyes(networks.finder(), networks.reader(), Doubt.from_json(told))


def gather(bgr: Pixels, eyes: Eyes, tick: Tick = lambda _: None) -> Raw:
    """Ask both networks; small faces, or none, are looked for once more from nearer."""
    found = find_faces(bgr, eyes.finder, LONGEST)
    scale = LONGEST / max(bgr.shape[:2])
    sizes = found.sizes[found.odds > 0.4] * scale
    if not len(sizes) or np.median(sizes) < SMALL:
        found = join([found, find_faces(bgr, eyes.finder, CLOSER)])
    found = found.take(np.argsort(-found.odds, kind="stable")[:MOST])
    tick("finder")
    crops = crop_faces(bgr, found.quads)
    tick("crops")
    raw = Raw(found, *read_crops(crops, eyes.reader), crops)
    tick("reader")
    return raw


def judge(raw: Raw, doubt: Doubt, lowest: int = 0) -> Seen:
    """Say what each place shows; *lowest* is the least value: 0 of a domino, 1 of a die."""
    odds = value_odds(raw.found, raw.kinds, lowest)
    return Seen(raw, odds, *believed(raw.found, raw.kinds, odds, doubt))
