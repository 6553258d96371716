"""A progress line for `pipsight watch` on a file, erased before anything else is printed."""

from collections.abc import Iterable, Iterator
from typing import TextIO

from vision.watch.frames import Frame

EVERY_S = 5.0  # of the video


class WatchProgress:
    """Shows the time of the current frame, and the duration of the file if known."""

    def __init__(self, stream: TextIO, length_s: float | None) -> None:
        self.stream, self.length_s, self.shown = stream, length_s, ""

    def over(self, frames: Iterable[Frame]) -> Iterator[Frame]:
        """Yield the frames, and show the progress."""
        next_s = EVERY_S
        for frame in frames:
            if frame.time_s >= next_s:
                next_s = frame.time_s + EVERY_S
                self._show(frame.time_s)
            yield frame
        self.clear()

    def clear(self) -> None:
        """Erase the line."""
        if self.shown:
            self.stream.write(f"\r{' ' * len(self.shown)}\r")
            self.stream.flush()
            self.shown = ""

    def _show(self, now_s: float) -> None:
        if not self.stream.isatty():
            return
        of = "" if self.length_s is None else f" of {as_clock(self.length_s)}"
        self.clear()
        self.shown = f"watched {as_clock(now_s)}{of}"
        self.stream.write(self.shown)
        self.stream.flush()


def as_clock(time_s: float) -> str:
    """Return minutes and seconds, "12:05"."""
    return f"{int(time_s) // 60}:{int(time_s) % 60:02}"
