"""What matches come to: sums that equal a replay of everything, players, records and dice."""

import random
from collections import Counter
from dataclasses import replace
from itertools import islice

import pytest

from scorer import dump_move
from tests.matches import TWELVE
from webui.errors import Busy, NotFound
from webui.match import match as matches
from webui.match.points import earned_at
from webui.match.statistics.fairness import FEW, Fairness, p_value
from webui.match.statistics.players import called, look_up, statistics
from webui.match.statistics.sums import AT_ONCE, add_up_some
from webui.match.undo import redo, undo
from webui.store.tables.search import ALL
from webui.store.tables.sums import LEVEL, LOST, WON, SeatSums, Sums
from webui.store.upkeep import delete_match


def pig(store, names=("Ada", "Ben"), target=12, opening=TWELVE):
    return matches.create(store, "pig", names, {"target": target}, opening)


def replayed(store, match_id):
    """Return points, winner and dice of a match, from its moves alone."""
    match = matches.load(store, match_id)
    recorded = matches.recorded(store, match)
    state = match.game.start(len(match.row.names), match.row.settings)
    dice, gains = Counter(), [0] * len(match.row.names)
    for move in recorded.moves:
        dice += Counter(value for _, value in match.game.thrown(state, move))
        state = match.game.apply(state, move)
    for event in matches.standing_from(store, match, 1):
        before = earned_at(store, match, match.tree.below(event.seq))
        gains = [*map(max, gains, map(int.__sub__, event.earned, before))]
    result = match.game.result(state)
    winners = result.winners if result else None
    return match.seq, [*match.game.earned(state)], gains, winners, dice


def kept(store, match_id):
    add_up_some(store, ALL)
    (found,) = [sums for sums in store.sums.of(ALL) if sums.match == match_id]
    dice = Counter()
    for counts in found.dice.values():
        dice += Counter(dict(enumerate(counts, start=1)))
    winners = tuple(s for s, seat in enumerate(found.seats) if seat.outcome in (WON, LEVEL))
    points, most = ([getattr(seat, name) for seat in found.seats] for name in ("points", "most"))
    return found.seq, points, most, winners if found.over else None, dice


@pytest.mark.parametrize(
    ("game", "seed"), [("pig", 1), ("farkle", 2), ("gords", 3), ("beat_the_odds", 4)]
)
def test_sums_equal_a_replay_of_everything_whatever_was_taken_back(store, game, seed):
    chance = random.Random(seed)
    match = matches.create(store, game, ["Ada", "Ben"], {})
    for turn in range(18):
        legal = [*islice(match.game.legal_moves(match.state), 100)]
        do = chance.choice(["play", "play", "play", "undo", "redo"])
        if do == "undo" and match.tree.head(match.seq):
            match = undo(store, match.row.id, match.seq)
        elif do == "redo" and (ahead := match.tree.ahead()):
            match = redo(store, match.row.id, match.seq, ahead[0])
        elif legal:
            move = dump_move(chance.choice(legal))
            match = matches.play(store, match.row.id, match.seq, [move])
        if turn % 6 == 0:
            assert kept(store, match.row.id) == replayed(store, match.row.id)

    imported = matches.restore(store, matches.recorded(store, match))

    assert kept(store, match.row.id) == replayed(store, match.row.id)
    again = [*replayed(store, imported.row.id)[1:4], kept(store, match.row.id)[4]]
    assert [*kept(store, imported.row.id)[1:]] == again


def test_who_joins_late_has_not_earned_the_points_to_begin_with(store):
    match = pig(store, target=50, opening=[*TWELVE, {"move": "Roll", "pips": 4}, {"move": "Hold"}])

    match = matches.play(store, match.row.id, match.seq, [{"move": "JoinTable", "name": "Cy"}])
    _seq, points, most, *_ = kept(store, match.row.id)

    assert (points, most[2]) == ([12, 4, 4], 0)


