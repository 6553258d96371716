"""How well photos of a screen are told.

Run it by `python -m models.measure.photos.screens ../shared/photos/train`.

Reads photos as they are, and each once more as a camera takes it from a screen (synthetic): stripes
of red, green and blue, the lens, a Bayer mosaic and its filling in, noise, and JPEG. Prints of how
many of both it is said that they show a screen. Of sets to train on only photos held back count.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import cv2
import numpy as np

from models.dataset.annotation import AnnotatedImage
from models.measure.photos.choice import chosen, parser_of
from models.measure.photos.markdown import share
from vision import load
from vision.decode import Pixels
from vision.geometry import Floats
from vision.screen_detector import shows_screen

PITCHES = (1.5, 6.0)  # px of the camera from one pixel of the screen to the next
STRIPES = ((0.69, 0.98), (0.35, 0.64), (0.02, 0.31))  # of a pixel's width; blue, green, red
ROW = 0.08  # of a pixel's height is dark
TILT = 0.02  # by how much the far edge is smaller, at most
GAMMA = 2.2
SAMPLES = 3  # a px of the camera, each way
NOISE = 0.01
EXPOSED = 0.8  # of a camera's range, what is brighter than 95 % of the picture
QUALITY = 90


def main(given: Sequence[str] | None = None) -> int:
    """Print the counts."""
    ask = parser_of("screens", "Count photos told to show a screen.")
    ask.add_argument("--most", type=int, default=40, help="photos that are shown on a screen")
    ask.add_argument("--all", action="store_true", help="also photos that networks learned from")
    ask.add_argument("--seed", type=int, default=1)
    args = ask.parse_args(given)
    images = [
        image for one in chosen(args.photos, args.sets, all_photos=args.all) for image in one.images
    ]
    told = sum(shows_screen(load(image.path).bgr) for image in images)
    print(f"photos as they are: {share(told, len(images))} of {len(images)} told as a screen")
    rng = np.random.default_rng(args.seed)
    some = [images[i] for i in rng.permutation(len(images))[: args.most]]
    told = sum(shows_screen(on_screen(rng, image)) for image in some)
    print(f"the same on a screen (synthetic): {share(told, len(some))} of {len(some)}")
    return 0


def on_screen(rng: np.random.Generator, image: AnnotatedImage) -> Pixels:
    """Return a photo of a picture on a screen, after JPEG, as it is read."""
    shown = cv2.resize(image.pixels(), (960, 720), interpolation=cv2.INTER_AREA)
    pitch = rng.uniform(*PITCHES)
    taken = photo_of_screen(rng, np.asarray(shown, np.uint8), pitch, rng.uniform(-0.1, 0.1))
    if rng.random() < 0.5:  # as photos of many megapixels are decoded
        taken = np.asarray(cv2.resize(taken, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))
    _, code = cv2.imencode(".jpg", taken, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR), np.uint8)


def photo_of_screen(
    rng: np.random.Generator,
    shown: Pixels,
    pitch: float,
    turn: float,
    size: tuple[int, int] = (1200, 1600),
) -> Pixels:
    """Return what a camera sees of a screen that fills its picture.

    Args:
        rng: where noise and tilt come from.
        shown: (h, w, 3) BGR, a pixel of the screen each; repeated where the camera sees more.
        pitch: px of the camera from one pixel of the screen to the next.
        turn: radians by which the camera is turned.
        size: rows and columns of the camera, even.
    """
    linear = (shown.astype(np.float32) / 255) ** GAMMA
    sampled = np.zeros((*size, 3), np.float32)
    offsets = (np.arange(SAMPLES) + 0.5) / SAMPLES - 0.5
    to_screen = _to_screen(rng, pitch, turn, size)
    rows, columns = np.mgrid[: size[0], : size[1]].astype(np.float32)
    for dy in offsets:
        for dx in offsets:
            at = np.stack([columns + dx, rows + dy, np.ones_like(rows)], axis=-1) @ to_screen.T
            x, y = at[..., 0] / at[..., 2], at[..., 1] / at[..., 2]
            pixel = linear[
                np.floor(y).astype(int) % len(shown), np.floor(x).astype(int) % shown.shape[1]
            ]
            across, down = x % 1, y % 1
            for channel, (left, right) in enumerate(STRIPES):
                lit = (across >= left) & (across < right) & (down > ROW)
                sampled[..., channel] += pixel[..., channel] * lit
    blurred = cv2.GaussianBlur(sampled / SAMPLES**2 * 3, (0, 0), rng.uniform(0.5, 0.9))
    mosaic = np.zeros(size, np.float32)
    for row, column, channel in ((0, 0, 2), (0, 1, 1), (1, 0, 1), (1, 1, 0)):
        mosaic[row::2, column::2] = blurred[row::2, column::2, channel]
    mosaic += rng.normal(0, NOISE, size).astype(np.float32)
    exposed = mosaic * (EXPOSED / np.percentile(blurred, 95))
    raw = (np.clip(exposed, 0, 1) * 65535).astype(np.uint16)
    filled = cv2.cvtColor(raw, cv2.COLOR_BayerBG2BGR)  # named by its second row: RGGB
    return np.asarray(255 * (filled / 65535) ** (1 / GAMMA), np.uint8)


def _to_screen(
    rng: np.random.Generator, pitch: float, turn: float, size: tuple[int, int]
) -> Floats:
    """Return the (3, 3) homography from px of the camera to pixels of the screen."""
    cos, sin = np.cos(turn) / pitch, np.sin(turn) / pitch
    tilt = rng.uniform(-TILT, TILT, 2) / size[::-1]
    turned = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1.0]])
    return np.asarray(turned @ np.array([[1, 0, 0], [0, 1, 0], [*tilt, 1]]), np.float64)


if __name__ == "__main__":
    sys.exit(main())
