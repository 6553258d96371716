"""True tables of each game: random legal play up to a photo, what was played, and how it looks.

`TRUTHS` maps a game's name to a function from a random generator to one `Truth`.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from models.series.shown import Shot, shots, shown_by
from scorer import Die, Game, MarkedCell, Table, Tile
from scorer.dominoes import SET, Lay, surface
from scorer.games import GAMES, beat_the_odds, gords, purple_house
from scorer.games.dice_wide_shut.moves import HUES, Roll, Starter, Take
from scorer.games.dice_wide_shut.photo.marks import WORDS
from scorer.games.dice_wide_shut.state import Sheet, State, dice_for
from scorer.games.even_at_odds.moves import Agree

Chance = random.Random


@dataclass(frozen=True, slots=True)
class PlacedDie(Die):
    """A die that was thrown: where it came to lie, in mm, and how far it is turned."""

    lies: tuple[float, float, float] = (0.0, 0.0, 0.0)


SIDE_MM, TABLE_MM = 16.0, 250.0
NOISE = 0.02  # of a side: how far off the eyes find a corner


def photographed(chance: Chance, table: Table) -> dict[str, Any]:
    """Return the upper faces as a camera finds them that looks at the table from somewhere."""
    tilt = [chance.uniform(-0.3, 0.3) for _again in range(2)]
    turn, zoom = chance.uniform(0, 6.3), chance.uniform(2, 5)

    def seen(x: float, y: float) -> list[float]:
        across = x * math.cos(turn) - y * math.sin(turn)
        down = x * math.sin(turn) + y * math.cos(turn)
        near = 1 + (tilt[0] * across + tilt[1] * down) / (2 * TABLE_MM)
        off = [chance.gauss(0, NOISE * SIDE_MM) for _axis in range(2)]
        return [zoom * (across + off[0]) / near, zoom * (down + off[1]) / near]

    dice = []
    for die in table.dice:
        x, y, angle = die.lies if isinstance(die, PlacedDie) else _place(chance)
        corners = [angle + quarter * math.pi / 2 for quarter in range(4)]
        reach = SIDE_MM / math.sqrt(2)
        quad = [seen(x + reach * math.cos(at), y + reach * math.sin(at)) for at in corners]
        dice.append({"value": die.value, "quad": quad})
    return {"dice": dice}


def _place(chance: Chance) -> tuple[float, float, float]:
    return chance.uniform(0, TABLE_MM), chance.uniform(0, TABLE_MM), chance.uniform(0, 6.3)


@dataclass(frozen=True)
class Truth:
    """A photo of what was played from `state` on, read without a fault.

    `look` is the photo of other moves from there: it tells whether a damaged table is the true
    look of another legal play. `stale` are photos of the table before, `left` of what lay there
    then and was not set aside, `foreign` of other tables. `colours` are those a die may be taken
    for. `outcome` of a state is what a proposal must get right; dice that do not matter are
    bystanders. `before` is compared with where dice lie now.
    """

    game: Game[Any, Any]
    state: Any
    moves: tuple[Any, ...]
    table: Table
    look: Callable[[Sequence[Any]], Table]
    colours: tuple[str, ...] = ()
    stale: tuple[Table, ...] = ()
    foreign: tuple[Table, ...] = ()
    outcome: Callable[[Any], object] = lambda state: state
    matters: Callable[[Die], bool] = lambda die: True
    before: Table | None = None  # the last roll as it lay when it was photographed
    left: tuple[Table, ...] = ()

    def after(self, moves: Iterable[Any]) -> Any:
        """Return the state after *moves*; raises Illegal."""
        state = self.state
        for move in moves:
            state = self.game.apply(state, move)
        return state


def facts(table: Table) -> Counter[object]:
    """Return what a table shows, however sure, as it can be compared."""
    return Counter(
        [(die.value, die.colour, die.cell) for die in table.dice]
        + [frozenset(zip(tile.halves, tile.on_cells, strict=True)) for tile in table.tiles]
        + [(mark.cell, mark.mark) for mark in table.marks]
    )


def _pips(chance: Chance, count: int) -> tuple[int, ...]:
    return tuple(chance.randint(1, 6) for _ in range(count))


def _lying(dice: Iterable[int]) -> Table:
    return Table(tuple(Die(value, "white") for value in dice))


def _thrown_dice(chance: Chance, dice: Iterable[int]) -> Table:
    placed: list[PlacedDie] = []
    for value in dice:
        lies = _place(chance)
        while any(math.dist(lies[:2], one.lies[:2]) < 1.3 * SIDE_MM for one in placed):
            lies = _place(chance)
        placed.append(PlacedDie(value, "white", lies=lies))
    return Table(tuple(placed))


# ---------------------------------------------------------------- rolls


def rolls(name: str, chance: Chance) -> Truth:
    """A roll at some time in a match of a game that has no truths of its own below."""
    game = GAMES[name]
    taken = shots(game, max(2, game.seats[0]), chance.randrange(1 << 30), chance.randint(1, 9))
    *_, before, shot = (None, None, *taken)
    if shot is None:
        return rolls(name, chance)
    lay, state, move = before and _thrown_dice(chance, _values(before)), shot.before, shot.moves[-1]

    def look(moves: Sequence[Any]) -> Table:
        return shown_by(game)(state, moves[-1], None) or Table()

    table = replace(_thrown_dice(chance, _values(shot)), spot=shot.table.spot)
    lay = lay and replace(lay, spot=table.spot)
    stale = (lay,) if lay else ()
    return Truth(game, state, (move,), table, look, stale=stale, before=lay)


def _values(shot: Shot) -> tuple[int, ...]:
    return tuple(die.value for die in shot.table.dice)


def pig(chance: Chance) -> Truth:
    """A roll of one die, at some time in a match."""
    game = GAMES["pig"]
    roll, hold, _pair = game.moves
    state, before = game.start(2, {}), ()
    for _ in range(chance.randrange(9)):
        if state.rolls and chance.random() < 0.3:
            state = game.apply(state, hold())
        else:
            before = _pips(chance, 1)
            state = game.apply(state, roll(*before))
    rolled, lay = _pips(chance, 1), _thrown_dice(chance, before)
    return Truth(
        game,
        state,
        (roll(*rolled),),
        _thrown_dice(chance, rolled),
        lambda moves: _lying([moves[-1].pips]),
        stale=(lay,) if before else (),
        before=lay if before else None,
    )


def farkle_(chance: Chance) -> Truth:
    """A roll of six dice, or of those not set aside."""
    game, aside, left, rolled = GAMES["farkle"], Table(), Table(), Table()
    roll, state = game.moves[0], game.start(2, {})
    many = chance.randrange(9)
    while many > 0 or not isinstance(next(game.legal_moves(state)), roll):
        many -= 1
        if type(move := chance.choice(list(game.legal_moves(state)))) is roll:
            aside = Table() if len(move.dice) == 6 else aside
            left = rolled = _thrown_dice(chance, move.dice)
        else:
            aside, left = _set_aside(aside, left, move.dice)
        state = game.apply(state, move)
    dice = _pips(chance, game.equipment(state).dice or 0)
    lay = Table((*aside.dice, *left.dice))  # six dice, or none before the first roll
    return Truth(
        game,
        state,
        (roll(dice),),
        _thrown_dice(chance, dice),
        lambda moves: _lying(moves[-1].dice),
        stale=(lay,) if lay.dice else (),
        before=rolled if lay.dice else None,
        left=(left,) if len(left.dice) == len(dice) else (),
    )


def _set_aside(aside: Table, lying: Table, dice: Iterable[int]) -> tuple[Table, Table]:
    """Return the dice set aside, *dice* of those *lying* among them, and the others."""
    left = list(lying.dice)
    for value in dice:
        del left[[die.value for die in left].index(value)]
    return Table((*aside.dice, *(die for die in lying.dice if die not in left))), Table(tuple(left))


def beat_the_odds_(chance: Chance) -> Truth:
    """A roll of two dice for the start or in a turn, or a die rolled again."""
    game, bo = beat_the_odds.GAME, beat_the_odds
    state, before = game.start(2, {}), ()
    for _ in range(chance.randrange(14)):
        if bo.is_over(state):
            break
        before, moves = _thrown(chance, state, before)
        for move in moves:
            state = bo.ONE.apply(state, move)
        if state.starter is not None and state.turn.asks == "double":
            state = bo.ONE.apply(state, bo.Double(None))
    if bo.is_over(state):
        return beat_the_odds_(chance)
    rolled, moves = _thrown(chance, state, before)
    lay = before

    def look(moves: Sequence[Any]) -> Table:
        match moves[-1]:
            case bo.Reroll(face, value):
                kept = list(lay)
                kept[kept.index(face)] = value
                return _lying(kept)
            case bo.Decline():
                return _lying(lay)
        return _lying((moves[-1].low, moves[-1].high))

    there = _thrown_dice(chance, lay)
    table = _thrown_dice(chance, rolled)
    if isinstance(moves[-1], bo.Reroll):  # the other die stays where it lay
        again = lay.index(moves[-1].face)
        table = Table((table.dice[again], there.dice[1 - again]))
    before = there if lay else None
    stale = (there,) if lay else ()
    return Truth(game, state, moves, table, look, stale=stale, before=before)


def _thrown(
    chance: Chance, state: beat_the_odds.State, lay: tuple[int, ...]
) -> tuple[tuple[int, ...], tuple[Any, ...]]:
    """Return the dice of the next throw and the moves it is."""
    bo, rolled = beat_the_odds, _pips(chance, 2)
    low, high = sorted(rolled)
    if state.starter is None:
        return rolled, (bo.StartRoll(low, high),)
    if state.turn.asks != "reroll":
        return rolled, (bo.Roll(low, high),)
    if chance.random() < 0.2 and not bo.ends_turn(state.turn.rolls[-1]):
        return rolled, (bo.Decline(), bo.Roll(low, high))
    face = chance.choice([die for die in lay if die % 2])
    kept = list(lay)
    kept[kept.index(face)] = rolled[0]
    return tuple(kept), (bo.Reroll(face, rolled[0]),)


# ---------------------------------------------------------------- Gords


def gords_(chance: Chance) -> Truth:
    """A bid on the track, with dice lost that lie there, or the dice shown at a call."""
    gd, seats = gords, chance.randint(2, 4)
    state = gd.ONE.apply(gd.ONE.start(seats, {}), gd.Agree(0))
    track, stale = gd.places("half_before"), []
    while True:
        bid = _bid(chance, state)
        table = Table((_marker(bid), *_lost(state)))
        if state.seat is not None and chance.random() < 0.3:
            return Truth(
                gd.GAME,
                state,
                (bid,),
                table,
                partial(_with_bid, _lost(state)),
                ("white", *gd.COLOURS[:seats]),
                tuple(stale[-1:]),
                matters=lambda die: die.colour == gd.MARKER and die.cell is not None,
            )
        state, stale = gd.ONE.apply(state, bid), [*stale, table]
        if chance.random() < 0.5 or bid.space == track[-1]:
            continue
        state = gd.ONE.apply(state, gd.Call(state.seat))
        hands = {seat: _pips(chance, n) for seat, n in enumerate(state.dice) if n}
        shows = tuple(gd.Reveal(seat, hand) for seat, hand in hands.items())
        if chance.random() < 0.4:
            return Truth(
                gd.GAME,
                state,
                shows,
                _hands(shows),
                _hands,
                ("white", *gd.COLOURS[:seats]),
                outcome=lambda state: (state.dice, state.seat, state.caller),
            )
        for show in shows:
            state = gd.ONE.apply(state, show)
        if gd.is_over(state):
            return gords_(chance)


def _bid(chance: Chance, state: gords.State) -> gords.Bid:
    higher = list(gords.raises(state.bid, state.house, sum(state.dice)))
    return chance.choice(higher[:12]) if higher else gords.Bid(gords.places("half_before")[-1], 6)


def _with_bid(lost: tuple[Die, ...], moves: Sequence[Any]) -> Table:
    return Table((_marker(moves[-1]), *lost))


def _marker(bid: gords.Bid) -> Die:
    return Die(bid.face, "white", (0, gords.places("half_before").index(bid.space)))


def _lost(state: gords.State) -> tuple[Die, ...]:
    """Return the lost dice, on the last places of the track."""
    gone = [gords.COLOURS[seat] for seat, n in enumerate(state.dice) for _ in range(5 - n)]
    return tuple(Die(1 + at % 6, colour, (0, 29 - at)) for at, colour in enumerate(gone))


def _hands(moves: Sequence[Any]) -> Table:
    return Table(tuple(Die(v, gords.COLOURS[m.seat]) for m in moves for v in m.dice))


# ---------------------------------------------------------------- Purple House

HOUSES = tuple(
    {"colours_between_rounds": colours, "later_starts": starts}
    for colours in ("keep", "swap")
    for starts in ("alternate", "free")
)


def purple_house_(chance: Chance) -> Truth:
    """A full grid, some of it known before, the rolls known or not, the tenth die seen or not."""
    ph = purple_house
    state = ph.GAME.start(2, {**chance.choice(HOUSES), "match": "race"})
    state = ph.GAME.apply(state, ph.Agree(chance.randrange(2), 0))
    for _ in range(chance.randrange(3)):
        for move in _round(chance, state)[0]:
            state = ph.GAME.apply(state, move)
    moves, left, rolls = _round(chance, state)
    for roll in rolls if chance.random() < 0.5 else ():
        state = ph.GAME.apply(state, roll)
    placed = chance.choice((0, 0, *range(9)))
    for move in moves[:placed]:
        state = ph.GAME.apply(state, move)
    beside = (left,) if chance.random() < 0.5 else ()
    start = state

    def look(moves: Sequence[Any]) -> Table:
        grid = list(start.tables[0].round.grid)
        for move in moves:
            grid[3 * move.row + move.column] = ph.GridDie(move.colour, move.pips)
        return _on_grid(grid, beside)

    done = start.done[-1:]
    return Truth(
        ph.GAME,
        start,
        tuple(moves[placed:]),
        look(moves[placed:]),
        look,
        ph.COLOURS,
        tuple(_on_grid(table.round.grid) for table in done),
        (_on_grid(_other_grid(chance)),),
        # From another side an empty grid fills to the same lines; only what they pay is told.
        (lambda state: state) if placed else (lambda state: (state.totals, len(state.done))),
        lambda die: die.cell is not None,
    )


def _round(
    chance: Chance, state: purple_house.MatchState[purple_house.State]
) -> tuple[list[Any], Die, tuple[Any, ...]]:
    """Return a round's placements, the die left over and the two rolls."""
    ph, table = purple_house, state.tables[0]
    starts = table.round.starts or chance.choice(ph.COLOURS)
    hands = {colour: list(_pips(chance, 5)) for colour in ph.COLOURS}
    rolls = tuple(ph.Roll(colour, tuple(hand)) for colour, hand in hands.items())
    cells = chance.sample(range(9), 9)
    moves = []
    for at, cell in enumerate(cells):
        colour = starts if at % 2 == 0 else ph.OTHER[starts]
        moves.append(ph.Place(cell // 3, cell % 3, colour, hands[colour].pop()))
    (left,) = [Die(pips, colour) for colour, hand in hands.items() for pips in hand]
    return moves, left, rolls


def _on_grid(grid: Sequence[Any], beside: tuple[Die, ...] = ()) -> Table:
    lying = [Die(d.pips, d.colour, divmod(cell, 3)) for cell, d in enumerate(grid) if d]
    return Table((*lying, *beside))


def _other_grid(chance: Chance) -> list[Any]:
    """Return the grid of another table: other people's dice, as many of each colour."""
    ph = purple_house
    return [ph.GridDie(ph.COLOURS[cell % 2], chance.randint(1, 6)) for cell in range(9)]


# ---------------------------------------------------------------- Dice Wide Shut


def dice_wide_shut_(chance: Chance) -> Truth:
    """A roll, or a player's take and marks: the dice with the sheet, or the marks alone after."""
    dw, seats = GAMES["dice_wide_shut"], chance.randint(2, 5)
    state = dw.apply(dw.start(seats, {}), Starter(0))
    for _ in range(chance.randrange(40)):
        if not state.order:
            break
        state = dw.apply(state, _dw_move(chance, state))
    if not state.order:
        return dice_wide_shut_(chance)
    seat, moves, current = state.order[0], [], state
    while not moves or (current.order[:1] == (seat,) and current.due):
        moves.append(_dw_move(chance, current))
        current = dw.apply(current, moves[-1])
    kind = chance.choice(("left", "taken")) if state.pool else "roll"

    def look(moves: Sequence[Any]) -> Table:
        end = pool = state
        for move in moves:
            end = dw.apply(end, move)
            pool = end if end.due or not pool.due else pool
        dice: tuple[Any, ...] = state.rolled
        if kind == "roll":
            return Table(_dw_dice(moves[-1].dice))
        if kind == "taken":
            dice = moves[0].dice if isinstance(moves[0], Take) else ()
        else:
            dice = end.pool if end.round == state.round else _left(state.pool, moves)
        return Table(_dw_dice(dice), marks=_sheet(end.sheets[seat]))

    other = state.order[1] if len(state.order) > 1 else (seat + 1) % seats
    before = Table(_dw_dice(state.pool), marks=_sheet(state.sheets[seat]))
    last_roll = (Table(_dw_dice(state.rolled)),) if state.rolled else ()
    return Truth(
        dw,
        state,
        tuple(moves),
        look(moves),
        look,
        HUES,
        (before,) if state.pool else last_roll,
        (Table(marks=_sheet(state.sheets[other])),) if state.pool else (),
        lambda state: (state.sheets, state.pool, state.round, state.order),
    )


def _left(pool: tuple[Any, ...], moves: Sequence[Any]) -> tuple[Any, ...]:
    taken = moves[0].dice if isinstance(moves[0], Take) else ()
    return tuple((Counter(pool) - Counter(taken)).elements())


def _dw_move(chance: Chance, state: State) -> Any:
    dw = GAMES["dice_wide_shut"]
    if state.pool:
        return chance.choice(list(dw.legal_moves(state)))
    hues = [hue for hue, n in dice_for(len(state.sheets)).items() for _ in range(n)]
    return Roll(tuple((hue, chance.randint(1, 6)) for hue in hues))


def _dw_dice(dice: Iterable[Any]) -> tuple[Die, ...]:
    return tuple(Die(value, hue) for hue, value in dice)


def _sheet(sheet: Sheet) -> tuple[MarkedCell, ...]:
    words = WORDS
    return tuple(
        MarkedCell((colour, row, column), words[sign])
        for colour, half in sheet.halves()
        for row in range(5)
        for column, sign in enumerate(half.rows[row] + half.sixes[row])
    )


# ---------------------------------------------------------------- Even at Odds


def even_at_odds_(chance: Chance) -> Truth:
    """One tile laid or stacked, photographed from anywhere."""
    eo = GAMES["even_at_odds"]
    state = eo.apply(eo.start(2, {}), Agree(0, 0))
    stale: tuple[Table, ...] = ()
    turns = chance.randrange(4)
    for _ in range(chance.randrange(16)):
        lays = [move for move in eo.legal_moves(state) if isinstance(move, Lay)]
        if not lays:
            return even_at_odds_(chance)
        stale = (_tiles(state.laid, turns),)
        state = eo.apply(state, chance.choice(lays))
    lays = [move for move in eo.legal_moves(state) if isinstance(move, Lay)]
    if not lays or state.starter is None:
        return even_at_odds_(chance)
    move, start = chance.choice(lays), state
    foreign = Table(
        tiles=tuple(
            Tile(tile, ((2 * at, 0), (2 * at, 1))) for at, tile in enumerate(chance.sample(SET, 9))
        )
    )
    return Truth(
        eo,
        start,
        (move,),
        _tiles((*start.laid, move), turns),
        lambda moves: _tiles((*start.laid, *moves), turns),
        stale=(_tiles(start.laid, turns), *stale),
        foreign=(foreign,),
    )


def _tiles(laid: Sequence[Any], turns: int) -> Table:
    top = surface(laid)
    return Table(
        tiles=tuple(
            Tile(lay.tile, (_turned(lay.cells[0], turns), _turned(lay.cells[1], turns)))
            for place, lay in enumerate(laid)
            if all(top[cell][2] == place for cell in lay.cells)
        )
    )


def _turned(cell: tuple[int, int], turns: int) -> tuple[int, int]:
    row, column = cell
    for _ in range(turns):
        row, column = -column, row
    return row, column


def mirrored(table: Table) -> Table:
    """Return the table as a mirror shows it."""
    tiles = tuple(
        replace(t, cells=((p[0], -p[1]), (q[0], -q[1]))) for t in table.tiles for p, q in [t.cells]
    )
    dice = tuple(
        replace(die, cell=die.cell and (die.cell[0], 2 - die.cell[1])) for die in table.dice
    )
    return replace(table, tiles=tiles, dice=dice)


OWN: dict[str, Callable[[Chance], Truth]] = {
    "pig": pig,
    "farkle": farkle_,
    "beat_the_odds": beat_the_odds_,
    "gords": gords_,
    "purple_house": purple_house_,
    "dice_wide_shut": dice_wide_shut_,
    "even_at_odds": even_at_odds_,
}
TRUTHS = {name: OWN.get(name, partial(rolls, name)) for name in GAMES}
