"""A photo of a screen is told from one of a table, by colours that follow each other."""

import cv2
import numpy as np
import pytest

from models.measure.photos.screens import photo_of_screen
from tests import FIXTURES
from vision import load, read
from vision.decode import Photo
from vision.screen_detector import ON_SCREEN, shows_screen

TABLE = FIXTURES / "sheets" / "sheet-009003.jpg"


def photographed(bgr, quality=90):
    """Return a picture after JPEG."""
    _, code = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return cv2.imdecode(code, cv2.IMREAD_COLOR)


@pytest.mark.parametrize("pitch", [1.7, 4.2, 5.5])  # px of the camera a pixel
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
