"""How well the eyes read: `make accuracy PHOTOS=folder`.

Reads every annotated picture in a folder of sets and prints Markdown. Of sets to train on, only
the photos held back are read.

By set, as docs/accuracy.md has it: `found` is a share of the annotated pieces, `value` and `colour`
of those found; `asked` are photos with a doubtful piece or a warning; SILENT are photos that are
wrong and asked nothing. Then how far confidence can be believed, and the worst photos.

By elevation, cutoff, colour or light: a line a stratum. `found` is a share of the faces, `value` of
those found; `off` is how far the middle is from the true one, in sides of the face, in the mean and
for the worst twentieth, `IoU` what the quads share (of drawn pictures; a photo has boxes). A
colour is `doubtful` where another is named beside it; `wrong, not doubtful` is what nobody notices,
and the last lines say which colours are taken for which. `counted` are the colours and numbers of
the dice on each photo, as a game has them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from json import dumps
from pathlib import Path
from typing import Annotated

import numpy as np

from models.dataset.annotation import Dataset
from models.dataset.folders import Photos, SetNames, Strangers, chosen
from models.harness import markdown_table, share
from models.measure.photos import summary
from models.measure.photos.compare import FaceOutcome
from models.measure.photos.strata import STRATA, Stratum
from models.measure.photos.summary import measure
from vision import Look

WORST = 40  # photos named unless told otherwise
Stratified = tuple[str, list[FaceOutcome]]  # a stratum and its outcomes


def main(
    photos: Photos,
    *,
    sets: SetNames = ("*",),
    by: Annotated[str, "how faces are sorted", ("set", *STRATA)] = "set",
    all: Annotated[bool, "also photos that networks learned from"] = False,
    strangers: Strangers = False,
    look: Annotated[Look, "such as auto, for what each set is labelled", Look.parse] | None = None,
    worst: Annotated[int, "by set: wrong photos to name"] = WORST,
    json: Annotated[Path, "by set: a file to write the figures to"] | None = None,
    moving: Annotated[bool, "by set: by the first pass, as camera frames"] = False,
    overlay: Annotated[Path, "by set: a folder to draw the wrong photos in"] | None = None,
) -> int:
    """Measure; return 0, or 2 if there is nothing to read."""
    found = chosen(photos, sets, all_photos=all, strangers=strangers)
    if look:
        found = [replace(one, look=look) for one in found]
    if by != "set":
        print(stratified(found, by))
        return 0 if found else 2
    measured = [measure(one, overlay, moving=moving) for one in found]
    if json:
        json.write_text(dumps(summary.as_json(measured), indent=1) + "\n")
    print(summary.as_text(measured, worst))
    return 0 if found else 2


def stratified(sets: Sequence[Dataset], by: str) -> str:
    """Return a table for each way in which a stratum sorts the faces of these sets.

    Raises:
        ValueError: there is no face to sort so.
    """
    stratum = STRATA[by]
    columns = COLOUR_COLUMNS if by in ("colour", "light") else COLUMNS
    tables = (
        table(head, rows_of(outcomes, stratum), columns)
        for head, outcomes in stratum.outcomes(sets).items()
    )
    return "\n\n".join(tables)


def rows_of(outcomes: Sequence[FaceOutcome], stratum: Stratum) -> Iterator[Stratified]:
    """Yield each stratum in which there is a face, in order."""
    if not stratum.edges:
        for key in dict.fromkeys(one.key for one in outcomes):
            yield str(key), [one for one in outcomes if one.key == key]
        return
    for low, high in pairwise(stratum.edges):
        inside = [one for one in outcomes if low <= float(one.key) < high]
        if inside:
            edges = {"low": max(low, 0.0), "high": min(high, 1.0) if "%" in stratum.unit else high}
            yield stratum.unit.format(**edges), inside


def table(head: str, rows: Iterable[Stratified], columns: dict[str, CellText]) -> str:
    """Return a Markdown table with a line a stratum."""
    body = [(name, *(cell(outcomes) for cell in columns.values())) for name, outcomes in rows]
    return markdown_table((head, *columns), body)


def _figure(of: Callable[[list[float]], object], values: Iterable[float | None]) -> str:
    there = [value for value in values if value is not None]
    return f"{of(there):.3f}" if there else "–"


def _twentieth(values: list[float]) -> object:
    return np.percentile(values, 95)


CellText = Callable[[Sequence[FaceOutcome]], str]
COLUMNS: dict[str, CellText] = {
    "faces": lambda faces: str(len(faces)),
    "found": lambda faces: share(sum(one.found for one in faces), len(faces)),
    "value": lambda faces: share(sum(one.right for one in faces), sum(one.found for one in faces)),
    "sure": lambda faces: str(sum(one.sure for one in faces)),
    "sure and wrong": lambda faces: str(sum(one.is_sure_and_wrong for one in faces)),
    "off": lambda faces: _figure(np.mean, [one.offset for one in faces]),
    "worst twentieth": lambda faces: _figure(_twentieth, [one.offset for one in faces]),
    "IoU": lambda faces: _figure(np.mean, [one.iou for one in faces]),
}
COLOUR_COLUMNS: dict[str, CellText] = {
    "dice": lambda faces: str(len(faces)),
    "right": lambda faces: share(sum(one.colour_right is True for one in faces), len(faces)),
    "doubtful": lambda faces: share(sum(one.colour_doubtful for one in faces), len(faces)),
    "wrong, not doubtful": lambda faces: share(
        sum(one.colour_unnoticed for one in faces), len(faces)
    ),
    "asked about": lambda faces: share(sum(not one.sure for one in faces), len(faces)),
}
