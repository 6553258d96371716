"""Purple House: what a photo of the grid means, in a match and alone."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce
from itertools import product
from math import prod

from scorer import table as on_table
from scorer.board import Board
from scorer.errors import Illegal, NotScored
from scorer.game import Equipment, Facts, OnePhoto, PhotoScore, Spot
from scorer.games.purple_house.board import left_in_hand, to_place
from scorer.games.purple_house.moves import (
    COLOURS,
    HAND,
    OTHER,
    Agree,
    ChooseColour,
    DieColour,
    Move,
    Place,
)
from scorer.games.purple_house.rules import PHASES, is_over, may_place, ready, result, score
from scorer.games.purple_house.settings import TITLE
from scorer.games.purple_house.state import CELLS, EMPTY, DiceGrid, GridDie, State
from scorer.games.purple_house.words import describe, explain
from scorer.messages import Message, _, joined, ngettext, raw
from scorer.phases import fault
from scorer.photo.grids import Placed, cell_said, changed, index_of, misplaced, placed, seen_before
from scorer.photo.interpret import (
    Interpretation,
    Seen,
    dice_doubts,
    dice_options,
    drawn,
    in_words,
    interpretations,
    likely,
)
from scorer.photo.one_photo import moves_of
from scorer.printed import grid
from scorer.proposal import Difference, Doubt, Proposal
from scorer.settings import House
from scorer.words import colour as colour_said
from scorer.words import listed, numbers, player


def boards(_house: House) -> tuple[Board, ...]:
    """Return the grid on which the dice are placed."""
    return (grid("grid:3x3", TITLE, 3, 3, first_marker=0),)


def equipment(state: State) -> Equipment:
    """Return the grid with nine dice, five of one colour and four of the other."""
    lying = tuple(
        on_table.Die(die.pips, die.colour, (cell // 3, cell % 3))
        for cell, die in enumerate(state.grid)
        if die is not None and not is_over(state)
    )
    hands = {"black": HAND, "white": HAND}
    spots = (Spot(raw(""), on_table.Table(lying)),)
    return Equipment("grid:3x3", CELLS, hands, spots=spots, stays=True)


def observe(before: State, table: on_table.Table) -> Proposal:
    """Return the placements that lead from the known grid to the one seen.

    The likeliest reading that the rules allow is proposed. Where that is not the likeliest of all,
    each die read otherwise carries a doubt; where no reading is possible, the differences say why.
    """
    if not ready(before):
        return Proposal.differs(PHASES.waits_for(before), "PH-2")
    if problems := _misplaced(table):
        return Proposal(differences=problems)
    held = cells_of(before.grid)
    seen_there = placed(table, held, COLOURS)
    if problems := tuple(changed(held, seen_there, COLOURS, "PH-3", "PH-4")):
        return Proposal(differences=problems)
    on_grid = seen_there.dice
    lying = tuple(
        die if at in seen_there.overlooked else None for at, die in enumerate(before.grid)
    )
    beside = [(i, die) for i, die in enumerate(table.dice) if die.cell is None]
    grids = _told(before, lying, on_grid, beside)
    unlike = len(table.dice) == 2 * HAND and not grids
    grids = grids or _told(before, lying, on_grid, ())
    if not grids:
        looks = [(_colour(die.colour), die.value) for _, die in on_grid]
        pairs = zip(before.grid, _grid(lying, on_grid, looks), strict=True)
        faults = _faults(before, tuple(there or now for there, now in pairs))
        return Proposal(differences=tuple(Difference(f.reason, f.rule) for f in faults))
    grid = grids[0].meaning
    if missed := _missed(before, on_grid, grid):
        text = _("a {colour} die was probably missed: show all dice", colour=colour_said(missed))
        return Proposal.differs(text, "PH-4")
    doubts = list(_dice_asked(held, [*on_grid, *beside], grids))
    doubts += [_not_left(beside, before, grid)] if unlike else []
    doubts += [Doubt(SIDES)] if seen_there.turned else []
    moves = _placements(before, grid)
    asked = (*doubts, *_still_open(grid, moves))
    return Proposal(moves, asked, complete=seen_there.complete, weighed=True)


def as_it_lies(state: State, table: on_table.Table) -> State | None:
    """Return the grid as photographed, or None before anything of it is played."""
    seen_there = placed(table, cells_of(state.grid), COLOURS)
    looks = [(_colour(die.colour), die.value) for _, die in seen_there.dice]
    if not (ready(state) and looks) or is_over(state) or _misplaced(table):
        return None
    grid = _grid(EMPTY, seen_there.dice, looks)
    starts = state.starts or looks[0][0]
    count = Counter(colour for colour, _ in looks)
    more = count[starts] - count[OTHER[starts]]
    black, white = (
        hand if hand and not left_in_hand(hand, grid, colour)[1] else ()
        for colour, hand in zip(COLOURS, state.hands, strict=True)
    )
    after = replace(state, grid=grid, starts=starts, hands=(black, white))
    return replace(after, ahead=more - (more > 0))


MISSED = 0.1  # probability that a die is not seen; a die of less is rather of another colour
NAMED = 3  # cells that are empty; of more their number says enough
SIDES = _("the photo was taken from another side of the table: the dice are turned to fit")


def _told(
    before: State, lying: DiceGrid, on_grid: Placed, beside: Placed
) -> list[Interpretation[Seen, DiceGrid]]:
    """Return the likeliest legal grids, *lying* the overlooked dice; ten are both hands (PH-1)."""
    if len(on_grid) + len(beside) < 2 * HAND:
        beside = ()

    def grids(read: Sequence[Seen]) -> list[DiceGrid]:
        grid = _grid(lying, on_grid, read)
        kept = all(a is None or a == b for a, b in zip(before.grid, grid, strict=True))
        left = not beside or _is_left(before.hands, grid, read[len(on_grid) :])
        return [grid] if kept and left and not _faults(before, grid) else []

    return interpretations(dice_options((die for _, die in (*on_grid, *beside)), COLOURS), grids)


def _grid(lying: DiceGrid, on_grid: Placed, read: Sequence[Seen]) -> DiceGrid:
    grid = list(lying)
    for (_i, die), (colour, pips) in zip(on_grid, read, strict=False):
        grid[index_of(die)] = GridDie(_colour(colour), pips)
    return tuple(grid)


def _is_left(
    hands: tuple[tuple[int, ...], tuple[int, ...]], grid: DiceGrid, beside: Sequence[Seen]
) -> bool:
    for colour, hand in zip(COLOURS, hands, strict=True):
        lying = [die.pips for die in grid if die is not None and die.colour == colour]
        lying += [pips for other, pips in beside if other == colour]
        if len(lying) != HAND or (hand and tuple(sorted(lying)) != hand):
            return False
    return True


def _not_left(beside: Placed, before: State, grid: DiceGrid) -> Doubt:
    i, die = beside[-1]
    left = [
        in_words((name, pips))
        for name, hand in zip(COLOURS, before.hands, strict=True)
        for pips in (left_in_hand(hand, grid, name)[0] if hand else ())
    ]
    facts = {"die": in_words((die.colour, die.value))}
    text = _(
        "the {die} beside the grid is not the die that should be left: is a die misread?", **facts
    )
    if left:
        text = _(
            "the {die} beside the grid is not the die that should be left, {left}: is a die "
            "misread?",
            left=listed(left),
            **facts,
        )
    return Doubt(text, ("dice", i))


def _missed(before: State, on_grid: Placed, taken: DiceGrid) -> DieColour | None:
    """Return the colour of one die which is likelier missed than others are of another colour.

    None if the colours are known, or one more die would not explain them.
    """
    ours = [(i, die) for i, die in on_grid if die.colour in COLOURS]
    looks = _grid(taken, ours, [(_colour(die.colour), die.value) for _i, die in ours])
    shares = (
        sum(share for name, share in die.colours if name == there.colour)
        for _i, die in ours
        if (there := taken[index_of(die)]) is not None and there.colour != die.colour
    )
    if looks == taken or prod(shares) >= MISSED:
        return None
    for cell in (cell for cell, die in enumerate(looks) if die is None):
        for colour, pips in product(COLOURS, range(1, 7)):
            one_more = (*looks[:cell], GridDie(colour, pips), *looks[cell + 1 :])
            if not _faults(before, one_more):
                return colour
    return None


def _where(die: on_table.Die) -> Message:
    return _("the die beside the grid") if die.cell is None else cell_said(die.cell)


def cells_of(grid: DiceGrid) -> list[Seen | None]:
    """Return the dice on a grid as they look."""
    return [None if die is None else (die.colour, die.pips) for die in grid]


def _dice_asked(
    held: Sequence[Seen | None], dice: Placed, grids: Sequence[Interpretation[Seen, DiceGrid]]
) -> Iterator[Doubt]:
    """Yield the doubts about dice that were not known; only a full grid settles colours."""
    new = [
        at
        for at, (_i, die) in enumerate(dice[: len(grids[0].reading)])
        if die.cell is None or held[index_of(die)] != (die.colour, die.value)
    ]
    readings = [[one.reading[at] for at in new] for one in grids]
    doubts = list(dice_doubts([dice[at] for at in new], readings, where=_where))
    yield from doubts
    settled = {doubt.piece for doubt in doubts}
    for i, die in (dice[at] for at in new if None in grids[0].meaning):
        others = [name for name in likely(die.colours, die.confidence) if name in COLOURS]
        if others and ("dice", i) not in settled:
            shown, other = in_words((die.colour, die.value)), in_words((others[0], die.value))
            text = _("the {die} may be {others}", die=shown, others=other)
            asked = _("{place}: {text}", place=_where(die), text=text)
            yield Doubt(asked, ("dice", i), drawn=drawn(die.confidence))


def same_grid(state: State, other: State) -> bool:
    """Return True if a grid looks like another one, from whichever side it is seen."""
    return seen_before(cells_of(state.grid), cells_of(other.grid))


def _colour(name: str) -> DieColour:
    return "black" if name == "black" else "white"


def _misplaced(table: on_table.Table) -> tuple[Difference, ...]:
    problems = list(misplaced(table, COLOURS, "PH-1", "PH-4"))
    lying = sum(die.cell is not None for die in table.dice)
    if lying > CELLS:
        text = _(
            "there are {number} dice on the grid; nine fill it and one stays beside it",
            number=lying,
        )
        problems.append(Difference(text, "PH-4"))
    elif len(table.dice) > 2 * HAND:
        text = _("{number} dice were seen; the game has ten", number=len(table.dice))
        problems.append(Difference(text, "PH-1"))
    return tuple(problems)


def _faults(before: State, grid: DiceGrid) -> list[Illegal]:
    """Return why *grid* cannot follow from the one before by taking turns with the rolled dice."""
    faults = []
    starts = [before.starts] if before.starts else list(may_place(before))
    turns = [why for colour in starts if (why := fault(to_place, grid, colour, before.ahead))]
    if len(turns) == len(starts):
        faults.append(turns[0])
    for colour, hand in zip(COLOURS, before.hands, strict=True):
        if hand and (bad := left_in_hand(hand, grid, colour)[1]):
            text = ngettext(
                "{dice} is on the table, but {colour} rolled {roll}: was a die turned?",
                "{dice} are on the table, but {colour} rolled {roll}: were dice turned?",
                len(bad),
                dice=listed(in_words((colour, pips)) for pips in bad),
                colour=colour_said(colour),
                roll=numbers(hand),
            )
            faults.append(Illegal(grid, text, "PH-3"))
    return faults


def _placements(before: State, grid: DiceGrid) -> tuple[Place, ...]:
    """Return the moves that fill the new cells: the colours in turn, each from the top left."""
    new = [cell for cell in range(CELLS) if before.grid[cell] is None and grid[cell] is not None]
    queues: dict[DieColour, list[Place]] = {"black": [], "white": []}
    for cell in new:
        die = grid[cell]
        assert die is not None
        queues[die.colour].append(Place(cell // 3, cell % 3, die.colour, die.pips))
    if not new:
        return ()
    colours = may_place(before)
    # Before a free start the colour with more dice must have begun.
    colour = max(colours, key=lambda colour: len(queues[colour]))
    moves = []
    while queues[colour]:
        moves.append(queues[colour].pop(0))
        colour = OTHER[colour]
    return tuple(moves)


def _still_open(grid: DiceGrid, moves: tuple[Place, ...]) -> Iterator[Doubt]:
    if not moves:
        nothing = _("the grid is empty")
        yield Doubt(nothing if grid == EMPTY else _("no die was added to the grid"))
    elif None in grid:
        empty = [cell_said(divmod(cell, 3)) for cell in range(CELLS) if grid[cell] is None]
        number = CELLS - len(empty)
        named = _(
            "{number} of 9 dice: {cells} still empty", number=number, cells=joined("; ", empty)
        )
        few = len(empty) <= NAMED
        yield Doubt(named if few else _("{number} of 9 dice", number=number), about="progress")


def tell(state: State, table: on_table.Table, _facts: Facts) -> PhotoScore:
    """Return the points of a full grid, for any players.

    Its five dice of one colour identify the starter (PH-4); the seats of the colours are assumed.
    Solo the colour that was named decides, so it is asked.
    """
    lying = sum(die.cell is not None for die in table.dice)
    if lying < CELLS:
        text = _("{seen} of {all} dice were seen on the board.", seen=lying, all=CELLS)
        raise NotScored(text)
    opening = opening_of(state, table)
    begun = PHASES.apply(state, *opening) if opening else state
    proposal = observe(begun, table)
    done = reduce(PHASES.apply, moves_of(proposal), begun)
    ended = result(done)
    return PhotoScore(
        tuple(map(player, range(state.players))),
        score(done),
        explain(done),
        outcome=None if ended is None else ended.why,
        assumed=describe(state, *opening) if opening else None,
        unknown=_("who had which colour, and earlier rounds") if opening else None,
        doubts=proposal.doubts,
    )


def opening_of(state: State, table: on_table.Table) -> tuple[Move, ...]:
    """Return the move before a grid, () if it was made; NotScored if it changes points."""
    if ready(state):
        return ()
    if state.players == 1:
        asks = [describe(state, ChooseColour(colour)) for colour in COLOURS]
        raise NotScored(_("The photo does not show which colour was named."), asks)
    starts = _more_of(table)
    if state.starter is None:
        return (Agree(0, 0 if starts == "black" else 1),)
    # Rolled for; the other player chose the colour that did not start.
    return (ChooseColour(OTHER[starts]),)


def _more_of(table: on_table.Table) -> DieColour:
    """Return the colour with more dice on the grid, as the likeliest reading that fills it says."""
    dice = [die for die in table.dice if die.cell is not None]

    def more(read: Sequence[Seen]) -> list[DieColour]:
        black = sum(colour == "black" for colour, _pips in read)
        by_number: dict[int, DieColour] = {HAND: "black", CELLS - HAND: "white"}
        return [by_number[black]] if black in by_number else []

    if found := interpretations(dice_options(dice, COLOURS), more):
        return found[0].meaning
    return "black" if 2 * sum(die.colour == "black" for die in dice) > len(dice) else "white"


one_photo = OnePhoto(tell, opening=opening_of)
