"""How well marks are read: `python -m models.measure.marks`, or `make marks`.

Synthetic: fresh sheets that simulated hands have filled, our own print on a table and halves of
sheets of other looks, both with the board found a little beside its place. Cells whose state nobody
could say count for nothing. Real: the bubbles of hand-filled sheets (labels with `bubble_grid`,
`options`, `marked`), each filled or not, with nothing learned from them.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.sheets.filled import FilledSheet, draw_filled
from models.sheets.form import STRUCK, UNSURE
from models.sheets.home import draw_printed
from vision.boards.marks import (
    BLACKENED,
    BLANK,
    CHECKED,
    STATES,
    MarkCalibration,
    read_marks,
    shipped_calibration,
)
from vision.decode import Pixels, load
from vision.geometry import Floats, Homography
from vision.models import MarkClassifier, load_plain, mark_classifier

ROOT = Path(__file__).parents[2]
GEOMETRY = ROOT / "fixtures" / "sheets" / "geometry.json"
PHOTOS = ROOT.parent / "shared" / "photos" / "test" / "marks-omr"
FRESH = 700_001  # first seed of the sheets that are only for measuring
MISPLACED = 0.02  # of a cell, standard error of a board's corners
BUBBLE = 0.75  # of the distance between bubbles, the side of a bubble's cell
WORST = 6  # kinds of hands that are told


@dataclass(frozen=True, slots=True, eq=False)
class ReadSheet:
    """One sheet as it was read: arrays of its cells that have a truth."""

    truth: NDArray[np.int64]
    told: NDArray[np.int64]
    sure: NDArray[np.bool_]
    kind: str  # of hand and pen, for the worst ones

    @property
    def wrong(self) -> NDArray[np.bool_]:
        """Return which cells were misread."""
        return np.asarray(self.truth != self.told, np.bool_)


def main() -> int:
    """Measure and print."""
    ask = argparse.ArgumentParser("marks", description="Measure how well marks are read.")
    ask.add_argument("--sheets", type=int, default=200, help="of each kind")
    ask.add_argument("--seed", type=int, default=FRESH)
    ask.add_argument("--network", type=Path, help="another network than the shipped one")
    ask.add_argument("--photos", type=Path, default=PHOTOS, help="a set of real bubble sheets")
    args = ask.parse_args()
    cv2.setNumThreads(1)
    network = load_plain(args.network) if args.network else mark_classifier()
    calibration = shipped_calibration()
    seeds = range(args.seed, args.seed + args.sheets)
    print(f"Synthetic, seeds from {args.seed}; sure from {calibration.sure}")
    for name, drawn in (("our print, 60 cells", _printed), ("other looks, a half", _others)):
        sheets = [_read(*one, network, calibration) for one in drawn(seeds)]
        print(f"\n{name}: {len(sheets)} sheets")
        print("\n".join(_told(sheets)))
    if args.photos.exists():
        print("\nReal bubble sheets, nothing learned from them")
        print("\n".join(_bubbles(args.photos, network, calibration)))
    return 0


Case = tuple[Pixels, Floats, Floats, NDArray[np.bool_], NDArray[np.int64], str]


def _printed(seeds: range) -> Iterator[Case]:
    geometry = json.loads(GEOMETRY.read_text())
    yield from (_case(seed, partial(draw_printed, geometry=geometry)) for seed in seeds)


def _others(seeds: range) -> Iterator[Case]:
    yield from (_case(seed, draw_filled) for seed in seeds)


def _case(seed: int, draw: Callable[[np.random.Generator], FilledSheet]) -> Case:
    rng = np.random.default_rng(seed)
    sheet = draw(rng)
    hand = f"{sheet.hand.checks[0]} / {sheet.hand.strike} / {sheet.hand.pen.kind}"
    polygons = _misplaced(rng, sheet.polygons)
    return sheet.bgr, sheet.matrix, polygons, sheet.six, sheet.truth, hand


def _misplaced(rng: np.random.Generator, polygons: Floats) -> Floats:
    """Return the cells as a board found a little beside its place has them."""
    low, high = polygons.min(axis=(0, 1)), polygons.max(axis=(0, 1))
    size = float(np.median(polygons[:, 2] - polygons[:, 0]))
    square = np.array([low, (high[0], low[1]), high, (low[0], high[1])])
    to = Homography.fit(square, square + rng.normal(0, MISPLACED * size, (4, 2)))
    assert to is not None
    return to.apply(polygons.reshape(-1, 2)).reshape(-1, 4, 2)


def possible_of(six: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return (n, 4) the states that numbers and sixes can have."""
    possible = np.ones((len(six), len(STATES)), np.bool_)
    possible[:, BLACKENED], possible[:, STRUCK] = six, ~six
    return possible


