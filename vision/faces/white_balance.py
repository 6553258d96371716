"""White balance: estimate the light of a photo and read body colours as in neutral light.

In: a photo and crops of its faces. Out: log probabilities of the body colours, of the mean over the
lights that there may be: the probabilities of the crop as it is, and of the crop relit to neutral
light. The crop as it is still counts because the estimate can be misled, for example by a table of
warm wood. So a colour that the lamp may have made of another is reported with that other.

The light is estimated by Shades of Grey (Finlayson and Trezzi, "Shades of Gray and Colour
Constancy", CIC 2004): the Minkowski mean of order 6 of all linear light is assumed to be grey. Only
its component between lamp and shade is used, because a green or red cloth does not mean that the
light is green or red.

A glossy face may reflect another light than the rest of the photo has: a window makes a black die
look blue, or a white one in its shade. Such a blue is on the line from neutral to cold light. Where
a face mirrors the lamp itself, what is named is only the colour of the glare's edges.
"""

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces.adapter import Adapter
from vision.faces.candidates import Candidates
from vision.faces.classifier import classify_crops
from vision.faces.detector import softmax
from vision.faces.networks import Models
from vision.geometry import Floats
from vision.models import FaceClassifier
from vision.photo import Pixels, halved
from vision.reading import COLOURS

FEW = 64  # px, sides of the small picture from which the light is estimated
GAMMA = 2.2  # of sRGB, nearly
ORDER = 6  # of the Minkowski mean
LUMA = np.array([0.1, 0.6, 0.3])  # of linear blue, green and red
USABLE = (15, 250)  # range of the brightest channel; the rest is dark noise or clipped
# From daylight to a lamp of 3000 K by Planck's law: logs of blue and red against green.
WARM = np.array([-0.877, 0.0, 0.481])
WARMEST, COLDEST = 1.5, -0.6  # times WARM: a candle, and shade under blue sky
# Photos with less linear light than BRIGHT at the quantile BRIGHTEST are brightened.
BRIGHT, BRIGHTEST = 0.6, 0.95
SLIGHT = 0.1  # log of the largest gain up to which the crop is not relit
RELIT = 0.6  # weight of the relit crop beside the crop as it is
# Bodies of these colours may be white under a lamp that the rest of the photo does not show, such
# as near a window. So their crops are also relit as under a lamp of 3000 K, like WARM.
TINTED = tuple(COLOURS.index(name) for name in ("yellow", "orange", "brown"))
LAMP = -0.96 * WARM
# Bodies of these colours may be black or white and reflect the sky: if they are colder than the
# photo's light by half the warmth of shade at least, by the sky beside a candle at most, and off
# that line by no more than OFF_LINE (log of green against the other channels).
COLD = tuple(COLOURS.index(name) for name in ("blue", "green"))
SKY, OFF_LINE = (COLDEST - WARMEST, COLDEST / 2), 0.35
DARK = 4  # levels that noise and stray light add to a dark body
GLARE = 220  # least level of all channels of a body that mirrors a lamp
FACE = np.s_[:, 14:-14, 14:-14]  # of crops, without the edges of the face
LIGHT_PIPS = (4, 50, 96)  # percentiles of brightness: pips, body, pips
# Warmth (times WARM) of candle light, and log of green against the other channels under a green
# lamp, from which the colours TINTED and OF_GREEN may be white. No training photo of dice has more
# than 0.52 and 0.09; of 253 others one each has more.
CANDLE, GREEN = 1.3, 0.35
OF_GREEN = (COLOURS.index("green"),)
NEUTRAL = [COLOURS.index("black"), COLOURS.index("white")]
AS_WELL = np.log(1 / 3)  # log odds of these against all colours that they then have at least
LEAST = 1e-6  # probability
# Hues, half degrees, at which a body that is named by the first colour may go by the second. Of 44
# rendered dice that are surely named wrong 8 are there, of 995 that are named right one is.
BORDERS = (("yellow", "orange", 15, 23), ("blue", "purple", 119, 127), ("blue", "green", 90, 97))
TINGED = 60  # saturation of a body that has a hue


def log_gains(bgr: Pixels) -> Floats:
    """Return (3,) logs of the gains of blue, green and red that make the light of a photo neutral.

    Chosen on photos held back from training, relit as by warm and weak lamps and as in shade;
    `python -m models.measure accuracy PHOTOS --by light` measures it there.
    """
    linear, grey = _light(bgr)
    # A common change of blue and red against green is ignored: it comes from coloured cloth.
    gains = -float(np.clip(_warmth(grey), COLDEST, WARMEST)) * WARM
    bright = float(np.quantile(linear @ (LUMA * np.exp(gains)), BRIGHTEST))
    return np.asarray(gains + max(np.log(BRIGHT / max(bright, 1e-3)), 0.0), np.float64)


def _light(bgr: Pixels) -> tuple[Floats, Floats]:
    """Return (n, 3) linear light of the picture made small, and (3,) logs of its estimated grey."""
    while min(bgr.shape[:2]) >= 8 * FEW:  # ten times as fast as resizing in one step
        bgr = halved(bgr)
    small = cv2.resize(bgr, (FEW, FEW), interpolation=cv2.INTER_AREA).reshape(-1, 3)
    brightest = small.max(axis=1)
    usable = (brightest > USABLE[0]) & (brightest < USABLE[1])
    linear = np.asarray((small / 255.0) ** GAMMA, np.float64)
    counted = linear[usable] if usable.any() else np.ones((1, 3))
    return linear, np.asarray(np.log(np.mean(counted**ORDER, axis=0)) / ORDER, np.float64)


