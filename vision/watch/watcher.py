"""Frames of a source to settled rolls: looks at every frame cheaply, and reads few of them.

The eyes cost ten times as much as comparing two frames, so they read while something may be about
to settle, thoroughly where it is doubtful, and now and then when nothing happens.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from vision.boards.kept_print import KeptPrint
from vision.decode import Photo, Pixels
from vision.faces.adapter import Adapter
from vision.pipeline import read
from vision.reading import Look, Reading
from vision.watch.capture import Frame
from vision.watch.evidence import Evidence, FrameReading, frame_reading
from vision.watch.motion import Greys, MotionDetector
from vision.watch.settling import finish, step
from vision.watch.state import SettledRoll, WatchState

# Between two looks: while something may settle, while something moves, and while all does.
OFTEN_S, MOVING_S, SELDOM_S = 0.075, 0.15, 0.5
THOROUGH_S = 0.12  # the same where what lies still is doubtful
IDLE_S = 1.0  # the same where nothing has moved since the last roll
ENOUGH = 4  # thorough looks; what they leave doubtful stays so
SOUGHT_S = 1.0  # a printed board that was not there is looked for so often; it costs as much as all
STORM = 0.12  # share of the frame that changes while a look would be wasted


class Watcher:
    """Watches one table; `step` takes its frames in order.

    What is looked for, and what was taught of the pieces, may change from frame to frame.
    """

    def __init__(self, look: Look | None = None, adapter: Adapter | None = None) -> None:
        self.look, self.adapter = look or Look("dice"), adapter
        self.motion = MotionDetector()
        self.watch = WatchState()
        self.bare: Greys | None = None  # the surface below what lies there
        self.took = False  # what is gone since it lay still was seen to be gone, and not hidden
        self.reading: Reading | None = None
        self.sized: Reading | None = None  # the last one that tells how large the pieces are
        self.print = KeptPrint()
        self.looked_s = self.sought_s = float("-inf")

    def step(self, frame: Frame) -> SettledRoll | None:
        """Take the next frame; return a roll if it settles one."""
        evidence = self.motion.update(frame.bgr, frame.number, frame.time_s, self.watch.quads)
        if not evidence.repeat and self._is_worth_a_look(evidence, frame.bgr):
            reading = self._look(frame.bgr, frame.time_s)
            places = self.watch.places
            bare = tuple(place for place in places if self.motion.shows(self.bare, place))
            evidence = replace(evidence, reading=reading, bare=bare)
            self.looked_s = frame.time_s
        before = self.watch.changed
        self.watch, roll = step(self.watch, evidence)
        if self.watch.changed and not before:
            gone = self.watch.gone
            self.took = all(self.motion.shows(self.bare, one.corners) for one in gone)
            self.bare = None if self.motion.surface is None else self.motion.surface.copy()
        return roll

    def _is_worth_a_look(self, evidence: Evidence, bgr: Pixels) -> bool:
        passed = evidence.time_s - self.looked_s
        changed = len(evidence.moving) * evidence.block**2 / (bgr.shape[0] * bgr.shape[1])
        if changed > STORM:
            return passed >= SELDOM_S
        if not self.watch.waiting and not self.watch.stirred and not evidence.moving:
            return passed >= IDLE_S
        if evidence.moving and self.watch.waiting != "doubt":
            return passed >= MOVING_S
        again = self.watch.waiting == "doubt" and self.watch.thorough_s
        return passed >= (THOROUGH_S if again else OFTEN_S)

    def _look(self, bgr: Pixels, now_s: float) -> FrameReading:
        again = self.watch.waiting == "doubt" and len(self.watch.thorough_s) < ENOUGH
        thorough = again or self.reading is None  # what lies there at first tells most
        photo, look = Photo(bgr, bgr.shape[1], bgr.shape[0]), self.look
        absent = self.reading is not None and self.reading.board is None
        if absent and not thorough and now_s - self.sought_s < SOUGHT_S:
            look = replace(look, layout=None)
        else:
            self.sought_s = now_s
        self.reading = read(
            photo,
            look,
            adapter=self.adapter,
            moving=not thorough,
            before=self.sized,
            kept=self.print,
        )
        if self.reading.face_side:
            self.sized = self.reading
        return frame_reading(self.reading, thorough=thorough)


def watch(frames: Iterable[Frame], look: Look | None = None) -> Iterator[SettledRoll]:
    """Yield each roll on the frames of a source once, when it has settled."""
    watcher = Watcher(look)
    for frame in frames:
        roll = watcher.step(frame)
        if roll is not None:
            yield roll
    last = finish(watcher.watch)
    if last is not None:
        yield last
