"""How far can the mark classifier be believed? One temperature, fitted to hands it never saw.

The threshold follows from what a silent error and a question cost, as that of faces does. How ink
tells filled cells from checked ones is fitted to sheets on which a third of the marked 6s are
spent: in matches it is a fifth, but a spent 6 that is overlooked costs more than a question.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.sheets.cases import GEOMETRY, found, fresh_sheets
from models.sheets.home import FilledSheet, draw_printed
from models.sheets.strokes import Random
from models.train.calibration.calibrate import RISK, by_confidence, regress
from models.train.calibration.card import MARKS as HEADING
from models.train.calibration.card import write_part
from vision.boards.sheet.filled_cells import ink_features
from vision.boards.sheet.marks import (
    BLACKENED,
    BLANK,
    CELL,
    CHECKED,
    INKED,
    STATES,
    MarkCalibration,
    cell_logits,
    crop_cells,
    mark_probs,
)
from vision.geometry import Floats
from vision.models import MarkClassifier, load_mark_classifier

FILE = "mark_calibration.json"
FIRST = 800_001  # seed of the sheets that are only for calibrating
SIXES = {BLANK: 0.25, CHECKED: 0.5, BLACKENED: 0.25}  # odds of states where ink is fitted
OTHERS = {BLANK: 0.7, CHECKED: 0.3}
TEMPERATURES = np.exp(np.linspace(np.log(0.5), np.log(4), 61))


def calibrate_marks(out: Path, photos: Path, sheets: int) -> list[str]:
    """Fit the temperature, write it beside the network and into the card; return the report.

    Args:
        out: where the networks, their origins and the card are.
        photos: labelled sets, for the card's list of what was learned from.
        sheets: how many of each kind of `fresh_sheets`.
    """
    network = load_mark_classifier(out / "mark_classifier.onnx")
    seeds = range(FIRST, FIRST + sheets)
    cells = [_seen(one, network) for drawn in fresh_sheets(seeds).values() for one in drawn]
    logits, possible, truth = (np.concatenate(parts) for parts in zip(*cells, strict=True))

    def surprise(temperature: float) -> float:
        shares = mark_probs(logits, possible, temperature)
        return float(-np.log(np.maximum(shares[np.arange(len(truth)), truth], 1e-9)).mean())

    temperature = min(TEMPERATURES, key=surprise)
    filled = _weights_of_ink(network, temperature, range(FIRST, FIRST + sheets))
    calibration = MarkCalibration(round(float(temperature), 3), round(1 - RISK, 3), filled)
    (out / FILE).write_text(json.dumps(asdict(calibration)) + "\n")
    shares = mark_probs(logits, possible, calibration.temperature)
    lines = _told(calibration, shares, truth, sheets)
    write_part(out, HEADING, lines, photos)
    return lines


def _weights_of_ink(network: MarkClassifier, temperature: float, seeds: range) -> tuple[float, ...]:
    """Fit the weights by which ink tells filled cells from checked ones."""
    geometry = json.loads(GEOMETRY.read_text())
    rows, truth = [], []
    for seed in seeds:
        sheet = found(seed, partial(_with_sixes, geometry=geometry))
        crops = crop_cells(sheet.bgr, sheet.matrix, sheet.polygons)
        logits = cell_logits(crops, sheet.polygons, sheet.possible, network)
        shares = mark_probs(logits, sheet.possible, temperature)
        places, features = ink_features(shares, crops, CELL, sheet.six, INKED)
        labelled = sheet.truth[places] >= 0
        rows.append(features[labelled])
        truth.append(sheet.truth[places][labelled] == BLACKENED)
    blackened = np.concatenate(truth)
    weights = regress(np.concatenate(rows), blackened, np.ones(len(blackened)))
    return tuple(round(float(weight), 3) for weight in weights)


def _with_sixes(rng: Random, geometry: Mapping[str, Any]) -> FilledSheet:
    six = np.array([STATES[BLACKENED] in cell["marks"] for cell in geometry["cells"]])
    of_six, of_others = (
        rng.choice(list(odds), len(six), p=list(odds.values())) for odds in (SIXES, OTHERS)
    )
    wanted = np.where(six, of_six, of_others)
    return draw_printed(rng, geometry, people=True, wanted=wanted)


def _seen(
    sheet: FilledSheet, network: MarkClassifier
) -> tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.int64]]:
    """Return logits (n, 4), possible states (n, 4) and truth (n,) of the cells that have one."""
    labelled = sheet.truth >= 0
    crops = crop_cells(sheet.bgr, sheet.matrix, sheet.polygons)
    logits = cell_logits(crops, sheet.polygons, sheet.possible, network)
    return logits[labelled], sheet.possible[labelled], sheet.truth[labelled]


def _told(
    calibration: MarkCalibration, shares: Floats, truth: NDArray[np.int64], sheets: int
) -> list[str]:
    confidence, right = shares.max(axis=1), shares.argmax(axis=1) == truth
    return [
        HEADING,
        f"Temperature {calibration.temperature}, sure from a confidence of {calibration.sure};",
        f"{len(truth)} cells of {sheets} sheets of each kind from seed {FIRST}, which nothing",
        "learned from:",
        "",
        *by_confidence(confidence, right, "cells"),
    ]
