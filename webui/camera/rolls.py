"""What becomes of what a watching camera saw: counted at once, or asked about on every phone.

A roll becomes a table, and the rules say what it means, exactly as with a photo. Where nothing is
doubtful it is stored as one step; else it waits for an answer, and what is thrown after it waits
behind it, in order. What waits is kept in memory; its picture and reading are in the log.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from scorer import Doubt, Equipment, Table, dump_move, named, once
from scorer.messages import _
from scorer.photo.follow import unless_moved, unless_taken
from scorer.photo.meaning import Meaning, SeenTable
from webui.camera.answered_doubts import AnsweredDoubt, answered
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
    seen_table,
)
from webui.errors import Refused, Stale, Unknown
from webui.eyes.photo import PhotoReading
from webui.eyes.readings import same_dice
from webui.http.live import Live
from webui.match import match as matches
from webui.match.allowed import photographable
from webui.match.match import Match
from webui.match.same_dice import clears, lie_there
from webui.store.log import Store
from webui.store.rows import Event

REQUEST = "watch-"  # begins the id of each confirm of a watched roll; its sighting follows
MOST = 8  # rolls that wait in a match; one more is not taken, and said so
TRIES = 3  # where other phones move meanwhile
LAY = _("this lay there when the camera began to watch: was it rolled, and not counted yet?")
BACK = _("this was taken back before: does it count now?")
TAPPED = _("a roll was entered while this one was thrown: is this another one?")
COUNTED = _("the camera has just counted a roll, and nothing moved since: is this another one?")
TOO_MANY = "There are many rolls to answer for. Answer the first, then throw on."


@dataclass(slots=True)
class WatchedRolls:
    """The rolls that wait, by match, oldest first."""

    store: Store
    live: Live
    _waiting: dict[str, list[WatchedRoll]] = field(default_factory=dict)
    _answered: dict[str, AnsweredRoll] = field(default_factory=dict)
    _tried: dict[str, int] = field(default_factory=dict)  # up to which event what waits was meant
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def take(
        self,
        match: str,
        sight: PhotoReading,
        wanted: Equipment,
        *more: Doubt,
        calm: int | None = None,
    ) -> str | None:
        """Count a roll that was seen thrown, or ask about it, with *more* to doubt it.

        *calm* is the newest event before something moved, None: as now.

        Returns:
            None, or a sentence that says why it is not taken.
        """
        return self._add(match, sight, wanted, more, thrown=True, calm=calm)

    def take_lying(self, match: str, sight: PhotoReading, wanted: Equipment) -> None:
        """Ask about what lay there at first, if that may be a roll nobody has counted."""
        last = next((one for one in self._sightings(match)), None)
        if last is None:
            return
        with self._lock:
            before = (last, *(roll.reading for roll in self._open(match)))
        if any(_lies_yet(one, sight.reading) for one in before):
            return
        now = matches.load(self.store, match)
        if photographable(now) and meaning_of(now, seen_table(sight, wanted)).moves:
            self._add(match, sight, wanted, (Doubt(LAY),), thrown=False)

    def take_changed(self, match: str, sight: PhotoReading, *, taken: bool) -> bool:
        """Count what came or went on a table of which the rules know what lay there.

        A photo cannot tell what is gone from what is hidden; a camera may have seen it *taken*.

        Returns:
            False if the rules cannot explain it now: something is to be entered before.
        """
        now = matches.load(self.store, match)
        wanted = matches.equipment(now)
        if not wanted.spots or not photographable(now):
            return False
        with self._lock:
            if self._open(match):
                return False
            step = meaning_of(now, seen_table(sight, wanted))
            if step.moves and all(doubt.about != "stands" for doubt in step.doubts):
                self._add(match, sight, wanted, (), thrown=taken)
            return not step.differences

    def ask_entered(self, match: str, after: int, moves: Sequence[object]) -> bool:
        """Ask about a roll that a person enters though the camera counted the newest; was it asked?

        Loose dice only: where the rules know what lies there, the same is not entered twice.
        """
        now = matches.load(self.store, match)
        last = now.last
        if last is None or not last.seq == now.seq == after or not _is_ours(last):
            return False
        read = entered(now, last, moves)
        if not read or last.sighting is None:
            return False
        with self._lock:
            if not any(one.entered for one in self._open(match)):
                shown = self.store.sighting(match, last.sighting)
                picture = self.store.photo(match, shown.photo).read_bytes()
                kept = self.store.keep(match, shown.reading, picture)
                about = kept.id, kept.photo, SeenTable(Table()), kept.reading, now.seq
                roll = WatchedRoll(*about, thrown=False, more=(Doubt(COUNTED),), entered=read)
                self._waiting.setdefault(match, []).append(roll)
        self.live.ask(match)
        return True

    def look_again(self, match: str, sight: PhotoReading, wanted: Equipment) -> None:
        """Take a better look at the roll that came last, if it waits for an answer alone.

        It answers what was doubtful about the picture, if the same dice lie there yet.
        """
        with self._lock:
            waiting = self._open(match)
            if len(waiting) != 1 or not waiting[0].thrown:
                return
            now = matches.load(self.store, match)
            better = replace(waiting[0], seen=seen_table(sight, wanted), reading=sight.reading)
            step = self._meant(now, better)
            if not step.sure or not step.moves or not clears(sight.reading, waiting[0].reading):
                return
            kept = self.store.keep(match, sight.reading, sight.jpeg)
            self._waiting[match] = [replace(better, sighting=kept.id, photo=kept.photo)]
            self._go_on(match)

    def go_on(self, now: Match) -> bool:
        """Count what waits, as far as nothing is doubtful, where anything happened since.

        Say whether that was tried.
        """
        match = now.row.id
        if match not in self._waiting or self._tried.get(match) == now.seq:
            return False
        with self._lock:
            self._go_on(match)
        self._tried[match] = now.seq
        return True

    def asks(self, match: str) -> bool:
        """Say whether a roll waits for an answer, as far as it was tried."""
        return bool(self._waiting.get(match))

    def asked(self, now: Match) -> AskedRoll | None:
        """Return what is asked about a match, if anything is."""
        if now.row.id not in self._waiting or now.closed or now.game is None:
            return None
        with self._lock:
            waiting = self._open(now.row.id)
        if not waiting:
            return None
        first, step = waiting[0], self._meant(now, waiting[0])
        said = (*once(step.doubts), *once(step.differences))
        return AskedRoll(
            first.sighting,
            first.photo,
            tuple(named(one, now.row.names) for one in said),
            options(now, first, step),
            len(waiting) - 1,
        )

    def answer(self, match: str, sighting: str, after: int, moves: Sequence[object]) -> Match:
        """Store what a person says a roll is; raises what `matches.play` does."""
        request = REQUEST + sighting
        before = matches.load(self.store, match)
        with self._lock:  # once the answer is stored, another thread may let the roll go
            waiting = self._waiting.get(match, [])
            roll = next((one for one in waiting if one.sighting == sighting), None)
        made = matches.play(self.store, match, after, moves, sighting=sighting, request=request)
        self.live.announce(match, made.seq)
        with self._lock:
            if roll is not None:
                step = self._meant(before, roll)
                as_proposed = [dump_move(move) for move in step.moves] == list(moves)
                self._remember(before, roll, step.doubts if as_proposed and step.settled else ())
            self._go_on(match)
        self.live.ask(match)
        return made

    def drop(self, match: str, sighting: str) -> None:
        """Forget a roll that is none; raises Unknown."""
        with self._lock:
            waiting = self._waiting.get(match, [])
            left = [one for one in waiting if one.sighting != sighting]
            if len(left) == len(waiting):
                raise Unknown("Nobody asks about this roll any more.")
            self._waiting[match] = left
            self._go_on(match)
            self.live.ask(match)

    # ------------------------------------------------------------ one roll

    def _add(
        self,
        match: str,
        sight: PhotoReading,
        wanted: Equipment,
        more: Sequence[Doubt],
        *,
        thrown: bool,
        calm: int | None = None,
    ) -> str | None:
        now = matches.load(self.store, match)
        if not photographable(now):
            return f"The game waits for something else before the next roll. {prompt(now)}"
        seen = seen_table(sight, wanted)
        with self._lock:
            if len(self._open(match)) >= MOST:
                return TOO_MANY
            kept = self.store.keep(match, sight.reading, sight.jpeg)
            roll = WatchedRoll(
                *(kept.id, kept.photo, seen, sight.reading, now.seq, thrown, tuple(more))
            )
            if calm is not None and self._was_entered(now, roll, calm):
                roll = replace(roll, more=(*roll.more, Doubt(TAPPED)))
            self._waiting.setdefault(match, []).append(roll)
            if wanted.stays:
                self._answer_by_last(match, now)
            self._go_on(match)
            if match in self._waiting:
                self.live.ask(match)
        return None

    def _was_entered(self, now: Match, roll: WatchedRoll, calm: int) -> bool:
        """Say whether a person has entered a move like this one while something moved."""
        like = {dump_move(move)["move"] for move in self._meant(now, roll).moves}
        return any(
            one.standing
            and one.event.seq > calm
            and not _is_ours(one.event)
            and any(move["move"] in like for move in one.event.moves or ())
            for one in now.steps
        )

    def _answer_by_last(self, match: str, now: Match) -> None:
        """Withdraw questions that the last of the rolls answers: what was put there lies there yet.

        It must show a move for each, or two turns could pass for one.
        """
        waiting = self._open(match)
        step = self._meant(now, waiting[-1])
        if step.sure and len(step.moves) == len(waiting) and all(one.thrown for one in waiting):
            self._waiting[match] = waiting[-1:]

    def _go_on(self, match: str) -> None:
        while waiting := self._open(match):
            free = self._free(match, waiting)
            roll = next((one for one in free if self._counted(match, one)), None)
            if roll is None:
                return
            self._waiting[match] = [one for one in waiting if one is not roll]
            self.live.ask(match)
        self._waiting.pop(match, None)

    def _free(self, match: str, waiting: Sequence[WatchedRoll]) -> Iterator[WatchedRoll]:
        """Yield the first, then those behind it for which its answer does not matter."""
        yield waiting[0]
        if len(waiting) > 1:
            now = matches.load(self.store, match)
            for place, roll in enumerate(waiting[1:], 1):
                if not depends(now, roll, waiting[:place], self._meant):
                    yield roll

    def _counted(self, match: str, roll: WatchedRoll) -> bool:
        """Store what a roll means, if nothing is doubtful; say whether it need not wait."""
        for _try in range(TRIES):
            now = matches.load(self.store, match)
            if now.closed or now.game is None or now.game.is_over(now.state):
                return True
            step = self._meant(now, roll)
            if not step.sure:
                return False
            if not step.moves:
                return True  # nothing that is not known already
            moves = [dump_move(move) for move in step.moves]
            request = REQUEST + roll.sighting
            try:
                made = matches.play(
                    self.store, match, now.seq, moves, sighting=roll.sighting, request=request
                )
            except Stale:
                continue
            except Refused:
                if roll in self._open(match):
                    raise
                return True  # a person has answered for it just now
            self.live.announce(match, made.seq)
            self._remember(now, roll)
            return True
        return False

    def _meant(self, now: Match, roll: WatchedRoll) -> Meaning:
        """Return what a roll means now.

        What the camera saw thrown after a roll of its own is no longer the same one. What a person
        took back is not stored again unasked while it still lies there.
        """
        if roll.entered:
            return meaning_of_entered(now, roll)
        step = meaning_of(now, replace(roll.seen, doubts=(*roll.seen.doubts, *roll.more)))
        if roll.thrown:
            step = unless_taken(step)
        if roll.thrown and _is_ours(_last_shown(now)):
            step = unless_moved(step, lies=False)
        if matches.equipment(now).stays:
            back = [move for one in now.steps if not one.standing for move in one.event.moves or ()]
            if any(dump_move(move) in back for move in step.moves):
                step = replace(step, doubts=(*step.doubts, Doubt(BACK)))
        known = self._lying_yet(now, roll)
        left = (d for d in step.doubts if not any(k.is_about(d, roll.reading) for k in known))
        return replace(step, doubts=tuple(left))

    def _remember(self, before: Match, roll: WatchedRoll, agreed: tuple[Doubt, ...] = ()) -> None:
        """Remember of the dice on a roll that counts what a person *agreed* to, now or before."""
        known = (*self._lying_yet(before, roll), *answered(agreed, roll.reading))
        if known:
            self._answered[before.row.id] = AnsweredRoll(roll.sighting, known)
        else:
            self._answered.pop(before.row.id, None)

    def _lying_yet(self, now: Match, roll: WatchedRoll) -> tuple[AnsweredDoubt, ...]:
        """Return what was answered about dice that lie on a roll as on the last that counts."""
        last = self._answered.get(now.row.id)
        if last is None:
            return ()
        counted = (one.event for one in reversed(now.steps) if one.standing and _is_ours(one.event))
        newest = next(counted, None)
        if newest is None or newest.sighting != last.sighting:
            return ()
        return tuple(one for one in last.doubts if one.lies_in(roll.reading))

    # ------------------------------------------------------------ the log

    def _open(self, match: str) -> list[WatchedRoll]:
        """Return the rolls that nobody has answered for; an answer is in the log."""
        waiting = self._waiting.get(match, [])
        if not waiting:
            return []
        events = self.store.events(match, min(roll.since for roll in waiting))
        answered = {event.sighting for event in events}
        left = [roll for roll in waiting if roll.sighting not in answered]
        self._waiting[match] = left
        return left

    def _sightings(self, match: str) -> Iterator[Mapping[str, Any]]:
        """Yield what was read for each step of a match, the newest first, also those taken back."""
        for event in reversed(self.store.events(match)):
            if event.sighting is not None:
                yield self.store.sighting(match, event.sighting).reading


def _last_shown(now: Match) -> Event | None:
    """Return the newest step that stands, but for those that no camera could show."""
    unseen = {kind.__name__ for kind in now.rules().unseen}
    for one in reversed(now.steps):
        moves = one.event.moves or ()
        if one.standing and not all(move["move"] in unseen for move in moves):
            return one.event
    return None


def _is_ours(last: Event | None) -> bool:
    return last is not None and (last.request or "").startswith(REQUEST)


def _lies_yet(before: Mapping[str, Any], look: Mapping[str, Any]) -> bool:
    """Say whether what was seen before lies there as it lay, wherever the camera is now."""
    return lie_there(before, look) or bool(same_dice(before, look))
