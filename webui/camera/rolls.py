"""Rolls of a camera: counted at once, or asked about on every phone.

A roll becomes a table, which the rules interpret exactly as that of a photo. The states of a roll;
pending rolls are in the database, in order, and any server takes the answer:

    seen ──▶ refused   the game expects something else, or MOST rolls are pending already
      ▼
    pending ──▶ counted    nothing is doubtful, and no earlier roll matters: it is one step
      │     ──▶ known      the log already has it
      │     ──▶ answered   a person entered it, or dismissed it (`drop`)
      │     ──▶ over       the match is over
      └──▶ pending    asked about; a later frame (`recheck`) or a step of the match tries it again
"""

import logging
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from scorer import Doubt, Equipment, Table, dump_move, named, once
from scorer.messages import _
from scorer.photo.follow import unless_moved, unless_taken
from scorer.photo.meaning import Meaning, ReadTable
from webui.camera.answered_doubts import AnsweredDoubt, answered
from webui.camera.kept_rolls import KeptRolls
from webui.camera.waiting_rolls import (
    AnsweredRoll,
    AskedRoll,
    WatchedRoll,
    depends,
    entered,
    meaning_of,
    meaning_of_entered,
    options,
    prompt,
    read_table_of,
)
from webui.errors import NotFound, RequestError, Stale
from webui.eyes.photo import PhotoReading
from webui.http.live import Live
from webui.match import match as matches
from webui.match.allowed import photographable
from webui.match.match import Match
from webui.match.photo import clears, last_shown, lies_yet
from webui.match.seats import check_movers
from webui.store.log import Store
from webui.store.rows import Event
from webui.store.tables.phones import EVERYBODY, Access

REQUEST = "watch-"  # prefix of the request id of a counted roll; its sighting follows
MOST = 8  # pending rolls of a match; further ones are refused, with a message
TRIES = 3  # if other phones move in between
LAY = _("this was already there when the camera started: was it rolled and not counted yet?")
BACK = _("this was taken back earlier: does it count now?")
TAPPED = _("a roll was entered while this one was thrown: is this another roll?")
COUNTED = _(
    "the camera has just counted a roll, and nothing has moved since: is this another roll?"
)
TOO_MANY = _("Several rolls are waiting for an answer. Answer the first, then throw again.")

log = logging.getLogger(__name__)


