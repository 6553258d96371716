"""Several still frames of one piece: values, colours and doubts of them all, as one piece.

Frames of a table that lies still are not independent: noise differs, what glares or is printed
there stays. So probabilities are averaged and not multiplied; more frames make nothing surer than
they are, but what one frame alone believes does not stand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.reading import Face
from vision.watch.evidence import Piece

MAJORITY = 0.5  # share of the frames that must be sure of the fused value


def fuse(pieces: Sequence[Piece]) -> Piece:
    """Return one piece from what several frames say of it, the last frame last."""
    last = pieces[-1]
    alike = [piece for piece in pieces if len(piece.faces) == len(last.faces)]
    halves = [_in_order(piece, last) for piece in alike]
    return Piece(last.quad, tuple(fuse_faces(views) for views in zip(*halves, strict=True)))


def fuse_faces(faces: Sequence[Face]) -> Face:
    """Return one face from what several frames say of it, the last frame last."""
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
        colours=tuple(sorted(colours.items(), key=lambda told: -told[1])),
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
