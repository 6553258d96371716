"""`pipsight score`: photos of finished boards in, points and how they came about out."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from pathlib import Path
from typing import Any

from scorer import Because, Game, Table
from scorer.games import GAMES
from scorer.values import dump
from webui.bridge import Sight, see
from webui.refusal import NotRead

OPENINGS = 1000  # moves tried to get a match to where a photo can be taken


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

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON data; seats from 0."""
        return dump(self)  # type: ignore[no-any-return]


def begin(game: str, settings: Mapping[str, object], players: int | None = None) -> Any:
    """Return the state at the start of a match, of two if the game takes two; raises NotAMove."""
    rules = GAMES[game]
    usual = 2 if 2 in rules.seats else rules.seats[0]
    return rules.start(usual if players is None else players, settings)


def score_photos(game: str, state: Any, photos: Sequence[Path], *, as_json: bool) -> int:
    """Print the score of each photo, each the first of its match; return 1 if one has none."""
    failed = False
    for path in photos:
        try:
            sight = _look(GAMES[game], state, path)
            scored = score(GAMES[game], state, sight)
        except (NotRead, NotScored) as fault:
            failed = True
            _print_fault(path, str(fault), as_json=as_json)
            continue
        if as_json:
            told = {"file": str(path), "game": game, **scored.to_json(), "reading": sight.reading}
            print(json.dumps(told, ensure_ascii=False))
        else:
            print("\n".join(_lines(path, scored)))
    return 1 if failed else 0


def score(game: Game[Any, Any], state: Any, sight: Sight) -> Scored:
    """Return the points of a board that was seen; raises NotScored."""
    wanted = game.equipment(state)
    lying = [die for die in sight.table.dice if die.cell is not None or wanted.board is None]
    if wanted.dice is not None and len(lying) < wanted.dice:
        where = "on the board" if wanted.board else "on the photo"
        seen = f"{len(lying)} of {wanted.dice} dice were seen {where}."
        raise NotScored(" ".join([seen, *sight.reading["warnings"]]))
    attempts = [
        (move, after, game.observe(after, sight.table)) for move, after in _ready(game, state)
    ]
    if not attempts:
        raise NotScored(f"A photo alone cannot start {game.title}; use pipsight serve.")
    legal = [attempt for attempt in attempts if not attempt[2].differences]
    opening, after, proposal = (legal or attempts)[0]
    if not legal:
        raise NotScored("; ".join(one.sentence for one in proposal.differences))
    for move in proposal.moves:
        after = game.apply(after, move)
    result = game.result(after)
    return Scored(
        game.score(after),
        game.explain(after),
        None if result is None else result.why,
        None if opening is None else game.describe(state, opening),
        tuple(doubt.sentence for doubt in (*sight.doubts, *proposal.doubts)),
    )


def _ready(game: Game[Any, Any], state: Any) -> Iterator[tuple[Any, Any]]:
    """Yield states in which a photo can be taken, with the move that leads there from *state*.

    Some matches can be photographed at once; in others something is agreed first, who starts, say.
    """
    if _takes_photos(game, state):
        yield None, state
        return
    for move in islice(game.legal_moves(state), OPENINGS):
        after = game.apply(state, move)
        if _takes_photos(game, after):
            yield move, after


def _takes_photos(game: Game[Any, Any], state: Any) -> bool:
    """Say whether the rules have no quarrel with a table on which nothing lies yet."""
    return not game.observe(state, Table()).differences


def _look(game: Game[Any, Any], state: Any, path: Path) -> Sight:
    try:
        return see(path.read_bytes(), game.equipment(state))
    except OSError as fault:
        raise NotRead(f"The file cannot be opened: {fault.strerror}.") from fault


def _print_fault(path: Path, sentence: str, *, as_json: bool) -> None:
    told = {"file": str(path), "error": sentence}
    print(json.dumps(told, ensure_ascii=False) if as_json else f"{path}: {sentence}")


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
