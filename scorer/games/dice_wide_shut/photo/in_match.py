"""Dice Wide Shut: what the camera looks for, and what a photo means in a match."""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log

from scorer import table as on_table
from scorer.errors import NotScored
from scorer.game import Equipment, Spot
from scorer.games.dice_wide_shut import moves
from scorer.games.dice_wide_shut.board import BOARD
from scorer.games.dice_wide_shut.moves import HUES, Hue, HuedDice, Take
from scorer.games.dice_wide_shut.photo import marks
from scorer.games.dice_wide_shut.photo.unexplained import compared, not_taken, unexplained
from scorer.games.dice_wide_shut.rules import apply, end_turn, legal_takes
from scorer.games.dice_wide_shut.rules import marked as marked_sheets
from scorer.games.dice_wide_shut.state import Sheet, State, roll_of
from scorer.games.dice_wide_shut.words import describe
from scorer.messages import _, ngettext
from scorer.phases import described
from scorer.photo.interpret import (
    LIKELY_RATIO,
    Interpretation,
    dice_doubts,
    dice_options,
    in_words,
    interpretations,
)
from scorer.photo.rolls import same_again
from scorer.proposal import Difference, Doubt, Proposal
from scorer.seats import put
from scorer.values import changed
from scorer.words import colour, either_of, in_turn, listed, player

NO_CHANGE = _("nothing has changed")
OTHERS = 3  # other explanations named in a doubt; more than that nobody reads


def equipment(state: State) -> Equipment:
    """Return the dice of the roll; after it also the sheets, the player's first."""
    wanted = roll_of(len(state.sheets))
    if state.order and not state.pool:
        return Equipment(None, len(wanted), moves.by_hue(wanted))
    # The dice taken may be beside the sheet, so after the take all dice are wanted.
    hues = wanted if state.due else tuple(hue for hue, _ in state.pool)
    spots = []
    for place in range(len(state.sheets)):
        seat = _seat_of(state, place)
        title = _("{who}'s sheet", who=player(seat))
        dice = tuple(on_table.Die(value, hue) for hue, value in state.pool) if not place else ()
        if not place and state.order:
            title = _("the dice or {who}'s sheet", who=player(seat))
        lying = on_table.Table(dice, marks=marks.printed(state.sheets[seat]), spot=place)
        spots.append(Spot(title, lying, seat))
    return Equipment(BOARD, None, moves.by_hue(hues), spots=tuple(spots))


def _seat_of(state: State, spot: int) -> int:
    """Return whose sheet a spot is: the player's, then those of the others, clockwise."""
    return (state.seat + spot) % len(state.sheets)


def observe(state: State, table: on_table.Table) -> Proposal:
    """Return the roll, the take or the take and marks that the table shows.

    A photo before the take may show the dice left over, or the one or two taken, or the player's
    sheet, or both. The likeliest explanation the rules allow is proposed; others nearly as likely
    are named in a doubt. A sheet that is not the player's is only compared with what is known.
    """
    if problems := tuple(foreign(state, table)):
        return Proposal(differences=problems)
    if not state.round:
        settled = observe(apply(state, moves.Starter(0)), table)
        if not settled.moves:
            return settled
        text = _("{who} is assumed to have started, as nobody was named", who=player(0))
        doubts = (Doubt(text, about="assumed"), *settled.doubts)
        return changed(settled, moves=(moves.Starter(0), *settled.moves), doubts=doubts)
    seat = _seat_of(state, table.spot)
    if table.spot or not state.order:
        return compared(seat, state.sheets, table.marks)
    return _played(state, table) if state.pool else _rolled(state, table)


def as_it_lies(state: State, table: on_table.Table) -> State | None:
    """Return the state with a sheet as it is marked, or None if not all of it is seen."""
    if not (state.round and state.order) or any(foreign(state, table)):
        return None
    whole = {mark.cell for mark in marks.printed(Sheet())}
    if whole - {mark.cell for mark in table.marks if marks.was_seen(mark)}:
        return None
    try:
        sheet, _doubts = marks.sheet_seen(table.marks)
    except NotScored:
        return None
    if table.spot or not state.pool:
        return changed(state, sheets=put(state.sheets, _seat_of(state, table.spot), sheet))
    return end_turn(state, state.pool, sheet)


def foreign(state: State, table: on_table.Table) -> Iterator[Difference]:
    """Yield what is no part of this game."""
    if not 0 <= table.spot < len(state.sheets):
        yield Difference(_("there is no sheet {number}", number=table.spot + 1), "DW-1")
        return
    for i, (die, options) in enumerate(zip(table.dice, _options(table.dice), strict=True)):
        if not options:
            shown = in_words((die.colour, die.value))
            text = _("there is a {die}; the dice are red, blue and purple, 1 to 6", die=shown)
            yield Difference(text, "DW-1", ("dice", i))
    printed = {mark.cell for mark in marks.printed(Sheet())}
    for i, off_sheet in enumerate(table.marks):
        if off_sheet.cell not in printed:
            half, row, column = off_sheet.cell
            text = _(
                "a mark is off the sheet: there is no row {row}, column {column} in a {colour} "
                "half",
                row=row + 1,
                column=column + 1,
                colour=colour(half),
            )
            yield Difference(text, "DW-1", ("marks", i))


