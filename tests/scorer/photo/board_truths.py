"""True tables of games with a board: random legal play up to a photo, and how it looks."""

from collections import Counter
from typing import Any

from scorer import Die, MarkedCell, Table, Tile
from scorer.dominoes import SET, Lay, surface
from scorer.games import GAMES, purple_house
from scorer.games.dice_wide_shut.moves import HUES, Roll, Starter, Take
from scorer.games.dice_wide_shut.photo.marks import WORDS
from scorer.games.dice_wide_shut.state import dice_for
from scorer.games.even_at_odds.moves import Agree
from tests.scorer.photo.truth import Truth, some_pips

HOUSES = tuple(
    {"colours_between_rounds": colours, "later_starts": starts}
    for colours in ("keep", "swap")
    for starts in ("alternate", "free")
)


def purple_house_(chance):
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

    def look(moves):
        grid = list(start.tables[0].round.grid)
        for move in moves:
            grid[3 * move.row + move.column] = ph.state.GridDie(move.colour, move.pips)
        return _on_grid(grid, beside)

    done = start.done[-1:]
    return Truth(
        ph.GAME,
        start,
        tuple(moves[placed:]),
        look(moves[placed:]),
        look,
        ph.moves.COLOURS,
        tuple(_on_grid(table.round.grid) for table in done),
        (_on_grid(_other_grid(chance)),),
        # From another side an empty grid fills to the same lines; only what they pay is told.
        (lambda state: state) if placed else (lambda state: (state.totals, len(state.done))),
        lambda die: die.cell is not None,
    )


def _round(chance, state):
    """Return a round's placements, the die left over and the two rolls."""
    ph, table = purple_house, state.tables[0]
    starts = table.round.starts or chance.choice(ph.moves.COLOURS)
    hands = {colour: list(some_pips(chance, 5)) for colour in ph.moves.COLOURS}
    rolls = tuple(ph.Roll(colour, tuple(hand)) for colour, hand in hands.items())
    cells = chance.sample(range(9), 9)
    moves = []
    for at, cell in enumerate(cells):
        colour = starts if at % 2 == 0 else ph.moves.OTHER[starts]
        moves.append(ph.Place(cell // 3, cell % 3, colour, hands[colour].pop()))
    (left,) = [Die(pips, colour) for colour, hand in hands.items() for pips in hand]
    return moves, left, rolls


def _on_grid(grid, beside=()):
    lying = [Die(d.pips, d.colour, divmod(cell, 3)) for cell, d in enumerate(grid) if d]
    return Table((*lying, *beside))


def _other_grid(chance):
    """Return the grid of another table: other people's dice, as many of each colour."""
    ph = purple_house
    return [ph.state.GridDie(ph.moves.COLOURS[cell % 2], chance.randint(1, 6)) for cell in range(9)]


def dice_wide_shut_(chance):
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

    def look(moves):
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


def _left(pool, moves):
    taken = moves[0].dice if isinstance(moves[0], Take) else ()
    return tuple((Counter(pool) - Counter(taken)).elements())


def _dw_move(chance, state):
    dw = GAMES["dice_wide_shut"]
    if state.pool:
        return chance.choice(list(dw.legal_moves(state)))
    hues = [hue for hue, n in dice_for(len(state.sheets)).items() for _ in range(n)]
    return Roll(tuple((hue, chance.randint(1, 6)) for hue in hues))


def _dw_dice(dice):
    return tuple(Die(value, hue) for hue, value in dice)


def _sheet(sheet):
    words = WORDS
    return tuple(
        MarkedCell((colour, row, column), words[sign])
        for colour, half in sheet.halves()
        for row in range(5)
        for column, sign in enumerate(half.rows[row] + half.sixes[row])
    )


def even_at_odds_(chance):
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


def _tiles(laid, turns):
    top = surface(laid)
    return Table(
        tiles=tuple(
            Tile(lay.tile, (_turned(lay.cells[0], turns), _turned(lay.cells[1], turns)))
            for place, lay in enumerate(laid)
            if all(top[cell][2] == place for cell in lay.cells)
        )
    )


def _turned(cell, turns):
    row, column = cell
    for _ in range(turns):
        row, column = -column, row
    return row, column
