"""Dice Wide Shut: what the camera looks for, and what a photo means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log

from scorer import table as seen
from scorer.game import Difference, Doubt, Equipment, Proposal, Spot
from scorer.games.dice_wide_shut.board import BOARD
from scorer.games.dice_wide_shut.marks_seen import (
    mark_doubts,
    printed,
    scale,
    unread_marks,
)
from scorer.games.dice_wide_shut.moves import (
    HUES,
    Dice,
    Hue,
    Move,
    Roll,
    Starter,
    Take,
    by_hue,
    counts_said,
    dice_said,
    has_purple,
    pool_said,
)
from scorer.games.dice_wide_shut.rules import apply
from scorer.games.dice_wide_shut.sheet import mark, marks
from scorer.games.dice_wide_shut.state import Sheet, State, roll_of
from scorer.games.dice_wide_shut.takes import take_rules, takes
from scorer.games.dice_wide_shut.unexplained import compared, not_taken, unexplained
from scorer.games.dice_wide_shut.words import describe
from scorer.messages import Message, _, ngettext
from scorer.repair import NEAR, Story, dice_doubts, dice_options, in_words, stories
from scorer.rolls import same_again
from scorer.values import changed
from scorer.words import colour, either_of, in_turn, player

OTHERS = 3  # other explanations named in a doubt; more than that nobody reads


def equipment(state: State) -> Equipment:
    """Return the roll that is wanted; once it lies there, the sheets too, the player's first."""
    if state.order and not state.pool:
        wanted = roll_of(len(state.sheets))
        return Equipment(None, len(wanted), by_hue(wanted))
    # The dice taken may lie beside the sheet, so after the take all are looked for.
    hues = roll_of(len(state.sheets)) if state.due else tuple(hue for hue, _ in state.pool)
    spots = []
    for place in range(len(state.sheets)):
        seat = _seat_of(state, place)
        title = _("{who}'s sheet", who=player(seat))
        dice = tuple(seen.Die(value, hue) for hue, value in state.pool) if not place else ()
        if not place and state.order:
            title = _("the dice or {who}'s sheet", who=player(seat))
        known = seen.Table(dice, marks=printed(state.sheets[seat]), spot=place)
        spots.append(Spot(title, known))
    return Equipment(BOARD, None, by_hue(hues), spots=tuple(spots))


def _seat_of(state: State, spot: int) -> int:
    """Return whose sheet a spot is: the player's, then those of the others, clockwise."""
    return (state.seat + spot) % len(state.sheets)


def observe(state: State, table: seen.Table) -> Proposal:
    """Return the roll, the take or the take and marks that the table shows.

    A photo before the take may show the dice left over, or the one or two taken, or the player's
    sheet, or both. The likeliest explanation the rules allow is proposed; others nearly as likely
    are named in a doubt. A sheet that is not the player's is only compared with what is known.
    """
    if problems := foreign(state, table):
        return Proposal(differences=problems)
    if not state.round:
        settled = observe(apply(state, Starter(0)), table)
        if not settled.moves:
            return settled
        text = _("{who} is taken to have started, since nobody has been named", who=player(0))
        doubt = Doubt(text, about="assumed")
        return changed(settled, moves=(Starter(0), *settled.moves), doubts=(doubt, *settled.doubts))
    seat = _seat_of(state, table.spot)
    if table.spot or not state.order:
        return compared(seat, state.sheets[seat], table.marks)
    if not state.pool:
        return _rolled(state, table)
    return _played(state, table)


def foreign(state: State, table: seen.Table) -> tuple[Difference, ...]:
    """Return what is no part of this game."""
    if not 0 <= table.spot < len(state.sheets):
        text = _("there is no sheet {number}", number=table.spot + 1)
        return (Difference(text, "DW-1"),)
    known = {mark.cell for mark in printed(Sheet())}
    dice = [
        Difference(
            _(
                "a {die} lies there; the dice are red, blue and purple, 1 to 6",
                die=in_words((die.colour, die.value)),
            ),
            "DW-1",
            ("dice", i),
        )
        for i, die in enumerate(table.dice)
        if not _options([die])[0]
    ]
    cells = [
        Difference(
            _(
                "a mark lies beside the sheet: there is no row {row}, column {column} in a"
                " {colour} half",
                row=mark.cell[1] + 1,
                column=mark.cell[2] + 1,
                colour=colour(mark.cell[0]),
            ),
            "DW-1",
            ("marks", i),
        )
        for i, mark in enumerate(table.marks)
        if mark.cell not in known
    ]
    return (*dice, *cells)


