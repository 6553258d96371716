"""`pipsight follow`: a match played from photos in order, without a server.

Each photo becomes a `Step` of `scorer.follow`. What is sure is counted; about the rest a person is
asked, and what nobody answers is left out, saying so.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from scorer import Difference, Doubt, Equipment, Game, Illegal, Table, dump_move, once
from scorer.follow import Past, Seen, Step, played, refused, shown_before, told, understood
from webui.answers import Answers
from webui.bridge import Sight, see
from webui.errors import NotRead

See = Callable[[bytes, Equipment], Sight]


@dataclass(frozen=True, slots=True)
class Followed:
    """What became of one photo. `left`: a question stays open, and nothing of it is counted."""

    file: str
    moves: tuple[Any, ...]
    text: tuple[str, ...]  # the moves in words
    doubts: tuple[str, ...]
    differences: tuple[str, ...]
    score: tuple[int, ...]
    sure: bool
    left: bool
    ms: float

    def to_json(self) -> dict[str, Any]:
        """Return the object DESIGN.md prescribes."""
        return {
            "file": self.file,
            "moves": [dump_move(move) for move in self.moves],
            "doubts": list(self.doubts),
            "differences": list(self.differences),
            "score": list(self.score),
            "sure": self.sure,
            "ms": round(self.ms, 1),
        }


@dataclass(frozen=True, slots=True)
class Asked:
    """A photo about which a person is asked: what it seems to mean, and how to think again."""

    photo: Path
    game: Game[Any, Any]
    state: Any  # before the photo
    step: Step
    seen: Seen | None  # None: it could not be read

    def as_told(self, table: Table) -> Step:
        """Return what the photo means if *table* is what lies there."""
        return understood(
            self.game, self.state, lambda _wanted, spot: Seen(replace(table, spot=spot))
        )


@dataclass(frozen=True, slots=True)
class Left:
    """A photo that is not counted. `known`: something was known to lie there before."""

    name: str
    known: bool
    table: Table | None  # None: it could not be read

    def shown_by(self, table: Table) -> bool:
        """Say whether a later photo of things that stay shows what this one showed."""
        if self.known or self.table is None or not self.table.dice:
            return self.known
        lying = {(die.cell, die.value, die.colour) for die in table.dice}
        return all((die.cell, die.value, die.colour) in lying for die in self.table.dice)


class Ask(Protocol):
    """Whoever answers: the step to count, or None for a question that is left open."""

    def __call__(self, asked: Asked, /) -> Step | None:
        """Return it."""


class Follower:
    """A match as far as its photos have told it."""

    def __init__(
        self,
        game: Game[Any, Any],
        seats: int,
        settings: Mapping[str, object],
        ask: Ask,
        look: See | None = None,
    ) -> None:
        self.game, self.ask, self.look = game, ask, look or see
        self.state = game.start(seats, settings)
        self.moves: list[Any] = []
        self.left: tuple[Left, ...] = ()  # what they showed may be missing
        self._past: list[Past] = []
        self._counted: dict[str, str] = {}  # names of photos by their content

    def take(self, photo: Path) -> Followed:
        """Count what happened since the last photo, if it can be told."""
        began = time.perf_counter()
        before = self.state
        first, reading = self._understood(photo)
        ms = 1000 * (time.perf_counter() - began)  # a person's answer is not waited for
        step, left = first, False
        if not first.sure:
            answer = self.ask(Asked(photo, self.game, before, first, reading.seen))
            left = answer is None or not answer.settled
            step = answer or first
        if not left:
            self._count(photo, step, reading)
        elif not self.game.is_over(before):
            known = any(_lying(spot.known) for spot in self.game.equipment(before).spots)
            table = None if reading.seen is None else reading.seen.table
            self.left = (*self.left, Left(photo.name, known, table))
        shown = first if step is first else replace(step, doubts=(*first.doubts, *step.doubts))
        moves = () if left else step.moves
        return Followed(
            str(photo),
            moves,
            told(self.game, before, moves),
            once(shown.doubts),
            once(shown.differences),
            self.game.score(self.state),
            first.sure,
            left,
            ms,
        )

    def _count(self, photo: Path, step: Step, reading: _Reading) -> None:
        if reading.seen is not None:
            self._counted.setdefault(reading.digest, photo.name)
        self._past.append(Past(photo.name, self.state, step.moves))
        self.state = step.state
        self.moves += step.moves

    def _understood(self, photo: Path) -> tuple[Step, _Reading]:
        reading = _Reading(photo, self.look)
        try:
            if (again := self._counted.get(reading.digest)) is not None:
                return self._nothing(f"this is {again} again, which is counted once"), reading
            if (shown := shown_before(self.game, self._past, reading)) is not None:
                return self._nothing(f"this shows what {shown.name} showed, nothing new"), reading
            step = understood(self.game, self.state, reading)
        except NotRead as fault:
            unread = Difference(str(fault), "")
            return Step((), self.state, differences=(unread,)), reading
        return self._after_gaps(step, reading), reading

    def _after_gaps(self, step: Step, reading: _Reading) -> Step:
        """Return *step* with a doubt if what was left out before it is missing for good."""
        if not self.left or not step.settled or not step.moves or reading.seen is None:
            return step
        if self.game.equipment(self.state).stays:
            table = reading.seen.table
            self.left = tuple(one for one in self.left if not one.shown_by(table))
        if not self.left:
            return step
        first, *more = dict.fromkeys(one.name for one in self.left)
        names = f"{first} and {len(more)} more" if more else first
        text = f"taken as if {names} had shown nothing, which is not counted"
        return replace(step, doubts=(*step.doubts, Doubt(text, about="assumed")))

    def _nothing(self, sentence: str) -> Step:
        return Step((), self.state, (Doubt(sentence, about="progress"),))


def _lying(table: Table) -> bool:
    return bool(table.dice or table.tiles)


class _Reading:
    """One photo, read once for each thing that may be looked for."""

    def __init__(self, photo: Path, look: See) -> None:
        self.photo, self.look = photo, look
        self.seen: Seen | None = None  # as the first thing looked for
        self._content: bytes | None = None
        self._met: list[tuple[Equipment, Seen]] = []

    @property
    def content(self) -> bytes:
        """The file; raises NotRead."""
        if self._content is None:
            try:
                self._content = self.photo.read_bytes()
            except OSError as fault:
                raise NotRead(f"The file cannot be opened: {fault.strerror}.") from fault
        return self._content

    @property
    def digest(self) -> str:
        """What tells this file from others; raises NotRead."""
        return hashlib.sha256(self.content).hexdigest()

    def __call__(self, wanted: Equipment, spot: int) -> Seen:
        """Return the table that the photo shows; raises NotRead."""
        key = replace(wanted, spots=(), stays=False)  # what is known to lie there is not looked for
        seen = next((seen for met, seen in self._met if met == key), None)
        if seen is None:
            sight = self.look(self.content, wanted)
            warnings = (Doubt(text) for text in sight.reading["warnings"])
            seen = Seen(sight.table, (*sight.doubts, *warnings))
            self._met.append((key, seen))
        self.seen = self.seen or seen
        return replace(seen, table=replace(seen.table, spot=spot))


# ---------------------------------------------------------------- who answers


def nobody(asked: Asked) -> Step | None:
    """Leave every question open, but what the game itself assumes."""
    step = asked.step
    plain = step.settled and all(doubt.about == "assumed" for doubt in step.open)
    return step if plain else None


def from_file(answers: Answers, then: Ask = nobody) -> Ask:
    """Return who answers from a file, and asks *then* about what it does not tell."""

    def ask(asked: Asked) -> Step | None:
        answer = answers.of(asked.photo)
        if answer is None:
            return then(asked)
        if answer.moves is not None:
            return _as_moved(asked, answer.moves)
        assert answer.table is not None
        step = asked.as_told(answer.table)
        return step if step.settled else then(replace(asked, step=step)) or step

    return ask


def _as_moved(asked: Asked, moves: tuple[Any, ...]) -> Step:
    try:
        return Step(moves, played(asked.game, asked.state, moves))
    except Illegal as fault:
        text = f"the moves that are answered cannot be made: {fault.reason}"
        return Step((), asked.state, differences=(replace(refused(fault), sentence=text),))
