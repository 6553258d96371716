"""Fit what tells pieces that have a value from all else: `vision.faces.kinds`.

`gather` runs the networks on pictures and keeps the features of every place that may be a face,
with what is there; `fit` makes the head of them. Neither needs torch. Photos of strangers teach
nothing.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models import augment
from models.dataset.annotation import AnnotatedImage, match_faces
from models.dataset.folders import (
    CROP_SETS,
    drawn_group,
    photo_images,
    photos_by_set,
    training_photos,
)
from models.train.calibration.calibrate import regress
from vision import load
from vision.dominoes.scene import find_scene
from vision.faces.candidates import score_candidates
from vision.faces.classifier import crop_faces
from vision.faces.detector import softmax
from vision.faces.kinds import FILE, KINDS, KindHead, evidence, kind_features
from vision.faces.networks import shipped_models
from vision.geometry import Floats, sides_of
from vision.photo import Pixels

LEAST = 0.02  # probability of a face or a half from which a place is learned from
MOST = 24  # places of a picture
DIE, HALF, NOTHING = KINDS.index("die"), KINDS.index("half"), KINDS.index("nothing")
SKIPPED = -1  # label of a place of which it is not known what is there
OFF = 0.3  # sides, from the middle of a half to that of a place that is it
LIKE = (0.25, 1.7)  # sides of a piece, side of a place that is on it
# Kinds of look-alikes by the start of a photo's name; all others are nothing.
LOOK_ALIKES = {"d20": "numbered", "mjleo": "printed", "cards": "printed"}


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """Features of n places, with their labels: indices of KINDS."""

    features: NDArray[np.float32]  # (n, f)
    labels: NDArray[np.intp]  # (n,)
    real: Floats  # (n, 2) probability of a die and of a half by the calibration
    picture: NDArray[np.intp]  # (n,) which picture it is on

    @classmethod
    def joined(cls, parts: Sequence[Places]) -> Places:
        """Return all of them, the pictures numbered on."""
        parts = [part for part in parts if len(part.labels)]
        if not parts:
            none = np.zeros(0, np.intp)
            return cls(np.zeros((0, 0), np.float32), none, np.zeros((0, 2)), none)
        first = np.cumsum([0, *(part.picture.max(initial=-1) + 1 for part in parts)])
        moved = [part.picture + start for part, start in zip(parts, first, strict=False)]
        features, labels, real = (
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("features", "labels", "real")
        )
        return cls(features, labels, real, np.concatenate(moved))

    def take(self, index: NDArray[np.intp]) -> Places:
        """Return those places."""
        return Places(*(getattr(self, field.name)[index] for field in fields(self)))


def gather(images: Sequence[AnnotatedImage], kept: Path, seed: int = 1) -> Places:
    """Return the places of pictures; those of pictures read before lie in the file *kept*."""
    if kept.exists():
        stored = np.load(kept)
        return Places(*(stored[field.name] for field in fields(Places)))
    rng = np.random.default_rng(seed)
    parts = [_places_on(rng, image) for image in images]
    places = Places.joined([part for part in parts if part is not None])
    kept.parent.mkdir(parents=True, exist_ok=True)
    np.savez(kept, **{field.name: getattr(places, field.name) for field in fields(places)})
    return places


def _places_on(rng: np.random.Generator, image: AnnotatedImage) -> Places | None:
    photo, models = load(image.path), shipped_models()
    found = find_scene(photo.bgr, "auto", models).candidates
    real = np.column_stack(
        [
            score_candidates(found, models.calibration, halves=halves).real
            for halves in (False, True)
        ]
    )
    likely = np.flatnonzero(real.max(axis=1, initial=0) >= LEAST)
    quads = found.detections.quads[likely] * photo.scale
    labels = labels_of(image, quads, real[likely])
    few = rng.permutation(np.flatnonzero(labels != SKIPPED))[:MOST]
    if not len(few):
        return None
    at, labels = likely[few], labels[few]
    places = found.take(at)
    poorer = _poorer(rng, photo.bgr)
    shaken = replace(places, crops=crop_faces(poorer, places.detections.quads))
    features = [
        kind_features(bgr, one, models.face_classifier)
        for bgr, one in ((photo.bgr, places), (poorer, shaken))
    ]
    return Places(
        np.concatenate(features).astype(np.float32),
        np.tile(labels, 2),
        np.tile(real[at], (2, 1)),
        np.zeros(2 * len(at), np.intp),
    )


def _poorer(rng: np.random.Generator, bgr: Pixels) -> Pixels:
    """Return a picture as a worse camera shows it: small, soft, with noise."""
    share = float(rng.uniform(0.35, 1.0)) if max(bgr.shape) > 500 else 1.0
    small = cv2.resize(bgr, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    soft = augment.soften(rng, np.asarray(small, np.uint8), 1.2)
    rough = augment.roughen(rng, soft, 12.0)
    return np.asarray(cv2.resize(rough, bgr.shape[1::-1]), np.uint8)


def labels_of(image: AnnotatedImage, quads: Floats, real: Floats) -> NDArray[np.intp]:
    """Return (n,) indices of KINDS for places with (n, 4, 2) px *quads*, or SKIPPED."""
    labels = np.full(len(quads), NOTHING)
    middles, sides = quads.mean(axis=1), sides_of(quads)
    for kind, quad in _unread_on(image):
        on = [_is_on(quad, middle, side) for middle, side in zip(middles, sides, strict=True)]
        labels[on] = KINDS.index(kind)
    if not image.dice and not image.tiles:
        start = image.path.name.split("_")[0]
        kind = "numbered" if image.dataset == "no-numerals" else LOOK_ALIKES.get(start, "nothing")
        labels[labels == NOTHING] = KINDS.index(kind)
        return labels
    for face in image.faces if not image.is_photo else image.dice or ():
        for k, middle in enumerate(middles):
            if math.dist(middle, face.middle) < 0.75 * math.sqrt(2) * face.size:
                labels[k] = SKIPPED
    for quad in image.ignored:
        labels[[_is_on(quad, m, s) for m, s in zip(middles, sides, strict=True)]] = SKIPPED
    for tile in image.tiles or ():
        side = math.dist(*tile.centers)
        at = np.mean(tile.centers, axis=0)
        labels[np.linalg.norm(middles - at, axis=1) < 1.2 * side] = SKIPPED
        for center in tile.centers:
            near = (np.linalg.norm(middles - center, axis=1) < OFF * side) & tile.counts
            labels[near & (np.abs(np.log(sides / side)) < 0.4)] = HALF
    dice = [die for die in image.dice or () if die.counts]
    for k in match_faces(dice, middles, real[:, 0]).values():
        labels[k] = DIE
    return labels


def _is_on(quad: Floats, middle: Floats, side: float) -> bool:
    least = math.sqrt(max(cv2.contourArea(quad.astype(np.float32)), 1.0))
    inside = cv2.pointPolygonTest(quad.astype(np.float32), tuple(map(float, middle)), False) >= 0
    return inside and LIKE[0] < side / least < LIKE[1]


def _unread_on(image: AnnotatedImage) -> Iterator[tuple[str, Floats]]:
    path = image.path.with_suffix(".json")
    if not image.is_photo and path.exists():
        for piece in json.loads(path.read_text()).get("unread", []):
            yield piece["kind"], np.array(piece["quad"])


PHOTOS = 250  # of a set of dice, at most about
RENDERED = "domino-blender"
DRAWN = {"unread": 400, "dominoes": 95, "sketch": 120}  # pictures of each folder
CHUNK = 40  # pictures a file
EPOCHS, BATCH, RATE, DECAY, WIDTH = 12, 256, 1e-3, 1e-2, 48
DROPPED = 0.2  # share of the features left out of each step


def make_kinds(photos: Path, var: Path, out: Path, seed: int = 1) -> None:
    """Write the head to OUT, fitted to all photos and drawn pictures to learn from."""
    head = fit(gather_all(photos, var), seed)
    head = replace(head, with_real=fit_with_real(head, gather_held_back(photos, var)))
    print("weights of the calibration and of the head:", head.with_real)
    arrays = {field.name: getattr(head, field.name) for field in fields(KindHead)}
    np.savez_compressed(out / FILE, **{name: of.astype(np.float32) for name, of in arrays.items()})


def gather_all(photos: Path, var: Path) -> Places:
    """Return the places of all photos and drawn pictures to learn from; print how many of each."""
    sets = {
        name: shots if name.startswith("no-") else shots[:: max(1, len(shots) // PHOTOS)]
        for name, shots in photos_by_set(photos).items()
        if name not in CROP_SETS  # without surroundings
    }
    rendered = photos.parent / "rendered" / RENDERED
    if rendered.exists():
        sets[RENDERED] = photo_images(rendered, held_back=False, tiles=True)
    sets |= {name: drawn_group(var / name)[:count] for name, count in DRAWN.items()}
    parts: list[Places] = []
    for name, images in sets.items():
        parts.extend(_in_chunks(images, var, name))
        print(name, len(images), flush=True)
    return Places.joined(parts)


def gather_held_back(photos: Path, var: Path) -> Places:
    """Return the places of the photos from which the head learns nothing."""
    photographed = training_photos(photos, held_back=True)
    whole = [image for image in photographed if image.dataset not in CROP_SETS]
    return Places.joined([*_in_chunks(whole, var, "held-back")])


def _in_chunks(images: Sequence[AnnotatedImage], var: Path, name: str) -> Iterator[Places]:
    for start in range(0, len(images), CHUNK):
        kept = var / "kinds" / f"{name}-{start:04d}.npz"
        yield gather(images[start : start + CHUNK], kept)


def fit_with_real(head: KindHead, places: Places) -> Floats:
    """Return the weights of `KindHead.face_probs`, fitted to what is shown and asked about.

    If that is none or of one kind, as on few photos, the head's own stay: the calibration alone.
    """
    calibration, by_face = shipped_models().calibration, places.real[:, 0]
    asked = (by_face >= calibration.shown) & (by_face < calibration.sure)
    asked &= places.labels != HALF
    is_die = places.labels[asked] == DIE
    if len(np.unique(is_die)) < 2:
        return head.with_real
    real, die = by_face[asked], head.probs(places.features[asked].astype(np.float64))[:, DIE]
    return np.array(regress(evidence(real, die), is_die, np.ones(len(real))))


def fit(places: Places, seed: int = 1) -> KindHead:
    """Return the head that fits the labels of places, by Adam; each kind weighs its root."""
    rng = np.random.default_rng(seed)
    x = places.features.astype(np.float64)
    mean, spread = x.mean(axis=0), x.std(axis=0) + 1e-3
    x = (x - mean) / spread
    counts = np.maximum(np.bincount(places.labels, minlength=len(KINDS)), 1)
    weight = np.sqrt(counts.max() / counts)[places.labels]
    sizes = ((x.shape[1], WIDTH, 1.0), (WIDTH, len(KINDS), 0.5))
    layers = [
        np.vstack([rng.normal(0, gain / np.sqrt(i), (i, o)), np.zeros(o)]) for i, o, gain in sizes
    ]
    means, squares = [0 * layer for layer in layers], [0 * layer for layer in layers]
    step = 0
    for epoch in range(EPOCHS):
        rate = RATE * (1 - epoch / EPOCHS)
        for part in np.array_split(rng.permutation(len(x)), max(1, len(x) // BATCH)):
            step += 1
            slopes = _slopes(x[part], places.labels[part], weight[part], layers, rng)
            for k, slope in enumerate(slopes):
                means[k] += 0.1 * (slope - means[k])
                squares[k] += 0.001 * (slope**2 - squares[k])
                spread_of = np.sqrt(squares[k] / (1 - 0.999**step)) + 1e-8
                layers[k] -= rate * (means[k] / (1 - 0.9**step) / spread_of + DECAY * layers[k])
    return KindHead(mean, spread, *layers)


def _slopes(
    x: Floats,
    labels: NDArray[np.intp],
    weight: Floats,
    layers: list[Floats],
    rng: np.random.Generator,
) -> list[Floats]:
    """Return the gradients of the weighted cross entropy, a share of the features left out."""
    first, second = layers
    x = x * (rng.random(x.shape) > DROPPED) / (1 - DROPPED)
    inner = np.maximum(x @ first[:-1] + first[-1], 0)
    off = softmax(inner @ second[:-1] + second[-1])
    off[np.arange(len(x)), labels] -= 1
    off *= weight[:, None] / weight.sum()
    back = (off @ second[:-1].T) * (inner > 0)
    return [np.vstack([x.T @ back, back.sum(axis=0)]), np.vstack([inner.T @ off, off.sum(axis=0)])]
