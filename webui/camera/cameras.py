"""The cameras of matches: at most one per match, each with a process that reads its frames.

A camera is a browser's page, which sends its frames, or the server's own
(`webui.camera.server_camera`).
"""

import math
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal

from scorer import Doubt, Equipment
from scorer.messages import _
from webui.camera.rolls import WatchedRolls
from webui.camera.says import AT_FIRST, OVER, says
from webui.errors import Asked, Busy, NotFound, NotYours
from webui.eyes.eyes import watched_table
from webui.eyes.photo import PhotoReading
from webui.eyes.watch import LOST_S, FrameReader, Watched
from webui.match import match as matches
from webui.match.match import Match
from webui.match.taught import taught
from webui.store.tables.asked import AskedRow

Source = Literal["page", "server"]

MOST = 4  # cameras at once; each has a process of its own, of some 300 MB
GONE_S = 10.0  # without a frame, after which another camera may take over without asking
IDLE_S = 120.0  # without a frame, after which its process ends; a page that comes back restarts it
# Seconds between two frames by how long nothing has moved. The watcher was measured at the fastest
# pace; the slowest still sees a hand before its dice are at rest.
PACES = ((3.0, 1 / 15), (30.0, 1 / 5), (300.0, 1 / 2), (math.inf, 1.0))
FASTEST = PACES[0][1]
REST_S = 2.0  # the same while a page compares its pictures itself and finds no change
FULL = _("Too many tables are being watched already. Take photos instead.")
TAKEN = _("Another camera watches this match. Let this one take over, or leave it to the other.")
IS_ANOTHER = _("The camera has just counted a roll. Is this another one? Answer that on its page.")
OVERTAKEN = _("Another camera watches this match now.")
ENDED = _("The camera does not watch this match any more. Start it again.")


@dataclass(slots=True)
class MatchCamera:
    """The camera of a match."""

    id: str
    match_id: str
    source: Source
    table: FrameReader
    lock: threading.Lock = field(default_factory=threading.Lock)  # one frame at a time
    heard: float = field(default_factory=time.monotonic)  # time of its last frame
    last_s: float | None = None  # when it was taken, by the camera's clock
    seen_s: float | None = None  # when the table was last visible, by the same clock
    unseen_s: float = 0.0  # the longest gap since that frame
    calm: int | None = None  # the newest event when the table was last still
    match: Match | None = None  # the match after the last frame
    asked: AskedRow = field(default_factory=AskedRow)  # the open questions after that frame
    shown: Watched | None = None
    owed: tuple[PhotoReading, Equipment, tuple[Doubt, ...]] | None = None  # a roll to store
    # The table, whether missing pieces were seen being taken, and the step when it was unexplained.
    unexplained: tuple[PhotoReading, bool, int] | None = None
    picture: bytes = b""  # last frame of the server's camera
    fault: str = ""  # why the camera sends no frames
    ended: bool = False
    says: str = AT_FIRST

    def saw(self, time_s: float) -> None:
        """Record that the table was visible and unchanged: only a long gap can hide a roll."""
        unseen_s = self.unseen_at(time_s)
        self.unseen_s, self.seen_s = unseen_s if unseen_s >= LOST_S else 0.0, time_s

    def unseen_at(self, time_s: float) -> float:
        """Return the longest gap in which the table was not visible, since the last frame."""
        return max(self.unseen_s, 0.0 if self.seen_s is None else time_s - self.seen_s)


