"""What ../shared/rules/FACTS.md found by solvers and by many games, found again by fewer.

A simulated figure may be off by four standard errors, of ours and of FACTS' together, beside the
rounding of FACTS. `make facts` plays as many games as FACTS did.
"""

from __future__ import annotations

import pytest

from tests.grids import few
from tests.tools import beat_facts, facts

WIDE, DUELS, RACES = 16, 20, 20_000  # games


def check(figures, played):
    off = {one.name: (one.said, one.found, one.off(played)) for one in figures}

    assert {name: how for name, how in off.items() if how[2] > 4} == {}


@pytest.mark.release
def test_of_1024_rolls_962_end_level_where_only_lines_of_one_colour_count():
    assert facts.colour_match()[0] == 962


@pytest.mark.parametrize("seats", few([*facts.GREEDY][::-1], 2))
def test_greedy_games_of_dice_wide_shut_go_as_the_facts_say(seats):
    check(facts.greedy_wide_shut(seats, WIDE), WIDE)


@pytest.mark.parametrize("seats", few([*facts.ANY], 2))
def test_players_who_mark_anything_play_as_long_and_as_badly(seats):
    check(facts.any_wide_shut(seats, WIDE), WIDE)


@pytest.mark.release
@pytest.mark.parametrize("players", facts.DUEL)
def test_duels_of_even_at_odds_go_as_the_facts_say(players):
    check(facts.even_at_odds(players, DUELS), DUELS)


@pytest.mark.release
def test_a_turn_of_beat_the_odds_has_3_65_rolls_and_choices_cost_what_the_facts_say():
    plain = beat_facts.turns()

    assert plain.points == pytest.approx(15.840, abs=6e-4)
    assert plain.rolls == pytest.approx(3.65, abs=5e-3)
    assert beat_facts.carried_over() == pytest.approx(15.86, abs=5e-3)
    # 15.44 and 15.75 in the facts, a hundredth less. What they double exactly they do not say; the
    # next we know are 15.47, the lowest before the 4-4, and 15.68, the highest or none.
    assert beat_facts.turns(beat_facts.lowest).points == pytest.approx(15.449, abs=6e-4)
    undoubled = beat_facts.turns(beat_facts.highest_undoubled, redouble=False)
    assert undoubled.points == pytest.approx(15.760, abs=6e-4)


@pytest.mark.release
def test_of_two_players_to_100_the_first_wins_a_little_more_than_the_facts_say():
    first, second, tie = beat_facts.two_players()

    assert (first, second, tie) == pytest.approx((0.5365, 0.4590, 0.0045), abs=5e-5)
    # 53.5, 46.0 and 0.5 % of 1,000,000 simulated games, whose standard error is 0.05 %: the first
    # seat's share is two of them beside its rounding; those of three and four players agree.
    assert first == pytest.approx(0.535, abs=0.0005 + 3 * 0.0005)
    assert second == pytest.approx(0.460, abs=0.0005 + 3 * 0.0005)


@pytest.mark.release
@pytest.mark.parametrize("players", [3, 4])
def test_shares_of_three_and_four_players_are_those_of_the_facts(players):
    check(beat_facts.race(players, RACES), RACES)


@pytest.mark.release
@pytest.mark.parametrize("track", few(facts.LAST_DUEL))
def test_who_must_bid_first_in_the_last_duel_wins_a_little_less_than_half(track):
    low, high = facts.Duel(track).solve(60).bounds()
    said = facts.LAST_DUEL[track]

    assert 0 < high - low < 0.02  # 1,000 rounds, as `make facts` has it, narrow it down
    assert low < said[0] <= said[1] < high
