"""Fuse the readings of a piece on several still frames into one piece.

Frames of a still table are not independent: noise differs, but glare and print stay the same. So
probabilities are averaged, not multiplied: more frames never increase the confidence, but an error
on a single frame is outvoted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.reading import Face
from vision.watch.evidence import Piece

MAJORITY = 0.5  # share of the frames that must be sure of the fused value


def fuse(pieces: Sequence[Piece]) -> Piece:
    """Fuse the readings of one piece, the latest last; tiles with other halves are ignored."""
    last = pieces[-1]
    alike = [piece for piece in pieces if len(piece.faces) == len(last.faces)]
    halves = [_in_order(piece, last) for piece in alike]
    return Piece(last.quad, tuple(fuse_faces(views) for views in zip(*halves, strict=True)))


def fuse_faces(faces: Sequence[Face]) -> Face:
    """Fuse the readings of one face, the latest last."""
    probs = np.mean([face.probs for face in faces], axis=0)
    value = int(probs.argmax())
    agreeing = [face for face in faces if face.value == value]
    colours: dict[str, float] = {}
    for face in faces:
        for name, prob in face.colours:
            colours[name] = colours.get(name, 0.0) + prob / len(faces)
    sure = sum(face.sure for face in agreeing) > MAJORITY * len(faces)
    confidence = sum(face.confidence for face in agreeing) / len(faces)
    return replace(
        faces[-1],
        probs=tuple((probs / probs.sum()).tolist()),
        colours=tuple(sorted(colours.items(), key=lambda colour: -colour[1])),
        confidence=confidence,
        sure=sure,
    )


def _in_order(piece: Piece, like: Piece) -> tuple[Face, ...]:
    """Return the halves of a tile in the order in which *like* has them."""
    if len(piece.faces) < 2:
        return piece.faces
    first = np.array(like.faces[0].center)
    far = [float(np.hypot(*(first - face.center))) for face in piece.faces]
    return piece.faces if far[0] <= far[1] else piece.faces[::-1]
