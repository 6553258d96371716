"""The labelled sets that the options of a measure name."""

from collections.abc import Sequence
from fnmatch import fnmatch
from functools import partial
from pathlib import Path
from typing import Annotated

from models.dataset.annotation import Dataset
from models.dataset.folders import datasets_under, strangers_under
from models.harness import NothingToMeasure

Photos = Annotated[list[Path], "a labelled set, or a folder of them"]
SetNames = Annotated[Sequence[str], 'of sets, such as "dice-*"']
Strangers = Annotated[bool, "only photographers who only judge"]


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
        NothingToMeasure: a folder holds no set.
    """
    of = strangers_under if strangers else partial(datasets_under, all_photos=all_photos)
    try:
        sets = [one for path in photos for one in of(path)]
    except ValueError as fault:
        raise NothingToMeasure(str(fault)) from fault
    return [one for one in sets if any(fnmatch(one.name, name) for name in names)]