def _options(dice: Sequence[seen.Die]) -> list[list[tuple[tuple[Hue, int], float]]]:
    return [
        [((hue, value), share) for (name, value), share in die for hue in HUES if hue == name]
        for die in dice_options(dice, HUES)
    ]


def _rolled(state: State, table: seen.Table) -> Proposal:
    """Return the roll that lies there."""
    wanted = roll_of(len(state.sheets))
    against = compared(state.order[0], state.sheet, table.marks)
    if table.marks and not table.dice:
        return against

    def roll(reading: Dice) -> list[Dice]:
        dice = tuple(sorted(reading))
        return [dice] if tuple(hue for hue, _ in dice) == wanted else []

    options = _options(table.dice)
    told = stories(options, roll) if len(table.dice) == len(wanted) else []
    if not told:
        likeliest = [max(die, key=lambda read: read[1])[0][0] for die in options]
        text = _(
            "{dice} dice were seen; a roll is {wanted}",
            dice=counts_said(by_hue(likeliest)),
            wanted=counts_said(by_hue(wanted)),
        )
        return Proposal(differences=(Difference(text, "DW-2"), *against.differences))
    doubts = list(dice_doubts(enumerate(table.dice), [story.reading for story in told]))
    if state.rolled in [story.meaning for story in told]:
        doubts.append(same_again(pool_said(state.rolled)))
    return Proposal((Roll(told[0].meaning),), tuple(doubts), against.differences)


@dataclass(frozen=True, slots=True)
class _Way:
    """One legal way in which what is seen can have come about, as a meaning of the readings."""

    moves: tuple[Move, ...]
    taken: State  # the state after the take, in which a mark was made
    sheet: Sheet
    lost: int = 0  # dice that checked nothing

    @property
    def outcome(self) -> Hashable:
        """Return what it leaves behind: two sixes may be spent in two ways to one end."""
        return self.taken.pool, self.taken.due, self.sheet


Gone = Mapping[Dice, Story[tuple[Hue, int], Dice]]


def _played(state: State, table: seen.Table) -> Proposal:
    """Return the take and the marks that lie there."""
    gone = {story.meaning: story for story in _dice_gone(state, table.dice)}
    if table.dice and not gone:
        return Proposal(differences=(not_taken(state, table.dice),))
    ways = sorted(_ways(state, table.marks, gone), key=_rank)
    if not ways:
        return unexplained(state, table.marks, list(_after_takes(state, gone)))
    best, near = ways[0].meaning, {ways[0].meaning.outcome: ways[0]}
    for story in ways:
        if story.share >= NEAR * ways[0].share:
            near.setdefault(story.meaning.outcome, story)
    doubts = [] if best.moves else [Doubt(_("nothing has changed since the turn began"))]
    doubts += dice_doubts(enumerate(table.dice), [s.reading for s in near.values()])
    doubts += mark_doubts(state.sheet, best.sheet, table.marks)
    sheets = [story.meaning.sheet for story in near.values()]
    doubts += unread_marks(state.sheet, best.sheet, table.marks, sheets)
    if others := list(near.values())[1:]:
        told = either_of(_told(state, story.meaning) for story in others[:OTHERS])
        text = _("it may also be that {told}", told=told)
        if (more := len(others) - OTHERS) > 0:
            text = _("{text}; or {number} more", text=text, number=more)
        doubts.append(Doubt(text))
    doubts += _absent(state, table, best)
    if best.sheet != state.sheet:
        doubts += _perhaps_anothers(state, table.marks, ways[0].share)
    return Proposal(best.moves, tuple(doubts))


