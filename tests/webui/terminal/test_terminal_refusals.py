"""What the rules forbid is refused with their reason and its id; what can be understood is."""

import random
import re

import pytest

from scorer.attempts import refusal
from scorer.games import GAMES
from scorer.rulebook import rule
from scorer.sentence import MOST, Spoken, listable, search, speak
from tests.grids import EVERY, few, without
from tests.webui.terminal.conftest import NAMES

PURPLE = ["Ada starts Ada black", "white rolls 1 2 3 4 5", "black rolls 1 2 3 4 5"]
RED = ["Ada starts", "red 1 2 3 blue 1 2 3 purple 5", "red 1 red 2"]
EVENS = "Ada starts Ada evens"
BIDDEN = ("Ada first", "4 sixes")
RULE = re.compile(r"\(([A-Z]+-[A-Z]?\d+)\)$")


@pytest.mark.parametrize(
    ("game", "lines", "reason"),
    few(
        [
            ("pig", ["hold"], "Roll at least once before you hold. (PIG-3)"),
            ("pig", ["7"], "A die shows 1 to 6, not 7. (PIG-1)"),
            ("purple_house", ["Ada takes black"], "lower die chooses the colour. (PH-2)"),
            ("purple_house", ["black 3 row 1 column 1"], "Decide first who starts"),
            ("purple_house", [*PURPLE, "black 6 row 1 column 1"], "Black did not roll a 6"),
            ("purple_house", [*PURPLE, "white 1 row 1 column 1"], "first die is black, not white."),
            ("purple_house", [*PURPLE, "white rolls 2 2 2 3 4"], "White has rolled 1 2 3 4 5"),
            ("gords", ["Ada first", "4 sixes", "4 sixes"], "4 sixes is not higher than 4 sixes."),
            ("farkle", ["111234", "keep 1 1 1 1 and bank"], "1 1 1 1 were not all rolled."),
            ("gords", ["4 sixes"], "Decide first who bids first. (GD-7)"),
            ("sum", ["1000000000000"], "points of a round are from −1000000 to 1000000. (SUM-2)"),
            ("gords", ["Ada first", "Bo shows 1 2 3 4 5"], "hidden until somebody calls. (GD-5)"),
            ("farkle", ["bank"], "Roll the dice first. (FK-2)"),
            ("farkle", ["115234", "keep 2 3"], "Not every die of 2 3 counts. (FK-4)"),
            ("farkle", ["115234", "112233"], "Choose the dice to keep. (FK-4)"),
            ("dice_wide_shut", [*RED[:2], "red 5"], "There is no red 5 to take. (DW-4)"),
            ("dice_wide_shut", [*RED, "1 row 1, 3 row 2"], "The 3 in row 2 of the red half cannot"),
            ("dice_wide_shut", [*RED, "spends the 6 of row 1"], "The 6 of row 1 of the red half"),
            ("dice_wide_shut", [*RED, "checks the 1 in row 7"], "A half has rows 1 to 5"),
            ("beat_the_odds", ["Ada begins", "leave"], "There is no re-roll to decline."),
            ("even_at_odds", ["1-5 1-3", "Ada starts"], "already decided: Ada starts. (EO-3)"),
            ("even_at_odds", [EVENS, "plays 4-6 right of 2-2"], "Neither half of 4-6"),
        ],
        7,
    ),
)
def test_a_refusal_gives_the_reason_of_the_rules_and_its_id(answered, game, lines, reason):
    said = answered(game, *lines)

    assert reason in said
    assert rule(RULE.search(said)[1])


FOUR, CYD = ("Ada", "Bo", "Cyd", "Dan"), "Cyd is not at table 1: Ada and Bo are."


