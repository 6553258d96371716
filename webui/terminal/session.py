"""A match at a terminal: what each typed line does, and what is printed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from scorer import HandPiece, Illegal, Malformed, NoAdvice, NotAMove, dump_move, named, recording
from scorer.attempts import refusal
from scorer.evening import EndMatch, PlayOn, TableStep, names_of, seated
from scorer.games import GAMES
from scorer.messages import ENGLISH, Message, _, as_message, joined, raw, translated
from scorer.sentence import (
    Spoken,
    listable,
    lying,
    numbers_typed,
    search,
    speak,
    thrown,
    whole,
)
from scorer.table import Table
from webui.errors import RequestError
from webui.match import match as matches
from webui.match.advice import BY_HEART, coach_seat, complete
from webui.match.amend import Right, amend
from webui.match.at_table import play_on, present, seat_called, start
from webui.match.coach import WrongHand, advise_now, check_coached, read_hand
from webui.match.match import Match
from webui.match.summary import sentence
from webui.match.undo import redo, undo
from webui.store.log import Store
from webui.store.rows import Event
from webui.terminal import console
from webui.terminal import matches as played
from webui.terminal.at_table import BESIDE, SURE, step_of
from webui.terminal.coach_lines import lines
from webui.terminal.commands_typed import ALONE, command, help_lines, many
from webui.terminal.examples import examples
from webui.terminal.matches import New

SHOWN = 12  # moves listed before the person is asked for more words
BEST = 3  # pieces of advice that are told
COMPLETED = 40  # offered for a line that is not whole
Say = Callable[[str], None]


class Session:
    """A match at the terminal and what to do with a typed line.

    *where* are the words that say to a command which matches are meant; none for one's own.
    *coached*: the last seat is played by the game's coach, whatever was agreed for the match.
    *language*: what the rules say is said in it.
    """

    def __init__(
        self,
        store: Store,
        begun: New | Match,
        say: Say,
        where: Sequence[str] = (),
        *,
        coached: bool = False,
        language: str = ENGLISH,
    ) -> None:
        self.store, self.begun, self.where = store, begun, where
        self.say: Say = lambda text: say(translated(text, language))
        self.language = language
        if isinstance(begun, New):
            self.game, self.named, self.settings = GAMES[begun.game], begun.names, begun.settings
        else:
            row = begun.row
            self.game, self.named, self.settings = begun.rules(), row.names, row.settings
        self.agreed_coach = coach_seat(self.settings)
        self.coached = len(self.named) - 1 if coached else self.agreed_coach
        self._against: tuple[int, PlayOn] | None = None  # asked about after that event

    @property
    def match(self) -> Match | None:
        """Return the match as it was shown, None before its first move."""
        return None if isinstance(self.begun, New) else self.begun

    @property
    def state(self) -> Any:
        """Return the state that was shown."""
        if isinstance(self.begun, New):
            return self.game.start(len(self.named), self.begun.settings)
        return self.begun.state

    @property
    def names(self) -> Sequence[str]:
        """Return what the players are called now; `named` is what they were called at first."""
        return names_of(self.state, self.named)

    @property
    def coach(self) -> int | None:
        """Return the seat that the coach plays now; `coached` is where it sat at first."""
        if self.coached is None:
            return None
        return seated(self.state, len(self.named)).index(self.coached)

    def take(self, line: str) -> bool:
        """Do what *line* says; return False when the person wants to stop, or the match ends."""
        match command(line, self._is_move, self.names):
            case "", "":
                return True
            case "quit", _:
                return False
            case "help", _:
                self._help()
            case ("save" | "replace") as how, name:
                self._save(how, name)
            case _ if self._moved_elsewhere():
                self.say(_("Type it again if it still holds."))
            case "undo", _:
                self._undo()
            case "redo", steps:
                self._redo(steps)
            case "table", _:
                self._table()
            case "why", _:
                self._why()
            case "best", hand:
                self._best(hand)
            case "history", _:
                self._history()
            case "moves", words:
                self._find(words)
            case word, words if word in BESIDE and self.game.steps:
                return self._beside(word, words)
            case _, words:
                if self._play(words):
                    self.let_coach_play()
                    return not self.game.is_over(self.state)
        return True

    def show(self, step: Event | None = None) -> None:
        """Say what lies on the table of a *step*, else of the last, the tally, and what is next."""
        for drawn in self._at_table(step)[:1]:
            self.say(f"\n{self._words(drawn)}")
        self.say(f"\n{self._tally()}")
        self.say(self._words(self.game.prompt(self.state)))
        if hint := self._words(self.game.hint(self.state)):
            self.say(hint)

    def _at_table(self, step: Event | None) -> Sequence[Message]:
        """Return what lies on the table of a step, and of no other where several are played at."""
        step = step or (self.match.last if self.match else None)
        tables = self.game.played_tables(self.state)
        moves = step.moves if step else None
        table = moves[-1].get("table", 0) if moves else 0
        elsewhere = {block for at, one in enumerate(tables) if at != table for block in one.blocks}
        return [block for block in self.game.draw(self.state) if block not in elsewhere]

    def complete(self, typed: str) -> Sequence[str]:
        """Return the whole lines that *typed* may become."""
        commands = sorted(ALONE - self._not_agreed())
        found = [one for one in commands if one.startswith(typed.lower())] if typed else []
        return [*found, *(one.text for one in search(self._listed(), typed)[:COMPLETED])]

    def _words(self, sentence: str) -> str:
        return translated(named(sentence, self.names), self.language)

    def _spoken(self) -> Sequence[Spoken]:
        if self.match is not None and self.language == ENGLISH:
            return self.match.spoken()
        return speak(self.game, self.state, self.names, self.language)

    def _is_move(self, line: str) -> bool:
        """Say whether a line is a whole sentence, or a number, that makes a move now."""
        if whole(self._spoken(), line):
            return True
        with suppress(Illegal):
            return bool(numbers_typed(self.game, self.state, self.names, line))
        return True

    def _listed(self) -> Sequence[Spoken]:
        """Return the moves that can be listed: a roll of many dice is typed as it lies."""
        return listable(self._spoken())

    def _many(self) -> str:
        """Return how to type what cannot be listed, "" where all can be."""
        listed, spoken = self._listed(), self._spoken()
        if len(listed) == len(spoken):
            return ""
        apart = set(map(id, listed))
        rolls = [one.text for one in spoken if id(one) not in apart]
        return self._words(many(max(rolls, key=lambda text: len(set(text)))))  # unlike dice

    def _unlisted(self) -> Sequence[str]:
        """Return how to type what is too many to list: a roll of many dice, or a number."""
        hints = [self._many()]
        if self.game.typed(self.state):
            name = raw(self.names[self.game.to_move(self.state)[-1]])
            hints.append(_("Type a number, or whose it is too, like: {name} 12", name=name))
        return list(filter(None, hints))

    def _tally(self) -> str:
        turn, acting = self.game.turn_total(self.state), self.game.to_move(self.state)
        parts = []
        for seat, (name, points) in enumerate(
            zip(self.names, self.game.earned(self.state), strict=True)
        ):
            line = _("{name} {points}", name=raw(name), points=points)
            if turn is not None and (seat,) == acting[:1]:
                line = _("{line} (+{turn} this turn)", line=line, turn=turn)
            parts.append(self._words(line))
        notes = set(self.game.notes(self.state))
        shared = notes.pop() if len(notes) == 1 else ""  # what differs is told by why
        return ", ".join(parts) + (f" ({self._words(shared)})" if shared else "")

    # ------------------------------------------------------------ moves

    def _play(self, line: str) -> bool:
        """Play what the line says; return whether it was played."""
        try:
            if numbers := numbers_typed(self.game, self.state, self.names, line):
                return self._make(numbers)
        except Illegal as refused:
            self._refuse(refused)
            return False
        fitting = search(self._listed(), line)
        if len(fitting) == 1:
            return self._make([fitting[0].move])
        if fitting:
            self._list(fitting, line)
            return False
        many = self._many()
        try:
            if many:
                move = thrown(self.game, self.state, self._spoken(), line)
                self.game.apply(self.state, move)
                return self._make([move])
            self._say_why_not(line)
        except NotAMove as fault:
            why = sentence(translated(fault.args[0], self.language), ".")
            self._say_why_not(line, f"{why} {many}")
        except Illegal as refused:
            self._refuse(refused)
        return False

    def _say_why_not(self, line: str, otherwise: str = "") -> None:
        """Give the rule that forbids what was typed; where none is known, what may be typed."""
        facts = (self.game, self.state, self._listed(), line, self.names, self.language)
        if fault := refusal(*facts):
            self._refuse(fault)
        elif otherwise:
            self.say(otherwise)
        else:
            self._list((), line)

    def _make(self, moves: Sequence[Any]) -> bool:
        """Store the moves as one step and tell it; return whether that was done."""
        state, said = self.state, []
        for move in moves:
            said.append(f"→ {self._words(self.game.describe(state, move))}")
            state = self.game.apply(state, move)
        if not self._stored(moves):
            return False
        self.say("\n".join(said))
        self.show()
        return True

    def _beside(self, word: str, words: str) -> bool:
        """Make a step beside the moves; return whether the match goes on."""
        steps: dict[str, Callable[[str], bool]] = {"start": self._start, "play": self._play_on}
        try:
            if word == "end" and words != SURE:
                self._ask_end()
            elif steps[word](words) if word in steps else self._make([self._step(word, words)]):
                self.let_coach_play()
        except Illegal as refused:
            self._refuse(refused)
        except (RequestError, NotAMove) as fault:
            self.say(fault.args[0])
        return not self.game.is_over(self.state)

    def _step(self, word: str, words: str) -> TableStep | None:
        return step_of(word, words, self.names)

    def _start(self, name: str) -> bool:
        """Correct who has started; return whether that was done."""
        match, seat = self.match, seat_called(self.names, name)
        assert seat is not None
        right = start(self.store, match, seat) if match else None
        if match is None or right is None:
            self.say(_("There is nothing to correct about who started."))
            return False
        if not isinstance(right, Right):
            return self._make([right])
        place = self.store, match.row.id, match.seq, right
        if not self._done(lambda: amend(*place), lambda why: _("Not corrected: {why}", why=why)):
            return False
        self.say(_("Corrected: {name} has started.", name=raw(name)))
        self.show()
        return True

    def _play_on(self, words: str) -> bool:
        """Ask whether all play on against a rule, and do so once they are sure."""
        match, typed = self.match, words.removeprefix("on").strip()
        if match is None:
            self.say(_("No move has been made yet."))
            return False
        asked = self._against
        if typed == SURE and asked and asked[0] == match.seq:
            return self._make([asked[1]])
        if not (dice := () if typed == SURE else lying(typed)):
            self.say(_("Type the dice that lie there, like: play on red 1 1 4, blue 2"))
            return False
        step = play_on(match, Table(dice), present(match)[0])
        self.game.apply(self.state, step)
        self._against = match.seq, step
        self.say(_("That is against a rule, {rule}.", rule=raw(step.rule)))
        self.say(_("If all agree, type: play on now"))
        return False

    def _ask_end(self) -> None:
        ended = self.game.result(self.game.apply(self.state, EndMatch()))
        if ended is not None:
            self.say(sentence(self._words(ended.why), "."))
        self.say(_("If all agree, type: end now"))

    def let_coach_play(self, hand: Sequence[HandPiece] = ()) -> None:
        """Make the coach's moves until a person, or its dice, must go on.

        *hand* is what it holds for its next move, where that was typed.
        """
        while self.coach is not None and self.game.to_move(self.state) == (self.coach,):
            assert self.game.coach is not None
            try:
                advice = self.game.coach(self.state, hand)
            except NoAdvice as fault:
                self.say(self._words(fault.sentence))
                return
            if not advice:
                return  # there is nothing to choose, and the prompt has said what is due
            best = advice[0]
            thinks = _("{name} thinks.", name=raw(self.names[self.coach]))
            self.say(f"\n{self._words(thinks)} {self._words(best.why)}")
            move = complete(self.game, self.state, best)
            if move is None:
                self.say(
                    _("Throw the dice for {name}, and type them.", name=raw(self.names[self.coach]))
                )
                return
            if not self._make([move]):
                return
            hand = ()

    def _stored(self, moves: Sequence[Any]) -> bool:
        """Store the moves; where that cannot be done say why, and nothing has changed."""
        sent, begun = [dump_move(move) for move in moves], self.begun

        def store() -> Match:
            if isinstance(begun, New):
                return matches.create(self.store, begun.game, begun.names, begun.settings, sent)
            return matches.play(self.store, begun.row.id, begun.seq, sent)

        return self._done(store, lambda why: _("Not played: {why}", why=why))

    def _done(self, change: Callable[[], Match], failed: Callable[[Message], Message]) -> bool:
        """Make a change of the match and return True, or say why it was not made."""
        try:
            self.begun = change()
        except (RequestError, Malformed, sa.exc.SQLAlchemyError, OSError) as fault:
            self.say(failed(_reason(fault)))
            return False
        return True

    def _refuse(self, fault: Illegal) -> None:
        """Say why the rules forbid a move, and by which of them."""
        self.say(f"{sentence(self._words(fault.reason), '.')} ({fault.rule})")

    def _undo(self) -> None:
        match = self.match
        if match is None or match.last is None:
            self.say(_("There is nothing to take back."))
            return
        taken, place = match.last, (self.store, match.row.id, match.seq)
        if self._done(lambda: undo(*place), lambda why: _("Not taken back: {why}", why=why)):
            self.say(_("Taken back: {what}", what=joined("; ", map(as_message, taken.text))))
            self.show(taken)

    def _redo(self, steps: str) -> None:
        """Put back the step that was taken back last, or so many of them."""
        match = self.match
        ahead = match.tree.ahead() if match else []
        if match is None or not ahead:
            self.say(_("There is nothing to put back."))
            return
        if not (steps or "1").isdecimal() or not (risen := ahead[: int(steps or 1)]):
            self.say(_("Type redo, or how many steps to put back: redo {n}", n=len(ahead)))
            return
        place = self.store, match.row.id, match.seq, risen[-1]
        if self._done(lambda: redo(*place), lambda why: _("Not put back: {why}", why=why)):
            for event in self.store.events(match.row.id, risen[0] - 1, risen[-1]):
                if event.seq in risen:
                    what = joined("; ", map(as_message, event.text))
                    self.say(_("Put back: {what}", what=what))
            self.show()

    def _moved_elsewhere(self) -> bool:
        """Say what another phone has done meanwhile; return whether it has done something."""
        if self.match is None:
            return False
        try:
            match = matches.load(self.store, self.match.row.id)
            match.rules()
            fresh = self.store.events(match.row.id, self.match.seq)
        except (RequestError, sa.exc.SQLAlchemyError, OSError) as fault:
            self.say(_("The match cannot be looked up: {why}", why=_reason(fault)))
            return True
        if match.seq == self.match.seq:
            return False
        self.begun = match
        self.say(_("Meanwhile, on another phone:"))
        for event in fresh:
            self.say(f"→ {'; '.join(map(self._words, event.text))}")
        self.show()
        return True

    # ------------------------------------------------------------ what is told

    def _help(self) -> None:
        for line in help_lines(self._not_agreed(), self.game.hand):
            self.say(line)
        for hint in self._unlisted():
            self.say(hint)
        if spoken := self._listed():
            self.say(_("Now, for example:"))
            for typed, meant in examples(spoken, self.names):
                self.say(f"  {typed:22}  {meant}" if typed != meant else f"  {typed}")
        self.say(_("The rules: pipsight rules {game}", game=raw(self.game.name)))

    def _table(self) -> None:
        for drawn in self.game.draw(self.state) or (self._tally(),):
            self.say(f"{self._words(drawn)}\n")

    def _find(self, words: str) -> None:
        for hint in (hints := self._unlisted()):
            self.say(hint)
        if (fitting := search(self._listed(), words)) or not hints:
            self._list(fitting, words)

    def _list(self, fitting: Sequence[Spoken], typed: str) -> None:
        if not fitting:
            if self.game.is_over(self.state):
                self.say(_("No move is left. Type undo to take back the last, or help."))
                return
            due = sentence(self._words(self.game.prompt(self.state)), ".")
            fits = _("No move now fits “{typed}”.", typed=raw(typed.strip()))
            more = _("Type moves to see what is possible, or help.")
            self.say(f"{self._words(fits)} {due} {self._words(more)}")
            return
        for phrase in fitting[:SHOWN]:
            self.say(f"  {phrase.text}")
        if len(fitting) > SHOWN:
            more = _("… and {n} more: add more words", n=len(fitting) - SHOWN)
            self.say(f"  {self._words(more)}")

    def _why(self) -> None:
        part, entries = None, self.game.explain(self.state)
        for entry in entries:
            if entry.part != part:
                part = entry.part
                self.say(self._words(part))
            whose = "" if entry.seat is None else f" → {self.names[entry.seat]} {entry.points:+d}"
            self.say(f"  {self._words(entry.text)}{whose}")
        for name, note in zip(self.names, self.game.notes(self.state), strict=False):
            if note:
                self.say(f"{name}: {self._words(note)}")
        if not entries:
            self.say(_("No points have been made yet."))

    def _not_agreed(self) -> set[str]:
        """Return the commands that the players have agreed to leave alone, or that do nothing."""
        asks = self.settings.get("advice", False) or self._coach_is_next()
        beside = set() if PlayOn in self.game.steps else {"play", "play on DICE"}
        return beside if asks and self.game.coach is not None else {"best", *beside}

    def _coach_is_next(self) -> bool:
        return self.coach is not None and self.game.to_move(self.state) == (self.coach,)

    def _best(self, typed: str) -> None:
        """Say what would be best with a hand that was typed; in its turn the coach plays it."""
        try:
            hand = read_hand(typed) if typed else ()
            if self._coach_is_next():
                self.let_coach_play(hand)
                return
            check_coached(self.game)
            if "best" in self._not_agreed():
                self.say(BY_HEART)
                return
            advice = advise_now(self.game, self.state, self.names, hand)
        except (NoAdvice, WrongHand) as fault:
            self.say(*fault.args)
            return
        for line in lines(advice, self.names, BEST, self.language):
            self.say(line)

    def _history(self) -> None:
        if self.match is None or self.match.last is None:
            self.say(_("No move has been made yet."))
            return
        steps = matches.history(self.store, self.match, self.match.seq + 1, self.match.seq)
        lines = [
            text for step in steps if step.standing and step.event.moves for text in step.event.text
        ]
        for number, text in enumerate(lines, start=1):
            self.say(f"{number:4} {self._words(text)}")

    # ------------------------------------------------------------ files, and going on

    def _save(self, how: str, name: str) -> None:
        if fault := played.save(how, name, self.recorded()):
            self.say(fault)
        else:
            path = str(Path(name).expanduser())
            self.say(
                _(
                    "Saved to {file}. Go on with: {command}",
                    file=raw(name),
                    command=raw(self._resume(path)),
                )
            )

    def recorded(self) -> recording.Recording:
        """Return the match so far as a recording."""
        if isinstance(self.begun, New):
            return recording.record(self.game, len(self.named), self.begun.settings, (), self.named)
        return matches.recorded(self.store, self.begun)

    def say_how_to_go_on(self) -> None:
        """Say where the match is, and how to go on with it here and on a phone."""
        if self.match is None:
            return
        code = self.match.row.whole_code
        if self.game.is_over(self.state):
            self.say(
                _(
                    "The match is kept as {code}. To take back its end, or look at it again:",
                    code=raw(code),
                )
            )
        else:
            self.say(
                _(
                    "The match is kept as {code}. Go on with it here, or on a phone by its code:",
                    code=raw(code),
                )
            )
        self.say(f"  {self._resume(self.match.row.code)}\n  {self._shell('serve')}")

    def _resume(self, match_id: str) -> str:
        """Return the command that continues this match."""
        coach = () if self.coached == self.agreed_coach else ("--opponent", "coach")
        language = () if self.language == ENGLISH else ("--language", self.language)
        return self._shell("play", "--resume", match_id, *coach, *language)

    def _shell(self, *words: str) -> str:
        return console.as_typed("pipsight", *words, *self.where)


def _reason(fault: Exception) -> Message:
    if isinstance(fault, sa.exc.DBAPIError):
        return _("the matches cannot be written: {why}.", why=raw(fault.orig))
    says = isinstance(fault, RequestError | Malformed)
    return as_message(fault.args[0] if says else str(fault))
