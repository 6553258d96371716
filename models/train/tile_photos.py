"""Photos of dominoes that networks may learn from, smaller, with the outline of each half.

Their labels tell where each tile lies and where its halves have their middles.
"""

import json
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.dataset.annotation import AnnotatedFace, AnnotatedImage
from models.dataset.folders import drawn_images, is_held_back
from models.train.calibration.calibrate import varied
from vision.geometry import Floats

UNIT = np.array([(0, 0), (2, 0), (2, 1), (0, 1)], np.float32)  # a tile, its first half on the left
HALVES = np.array(
    [[(0, 0), (1, 0), (1, 1), (0, 1)], [(1, 0), (2, 0), (2, 1), (1, 1)]], np.float32
)  # (2, 4, 2)


def write_rendered_dominoes(labelled: Path, out: Path) -> str:
    """Write a truth file for each picture of a set with `labels.json` to *out*; return how many."""
    out.mkdir(parents=True, exist_ok=True)
    images = json.loads((labelled / "labels.json").read_text())["images"]
    for entry in images:
        truth = {
            "file": str((labelled / "images" / entry["file"]).resolve()),
            "width": entry["width"],
            "height": entry["height"],
            "dice": [],
            "tiles": [_tile(tile) for tile in entry["tiles"]],
            "ignore": [{"quad": quad} for quad in entry["ignore"]],
        }
        (out / f"{Path(entry['file']).stem}.json").write_text(json.dumps(truth))
    return f"{labelled.name}: {len(images)} pictures"


def _tile(tile: dict[str, Any]) -> dict[str, Any]:
    """Return the two halves of a tile, each with its own quad, px."""
    quad = np.array(tile["quad"], np.float32)
    first = np.array(tile["half_centers"][0], np.float32)
    # The short edge whose middle is nearest to the first half comes first: 3 to 0 of UNIT.
    middles = (quad + np.roll(quad, -1, axis=0)) / 2
    lengths = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
    short = (1, 3) if lengths[1] + lengths[3] < lengths[0] + lengths[2] else (0, 2)
    near = min(short, key=lambda edge: float(np.linalg.norm(middles[edge] - first)))
    quad = np.roll(quad, -(near + 1), axis=0)
    to_px = cv2.getPerspectiveTransform(UNIT, quad)
    halves = cv2.perspectiveTransform(HALVES.reshape(-1, 1, 2), to_px).reshape(2, 4, 2)
    return {
        "faces": [
            {"value": value, "center": half.mean(axis=0).tolist(), "quad": half.tolist()}
            for value, half in zip(tile["halves"], halves, strict=True)
        ]
    }


SIDE = 48.0  # px at most of a half in the mean; a pair of them is seen with 24
SETS = "domino-*"
SAME = 0.3  # faces, from where the other half of one should be to a middle that is it


def write_tile_photos(photos: Path, out: Path, *, every: bool = False) -> str:
    """Write pictures with truth files, as drawn ones have, to *out*/SET; return how many.

    Those that are held back only where *every* one is asked for, to measure on.
    """
    count = 0
    for labels in sorted(photos.glob(f"{SETS}/labels.json")):
        for entry in json.loads(labels.read_text())["images"]:
            if entry.get("tiles") and (every or not is_held_back(entry["file"])):
                _write(labels.parent / "images" / entry["file"], entry, out / labels.parent.name)
                count += 1
    return f"{count} photos of dominoes"


def _write(path: Path, entry: dict[str, Any], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    sides = [np.linalg.norm(np.subtract(*tile["half_centers"])) for tile in entry["tiles"]]
    scale = min(1.0, SIDE / float(np.mean(sides)))
    bgr = cv2.imread(str(path))
    assert bgr is not None, path
    small = cv2.resize(bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    name = f"{path.stem}.png"
    cv2.imwrite(str(folder / name), small)
    tiles = [{"faces": list(_faces(tile, scale))} for tile in entry["tiles"]]
    labels = {"file": name, "dice": [], "tiles": tiles}
    (folder / f"{path.stem}.json").write_text(json.dumps(labels))


def _faces(tile: dict[str, Any], scale: float) -> Iterator[dict[str, Any]]:
    """Yield both halves of a labelled tile, px of the smaller picture."""
    outlines = halves_of_outline(np.array(tile["quad"]), np.array(tile["half_centers"]))
    for quad, center, value in zip(outlines, tile["half_centers"], tile["halves"], strict=True):
        moved = [(np.asarray(px) + 0.5) * scale - 0.5 for px in (quad, center)]
        yield {"quad": moved[0].tolist(), "center": moved[1].tolist(), "value": value}


def write_changed(photos: Path, out: Path, times: int, seed: int) -> str:
    """Write pictures of *photos* as other phones might have taken them, to measure on.

    Args:
        photos: folders that `write_tile_photos` wrote.
        out: a folder for these.
        times: that each photo is changed.
        seed: of the changes.
    """
    rng = np.random.default_rng(seed)
    out.mkdir(parents=True, exist_ok=True)
    count = 0
    for image in (image for folder in sorted(photos.glob("*/")) for image in drawn_images(folder)):
        for change in range(times):
            bgr, changed = varied(rng, image)
            tiles = [{"faces": pair} for pair in _pairs_of(changed)]
            if tiles:
                name = f"{image.path.stem}-{change}"
                cv2.imwrite(str(out / f"{name}.png"), bgr)
                ignored = [{"quad": quad.tolist()} for quad in _rest(changed)]
                labels = {"file": f"{name}.png", "dice": [], "tiles": tiles, "ignore": ignored}
                (out / f"{name}.json").write_text(json.dumps(labels))
                count += 1
    return f"{count} photos of dominoes, changed"


def _pairs_of(image: AnnotatedImage) -> Iterator[list[dict[str, Any]]]:
    """Yield the two halves of each tile that is wholly on a changed photo."""
    faces = image.faces
    for i, j in combinations(range(len(faces)), 2):
        if _are_one(faces[i], faces[j]):
            yield [
                {"quad": f.quad.tolist(), "center": f.middle.tolist(), "value": f.value}
                for f in (faces[i], faces[j])
            ]


def _rest(image: AnnotatedImage) -> Iterator[Floats]:
    """Yield where nothing counts: what was cut off, and halves that are left alone."""
    yield from image.ignored
    faces = image.faces
    for face in faces:
        if not any(_are_one(face, other) for other in faces if other is not face):
            yield face.quad


def _are_one(face: AnnotatedFace, other: AnnotatedFace) -> bool:
    away = np.subtract(face.partner, other.middle) if face.partner else np.array([np.inf, 0])
    return bool(np.linalg.norm(away) < SAME * face.size)


def halves_of_outline(outline: Floats, middles: Floats) -> Floats:
    """Return (2, 4, 2) px: a tile's (4, 2) outline cut across, its halves in the order of their
    (2, 2) *middles*.
    """
    ends = [
        int(np.linalg.norm((outline + np.roll(outline, -1, axis=0)) / 2 - at, axis=1).argmin())
        for at in middles
    ]
    halves = []
    for k in ends:
        a, b, c, d = np.roll(outline, -k, axis=0)  # a and b at the end
        halves.append([a, b, (b + c) / 2, (d + a) / 2])
    return np.array(halves)