def test_only_what_has_gone_on_is_added_up_again(store):
    match, other = pig(store, target=50), pig(store)
    assert add_up_some(store, ALL) == 0
    assert store.sums.out_of_date(ALL) == []

    matches.play(store, match.row.id, match.seq, [{"move": "Roll", "pips": 5}])

    assert store.sums.out_of_date(ALL) == [match.row.id]
    (gone,) = [sums for sums in store.sums.of(ALL) if sums.match == other.row.id]
    delete_match(store, other.row.id)
    store.sums.store(gone)  # it was deleted meanwhile
    assert [sums.match for sums in store.sums.of(ALL)] == [match.row.id]


def test_many_matches_are_added_up_some_at_a_time(store):
    made = [pig(store).row.id for _ in range(5)]

    assert [add_up_some(store, ALL, 2) for _ in range(4)] == [3, 1, 0, 0]
    assert {sums.match for sums in store.sums.of(ALL)} == set(made)
    assert AT_ONCE > 2


def test_what_cannot_be_stored_is_left_and_said(store, monkeypatch):
    pig(store), pig(store)

    def busy(_sums):
        raise Busy("busy")

    monkeypatch.setattr(store.sums, "store", busy)

    assert add_up_some(store, ALL) == 2
    assert statistics(store.sums.of(ALL)).players == []


def test_house_rules_tell_variants_apart_and_coaches_do_not(store):
    pig(store), pig(store, target=100, opening=[])
    matches.create(store, "pig", ["Ada", "Ben"], {"advice": True})
    add_up_some(store, ALL)

    assert [sums.variant for sums in store.sums.of(ALL)] == [{"target": 12}, {}, {}]


def summed(game, seats, over=True, dice=None, variant=None):
    """Return a match of `seats`: name, points, the most at once, and outcome of each."""
    by_seat = [SeatSums(*seat) for seat in seats]
    return Sums("id", game, 1, "at", over, False, variant or {}, by_seat, dice or {})


def duel(ada, ben, outcome, **more):
    return summed("pig", [("Ada", ada, 9, outcome), ("Ben", ben, 8, WON - outcome)], **more)


def test_a_player_s_figures_are_those_of_matches_that_are_over():
    found = statistics(
        [
            duel(100, 80, WON),
            duel(110, 60, WON),
            duel(70, 104, LOST),
            duel(90, 90, LEVEL),
            duel(102, 3, WON, variant={"target": 50}),
            summed("pig", [("ADA", 30, 9, None), ("Ben", 4, 4, None)], over=False),
            summed("chess", [("Ada", 1, 1, None)], over=None),
        ]
    )
    ada = called(found, " ada ")

    assert (ada.name, ada.played, ada.won, ada.level, ada.lost, ada.open) == ("ADA", 5, 3, 1, 1, 1)
    assert (ada.streak, ada.longest) == (1, 2)
    usual, fifty = ada.games.values()
    assert (usual.played, usual.won, usual.average, usual.best) == (4, 2, 92.5, 110)
    assert (fifty.variant, fifty.played) == ({"target": 50}, 1)
    (ben,) = ada.against.values()
    assert (ben.name, ben.played, ben.won, ben.lost) == ("Ben", 5, 3, 1)
    (record,) = found.records
    assert record.match_points == (110, ["Ada"])
    assert record.step_points == (9, ["Ada"])


def test_where_the_fewest_points_win_few_are_best_and_many_no_record():
    ben, few = ("Ben", 90, 60, LOST), {"wins": "fewest"}
    sheets = [summed("sum", [("Ada", n, 5, WON), ben], variant=few) for n in (20, 30)]

    found = statistics(sheets)

    assert [one.best for one in called(found, "Ada").games.values()] == [20]
    assert found.records == []


def test_who_gave_no_name_is_nobody_and_nobody_has_a_sentence():
    found = statistics([summed("pig", [("Player 1", 100, 9, WON), ("Ben", 1, 1, LOST)])])

    assert [player.name for player in found.players] == ["Ben"]
    assert found.players[0].against == {}
    with pytest.raises(NotFound, match="Nobody called Zed has played here"):
        called(found, "Zed")


