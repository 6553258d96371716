"""Matches as far as they have been replayed, kept so that a look costs no second replay.

A log only grows, so what was replayed of it stays true: the rows after the newest one that was
followed are all that is read. That newest row is read again each time; where it is another one
(a restored backup, say) the match is replayed from its beginning.
"""

from __future__ import annotations

import logging
import threading
from array import array
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any

from scorer import Game, Illegal, NotAMove, load_move, settle
from scorer.evening import JoinTable
from scorer.messages import _, raw
from webui.store.rows import Draft, Event, MatchRow

log = logging.getLogger(__name__)

NEWEST = 30  # steps that are shown at once
STATES = 32  # kept of a match, the newest; more than so many steps back it is replayed
MATCHES = 64  # that are kept
WEIGHT = 100_000  # of all that are kept: moves and entries, each of some 500 bytes
STAYS = _("Its scores are kept; start a new match to play on.")

Memo = dict[str, tuple[Any, ...]]  # what was asked about a state
Fetch = Callable[[int, int | None], Sequence[Event]]  # events after one, up to another


class UndoTree:
    """Which events of a log stand, after each of them. Grows; what it says of the past stays.

    As in a version control system every event has a head, the newest step that stands after it,
    and a step stands upon the head before it. Who takes a step back returns to that one; who puts
    one back returns to it and to all that it stands upon. The tip is the newest step that no other
    took the place of: what was taken back between the head and the tip is put back by a redo.
    """

    def __init__(self) -> None:
        self._heads = array("q", [0])  # by seq; 0 is the match before its first step
        self._below = array("q", [0])
        self._tip = 0

    @property
    def seq(self) -> int:
        """Return the number of the newest event."""
        return len(self._heads) - 1

    def leads_to(self, event: Draft) -> int | None:
        """Return the newest step that stands after one more event, None if that cannot be next."""
        head, step = self._heads[-1], event.step
        if (event.kind == "undo" and not head) or not (step is None or self.is_step(step)):
            return None
        seq = len(self._heads)
        heads = {"step": seq, "undo": self._below[head], "redo": step or 0, "note": head}
        return heads[event.kind]

    def add(self, event: Draft) -> bool:
        """Follow one more event; return False, and follow nothing, if it cannot be the next one."""
        head = self.leads_to(event)
        if head is None:
            return False
        self._below.append(self._heads[-1])
        self._heads.append(head)
        rejoins = event.kind == "redo" and event.step in set(self._down(self._tip))
        if event.kind in ("step", "redo") and not rejoins:
            self._tip = head
        return True

    def is_step(self, seq: int) -> bool:
        """Return True if the event *seq* is a step, one that stands or stood."""
        return 0 < seq <= self.seq and self._heads[seq] == seq

    def standing(self, seq: int) -> Iterator[int]:
        """Yield the events that stand after the event *seq*, the newest first."""
        return self._down(self._heads[seq])

    def _down(self, step: int) -> Iterator[int]:
        while step:
            yield step
            step = self._below[step]

    def moved(self, head: int, to: int) -> tuple[list[int], list[int]]:
        """Return the steps that fall, the newest first, and those that stand again, oldest first.

        Where the step *to* takes the place of the step *head* as the newest that stands.
        """
        falling, rising = list[int](), list[int]()
        while head != to:
            if head > to:
                falling.append(head)
                head = self._below[head]
            else:
                rising.append(to)
                to = self._below[to]
        return falling, rising[::-1]

    def ahead(self) -> list[int]:
        """Return the steps that a redo puts back, the next one first."""
        return list(takewhile(lambda step: step > self._heads[-1], self._down(self._tip)))[::-1]

    def head(self, seq: int) -> int:
        """Return the newest event that stands after the event *seq*, 0 if none does."""
        return self._heads[seq]

    def below(self, seq: int) -> int:
        """Return the step that the step *seq* stands upon, 0 if it is the first."""
        return self._below[seq]

    def head_before(self, seq: int) -> int:
        """Return the newest step that stood before the event *seq*."""
        return self._heads[seq - 1]


