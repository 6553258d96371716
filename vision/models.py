"""The networks of `models/` as functions on arrays; each is loaded when it is first used."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

Tensor = NDArray[np.float32]
Detector = Callable[[Tensor], Tensor]  # (1, 3, h, w) RGB in [0, 1] to (1, channels, h/4, w/4)
FaceClassifier = Callable[
    [Tensor], tuple[Tensor, Tensor]
]  # (n, 3, 64, 64) to logits and embeddings

EdgeClassifier = Callable[[Tensor], Tensor]  # (n, 4, h, 32) to (n, 1, h/4, 1) logits
PairClassifier = Callable[[Tensor], Tensor]  # (n, 3, 32, 56) to (n, 1) logits of "one domino"
# (n, 3, 56, 96) crops, (n, n) `apart` and (n, 4) `possible` to (n, 4) logits of states of a cell
MarkClassifier = Callable[[Tensor, NDArray[np.int64], NDArray[np.bool_]], Tensor]

HERE = Path(__file__).parent
# Read when onnxruntime initializes: it then neither writes an identifier and an event log to the
# home folder nor sends them to its maker. No other file imports onnxruntime (a test checks that).
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
MOST_THREADS = 4  # more are no faster on pictures of this size
LITTLE_MEMORY = "PIPSIGHT_LITTLE_MEMORY"  # environ: hold no memory for the next picture


def model_path(name: str) -> Path:
    """Return the path of a file of `models/`, inside the wheel or in the working tree."""
    shipped_models = HERE / "_models" / name
    return shipped_models if shipped_models.exists() else HERE.parent / "models" / name


def _session(path: Path, threads: int) -> InferenceSession:
    import onnxruntime  # noqa: PLC0415  # 0.4 s that help texts and bad files need not wait for

    onnxruntime.disable_telemetry_events()  # builds that log to Windows know no variable
    options = onnxruntime.SessionOptions()
    sparing = bool(os.environ.get(LITTLE_MEMORY))
    options.intra_op_num_threads = threads or min(1 if sparing else MOST_THREADS, _cores())
    options.enable_cpu_mem_arena = not sparing
    # Waiting threads would keep a core busy between two photos.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def quantization() -> Any:
    """Return onnxruntime's module for quantization, for training; it needs the package onnx."""
    import onnxruntime.quantization  # noqa: PLC0415

    return onnxruntime.quantization


def _cores() -> int:
    """Return the number of cores that this process may use."""
    held = getattr(os, "sched_getaffinity", None)  # where the system can hold a process to some
    return len(held(0)) if held else os.cpu_count() or 1


def load_plain(path: Path, threads: int = 0) -> Callable[[Tensor], Tensor]:
    """Load a network with one output, its logits; `threads` 0 chooses by the machine."""
    session = _session(path, threads)

    def run(picture: Tensor) -> Tensor:
        (logits,) = session.run(None, {"picture": picture})
        return np.asarray(logits, np.float32)

    return run


def load_face_classifier(path: Path, threads: int = 0) -> FaceClassifier:
    """Load a face classifier from an ONNX file; `threads` 0 chooses by the machine."""
    session = _session(path, threads)

    def run(crops: Tensor) -> tuple[Tensor, Tensor]:
        logits, embeddings = session.run(None, {"picture": crops})
        return np.asarray(logits, np.float32), np.asarray(embeddings, np.float32)

    return run


def load_mark_classifier(path: Path) -> MarkClassifier:
    """Load a mark classifier from an ONNX file."""
    session = _session(path, 0)

    def run(crops: Tensor, apart: NDArray[np.int64], possible: NDArray[np.bool_]) -> Tensor:
        given = {"picture": crops, "apart": apart, "possible": possible.astype(np.float32)}
        (logits,) = session.run(None, given)
        return np.asarray(logits, np.float32)

    return run


@cache
def detector() -> Detector:
    """Return the shipped detector."""
    return load_plain(model_path("detector.onnx"))


@cache
def edge_classifier() -> EdgeClassifier:
    """Return the shipped edge classifier."""
    return load_plain(model_path("edge_classifier.onnx"))


@cache
def pair_classifier() -> PairClassifier:
    """Return the shipped pair classifier."""
    return load_plain(model_path("pair_classifier.onnx"))


@cache
def mark_classifier() -> MarkClassifier:
    """Return the shipped mark classifier."""
    return load_mark_classifier(model_path("mark_classifier.onnx"))


@cache
def face_classifier() -> FaceClassifier:
    """Return the shipped face classifier."""
    return load_face_classifier(model_path("face_classifier.onnx"))
