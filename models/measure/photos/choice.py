"""Which labelled sets a measure is asked for on its command line."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from fnmatch import fnmatch
from functools import partial
from pathlib import Path

from models.dataset.annotation import Dataset
from models.dataset.folders import datasets_under, strangers_under


def parser_of(name: str, description: str) -> argparse.ArgumentParser:
    """Return what reads a measure's command line: `photos` and `sets`, for `chosen`."""
    ask = argparse.ArgumentParser(name, description=description)
    ask.add_argument("photos", nargs="+", type=Path, help="a labelled set, or a folder of them")
    ask.add_argument("--sets", nargs="+", default=["*"], metavar="NAME", help='such as "dice-*"')
    return ask


def chosen(
    photos: Sequence[Path],
    names: Sequence[str],
    *,
    all_photos: bool = False,
    strangers: bool = False,
) -> list[Dataset]:
    """Return the sets in these folders that go by one of the names; a "*" is any text.

    Of folders of sets for training those photos that networks have not learned from, all photos,
    or only those of *strangers*.

    Raises:
        ValueError: a folder holds no set.
    """
    of = strangers_under if strangers else partial(datasets_under, all_photos=all_photos)
    sets = (one for path in photos for one in of(path))
    return [one for one in sets if any(fnmatch(one.name, name) for name in names)]
