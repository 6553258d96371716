"""Frames of the server's own camera, as JPEG like those of phones."""

from collections.abc import Iterator

import vision

SENT = 1920  # px, longer side of a frame


class CameraGone(Exception):
    """A camera delivers no pictures; `str()` is a sentence that says what to do."""


def is_recording(source: str) -> bool:
    """Return True if a source is a video file, not a camera or stream."""
    from vision.watch.frames import is_live

    return not is_live(source)


def frames(source: str) -> Iterator[tuple[bytes, float] | str]:
    """Yield the frames of a camera number, a URL or a video file as JPEG, with their time.

    A sentence instead of a frame reports that a camera has been silent for some seconds. Raises
    CameraGone.
    """
    from vision.watch.frames import NoFrames, is_live, live_frames
    from vision.watch.frames import frames as frames_of

    try:
        for frame in live_frames(source, SENT) if is_live(source) else frames_of(source, SENT):
            if isinstance(frame, str):
                yield frame
            else:
                photo = vision.Photo(frame.bgr, *frame.bgr.shape[1::-1])
                yield vision.as_jpeg(photo), frame.time_s
    except NoFrames as fault:
        raise CameraGone(str(fault)) from fault
