"""How well the eyes read: `make accuracy PHOTOS=folder`.

Reads every annotated picture in a folder of sets and prints Markdown. Of sets to train on, only
the photos held back are read.

By set, as docs/accuracy.md has it: `found` is a share of the annotated pieces, `value` and `colour`
of those found; `asked` are photos with a doubtful piece or a warning; SILENT are photos that are
wrong and asked nothing. Then how far confidence can be believed, and the worst photos.

By elevation, colour or light: a line a stratum. `found` is a share of the faces, `value` of
those found; `off` is how far the middle is from the true one, in sides of the face, in the mean and
for the worst twentieth, `IoU` what the quads share (of drawn pictures; a photo has boxes). A
colour is `doubtful` where another is named beside it; `wrong, not doubtful` is what nobody notices,
and the last lines say which colours are taken for which. `counted` are the colours and numbers of
the dice on each photo, as a game has them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Annotated

import numpy as np

from models.dataset.annotation import AnnotatedImage, Dataset, match_faces
from models.dataset.folders import Photos, SetNames, Strangers, chosen
from models.harness import NothingToMeasure, markdown_table, progress, share
from models.measure.photos import summary
from models.measure.photos.compare import (
    FaceOutcome,
    faces_of,
    outcome,
    outcomes_on,
    reading_of,
)
from models.measure.photos.summary import measure
from vision import Face, Look, Unreadable, load, read
from vision.faces.view_prior import elevations
from vision.faces.white_balance import relit

DEGREES = (0.0, 10.0, 15.0, 20.0, 25.0, 30.0, 40.0, 50.0, 60.0, 90.0)
LEAST_SIDE = 12.0  # px of the picture; the pips of smaller faces are 2 px wide
PALETTES = (  # what the five games play with
    ("black", "white"),
    ("red", "blue"),
    ("red", "blue", "purple"),
    ("red", "blue", "green", "yellow", "orange", "purple", "white"),
)
# Gains of blue, green and red: black bodies beside daylight of 6500 K by Planck's law, some weaker.
LIGHTS = {
    "as it is": (1.0, 1.0, 1.0),
    "a lamp of 4000 K": (0.64, 1.0, 1.28),
    "a lamp of 3000 K": (0.43, 1.0, 1.59),
    "the same, an eighth of the light": (0.054, 0.125, 0.199),
    "shade, 12000 K": (1.35, 1.0, 0.85),
    "an eighth of the light": (0.125, 0.125, 0.125),
}

Groups = dict[str, list[FaceOutcome]]  # the head of a table: what it counts


@dataclass(frozen=True, slots=True)
class Stratum:
    """One way to sort faces."""

    outcomes: Callable[[Sequence[Dataset]], Groups]
    edges: tuple[float, ...] = ()  # of the bins where it goes by a figure


def _images(datasets: Sequence[Dataset]) -> list[AnnotatedImage]:
    return [image for one in datasets for image in one.images]


def by_elevation(datasets: Sequence[Dataset]) -> Groups:
    """Sort drawn faces by the degrees above the table from which they are seen.

    Raises:
        NothingToMeasure: no picture was drawn; the box of a photo does not tell how a face lies.
    """
    drawn = [one for one in datasets if one.synthetic]
    if not drawn:
        raise NothingToMeasure(
            "How a face lies is known of drawn pictures alone, and there are none."
        )
    outcomes: list[FaceOutcome] = []
    for image in progress("pictures", _images(drawn)):
        quads = np.array([face.quad for face in image.faces]).reshape(-1, 4, 2)
        degrees = elevations(quads).tolist()
        faces_read = faces_of(reading_of(image.pixels(), Look("auto")))
        faces = outcomes_on(image, faces_read, degrees)
        large = (face.size >= LEAST_SIDE for face in image.faces)
        outcomes += [one for one, counts in zip(faces, large, strict=True) if counts]
    return {"degrees above the table": outcomes}


def by_colour(datasets: Sequence[Dataset]) -> Groups:
    """Sort found dice by set, by their colour, and by the colours that a game says it has.

    Raises:
        NothingToMeasure: no die there has an annotated colour.
    """
    coloured = _coloured(datasets)
    groups: Groups = {"set": [], "body": [], "colours given": [], "wrong, not doubtful": []}
    for dataset in coloured:
        faces = _named_in(dataset, ())
        groups["set"] += [replace(o, key=dataset.name) for o in faces]
        groups["body"] += faces
        counted = [o for image in dataset.images for o in _counted(image, dataset.look)]
        groups["colours given"] += [replace(o, key=f"counted, {dataset.name}") for o in counted]
    groups["set"] += [replace(o, key="all") for o in groups["set"]]
    wrong = [o for o in groups["body"] if o.colour_unnoticed]
    groups["wrong, not doubtful"] = [replace(o, key=f"{o.key} read as {o.colour}") for o in wrong]
    for palette in PALETTES:
        faces = [o for one in coloured for o in _named_in(one, palette)]
        groups["colours given"] += [replace(o, key=", ".join(palette)) for o in faces]
    return groups


def by_light(datasets: Sequence[Dataset]) -> Groups:
    """Sort found dice of photos by the light in which they are shown: theirs, and others (drawn).

    Raises:
        NothingToMeasure: no die there has an annotated colour.
    """
    coloured = _coloured(datasets)
    groups: Groups = {"light": [], "white in": []}
    for image in progress("pictures", _images(coloured)):
        photo = load(image.path)
        for light, gains in LIGHTS.items():
            lit = replace(photo, bgr=relit(photo.bgr[None], np.log(gains))[0])
            faces = list(named(image, read(lit).dice, ()))
            groups["light"] += [replace(o, key=light) for o in faces]
            groups["white in"] += [replace(o, key=light) for o in faces if o.key == "white"]
    return groups


def _coloured(datasets: Sequence[Dataset]) -> list[Dataset]:
    coloured = [one for one in datasets if _colours(one)]
    if not coloured:
        raise NothingToMeasure("No die there has a labelled colour.")
    return coloured


def _counted(image: AnnotatedImage, look: Look) -> Iterator[FaceOutcome]:
    """Yield how each die was named, by a game that has just the dice on its photo."""
    there = Counter(die.colour for die in image.dice or () if die.colour)
    if not there or any(die.colour is None for die in image.dice or ()):
        return
    look = replace(look, colours=tuple(there), most=tuple(there.values()))
    yield from colour_outcomes(image, look, tuple(there))


def _named_in(dataset: Dataset, palette: tuple[str, ...]) -> list[FaceOutcome]:
    """Return how the dice of a set are named, where it has one of a palette's colours."""
    if palette and not _colours(dataset) & set(palette):
        return []
    return [o for image in dataset.images for o in colour_outcomes(image, dataset.look, palette)]


