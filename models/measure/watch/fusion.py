"""What fusing still frames does to questions and silent errors: frames made from photos.

`python -m models.measure.watch.fusion PHOTOS [--sets "dice-*"]`: each photo becomes some frames of
a
camera that is nudged (a glint or an edge falls on other pixels), whose exposure drifts, with noise
and JPEG of their own. By set: what one look at such a frame tells, and what the settled table tells
whose looks are fused as `vision.watch` does. `asked` are doubtful: a piece, or a place that may
be one. SILENT are wrong and not doubtful. Motion is not simulated: the looks alone count.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from models.dataset.annotation import AnnotatedImage, Dataset
from models.measure.photos.choice import chosen, parser_of
from models.measure.photos.compare import Verdict, judge
from models.measure.photos.markdown import markdown_table, share
from models.measure.photos.reading import show_progress
from vision import Face, Reading, TileReading, Unreadable, load, read
from vision.decode import Photo, Pixels
from vision.watch.evidence import Evidence, Piece, frame_reading
from vision.watch.resting import THOROUGH
from vision.watch.settling import PATIENT_S, QUIET_S, finish, step
from vision.watch.state import SettledRoll, WatchState

LONGEST = 1280  # px of a frame, as pages send them
LOOK_S = 0.1  # between two looks
LOOKS = round((QUIET_S + PATIENT_S) / LOOK_S) + THOROUGH + 2  # settles even what is doubtful
NUDGE, TURN, ZOOM = 1.5, 0.2, 0.003  # px, degrees, share: a hand on the stand
DRIFT, NOISE, QUALITY = 0.03, 2.0, 85  # share of the exposure, grey levels, JPEG


@dataclass(frozen=True, slots=True)
class TwoLooks:
    """One photo as one look has it, and as the fused looks have it."""

    once: Verdict
    fused: Verdict


def main() -> int:
    """Print the table of the sets named on the command line; return 0, or 2 for none."""
    args = parser_of("fusion", "Measure what fusing still frames does.").parse_args()
    try:
        sets = chosen(args.photos, args.sets)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    measured = {one.name: measure(one) for one in sets}
    rows = [(name, *_cells(pairs)) for name, pairs in measured.items()]
    rows.append(("**all**", *_cells([pair for pairs in measured.values() for pair in pairs])))
    heads = ("whole", "asked", "SILENT", "right but asked")
    print(
        markdown_table(
            ("set", "photos", *(f"{head}, {of}" for of in ("one look", "fused") for head in heads)),
            rows,
        )
    )
    return 0


def _cells(pairs: Sequence[TwoLooks]) -> list[str]:
    cells = [str(len(pairs))]
    for verdicts in ([pair.once for pair in pairs], [pair.fused for pair in pairs]):
        whole = [one for one in verdicts if one.is_whole]
        asked = sum(one.is_asked for one in verdicts)
        silent = sum(one.is_silent for one in verdicts)
        right_but_asked = sum(one.is_asked for one in whole)
        cells += [share(len(whole), len(verdicts)), str(asked), str(silent), str(right_but_asked)]
    return cells


def measure(dataset: Dataset) -> list[TwoLooks]:
    """Return each readable picture of a set by one look and by fused ones."""
    pairs = []
    for number, image in enumerate(dataset.images, start=1):
        show_progress(dataset.name, number, len(dataset.images))
        try:
            photo = load(image.path)
        except Unreadable:
            continue
        pairs.append(_pair(dataset, image, photo, np.random.default_rng(number)))
    return pairs


def _pair(
    dataset: Dataset, image: AnnotatedImage, photo: Photo, rng: np.random.Generator
) -> TwoLooks:
    watch, roll, once = WatchState(lying=()), None, None
    reading: Reading | None = None
    watch, _ = step(watch, _stir(photo))
    for number, frame in enumerate(frames(photo, rng), start=1):
        thorough = watch.waiting == "doubt"
        reading = read(frame, dataset.look, moving=not thorough, before=reading)
        if number == 2:  # the first whose size of faces is known
            once = reading
        told = frame_reading(reading, thorough=thorough)
        size = (photo.width, photo.height)
        watch, roll = step(watch, Evidence(number, number * LOOK_S, reading=told, size=size))
        if roll is not None:
            break
    assert once is not None
    assert reading is not None
    roll = roll or finish(watch)
    return TwoLooks(_judged(image, once), _judged(image, reading, roll))


def _stir(photo: Photo) -> Evidence:
    """Return a frame on which something moves everywhere: what lies there next was thrown."""
    block = max(photo.width, photo.height) / 64
    xs, ys = (np.arange(block / 2, side, block) for side in (photo.width, photo.height))
    moving = tuple((float(x), float(y)) for x in xs for y in ys)
    return Evidence(0, 0.0, moving=moving, block=block, size=(photo.width, photo.height))


def frames(photo: Photo, rng: np.random.Generator) -> Iterator[Photo]:
    """Yield frames of a camera that looks at what a photo shows; px of all are the photo's."""
    height, width = photo.bgr.shape[:2]
    shrink = min(1.0, LONGEST / max(height, width))
    size = (round(width * shrink), round(height * shrink))
    still = cv2.resize(photo.bgr, size, interpolation=cv2.INTER_AREA)
    for _ in range(LOOKS):
        bgr = _nudged(np.asarray(still, np.uint8), rng)
        yield Photo(bgr, photo.width, photo.height)


def _nudged(bgr: Pixels, rng: np.random.Generator) -> Pixels:
    height, width = bgr.shape[:2]
    turn, zoom = rng.uniform(-TURN, TURN), 1 + rng.uniform(-ZOOM, ZOOM)
    middle = (width / 2, height / 2)
    matrix = np.asarray(cv2.getRotationMatrix2D(middle, turn, zoom), np.float64)
    matrix[:, 2] += rng.uniform(-NUDGE, NUDGE, 2)
    seen = cv2.warpAffine(bgr, matrix, (width, height), borderMode=cv2.BORDER_REFLECT)
    lit = seen * (1 + rng.uniform(-DRIFT, DRIFT)) + rng.normal(0, NOISE, seen.shape)
    _, code = cv2.imencode(
        ".jpg", np.clip(lit, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, QUALITY]
    )
    return np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR), np.uint8)


def _judged(image: AnnotatedImage, reading: Reading, roll: SettledRoll | None = None) -> Verdict:
    """Compare a look, or the roll that the last look settled, with what lies there."""
    told = frame_reading(reading)
    if roll is None:
        asked = bool(told.missed) or not all(piece.sure for piece in told.pieces)
        return replace(judge(image, reading), is_asked=asked)
    dice = tuple(piece.faces[0] for piece in roll.pieces if len(piece.faces) == 1)
    tiles = tuple(tile for piece in roll.pieces if (tile := _tile(piece)))
    return replace(judge(image, replace(reading, dice=dice, tiles=tiles)), is_asked=not roll.sure)


def _tile(piece: Piece) -> TileReading | None:
    match piece.faces:
        case (Face() as one, Face() as other):
            confidence = one.confidence * other.confidence
            return TileReading(piece.quad, (one, other), confidence, piece.sure)
    return None


if __name__ == "__main__":
    sys.exit(main())
