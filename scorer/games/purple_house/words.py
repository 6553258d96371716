"""Purple House in words: the lines and their owners, what comes next, the moves, the grid drawn."""

from collections.abc import Iterator

from scorer.dice import PIPS
from scorer.entry import KeyGroup, Pad, PadKey, TableEntry, Taps, die_keys, one_of, player_keys
from scorer.game import Because, Instead
from scorer.games.purple_house.board import LINES, left_in_hand, owners
from scorer.games.purple_house.moves import (
    COLOURS,
    Agree,
    ChooseColour,
    DieColour,
    Move,
    Place,
    Roll,
    StartRoll,
)
from scorer.games.purple_house.rules import (
    chooser,
    is_over,
    may_place,
    now,
    placements,
    player_of,
    ready,
)
from scorer.games.purple_house.state import EMPTY, GridDie, State
from scorer.messages import Message, _, joined, raw
from scorer.photo.grids import SIDE, cell_said
from scorer.photo.interpret import in_words
from scorer.words import colour as colour_said
from scorer.words import either, just, numbers, player, players


def explain(state: State) -> tuple[Because, ...]:
    """Return each complete line with its sum and owner (PH-5, PH-9)."""
    return tuple(_lines(state)) if ready(state) else ()


def _lines(state: State) -> Iterator[Because]:
    variant = state.house["variant"]
    owned = owners(state.grid, variant, state.house["color_match_owner"])
    for (name, cells), whose in zip(LINES, owned, strict=True):
        dice = [die for cell in cells if (die := state.grid[cell]) is not None]
        if len(dice) < 3:
            continue
        total = sum(die.pips for die in dice)
        text = _(
            "{line}: {dice} = {total}, {owner}",
            line=name,
            dice=joined(" + ", (die.pips for die in dice)),
            total=total,
            owner=_owner(total, whose),
        )
        # Solo the lines of the other colour are nobody's.
        counts = whose is not None and state.named in (None, whose)
        yield Because(
            player_of(state, whose) if whose and counts else None,
            int(counts),
            raw(""),
            text,
            "PH-9" if variant == "color_match" else "PH-5",
            tuple((cell // 3, cell % 3) for cell in cells),
        )


def _owner(total: int, whose: DieColour | None) -> Message:
    if whose is None:
        return _("nobody's")
    if total % 2:
        return _("odd: {colour}", colour=colour_said(whose))
    return _("even: {colour}", colour=colour_said(whose))


def draw(state: State) -> tuple[Message, ...]:
    """Return the grid: b is black, w is white."""
    if not ready(state):
        return ()
    lines = [_("b4 is a black 4"), _("column    1    2    3")]
    for row in range(3):
        dice = [state.grid[3 * row + column] for column in range(3)]
        cells = "".join(f"{f'{die.colour[0]}{die.pips}' if die else '.':5}" for die in dice)
        lines.append(_("row {row}     {cells}", row=row + 1, cells=raw(cells.rstrip())))
    for colour, hand in zip(COLOURS, state.hands, strict=True):
        if hand and (left := left_in_hand(hand, state.grid, colour)[0]):
            dice_left = numbers(left)
            lines.append(_("{colour} in hand: {dice}", colour=colour_said(colour), dice=dice_left))
    return (joined("\n", lines),)


def prompt(state: State) -> Message:
    """Return what is to be done next, in one sentence."""
    match now(state):
        case "name":
            return _("name the colour that should win")
        case "start":
            return _("{who} roll one die each for the start", who=players((0, 1)))
        case "choose":
            return _("{who} chooses a colour", who=player(chooser(state)))
    who = either(_placer(state, colour) for colour in may_place(state))
    if state.grid == EMPTY:
        return _("{who} starts; play until all nine cells are full", who=who)
    lying = sum(die is not None for die in state.grid)
    return _("{number} of 9 dice are on the grid, {who} is next", number=lying, who=who)


def _placer(state: State, colour: DieColour) -> Message:
    said = colour_said(colour)
    if state.named:
        return said
    return _("{who} ({colour})", who=player(player_of(state, colour)), colour=said)


def describe(state: State, move: Move) -> Message:
    """Return *move*, made in *state*, in words."""
    match move:
        case Place(row, column, colour, pips):
            return _("{die} on {cell}", die=in_words((colour, pips)), cell=cell_said((row, column)))
        case Roll(colour, dice):
            return _("{colour} rolls {dice}", colour=colour_said(colour), dice=numbers(dice))
        case StartRoll((a, b)):
            first, second = player(0), player(1)
            facts = {"one": first, "first": just(a), "two": second, "second": just(b)}
            text = _("{one} rolls {first} and {two} rolls {second} for the start", **facts)
            return text if a != b else _("{text}, level: both roll again", text=text)
        case ChooseColour(colour):
            who, said = player(chooser(state)), colour_said(colour)
            if state.players == 1:
                return _("{who} names {colour}", who=who, colour=said)
            return _("{who} takes {colour}", who=who, colour=said)
        case Agree(starter, black):
            return _(
                "{starter} starts, {black} has black", starter=player(starter), black=player(black)
            )


def entry(state: State) -> tuple[TableEntry, ...]:
    """Return the keys of the start, of a colour, or of the next die and its cell."""
    match now(state):
        case "start":
            return (TableEntry((_start_dice(), _agreement())),)
        case "choose" | "name":
            keys = ((PadKey(name, colour_said(name), (5,), name), name) for name in COLOURS)
            pad = one_of(
                _("Colour"), ((key, ChooseColour(name), MEANS[name]) for key, name in keys)
            )
            return (TableEntry((pad,)),)
        case "over":
            return ()
    return (TableEntry((_placing(state),)),)


def _placing(state: State) -> Pad:
    cells = tuple(_cell(place, die) for place, die in enumerate(state.grid))
    moves = sorted(placements(state), key=_place)
    dice = tuple(dict.fromkeys(map(_die, moves)))
    groups = KeyGroup(_("Row and column"), cells, SIDE), KeyGroup(_due(state), dice)
    taps = (Taps(move, (cells[_place(move)].value, _die(move).value)) for move in moves)
    return Pad(groups, tuple(taps), first=(next(cell.value for cell in cells if cell.free),))


def _due(state: State) -> Message:
    """Return the colour that is placed next, and how many of it are left; the colours alternate."""
    colours = may_place(state)
    if len(colours) > 1:
        return _("Die")
    left = (state.grid.count(None) + 1) // 2
    return _("{colour} · {n} left", colour=colour_said(colours[0]), n=left)


def _die(move: Place) -> PadKey:
    name = in_words((move.colour, move.pips))
    return PadKey(f"{move.colour} {move.pips}", pips=(move.pips,), colour=move.colour, name=name)


def _place(move: Place) -> int:
    return move.row * SIDE + move.column


def _cell(place: int, die: GridDie | None) -> PadKey:
    cell = divmod(place, SIDE)
    value, name = "·".join(str(number + 1) for number in cell), cell_said(cell)
    if die is None:
        return PadKey(value, name=name)
    name = _("{cell}: {die}", cell=name, die=in_words((die.colour, die.pips)))
    return PadKey(value, pips=(die.pips,), colour=die.colour, name=name, free=False)


def _start_dice() -> Pad:
    rolls = tuple(StartRoll((a, b)) for a in PIPS for b in PIPS)
    level = _("roll again")
    taps = (
        Taps(roll, (str(a), str(b)), level if a == b else raw(""))
        for roll in rolls
        for a, b in [roll.pips]
    )
    dice = tuple(KeyGroup(_("{who} rolls", who=player(seat)), die_keys()) for seat in (0, 1))
    return Pad(dice, tuple(taps))


def _agreement() -> Pad:
    keys = player_keys((0, 1))
    groups = KeyGroup(_("Or you agreed: who starts"), keys), KeyGroup(_("Who has black"), keys)
    pairs = ((starter, black) for starter in (0, 1) for black in (0, 1))
    return Pad(groups, tuple(Taps(Agree(*pair), (str(pair[0]), str(pair[1]))) for pair in pairs))


MEANS: dict[DieColour, Message] = {"black": _("odd"), "white": _("even")}  # whose lines


def colours(state: State) -> tuple[str, ...]:
    """Return the colour of each player, () while it is open, or alone."""
    if state.black is None:
        return ()
    return COLOURS if state.black == 0 else COLOURS[::-1]


def instead(state: State) -> tuple[Instead, ...]:
    """Return who else may have started or had black, where that was agreed (PH-2)."""
    starter, black = state.starter, state.black
    if is_over(state) or starter is None or black is None:
        return ()
    other, others = 1 - starter, 1 - black
    return (
        Instead(_("did {who} start?", who=player(other)), Agree(other, black)),
        Instead(_("did {who} have black?", who=player(others)), Agree(starter, others)),
    )
