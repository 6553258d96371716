"""Verdicts in sum: the table by set, how far confidence can be believed, the worst photos."""

import statistics
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import cv2

from models.dataset.annotation import AnnotatedImage, Dataset
from models.harness import markdown_table, progress, share
from models.measure.photos.compare import Verdict, judge, side_by_side
from vision import Unreadable, load, read

BINS = (0.0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 1.0)  # narrow where nobody is asked
MOST_FAULTS = 6  # written out a photo
HEADS = (
    *("set", "photos", "pieces", "found", "extra", "value", "colour"),
    *("whole", "asked", "SILENT", "right but asked", "by a question", "wrong, only marked", "ms"),
)


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """A set and the verdict on each of its pictures, in their order."""

    labelled: Dataset
    verdicts: tuple[Verdict, ...]

    @property
    def name(self) -> str:
        """Return the set's name; drawn pictures are called so."""
        return f"{self.labelled.name}{' (synthetic)' if self.labelled.synthetic else ''}"


@dataclass(frozen=True, slots=True)
class SummaryRow:
    """The counts of one line of the table."""

    name: str
    photos: int
    pieces: int
    found: int
    extra: int
    value: int  # right, of those found
    coloured: int  # found, with a labelled colour
    colour: int  # right, of the coloured
    whole: int  # photos with nothing missed, misread or too much
    asked: int  # photos with a doubtful piece or a warning
    silent: int  # photos that are wrong and asked nothing
    right_but_asked: int
    right_by_question: int  # of these, more than a look at pieces marked on the photo
    wrong_but_marked: int  # photos that are wrong, of which no more than that is asked
    ms: float | None  # median of a photo; None where all were refused

    def cells(self) -> tuple[str, ...]:
        """Return the cells under HEADS."""
        return (
            *(self.name, str(self.photos), str(self.pieces)),
            *(share(self.found, self.pieces), str(self.extra)),
            *(share(self.value, self.found), share(self.colour, self.coloured)),
            *(share(self.whole, self.photos), str(self.asked), str(self.silent)),
            *map(str, (self.right_but_asked, self.right_by_question, self.wrong_but_marked)),
            "–" if self.ms is None else f"{self.ms:.0f}",
        )


def row(name: str, verdicts: Sequence[Verdict]) -> SummaryRow:
    """Count what the verdicts say."""
    matches = [match for verdict in verdicts for match in verdict.matches]
    pieces = [match for match in matches if match.truth is not None]
    found = [match for match in pieces if match.read is not None]
    colours = [m.colour_is_right for m in found if m.colour_is_right is not None]
    times = [verdict.ms for verdict in verdicts if verdict.ms is not None]

    def count(holds: Callable[[Verdict], bool]) -> int:
        return sum(map(holds, verdicts))

    return SummaryRow(
        name=name,
        photos=len(verdicts),
        pieces=len(pieces),
        found=len(found),
        extra=len(matches) - len(pieces),
        value=sum(match.is_right for match in found),
        coloured=len(colours),
        colour=sum(colours),
        whole=count(lambda one: one.is_whole),
        asked=count(lambda one: one.is_asked),
        silent=count(lambda one: one.is_silent),
        right_but_asked=count(lambda one: one.is_whole and one.is_asked),
        right_by_question=count(lambda one: one.is_whole and one.is_question),
        wrong_but_marked=count(lambda one: one.is_only_marked and bool(one.faults)),
        ms=statistics.median(times) if times else None,
    )


def rows(measured: Sequence[Measured]) -> list[SummaryRow]:
    """Return a row a set, then the sums: real dice, real dominoes, and what was drawn."""
    lines = [row(one.name, one.verdicts) for one in measured]
    for name, group in _groups(measured):
        if len(group) > 1:
            lines.append(row(name, [verdict for one in group for verdict in one.verdicts]))
    return lines


def _groups(measured: Sequence[Measured]) -> Iterator[tuple[str, list[Measured]]]:
    """Yield the sets that are summed; one without any piece belongs to no sum."""
    whole = [m for m in measured if any(p.dice or p.tiles for p in m.labelled.images)]
    photos = [m for m in whole if not m.labelled.synthetic]
    yield "all dice", [m for m in photos if m.labelled.look.kind == "dice"]
    yield "all dominoes", [m for m in photos if m.labelled.look.kind == "dominoes"]
    yield "all synthetic", [m for m in whole if m.labelled.synthetic]


