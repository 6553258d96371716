"""How far can the value of half a domino be believed? Fitted to drawn tables of dominoes; photos of
dominoes only judge it.

Halves differ from dice in what makes them doubtful: pips are small beside their face, a bar or a
neighbour lies at its edge, and a blank one is recognised by what is not there.
"""

import json
import zlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.dataset.annotation import MOST_PIPS, AnnotatedImage, match_faces
from models.dataset.folders import drawn_images
from models.train.calibration.calibrate import (
    FILE,
    Checked,
    by_confidence,
    check,
    load_models,
    regress,
)
from models.train.calibration.card import HALVES, LARGER_SETS, write_part
from models.train.origin import sha256_of
from vision.faces.calibration import HALF_FEATURES, Calibration, features, half_features
from vision.faces.detector import sigmoid
from vision.faces.larger_sets import FILE as LARGER_FILE
from vision.faces.larger_sets import LargerSets, features_of, many_pips
from vision.faces.multiscale import first_pass, refine
from vision.faces.networks import Models
from vision.geometry import Floats

FIRST = 931_001  # seed of the tables that are only for calibrating
FOLDS = 5  # of the drawn pictures; each is judged by what was fitted to the others


@dataclass(frozen=True, slots=True, eq=False)
class CheckedHalves:
    """Halves of dominoes that are seen on pictures. Arrays of n rows."""

    inputs: Floats  # (n, HALF_FEATURES)
    is_right: NDArray[np.bool_]  # the likeliest value of each is
    fold: NDArray[np.intp]  # of its picture

    def fit(self, folds: Sequence[int]) -> tuple[float, ...]:
        """Return the weights fitted to the pictures of some folds."""
        chosen = np.isin(self.fold, folds)
        even = np.ones(int(chosen.sum()))
        return regress(self.inputs[chosen], self.is_right[chosen], even)

    def left_out(self) -> Floats:
        """Return (n,) confidences, each by weights fitted to other pictures."""
        confidence = np.zeros(len(self.inputs))
        for fold in range(FOLDS):
            weights = self.fit([other for other in range(FOLDS) if other != fold])
            own = self.fold == fold
            confidence[own] = sigmoid(self.inputs[own] @ np.array(weights))
        return confidence


def calibrate_halves(out: Path, drawn: Sequence[Path], photos: Sequence[Path]) -> list[str]:
    """Fit the weights, write them beside the others and into the card; return the report.

    Args:
        out: where the networks, their calibration and the card are.
        drawn: folders of drawn tables that nothing learned from.
        photos: folders of photos with the outlines of halves (`tile_photos`).
    """
    models = load_models(out)
    halves, real = (
        look_at([image for folder in folders for image in drawn_images(folder)], models)
        for folders in (drawn, photos)
    )
    weights = halves.fit(range(FOLDS))
    before = Calibration.from_json(json.loads((out / FILE).read_text()))
    fitted = replace(before, right_of_half=weights)
    (out / FILE).write_text(json.dumps(fitted.to_json(), indent=1) + "\n")
    lines = [
        HALVES,
        f"How far their values are believed is fitted to {len(halves.inputs)} looks at drawn"
        f" halves, from seed {FIRST}, of which",
        "nothing learned:",
        "",
        "| feature | its value is right |",
        "| --- | --- |",
        *(f"| {name} | {w} |" for name, w in zip(HALF_FEATURES, weights, strict=True)),
        "",
        "Drawn halves (synthetic), each judged by what was fitted to other pictures:",
        "",
        *reliability(halves.left_out(), halves.is_right, before.sure),
        "",
        *_on_photos(real, weights, before.sure),
    ]
    write_part(out, HALVES, lines)
    return lines


def _on_photos(real: CheckedHalves, weights: tuple[float, ...], sure: float) -> list[str]:
    """Return how far halves on photos are believed; a table of one's own may have had only dice."""
    if not len(real.inputs):
        return ["There were no photos of dominoes to judge this by."]
    return [
        "Halves on photos in `train/`, as they are and changed; nothing was fitted to them:",
        "",
        *reliability(sigmoid(real.inputs @ np.array(weights)), real.is_right, sure),
    ]


def look_at(images: Sequence[AnnotatedImage], models: Models) -> CheckedHalves:
    """Return the halves as the first pass shows them and as the refined one does."""
    none = np.zeros((0, len(HALF_FEATURES))), np.zeros(0, np.bool_)
    parts = [(*none, 0)] + [
        (*_halves_of(one), zlib.crc32(image.path.name.encode()) % FOLDS)
        for image in images
        for one in check(image, models).both
    ]
    return CheckedHalves(
        np.concatenate([inputs for inputs, _, _ in parts]),
        np.concatenate([right for _, right, _ in parts]),
        np.concatenate([np.full(len(right), fold) for _, right, fold in parts]),
    )


