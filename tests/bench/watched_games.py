"""How well cameras follow whole matches by themselves: `make bench-watch-games FILMS=folder`.

A step is right where it was counted as it was and nobody was asked. `--slow` drops frames as a busy
machine does; films show four a second.
"""

import time
from collections.abc import Sequence
from dataclasses import astuple, fields
from functools import partial
from pathlib import Path
from typing import Annotated

from models.harness import NothingToMeasure, PrintedRows
from models.measure.watch.watch import IsDropped, cameras
from tests.webui.camera.watched_film import FilmCamera, FilmCounts, watched

HEADS = ("", *(field.name.replace("_", " ") for field in fields(FilmCounts)))


def main(
    folders: Annotated[list[Path], "films, or folders of them"],
    *,
    slow: Annotated[bool, "drop frames, at several rates"] = False,
) -> None:
    """Print the counts of each film, by game, and of all."""
    films = [one.parent for folder in folders for one in sorted(folder.rglob("film.json"))]
    if not films:
        raise NothingToMeasure("There is no film; draw one by `make series ARGS=--still-camera`.")
    if slow:
        print_slow(films)
        return
    total, spent, table = FilmCounts(), 0.0, PrintedRows(*HEADS, "cpu s")
    for film in films:
        began = time.process_time()
        counted = watched(film)
        took = time.process_time() - began
        total, spent = total + counted, spent + took
        table.row(film.name, *astuple(counted), f"{took:.1f}")
    table.row(f"all {len(films)}", *astuple(total), f"{spent:.1f}")


def print_slow(films: Sequence[Path]) -> None:
    """Print the counts of all films whose frames are dropped, by camera."""
    table = PrintedRows(*HEADS)
    for name, _ in cameras():
        total = FilmCounts()
        for seed, film in enumerate(films):
            drop = dict(cameras(seed))[name]
            total += watched(film, partial(send_some, drop=drop))
        table.row(name, *astuple(total))


def send_some(camera: FilmCamera, jpeg: bytes, drop: IsDropped) -> None:
    """Send a frame that is not dropped."""
    if not drop(camera.now_s):
        camera.send(jpeg)
