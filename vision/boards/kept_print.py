"""Cache print that does not move from frame to frame: its markers are only compared.

Nobody moves a page most of the time, and finding its markers takes as long as finding dice. If the
page was moved or a hand hides most of it, it is searched for again.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boards.pose import BoardPose, LocatedBoard
from vision.geometry import Floats, Grid, Points
from vision.photo import Grey

FEWEST = 4  # markers needed to decide whether print was moved
MOST_STILL = 0.5  # share of them that must look the same; a hand may hide the others
MARK = 22.0  # px, side of the squares that are compared on print without markers
ACROSS = 18  # px, side of the crops that are compared
# Least correlation of the crops of a marker. On frames of three tables, 22 px a side, it is at most
# 0.87 after a move by a twentieth of the side, and at least 0.99 without, in noise of 12 grey
# levels.
ALIKE = 0.9

T = TypeVar("T")


@dataclass(slots=True)
class KeptPlace(Generic[T]):
    """What was found on an earlier frame, with the markers it was found by and their crops."""

    sought: object = None
    found: T | None = None
    quads: Floats = field(default_factory=lambda: np.zeros((0, 4, 2)))  # px of the markers
    looks: Floats = field(default_factory=lambda: np.zeros((0, ACROSS**2)))

    def get(
        self, sought: object, grey: Grey, find: Callable[[], tuple[T, Floats]]
    ) -> tuple[T, NDArray[np.bool_]]:
        """Return what *find* returned before if its markers have not moved, else call it again.

        Args:
            sought: what is searched for; a kept result for anything else is not used.
            grey: (h, w) the frame.
            find: searches; returns the result, and (n, 4, 2) px, the corners of its markers.

        Returns:
            The result, and (n,) which of its markers are visible: others may be covered.
        """
        if (still := self.still(sought, grey)) is not None:
            return still
        found, quads = find()
        self.keep(sought, grey, found, quads)
        return found, np.ones(len(quads), np.bool_)

    def still(self, sought: object, grey: Grey) -> tuple[T, NDArray[np.bool_]] | None:
        """Return what `get` does if a result is kept and has not moved; None otherwise."""
        if self.found is None or self.sought != sought or len(self.quads) < FEWEST:
            return None
        alike = (_looks(grey, self.quads) * self.looks).sum(axis=1) > ALIKE
        return (self.found, alike) if alike.sum() >= max(FEWEST, MOST_STILL * len(alike)) else None

    def keep(self, sought: object, grey: Grey, found: T, quads: Floats) -> None:
        """Keep what was found on a frame, with the crops of its markers."""
        self.sought, self.found, self.quads, self.looks = sought, found, quads, _looks(grey, quads)

    def forget(self) -> None:
        """Search again on the next frame."""
        self.found = None


@dataclass(slots=True)
class KeptPrint:
    """The print on the frames of one camera: the look's board, a ruled grid, and other pages."""

    board: KeptPlace[LocatedBoard] = field(default_factory=KeptPlace)
    grid: KeptPlace[Grid] = field(default_factory=KeptPlace)
    pages: KeptPlace[tuple[Floats, list[BoardPose]]] = field(default_factory=KeptPlace)

    def forget(self) -> None:
        """Search for all of it again on the next frame."""
        self.board.forget()
        self.grid.forget()
        self.pages.forget()


def squares_around(middles: Points, side: float) -> Floats:
    """Return (n, 4, 2) squares with this side around (n, 2) middles."""
    ring = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
    return np.asarray(middles[:, None] + side * ring, np.float64)


def _looks(grey: Grey, quads: Floats) -> Floats:
    """Return (n, ACROSS²) crops of n quads, normalized to mean 0 and length 1."""
    end = float(ACROSS)
    square = np.array([(0, 0), (end, 0), (end, end), (0, end)], np.float32)
    shown = np.zeros((len(quads), ACROSS**2))
    for i, quad in enumerate(quads):
        to_square = cv2.getPerspectiveTransform(quad.astype(np.float32), square)
        shown[i] = cv2.warpPerspective(grey, to_square, (ACROSS, ACROSS)).ravel()
    shown -= shown.mean(axis=1, keepdims=True)
    lengths = np.linalg.norm(shown, axis=1, keepdims=True)
    return np.asarray(shown / np.maximum(lengths, 1e-6), np.float64)
