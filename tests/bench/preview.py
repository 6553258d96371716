"""How well a browser's own eyes read: `make accuracy-preview PHOTOS=folder`.

Photos with dice, and with nothing, read in Chromium by the first pass alone, or looked at twice as
without a server, judged as `make accuracy` judges the server's readings. A question is an outline
that is dashed, or a place to look at; SILENT says how often none was.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from models.dataset.annotation import Dataset
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
        read = partial(BrowserEyes.on(page).read, twice=twice)
        print(summary.as_text([measured for one in named if (measured := measure(read, one))], 0))


def measure(read: Callable[[Path], dict[str, Any]], dataset: Dataset) -> Measured | None:
    """Read the pictures of a set on which there are dice or nothing; None if it has none."""
    images = [image for image in dataset.images if image.dice is not None and not image.tiles]
    verdicts = []
    for image in progress(dataset.name, images):
        # No cell is seen in a browser, so none counts.
        verdicts.append(
            judge(replace(image, board=None), reading_of(read(image.path), Equipment()))
        )
    return Measured(replace(dataset, images=tuple(images)), tuple(verdicts)) if images else None
