"""Videos of throws with what is true: `python -m models.videos --help`."""

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from itertools import count, islice
from pathlib import Path
from typing import Annotated, Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.camera import axes_of, rolled
from models.harness import run
from models.pieces import PieceStyle
from models.sketch import bodies
from models.sketch.bodies import Floats
from models.sketch.ground import USUAL, draw_surface, far_seen, lay_surface
from models.sketch.render.raycast import draw_lights
from models.sketch.sketch import Illumination, draw_illumination, lit_table
from models.sketch.sketch_pieces import (
    READABLE,
    SketchPiece,
    draw_die,
    draw_skin,
    draw_style,
    hand_pieces,
)
from models.sketch.view import SketchCamera, exposure
from models.textures.surfaces import SKETCH_SIDE, Picture, Random
from models.videos.phone import Film, PhoneCamera, draw_phone, told_to_turn
from models.videos.story import TICK_S, Moment, Pose, ThrowStory, tell

CANVAS = (720, 540)  # px, width and height; shrunk to a frame, which smooths its edges
LOWEST = 0.72  # sine of the height from which a phone on a stand or in a hand looks down


@dataclass(slots=True)
class Stage:
    """The constants of all frames of a video."""

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
    """Choose a table, its light, a set of dice and a camera whose view is *width* sides wide."""
    style = replace(draw_style(rng), rainbow=False, side=1.0, ring=0.0)
    colour = str(rng.choice(["white", "black", "red", "blue", "green", "purple", "orange"]))
    drawn = (draw_die(rng, style, colour, 0.0) for _ in count())
    pieces = list(islice((die for die in drawn if die.colour and die.contrast > READABLE), dice))
    view = _camera(rng, width)
    lights, skin, surface = draw_lights(rng), draw_skin(rng), draw_surface(rng, USUAL)
    span = far_seen(view) * rng.uniform(1.1, 2.2) / (SKETCH_SIDE / 2)
    return Stage(pieces, view, surface, span, draw_illumination(rng, lights), skin, style)


def _camera(rng: Random, width: float) -> SketchCamera:
    """Choose a phone over the table whose picture is about *width* sides wide in the middle."""
    rise, turn = np.arcsin(rng.uniform(LOWEST, 1.0)), rng.uniform(0, 2 * np.pi)
    axes = axes_of(rise, turn)
    focal = CANVAS[0] * rng.uniform(0.8, 1.3)
    eye = -axes[2] * focal * width / CANVAS[0]
    return SketchCamera(eye, axes, focal, np.array(CANVAS) / 2, *CANVAS)


def swayed(view: SketchCamera, shift: Floats, roll: float) -> SketchCamera:
    """Return the camera moved by (2,) sides over the table and turned by *roll* radians."""
    eye = view.eye + np.array([*shift, 0.0])
    return replace(view, eye=eye, axes=rolled(view.axes, roll))


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


FPS = (15, 20, 24, 30)
ROUGH_FPS = (24, 25, 30, 60)
CODECS = {".mp4": "mp4v", ".webm": "VP80", ".avi": "MJPG"}
MOST_NOISE = 6.0  # grey levels
EXPOSED = 2  # ticks, 1/60 s: what moves is blurred so long


@dataclass(frozen=True, slots=True)
class Conditions:
    """How a video is taken."""

    fps: int
    size: tuple[int, int]
    sway: float  # sides, how far the view swings
    drift: float  # share by which the exposure wanders
    noise: float  # grey levels
    repeats: float  # share of the frames that are the one before once more
    drops: float  # share that is missing
    phone: PhoneCamera = field(default_factory=PhoneCamera)
    upright: bool = False  # the file tells players to turn what a phone on its side took


def draw_conditions(rng: Random, size: tuple[int, int], fps: int | None) -> Conditions:
    """Choose how a video is taken."""
    sways = rng.random() < 0.4
    faulty = rng.random() < 0.4
    return Conditions(
        fps=fps or int(rng.choice(FPS)),
        size=size,
        sway=float(rng.uniform(0.05, 0.5)) if sways else 0.0,
        drift=float(rng.uniform(0.05, 0.25)) if rng.random() < 0.5 else 0.0,
        noise=float(rng.uniform(1.0, MOST_NOISE)),
        repeats=float(rng.uniform(0.02, 0.12)) if faulty else 0.0,
        drops=float(rng.uniform(0.02, 0.12)) if faulty else 0.0,
    )


