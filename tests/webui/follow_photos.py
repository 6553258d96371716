"""Photos whose content names a table, and matches that are followed from them."""

from typing import Any

import numpy as np

from scorer.games import GAMES
from webui.errors import NotRead
from webui.eyes.photo import PhotoReading
from webui.follow import answers
from webui.follow.follower import Follower, nobody

NO_DICE: dict[str, Any] = {"warnings": [], "dice": [], "width": 640, "height": 480}


class FakePhotos:
    """Photos whose content names the table that is read on them."""

    def __init__(self, folder):
        self.folder, self.tables, self.doubts, self.readings = folder, {}, {}, {}

    def photo(self, name, table, *doubts):
        """Make a photo on which *table* is read; None: none can be."""
        path = self.folder / name
        path.write_bytes(name.encode())
        self.tables[path.read_bytes()], self.doubts[path.read_bytes()] = table, doubts
        return path

    def __call__(self, photo, _wanted):
        table = self.tables[photo]
        if table is None:
            raise NotRead("The photo is too dark. Turn on a light or use the flash.")
        return PhotoReading(self.readings.get(photo, NO_DICE), table, self.doubts[photo], b"")


def follower(name, fakes, ask=nobody, seats=2, **settings):
    return Follower(GAMES[name], seats, settings, ask, fakes)


def answered(**by_photo):
    """Return the answers that a file with these would hold, by the photo's name without .jpg."""
    return answers.Answers({f"{name}.jpg": answer for name, answer in by_photo.items()})


SQUARE = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])


def lying_at(tilt, *dice):
    """Return the reading of dice (value, x, y, turn) from a camera moved and tilted so far."""
    dice_read = []
    for value, x, y, turn in dice:
        c, s = np.cos(turn), np.sin(turn)
        x_y = SQUARE @ np.array([(c, s), (-s, c)]) + (x, y)
        far = 1 + tilt * x_y[:, 1:] / 40
        quad = np.roll(20 * (x_y + tilt) / far + 300, int(4 * tilt), axis=0)
        dice_read.append({"value": value, "quad": quad.tolist()})
    return NO_DICE | {"dice": dice_read}


ROLL = ((2, 0, 0, 0.3), (5, 4, 2, 1.0))
