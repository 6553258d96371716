"""Writing pictures to files, with distinct names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

import cv2

from vision.photo import Pixels
from webui.errors import NotWritten
from webui.store.durable_files import write_named


def make_folder(folder: Path) -> None:
    """Create a folder for pictures unless it exists; raises NotWritten."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise NotWritten(folder, fault) from fault


def write_picture(path: Path, pixels: Pixels) -> None:
    """Write a JPEG; raises NotWritten.

    OpenCV's own writer ignores a full disk and rejects names that are not UTF-8.
    """
    _, jpeg = cv2.imencode(".jpg", pixels)
    write_named(path, jpeg.tobytes())


def distinct_names(paths: Iterable[Path]) -> dict[Path, str]:
    """Return a distinct file name for each photo, with as many parent folders as needed.

    For may/a.jpg, june/a.jpg and june/b.jpg these are may-a.jpg, june-a.jpg and b.jpg.
    """
    whole = {path: path.absolute() for path in paths}
    depths = dict.fromkeys(whole, 1)
    while True:
        names = {path: _joined(whole[path], depth) for path, depth in depths.items()}
        clashing = _clashing(names, whole)
        longer = [path for path in clashing if depths[path] < len(whole[path].parts)]
        if not longer:  # names still equal at the root, `a-b/c` and `a/b-c`, are numbered
            counted = {path: f"{number}-{names[path]}" for number, path in enumerate(clashing, 1)}
            return names | counted
        for path in longer:
            depths[path] += 1


def _clashing(names: Mapping[Path, str], whole: Mapping[Path, Path]) -> list[Path]:
    """Return the photos with equal names; some file systems ignore case."""
    alike = defaultdict(set)
    for path, name in names.items():
        alike[name.casefold()].add(whole[path])
    return [path for path, name in names.items() if len(alike[name.casefold()]) > 1]


def _joined(path: Path, depth: int) -> str:
    return "-".join(part.strip("/\\:") for part in path.parts[-depth:])
