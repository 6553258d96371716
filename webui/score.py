"""`pipsight score`: photos of finished boards in, points and how they came about out."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from scorer import Because, Game, NotAMove, asked
from scorer.games import GAMES
from scorer.sentence import search, speak
from scorer.values import dump
from webui.bridge import Sight, see
from webui.errors import NotRead


class NotScored(Exception):
    """The photo shows no finished board; `str()` is a sentence that says why."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A finished board in points."""

    score: tuple[int, ...]
    because: tuple[Because, ...]
    outcome: str | None  # why somebody has won, if somebody has
    assumed: str | None  # what the photo cannot tell
    doubts: tuple[str, ...]
    warnings: tuple[str, ...]  # of the eyes, about the photo

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON data; seats from 0."""
        return dump(self)  # type: ignore[no-any-return]


def begin(
    game: str,
    settings: Mapping[str, object],
    players: int | None = None,
    opening: str | None = None,
) -> Any:
    """Return the state before the board: the start, of two if the game takes two, or an *opening*.

    Raises NotAMove, also where the words of the opening are not those of one move.
    """
    rules = GAMES[game]
    usual = 2 if 2 in rules.seats else rules.seats[0]
    state = rules.start(usual if players is None else players, settings)
    if opening is None:
        return state
    found = search(speak(rules, state), opening)
    if len(found) != 1:
        said = "; ".join(one.text for one in found[:3])
        fits = f"more than one move: {said}" if said else "no move that can be made first"
        raise NotAMove(f"--opening {shlex.quote(opening)} fits {fits}")
    return rules.apply(state, found[0].move)


def score_photos(game: str, state: Any, photos: Sequence[Path], *, as_json: bool) -> int:
    """Print the score of each photo, each the first of its match; return 1 if one has none."""
    failed = False
    for path in photos:
        try:
            told, lines = _told(GAMES[game], state, path)
        except (NotRead, NotScored) as fault:
            failed = True
            _print_fault(path, str(fault), as_json=as_json)
            continue
        print(json.dumps(told, ensure_ascii=False) if as_json else "\n".join(lines), flush=True)
    return 1 if failed else 0


def _told(game: Game[Any, Any], state: Any, path: Path) -> tuple[dict[str, Any], Sequence[str]]:
    """Return the object and the lines of a photo; raises NotRead or NotScored."""
    _check_scored_from_photos(game)  # before a second is spent on reading
    sight = _look(game, state, path)
    scored = score(game, state, sight)
    head = {"file": str(path), "game": game.name}
    return head | scored.to_json() | {"reading": sight.reading}, list(_lines(path, scored))


def _check_scored_from_photos(game: Game[Any, Any]) -> None:
    if game.finish is None:
        raise NotScored(
            f"{game.title} is not scored from photos. {game.unscored} Keep the score as you play:"
            f" pipsight serve, or pipsight play {game.name}."
        )


def score(game: Game[Any, Any], state: Any, sight: Sight) -> Scored:
    """Return the points of a board that was seen; raises NotScored."""
    _check_scored_from_photos(game)
    assert game.finish is not None
    warnings = tuple(sight.reading["warnings"])
    wanted = game.equipment(state)
    lying = [die for die in sight.table.dice if die.cell is not None or wanted.board is None]
    if wanted.dice is not None and len(lying) < wanted.dice:
        where = "on the board" if wanted.board else "on the photo"
        raise _not_scored(f"{len(lying)} of {wanted.dice} dice were seen {where}.", warnings)
    finished = game.finish(state, sight.table)
    if finished.asks:
        raise NotScored(_asked(game, state, finished.asks))
    proposal = finished.proposal
    if proposal.differences:
        told = "; ".join(one.sentence for one in proposal.differences)
        raise _not_scored(f"{told}.", warnings)
    assumed = []
    for move in finished.assumed:
        assumed.append(game.describe(state, move))
        state = game.apply(state, move)
    for move in proposal.moves:
        state = game.apply(state, move)
    result = game.result(state)
    return Scored(
        game.score(state),
        game.explain(state),
        None if result is None else result.why,
        "; ".join(assumed) or None,
        tuple(doubt.sentence for doubt in asked(sight.doubts, proposal.doubts)),
        warnings,
    )


def _not_scored(sentence: str, warnings: Sequence[str]) -> NotScored:
    return NotScored(" ".join([sentence, *warnings]))


def _asked(game: Game[Any, Any], state: Any, moves: Sequence[Any]) -> str:
    """Return the question that a photo leaves open, and how to answer it."""
    said = [game.describe(state, move) for move in moves]
    example = f"--opening {shlex.quote(said[0])}"
    return f"The photo does not tell which it was: {', or '.join(said)}. Say it like {example}."


def _look(game: Game[Any, Any], state: Any, path: Path) -> Sight:
    try:
        return see(path.read_bytes(), game.equipment(state))
    except OSError as fault:
        raise NotRead(f"The file cannot be opened: {fault.strerror}.") from fault


def _print_fault(path: Path, sentence: str, *, as_json: bool) -> None:
    if as_json:
        told = {"file": str(path), "error": sentence}
        print(json.dumps(told, ensure_ascii=False), flush=True)
    else:
        print(f"{path}: {sentence}", file=sys.stderr)


def _lines(path: Path, scored: Scored) -> Iterator[str]:
    yield f"{path}:" + (f" {scored.assumed}" if scored.assumed else "")
    for part, entries in groupby(scored.because, key=lambda entry: entry.part):
        yield f"  {part}"
        for entry in entries:
            whose = "" if entry.seat is None else f"player {entry.seat + 1}: {entry.points}"
            yield f"    {entry.text:44} {whose}".rstrip()
    totals = (f"player {seat} has {points}" for seat, points in enumerate(scored.score, start=1))
    yield f"  total: {', '.join(totals)}"
    if scored.outcome:
        yield f"  {scored.outcome}"
    for doubt in scored.doubts:
        yield f"  look again: {doubt}"
    for warning in scored.warnings:
        yield f"  warning: {warning}"
