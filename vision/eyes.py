"""Finder and reader one after the other: a picture to faces with value, colour and doubt."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision import networks
from vision.doubt import Doubt, believed, plain_sizes, value_odds
from vision.finder import Found, View, find_faces, join
from vision.geometry import Floats
from vision.networks import Finder, Joiner, Reader, model_path
from vision.photo import Pixels
from vision.reader import TURNS, crop_faces, read_crops

FIRST = View(704)
CLOSER = (View(960, mirrored=True), View(1280))  # taken besides when the first is not clear,
AROUND = (View(448, mirrored=True), View(960))  # or these when its faces are neither small
FARTHER = (View(320, mirrored=True), View(160))  # nor large: the finder is best at 20 to 50 px
SMALL, LARGE = 26.0, 50.0  # px of a face on the first view; where they are small it is not clear,
HUGE = 75.0  # nor where they are as large as this
SMALLEST = 9.0  # px of the picture, side of a face; a pip of a smaller one is under 2 px wide
GUESS = 1 / 3  # confidence below which a value is twice as likely wrong as right
MOST = 120  # faces a picture that are read

Tick = Callable[[str], None]  # told the name of a stage when it ends


@dataclass(frozen=True, slots=True, eq=False)
class Eyes:
    """The networks and how far they can be believed."""

    finder: Finder
    reader: Reader
    joiner: Joiner
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

    def also(self, other: Raw) -> Raw:
        """Return these places and, after them, those of *other*."""
        both = zip(self._arrays(), other._arrays(), strict=True)
        quads, odds, values, agreed, *rest = (np.concatenate(pair) for pair in both)
        return Raw(Found(quads, odds, values, agreed), *rest)

    def _arrays(self) -> tuple[NDArray[Any], ...]:
        found = self.found
        own = (self.kinds, self.colours, self.features, self.crops)
        return (found.quads, found.odds, found.values, found.agreed, *own)

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
    right: Floats  # (n,) odds that its likeliest value is right, if one does

    def __len__(self) -> int:
        return len(self.odds)

    @property
    def values(self) -> NDArray[np.intp]:
        """Return the likeliest values."""
        return np.asarray(self.odds.argmax(axis=1), np.intp)

    @property
    def confidence(self) -> Floats:
        """Return (n,) odds that there is a face and its likeliest value is right."""
        return self.real * self.right

    def shown(self, doubt: Doubt) -> NDArray[np.bool_]:
        """Say which places are reported: likely a face, and its value more than a GUESS."""
        return (self.real >= doubt.shown) & (self.confidence >= GUESS)

    def hinted(self, doubt: Doubt) -> NDArray[np.bool_]:
        """Say about which of the others a person is asked."""
        return (self.real >= doubt.hinted) & ~self.shown(doubt)


@cache
def shipped() -> Eyes:
    """Return the networks of `models/` with their calibration."""
    told = json.loads(model_path("doubt.json").read_text())
    return Eyes(networks.finder(), networks.reader(), networks.joiner(), Doubt.from_json(told))


def gather(bgr: Pixels, eyes: Eyes) -> Raw:
    """Ask finder and reader; look again, from nearer or farther, unless all is clear at once."""
    raw = glance(bgr, eyes)
    return raw if is_clear(raw, eyes.doubt, FIRST.scale_of(bgr)) else look_again(bgr, raw, eyes)


def glance(bgr: Pixels, eyes: Eyes, tick: Tick = lambda _: None) -> Raw:
    """Ask finder and reader once."""
    first = find_faces(bgr, eyes.finder, FIRST)
    tick("finder")
    return read_places(bgr, first, eyes, tick)


def look_again(bgr: Pixels, first: Raw, eyes: Eyes, tick: Tick = lambda _: None) -> Raw:
    """Ask about further views of a picture than the first, and read every face turned too."""
    views = _other_views(first, FIRST.scale_of(bgr))
    others = [find_faces(bgr, eyes.finder, view) for view in views]
    scales = [view.scale_of(bgr) for view in (FIRST, *views)]
    tick("finder again")
    return read_places(bgr, join([first.found, *others], scales), eyes, tick, TURNS)


def _other_views(first: Raw, scale: float) -> tuple[View, ...]:
    """Choose where from to look again, by the faces on the first view."""
    sizes = plain_sizes(first.found, first.kinds) * scale
    if not len(sizes):
        return FARTHER + CLOSER
    usual = np.median(sizes)
    return CLOSER if usual < SMALL else FARTHER if usual > LARGE else AROUND


def read_places(
    bgr: Pixels, found: Found, eyes: Eyes, tick: Tick = lambda _: None, turns: int = 1
) -> Raw:
    """Ask the reader about the likeliest MOST places, each turned in so many ways."""
    found = found.take(np.flatnonzero(found.sizes >= SMALLEST))
    found = found.take(np.argsort(-found.odds, kind="stable")[:MOST])
    crops = crop_faces(bgr, found.quads)
    tick("crops")
    raw = Raw(found, *read_crops(crops, eyes.reader, turns), crops)
    tick("reader")
    return raw


def is_clear(raw: Raw, doubt: Doubt, scale: float) -> bool:
    """Say whether there are faces, large enough, and nothing to ask about them."""
    seen = judge(raw, doubt)
    shown = seen.shown(doubt)
    if not shown.any() or not SMALL <= np.median(raw.found.sizes[shown]) * scale <= HUGE:
        return False
    asked = seen.hinted(doubt) | (shown & (seen.confidence < doubt.sure))
    return not asked.any()


def judge(raw: Raw, doubt: Doubt, *, halves: bool = False) -> Seen:
    """Say what each place shows, taken for a die, or for half of a domino."""
    odds = value_odds(raw.found, raw.kinds, halves=halves)
    return Seen(raw, odds, *believed(raw.found, raw.kinds, doubt, halves=halves))
