"""Who gives up can win neither the match nor a round of it (MT-9)."""

import itertools
import random

import pytest

from scorer import load_move, replay
from scorer.attendance import without_points
from scorer.evening import Concede, ConcedeMatch, LeaveTable
from scorer.evening.standing import standing
from scorer.games import GAMES
from scorer.games.farkle import ONE, Keep, Roll

FARKLE = GAMES["farkle"]
REACHED = (Roll((1, 1, 1, 2, 3, 4)), Keep((1, 1, 1), bank=True))  # 1000 points
FARKLED = (Roll((2, 2, 3, 3, 4, 6)),)
HUNDRED = (Roll((1, 2, 3, 3, 4, 6)), Keep((1,), bank=True))
PLAYED = ("farkle", "pig", "beat_the_odds", "gords")  # three can play several games of them


def farkle(*moves, **house):
    return replay(FARKLE, 3, {"target": 500, **house}, moves)


def test_a_game_of_the_match_goes_to_the_best_of_those_who_play_on():
    state = farkle(*REACHED, Concede(0), *FARKLED, *HUNDRED, match="best_of_three")

    assert FARKLE.score(state) == (0, 0, 1)
    assert FARKLE.prompt(state) == "game 2: player 2 rolls 6 dice"
    assert [entry.seat for entry in FARKLE.explain(state)] == [2]
    assert "player 1 gave up; player 3 wins" in str(FARKLE.explain(state)[0].text)


def test_who_gave_up_in_the_first_game_is_no_player_of_the_second():
    first = (*REACHED, Concede(0), *FARKLED, *HUNDRED)
    state = farkle(*first, *REACHED, *FARKLED, match="best_of_three")  # players 2 and 3

    assert FARKLE.score(state) == (0, 1, 1)
    assert FARKLE.prompt(state) == "game 3: player 3 rolls 6 dice"
    state = replay(FARKLE, 3, {"target": 500, "match": "best_of_three"}, [*first, *HUNDRED])
    assert FARKLE.notes(state)[0] == "gave up"


def test_points_of_several_games_are_level_without_those_of_who_gave_up():
    house = {"match": "sum", "match_games": 1}

    level = farkle(*REACHED, Concede(0), *HUNDRED, *HUNDRED, **house)
    decided = farkle(*HUNDRED, Concede(0), *REACHED, *HUNDRED, **house)

    assert not FARKLE.is_over(level)  # MT-3: another game decides
    assert FARKLE.result(decided).winners == (1,)


def test_a_match_stored_before_0_14_replays_as_it_was_played():
    stored = load_move(FARKLE, {"move": "ConcedeMatch", "seat": 0})

    state = farkle(*REACHED, stored, *FARKLED, *HUNDRED, match="best_of_three")

    assert stored == ConcedeMatch(0)
    assert FARKLE.score(state) == (1, 0, 0)
    assert standing(FARKLE, state).conceded == (0,)


@pytest.mark.parametrize("match", ["single", "best_of_three"])
def test_nobody_has_to_beat_points_of_who_gave_up(match):
    alone = farkle(*REACHED, Concede(0), match=match)
    rival = farkle(*REACHED, Concede(0), *HUNDRED, match=match)

    assert FARKLE.prompt(alone).endswith("player 2 rolls 6 dice, the last turn")
    assert FARKLE.prompt(rival).endswith("player 3 rolls 6 dice, the last turn: 100 to beat")


def test_the_coach_aims_at_those_who_can_win():
    state = farkle(*REACHED, Concede(0), Roll((1, 2, 3, 3, 4, 6)))

    assert FARKLE.coach(state) == ONE.coach(without_points(state.played, (0,)))
    assert FARKLE.coach(state) != ONE.coach(state.played)


@pytest.mark.parametrize("match", ["best_of_three", "sum"])
@pytest.mark.parametrize("name", PLAYED)
def test_whatever_is_played_nobody_absent_wins_a_game(name, match):
    game = GAMES[name]
    (how,) = (setting for setting in game.settings if setting.name == "match")
    if match not in how.values:
        pytest.skip("its points are not added up")
    house = {s.name: min(s.values) for s in game.settings if s.name == "target"} | {"match": match}
    for seed, kind in itertools.product(range(8), (Concede, LeaveTable)):
        chance, state = random.Random(seed), game.start(3, house)
        leaves = chance.randrange(5, 60)
        for number in range(300):
            if game.is_over(state):
                break
            if number == leaves:
                before = game.score(state)
                gone = before.index(max(before))
                state = game.apply(state, kind(gone))
            state = game.apply(
                state, chance.choice([*itertools.islice(game.legal_moves(state), 60)])
            )
            assert number < leaves or gone not in game.to_move(state)
        if number > leaves and kind is Concede:
            assert match == "sum" or game.score(state)[gone] == before[gone]
            assert gone not in standing(game, state).leading
