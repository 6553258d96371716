"""The coaches of Dice Wide Shut and Even at Odds: quick views against the rules, and advice."""

import random
import re
from functools import partial
from math import comb

import pytest

from scorer import NoAdvice, load_move
from scorer.coach import dice_wide_shut_fit as fit
from scorer.coach import dice_wide_shut_turn as turns
from scorer.coach.dice_wide_shut import POINT
from scorer.coach.dice_wide_shut_value import Rivals, coded, distance, fitted, points
from scorer.coach.even_at_odds_search import Situation, answers, ways
from scorer.coach.even_at_odds_view import TopGroups, laid
from scorer.dominoes import Lay, laid_after, surface
from scorer.games import GAMES
from scorer.games.dice_wide_shut.moves import Roll, Starter
from scorer.games.dice_wide_shut.rules import now
from scorer.games.dice_wide_shut.sheet import ends, score_sheet
from scorer.games.dice_wide_shut.state import Half, Sheet, State
from scorer.games.even_at_odds import board
from scorer.games.even_at_odds.hands import hidden
from scorer.games.even_at_odds.moves import Agree, Draw, Flip, Show
from scorer.games.even_at_odds.state import FACE_DOWN
from tests.grids import every_value, tries

SHUT = GAMES["dice_wide_shut"]


def shut_at_random(seed, phase, moves=None, **house):
    """Return a state of a random game that waits for what *phase* names."""
    chance = random.Random(seed)
    state = SHUT.apply(SHUT.start(chance.choice((2, 3, 5)), house), Starter(0))
    for _ in range(chance.randrange(40) if moves is None else moves):
        state = following(state, chance)
    while now(state) != phase:
        state = following(state, chance)
    return state


def following(state, chance):
    if now(state) == "over":
        return SHUT.apply(SHUT.start(2, state.house), Starter(0))
    if now(state) == "roll":
        hues = [hue for hue, _ in next(SHUT.legal_moves(state)).dice]
        return SHUT.apply(state, Roll(tuple((hue, chance.randint(1, 6)) for hue in hues)))
    return SHUT.apply(state, chance.choice(list(SHUT.legal_moves(state))))


def after_turn(state):
    """Yield the states after each turn that the rules allow."""
    for take in SHUT.legal_moves(state):
        taken = SHUT.apply(state, take)
        marks = now(taken) == "mark" and taken.due is not None
        yield from map(partial(SHUT.apply, taken), SHUT.legal_moves(taken)) if marks else [taken]


def plain(sheet):
    return tuple(tuple(map(tuple, half)) for half in sheet)


@pytest.mark.parametrize("seed", range(tries(60)))
def test_quick_turns_lead_to_the_sheets_that_the_rules_lead_to(seed):
    state = shut_at_random(seed, "take")
    by_rules = {plain(coded(one.sheets[state.seat])) for one in after_turn(state)}
    quick, sheet = set(), coded(state.sheet)
    for colour, numbers in turns.may_take(turns.lying(state.pool)):
        if (colour, numbers) == turns.SIX:
            quick |= set(map(plain, turns.after_six(sheet)))
        else:
            halves = turns.after_numbers(sheet[colour], colour, numbers)
            quick |= {plain(turns.with_half(sheet, colour, half)) for half in halves}

    assert quick == by_rules


@pytest.mark.parametrize("seed", range(tries(20)))
def test_a_coded_sheet_has_the_points_and_the_end_of_the_sheet(seed):
    for sheet in shut_at_random(seed, "take", moves=100).sheets:
        code = coded(sheet)
        assert points(code.red) + points(code.blue) == score_sheet(sheet)
        assert (0 in (distance(code.red), distance(code.blue))) == ends(sheet)


@pytest.mark.parametrize("seed", range(tries(12)))
def test_the_coach_chooses_as_its_strength_was_measured(seed):
    state = shut_at_random(seed, "take")
    table = [coded(sheet) for sheet in state.sheets]

    turn = turns.coached_turn(fitted(), table, state.seat, turns.lying(state.pool), state.order[1:])
    worth = turn.chance + POINT * turn.points
    take = SHUT.coach(state, ())[0]
    taken = SHUT.apply(state, load_move(SHUT, take.move))

    assert take.value == pytest.approx(worth)
    if now(taken) == "mark" and taken.due is not None:
        mark = SHUT.coach(taken, ())[0]
        assert mark.value == pytest.approx(worth)


