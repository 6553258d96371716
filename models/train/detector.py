"""Train the detector on drawn pictures and on photos that have only boxes.

A drawn face gives the heat, the shape, the value and the partner. A photo's box says that one
middle lies in it: the likeliest cell of the box is pushed up, with the box's value, and what is
well away from that cell is pushed down.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as nnf
from torch.utils.data import IterableDataset

from models.dataset.annotation import AnnotatedImage
from models.dataset.folders import PHOTO_SETS, drawn_group, training_photos
from models.train.nets import Detector
from models.train.targets import draw_sample
from models.train.trainer import Parts, Training, loaded

SIDE = 160  # px of a sample; small, so that most of it is faces
PHOTO_SHARE = 0.3
SET_ODDS = (0.42, 0.26, 0.2, 0.12)  # of PHOTO_SETS: many looks first
RELIST = 4000  # samples after which a worker looks for new pictures


@dataclass(frozen=True, slots=True)
class Sources:
    """Where pictures lie."""

    drawn: tuple[Path, ...]
    photos: Path | None


class Samples(IterableDataset[tuple[np.ndarray, ...]]):
    """Endless samples; every worker draws its own."""

    def __init__(self, sources: Sources, seed: int, start: int) -> None:
        super().__init__()
        self.sources, self.seed, self.start = sources, seed, start

    def __iter__(self) -> Iterator[tuple[np.ndarray, ...]]:
        """Yield the arrays of a Sample."""
        cv2.setNumThreads(1)
        info = torch.utils.data.get_worker_info()
        worker = info.id if info else 0
        rng = np.random.default_rng([self.seed, self.start, worker])
        photos = _by_set(self.sources.photos)
        drawn: list[list[AnnotatedImage]] = []
        count = 0
        while True:
            if count % RELIST == 0:
                drawn = [shots for folder in self.sources.drawn if (shots := drawn_group(folder))]
            count += 1
            yield astuple(draw_sample(rng, choose(rng, drawn, photos), SIDE))


def _by_set(folder: Path | None) -> dict[str, list[AnnotatedImage]]:
    photos: dict[str, list[AnnotatedImage]] = {}
    for shot in training_photos(folder, held_back=False) if folder else ():
        photos.setdefault(shot.dataset, []).append(shot)
    return photos


def choose(
    rng: np.random.Generator,
    drawn: list[list[AnnotatedImage]],
    photos: dict[str, list[AnnotatedImage]],
) -> AnnotatedImage:
    """Choose a picture: photos by set, drawn ones by folder, a large folder more often."""
    if photos and rng.random() < PHOTO_SHARE:
        names = [name for name in PHOTO_SETS if name in photos]
        probs = np.array([SET_ODDS[PHOTO_SETS.index(name)] for name in names])
        shots = photos[names[int(rng.choice(len(names), p=probs / probs.sum()))]]
    else:
        probs = np.sqrt([len(shots) for shots in drawn])
        shots = drawn[int(rng.choice(len(drawn), p=probs / probs.sum()))]
    return shots[int(rng.integers(len(shots)))]


def loss(out: Tensor, batch: list[Tensor], strict: bool) -> dict[str, Tensor]:
    """Return the parts of the loss for a batch but its pictures; *strict*: boxes push down too."""
    heat, care, shape, weight, value, half, boxes = batch
    many = weight.sum().clamp(min=4.0)
    steep = nnf.smooth_l1_loss(out[:, 1:8], shape, beta=0.1, reduction="none")
    values = nnf.cross_entropy(out[:, 8:15], value, reduction="none")
    is_half = nnf.binary_cross_entropy_with_logits(out[:, 15], half[:, 0], reduction="none")
    partner = nnf.smooth_l1_loss(out[:, 16:18], half[:, 1:], beta=0.1, reduction="none").sum(1)
    parts = {
        "heat": _focal(out[:, 0], heat, care),
        "shape": 1.5 * (steep.sum(1) * weight).sum() / many,
        "value": 0.5 * (values * weight).sum() / many,
        "half": 0.2 * (is_half * weight).sum() / many,
        "partner": 0.5 * (partner * weight * half[:, 0]).sum() / many,
    }
    return parts | _from_boxes(out, boxes, strict)


def _focal(score: Tensor, heat: Tensor, care: Tensor) -> Tensor:
    """Return CenterNet's focal loss (Zhou et al. 2019, eq. 1) a face."""
    probs = torch.sigmoid(score).clamp(1e-5, 1 - 1e-5)
    top = (heat > 0.999).float()
    hit = -((1 - probs) ** 2) * torch.log(probs) * top
    miss = -((1 - heat) ** 4) * probs**2 * torch.log(1 - probs) * (1 - top)
    return ((hit + miss) * care).sum() / top.sum().clamp(min=4.0)


