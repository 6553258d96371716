"""Questions about a photo at a terminal: correct pieces, add moves, choose an answer."""

from __future__ import annotations

import re
import string
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from scorer import Doubt, Illegal, Malformed, Table, once
from scorer.answers import answers
from scorer.messages import _, raw
from scorer.photo.follow import UNTOLD, described, played
from scorer.photo.meaning import Meaning, ReadTable
from scorer.sentence import lying, search, speak
from webui.eyes.look import COLOURS
from webui.eyes.phrases import sentence_of
from webui.follow.follower import AskedPhoto
from webui.languages import language, said, translate

SHOWN = 12  # moves listed before more words are asked for
FEW = 4  # moves shown of each alternative
HELP = _("""  Enter      it is correct as shown          2          the second of those numbered
  a5, a red 5  the die marked a shows that   dice 2 6   what lies there, in a tray
  words      a move that no photo shows: {example}
  skip       do not count this photo""")
CANNOT_BE, LIKELY = _("cannot be"), _("likely as read")
WHICH = _("Which was it? Type its number, or write a move that no photo shows.")

Say = Callable[[str], None]
Hear = Callable[[], str]  # a typed line; raises EOFError


@dataclass
class Terminal:
    """A person at a terminal, who is not asked again after Ctrl-D."""

    say: Say
    hear: Hear
    gone: bool = False
    helped: bool = False

    def __call__(self, asked: AskedPhoto) -> Meaning | None:
        """Return the person's answer about the photo; None if it is skipped."""
        if self.gone:
            return None
        talk = _Talk(asked, self.say)
        self.say(f"{asked.photo}:")
        talk.show()
        if not self.helped:
            how = translate("Enter: correct; skip: leave the photo out; help: all answers")
            self.say(f"  {how}")
            self.helped = True
        try:
            while not talk.take(self.hear().strip()):
                pass
        except EOFError:
            self.gone = True
            self.say("")
            return None
        return talk.answer


