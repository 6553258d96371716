"""The table of who may do what, and what every game shares to say and make a move."""

import random
from dataclasses import dataclass

import pytest

from scorer import Illegal
from scorer.dice import check_pips, falls
from scorer.dominoes import (
    Lay,
    TopFace,
    connected,
    laid_after,
    seen_already,
    surface,
    twice,
    unseen,
)
from scorer.games import GAMES
from scorer.games.even_at_odds.moves import Agree
from scorer.games.farkle import Keep, Roll
from scorer.messages import raw
from scorer.phases import Phase, Phases, over
from scorer.values import changed
from scorer.words import dice, either, listed, player, players, points, spelled
from tests.scorer.positions import refusal


@dataclass(frozen=True, slots=True)
class Light:
    lit: bool
    presses: int = 0


@dataclass(frozen=True, slots=True)
class Press:
    times: int


@dataclass(frozen=True, slots=True)
class Wave:
    pass


def press(state, move):
    if move.times < 1:
        raise Illegal(move, "press it", "L-1")
    return changed(state, lit=not state.lit, presses=state.presses + move.times)


PHASES = Phases(
    lambda state: "over" if state.presses > 2 else "lit" if state.lit else "dark",
    {
        "over": over("the lamp is broken", "L-3"),
        "dark": Phase(
            lambda _: (0,), lambda _: iter([Press(1)]), {Press: press}, ("it is dark", "L-2")
        ),
        "lit": Phase(
            lambda _: (1,),
            lambda _: iter([Press(1)]),
            {Press: press},
            ("it is lit", "L-2"),
            {Wave: ("{who} is seen waving", "L-4")},
        ),
    },
    lambda state: {"who": player(state.presses)},
)


def test_each_phase_has_its_moves_and_its_players():
    dark = Light(lit=False)

    lit = PHASES.apply(dark, Press(1))

    assert lit == Light(lit=True, presses=1)
    assert dark == Light(lit=False)
    assert (PHASES.to_move(dark), PHASES.to_move(lit)) == ((0,), (1,))
    assert list(PHASES.legal_moves(lit)) == [Press(1)]
    broken = Light(lit=False, presses=3)
    assert (PHASES.to_move(broken), list(PHASES.legal_moves(broken))) == ((), [])


@pytest.mark.parametrize(
    ("state", "move", "sentence", "rule"),
    [
        (Light(lit=False), Wave(), "it is dark", "L-2"),
        (Light(lit=True, presses=1), Wave(), "player 2 is seen waving", "L-4"),
        (Light(lit=True), Press(0), "press it", "L-1"),
        (Light(lit=True, presses=3), Press(1), "the lamp is broken", "L-3"),
    ],
)
def test_a_move_without_a_place_in_the_phase_is_told_why(state, move, sentence, rule):
    assert refusal(PHASES, state, move) == (sentence, rule)


def test_words_are_listed_and_counted():
    letters = [raw(letter) for letter in "abc"]
    assert [listed(letters[:n]) for n in range(4)] == ["", "a", "a and b", "a, b and c"]
    assert either(letters) == "a, b or c"
    assert players([0, 3]) == "player 1 and player 4"
    assert [dice(n) for n in (0, 1, 2)] == ["0 dice", "1 die", "2 dice"]
    assert [points(n) for n in (1, 2)] == ["1 point", "2 points"]
    assert [spelled(n) for n in (0, 3, 11)] == ["no", "three", "11"]


def test_dice_show_one_to_six_and_fall_in_as_many_ways():
    check_pips(None, (1, 6), "D-1")
    for pips in (0, 7):
        with pytest.raises(Illegal, match=f"a die shows 1 to 6, not {pips}"):
            check_pips(None, (1, pips), "D-1")
    assert [len(list(falls(count))) for count in (1, 2, 5)] == [6, 21, 252]


def test_the_view_from_above_grows_with_each_tile():
    chance, game = random.Random(5), GAMES["even_at_odds"]
    state = game.apply(game.start(2, {}), Agree(0, 0))
    laid = ()
    while not game.is_over(state):
        lays = [move for move in game.legal_moves(state) if isinstance(move, Lay)]
        move = chance.choice(lays or list(game.legal_moves(state)))
        state = game.apply(state, move)
        if isinstance(move, Lay):
            laid = laid_after(laid, move)
            assert surface(laid) == surface(list(laid))
    assert len(laid) == 20


def test_cells_of_one_kind_that_touch_are_one_group():
    kinds = {(0, 0): "a", (0, 1): "a", (1, 1): "b", (2, 1): "b", (1, 0): "b", (5, 5): "a"}

    assert connected(kinds) == [((0, 0), (0, 1)), ((1, 0), (1, 1), (2, 1)), ((5, 5),)]


def test_a_tile_is_unseen_until_somebody_meets_it():
    box = ((0, 1), (0, 2), (0, 3), (0, 4))
    laid, aside, hands = [Lay((0, 1), ((0, 0), (0, 1)))], [(0, 2)], ((), ((0, 3),))

    assert unseen(box, laid, aside, hands) == [(0, 4)]
    assert twice([(1, 2), (3, 3)]) is None
    assert twice([(1, 2), (3, 3), (2, 1)]) == (1, 2)  # whichever half is named first
    assert surface(laid) == {(0, 0): TopFace(0, 1, 0), (0, 1): TopFace(1, 1, 0)}
    assert [seen_already(tile, laid, aside, hands) for tile in (*box, (1, 0), (0, 7))] == [
        "0-1 is already on the table",
        "0-2 was set aside",
        "0-3 is in player 2's hand",
        None,
        "1-0 is written with the smaller number first",
        "there is no tile 0-7 in the box",
    ]


def test_a_match_notes_what_each_seat_has_in_the_game_that_is_played_and_whose_lines_are_whose():
    """In a best of three of Farkle nobody saw who had how many points."""
    game, farkle = GAMES["dice_wide_shut"], GAMES["farkle"]
    single, best_of = (game.start(2, {"match": kind}) for kind in ("single", "best_of_three"))

    state = farkle.start(3, {"match": "best_of_three"})
    for fell, kept in (((1, 1, 1, 2, 3, 4), (1, 1, 1)), ((2, 2, 3, 4, 6, 6), ())):
        state = farkle.apply(state, Roll(fell))
        state = farkle.apply(state, Keep(kept, bank=True)) if kept else state

    assert [*farkle.notes(state)] == ["this game: 1000", "this game: 0", "this game: 0"]
    assert [one.text for one in farkle.explain(state)] == [
        "player 1: 1 1 1 = 1000",
        "player 2: 2 2 3 4 6 6: nothing counts",
    ]
    assert [*game.notes(best_of)] == [f"this game: 0; {note}" for note in game.notes(single)]