def film(
    seed: int,
    throws: int,
    size: tuple[int, int],
    path: Path,
    fps: int | None = None,
    *,
    rough: bool = False,
) -> dict[str, Any]:
    """Write a video of *throws* throws and its truth beside it; return the truth.

    A *rough* one is held in a hand, compressed, turned, and in any of CODECS.
    """
    rng = np.random.default_rng(np.random.SeedSequence([30, seed]))
    dice = int(rng.choice([1, 2, 2, 2, 3, 3]))
    stage = draw_stage(rng, dice, rng.uniform(16, 22))
    start = bool(rng.random() < 0.4)
    story = tell(rng, stage.faces, throws, start=start)
    conditions = draw_conditions(rng, size, fps)
    if rough:
        conditions = _roughened(rng, conditions, fps)
        path = path.with_suffix(str(rng.choice(list(CODECS))))
        conditions = replace(conditions, upright=path.suffix == ".mp4" and rng.random() < 0.5)
    turned = conditions.phone.turned
    writer = cv2.VideoWriter(
        str(path),
        cv2.VideoWriter.fourcc(*CODECS[path.suffix]),
        float(conditions.fps),
        size[::-1] if turned % 2 else size,
    )
    count = 0
    for frame in _frames(rng, stage, story, conditions):
        writer.write(frame)
        count += 1
    writer.release()
    if conditions.upright:
        path.write_bytes(told_to_turn(path.read_bytes(), -turned))
    labels = {
        "file": path.name, "seed": seed, "dice": dice, "lying_at_first": start, "frames": count,
        "conditions": asdict(conditions), "rolls": story.rolls,
    }  # fmt: skip
    path.with_suffix(".json").write_text(json.dumps(labels, indent=1))
    return labels


def _roughened(rng: Random, conditions: Conditions, fps: int | None) -> Conditions:
    """Let a phone in a hand film; what it shakes takes the place of the table's sway."""
    phone = draw_phone(rng)
    rate = fps or int(rng.choice(ROUGH_FPS))
    return replace(conditions, phone=phone, sway=0.0, fps=rate)


def _frames(
    rng: Random, stage: Stage, story: ThrowStory, conditions: Conditions
) -> Iterator[NDArray[np.uint8]]:
    """Yield the frames; one that is dropped is replaced by the one before, as encoders do."""
    ground = None if conditions.sway else lay_surface(stage.view, stage.surface, stage.span)
    first = next((one for one in story.scenes if any(one.dice)), story.scenes[0])
    gain = exposure(draw(stage, first, stage.view, ground))
    waves = rng.uniform(0.2, 1.3, 4)
    camera = Film(rng.spawn(1)[0], conditions.phone, conditions.size)
    waves[3] *= 0.25
    phases = rng.uniform(0, 2 * np.pi, 4)
    last: NDArray[np.uint8] | None = None
    drawn: tuple[Moment, Picture] | None = None
    for number in range(int(len(story.scenes) * TICK_S * conditions.fps)):
        time_s = number / conditions.fps
        if last is not None and rng.random() < conditions.repeats + conditions.drops:
            yield last
            continue
        tick = int(time_s / TICK_S)
        swing = np.sin(2 * np.pi * waves * time_s + phases)
        view = swayed(stage.view, conditions.sway * swing[:2], 0.02 * conditions.sway * swing[2])
        moment = story.scenes[tick : tick + EXPOSED]
        if drawn is not None and ground is not None and _is_same(drawn[0], moment):
            light = drawn[1]
        else:
            scenes = moment[:1] if _is_same(moment[0], moment) else moment
            light = np.mean([draw(stage, one, view, ground) for one in scenes], axis=0)
            drawn = (moment[-1], light)
        plain = camera.frame(light, gain * (1 + conditions.drift * swing[3]), time_s)
        noise = rng.normal(0, conditions.noise, plain.shape)
        last = camera.finished(np.asarray(plain + noise, np.float32))
        yield last


def _is_same(moment: Moment, others: list[Moment]) -> bool:
    return all(
        other.hand is None and moment.hand is None
        and all(a is b or (a is not None and b is not None and np.array_equal(a.at, b.at)
                and np.array_equal(a.turn, b.turn))
                for a, b in zip(moment.dice, other.dice, strict=True))
        for other in others
    )  # fmt: skip


def main(
    *,
    count: Annotated[int, "videos"] = 1,
    throws: Annotated[int, "in each"] = 4,
    seed: Annotated[int, "of the first; the next are +1"] = 1,
    width: Annotated[int, "px of a frame"] = 640,
    fps: Annotated[int, "frames a second (default: 15 to 30)"] | None = None,
    rough: Annotated[bool, "by phones in hands, compressed, turned"] = False,
    out: Path = Path("var/videos"),
) -> None:
    """Write the videos."""
    out.mkdir(parents=True, exist_ok=True)
    for number in range(seed, seed + count):
        path = out / f"throws-{number:05d}.mp4"
        labels = film(number, throws, (width, width * 3 // 4), path, fps, rough=rough)
        rolls, frames = len(labels["rolls"]), labels["frames"]
        print(f"{labels['file']}: {rolls} rolls, {frames} frames", flush=True)


if __name__ == "__main__":
    sys.exit(run(main))
