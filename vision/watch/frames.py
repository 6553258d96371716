"""Read frames, with their times, from a camera by its number, a URL, or a video file.

A file is read frame by frame, as fast as the caller asks for them. A camera does not wait: frames
that are not asked for in time are dropped, so that the newest frame is never old.
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

LARGEST = 3840  # px, longer side of a frame; small dice need the full resolution
# Least time between two frames. At 60 frames a second every other one is skipped, because motion is
# not detected better with them.
SOONEST_S = 0.025


def frames(source: str, longest: int = LARGEST) -> Iterator[Frame]:
    """Yield the frames of a camera's number, a URL or a video file.

    Args:
        source: the camera's number, the URL or the path.
        longest: px of the longer side of a frame; larger frames are shrunk.

    Raises:
        NoFrames: it cannot be opened, stops sending, or none of its pictures can be decoded.
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
    """Return the length of a video file in seconds; None for a camera, or if it is not stated.

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
    """Yield the frames of a file; without timestamps they are evenly spaced."""
    fps = capture.get(cv2.CAP_PROP_FPS)
    even = 1 / fps if 1 <= fps <= 1000 else 1 / 30
    number, last_s, shown_s = 0, -even, float("-inf")
    any_decoded = False
    while grabbed(capture):
        stated_s = capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
        last_s = stated_s if stated_s > last_s else last_s + even
        if last_s - shown_s >= SOONEST_S and (bgr := picture(capture)) is not None:
            yield Frame(bgr, number, last_s)
            any_decoded, shown_s = True, last_s
        number += 1
    if not any_decoded:
        raise NoFrames(
            f"No picture of {source} can be decoded. Record or send the video again, as H.264."
        )
