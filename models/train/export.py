"""Write trained networks as ONNX, the same bytes for the same weights."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import torch
from torch import Tensor, nn

from models.train.nets import (
    DetectorNet,
    FaceClassifierNet,
    FaceClassifierToShip,
    MarkClassifierNet,
    PairClassifierNet,
)
from models.train.trainer import Trainer
from vision.boards.sheet.marks import HIGH, STATES, WIDE
from vision.dominoes.pair_classifier import HEIGHT, WIDTH
from vision.faces.classifier import SIDE

OPSET = 17


def export_detector(trainer: Trainer, path: Path) -> int:
    """Write the detector; return the steps it was trained for."""
    net, steps = trainer.averaged(DetectorNet())
    _write(net, torch.zeros(1, 3, 64, 96), path, ["logits"], {0: "n", 2: "h", 3: "w"})
    return steps


def export_face_classifier(trainer: Trainer, path: Path) -> int:
    """Write the classifier; return the steps it was trained for."""
    net, steps = trainer.averaged(FaceClassifierNet())
    assert isinstance(net, FaceClassifierNet)
    picture = torch.zeros(2, 3, SIDE, SIDE)
    _write(FaceClassifierToShip(net).eval(), picture, path, ["logits", "embeddings"], {0: "n"})
    return steps


def export_pair_classifier(trainer: Trainer, path: Path) -> int:
    """Write the pair classifier; return the steps it was trained for."""
    net, steps = trainer.averaged(PairClassifierNet())
    _write(net, torch.zeros(2, 3, HEIGHT, WIDTH), path, ["logits"], {0: "n"})
    return steps


def export_mark_classifier(trainer: Trainer, path: Path) -> int:
    """Write the mark classifier; return the steps it was trained for."""
    net, steps = trainer.averaged(MarkClassifierNet())
    crops, possible = torch.zeros(60, 3, HIGH, WIDE), torch.zeros(60, len(STATES))
    given = {"apart": torch.zeros(60, 60, dtype=torch.int64), "possible": possible}
    free = {"apart": {0: "n", 1: "n"}, "possible": {0: "n"}}
    _write(net, crops, path, ["logits"], {0: "n"}, given, free)
    return steps


def _write(
    net: nn.Module,
    picture: Tensor,
    path: Path,
    outputs: list[str],
    free: dict[int, str],
    given: Mapping[str, Tensor] = MappingProxyType({}),
    given_free: Mapping[str, dict[int, str]] = MappingProxyType({}),
) -> None:
    with warnings.catch_warnings():
        # This exporter is deprecated; it needs nothing but torch and repeats itself to the byte.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            net, (picture, *given.values()), str(path), opset_version=OPSET, dynamo=False,
            input_names=["picture", *given], output_names=outputs,
            dynamic_axes={**dict.fromkeys(["picture", *outputs], free), **given_free},
        )  # fmt: skip
