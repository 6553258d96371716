"""A piece of which only a part is on the photo is not left out without a word."""

import numpy as np

from tests import FIXTURES, ROOT
from tests.grids import every_value, few
from vision import Look, Photo, load, read
from vision.warnings import CUT

SAMPLES = ROOT / "webui" / "static" / "samples"
LOOSE = Look("auto", loose=True)  # as a game that counts whatever lies there wants it
PHOTOS = FIXTURES / "photos" / "reveal-000002.jpg", SAMPLES / "sum.jpg", SAMPLES / "farkle.jpg"


@every_value(
    photo=PHOTOS, share=few([0.3, 0.6, 0.9, 0.4, 0.5, 0.7, 0.8], 3), look=["auto", "dice", LOOSE]
)
def test_a_die_that_the_edge_cuts_off_is_never_left_out_or_sure_without_a_word(photo, share, look):
    picture = load(photo)
    whole = read(picture, "dice")
    left, right = (of([die.quad.array[:, 0] for die in whole.dice], 1) for of in (np.min, np.max))
    first = int(right.argmin())
    edge = round(right[first] - share * (right[first] - left[first]))

    reading = read(Photo.from_array(picture.bgr[:, edge:], "bgr"), look)

    assert CUT not in whole.warnings
    assert CUT in reading.warnings
    cut = [die for die in reading.dice if die.center[0] < right[first] - edge]
    assert not any(die.sure for die in cut)
    assert len(reading.dice) - len(cut) == len(whole.dice) - 1


def test_a_ninth_of_a_die_at_the_edge_is_said():
    photo = FIXTURES / "rendered" / "table-001001.jpg"  # 11 % of its top are on it

    assert CUT in read(load(photo), "dice").warnings