def as_table(lines: Sequence[SummaryRow]) -> str:
    """Return the rows as a Markdown table, the sums in bold."""
    body = [line.cells() for line in lines]
    shown = [
        tuple(f"**{cell}**" for cell in cells) if cells[0].startswith("all ") else cells
        for cells in body
    ]
    return markdown_table(HEADS, shown)


@dataclass(frozen=True, slots=True)
class Bin:
    """Pieces read with a confidence in (low, high]."""

    low: float
    high: float
    pieces: int
    mean: float  # confidence
    right: int
    sure: int  # of the pieces
    sure_and_wrong: int


def reliability(verdicts: Iterable[Verdict]) -> list[Bin]:
    """Return how often each confidence was right; a piece too much is wrong, empty bins fall out.

    What was not found has no confidence and is not in it.
    """
    read = [m for verdict in verdicts for m in verdict.matches if m.read is not None]
    bins = []
    for low, high in pairwise(BINS):
        inside = [m for m in read if low < m.confidence <= high or m.confidence == low == 0]
        if inside:
            wrong = sum(match.sure and not match.is_right for match in inside)
            mean = statistics.fmean(match.confidence for match in inside)
            right, sure = (sum(getattr(m, name) for m in inside) for name in ("is_right", "sure"))
            bins.append(Bin(low, high, len(inside), mean, right, sure, wrong))
    return bins


def reliability_table(bins: Sequence[Bin]) -> str:
    """Return the bins as a Markdown table."""
    heads = ("confidence", "pieces", "mean confidence", "right", "sure", "sure and wrong")
    body = [
        (
            *(f"{b.low:g} – {b.high:g}", str(b.pieces), f"{100 * b.mean:.2f} %"),
            *(share(b.right, b.pieces), str(b.sure), str(b.sure_and_wrong)),
        )
        for b in bins
    ]
    return markdown_table(heads, body)


def worst(measured: Sequence[Measured], most: int | None = None) -> list[str]:
    """Return a Markdown line for each wrong photo, the silent ones first, then by faults."""
    wrong = [
        (verdict, f"{one.labelled.name}/{picture.path.name}")
        for one in measured
        for picture, verdict in zip(one.labelled.images, one.verdicts, strict=True)
        if not verdict.is_whole
    ]
    wrong.sort(key=lambda pair: (not pair[0].is_silent, -len(pair[0].faults), pair[1]))
    return [_line(name, verdict) for verdict, name in wrong[:most]]


def _line(name: str, verdict: Verdict) -> str:
    faults = "; ".join(map(str, verdict.faults[:MOST_FAULTS]))
    more = len(verdict.faults) - MOST_FAULTS
    return (
        f"* `{name}`{' **SILENT**' if verdict.is_silent else ''}: {faults}"
        f"{f'; and {more} more' if more > 0 else ''}"
    )


def as_text(measured: Sequence[Measured], worst_of: int) -> str:
    """Return all of it in Markdown; at most *worst_of* wrong photos are named."""
    verdicts = [verdict for one in measured for verdict in one.verdicts]
    wrong = sum(not verdict.is_whole for verdict in verdicts)
    parts = [
        as_table(rows(measured)),
        "How often a confidence was right (a piece too much is wrong):",
        reliability_table(reliability(verdicts)),
        f"Wrong photos: {wrong} of {len(verdicts)}{', the worst' if wrong > worst_of else ''}:",
        "\n".join(worst(measured, worst_of)),
    ]
    return "\n\n".join(part for part in parts if part)


def measure(dataset: Dataset, overlay: Path | None = None) -> Measured:
    """Read every picture of a set; the wrong ones are drawn into the folder *overlay*."""
    images = progress(dataset.name, dataset.images)
    return Measured(dataset, tuple(_verdict(dataset, image, overlay) for image in images))


def _verdict(dataset: Dataset, image: AnnotatedImage, overlay: Path | None) -> Verdict:
    try:
        photo = load(image.path)
        reading = read(photo, dataset.look)
    except Unreadable:
        return judge(image, None)
    verdict = judge(image, reading)
    if overlay and verdict.faults:
        path = overlay / dataset.name / f"{image.path.name}.jpg"
        path.parent.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(path), side_by_side(photo, verdict, reading))
    return verdict
