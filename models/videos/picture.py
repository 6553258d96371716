"""One frame of a video: dice in any pose, a hand and its shadow, on a table seen by a phone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count

import cv2
import numpy as np
from numpy.typing import NDArray

from models.pieces.style import PieceStyle
from models.sketch import bodies
from models.sketch.bodies import PIP, Bodies, Floats, Lighting
from models.sketch.ground import far_seen, lay_surface, light_ground
from models.sketch.intersect import MISS
from models.sketch.lights import draw_lights
from models.sketch.raycast import raycast
from models.sketch.sketch_pieces import SketchPiece, body_row, draw_die, draw_style
from models.sketch.tables import USUAL, draw_surface
from models.sketch.view import SketchCamera
from models.textures.texture import SKETCH_SIDE, Picture, Random
from models.videos.physics import Pose
from models.videos.story import Moment

CANVAS = (720, 540)  # px, width and height; shrunk to a frame, which smooths its edges
READABLE = 0.25  # of white, light, between a body and its faintest pip
LOWEST = 0.72  # sine of the height from which a phone on a stand or in a hand looks down
SKINS = ((0.54, 0.31, 0.22), (0.38, 0.21, 0.14), (0.6, 0.38, 0.29), (0.17, 0.084, 0.058))
# Middle and half sizes of the parts of a hand that reaches along -x, as from an arm at +x.
HAND = (
    ((0.6, 0.0, 0.0), (1.5, 1.35, 0.6)),
    *(((-1.3, y, -0.25), (1.2, 0.32, 0.32)) for y in (-1.0, -0.35, 0.35, 1.0)),
    ((-0.3, 1.6, -0.3), (1.1, 0.36, 0.36)),
    ((7.5, 0.0, 0.3), (6.5, 1.05, 0.9)),
)


@dataclass(slots=True)
class Stage:
    """What is the same on all frames of a video."""

    pieces: list[SketchPiece]
    view: SketchCamera
    surface: Picture
    span: float
    lights: Floats
    ambient: Floats
    lamps: Floats
    sky: Floats
    skin: Floats
    style: PieceStyle
    shadows: int  # seed of how soft they are

    @property
    def faces(self) -> list[dict[int, int]]:
        """Return the value on each face of each die."""
        return [piece.sides | {4: piece.values[0], 5: 7 - piece.values[0]} for piece in self.pieces]


def draw_stage(rng: Random, dice: int, width: float) -> Stage:
    """Choose a table, its light, a set of dice and a camera that sees so many sides across."""
    style = replace(draw_style(rng), rainbow=False, side=1.0, ring=0.0)
    colour = str(rng.choice(["white", "black", "red", "blue", "green", "purple", "orange"]))
    pieces = [_readable(rng, style, colour) for _ in range(dice)]
    view = _camera(rng, width)
    lights, ambient = draw_lights(rng)
    lamps = np.zeros((0, bodies.LAMP))  # their mirror images would hide pips from a person too
    skin = np.array(SKINS[int(rng.integers(len(SKINS)))]) * rng.uniform(0.85, 1.1)
    return Stage(
        pieces, view, draw_surface(rng, USUAL),
        far_seen(view) * rng.uniform(1.1, 2.2) / (SKETCH_SIDE / 2),
        lights, ambient, lamps, np.full(3, rng.uniform(0.2, 1.2)) * ambient,
        skin, style, int(rng.integers(2**31)),
    )  # fmt: skip


def _readable(rng: Random, style: PieceStyle, colour: str) -> SketchPiece:
    dice = (draw_die(rng, style, colour, 0.0) for _ in count())
    return next(die for die in dice if die.colour and _contrast(die) > READABLE)


def _contrast(die: SketchPiece) -> float:
    body = die.body[bodies.COLOUR : bodies.COLOUR + 3].mean()
    return min(abs(float(pip[bodies.INK : bodies.INK + 3].mean() - body)) for pip in die.pips)


def _camera(rng: Random, width: float) -> SketchCamera:
    """Choose a phone over the table whose picture is about *width* sides wide in the middle."""
    rise, turn = np.arcsin(rng.uniform(LOWEST, 1.0)), rng.uniform(0, 2 * np.pi)
    forward = -np.array([np.cos(rise) * np.cos(turn), np.cos(rise) * np.sin(turn), np.sin(rise)])
    right = np.array([-np.sin(turn), np.cos(turn), 0.0])
    focal = CANVAS[0] * rng.uniform(0.8, 1.3)
    axes = np.stack([right, np.cross(forward, right), forward])
    eye = -forward * focal * width / CANVAS[0]
    return SketchCamera(eye, axes, focal, np.array(CANVAS) / 2, *CANVAS)


def swayed(view: SketchCamera, shift: Floats, roll: float) -> SketchCamera:
    """Return the camera moved by (2,) sides over the table and turned by *roll* radians."""
    c, s = np.cos(roll), np.sin(roll)
    right, down, forward = view.axes
    axes = np.stack([c * right + s * down, c * down - s * right, forward])
    return replace(view, eye=view.eye + np.array([*shift, 0.0]), axes=axes)


def draw(stage: Stage, scene: Moment, view: SketchCamera, ground: Picture | None) -> Picture:
    """Return a moment as light, (h, w, 3) RGB; *ground* is the bare table if it is known."""
    pieces = [
        _posed(piece, pose)
        for piece, pose in zip(stage.pieces, scene.dice, strict=True)
        if pose is not None
    ]
    pieces += _hand(stage, scene)
    rng = np.random.default_rng(stage.shadows)
    if ground is None:
        ground = lay_surface(view, stage.surface, stage.span)
    image = light_ground(rng, view, pieces, stage.lights, stage.ambient, ground)
    if pieces:
        owner = np.full(image.shape[:2], MISS, np.int16)
        face_of = np.full(image.shape[:2], -1, np.int8)
        lighting = Lighting(stage.lights, stage.lamps, stage.ambient, stage.sky)
        raycast(image, owner, face_of, view.pinhole(), _packed(pieces), lighting)
    return image


def _posed(piece: SketchPiece, pose: Pose) -> SketchPiece:
    body = piece.body.copy()
    body[bodies.AT : bodies.AT + 3] = pose.at
    body[bodies.TURN : bodies.TURN + 9] = pose.turn.ravel()
    return replace(piece, body=body)


def _hand(stage: Stage, scene: Moment) -> list[SketchPiece]:
    if scene.hand is None:
        return []
    c, s = np.cos(scene.toward), np.sin(scene.toward)
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
    plain = replace(stage.style, edge=0.98, ball=20.0, gloss=0.1, wave=0.0, dirt=0.0)
    parts = []
    for at, half in HAND:
        row = body_row(np.random.default_rng(1), plain, np.array(half), 0.0, stage.skin)
        row[bodies.AT : bodies.AT + 3] = scene.hand + turn @ np.array(at)
        row[bodies.TURN : bodies.TURN + 9] = turn.ravel()
        parts.append(SketchPiece(row))
    return parts


def _packed(pieces: Sequence[SketchPiece]) -> Bodies:
    rows = [row for piece in pieces for row in piece.pips]
    first = np.concatenate([[0], np.cumsum([len(piece.pips) for piece in pieces])])
    pips = np.array(rows) if rows else np.zeros((0, PIP))
    return Bodies(np.array([piece.body for piece in pieces]), pips, first.astype(np.int64))


def develop(light: Picture, size: tuple[int, int], gain: float) -> NDArray[np.float32]:
    """Return (h, w, 3) BGR, 0 to 255, before the sensor's noise."""
    small = cv2.resize(light * np.float32(gain), size, interpolation=cv2.INTER_AREA)
    return np.asarray(255 * np.clip(small[..., ::-1], 0, 1) ** np.float32(1 / 2.2), np.float32)
