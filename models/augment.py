"""What a phone does to a picture: lens, sensor, denoising, tone, JPEG. For sketches and training.

All pictures are (h, w, 3) uint8; channel order does not matter.
"""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.drawn import Pixels, through_jpeg

AnyPixels = NDArray[np.integer[Any] | np.floating[Any]]  # what OpenCV says that it returns
Random = np.random.Generator
BLUR = 1.6  # px, the most a picture is blurred


def recolour(rng: Random, picture: Pixels, strength: float = 1.0) -> Pixels:
    """Change exposure, contrast, saturation and the light's colour."""
    if rng.random() > 0.85:
        return picture
    gain = np.exp(rng.normal(0, 0.22 * strength)) * np.exp(rng.normal(0, 0.07 * strength, 3))
    gamma = np.exp(rng.normal(0, 0.2 * strength))
    lift = rng.uniform(0, 18) * strength if rng.random() < 0.3 else 0.0
    ramp = np.arange(256, dtype=np.float64)[:, None] / 255
    table = np.clip(255 * (np.clip(ramp * gain, 0, 1) ** gamma) * (1 - lift / 255) + lift, 0, 255)
    out = cv2.LUT(picture, table.astype(np.uint8)[None])
    if rng.random() < 0.4:
        grey = cv2.cvtColor(out, cv2.COLOR_BGR2GRAY)[..., None]
        keep = rng.uniform(0.3, 1.4)
        out = cv2.addWeighted(out, keep, np.repeat(grey, 3, axis=2), 1 - keep, 0)
    return np.asarray(out, np.uint8)


def grey(picture: Pixels) -> Pixels:
    """Take the colours away, as a camera without any gives it."""
    plain = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    return np.repeat(np.asarray(plain, np.uint8)[..., None], 3, axis=2)


def soften(rng: Random, picture: Pixels, most: float = BLUR) -> Pixels:
    """Blur by defocus or by a moving hand; now and then sharpen as phones do."""
    kind = rng.random()
    if kind < 0.35:
        return np.asarray(cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.3, most)), np.uint8)
    if kind < 0.5:
        return _shake(rng, picture, most)
    if kind < 0.65:
        return _sharpened(picture, 1.2, rng.uniform(0.2, 1.2))
    return picture


def _sharpened(picture: Pixels, reach: float, much: float) -> Pixels:
    blurred = cv2.GaussianBlur(picture, (0, 0), reach)
    return np.asarray(cv2.addWeighted(picture, 1 + much, blurred, -much, 0), np.uint8)


