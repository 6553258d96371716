"""“What may I do?”: the legal moves in words, with the score that each leads to, the best first."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby, islice, takewhile
from typing import Any

from scorer import Game, Table
from scorer.game import kind_of
from scorer.sentence import OF_DICE, Spoken, step
from webui.match.match import Match

BY_CHANCE = {*OF_DICE, "draws", "flips"}  # words before the pips of moves made by chance
PIPS = re.compile(r"[0-6](-[0-6])*[,.]?")
TILE = re.compile(r"[0-6]-[0-6]")
NEXT_FEW = 40  # up to this number of choices the next move is searched too
NEXT_MOVES = 60  # searched for each


@dataclass(frozen=True, slots=True)
class PossibleMove:
    """A legal move in words with its consequences.

    `score` is None if no point changes, `at_best` the best score of the same player's next move.
    `turn` are the points of an unfinished turn. `table` is the table afterwards, if that is hard to
    imagine: a row that splits, a stack.
    """

    text: str
    score: tuple[int, ...] | None
    at_best: bool
    turn: int | None
    table: Table | None


@dataclass(frozen=True, slots=True)
class Possible:
    """The choices, the best first, and the beginnings of sentences that dice or tiles complete."""

    choices: tuple[PossibleMove, ...]
    by_chance: tuple[str, ...]


def possible(match: Match, most: int) -> tuple[Possible, int]:
    """Return the legal moves, at *most* that many choices, and the number left out."""
    by_chance, chosen = [], []
    for _kind, alike in groupby(match.spoken(), key=lambda spoken: kind_of(spoken.move)):
        moves = list(alike)
        if _nobody_chooses(moves[0]):
            by_chance.append(" ".join(step(moves, ()).said))
        else:
            chosen += moves
    choices = sorted(_choices(match, chosen), key=lambda ranked: ranked[0], reverse=True)
    shown = tuple(make() for _value, make in choices[:most])
    return Possible(shown, tuple(by_chance)), max(0, len(choices) - most)


def _nobody_chooses(spoken: Spoken) -> bool:
    words = spoken.english.split() or spoken.words
    before = [*takewhile(lambda word: not PIPS.fullmatch(word), words)]
    tile = any(TILE.match(word) for word in words[len(before) : len(before) + 1])
    return len(before) < len(words) and bool({*before} & BY_CHANCE or (tile and "holds" in before))


Ranked = tuple[tuple[int, int], Callable[[], PossibleMove]]


def _choices(match: Match, moves: Sequence[Spoken]) -> Iterator[Ranked]:
    """Yield the value of each move for its player, and the parts that distinguish it."""
    game, state = match.rules(), match.state
    mover = (*game.to_move(state), 0)[0]
    before = game.earned(state)
    lead = partial(_lead, seat=mover, lowest=game.lowest(state))
    for spoken in moves:
        after = game.apply(state, spoken.move)
        score, at_best = game.earned(after), False
        if score == before and len(moves) <= NEXT_FEW:
            score, at_best = _best_next(game, after, mover, lead)
        turn = game.turn_total(after) if mover in game.to_move(after) else None

        def make(
            spoken: Spoken = spoken,
            after: Any = after,
            score: tuple[int, ...] = score,
            at_best: bool = at_best,
            turn: int | None = turn,
        ) -> PossibleMove:
            changed = None if score == before else score
            return PossibleMove(
                spoken.text, changed, at_best, turn, _hard_to_see(game, state, after)
            )

        yield (lead(score), turn or 0), make


def _best_next(
    game: Game[Any, Any], state: Any, mover: int, lead: Callable[[Sequence[int]], int]
) -> tuple[tuple[int, ...], bool]:
    """Return the best score after the next move, if the same player makes it."""
    score: tuple[int, ...] = game.earned(state)
    if game.to_move(state) != (mover,):
        return score, False
    following = [game.apply(state, move) for move in islice(game.legal_moves(state), NEXT_MOVES)]
    best = max((game.earned(after) for after in following), key=lead)
    return (best, True) if lead(best) > lead(score) else (score, False)


def _lead(score: Sequence[int], seat: int, *, lowest: bool) -> int:
    """Return by how much a seat leads; where the fewest points win, by how many it has fewer."""
    others = [points for other, points in enumerate(score) if other != seat]
    if lowest:
        return min(others, default=0) - score[seat]
    return score[seat] - max(others, default=0)


def _hard_to_see(game: Game[Any, Any], before: Any, after: Any) -> Table | None:
    """Return a surface on which the move strikes a row or stacks a tile."""
    surfaces = zip(game.equipment(before).spots, game.equipment(after).spots, strict=False)
    for old, new in ((old.table, new.table) for old, new in surfaces):
        stacked = {tile for tile in new.tiles if (tile.level or 0) > 1} - {*old.tiles}
        struck = sum(mark.mark == "struck" for mark in new.marks)
        if stacked or struck > sum(mark.mark == "struck" for mark in old.marks):
            return new
    return None