def _warmth(grey: Floats) -> float:
    return float((grey[2] - grey[0]) / (WARM[2] - WARM[0]))


def may_be_white(bgr: Pixels, colours: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Say which of n dice, (n,) indices of COLOURS, may be white under the light of the photo."""
    tinted = np.isin(colours, (*TINTED, *OF_GREEN))
    if not tinted.any():
        return tinted
    _, grey = _light(bgr)
    by_candle = _warmth(grey) >= CANDLE
    by_green = bool(grey[1] - (grey[0] + grey[2]) / 2 >= GREEN)
    return np.isin(colours, TINTED * by_candle + OF_GREEN * by_green)


def relit(crops: Pixels, gains: Floats) -> Pixels:
    """Return (n, h, w, 3) crops, the linear light of each channel times exp of its gain."""
    levels = (np.arange(256) / 255.0)[:, None] ** GAMMA * np.exp(gains)
    table = np.rint(255 * np.clip(levels, 0, 1) ** (1 / GAMMA)).astype(np.uint8)
    return np.stack([table[crops[..., channel], channel] for channel in range(3)], axis=-1)


def neutral_twins(crops: Pixels, gains: Floats) -> NDArray[np.bool_]:
    """Return (n, 2) which of NEUTRAL n cold crops may be, if they reflect the sky or a lamp.

    A body with light pips may be black, and one with dark pips white. In the glare of a lamp pips
    of all colours are dark: it may be either.
    """
    if not len(crops):
        return np.zeros((0, 2), np.bool_)
    faces = crops[FACE].reshape(len(crops), -1, 3)
    body = np.median(faces, axis=1)
    blue, green, red = (GAMMA * np.log((body + DARK) / (255 + DARK)) + gains).T
    warmth = (red - blue) / (WARM[2] - WARM[0])
    on_line = (warmth > SKY[0]) & (warmth < SKY[1])
    on_line &= np.abs(green - (blue + red) / 2) < OFF_LINE
    dark, middle, light = np.percentile(faces.mean(axis=2), LIGHT_PIPS, axis=1)
    is_black = light - middle > middle - dark
    glaring = (body >= GLARE).all(axis=1)
    twins = np.column_stack([on_line & is_black, on_line & ~is_black]) | glaring[:, None]
    return np.asarray(twins, np.bool_)


def at_borders(crops: Pixels, colours: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return (n, 12) which colours n bodies, named by (n,) *colours*, may go by too."""
    may = np.zeros((len(crops), len(COLOURS)), np.bool_)
    if not len(crops):
        return may
    body = np.median(crops[FACE].reshape(len(crops), 1, -1, 3), axis=2).astype(np.uint8)
    hue, saturation, _ = cv2.cvtColor(body, cv2.COLOR_BGR2HSV)[:, 0].T
    for name, other, low, high in BORDERS:
        between = (hue >= low) & (hue <= high) & (saturation > TINGED)
        may[:, COLOURS.index(other)] |= between & (colours == COLOURS.index(name))
    return may


def colours_in_light(
    crops: Pixels, colours: Floats, gains: Floats, face_classifier: FaceClassifier
) -> Floats:
    """Return (n, 12) logs of the probabilities of the body colours: the mean over all lights tried.

    Args:
        crops: n, as they are on the photo.
        colours: (n, 12) logits of these crops.
        gains: (3,), of the photo, from `log_gains`.
        face_classifier: the network.
    """
    if not len(crops):
        return colours.copy()

    def under(some: Pixels, light: Floats) -> Floats:
        return softmax(classify_crops(relit(some, light), face_classifier)[1])

    looks, probs = 1, softmax(colours)
    if np.abs(gains).max() >= SLIGHT:
        looks, probs = 2, probs + RELIT * (under(crops, gains) - probs)
    if len(tinted := np.flatnonzero(np.isin(probs.argmax(axis=1), TINTED))):
        lamp = under(crops[tinted], LAMP + gains[1])
        probs[tinted] += (lamp - probs[tinted]) / (looks + 1)
    return np.asarray(np.log(np.maximum(probs, LEAST)), np.float64)


def in_neutral_light(
    bgr: Pixels,
    candidates: Candidates,
    places: NDArray[np.intp],
    models: Models,
    adapter: Adapter | None = None,
) -> Candidates:
    """Return the candidates of a photo, with colours at *places* corrected for its light.

    What an *adapter* added to the logits is kept unchanged. If the light may tint white dice, a die
    may reflect the sky, or its hue goes by two words, what it then is gets likely too.
    """
    colours, crops, gains = (
        candidates.colour_logits.copy(),
        candidates.crops[places],
        log_gains(bgr),
    )
    taught = adapter.colour_shift(candidates.embeddings[places]) if adapter else 0.0
    named = taught + colours_in_light(
        crops, colours[places] - taught, gains, models.face_classifier
    )
    top = named.argmax(axis=1)
    white = may_be_white(bgr, top)
    twins = np.column_stack([np.zeros_like(white), white])
    cold = np.flatnonzero(np.isin(top, COLD) & ~white)
    twins[cold] = neutral_twins(crops[cold], gains)
    may = at_borders(crops, top)
    may[:, NEUTRAL] |= twins
    as_likely = np.logaddexp.reduce(named, axis=1, keepdims=True) + AS_WELL
    colours[places] = np.where(may, np.maximum(named, as_likely), named)
    return replace(candidates, colour_logits=colours)
