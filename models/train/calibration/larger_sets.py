"""Fit how halves with more than six pips are told, and say in the card how well they are.

Fitted to drawn tables; photos of dominoes only judge it.
"""

from __future__ import annotations

import json
import sys
import zlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.dataset.annotation import MOST_PIPS, AnnotatedImage
from models.dataset.folders import drawn_images
from models.dataset.matching import match_faces
from models.train.calibration.calibrate import load_models, regress
from models.train.calibration.card import LARGER_SETS as HEADING
from models.train.calibration.card import with_part
from models.train.origin import sha256_of
from vision.faces.larger_sets import FILE, LargerSets, features_of, many_pips
from vision.faces.multiscale import first_pass, refine
from vision.faces.networks import Models
from vision.geometry import Floats

WEIGHT = 0.5  # of each half, against the ridge of `regress`
SEEN, PLAIN = 0.8, 0.3  # visible share of a half, and probability of the detector, from which
MANY = 0.5  # probability from which a half by itself counts as told
ONE_IN = 4  # drawn pictures is not fitted to, by a hash of its name


@dataclass(frozen=True, slots=True, eq=False)
class HalfLooks:
    """Looks at halves that the detector has found: two at most for each, `look_at`."""

    features: Floats  # (n, FEATURES)
    is_many: NDArray[np.bool_]  # (n,)

    def line(self, words: str, fitted: LargerSets) -> str:
        """Return a line for the card."""
        predicted = many_pips(self.features, fitted) >= MANY
        many, few = predicted[self.is_many], predicted[~self.is_many]
        return (
            f"- {words}: {many.sum()} of {len(many)} looks at halves with seven pips or more"
            f" tell so, and {few.sum()} of {len(few)} at others"
        )


def fit_larger_sets(out: Path, drawn: Sequence[Path], photos: Path) -> list[str]:
    """Fit the weights, write them beside the networks and into the card; return what is told.

    Args:
        out: where the networks and the card are.
        drawn: folders of drawn tables, larger sets among them.
        photos: a folder of folders of photos with the outlines of halves (`tile_photos`).
    """
    models = load_models(out)
    images = [image for folder in drawn for image in drawn_images(folder)]
    fitted = look_at([image for image in images if not _is_left_out(image)], models)
    fresh = look_at([image for image in images if _is_left_out(image)], models)
    real = look_at(
        [i for folder in sorted(photos.glob("*/")) for i in drawn_images(folder)], models
    )
    if len(np.unique(fitted.is_many)) < 2:
        sys.exit("Too few halves with seven pips or more are drawn. Draw more `double_nine`.")
    with_one = np.column_stack([np.ones(len(fitted.features)), fitted.features])
    weights = regress(with_one, fitted.is_many, np.full(len(with_one), WEIGHT))
    result = LargerSets(
        detector=sha256_of(out / "detector.onnx"),
        face_classifier=sha256_of(out / "face_classifier.onnx"),
        weights=weights,
        share=round(float(fitted.is_many.mean()), 4),
    )
    (out / FILE).write_text(json.dumps(asdict(result)) + "\n")
    lines = [
        HEADING,
        f"Told from a probability of {MANY}, by a regression on what both networks say,",
        f"fitted to {len(with_one)} looks at drawn halves; nothing below was fitted to:",
        real.line("photos in `train/`", result),
        fresh.line("drawn (synthetic)", result),
    ]
    _tell_card(out, lines)
    return lines


def look_at(images: Sequence[AnnotatedImage], models: Models) -> HalfLooks:
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


def _tell_card(out: Path, lines: list[str]) -> None:
    """Write this part of the card anew, before that on marks; the others stay."""
    card = out / "CARD.md"
    card.write_text(with_part(card.read_text(), HEADING, "\n".join(lines)))
