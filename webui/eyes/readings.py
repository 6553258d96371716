"""Queries on readings stored as JSON: places of cells and dice, marks."""

from collections.abc import Mapping, Sequence
from typing import Any

from scorer import MarkedCell
from vision.layout import Layout
from vision.reading_json import MarkJson, ReadingJson
from webui.eyes.look import layout_named


class StoredReading(ReadingJson):
    """The reading of one photo, in px of the upright photo."""


def cells_on(
    reading: Mapping[str, Any], taught: Mapping[str, Any] | None = None
) -> list[tuple[list[int | str], list[list[float]]]]:
    """Return the cells of a reading's board as JSON, each with its quad in px.

    The cells of a grid are computed from its corners, printed or not. Those of a *taught* board are
    where a person placed them.
    """
    board = reading["board"]
    if board is None:
        return []
    if taught is not None and taught["geometry"]["board"] == board["name"]:
        layout: Layout | None = Layout.from_json(taught["geometry"])
    elif str(board["name"]).startswith("grid:"):
        return []
    else:
        layout = layout_named(board["name"])
    if layout is None:
        return []
    import numpy as np

    quads = layout.cells_at(np.array(board["corners"], np.float64))
    return [
        (list(place.cell), quad.to_json()) for place, quad in zip(layout.cells, quads, strict=False)
    ]


def with_marks(reading: StoredReading, marks: Sequence[MarkedCell]) -> StoredReading:
    """Return a reading with these *marks*; changed ones and those that are known are sure."""
    shown = [_marked(cell, mark) for cell, mark in zip(reading["marks"], marks, strict=True)]
    return {**reading, "marks": shown}


def _marked(cell: MarkJson, taken: MarkedCell) -> MarkJson:
    if taken.mark == cell["mark"] and taken.confidence < 1:
        return cell
    return {**cell, "mark": taken.mark, "confidence": 1.0, "sure": True, "alternatives": []}


def same_dice(before: Mapping[str, Any], after: Mapping[str, Any]) -> bool | None:
    """Return True if two readings show the same dice in the same places; None if unknown."""
    compare = _arrangement()
    return None if compare is None else compare.same_arrangement(before, after)


def same_picture(before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    """Return True if two readings are of one photo, in any size or quality."""
    compare = _arrangement()
    return compare is not None and bool(compare.same_picture(before, after))


def dice_left(before: Mapping[str, Any], after: Mapping[str, Any]) -> bool | None:
    """Return True if all dice of the later reading are where they were; others may be gone.

    None if unknown.
    """
    compare = _arrangement()
    return None if compare is None else compare.lie_yet(before, after)


def _arrangement() -> Any:
    """Return what compares two readings; None where there is no numpy."""
    try:
        from vision import arrangement
    except ModuleNotFoundError:
        return None
    return arrangement
