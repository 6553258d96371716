"""Read a camera or stream in a process of its own, which alone opens and releases it.

Drivers and FFmpeg may hang, or crash on a broken stream. Then only that process is ended, and the
caller gets a sentence or `NoFrames`.
"""

from __future__ import annotations

import multiprocessing
import signal
import sys
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from types import ModuleType

from vision.decode import Pixels
from vision.watch.capture import Frame, NoFrames, fitting, grabbed, named, opened, picture

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
