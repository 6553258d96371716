"""Train the pair classifier on pairs of faces: halves of one domino, and neighbours that are not.

The pairs that are none are the ones to be told apart: halves of touching tiles, dice side by side,
a half and the table on its other sides, printed cells without a piece. Photos of dice give
neighbours too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as nnf

from models.dataset.annotation import AnnotatedImage
from models.dataset.folders import drawn_images
from models.train.crop_batches import CropBatches, Crops, CropSources
from models.train.crops import disturbed, shaken
from models.train.nets import PairClassifier
from models.train.trainer import Parts, Training, loaded
from vision.decode import Pixels
from vision.dominoes.pair_classifier import beside, crop_pairs, neighbours
from vision.geometry import Floats, sides_of

BATCH = 128
PAIRS = 10  # a picture
PHOTO_SHARE = 0.15
SAME = 0.3  # faces, from a half's partner to the middle of a face that is it

Random = np.random.Generator


def draw_pairs(rng: Random, shot: AnnotatedImage) -> tuple[Pixels, NDArray[np.float32]]:
    """Return (n, 32, 56, 3) BGR crops of one picture, and (n,) 1 where they show one domino."""
    pairs = [*_neighbours(shot), *_beside(rng, shot), *_cells(shot)]
    few = rng.permutation(len(pairs))[:PAIRS]
    quads = [(shaken(rng, pairs[k][0]), shaken(rng, pairs[k][1])) for k in few]
    ways = rng.random(len(quads)) < 0.5
    turned = [(b, a) if back else (a, b) for (a, b), back in zip(quads, ways, strict=True)]
    crops = crop_pairs(shot.pixels(), turned)
    flipped = [crop[::-1] if rng.random() < 0.5 else crop for crop in crops]
    seen = [disturbed(rng, np.ascontiguousarray(crop)) for crop in flipped]
    truth = np.array([pairs[k][2] for k in few], np.float32)
    return np.array(seen, np.uint8).reshape(-1, *crops.shape[1:]), truth


def _neighbours(shot: AnnotatedImage) -> Iterator[tuple[Floats, Floats, bool]]:
    faces = shot.faces
    if len(faces) < 2:
        return
    middles = np.array([face.middle for face in faces])
    for i, j in neighbours(middles, np.array([face.size for face in faces])):
        partner = faces[i].partner
        one = partner is not None and _near(np.array(partner), middles[j], faces[i].size)
        yield faces[i].quad, faces[j].quad, one


def _cells(shot: AnnotatedImage) -> Iterator[tuple[Floats, Floats, bool]]:
    """Yield neighbours that are no faces: cells, sides of dice."""
    if len(shot.others) < 2:
        return
    others = np.array(shot.others)
    for i, j in neighbours(others.mean(axis=1), sides_of(others)):
        yield others[i], others[j], False


def _beside(rng: Random, shot: AnnotatedImage) -> Iterator[tuple[Floats, Floats, bool]]:
    """Yield faces with a guess of their other half: right over one side, wrong over the others."""
    for face in shot.faces:
        for guess in beside(face.quad)[rng.permutation(4)[:2]]:
            partner = face.partner
            one = partner is not None and _near(np.array(partner), guess.mean(axis=0), face.size)
            yield face.quad, guess, one


def _near(a: Floats, b: Floats, size: float) -> bool:
    return float(np.hypot(*(a - b))) < SAME * size


def _pairs(sources: CropSources, rng: Random) -> Iterator[Crops]:
    """Yield (n, 32, 56, 3) crops of one picture after another, and (n,) truths."""
    drawn = [s for folder in sources.drawn for s in drawn_images(folder)]
    tiles = [s for s in drawn if any(face.partner for face in s.faces)]
    photos = [s for folder in sources.quads for s in drawn_images(folder)]
    while True:
        where = rng.random()
        shots = photos if photos and where < PHOTO_SHARE else drawn if where > 0.8 else tiles
        yield draw_pairs(rng, shots[int(rng.integers(len(shots)))])


def training(sources: CropSources, *, seed: int, workers: int) -> Training:
    """Return how the pair classifier is trained."""

    def batches(done: int) -> Iterable[list[Tensor]]:
        return loaded(CropBatches(partial(_pairs, sources), seed, done, BATCH), None, workers)

    def parts(logits: Tensor, truth: list[Tensor], _: float) -> tuple[Parts, Parts]:
        loss = nnf.binary_cross_entropy_with_logits(logits[:, 0], truth[0])
        right = ((logits[:, 0] > 0) == (truth[0] > 0.5)).float().mean()
        return {"join": loss}, {"right": right}

    return Training(PairClassifier, batches, parts, most=3e-3, decay=0.03, rough=True)
