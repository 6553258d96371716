"""What a photo means in a match: the moves since the last one, also those that no photo shows.

`observe` says what a table means in one state. Between two photos there may have been moves that
no photo shows: who starts, what was called or chosen (`Game.unseen`). Each that the rules allow is
tried before the photo. Where one reading is left it is taken; where several are, a person says
which it was. Nothing is stored here, and nothing is guessed.
"""

from __future__ import annotations

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

UNSEEN = 2  # unseen moves in a row that are tried before a photo
LISTED = 5_000  # legal moves looked through for them; thirteen dice fall in over a million ways
WAYS = 12  # explanations of one photo that are looked for; a person chooses among far fewer
NOTHING = _("nothing new was found")
UNTOLD = _("the photo does not show which it was")
LATEST = 12  # photos back that are compared with: a stale one is seldom older


# Reads the photo for what the rules want to see, as a surface of theirs.
ReadSpot = Callable[[Equipment, int], ReadTable]


def observed(
    game: Game[Any, Any], state: Any, reading: ReadTable, unseen: Sequence[Any] = ()
) -> Way:
    """Return what a table means in *state*, after the moves *unseen* that led there.

    What the eyes doubt, and the match knows to lie there, is no doubt.
    """
    table_before, wanted = _known(game, state, reading.table.spot), game.equipment(state)
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
    """Return what a photo means in *state*.

    Args:
        game: its rules.
        state: before the photo.
        read: reads the photo; it is asked again where an unseen move changes what is looked for.
        spots: the surfaces that it may show; None: any.
        guided: people enter the moves that no photo shows, as on the page. Then only one that
            alone explains the photo is added, and which seat is whose is never assumed.
    """
    direct = list(_looks(game, state, read, spots))
    ways = _different(way for way in direct if way.explains)
    if not ways and (
        unchanged := next((way for way in direct if _as_known(game, state, way)), None)
    ):
        step = _step(unchanged, state)
        # A piece that was overlooked looks as if nothing had happened.
        return step if step.open else replace(step, doubts=(*step.doubts, Doubt(NOTHING)))
    kinds = (() if guided else game.unnoticed(state)) if ways else game.unseen
    if kinds:
        ways = _different((*ways, *_later(game, state, kinds, read, spots)))
    ways = _plainest(ways)
    if len(ways) == 1:
        return _step(ways[0], state)
    if ways:
        assumed = None if guided else _assumed(game, state, ways)
        return _undecided(game, state, ways, assumed)
    return _step(direct[0], state)


def unless_moved(step: Meaning, lies: bool | None) -> Meaning:
    """Return *step* without the question whether dice were rolled again, where they lie otherwise.

    Args:
        step: what a photo means by its values.
        lies: do the dice lie as they lay on the last one? None: nobody can tell.
    """
    if lies is not False:
        return step
    return replace(step, doubts=tuple(one for one in step.doubts if one.about != "again"))


def asked_if_old(step: Meaning, photo: Message | None) -> Meaning:
    """Return *step* with the question whether it is a new roll, where its dice lie as on *photo*.

    Dice that may be those of the last roll are asked about already.
    """
    if photo is None or not step.moves or step.again:
        return step
    text = _("the dice lie as on {photo}, which is counted: is this a new roll?", photo=photo)
    return replace(step, doubts=(*step.doubts, Doubt(text)))


def unless_taken(step: Meaning) -> Meaning:
    """Return *step* without the question whether what is gone is only hidden: it was seen taken."""
    return replace(step, doubts=tuple(one for one in step.doubts if one.about != "taken"))


def choices(game: Game[Any, Any], state: Any, ways: Sequence[Way]) -> tuple[Message, ...]:
    """Return in words what tells each of *ways* from the others."""
    spots = game.equipment(state).spots
    said = []
    for way in ways:
        words = told(game, state, way.unseen)
        if len({one.reading.table.spot for one in ways}) > 1 and way.reading.table.spot < len(
            spots
        ):
            words = (_("it shows {title}", title=spots[way.reading.table.spot].title), *words)
        said.append(in_turn(words) if words else _("no answer was given"))
    return tuple(said)


