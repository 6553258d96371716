"""Use a board that a person set by four taps on the photo, at the corners of the outer cells."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from vision.board_profile import LONGEST, NotABoard, Profile, plane_of
from vision.boards.pose import BoardPose, LocatedBoard, enlarged
from vision.boards.taught import tracked
from vision.errors import Unreadable
from vision.geometry import Homography
from vision.layout import Four, Layout, even_cells
from vision.photo import Grey, Photo
from vision.quad import Quad
from vision.reading import Look

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.quad import Point

TAP = 0.003  # of the photo's longer side, error of a tap under a magnifier
NEAR_TAPS = 0.04  # of the board's side; print farther from the taps is something else
NO_BOARD = (
    "--corners are those of a board: say which with --look"
    " grid:ROWSxCOLUMNS, sheet:NAME or board:NAME"
)


class NoBoardToSet(ValueError):
    """Corners were given, but no board whose cells are known; `str()` is a sentence."""


def with_corners(look: Look, corners: Sequence[Point]) -> Look:
    """Return the look with a board set at four *corners*, px of the upright photo.

    These are the corners of the outer cells, clockwise from the board's own upper left.

    Raises:
        NoBoardToSet: the look has no board whose cells are known.
    """
    layout = look.layout
    if layout is None and look.grid is not None:
        rows, columns = look.grid
        unit = LONGEST / max(rows, columns)
        layout = even_cells(str(look), (columns * unit, rows * unit), rows, columns)
    if layout is None:
        raise NoBoardToSet(NO_BOARD)
    a, b, c, d = corners
    return replace(look, layout=layout, corners=(a, b, c, d))


def set_by_hand(
    photo: Photo, grey: Grey, layout: Layout, corners: Four, profile: Profile | None = None
) -> LocatedBoard:
    """Return the board at the corners that a person set, in px of the photo.

    For a taught board the pose is refined by its print, which is more exact than taps.

    Raises:
        Unreadable: no camera can see a board with these corners.
    """
    shape = (photo.height, photo.width)
    try:
        plane = plane_of(layout, np.array(corners), shape)
    except NotABoard as fault:
        raise Unreadable("board", str(fault)) from fault
    tap = TAP * max(shape)
    pose = BoardPose(plane, Quad(corners), tap, (), sure=True)
    if profile is not None:
        small = enlarged(pose, 1 / photo.scale)
        better = tracked(grey, profile, small.homography)
        if better is not None:
            return LocatedBoard(_nearer(pose, better[0], photo.scale, layout))
    return LocatedBoard(pose)


def _nearer(pose: BoardPose, plane: Homography, scale: float, layout: Layout) -> BoardPose:
    """Return the pose by the print, *scale* times as large; the taps' if it is far off them."""
    a, b, c, d = ((float(x), float(y)) for x, y in plane.apply(layout.outline))
    found = BoardPose(plane, Quad((a, b, c, d)), plane.error, (), sure=True)
    found = enlarged(found, scale)
    away = np.linalg.norm(found.corners.array - pose.corners.array, axis=1).max()
    return found if away < NEAR_TAPS * pose.corners.side else pose