def test_a_shared_win_is_a_win_of_each_and_who_gave_up_has_lost(store):
    keep = {"move": "Keep", "dice": [1, 1, 1], "bank": True}
    thousand = [{"move": "Roll", "dice": [1, 1, 1, 2, 3, 4]}, keep]
    names, last = ["Ada", "Ben", "Cy"], {"move": "Roll", "dice": [2, 2, 3, 3, 4, 6]}
    matches.create(store, "farkle", names, {"target": 500}, [*thousand, *thousand, last])
    given_up = {"move": "Concede", "seat": 0}
    opening = [*thousand, given_up, last, *thousand]
    matches.create(store, "farkle", names, {"target": 500}, opening)

    ada, ben, cy = (called(look_up(store, {})[0], name) for name in names)

    assert {(one.won, one.level, one.lost) for one in (ada, ben, cy)} == {(1, 0, 1)}
    assert ada.against["ben"].won == ada.against["ben"].lost == 1


def test_a_figure_counts_a_game_or_a_day_alone(store):
    pig(store)
    matches.create(store, "farkle", ["Ada", "Ben"], {})

    found, left = look_up(store, {"game": "pig", "name": "ada"})

    assert left == 0
    assert [[*player.games] for player in found.players] == [['["pig", {"target": 12}]']]
    assert look_up(store, {"until": "2020-01-01"})[0].players == []


def test_the_name_at_the_end_counts_and_what_ended_early_nobody_has_won_or_lost(store):
    match = pig(store, target=50)
    for step in ({"move": "Rename", "seat": 0, "name": "Eva"}, {"move": "EndMatch"}):
        match = matches.play(store, match.row.id, match.seq, [step])

    players = look_up(store, {})[0].players

    assert {player.name for player in players} == {"Eva", "Ben"}
    assert {(one.played, one.won, one.lost, one.open) for one in players} == {(0, 0, 0, 1)}


def test_matches_that_were_not_all_by_the_rules_can_be_left_out(store):
    pig(store), pig(store)
    add_up_some(store, ALL)
    store.sums.store(replace(store.sums.of(ALL)[0], overridden=True))

    every, _ = look_up(store, {})
    assert look_up(store, {"by_rules": "0"})[0] == every
    by_rules, _ = look_up(store, {"by_rules": "1"})

    assert [called(found, "Ada").played for found in (every, by_rules)] == [2, 1]
    assert [found.overridden for found in (every, by_rules)] == [1, 1]


@pytest.mark.parametrize(
    ("chi_squared", "p"), [(0.0, 1.0), (4.351, 0.5), (9.236, 0.1), (11.070, 0.05), (20.515, 0.001)]
)
def test_the_closed_form_is_that_of_tables(chi_squared, p):
    assert p_value(chi_squared) == pytest.approx(p, abs=2e-4)


def test_dice_are_added_up_by_colour_and_value():
    match = duel(1, 2, WON, dice={"red": [1, 0, 0, 0, 0, 2], "": [1, 1, 1, 1, 1, 1]})

    twice = {"": [2] * 6, "red": [2, 0, 0, 0, 0, 4]}
    assert statistics([match, replace(match, over=False)]).dice == twice


@pytest.mark.parametrize(
    ("counts", "says", "power"),
    [
        ([2, 1, 0, 0, 1, 1], "So few rolls say nothing", ""),
        ([10] * 6, "of 100 fair sets 100 would differ as much", "only a badly loaded die"),
        ([10, 8, 12, 9, 11, 10], "of 100 fair sets 96", "on the same side 34 times in 100"),
        ([170, 135, 145, 160, 150, 200], "of 1000 fair sets only 5 ", "21 times in 100"),
        ([100, 100, 100, 100, 100, 200], "some sides are favoured", "a smaller fault would not"),
    ],
)
def test_how_fair_dice_are_is_said_with_what_so_many_rolls_can_show(counts, says, power):
    dice = Fairness("red", counts)

    assert says in dice.says
    assert power in dice.power


def test_the_fault_that_is_said_to_show_is_found_in_four_of_five_tries():
    """Dice are drawn with just that fault: so the power that is claimed is the power there is."""
    chance = random.Random(54)
    rolls, found = 600, 0
    share = Fairness("", [rolls // 6] * 6).visible
    weights = [share, *[(1 - share) / 5] * 5]
    for _ in range(400):
        thrown = Counter(chance.choices(range(6), weights, k=rolls))
        found += Fairness("", [thrown[side] for side in range(6)]).p < 0.05

    assert rolls >= FEW
    assert 0.74 < found / 400 < 0.86
