"""Endless batches of crops: what the face and the pair classifier are trained on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from torch.utils.data import IterableDataset

from models.train.crops import mixed
from vision.decode import Pixels

Crops = tuple[np.ndarray, np.ndarray]  # (n, H, W, 3) BGR of one picture, and n truths


@dataclass(frozen=True, slots=True)
class CropSources:
    """Where pictures with quads lie: drawn ones, and photos with quads found by the detector."""

    drawn: tuple[Path, ...]
    quads: tuple[Path, ...]


class CropBatches(IterableDataset[Crops]):
    """Batches of *size* crops, of many pictures each; *draw* yields the crops of one after another.

    Each worker draws others, told by *seed* and the step *start* at which the training goes on.
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
