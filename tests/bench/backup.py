"""`make bench-backup`: what a backup costs, its way back, a list, and who plays meanwhile.

In: how many matches and photos. Out: seconds, MB, and how long confirms take beside it.
"""

import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import numpy as np
from PIL import Image

from webui.match import match as matches
from webui.match import past
from webui.store.backups.backup import back_up
from webui.store.backups.restore import restore
from webui.store.database_url import file_url
from webui.store.log import Store
from webui.store.rows import Draft
from webui.store.tables.search import Wanted
from webui.store.upkeep import delete_match

STEPS = 30  # of a match
SIZE = 1600, 1200  # px of a photo, whose noise makes it some 230 kB
CONFIRMS = 200


def main(
    *,
    matches: int = 1000,
    photos: int = 200,
    folder: Annotated[Path, "where the files are written, on the disk to test"] | None = None,
) -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory(dir=folder) as place:
        _measure(Path(place), matches, photos)


def _measure(folder: Path, count: int, photos: int) -> None:
    url, file = file_url(str(folder / "pipsight.sqlite")), folder / "backup.zip"
    store = Store(url, folder / "photos")
    _fill(store, count, photos)
    alone = _confirms(store, lambda: False)
    backup = threading.Thread(target=back_up, args=(url, store.photo_files, file))
    began = time.perf_counter()
    backup.start()
    beside = _confirms(store, backup.is_alive)
    backup.join()
    print(f"backup    {time.perf_counter() - began:7.2f} s  {file.stat().st_size / 1e6:7.1f} MB")
    print(f"confirm, alone          p50 {_ms(alone, 50)}  p95 {_ms(alone, 95)}")
    print(f"confirm, beside backup  p50 {_ms(beside, 50)}  p95 {_ms(beside, 95)}")
    _time("past, a page     ", lambda: past.search(store, Wanted("ada ben"), 1))
    _time("one match deleted", lambda: delete_match(store, store.newest(1)[0].id))
    store.close()
    new = Store(file_url(str(folder / "new.sqlite")), folder / "there")
    new.close()
    put = file_url(str(folder / "new.sqlite"))
    _time("restore   ", lambda: restore(put, new.photo_files, file, replace=True))


def _fill(store: Store, count: int, photos: int) -> None:
    step = Draft(({"move": "Roll", "pips": 2},), ("Ada rolls a 2",), (0, 0))
    noise = np.random.default_rng(1)
    for number in range(count):
        row = store.create("pig", 1, {"target": 100}, ["Ada", "Ben"], [step] * STEPS)
        if number < photos:
            store.keep(row.id, {"dice": [{"quad": [[1.5, 2.5]] * 4}] * 5}, _photo(noise))


def _photo(noise: np.random.Generator) -> bytes:
    small = noise.integers(60, 190, (SIZE[1] // 4, SIZE[0] // 4, 3), np.uint8)
    with tempfile.TemporaryFile() as file:
        Image.fromarray(small).resize(SIZE).save(file, "JPEG", quality=55)
        file.seek(0)
        return file.read()


def _confirms(store: Store, goes_on: Callable[[], bool]) -> list[float]:
    """Return the seconds of each of some confirms: of CONFIRMS, or of more while that goes on."""
    match, took = matches.create(store, "pig", ["Ada", "Ben"], {}), list[float]()
    while len(took) < CONFIRMS or goes_on():
        began = time.perf_counter()
        match = matches.play(store, match.row.id, match.seq, [{"move": "Roll", "pips": 1}])
        took.append(time.perf_counter() - began)
    return took


def _ms(took: list[float], share: int) -> str:
    return f"{1000 * statistics.quantiles(took, n=100)[share - 1]:6.1f} ms"


def _time(what: str, act: Callable[[], object]) -> None:
    began = time.perf_counter()
    act()
    print(f"{what}  {time.perf_counter() - began:6.2f} s")
