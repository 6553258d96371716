"""How well body colours are named: `python -m models.measure.colours ../shared/photos/test`.

Each labelled set of dice is read as it is, and then as games read it that say through `Look` which
colours their pieces have; of those readings the dice count whose labelled colour is one of them.
`right` are dice named rightly of those found. A colour is `doubtful` where another is named beside
it, and with a game's own colours the die is asked about then. `wrong, not doubtful` is what nobody
would notice.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace

from models.dataset.annotation import AnnotatedImage, Dataset
from models.dataset.matching import match_faces
from models.measure.choice import chosen, parser_of
from models.measure.report import markdown_table, share
from vision import Face, Unreadable, load, read

HEADS = ("right", "doubtful", "wrong, not doubtful")
PALETTES = (  # what the five games play with
    ("black", "white"),
    ("red", "blue"),
    ("red", "blue", "purple"),
    ("red", "blue", "green", "yellow", "orange", "purple", "white"),
)
Named = tuple[bool, bool]  # is it right, is it doubtful


def main() -> int:
    """Measure what the command line names; return 0, or 2 if no colour is labelled there."""
    args = parser_of("colours", "Measure how well colours are named.").parse_args()
    try:
        sets = [one for one in chosen(args.photos, args.sets) if _colours(one)]
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    if not sets:
        print("No die there has a labelled colour.", file=sys.stderr)
        return 2
    told = [measure(one) for one in sets]
    plain = {one.name: named[()] for one, named in zip(sets, told, strict=True)}
    plain["all"] = [name for names in plain.values() for name in names]
    known = {", ".join(p): [name for named in told for name in named[p]] for p in PALETTES}
    print(f"{_table('set', plain)}\n\n{_table('colours told', known)}")
    return 0


def _colours(labelled: Dataset) -> set[str]:
    dice = (die for picture in labelled.images for die in picture.dice or () if die.counts)
    return {die.colour for die in dice if die.colour}


def measure(labelled: Dataset) -> dict[tuple[str, ...], list[Named]]:
    """Return how the dice of a set were named: without a palette, (), and with each of PALETTES."""
    told: dict[tuple[str, ...], list[Named]] = {palette: [] for palette in ((), *PALETTES)}
    asked = [palette for palette in told if not palette or _colours(labelled) & set(palette)]
    for picture in labelled.images:
        try:
            photo = load(picture.path)
        except Unreadable:
            continue
        for palette in asked:
            faces = read(photo, replace(labelled.look, colours=palette)).dice
            told[palette] += judged(picture, faces, palette)
    return told


def judged(
    picture: AnnotatedImage, faces: Sequence[Face], palette: tuple[str, ...]
) -> Iterator[Named]:
    """Yield how each die was named that was found and is labelled with a colour that can occur."""
    dice = picture.dice or ()
    for i, j in match_faces(dice, [face.center for face in faces]).items():
        die, face = dice[i], faces[j]
        if die.counts and die.colour and (not palette or die.colour in palette):
            yield face.colour == die.colour, bool(face.colour_alternatives)


def _table(head: str, rows: dict[str, list[Named]]) -> str:
    lines = [
        (
            *(name, str(len(told)), share(sum(right for right, _ in told), len(told))),
            share(sum(doubtful for _, doubtful in told), len(told)),
            share(sum(not right and not doubtful for right, doubtful in told), len(told)),
        )
        for name, told in rows.items()
    ]
    return markdown_table((head, "dice", *HEADS), lines)


if __name__ == "__main__":
    sys.exit(main())
