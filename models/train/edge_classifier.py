"""Train the edge classifier on pictures that are cut off across pieces, and beside them."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from torch import Tensor
from torch.nn import functional as nnf

from models.dataset.folders import CROP_SETS, drawn_group, photos_by_set
from models.train.edges import UNKNOWN, strips_of
from models.train.face_classifier import crop_training
from models.train.nets import EdgeClassifierNet
from models.train.trainer import Parts, Training

BATCH = 64


def training(drawn: Sequence[Path], photos: Path | None, **how: int) -> Training:
    """Return how the edge classifier is trained; *how* goes to `crop_training`."""
    sets = photos_by_set(photos) if photos else {}
    tables = [drawn_group(folder) for folder in drawn]
    groups = [*tables, *(shots for name, shots in sets.items() if name not in CROP_SETS)]
    draw = partial(strips_of, [shots for shots in groups if shots])

    def parts(logits: Tensor, truth: Tensor) -> tuple[Parts, Parts]:
        is_known, is_cut = truth != UNKNOWN, truth == 1
        along = logits[:, 0, :, 0]
        each = nnf.binary_cross_entropy_with_logits(along, is_cut.float(), reduction="none")
        found, false = (along > 0) & is_cut, (along > 0) & is_known & ~is_cut
        shares = found.sum() / is_cut.sum().clamp(min=1), false.sum() / (is_known & ~is_cut).sum()
        return {"edge": each[is_known].mean()}, {"found": shares[0], "false": shares[1]}

    return crop_training(EdgeClassifierNet, draw, parts, batch=BATCH, **how)
