"""How well throws are read on real tables: films made of labelled photos of dice.

Of each photo the dice are taken away, slide in turning from one side, come to rest, and a hand
takes them; then the same come to lie elsewhere. Table, light and dice are the photo's; motion, the
hand and the camera's noise are not real. The counts are those of `make bench-watch`.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Annotated

import cv2
import numpy as np
from numpy.typing import NDArray

from models.dataset.annotation import AnnotatedImage, Dataset
from models.dataset.folders import Photos, SetNames, chosen
from models.drawn import through_jpeg
from models.harness import PrintedRows
from models.measure.watch.watch import HEADS, RestCounts, RollRecord, compare, faults_of, print_slow
from vision.photo import Pixels
from vision.watch.frames import Frame
from vision.watch.state import as_json
from vision.watch.watcher import watch

FPS = 15
LONGEST = 1280  # px of a frame
DICE = (1, 6)  # on a photo that is filmed
FREE = 1.6  # sides around the middle of a die, in which no other may lie
BODY = 1.05  # the same that is carried with it: its sides and its shadow
BARE_S, SLIDE_S, REST_S, HAND_S = 0.8, 0.5, 1.3, 0.6
NOISE, QUALITY = 2.0, 70  # grey levels, and of JPEG
SKIN = (120, 150, 205)  # BGR

Light = NDArray[np.float32]
FilmedRests = tuple[str, Iterator[Frame], list[RollRecord]]  # name, frames and rests


@dataclass(frozen=True, slots=True, eq=False)
class PhotoScene:
    """A photo without its dice, and each of them with how much of each px is its own."""

    bare: Light  # (h, w, 3)
    dice: tuple[tuple[Light, Light], ...]  # (s, s, 3) and (s, s, 1), 0 to 1
    middles: NDArray[np.float64]  # (n, 2) px
    values: tuple[int, ...]

    @property
    def aside(self) -> NDArray[np.float64]:
        """Return by how much a second throw lies off the first, (2,) px: toward the middle."""
        off = np.array(self.bare.shape[1::-1]) / 2 - self.middles.mean(axis=0)
        size = self.dice[0][0].shape[0]
        return np.asarray(size * np.where(off >= 0, 1.0, -1.0), np.float64)


def scene_of(image: AnnotatedImage) -> PhotoScene | None:
    """Return a photo's scene, or None where its dice are too many, too near or not known."""
    faces = [face for face in image.dice or () if face.value is not None]
    if not image.complete or (image.sides is not None and len(image.dice or ()) != len(faces)):
        return None
    bgr = image.pixels()
    scale = min(1.0, LONGEST / max(bgr.shape[:2]))
    bgr = np.asarray(cv2.resize(bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))
    middles = np.array([scale * face.middle for face in faces]).reshape(-1, 2)
    sides = np.array([scale * face.size for face in faces])
    if not DICE[0] <= len(faces) <= DICE[1]:
        return None
    for k, at in enumerate(middles):
        reach = FREE * sides[k]
        near = np.hypot(*(middles - at).T) < 2 * reach
        if near.sum() > 1 or (at < reach).any() or (at > np.array(bgr.shape[1::-1]) - reach).any():
            return None
    mask = np.zeros(bgr.shape[:2], np.uint8)
    for at, side in zip(middles, sides, strict=True):
        cv2.circle(mask, _px(at), round(FREE * side), 255, -1)
    bare = cv2.inpaint(bgr, mask, 3, cv2.INPAINT_TELEA)
    dice = tuple(_cut(bgr, at, side) for at, side in zip(middles, sides, strict=True))
    values = tuple(int(face.value or 0) for face in faces)
    return PhotoScene(np.asarray(bare, np.float32), dice, middles, values)


def _cut(bgr: Pixels, at: NDArray[np.float64], side: float) -> tuple[Light, Light]:
    half = round(FREE * side)
    patch = cv2.getRectSubPix(bgr, (2 * half + 1, 2 * half + 1), tuple(map(float, at)))
    own = np.zeros(patch.shape[:2], np.float32)
    cv2.circle(own, (half, half), round(BODY * side), 1.0, -1)
    soft = cv2.GaussianBlur(own, (0, 0), 0.12 * side)
    return np.asarray(patch, np.float32), np.asarray(soft[..., None], np.float32)


