"""Many pictures, one after another: those that are not there yet, told as they are made."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from models.render.order import Order
from models.render.picture import take, take_table
from models.render.view import STEEP, Steepness

SAMPLES = 6  # paths a pixel of any table: the denoiser and a phone's own noise hide the rest
BOARD_SIZE = (1600, 1200)  # px

Jobs = dict[Path, Callable[[Path], None]]  # the file to write, and what writes it


def take_tables(
    out: Path,
    seed: int,
    count: int,
    samples: int = SAMPLES,
    steep: Steepness = STEEP,
) -> None:
    """Render any tables of *count* seeds from *seed* on."""
    take_all({
        out / f"table-{each:06d}.jpg": partial(take_table, each, samples=samples, steep=steep)
        for each in range(seed, seed + count)
    })  # fmt: skip


def take_boards(
    out: Path,
    seed: int,
    count: int,
    samples: int = 8,
    size: tuple[int, int] = BOARD_SIZE,
    tokens: tuple[str, ...] | None = None,
) -> None:
    """Render boards of 3 x 3 cells; their dice are chosen by the seeds, or are *tokens*."""
    take_all({
        out / f"board-{each:06d}.jpg": partial(take, Order(each, size, tokens), samples=samples)
        for each in range(seed, seed + count)
    })  # fmt: skip


def take_all(jobs: Jobs) -> None:
    """Take the pictures that do not exist yet and say how it goes."""
    missing = {path: job for path, job in jobs.items() if not path.exists()}
    print(f"{len(jobs) - len(missing)} of {len(jobs)} pictures are there already", flush=True)
    started, worked = time.perf_counter(), time.process_time()
    for done, (path, job) in enumerate(missing.items(), 1):
        job(path)
        pace = (time.perf_counter() - started) / done
        left = pace * (len(missing) - done) / 60
        work = (time.process_time() - worked) / done
        print(
            f"{path.name}: {path.stat().st_size // 1000} kB, {done} of {len(missing)}, "
            f"{pace:.1f} s a picture ({work:.1f} s of processor time), {left:.1f} min left",
            flush=True,
        )
