"""Train the mark classifier on cells of sheets that simulated hands have filled.

No sheet is kept: each is drawn, photographed, cut into cells and forgotten, so no two are alike.
"""

import json
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as nnf

from models import augment
from models.sheets.cases import GEOMETRY
from models.sheets.home import FilledSheet, draw_block, draw_filled, misplaced, possible_states
from models.sheets.odd import write_odd
from models.sheets.strokes import UNCLEAR
from models.train.nets import NEVER, MarkClassifierNet
from models.train.trainer import Arrays, Endless, Parts, Training, loaded
from vision.boards.sheet.marks import (
    BLACKENED,
    CHECKED,
    HIGH,
    STATES,
    STRUCK,
    WIDE,
    apart,
    crop_cells,
)
from vision.photo import Pixels

SHEETS = 4  # a batch; a place for a sheet holds our print, or several smaller ones
PLACE = 60  # cells
PRINTED = 0.5  # share of sheets that are our own print, the others are of any look
PEOPLE = 0.65  # share that people filled by the rules, the others were filled by anything
ODD = 0.7  # share of sheets with marks that are not like the others
POOL = 160  # places that a batch is drawn from
BATCHES = 1  # a new place; one seen twelve times instead of four is learned by heart
MISPLACED = 0.02  # of a cell, standard error of a sheet's place; now and then four times that
REPAINTED = 0.05  # share of sheets

Random = np.random.Generator
Filled = tuple[Pixels, NDArray[np.int64], NDArray[np.int64]]


def draw_cells(rng: Random, sheet: FilledSheet) -> Filled:
    """Return (n, HIGH, WIDE, 3) BGR crops, (n, n) how they lie, (n, 2) state and if it fills."""
    much = MISPLACED * float(rng.choice([0.3, 1.0, 4.0], p=[0.4, 0.45, 0.15]))
    polygons = misplaced(rng, sheet.polygons, much)
    bgr = augment.repaint(rng, sheet.bgr) if rng.random() < REPAINTED else sheet.bgr
    crops = crop_cells(bgr, sheet.matrix, polygons)
    return crops, apart(polygons), np.column_stack([sheet.truth, sheet.six.astype(np.int64)])


def draw_place(rng: Random, geometry: Mapping[str, Any]) -> Filled:
    """Return what `draw_cells` does for one or several sheets with PLACE cells together.

    Cells of two sheets know nothing of each other, and what no sheet fills is -1.
    """
    crops = np.zeros((PLACE, HIGH, WIDE, 3), np.uint8)
    lie, truth = np.full((PLACE, PLACE), -1), np.full((PLACE, 2), -1)
    at = 0
    while True:
        people = bool(rng.random() < PEOPLE)
        ours = at == 0 and rng.random() < PRINTED
        odd = write_odd if rng.random() < ODD else None
        sheet = (
            draw_block(rng, geometry, people=people, odd=odd)
            if ours
            else draw_filled(rng, people=people, odd=odd)
        )
        count = len(sheet.truth)
        if at + count > PLACE:
            crops[at:] = crops[: PLACE - at]
            return crops, lie, truth
        cells = slice(at, at + count)
        crops[cells], lie[cells, cells], truth[cells] = draw_cells(rng, sheet)
        at += count
        if at == PLACE:
            return crops, lie, truth


def batches_of(rng: Random) -> Iterator[Arrays]:
    """Yield (N, HIGH, WIDE, 3) RGB crops, (N, PLACE) lie, (N, 4) possible, (N, 2) truths."""
    geometry = json.loads(GEOMETRY.read_text())
    pool: deque[Filled] = deque(maxlen=POOL)
    while True:
        pool.append(draw_place(rng, geometry))
        if len(pool) < 6 * SHEETS:
            continue
        for _ in range(BATCHES):
            some = [pool[k] for k in rng.permutation(len(pool))[:SHEETS]]
            crops, lie, truth = (np.concatenate(parts) for parts in zip(*some, strict=True))
            possible = possible_states(truth[:, 1] > 0).astype(np.float32)
            yield np.ascontiguousarray(crops[..., ::-1]), lie, possible, truth


def log_shares(logits: Tensor, fills: Tensor) -> Tensor:
    """Return (n, 4) log probabilities of what a cell can be.

    Where a cell cannot be blackened, one that is filled is checked; where it can, no line strikes.
    """
    filled = torch.logsumexp(logits[:, CHECKED : BLACKENED + 1], dim=1)
    never = torch.full_like(filled, -NEVER)
    number = torch.stack([logits[:, 0], filled, never, logits[:, STRUCK]], dim=1)
    six = torch.stack([*logits[:, :STRUCK].unbind(1), never], dim=1)
    return nnf.log_softmax(torch.where(fills[:, None] > 0, six, number), dim=1)


def targets(states: Tensor, fills: Tensor) -> Tensor:
    """Return (n, 4) wanted shares; what is UNCLEAR may be blank, checked, or filled if it can."""
    shares = nnf.one_hot(states.clamp(min=0), len(STATES)).float()
    fillable = (fills > 0).float()
    may_be = torch.stack([*[torch.ones_like(fillable)] * 2, fillable, 0 * fillable], dim=1)
    return torch.where(states[:, None] == UNCLEAR, may_be / may_be.sum(1, keepdim=True), shares)


def training(*, seed: int, workers: int) -> Training:
    """Return how the mark classifier is trained."""

    def batches(done: int) -> Iterable[list[Tensor]]:
        return loaded(Endless(batches_of, seed, done), None, workers)

    def parts(logits: Tensor, truth: list[Tensor], _: float) -> tuple[Parts, Parts]:
        labelled = (truth[0][:, 0] >= 0) | (truth[0][:, 0] == UNCLEAR)
        states, fills = truth[0][labelled].unbind(1)
        shares = log_shares(logits[labelled], fills)
        right = (shares.argmax(1) == states)[states >= 0].float().mean()
        surprise = -(targets(states, fills) * shares).sum(1).mean()
        return {"state": surprise}, {"right": right}

    return Training(
        MarkClassifierNet, batches, parts, most=2e-3, decay=0.03, given=2, rough=True, again=0.2
    )
