"""Fresh sheets to calibrate and to measure on, each drawn when it is asked for."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from models.sheets.home import FilledSheet, draw_filled, draw_printed, misplaced
from models.sheets.strokes import Random

# Of our own print: `pipsight print sheet:dice-wide-shut --geometry`.
GEOMETRY = Path(__file__).parents[2] / "fixtures" / "sheets" / "geometry.json"
MISPLACED = 0.02  # of a cell, standard error of a board's corners


def fresh_sheets(seeds: range) -> dict[str, Iterator[FilledSheet]]:
    """Return sheets of each kind by name; boards were found a little beside their place."""
    printed = partial(draw_printed, geometry=json.loads(GEOMETRY.read_text()))
    kinds: dict[str, Callable[[Random], FilledSheet]] = {
        "our print, people's hands": partial(printed, people=True),
        "our print, any hands": printed,
        "other looks, any hands, half a sheet": draw_filled,
    }
    return {name: map(partial(found, draw=draw), seeds) for name, draw in kinds.items()}


def found(seed: int, draw: Callable[[Random], FilledSheet]) -> FilledSheet:
    """Return a sheet as a board that was found a little beside its place has its cells."""
    rng = np.random.default_rng(seed)
    sheet = draw(rng)
    return replace(sheet, polygons=misplaced(rng, sheet.polygons, MISPLACED))
