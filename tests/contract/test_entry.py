"""What games declare for the entry panel: keys make what the rules know, or say why not."""

import pytest

from scorer.games import GAMES
from scorer.phases import fault
from tests.matches import by_chance

DECLARED = ("pig", "beat_the_odds", "gords", "farkle", "purple_house", "dice_wide_shut", "sum")
WHOLE = ("pig", "beat_the_odds")  # every move has its keys; the others are photographed or in words
MOVES = 60


def tapped(entry):
    """Yield all that can be made with the keys and the buttons of an entry."""
    for pad in entry.pads:
        yield from pad.taps
    yield from entry.buttons


@pytest.mark.parametrize("name", DECLARED)
def test_keys_make_legal_moves_or_say_by_which_rule_they_make_none(name):
    game = GAMES[name]
    players = 2 if name == "purple_house" else 3
    for state, _move in by_chance(game, 3, players, MOVES, 200):
        for entry in game.entry(state):
            for pad in entry.pads:
                groups = [{key.value for key in group.keys} for group in pad.groups]
                assert all(group.label for group in pad.groups)
                for taps in pad.taps:
                    assert len(taps.keys) == len(groups)
                    assert all(key in group for key, group in zip(taps.keys, groups, strict=True))
            for taps in tapped(entry):
                refused = fault(game.apply, state, taps.move)
                assert refused is None or refused.rule


@pytest.mark.parametrize("name", WHOLE)
def test_every_legal_move_has_its_keys(name):
    game = GAMES[name]
    for state, _move in by_chance(game, 5, 3, MOVES, 200):
        made = {taps.move for entry in game.entry(state) for taps in tapped(entry)}
        assert {*game.legal_moves(state)} <= made


def test_what_is_kept_of_a_roll_of_farkle_brings_what_the_rules_give():
    game = GAMES["farkle"]
    for state, _move in by_chance(game, 7, 2, MOVES, 200):
        (entry,) = game.entry(state)
        dice = entry.dice
        assert dice.number == len(dice.lying) or not dice.lying
        for keeping in dice.keeps if dice.lying else ():
            for kept, points in dice.worth.items():
                made = type(keeping.move)(kept, bank=keeping.move.bank)
                lies = all(kept.count(pips) <= dice.lying.count(pips) for pips in kept)
                legal = fault(game.apply, state, made) is None
                assert legal == (lies and points >= keeping.least)


def test_no_two_keys_or_buttons_of_a_table_look_alike():
    for name in DECLARED:
        players = 2 if name == "purple_house" else 3
        for seed in range(3):
            for state, _move in by_chance(GAMES[name], seed, players, MOVES, 200):
                for entry in GAMES[name].entry(state):
                    looks = [
                        [
                            (str(key.text), key.pips, key.colour, group.across and key.name)
                            for key in group.keys  # cells of a board differ in their place
                        ]
                        for pad in entry.pads
                        for group in pad.groups
                    ]
                    looks.append([str(taps.button) for taps in entry.buttons])
                    for alike in looks:
                        assert len({*alike}) == len(alike), (name, alike)
