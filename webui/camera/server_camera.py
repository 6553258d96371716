"""The server's own camera: a thread that feeds its frames to the camera of a match.

A camera or stream delivers its newest frame on demand; failures are reported, and it reconnects. A
recording is played in real time while its match is watched.
"""

import logging
import threading
import time
from collections.abc import Iterator

from scorer.messages import _
from webui.camera.cameras import Cameras, MatchCamera
from webui.errors import Problem, RequestError, problem
from webui.eyes.frames import CameraGone, frames, is_recording

NONE_HERE = "The server has no camera. Start it with one: pipsight serve --camera 0"
PLAYED = _("The recording is over.")
GOES_ON = _("It is used again as soon as it sends pictures.")
AGAIN_S = 2.0  # before reconnecting to a camera

log = logging.getLogger(__name__)


def run_camera(cameras: Cameras, camera: MatchCamera, source: str) -> threading.Thread:
    """Start to watch with camera *source*, until it ends or the match is no longer watched."""
    thread = threading.Thread(target=_run, args=(cameras, camera, source), daemon=True)
    thread.start()
    return thread


def fault_of(source: str) -> str | None:
    """Return why a camera, stream or recording delivers no picture, or None."""
    try:
        first = next(frames(source))
    except CameraGone as fault:
        return str(fault)
    return first if isinstance(first, str) else None


def _run(cameras: Cameras, camera: MatchCamera, source: str) -> None:
    try:
        _show(cameras, camera, source)
    except CameraGone as fault:
        camera.fault = str(fault)
    except Exception as fault:  # noqa: BLE001  # shown on the page; nobody waits for this thread
        refusal: Problem = problem(fault)
        camera.fault = refusal.sentence
    else:
        camera.fault = "" if camera.ended else PLAYED


def _show(cameras: Cameras, camera: MatchCamera, source: str) -> None:
    """Feed the match every frame that it wants."""
    began, wanted_s = time.monotonic(), 0.0
    for shot in _shots(source):
        if camera.ended:
            return
        if isinstance(shot, str):
            cameras.lose(camera, f"{shot} {GOES_ON}")
            continue
        jpeg, time_s = shot
        camera.fault = ""
        if time_s < wanted_s:
            continue
        late = time_s - (time.monotonic() - began)
        if is_recording(source) and late > 0:
            time.sleep(late)
        camera.picture = jpeg
        try:
            wanted_s = time_s + cameras.take(camera, jpeg, time_s)
        except RequestError as fault:
            if camera.ended:
                return
            log.warning("a frame was not taken: %s", fault)
            camera.says = str(fault)
            wanted_s = time_s + 1.0


def _shots(source: str) -> Iterator[tuple[bytes, float] | str]:
    """Yield the frames, reconnecting to a camera or stream after failures."""
    began, since_s = time.monotonic(), 0.0
    while True:
        try:
            for shot in frames(source):
                yield shot if isinstance(shot, str) else (shot[0], since_s + shot[1])
        except CameraGone as fault:
            if is_recording(source):
                raise
            yield str(fault)
        if is_recording(source):
            return
        time.sleep(AGAIN_S)
        since_s = time.monotonic() - began
