"""`pipsight play GAME`: a whole match in a terminal, no camera, no server.

A move is typed in words ("black 3 row 1 column 2"); as soon as the words fit only one legal move it
is played. The match can be saved as a recording and gone on with later.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from scorer import Game, Illegal, NotAMove, named, recording, replay
from scorer.games import GAMES
from scorer.sentence import Spoken, search, speak

SHOWN = 12  # moves listed before the person is asked for more words
HELP = """Type a move in words ("black 3 row 1 column 2"), or part of it to see what fits.
  moves    what is possible now       why      how the points came about
  undo     take back the last move    history  the moves so far
  save F   write the match to a file  quit     stop (say save first to go on later)"""

Say = Callable[[str], None]
Ask = Callable[[str], str]


class Session:
    """A match at the terminal: the moves so far and what to do with a typed line."""

    def __init__(
        self, game: Game[Any, Any], names: Sequence[str], settings: Mapping[str, object], say: Say
    ) -> None:
        self.game, self.names, self.settings, self.say = game, tuple(names), settings, say
        self.moves: list[Any] = []
        self.state = game.start(len(self.names), settings)

    def take(self, line: str) -> bool:
        """Do what *line* says; return False when the person wants to stop."""
        word, _, rest = line.strip().partition(" ")
        match word.lower():
            case "":
                return True
            case "quit" | "exit":
                return False
            case "help" | "?":
                self.say(HELP)
            case "undo":
                self._undo()
            case "why":
                self._why()
            case "history":
                self._history()
            case "save":
                self._save(rest.strip())
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
        fitting = search(self._spoken(), line)
        if len(fitting) != 1:
            self._list(fitting, line)
            return
        self.state = self.game.apply(self.state, fitting[0].move)
        self.moves.append(fitting[0].move)
        self.say(f"→ {self._words(fitting[0].text)}")
        self.show()

    def _spoken(self) -> list[Spoken]:
        return [
            Spoken(one.move, tuple(self._words(one.text).split()))
            for one in speak(self.game, self.state)
        ]

    def _find(self, words: str) -> None:
        self._list(search(self._spoken(), words), words)

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

    def _save(self, name: str) -> None:
        if not name:
            self.say("Say where to: save match.jsonl")
            return
        try:
            Path(name).write_text("\n".join(recording.write(self.recorded())) + "\n", "utf-8")
        except OSError as error:
            self.say(f"{name} cannot be written: {error.strerror}.")
            return
        self.say(f"Saved to {name}. Go on with: pipsight play {self.game.name} --resume {name}")

    def recorded(self) -> recording.Recording:
        """Return the match so far as a recording."""
        state, scores = self.game.start(len(self.names), self.settings), []
        for move in self.moves:
            state = self.game.apply(state, move)
            scores.append(self.game.score(state))
        return recording.Recording(
            self.game.name,
            self.game.version,
            len(self.names),
            self.settings,
            tuple(self.moves),
            tuple(scores),
        )


def play(
    game: str,
    names: Sequence[str],
    settings: Mapping[str, object],
    resume: Path | None = None,
    ask: Ask = input,
    say: Say = print,
) -> int:
    """Play until the person stops; return the exit code, 2 if the match cannot be begun."""
    try:
        session = _begin(game, names, settings, resume, say)
    except (NotAMove, Illegal, OSError) as error:
        say(f"The match cannot be begun: {error}.")
        return 2
    say(f"{session.game.title}. Type help for help.")
    session.show()
    try:
        while session.take(ask("> ")):
            pass
    except (EOFError, KeyboardInterrupt):
        say("")
    return 0


def _begin(
    game: str,
    names: Sequence[str],
    settings: Mapping[str, object],
    resume: Path | None,
    say: Say,
) -> Session:
    if resume is None:
        return Session(GAMES[game], names, settings, say)
    recorded = recording.read(resume.read_text("utf-8").splitlines(), GAMES)
    if recorded.game != game:
        raise NotAMove(f"{resume} holds a match of {recorded.game}")
    known = [*names, *(f"player {seat + 1}" for seat in range(len(names), recorded.seats))]
    session = Session(GAMES[game], known[: recorded.seats], recorded.settings, say)
    for move in recorded.moves:
        session.state = session.game.apply(session.state, move)
        session.moves.append(move)
    return session