def _shake(rng: Random, picture: Pixels, most: float) -> Pixels:
    length = int(rng.integers(2, max(3, round(3 * most)) + 1)) | 1
    kernel = np.zeros((length, length), np.float32)
    angle = rng.uniform(0, np.pi)
    step = np.array([np.cos(angle), np.sin(angle)]) * length / 2
    a, b = (np.round(length // 2 + s * step).astype(int).tolist() for s in (-1, 1))
    cv2.line(kernel, a, b, 1.0, 1)
    return np.asarray(cv2.filter2D(picture, -1, kernel / max(kernel.sum(), 1)), np.uint8)


def roughen(rng: Random, picture: Pixels, most: float = 12.0) -> Pixels:
    """Add sensor noise, coarse or fine, and JPEG blocks."""
    h, w = picture.shape[:2]
    out = picture
    if rng.random() < 0.5:
        grain = int(rng.choice([1, 1, 2]))
        size = (h // grain + 1, w // grain + 1, 3)
        hiss = rng.standard_normal(size, np.float32) * rng.uniform(1, most)
        large = cv2.resize(hiss, (w, h)) if grain > 1 else hiss
        out = np.clip(out + large[:h, :w], 0, 255).astype(np.uint8)
    if rng.random() < 0.5:
        out = through_jpeg(out, int(rng.integers(35, 96)))
    return out


def smear(rng: Random, picture: Pixels) -> Pixels:
    """Take sensor noise away as phones do in a dim room: grain runs into patches, edges fray."""
    strength = rng.uniform(4, 18)
    noisy: AnyPixels = np.clip(picture + rng.normal(0, strength, picture.shape), 0, 255).astype(
        np.uint8
    )
    for _ in range(int(rng.integers(1, 3))):
        noisy = cv2.bilateralFilter(noisy, 5, rng.uniform(2, 4) * strength, rng.uniform(1, 3))
    if rng.random() < 0.4:
        noisy = cv2.medianBlur(noisy, 3)
    return _sharpened(np.asarray(noisy, np.uint8), 1.0, rng.uniform(0, 1.5))


def glare(rng: Random, picture: Pixels) -> Pixels:
    """Put a soft bright spot or a soft shadow edge somewhere."""
    h, w = picture.shape[:2]
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    cx, cy = rng.uniform(0, w), rng.uniform(0, h)
    if rng.random() < 0.5:
        spread = rng.uniform(0.04, 0.25) * max(h, w)
        spot = np.exp(-((x - cx) ** 2 + ((y - cy) * rng.uniform(0.5, 2)) ** 2) / (2 * spread**2))
        lit = np.clip(picture + (rng.uniform(30, 200) * spot)[..., None], 0, 255)
        return np.asarray(lit, np.uint8)
    angle = rng.uniform(0, 2 * np.pi)
    along = (x - cx) * np.cos(angle) + (y - cy) * np.sin(angle)
    shade = rng.uniform(0.35, 0.9)
    edge = 1 / (1 + np.exp(-along / (rng.uniform(0.005, 0.1) * max(h, w))))
    return np.asarray(picture * (shade + (1 - shade) * edge)[..., None], np.uint8)


def sheen(rng: Random, picture: Pixels) -> Pixels:
    """Mirror a lamp in polish: a bright patch whose edges the polish's waves cut into flecks."""
    h, w = picture.shape[:2]
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    spread = np.exp(rng.uniform(np.log(0.05), np.log(0.5), 2)) * max(h, w)
    across, along = (x - rng.uniform(0, w)) / spread[0], (y - rng.uniform(0, h)) / spread[1]
    waves = sum(
        cv2.resize(
            rng.standard_normal((cells, cells), np.float32), (w, h), None, 0, 0, cv2.INTER_CUBIC
        )
        for cells in rng.integers(4, 22, 2)
    )
    bright = 1 - 0.5 * (across**2 + along**2) + rng.uniform(0.1, 0.6) * waves
    edge = np.clip(bright / rng.uniform(0.05, 0.8), 0, 1)
    # A fleck may be as bright as can be; under a large patch pips are still to be read.
    most = 255 if spread.max() < 0.15 * max(h, w) else 120
    lamp = rng.uniform(40, most) * np.exp(rng.normal(0, 0.05, 3))
    return np.asarray(np.clip(picture + edge[..., None] * lamp, 0, 255), np.uint8)


def repaint(rng: Random, picture: Pixels) -> Pixels:
    """Give everything other colours: a negative, other channels for red, green, blue; or both.

    Pips stay as plain as they were, so the few real dice there are become dice of every colour.
    """
    negative = rng.random() < 0.5
    order = [0, 1, 2] if negative and rng.random() < 0.4 else rng.permutation(3).tolist()
    out = picture[..., order]
    return np.ascontiguousarray(255 - out if negative else out)


def dull(rng: Random, picture: Pixels) -> Pixels:
    """Let a patch of a face fade into its body: worn paint, dirt in a pip, a haze of light."""
    h, w = picture.shape[:2]
    body = cv2.medianBlur(picture, round(0.36 * min(h, w)) | 1)  # wider than most pips
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    middle, spread = rng.uniform(0.15, 0.85, 2) * (w, h), rng.uniform(0.08, 0.22) * min(h, w)
    away = np.hypot(x - middle[0], y - middle[1]) / spread
    share = rng.uniform(0.3, 0.75) / (1 + np.exp((away - 1) / 0.12))
    return np.asarray(picture + share[..., None] * (body.astype(np.float32) - picture), np.uint8)
