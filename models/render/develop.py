"""From light to a phone's photo: exposure, white balance, sharpening, sensor noise, JPEG."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from models.render.image import Photo, blur
from models.textures.texture import Picture, as_picture

MIDDLE = 0.24  # the mean linear light a phone exposes for
DIM_MIDDLE = 0.07  # and what it reaches in a dim room
WHITEST = 0.96  # linear light the brightest surface may reach before it clips


def develop(
    light: Picture,
    tint: NDArray[np.float64],
    rng: np.random.Generator,
    dim: bool,
    middle: float = MIDDLE,
) -> Photo:
    """Return the photo, (H, W, 3) uint8 BGR, from linear RGB light and the lamps' tint."""
    photo = _expose(_balance(light, tint, rng), rng, DIM_MIDDLE if dim else middle)
    photo = _darken_corners(photo, rng)
    photo = blur(photo, float(rng.uniform(0.45, 0.85)))
    photo = _curve(_add_grain(photo, rng, 0.022 if dim else float(rng.uniform(0.003, 0.009))))
    photo = _sharpen(photo, float(rng.uniform(0.2, 0.7)))
    return (np.clip(photo, 0, 1) * 255 + 0.5).astype(np.uint8)[..., ::-1].copy()


def encode(photo: Photo, quality: int, largest: int | None = None) -> bytes:
    """Return the photo as JPEG; at most *largest* bytes, its quality lowered as needed."""
    while True:
        flags = [cv2.IMWRITE_JPEG_QUALITY, quality, cv2.IMWRITE_JPEG_OPTIMIZE, 1]
        packed = cv2.imencode(".jpg", photo, flags)[1].tobytes()
        if largest is None or len(packed) <= largest or quality <= 40:
            return packed
        quality -= 3


def _balance(light: Picture, tint: NDArray[np.float64], rng: np.random.Generator) -> Picture:
    """Take most of the lamps' tint away, as phones do, and a little of what the table adds."""
    grey = light.reshape(-1, 3).mean(axis=0)
    lamps = (tint.mean() / tint) ** rng.uniform(0.65, 0.95)
    table = (grey.mean() / grey) ** rng.uniform(0.0, 0.2)
    return as_picture(light * lamps * table)


def _expose(light: Picture, rng: np.random.Generator, middle: float) -> Picture:
    """Brighten to a middling mean, or less where the brightest surfaces would clip."""
    grey = light.mean(axis=2)
    gain = middle * rng.uniform(0.85, 1.25) / grey.mean()
    brightest = float(np.percentile(grey, 99)) * gain
    return as_picture(light * gain * min(1.0, WHITEST / brightest))


def uneven(rng: np.random.Generator, light: Picture) -> Picture:
    """Return the light as one window gives it: less on one side, and less in a lens's corners."""
    height, width = light.shape[:2]
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    aim, slope = rng.uniform(0, 2 * np.pi), rng.uniform(0, 0.3)
    fall = np.exp(slope * (x * np.cos(aim) + y * np.sin(aim)))
    corners = 1 - rng.uniform(0, 0.3) * (x**2 + y**2) / 2
    return as_picture(light * (fall * corners)[..., None])


def _darken_corners(photo: Picture, rng: np.random.Generator) -> Picture:
    height, width = photo.shape[:2]
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    fall = 1 - rng.uniform(0.04, 0.16) * (x**2 + y**2) / 2
    return as_picture(photo * fall[..., None])


def _add_grain(photo: Picture, rng: np.random.Generator, strength: float) -> Picture:
    """Add shot and read noise, softened as a phone's own denoiser leaves it."""
    grain = 1.6 * blur(as_picture(rng.standard_normal(photo.shape)), 0.8)
    deviation = strength * np.sqrt(np.clip(photo, 0, None) * 0.5 + 0.02)
    return as_picture(photo + grain * deviation)


def _curve(photo: Picture) -> Picture:
    """Return sRGB in [0, 1] with a soft shoulder and a little more contrast."""
    photo = np.clip(photo, 0, None)
    photo = np.where(photo > 0.7, 0.7 + 0.3 * np.tanh((photo - 0.7) / 0.45), photo)
    low = photo * 12.92
    high = 1.055 * np.power(np.maximum(photo, 1e-6), 1 / 2.4) - 0.055
    srgb = np.where(photo < 0.0031308, low, high)
    return as_picture(srgb + 0.10 * (srgb - 0.5) * 4 * srgb * (1 - srgb))


def _sharpen(photo: Picture, amount: float) -> Picture:
    return as_picture(photo + amount * (photo - blur(photo, 1.3)))