@pytest.mark.parametrize("seed", range(tries(8)))
def test_what_the_next_player_makes_of_the_dice_left_is_the_most_the_rules_allow(seed):
    state = shut_at_random(seed, "take", moves=1)
    take = next(SHUT.legal_moves(state))
    left = SHUT.apply(state, take)
    if now(left) == "mark":
        left = SHUT.apply(left, next(SHUT.legal_moves(left)))
    seat = left.seat
    best = max(score_sheet(one.sheets[seat]) for one in after_turn(left))

    made = turns.Reply(coded(left.sheets[seat])).most(turns.lying(left.pool))
    choice = next(
        one for one in SHUT.coach(state, ()) if one.move["dice"] == list(map(list, take.dice))
    )

    assert made == best - score_sheet(left.sheets[seat])
    points_left = f"{made} point" + "s" * (made != 1)
    assert choice.why.endswith(
        f"player {seat + 1} can score {points_left} with the dice that are left."
    )


def test_a_turn_that_ends_the_game_is_last_where_it_would_lose():
    nearly = Half(("xxx..", "xxx..", "xxx..", "xxx..", "xx..."))
    mine, roll = Sheet(red=nearly), (("red", 3), ("red", 3), ("red", 4), ("blue", 2))
    ahead = Sheet(nearly, Half(("xx...", "xx...", "x....", ".....", ".....")))
    for other, best in ((Sheet(), True), (ahead, False)):
        state = SHUT.start(2, {})
        state = State(state.house, (mine, other), (0, 1), 0, 1, tuple(sorted(roll)))

        choices = SHUT.coach(state, ())
        ending = [one for one in choices if "it ends the game" in one.why]

        assert (ending[0] == choices[0]) is best
        assert (ending[0].value > 0.5) is best


@pytest.mark.parametrize("seats", [2, 5])
def test_the_chance_to_win_goes_by_what_all_others_have(seats):
    mine, roll = Sheet(), (("red", 1), ("red", 3), ("blue", 2), ("blue", 2))
    ahead = Half(("xx...", "xx...", "xx...", "x....", "....."))
    state = SHUT.start(seats, {})

    chances = [
        SHUT.coach(State(state.house, (mine, *others), tuple(range(seats)), 0, 1, roll), ())[0]
        for others in (
            [Sheet()] * (seats - 1),
            [*[Sheet()] * (seats - 2), Sheet(ahead)],
            [Sheet(ahead, ahead)] * (seats - 1),
        )
    ]

    even, behind, last = (choice.value for choice in chances)
    assert 1 > even > behind > last > 0
    assert even == pytest.approx(1 / seats, abs=0.2)
    assert f"{100 * even:.1f} % to win; " in chances[0].why


def test_in_the_last_turn_of_all_it_is_won_or_lost():
    over, behind = coded(Sheet(Half(("xxx..",) * 5))), coded(Sheet())
    row = coded(Sheet(Half(("xxx..", "xxx..", "xxx..", "xxx..", "xxxx."))))

    assert [Rivals(fitted(), (over, sheet), 0, ()).chance(over, 0) for sheet in (behind, row)] == [
        1.0,
        0.0,
    ]
    assert Rivals(fitted(), (over, over), 0, ()).chance(over, 0) == 0.5
    assert 0.5 < Rivals(fitted(), (over, behind), 0, (1,)).chance(over, 4) < 1


def test_a_fitted_table_says_what_a_run_of_its_maker_finds_again():
    few = [fit.fit(2).flat() for _ in range(2)]

    assert [*few[0]] == [*few[1]] != [*fit.unfitted().flat()]


EVEN = GAMES["even_at_odds"]
HAND = ((2, 6), (0, 4), (3, 5), (1, 2), (4, 6), (0, 0), (1, 5))


def agreed(**house):
    return EVEN.apply(EVEN.start(2, house), Agree(0, 0))


def even_at_random(seed, turns, **house):
    """Return a state after some turns of random tiles."""
    chance, state = random.Random(seed), agreed(**house)
    for _ in range(turns):
        lays = [move for move in EVEN.legal_moves(state) if isinstance(move, Lay)]
        state = EVEN.apply(state, chance.choice(lays))
    return state


HOUSES = (
    {},
    {"group_levels": "same_level"},
    {"stack_match": "any_face"},
    {"blank_matches_blank": False},
)


@every_value(house=HOUSES, turns=[0, 5, 12, 17])
def test_a_view_knows_every_place_and_what_it_does_to_the_groups(house, turns):
    state = even_at_random(turns, turns, **house)
    view = TopGroups(surface(state.laid), state.house)

    found = {laid(option): option.sizes for tile in hidden(state) for option in view.options(tile)}

    assert set(found) == {move for move in EVEN.legal_moves(state) if isinstance(move, Lay)}
    for lay in random.Random(turns).sample(sorted(found, key=str), 12):
        after = surface(laid_after(state.laid, lay))
        assert found[lay] == board.largest(after, state.house["group_levels"])


