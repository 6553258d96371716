"""The phone that films: light to frames, as a hand holds it and as its automatics see to it.

A hand's tremor and drift turn the camera a little, which shifts the picture; its rows are read one
after the other; focus hunts, and the exposure follows the brightness of the picture late.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.drawn import Pixels, through_jpeg
from models.sketch.bodies import Floats
from models.sketch.view import developed, shrunk
from models.textures.surfaces import Picture, Random

SLOW_S = 0.4  # in which the exposure follows two thirds of a change
SPARE = 0.07  # of the drawing, around the frame of a phone that is held in a hand
HUNT_S = 0.5  # that a search for focus takes


@dataclass(frozen=True, slots=True)
class PhoneCamera:
    """How a camera films; all zero is one on a stand whose settings are locked."""

    tremor: float = 0.0  # of the frame's width, as a hand trembles some times a second
    drift: float = 0.0  # the same, over many seconds
    shutter_s: float = 0.0  # from the first row to the last
    breathing: float = 0.0  # share by which the picture grows while focus hunts
    softness: float = 0.0  # px of blur then
    metering: float = 0.0  # how far the exposure follows: 1 keeps the mean
    quality: int = 100  # of JPEG frames as a webcam or a poor network sends them
    turned: int = 0  # quarter turns clockwise at which it lies

    @property
    def is_held(self) -> bool:
        """Return True if the frame moves over what is drawn."""
        return bool(self.tremor or self.drift or self.breathing)


def draw_phone(rng: Random) -> PhoneCamera:
    """Choose a phone that is not kind."""
    held = rng.random() < 0.6
    return PhoneCamera(
        tremor=float(rng.uniform(0.001, 0.006)) if held else 0.0,
        drift=float(rng.uniform(0.005, 0.02)) if held else 0.0,
        shutter_s=float(rng.uniform(0.01, 0.03)),
        breathing=float(rng.uniform(0.0, 0.02)) if rng.random() < 0.5 else 0.0,
        softness=float(rng.uniform(0.5, 1.5)),
        metering=float(rng.uniform(0.2, 0.8)) if rng.random() < 0.7 else 0.0,
        quality=int(rng.integers(30, 90)),
        turned=int(rng.integers(4)),
    )


class Film:
    """Frames of one video, in order."""

    def __init__(self, rng: Random, phone: PhoneCamera, size: tuple[int, int]) -> None:
        self.phone, self.size = phone, size
        self.hz = np.concatenate([rng.uniform(0.05, 0.2, 2), rng.uniform(1.5, 7.0, 4)])
        self.phases = rng.uniform(0, 2 * np.pi, (2, 6))
        self.hunts_s = np.cumsum(rng.uniform(2.0, 7.0, 40))
        self.usual: float | None = None  # brightness of the first frame
        self.follow, self.last_s = 1.0, 0.0

    def frame(self, light: Picture, gain: float, time_s: float) -> NDArray[np.float32]:
        """Return (h, w, 3) BGR, 0 to 255, of *light* (h, w, 3) RGB before the sensor's noise."""
        exposed = light * np.float32(gain * self._metered(light, time_s))
        hunt = self._hunting(time_s)
        small = (
            self._held(exposed, time_s, hunt) if self.phone.is_held else shrunk(exposed, self.size)
        )
        if hunt * self.phone.softness > 0.2:
            soft = cv2.GaussianBlur(small, (0, 0), hunt * self.phone.softness)
            small = np.asarray(soft, np.float32)
        return developed(small)

    def finished(self, noisy: NDArray[np.float32]) -> NDArray[np.uint8]:
        """Return a frame as it is sent."""
        frame: Pixels = np.clip(noisy, 0, 255).astype(np.uint8)
        if self.phone.quality < 100:
            frame = through_jpeg(frame, self.phone.quality)
        return np.ascontiguousarray(np.rot90(frame, -self.phone.turned))

    def _metered(self, light: Picture, time_s: float) -> float:
        mean = float(light[::8, ::8].mean()) + 1e-3
        self.usual = self.usual or mean
        wanted = (self.usual / mean) ** self.phone.metering
        share = 1 - np.exp((self.last_s - time_s) / SLOW_S)
        self.follow *= float((wanted / self.follow) ** share)
        self.last_s = time_s
        return self.follow

    def _hunting(self, time_s: float) -> float:
        """Return how far focus is off, 0 to 1."""
        if not self.phone.breathing:
            return 0.0
        since = time_s - self.hunts_s[self.hunts_s <= time_s]
        if not len(since) or since[-1] > HUNT_S:
            return 0.0
        return float(np.sin(np.pi * since[-1] / HUNT_S) ** 2)

    def _held(self, light: Picture, time_s: float, hunt: float) -> Picture:
        """Return the part of the drawing that the frame shows, each row when it is read."""
        (width, height), (h, w) = self.size, light.shape[:2]
        read_s = time_s + self.phone.shutter_s * np.linspace(0, 1, height)
        x, y = self._off(read_s)
        zoom = (1 - 2 * SPARE) * (1 - self.phone.breathing * hunt)
        across = (np.arange(width) + 0.5) / width - 0.5
        down = (np.arange(height) + 0.5) / height - 0.5
        xs = w * (0.5 + zoom * across[None] + x[:, None]) - 0.5
        ys = np.broadcast_to(h * (0.5 + zoom * down + y)[:, None] - 0.5, xs.shape)
        smooth = cv2.blur(light, (2, 2)) if w > 1.2 * width else light
        return np.asarray(
            cv2.remap(
                smooth, xs.astype(np.float32), ys.astype(np.float32), cv2.INTER_LINEAR,
                borderMode=cv2.BORDER_REPLICATE,
            ), np.float32,
        )  # fmt: skip

    def _off(self, times_s: Floats) -> tuple[Floats, Floats]:
        """Return by how much of the frame's width and height it is off at each of (n,) times."""
        swing = np.sin(2 * np.pi * self.hz * times_s[:, None] + self.phases[:, None])
        far = np.array([self.phone.drift] * 2 + [self.phone.tremor / 2] * 4)
        x, y = (swing * far).sum(axis=2)
        return x, y


def told_to_turn(mp4: bytes, quarters: int) -> bytes:
    """Return an MP4 file whose header makes players turn its frames clockwise by *quarters*.

    The matrix stands in the track's header, `tkhd`, 40 bytes after its version for version 0
    (ISO/IEC 14496-12, 8.3.2).
    """
    c, s = ((1, 0), (0, 1), (-1, 0), (0, -1))[quarters % 4]
    unit = 1 << 16
    numbers = (c * unit, s * unit, 0, -s * unit, c * unit, 0, 0, 0, 1 << 30)
    matrix = b"".join(number.to_bytes(4, "big", signed=True) for number in numbers)
    at = mp4.index(b"tkhd") + 4 + 40
    return mp4[:at] + matrix + mp4[at + len(matrix) :]
