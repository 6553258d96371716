"""How well the eyes read: `make accuracy PHOTOS=folder`, or python -m models.measure.accuracy.

Reads every labelled picture in a folder of sets and prints, in Markdown, the table of
docs/accuracy.md, how far confidence can be believed, and the worst photos. `found` is a share of
the labelled pieces, `value` and `colour` of those found; `asked` are photos with a doubtful piece
or a warning; SILENT are photos that are wrong and asked nothing. Of sets to train on, only the
photos held back are read.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import cv2

from models.dataset.annotation import AnnotatedImage, Dataset
from models.measure import report
from models.measure.choice import chosen, parser_of
from models.measure.compare import Verdict, judge
from models.measure.overlays import side_by_side
from models.measure.report import Measured
from vision import Unreadable, load, read

WORST = 40  # photos named unless told otherwise


def main() -> int:
    """Measure what the command line names; return 0, or 2 if there is nothing to read."""
    args = _parser().parse_args()
    try:
        sets = chosen(args.photos, args.sets, all_photos=args.all)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    measured = [measure(one, args.overlay, moving=args.moving) for one in sets]
    print(as_text(measured, args.worst))
    if args.json:
        args.json.write_text(json.dumps(report.as_json(measured), indent=1) + "\n")
    return 0 if measured else 2


def _parser() -> argparse.ArgumentParser:
    ask = parser_of("accuracy", "Measure how well pictures are read.")
    ask.add_argument("--all", action="store_true", help="also photos that networks learned from")
    ask.add_argument("--worst", type=int, default=WORST, metavar="N", help="wrong photos to name")
    ask.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    ask.add_argument("--moving", action="store_true", help="at a glance, as frames of a camera")
    ask.add_argument("--overlay", type=Path, metavar="DIR", help="draw the wrong photos there")
    return ask


def measure(labelled: Dataset, overlay: Path | None = None, *, moving: bool = False) -> Measured:
    """Read every picture of a set; draw the wrong ones into *overlay*."""
    verdicts = []
    for number, picture in enumerate(labelled.images, start=1):
        show_progress(labelled.name, number, len(labelled.images))
        verdicts.append(_verdict(labelled, picture, overlay, moving=moving))
    return Measured(labelled, tuple(verdicts))


def _verdict(
    labelled: Dataset, picture: AnnotatedImage, overlay: Path | None, *, moving: bool
) -> Verdict:
    try:
        photo = load(picture.path)
        reading = read(photo, labelled.look, moving=moving)
        if moving:  # and the next frame, which shows the same
            reading = read(photo, labelled.look, moving=True, before=reading)
    except Unreadable:
        return judge(picture, None)
    verdict = judge(picture, reading)
    if overlay and verdict.faults:
        path = overlay / labelled.name / f"{picture.path.name}.jpg"
        path.parent.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(path), side_by_side(photo, picture, verdict, reading))
    return verdict


def as_text(measured: list[Measured], worst: int = WORST) -> str:
    """Return the whole report in Markdown."""
    verdicts = [verdict for one in measured for verdict in one.verdicts]
    wrong = sum(not verdict.is_whole for verdict in verdicts)
    parts = [
        report.as_table(report.rows(measured)),
        "How often a confidence was right (a piece too much is wrong):",
        report.reliability_table(report.reliability(verdicts)),
        f"Wrong photos: {wrong} of {len(verdicts)}{', the worst' if wrong > worst else ''}:",
        "\n".join(report.worst(measured, worst)),
    ]
    return "\n\n".join(part for part in parts if part)


def show_progress(name: str, number: int, total: int) -> None:
    """Say on standard error how many pictures are done; to a file only once they all are."""
    if sys.stderr.isatty() or number == total:
        end = "\n" if number == total else ""
        sys.stderr.write(f"\r{name}: {number} of {total}{end}")
        sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main())
