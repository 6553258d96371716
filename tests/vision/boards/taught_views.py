"""Boards that a person taught, as a camera sees them again."""

from functools import cache

import cv2
import numpy as np

from models.camera import sent
from models.measure.boards.boards import PrintedView, cover
from tests.vision.boards import printed_views
from tests.vision.boards.printed_views import PX_PER_MM
from vision.board_profile import learned

SIZE = (756, 1008)  # px
CORNERS = np.array([(60.0, 60), (740, 60), (740, 740), (60, 740)])  # px of a page of 800 x 800
LOW = PrintedView(elevation=40, azimuth=70, turn=8)


def lines(picture, at, low, high, ink=(40, 60, 40)):
    for place in np.round(at).astype(int).tolist():
        cv2.line(picture, (place, low), (place, high), ink, 4, cv2.LINE_AA)
        cv2.line(picture, (low, place), (high, place), ink, 4, cv2.LINE_AA)


@cache
def page(seed):
    """Return a page with a ruled 4x4 board and something else printed in each cell."""
    rng = np.random.default_rng(seed)
    picture = np.full((800, 800, 3), 235, np.uint8)
    lines(picture, np.arange(60, 741, 170), 60, 740)
    for x in range(4):
        for y in range(4):
            word = "".join(rng.choice(list("ABCDEFGHKLMNPRSTUVWXYZ"), 3))
            at = (80 + 170 * x, 165 + 170 * y)
            ink = tuple(int(level) for level in rng.integers(0, 150, 3))
            cv2.putText(picture, word, at, int(rng.integers(0, 5)), 1.8, ink, 4, cv2.LINE_AA)
    return picture


def grey_of(picture):
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


@cache
def taught(seed):
    return learned(grey_of(page(seed)), CORNERS, 4, 4, "board:ours")


def shot(picture, view, corners=CORNERS):
    """Return a grey photo of a page, and where the corners (4, 2) of its board are on it."""
    grey, plane = printed_views.shot(picture, view, seed=3, size=SIZE)
    return grey, sent(plane, (corners + 0.5) / PX_PER_MM)


@cache
def ruled(cells, ink=30):
    """Return a page with nothing but the lines of cells."""
    picture = np.full((800, 800, 3), 235, np.uint8)
    lines(picture, np.linspace(60, 740, cells + 1), 60, 740, (ink,) * 3)
    return picture


def hidden(picture, count):
    """Return a page with *count* cells under hands."""
    squares = np.array([(x, y) for x in range(4) for y in range(4)], np.float64)[:count, None]
    around = np.array([(0.3, 0.3), (0.7, 0.3), (0.7, 0.7), (0.3, 0.7)])
    mm = (60 + 170 * (squares + around)) / PX_PER_MM
    return cover(np.random.default_rng(2), picture, PX_PER_MM, mm)


def with_dice(dice, picture):
    """Return a page with a picture of a die in each of some cells, (column, row)."""
    shown = picture.copy()
    for (x, y), die in dice.items():
        left, top = 125 + 170 * x, 68 + 170 * y
        shown[top : top + len(die), left : left + len(die)] = die
    return shown


def framed(cells):
    """Return a page with a board of *cells* x *cells*, all alike, in a printed frame."""
    picture = np.full((1100, 1100, 3), 235, np.uint8)
    lines(picture, np.linspace(230, 870, cells + 1), 230, 870)
    cv2.rectangle(picture, (170, 170), (930, 930), (40, 60, 40), 8)
    cv2.putText(picture, "THE LONG GAME", (300, 140), 2, 1.8, (40, 60, 40), 3, cv2.LINE_AA)
    return picture


def larger(print_in_it):
    """Return a page full of lines, with some print in the cells of the part that is the board."""
    picture = np.full((1700, 1700, 3), 235, np.uint8)
    lines(picture, np.arange(20, 1700, 85), 0, 1699)
    if print_in_it:
        cv2.circle(picture, (855, 855), 30, (20, 20, 160), -1)
        cv2.putText(picture, "START", (815, 705), 1, 4, (0, 0, 0), 5)
    return picture
