"""`pipsight play GAME`: a whole match in a terminal, no camera, no server.

A move is typed in words ("black 3 row 1 column 2"); as soon as the words fit only one legal move it
is played. The match is kept from its first move on, can be saved as a recording, and gone on with.
"""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from scorer import Game, Illegal, Malformed, Table, named, recording, replay
from scorer.games import GAMES
from scorer.sentence import MOST, Spoken, lying, search, speak
from webui import console, kept

SHOWN = 12  # moves listed before the person is asked for more words
HELP = """Type a move in words ("black 3 row 1 column 2"), or part of it to see what fits.
  moves    what is possible now       why      how the points came about
  undo     take back the last move    history  the moves so far
  save F   write the match to a file  quit     stop; the match is kept to go on later
  replace F  the same, in place of what the file holds"""
MANY = "There are too many ways to list. Type the dice as they lie, like: red 1 1 4 5, blue 2 3 6"

NOT_KEPT = "Save it with save FILE, or quit once more to throw it away."

Say = Callable[[str], None]
Ask = Callable[[str], str]


class Session:
    """A match at the terminal: the moves so far and what to do with a typed line.

    After each move it is written to its file in the folder *keep*, if one is given.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        names: Sequence[str],
        settings: Mapping[str, object],
        say: Say,
        keep: kept.Kept | None = None,
    ) -> None:
        self.game, self.names, self.settings, self.say = game, tuple(names), settings, say
        self.keep, self.lost = keep, ""  # why the last step could not be kept
        self.moves: list[Any] = []
        self.state = game.start(len(self.names), settings)

    def take(self, line: str) -> bool:
        """Do what *line* says; return False when the person wants to stop."""
        word, _, rest = line.strip().partition(" ")
        match word.lower():
            case "":
                return True
            case "quit" | "exit":
                return self._stays()
            case "help" | "?":
                self.say(HELP)
            case "undo":
                self._undo()
            case "why":
                self._why()
            case "history":
                self._history()
            case "save" | "replace" as how:
                self._save(how, rest.strip())
            case "moves":
                self._find(rest)
            case _:
                self._play(line)
        return True

    def show(self) -> None:
        """Say the tally and what is next."""
        tally = ", ".join(
            f"{name} {points}"
            for name, points in zip(self.names, self.game.score(self.state), strict=True)
        )
        self.say(f"\n{tally}\n{self._words(self.game.prompt(self.state))}")

    def _words(self, sentence: str) -> str:
        return named(sentence, self.names)

    def _play(self, line: str) -> None:
        spoken = speak(self.game, self.state, self.names)
        if len(spoken) == MOST:
            self._throw(line)
            return
        fitting = search(spoken, line)
        if len(fitting) == 1:
            self._make([fitting[0].move])
        else:
            self._list(fitting, line)

    def _make(self, moves: Sequence[Any]) -> None:
        for move in moves:
            self.say(f"→ {self._words(self.game.describe(self.state, move))}")
            self.state = self.game.apply(self.state, move)
            self.moves.append(move)
        self._kept()
        self.show()

    def _throw(self, line: str) -> None:
        """Play what the typed dice mean."""
        try:
            colours = self.game.equipment(self.state).colours
            proposal = self.game.observe(self.state, Table(lying(line, colours)))
        except Malformed as fault:
            self.say(str(fault))
            return
        for sentence in (
            *(one.sentence for one in proposal.differences),
            *(one.sentence for one in proposal.doubts),
        ):
            self.say(self._words(sentence))
        if proposal.moves and not proposal.differences:
            self._make(proposal.moves)
        else:
            self.say(MANY)

    def _find(self, words: str) -> None:
        spoken = speak(self.game, self.state, self.names)
        if len(spoken) == MOST:
            self.say(MANY)
        else:
            self._list(search(spoken, words), words)

    def _list(self, fitting: Sequence[Spoken], typed: str) -> None:
        if not fitting:
            self.say(f"No move now fits “{typed.strip()}”. Type moves to see what is possible.")
            return
        for one in fitting[:SHOWN]:
            self.say(f"  {one.text}")
        if len(fitting) > SHOWN:
            self.say(f"  … and {len(fitting) - SHOWN} more: say more words")

    def _undo(self) -> None:
        if not self.moves:
            self.say("There is nothing to take back.")
            return
        self.moves.pop()
        self.state = replay(self.game, len(self.names), self.settings, self.moves)
        self._kept()
        self.show()

    def _why(self) -> None:
        part = None
        for entry in self.game.explain(self.state):
            if entry.part != part:
                part = entry.part
                self.say(self._words(part))
            whose = "" if entry.seat is None else f" → {self.names[entry.seat]} {entry.points:+d}"
            self.say(f"  {self._words(entry.text)}{whose}")

    def _history(self) -> None:
        state = self.game.start(len(self.names), self.settings)
        for number, move in enumerate(self.moves, start=1):
            self.say(f"{number:4} {self._words(self.game.describe(state, move))}")
            state = self.game.apply(state, move)

    def _save(self, how: str, name: str) -> None:
        if not name:
            self.say("Say where to: save match.jsonl")
            return
        path, recorded = Path(name), self.recorded()
        if how == "save" and path.exists() and not kept.is_earlier(path, recorded):
            self.say(
                f"{name} holds something else, which was left as it is."
                f" Save under another name, or type: replace {name}"
            )
            return
        try:
            kept.write(path, recorded)
        except kept.NotKept as fault:
            self.say(str(fault))
            return
        self.lost = ""
        self.say(f"Saved to {name}. Go on with: {self._command(path)}")

    def _kept(self) -> None:
        """Keep the match as it stands; say so once if that does not work."""
        if self.keep is None:
            return
        before, self.lost = self.lost, ""
        try:
            self.keep.write(self.recorded())
        except kept.NotKept as fault:
            self.lost = f"The match is not kept: {fault}"
            if not before:
                self.say(f"{self.lost} Save it elsewhere with save FILE.")

    def _stays(self) -> bool:
        """Say whether a match that would be lost keeps the person here; it does so once."""
        if not self.lost:
            return False
        self.say(f"{self.lost} {NOT_KEPT}")
        self.lost = ""
        return True

    def say_how_to_go_on(self) -> None:
        """Say where the match is, or that it is not."""
        if self.keep and self.keep.path:
            self._kept()  # Ctrl-C may have come between a move and its file
        if self.lost:
            self.say(self.lost)
        elif self.moves and self.keep and self.keep.path:
            self.say(f"The match is kept. Go on with: {self._command(self.keep.path)}")

    def _command(self, path: Path) -> str:
        usual = tuple(f"player {seat + 1}" for seat in range(len(self.names)))
        names = () if self.names == usual else self.names
        words = ["pipsight", "play", self.game.name, *names, "--resume", str(path)]
        return subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)

    def recorded(self) -> recording.Recording:
        """Return the match so far as a recording."""
        return recording.record(self.game, len(self.names), self.settings, self.moves)


def play(
    game: str,
    names: Sequence[str],
    settings: Mapping[str, object],
    resume: Path | None = None,
    ask: Ask = input,
    say: Say | None = None,
    keep: Path | None = None,
) -> int:
    """Play until the person stops; return the exit code, 2 if the match cannot be begun.

    The match is kept in the folder *keep* from its first move on.
    """
    say = say or _print
    try:
        session = _begin(game, names, settings, resume, say)
    except (Malformed, Illegal) as error:
        say(f"The match cannot be begun: {error}.")
        return 2
    if keep is not None:
        session.keep = kept.Kept(keep, session.game, resume)
    say(f"{session.game.title}. Type help for help.")
    session.show()
    code = 0
    try:
        while session.take(ask("> ")):
            pass
    except EOFError:
        say("")
    except KeyboardInterrupt:
        say("")
        code = console.INTERRUPTED
    session.say_how_to_go_on()
    return code


def _print(text: str) -> None:
    print(text if console.can_show(text) else text.replace("→", "->"))


def _begin(
    game: str,
    names: Sequence[str],
    settings: Mapping[str, object],
    resume: Path | None,
    say: Say,
) -> Session:
    if resume is None:
        return Session(GAMES[game], names, settings, say)
    recorded = kept.read(resume)
    if recorded.game != game:
        raise Malformed(f"{resume} holds a match of {recorded.game}")
    known = [*names, *(f"player {seat + 1}" for seat in range(len(names), recorded.seats))]
    session = Session(GAMES[game], known[: recorded.seats], recorded.settings, say)
    for move in recorded.moves:
        session.state = session.game.apply(session.state, move)
        session.moves.append(move)
    return session
