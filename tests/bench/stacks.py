"""What one photo of a stack asks in a match: `python -m models.measure stacks FOLDER`.

The folder holds positions of Even at Odds as `python -m models.train stacks` draws them, all tiles
but the last known. Each is read and put to the rules as the page does it. Printed are how many need
no question, and of how many of these the move is wrong (SILENT), then what was asked, as
`make bench-follow ARGS=--kinds` does. With `--nothing` the last tile is known too: then no move is
right, and one that is proposed without a question is SILENT.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from models.dataset.positions import GAME, drawn_in, turn_of
from scorer import dump_move
from scorer.dominoes import Lay
from scorer.photo.follow import understood
from scorer.proposal import once
from tests.bench.follow import kinds_asked
from webui.errors import NotRead
from webui.eyes.photo import see
from webui.eyes.photo_tables import PhotoTables


def main(
    folder: Annotated[Path, "of drawn positions"],
    *,
    nothing: Annotated[bool, "nothing new lies there"] = False,
) -> None:
    """Measure and print."""
    positions = [shown(path, nothing=nothing) for path in drawn_in(folder)]
    sure = [one for one in positions if one["sure"]]
    silent = [one["file"] for one in sure if not one["right"]]
    moved = sum(one["right"] for one in positions)
    print(
        f"{len(positions)} positions, {len(sure)} need no question, {len(silent)} of these SILENT,",
        end="",
    )
    print(f" {moved} proposed rightly")
    print("\n".join((*silent, *kinds_asked(positions))))


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
