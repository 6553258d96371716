"""Train the mark classifier on cells of sheets that simulated hands have filled.

No sheet is kept: each is drawn, photographed, cut into cells and forgotten, so no two are alike.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as nnf
from torch.utils.data import IterableDataset

from models import augment
from models.sheets.cases import GEOMETRY
from models.sheets.filled import FilledSheet, draw_filled, misplaced
from models.sheets.home import draw_printed
from models.train.nets import MarkClassifier
from models.train.trainer import Parts, Training, loaded
from vision.boards.marks import BLACKENED, CHECKED, HIGH, STRUCK, WIDE, crop_cells
from vision.decode import Pixels

BATCH = 128
PRINTED = 0.4  # share of sheets that are our own print, the others are of any look
POOL = 12_000  # crops that a batch is drawn from
BATCHES = 2  # a new sheet, so that a crop is seen about six times; drawing takes the longest
MISPLACED = 0.02  # of a cell, standard error of a sheet's place; now and then four times that
REPAINTED = 0.05  # share of crops
NEVER = -1e4  # logit of what cannot be

Random = np.random.Generator
Crops = tuple[Pixels, NDArray[np.int64]]


def draw_cells(rng: Random, sheet: FilledSheet) -> Crops:
    """Return (n, HIGH, WIDE, 3) BGR crops of a sheet and (n, 2): state, and whether it fills."""
    much = MISPLACED * float(rng.choice([0.3, 1.0, 4.0], p=[0.4, 0.45, 0.15]))
    crops = crop_cells(sheet.bgr, sheet.matrix, misplaced(rng, sheet.polygons, much))
    for crop in crops:
        if rng.random() < REPAINTED:
            crop[:] = augment.repaint(rng, crop)
        if rng.random() < 0.3:
            crop[:] = augment.recolour(rng, crop, 0.6)
    return crops, np.column_stack([sheet.truth, sheet.six.astype(np.int64)])


class Batches(IterableDataset[tuple[np.ndarray, np.ndarray]]):
    """Endless batches of crops."""

    def __init__(self, seed: int, start: int) -> None:
        super().__init__()
        self.seed, self.start = seed, start

    def __iter__(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield (BATCH, HIGH, WIDE, 3) RGB crops and (BATCH, 2) truths, of many sheets each."""
        cv2.setNumThreads(1)
        info = torch.utils.data.get_worker_info()
        rng = np.random.default_rng([self.seed, self.start, info.id if info else 0])
        crops = np.zeros((POOL, HIGH, WIDE, 3), np.uint8)
        truth = np.zeros((POOL, 2), np.int64)
        geometry = json.loads(GEOMETRY.read_text())
        held = at = 0
        while True:
            ours = rng.random() < PRINTED
            sheet = draw_printed(rng, geometry) if ours else draw_filled(rng)
            for crop, told in zip(*draw_cells(rng, sheet), strict=True):
                if told[0] >= 0:
                    crops[at], truth[at] = crop, told
                    at = (at + 1) % POOL
                    held = max(held, at if held < POOL and at else POOL)
            if held < 4 * BATCH:
                continue
            for _ in range(BATCHES):
                some = rng.permutation(held)[:BATCH]
                yield np.ascontiguousarray(crops[some][..., ::-1]), truth[some]


def log_shares(logits: Tensor, fills: Tensor) -> Tensor:
    """Return (n, 4) log probabilities of what a cell can be.

    Where a cell cannot be blackened, one that is filled is checked; where it can, no line strikes.
    """
    filled = torch.logsumexp(logits[:, CHECKED : BLACKENED + 1], dim=1)
    never = torch.full_like(filled, NEVER)
    number = torch.stack([logits[:, 0], filled, never, logits[:, STRUCK]], dim=1)
    six = torch.stack([*logits[:, :STRUCK].unbind(1), never], dim=1)
    return nnf.log_softmax(torch.where(fills[:, None] > 0, six, number), dim=1)


def training(*, seed: int, workers: int) -> Training:
    """Return how the mark classifier is trained."""

    def batches(done: int) -> Iterable[list[Tensor]]:
        return loaded(Batches(seed, done), None, workers)

    def parts(logits: Tensor, truth: list[Tensor], _: float) -> tuple[Parts, Parts]:
        states, fills = truth[0][:, 0], truth[0][:, 1]
        shares = log_shares(logits, fills)
        right = (shares.argmax(1) == states).float().mean()
        return {"state": nnf.nll_loss(shares, states)}, {"right": right}

    return Training(MarkClassifier, batches, parts, most=3e-3, decay=0.03, rough=True)
