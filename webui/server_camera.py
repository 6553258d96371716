"""The server's own camera: a thread that hands its frames to the watch of a match.

A camera or stream gives its newest frame whenever one is wanted. A recording is played as fast as
it was filmed, for as long as its match is watched.
"""

from __future__ import annotations

import logging
import threading
import time

from webui.errors import Problem, Refused, problem
from webui.watch_bridge import CameraGone, frames, is_live
from webui.watches import MatchCamera, Watches

NONE_HERE = "The server has no camera. Start it with one: pipsight serve --camera 0"
PLAYED = "The recording is over."

log = logging.getLogger(__name__)


def run_camera(watches: Watches, watch: MatchCamera, source: str) -> threading.Thread:
    """Start to watch with the camera *source* until it ends, or the watch does."""
    thread = threading.Thread(target=_run, args=(watches, watch, source), daemon=True)
    thread.start()
    return thread


def _run(watches: Watches, watch: MatchCamera, source: str) -> None:
    try:
        _show(watches, watch, source)
    except CameraGone as fault:
        watch.fault = str(fault)
    except Exception as fault:  # noqa: BLE001  # told on the page; nobody waits for this thread
        told: Problem = problem(fault)
        watch.fault = told.sentence
    else:
        watch.fault = watch.fault or ("" if watch.ended else PLAYED)


def _show(watches: Watches, watch: MatchCamera, source: str) -> None:
    """Show the match every frame that it wants."""
    began, wanted_s = time.monotonic(), 0.0
    for jpeg, time_s in frames(source):
        if watch.ended:
            return
        if time_s < wanted_s:
            continue
        late = time_s - (time.monotonic() - began)
        if not is_live(source) and late > 0:
            time.sleep(late)
        watch.picture = jpeg
        try:
            wanted_s = time_s + watches.take(watch, jpeg, time_s)
        except Refused as fault:
            if watch.ended:
                return
            log.warning("a frame was not taken: %s", fault)
            watch.says = str(fault)
            wanted_s = time_s + 1.0
