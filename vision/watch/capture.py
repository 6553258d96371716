"""Open a source of frames, and take frames from it."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.decode import SUFFIXES, Pixels

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
