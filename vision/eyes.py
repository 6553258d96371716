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
from vision.doubt import LIKELY, Doubt, believed, value_odds
from vision.finder import Found, View, apart, find_faces, join
from vision.geometry import Floats
from vision.networks import Finder, Joiner, Reader, model_path
from vision.photo import Pixels
from vision.reader import TURNS, crop_faces, read_crops

FIRST = View(384)
# The finder is best where faces have this many px. Where they have not on the first view, the
# picture is looked at from where they have BEST.
FITTING, BEST = (25.0, 60.0), 30.0
# The same on frames of a camera, and the odds of a middle below which a peak is not looked at: 20 a
# second leave time for less.
MOVING, TRACKED, PLAIN = (20.0, 60.0), 27.0, 0.2
GLIMPSED = 0.3  # odds of the finder from which a place tells how large the faces are
STEP = 32  # px; the sides of views are whole steps
NEAREST, FARTHEST = 1280, 160  # px of the longer side of a view
FURTHER = np.sqrt(2.0)  # times as near, and as far, the picture is looked at again
AFAR = View(FARTHEST)  # of a die that fills the picture only pips were seen, taken for faces
ANYWHERE = (View(704, mirrored=True), View(NEAREST), AFAR)  # taken where no face was seen
SMALLEST = 9.0  # px of the picture, side of a face; a pip of a smaller one is under 2 px wide
# Odds of a face from which a place that is not reported is looked at again. A look takes some
# milliseconds and nobody's attention, so nobody is asked about less than that.
AGAIN = 0.02
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
    kinds: Floats  # (n, KINDS) plain scores of the reader
    colours: Floats  # (n, 12) plain scores
    features: Floats  # (n, 256)
    crops: Pixels  # (n, 64, 64, 3) BGR, the faces upright
    scale: float  # px of the view on which they were found first, one px of the picture
    size: tuple[int, int]  # width and height of the picture, px

    def __len__(self) -> int:
        return len(self.kinds)

    def also(self, other: Raw) -> Raw:
        """Return these places and, after them, those of *other*."""
        both = zip(self._arrays(), other._arrays(), strict=True)
        kinds, colours, features, crops = map(np.concatenate, both)
        found = self.found.also(other.found)
        return Raw(found, kinds, colours, features, crops, self.scale, self.size)

    def _arrays(self) -> tuple[NDArray[Any], ...]:
        return self.kinds, self.colours, self.features, self.crops

    def take(self, index: NDArray[np.intp]) -> Raw:
        """Return the places of these indices, in their order."""
        return Raw(
            self.found.take(index),
            self.kinds[index],
            self.colours[index],
            self.features[index],
            self.crops[index],
            self.scale,
            self.size,
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
    """Ask finder and reader; look again, from nearer and farther, unless all is clear at once."""
    raw = glance(bgr, eyes)
    return raw if is_clear(raw, eyes.doubt) else look_again(bgr, raw, eyes)


def glance(
    bgr: Pixels, eyes: Eyes, tick: Tick = lambda _: None, *, likely_side: float | None = None
) -> Raw:
    """Ask the finder from where it sees faces best, and the reader once.

    Where faces are likely to have sides of so many px, the finder need not find that out first.
    """
    view, found = _tracked(bgr, eyes.finder, likely_side) or _focused(bgr, eyes.finder)
    tick("finder")
    return read_places(bgr, found, view.scale_of(bgr), eyes, tick)


def _tracked(bgr: Pixels, finder: Finder, side: float | None) -> tuple[View, Found] | None:
    """Look from where faces with such sides have TRACKED px; None unless such faces are there."""
    if side is None:
        return None
    view = _best_view(side, bgr, TRACKED)
    found = find_faces(bgr, finder, view, PLAIN)
    sizes = _glimpsed(found)
    fits = len(sizes) and _is_fitting(sizes * view.scale_of(bgr), MOVING)
    return (view, found) if fits else None


def _focused(bgr: Pixels, finder: Finder) -> tuple[View, Found]:
    """Look from afar and then, unless faces have a FITTING size there, from where they have."""
    found = find_faces(bgr, finder, FIRST)
    sizes = _glimpsed(found)
    view = _best_view(float(np.median(sizes)), bgr) if len(sizes) else FIRST
    return view, found if view is FIRST else find_faces(bgr, finder, view)


def _glimpsed(found: Found) -> Floats:
    """Return the sizes of the places that tell how large the faces are."""
    return found.sizes[found.odds >= GLIMPSED]


def _best_view(side: float, bgr: Pixels, best: float = BEST) -> View:
    """Return FIRST where such a side is FITTING there, else the view where it has *best* px."""
    if _is_fitting(np.array([side]) * FIRST.scale_of(bgr)):
        return FIRST
    return _view(best / side * max(bgr.shape[:2]))


def _is_fitting(sizes: Floats, fitting: tuple[float, float] = FITTING) -> bool:
    """Say whether faces with these sides, px of a view, mostly have a size that suits it."""
    low, high = fitting
    return bool(low <= np.median(sizes) <= high)


def _view(longest: float, *, mirrored: bool = False) -> View:
    steps = round(min(max(longest, FARTHEST), NEAREST) / STEP)
    return View(steps * STEP, mirrored)


def look_again(
    bgr: Pixels, first: Raw, eyes: Eyes, tick: Tick = lambda _: None, *, halves: bool = False
) -> Raw:
    """Ask about further views of a picture than the first, and read every face turned too.

    Of places that lie on each other the likeliest is kept, as *halves* of dominoes or as dice.
    """
    views = _further_views(first, bgr)
    others = [find_faces(bgr, eyes.finder, view) for view in views]
    found = join([first.found, *others], [first.scale, *(view.scale_of(bgr) for view in views)])
    tick("finder again")
    raw = read_places(bgr, found, first.scale, eyes, tick, TURNS)
    likely = judge(raw, eyes.doubt, halves=halves).real
    return raw.take(np.sort(apart(raw.found, likely)))


def _further_views(first: Raw, bgr: Pixels) -> tuple[View, ...]:
    if not (first.found.odds >= GLIMPSED).any():
        return ANYWHERE
    longest = round(first.scale * max(bgr.shape[:2]))
    views = _view(longest * FURTHER, mirrored=True), _view(longest / FURTHER), AFAR
    return tuple(view for view in dict.fromkeys(views) if view.longest != longest)


def read_places(
    bgr: Pixels,
    found: Found,
    scale: float,
    eyes: Eyes,
    tick: Tick = lambda _: None,
    turns: int = 1,
) -> Raw:
    """Ask the reader about the likeliest MOST places, each turned in so many ways."""
    found = found.take(np.flatnonzero(found.sizes >= SMALLEST))
    found = found.take(np.argsort(-found.odds, kind="stable")[:MOST])
    crops = crop_faces(bgr, found.quads)
    tick("crops")
    size = bgr.shape[1], bgr.shape[0]
    raw = Raw(found, *read_crops(crops, eyes.reader, turns), crops, scale, size)
    tick("reader")
    return raw


def is_clear(raw: Raw, doubt: Doubt) -> bool:
    """Say whether there are faces, of a fitting size, and nothing to ask about them."""
    seen = judge(raw, doubt)
    shown = seen.shown(doubt)
    if not shown.any() or not _is_fitting(raw.found.sizes[shown] * raw.scale):
        return False
    doubtful = shown & (seen.confidence < doubt.sure)
    # Where the finder is mistaken in how a face lies, the reader sees a part of it, and no face.
    missed = ~shown & ((raw.found.odds >= LIKELY) | (seen.real >= AGAIN))
    return not (doubtful | missed).any()


def judge(raw: Raw, doubt: Doubt, *, halves: bool = False) -> Seen:
    """Say what each place shows, taken for a die, or for half of a domino."""
    odds = value_odds(raw.found, raw.kinds, halves=halves)
    return Seen(raw, odds, *believed(raw.found, raw.kinds, raw.size, doubt, halves=halves))
