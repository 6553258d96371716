"""Frames of the server's own camera, as JPEG pictures like those that phones send."""

from __future__ import annotations

from collections.abc import Iterator

import vision
from vision.watch.capture import NoFrames, is_live
from vision.watch.frames import frames as frames_of
from vision.watch.live import live_frames

SENT = 1920  # px, longer side of a frame


class CameraGone(Exception):
    """A camera that gives no pictures, or no more; `str()` is a sentence that says what to do."""


def is_recording(source: str) -> bool:
    """Return True if a source is a video file, which ends, and is no camera or stream."""
    return not is_live(source)


def frames(source: str) -> Iterator[tuple[bytes, float] | str]:
    """Yield the frames of a camera's number, a URL or a video file as JPEG, with their time.

    A sentence in a frame's place says that a camera has sent none for some seconds. Raises
    CameraGone.
    """
    try:
        for frame in live_frames(source, SENT) if is_live(source) else frames_of(source, SENT):
            if isinstance(frame, str):
                yield frame
            else:
                photo = vision.Photo(frame.bgr, *frame.bgr.shape[1::-1])
                yield vision.as_jpeg(photo), frame.time_s
    except NoFrames as fault:
        raise CameraGone(str(fault)) from fault
