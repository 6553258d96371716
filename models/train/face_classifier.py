"""Train the face classifier on crops of drawn pictures and of photos whose quads are known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as nnf
from torch.utils.data import IterableDataset

from models.dataset.annotation import UNKNOWN, AnnotatedImage
from models.dataset.folders import drawn_images
from models.train.crops import NOT_UP, draw_crops, mixed
from models.train.nets import FaceClassifier
from models.train.trainer import Lesson, Parts, loaded
from vision.faces.classifier import CLASSES, NOTHING

BATCH = 128
RELIST = 4000  # pictures after which a worker looks for new ones
PHOTO_SHARE = 0.3


@dataclass(frozen=True, slots=True)
class Sources:
    """Where pictures with quads lie: drawn ones, and photos with quads found by the detector."""

    drawn: tuple[Path, ...]
    quads: tuple[Path, ...]


class Batches(IterableDataset[tuple[np.ndarray, np.ndarray]]):
    """Endless batches of crops."""

    def __init__(self, sources: Sources, seed: int, start: int) -> None:
        super().__init__()
        self.sources, self.seed, self.start = sources, seed, start

    def __iter__(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield (BATCH, 64, 64, 3) crops and (BATCH, 2) kind and colour."""
        cv2.setNumThreads(1)
        info = torch.utils.data.get_worker_info()
        rng = np.random.default_rng([self.seed, self.start, info.id if info else 0])
        yield from mixed(rng, (draw_crops(rng, shot) for shot in self._shots(rng)), BATCH)

    def _shots(self, rng: np.random.Generator) -> Iterator[AnnotatedImage]:
        count = 0
        while True:
            if count % RELIST == 0:
                drawn = [shots for f in self.sources.drawn if (shots := drawn_images(f))]
                photos = [shots for f in self.sources.quads if (shots := drawn_images(f))]
            count += 1
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
    known = nnf.cross_entropy(
        *(logits[:, :CLASSES], kinds.masked_fill(open_, NOTHING)),
        label_smoothing=0.01,
        reduction="none",
    )
    named = nnf.cross_entropy(
        logits[:, CLASSES:], colours, ignore_index=UNKNOWN, label_smoothing=0.03
    )
    return {
        "kind": torch.where(open_, either, known).mean(),
        "colour": 0.4 * named,
    }


def lesson(sources: Sources, *, seed: int, workers: int) -> Lesson:
    """Return how the classifier is trained."""

    def batches(done: int) -> Iterable[list[Tensor]]:
        return loaded(Batches(sources, seed, done), None, workers)

    def parts(logits: Tensor, truth: list[Tensor], _: float) -> tuple[Parts, Parts]:
        kinds = truth[0][:, 0]
        told = logits[:, :CLASSES].argmax(1)
        right = (told == kinds) | ((kinds == NOT_UP) & (told >= NOTHING))
        return loss(logits, truth[0]), {"right": right.float().mean()}

    return Lesson(FaceClassifier, batches, parts, most=3e-3, decay=0.03, rough=True)