class Replay:
    """One match as far as its log was followed. Hold `lock` while it is asked or grows."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.begin(None, None)

    def begin(
        self,
        row: MatchRow | None,
        game: Game[Any, Any] | None,
        states: Mapping[int, Any] | None = None,
    ) -> None:
        """Follow the log of *row* from its beginning; *states* are known after some events."""
        self.row, self.game = row, game
        self.tree = UndoTree()
        self.newest: deque[Event] = deque(maxlen=NEWEST + 1)  # and the one before them
        self.earned: list[tuple[int, ...]] = []  # after each event, from the first
        self.notes: dict[int, str] = {}  # by step
        self.state: Any = None
        self.closed: str | None = None
        self.memo: Memo = {}  # of the state
        self._memos: dict[int, Memo] = {}  # after the step that stands now and the one before
        self.moves = 0
        self._seats = {0: len(row.names) if row else 0}  # after each step
        self._states: dict[int, Any] = dict(states or {})

    def catch_up(self, row: MatchRow, game: Game[Any, Any] | None, fetch: Fetch) -> None:
        """Follow the log of *row* to its end."""
        seq = self.tree.seq
        unchanged = self.row == row and self.game is game
        found = fetch(seq - 1, None) if unchanged and seq else fetch(0, None)
        if unchanged and seq and found[:1] == (self.newest[-1],):
            if not (found := found[1:]):
                return
        elif not unchanged or seq:
            self.begin(row, game)
            found = fetch(0, None) if unchanged else found
        before = self.tree.head(self.tree.seq)
        fault = next((fault for event in found if (fault := self._follow(event))), None)
        self.state, self.closed = (None, fault) if fault else self._play(found, fetch)
        self._remember(before, self.tree.head(self.tree.seq))

    def _remember(self, before: int, head: int) -> None:
        """Keep what was asked after the step *before*: an undo leads back to it."""
        kept = {} if self.closed else {**self._memos, before: self.memo}
        self.memo = kept.get(head, {})
        self._memos = {before: kept.get(before, {}), head: self.memo}

    @property
    def weight(self) -> int:
        """Return roughly how much is kept of the match."""
        memos = [*self._memos.values()]
        return self.moves + sum(len(kept) for memo in memos for kept in [*memo.values()])

    def _follow(self, event: Event) -> str | None:
        """Take one more event into the tree; return why it cannot be the next one."""
        if self._is_damaged(event) or not self.tree.add(event):
            return _(
                "The log of this match is damaged at step {seq}. {stays}",
                seq=event.seq,
                stays=STAYS,
            )
        if event.note is not None:
            self.notes[event.step or event.seq] = event.note
        self.newest.append(event)
        self.earned.append(tuple(event.earned))
        self.moves += len(event.moves or ())
        return None

    def _is_damaged(self, event: Event) -> bool:
        before = self._seats[self.tree.head(self.tree.seq)]
        if event.damaged or event.seq != self.tree.seq + 1:
            return True
        if event.kind == "step":
            late = sum(move.get("move") == JoinTable.__name__ for move in event.moves or ())
            self._seats[event.seq] = before + late
        seats = self._seats.get(self.tree.leads_to(event) or 0, 0)
        by_somebody = event.by is None or event.by in range(before)
        return not by_somebody or {len(event.score), len(event.earned)} != {seats}

    def _play(self, found: Sequence[Event], fetch: Fetch) -> tuple[Any, str | None]:
        """Return the state, or None and why: nothing stored is lost when rules change."""
        row, game = self.row, self.game
        assert row is not None
        if game is None:
            return None, _(
                "The game {game} is not installed here. {stays}",
                game=raw(row.game),
                stays=STAYS,
            )
        if game.version != row.version:
            return None, _(
                "This match was played under version {was} of the rules of {game}, "
                "and version {version} is installed. {stays}",
                was=row.version,
                game=raw(game.title),
                version=game.version,
                stays=STAYS,
            )
        if row.damaged:
            return None, _("The settings of this match are damaged. {stays}", stays=STAYS)
        if unknown := row.settings.keys() - {setting.name for setting in game.settings}:
            rules = ", ".join(sorted(unknown))
            return None, _(
                "This match has the house rule {rules}, which is not known here. {stays}",
                rules=raw(rules),
                stays=STAYS,
            )
        try:
            if 0 not in self._states:
                settle(game.settings, row.settings)  # each is one that the game knows
                self._states[0] = game.start(len(row.names), row.settings)
            return self._at_head({event.seq: event for event in found}, fetch), None
        except (Illegal, NotAMove) as fault:
            log.exception("a match of %s made at %s does not replay", row.game, row.created_at)
            return None, _(
                "The rules installed here do not allow this match: {fault}. {stays}",
                fault=raw(fault),
                stays=STAYS,
            )
        except Exception:
            log.exception("a match of %s made at %s is damaged", row.game, row.created_at)
            return None, _("The log of this match is damaged. {stays}", stays=STAYS)

    def state_after(self, seq: int, fetch: Fetch) -> Any:
        """Return the state after the step *seq* and all it stands upon, 0: before the first one.

        Raises Illegal, NotAMove, as a match does that does not replay.
        """
        return self._path(seq, {}, fetch)[0][1]

    def _at_head(self, found: Mapping[int, Event], fetch: Fetch) -> Any:
        """Return the state after all that stands, and keep the newest states on the way."""
        path = self._path(self.tree.head(self.tree.seq), found, fetch)
        for seq, state in reversed(path):
            self._states[seq] = state
            if len(self._states) > STATES:
                del self._states[next(kept for kept in self._states if kept)]
        return path[0][1]

    def _path(
        self, seq: int, found: Mapping[int, Event], fetch: Fetch
    ) -> Sequence[tuple[int, Any]]:
        """Return the step *seq* and those below it, down to a kept one, each with its state."""
        game, steps = self.game, list[int]()
        assert game is not None
        while seq not in self._states:
            steps.append(seq)
            seq = self.tree.below(seq)
        if not all(step in found for step in steps):  # many steps were taken back
            found = {event.seq: event for event in fetch(steps[-1] - 1, steps[0])}
        path = deque([(seq, self._states[seq])], maxlen=STATES)  # a state may hold all before it
        for step in reversed(steps):
            state = path[0][1]
            for move in found[step].moves or ():
                state = game.apply(state, load_move(game, move))
            path.appendleft((step, state))
        return path


class Replays:
    """The replays of the matches that were looked at last."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Replay] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, match_id: str) -> Replay:
        """Return the replay of the match, a new one that followed nothing yet if none is kept."""
        with self._lock:
            replay = self._kept.setdefault(match_id, Replay())
            self._kept.move_to_end(match_id)
            while len(self._kept) > MATCHES or (
                len(self._kept) > 1 and sum(one.weight for one in self._kept.values()) > WEIGHT
            ):
                self._kept.popitem(last=False)
            return replay

    def forget(self, match_id: str) -> None:
        """Keep nothing of a match any more."""
        with self._lock:
            self._kept.pop(match_id, None)