def _options(dice: Iterable[on_table.Die]) -> list[list[tuple[tuple[Hue, int], float]]]:
    return dice_options(dice, HUES)


def _rolled(state: State, table: on_table.Table) -> Proposal:
    wanted, options = roll_of(len(state.sheets)), _options(table.dice)
    against = compared(state.order[0], state.sheets, table.marks)
    if table.marks and not table.dice:
        return against

    def roll(reading: HuedDice) -> list[HuedDice]:
        dice = tuple(sorted(reading))
        return [dice] if tuple(hue for hue, _ in dice) == wanted else []

    found = interpretations(options, roll) if len(table.dice) == len(wanted) else []
    if not found:
        likeliest = [max(die, key=lambda read: read[1])[0][0] for die in options]
        dice, roll_said = moves.counts_said(likeliest), moves.counts_said(wanted)
        text = _("there are {dice} dice; a roll is {wanted}", dice=dice, wanted=roll_said)
        return Proposal(differences=(Difference(text, "DW-2"), *against.differences))
    readings = [interpretation.reading for interpretation in found]
    doubts = list(dice_doubts(enumerate(table.dice), readings, counted=True))
    if state.rolled in [interpretation.meaning for interpretation in found]:
        doubts.append(same_again(moves.pool_said(state.rolled)))
    roll_seen = moves.Roll(found[0].meaning)
    return Proposal((roll_seen,), tuple(doubts), against.differences, weighed=True)


@dataclass(frozen=True, slots=True)
class _Way:
    """One legal way in which what is seen can have come about, as a meaning of the readings."""

    moves: tuple[moves.Move, ...]
    taken: State  # the state after the take, in which a mark was made
    sheet: Sheet
    lost: int = 0  # dice that checked nothing
    hidden: int = 0  # cells that are new and not seen

    @property
    def outcome(self) -> Hashable:
        """Return what it leaves behind: two sixes may be spent in two ways to one end."""
        return self.taken.pool, self.taken.due, self.sheet

    @property
    def take(self) -> Take | None:
        """Return the take that it begins with, if there is one."""
        first = self.moves[0] if self.moves else None
        return first if isinstance(first, Take) else None


Gone = Mapping[HuedDice, Interpretation[tuple[Hue, int], HuedDice]]
NOTHING: Interpretation[tuple[Hue, int], HuedDice] = Interpretation((), (), 1.0)


def _played(state: State, table: on_table.Table) -> Proposal:
    gone = {one.meaning: one for one in _dice_gone(state, table.dice)}
    if table.dice and not gone:
        return Proposal(differences=(not_taken(state, table.dice),))
    ways = sorted(_ways(state, table.marks, gone), key=_rank)
    if not ways:
        return unexplained(state, table.marks, list(_after_takes(state, gone)))
    near = _near(ways)
    best, *others = (interpretation.meaning for interpretation in near)
    doubts = [] if best.moves else [Doubt(_("nothing has changed since the turn began"))]
    doubts += dice_doubts(enumerate(table.dice), [likely.reading for likely in near])
    sheets = [best.sheet, *(way.sheet for way in others)]
    doubts += marks.in_one(marks.mark_doubts(state.sheet, sheets, table.marks))
    doubts += _other_ways(state, best, others, table.marks)
    if len(table.dice) >= 3 and len(best.moves) == 1 and best.take:
        doubts.append(_absent(state, best.take))
    if best.sheet != state.sheet:
        doubts += _perhaps_anothers(state, table.marks, ways[0].share)
    taken = marks.taken(best.sheet, table.marks)
    return Proposal(best.moves, tuple(doubts), weighed=True, taken=taken)


def _near(
    ways: Sequence[Interpretation[tuple[Hue, int], _Way]],
) -> list[Interpretation[tuple[Hue, int], _Way]]:
    """Return the ways, likeliest first, that are nearly as likely, one for each outcome."""
    near: dict[Hashable, Interpretation[tuple[Hue, int], _Way]] = {}
    for interpretation in ways:
        if interpretation.share >= LIKELY_RATIO * ways[0].share:
            near.setdefault(interpretation.meaning.outcome, interpretation)
    return [*near.values()]


