"""A match at a terminal: what each typed line does, and what is told of it."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from scorer import Malformed, NoAdvice, Piece, Table, dump_move, named, once, recording
from scorer.games import GAMES
from scorer.messages import ENGLISH, translated
from scorer.sentence import MOST, Spoken, lying, search, speak
from webui import match as matches
from webui import played
from webui.advice import complete
from webui.coach_command import WrongHand, advise_now, lines, read_hand
from webui.errors import Refused
from webui.examples import examples
from webui.match import Match
from webui.played import New
from webui.store import Store

SHOWN = 12  # moves listed before the person is asked for more words
BEST = 3  # pieces of advice that are told
COMPLETED = 40  # offered for a line that is not whole
HELP = """Type a move in words, or part of it to see what fits. Tab completes it.
  moves      what is possible now, also: moves WORD
  table      everything that lies on the table
  undo       take back the last step
  why        how the points came about
  best       what would be best now; with a hidden hand: best 1 4 4 5 6, best 2-6 0-4
  history    the steps so far
  save FILE  write the match to a file, also: replace FILE
  quit       stop; the match is kept to go on later"""
COMMANDS = ("moves", "table", "undo", "why", "best", "history", "save", "quit", "help")
MANY = "There are too many ways to list. Type the dice as they lie, like: red 1 1 4 5, blue 2 3 6"

Say = Callable[[str], None]


class Session:
    """A match at the terminal and what to do with a typed line.

    *where* are the words that say to a command which matches are meant; none for one's own.
    *coached*: the last seat is played by the game's coach. *language*: what the rules say is said
    in it.
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
        self.store, self.begun, self.say, self.where = store, begun, say, where
        self.language = language
        if isinstance(begun, New):
            self.game, self.names = GAMES[begun.game], begun.names
        else:
            self.game, self.names = begun.rules(), begun.row.names
        self.coach = len(self.names) - 1 if coached else None  # its seat

    @property
    def match(self) -> Match | None:
        """Return the match as it was shown, None before its first move."""
        return None if isinstance(self.begun, New) else self.begun

    @property
    def state(self) -> Any:
        """Return the state that was shown."""
        if isinstance(self.begun, New):
            return self.game.start(len(self.names), self.begun.settings)
        return self.begun.state

    def take(self, line: str) -> bool:
        """Do what *line* says; return False when the person wants to stop, or the match ends."""
        word, _, rest = line.strip().partition(" ")
        match word.lower():
            case "":
                return True
            case "quit" | "exit":
                return False
            case "help" | "?":
                self._help()
            case "save" | "replace" as how:
                self._save(how, rest.strip())
            case _ if self._moved_elsewhere():
                self.say("Type it again if it still holds.")
            case "undo":
                self._undo()
            case "table" | "board":
                self._table()
            case "why":
                self._why()
            case "best":
                self._best(rest)
            case "history":
                self._history()
            case "moves":
                self._find(rest)
            case _:
                if self._play(line):
                    self.let_coach_play()
                    return not self.game.is_over(self.state)
        return True

    def show(self) -> None:
        """Say what lies on the table, the tally, and what is next."""
        for drawn in self.game.draw(self.state)[:1]:
            self.say(f"\n{self._words(drawn)}")
        self.say(f"\n{self._tally()}")
        self.say(self._words(self.game.prompt(self.state)))

    def complete(self, typed: str) -> Sequence[str]:
        """Return the whole lines that *typed* may become."""
        found = [one for one in COMMANDS if one.startswith(typed.lower())] if typed else []
        spoken = self._spoken()
        if len(spoken) < MOST:
            found += [one.text for one in search(spoken, typed)[:COMPLETED]]
        return found

    def _words(self, sentence: str) -> str:
        return translated(named(sentence, self.names), self.language)

    def _spoken(self) -> Sequence[Spoken]:
        if self.match is not None and self.language == ENGLISH:
            return self.match.spoken()
        return speak(self.game, self.state, self.names, self.language)

    def _tally(self) -> str:
        turn, acting = self.game.turn_total(self.state), self.game.to_move(self.state)
        parts = []
        for seat, (name, points) in enumerate(
            zip(self.names, self.game.score(self.state), strict=True)
        ):
            more = f" (+{turn} this turn)" if turn is not None and (seat,) == acting[:1] else ""
            parts.append(f"{name} {points}{more}")
        notes = set(self.game.notes(self.state))
        shared = notes.pop() if len(notes) == 1 else ""  # what differs is told by why
        return ", ".join(parts) + (f" ({self._words(shared)})" if shared else "")

    # ------------------------------------------------------------ moves

    def _play(self, line: str) -> bool:
        """Play what the line says; return whether it was played."""
        spoken = self._spoken()
        if len(spoken) == MOST:
            return self._throw(line)
        fitting = search(spoken, line)
        if len(fitting) == 1:
            return self._make([fitting[0].move])
        self._list(fitting, line)
        return False

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

    def let_coach_play(self, hand: Sequence[Piece] = ()) -> None:
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
            self.say(f"\n{self.names[self.coach]} thinks. {self._words(best.why)}")
            move = complete(self.game, self.state, best)
            if move is None:
                self.say(f"Throw the dice for {self.names[self.coach]}, and type them.")
                return
            if not self._make([move]):
                return
            hand = ()

    def _stored(self, moves: Sequence[Any]) -> bool:
        """Store the moves; where that cannot be done say why, and nothing has changed."""
        sent = [dump_move(move) for move in moves]
        try:
            if isinstance(self.begun, New):
                new = self.begun
                self.begun = matches.create(self.store, new.game, new.names, new.settings, sent)
            else:
                row = self.begun.row
                self.begun = matches.play(self.store, row.id, self.begun.seq, sent)
        except (Refused, sa.exc.SQLAlchemyError, OSError) as fault:
            self.say(f"Not played: {_reason(fault)}")
            return False
        return True

    def _throw(self, line: str) -> bool:
        """Play what the typed dice mean."""
        try:
            colours = self.game.equipment(self.state).colours
            proposal = self.game.observe(self.state, Table(lying(line, colours)))
        except Malformed as fault:
            self.say(f"{fault}.")
            return False
        for sentence in once((*proposal.differences, *proposal.doubts)):
            self.say(self._words(sentence))
        if proposal.moves and not proposal.differences:
            return self._make(proposal.moves)
        self.say(MANY)
        return False

    def _undo(self) -> None:
        if self.match is None or self.match.last is None:
            self.say("There is nothing to take back.")
            return
        told = "; ".join(self.match.last.text)
        try:
            self.begun = matches.undo(self.store, self.match.row.id, self.match.seq)
        except (Refused, sa.exc.SQLAlchemyError, OSError) as fault:
            self.say(f"Not taken back: {_reason(fault)}")
            return
        self.say(f"Taken back: {told}")
        self.show()

    def _moved_elsewhere(self) -> bool:
        """Say what another phone has done meanwhile; return whether it has done something."""
        if self.match is None:
            return False
        try:
            now = matches.load(self.store, self.match.row.id)
            now.rules()
            fresh = self.store.events(now.row.id, self.match.seq)
        except (Refused, sa.exc.SQLAlchemyError, OSError) as fault:
            self.say(f"The match cannot be looked up: {_reason(fault)}")
            return True
        if now.seq == self.match.seq:
            return False
        self.begun = now
        self.say("Meanwhile, on another phone:")
        for event in fresh:
            self.say(f"→ {'; '.join(event.text)}")
        self.show()
        return True

    # ------------------------------------------------------------ what is told

    def _help(self) -> None:
        self.say(HELP)
        spoken = self._spoken()
        if len(spoken) == MOST:
            self.say(MANY)
        elif spoken:
            self.say("Now, for example:")
            for typed, meant in examples(spoken, self.names):
                self.say(f"  {typed:22}  {meant}" if typed != meant else f"  {typed}")
        self.say(f"The rules: pipsight rules {self.game.name}")

    def _table(self) -> None:
        for drawn in self.game.draw(self.state) or (self._tally(),):
            self.say(f"{self._words(drawn)}\n")

    def _find(self, words: str) -> None:
        spoken = self._spoken()
        if len(spoken) == MOST:
            self.say(MANY)
        else:
            self._list(search(spoken, words), words)

    def _list(self, fitting: Sequence[Spoken], typed: str) -> None:
        if not fitting:
            fits = f"No move now fits “{typed.strip()}”." if typed.strip() else "No move is left."
            self.say(f"{fits} Type moves to see what is possible, or help.")
            return
        for one in fitting[:SHOWN]:
            self.say(f"  {one.text}")
        if len(fitting) > SHOWN:
            self.say(f"  … and {len(fitting) - SHOWN} more: say more words")

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
            self.say("No points have been made yet.")

    def _best(self, typed: str) -> None:
        """Say what would be best with a hand that was typed; in its turn the coach plays it."""
        try:
            hand = read_hand(typed) if typed else ()
            if hand and self.coach is not None and self.game.to_move(self.state) == (self.coach,):
                self.let_coach_play(hand)
                return
            advice = advise_now(self.game, self.state, self.names, hand)
        except (NoAdvice, WrongHand) as fault:
            self.say(str(fault))
            return
        for line in lines(advice, self.names, BEST):
            self.say(line)

    def _history(self) -> None:
        if self.match is None or self.match.last is None:
            self.say("No move has been made yet.")
            return
        steps = matches.history(self.store, self.match, self.match.seq + 1, self.match.seq)
        told = [
            text for step in steps if step.standing and step.event.moves for text in step.event.text
        ]
        for number, text in enumerate(told, start=1):
            self.say(f"{number:4} {text}")

    # ------------------------------------------------------------ files, and going on

    def _save(self, how: str, name: str) -> None:
        if not name:
            self.say("Say where to: save match.jsonl")
            return
        path, recorded = Path(name).expanduser(), self.recorded()
        try:
            if how == "save" and path.exists() and not played.is_earlier(path, recorded):
                self.say(
                    f"{name} holds something else, which was left as it is."
                    f" Save under another name, or type: replace {name}"
                )
                return
            played.write(path, recorded)
        except (OSError, ValueError) as fault:
            self.say(f"{name} cannot be written: {fault}.")
        except played.NotKept as fault:
            self.say(str(fault))
        else:
            self.say(f"Saved to {name}. Go on with: {self._command('play', '--resume', str(path))}")

    def recorded(self) -> recording.Recording:
        """Return the match so far as a recording."""
        if isinstance(self.begun, New):
            return recording.record(self.game, len(self.names), self.begun.settings, (), self.names)
        return matches.recorded(self.store, self.begun)

    def say_how_to_go_on(self) -> None:
        """Say where the match is, and how to go on with it here and on a phone."""
        if self.match is None:
            return
        code = self.match.row.code
        if self.game.is_over(self.state):
            self.say(f"The match is kept as {code}. To take back its end, or look at it again:")
        else:
            self.say(f"The match is kept as {code}. Go on with it here, or on a phone by its code:")
        self.say(f"  {self._command('play', '--resume', code)}\n  {self._command('serve')}")

    def _command(self, *words: str) -> str:
        said = ["pipsight", *words, *self.where]
        return subprocess.list2cmdline(said) if os.name == "nt" else shlex.join(said)


def _reason(fault: Exception) -> str:
    if isinstance(fault, sa.exc.DBAPIError):
        return f"the matches cannot be written: {fault.orig}."
    return str(fault)
