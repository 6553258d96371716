"""Turn the frames of a source into settled rolls: compare all frames, read only some of them.

Reading a frame takes ten times as long as comparing two. So frames are read while something may be
about to settle, thoroughly if it is doubtful, and occasionally if nothing happens.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from vision.boards.kept_print import KeptPrint
from vision.faces.adapter import Adapter
from vision.photo import Photo, Pixels
from vision.pipeline import read
from vision.reading import Look, Reading
from vision.watch.evidence import Evidence, FrameReading, frame_reading
from vision.watch.frames import Frame
from vision.watch.motion import GreyLevels, MotionDetector
from vision.watch.settling import finish, step
from vision.watch.state import RestState, SettledRoll, WatchState

# Time between two looks: while something may settle, while something moves, and during a STORM.
OFTEN_S, MOVING_S, SELDOM_S = 0.075, 0.15, 0.5
THOROUGH_S = 0.12  # the same while pieces at rest are doubtful
IDLE_S = 1.0  # the same while nothing has moved since the last roll
ENOUGH = 4  # thorough looks, after which a doubt remains
SOUGHT_S = 1.0  # time between two searches for a missing board, which take as long as a reading
STORM = 0.12  # share of the frame that changes, from which a look is useless


class Watcher:
    """Watches one table; `step` takes its frames in order.

    `look` and `adapter` may be changed between two frames.
    """

    def __init__(self, look: Look | None = None, adapter: Adapter | None = None) -> None:
        self.look, self.adapter = look or Look("dice"), adapter
        self.motion = MotionDetector()
        self.watch = WatchState()
        self.bare: GreyLevels | None = None  # the surface below the pieces
        self.took = False  # the pieces that are gone were removed, not only hidden
        self.reading: Reading | None = None
        self.sized: Reading | None = None  # the last reading with the size of the pieces
        self.print = KeptPrint()
        self.looked_s = self.sought_s = float("-inf")

    def step(self, frame: Frame, unseen_s: float | None = None) -> SettledRoll | None:
        """Take the next frame; return a roll if it settles one.

        Args:
            frame: later than the one before.
            unseen_s: time without a look at the table before it; None: since the last frame.
        """
        evidence = self.motion.update(frame.bgr, frame.number, frame.time_s, self.watch.quads)
        if not evidence.repeat and self._is_worth_a_look(evidence, frame.bgr):
            reading = self._look(frame.bgr, frame.time_s)
            places = self.watch.places
            bare = tuple(place for place in places if self.motion.shows(self.bare, place))
            evidence = replace(evidence, reading=reading, bare=bare)
            self.looked_s = frame.time_s
        before = self.watch.changed
        self.watch, roll = step(self.watch, replace(evidence, unseen_s=unseen_s))
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
        if evidence.moving and self.watch.waiting != RestState.DOUBT:
            return passed >= MOVING_S
        again = self.watch.waiting == RestState.DOUBT and self.watch.thorough_s
        return passed >= (THOROUGH_S if again else OFTEN_S)

    def _look(self, bgr: Pixels, now_s: float) -> FrameReading:
        again = self.watch.waiting == RestState.DOUBT and len(self.watch.thorough_s) < ENOUGH
        thorough = again or self.reading is None  # the first look matters most
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


def watch(
    frames: Iterable[Frame], look: Look | None = None, watcher: Watcher | None = None
) -> Iterator[SettledRoll]:
    """Yield each roll on the frames of a source once it has settled.

    Args:
        frames: in order.
        look: what to look for.
        watcher: instead of a new one.
    """
    watcher = watcher or Watcher(look)
    for frame in frames:
        roll = watcher.step(frame)
        if roll is not None:
            yield roll
    last = finish(watcher.watch)
    if last is not None:
        yield last
