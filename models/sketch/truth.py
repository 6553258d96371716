"""The labels of a sketch: upper faces, sides, and how much of each is visible.

`NAME.json` beside `NAME.jpg`, as all drawn pictures have it: `file`, `width`, `height`, `seed`;
`dice[]`, upper faces with `quad`, `center`, `value`, `color`, `visible` (the share of the quad that
the camera sees), `cell` ([row, column] by where the die stands, from the camera's far left, or
null) and `level` (0 on the table); `tiles[]`, dominoes with `level` and two `faces`; `sides[]`,
faces of dice that do not look up; `unread[]`, `kind` and `quad` of pieces that have no value to
read; `ignore[]`, faces that nobody can read; `board`, null or `name`
and `corners`, of its cells from (0, 0) on. Places are px, (0, 0) the middle of the first; quads go
clockwise.
"""

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.sketch import bodies
from models.sketch.bodies import Floats
from models.sketch.sketch_pieces import SketchPiece
from models.sketch.view import SketchCamera

UP = 4  # the face +z
LEAST_CONTRAST = 7.0  # levels that pips stand out from the body's own light; fewer show nobody any
CROP = 36  # px, side of the middle of a face, on which its pips lie
EDGE = 0.15  # of that, from it to the face's edge


def tell(
    view: SketchCamera,
    pieces: list[SketchPiece],
    owner: NDArray[np.int16],
    face_of: NDArray[np.int8],
    scale: float,
    others: Sequence[Floats] = (),
) -> dict[str, Any]:
    """Return `dice`, `tiles`, `sides` and `objects`, ready for JSON; px of the picture.

    Args:
        view: the camera.
        pieces: what lies there.
        owner: (h, w) the piece seen in each px of the drawing.
        face_of: (h, w) its face.
        scale: px of the picture a px of the drawing.
        others: (4, 2) px of the drawing each, where things lie that are no pieces.
    """
    dice: list[dict[str, Any]] = []
    tiles: list[dict[str, Any]] = []
    sides: list[dict[str, Any]] = []
    unread: list[dict[str, Any]] = []
    for i, piece in enumerate(pieces):
        upper = (face_of == UP) & (owner == i)
        quads = _upper_quads(piece) if piece.values else []
        faces = [
            _tell_face(view, quad, value, piece.colour, upper, scale)
            for quad, value in zip(quads, piece.values, strict=True)
        ]
        if len(faces) == 1:
            dice.append(faces[0])
            sides += [
                {"quad": _px(quad, scale), "value": n} for quad, n in _side_quads(piece, view)
            ]
        elif faces:
            halves, centers = ([face[key] for face in faces] for key in ("value", "center"))
            tiles.append({"halves": halves, "centers": centers, "faces": faces})
        elif piece.kind:
            quad = _clockwise(view.project(_top(piece, -_long(piece), _long(piece))))
            unread.append({"kind": piece.kind, "quad": _px(quad, scale)})
    objects = [_px(_clockwise(quad), scale) for quad in others]
    labels = {"dice": dice, "tiles": tiles, "sides": sides, "objects": objects}
    return labels | ({"unread": unread} if unread else {})


def mark_illegible(bgr: NDArray[np.uint8], labels: dict[str, Any]) -> None:
    """Set `ignore` for the faces on a picture (h, w, 3) whose pips nobody can see.

    They are burnt out, lie in the dark or have the colour of their body. Half as many faces of
    dominoes are so as are blank: learned as what they show, they make every blank doubtful.
    """
    halves = [face for tile in labels["tiles"] for face in tile["faces"]]
    for face in (*labels["dice"], *halves):
        if face["value"] and _contrast(bgr, np.array(face["quad"])) < LEAST_CONTRAST:
            face["ignore"] = True