@dataclass(slots=True)
class WatchedRolls:
    """The pending rolls, in each match the oldest first."""

    store: Store
    live: Live
    kept: KeptRolls = field(init=False)
    _tried: dict[str, int] = field(default_factory=dict)  # last event interpreted
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def __post_init__(self) -> None:
        """Store them in the same database."""
        self.kept = KeptRolls(self.store, self.live)

    def count_roll(
        self,
        match_id: str,
        sight: PhotoReading,
        wanted: Equipment,
        *more: Doubt,
        calm: int | None = None,
    ) -> str | None:
        """Count a roll, or ask about it; *more* are additional doubts.

        *calm* is the newest event before the dice moved, None: the newest now.

        Returns:
            None, or a sentence that explains why it is refused.
        """
        return self._add(match_id, sight, wanted, more, thrown=True, calm=calm)

    def ask_about_initial_dice(self, match_id: str, sight: PhotoReading, wanted: Equipment) -> None:
        """Ask about the dice on the table at the start, if they may be an uncounted roll."""
        events = reversed(self.store.events(match_id))  # also undone ones
        last = next((one.sighting for one in events if one.sighting is not None), None)
        if last is None:
            return
        shown = self.store.sighting(match_id, last).reading
        with self._lock:
            before = (shown, *(roll.reading for roll in self.kept.open(match_id)))
        if any(lies_yet(one, sight.reading) for one in before):
            return
        match = matches.load(self.store, match_id)
        if photographable(match) and meaning_of(match, read_table_of(sight, wanted)).moves:
            self._add(match_id, sight, wanted, (Doubt(LAY),), thrown=False)

    def count_change(self, match_id: str, sight: PhotoReading, *, taken: bool) -> bool:
        """Count a change of a table whose pieces the rules know.

        A photo cannot distinguish removed pieces from hidden ones; a camera may have seen them
        *taken*.

        Returns:
            False if the rules cannot explain it yet: moves must be entered before.
        """
        match = matches.load(self.store, match_id)
        wanted = matches.equipment(match)
        if not wanted.spots or not photographable(match):
            return False
        with self._lock:
            if self.kept.open(match_id):
                return False
            step = meaning_of(match, read_table_of(sight, wanted))
            if step.moves and all(doubt.about != "stands" for doubt in step.doubts):
                self._add(match_id, sight, wanted, (), thrown=taken)
            return not step.differences

    def ask_entered(self, match_id: str, after: int, moves: Sequence[object]) -> bool:
        """Ask about a roll that a person enters although it was counted; return True if asked.

        Loose dice only: if the rules know the pieces on the table, the same move cannot be entered
        twice.
        """
        match = matches.load(self.store, match_id)
        last = match.last
        if last is None or not last.seq == match.seq == after or not _is_ours(last):
            return False
        read = entered(match, last, moves)
        if not read or last.sighting is None:
            return False
        with self._lock:
            if not any(one.entered for one in self.kept.open(match_id)):
                shown = self.store.sighting(match_id, last.sighting)
                picture = self.store.photo(match_id, shown.photo)
                again = self.store.keep(match_id, shown.reading, picture)
                about = again.id, again.photo, ReadTable(Table()), again.reading, match.seq
                roll = WatchedRoll(*about, thrown=False, more=(Doubt(COUNTED),), entered=read)
                self.kept.keep(match_id, (), [roll])
        return True

    def recheck(self, match_id: str, sight: PhotoReading, wanted: Equipment) -> None:
        """Check the newest roll against a better frame, if it is the only pending one.

        The frame resolves doubts about the picture, if the same dice are still there.
        """
        with self._lock:
            before = self.kept.rolls(match_id)
            waiting = self.kept.unanswered(match_id, before)
            if len(waiting) != 1 or not waiting[0].thrown:
                return
            match = matches.load(self.store, match_id)
            table = read_table_of(sight, wanted)
            better = replace(waiting[0], read_table=table, reading=sight.reading)
            step = self._meant(match, better)
            if not step.sure or not step.moves or not clears(sight.reading, waiting[0].reading):
                return
            stored = self.store.keep(match_id, sight.reading, sight.jpeg)
            better = replace(better, sighting=stored.id, photo=stored.photo)
            self._go_on(match_id, before, [better])

    def go_on(self, match: Match) -> bool:
        """Count pending rolls without doubts, if there were events since the last attempt.

        Return True if it was tried.
        """
        match_id = match.row.id
        if self._tried.get(match_id) == match.seq:
            return False
        if is_waiting := self.kept.any(match_id):
            with self._lock:
                self._go_on(match_id, before := self.kept.rolls(match_id), before)
        self._tried[match_id] = match.seq
        return is_waiting

    def asked(self, match: Match) -> AskedRoll | None:
        """Return the open question of a match, or None."""
        if match.closed or match.game is None:
            return None
        with self._lock:
            waiting = self.kept.open(match.row.id)
        if not waiting:
            return None
        first, step = waiting[0], self._meant(match, waiting[0])
        said = (*once(step.doubts), *once(step.differences))
        return AskedRoll(
            first.sighting,
            first.photo,
            tuple(named(one, match.names) for one in said),
            options(match, first, step),
            len(waiting) - 1,
        )

    def answer(
        self,
        match_id: str,
        sighting: str,
        after: int,
        moves: Sequence[object],
        access: Access = EVERYBODY,
    ) -> Match:
        """Store a person's answer about a roll; raises what `play` raises."""
        request = REQUEST + sighting
        before = matches.load(self.store, match_id)
        with self._lock:  # once the answer is stored, another thread may remove the roll
            waiting = self.kept.rolls(match_id)
            roll = next((one for one in waiting if one.sighting == sighting), None)
        made = matches.play(
            *(self.store, match_id, after, moves), sighting=sighting, request=request, access=access
        )
        self.live.announce(match_id, made.seq)
        with self._lock:
            if roll is not None:
                step = self._meant(before, roll)
                as_proposed = [dump_move(move) for move in step.moves] == list(moves)
                self._remember(before, roll, step.doubts if as_proposed and step.settled else ())
            self._go_on(match_id, waiting := self.kept.rolls(match_id), waiting)
        return made

    def drop(self, match_id: str, sighting: str, access: Access) -> None:
        """Dismiss a roll that was none; raises NotFound, and NotAllowed as its move would."""
        match = matches.load(self.store, match_id)
        if match.game:
            check_movers(access, match.state, {*match.game.to_move(match.state)}, match.names)
        with self._lock:
            waiting = self.kept.open(match_id)
            left = [one for one in waiting if one.sighting != sighting]
            if len(left) == len(waiting):
                raise NotFound(_("This roll has already been answered."))
            self.kept.keep(match_id, waiting, left)
            self._go_on(match_id, left, left)

    # ------------------------------------------------------------ one roll

    def _add(
        self,
        match_id: str,
        sight: PhotoReading,
        wanted: Equipment,
        more: Sequence[Doubt],
        *,
        thrown: bool,
        calm: int | None = None,
    ) -> str | None:
        match = matches.load(self.store, match_id)
        if not photographable(match):
            return _(
                "The game is waiting for something else before the next roll: {prompt}",
                prompt=prompt(match),
            )
        read_table = read_table_of(sight, wanted)
        with self._lock:
            before = self.kept.rolls(match_id)
            waiting = self.kept.unanswered(match_id, before)
            if len(waiting) >= MOST:
                return TOO_MANY
            stored = self.store.keep(match_id, sight.reading, sight.jpeg)
            about = stored.id, stored.photo, read_table, sight.reading, match.seq
            roll = WatchedRoll(*about, thrown, tuple(more))
            if calm is not None and self._was_entered(match, roll, calm):
                roll = replace(roll, more=(*roll.more, Doubt(TAPPED)))
            waiting = [*waiting, roll]
            if wanted.stays and self._is_answered_by_last(match, waiting):
                waiting = [roll]
            self._go_on(match_id, before, waiting)
        return None

    def _was_entered(self, match: Match, roll: WatchedRoll, calm: int) -> bool:
        """Return True if a person has entered this move while the dice moved."""
        like = {dump_move(move)["move"] for move in self._meant(match, roll).moves}
        return any(
            one.standing
            and one.event.seq > calm
            and not _is_ours(one.event)
            and any(move["move"] in like for move in one.event.moves or ())
            for one in match.steps
        )

    def _is_answered_by_last(self, match: Match, waiting: Sequence[WatchedRoll]) -> bool:
        """Return True if the newest roll answers all questions: pieces put down are still there.

        It must show a move for each question, or two turns could pass for one.
        """
        step = self._meant(match, waiting[-1])
        return step.sure and len(step.moves) == len(waiting) and all(one.thrown for one in waiting)

    def _go_on(
        self, match_id: str, before: Sequence[WatchedRoll], waiting: Sequence[WatchedRoll]
    ) -> None:
        """Count pending rolls without doubts; store the rest of those *before*."""
        while waiting := self.kept.unanswered(match_id, waiting):
            free = self._free(match_id, waiting)
            roll = next((one for one in free if self._settle(match_id, one)), None)
            if roll is None:
                break
            waiting = [one for one in waiting if one is not roll]
        try:
            self.kept.keep(match_id, before, waiting)
        except RequestError:
            if any(roll not in before for roll in waiting):
                raise
            log.warning("rolls that were counted could not be taken away", exc_info=True)

    def _free(self, match_id: str, waiting: Sequence[WatchedRoll]) -> Iterator[WatchedRoll]:
        """Yield the first roll, then those that do not depend on its answer."""
        yield waiting[0]
        if len(waiting) > 1:
            match = matches.load(self.store, match_id)
            for place, roll in enumerate(waiting[1:], 1):
                if not depends(match, roll, waiting[:place], self._meant):
                    yield roll

    def _settle(self, match_id: str, roll: WatchedRoll) -> bool:
        """Store the moves of a roll if nothing is doubtful; return False if it is still pending."""
        for _try in range(TRIES):
            match = matches.load(self.store, match_id)
            if match.closed or match.game is None or match.game.is_over(match.state):
                return True
            step = self._meant(match, roll)
            if not step.sure:
                return False
            if not step.moves:  # the log already has it
                return True
            moves = [dump_move(move) for move in step.moves]
            request = REQUEST + roll.sighting
            try:
                made = matches.play(
                    self.store, match_id, match.seq, moves, sighting=roll.sighting, request=request
                )
            except Stale:
                continue
            except RequestError:
                if self.kept.unanswered(match_id, [roll]):
                    raise
                return True
            self.live.announce(match_id, made.seq)
            self._remember(match, roll)
            return True
        return False

    def _meant(self, match: Match, roll: WatchedRoll) -> Meaning:
        """Return the current meaning of a roll.

        A roll seen being thrown is never the previous one again. An undone roll whose dice are
        still there is not stored again without asking.
        """
        if roll.entered:
            return meaning_of_entered(match, roll)
        doubts = (*roll.read_table.doubts, *roll.more)
        step = meaning_of(match, replace(roll.read_table, doubts=doubts))
        if roll.thrown:
            step = unless_taken(step)
        if roll.thrown and _is_ours(last_shown(match)):
            step = unless_moved(step, lies=False)
        if matches.equipment(match).stays:
            back = [
                move for one in match.steps if not one.standing for move in one.event.moves or ()
            ]
            if any(dump_move(move) in back for move in step.moves):
                step = replace(step, doubts=(*step.doubts, Doubt(BACK)))
        answers = self._lying_yet(match, roll)
        left = (d for d in step.doubts if not any(a.is_about(d, roll.reading) for a in answers))
        return replace(step, doubts=tuple(left))

    def _remember(self, before: Match, roll: WatchedRoll, agreed: tuple[Doubt, ...] = ()) -> None:
        """Remember the confirmed doubts about dice of a counted roll; *agreed* are the new ones."""
        doubts = (*self._lying_yet(before, roll), *answered(agreed, roll.reading))
        self.kept.remember(before.row.id, AnsweredRoll(roll.sighting, doubts) if doubts else None)

    def _lying_yet(self, match: Match, roll: WatchedRoll) -> tuple[AnsweredDoubt, ...]:
        """Return the answered doubts about dice that are where the last counted roll had them."""
        last = self.kept.answered.get(match.row.id)
        if last is None:
            return ()
        counted = (
            one.event for one in reversed(match.steps) if one.standing and _is_ours(one.event)
        )
        newest = next(counted, None)
        if newest is None or newest.sighting != last.sighting:
            return ()
        return tuple(one for one in last.doubts if one.lies_in(roll.reading))


def _is_ours(last: Event | None) -> bool:
    return last is not None and (last.request or "").startswith(REQUEST)