def _other_ways(
    state: State, best: _Way, others: Sequence[_Way], marked: Sequence[on_table.MarkedCell]
) -> Iterator[Doubt]:
    """Ask about other ways that the take or the marks seen allow; hidden marks are asked apart."""
    visible = [mark for mark in marked if marks.was_seen(mark)]
    looks = marks.looks(best.sheet, visible)
    visibly_other = [
        way for way in others if way.take != best.take or marks.looks(way.sheet, visible) != looks
    ]
    if not visibly_other:
        return
    in_words = [described(state, way.moves, apply, describe) for way in visibly_other[:OTHERS]]
    either = either_of(in_turn(words or (NO_CHANGE,)) for words in in_words)
    text = _("it is also possible that {told}", told=either)
    if (more := len(visibly_other) - OTHERS) > 0:
        text = _("{text}; or {number} more", text=text, number=more)
    yield Doubt(text, others=tuple(way.moves for way in visibly_other if way.moves))


def _rank(interpretation: Interpretation[tuple[Hue, int], _Way]) -> tuple[float, int, int, bool]:
    """Return the order to try them in: likeliest, least hidden or lost, without purple."""
    way, take = interpretation.meaning, interpretation.meaning.take
    purple = take is not None and moves.has_purple(take.dice)
    return -round(log(interpretation.share), 6), way.hidden, way.lost, purple


def _absent(state: State, take: Take) -> Doubt:
    """Ask about dice that count as taken only because they are not seen: they may be hidden."""
    text = ngettext(
        "{dice} cannot be seen: did {who} take it, or is it hidden?",
        "{dice} cannot be seen: did {who} take them, or are they hidden?",
        len(take.dice),
        dice=listed(map(in_words, take.dice)),
        who=player(state.seat),
    )
    return Doubt(text, about="taken")


def _perhaps_anothers(
    state: State, marked: Sequence[on_table.MarkedCell], best: float
) -> Iterator[Doubt]:
    """Ask about a sheet that another player's fits as well, as it was."""
    who = player(state.seat)
    for seat, sheet in enumerate(state.sheets):
        if seat == state.seat:
            continue
        if marks.scale(marked, sheet)(sheet) >= LIKELY_RATIO * best:
            other = player(seat)
            text = _("this may be {other}'s unchanged sheet: is it {who}'s?", other=other, who=who)
            yield Doubt(text)


def _dice_gone(
    state: State, dice: Sequence[on_table.Die]
) -> list[Interpretation[tuple[Hue, int], HuedDice]]:
    """Return what may have been taken by the dice seen: the rest of the pool, or the take itself.

    At least three are always left (DW-3), so one or two are those taken. () if no take is legal.
    """
    allowed: set[HuedDice] = {()}
    if state.due is None:
        allowed |= {take.dice for take in legal_takes(state)}
    elif len(dice) < 3:
        return [NOTHING]
    pool = Counter(state.pool)

    def meanings(reading: HuedDice) -> list[HuedDice]:
        there = Counter(reading)
        gone = there if len(dice) < 3 else pool - there
        taken = tuple(sorted(gone.elements()))
        return [taken] if there <= pool and taken in allowed else []

    return interpretations(_options(dice), meanings) if dice else []


def _ways(
    state: State, marked: Sequence[on_table.MarkedCell], gone: Gone
) -> Iterator[Interpretation[tuple[Hue, int], _Way]]:
    """Yield every legal way to what is seen, from nothing at all to a take with its marks."""
    before = state.sheet
    weigh = marks.scale(marked, before)
    unseen = [mark for mark in marked if not marks.was_seen(mark)]
    lying = marks.looks(before, unseen)

    def weighed(way: _Way, dice: HuedDice) -> Iterator[Interpretation[tuple[Hue, int], _Way]]:
        weight, lying = weigh(way.sheet), gone.get(dice, NOTHING)
        if weight:
            yield Interpretation(way, lying.reading, weight * lying.share)

    if not gone or () in gone:
        yield from weighed(_Way((), state, before), ())
    for take, after in _after_takes(state, gone):
        dice = take[0].dice if take else ()
        if take and gone:
            yield from weighed(_Way(take, after, before), dice)
        if not marked or after.due is None:
            continue
        for move, sheet in marked_sheets(after):
            lost = len(after.due.numbers) - len(move.cells) - len(move.powers)
            new = zip(lying, marks.looks(sheet, unseen), strict=True)
            hidden = sum(then != look for then, look in new)
            yield from weighed(_Way((*take, move), after, sheet, lost, hidden), dice)


def _after_takes(
    state: State, gone: Mapping[HuedDice, object]
) -> Iterator[tuple[tuple[Take, ...], State]]:
    """Yield the takes that fit the dice gone, each with the state after it."""
    if state.due is not None:
        yield (), state
        return
    for take in legal_takes(state):
        if not gone or take.dice in gone:
            yield (take,), apply(state, take)
