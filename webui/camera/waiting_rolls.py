"""A pending roll: its possible meanings, the answers for one tap, and their dependencies."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from scorer import Doubt, Equipment, Illegal, dump_move, load_move, named
from scorer.answers import answers, otherwise
from scorer.messages import Message
from scorer.phases import fault
from scorer.photo.follow import played, understood
from scorer.photo.meaning import Meaning, ReadTable
from webui.camera.answered_doubts import AnsweredDoubt
from webui.eyes.photo import PhotoReading
from webui.eyes.photo_tables import doubts_of
from webui.match import match as matches
from webui.match.match import Match
from webui.match.tap_answers import TapAnswer, tap_answers
from webui.store.rows import Event

MOST_WAYS = 24  # combinations of answers before a roll; with more it stays pending

Meant = Callable[[Match, "WatchedRoll"], Meaning]


@dataclass(frozen=True, slots=True)
class WatchedRoll:
    """A roll that is not counted yet: its readings, and its picture in the log."""

    sighting: str
    photo: str
    read_table: ReadTable
    reading: Mapping[str, Any]
    since: int  # the newest event at that time
    thrown: bool  # the camera saw it being thrown
    more: tuple[Doubt, ...]  # doubts that no picture resolves
    entered: tuple[Mapping[str, Any], ...] = ()  # entered by a person, not by a camera


@dataclass(frozen=True, slots=True)
class AskedRoll:
    """A roll with an open question, as shown on the pages."""

    sighting: str
    photo: str
    sentences: tuple[str, ...]
    options: tuple[TapAnswer, ...]
    behind: int  # rolls pending behind this one


@dataclass(frozen=True, slots=True)
class AnsweredRoll:
    """The answered doubts about dice of the last counted roll that are still there."""

    sighting: str
    doubts: tuple[AnsweredDoubt, ...]


def read_table_of(sight: PhotoReading, wanted: Equipment) -> ReadTable:
    """Return the table of a frame, with the doubts of the reading."""
    return ReadTable(sight.table, doubts_of(sight, wanted))


def meaning_of(match: Match, read_table: ReadTable) -> Meaning:
    """Return the current meaning of a table; a person enters the moves that no picture shows."""

    def read(_wanted: Equipment, spot: int) -> ReadTable:
        return replace(read_table, table=replace(read_table.table, spot=spot))

    return understood(match.rules(), match.state, read, guided=True)


def entered(match: Match, last: Event, moves: Sequence[object]) -> tuple[dict[str, Any], ...]:
    """Return *moves* as JSON if they may be the loose dice of the *last* step, else ()."""
    if match.closed or matches.equipment(match).spots:
        return ()
    read = tuple(load_move(match.rules(), move) for move in moves)
    dumped = tuple(map(dump_move, read))
    alike = {move["move"] for move in last.moves or ()} & {move["move"] for move in dumped}
    return dumped if alike and not fault(partial(played, match.rules()), match.state, read) else ()


def meaning_of_entered(match: Match, roll: WatchedRoll) -> Meaning:
    """Return the meaning of a roll that a person entered; empty if it is no longer legal."""
    moves = tuple(load_move(match.rules(), move) for move in roll.entered)
    if fault(partial(played, match.rules()), match.state, moves):
        return Meaning((), match.state)
    return Meaning(moves, match.state, roll.more)


def prompt(match: Match) -> Message:
    """Return what to do next in a match."""
    return named(match.rules().prompt(match.state), match.names)


def options(match: Match, roll: WatchedRoll, step: Meaning) -> tuple[TapAnswer, ...]:
    """Return the possible meanings of the roll, the likeliest first, as moves to store."""
    return tap_answers(match.rules(), match.state, match.names, _possible(match, roll, step))


def _possible(match: Match, roll: WatchedRoll, step: Meaning) -> Iterator[Sequence[Any]]:
    """Yield the possible moves of the roll."""
    yield from answers(step)
    for table in otherwise(roll.read_table.table, step.open):
        other = meaning_of(match, ReadTable(table))
        if other.settled:
            yield other.moves


def depends(match: Match, roll: WatchedRoll, before: Sequence[WatchedRoll], meant: Meant) -> bool:
    """Return True if a roll depends on the answers about those *before* it.

    It does not if it means the same after each answer, and each answer is still possible after it.
    """
    step = meant(match, roll)
    if not step.sure or not step.moves:
        return True
    ways = _ways(match, before, meant)
    return len(ways) > MOST_WAYS or any(
        not _is_alike(match, way, step.moves, roll, meant) for way in ways
    )


def _ways(match: Match, rolls: Sequence[WatchedRoll], meant: Meant) -> list[tuple[Any, ...]]:
    """Return the moves of each combination of answers for *rolls*; (): it was not a roll."""
    ways: list[tuple[Any, ...]] = [()]
    for roll in rolls:
        ways = [(*way, *moves) for way in ways for moves in _answers(match, way, roll, meant)]
        if len(ways) > MOST_WAYS:
            break
    return ways


def _answers(
    match: Match, way: tuple[Any, ...], roll: WatchedRoll, meant: Meant
) -> Iterator[Sequence[Any]]:
    yield ()
    then = replace(match, state=played(match.rules(), match.state, way), memo={})
    if not then.rules().is_over(then.state):
        yield from _possible(then, roll, meant(then, roll))


def _is_alike(
    match: Match, way: tuple[Any, ...], moves: tuple[Any, ...], roll: WatchedRoll, meant: Meant
) -> bool:
    """Whether a roll also means *moves* after a combination of answers, in either order."""
    game = match.rules()
    try:
        answered = played(game, match.state, way)
        first, last = (played(game, match.state, one) for one in ((*moves, *way), (*way, *moves)))
    except Illegal:
        return False
    if game.is_over(answered) or first != last:
        return False
    step = meant(replace(match, state=answered, memo={}), roll)
    return step.sure and tuple(step.moves) == tuple(moves)
