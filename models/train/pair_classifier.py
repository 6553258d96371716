"""Train the pair classifier on pairs of faces: halves of one domino, and neighbours that are not.

The pairs that are none are the ones to be recognised: halves of touching tiles, halves whose own
other half lies under a third tile, dice side by side, a half and the table on its other sides,
printed cells without a piece. Photos of dice give neighbours too, and the few of dominoes that may
be learned from give both.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as nnf

from models.dataset.annotation import HIDDEN, SEEN, AnnotatedImage
from models.dataset.folders import drawn_images
from models.train.crops import disturbed, shaken
from models.train.face_classifier import Crops, CropSources, crop_training
from models.train.nets import PairClassifierNet
from models.train.trainer import Parts, Training
from vision.dominoes.pair_classifier import beside, crop_pairs, neighbours
from vision.geometry import Floats
from vision.photo import Pixels

BATCH = 128
PAIRS = 14  # a picture
# Shares of the pictures: photos of dominoes, photos of dice, drawn tables without a domino.
TILE_PHOTOS, DICE_PHOTOS, OTHERS = 0.06, 0.1, 0.14
GLIMPSED = 0.4  # share of a half that is seen from which it is taken for one

Random = np.random.Generator


def draw_pairs(rng: Random, shot: AnnotatedImage) -> tuple[Pixels, NDArray[np.float32]]:
    """Return (n, HEIGHT, WIDTH, 3) BGR crops of a picture, and (n,) 1 of those of one domino."""
    pairs = [*_neighbours(shot), *_beside(rng, shot), *_cells(shot)]
    few = rng.permutation(len(pairs))[:PAIRS]
    quads = [(shaken(rng, pairs[k][0]), shaken(rng, pairs[k][1])) for k in few]
    ways = rng.random(len(quads)) < 0.5
    turned = [(b, a) if back else (a, b) for (a, b), back in zip(quads, ways, strict=True)]
    crops = crop_pairs(shot.pixels(), turned)
    flipped = [crop[::-1] if rng.random() < 0.5 else crop for crop in crops]
    pictures = [disturbed(rng, np.ascontiguousarray(crop)) for crop in flipped]
    truth = np.array([pairs[k][2] for k in few], np.float32)
    return np.array(pictures, np.uint8).reshape(-1, *crops.shape[1:]), truth


def _neighbours(shot: AnnotatedImage) -> Iterator[tuple[Floats, Floats, bool]]:
    faces = [face for face in shot.every_face if face.visible >= GLIMPSED]
    if len(faces) < 2:
        return
    for i, j in neighbours(np.array([face.quad for face in faces])):
        yield faces[i].quad, faces[j].quad, faces[i].is_one_tile_with(faces[j])


def _cells(shot: AnnotatedImage) -> Iterator[tuple[Floats, Floats, bool]]:
    """Yield neighbours that are no faces: cells, sides of dice."""
    if len(shot.others) < 2:
        return
    others = np.array(shot.others)
    for i, j in neighbours(others):
        yield others[i], others[j], False


def _beside(rng: Random, shot: AnnotatedImage) -> Iterator[tuple[Floats, Floats, bool]]:
    """Yield faces with a guess of their other half: right over one side, wrong over the others.

    Wrong too where another tile covers the other half; where it covers a part, nobody can say.
    """
    halves = [
        (face, other.visible)
        for tile in shot.tiles or ()
        for face, other in zip(tile.faces, tile.faces[::-1], strict=True)
    ]
    for face, share in (*((die, 0.0) for die in shot.dice or ()), *halves):
        if face.visible < GLIMPSED:
            continue
        for guess in beside(face.quad)[rng.permutation(4)[:2]]:
            is_there = face.has_partner_at(guess.mean(axis=0))
            if not is_there or not HIDDEN < share < SEEN:
                yield face.quad, guess, is_there and share >= SEEN


def pairs_of(sources: CropSources, rng: Random) -> Iterator[Crops]:
    """Yield (n, HEIGHT, WIDTH, 3) crops of one picture after another, and (n,) truths."""
    drawn = _images(sources.drawn)
    photos = _images(sources.quads)
    groups = [  # pictures, and their share of the crops
        ([s for s in photos if s.tiles], TILE_PHOTOS),
        ([s for s in photos if not s.tiles], DICE_PHOTOS),
        ([s for s in drawn if not s.tiles], OTHERS),
    ]
    groups = [(shots, share) for shots, share in groups if shots]
    groups.append(([s for s in drawn if s.tiles], 1 - sum(share for _, share in groups)))
    shares = [share for _, share in groups]
    while True:
        shots, _ = groups[int(rng.choice(len(groups), p=shares))]
        yield draw_pairs(rng, shots[int(rng.integers(len(shots)))])


def _images(folders: Sequence[Path]) -> list[AnnotatedImage]:
    return [image for folder in folders for image in drawn_images(folder)]


def training(sources: CropSources, **how: int) -> Training:
    """Return how the pair classifier is trained; *how* goes to `crop_training`."""

    def parts(logits: Tensor, truth: Tensor) -> tuple[Parts, Parts]:
        loss = nnf.binary_cross_entropy_with_logits(logits[:, 0], truth)
        right = ((logits[:, 0] > 0) == (truth > 0.5)).float().mean()
        return {"join": loss}, {"right": right}

    return crop_training(PairClassifierNet, partial(pairs_of, sources), parts, batch=BATCH, **how)
