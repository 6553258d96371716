"""Print that lies still is found once: on later frames its markers are only compared.

A page does not move while nobody touches it, and to find its markers costs as much as to find dice.
Where it moved, or a hand hides most of it, it is looked for anew.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boards.pose import BoardPose, LocatedBoard
from vision.decode import Grey
from vision.geometry import Floats, Grid, Points

FEWEST = 4  # markers that tell whether print moved,
MOST_STILL = 0.5  # and the share of all that must look as they did: a hand may hide the others
MARK = 22.0  # px, side of the squares by which print without markers is known to lie still
ACROSS = 18  # px by which a marker is compared, three to each of its six squares
# Correlation of a marker's looks: on frames of three tables, 22 px a side, at most 0.87 where it
# moved by a twentieth of its side, at least 0.99 where it lay still in noise of 12 grey levels.
ALIKE = 0.9

T = TypeVar("T")


@dataclass(slots=True)
class KeptPlace(Generic[T]):
    """What was found by markers on a frame, and how these looked there."""

    sought: object = None
    found: T | None = None
    quads: Floats = field(default_factory=lambda: np.zeros((0, 4, 2)))  # px of the markers
    looks: Floats = field(default_factory=lambda: np.zeros((0, ACROSS**2)))

    def get(
        self, sought: object, grey: Grey, find: Callable[[], tuple[T, Floats]]
    ) -> tuple[T, NDArray[np.bool_]]:
        """Return what *find* told before, if the markers by which it did lie as they lay.

        Args:
            sought: what is looked for; for another thing nothing is kept.
            grey: (h, w) the frame.
            find: looks for it; returns it, and (n, 4, 2) px, the corners of the markers there.

        Returns:
            What was found, and (n,) which of its markers are seen: a die may lie on others now.
        """
        if (still := self.still(sought, grey)) is not None:
            return still
        found, quads = find()
        self.keep(sought, grey, found, quads)
        return found, np.ones(len(quads), np.bool_)

    def still(self, sought: object, grey: Grey) -> tuple[T, NDArray[np.bool_]] | None:
        """Return what `get` does if it is kept and lies as it lay; None else."""
        if self.found is None or self.sought != sought or len(self.quads) < FEWEST:
            return None
        alike = (_looks(grey, self.quads) * self.looks).sum(axis=1) > ALIKE
        return (self.found, alike) if alike.sum() >= max(FEWEST, MOST_STILL * len(alike)) else None

    def keep(self, sought: object, grey: Grey, found: T, quads: Floats) -> None:
        """Remember what was found on a frame, and how its markers look there."""
        self.sought, self.found, self.quads, self.looks = sought, found, quads, _looks(grey, quads)

    def forget(self) -> None:
        """Look anew on the next frame."""
        self.found = None


@dataclass(slots=True)
class KeptPrint:
    """The print on the frames of one camera: the look's board, a ruled grid, and other pages."""

    board: KeptPlace[LocatedBoard] = field(default_factory=KeptPlace)
    grid: KeptPlace[Grid] = field(default_factory=KeptPlace)
    pages: KeptPlace[tuple[Floats, list[BoardPose]]] = field(default_factory=KeptPlace)

    def forget(self) -> None:
        """Look for all of it anew on the next frame."""
        self.board.forget()
        self.grid.forget()
        self.pages.forget()


def squares_around(middles: Points, side: float) -> Floats:
    """Return (n, 4, 2), squares with sides so long around (n, 2) middles."""
    ring = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
    return np.asarray(middles[:, None] + side * ring, np.float64)


def _looks(grey: Grey, quads: Floats) -> Floats:
    """Return (n, ACROSS²) what n quads show, each of mean 0 and length 1: of any exposure."""
    end = float(ACROSS)
    square = np.array([(0, 0), (end, 0), (end, end), (0, end)], np.float32)
    shown = np.zeros((len(quads), ACROSS**2))
    for i, quad in enumerate(quads):
        to_square = cv2.getPerspectiveTransform(quad.astype(np.float32), square)
        shown[i] = cv2.warpPerspective(grey, to_square, (ACROSS, ACROSS)).ravel()
    shown -= shown.mean(axis=1, keepdims=True)
    lengths = np.linalg.norm(shown, axis=1, keepdims=True)
    return np.asarray(shown / np.maximum(lengths, 1e-6), np.float64)
