"""Train the face classifier on crops of drawn pictures and of photos whose quads are known."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as nnf
from torch.utils.data import IterableDataset

from models.dataset.annotation import UNKNOWN, AnnotatedImage
from models.dataset.folders import drawn_group
from models.train.crops import NOT_UP, draw_crops, mixed
from models.train.nets import FaceClassifierNet
from models.train.trainer import Parts, Training, loaded
from vision.faces.classifier import CLASSES, NOTHING
from vision.photo import Pixels

Crops = tuple[np.ndarray, np.ndarray]  # (n, H, W, 3) BGR of one picture, and n truths


@dataclass(frozen=True, slots=True)
class CropSources:
    """Where pictures with quads lie: drawn ones, and photos with quads found by the detector."""

    drawn: tuple[Path, ...]
    quads: tuple[Path, ...]


class CropBatches(IterableDataset[Crops]):
    """Batches of *size* crops, of many pictures each; *draw* yields the crops of one after another.

    Each worker draws others, by *seed* and the step *start* at which the training resumes.
    """

    def __init__(
        self,
        draw: Callable[[np.random.Generator], Iterator[Crops]],
        seed: int,
        start: int,
        size: int,
    ) -> None:
        super().__init__()
        self.draw, self.seed, self.start, self.size = draw, seed, start, size

    def __iter__(self) -> Iterator[Crops]:
        """Yield (size, H, W, 3) RGB crops and their truths."""
        cv2.setNumThreads(1)
        info = torch.utils.data.get_worker_info()
        rng = np.random.default_rng([self.seed, self.start, info.id if info else 0])
        yield from mixed(rng, self.draw(rng), self.size)


def some_crops(
    draw: Callable[[np.random.Generator], Iterator[Crops]], seed: int, count: int
) -> Pixels:
    """Return (count, H, W, 3) BGR crops of those that *draw* yields."""
    crops, _ = next(iter(CropBatches(draw, seed, 0, count)))
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
        probs = np.sqrt([len(shots) for shots in groups])
        shots = groups[int(rng.choice(len(groups), p=probs / probs.sum()))]
        yield shots[int(rng.integers(len(shots)))]


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


def training(sources: CropSources, *, seed: int, workers: int) -> Training:
    """Return how the classifier is trained."""

    def batches(done: int) -> Iterable[list[Tensor]]:
        return loaded(CropBatches(partial(crops_of, sources), seed, done, BATCH), None, workers)

    def parts(logits: Tensor, truth: list[Tensor], _: float) -> tuple[Parts, Parts]:
        kinds = truth[0][:, 0]
        predicted = logits[:, :CLASSES].argmax(1)
        right = (predicted == kinds) | ((kinds == NOT_UP) & (predicted >= NOTHING))
        return loss(logits, truth[0]), {"right": right.float().mean()}

    return Training(FaceClassifierNet, batches, parts, most=3e-3, decay=0.03, rough=True)
