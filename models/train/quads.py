"""What the networks themselves add to the truth: quads on photos, and what they take for faces.

Photos have boxes: where the networks agree with the label, they are believed. A quad is kept if its
middle lies in the box, its size suits the box and the value read on it, by the detector or by the
classifier, is the labelled one. Other places in such a box are no faces that look up, most of them
sides. The rest of the boxes is ignored. Held-back photos are never asked. On drawn pictures all
quads are known, and whatever else the detector takes for a face is a mistake that
the classifier shall learn to refuse: letters, weaves, flecks of light.

`tile_photos` are photos of dominoes, smaller, with the outline of each half: labels tell where each
tile lies and where its halves have their middles.
"""

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any, TypeVar

import cv2
import numpy as np

from models.dataset.annotation import UNKNOWN, AnnotatedFace, AnnotatedImage
from models.dataset.folders import (
    drawn_group,
    drawn_images,
    is_held_back,
    mistakes_of,
    photo_sets,
    photos_by_set,
)
from models.train.calibration.calibrate import varied
from vision.faces.classifier import TURNS, classify_crops, crop_faces
from vision.faces.detector import Detections, View, detect_faces, fuse_views
from vision.geometry import Floats, ios, sides_of
from vision.models import Detector, FaceClassifier

Told = TypeVar("Told")

VIEWS = (View(704), View(960, mirrored=True), View(1280))
AFAR = (View(384), View(160), View(64))  # on which a tray may be a face, and what is in it its pip
DOUBTED = 0.2  # probability of a face from which a mistake is worth learning
MOST_MISTAKEN = 16  # a photo
COVERED = 0.25  # shared area over the smaller one above which a place is no mistake
SIZE = (0.4, 1.35)  # of a face, in shorter sides of its box


def write_quads(
    photos: Path,
    find: Detector,
    read: FaceClassifier,
    out: Path,
    most: int | None = None,
    workers: int = 1,
) -> str:
    """Write truth files, as drawn pictures have, to *out*/SET; return what was kept.

    Args:
        photos: the folder of the sets.
        find: the detector.
        read: the face classifier.
        out: where the files go.
        most: photos of a set, the first ones; None takes all.
        workers: threads that ask.
    """
    lines = []
    for name, all_shots in photos_by_set(photos).items():
        kept = wanted = 0
        folder = out / name
        folder.mkdir(parents=True, exist_ok=True)
        shots = all_shots[:most]
        answers = _each(partial(_tell, find, read), shots, workers)
        for shot, labels in zip(shots, answers, strict=True):
            kept, wanted = kept + len(labels["dice"]), wanted + len(shot.faces)
            labels["file"] = str(shot.path.resolve())
            (folder / f"{shot.path.stem}.json").write_text(json.dumps(labels))
        lines.append(f"{name}: {kept} of {wanted} boxes have a quad")
    return "\n".join(lines)


def write_mistakes(folder: Path, find: Detector, most: int, workers: int = 1) -> str:
    """Write the detector's false faces beside the last *most* drawn pictures of a group."""
    shots = drawn_group(folder)[-most:]
    counts = _each(partial(_write_mistakes_on, find), shots, workers)
    return f"{folder}: {sum(counts)} mistakes on {len(shots)} pictures"


def _each(
    ask: Callable[[AnnotatedImage], Told], shots: list[AnnotatedImage], workers: int
) -> list[Told]:
    """Return what each picture gives; networks and OpenCV leave Python's lock alone."""
    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(ask, shots))


def _write_mistakes_on(find: Detector, shot: AnnotatedImage) -> int:
    bgr, quads = shot.pixels(), [face.quad for face in shot.faces] + list(shot.unlearned)
    wrong: list[np.ndarray] = []
    for view in (VIEWS[0], *AFAR):
        for quad in detect_faces(bgr, find, view, DOUBTED).quads[:MOST_MISTAKEN]:
            alike = [other for other in wrong if 0.5 < _side(other) / _side(quad) < 2]
            if not _lies_on(quad, [*quads, *alike]):
                wrong.append(quad)
    mistakes_of(shot.path).write_text(json.dumps([quad.round(2).tolist() for quad in wrong]))
    return len(wrong)


