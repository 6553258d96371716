"""The coach of Even at Odds: its quick views against the rules, its hands, and what it says."""

from __future__ import annotations

import random
import re
from math import comb

import pytest

from scorer import NoAdvice, load_move
from scorer.coach.even_at_odds_search import Situation, answers, ways
from scorer.coach.even_at_odds_view import TopGroups, laid
from scorer.dominoes import Lay, laid_after, surface
from scorer.games import GAMES
from scorer.games.even_at_odds import board
from scorer.games.even_at_odds.hands import hidden
from scorer.games.even_at_odds.moves import Agree, Draw, Flip, Show
from scorer.games.even_at_odds.state import FACE_DOWN

GAME = GAMES["even_at_odds"]
HAND = ((2, 6), (0, 4), (3, 5), (1, 2), (4, 6), (0, 0), (1, 5))


def agreed(**house):
    return GAME.apply(GAME.start(2, house), Agree(0, 0))


def at_random(seed, turns, **house):
    """Return a state after some turns of random tiles."""
    chance, state = random.Random(seed), agreed(**house)
    for _ in range(turns):
        lays = [move for move in GAME.legal_moves(state) if isinstance(move, Lay)]
        state = GAME.apply(state, chance.choice(lays))
    return state


HOUSES = (
    {},
    {"group_levels": "same_level"},
    {"stack_match": "any_face"},
    {"blank_matches_blank": False},
)


@pytest.mark.parametrize("house", HOUSES, ids=str)
@pytest.mark.parametrize("turns", [0, 5, 12, 17])
def test_a_view_knows_every_place_and_what_it_does_to_the_groups(house, turns):
    state = at_random(turns, turns, **house)
    view = TopGroups(surface(state.laid), state.house)

    found = {laid(option): option.sizes for tile in hidden(state) for option in view.options(tile)}

    assert set(found) == {move for move in GAME.legal_moves(state) if isinstance(move, Lay)}
    for lay in random.Random(turns).sample(sorted(found, key=str), 12):
        after = surface(laid_after(state.laid, lay))
        assert found[lay] == board.largest(after, state.house["group_levels"])


def test_the_chances_of_the_answers_are_those_of_the_hands_that_may_be():
    state = at_random(3, 14)
    unseen = tuple(hidden(state))[:5]
    situation = Situation(TopGroups(surface(state.laid), state.house), 0, (), unseen, (), 2, 0, 20)

    replies = answers(situation, situation.view, next(situation.view.options(unseen[0])), 0.0)

    assert sum(one.chance for one in replies) == pytest.approx(1)
    assert [one.chance for one in replies] == [
        pytest.approx((4 - n) / comb(5, 2)) for n in range(4)
    ]
    assert [one.lead for one in replies] == sorted(one.lead for one in replies)


def test_the_last_tile_is_laid_where_it_wins():
    state = at_random(5, 19)  # one tile is left, of player 2, who plays for the odds
    assert state.held == (0, 1)
    hand = tuple(hidden(state)[:1])

    best = GAME.coach(state, hand)[0]

    ends = {
        move: GAME.apply(state, move)
        for move in GAME.legal_moves(state)
        if isinstance(move, Lay) and move.tile == hand[0]
    }
    reached = ends[load_move(GAME, best.move)]
    leads = [GAME.score(after)[1] - GAME.score(after)[0] for after in ends.values()]
    assert GAME.score(reached)[1] - GAME.score(reached)[0] == max(leads)


def test_a_guess_is_told_as_a_guess():
    state, hand = agreed(), HAND

    for choice in GAME.coach(state, hand)[:3]:
        assert re.search(
            r"; about \d+ % to win, estimated from a few deals played to the end\.$", choice.why
        )
        assert not re.search(r"\bby \d+ games?\b", choice.why)


def test_the_same_question_has_the_same_answer():
    state = at_random(2, 13)
    hand = tuple(hidden(state)[: state.held[state.turn]])

    assert GAME.coach(state, hand) == GAME.coach(state, hand)


def test_a_hand_is_entered_in_any_order():
    state = at_random(2, 16)
    hand = tuple(hidden(state)[: state.held[state.turn]])

    assert GAME.coach(state, hand[::-1]) == GAME.coach(state, hand)


def test_tiles_that_all_have_seen_need_not_be_entered():
    state = at_random(2, 17)
    hand = hidden(state)[: state.held[state.turn]]
    shown = state
    for tile in hand:
        shown = GAME.apply(shown, Show(state.turn, tile))

    assert GAME.coach(shown, ()) == GAME.coach(state, hand)


def test_the_team_with_more_faces_in_the_hand_is_chosen():
    state = GAME.apply(GAME.start(2, {}), Flip((5, 6), (0, 1)))  # player 1 starts, 2 chooses

    best, other = GAME.coach(state, HAND)

    assert best.move == {"move": "Choose", "team": "evens"}
    assert (best.value, other.value) == (1, -1)
    assert "6 of their faces" in best.why


@pytest.mark.parametrize(
    ("hand", "says"),
    [
        ((), "unknown: enter all 7 tiles"),
        (HAND[:3], "holds 7 tiles, but you entered 3"),
        ((*HAND[:6], (6, 2)), "only one 2-6"),
        ((*HAND[:6], (1, 1)), "cannot hold 1-1"),  # it lies in the foundation
        ((*HAND[:6], (1, 9)), "no tile 1-9"),
        ((1, 2, 3), "like 2-6 0-4; 1 is not a tile"),
    ],
)
def test_a_hand_that_cannot_be_is_refused(hand, says):
    with pytest.raises(NoAdvice, match=says):
        GAME.coach(agreed(), hand)


def test_a_hand_must_have_what_was_shown():
    state = GAME.apply(agreed(), Show(0, (5, 6)))

    with pytest.raises(NoAdvice, match="has shown 5-6"):
        GAME.coach(state, HAND)


def test_alone_nothing_is_advised():
    state = GAME.apply(GAME.start(1, {}), Draw(FACE_DOWN[1][:3]))

    with pytest.raises(NoAdvice, match="alone"):
        GAME.coach(state, ())


@pytest.mark.parametrize("no_move", ["pass", "discard"])
def test_where_nothing_fits_the_turn_is_passed_or_a_tile_set_aside(no_move):
    # Blanks match nothing here, so 0-0 fits nowhere.
    house = {"no_move": no_move, "blank_matches_blank": False}
    state = next(
        state
        for seed in range(200)
        if (state := at_random(seed, 19, **house)).held[state.turn] == 1 and (0, 0) in hidden(state)
    )

    (only,) = GAME.coach(state, ((0, 0),))

    assert only.move["move"] == ("Pass" if no_move == "pass" else "Discard")
    assert GAME.apply(state, load_move(GAME, only.move))


def test_every_way_that_is_looked_into_is_legal():
    state = at_random(4, 9)
    hand = tuple(hidden(state)[:7])
    view = TopGroups(surface(state.laid), state.house)
    found = ways(Situation(view, 0, hand, tuple(hidden(state)[7:]), (), 7, 2, len(state.laid)))

    assert len(found) == 12
    for way in found:
        assert GAME.apply(state, laid(way.option))
