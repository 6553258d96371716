"""How well a browser's own eyes read: `make accuracy-preview PHOTOS=folder`.

Photos with dice, and with nothing, read in Chromium by the first pass alone, or looked at twice as
without a server, then with dominoes too, judged as `make accuracy` judges the server's readings. A
question is an outline that is dashed, or a place to look at; SILENT says how often none was.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Annotated, Any

from models.dataset.annotation import AnnotatedImage, Dataset
from models.dataset.folders import Photos, SetNames, Strangers, chosen
from models.harness import progress
from models.measure.photos import summary
from models.measure.photos.compare import judge
from models.measure.photos.summary import Measured
from scorer import Equipment
from tests.browser.phones import server_and_browser
from tests.browser.preview import BrowserEyes
from webui.lite.page_photo import reading_of


def main(
    photos: Photos,
    *,
    sets: SetNames = ("*",),
    strangers: Strangers = False,
    twice: Annotated[bool, "again what is not clear, as without a server"] = False,
) -> None:
    """Read and print."""
    named = chosen(photos, sets, strangers=strangers)
    with server_and_browser() as (server, browser):
        page = browser.new_page()
        page.goto(server.match("farkle", "Ada", "Ben")["url"])
        eyes = BrowserEyes.on(page)
        read = partial(eyes.read, twice=twice)
        measured = (measure(read, one, tiles=tiles) for one in named for tiles in {False, twice})
        print(summary.as_text([each for each in measured if each], 0))


def measure(
    read: Callable[..., dict[str, Any]], dataset: Dataset, *, tiles: bool
) -> Measured | None:
    """Read the pictures of a set with dice or nothing, or with *tiles*; None if it has none."""
    images = [image for image in dataset.images if _shows(image, tiles=tiles)]
    wanted = Equipment(tiles=tiles, loose=tiles)
    verdicts = []
    for image in progress(dataset.name, images):
        # No cell is seen in a browser, so none counts.
        reading = reading_of(read(image.path, halves=tiles), wanted)
        verdicts.append(judge(replace(image, board=None), reading))
    return Measured(replace(dataset, images=tuple(images)), tuple(verdicts)) if images else None


def _shows(image: AnnotatedImage, *, tiles: bool) -> bool:
    return (
        not image.dice and bool(image.tiles)
        if tiles
        else image.dice is not None and not image.tiles
    )
