"""Train the detector on drawn pictures and on photos that have only boxes.

A drawn face gives the heat, the shape, the value and the partner. A photo's box says that one
middle lies in it: the likeliest cell of the box is pushed up, with the box's value, and what is
well away from that cell is pushed down.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as nnf

from models.dataset.annotation import AnnotatedImage
from models.dataset.folders import choose_image, drawn_group, parse_drawn, photos_by_set
from models.train.nets import DetectorNet
from models.train.targets import Sample, draw_sample
from models.train.trainer import Arrays, Endless, Parts, Training, loaded

SIDE = 160  # px of a sample; small, so that most of it is faces
PHOTO_SHARE = 0.4
SET_ODDS = {  # many looks first
    "dice-byler": 0.28, "dice-catan": 0.18, "dice-epanemu": 0.12, "dice-skovy": 0.06,
    "dice-trays": 0.10,
    "no-lookalikes": 0.22, "no-tables": 0.05, "no-numerals": 0.03, "dice-chase": 0.04,
}  # fmt: skip
OWN_ODDS = 0.1  # of photos that were counted at a table
CLOTH = 0.08  # share of samples that are stripes and nothing else
STRIPES = (2.0, 40.0)  # px from one stripe to the next
# Absolute logits above this cost: photos give 18 at most, and a channel that slept through its
# training once gave 75 on a cloth.
LOUD = 12.0


@dataclass(frozen=True, slots=True)
class Sources:
    """Where pictures lie."""

    drawn: tuple[Path, ...]
    photos: Path | None
    quads: Path  # what the networks make of the photos, by set


def samples_of(sources: Sources, rng: np.random.Generator) -> Iterator[Arrays]:
    """Yield the arrays of one Sample after another."""
    photos = _by_set(sources)
    drawn = [shots for folder in sources.drawn if (shots := drawn_group(folder))]
    while True:
        sample = draw_sample(rng, choose(rng, drawn, photos), SIDE)
        yield astuple(striped(rng, sample) if rng.random() < CLOTH else sample)


def striped(rng: np.random.Generator, sample: Sample) -> Sample:
    """Return a sample of the same size that is a striped or checked cloth, with no face on it."""
    period = STRIPES[0] * (STRIPES[1] / STRIPES[0]) ** (rng.random() ** 2)  # fine ones most often
    turn = rng.choice([0.0, np.pi / 2, rng.uniform(0, np.pi)])
    y, x = np.mgrid[0:SIDE, 0:SIDE] / period
    across, along = x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn)
    warp, weft = (way % 2 < 1.0 for way in (across, along))
    cloth = (warp * 1.0, warp * weft * 1.0, (warp * 1.0 + weft) / 2)[int(rng.integers(3))]
    ground, ink = rng.uniform(0, 255, 3), rng.uniform(0, 255, 3)
    picture = np.round(ground + cloth[..., None] * (ink - ground)).astype(np.uint8)
    names = ("heat", "shape", "weight", "half")
    bare = {name: np.zeros_like(getattr(sample, name)) for name in names}
    care, boxes = np.ones_like(sample.care), np.full_like(sample.boxes, -1)
    return replace(sample, picture=picture, care=care, boxes=boxes, **bare)


def _by_set(sources: Sources) -> dict[str, list[AnnotatedImage]]:
    """Return the photos by set, with what the networks took for faces there, if they were asked."""
    photos = photos_by_set(sources.photos) if sources.photos else {}
    return {
        name: [
            _with_mistakes(shot, sources.quads / name / f"{shot.path.stem}.json") for shot in shots
        ]
        for name, shots in photos.items()
    }


def _with_mistakes(shot: AnnotatedImage, file: Path) -> AnnotatedImage:
    if shot.faces or not file.exists():
        return shot
    return replace(shot, decoys=parse_drawn(shot.path, json.loads(file.read_text())).decoys)


def choose(
    rng: np.random.Generator,
    drawn: list[list[AnnotatedImage]],
    photos: dict[str, list[AnnotatedImage]],
) -> AnnotatedImage:
    """Choose a picture: photos by set, drawn ones by folder, a large folder more often."""
    if not photos or rng.random() >= PHOTO_SHARE:
        return choose_image(rng, drawn)
    probs = np.array([SET_ODDS.get(name, OWN_ODDS) for name in photos])
    shots = [*photos.values()][int(rng.choice(len(photos), p=probs / probs.sum()))]
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
        "loud": 0.3 * nnf.relu(out.abs() - LOUD).square().mean(),
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
    """Return the parts of the loss that photos' boxes give, all boxes of a batch at once."""
    at, row = torch.nonzero(boxes[..., 4] >= 0, as_tuple=True)
    rows, score = boxes[at, row], out[at, 0]
    upper = _upper_cells(rows, score.shape[-1])
    place = score.masked_fill(~upper, -torch.inf).flatten(1).argmax(1)
    best = score.flatten(1).gather(1, place[:, None])[:, 0]
    logits = out[at, 8:15].flatten(2)[torch.arange(len(at)), :, place]
    shown = upper.flatten(1).any(1)
    up = (1 - torch.sigmoid(best)) ** 2 * nnf.softplus(-best)
    named = 0.5 * nnf.cross_entropy(logits, rows[:, 4].long(), reduction="none")
    parts = {"box": up, "named": named}
    if strict:
        down = 0.5 * torch.sigmoid(score) ** 2 * nnf.softplus(score)
        elsewhere = _cells_elsewhere(rows, place, score.shape[-1])
        parts["elsewhere"] = (down * elsewhere).sum((1, 2))
    return {name: (part * shown).sum() / shown.sum().clamp(min=4) for name, part in parts.items()}


