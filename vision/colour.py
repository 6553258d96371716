"""Stage 3: name the body colour of each face.

In: crops of faces and the light of the photo. Out: odds of the colour names. The hue, chroma and
lightness limits are those of CIE L*a*b* under a neutral light.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.blobs import Floats
from vision.photo import Pixels
from vision.reading import COLOURS

GREYISH = 17.0  # chroma below which a body has no hue; ivory and dirt reach 15
IVORY = 34.0  # chroma up to which a light yellowish body with dark pips still counts as white
HUES = {  # degrees in the a*b* plane: middle and half width
    "red": (30, 20),
    "orange": (56, 12),
    "yellow": (90, 18),
    "green": (155, 48),
    "blue": (268, 42),
    "purple": (322, 16),
    "pink": (355, 18),
}
VIVID = 42.0  # chroma that no lamp at home lends to a black or white die
CLEARLY = 0.9  # share of odds outside the palette that makes a die foreign
MOST_GAIN = 1.35  # the light is corrected by at most this; a red table is not a red light


def light_of(bgr: Pixels) -> Floats:
    """Estimate the light's colour as (3,) gains that make it neutral.

    The brighter half of the picture is averaged: tables and paper there are mostly pale.
    """
    small = cv2.resize(bgr, (64, 64), interpolation=cv2.INTER_AREA).reshape(-1, 3)
    small = small.astype(np.float64)
    level = small.mean(axis=1)
    pale = np.ptp(small, axis=1) < 0.18 * small.max(axis=1)
    bright = small[pale & (level >= np.percentile(level, 50)) & (small.max(axis=1) < 252)]
    if len(bright) < 40:
        return np.ones(3)
    mean = bright.mean(axis=0)
    # The square root: half of a tint is the table's own as often as the lamp's.
    gains = np.sqrt(mean.mean() / mean)
    return np.asarray(np.clip(gains, 1 / MOST_GAIN, MOST_GAIN), np.float64)


def read_colours(
    crops: Pixels, dark_pips: NDArray[np.bool_], light: Floats
) -> tuple[Floats, Floats]:
    """Return (N, 12) odds of `COLOURS` and (N,) chroma of straightened faces (N, side, side, 3).

    Args:
        crops: BGR faces, pips included.
        dark_pips: (N,) are the pips darker than the body? A black die has light ones.
        light: (3,) gains from `light_of`.
    """
    if not len(crops):
        return np.zeros((0, len(COLOURS))), np.zeros(0)
    bodies = np.array([_body(c, d) for c, d in zip(crops, dark_pips, strict=True)])
    balanced = np.clip(bodies * light, 0, 255).astype(np.float32) / np.float32(255)
    lab = cv2.cvtColor(balanced[None], cv2.COLOR_BGR2LAB)[0].astype(np.float64)
    odds = np.array(
        [_odds(*row, dark_pips=bool(dark)) for row, dark in zip(lab, dark_pips, strict=True)]
    )
    return odds / odds.sum(axis=1, keepdims=True), np.hypot(lab[:, 1], lab[:, 2])


def _body(crop: Pixels, dark_pips: bool) -> Floats:
    """Return the colour of the body: the median of the pixels that are not pips."""
    inner = crop[4:-4, 4:-4].reshape(-1, 3).astype(np.float64)
    level = inner.mean(axis=1)
    # Pips cover at most a quarter of a face, glare less.
    low, high = (30, 95) if dark_pips else (5, 70)
    body = inner[(level >= np.percentile(level, low)) & (level <= np.percentile(level, high))]
    return np.asarray(np.median(body, axis=0), np.float64)


def _odds(lightness: float, a: float, b: float, *, dark_pips: bool) -> list[float]:
    chroma, hue = float(np.hypot(a, b)), float(np.degrees(np.arctan2(b, a)) % 360)
    ivory = dark_pips and lightness > 55 and 50 < hue < 105
    # Never wholly certain: under a coloured light even a white die has a hue.
    coloured = min(_soft(chroma - (IVORY if ivory else GREYISH), 4), 0.97)
    odds = dict.fromkeys(COLOURS, 0.003)
    dark = _soft((42 if not dark_pips else 12) - lightness, 5)
    bright = _soft(lightness - (60 if dark_pips else 88), 5)
    # Whatever the light does to the body, dark pips are not on black, nor light ones on white.
    odds["white" if dark_pips else "black"] += 0.02
    odds["black"] += (1 - coloured) * dark
    odds["white"] += (1 - coloured) * bright * (1 - dark)
    odds["grey"] += (1 - coloured) * (1 - dark) * (1 - bright)
    for name, (middle, half) in HUES.items():
        away = abs((hue - middle + 180) % 360 - 180)
        odds[name] += coloured * _soft(half - away, 4)
    _move(odds, ("red", "orange"), "brown", _soft(42 - lightness, 4) * _soft(38 - chroma, 4))
    _move(odds, ("orange", "yellow"), "brown", _soft(50 - lightness, 4))
    _move(odds, ("red", "purple"), "pink", _soft(lightness - 62, 4))
    return [odds[name] for name in COLOURS]


def _move(odds: dict[str, float], sources: tuple[str, ...], target: str, share: float) -> None:
    for source in sources:
        part = share * odds[source]
        odds[source] -= part
        odds[target] += part


def _soft(x: float, width: float) -> float:
    """Return 0 to 1 as x goes from well below to well above 0."""
    return float(1 / (1 + np.exp(-np.clip(4 * x / width, -40, 40))))


def within_palette(
    odds: Floats, chroma: Floats, palette: tuple[str, ...]
) -> tuple[Floats, NDArray[np.bool_]]:
    """Prefer the colours that the game's dice have.

    Args:
        odds: (N, 12) from `read_colours`.
        chroma: (N,) from the same.
        palette: the body colours that can occur; () is any.

    Returns:
        (N, 12) odds within the palette, and (N,) which bodies are clearly of another colour;
        those keep their odds.
    """
    if not palette:
        return odds, np.zeros(len(odds), np.bool_)
    inside = np.array([name in palette for name in COLOURS])
    outside = odds[:, ~inside].sum(axis=1) > CLEARLY
    # Between black, grey and white the light decides, so no shade of them is foreign to another.
    plain = bool(set(palette) & {"white", "black", "grey"})
    strange = (chroma > VIVID) if plain else (chroma > VIVID) | (chroma < GREYISH / 2)
    foreign: NDArray[np.bool_] = outside & strange
    known = np.where(inside, odds, 0.0)
    known /= known.sum(axis=1, keepdims=True)
    return np.where(foreign[:, None], odds, known), foreign
