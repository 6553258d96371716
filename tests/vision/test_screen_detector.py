"""A photo of a screen is told from one of a table, by colours that follow each other."""

import cv2
import numpy as np
import pytest

from tests import FIXTURES
from tests.grids import few
from vision import load, read
from vision.decode import Photo
from vision.screen_detector import ON_SCREEN, shows_screen

TABLE = FIXTURES / "sheets" / "sheet-009003.jpg"
STRIPES = ((0.69, 0.98), (0.35, 0.64), (0.02, 0.31))  # of a pixel's width; blue, green, red
ROW = 0.08  # of a pixel's height is dark
TILT = 0.02  # by how much the far edge is smaller, at most
GAMMA = 2.2
SAMPLES = 3  # a px of the camera, each way
NOISE = 0.01
EXPOSED = 0.8  # of a camera's range, what is brighter than 95 % of the picture


def photographed(bgr, quality=90):
    """Return a picture after JPEG."""
    _, code = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return cv2.imdecode(code, cv2.IMREAD_COLOR)


def photo_of_screen(rng, shown, pitch, turn, size):
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
    to_screen = to_screen_px(rng, pitch, turn, size)
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


def to_screen_px(rng, pitch, turn, size):
    """Return the (3, 3) homography from px of the camera to pixels of the screen."""
    cos, sin = np.cos(turn) / pitch, np.sin(turn) / pitch
    tilt = rng.uniform(-TILT, TILT, 2) / size[::-1]
    turned = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1.0]])
    return turned @ np.array([[1, 0, 0], [0, 1, 0], [*tilt, 1]])


@pytest.mark.parametrize("pitch", few([1.7, 5.5, 4.2], 2))  # px of the camera a pixel
def test_a_photo_of_a_screen_is_told(pitch):
    shown = load(TABLE).bgr
    taken = photographed(photo_of_screen(np.random.default_rng(1), shown, pitch, 0.03, (900, 1200)))

    assert shows_screen(taken)


def test_a_photo_of_a_screen_is_read_and_doubted():
    shown = load(TABLE).bgr
    taken = photographed(photo_of_screen(np.random.default_rng(1), shown, 4.2, 0, (900, 1200)))

    assert ON_SCREEN in read(Photo(taken, taken.shape[1], taken.shape[0])).warnings


def test_a_photo_of_a_table_is_none():
    assert not shows_screen(load(TABLE).bgr)


@pytest.mark.parametrize(
    "colours", [((40, 40, 200), (220, 220, 230)), ((200, 120, 30), (60, 200, 220))]
)
def test_a_chequered_cloth_is_none(colours):
    """All its colours change at once, however regular and strong the pattern is."""
    rows, columns = np.mgrid[:600, :800]
    chequered = np.array(colours, np.uint8)[(rows // 7 + columns // 7) % 2]

    assert not shows_screen(photographed(cv2.GaussianBlur(chequered, (0, 0), 0.8)))


def test_a_small_picture_cannot_tell():
    assert not shows_screen(np.zeros((200, 300, 3), np.uint8))
