"""The table after each move of a match, for every game, and random legal play.

In: a game of `scorer`. Out: a `Table` for each step that can be photographed, and the moves since
the one before, those that no photo shows among them.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from scorer import Die, Game, Table, Tile, dump_move
from scorer.dominoes import Lay, surface
from scorer.games import beat_the_odds, gords, pig, purple_house
from scorer.games.dice_wide_shut import GAME as DICE_WIDE_SHUT
from scorer.games.dice_wide_shut import moves as dw
from scorer.games.dice_wide_shut.photo.marks import printed
from scorer.games.dice_wide_shut.state import State as DwState
from scorer.games.even_at_odds import moves, settings, state
from scorer.games.sum import moves as sums
from scorer.values import dump

HANDS = (2, 1, 10)  # of Gords on one photo, at most
SUMMED = 6  # dice of a score sheet on one photo, at most
LISTED = 3_000  # legal moves among which one is chosen
BESIDE = 9  # the row of tiles that lie beside a foundation
DICE = "white"  # of a tray, where the game says nothing of colours
# Moves that a match can be played without: they would tell twice what is seen, or hide it.
LEFT_OUT = (
    beat_the_odds.Agree,
    moves.Agree,
    moves.Show,
    gords.Count,
    gords.Own,
    purple_house.Roll,
    purple_house.StartRoll,
)

Shown = Callable[[Any, Any, Any], Table | None]  # the state before a move, the move, the state then


@dataclass(frozen=True, slots=True)
class Shot:
    """A photo of a match: its table, and the moves since the photo before.

    `before` is the state before the last of them, for which the photo is taken. `whose` is the seat
    whose sheet it shows, where players have sheets. `then` is said after the last of a film.
    """

    table: Table
    moves: tuple[Any, ...]
    before: Any
    after: Any
    whose: int = 0
    then: tuple[Any, ...] = ()


def shots(
    game: Game[Any, Any],
    seats: int,
    seed: int,
    most: int = 10_000,
    settings: Mapping[str, Any] | None = None,
    *,
    filmed: bool = False,
) -> list[Shot]:
    """Return the photos of a match of random legal moves, *most* at the most.

    What is said after the last photo is left out: none tells it. Of Dice Wide Shut every other
    match has no photo of what a take leaves: the marks tell it. Of Gords as many hands are shown on
    one photo as HANDS says, in turn from match to match. A match that is *filmed* shows each take
    and no sheet, and keeps what is said after its last picture.
    """
    chance, state, found = random.Random(seed), game.start(seats, settings or {}), list[Shot]()
    moves: list[Any] = []
    sheets_only = game is DICE_WIDE_SHUT and seed % 2 == 1 and not filmed
    hands: list[Table] = []
    while not game.is_over(state) and len(found) < most:
        move = _chosen(game, state, chance)
        after = game.apply(state, move)
        moves.append(move)
        table = shown_by(game)(state, move, after)
        if isinstance(move, gords.Reveal) and table is not None:
            hands.append(table)
            last = game.is_over(after) or after.caller is None  # all hands are shown
            if len(hands) < HANDS[seed % len(HANDS)] and not last:
                state = after
                continue
            table, hands = Table(tuple(die for hand in hands for die in hand.dice)), []
        hidden = dw.Mark if filmed else dw.Take if sheets_only else ()
        if table is not None and not isinstance(move, hidden):
            seat = state.seat if isinstance(state, DwState) else 0
            found.append(Shot(table, tuple(moves), state, after, seat))
            moves = []
        state = after
    if moves and found and filmed:
        found[-1] = replace(found[-1], then=tuple(moves), after=state)
    return found


def shown_by(game: Game[Any, Any]) -> Shown:
    """Return what tells how a game lies on the table."""
    return SHOWN.get(game.name, _rolled)


def answer(shot: Shot) -> dict[str, Any]:
    """Return the table as a reading tells it, and the moves as a recording does."""
    table = shot.table
    dice = [{"value": d.value, "color": d.colour, "cell": dump(d.cell)} for d in table.dice]
    tiles = [
        {"halves": t.halves, "cells": t.cells, "level": None if t.level is None else t.level - 1}
        for t in table.tiles
    ]
    marks = [{"cell": m.cell, "mark": m.mark} for m in table.marks]
    pieces = {"dice": dice, "tiles": tiles, "marks": marks, "spot": table.spot}
    return pieces | {"moves": [dump_move(move) for move in shot.moves]}


def _chosen(game: Game[Any, Any], state: Any, chance: random.Random) -> Any:
    """Return a legal move, each kind of move equally often."""
    if game is DICE_WIDE_SHUT and state.round and state.order and not state.pool:
        # In a million ways, which are not listed.
        hues = [hue for hue, count in game.equipment(state).colours.items() for _ in range(count)]
        return dw.Roll(tuple((hue, chance.randint(1, 6)) for hue in hues))  # type: ignore[misc]
    if sums.SumPieces in game.unlisted:
        dice = tuple(chance.randint(1, 6) for _die in range(chance.randint(1, SUMMED)))
        return sums.SumPieces(chance.choice(game.to_move(state)), dice)
    legal = [m for m in islice(game.legal_moves(state), LISTED) if not isinstance(m, LEFT_OUT)]
    kinds = sorted({type(move) for move in legal}, key=lambda kind: kind.__name__)
    kind = chance.choice(kinds)
    of_kind = [move for move in legal if isinstance(move, kind)]
    if kind is gords.Bid:
        of_kind = of_kind[:12]  # the track would be at its end after two bids
    return chance.choice(of_kind)


# ---------------------------------------------------------------- tables


def _tray(*values: int) -> Table:
    return Table(tuple(Die(value, DICE) for value in values))


def _rolled(_before: Any, move: Any, _after: Any) -> Table | None:
    """Return the dice of a roll or a count: what is shown of a game that is not named below."""
    if type(move).__name__ not in ("Roll", "SumPieces"):
        return None
    lying = _tray(*(move.dice if hasattr(move, "dice") else (move.pips,)))
    return replace(lying, spot=getattr(move, "seat", 0))


def _pig(before: pig.State, move: pig.Move, _after: pig.State) -> Table | None:
    match move:
        case pig.Roll(pips):
            return _tray(pips)
        case pig.RollPair(dice):
            return _tray(*dice)
        case pig.Hold() if before.house["holds"] == "shown":
            return Table()
    return None


def _beat_the_odds(
    before: beat_the_odds.State, move: beat_the_odds.Move, _after: beat_the_odds.State
) -> Table | None:
    match move:
        case beat_the_odds.StartRoll(low, high) | beat_the_odds.Roll(low, high):
            return _tray(low, high)
        case beat_the_odds.Reroll(face, value):
            low, high = before.turn.rolls[-1]
            return _tray(high if face == low else low, value)
    return None


def _purple_house(
    before: purple_house.MatchState[purple_house.State],
    move: purple_house.Move,
    _after: purple_house.MatchState[purple_house.State],
) -> Table | None:
    if not isinstance(move, purple_house.Place):
        return None
    lying = [
        Die(die.pips, die.colour, (cell // 3, cell % 3))
        for cell, die in enumerate(before.tables[move.table].round.grid)
        if die is not None
    ]
    placed = Die(move.pips, move.colour, (move.row, move.column))
    return Table((*lying, placed), spot=move.table)


def _gords(before: gords.State, move: gords.Move, _after: gords.State) -> Table | None:
    match move:
        case gords.Bid(space, face):
            place = gords.bids.places(before.house["track"]).index(space)
            return Table((Die(face, gords.settings.MARKER, (0, place)), *_lost(before)))
        case gords.Reveal(seat, dice):
            colour = gords.ONE.colours(before)[seat]
            return Table(tuple(Die(value, colour) for value in dice))
    return None


def _lost(state: gords.State) -> Iterator[Die]:
    """Yield the dice that lie beside the track since their players lost them, with any face up."""
    for seat, colour in enumerate(gords.ONE.colours(state)):
        for number in range(gords.settings.HAND - state.dice[seat]):
            yield Die((seat + number) % 6 + 1, colour)


def _dice_wide_shut(before: DwState, move: dw.Move, after: DwState) -> Table | None:
    match move:
        case dw.Roll(dice):
            return Table(tuple(Die(value, hue) for hue, value in dice))
        case dw.Take(_, dice):
            left = list(before.pool)
            for die in dice:
                left.remove(die)
            return Table(tuple(Die(value, hue) for hue, value in left))
        case dw.Mark():
            return Table(marks=printed(after.sheets[before.seat]))
    return None


def _even_at_odds(before: state.State, move: moves.Move, _after: state.State) -> Table | None:
    match move:
        case moves.Flip(first, second):
            laid = settings.foundation(2, before.house)
            row = BESIDE
            beside = (Tile(first, ((row, 0), (row, 1))), Tile(second, ((row, 3), (row, 4))))
            return Table(tiles=(*_open_tiles(laid), *beside))
        case Lay():
            return Table(tiles=_open_tiles((*before.laid, move)))
    return None


def _open_tiles(laid: Sequence[Lay]) -> tuple[Tile, ...]:
    """Return the tiles of which both halves are seen; of one half nobody can say whose it is."""
    top = surface(laid)
    return tuple(
        Tile(lay.tile, lay.cells, top[lay.cells[0]][1])
        for place, lay in enumerate(laid)
        if all(top[cell][2] == place for cell in lay.cells)
    )


# Games that are played with more than rolled dice.
SHOWN: Mapping[str, Shown] = {
    "beat_the_odds": _beat_the_odds,
    "dice_wide_shut": _dice_wide_shut,
    "even_at_odds": _even_at_odds,
    "gords": _gords,
    "pig": _pig,
    "purple_house": _purple_house,
}