def _laid_out(boxes: Tensor, n: int) -> tuple[Tensor, ...]:
    """Return x0, y0, x1, y1 of k boxes, (k, 1, 1), and columns and rows of n x n cells."""
    cells = torch.arange(n, device=boxes.device)
    return (*boxes[:, :4, None, None].unbind(1), cells[None], cells[:, None])


def _upper_cells(boxes: Tensor, n: int) -> Tensor:
    """Return (k, n, n), the cells in which the middle of a die's upper face may lie.

    Seen from the front the upper face fills the upper part of its die's box.
    """
    x0, y0, x1, y1, xs, ys = _laid_out(boxes, n)
    w, h = x1 - x0, y1 - y0
    left, right = torch.round(x0 + 0.18 * w).clamp(min=0), torch.round(x1 - 0.18 * w) + 1
    top, bottom = torch.round(y0 + 0.15 * h).clamp(min=0), torch.round(y1 - 0.25 * h) + 1
    columns = (xs >= left) & (xs < torch.maximum(right, left + 1))
    return columns & (ys >= top) & (ys < torch.maximum(bottom, top + 1))


def _cells_elsewhere(boxes: Tensor, place: Tensor, n: int) -> Tensor:
    """Return (k, n, n), the cells of boxes that are too far from a middle, (k,), to be one."""
    x0, y0, x1, y1, xs, ys = _laid_out(boxes, n)
    to_x, to_y = xs - (place % n)[:, None, None], ys - (place // n)[:, None, None]
    away = torch.sqrt((to_x**2 + to_y**2).float())
    w, larger = x1 - x0, torch.maximum(x1 - x0, y1 - y0)
    far = (away > 0.33 * larger) & (away * w.clamp(min=1) > 1.5 * larger)
    columns = (xs >= x0.trunc()) & (xs < x1.trunc() + 2)
    return far & columns & (ys >= y0.trunc()) & (ys < (y1 + 0.3 * (y1 - y0)).trunc() + 2)


def training(sources: Sources, *, seed: int, batch: int, workers: int, again: bool) -> Training:
    """Return how the detector is trained, from nothing or *again*."""

    def batches(done: int) -> Iterable[list[Tensor]]:
        return loaded(Endless(partial(samples_of, sources), seed, done), batch, workers)

    # A network that has learned before knows where in a box a face is likely.
    lenient = 0.0 if again else 0.2

    def parts(out: Tensor, truth: list[Tensor], share: float) -> tuple[Parts, Parts]:
        return loss(out, truth, strict=share >= lenient), {}

    return Training(DetectorNet, batches, parts, most=2.5e-3, decay=0.02)
