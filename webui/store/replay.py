"""A cache of replayed matches.

A log is append-only, so only the rows after the newest replayed one are read. That row is compared
each time; if it differs (after a restore, for example) the match is replayed from its beginning.
"""

import logging
import threading
from array import array
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any

from scorer import Game, Illegal, NotAMove, load_move, settle
from scorer.evening.steps import JoinTable
from scorer.messages import _, raw
from webui.store.rows import Draft, Event, MatchRow

log = logging.getLogger(__name__)

NEWEST = 30  # steps shown at once
STATES = 32  # newest states cached per match; older ones are replayed
MATCHES = 64  # in the cache
WEIGHT = 100_000  # limit of the cache: moves and entries, each of some 500 bytes
STAYS = _("Its scores are kept; start a new match to play on.")

Memo = dict[str, tuple[Any, ...]]  # results computed from a state
Fetch = Callable[[int, int | None], Sequence[Event]]  # loads the events after one, up to another


class UndoTree:
    """The steps of a log that are not undone, after each event; append-only.

    As in a version control system every event has a head, the newest step that stands (is not
    undone) after it, and a step's parent is the head before it. An undo returns to the parent; a
    redo returns to a step and its ancestors. The tip is the newest step that was not replaced: a
    redo restores the steps between head and tip.
    """

    def __init__(self) -> None:
        self._heads = array("q", [0])  # by seq; 0 is the start
        self._below = array("q", [0])
        self._tip = 0

    @property
    def seq(self) -> int:
        """Return the number of the newest event."""
        return len(self._heads) - 1

    def leads_to(self, event: Draft) -> int | None:
        """Return the head after one more event, None if that event cannot follow."""
        head, step = self._heads[-1], event.step
        if (event.kind == "undo" and not head) or not (step is None or self.is_step(step)):
            return None
        seq = len(self._heads)
        heads = {"step": seq, "undo": self._below[head], "redo": step or 0, "note": head}
        return heads[event.kind]

    def add(self, event: Draft) -> bool:
        """Append an event; return False, without a change, if it cannot follow."""
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
        """Return True if event *seq* is a step, undone or not."""
        return 0 < seq <= self.seq and self._heads[seq] == seq

    def standing(self, seq: int) -> Iterator[int]:
        """Yield the steps that stand after event *seq*, the newest first."""
        return self._down(self._heads[seq])

    def _down(self, step: int) -> Iterator[int]:
        while step:
            yield step
            step = self._below[step]

    def moved(self, head: int, to: int) -> tuple[list[int], list[int]]:
        """Return the steps undone, the newest first, and those restored, the oldest first."""
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
        """Return the steps that a redo restores, the next one first."""
        return list(takewhile(lambda step: step > self._heads[-1], self._down(self._tip)))[::-1]

    def head(self, seq: int) -> int:
        """Return the head after event *seq*, 0 if there is none."""
        return self._heads[seq]

    def below(self, seq: int) -> int:
        """Return the parent of step *seq*, 0 if it is the first."""
        return self._below[seq]

    def head_before(self, seq: int) -> int:
        """Return the head before event *seq*."""
        return self._heads[seq - 1]


class Replay:
    """The replay of one match. Hold `lock` while it is read or extended."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.begin(None, None)

    def begin(
        self,
        row: MatchRow | None,
        game: Game[Any, Any] | None,
        states: Mapping[int, Any] | None = None,
    ) -> None:
        """Start at the beginning of the log of *row*; *states* are known states after events."""
        self.row, self.game = row, game
        self.tree = UndoTree()
        self.newest: deque[Event] = deque(maxlen=NEWEST + 1)  # and one more
        self.earned: list[tuple[int, ...]] = []  # after each event
        self.notes: dict[int, str] = {}  # by step
        self.state: Any = None
        self.closed: str | None = None
        self.memo: Memo = {}  # of the current state
        self._memos: dict[int, Memo] = {}  # after the head and the previous head
        self.moves = 0
        self._seats = {0: len(row.names) if row else 0}  # after each step
        self._states: dict[int, Any] = dict(states or {})

    def catch_up(self, row: MatchRow, game: Game[Any, Any] | None, fetch: Fetch) -> None:
        """Extend the replay to the end of the log of *row*."""
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
        """Keep the memo of step *before*: an undo returns to it."""
        kept = {} if self.closed else {**self._memos, before: self.memo}
        self.memo = kept.get(head, {})
        self._memos = {before: kept.get(before, {}), head: self.memo}

    @property
    def weight(self) -> int:
        """Return the approximate size of the replay."""
        memos = [*self._memos.values()]
        return self.moves + sum(len(kept) for memo in memos for kept in [*memo.values()])

    def _follow(self, event: Event) -> str | None:
        """Append an event to the tree; return why it cannot follow, or None."""
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
        """Return the state, or None and the reason: a change of rules loses no stored data."""
        row, game = self.row, self.game
        assert row is not None
        if game is None:
            return None, _(
                "The game {game} is not installed here. {stays}", game=raw(row.game), stays=STAYS
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
                settle(game.settings, row.settings)  # the game must know each setting
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
        """Return the state after step *seq*, 0 for the start; raises Illegal or NotAMove."""
        return self._path(seq, {}, fetch)[0][1]

    def _at_head(self, found: Mapping[int, Event], fetch: Fetch) -> Any:
        path = self._path(self.tree.head(self.tree.seq), found, fetch)
        for seq, state in reversed(path):
            self._states[seq] = state
            if len(self._states) > STATES:
                del self._states[next(kept for kept in self._states if kept)]
        return path[0][1]

    def _path(
        self, seq: int, found: Mapping[int, Event], fetch: Fetch
    ) -> Sequence[tuple[int, Any]]:
        """Return step *seq* and its ancestors down to a cached state, each with its state."""
        game, steps = self.game, list[int]()
        assert game is not None
        while seq not in self._states:
            steps.append(seq)
            seq = self.tree.below(seq)
        if not all(step in found for step in steps):  # many steps were undone
            found = {event.seq: event for event in fetch(steps[-1] - 1, steps[0])}
        path = deque([(seq, self._states[seq])], maxlen=STATES)  # a state may hold earlier ones
        for step in reversed(steps):
            state = path[0][1]
            for move in found[step].moves or ():
                state = game.apply(state, load_move(game, move))
            path.appendleft((step, state))
        return path


class Replays:
    """The replays of recently used matches."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Replay] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, match_id: str) -> Replay:
        """Return the replay of the match, a new empty one if it is not cached."""
        with self._lock:
            replay = self._kept.setdefault(match_id, Replay())
            self._kept.move_to_end(match_id)
            while len(self._kept) > MATCHES or (
                len(self._kept) > 1 and sum(one.weight for one in self._kept.values()) > WEIGHT
            ):
                self._kept.popitem(last=False)
            return replay

    def forget(self, match_id: str) -> None:
        """Remove a match from the cache."""
        with self._lock:
            self._kept.pop(match_id, None)
