"""How 6s are read that people checked, or spent in their own ways: `make marks ARGS="--sixes 60"`.

Half of a sheet's 6s are spent, far more than in a match, so that a few sheets tell of all ways.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from models.measure.marks.marks_in_play import MarkCount
from models.measure.marks.positions import draw_position
from models.measure.marks.real_hand import FILL
from models.measure.marks.sheets_on_tables import Fill, read_on_table
from models.sheets.strokes import BLACKENED, BLANK, CHECKED, STATES, STRUCK, Random, Truth
from scorer import MarkedCell
from scorer.games.dice_wide_shut.moves import SIX

ODDS = {BLANK: 0.2, CHECKED: 0.3, BLACKENED: 0.5}
LOOKS = {BLACKENED: {BLACKENED, STRUCK}}  # a line through a 6 spends it too


def told_of_sixes(seeds: range, folder: Path, fill: Fill) -> Iterator[str]:
    """Yield how the 6s of so many sheets on real tables were read, by the eyes alone."""
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
        yield f"  6s {kind:18} {count.told()}"


def _with_sixes(rng: Random, truth: tuple[MarkedCell, ...], sixes: np.ndarray) -> Truth:
    wanted = np.array([STATES.index(mark.mark) for mark in truth])
    wanted[sixes] = rng.choice(list(ODDS), int(sixes.sum()), p=list(ODDS.values()))
    return wanted
