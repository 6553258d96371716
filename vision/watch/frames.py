"""Where frames come from: a camera by its number, a URL, or a video file. Frames carry their time.

A file is read frame by frame, as fast as it is looked at. A camera does not wait: what is not
looked at in time is dropped, so that the newest frame is never old.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2

from vision.watch.capture import (
    Frame,
    NoFrames,
    check_file,
    fitting,
    grabbed,
    is_live,
    opened,
    picture,
)
from vision.watch.live import live_frames

LARGEST = 3840  # px, longer side of a frame that is looked at; small dice need all of them
# Between two frames that are looked at. Of 60 a second every other one is left out: a shorter time
# shows no more of what moves.
SOONEST_S = 0.025


def frames(source: str, longest: int = LARGEST) -> Iterator[Frame]:
    """Yield the frames of a camera's number, a URL or a video file.

    Args:
        source: which.
        longest: px of the longer side of a frame; a larger one is shrunk.

    Raises:
        NoFrames: it cannot be opened, sends no more, or no picture of it can be decoded.
    """
    if is_live(source):
        yield from (one for one in live_frames(source, longest) if isinstance(one, Frame))
        return
    check_file(Path(source))
    capture = opened(source)
    try:
        for frame in _all(capture, source):
            yield replace(frame, bgr=fitting(frame.bgr, longest))
    finally:
        capture.release()


def length_s(source: str) -> float | None:
    """Return how long a video file says it is, in seconds; None for a camera or where it does not.

    Raises:
        NoFrames: it cannot be opened.
    """
    if is_live(source):
        return None
    check_file(Path(source))
    capture = opened(source)
    fps, count = capture.get(cv2.CAP_PROP_FPS), capture.get(cv2.CAP_PROP_FRAME_COUNT)
    capture.release()
    return count / fps if fps >= 1 and count > 0 else None


def _all(capture: cv2.VideoCapture, source: str) -> Iterator[Frame]:
    """Yield the frames of a file; where it tells no time, they are evenly spaced."""
    fps = capture.get(cv2.CAP_PROP_FPS)
    even = 1 / fps if 1 <= fps <= 1000 else 1 / 30
    number, last_s, shown_s = 0, -even, float("-inf")
    seen = False
    while grabbed(capture):
        told_s = capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
        last_s = told_s if told_s > last_s else last_s + even
        if last_s - shown_s >= SOONEST_S and (bgr := picture(capture)) is not None:
            yield Frame(bgr, number, last_s)
            seen, shown_s = True, last_s
        number += 1
    if not seen:
        raise NoFrames(
            f"No picture of {source} can be decoded. Record or send the video again, as H.264."
        )
