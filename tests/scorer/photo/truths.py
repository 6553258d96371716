"""True tables of each game: random legal play up to a photo, what was played, and how it looks.

`TRUTHS` maps the name of a game, or of a variant, to a function from a random generator to one
`Truth`.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from models.series.shown import shots, shown_by
from scorer import Die, Table
from scorer.games import GAMES, beat_the_odds, gords
from tests.scorer.photo.board_truths import dice_wide_shut_, even_at_odds_, purple_house_
from tests.scorer.photo.truth import Chance, Truth, some_pips, thrown_dice, white


def rolls(name, chance, **house):
    """A roll at some time in a match of a game that has no truths of its own below."""
    game, seed = GAMES[name], chance.randrange(1 << 30)
    taken = shots(game, max(2, game.seats[0]), seed, chance.randint(1, 9), house)
    *_, before, shot = (None, None, *taken)
    if shot is None:
        return rolls(name, chance, **house)
    lay, state, move = before and thrown_dice(chance, _values(before)), shot.before, shot.moves[-1]

    def look(moves):
        return shown_by(game)(state, moves[-1], None) or Table()

    table = replace(thrown_dice(chance, _values(shot)), spot=shot.table.spot)
    lay = lay and replace(lay, spot=table.spot)
    stale = (lay,) if lay else ()
    return Truth(game, state, (move,), table, look, stale=stale, before=lay)


def _values(shot):
    return tuple(die.value for die in shot.table.dice)


def farkle_(chance):
    """A roll of six dice, or of those not set aside."""
    game, aside, left, rolled = GAMES["farkle"], Table(), Table(), Table()
    roll, state = game.moves[0], game.start(2, {})
    many = chance.randrange(9)
    while many > 0 or not isinstance(next(game.legal_moves(state)), roll):
        many -= 1
        if type(move := chance.choice(list(game.legal_moves(state)))) is roll:
            aside = Table() if len(move.dice) == 6 else aside
            left = rolled = thrown_dice(chance, move.dice)
        else:
            aside, left = _set_aside(aside, left, move.dice)
        state = game.apply(state, move)
    dice = some_pips(chance, game.equipment(state).dice or 0)
    lay = Table((*aside.dice, *left.dice))  # six dice, or none before the first roll
    return Truth(
        game,
        state,
        (roll(dice),),
        thrown_dice(chance, dice),
        lambda moves: white(*moves[-1].dice),
        stale=(lay,) if lay.dice else (),
        before=rolled if lay.dice else None,
        left=(left,) if len(left.dice) == len(dice) else (),
    )


def _set_aside(aside, lying, dice):
    """Return the dice set aside, *dice* of those *lying* among them, and the others."""
    left = list(lying.dice)
    for value in dice:
        del left[[die.value for die in left].index(value)]
    return Table((*aside.dice, *(die for die in lying.dice if die not in left))), Table(tuple(left))


def beat_the_odds_(chance):
    """A roll of two dice for the start or in a turn, or a die rolled again."""
    game, bo = beat_the_odds.GAME, beat_the_odds
    state, before = game.start(2, {}), ()
    for _ in range(chance.randrange(14)):
        if bo.rules.is_over(state):
            break
        before, moves = _thrown(chance, state, before)
        for move in moves:
            state = bo.ONE.apply(state, move)
        if state.starter is not None and state.turn.asks == "double":
            state = bo.ONE.apply(state, bo.Double(None))
    if bo.rules.is_over(state):
        return beat_the_odds_(chance)
    rolled, moves = _thrown(chance, state, before)
    lay = before

    def look(moves):
        match moves[-1]:
            case bo.Reroll(face, value):
                kept = list(lay)
                kept[kept.index(face)] = value
                return white(*kept)
            case bo.Decline():
                return white(*lay)
        return white(moves[-1].low, moves[-1].high)

    there = thrown_dice(chance, lay)
    table = thrown_dice(chance, rolled)
    if isinstance(moves[-1], bo.Reroll):  # the other die stays where it lay
        again = lay.index(moves[-1].face)
        table = Table((table.dice[again], there.dice[1 - again]))
    before = there if lay else None
    stale = (there,) if lay else ()
    return Truth(game, state, moves, table, look, stale=stale, before=before)


def _thrown(chance, state, lay):
    """Return the dice of the next throw and the moves it is."""
    bo, rolled = beat_the_odds, some_pips(chance, 2)
    low, high = sorted(rolled)
    if state.starter is None:
        return rolled, (bo.StartRoll(low, high),)
    if state.turn.asks != "reroll":
        return rolled, (bo.Roll(low, high),)
    if chance.random() < 0.2 and not bo.turn.ends_turn(state.turn.rolls[-1]):
        return rolled, (bo.Decline(), bo.Roll(low, high))
    face = chance.choice([die for die in lay if die % 2])
    kept = list(lay)
    kept[kept.index(face)] = rolled[0]
    return tuple(kept), (bo.Reroll(face, rolled[0]),)


def gords_(chance):
    """A bid on the track, with dice lost that lie there, or the dice shown at a call."""
    gd, seats = gords, chance.randint(2, 4)
    state = gd.ONE.apply(gd.ONE.start(seats, {}), gd.Agree(0))
    track, stale = gd.bids.places("half_before"), []
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
                ("white", *gd.settings.COLOURS[:seats]),
                tuple(stale[-1:]),
                matters=lambda die: die.colour == gd.settings.MARKER and die.cell is not None,
            )
        state, stale = gd.ONE.apply(state, bid), [*stale, table]
        if chance.random() < 0.5 or bid.space == track[-1]:
            continue
        state = gd.ONE.apply(state, gd.Call(state.seat))
        hands = {seat: some_pips(chance, n) for seat, n in enumerate(state.dice) if n}
        shows = tuple(gd.Reveal(seat, hand) for seat, hand in hands.items())
        if chance.random() < 0.4:
            return Truth(
                gd.GAME,
                state,
                shows,
                _hands(shows),
                _hands,
                ("white", *gd.settings.COLOURS[:seats]),
                outcome=lambda state: (state.dice, state.seat, state.caller),
            )
        for show in shows:
            state = gd.ONE.apply(state, show)
        if gd.rules.is_over(state):
            return gords_(chance)


def _bid(chance, state):
    higher = list(gords.bids.raises(state.bid, state.house, sum(state.dice)))
    return (
        chance.choice(higher[:12]) if higher else gords.Bid(gords.bids.places("half_before")[-1], 6)
    )


def _with_bid(lost, moves):
    return Table((_marker(moves[-1]), *lost))


def _marker(bid):
    return Die(bid.face, "white", (0, gords.bids.places("half_before").index(bid.space)))


def _lost(state):
    """Return the lost dice, on the last places of the track."""
    gone = [gords.settings.COLOURS[seat] for seat, n in enumerate(state.dice) for _ in range(5 - n)]
    return tuple(Die(1 + at % 6, colour, (0, 29 - at)) for at, colour in enumerate(gone))


def _hands(moves):
    return Table(tuple(Die(v, gords.settings.COLOURS[m.seat]) for m in moves for v in m.dice))


OWN: dict[str, Callable[[Chance], Truth]] = {
    "farkle": farkle_,
    "beat_the_odds": beat_the_odds_,
    "gords": gords_,
    "purple_house": purple_house_,
    "dice_wide_shut": dice_wide_shut_,
    "even_at_odds": even_at_odds_,
}
TRUTHS = {name: OWN.get(name, partial(rolls, name)) for name in GAMES}
TRUTHS |= {f"pig {variant}": partial(rolls, "pig", variant=variant) for variant in ("two", "big")}
