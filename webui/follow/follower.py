"""`pipsight follow`: a match played from photos in order, without a server.

The certain part of a photo's `Meaning` is counted; a person is asked about the rest, and unanswered
questions are reported and left open.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from scorer import Difference, Doubt, Equipment, Game, Table, dump_move, once
from scorer.messages import Message, _, raw
from scorer.photo.answered_marks import ConfirmedSheets
from scorer.photo.follow import asked_if_old, described, shown_before, understood, unless_moved
from scorer.photo.meaning import Counted, Meaning, ReadTable
from webui.errors import NotRead
from webui.eyes.photo import PhotoReading, See, see
from webui.eyes.photo_tables import PhotoTables
from webui.eyes.phrases import phrase
from webui.eyes.readings import dice_left, same_picture


@dataclass(frozen=True, slots=True)
class Followed:
    """The result for one photo.

    `left`: a question stays open, and nothing is counted. `answered`: by a person. Some doubts are
    only `marked` on a piece of the photo; `asks` is True if there are others. `sight` is the
    reading for the look `wanted`, or None; impossible pieces are `forbidden`, by kind and index in
    its table.
    """

    file: str
    moves: tuple[Any, ...]
    text: tuple[str, ...]  # the moves in words
    doubts: tuple[str, ...]
    differences: tuple[str, ...]
    score: tuple[int, ...]
    sure: bool
    left: bool
    answered: bool
    ms: float
    wanted: Equipment
    asks: bool
    marked: tuple[str, ...] = ()
    sight: PhotoReading | None = None
    forbidden: tuple[tuple[str, int], ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the JSON object described in docs/develop/interfaces.md."""
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
class AskedPhoto:
    """A photo about which a person is asked, with its proposed meaning."""

    photo: Path
    game: Game[Any, Any]
    state: Any  # before the photo
    step: Meaning
    read_table: ReadTable | None  # None: it could not be read

    def with_table(self, table: Table) -> Meaning:
        """Return the meaning of the photo if it shows *table*."""
        return understood(
            self.game, self.state, lambda _wanted, spot: ReadTable(replace(table, spot=spot))
        )


@dataclass(frozen=True, slots=True)
class Left:
    """A photo that is not counted. `lay_before`: pieces were already known there."""

    name: str
    lay_before: bool
    table: Table | None  # None: it could not be read

    def shown_by(self, table: Table) -> bool:
        """Return True if a later photo of pieces that stay shows what this one showed."""
        if self.lay_before or self.table is None or not self.table.dice:
            return self.lay_before
        lying = {(die.cell, die.value, die.colour) for die in table.dice}
        return all((die.cell, die.value, die.colour) in lying for die in self.table.dice)


class Ask(Protocol):
    """A callback that answers: the step to count, or None to leave the question open."""

    def __call__(self, asked: AskedPhoto, /) -> Meaning | None:
        """Return it."""


