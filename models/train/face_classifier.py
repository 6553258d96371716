"""Train the face classifier on crops of drawn pictures and of photos whose quads are known."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as nnf

from models.dataset.annotation import UNKNOWN, AnnotatedImage
from models.dataset.folders import choose_image, drawn_group
from models.train.crops import NOT_UP, draw_crops, mixed
from models.train.nets import FaceClassifierNet
from models.train.trainer import Endless, Parts, Training, loaded
from vision.faces.classifier import CLASSES, NOTHING
from vision.photo import Pixels

Crops = tuple[np.ndarray, np.ndarray]  # (n, H, W, 3) BGR of one picture, and n truths


@dataclass(frozen=True, slots=True)
class CropSources:
    """Where pictures with quads lie: drawn ones, and photos with quads found by the detector."""

    drawn: tuple[Path, ...]
    quads: tuple[Path, ...]


DrawCrops = Callable[[np.random.Generator], Iterator[Crops]]  # of one picture after another


def crop_batches(draw: DrawCrops, size: int, rng: np.random.Generator) -> Iterator[Crops]:
    """Yield (size, H, W, 3) RGB crops of many pictures each, and their truths."""
    return mixed(rng, draw(rng), size)


def crop_training(
    net: Callable[[], nn.Module],
    draw: DrawCrops,
    parts: Callable[[Tensor, Tensor], tuple[Parts, Parts]],
    *,
    batch: int,
    seed: int,
    workers: int,
) -> Training:
    """Return how a network is trained on the crops that *draw* yields and their truth."""
    batches = partial(crop_batches, draw, batch)
    return Training(
        net,
        lambda done: loaded(Endless(batches, seed, done), None, workers),
        lambda logits, truth, _: parts(logits, truth[0]),
        most=3e-3,
        decay=0.03,
        rough=True,
    )


def some_crops(draw: DrawCrops, seed: int, count: int) -> Pixels:
    """Return (count, H, W, 3) BGR crops of those that *draw* yields."""
    crops, _ = next(iter(Endless(partial(crop_batches, draw, count), seed, 0)))
    return np.ascontiguousarray(crops[..., ::-1])


BATCH = 128
PHOTO_SHARE = 0.3


def crops_of(sources: CropSources, rng: np.random.Generator) -> Iterator[Crops]:
    """Yield (n, 64, 64, 3) crops of one picture after another, and (n, 2) kind and colour."""
    return (draw_crops(rng, shot) for shot in _shots(sources, rng))


def _shots(sources: CropSources, rng: np.random.Generator) -> Iterator[AnnotatedImage]:
    drawn, photos = (
        [shots for folder in folders if (shots := drawn_group(folder))]
        for folders in (sources.drawn, sources.quads)
    )
    while True:
        groups = photos if photos and rng.random() < PHOTO_SHARE else drawn
        yield choose_image(rng, groups)


def loss(logits: Tensor, truth: Tensor) -> dict[str, Tensor]:
    """Return the parts of the loss for (n, 2) kinds and colours.

    Of a place that is NOT_UP it counts what NOTHING and ASIDE have together.
    """
    kinds, colours = truth[:, 0], truth[:, 1]
    open_ = kinds == NOT_UP
    shares = nnf.log_softmax(logits[:, :CLASSES], dim=1)
    either = -torch.logsumexp(shares[:, NOTHING:], dim=1)
    labelled = nnf.cross_entropy(
        *(logits[:, :CLASSES], kinds.masked_fill(open_, NOTHING)),
        label_smoothing=0.01,
        reduction="none",
    )
    named = nnf.cross_entropy(
        logits[:, CLASSES:], colours, ignore_index=UNKNOWN, label_smoothing=0.03
    )
    return {"kind": torch.where(open_, either, labelled).mean(), "colour": 0.4 * named}


def training(sources: CropSources, **how: int) -> Training:
    """Return how the classifier is trained; *how* goes to `crop_training`."""

    def parts(logits: Tensor, truth: Tensor) -> tuple[Parts, Parts]:
        kinds = truth[:, 0]
        predicted = logits[:, :CLASSES].argmax(1)
        right = (predicted == kinds) | ((kinds == NOT_UP) & (predicted >= NOTHING))
        return loss(logits, truth), {"right": right.float().mean()}

    return crop_training(FaceClassifierNet, partial(crops_of, sources), parts, batch=BATCH, **how)
