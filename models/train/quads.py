"""What the networks themselves add to the truth: quads on photos, and what they take for faces.

Photos have boxes: where the networks agree with the label, they are believed. A quad is kept if its
middle lies in the box, its size suits the box and the value read on it, by the detector or by the
classifier, is the labelled one. Other places in such a box are no faces that look up, most of them
sides. The rest of the boxes is ignored. Held-back photos are never asked. On drawn pictures all
quads are known, and whatever else the detector takes for a face is a mistake that
the classifier shall learn to refuse: letters, weaves, flecks of light.
"""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import cv2
import numpy as np

from models.dataset.annotation import UNKNOWN, AnnotatedFace, AnnotatedImage
from models.dataset.folders import drawn_group, mistakes_of, photos_by_set
from vision.faces.classifier import TURNS, classify_crops, crop_faces
from vision.faces.detector import Detections, View, detect_faces, fuse_views
from vision.geometry import ios, sides_of
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
        most: photos of a set, the first that are told of; None takes all.
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
    """Write beside the last so many drawn pictures of a group where the detector is mistaken."""
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