def colour_outcomes(
    image: AnnotatedImage, look: Look, palette: tuple[str, ...]
) -> Iterator[FaceOutcome]:
    """Yield how each die was named that was found and whose colour a game's palette has."""
    try:
        faces = read(load(image.path), replace(look, colours=palette)).dice
    except Unreadable:
        return
    yield from named(image, faces, palette)


def named(
    image: AnnotatedImage, faces: Sequence[Face], palette: tuple[str, ...]
) -> Iterator[FaceOutcome]:
    """Yield how each die was named that was found and is annotated with a colour that can occur."""
    dice = image.dice or ()
    for i, j in match_faces(dice, [face.center for face in faces]).items():
        colour = dice[i].colour
        if dice[i].counts and colour and (not palette or colour in palette):
            yield outcome(dice[i], faces[j], colour, has_quad=not image.is_photo)


def _colours(dataset: Dataset) -> set[str]:
    dice = (die for image in dataset.images for die in image.dice or () if die.counts)
    return {die.colour for die in dice if die.colour}


STRATA = {
    "elevation": Stratum(by_elevation, DEGREES),
    "colour": Stratum(by_colour),
    "light": Stratum(by_light),
}


WORST = 40  # photos named
Stratified = tuple[str, list[FaceOutcome]]  # a stratum and its outcomes


def main(
    photos: Photos,
    *,
    sets: SetNames = ("*",),
    by: Annotated[str, "how faces are sorted", ("set", *STRATA)] = "set",
    all: Annotated[bool, "also photos that networks learned from"] = False,
    strangers: Strangers = False,
    look: Annotated[Look, "such as auto, for what each set is labelled", Look.parse] | None = None,
    overlay: Annotated[Path, "by set: a folder to draw the wrong photos in"] | None = None,
) -> None:
    """Measure and print."""
    found = chosen(photos, sets, all_photos=all, strangers=strangers)
    if look:
        found = [replace(one, look=look) for one in found]
    if by != "set":
        print(stratified(found, by))
        return
    measured = [measure(one, overlay) for one in found]
    print(summary.as_text(measured, WORST))


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
            yield f"{low:.0f} – {high:.0f}", inside


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
