"""Drawn pictures as files: a JPEG with its labels beside it, `NAME.jpg` and `NAME.json`."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]


def as_jpeg(picture: Pixels, quality: int) -> bytes:
    """Return a picture (h, w, 3) BGR as a JPEG file."""
    return bytes(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1])


def through_jpeg(picture: Pixels, quality: int) -> Pixels:
    """Return a picture (h, w, 3) BGR with what JPEG of that quality leaves of it."""
    code = np.frombuffer(as_jpeg(picture, quality), np.uint8)
    return np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR), np.uint8)


def write(path: Path, picture: Pixels, labels: dict[str, Any], quality: int) -> None:
    """Write a picture to *path*, and its labels, with its name, beside it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(as_jpeg(picture, quality))
    path.with_suffix(".json").write_text(json.dumps(labels | {"file": path.name}))


def write_new(path: Path, draw: Callable[[], tuple[Pixels, dict[str, Any]]], quality: int) -> None:
    """Draw and write a picture and its labels, unless they are there."""
    if not path.with_suffix(".json").exists():
        write(path, *draw(), quality)
