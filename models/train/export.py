"""Write trained networks as ONNX, the same bytes for the same weights."""

from __future__ import annotations

import warnings
from pathlib import Path

import torch
from torch import Tensor, nn

from models.train.nets import (
    Detector,
    FaceClassifier,
    FaceClassifierToShip,
    MarkClassifier,
    PairClassifier,
)
from models.train.trainer import Trainer
from vision.boards.marks import HIGH, WIDE
from vision.dominoes.pair_classifier import HEIGHT, WIDTH
from vision.faces.classifier import SIDE

OPSET = 17


def export_detector(trainer: Trainer, path: Path) -> int:
    """Write the detector; return the steps it was trained for."""
    net, steps = trainer.averaged(Detector())
    _write(net, torch.zeros(1, 3, 64, 96), path, ["logits"], {0: "n", 2: "h", 3: "w"})
    return steps


def export_face_classifier(trainer: Trainer, path: Path) -> int:
    """Write the classifier; return the steps it was trained for."""
    net, steps = trainer.averaged(FaceClassifier())
    assert isinstance(net, FaceClassifier)
    picture = torch.zeros(2, 3, SIDE, SIDE)
    _write(FaceClassifierToShip(net).eval(), picture, path, ["logits", "embeddings"], {0: "n"})
    return steps


def export_pair_classifier(trainer: Trainer, path: Path) -> int:
    """Write the pair classifier; return the steps it was trained for."""
    net, steps = trainer.averaged(PairClassifier())
    _write(net, torch.zeros(2, 3, HEIGHT, WIDTH), path, ["logits"], {0: "n"})
    return steps


def export_mark_classifier(trainer: Trainer, path: Path) -> int:
    """Write the mark classifier; return the steps it was trained for."""
    net, steps = trainer.averaged(MarkClassifier())
    _write(net, torch.zeros(2, 3, HIGH, WIDE), path, ["logits"], {0: "n"})
    return steps


def _write(
    net: nn.Module, picture: Tensor, path: Path, outputs: list[str], free: dict[int, str]
) -> None:
    with warnings.catch_warnings():
        # This exporter is deprecated; it needs nothing but torch and repeats itself to the byte.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            net, (picture,), str(path), opset_version=OPSET, dynamo=False,
            input_names=["picture"], output_names=outputs,
            dynamic_axes=dict.fromkeys(["picture", *outputs], free),
        )  # fmt: skip