def _read(
    bgr: Pixels,
    matrix: Floats,
    polygons: Floats,
    six: NDArray[np.bool_],
    truth: NDArray[np.int64],
    kind: str,
    network: MarkClassifier,
    calibration: MarkCalibration,
) -> ReadSheet:
    to_px = Homography(matrix, 0.0)
    shares = read_marks(bgr, to_px, polygons, possible_of(six), network, calibration.temperature)
    known = truth != UNSURE
    sure = shares.max(axis=1) >= calibration.sure
    return ReadSheet(truth[known], shares.argmax(axis=1)[known], sure[known], kind)


def _told(sheets: list[ReadSheet]) -> Iterator[str]:
    cells = sum(len(sheet.truth) for sheet in sheets)
    wrong = sum(int(sheet.wrong.sum()) for sheet in sheets)
    asked = sum(int((~sheet.sure).sum()) for sheet in sheets)
    whole = sum(not sheet.wrong.any() for sheet in sheets)
    silent = sum(bool((sheet.wrong & sheet.sure).any()) for sheet in sheets)
    asking = sum(not sheet.sure.all() for sheet in sheets)
    yield f"  cells right              {100 * (1 - wrong / cells):7.2f} %  of {cells}"
    yield f"  sheets wholly right      {100 * whole / len(sheets):7.1f} %"
    yield f"  silently wrong           {1000 * silent / len(sheets):7.1f} of 1000 sheets"
    yield f"  cells asked about        {asked / len(sheets):7.2f} a sheet"
    yield f"  sheets that ask          {100 * asking / len(sheets):7.1f} %"
    pairs = Counter[tuple[int, int]]()
    for sheet in sheets:
        pairs.update(zip(sheet.truth.tolist(), sheet.told.tolist(), strict=True))
    for (truth, told), count in pairs.most_common():
        if truth != told:
            yield f"  {STATES[truth]} read as {STATES[told]}: {count}"
    kinds = defaultdict[str, list[ReadSheet]](list)
    for sheet in sheets:
        for part in sheet.kind.split(" / "):
            kinds[part].append(sheet)
    for kind, some in sorted(kinds.items(), key=lambda item: -_share_wrong(item[1]))[:WORST]:
        yield f"  worst: {kind:12} {100 * _share_wrong(some):5.1f} % wrong on {len(some)} sheets"


def _share_wrong(sheets: list[ReadSheet]) -> float:
    cells = sum(len(sheet.truth) for sheet in sheets)
    return sum(int(sheet.wrong.sum()) for sheet in sheets) / max(cells, 1)


def _bubbles(folder: Path, network: MarkClassifier, calibration: MarkCalibration) -> Iterator[str]:
    for label in json.loads((folder / "labels.json").read_text())["images"]:
        rows, columns = len(label["marked"]), len(label["options"])
        x, y = columns - 1, rows - 1
        corners = np.array([(0.0, 0), (x, 0), (x, y), (0, y)])
        to_px = Homography.fit(corners, np.array(label["bubble_grid"], np.float64))
        assert to_px is not None
        photo = load(folder / "images" / label["file"])
        scaled = np.diag([1 / photo.scale, 1 / photo.scale, 1]) @ to_px.matrix
        truth = np.array(
            [
                CHECKED if option in marked else BLANK
                for marked in label["marked"]
                for option in label["options"]
            ]
        )
        possible = np.zeros((len(truth), len(STATES)), np.bool_)
        possible[:, [BLANK, CHECKED]] = True
        shares = read_marks(
            photo.bgr, Homography(scaled, 0.0), _bubble_cells(to_px, rows, columns), possible,
            network, calibration.temperature,
        )  # fmt: skip
        told, sure = shares.argmax(axis=1), shares.max(axis=1) >= calibration.sure
        wrong = told != truth
        yield (
            f"  {label['file']:14} {len(truth):3} bubbles: {int((~wrong).sum()):3} right,"
            f" {int((wrong & sure).sum())} silently wrong, {int((~sure).sum())} asked about"
        )


def _bubble_cells(to_px: Homography, rows: int, columns: int) -> Floats:
    """Return (n, 4, 2) square cells around bubbles that stand a unit apart, row by row."""
    middle = np.array([((columns - 1) / 2, (rows - 1) / 2)])
    steps = [
        float(np.hypot(*(to_px.apply(middle + step) - to_px.apply(middle))[0]))
        for step in np.eye(2)
    ]
    half = BUBBLE / 2 * min(steps) / np.array(steps)
    around = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half
    places = [(column, row) for row in range(rows) for column in range(columns)]
    return np.array(places, np.float64)[:, None] + around


if __name__ == "__main__":
    sys.exit(main())
