"""The interpreter of typed lines at a match."""

import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from scorer import Illegal, NotAMove, recording
from scorer.attempts import refusal
from scorer.messages import ENGLISH, _, raw, translated
from scorer.sentence import is_roll, numbers_typed, search, thrown, whole
from webui.match import match as matches
from webui.match.match import Match
from webui.match.summary import sentence
from webui.store.log import Store
from webui.terminal import answers, console, steps_back
from webui.terminal import matches as played
from webui.terminal.beside import Beside, without_effect
from webui.terminal.coach_turn import let_coach_play, not_agreed, say_best
from webui.terminal.commands_typed import BESIDE, command, offered
from webui.terminal.matches import New
from webui.terminal.typed_match import Say, TypedMatch

COMPLETED = 40  # maximum of completions offered


class Session(TypedMatch):
    """A match at the terminal, and its typed lines.

    *where* are the command-line options that select the database; none for the default. The rest is
    as for `TypedMatch`.
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
        super().__init__(store, begun, say, coached=coached, language=language)
        self.where, self.beside = where, Beside(self)

    def take(self, line: str) -> bool:
        """Execute *line*; return False when the person wants to stop, or the match ends."""
        match command(line, self._is_move, self.names, self.language):
            case "", "":
                return True
            case "quit", _:
                return False
            case "help", _:
                answers.say_help(self, self._hidden())
            case ("save" | "replace") as how, name:
                self._save(how, name)
            case _ if steps_back.moved_elsewhere(self):
                self.say(_("Type it again if it still holds."))
            case "undo", _:
                steps_back.take_back(self)
            case "redo", steps:
                steps_back.put_back(self, steps)
            case "table", _:
                answers.say_table(self)
            case "rule", name:
                answers.say_rule(self, name)
            case "why", _:
                answers.say_why(self)
            case "best", hand:
                say_best(self, hand)
            case "history", _:
                answers.say_history(self)
            case "moves", words:
                answers.find_moves(self, words)
            case word, words:
                beside = word in BESIDE and self.game.steps
                if self.beside.take(word, words) if beside else self._play(words):
                    let_coach_play(self)
                    return not self.game.is_over(self.state)
        return True

    def complete(self, typed: str) -> Sequence[str]:
        """Return the completions of *typed*."""
        commands = offered(self._hidden(), self.language)
        found = [word for word in commands if word.startswith(typed.lower())] if typed else []
        return [*found, *(phrase.text for phrase in search(self.listed(), typed)[:COMPLETED])]

    def _hidden(self) -> set[str]:
        """Return the commands that are disabled by agreement or have no effect."""
        return not_agreed(self) | without_effect(self.game)

    # ------------------------------------------------------------ moves

    def _is_move(self, line: str) -> bool:
        """Return True if a line is a whole sentence or number of a legal move."""
        if whole(self.spoken(), line):
            return True
        with suppress(Illegal):
            return bool(self._numbers(line))
        return True

    def _numbers(self, line: str) -> list[Any]:
        return numbers_typed(self.game, self.state, self.names, line, self.language)

    def _play(self, line: str) -> bool:
        """Play the move of a line; return True if it was stored."""
        try:
            if moves := self._meant(line):
                return self.make(moves)
        except Illegal as refused:
            self.refuse(refused)
        return False

    def _meant(self, line: str) -> Sequence[Any]:
        """Return the moves of a line; nothing after printing the reason; raises Illegal."""
        if numbers := self._numbers(line):
            return numbers
        fitting = search(self.listed(), line)
        if len(fitting) == 1 and (not is_roll(fitting[0]) or re.search(r"\d", line)):
            return [fitting[0].move]
        if fitting:
            answers.list_moves(self, fitting, line)
        elif hint := self.many():
            return self._thrown(line, hint)
        else:
            self._say_why_not(line)
        return ()

    def _thrown(self, line: str, hint: str) -> Sequence[Any]:
        """Return the roll of a line, if rolls are too many to list."""
        try:
            move = thrown(self.game, self.state, self.spoken(), line)
        except NotAMove as fault:
            why = sentence(translated(fault.args[0], self.language), ".")
            if re.search(r"[^\W\d]", line):
                self._say_why_not(line, f"{why} {hint}")
            else:  # dice alone can be no other move
                self.say(f"{why} {hint}")
            return ()
        self.game.apply(self.state, move)
        return [move]

    def _say_why_not(self, line: str, otherwise: str = "") -> None:
        """Print the rule that forbids a typed line, or what may be typed."""
        facts = (self.game, self.state, self.listed(), line, self.names, self.language)
        if fault := refusal(*facts):
            self.refuse(fault)
        elif otherwise:
            self.say(otherwise)
        else:
            answers.list_moves(self, (), line)

    # ------------------------------------------------------------ files and resuming

    def _save(self, how: str, name: str) -> None:
        if fault := played.save(how, name, self._recorded()):
            self.say(fault)
            return
        again = raw(self._resume(str(Path(name).expanduser())))
        self.say(_("Saved to {file}. Go on with: {command}", file=raw(name), command=again))

    def _recorded(self) -> recording.Recording:
        """Return the match so far as a recording."""
        if isinstance(self.begun, New):
            return recording.record(self.game, len(self.named), self.begun.settings, (), self.named)
        return matches.recorded(self.store, self.begun)

    def say_how_to_go_on(self) -> None:
        """Print where the match is stored, and how to resume it here and on a phone."""
        if self.match is None:
            return
        code = raw(self.match.row.whole_code)
        self.say(
            _("The match is kept as {code}. To take back its end, or look at it again:", code=code)
            if self.game.is_over(self.state)
            else _(
                "The match is kept as {code}. Go on with it here, or on a phone by its code:",
                code=code,
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