@pytest.mark.parametrize(
    ("game", "typed", "reply"),
    [
        ("pig", "table 2 Ada rolls 4", "Ada is not at table 2: Cyd and Dan are. (MT-4)"),
        ("pig", "table 1: dan holds", "Dan is not at table 1: Ada and Bo are. (MT-4)"),
        ("pig", "table 3 Ada rolls 4", "There is no table 3. (MT-4)"),
        (
            "purple_house",
            "table 1 Cyd takes black",
            "Cyd is not at table 1: Ada and Bo are. (PH-7)",
        ),
    ],
)
def test_who_is_named_at_a_table_of_others_is_told_who_plays_there(answered, game, typed, reply):
    house = {"match": "tournament"} if game == "pig" else {"tournament_rounds": 4}

    assert answered(game, typed, names=FOUR, house=house) == reply


def test_after_a_move_the_board_of_its_own_table_is_drawn(answered):
    lines = ["table 1 Ada starts Ada black", "table 2 Cyd starts Cyd black"]
    house = {"tournament_rounds": 4}

    first = answered("purple_house", lines[0], names=FOUR, house=house)
    second = answered("purple_house", *lines, names=FOUR, house=house)
    undone = answered("purple_house", *lines[::-1], "undo", names=FOUR, house=house)

    assert ("table 1, round 1: b4" in first, "table 2, round 1: b4" in first) == (True, False)
    assert ("table 1, round 1: b4" in second, "table 2, round 1: b4" in second) == (False, True)
    assert "table 2, round 1: b4" not in undone  # nothing lies on table 1 any more


@pytest.mark.parametrize(
    ("game", "lines", "due"),
    [
        ("pig", ["fly away"], "Ada rolls the die."),
        ("pig", ["Bo rolls 3"], "Ada rolls the die."),
        ("pig", ["bank it all"], "Ada rolls the die."),
        ("pig", ["end please"], "Type it as end."),
        ("farkle", ["111234", "keep 1 1 1 and bank 1200"], "Ada sets aside"),  # 0 is on no die
        ("sum", ["12,5"], "Ada and Bo enter"),  # whose a 5 is, or whether 12.5 is meant
        ("dice_wide_shut", [*RED[:2], "grab 6 and 1"], "Round 1: Ada takes"),  # no colour
        ("gords", [*BIDDEN, "liar"], "Bo (blue) bids higher"),  # no place and no colour
        ("gords", [*BIDDEN, "call", "yes"], ""),
    ],
)
def test_what_is_no_move_at_all_is_told_with_what_is_due(answered, game, lines, due):
    said = answered(game, *lines)

    assert said.startswith(f"No move now fits “{lines[-1]}”. {due}".strip())


@pytest.mark.parametrize("typed", ["wuerfelt 4", "würfelt 4", "WUERFELT 4", "zoe wuer 4"])
def test_letters_may_be_typed_without_their_marks(typed):
    moves = [Spoken(pips, ("Zoë", "würfelt", str(pips))) for pips in range(1, 7)]

    assert [one.move for one in search(moves, typed)] == [4]


def test_a_number_belongs_to_the_word_before_it_in_whatever_order():
    sentences = ["white 1 on row 1, column 2", "white 1 on row 2, column 1"]
    moves = [Spoken(text, tuple(text.split())) for text in sentences]

    assert search(moves, "white 2 row 1 column 1") == []
    assert [one.text for one in search(moves, "row 2 column 1 white 1")] == sentences[1:]


@pytest.mark.parametrize("name", without(GAMES, "dice_wide_shut", "even_at_odds", "purple_house"))
def test_any_line_in_any_state_is_taken_or_refused_in_words(name):
    """Sentences of other states of the match are typed, and words of other games."""
    game, chance, heard = GAMES[name], random.Random(5), ["hold", "4 x sixes", "3-4 left of 2-2"]
    for seats in {game.seats[0], 2} & set(game.seats):
        state = game.start(seats, {})
        for _ in range(12 if EVERY else 4):
            spoken = speak(game, state, NAMES[:seats])
            if not spoken:
                break
            for typed in chance.sample(heard, min(3, len(heard))):
                if not search(listable(spoken), typed):
                    fault = refusal(game, state, listable(spoken), typed, NAMES[:seats])
                    assert fault is None or rule(fault.rule)
            move = chance.choice(spoken)
            heard += [one.text for one in chance.sample(spoken, min(2, len(spoken)))]
            assert len(spoken) <= MOST
            state = game.apply(state, move.move)
