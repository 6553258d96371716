"""Any game's tally: a free score sheet, whose numbers are typed or summed from a photo.

Pipsight need not know the game: it adds up what each player brings in each round.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, combinations_with_replacement, zip_longest

from scorer.dice import check_pips, falls
from scorer.dominoes import Domino, ascending, name, names, not_of_set
from scorer.errors import Illegal
from scorer.game import (
    Because,
    Doubt,
    Equipment,
    Facts,
    OnePhoto,
    PhotoScore,
    Proposal,
    Result,
    Spot,
    Typed,
)
from scorer.messages import Message, _, joined, ngettext
from scorer.parts import game_of
from scorer.photo.one_photo import moves_of
from scorer.photo.rolls import Pips, lain_before
from scorer.photo.sums import Tiles, summed_dice, summed_tiles
from scorer.printed import DICE_MAT
from scorer.seats import check_seat, leaders
from scorer.settings import House, Setting, SettingValue, check_seats, choice, settle
from scorer.table import Die, Table, Tile
from scorer.values import Unordered, changed
from scorer.words import COLOURS, colour, dice, player, players

TITLE, SEATS = "Any game's tally", range(2, 13)
POINTS = range(-9_999, 10_000)  # of one player in one round
MOST = 40  # pieces on one photo
ANY: dict[SettingValue, Message] = {"any": _("Dice of any colour"), **dict(COLOURS.items())}
SETS: dict[SettingValue, Message] = {
    6: _("Double six"),
    9: _("Double nine"),
    12: _("Double twelve"),
}
ONLY_DICE = ("photo", ("pips", "dice"))
ONLY_TILES = ("photo", ("dominoes",))
SETTINGS = (
    Setting("rounds", _("Rounds to play; 0 for as many as you like"), 0, range(101), "SUM-5"),
    Setting("target", _("Points that end it; 0 for none"), 0, range(100_001), "SUM-5"),
    choice(
        "wins",
        _("Who wins"),
        "SUM-6",
        most=_("The most points win"),
        fewest=_("The fewest points win"),
    ),
    choice(
        "order",
        _("How a round goes"),
        "SUM-1",
        any=_("Everybody enters points once, in any order"),
        turns=_("The players take turns"),
    ),
    choice(
        "photo",
        _("What a photo counts"),
        "SUM-3",
        pips=_("The pips of dice"),
        dice=_("How many dice there are"),
        dominoes=_("The pips of dominoes"),
    ),
    Setting("colour", _("Which dice count"), "any", ANY, "SUM-3", only_if=ONLY_DICE),
    Setting("largest", _("The largest domino of the set"), 6, SETS, "SUM-4", only_if=ONLY_TILES),
    Setting(
        "double_blank", _("Points of the double blank"), 0, range(101), "SUM-4", only_if=ONLY_TILES
    ),
)


@dataclass(frozen=True, slots=True)
class Enter:
    """What the round brought a player, as it is typed."""

    seat: int
    points: int


@dataclass(frozen=True, slots=True)
class SumPieces(Unordered):
    """The pieces of a player that are summed: dice that count, or dominoes."""

    seat: int
    dice: Pips = ()
    tiles: Tiles = ()


@dataclass(frozen=True, slots=True)
class Finish:
    """The players agree that it ends with the round that is done."""


Move = Enter | SumPieces | Finish
SumEntry = Enter | SumPieces


@dataclass(frozen=True, slots=True)
class State:
    """All that was entered, in order, each round as many as there are players."""

    house: House
    seats: int
    entries: tuple[SumEntry, ...] = ()
    finished: bool = False


def start(seats: int, settings: Mapping[str, object]) -> State:
    """Return the empty sheet; raises NotAMove."""
    return State(settle(SETTINGS, settings), check_seats(TITLE, SEATS, seats))


def rounds_played(state: State) -> int:
    """Return how many rounds are done: everybody has entered."""
    return len(state.entries) // state.seats


def between(state: State) -> bool:
    """Say whether a round is done and none begun."""
    return bool(state.entries) and len(state.entries) % state.seats == 0


def is_over(state: State) -> bool:
    """Say whether it ends: by its rounds, by its target or by agreement (SUM-5)."""
    if not between(state):
        return False
    last, most = state.house["rounds"], state.house["target"]
    full = bool(last) and rounds_played(state) >= last
    return state.finished or full or bool(most and max(score(state)) >= most)


def to_move(state: State) -> tuple[int, ...]:
    """Return whose points of this round are still to come."""
    if is_over(state):
        return ()
    entered = [entry.seat for entry in _entered(state)]
    if state.house["order"] == "turns":
        return (len(entered),)
    return tuple(seat for seat in range(state.seats) if seat not in entered)


def _entered(state: State) -> tuple[SumEntry, ...]:
    """Return what was entered in the round in play."""
    return state.entries[rounds_played(state) * state.seats :]


def legal_moves(state: State) -> Iterator[Move]:
    """Yield the end, then every number and every sum of pieces there may be, in turn."""
    if is_over(state):
        return
    if between(state):
        yield Finish()
    open_seats = to_move(state)
    entered = (Enter(seat, points) for points in sorted(POINTS, key=abs) for seat in open_seats)
    counted = (SumPieces(seat, *pieces) for pieces in _countable(state) for seat in open_seats)
    yield from filter(None, chain.from_iterable(zip_longest(counted, entered)))


def _countable(state: State) -> Iterator[tuple[Pips, Tiles]]:
    """Yield all that may lie on a photo: dice, or different tiles of the set."""
    dominoes = state.house["photo"] == "dominoes"
    tiles = tuple(combinations_with_replacement(range(state.house["largest"] + 1), 2))
    for count in range(1, MOST + 1):
        if dominoes:
            yield from (((), hand) for hand in combinations(tiles, count))
        else:
            yield from ((pips, ()) for pips in falls(count))


def apply(state: State, move: Move) -> State:
    """Return the state after *move*; raise Illegal if the rules forbid it."""
    if is_over(state):
        raise Illegal(move, _("it is over"), "SUM-5")
    match move:
        case Finish():
            if not between(state):
                text = _("first everybody enters the points of this round")
                raise Illegal(move, text, "SUM-5")
            return changed(state, finished=True)
        case Enter():
            _check_turn(state, move)
            if move.points not in POINTS:
                ends = {"low": POINTS[0], "high": POINTS[-1]}
                text = _("the points of a round are from {low} to {high}", **ends)
                raise Illegal(move, text, "SUM-2")
        case SumPieces():
            _check_turn(state, move)
            _check_pieces(state, move)
    return changed(state, entries=(*state.entries, move))


def _check_turn(state: State, move: SumEntry) -> None:
    check_seat(move, move.seat, state.seats, "SUM-1")
    if move.seat in (due := to_move(state)):
        return
    if state.house["order"] == "turns":
        raise Illegal(move, _("it is the turn of {who}", who=players(due)), "SUM-1")
    number = rounds_played(state) + 1
    text = _("{who} has entered round {number} already", who=player(move.seat), number=number)
    raise Illegal(move, text, "SUM-1")


def _check_pieces(state: State, move: SumPieces) -> None:
    dominoes = state.house["photo"] == "dominoes"
    if bool(move.dice) == dominoes or bool(move.tiles) != dominoes:
        what = _("dominoes, and at least one") if dominoes else _("dice, and at least one")
        raise Illegal(move, _("what is counted are {what}", what=what), "SUM-3")
    if len(move.dice) + len(move.tiles) > MOST:
        raise Illegal(move, _("at most {n} pieces are counted at once", n=MOST), "SUM-3")
    check_pips(move, move.dice, "SUM-3")
    if why := not_of_set(move.tiles, state.house["largest"]):
        raise Illegal(move, why, "SUM-4")


def points(state: State, entry: SumEntry) -> int:
    """Return what an entry brings (SUM-3, SUM-4)."""
    if isinstance(entry, Enter):
        return entry.points
    if state.house["photo"] == "dice":
        return len(entry.dice)
    return sum(entry.dice) + sum(_of_tile(state, tile) for tile in entry.tiles)


def _of_tile(state: State, tile: Domino) -> int:
    return sum(tile) or int(state.house["double_blank"])


def score(state: State) -> tuple[int, ...]:
    """Return the sums of all players."""
    won = [(entry.seat, points(state, entry)) for entry in state.entries]
    return tuple(sum(brought for whose, brought in won if whose == s) for s in range(state.seats))


def lowest(state: State) -> bool:
    """Say whether the fewest points win."""
    return bool(state.house["wins"] == "fewest")


def result(state: State) -> Result | None:
    """Return who has most, or fewest; level players share it (SUM-6)."""
    if not is_over(state):
        return None
    first = leaders(score(state), lowest(state))
    facts: dict[str, Message | int] = {"who": players(first), "most": score(state)[first[0]]}
    why = ngettext("{who} wins with {most}", "{who} share it with {most}", len(first), **facts)
    aim = _("the fewest points win") if lowest(state) else _("the most points win")
    return Result(first, _("{why}: {aim}", why=why, aim=aim))


def explain(state: State) -> tuple[Because, ...]:
    """Return what each entry brought, round by round."""
    return tuple(
        Because(
            entry.seat,
            points(state, entry),
            _("round {number}", number=at // state.seats + 1),
            working(state, entry),
            "SUM-2" if isinstance(entry, Enter) else "SUM-4" if entry.tiles else "SUM-3",
        )
        for at, entry in enumerate(state.entries)
    )


def working(state: State, entry: SumEntry) -> Message:
    """Return how an entry came about: "4 + 2 + 6 = 12"."""
    if isinstance(entry, Enter):
        return _("{points}, as entered", points=entry.points)
    which = state.house["colour"]
    if state.house["photo"] == "dice":
        text = dice(len(entry.dice))
    else:
        parts = [_of_tile(state, tile) for tile in entry.tiles] or entry.dice
        sums = joined(" + ", parts)
        text = _("{sum} = {points}", sum=sums, points=sum(parts)) if len(parts) > 1 else sums
    if entry.tiles:
        return _("{what}: {sum}", what=joined(" ", map(name, entry.tiles)), sum=text)
    return text if which == "any" else _("{what}: {sum}", what=colour(which), sum=text)


def prompt(state: State) -> Message:
    """Return what is to be done next, in one sentence."""
    if ended := result(state):
        return ended.why
    due, number = to_move(state), rounds_played(state) + 1
    text = ngettext(
        "{who} enters the points of round {number}",
        "{who} enter the points of round {number}",
        len(due),
        who=players(due),
        number=number,
    )
    return _("{text}, or you end it here", text=text) if between(state) else text


def describe(state: State, move: Move) -> Message:
    """Return *move*, made in *state*, in words."""
    if isinstance(move, Finish):
        return _("the players end it here")
    if isinstance(move, Enter):
        return _("{who} enters {points}", who=player(move.seat), points=move.points)
    return _("{who} counts {what}", who=player(move.seat), what=working(state, move))


def typed(state: State) -> tuple[Typed, ...]:
    """Return whose points may be typed now."""
    return tuple(
        Typed(_("Points of {who}", who=player(seat)), Enter(seat, 0), "points", POINTS)
        for seat in to_move(state)
    )


def equipment(state: State) -> Equipment:
    """Return the pieces that a photo sums; whose they are a person says, where no turn tells."""
    by_turns = state.house["order"] == "turns"
    whose = () if by_turns else tuple(Spot(player(s), seat=s) for s in range(state.seats))
    if state.house["photo"] == "dominoes":
        return Equipment(tiles=True, loose=True, largest=state.house["largest"], spots=whose)
    colours = {} if state.house["colour"] == "any" else dict.fromkeys(COLOURS, MOST)
    return Equipment(loose=True, colours=colours, spots=whose)


def observe(state: State, table: Table) -> Proposal:
    """Return the sum of what lies there."""
    if is_over(state):
        return Proposal.differs(_("it is over"), "SUM-5")
    seat = to_move(state)[0] if state.house["order"] == "turns" else table.spot
    dominoes = state.house["photo"] == "dominoes"
    found = _tiles(state, seat, table.tiles) if dominoes else _dice(state, seat, table.dice)
    try:
        for move in found.moves:
            apply(state, move)
    except Illegal as refused:
        return Proposal.differs(refused.reason, refused.rule)
    return found


def _dice(state: State, seat: int, lying: Sequence[Die]) -> Proposal:
    which, shown = state.house["colour"], state.house["photo"] == "pips"
    found = summed_dice(lying, None if which == "any" else which, pips_matter=shown)
    if found is None:
        what = _("dice") if which == "any" else _("{colour} dice", colour=colour(which))
        text = _("No {what} were found; nothing is counted.", what=what)
        return Proposal.differs(text, "SUM-3")
    last = state.entries[-1] if state.entries else None
    again = lain_before(found.pieces, last.dice if isinstance(last, SumPieces) else ())
    return Proposal((SumPieces(seat, found.pieces),), (*found.doubts, *again), weighed=True)


def _tiles(state: State, seat: int, lying: Sequence[Tile]) -> Proposal:
    if not lying:
        return Proposal.differs(_("No dominoes were found; nothing is counted."), "SUM-4")
    found = summed_tiles(lying, lambda hand: not not_of_set(hand, state.house["largest"]))
    if found is None:
        why = not_of_set([ascending(tile.halves) for tile in lying], state.house["largest"])
        assert why is not None
        return Proposal.differs(_("{why}; put right what was misread", why=why), "SUM-4")
    move = SumPieces(seat, tiles=found.pieces)
    return Proposal((move,), (*found.doubts, *_held_twice(state, move)), weighed=True)


def _held_twice(state: State, move: SumPieces) -> Iterator[Doubt]:
    """Ask about tiles that another player has held in this round."""
    for entry in _entered(state):
        if isinstance(entry, SumPieces) and (both := {*entry.tiles} & {*move.tiles}):
            tiles, who = names(sorted(both)), player(entry.seat)
            yield Doubt(_("{tiles} was counted for {who} in this round", tiles=tiles, who=who))


def tell(state: State, table: Table, _facts: Facts) -> PhotoScore:
    """Return what the pieces on one photo sum to."""
    proposal = observe(state, table)
    (move,) = moves_of(proposal)
    won, part, before = points(state, move), _("the photo"), _("what was entered before")
    line = Because(0, won, part, working(state, move), "SUM-4" if move.tiles else "SUM-3")
    return PhotoScore((part,), (won,), (line,), unknown=before, doubts=proposal.doubts)


GAME = game_of(
    "sum",
    1,
    globals(),
    unlisted=(Enter, SumPieces),
    about=_("A free score sheet: type numbers, or photograph what is summed"),
    often=("wins", "rounds", "photo"),
    target=lambda state: state.house["target"] or None,
    boards=lambda house: () if house["photo"] == "dominoes" else (DICE_MAT,),
    one_photo=OnePhoto(lambda state: (equipment(state),), tell),
)
