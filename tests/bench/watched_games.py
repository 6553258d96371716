"""How well cameras follow whole matches by themselves: `make bench-watch-games FILMS=folder`.

A step is right where it was counted as it was and nobody was asked. `--slow` drops frames as a busy
machine does; films show four a second.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import astuple
from functools import partial
from pathlib import Path
from typing import Annotated

from models.harness import NothingToMeasure
from models.measure.watch.watch import IsDropped, cameras
from tests.webui.camera.watched_film import FilmCamera, FilmCounts, counts, watched

FILMS = "steps right asked late missed silent invented in vain"


def main(
    folders: Annotated[list[Path], "films, or folders of them"],
    *,
    slow: Annotated[bool, "drop frames, at several rates"] = False,
    said: Annotated[bool, "print what was asked or counted wrongly"] = False,
) -> None:
    """Print the counts of each film, by game, and of all."""
    films = films_in(folders)
    if not films:
        raise NothingToMeasure("There is no film; draw one by `make series ARGS=--still-camera`.")
    if slow:
        print_slow(films)
        return
    print(f"{FILMS}  cpu s")
    total, spent = FilmCounts(), 0.0
    for film in films:
        began = time.process_time()
        steps = watched(film)
        took = time.process_time() - began
        total, spent = total + counts(steps), spent + took
        print(f"{as_row(counts(steps))}{took:7.1f}  {film.name}", flush=True)
        for number, step in enumerate(steps) if said else ():
            if step.became != "right":
                print(f"  {number}: {step.became}: {'; '.join(step.words)}")
    print(f"{as_row(total)}{spent:7.1f}  all {len(films)}")


def films_in(folders: Sequence[Path]) -> list[Path]:
    """Return the films of these folders."""
    return [one.parent for folder in folders for one in sorted(folder.rglob("film.json"))]


def print_slow(films: Sequence[Path]) -> None:
    """Print the counts of all films whose frames are dropped, by camera."""
    print(FILMS)
    for name, _ in cameras():
        total = FilmCounts()
        for seed, film in enumerate(films):
            drop = dict(cameras(seed))[name]
            total += counts(watched(film, partial(send_some, drop=drop)))
        print(f"{as_row(total)}  {name}", flush=True)


def send_some(camera: FilmCamera, jpeg: bytes, drop: IsDropped) -> None:
    """Send a frame that is not dropped."""
    if not drop(camera.now_s):
        camera.send(jpeg)


def as_row(found: FilmCounts) -> str:
    """Return counts as a line below FILMS."""
    widths = (5, 6, 6, 5, 7, 7, 9, 8)
    return "".join(f"{n:{w}}" for n, w in zip(astuple(found), widths, strict=True))
