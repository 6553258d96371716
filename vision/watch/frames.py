"""Read frames, with their times, from a camera by its number, a URL, or a video file.

A file is read frame by frame, as fast as the caller asks for them. A camera does not wait: frames
that are not asked for in time are dropped, so that the newest frame is never old.
"""

import multiprocessing
import os
import re
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from types import ModuleType

import cv2
import numpy as np

from vision.photo import SUFFIXES, Pixels

NETWORK = ("http://", "https://", "rtsp://", "rtmp://", "udp://", "tcp://", "rtp://")


class NoFrames(Exception):
    """A source without pictures; `str()` is a sentence that says what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A picture, (h, w, 3) BGR, with its number in the source, from 0, and its time."""

    bgr: Pixels
    number: int
    time_s: float


def is_live(source: str) -> bool:
    """Return True if a source is a camera or a stream, which does not wait for the reader."""
    return source.isdigit() or source.lower().startswith(NETWORK)


def named(source: str) -> str:
    """Return the name of a source for messages: an address without credentials."""
    if source.isdigit():
        return f"Camera {source}"
    return re.sub(r"//[^/@]*@", "//", source.partition("?")[0]) if is_live(source) else source


def check_file(path: Path) -> None:
    """Raise NoFrames if a path is not a readable file."""
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
    if path.suffix.lower() in SUFFIXES:
        raise NoFrames(f"{path} is a photo. Read it with: pipsight read {path}")


def opened(source: str) -> cv2.VideoCapture:
    """Open a source; raises NoFrames."""
    # We report errors ourselves; OpenCV and FFmpeg would also write to standard error.
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
            f"{named(source)} sends no video. Check the address, and that the camera is on and in"
            " the same network."
        )
    raise NoFrames(
        f"The file {source} is no video that can be played. Record it as MP4, MOV, MKV or WebM."
    )


def grabbed(capture: cv2.VideoCapture) -> bool:
    """Advance to the next frame; False if there is none."""
    try:
        return bool(capture.grab())
    except cv2.error:  # a damaged stream
        return False


def picture(capture: cv2.VideoCapture) -> Pixels | None:
    """Return the grabbed frame; None if it cannot be decoded."""
    try:
        there, bgr = capture.retrieve()
    except cv2.error:
        return None
    return np.asarray(bgr, np.uint8) if there and bgr is not None and bgr.ndim == 3 else None


def fitting(bgr: Pixels, most: int) -> Pixels:
    """Shrink a picture so that no side has more than *most* px."""
    longest = max(bgr.shape[:2])
    if longest <= most:
        return bgr
    size = max(1, bgr.shape[1] * most // longest), max(1, bgr.shape[0] * most // longest)
    return np.asarray(cv2.resize(bgr, size, interpolation=cv2.INTER_AREA), np.uint8)


SILENT_S = 3.0  # time without a frame after which people are informed
START_S = 60.0  # time allowed for the process to start on a busy machine
HUNG_S = 12.0  # time without a frame after which the process is ended; some cameras start slowly
NO_MORE = "{source} sends no more pictures. Check its cable or network."
NONE_YET = "{source} sends no picture. Check that the camera is on, and try again."

CONTEXT = multiprocessing.get_context("spawn")  # a fork would copy the threads' locks as they are


def live_frames(source: str, longest: int) -> Iterator[Frame | str]:
    """Yield the newest frame of a camera or stream each time the caller asks for one.

    After SILENT_S without a frame, a sentence for the person is yielded instead. Raises NoFrames if
    no more frames can come.
    """
    owner = _Owner(source, longest)
    silence, silent_s = NONE_YET, 0.0
    try:
        while silent_s < HUNG_S:
            frame = owner.newest()
            if frame is None:
                silent_s += SILENT_S
                yield silence.format(source=named(source))
            else:
                silence, silent_s = NO_MORE, 0.0
                yield frame
    except EOFError:
        pass
    finally:
        owner.end()
    raise NoFrames(silence.format(source=named(source)))


class _Owner:
    """The process of one camera and the pipe to it."""

    def __init__(self, source: str, longest: int) -> None:
        self.pipe, theirs = CONTEXT.Pipe()
        self.process = CONTEXT.Process(target=_own, args=(theirs, source, longest), daemon=True)
        _start(self.process)
        theirs.close()  # so that this end notices when the process has ended
        self.began_s, self.ready, self.asked = time.monotonic(), False, False

    def newest(self) -> Frame | None:
        """Wait for the next frame; None after SILENT_S. Raises NoFrames or EOFError."""
        try:
            if not self.ready:
                self.ready = self.pipe.poll(START_S) and self.pipe.recv()
            if not self.asked:
                self.pipe.send(None)
            self.asked = not self.pipe.poll(SILENT_S)
            if self.asked:
                return None
            sent: tuple[Pixels, int] | str = self.pipe.recv()
        except OSError:
            raise EOFError from None
        if isinstance(sent, str):
            raise NoFrames(sent)
        return Frame(*sent, time.monotonic() - self.began_s)

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


def _start(process: SpawnProcess) -> None:
    """Start a process that does not first run the caller's script again, as spawned ones do."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        process.start()
    finally:
        sys.modules["__main__"] = main


def _own(pipe: Connection, source: str, longest: int) -> None:
    """Send the newest frame on each request, until the camera or the other end is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C reaches the whole terminal
    pipe.send(True)
    try:
        capture = opened(source)
    except NoFrames as fault:
        pipe.send(str(fault))
        return
    number, unsent = 0, None
    try:
        while grabbed(capture) and (bgr := picture(capture)) is not None:
            unsent = fitting(bgr, longest), number
            number += 1
            if pipe.poll():
                pipe.recv()
                pipe.send(unsent)
                unsent = None
        if unsent is not None:  # send the last picture even if the stream has ended
            pipe.recv()
            pipe.send(unsent)
    except (EOFError, OSError):
        pass
    finally:
        capture.release()


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
