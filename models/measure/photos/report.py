"""How well the eyes read: `make accuracy PHOTOS=folder`, or python -m models.measure.photos.report.

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

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from models.dataset.annotation import Dataset
from models.measure.photos import summary
from models.measure.photos.choice import chosen, parser_of
from models.measure.photos.markdown import markdown_table, share
from models.measure.photos.outcomes import FaceOutcome
from models.measure.photos.reading import measure
from models.measure.photos.strata import STRATA, Stratum
from vision import Look

WORST = 40  # photos named unless told otherwise
Stratified = tuple[str, list[FaceOutcome]]  # a stratum and its outcomes


def main() -> int:
    """Measure what the command line names; return 0, or 2 if there is nothing to read."""
    args = _parser().parse_args()
    try:
        sets = chosen(args.photos, args.sets, all_photos=args.all, strangers=args.strangers)
        if args.look:
            sets = [replace(one, look=args.look) for one in sets]
        text = _by_set(sets, args) if args.by == "set" else stratified(sets, args.by)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    print(text)
    return 0 if sets else 2


def _parser() -> argparse.ArgumentParser:
    ask = parser_of("report", "Measure how well pictures are read.")
    ask.add_argument("--by", choices=("set", *STRATA), default="set", help="how faces are sorted")
    ask.add_argument("--all", action="store_true", help="also photos that networks learned from")
    ask.add_argument("--strangers", action="store_true", help="only photographers who only judge")
    ask.add_argument("--look", type=Look.parse, help="such as auto, for what each set is labelled")
    by_set = ask.add_argument_group("by set")
    by_set.add_argument(
        "--worst", type=int, default=WORST, metavar="N", help="wrong photos to name"
    )
    by_set.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    by_set.add_argument("--moving", action="store_true", help="by the first pass, as camera frames")
    by_set.add_argument("--overlay", type=Path, metavar="DIR", help="draw the wrong photos there")
    return ask


def _by_set(sets: Sequence[Dataset], args: argparse.Namespace) -> str:
    measured = [measure(one, args.overlay, moving=args.moving) for one in sets]
    if args.json:
        args.json.write_text(json.dumps(summary.as_json(measured), indent=1) + "\n")
    return summary.as_text(measured, args.worst)


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


def _count(outcomes: Sequence[FaceOutcome]) -> str:
    return str(len(outcomes))


def _found(outcomes: Sequence[FaceOutcome]) -> str:
    return share(sum(one.found for one in outcomes), len(outcomes))


def _value(outcomes: Sequence[FaceOutcome]) -> str:
    return share(sum(one.right for one in outcomes), sum(one.found for one in outcomes))


def _sure(outcomes: Sequence[FaceOutcome]) -> str:
    return str(sum(one.sure for one in outcomes))


def _sure_and_wrong(outcomes: Sequence[FaceOutcome]) -> str:
    return str(sum(one.is_sure_and_wrong for one in outcomes))


def _off(outcomes: Sequence[FaceOutcome]) -> str:
    offsets = [one.offset for one in outcomes if one.offset is not None]
    return f"{np.mean(offsets):.3f}" if offsets else "–"


def _worst_off(outcomes: Sequence[FaceOutcome]) -> str:
    offsets = [one.offset for one in outcomes if one.offset is not None]
    return f"{np.percentile(offsets, 95):.3f}" if offsets else "–"


def _iou(outcomes: Sequence[FaceOutcome]) -> str:
    ious = [one.iou for one in outcomes if one.iou is not None]
    return f"{np.mean(ious):.3f}" if ious else "–"


def _colour(outcomes: Sequence[FaceOutcome]) -> str:
    return share(sum(one.colour_right is True for one in outcomes), len(outcomes))


def _colour_doubtful(outcomes: Sequence[FaceOutcome]) -> str:
    return share(sum(one.colour_doubtful for one in outcomes), len(outcomes))


def _colour_unnoticed(outcomes: Sequence[FaceOutcome]) -> str:
    return share(sum(one.colour_unnoticed for one in outcomes), len(outcomes))


def _unsure(outcomes: Sequence[FaceOutcome]) -> str:
    return share(sum(not one.sure for one in outcomes), len(outcomes))


CellText = Callable[[Sequence[FaceOutcome]], str]
COLUMNS: dict[str, CellText] = {
    "faces": _count,
    "found": _found,
    "value": _value,
    "sure": _sure,
    "sure and wrong": _sure_and_wrong,
    "off": _off,
    "worst twentieth": _worst_off,
    "IoU": _iou,
}
COLOUR_COLUMNS: dict[str, CellText] = {
    "dice": _count,
    "right": _colour,
    "doubtful": _colour_doubtful,
    "wrong, not doubtful": _colour_unnoticed,
    "asked about": _unsure,
}


if __name__ == "__main__":
    sys.exit(main())