def _side(quad: np.ndarray) -> float:
    return float(sides_of(quad[None])[0])


def _tell(find: Detector, read: FaceClassifier, shot: AnnotatedImage) -> dict[str, Any]:
    bgr = shot.pixels()
    views = [detect_faces(bgr, find, view, 0.08) for view in VIEWS]
    found = fuse_views(views, [view.scale_of(bgr) for view in VIEWS])
    kinds, _, _ = classify_crops(crop_faces(bgr, found.quads), read, TURNS)
    dice, ignored, decoys = [], [], _mistaken(shot, found)
    if not shot.faces:
        for view in AFAR:
            decoys += _mistaken(shot, detect_faces(bgr, find, view, DOUBTED))
    for face in shot.faces:
        best = _best(face, found, kinds)
        if best is None:
            ignored.append({"quad": face.quad.tolist()})
            continue
        quad = found.quads[best]
        decoys += _beside(shot, face, quad, found)
        colour = None if face.colour_index == UNKNOWN else face.colour
        dice.append({
            "quad": quad.round(2).tolist(), "center": quad.mean(axis=0).round(2).tolist(),
            "value": face.value, "color": colour,
        })  # fmt: skip
    return {"dice": dice, "ignore": ignored, "decoys": decoys}


def _beside(
    shot: AnnotatedImage, face: AnnotatedFace, up: np.ndarray, found: Detections
) -> list[dict[str, Any]]:
    """Return the other places in the box of a die whose upper face is known."""
    low, high = face.quad.min(axis=0), face.quad.max(axis=0)
    others = [up, *(other.quad for other in shot.faces if other is not face)]
    inside = ((found.middles > low) & (found.middles < high)).all(axis=1)
    return [
        {"quad": quad.round(2).tolist()}
        for quad in found.quads[inside]
        if not _lies_on(quad, others)
    ]


def _lies_on(quad: np.ndarray, others: list[np.ndarray]) -> bool:
    return any(ios(quad, other) > COVERED for other in others)


def _mistaken(shot: AnnotatedImage, found: Detections) -> list[dict[str, Any]]:
    """Return what the detector takes for a face far from every box.

    The classifier shall refuse it.
    """
    boxes = [face.quad for face in shot.faces] + list(shot.unlearned)
    far = []
    for quad, probs in zip(found.quads, found.probs, strict=True):
        middle = quad.mean(axis=0)
        grown = (0.5 * np.ptp(box, axis=0) for box in boxes)
        near = any(
            (np.abs(middle - box.mean(axis=0)) < 0.5 * np.ptp(box, axis=0) + more).all()
            for box, more in zip(boxes, grown, strict=True)
        )
        if probs > DOUBTED and not near:
            far.append({"quad": quad.round(2).tolist()})
    return far[:MOST_MISTAKEN]


def _best(face: AnnotatedFace, found: Detections, kinds: np.ndarray) -> int | None:
    """Return the face that fits a box best, if one fits."""
    low, high = face.quad.min(axis=0), face.quad.max(axis=0)
    size = (high - low).min()
    fits = []
    for i, quad in enumerate(found.quads):
        middle = quad.mean(axis=0)
        place = (middle - low) / (high - low)
        area = cv2.contourArea(quad.astype(np.float32))
        if not ((place > 0.12) & (place < 0.88)).all() or place[1] > 0.72:
            continue
        if not SIZE[0] * size < np.sqrt(area) < SIZE[1] * size:
            continue
        if face.value in (kinds[i][:7].argmax(), found.values[i].argmax()):
            fits.append((float(found.probs[i]), i))
    return max(fits)[1] if fits else None


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
SAME = 0.3  # faces, from where the other half of one should be to a middle that is it


def write_tile_photos(photos: Path, out: Path, *, every: bool = False) -> str:
    """Write pictures with truth files, as drawn ones have, to *out*/SET; return how many.

    Those that are held back only where *every* one is asked for, to measure on.
    """
    count = 0
    for folder in photo_sets(photos):
        for entry in json.loads((folder / "labels.json").read_text())["images"]:
            if entry.get("tiles") and (every or not is_held_back(entry["file"])):
                _write(folder / "images" / entry["file"], entry, out / folder.name)
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
