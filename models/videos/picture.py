"""One frame of a video: dice in any pose, a hand and its shadow, on a table seen by a phone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import count

import numpy as np

from models.pieces.style import PieceStyle
from models.sketch import bodies
from models.sketch.bodies import Floats
from models.sketch.ground import far_seen, lay_surface
from models.sketch.hand import draw_skin, hand_pieces
from models.sketch.render.lights import draw_lights
from models.sketch.sketch_pieces import SketchPiece, draw_die, draw_style
from models.sketch.steady import Illumination, draw_illumination, lit_table
from models.sketch.tables import USUAL, draw_surface
from models.sketch.view import SketchCamera
from models.textures.texture import SKETCH_SIDE, Picture, Random
from models.videos.physics import Pose
from models.videos.story import Moment

CANVAS = (720, 540)  # px, width and height; shrunk to a frame, which smooths its edges
READABLE = 0.25  # of white, light, between a body and its faintest pip
LOWEST = 0.72  # sine of the height from which a phone on a stand or in a hand looks down


@dataclass(slots=True)
class Stage:
    """What is the same on all frames of a video."""

    pieces: list[SketchPiece]
    view: SketchCamera
    surface: Picture
    span: float
    light: Illumination
    skin: Floats
    style: PieceStyle

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
    lights, skin, surface = draw_lights(rng), draw_skin(rng), draw_surface(rng, USUAL)
    span = far_seen(view) * rng.uniform(1.1, 2.2) / (SKETCH_SIDE / 2)
    return Stage(pieces, view, surface, span, draw_illumination(rng, lights), skin, style)


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
    if ground is None:
        ground = lay_surface(view, stage.surface, stage.span)
    return lit_table(view, pieces, ground, stage.light)


def _posed(piece: SketchPiece, pose: Pose) -> SketchPiece:
    body = piece.body.copy()
    body[bodies.AT : bodies.AT + 3] = pose.at
    body[bodies.TURN : bodies.TURN + 9] = pose.turn.ravel()
    return replace(piece, body=body)


def _hand(stage: Stage, scene: Moment) -> list[SketchPiece]:
    if scene.hand is None:
        return []
    return hand_pieces(stage.style, stage.skin, scene.hand, scene.toward)
