"""`pipsight play GAME`: a whole match in a terminal, no camera, no server.

A move is typed in words ("black 3 row 1 column 2"); as soon as the words fit only one legal move it
is played. The match can be saved as a recording and gone on with later.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from scorer import Game, Illegal, NotAMove, Table, named, recording, replay
from scorer.games import GAMES
from scorer.sentence import MOST, Spoken, lying, search, speak

SHOWN = 12  # moves listed before the person is asked for more words
HELP = """Type a move in words ("black 3 row 1 column 2"), or part of it to see what fits.
  moves    what is possible now       why      how the points came about
  undo     take back the last move    history  the moves so far
  save F   write the match to a file  quit     stop (say save first to go on later)"""
MANY = "There are too many ways to list. Type the dice as they lie, like: red 1 1 4 5, blue 2 3 6"

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
        self.show()

    def _throw(self, line: str) -> None:
        """Play what the typed dice mean."""
        try:
            proposal = self.game.observe(self.state, Table(lying(line)))
        except NotAMove as fault:
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
        return recording.record(self.game, len(self.names), self.settings, self.moves)


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