def _halves_of(checked: Checked) -> tuple[Floats, NDArray[np.bool_]]:
    """Return the HALF_FEATURES of the halves on a picture, and which are read rightly."""
    candidates, chosen = checked.candidates, checked.is_half & checked.is_real
    inputs = features(candidates.detections, candidates.logits, candidates.size, halves=True)
    return half_features(candidates.detections, candidates.logits, inputs)[
        chosen
    ], checked.is_right[chosen]


def reliability(confidence: Floats, is_right: NDArray[np.bool_], sure: float) -> list[str]:
    """Return a table of halves by confidence, and a line on those from which one is *sure*."""
    unsure = confidence < sure
    return [
        *by_confidence(confidence, is_right, "halves"),
        "",
        f"{100 * unsure[is_right].mean():.1f} % of the right ones are asked about, and"
        f" {(~is_right & ~unsure).sum()} of {(~is_right).sum()} wrong ones are not.",
    ]


WEIGHT = 0.5  # of each half, against the ridge of `regress`
SEEN, PLAIN = 0.8, 0.3  # visible share of a half, and probability of the detector, from which
MANY = 0.5  # probability from which a half by itself counts as read
TOO_FEW = "Nothing is fitted: too few halves with seven pips or more are drawn, or found."
ONE_IN = 4  # drawn pictures is not fitted to, by a hash of its name


@dataclass(frozen=True, slots=True, eq=False)
class HalfLooks:
    """Looks at halves that the detector has found: two at most for each, `looks_at`."""

    features: Floats  # (n, FEATURES)
    is_many: NDArray[np.bool_]  # (n,)

    def line(self, words: str, fitted: LargerSets) -> str:
        """Return a line for the card."""
        if not len(self.is_many):
            return f"- {words}: no halves were there"
        predicted = many_pips(self.features, fitted) >= MANY
        many, few = predicted[self.is_many], predicted[~self.is_many]
        return (
            f"- {words}: {many.sum()} of {len(many)} looks at halves with seven pips or more"
            f" tell so, and {few.sum()} of {len(few)} at others"
        )


def fit_larger_sets(out: Path, drawn: Sequence[Path], photos: Path) -> list[str]:
    """Fit the weights, write them beside the networks and into the card; return the report.

    Args:
        out: where the networks and the card are.
        drawn: folders of drawn tables, larger sets among them.
        photos: a folder of folders of photos with the outlines of halves (`tile_photos`).
    """
    models = load_models(out)
    images = [image for folder in drawn for image in drawn_images(folder)]
    fitted = looks_at([image for image in images if not _is_left_out(image)], models)
    fresh = looks_at([image for image in images if _is_left_out(image)], models)
    real = looks_at(
        [i for folder in sorted(photos.glob("*/")) for i in drawn_images(folder)], models
    )
    if len(np.unique(fitted.is_many)) < 2:
        write_part(out, LARGER_SETS, [LARGER_SETS, TOO_FEW])  # a trial goes on
        return [LARGER_SETS, TOO_FEW]
    with_one = np.column_stack([np.ones(len(fitted.features)), fitted.features])
    weights = regress(with_one, fitted.is_many, np.full(len(with_one), WEIGHT))
    result = LargerSets(
        detector=sha256_of(out / "detector.onnx"),
        face_classifier=sha256_of(out / "face_classifier.onnx"),
        weights=weights,
        share=round(float(fitted.is_many.mean()), 4),
    )
    (out / LARGER_FILE).write_text(json.dumps(asdict(result)) + "\n")
    lines = [
        LARGER_SETS,
        f"Told from a probability of {MANY}, by a regression on what both networks say,",
        f"fitted to {len(with_one)} looks at drawn halves; nothing below was fitted to:",
        real.line("photos in `train/`", result),
        fresh.line("drawn (synthetic)", result),
    ]
    write_part(out, LARGER_SETS, lines)
    return lines


def looks_at(images: Sequence[AnnotatedImage], models: Models) -> HalfLooks:
    """Return the halves of pictures as the first pass sees them, and as a closer look does."""
    features: list[Floats] = []
    is_many: list[bool] = []
    for image in images:
        faces = [f for f in image.every_face if f.value is not None and f.visible >= SEEN]
        pixels = image.pixels()
        first = first_pass(pixels, models)
        for candidates in (first, refine(pixels, first, models, halves=True)):
            found, inputs = candidates.detections, features_of(candidates)
            for i, j in match_faces(faces, found.middles, found.probs).items():
                if found.probs[j] >= PLAIN:
                    features.append(inputs[j])
                    is_many.append(faces[i].pips > MOST_PIPS)
    return HalfLooks(np.array(features, np.float64), np.array(is_many, np.bool_))


def _is_left_out(image: AnnotatedImage) -> bool:
    return zlib.crc32(image.path.name.encode()) % ONE_IN == 0