def film(scene: PhotoScene, rng: np.random.Generator) -> tuple[Iterator[Frame], list[RollRecord]]:
    """Return the frames of two throws, and their rests as a video's truth has them."""
    drawn: list[Light] = [scene.bare] * round(BARE_S * FPS)
    rests: list[RollRecord] = []
    order = np.arange(len(scene.values))
    for turn in range(2):
        places = scene.middles[np.roll(order, turn)] + turn * scene.aside
        drawn += _slide(scene, places, rng)
        began_s = len(drawn) / FPS
        lying = _laid(scene, places, np.zeros(len(places)))
        drawn += [lying] * round(REST_S * FPS)
        rests.append({
            "rest_s": began_s, "settled_s": began_s, "until_s": len(drawn) / FPS,
            "values": sorted(scene.values),
        })  # fmt: skip
        drawn += _taken(scene, lying, places)
        drawn += [scene.bare] * round(BARE_S * FPS)
    return _frames(drawn, rng), rests


def _slide(scene: PhotoScene, places: NDArray[np.float64], rng: np.random.Generator) -> list[Light]:
    steps, far = round(SLIDE_S * FPS), 0.6 * scene.bare.shape[1]
    turns, sides = rng.uniform(-200, 200, len(places)), rng.uniform(-0.2, 0.2, len(places)) * far
    shown = []
    for k in range(steps):
        light = np.zeros_like(scene.bare)
        for part in (0.0, 0.3):  # what moves is blurred
            left = (1 - (k + part) / steps) ** 2
            off = np.stack([np.full(len(places), -far), sides], axis=1) * left
            light += _laid(scene, places + off, turns * left) / 2
        shown.append(light)
    return shown


def _taken(scene: PhotoScene, lying: Light, places: NDArray[np.float64]) -> list[Light]:
    steps = round(HAND_S * FPS)
    height = scene.bare.shape[0]
    shown = []
    for k in range(2 * steps):
        share = 1 - abs(k - steps) / steps
        light = (lying if k < steps else scene.bare).copy()
        for at in places:
            tip = at + np.array([0.0, (1 - share) * (height - at[1] + 90)])
            cv2.ellipse(light, _px(tip), (90, 130), 0, 0, 360, SKIN, -1)
            cv2.line(light, _px(tip), (_px(tip)[0], height + 200), SKIN, 110)
        shown.append(light)
    return shown


def _laid(scene: PhotoScene, places: NDArray[np.float64], turns: NDArray[np.float64]) -> Light:
    light = scene.bare.copy()
    h, w = light.shape[:2]
    for (patch, own), at, turn in zip(scene.dice, places, turns, strict=True):
        half = patch.shape[0] // 2
        matrix = cv2.getRotationMatrix2D((half, half), float(turn), 1.0)
        matrix[:, 2] += at - half
        size = (w, h)
        share = cv2.warpAffine(own, matrix, size)[..., None]
        light += share * (cv2.warpAffine(patch, matrix, size) - light)
    return light


def _frames(drawn: Sequence[Light], rng: np.random.Generator) -> Iterator[Frame]:
    for number, light in enumerate(drawn):
        noisy = light + rng.normal(0, NOISE, light.shape).astype(np.float32)
        bgr = through_jpeg(np.clip(noisy, 0, 255).astype(np.uint8), QUALITY)
        yield Frame(bgr, number, number / FPS)


def _px(at: NDArray[np.float64]) -> tuple[int, int]:
    return round(float(at[0])), round(float(at[1]))


def main(
    photos: Photos,
    *,
    sets: SetNames = ("*",),
    count: Annotated[int, "photos of each set, at most"] = 12,
    slow: Annotated[bool, "drop frames, at several rates"] = False,
) -> None:
    """Print the counts of each film and of all."""
    films = (one for dataset in chosen(photos, sets) for one in _films(dataset, count))
    if not slow:
        _print_counts(films)
        return
    print_slow((rests, list(frames)) for _, frames, rests in films)


def _print_counts(films: Iterable[FilmedRests]) -> None:
    total, table = RestCounts(), PrintedRows(*HEADS, first=40)
    for name, frames, rests in films:
        rolls = [as_json(roll) for roll in watch(frames)]
        counts = compare(rests, rolls)
        total += counts
        table.row(name, *counts.cells())
        for fault in faults_of(rests, rolls):
            print(f"  {fault}", flush=True)
    table.row("all", *total.cells())


def _films(dataset: Dataset, most: int) -> Iterator[tuple[str, Iterator[Frame], list[RollRecord]]]:
    """Yield the films of a set's photos by name, with their rests."""
    scenes = ((image, scene_of(image)) for image in dataset.images)
    for image, scene in islice((one for one in scenes if one[1] is not None), most):
        assert scene is not None
        frames, rests = film(scene, np.random.default_rng(len(scene.values)))
        yield f"{dataset.name} {image.path.name}", frames, rests
