"""Pending rolls as JSON in the database, where every server sees them."""

import logging
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from scorer import Doubt, Table
from scorer.messages import as_message, packed, unpacked
from scorer.photo.meaning import ReadTable
from scorer.values import SchemaError, dump, reader
from webui.camera.answered_doubts import AnsweredDoubt
from webui.camera.waiting_rolls import AnsweredRoll, WatchedRoll
from webui.errors import CorruptStore, NotFound, RequestError
from webui.http.live import Live
from webui.store.log import Store
from webui.store.tables.asked import StoredJson

UNREADABLE = AttributeError, KeyError, TypeError, ValueError, SchemaError, CorruptStore, NotFound

log = logging.getLogger(__name__)


class KeptRolls:
    """The pending rolls of all matches and servers."""

    def __init__(self, store: Store, live: Live) -> None:
        self._store, self._live = store, live
        self.answered = dict[str, AnsweredRoll]()  # as last read

    def any(self, match_id: str) -> bool:
        """Return True if a roll is pending, perhaps one that was answered since."""
        return bool(self._store.asked.of(match_id).rolls)

    def rolls(self, match_id: str) -> list[WatchedRoll]:
        """Return the pending rolls, including those answered since."""
        row = self._store.asked.of(match_id)
        self._set_answered(match_id, _answer(row.answered))
        return [*_rolls(self._store, match_id, row.rolls)]

    def open(self, match_id: str) -> list[WatchedRoll]:
        """Return the pending rolls without an answer."""
        return self.unanswered(match_id, self.rolls(match_id))

    def unanswered(self, match_id: str, rolls: Sequence[WatchedRoll]) -> list[WatchedRoll]:
        """Return those of *rolls* without an answer in the log."""
        if not rolls:
            return []
        events = self._store.events(match_id, min(roll.since for roll in rolls))
        answered = {event.sighting for event in events}
        return [roll for roll in rolls if roll.sighting not in answered]

    def keep(
        self, match_id: str, before: Sequence[WatchedRoll], left: Sequence[WatchedRoll]
    ) -> None:
        """Replace the rolls *before* by those *left*, including new ones, and notify."""
        old, stay = ({roll.sighting for roll in rolls} for rolls in (before, left))
        gone, new = old - stay, [_kept(roll) for roll in left if roll.sighting not in old]
        if gone or new:
            self._live.tell(match_id, "asked", self._store.asked.change(match_id, gone, new))

    def remember(self, match_id: str, answer: AnsweredRoll | None) -> None:
        """Store the answered doubts of the last counted roll."""
        if answer is None and match_id not in self.answered:
            return
        try:
            self._store.asked.remember(match_id, None if answer is None else _kept_answer(answer))
        except RequestError:  # the roll is counted; at worst a question is asked again
            log.warning("what was answered about a roll could not be stored", exc_info=True)
        self._set_answered(match_id, answer)

    def _set_answered(self, match_id: str, answer: AnsweredRoll | None) -> None:
        if answer is None:
            self.answered.pop(match_id, None)
        else:
            self.answered[match_id] = answer


def _kept(roll: WatchedRoll) -> dict[str, Any]:
    """Return a roll as JSON; its picture and reading are in the log."""
    return {
        "sighting": roll.sighting,
        "table": dump(roll.read_table.table),
        "doubts": _dumped(roll.read_table.doubts),
        "since": roll.since,
        "thrown": roll.thrown,
        "more": _dumped(roll.more),
        "entered": [*roll.entered],
    }


def _rolls(store: Store, match_id: str, rows: Iterable[StoredJson]) -> Iterator[WatchedRoll]:
    """Yield the rolls of a match; unreadable ones, of another version for example, are left out."""
    for row in rows:
        try:
            yield _roll(store, match_id, row)
        except UNREADABLE:
            log.warning("a roll that waits for an answer cannot be read", exc_info=True)


def _roll(store: Store, match_id: str, row: StoredJson) -> WatchedRoll:
    shown = store.sighting(match_id, row["sighting"])
    return WatchedRoll(
        *(shown.id, shown.photo),
        ReadTable(reader(Table)(row["table"]), _loaded(row["doubts"])),
        shown.reading,
        row["since"],
        thrown=row["thrown"],
        more=_loaded(row["more"]),
        entered=(*row["entered"],),
    )


def _dumped(doubts: Sequence[Doubt]) -> list[StoredJson]:
    """Return doubts of a reading as JSON: they contain no moves."""
    return [
        {
            "sentence": packed(as_message(doubt.sentence)),
            "piece": doubt.piece,
            "taken": doubt.taken,
            "about": doubt.about,
        }
        for doubt in doubts
    ]


def _loaded(rows: Sequence[StoredJson]) -> tuple[Doubt, ...]:
    return tuple(
        Doubt(
            unpacked(row["sentence"]),
            row["piece"] and (*row["piece"],),
            row["taken"] and (*row["taken"],),
            row["about"],
        )
        for row in rows
    )


def _kept_answer(roll: AnsweredRoll) -> StoredJson:
    """Return the answered doubts of the last counted roll as JSON."""
    doubts = [{"sentence": packed(as_message(one.sentence)), "die": one.die} for one in roll.doubts]
    return {"sighting": roll.sighting, "doubts": doubts}


def _answer(row: StoredJson | None) -> AnsweredRoll | None:
    """Parse them; None if they are missing or unreadable."""
    try:
        if row is None:
            return None
        doubts = (AnsweredDoubt(unpacked(one["sentence"]), one["die"]) for one in row["doubts"])
        return AnsweredRoll(row["sighting"], (*doubts,))
    except UNREADABLE:
        log.warning("what was answered about a roll cannot be read", exc_info=True)
        return None
