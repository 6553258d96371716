"""Who gives up can win neither the match nor a round of it (MT-9)."""

import itertools
import random

import pytest

from scorer import load_move, replay
from scorer.attendance import without_points
from scorer.evening.standing import standing
from scorer.evening.steps import Concede, ConcedeMatch, LeaveTable
from scorer.games import GAMES
from scorer.games.beat_the_odds import Agree
from scorer.games.beat_the_odds import Roll as Pair
from scorer.games.dice_wide_shut.moves import Roll as Dice
from scorer.games.dice_wide_shut.moves import Starter
from scorer.games.farkle import ONE, Keep, Roll
from tests.grids import few

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
@pytest.mark.parametrize("name", few(PLAYED, 4))
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


REACHED_100 = (*(Pair(4, 6),) * 6, Pair(6, 6))
NOTHING = Pair(1, 3)


@pytest.mark.parametrize("last", [False, True])
def test_a_play_off_is_between_those_who_can_win(last):
    """Whether they are level is seen without who gave up, also if that was the last to roll."""
    game = GAMES["beat_the_odds"]
    steps = [Agree(0), *REACHED_100, Concede(0), NOTHING, NOTHING]
    if last:
        steps = [Agree(0), *REACHED_100, *REACHED_100, Concede(2)]

    state = replay(game, 3, {"tie": "playoff"}, steps)

    assert game.to_move(state) == ((0,) if last else (1,))
    for move in (NOTHING, *REACHED_100):
        assert not game.is_over(state)
        state = game.apply(state, move)
    assert game.is_over(state)


def test_nobody_plays_off_against_who_gave_up():
    game = GAMES["beat_the_odds"]
    steps = [Agree(0), *REACHED_100, Concede(0), *REACHED_100, NOTHING]

    state = replay(game, 3, {"tie": "playoff"}, steps)

    assert game.result(state).winners == (1,)


def test_the_sheet_of_who_gave_up_is_no_rival_in_dice_wide_shut():
    game = GAMES["dice_wide_shut"]
    roll = Dice(
        tuple((hue, 1 + at % 6) for at, hue in enumerate(["red"] * 4 + ["blue"] * 4 + ["purple"]))
    )
    steps = [Starter(0), Concede(2), roll]

    gone = replay(game, 3, {}, steps)
    there = replay(game, 3, {}, [Starter(0), roll])

    assert game.coach(gone)[0].value > game.coach(there)[0].value + 0.1


def test_who_left_takes_no_dice_from_the_next_roll_in_dice_wide_shut():
    """The coach names the player who takes next, not the one whose chair is empty."""
    game, chance = GAMES["dice_wide_shut"], random.Random(3)
    state = replay(game, 3, {}, [Starter(0), LeaveTable(1)])
    for _step in range(300):
        if state.played.pool and state.played.order[:2] == (0, 1) and not state.played.due:
            break
        state = game.apply(state, chance.choice([*itertools.islice(game.legal_moves(state), 60)]))

    why = [str(advice.why) for advice in game.coach(state)]
    assert why
    assert not any("player 2 can score" in text for text in why)
