"""Letters on the pieces of a sketch, drawn with pips so small and close that they make lines."""

from __future__ import annotations

import cv2
import numpy as np

from models.pieces.style import PieceStyle
from models.sketch.bodies import Floats
from models.sketch.sketch_pieces import pip_row
from models.textures.texture import Random

LETTERS = "ABCDEFGHKMNOPRSTUXYZ0123456789&*#%"
DOTS = 18  # across what is written on a piece


def letter_pips(
    rng: Random, style: PieceStyle, face: int, middle: tuple[float, float], size: float, ink: Floats
) -> list[Floats]:
    """Return pips so small and close that they style letters *size* high either way."""
    turn, mirror = rng.uniform(0, 2 * np.pi), rng.choice([-1.0, 1.0])
    c, s = np.cos(turn), np.sin(turn)
    pips = []
    for x, y in _letters(rng):
        u, v = mirror * (c * x - s * y), s * x + c * y
        at = middle[0] + size * u, middle[1] + size * v
        pips.append(pip_row(face, *at, 1.6 * size / DOTS, ink, style))
    return pips


def _letters(rng: Random) -> list[tuple[float, float]]:
    """Return the dots that a letter or two are drawn with, within (-1, 1) both ways."""
    text = "".join(rng.choice(list(LETTERS), int(rng.choice([1, 2]))))
    paper = np.zeros((DOTS, DOTS), np.uint8)
    font = int(rng.choice([cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_COMPLEX]))
    (width, height), _ = cv2.getTextSize(text, font, 1.0, 1)
    grow = 0.9 * DOTS / max(width, height)
    at = round((DOTS - grow * width) / 2), round((DOTS + grow * height) / 2)
    cv2.putText(paper, text, at, font, grow, 255, 1)
    rows, columns = np.nonzero(paper)
    return [(2 * x / DOTS - 1, 1 - 2 * y / DOTS) for x, y in zip(columns, rows, strict=True)]