def test_the_chances_of_the_answers_are_those_of_the_hands_that_may_be():
    state = even_at_random(3, 14)
    unseen = tuple(hidden(state))[:5]
    situation = Situation(TopGroups(surface(state.laid), state.house), 0, (), unseen, (), 2, 0, 20)

    replies = answers(situation, situation.view, next(situation.view.options(unseen[0])), 0.0)

    assert sum(one.chance for one in replies) == pytest.approx(1)
    assert [one.chance for one in replies] == [
        pytest.approx((4 - n) / comb(5, 2)) for n in range(4)
    ]
    assert [one.lead for one in replies] == sorted(one.lead for one in replies)


def test_the_last_tile_is_laid_where_it_wins():
    state = even_at_random(5, 19)  # one tile is left, of player 2, who plays for the odds
    assert state.held == (0, 1)
    hand = tuple(hidden(state)[:1])

    best = EVEN.coach(state, hand)[0]

    ends = {
        move: EVEN.apply(state, move)
        for move in EVEN.legal_moves(state)
        if isinstance(move, Lay) and move.tile == hand[0]
    }
    reached = ends[load_move(EVEN, best.move)]
    leads = [EVEN.score(after)[1] - EVEN.score(after)[0] for after in ends.values()]
    assert EVEN.score(reached)[1] - EVEN.score(reached)[0] == max(leads)


def test_a_guess_is_told_as_a_guess():
    state, hand = agreed(), HAND

    for choice in EVEN.coach(state, hand)[:3]:
        assert re.search(
            r"; about \d+ % to win, estimated from a few deals played to the end\.$", choice.why
        )
        assert not re.search(r"\bby \d+ games?\b", choice.why)


def test_a_hand_is_entered_in_any_order_but_for_tiles_that_all_have_seen():
    state = even_at_random(2, 17)
    hand = hidden(state)[: state.held[state.turn]]
    shown = state
    for tile in hand:
        shown = EVEN.apply(shown, Show(state.turn, tile))

    assert EVEN.coach(shown, ()) == EVEN.coach(state, hand) == EVEN.coach(state, hand[::-1])


def test_the_team_with_more_faces_in_the_hand_is_chosen():
    state = EVEN.apply(EVEN.start(2, {}), Flip((5, 6), (0, 1)))  # player 1 starts, 2 chooses

    best, other = EVEN.coach(state, HAND)

    assert best.move == {"move": "Choose", "team": "evens"}
    assert (best.value, other.value) == (1, -1)
    assert "6 of their faces" in best.why


SHOWN = EVEN.apply(agreed(), Show(0, (5, 6)))
ALONE = EVEN.apply(EVEN.start(1, {}), Draw(FACE_DOWN[1][:3]))


@pytest.mark.parametrize(
    ("state", "hand", "says"),
    [
        (agreed(), (), "unknown: enter all 7 tiles"),
        (agreed(), HAND[:3], "holds 7 tiles, but you entered 3"),
        (agreed(), (*HAND[:6], (6, 2)), "only one 2-6"),
        (agreed(), (*HAND[:6], (1, 1)), "cannot hold 1-1"),  # it lies in the foundation
        (agreed(), (*HAND[:6], (1, 9)), "no tile 1-9"),
        (agreed(), (1, 2, 3), "like 2-6 0-4; 1 is not a tile"),
        (SHOWN, HAND, "has shown 5-6"),
        (ALONE, (), "alone"),
    ],
)
def test_a_hand_that_cannot_be_is_refused(state, hand, says):
    with pytest.raises(NoAdvice, match=says):
        EVEN.coach(state, hand)


@pytest.mark.parametrize("no_move", ["pass", "discard"])
def test_where_nothing_fits_the_turn_is_passed_or_a_tile_set_aside(no_move):
    # Blanks match nothing here, so 0-0 fits nowhere.
    house = {"no_move": no_move, "blank_matches_blank": False}
    state = next(
        state
        for seed in range(200)
        if (state := even_at_random(seed, 19, **house)).held[state.turn] == 1
        and (0, 0) in hidden(state)
    )

    (only,) = EVEN.coach(state, ((0, 0),))

    assert only.move["move"] == ("Pass" if no_move == "pass" else "Discard")
    assert EVEN.apply(state, load_move(EVEN, only.move))


def test_every_way_that_is_looked_into_is_legal():
    state = even_at_random(4, 9)
    hand = tuple(hidden(state)[:7])
    view = TopGroups(surface(state.laid), state.house)
    found = ways(Situation(view, 0, hand, tuple(hidden(state)[7:]), (), 7, 2, len(state.laid)))

    assert len(found) == 12
    for way in found:
        assert EVEN.apply(state, laid(way.option))
