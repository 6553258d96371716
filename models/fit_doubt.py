"""Fit the weights of vision/doubt.py to labelled photos and print them.

    python -m models.fit_doubt ../shared/photos/train

A face the finder reports is right if its middle lies in a labelled box with that value. There are
two logistic regressions: on the finder's cues, then on its belief and the reader's share for the
same value. One photo in five, by a hash of its name, is held back; on those the weights in use and
the new ones are compared. What the weights in use drop is not among the faces.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.train.pictures import PHOTO_SETS, Shot, photo_shots
from vision import doubt, load
from vision.doubt import Cues
from vision.faces import find_faces
from vision.pips import crop_faces, read_pips

Floats = NDArray[np.float64]

GROW = 0.15  # of a box's sides: some boxes hug the face, and labels are drawn by hand
RIDGE = 0.05  # keeps a weight that few faces speak for from growing
ROUNDS = 60  # of Newton's method; it settles after ten
LONGEST = 1600  # px, as the reader works
CUES = ("bias", "1", "2", "3", "5 or 6", "fit", "contrast", "uneven", "round", "size")


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """One reported face."""

    cues: Cues
    usual: float | None  # side in px of the photo's faces
    share: float  # the reader's, for the finder's value
    is_right: bool


def seen_on(shot: Shot) -> Iterator[Seen]:
    """Yield the faces found on a photo, without those a person could not judge either."""
    photo = load(shot.path)
    zoom = min(1.0, LONGEST / max(photo.bgr.shape[:2]))
    work = photo.bgr
    if zoom < 1:
        work = np.asarray(cv2.resize(work, None, fx=zoom, fy=zoom, interpolation=3), np.uint8)
    found = find_faces(work)
    shares = read_pips(crop_faces(photo.bgr, [face.quad.scaled(1 / zoom) for face in found]))
    usual = doubt.usual_side([face.cues for face in found])
    for face, odds in zip(found, shares, strict=True):
        at = np.array(face.quad.center) / zoom * photo.scale
        if not any(_holds(quad, at) for quad in shot.ignored):
            right = any(t.value == face.value and _holds(t.quad, at) for t in shot.faces)
            yield Seen(face.cues, usual, float(odds[face.value]), right)


def _holds(box: Floats, at: Floats) -> bool:
    low, high = box.min(axis=0), box.max(axis=0)
    margin = GROW * (high - low)
    return bool((at >= low - margin).all() and (at <= high + margin).all())


def features(faces: list[Seen]) -> Floats:
    """Return (N, 10) what vision/doubt.py weighs, in the order of CUES."""
    rows = []
    for face in faces:
        cues = face.cues
        away = abs(np.log(cues.side / face.usual)) if face.usual else doubt.UNKNOWN_SIZE
        values = [cues.value == 1, cues.value == 2, cues.value == 3, cues.value >= 5]
        looks = [min(cues.fit, 1.0), np.log(max(cues.contrast, 1.0) / 100), cues.uneven]
        rows.append([1, *values, *looks, cues.roundness, min(away, doubt.FARTHEST_SIZE)])
    return np.array(rows, np.float64)


def logistic(rows: Floats, is_right: Floats) -> Floats:
    """Return the weights (k,) that make the truths (N,) of *rows* (N, k) likeliest."""
    weights = np.zeros(rows.shape[1])
    for _ in range(ROUNDS):
        share = 1 / (1 + np.exp(-rows @ weights))
        bend = (rows * (share * (1 - share))[:, None]).T @ rows + RIDGE * np.eye(len(weights))
        weights += np.linalg.solve(bend, rows.T @ (is_right - share) - RIDGE * weights)
    return weights


def after_second_look(logits: Floats, faces: list[Seen]) -> Floats:
    """Return (N, 3) a constant, the finder's logit, and the reader's share."""
    shares = [face.share for face in faces]
    return np.column_stack([np.ones(len(faces)), logits, shares])


def report(name: str, logits: Floats, truth: Floats) -> str:
    """Return the loss and the errors among the faces nobody would be asked about."""
    belief = np.clip(1 / (1 + np.exp(-logits)), 1e-6, 1 - 1e-6)
    loss = -(truth * np.log(belief) + (1 - truth) * np.log(1 - belief)).mean()
    sure = belief > 0.93
    return (
        f"{name:10} {len(truth):5} faces  loss {loss:.4f}  sure {sure.sum():5}"
        f"  wrong among them {int((sure & (truth == 0)).sum()):4}"
        f"  right but doubted {int((~sure & (truth == 1)).sum()):4}"
    )


def _gather(photos: Path, *, held_back: bool) -> list[Seen]:
    shots = [s for name in PHOTO_SETS for s in photo_shots(photos / name, held_back=held_back)]
    return [face for shot in shots for face in seen_on(shot)]


def _in_use(faces: list[Seen]) -> Floats:
    """Return the logits of the weights in use, after the second look."""
    beliefs = np.concatenate([doubt.beliefs([face.cues], face.usual) for face in faces])
    told = [doubt.after_second_look(b, f.share) for b, f in zip(beliefs, faces, strict=True)]
    logits: Floats = np.log(np.array(told) / (1 - np.array(told)))
    return logits


def main() -> None:
    """Print both sets of weights and the comparison on the photos held back."""
    ask = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    ask.add_argument("photos", type=Path, help="a folder of labelled sets")
    photos = ask.parse_args().photos
    cv2.setNumThreads(1)
    fitted, held = (_gather(photos, held_back=is_held) for is_held in (False, True))
    truth = np.array([face.is_right for face in fitted], np.float64)
    first = logistic(features(fitted), truth)
    second = logistic(after_second_look(features(fitted) @ first, fitted), truth)
    print(f"fitted to {len(fitted)} faces, {int(truth.sum())} of them right")
    for name, weight in zip(CUES, first, strict=True):
        print(f"  {name:10} {weight:6.2f}")
    print("  after the second look: constant {:.2f}, belief {:.2f}, share {:.2f}".format(*second))
    held_truth = np.array([face.is_right for face in held], np.float64)
    print(report("in use", _in_use(held), held_truth))
    refitted = after_second_look(features(held) @ first, held) @ second
    print(report("refitted", refitted, held_truth))


if __name__ == "__main__":
    main()
