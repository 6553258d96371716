"""What one photo of a stack asks in a match: `python -m tests.bench.stacks FOLDER`.

The folder holds positions of Even at Odds as `python -m models.train stacks` draws them, all tiles
but the last known. Each is read and put to the rules as the page does it. Printed are how many need
no question, and of how many of these the move is wrong (SILENT), then what was asked, as
`bench_follow --kinds` does. With `--nothing` the last tile is known too: then no move is right, and
one that is told without a question is SILENT.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from models.dataset.positions import GAME, turn_of
from scorer import dump_move
from scorer.dominoes import Lay
from scorer.photo.follow import understood
from scorer.proposal import once
from tests.bench.follow import kinds
from webui.errors import NotRead
from webui.eyes.photo import see
from webui.eyes.photo_tables import PhotoTables


def main() -> int:
    """Measure and print."""
    ask = argparse.ArgumentParser("stacks", description="Measure what photos of stacks ask.")
    ask.add_argument("folder", type=Path, help="of drawn positions")
    ask.add_argument("--nothing", action="store_true", help="nothing new lies there")
    args = ask.parse_args()
    positions = [shown(path, nothing=args.nothing) for path in sorted(args.folder.glob("*.json"))]
    sure = [one for one in positions if one["sure"]]
    silent = [one["file"] for one in sure if not one["right"]]
    moved = sum(one["right"] for one in positions)
    print(
        f"{len(positions)} positions, {len(sure)} need no question, {len(silent)} of these SILENT,",
        end="",
    )
    print(f" {moved} proposed rightly")
    print("\n".join((*silent, *kinds(positions))))
    return 0


def shown(truth: Path, *, nothing: bool) -> dict[str, Any]:
    """Return what the photo of a drawn position is taken for."""
    labels = json.loads(truth.read_text())
    turn = turn_of(labels["seed"], labels.get("high", 0))
    assert turn is not None
    photo = truth.with_suffix(".jpg")
    moves: Sequence[Any] = ()
    doubts: Sequence[str] = ()
    differences: Sequence[str] = ()
    try:
        state = turn.after if nothing else turn.before
        step = understood(GAME, state, PhotoTables(photo, see))
        moves, sure = step.moves, step.sure
        doubts, differences = once(step.doubts), once(step.differences)
    except NotRead as fault:
        differences, sure = (str(fault),), False
    right = not moves if nothing else len(moves) == 1 and _same(moves[0], turn.move)
    return {
        "file": photo.name, "moves": [dump_move(move) for move in moves], "sure": sure,
        "right": right, "doubts": list(map(str, doubts)),
        "differences": list(map(str, differences)),
    }  # fmt: skip


def _same(move: Any, truth: Lay) -> bool:
    """Return True if a move is the true one; a double lies the same either way round."""
    if not isinstance(move, Lay) or move.tile != truth.tile:
        return False
    double = truth.tile[0] == truth.tile[1]
    return set(move.cells) == set(truth.cells) if double else move.cells == truth.cells


if __name__ == "__main__":
    sys.exit(main())
