"""How well body colours are named: `python -m models.measure.colours ../shared/photos/test`.

Each labelled set of dice is read as it is, and then as games read it that say through `Look` which
colours their pieces have; of those readings the dice count whose labelled colour is one of them.
`right` are dice named rightly of those found. A colour is `doubtful` where another is named beside
it, and with a game's own colours the die is asked about then. `wrong, not doubtful` is what nobody
would notice.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path

from models.measure.compare import pair_dice
from models.measure.labels import Labelled, LabelledSet, sets_under
from models.measure.report import markdown_table, share
from vision import Face, Look, Unreadable, load, read

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
    ask = argparse.ArgumentParser("colours", description="Measure how well colours are named.")
    ask.add_argument("photos", nargs="+", type=Path, help="a labelled set, or a folder of them")
    ask.add_argument("--sets", nargs="+", default=["*"], metavar="NAME", help='such as "dice-*"')
    args = ask.parse_args()
    sets = [
        one
        for path in args.photos
        for one in sets_under(path)
        if any(fnmatch(one.name, name) for name in args.sets) and _colours(one)
    ]
    if not sets:
        print("No die there has a labelled colour.", file=sys.stderr)
        return 2
    plain = {one.name: list(named(one, one.look)) for one in sets}
    plain["all"] = [name for names in plain.values() for name in names]
    print(_table("set", plain))
    known = {}
    for palette in PALETTES:
        of_it = [one for one in sets if _colours(one) & set(palette)]
        known[", ".join(palette)] = [
            name for one in of_it for name in named(one, replace(one.look, colours=palette))
        ]
    print(f"\n{_table('colours told', known)}")
    return 0


def _colours(labelled: LabelledSet) -> set[str]:
    dice = (die for picture in labelled.pictures for die in picture.dice or () if die.counts)
    return {die.colour for die in dice if die.colour}


def named(labelled: LabelledSet, look: Look) -> Iterator[Named]:
    """Yield how the dice of a set were named; with a game's colours only those dice it has."""
    for picture in labelled.pictures:
        try:
            faces = read(load(picture.path), look).dice
        except Unreadable:
            continue
        yield from judged(picture, faces, look.colours)


def judged(picture: Labelled, faces: Sequence[Face], palette: tuple[str, ...]) -> Iterator[Named]:
    """Yield how each die was named that was found and is labelled with a colour that can occur."""
    dice = picture.dice or ()
    for i, j in pair_dice(dice, faces).items():
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