def _rank(story: Story[tuple[Hue, int], _Way]) -> tuple[float, int, bool]:
    """Return the order of stories: likeliest, then fewest lost dice, then without purple."""
    way = story.meaning
    purple = any(isinstance(move, Take) and has_purple(move.dice) for move in way.moves)
    return -round(log(story.share), 6), way.lost, purple


def _told(state: State, way: _Way) -> Message:
    moves = zip((state, way.taken), way.moves, strict=False)
    told = [describe(now, move) for now, move in moves]
    return in_turn(told) if told else _("nothing has changed")


def _absent(state: State, table: seen.Table, way: _Way) -> Iterator[Doubt]:
    """Ask about dice that count as taken only because they are not seen: they may be hidden."""
    if len(table.dice) < 3 or not way.moves or not isinstance(way.moves[0], Take):
        return
    if len(way.moves) == 1:
        dice = way.moves[0].dice
        text = ngettext(
            "{dice} is not seen: taken by {who}, or only hidden?",
            "{dice} are not seen: taken by {who}, or only hidden?",
            len(dice),
            dice=dice_said(dice),
            who=player(state.seat),
        )
        yield Doubt(text, about="taken")


def _perhaps_anothers(
    state: State, marked: Sequence[seen.MarkedCell], best: float
) -> Iterator[Doubt]:
    """Ask about a sheet that another player's fits as well, as it was."""
    for seat in range(len(state.sheets)):
        fits = scale(marked)(state.sheets[seat]) if seat != state.order[0] else None
        if fits is not None and fits >= NEAR * best:
            text = _(
                "this may be {other}'s sheet, as it was: is it {who}'s?",
                other=player(seat),
                who=player(state.seat),
            )
            yield Doubt(text)


def _dice_gone(state: State, dice: Sequence[seen.Die]) -> list[Story[tuple[Hue, int], Dice]]:
    """Return what may have been taken by the dice seen: the rest of the pool, or the take itself.

    At least three dice are always left (DW-3), so one or two are those taken. After the take the
    rest of the pool can only show that nothing more has gone. Nothing is found where no legal take
    leaves these dice, or where there are none.
    """
    allowed: set[Dice] = {()}
    if state.due is None:
        allowed |= {take.dice for take in takes(state.pool, *take_rules(state))}
    elif len(dice) < 3:
        return [Story((), (), 1.0)]
    pool = Counter(state.pool)

    def meanings(reading: Dice) -> list[Dice]:
        there = Counter(reading)
        gone = there if len(dice) < 3 else pool - there
        taken = tuple(sorted(gone.elements()))
        return [taken] if there <= pool and taken in allowed else []

    return stories(_options(dice), meanings) if dice else []


def _ways(
    state: State, marked: Sequence[seen.MarkedCell], gone: Gone
) -> Iterator[Story[tuple[Hue, int], _Way]]:
    """Yield every legal way to what is seen, from nothing at all to a take with its marks."""
    before = state.sheet
    weigh = scale(marked, before)
    scope = str(state.house["six_power_scope"])
    untouched = weigh(before)
    nothing: Story[tuple[Hue, int], Dice] = Story((), (), 1.0)
    if untouched is not None and (not gone or () in gone):
        dice = gone.get((), nothing)
        yield Story(_Way((), state, before), dice.reading, untouched * dice.share)
    for take, after in _after_takes(state, gone):
        dice = gone.get(take[0].dice if take else (), nothing)
        if untouched is not None and take and gone:
            yield Story(_Way(take, after, before), dice.reading, untouched * dice.share)
        if not marked or after.due is None:
            continue
        for move in marks(before, after.due, scope):
            sheet = mark(before, after.due, move, scope)
            weight = weigh(sheet)
            if weight is not None:
                lost = len(after.due.numbers) - len(move.cells) - len(move.powers)
                way = _Way((*take, move), after, sheet, lost)
                yield Story(way, dice.reading, weight * dice.share)


def _after_takes(
    state: State, gone: Mapping[Dice, object]
) -> Iterator[tuple[tuple[Take, ...], State]]:
    """Yield the takes that fit the dice gone, each with the state after it."""
    if state.due is not None:
        yield (), state
        return
    for take in takes(state.pool, *take_rules(state)):
        if not gone or take.dice in gone:
            yield (take,), apply(state, take)