def _contrast(bgr: NDArray[np.uint8], quad: Floats) -> float:
    """Return how far the middle of a face differs from a paraboloid of light, at most, levels."""
    near, far = -EDGE * CROP, (1 + EDGE) * CROP - 1
    square = np.array([(near, near), (far, near), (far, far), (near, far)], np.float32)
    to_crop = cv2.getPerspectiveTransform(quad.astype(np.float32), square)
    crop = cv2.warpPerspective(bgr, to_crop, (CROP, CROP), borderMode=cv2.BORDER_REPLICATE)
    colours = cv2.GaussianBlur(crop, (0, 0), 2.0).reshape(-1, 3).astype(np.float64)
    y, x = np.mgrid[-1 : 1 : CROP * 1j, -1 : 1 : CROP * 1j].reshape(2, -1)
    light = np.column_stack([np.ones_like(x), x, y, x * x, x * y, y * y])
    fitted = light @ np.linalg.lstsq(light, colours, rcond=None)[0]
    return float(np.abs(colours - fitted).max())


def _tell_face(
    view: SketchCamera,
    world: Floats,
    value: int,
    colour: str,
    upper: NDArray[np.bool_],
    scale: float,
) -> dict[str, Any]:
    """Return one upper face, *upper* saying which px of the drawing show its piece's."""
    quad = view.project(world)
    area = abs(cv2.contourArea(quad.astype(np.float32)))
    visible_px = float((upper & _inside(quad, upper.shape)).sum())
    center = view.project(world.mean(axis=0)[None])
    return {
        "quad": _px(_clockwise(quad), scale),
        "center": _px(center, scale)[0],
        "value": value,
        "color": colour or None,
        "cell": None,
        "visible": round(min(1.0, visible_px / max(area, 1.0)), 2),
    }


def _upper_quads(piece: SketchPiece) -> list[Floats]:
    """Return (4, 3) corners of the upper face, or of the two halves."""
    if len(piece.values) == 1:
        return [_top(piece, -piece.flat, piece.flat)]
    return [_top(piece, -_long(piece), 0.0), _top(piece, 0.0, _long(piece))]


def _long(piece: SketchPiece) -> float:
    """Return half the length of a domino's upper face."""
    return float(piece.body[bodies.HALF] - (piece.body[bodies.HALF + 1] - piece.flat))


def _top(piece: SketchPiece, x0: float, x1: float) -> Floats:
    """Return (4, 3) corners of the part of the upper face between two places along it."""
    f, top = piece.flat, piece.body[bodies.HALF + 2]
    turn = piece.body[bodies.TURN : bodies.TURN + 9].reshape(3, 3)
    own = np.array([(x0, -f, top), (x0, f, top), (x1, f, top), (x1, -f, top)])
    return np.asarray(own @ turn.T + piece.body[bodies.AT : bodies.AT + 3])


def _side_quads(piece: SketchPiece, view: SketchCamera) -> list[tuple[Floats, int]]:
    """Return px corners and pips of the side faces that the camera sees."""
    f, turn = piece.flat, piece.body[bodies.TURN : bodies.TURN + 9].reshape(3, 3)
    at, half = piece.body[bodies.AT : bodies.AT + 3], piece.body[bodies.HALF]
    quads = []
    for face, value in piece.sides.items():
        axis, sign = face // 2, 1 - 2 * (face % 2)
        normal = sign * turn[:, axis]
        other = turn[:, 1 - axis]
        up = turn[:, 2]
        middle = at + normal * half
        if normal @ (view.eye - middle) < 0.15 * np.linalg.norm(view.eye - middle):
            continue
        corners = np.array(
            [middle + f * (a * other + b * up) for a, b in ((-1, 1), (1, 1), (1, -1), (-1, -1))]
        )
        quads.append((view.project(corners), value))
    return quads


def _clockwise(quad: Floats) -> Floats:
    """Return the corners clockwise on the picture, the uppermost left one first."""
    x, y = quad.T
    if x @ np.roll(y, -1) - y @ np.roll(x, -1) < 0:
        quad = quad[::-1]
    return np.asarray(np.roll(quad, -int(quad.sum(axis=1).argmin()), axis=0), np.float64)


def _inside(quad: Floats, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    mask = np.zeros(shape, np.uint8)
    cv2.fillConvexPoly(mask, np.round(quad).astype(np.int32), 1)
    return mask.astype(np.bool_)


def _px(points: Floats, scale: float) -> list[list[float]]:
    moved = (points + 0.5) * scale - 0.5
    return [[round(float(x), 2), round(float(y), 2)] for x, y in moved]
