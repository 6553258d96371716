"""White balance: which light a photo was taken in, and how bodies look in a neutral one.

In: a photo and crops of its faces. Out: logits of the body colours, the mean of what the network
says of a crop as it is and of the same crop in neutral light. Two opinions: where a photo misleads
about its light (a table of warm wood), the crop as it is still counts.

The light is told by Shades of Grey (Finlayson and Trezzi, "Shades of Gray and Colour Constancy",
CIC 2004): the Minkowski mean of order 6 of all linear light is taken for grey. Of it only what lies
between lamp and shade is believed, since a green or a red cloth makes no light green or red.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.decode import Pixels, halved
from vision.faces.adapter import Adapter
from vision.faces.candidates import Candidates
from vision.faces.classifier import classify_crops
from vision.faces.multiscale import Models
from vision.geometry import Floats
from vision.models import FaceClassifier
from vision.reading import COLOURS

FEW = 64  # px, sides of the small picture that tells the light
GAMMA = 2.2  # of sRGB, nearly
ORDER = 6  # of the Minkowski mean
LUMA = np.array([0.1, 0.6, 0.3])  # of linear blue, green and red
USABLE = (15, 250)  # grey levels of the brightest channel; others are dark noise or cut off
# From daylight to a lamp of 3000 K by Planck's law: logs of blue and red against green.
WARM = np.array([-0.877, 0.0, 0.481])
WARMEST, COLDEST = 1.5, -0.6  # times WARM: a candle, and a shade under blue sky
# Linear light of the brightest twentieth of a photo below which its faces are looked at brighter.
BRIGHT, BRIGHTEST = 0.6, 0.95
SLIGHT = 0.1  # log of a gain below which nothing is gained by another look
# A body of these may be a white one under a lamp of which the rest of the photo tells nothing, as
# it is by a window. So it is looked at as under such a lamp too, one of 3000 K, as WARM is.
TINTED = tuple(COLOURS.index(name) for name in ("yellow", "orange", "brown"))
LAMP = -0.96 * WARM
# The light of a candle, times WARM, and of a green lamp, logs of green against both others: no
# training photo of dice has more than 0.52 and 0.09, of 253 others one each has more. Relit by
# either, white dice on them look as said; so one that looks so there may be white.
CANDLE, GREEN = 1.3, 0.35
OF_GREEN = (COLOURS.index("green"),)
WHITE = COLOURS.index("white")
AS_WELL = np.log(0.5)  # of a colour, by which white is at least as likely then
COLOURED = "The light colours the dice: white ones may look orange or green. Check their colours."


def log_gains(bgr: Pixels) -> Floats:
    """Return (3,) logs of the gains of blue, green and red that make the light of a photo neutral.

    Chosen on photos held back from training, relit as by warm and weak lamps and as in shade; what
    it is worth there is told by `python -m models.measure.photos.report --by light`.
    """
    linear, grey = _light(bgr)
    # What blue and red have in common against green is no lamp's: a green cloth is no light.
    gains = -float(np.clip(_warmth(grey), COLDEST, WARMEST)) * WARM
    bright = float(np.quantile(linear @ (LUMA * np.exp(gains)), BRIGHTEST))
    return np.asarray(gains + max(np.log(BRIGHT / max(bright, 1e-3)), 0.0), np.float64)


def _light(bgr: Pixels) -> tuple[Floats, Floats]:
    """Return (n, 3) linear light of a small picture, and (3,) logs of the grey it is taken for."""
    while min(bgr.shape[:2]) >= 8 * FEW:  # ten times as fast as all at once
        bgr = halved(bgr)
    small = cv2.resize(bgr, (FEW, FEW), interpolation=cv2.INTER_AREA).reshape(-1, 3)
    brightest = small.max(axis=1)
    usable = (brightest > USABLE[0]) & (brightest < USABLE[1])
    linear = np.asarray((small / 255.0) ** GAMMA, np.float64)
    counted = linear[usable] if usable.any() else np.ones((1, 3))
    return linear, np.asarray(np.log(np.mean(counted**ORDER, axis=0)) / ORDER, np.float64)


def _warmth(grey: Floats) -> float:
    return float((grey[2] - grey[0]) / (WARM[2] - WARM[0]))


def may_be_white(bgr: Pixels, told: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Say which of n dice, *told* by indices of COLOURS, may be white ones in a photo's light."""
    tinted = np.isin(told, (*TINTED, *OF_GREEN))
    if not tinted.any():
        return tinted
    _, grey = _light(bgr)
    by_candle = _warmth(grey) >= CANDLE
    by_green = bool(grey[1] - (grey[0] + grey[2]) / 2 >= GREEN)
    return np.isin(told, TINTED * by_candle + OF_GREEN * by_green)


def relit(crops: Pixels, gains: Floats) -> Pixels:
    """Return (n, h, w, 3) crops in so much more light of each channel, (3,) logs."""
    levels = (np.arange(256) / 255.0)[:, None] ** GAMMA * np.exp(gains)
    table = np.rint(255 * np.clip(levels, 0, 1) ** (1 / GAMMA)).astype(np.uint8)
    return np.stack([table[crops[..., channel], channel] for channel in range(3)], axis=-1)


def colours_in_light(
    crops: Pixels, colours: Floats, gains: Floats, face_classifier: FaceClassifier
) -> Floats:
    """Return (n, 12) logits of the body colours of n crops: the mean of all looks at each.

    Args:
        crops: as they are on the photo.
        colours: the logits of these crops as they are.
        gains: of the photo, from `log_gains`.
        face_classifier: the network.
    """
    looks, told = 1, colours.copy()
    if len(crops) and np.abs(gains).max() >= SLIGHT:
        looks, told = 2, told + classify_crops(relit(crops, gains), face_classifier)[1]
    tinted = np.flatnonzero(np.isin(told.argmax(axis=1), TINTED))
    under_lamp = classify_crops(relit(crops[tinted], LAMP + gains[1]), face_classifier)[1]
    told /= looks
    told[tinted] = (looks * told[tinted] + under_lamp) / (looks + 1)
    return told


def in_neutral_light(
    bgr: Pixels,
    candidates: Candidates,
    places: NDArray[np.intp],
    models: Models,
    adapter: Adapter | None = None,
) -> Candidates:
    """Return the candidates of a photo, the colours of those at *places* told by its light too.

    What an *adapter* has added to their colours counts whole. Where the light may colour white
    dice, one that looks so is told to be white too.
    """
    colours = candidates.colour_logits.copy()
    taught = adapter.colour_shift(candidates.embeddings[places]) if adapter else 0.0
    colours[places] = taught + colours_in_light(
        candidates.crops[places], colours[places] - taught, log_gains(bgr), models.face_classifier
    )
    top = colours[places].max(axis=1, initial=-np.inf)
    doubtful = may_be_white(bgr, colours[places].argmax(axis=1))
    white = np.where(doubtful, top + AS_WELL, -np.inf)
    colours[places, WHITE] = np.maximum(colours[places, WHITE], white)
    return replace(candidates, colour_logits=colours)
