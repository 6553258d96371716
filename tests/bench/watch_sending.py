"""What a page that watches need not send: `make bench-watch-sending FILMS=folder VIDEOS=folder`.

Films of matches and videos of throws are watched twice: with every frame, and with those that a
page sends (webui/static/camera/still_table.js, in Chromium). Counted is what came of both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import cv2
from playwright.sync_api import Page

from models.measure.watch.watch import HEADER, RollRecord, measure, row, videos_in
from tests.bench.sparing import SparingPage
from tests.bench.watched_games import FILMS, as_row, films_in
from tests.browser.phones import chromium
from tests.webui.camera.watched_film import counts, watched
from vision.watch.frames import frames
from vision.watch.settling import finish
from vision.watch.state import as_json
from vision.watch.watcher import Watcher

QUALITY = 80  # of a frame that a page sends, a JPEG


def main(
    *,
    films: Annotated[Sequence[Path], "films, or folders of them"] = (),
    videos: Annotated[Sequence[Path], "videos, or folders of them"] = (),
    rest: Annotated[float, "s after each step of a film"] = 0.0,
) -> None:
    """Print what came of films and videos with every frame, and with those that are sent."""
    with chromium() as browser:
        page = browser.new_page()
        print(FILMS)
        for film in films_in(films):
            show_film(film, page, rest)
        print(HEADER)
        for video in (one for path in videos for one in videos_in(path)):
            show_video(video, page)


def show_film(film: Path, page: Page, rest_s: float) -> None:
    """Print what came of a film."""
    every = counts(watched(film, rest_s=rest_s))
    sparing = SparingPage(page)
    spared = counts(watched(film, sparing.send, rest_s))
    print(f"{as_row(every)}  {film.name}, every frame")
    print(f"{as_row(spared)}  {sparing.spared}", flush=True)


def show_video(video: Path, page: Page) -> None:
    """Print what came of a video."""
    sparing = SparingPage(page)
    print(f"{row(measure(video)[2])}  {video.name}, every frame")
    spared = measure(video, partial(rolls_of, page=sparing))[2]
    print(f"{row(spared)}  {sparing.spared}", flush=True)


def rolls_of(video: Path, page: SparingPage) -> Iterator[RollRecord]:
    """Yield the rolls of a video, watched by the frames that a page sends."""
    watcher = Watcher()
    for frame in frames(str(video)):
        jpeg = cv2.imencode(".jpg", frame.bgr, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()
        if page.says(jpeg, frame.time_s) != "frame":
            continue
        roll = watcher.step(frame)
        page.take(watcher.watch.waiting, frame.time_s)
        if roll is not None:
            yield as_json(roll)
    last = finish(watcher.watch)
    if last is not None:
        yield as_json(last)
