"""What the eyes miss is asked about: a photo without a sharp edge, coloured light, many tiles."""

import cv2
import numpy as np
import pytest

from scorer import Equipment
from tests import ROOT
from tests.conftest import picture
from vision import Photo, decode, load, read
from vision.faces.white_balance import COLOURED
from vision.quality import BLURRED, TOO_FEW, is_blurred, why_unread
from webui.eyes import photo as bridge

RACE = ROOT / "fixtures" / "boards" / "race-02.jpg"
CANDLE, LED = (0.1, 0.6, 1.9), (0.45, 1.2, 0.5)  # times linear blue, green and red


def changed(photo, pixels):
    return Photo(np.ascontiguousarray(pixels), photo.width, photo.height)


def shaken(grey, length, *, upright):
    """Return a picture as a hand that moves so many px shows it."""
    way = np.zeros((length, length), np.float32)
    way[(slice(None), length // 2) if upright else (length // 2, slice(None))] = 1 / length
    return cv2.filter2D(grey, -1, way)


@pytest.mark.parametrize("look", ["auto", "dice", "dominoes"])
def test_a_photo_so_blurred_that_nothing_is_read_is_said_to_be(look):
    photo = load(RACE)
    blurred = changed(photo, cv2.GaussianBlur(photo.bgr, (0, 0), 24))

    reading = read(blurred, look)

    assert not reading.dice
    assert not reading.tiles
    assert BLURRED in reading.warnings


def test_a_copy_too_small_for_its_dice_is_said_to_be():
    photo = load(RACE)
    copy = cv2.resize(photo.bgr, (64, 48), interpolation=cv2.INTER_AREA)
    table = cv2.copyMakeBorder(copy, 96, 96, 88, 88, cv2.BORDER_REPLICATE)

    reading = read(Photo.from_array(table, "bgr"))

    assert not any(die.sure for die in reading.dice)
    assert TOO_FEW.format(width=240, height=240) in reading.warnings
    assert not why_unread(photo)


@pytest.mark.parametrize("upright", [False, True])
def test_a_photo_that_a_moving_hand_has_blurred_is_said_to_be(upright):
    assert is_blurred(shaken(load(RACE).grey(), 21, upright=upright))


def test_a_sharp_photo_and_one_of_nothing_are_not_called_blurred():
    assert not is_blurred(load(RACE).grey())
    assert not is_blurred(np.full((600, 800), 90, np.uint8))
    assert BLURRED not in read(decode(picture(640, 480))).warnings


def lit(photo, light):
    """Return a photo as it would be in light of so many times each channel."""
    linear = (np.arange(256) / 255)[:, None] ** 2.2 * np.array(light)
    levels = np.rint(255 * np.clip(linear, 0, 1) ** (1 / 2.2)).astype(np.uint8)
    return changed(photo, np.stack([levels[photo.bgr[..., k], k] for k in range(3)], axis=-1))


def doubted(reading):
    """Return of each die of a colour that such light gives to white whether white is named too."""
    tinted = [die for die in reading.dice if die.colour in ("yellow", "orange", "brown", "green")]
    return ["white" in die.colour_words.split() for die in tinted]


@pytest.mark.parametrize("light", [CANDLE, LED])
@pytest.mark.parametrize("name", ["race-02", "race-03", "race-06", "race-07", "race-08"])
def test_white_dice_that_a_lamp_colours_are_asked_about(name, light):
    reading = read(lit(load(RACE.with_stem(name)), light), "dice")

    assert all(doubted(reading))
    assert (COLOURED in reading.warnings) is bool(doubted(reading))


def test_a_green_lamp_turns_white_dice_green_and_plain_light_does_not():
    photo = load(RACE)

    assert doubted(read(lit(photo, LED), "dice"))
    assert not doubted(read(photo, "dice"))
    assert COLOURED not in read(photo, "dice").warnings


def test_the_light_is_no_question_where_colours_do_not_count():
    photo = lit(load(RACE), LED)
    content = cv2.imencode(".png", photo.bgr)[1].tobytes()

    reading = bridge.see(content, Equipment(dice=9)).reading

    assert len(reading["dice"]) == 9
    assert COLOURED not in reading["warnings"]


def test_however_many_tiles_lie_there_none_is_left_out():
    photo = load(ROOT / "fixtures" / "full-set" / "full-set.jpg")
    three = np.hstack([photo.bgr, photo.bgr[:, ::-1], photo.bgr])

    reading = read(Photo.from_array(three, "bgr"), "dominoes")

    assert len(reading.tiles) == 84
