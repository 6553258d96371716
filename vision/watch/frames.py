"""Where frames come from: a camera by its number, a URL, or a video file. Frames carry their time.

A file is read frame by frame, as fast as it is looked at. A camera does not wait: what is not
looked at in time is dropped, so that the newest frame is never old.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from vision.decode import Pixels

LARGEST = 3840  # px, longer side of a frame that is looked at; small dice need all of them
# Between two frames that are looked at. Of 60 a second every other one is left out: a shorter time
# shows no more of what moves.
SOONEST_S = 0.025
SILENT_S = 10.0  # without a frame, and a camera counts as gone
NETWORK = ("http://", "https://", "rtsp://", "rtmp://", "udp://", "tcp://", "rtp://")


class NoFrames(Exception):
    """A source that gives no pictures; `str()` is a sentence that says what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture: (h, w, 3) BGR, its number in the source from 0, and when it was taken."""

    bgr: Pixels
    number: int
    time_s: float


def is_live(source: str) -> bool:
    """Say whether a source is a camera or a stream, which does not wait."""
    return source.isdigit() or source.lower().startswith(NETWORK)


def frames(source: str, longest: int = LARGEST) -> Iterator[Frame]:
    """Yield the frames of a camera's number, a URL or a video file.

    Args:
        source: which.
        longest: px of the longer side of a frame; a larger one is shrunk.

    Raises:
        NoFrames: it cannot be opened, or no picture of it can be decoded.
    """
    if not is_live(source):
        _check_file(Path(source))
    capture = _opened(source)
    try:
        told = _newest(capture, source) if is_live(source) else _all(capture, source)
        yield from (replace(frame, bgr=_fitting(frame.bgr, longest)) for frame in told)
    finally:
        capture.release()


def length_s(source: str) -> float | None:
    """Return how long a video file says it is, in seconds; None for a camera or where it does not.

    Raises:
        NoFrames: it cannot be opened.
    """
    if is_live(source):
        return None
    _check_file(Path(source))
    capture = _opened(source)
    fps, count = capture.get(cv2.CAP_PROP_FPS), capture.get(cv2.CAP_PROP_FRAME_COUNT)
    capture.release()
    return count / fps if fps >= 1 and count > 0 else None


def _check_file(path: Path) -> None:
    if path.is_dir():
        raise NoFrames(f"{path} is a folder. Name one video file in it.")
    if not path.exists():
        raise NoFrames(
            f"There is no file {path}. Name a video file, a camera by its number (0 is the first)"
            " or the address of a network camera."
        )
    try:
        with path.open("rb") as file:
            first = file.read(1)
    except OSError as fault:
        raise NoFrames(f"The file {path} cannot be opened: {fault.strerror}.") from fault
    if not first:
        raise NoFrames(f"The file {path} is empty. Record or send it again.")


def _opened(source: str) -> cv2.VideoCapture:
    # What cannot be opened is told by us: OpenCV and FFmpeg would write to standard error too.
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    capture = cv2.VideoCapture()
    with suppress(cv2.error):
        if source.isdigit():
            capture.open(int(source))
        else:
            capture.open(source, cv2.CAP_FFMPEG)
    if capture.isOpened():
        return capture
    if source.isdigit():
        raise NoFrames(
            f"There is no camera {source}, or another program holds it. Plug it in, close the other"
            " program, or try another number; 0 is the first camera."
        )
    if is_live(source):
        raise NoFrames(
            f"{source} sends no video. Check the address, and that the camera is on and in the"
            " same network."
        )
    raise NoFrames(
        f"The file {source} is no video that can be played. Record it as MP4, MOV, MKV or WebM."
    )


def _all(capture: cv2.VideoCapture, source: str) -> Iterator[Frame]:
    """Yield the frames of a file; where it tells no time, they are evenly spaced."""
    fps = capture.get(cv2.CAP_PROP_FPS)
    even = 1 / fps if 1 <= fps <= 1000 else 1 / 30
    number, last_s, shown_s = 0, -even, float("-inf")
    seen = False
    while _grabbed(capture):
        told_s = capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
        last_s = told_s if told_s > last_s else last_s + even
        if last_s - shown_s >= SOONEST_S and (bgr := _picture(capture)) is not None:
            yield Frame(bgr, number, last_s)
            seen, shown_s = True, last_s
        number += 1
    if not seen:
        raise NoFrames(
            f"No picture of {source} can be decoded. Record or send the video again, as H.264."
        )


def _newest(capture: cv2.VideoCapture, source: str) -> Iterator[Frame]:
    """Yield the newest frame of a camera each time one is wanted, until it sends no more."""
    grabber = _Grabber(capture)
    grabber.start()
    last = -1
    try:
        while True:
            frame = grabber.newer_than(last)
            if frame is None:
                break
            last = frame.number
            yield frame
    finally:
        grabber.stop()
    if last < 0:
        raise NoFrames(f"{source} sends no picture. Check that the camera is on, and try again.")
    raise NoFrames(f"{source} sends no more pictures. Check its cable or network, and start again.")


class _Grabber:
    """Takes frames from a camera in a thread and keeps the newest."""

    def __init__(
        self, capture: cv2.VideoCapture, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.capture, self.clock = capture, clock
        self.newest: Frame | None = None
        self.over = False
        self.changed = threading.Condition()
        self.thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        self.thread.start()

    def stop(self) -> None:
        self.over = True
        self.thread.join(SILENT_S)

    def newer_than(self, number: int) -> Frame | None:
        """Wait for a frame with a higher number; None if the camera sends no more."""
        with self.changed:
            self.changed.wait_for(
                lambda: self.over or (self.newest is not None and self.newest.number > number),
                SILENT_S,
            )
            newest = self.newest
        return newest if newest is not None and newest.number > number else None

    def _run(self) -> None:
        began_s, number = self.clock(), 0
        while not self.over:
            bgr = _picture(self.capture) if _grabbed(self.capture) else None
            with self.changed:
                if bgr is not None:
                    self.newest = Frame(bgr, number, self.clock() - began_s)
                self.over = self.over or bgr is None
                self.changed.notify_all()
            number += 1


def _grabbed(capture: cv2.VideoCapture) -> bool:
    """Go on to the next frame; False where there is none."""
    try:
        return bool(capture.grab())
    except cv2.error:  # a damaged stream
        return False


def _picture(capture: cv2.VideoCapture) -> Pixels | None:
    """Return the frame that was grabbed, if it can be decoded."""
    try:
        there, bgr = capture.retrieve()
    except cv2.error:
        return None
    return np.asarray(bgr, np.uint8) if there and bgr is not None and bgr.ndim == 3 else None


def _fitting(bgr: Pixels, most: int) -> Pixels:
    longest = max(bgr.shape[:2])
    if longest <= most:
        return bgr
    size = max(1, bgr.shape[1] * most // longest), max(1, bgr.shape[0] * most // longest)
    return np.asarray(cv2.resize(bgr, size, interpolation=cv2.INTER_AREA), np.uint8)
