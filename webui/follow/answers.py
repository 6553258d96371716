"""Prepared answers about photos, from a file: by the photo's name, its table and moves.

{"roll-07.jpg": {"dice": [{"value": 5, "color": "white", "cell": null}]},
 "roll-08.jpg": {"moves": [{"move": "Hold"}, {"move": "Roll", "pips": 4}]}}

Or the output of `pipsight read --json` with corrections: an object a line with its "file". Pieces
are the `dice`, `tiles` and `marks` of a reading; other keys are ignored.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from scorer import Game, Illegal, Malformed, Table, load_move
from scorer.messages import _, as_message, joined, raw
from scorer.photo.follow import played, refused
from scorer.photo.meaning import Meaning
from scorer.recording import decoded
from scorer.values import SchemaError, reader
from webui.api.sent import Tapped
from webui.follow.follower import Ask, AskedPhoto, nobody
from webui.http.bodies import load_json
from webui.languages import reason

PIECES = {
    "dice": ("value", "colour", "cell"),
    "tiles": ("halves", "cells", "level"),
    "marks": ("cell", "mark"),
}
PLAIN = "white"  # the default colour of a die, as for typed dice


@dataclass(frozen=True, slots=True)
class PhotoAnswer:
    """A person's answer about one photo: the table, or the moves since the last photo.

    None: not answered. `moves` (): nothing has happened.
    """

    table: Table | None = None
    moves: tuple[Any, ...] | None = None


class Answers:
    """Answers by photo."""

    def __init__(self, by_name: Mapping[str, PhotoAnswer]) -> None:
        self._by_name = by_name
        self.names = by_name.keys()

    def of(self, photo: Path) -> PhotoAnswer | None:
        """Return the answer about *photo*, by its path as given or by its name."""
        return self._by_name.get(str(photo), self._by_name.get(photo.name))


def load(path: Path, game: Game[Any, Any]) -> Answers:
    """Read a file of answers; raises Malformed, which explains the fault."""
    try:
        text = decoded(path.read_bytes())
    except (OSError, UnicodeDecodeError) as fault:
        why = reason(fault) if isinstance(fault, OSError) else _("it is no text")
        raise Malformed(_("{file} cannot be read: {why}", file=raw(path), why=why)) from fault
    if not text.strip():
        raise Malformed(_("{file} is empty, so it has no answers", file=raw(path)))
    found = {}
    for name, entry in _entries(path, text):
        try:
            found[name] = _answer(entry, game)
        except (SchemaError, Malformed) as fault:
            raise Malformed(
                joined("", (raw(f"{path}, {name}: "), as_message(fault.args[0])))
            ) from None
    return Answers(found)


def _entries(path: Path, text: str) -> Iterator[tuple[str, Any]]:
    """Yield names and answers from one object, or from an object a line."""
    try:
        whole = load_json(text)
    except ValueError:
        yield from _by_line(path, text.splitlines())
        return
    if not isinstance(whole, dict):
        raise Malformed(_("{file} is not an object of photo names", file=raw(path)))
    if isinstance(whole.get("file"), str):  # a single reading
        yield whole["file"], whole
    else:
        yield from whole.items()


def _by_line(path: Path, lines: Iterable[str]) -> Iterator[tuple[str, Any]]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            entry = load_json(line)
        except ValueError:
            raise Malformed(
                _("{file}, line {number}: this is not JSON", file=raw(path), number=number)
            ) from None
        if not isinstance(entry, dict) or not isinstance(entry.get("file"), str):
            raise Malformed(
                _(
                    '{file}, line {number}: expected an object with "file"',
                    file=raw(path),
                    number=number,
                )
            )
        yield entry["file"], entry


def _answer(entry: object, game: Game[Any, Any]) -> PhotoAnswer:
    if not isinstance(entry, dict):
        raise Malformed(_("expected an object with dice, tiles, marks or moves"))
    if not entry.keys() & {*PIECES, "moves"}:
        raise Malformed(_("it has no dice, tiles, marks or moves"))
    moves = entry.get("moves")
    if moves is not None and not isinstance(moves, list):
        raise Malformed(_("the moves are not a list"))
    read = None if moves is None else tuple(load_move(game, move) for move in moves)
    return PhotoAnswer(_table(entry) if entry.keys() & PIECES.keys() else None, read)


def _table(entry: Mapping[str, Any]) -> Table:
    """Return the pieces in the form in which the page sends a correction."""
    pieces = {kind: [_piece(kind, one) for one in _list(entry, kind)] for kind in PIECES}
    answer = {"after": 0, "spot": entry.get("spot", 0), **pieces}
    tapped: Tapped = reader(Tapped)(answer)
    return tapped.table()


def _list(entry: Mapping[str, Any], kind: str) -> list[Any]:
    pieces = [] if entry.get(kind) is None else entry[kind]
    if not isinstance(pieces, list):
        raise Malformed(_("{kind} are not a list", kind=raw(kind)))
    return pieces


def _piece(kind: str, given: object) -> dict[str, Any]:
    """Return a piece in the form of the page, where levels count from 1."""
    if not isinstance(given, dict):
        raise Malformed(_("of the {kind} each is an object", kind=raw(kind)))
    piece = dict(given)
    if kind == "dice":
        piece["colour"] = piece.get("color", piece.get("colour", PLAIN))
    if kind == "tiles" and type(piece.get("level")) is int:
        piece["level"] += 1
    return {name: piece[name] for name in PIECES[kind] if name in piece}


def from_file(answers: Answers, then: Ask = nobody) -> Ask:
    """Return an Ask that answers from a file, and calls *then* for the rest."""

    def ask(asked: AskedPhoto) -> Meaning | None:
        answer = answers.of(asked.photo)
        if answer is None:
            return then(asked)
        moved = None if answer.moves is None else _as_moved(asked, answer.moves)
        if moved is not None and (moved.settled or answer.table is None):
            return moved
        assert answer.table is not None
        step = asked.with_table(answer.table)
        return step if step.settled else then(replace(asked, step=step)) or moved or step

    return ask


def _as_moved(asked: AskedPhoto, moves: tuple[Any, ...]) -> Meaning:
    try:
        return Meaning(moves, played(asked.game, asked.state, moves))
    except Illegal as fault:
        text = _("the moves in the answers cannot be made: {why}", why=fault.reason)
        return Meaning((), asked.state, differences=(replace(refused(fault), sentence=text),))
