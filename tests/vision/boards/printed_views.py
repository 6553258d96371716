"""Printed boards as a camera sees them."""

from functools import cache

import cv2
import numpy as np
import pypdfium2
import pytest

from models.camera import sent
from models.measure.boards.boards import SIZE, PrintedView, photographed
from webui.eyes.printed_boards import board_named, names
from webui.pages.drawings.board_pdf import board_pdf

PX_PER_MM = 4.0
STEEP = PrintedView(elevation=60, azimuth=30, turn=5)


every_board = pytest.mark.parametrize("name", names())


def rendered(name, paper="a4"):
    with pypdfium2.PdfDocument(board_pdf(board_named(name), paper)) as pdf:
        return pdf[0].render(scale=PX_PER_MM * 25.4 / 72).to_numpy()[..., :3].copy()


page = cache(rendered)


def shot(picture, view=STEEP, seed=1, size=SIZE):
    """Return a grey photo of a page, and its mm-to-px map."""
    bgr, plane = photographed(np.random.default_rng(seed), picture, PX_PER_MM, view, size)
    return cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), plane


def farthest_off(pose, layout, plane):
    """Return how far, in mm, the worst corner of the board was found from where it is."""
    found = pose.homography.inverse().apply(sent(plane, layout.outline))
    return np.linalg.norm(found - layout.outline, axis=1).max()
