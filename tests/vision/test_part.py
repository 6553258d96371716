"""A part of a photo: it lies where it did on the whole, and the whole is held against it."""

import cv2
import numpy as np
import pytest

from tests import ROOT
from vision import Look, Photo, Unreadable, as_jpeg, decode, load, read
from vision.part import GREY, PhotoPart, check_same, painted

DICE = ROOT / "webui" / "static" / "samples" / "farkle.jpg"
NONSENSE = {
    "nothing of it": (500, 200, 500, 500),
    "upside down": (200, 500, 600, 200),
    "beside it": (-100, 0, 300, 300),
    "off its end": (600, 500, 1000, 800),
    "of another size": (0, 0, 300, 200),
}


def cut(photo, left, top, right, bottom):
    """Return that part of a photo as a phone sends it."""
    part = PhotoPart(left, top, right, bottom, photo.width, photo.height)
    pixels = cv2.imencode(".webp", photo.bgr[top:bottom, left:right], [1, 75])[1]
    return decode(bytes(pixels)), part


def around(photo):
    """Return the box of the dice of a photo, with a face's side around them."""
    reading = read(photo, Look.parse("dice"))
    corners = np.concatenate([die.quad.array for die in reading.dice])
    (left, top), (right, bottom) = corners.min(0), corners.max(0)
    side = reading.face_side or 0
    wide, high = min(right + side, photo.width), min(bottom + side, photo.height)
    return int(max(left - side, 0)), int(max(top - side, 0)), int(wide), int(high)


def test_what_is_read_on_a_part_lies_where_it_does_on_the_whole():
    photo = load(DICE)

    crop, part = cut(photo, *around(photo))
    shown = painted(crop, part)

    assert (shown.width, shown.height) == (photo.width, photo.height)
    assert (shown.bgr[0, 0] == GREY).all()
    whole, cropped = (read(one, Look.parse("dice")).dice for one in (photo, shown))
    assert len(whole) == len(cropped) == 6
    for die in whole:
        near = min(cropped, key=lambda one: np.hypot(*np.subtract(one.center, die.center)))
        assert near.value == die.value
        assert np.abs(near.quad.array - die.quad.array).max() < 2


@pytest.mark.parametrize("box", NONSENSE.values(), ids=NONSENSE.keys())
def test_a_part_that_cannot_be_is_refused(box):
    photo = load(DICE)
    crop, _ = cut(photo, 200, 200, 600, 500)

    with pytest.raises(Unreadable, match="not as large"):
        painted(crop, PhotoPart(*box, photo.width, photo.height))


def test_no_whole_is_too_large():
    crop, _ = cut(load(DICE), 0, 0, 300, 300)

    with pytest.raises(Unreadable, match="megapixels"):
        painted(crop, PhotoPart(0, 0, 300, 300, 99_999, 99_999))


def other_photos(photo):
    """Return photos that are not a *photo* of dice."""
    moved = np.roll(photo.bgr, 4, axis=1)
    return {
        "the camera moved": Photo.from_array(moved, "bgr"),
        "turned": Photo.from_array(photo.bgr[::-1, ::-1], "bgr"),
        "another size": Photo.from_array(photo.bgr[:-2], "bgr"),
    }


def test_a_whole_photo_is_the_one_that_a_part_was_taken_from():
    photo = load(DICE)
    crop, part = cut(photo, *around(photo))
    stored = decode(as_jpeg(painted(crop, part)))

    check_same(decode(bytes(cv2.imencode(".webp", photo.bgr, [1, 75])[1])), stored, part)

    for other in other_photos(photo).values():
        with pytest.raises(Unreadable, match="not the photo"):
            check_same(other, stored, part)