def _from_boxes(out: Tensor, boxes: Tensor, strict: bool) -> dict[str, Tensor]:
    up, down, named, count = [], [], [], 0
    n = out.shape[-1]
    for item, rows in zip(out, boxes, strict=True):
        for x0, y0, x1, y1, value in rows[rows[:, 4] >= 0].tolist():
            w, h = x1 - x0, y1 - y0
            # Seen from the front the upper face fills the upper part of its die's box.
            left, right = round(x0 + 0.18 * w), round(x1 - 0.18 * w) + 1
            top, bottom = round(y0 + 0.15 * h), round(y1 - 0.25 * h) + 1
            left, top = max(0, left), max(0, top)
            right, bottom = min(n, max(right, left + 1)), min(n, max(bottom, top + 1))
            if right <= left or bottom <= top:
                continue
            window = item[0, top:bottom, left:right]
            flat = int(window.argmax())
            y, x = top + flat // window.shape[1], left + flat % window.shape[1]
            score = item[0, y, x]
            up.append((1 - torch.sigmoid(score)) ** 2 * nnf.softplus(-score))
            named.append(
                nnf.cross_entropy(item[8:15, y, x], torch.tensor(int(value), device=out.device))
            )
            count += 1
            if strict:
                down.append(_elsewhere(item[0], (x, y), (x0, y0, x1, y1)))
    none = out.sum() * 0
    return {
        "box": (torch.stack(up).sum() if up else none) / max(count, 4),
        "named": 0.5 * (torch.stack(named).sum() if named else none) / max(count, 4),
        "elsewhere": 0.5 * (torch.stack(down).sum() if down else none) / max(count, 4),
    }


def _elsewhere(
    score: Tensor, at: tuple[int, int], box: tuple[float, float, float, float]
) -> Tensor:
    """Return the loss of the box's cells that are too far from the middle to be one."""
    x0, y0 = (max(0, int(c)) for c in box[:2])
    x1, y1 = int(box[2]) + 2, int(box[3] + 0.3 * (box[3] - box[1])) + 2
    part = score[y0:y1, x0:x1]
    ys = torch.arange(part.shape[0], device=score.device)[:, None] + y0 - at[1]
    xs = torch.arange(part.shape[1], device=score.device)[None] + x0 - at[0]
    away = torch.sqrt((ys**2 + xs**2).float()) / max(box[2] - box[0], box[3] - box[1])
    far = (away > 0.33) & (away * max(box[2] - box[0], 1) > 1.5)
    probs = torch.sigmoid(part)
    return (probs**2 * nnf.softplus(part) * far).sum()


def training(sources: Sources, *, seed: int, batch: int, workers: int, again: bool) -> Training:
    """Return how the detector is trained, from nothing or *again*."""

    def batches(done: int) -> Iterable[list[Tensor]]:
        return loaded(Samples(sources, seed, done), batch, workers)

    # A network that has learned before knows where in a box a face is likely.
    lenient = 0.0 if again else 0.2

    def parts(out: Tensor, truth: list[Tensor], share: float) -> tuple[Parts, Parts]:
        return loss(out, truth, strict=share >= lenient), {}

    return Training(Detector, batches, parts, most=2.5e-3, decay=0.02)
