"""Recordings of matches: JSON lines, the first with the game, then a move with its tally a line.

{"game": "purple_house", "version": 1, "seats": 2, "settings": {"variant": "base"}}
{"move": {"move": "Agree", "starter": 0, "black": 1, "table": 0}, "score": [0, 0]}

The first line may have the players' names: "names": ["Ada", "Ben"]. A move may have a note:
"note": "the die fell off the table".
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scorer.errors import Illegal, Malformed
from scorer.game import Game, dump_move, load_move
from scorer.messages import Message, _, as_message, raw
from scorer.values import as_typed, shown

MOST = 20_000  # maximum of moves in a recording; the longest matches have some hundreds


@dataclass(frozen=True, slots=True)
class Recording:
    """A match as moves with the tally and the note after each; `names` by seat, () if unknown."""

    game: str
    version: int
    seats: int
    settings: Mapping[str, Any]
    moves: tuple[Any, ...]
    scores: tuple[tuple[int, ...], ...]
    names: tuple[str, ...] = ()
    notes: Mapping[int, str] = field(default_factory=dict)


def record(
    game: Game[Any, Any],
    seats: int,
    settings: Mapping[str, Any],
    moves: Sequence[Any],
    names: Sequence[str] = (),
) -> Recording:
    """Record *moves*; raises what `start` and `apply` raise."""
    state, scores = game.start(seats, settings), []
    for move in moves:
        state = game.apply(state, move)
        scores.append(game.score(state))
    return Recording(
        game.name, game.version, seats, settings, tuple(moves), tuple(scores), tuple(names)
    )


def write(recording: Recording) -> Iterator[str]:
    """Yield the lines of *recording* without line breaks."""
    head = {name: getattr(recording, name) for name in ("game", "version", "seats", "settings")}
    yield json.dumps(head | ({"names": recording.names} if recording.names else {}))
    for place, (move, score) in enumerate(zip(recording.moves, recording.scores, strict=True)):
        note = {"note": recording.notes[place]} if place in recording.notes else {}
        yield json.dumps({"move": dump_move(move), "score": score} | note)


def decoded(content: bytes) -> str:
    """Return the text of a file, which Windows may begin with a byte order mark.

    Its PowerShell writes redirected output as UTF-16. Raises UnicodeDecodeError.
    """
    wide = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return content.decode("utf-16" if wide else "utf-8-sig")


def read(lines: Iterable[str], games: Mapping[str, Game[Any, Any]]) -> Recording:
    """Read and replay a recording; raises Malformed with the line and the fault."""
    numbered = [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]
    if not numbered:
        raise Malformed(_("the recording is empty; its first line names the game"))
    if len(numbered) > MOST + 1:
        raise Malformed(
            _(
                "the recording has {number} moves; at most {most} are taken",
                number=len(numbered) - 1,
                most=MOST,
            )
        )
    head = _object(*numbered[0])
    game = games.get(str(head.get("game")))
    if game is None:
        raise _fault(1, _("there is no game {game} here", game=raw(shown(head.get("game")))))
    if head.get("version") != game.version:
        versions = _(
            "recorded under rules version {version}; here {game} has version {ours}",
            version=raw(as_typed(head.get("version"))),
            game=raw(game.title),
            ours=raw(game.version),
        )
        raise _fault(1, versions)
    settings = head.get("settings", {})
    if not isinstance(settings, dict):
        raise _fault(1, _("the settings are no object"))
    try:
        state = game.start(head.get("seats", 0), settings)
    except Malformed as fault:
        raise _fault(1, as_message(fault.args[0])) from None
    names = _names(head.get("names"), head["seats"])
    moves, scores, notes = list[Any](), list[tuple[int, ...]](), dict[int, str]()
    for number, line in numbered[1:]:
        entry = _object(number, line)
        try:
            move = load_move(game, entry.get("move"))
            state = game.apply(state, move)
        except (Malformed, Illegal) as fault:
            raise _fault(number, as_message(fault.args[0])) from None
        score = game.score(state)
        if "score" in entry and entry["score"] != list(score):
            raise _fault(
                number,
                _(
                    "the tally is {ours}, not {theirs}",
                    ours=raw(list(score)),
                    theirs=raw(entry["score"]),
                ),
            )
        if not isinstance(note := entry.get("note", ""), str):
            raise _fault(number, _("the note is no text"))
        if note:
            notes[len(moves)] = note
        moves.append(move)
        scores.append(score)
    played = tuple(moves), tuple(scores), names, notes
    return Recording(game.name, game.version, head["seats"], settings, *played)


def _fault(number: int, why: Message) -> Malformed:
    return Malformed(_("line {number}: {why}", number=number, why=why))


def _names(given: object, seats: int) -> tuple[str, ...]:
    if given is None:
        return ()
    if not isinstance(given, list) or not all(isinstance(name, str) for name in given):
        raise _fault(1, _("the names are no list of texts"))
    if len(given) != seats:
        raise _fault(
            1, _("there are {number} names for {seats} players", number=len(given), seats=seats)
        )
    return tuple(given)


def _object(number: int, line: str) -> dict[str, Any]:
    text = raw(line.strip()[:40])
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        raise Malformed(_("line {number} is not JSON: {text}", number=number, text=text)) from None
    if not isinstance(entry, dict):
        raise Malformed(_("line {number} is not an object: {text}", number=number, text=text))
    return entry
