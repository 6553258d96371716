"""The meaning of a photo in a match: all moves since the last one, including unseen ones.

`observe` interprets a table in one state. Between two photos there may have been moves that no
photo shows: who starts, what was called or chosen (`Game.unseen`). Each legal one is tried before
the photo. A single explanation is used; of several a person chooses. Nothing is stored or guessed
here.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from scorer import phases
from scorer.errors import Illegal, NotScored
from scorer.game import Equipment, Game, kind_of
from scorer.messages import Message, _, joined
from scorer.photo.answered_marks import as_answered
from scorer.photo.meaning import Counted, Meaning, ReadTable, Way
from scorer.proposal import Difference, Doubt, asked
from scorer.table import Table
from scorer.words import either_of, in_turn

UNSEEN = 2  # maximum of successive unseen moves tried before a photo
LISTED = 5_000  # legal moves searched for them; thirteen dice have over a million outcomes
WAYS = 12  # maximum of explanations searched; a person chooses among far fewer
NOTHING = _("nothing new was found")
UNTOLD = _("the photo does not show which it was")
LATEST = 12  # earlier photos compared: a stale one is seldom older


# Reads the photo with the given equipment, as one of its surfaces.
ReadSpot = Callable[[Equipment, int], ReadTable]


def observed(
    game: Game[Any, Any], state: Any, reading: ReadTable, unseen: Sequence[Any] = ()
) -> Way:
    """Interpret a table after the moves *unseen*; doubts about known pieces are dropped."""
    wanted = game.equipment(state)
    table_before = wanted.surface(reading.table.spot).table
    table = as_answered(reading.table, wanted, reading.past)
    reading = replace(reading, table=_in_known_colours(table, table_before, tuple(wanted.colours)))
    proposal = game.observe(state, reading.table)
    reading = replace(
        reading, doubts=tuple(d for d in reading.doubts if not _is_known(d, reading, table_before))
    )
    if proposal.complete:
        reading = replace(reading, doubts=tuple(map(_unless_missed, reading.doubts)))
    after = state if proposal.differences else played(game, state, proposal.moves)
    return Way(tuple(unseen), reading, proposal, after)


def played(game: Game[Any, Any], state: Any, moves: Sequence[Any]) -> Any:
    """Return the state after *moves*; raises Illegal."""
    for move in moves:
        state = game.apply(state, move)
    return state


def understood(
    game: Game[Any, Any],
    state: Any,
    read: ReadSpot,
    spots: Sequence[int] | None = None,
    *,
    guided: bool = False,
) -> Meaning:
    """Return the meaning of a photo in *state*.

    Args:
        game: its rules.
        state: before the photo.
        read: reads the photo; called again if an unseen move changes the equipment.
        spots: the surfaces that it may show; None: any.
        guided: people enter unseen moves, as on the page. Then one is only added if it is
            the only explanation, and seats are never assumed.
    """
    direct = list(_looks(game, state, read, spots))
    ways = _different(way for way in direct if way.explains)
    if not ways and (
        unchanged := next((way for way in direct if _as_known(game, state, way)), None)
    ):
        step = _step(unchanged, state)
        # An overlooked piece looks as if nothing had happened.
        return step if step.open else replace(step, doubts=(*step.doubts, Doubt(NOTHING)))
    kinds = (() if guided else game.unnoticed(state)) if ways else game.unseen
    if kinds:
        ways = _different((*ways, *_later(game, state, kinds, read, spots)))
    odd = [sum(doubt.taken is not None for doubt in way.proposal.doubts) for way in ways]
    ways = [way for way, count in zip(ways, odd, strict=True) if count == min(odd)]
    if len(ways) == 1:
        return _step(ways[0], state)
    if ways:
        assumed = None if guided else _assumed(game, state, ways)
        return _undecided(game, state, ways, assumed)
    return _step(direct[0], state)


def unless_moved(step: Meaning, lies: bool | None) -> Meaning:
    """Return *step* without the doubt "rolled again?" if the dice have moved.

    Args:
        step: the meaning of a photo by its values.
        lies: whether the dice are where they were on the last photo. None: unknown.
    """
    if lies is not False:
        return step
    return replace(step, doubts=tuple(one for one in step.doubts if one.about != "again"))


def asked_if_old(step: Meaning, photo: Message | None) -> Meaning:
    """Return *step*, with the doubt "a new roll?" if its dice lie as they did on *photo*."""
    if photo is None or not step.moves or step.again:
        return step
    text = _("the dice lie as on {photo}, which is counted: is this a new roll?", photo=photo)
    return replace(step, doubts=(*step.doubts, Doubt(text)))


def unless_taken(step: Meaning) -> Meaning:
    """Return *step* without the doubt "only hidden?": the pieces were seen being taken."""
    return replace(step, doubts=tuple(one for one in step.doubts if one.about != "taken"))


def choices(game: Game[Any, Any], state: Any, ways: Sequence[Way]) -> tuple[Message, ...]:
    """Describe what distinguishes each of *ways*."""
    spots = game.equipment(state).spots
    said = []
    for way in ways:
        words = described(game, state, way.unseen)
        if len({one.reading.table.spot for one in ways}) > 1 and way.reading.table.spot < len(
            spots
        ):
            words = (_("it shows {title}", title=spots[way.reading.table.spot].title), *words)
        said.append(in_turn(words) if words else _("no answer was given"))
    return tuple(said)


def described(game: Game[Any, Any], state: Any, moves: Sequence[Any]) -> tuple[Message, ...]:
    """Describe *moves*, made in *state*."""
    return phases.described(state, moves, game.apply, game.describe)


def shown_before(game: Game[Any, Any], past: Sequence[Counted], read: ReadSpot) -> Counted | None:
    """Return the earlier photo with the same meaning, on a table where pieces stay; or None."""
    for step in reversed(past[-LATEST:]):
        if not step.moves or not game.equipment(step.before).stays:
            continue
        for way in _looks(game, step.before, read, None):
            doubtful = any(doubt.about != "progress" for doubt in way.reading.doubts)
            unchanged = not way.explains and _as_known(game, step.before, way)
            if not doubtful and (unchanged or (way.explains and way.moves == step.moves)):
                return step
    return None


def _looks(
    game: Game[Any, Any],
    state: Any,
    read: ReadSpot,
    spots: Sequence[int] | None,
    unseen: Sequence[Any] = (),
) -> Iterator[Way]:
    """Yield the meanings of the photo in *state* for each possible surface."""
    wanted = game.equipment(state)
    for spot in range(max(len(wanted.spots), 1)) if spots is None else spots:
        yield observed(game, state, read(wanted, spot), unseen)


def _later(
    game: Game[Any, Any],
    state: Any,
    kinds: tuple[type, ...],
    read: ReadSpot,
    spots: Sequence[int] | None,
) -> Iterator[Way]:
    """Yield the ways with the fewest unseen moves that explain the photo."""
    reached: list[tuple[tuple[Any, ...], Any]] = [((), state)]
    for _step in range(UNSEEN):
        reached = [
            ((*unseen, move), game.apply(before, move))
            for unseen, before in reached
            for move in islice(game.legal_moves(before), LISTED)
            if issubclass(kind_of(move), kinds)
        ]
        ways = [
            way
            for unseen, after in reached
            if not game.is_over(after)
            for way in _looks(game, after, read, spots, unseen)
            if way.explains
        ]
        if ways:
            yield from ways
            return


def _different(ways: Iterator[Way] | Sequence[Way]) -> list[Way]:
    found: list[Way] = []
    for way in ways:
        if all(way.state != other.state for other in found):
            found.append(way)
        if len(found) == WAYS:
            break
    return found


def _as_known(game: Game[Any, Any], state: Any, way: Way) -> bool:
    if way.proposal.moves or way.proposal.differences:
        return False
    table = way.reading.table
    table_before = game.equipment(state).surface(table.spot).table
    kinds = (
        (table_before.dice, table.dice),
        (table_before.tiles, table.tiles),
        (table_before.marks, table.marks),
    )
    return any(lying and seen for lying, seen in kinds) or not any(seen for _, seen in kinds)


def _in_known_colours(table: Table, table_before: Table, colours: tuple[str, ...]) -> Table:
    """Return a table in which dice of foreign colours are replaced by the known dice."""
    lying = {(die.cell, die.value): die for die in table_before.dice}
    return replace(
        table,
        dice=tuple(
            replace(die, colour=there.colour, colours=())
            if die.cell
            and die.colour not in colours
            and (there := lying.get((die.cell, die.value)))
            else die
            for die in table.dice
        ),
    )


def _is_known(doubt: Doubt, reading: ReadTable, table_before: Table) -> bool:
    if doubt.piece is None:
        return False
    kind, place = doubt.piece
    if kind == "dice":
        die = reading.table.dice[place]
        there = {(one.value, one.colour, one.cell) for one in table_before.dice}
        return die.cell is not None and (die.value, die.colour, die.cell) in there
    if kind == "marks":
        mark = reading.table.marks[place]
        return any((one.cell, one.mark) == (mark.cell, mark.mark) for one in table_before.marks)
    return False


def _unless_missed(doubt: Doubt) -> Doubt:
    return replace(doubt, about="progress") if doubt.about == "missed" else doubt


def _step(way: Way, before: Any) -> Meaning:
    rules = tuple(
        replace(doubt, others=tuple((*way.unseen, *moves) for moves in doubt.others))
        for doubt in way.proposal.doubts
    )
    doubts = asked(way.reading.doubts, rules, weighed=way.proposal.weighed)
    state = before if way.proposal.differences else way.state
    wrong, weighed = way.proposal.differences, way.proposal.weighed
    return Meaning(way.moves, state, doubts, wrong, weighed=weighed, taken=way.proposal.taken)


def _undecided(
    game: Game[Any, Any], state: Any, ways: Sequence[Way], assumed: Way | None
) -> Meaning:
    """Return the doubt which of several ways it was, or the game's assumption."""
    if assumed is not None:
        taken = joined(", ", described(game, state, assumed.unseen))
        text = _("the photo does not show who is who: assumed that {taken}", taken=taken)
        step = _step(assumed, state)
        return replace(step, doubts=(Doubt(text, about="assumed"), *step.doubts))
    text = joined(": ", (UNTOLD, either_of(choices(game, state, ways))))
    which = Doubt(text, others=tuple(way.moves for way in ways))
    return Meaning((), state, (which, *ways[0].reading.doubts), ways=tuple(ways))


def _assumed(game: Game[Any, Any], state: Any, ways: Sequence[Way]) -> Way | None:
    """Return the first of *ways* if they differ only in which of all seats it was, each once."""
    first = ways[0]
    if game.one_photo is None or len(ways) != len(game.score(state)):
        return None
    if any(way.proposal.moves != first.proposal.moves for way in ways):
        return None
    try:
        opening = game.one_photo.opening(state, first.reading.table)
    except NotScored:
        return None
    kinds = [[kind_of(move) for move in moves] for moves in (opening, first.unseen)]
    return first if opening and kinds[0] == kinds[1] else None


def refused(error: Illegal) -> Difference:
    """Convert a refusal to a difference."""
    return Difference(error.reason, error.rule)
