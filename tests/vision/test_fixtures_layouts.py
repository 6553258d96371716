"""Dominoes as they lie in play: no half passes for a die, no two halves of strangers for a tile.

The sketches are drawn by `python -m models.train --var fixtures layouts --count 10 --first 700201`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from models.dataset.annotation import AnnotatedImage
from models.dataset.folders import datasets_under
from models.measure.photos.compare import LabelledReading, Verdict, judge
from vision import Look, load, read

LAYOUTS = Path(__file__).parents[2] / "fixtures" / "layouts"
PICTURES: dict[str, AnnotatedImage] = {
    f"{layout.name}-{picture.path.stem[-6:]}": picture
    for layout in datasets_under(LAYOUTS)
    for picture in layout.images
}
every_picture = pytest.mark.parametrize("name", PICTURES)


@cache
def verdict(name: str) -> Verdict:
    picture = PICTURES[name]
    return judge(picture, read(load(picture.path), Look("auto")))


def too_much(name: str, places: int) -> list[LabelledReading]:
    """Return what was surely read where no such piece lies, of one value or two."""
    return [
        match
        for match in verdict(name).faults
        if match.sure and match.truth is None and len(match.read or ()) == places
    ]


def test_there_are_two_of_every_layout_and_they_are_small() -> None:
    kinds = [name.split("-")[0] for name in PICTURES]

    assert {kind: kinds.count(kind) for kind in kinds} == dict.fromkeys(
        ("block", "cross", "single", "stack", "tee"), 2
    )
    assert sum(path.stat().st_size for path in LAYOUTS.rglob("*.*")) <= 600_000


@every_picture
def test_no_half_of_a_domino_is_a_sure_die(name: str) -> None:
    assert too_much(name, 1) == []


@every_picture
def test_no_tile_is_sure_that_does_not_lie_there(name: str) -> None:
    assert too_much(name, 2) == []


@every_picture
def test_none_is_wrong_without_asking(name: str) -> None:
    assert not verdict(name).is_silent


def test_most_tiles_are_read_all_the_same() -> None:
    matches = [match for name in PICTURES for match in verdict(name).matches if match.truth]

    assert len(matches) == 55
    assert sum(match.is_right for match in matches) >= 43
