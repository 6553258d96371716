"""What can be entered now: keys in labelled groups, and the moves that taps on them make.

A game declares it for a state (`Game.entry`). A page draws it as a pad, and as a list where scripts
are off; the sentences of its moves are those of `describe`, as in a terminal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from scorer.dice import PIPS
from scorer.messages import Message, raw
from scorer.table import Cell
from scorer.words import just, player

NOTHING = raw("")


@dataclass(frozen=True, slots=True)
class PadKey:
    """A key, by its value in its group: a die or a domino that is drawn, or words.

    A cell has a name in the place of words, and the die that lies on it; then it is not `free`.
    """

    value: str
    text: Message = NOTHING  # shown, below the pips if there are any
    pips: tuple[int, ...] = ()  # of a die one number, of a domino two
    colour: str = "white"
    name: Message = NOTHING
    free: bool = True


@dataclass(frozen=True, slots=True)
class KeyGroup:
    """A row of keys, of which a move takes one; or a board of cells, `across` of them in a row."""

    label: Message  # what the keys mean
    keys: tuple[PadKey, ...]
    across: int = 0


@dataclass(frozen=True, slots=True)
class Taps:
    """A move and the keys that make it, one of each group of its pad.

    The move may be illegal: then its keys say why. `leads` is what it leads to, in a word or two,
    and `button` what the button says that stores it.
    """

    move: Any
    keys: tuple[str, ...] = ()
    leads: Message = NOTHING
    button: Message = NOTHING


@dataclass(frozen=True, slots=True)
class Pad:
    """Groups of keys and all that they can make.

    `at_once`: the last tap stores the move; otherwise a button does. `first` are the keys that are
    picked before the first tap.
    """

    groups: tuple[KeyGroup, ...]
    taps: tuple[Taps, ...]
    at_once: bool = True
    first: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Keeping:
    """What is done with kept dice: its move with any dice, and the words of its button.

    In the words stand {left}, the dice left to roll, and {total}, the points then. Dice that bring
    less than `least` are refused with `why`.
    """

    move: Any
    button: Message
    small: Message = NOTHING  # "": the score before and after
    least: int = 0
    why: Message = NOTHING
    rule: str = ""


@dataclass(frozen=True, slots=True)
class DicePad:
    """Dice that fell, tapped in any order, and what is kept of them.

    `anew` are rolled once all are kept. `roll` is their move with any dice, None if they are known
    (`lying`). `worth` are the points of all that may be kept together, pips in ascending order;
    `before` what was kept before, `score` what the player has without it. Others are refused with
    `why`, in which {dice} stands.
    """

    label: Message
    number: int
    anew: int
    roll: Any
    lying: tuple[int, ...]
    worth: Mapping[tuple[int, ...], int]
    before: int
    score: int
    keeps: tuple[Keeping, ...]
    why: Message
    rule: str


@dataclass(frozen=True, slots=True)
class TileOutcome:
    """What a tile laid at a place leads to; with a `rule`, why it is refused there."""

    says: Message
    rule: str = ""
    button: Message = NOTHING
    score: Message = NOTHING
    worth: str = ""


@dataclass(frozen=True, slots=True)
class TilePad:
    """Dominoes that can be held, and where each can be laid beside and on those that lie.

    `move` is that of any tile. `lying` are tiles with their cells and levels, in playing order.
    `places` are pairs of cells, each with the outcome of every tile of the hand, as an index, its
    first number on the first cell.
    """

    label: Message
    hand: tuple[tuple[int, int], ...]
    lying: tuple[tuple[tuple[int, int], tuple[Cell, Cell], int], ...]
    move: Any
    outcomes: tuple[TileOutcome, ...]
    places: tuple[tuple[Cell, Cell, tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True)
class ShownHand:
    """The dice that a player shows; `move` is that of any."""

    who: Message
    colour: str
    number: int
    move: Any


@dataclass(frozen=True, slots=True)
class HandsPad:
    """Dice of several players, die by die; `ends` are the outcomes by how many count."""

    hands: tuple[ShownHand, ...]
    counting: tuple[int, ...]
    before: int
    ends: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class RollPad:
    """A roll of dice by colour, tapped in any order: how many of each, and its move with any."""

    label: Message
    colours: Mapping[str, int]
    roll: Any


@dataclass(frozen=True, slots=True)
class Taking:
    """Dice that may be taken, with the cells (half, row, column) to mark, the best ones first."""

    dice: tuple[tuple[str, int], ...]
    colour: str
    best: tuple[tuple[str, int, int], ...]
    cells: tuple[tuple[str, int, int], ...]


@dataclass(frozen=True, slots=True)
class SheetPad:
    """What may be taken from a pool and marked on a sheet, and the sums of each half's columns.

    `steps` are a take without dice and a mark without cells, which are filled in where the rules
    cannot be asked, `halves` the moves that take dice or mark cells, by the name of their half, and
    `spot` is the place of pool and sheet among the surfaces of the equipment.
    """

    takes: tuple[Taking, ...]
    sums: Mapping[str, tuple[int, ...]]
    steps: tuple[Any, ...]
    halves: tuple[tuple[Message, tuple[Any, ...]], ...] = ()
    spot: int = 0


@dataclass(frozen=True, slots=True)
class TableEntry:
    """All that can be entered at a table: pads, and moves that are buttons of their own.

    `title` is the table, if there are several, `asks` what is to be done there, and `state` that
    of its round.
    """

    pads: tuple[Pad, ...] = ()
    buttons: tuple[Taps, ...] = ()
    title: Message = NOTHING
    dice: DicePad | None = None
    tiles: TilePad | None = None
    hands: HandsPad | None = None
    roll: RollPad | None = None
    sheet: SheetPad | None = None
    state: Any = None
    asks: Message = NOTHING


def die_keys(faces: Iterable[int] = PIPS) -> tuple[PadKey, ...]:
    """Return a key for each face of a die."""
    return tuple(PadKey(str(pips), pips=(pips,), colour="white") for pips in faces)


def tile_keys(tiles: Iterable[tuple[int, int]]) -> tuple[PadKey, ...]:
    """Return a key for each domino."""
    return tuple(PadKey(f"{a}-{b}", pips=(a, b)) for a, b in tiles)


def number_keys(numbers: Iterable[int]) -> tuple[PadKey, ...]:
    """Return a key for each number."""
    return tuple(PadKey(str(number), just(number)) for number in numbers)


def one_of(
    label: Message,
    made: Iterable[tuple[PadKey, Any, Message]],
    button: Callable[[Any], Message] | None = None,
) -> Pad:
    """Return a pad of one group: each key is a move, stored at once or by its *button*."""
    chosen = tuple(made)
    keys = tuple(key for key, _move, _leads in chosen)
    taps = tuple(
        Taps(move, (key.value,), leads, button(move) if button else NOTHING)
        for key, move, leads in chosen
    )
    return Pad((KeyGroup(label, keys),), taps, at_once=button is None)


def two_dice(
    first: Message,
    second: Message,
    move: Callable[[int, int], Any],
    leads: Callable[[Any], Message] = lambda _move: NOTHING,
) -> Pad:
    """Return a pad of two dice in any order; *move* takes the lower one first."""
    groups = KeyGroup(first, die_keys()), KeyGroup(second, die_keys())
    rolls = [(a, b, move(min(a, b), max(a, b))) for a in PIPS for b in PIPS]
    return Pad(groups, tuple(Taps(made, (str(a), str(b)), leads(made)) for a, b, made in rolls))


def one_player(label: Message, seats: Iterable[int], move: Callable[[int], Any]) -> Pad:
    """Return a pad with a key for each player."""
    return one_of(label, ((key, move(int(key.value)), NOTHING) for key in player_keys(seats)))


def player_keys(seats: Iterable[int]) -> tuple[PadKey, ...]:
    """Return a key for each player."""
    return tuple(PadKey(str(seat), player(seat)) for seat in seats)


PARTS = (
    *(PadKey, KeyGroup, Taps, Pad, Keeping, DicePad, TileOutcome, TilePad, ShownHand),
    *(HandsPad, RollPad, Taking, SheetPad, TableEntry),
)


def moved(
    entry: TableEntry, sentence: Callable[[Message], Message], move: Callable[[Any], Any]
) -> TableEntry:
    """Return an entry with its sentences and moves changed to those of a match."""

    def changed(part: Any) -> Any:
        if isinstance(part, Message):
            return sentence(part)
        if isinstance(part, tuple):
            return tuple(map(changed, part))
        if isinstance(part, PARTS):
            return replace(
                part, **{one.name: changed(getattr(part, one.name)) for one in fields(part)}
            )
        return move(part) if is_dataclass(part) else part

    made: TableEntry = changed(replace(entry, state=None))
    return made