@dataclass
class _Talk:
    """The answers about one photo so far."""

    asked: AskedPhoto
    say: Say
    said: tuple[Any, ...] = ()  # moves that no photo shows
    table: Table | None = None
    fixed: frozenset[tuple[str, int]] = frozenset()  # corrected pieces
    answer: Meaning | None = None
    step: Meaning = field(init=False)

    def __post_init__(self) -> None:
        """Start with the proposed meaning of the photo."""
        self.step = self.asked.step
        if self.asked.read_table is not None:
            self.table = self.asked.read_table.table

    # ------------------------------------------------------------ shown

    def show(self) -> None:
        """Print the proposed moves, and each question with its possible answers."""
        game, step = self.asked.game, self.step
        moves = () if step.ways or step.differences else step.moves
        for words in described(game, self.asked.state, (*self.said, *moves)):
            self.say(f"  {said(words)}")
        for difference in once(step.differences):
            self.say(f"  {said(CANNOT_BE)}: {said(difference)}")
        marks = {piece: letter for letter, piece in self._letters().items()}
        drawn = once(doubt for doubt in self._doubts() if doubt.drawn)
        for sentence in once(self._doubts()):
            piece = next((d.piece for d in self._doubts() if d.sentence == sentence), None)
            likely = f"{said(LIKELY)}: " if sentence in drawn else ""
            self.say(f"  {marks[piece] + ')' if piece in marks else '?'} {likely}{said(sentence)}")
        for number, row in enumerate(self._offered(), start=1):
            moved = described(game, self._state, row)
            more = [_("{n} more", n=len(moved) - FEW)] if len(moved) > FEW else []
            then = translate(", then ")
            self.say(f"  {number}: {then.join(map(said, [*moved[:FEW], *more]))}")
        if step.ways:
            self.say(f"  {translate(WHICH)}")

    def _offered(self) -> tuple[tuple[Any, ...], ...]:
        """Return the alternatives that are chosen by number."""
        found = dict.fromkeys(moves for moves in answers(self.step) if moves)
        if not self.step.ways:
            found.pop(self.step.moves, None)
        return tuple(found)

    def _doubts(self) -> tuple[Doubt, ...]:
        return tuple(
            doubt
            for doubt in self.step.doubts
            if doubt.piece not in self.fixed
            and not (self.step.ways and doubt.sentence.startswith(UNTOLD))  # they are numbered
        )

    def _letters(self) -> dict[str, tuple[str, int]]:
        """Return the doubtful dice by letter, in the order in which they were read."""
        pieces = (doubt.piece for doubt in self.asked.step.doubts)
        dice = sorted({piece for piece in pieces if piece is not None and piece[0] == "dice"})
        return dict(zip(string.ascii_lowercase, dice, strict=False))

    @property
    def _state(self) -> Any:
        return played(self.asked.game, self.asked.state, self.said)

    # ------------------------------------------------------------ heard

    def take(self, line: str) -> bool:
        """Execute *line*; return True when the photo is done."""
        word, _space, rest = line.lower().partition(" ")
        letters = "|".join(self._letters()) or "$."
        if not line:
            return self._as_it_stands()
        if word == "skip":
            return True
        if word in ("help", "?"):
            self.say(translate(HELP.template, example=self._example()))
        elif line.isdigit() and 0 < int(line) <= len(self._offered()):
            moves = self._offered()[int(line) - 1]
            return self._done(Meaning(moves, played(self.asked.game, self._state, moves)))
        elif word == "dice":
            self._lies(rest)
        elif right := re.fullmatch(rf"({letters}) ?(\w+ )?([1-6])", line.lower()):
            self._put_right(right[1], (right[2] or "").strip(), int(right[3]))
        else:
            self._move(line)
        return False

    def _as_it_stands(self) -> bool:
        if self.step.settled and (self.said or self.step.moves or self.asked.step.settled):
            return self._done(self.step)
        impossible = translate("That is not possible as shown: choose, add more, or type skip.")
        self.say(f"  {impossible}")
        return False

    def _done(self, step: Meaning) -> bool:
        self.answer = Meaning((*self.said, *step.moves), step.state, self.asked.step.doubts)
        return True

    def _lies(self, words: str) -> None:
        try:
            self.table = Table(lying(words))
        except Malformed as fault:
            self.say(f"  {sentence_of(fault)}")
            return
        self._again()

    def _put_right(self, letter: str, colour: str, value: int) -> None:
        if colour and colour not in COLOURS:
            every = ", ".join(COLOURS)
            wrong = translate("{colour} is no colour; there are {all}", colour=colour, all=every)
            self.say(f"  {wrong}")
            return
        piece = self._letters()[letter]
        assert self.table is not None
        dice = list(self.table.dice)
        there = dice[piece[1]]
        dice[piece[1]] = type(there)(value, colour or there.colour, there.cell)
        self.table, self.fixed = replace(self.table, dice=tuple(dice)), self.fixed | {piece}
        self._again()

    def _move(self, words: str) -> None:
        game, state = self.asked.game, self._state
        found = search(speak(game, state, language=language()), words)
        if len(found) != 1:
            for phrase in found[:SHOWN]:
                self.say(f"    {phrase.text}")
            more = _("… and {n} more: add more words", n=len(found) - SHOWN)
            none = _("No move: {words}", words=raw(words))
            which = _("Which?") if found else none
            self.say(f"  {said(more if len(found) > SHOWN else which)}")
            return
        self.said = (*self.said, found[0].move)
        self._again()

    def _again(self) -> None:
        """Interpret the photo again, with the answers."""
        state = self._state
        if self.table is None:
            self.step = Meaning((), state)
        else:
            asked = replace(self.asked, state=state, read_table=ReadTable(self.table))
            self.step = asked.with_table(self.table)
        try:
            self.show()
        except Illegal as fault:
            self.say(f"  {sentence_of(fault)}")

    def _example(self) -> str:
        kinds = self.asked.game.unseen
        spoken = speak(self.asked.game, self._state, language=language())
        return next(
            (one.text for one in spoken if isinstance(one.move, kinds)), translate("who begins")
        )
