"""How well marks are read: `make marks`.

Synthetic: fresh sheets that simulated hands have filled, our own print on a table and halves of
sheets of other looks, both with the board found a little beside its place. Cells whose state nobody
could say count for nothing. Real, with `--photos`: the bubbles of hand-filled sheets (labels with
`bubble_grid`, `options`, `marked`), each filled or not, with nothing learned from them.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import cv2
import numpy as np
from numpy.typing import NDArray

from models.measure.marks.alone import measure_alone
from models.measure.marks.kinds import measure_kinds
from models.measure.marks.real_hand import FILL, fill_with_real_ink
from models.measure.marks.sheets_on_tables import (
    Fill,
    MarkCount,
    as_told,
    draw_position,
    fill_by_person,
    read_on_table,
    report_by_rules,
    report_on_tables,
)
from models.measure.marks.things import TABLES
from models.sheets.cases import GEOMETRY, fresh_sheets
from models.sheets.home import FilledSheet
from models.sheets.strokes import BLACKENED, STRUCK, UNSURE, Random, Truth
from scorer import MarkedCell
from scorer.games.dice_wide_shut.moves import SIX
from vision.boards.sheet.marks import (
    BLANK,
    CHECKED,
    STATES,
    MarkCalibration,
    marks_of,
    read_marks,
    shipped_calibration,
)
from vision.geometry import Floats, Homography
from vision.models import MarkClassifier, load_mark_classifier, mark_classifier
from vision.photo import load

ODDS = {BLANK: 0.2, CHECKED: 0.3, BLACKENED: 0.5}
LOOKS = {BLACKENED: {BLACKENED, STRUCK}}  # a line through a 6 spends it too


def report_of_sixes(seeds: range, folder: Path, fill: Fill) -> Iterator[str]:
    """Yield how the 6s of sheets on real tables are read, without the rules."""
    counts = defaultdict[str, MarkCount](MarkCount)
    for seed in seeds:
        rng = np.random.default_rng([seed, 3])
        truth = draw_position(rng).truth
        sixes = np.array([mark.cell[2] == SIX for mark in truth])
        wanted = _with_sixes(rng, truth, sixes)
        read = read_on_table(rng, wanted, folder, fill)
        if read is None or not read[0].marks:
            continue
        by = next(habit for habit in read[1] if habit.startswith(FILL))
        for k in np.flatnonzero(sixes):
            mark, state = read[0].marks[k], int(wanted[k])
            is_right = STATES.index(mark.mark) in LOOKS.get(state, {state})
            counts[by if state == BLACKENED else STATES[state]].add(is_right, not mark.sure)
    for kind, count in sorted(counts.items()):
        yield f"  6s {kind:18} {count.line()}"


def _with_sixes(rng: Random, truth: tuple[MarkedCell, ...], sixes: np.ndarray) -> Truth:
    wanted = np.array([STATES.index(mark.mark) for mark in truth])
    wanted[sixes] = rng.choice(list(ODDS), int(sixes.sum()), p=list(ODDS.values()))
    return wanted


FRESH = 700_001  # first seed of the sheets that are only for measuring
BUBBLE = 0.75  # of the distance between bubbles, the side of a bubble's cell
WORST = 6  # kinds of hands that are listed


@dataclass(frozen=True, slots=True, eq=False)
class ReadSheet:
    """One sheet as it was read: arrays of its cells that have a truth."""

    truth: NDArray[np.int64]
    predicted: NDArray[np.int64]
    sure: NDArray[np.bool_]
    hand: tuple[str, str, str]  # its usual check, how it strikes, its pen

    @property
    def wrong(self) -> NDArray[np.bool_]:
        """Return which cells were misread."""
        return np.asarray(self.truth != self.predicted, np.bool_)


def main(
    *,
    sheets: Annotated[int, "of each kind"] = 200,
    seed: int = FRESH,
    network: Annotated[Path, "another network than the shipped one"] | None = None,
    photos: Annotated[Path, "a set of real bubble sheets"] | None = None,
    tables: Annotated[int, "only so many sheets on real tables"] = 0,
    sixes: Annotated[int, "the same, with many 6s checked and spent; with --ink"] = 0,
    kinds: Annotated[int, "measure each kind of mark alone, on this number of sheets"] = 0,
    alone: Annotated[int, "only so many sheets of each page, with one mark"] = 0,
    ink: Annotated[Path, "on tables, of real digits: a folder of DIGIT.json"] | None = None,
    fonts: Annotated[Path, "and signs of real hands: a folder of fonts"] | None = None,
) -> None:
    """Measure and print."""
    cv2.setNumThreads(1)
    seeds = range(seed, seed + (alone or kinds or sixes or tables or sheets))
    if alone:
        measure_alone(seeds)
        return
    if kinds:
        measure_kinds(seeds, TABLES)
        return
    if sixes or tables:
        print(f"Sheets from the printer on photos of real tables, seeds from {seed}")
        fill = partial(fill_with_real_ink, digits=ink, fonts=fonts) if ink else fill_by_person
        print("\n".join((report_of_sixes if sixes else report_on_tables)(seeds, TABLES, fill)))
        return
    classifier = load_mark_classifier(network) if network else mark_classifier()
    calibration = shipped_calibration()

    def marks_on(sheet: FilledSheet) -> tuple[MarkedCell, ...]:
        return seen_on(sheet, classifier, calibration)

    print(f"Synthetic, seeds from {seed}; sure from {calibration.sure}")
    for name, drawn in fresh_sheets(seeds).items():
        read = [_read(sheet, classifier, calibration) for sheet in drawn]
        print(f"\n{name}: {len(read)} sheets")
        print("\n".join(_told(read)))
    print("\nPositions of a match, our print, people's hands, by the rules")
    print("\n".join(report_by_rules(seeds, marks_on)))
    if photos is not None:
        print("\nReal bubble sheets, nothing learned from them")
        print("\n".join(_bubbles(photos, classifier, calibration)))


def _read(sheet: FilledSheet, network: MarkClassifier, calibration: MarkCalibration) -> ReadSheet:
    to_px = Homography(sheet.matrix, 0.0)
    shares = read_marks(sheet.bgr, to_px, sheet.polygons, sheet.possible, network, calibration)
    labelled = sheet.truth != UNSURE
    sure = shares.max(axis=1) >= calibration.sure
    hand = (sheet.hand.checks[0], sheet.hand.strike, sheet.hand.pen.kind)
    return ReadSheet(sheet.truth[labelled], shares.argmax(axis=1)[labelled], sure[labelled], hand)


def seen_on(
    sheet: FilledSheet, network: MarkClassifier, calibration: MarkCalibration
) -> tuple[MarkedCell, ...]:
    """Return the marks of our printed sheet as the rules take them."""
    shares = read_marks(
        *(sheet.bgr, Homography(sheet.matrix, 0.0), sheet.polygons, sheet.possible, network),
        calibration,
    )
    cells = [tuple(cell["cell"]) for cell in json.loads(GEOMETRY.read_text())["cells"]]
    return tuple(map(as_told, marks_of(cells, shares, calibration.sure)))


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
        pairs.update(zip(sheet.truth.tolist(), sheet.predicted.tolist(), strict=True))
    for (truth, predicted), count in pairs.most_common():
        if truth != predicted:
            yield f"  {STATES[truth]} read as {STATES[predicted]}: {count}"
    kinds = defaultdict[str, list[ReadSheet]](list)
    for sheet in sheets:
        for part in sheet.hand:
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
            network, calibration,
        )  # fmt: skip
        predicted, sure = shares.argmax(axis=1), shares.max(axis=1) >= calibration.sure
        wrong = predicted != truth
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
