"""Write trained networks as ONNX, the same bytes for the same weights."""

from __future__ import annotations

import warnings
from pathlib import Path

import torch
from torch import nn

from models.train.course import Course
from models.train.infer import SIDE
from models.train.nets import Finder, Reader

OPSET = 17


def export(course: Course, net: nn.Module, path: Path) -> int:
    """Write the averaged weights of a course; return the steps they were trained for."""
    ready, steps = course.averaged(net)
    is_finder = isinstance(net, Finder)
    shape = (1, 3, 64, 96) if is_finder else (2, 3, SIDE, SIDE)
    moving = {0: "n", 2: "h", 3: "w"} if is_finder else {0: "n"}
    with warnings.catch_warnings():
        # This exporter is deprecated; it needs nothing but torch and repeats itself to the byte.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            ready, (torch.zeros(shape),), str(path), opset_version=OPSET, dynamo=False,
            input_names=["picture"], output_names=["scores"],
            dynamic_axes={"picture": moving, "scores": moving if is_finder else {0: "n"}},
        )  # fmt: skip
    return steps


def export_finder(course: Course, path: Path) -> int:
    """Write the finder."""
    return export(course, Finder(), path)


def export_reader(course: Course, path: Path) -> int:
    """Write the reader."""
    return export(course, Reader(), path)