class Follower:
    """The match as known from its photos so far."""

    def __init__(
        self,
        game: Game[Any, Any],
        seats: int,
        settings: Mapping[str, object],
        ask: Ask,
        look: See | None = None,
    ) -> None:
        self.game, self.ask, self.look = game, ask, look or see
        self.seats, self.settings = seats, settings
        self.state = game.start(seats, settings)
        self.moves: list[Any] = []
        self.left: tuple[Left, ...] = ()  # their moves may be missing
        self._past: list[Counted] = []
        self._sheets = ConfirmedSheets()
        self._counted: dict[str, str] = {}  # names of photos by their content
        self._shown: list[tuple[str, Mapping[str, Any]]] = []  # photos with moves: name, reading

    def take(self, photo: Path) -> Followed:
        """Count the moves since the last photo, if they are clear."""
        began = time.perf_counter()
        before = self.state
        first, reading = self._understood(photo)
        ms = 1000 * (time.perf_counter() - began)  # without the time of a person's answer
        step, left = first, False
        if not first.sure:
            answer = self.ask(AskedPhoto(photo, self.game, before, first, reading.first_table))
            left = answer is None or not answer.settled
            step = answer or first
        if not left:
            self._count(photo, step, reading)
        elif not self.game.is_over(before):
            lay_before = any(
                spot.table.dice or spot.table.tiles for spot in self.game.equipment(before).spots
            )
            table = None if reading.first_table is None else reading.first_table.table
            self.left = (*self.left, Left(photo.name, lay_before, table))
        shown = first
        if step is not first:  # the question, and what the answer leaves open
            differences = (*first.differences, *step.differences)
            shown = replace(first, doubts=(*first.doubts, *step.doubts), differences=differences)
        moves = () if left else step.moves
        return Followed(
            str(photo),
            moves,
            described(self.game, before, moves),
            once(shown.doubts),
            once(shown.differences),
            self.game.score(self.state),
            first.sure,
            left,
            not left and step is not first,
            ms,
            self.game.equipment(before),
            first.asks,
            once(doubt for doubt in shown.doubts if doubt.drawn),
            reading.sight,
            tuple(one.piece for one in first.differences if one.piece is not None),
        )

    def _count(self, photo: Path, step: Meaning, reading: PhotoTables) -> None:
        if reading.first_table is not None:
            self._counted.setdefault(reading.digest, photo.name)
        if reading.sight is not None and step.moves:
            self._shown.append((photo.name, reading.sight.reading))
        self._past.append(Counted(photo.name, self.state, step.moves))
        if reading.sight is not None and step.moves:
            self._sheets.confirm(self.game.equipment(self.state), reading.sight.table.marks)
        self.state = step.state
        self.moves += step.moves

    def _understood(self, photo: Path) -> tuple[Meaning, PhotoTables]:
        self._sheets.next(self.game.equipment(self.state))
        reading = PhotoTables(photo, self.look)
        reading.past = self._sheets.past
        try:
            if (again := self._counted.get(reading.digest)) is not None:
                return self._nothing(
                    _("this is {photo} again, which counts only once", photo=raw(again))
                ), reading
            # The look includes the known tiles, so each earlier state needs another look.
            tiles = self.game.equipment(self.state).tiles
            step = understood(self.game, self.state, reading) if tiles else None
            if (step is None or step.differences) and (stale := self._stale(reading)) is not None:
                return stale, reading
            step = step or understood(self.game, self.state, reading)
            last, lies = self._last, self._as_it_lay(reading)
            if last and lies and (step.again or self._all_lie(reading)):
                return self._nothing(
                    _("the dice are the same as on {photo}, nothing new", photo=raw(last[0]))
                ), reading
            step = asked_if_old(unless_moved(step, lies), self._counted_as(reading))
        except NotRead as fault:
            unread = Difference(phrase(fault.args[0]), "")
            return Meaning((), self.state, differences=(unread,)), reading
        return self._after_gaps(step, reading), reading

    def _stale(self, reading: PhotoTables) -> Meaning | None:
        """Return a sentence if an earlier photo showed the same, or None."""
        if (shown := shown_before(self.game, self._past, reading)) is None:
            return None
        # An overlooked piece has the same effect.
        text = _("this shows what {photo} showed, nothing new", photo=raw(shown.name))
        return Meaning((), self.state, (Doubt(text),))

    @property
    def _last(self) -> tuple[str, Mapping[str, Any]] | None:
        return self._shown[-1] if self._shown else None

    def _counted_as(self, reading: PhotoTables) -> Message | None:
        """Return the name of a counted photo of which this is a copy in another size."""
        if reading.sight is None or self.game.equipment(self.state).stays:
            return None
        found = reading.sight.reading
        return next((raw(name) for name, shown in self._shown if same_picture(shown, found)), None)

    def _as_it_lay(self, reading: PhotoTables) -> bool | None:
        """Return True if the dice, or those left, are where the last counted photo had them.

        None: unknown.
        """
        if self._last is None or reading.sight is None or self.game.equipment(self.state).stays:
            return None
        return dice_left(self._last[1], reading.sight.reading)

    def _all_lie(self, reading: PhotoTables) -> bool:
        """Return True if the photo has as many dice as the last counted one."""
        shown = self._last[1]["dice"] if self._last else ()
        return reading.sight is not None and len(reading.sight.reading["dice"]) == len(shown)

    def _after_gaps(self, step: Meaning, reading: PhotoTables) -> Meaning:
        """Return *step* with a doubt if moves of skipped photos are missing for good."""
        if not self.left or not step.settled or not step.moves or reading.first_table is None:
            return step
        if self.game.equipment(self.state).stays:
            table = reading.first_table.table
            self.left = tuple(one for one in self.left if not one.shown_by(table))
        if not self.left:
            return step
        first, *more = dict.fromkeys(one.name for one in self.left)
        names = raw(first)
        if more:
            names = _("{photo} and {number} more", photo=names, number=len(more))
        text = _("{photos} is ignored because it was not counted", photos=names)
        return replace(step, doubts=(*step.doubts, Doubt(text, about="assumed")))

    def _nothing(self, sentence: Message) -> Meaning:
        return Meaning((), self.state, (Doubt(sentence, about="progress"),))


def nobody(asked: AskedPhoto) -> Meaning | None:
    """Leave every question open, except the game's own assumptions, and photos without news."""
    step = asked.step
    plain = not step.moves or all(doubt.about == "assumed" for doubt in step.open)
    return step if step.settled and plain else None
