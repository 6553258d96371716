"""The same reading however a photo is stored: format, EXIF orientation, size."""

import io
import json
import math

import cv2
import numpy as np
import pytest
from PIL import Image

from tests import FIXTURES
from tests.grids import every_value, few
from tests.vision.test_decode import HEIC, STORED
from vision import Look, Photo, decode, load, read

BOARD = FIXTURES / "boards" / "race-01.jpg"
LOOK = Look.parse("grid:3x3", colours=("black", "white"))
PIXELS = np.asarray(cv2.resize(load(BOARD).bgr, (800, 600), interpolation=cv2.INTER_AREA), np.uint8)


def all_but_time(reading):
    return reading.to_json("photo") | {"ms": 0}


@pytest.fixture(scope="module")
def plain():
    """Return what is read from the pixels themselves."""
    return read(Photo(PIXELS, 800, 600), LOOK)


def stored(orientation, kind, **options):
    """Return the picture as a camera held that way stores it."""
    exif = Image.Exif()
    exif[0x0112] = orientation
    turned = np.ascontiguousarray(STORED[orientation](PIXELS)[:, :, ::-1])
    file = io.BytesIO()
    Image.fromarray(turned).save(file, kind, exif=exif, **options)
    return file.getvalue()


def board(reading):
    return [(die.cell, die.value, die.colour) for die in reading.dice]


def test_the_plain_pixels_are_read_rightly(plain):
    """Else the other tests would compare one wrong reading with another."""
    truth = json.loads(BOARD.with_suffix(".json").read_text())

    on_board = [
        (tuple(die["cell"]), die["value"], die["color"])
        for die in sorted(truth["dice"], key=lambda die: die["cell"] or [9])
        if die["cell"]
    ]

    assert [die for die in board(plain) if die[0]] == on_board


@every_value(orientation=[*STORED], kept=[("PNG", {}), ("WEBP", {"lossless": True})])
def test_without_loss_every_format_and_orientation_gives_the_very_same_photo(orientation, kept):
    """What is equal is read equally: see `test_read_properties`."""
    kind, options = kept
    photo = decode(stored(orientation, kind, **options))

    assert np.array_equal(photo.bgr, PIXELS)
    assert (photo.width, photo.height, photo.scale) == (800, 600, 1.0)


def test_a_stored_photo_gives_the_reading_of_its_pixels(plain):
    photo = decode(stored(6, "PNG"))

    assert all_but_time(read(photo, LOOK)) == all_but_time(plain)


@pytest.mark.parametrize("orientation", few([*STORED][::-1], 4))  # the others: see below
def test_every_orientation_of_a_jpeg_gives_the_same_board(plain, orientation):
    reading = read(decode(stored(orientation, "JPEG", quality=92)), LOOK)

    assert board(reading) == board(plain)
    for die, other in zip(reading.dice, plain.dice, strict=True):
        assert math.dist(die.center, other.center) < 2  # px; the faces are 40 px wide


def test_heic_gives_the_reading_of_its_own_pixels():
    heic = load(HEIC)
    png = bytes(cv2.imencode(".png", heic.bgr)[1])

    assert all_but_time(read(heic, LOOK)) == all_but_time(read(decode(png), LOOK))


def test_a_large_photo_gives_the_same_board_in_its_own_px(plain):
    """It is decoded at half its size; what is told must not be."""
    large = cv2.resize(PIXELS, (4000, 3000), interpolation=cv2.INTER_CUBIC)
    jpeg = bytes(cv2.imencode(".jpg", large)[1])

    reading = read(decode(jpeg), LOOK)

    assert (reading.width, reading.height) == (4000, 3000)
    assert board(reading) == board(plain)
    for die, other in zip(reading.dice, plain.dice, strict=True):
        assert math.dist(die.center, [5 * p for p in other.center]) < 10
