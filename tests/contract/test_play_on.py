"""What happens at real tables, in every game: who leaves, comes late, and plays on."""

import json
import random
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer import Illegal, dump_move, load_move, replay
from scorer.evening.state import names_of, overrides_of
from scorer.evening.steps import (
    ChangeChairs,
    Concede,
    EndMatch,
    JoinTable,
    LeaveTable,
    PlayOn,
    Rename,
    Reseat,
)
from scorer.games import GAMES
from scorer.games.dice_wide_shut.photo.marks import printed
from scorer.games.dice_wide_shut.state import Half, Sheet
from scorer.games.even_at_odds.settings import foundation
from scorer.phases import fault
from scorer.photo.dominoes import lying
from scorer.table import Die, Table, Tile
from tests.conftest import place
from tests.contract.test_contract import draw_settings, every_game, explained, listed
from tests.grids import tries
from tests.matches import AGREED, BEGUN


def loose(*dice):
    return Table(tuple(Die(value, colour) for value, colour in dice))


def lines(*grid):
    """Return dice on the cells of a grid of three: ("black", 4) from the top left on."""
    return Table(tuple(Die(die[1], die[0], divmod(at, 3)) for at, die in enumerate(grid) if die))


def domino_nobody_may_lay():
    """Return the foundation and a tile beside it that fits nothing there."""
    laid = lying(foundation(2, GAMES["even_at_odds"].start(2, {}).house)).tiles
    return Table(tiles=(*laid, Tile((5, 6), ((0, 4), (0, 5)), 1)))


SHEET = Sheet(Half(("xx...", "xx...", ".....", ".....", ".....")))
KEPT = {"move": "Keep", "dice": [1], "bank": False}
CASES = [
    (
        "purple_house",
        [{"move": "Agree", "starter": 0, "black": 0}, place(0, 0, "black", 4)],
        lines(("black", 4), ("black", 2), None, ("black", 6)),
        "PH-4",
        (0, 0),
    ),
    (
        "farkle",
        [{"move": "Roll", "dice": [1, 2, 2, 3, 4, 6]}, KEPT],
        loose(*[(5, "white")] * 6),
        "FK-2",
        (0, 0),
    ),
    (
        "beat_the_odds",
        [*AGREED, {"move": "Roll", "low": 2, "high": 2}, {"move": "Roll", "low": 1, "high": 4}],
        loose((6, "white"), (6, "white")),
        "BO-A3",
        (32, 0),
    ),
    (
        "gords",
        [*AGREED, {"move": "Bid", "space": "2", "face": 4}, {"move": "Call", "seat": 1}],
        loose(*[(4, "red")] * 6, *[(3, "blue")] * 5),
        "GD-6",
        (6, 4),
    ),
    ("dice_wide_shut", [{"move": "Starter", "seat": 0}], Table(marks=printed(SHEET)), "DW-2", None),
]


def begun(name, moves):
    game = GAMES[name]
    read = [load_move(game, move) for move in moves]
    return game, read, replay(game, 2, {}, read)


@pytest.mark.parametrize(
    ("name", "moves", "table", "rule", "score"), CASES, ids=lambda x: str(x)[:14]
)
def test_a_match_goes_on_from_what_lies_there_and_keeps_rule_and_who_confirmed(
    name, moves, table, rule, score
):
    game, read, state = begun(name, moves)
    assert game.observe(state, table).differences or name == "beat_the_odds"
    step = PlayOn(table, rule, 1)
    after = game.apply(state, step)

    assert [(broken.rule, broken.confirmed) for broken in overrides_of(after)] == [(rule, 1)]
    assert score in (None, game.score(after))
    saved = json.loads(json.dumps([dump_move(move) for move in (*read, step)]))
    assert replay(game, 2, {}, [load_move(game, move) for move in saved]) == after
    said = str(game.describe(state, step))
    assert rule in said
    assert any(str(entry.text) == said for entry in game.explain(after))
    chance = random.Random(5)
    for _ in range(30):
        assert explained(game, after) == game.score(after)
        assert game.prompt(after)
        possible = [*islice(game.legal_moves(after), 40)]
        if not possible:
            break
        after = game.apply(after, chance.choice(possible))
    assert overrides_of(after)


def test_a_domino_that_fits_nowhere_lies_where_it_was_laid_and_the_turn_passes():
    game, _moves, state = begun("even_at_odds", BEGUN["even_at_odds"])
    table = domino_nobody_may_lay()
    (why, *_) = game.observe(state, table).differences
    after = game.apply(state, PlayOn(table, why.rule, 0))

    assert game.to_move(after) == (1,)
    assert not game.observe(after, table).differences


@pytest.mark.parametrize("name", GAMES)
def test_nothing_is_played_on_with_after_the_end_or_from_a_bare_table(name):
    game = GAMES[name]
    state = game.start(2, {})
    for table, then in ((Table(), state), (Table(), game.apply(state, EndMatch()))):
        with pytest.raises(Illegal) as refused:
            game.apply(then, PlayOn(table, "MT-13", 0))
        assert refused.value.rule in ("MT-11", "MT-13")


def test_a_game_that_forbids_nothing_on_the_table_has_no_such_step():
    without = {name for name, game in GAMES.items() if PlayOn not in game.steps}

    assert without == {"pig", "sum"}
    assert all((GAMES[name].as_it_lies is None) == (name in without) for name in GAMES)


LONGEST = 40  # moves of random play an example


def steps_now(game, state):
    """Return the steps beside the moves that can be taken now."""
    seats = range(len(game.score(state)))
    every = [EndMatch(), JoinTable("Cleo"), Rename(0, "Anna"), Reseat((*seats[1:], 0))]
    every += [ChangeChairs((*seats[1:], 0))]
    every += [kind(seat) for kind in (LeaveTable, Concede) for seat in seats]
    return [step for step in every if fault(game.apply, state, step) is None]


@every_game
@settings(max_examples=tries(12), deadline=None)
@given(data=st.data())
def test_a_match_goes_on_whatever_happens_at_the_table(game, data):
    seats = data.draw(st.sampled_from(game.seats[:5]))
    house = draw_settings(data, game)
    state, moves = game.start(seats, house), []
    while len(moves) < LONGEST and not game.is_over(state):
        beside = data.draw(st.integers(0, 9)) == 0
        offered = steps_now(game, state) if beside else listed(game, state)
        moves.append(data.draw(st.sampled_from(offered)))
        assert game.describe(state, moves[-1])
        state = game.apply(state, moves[-1])
        assert explained(game, state) == game.score(state)
        assert game.prompt(state)
        assert game.is_over(state) or game.to_move(state)

    assert game.is_over(state) == (game.result(state) is not None)
    saved = json.loads(json.dumps([dump_move(move) for move in moves]))
    assert replay(game, seats, house, [load_move(game, move) for move in saved]) == state


@every_game
def test_a_match_ended_early_says_who_leads_and_takes_nothing_more(game):
    state = game.apply(game.start(game.seats[-1] if game.seats[-1] < 5 else 2, {}), EndMatch())

    assert game.is_over(state)
    assert game.result(state).early
    for step in (EndMatch(), LeaveTable(0), Concede(0), JoinTable("Cleo")):
        with pytest.raises(Illegal) as refused:
            game.apply(state, step)
        assert refused.value.reason
    assert names_of(game.apply(state, Rename(0, "Anna")), ["Ana", "Ben", "C", "D"])[0] == "Anna"


def test_no_game_has_a_move_called_as_a_step_beside_them():
    for game in GAMES.values():
        assert not {kind.__name__ for kind in game.moves} & {kind.__name__ for kind in game.steps}