def told(game: Game[Any, Any], state: Any, moves: Sequence[Any]) -> tuple[Message, ...]:
    """Return *moves*, made in *state*, in words."""
    return phases.told(state, moves, game.apply, game.describe)


def shown_before(
    game: Game[Any, Any],
    past: Sequence[Counted],
    read: ReadSpot,
    spots: Sequence[int] | None = None,
) -> Counted | None:
    """Return the photo that showed the very same already, of a table where things stay; or None.

    A photo of what lay there earlier means in the state of then what it meant then.
    """
    for step in reversed(past[-LATEST:]):
        if not step.moves or not game.equipment(step.before).stays:
            continue
        for way in _looks(game, step.before, read, spots):
            doubtful = any(doubt.about != "progress" for doubt in way.reading.doubts)
            unchanged = not way.explains and _as_known(game, step.before, way)
            if not doubtful and (unchanged or (way.explains and way.moves == step.moves)):
                return step
    return None


# ---------------------------------------------------------------- ways to explain a photo


def _looks(
    game: Game[Any, Any],
    state: Any,
    read: ReadSpot,
    spots: Sequence[int] | None,
    unseen: Sequence[Any] = (),
) -> Iterator[Way]:
    """Yield what the photo means in *state* as each surface that it may show."""
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
    """Yield the ways with as few moves of these kinds before the photo as explain it."""
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
    """Return the ways that lead to different states, the first to each, at most WAYS."""
    found: list[Way] = []
    for way in ways:
        if all(way.state != other.state for other in found):
            found.append(way)
        if len(found) == WAYS:
            break
    return found


def _plainest(ways: Sequence[Way]) -> list[Way]:
    """Return the ways in which the fewest pieces are taken for others than they look like."""
    odd = [sum(doubt.taken is not None for doubt in way.proposal.doubts) for way in ways]
    return [way for way, count in zip(ways, odd, strict=True) if count == min(odd)]


def _as_known(game: Game[Any, Any], state: Any, way: Way) -> bool:
    """Return True if a photo shows what is known to lie there and nothing more."""
    if way.proposal.moves or way.proposal.differences:
        return False
    table = way.reading.table
    table_before = _known(game, state, table.spot)
    kinds = (
        (table_before.dice, table.dice),
        (table_before.tiles, table.tiles),
        (table_before.marks, table.marks),
    )
    return any(lying and seen for lying, seen in kinds) or not any(seen for _, seen in kinds)


def _known(game: Game[Any, Any], state: Any, spot: int) -> Table:
    spots = game.equipment(state).spots
    return spots[spot].table if spot < len(spots) else Table()


def _in_known_colours(table: Table, table_before: Table, colours: tuple[str, ...]) -> Table:
    """Return a table on which dice of no colour of the game's are what they are known to be.

    A person was asked about such a die when it came to lie there.
    """
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
    """Return True if a doubtful piece looks like the one that is known to lie in its place."""
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
    """Return a doubt that asks nothing if it is about a piece that may have been missed."""
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
    """Return the question which of several ways it was, or what the game assumes there."""
    if assumed is not None:
        taken = joined(", ", told(game, state, assumed.unseen))
        text = _("the photo does not show who is who: assumed that {taken}", taken=taken)
        step = _step(assumed, state)
        return replace(step, doubts=(Doubt(text, about="assumed"), *step.doubts))
    text = joined(": ", (UNTOLD, either_of(choices(game, state, ways))))
    which = Doubt(text, others=tuple(way.moves for way in ways))
    return Meaning((), state, (which, *ways[0].reading.doubts), ways=tuple(ways))


def _assumed(game: Game[Any, Any], state: Any, ways: Sequence[Way]) -> Way | None:
    """Return the first of *ways* where they only tell seats that nothing else tells apart yet.

    Then there are as many as seats, the photo shows the same moves in all of them, and the game
    assumes such moves itself where it scores a finished board.
    """
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
    """Return a refusal as what cannot be."""
    return Difference(error.reason, error.rule)