@dataclass(slots=True)
class Cameras:
    """The cameras that watch matches."""

    rolls: WatchedRolls
    open: Callable[[], FrameReader] = watched_table
    most: int = MOST
    clock: Callable[[], float] = time.monotonic
    _by_match: dict[str, MatchCamera] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _sweeper: threading.Timer | None = None

    def start(self, match_id: str, source: Source = "page", *, take: bool = False) -> MatchCamera:
        """Start a camera for a match; *take* replaces another one.

        Raises:
            NotYours: another camera watches it.
            Busy: the maximum of cameras is running.
            Closed, NotFound: the match takes no moves, or does not exist.
        """
        matches.load(self.rolls.store, match_id).rules()
        with self._lock:
            there = self._by_match.get(match_id)
            if there and not take and not self._is_silent(there):
                raise NotYours(TAKEN)
            if there:
                self._end(there)
            if len(self._by_match) >= self.most:
                self._make_room()
            camera = MatchCamera(
                secrets.token_hex(12), match_id, source, self.open(), heard=self.clock()
            )
            self._by_match[match_id] = camera
            self._sweep_soon()
        try:
            self.rolls.store.asked.watch(match_id, camera.id)
        except BaseException:
            self.end(camera)
            raise
        return camera

    def _make_room(self) -> None:
        """Stop the camera that has been silent for longest; raises Busy if all are sending."""
        silent = [camera for camera in self._by_match.values() if self._is_silent(camera)]
        if not silent:
            raise Busy(FULL, round(GONE_S))
        self._end(min(silent, key=lambda camera: camera.heard))

    def _is_silent(self, camera: MatchCamera) -> bool:
        return bool(camera.fault) or self._unheard_s(camera) >= GONE_S

    def _unheard_s(self, camera: MatchCamera) -> float:
        """Return how long a camera has been silent; 0 while a frame is processed."""
        return 0.0 if camera.lock.locked() else self.clock() - camera.heard

    def find(self, match_id: str, camera_id: str) -> MatchCamera:
        """Return the camera with this id; raises NotYours if another took over, or NotFound."""
        camera = self.of(match_id)
        if camera is None:
            raise NotFound(ENDED)
        if camera.id != camera_id:
            raise NotYours(OVERTAKEN)
        return camera

    def of(self, match_id: str) -> MatchCamera | None:
        """Return the camera that watches the match."""
        with self._lock:
            return self._by_match.get(match_id)

    def take(self, camera: MatchCamera, frame: bytes, time_s: float, since_s: float = 0.0) -> float:
        """Process a frame and count rolls; return the seconds until the next frame is wanted.

        Frames out of order are dropped. Until *since_s* the camera itself detected no change.

        Raises:
            Busy: the previous frame is still being processed.
            NotRead: it is not a picture.
            NotFound: the camera was stopped.
        """
        with self._frame_of(camera):
            if camera.seen_s is not None:
                camera.seen_s = max(camera.seen_s, min(since_s, time_s))
            return self._take(camera, frame, time_s)

    def rest(self, camera: MatchCamera, time_s: float) -> float:
        """Record that a page which compares its own pictures has detected no change.

        Return the seconds until its next report, 0 if a frame is wanted.

        Raises:
            Busy: that frame is still being processed.
            NotFound: the camera was stopped.
        """
        with self._frame_of(camera):
            shown, match = camera.shown, self._caught_up(camera)
            if match.rules().is_over(match.state):
                return self._over(camera)
            if shown is None or shown.waiting or time_s <= (camera.last_s or 0.0):
                return 0.0
            camera.last_s = time_s
            camera.saw(time_s)
            camera.calm = match.seq
            camera.says = says(shown, camera.asked, match)
            return REST_S

    @contextmanager
    def _frame_of(self, camera: MatchCamera) -> Iterator[None]:
        """Lock a running camera for one frame; raises Busy, NotFound."""
        if not camera.lock.acquire(blocking=False):
            raise Busy(_("The frame before this one is still being read. Send fewer."), 1)
        began, is_first = self.clock(), camera.last_s is None
        try:
            if camera.ended:
                raise NotFound(ENDED)
            yield
        finally:
            camera.heard = self.clock()
            if is_first and camera.last_s is not None:  # the process has just started, nobody plays
                camera.seen_s = camera.last_s + camera.heard - began
            camera.lock.release()

    def check_entered(self, match_id: str, after: int, moves: Sequence[object]) -> None:
        """Raise Asked if the camera seems to have just counted the moves that a person enters."""
        camera = self.of(match_id)
        if (
            camera is None
            or self._is_silent(camera)
            or camera.shown is None
            or camera.shown.waiting
        ):
            return  # moving dice are another roll, or not counted yet
        if self.rolls.ask_entered(match_id, after, moves):
            raise Asked(IS_ANOTHER)

    def lose(self, camera: MatchCamera, why: str) -> None:
        """Record that a camera has failed; it is kept while it reconnects."""
        match = matches.load(self.rolls.store, camera.match_id)
        if match.rules().is_over(match.state):
            self.end(camera)
        camera.heard, camera.fault, camera.shown = self.clock(), why, None

    def end(self, camera: MatchCamera) -> None:
        """Stop a camera."""
        with self._lock:
            self._end(camera)

    def close(self) -> None:
        """Stop all."""
        with self._lock:
            for camera in list(self._by_match.values()):
                self._end(camera)
            if self._sweeper is not None:
                self._sweeper.cancel()

    # ------------------------------------------------------------ one frame

    def _take(self, camera: MatchCamera, frame: bytes, time_s: float) -> float:
        match = self._caught_up(camera)
        if match.rules().is_over(match.state):
            return self._over(camera)
        if camera.last_s is not None and time_s <= camera.last_s:
            return FASTEST
        wanted, given = matches.equipment(match), taught(self.rolls.store, camera.match_id)
        unseen_s = camera.unseen_at(time_s)
        shown = camera.table.look(frame, time_s, wanted, given, unseen_s)
        camera.last_s = camera.seen_s = time_s
        camera.unseen_s = 0.0
        camera.shown = replace(shown, sight=None)
        if shown.waiting or shown.kind:
            camera.unexplained = None
        refusal = self._process(camera, shown, wanted)
        if shown.kind:
            camera.match = match = matches.load(self.rolls.store, camera.match_id)
            self._reread(camera)
        if not shown.waiting:
            camera.calm = match.seq
        camera.says = refusal or says(shown, camera.asked, match)
        return next(pace for idle_s, pace in PACES if shown.waiting or shown.idle_s < idle_s)

    def _over(self, camera: MatchCamera) -> float:
        """Stop the camera of a match that is over."""
        camera.says = OVER
        self.end(camera)
        return 0.0

    def _caught_up(self, camera: MatchCamera) -> Match:
        """Store and count pending rolls, then return the match."""
        self._store_owed(camera)
        if self._reread(camera).camera != camera.id:  # replaced by a newer one on another server
            self.end(camera)
            raise NotYours(OVERTAKEN)
        match = camera.match = matches.load(self.rolls.store, camera.match_id)
        camera.calm = match.seq if camera.calm is None else camera.calm
        for is_tried in (self.rolls.go_on, partial(self._explain, camera)):
            if is_tried(match):
                match = camera.match = matches.load(self.rolls.store, camera.match_id)
                self._reread(camera)
        return match

    def _reread(self, camera: MatchCamera) -> AskedRow:
        camera.asked = self.rolls.store.asked.of(camera.match_id)
        return camera.asked

    def _process(self, camera: MatchCamera, shown: Watched, wanted: Equipment) -> str | None:
        """Process the result of a frame; return why a roll is refused, or None."""
        match shown:
            case Watched(kind="thrown", sight=PhotoReading() as sight):
                camera.owed = sight, wanted, shown.more
                return self._store_owed(camera)
            case Watched(kind="lay", sight=PhotoReading() as sight):
                self.rolls.ask_about_initial_dice(camera.match_id, sight, wanted)
            case Watched(kind="again", sight=PhotoReading() as sight):
                self.rolls.recheck(camera.match_id, sight, wanted)
            case Watched(kind="changed" | "taken", sight=PhotoReading() as sight):
                self.rolls.recheck(camera.match_id, sight, wanted)
                camera.unexplained = (sight, shown.kind == "taken", -1)
                self._explain(camera, matches.load(self.rolls.store, camera.match_id))
        return None

    def _explain(self, camera: MatchCamera, match: Match) -> bool:
        """Count the table once the moves that had to be entered before it are in the log.

        Return True if it was tried.
        """
        if camera.unexplained is None:
            return False
        sight, taken, tried = camera.unexplained
        if match.seq == tried:
            return False
        explained = self.rolls.count_change(camera.match_id, sight, taken=taken)
        camera.unexplained = None if explained else (sight, taken, match.seq)
        return True

    def _store_owed(self, camera: MatchCamera) -> str | None:
        """Store a roll, also one that failed on a full disk; return why it is refused."""
        if camera.owed is None:
            return None
        sight, wanted, more = camera.owed
        refusal = self.rolls.count_roll(camera.match_id, sight, wanted, *more, calm=camera.calm)
        camera.owed = None
        return refusal

    # ------------------------------------------------------------ the end

    def _end(self, camera: MatchCamera) -> None:
        camera.ended = True
        if self._by_match.get(camera.match_id) is camera:
            del self._by_match[camera.match_id]
        camera.table.close()

    def _sweep_soon(self) -> None:
        if self._sweeper is None:
            self._sweeper = threading.Timer(IDLE_S / 4, self.sweep)
            self._sweeper.daemon = True
            self._sweeper.start()

    def sweep(self) -> None:
        """Stop the cameras that have been silent for long, to end their processes."""
        with self._lock:
            self._sweeper = None
            for camera in list(self._by_match.values()):
                if self._unheard_s(camera) > IDLE_S:
                    self._end(camera)
            if self._by_match:
                self._sweep_soon()
