"""What players agree to before a match holds in the terminal: advice, a coach, a tournament."""

import re
from dataclasses import replace

import pytest

from scorer.games import GAMES
from tests.matches import by_chance
from webui import cli
from webui.match import match as matches

PRONOUNS = re.compile(r"\b(You|you) (?!can\b|may\b)[a-z]+s\b")  # "You bids 2 threes"
OF_CAMERAS = re.compile(r"photo|camera|\bseen\b")


def test_best_is_not_told_where_the_players_play_by_heart(typed):
    by_heart = typed("4", "best", "help")
    agreed = typed("4", "best", "help", house={"advice": True})

    assert "This match is played without advice." in by_heart
    assert "pipsight play pig --set advice=on" in by_heart
    assert "% to win" not in by_heart
    assert "what would be best now" not in by_heart
    assert "1. Roll: " in agreed
    assert "what would be best now" in agreed


def test_help_shows_such_a_hand_as_the_game_has(typed):
    agreed = {"advice": True}

    assert f"best {GAMES['gords'].hand}" in typed("help", game="gords", house=agreed)
    assert "hidden hand" not in typed("help", house=agreed)


AGAINST_COACH = [{"coached": True}, {"house": {"coach_plays": 2}}]


@pytest.mark.parametrize("way", AGAINST_COACH)
def test_the_coach_makes_its_choices_and_waits_for_its_dice(typed, way):
    said = typed("1", "6", "6", "6", "6", **way)

    assert "Coach thinks. Roll: " in said
    assert "Throw the dice for Coach, and type them." in said
    assert said.index("→ Coach holds 24") < said.rindex(" 0, Coach 24")


@pytest.mark.parametrize("way", AGAINST_COACH)
def test_who_goes_on_as_it_is_printed_goes_on_against_the_coach(typed, store, way):
    said = typed("1", "6", **way)
    code = re.search(r"--resume (\w{6})$", said, re.MULTILINE)[1]

    later = typed("6", "6", "6", game=None, resume=code)

    (row,) = store.newest(2)
    assert matches.load(store, row.id).row.settings["coach_plays"] == 2
    assert "→ Coach holds 24" in later


def test_a_coach_for_this_evening_alone_is_printed_too(typed):
    typed("1", "6", names=("Ada", "Bo"))

    assert "--opponent coach" in typed(game=None, resume="", coached=True)


@pytest.mark.parametrize(
    ("seat", "sentence"),
    [(4, "The coach cannot play for player 4: there are 2."), (1, "the coach has a seat already")],
)
def test_a_coach_who_cannot_sit_there_is_told(typed, seat, sentence):
    assert sentence in typed(house={"coach_plays": seat}, coached=seat == 1)


@pytest.mark.parametrize("game", [name for name, game in GAMES.items() if game.coach is not None])
def test_nobody_is_called_you(typed, game):
    said = typed("1", "moves", "history", game=game, coached=True)

    assert not PRONOUNS.search(said)
    assert "Player 1" in said


@pytest.mark.parametrize("game", ["purple_house", "even_at_odds"])
def test_a_tournament_begins_only_where_it_was_asked_for(typed, game, store):
    names = ("Ada", "Bo", "Cy")

    unasked = typed("moves", game=game, names=names)
    asked = typed("moves", game=game, names=names, house={"tournament_rounds": 4})

    hint = "two at a table; if you want that, say how many rounds: --set tournament_rounds=4"
    assert hint in unasked
    assert "cannot start" not in asked
    assert re.search("Ada 0.*, Bo 0.*, Cy 0", asked)


def test_the_points_of_the_game_that_is_played_stand_beside_the_games_won(typed):
    names, best_of = ("Ada", "Bo", "Cy"), {"match": "best_of_three"}

    said = typed("5", "hold", "4", "hold", names=names, house=best_of)

    assert "Ada 0 (this game: 5), Bo 0 (this game: 4), Cy 0 (this game: 0)" in said


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_what_is_due_is_said_as_to_who_has_no_camera(game):
    for seats in {game.seats[0], 2} & set(game.seats):
        for state, move in by_chance(game, 2, seats):
            assert not OF_CAMERAS.search(game.prompt(state)), game.prompt(state)
            assert not OF_CAMERAS.search(game.describe(state, move))


def test_one_language_at_a_time(typed):
    said = typed("4", "moves", "why", language="de")

    assert "→ Player 1 würfelt 4" in said
    assert "rolls" not in said


def test_the_command_takes_what_it_prints(home, monkeypatch, capsys):
    lines = iter(["1", "quit", "6", "6", "6", "6", "quit"])
    monkeypatch.setattr("webui.terminal.play.line_reader", lambda _: lambda _: next(lines))
    assert cli.main(["play", "pig", "--set", "coach_plays=2"]) == 0
    printed = re.search(r"pipsight (play --resume .*)", capsys.readouterr().out)[1]

    assert cli.main(printed.split()) == 0

    assert "→ Coach holds 24" in capsys.readouterr().out


def test_the_coach_places_its_dice_itself(type_in):
    lines = ["Coach starts Coach black", "black rolls 1 2 3 4 5", "white rolls 1 2 3 4 5"]

    _, said = type_in(lines, names=("Ada",), coached=True)

    assert "enter both rolls before placing the first die" in said
    assert re.search(r"Coach thinks\. .*\n→ black \d on row \d", said)
    assert "1 of 9 dice are on the grid, Ada (white) is next" in said


def test_a_game_that_nobody_has_solved_has_no_such_opponent(type_in, monkeypatch):
    unsolved = replace(GAMES["even_at_odds"], coach=None)
    monkeypatch.setitem(GAMES, "even_at_odds", unsolved)

    code, said = type_in([], game="even_at_odds", names=("Ada",), coached=True)

    assert code == 2
    assert "There is no advice for Even at Odds" in said


def test_players_come_go_and_are_renamed_in_words_and_end_asks_first(typed):
    said = typed(
        *("6", "hold", "join Cleo", "rename Player 1 to Anna", "rename Anna", "leave Zoe"),
        *("join cleo", "swap Player 2 and Cleo", "leave Player 2", "leave Player 2", "end"),
        *("end now",),
    )

    for words in (
        "Cleo joins",
        "Player 1 is now called Anna",
        "No move now fits “rename Anna”. Type it as rename NAME to NAME.",
        "No move now fits “leave Zoe”. Type it as leave NAME. At the table: Anna, Player 2, Cleo",
        "Not played: Two players are called cleo",
        "Player 2 leaves",
        "Player 2 has left already",
        "Ended after round 1; Anna leads 6 to 0 to 0.",
        "If all agree, type: end now",
    ):
        assert words in said, said
    assert said.index("If all agree") < said.index("→ all agree to end the match here")


def test_who_started_is_corrected_in_words(typed):
    said = typed(
        *("start Ada", "Ada starts Ada black", "black 3 row 1 column 2", "start Bo"),
        *("undo", "undo", "Ada starts Ada black"),
        *("start Ada", "start Bo", "start Zoe", "history"),
        game="purple_house",
        names=("Ada", "Bo"),
    )

    assert said.count("There is nothing to correct about who started.") == 2, said
    assert "tep 2 is not possible after that" in said, said
    assert "Corrected: Bo has started." in said
    assert "No move now fits “start Zoe”" in said
    assert "1 Bo starts" in said


def test_all_play_on_against_a_rule_by_two_lines(typed):
    said = typed(
        *("play on 1 1", "6 5 4 3 1 1", "play on now", "banks 250", "play on 1 1 1 5 5 2"),
        *("play on 1 1 1 5 5", "undo", "play on now", "banks 250", "play on 1 1 1 5 5"),
        *("play on now", "history", "why"),
        game="farkle",
        names=("Ada", "Bo"),
    )

    assert "No move has been made yet." in said
    assert "Not all by the rules: you played on as it lay. FK-2\n" in said
    assert "The rules allow what lies there, so count it as usual." in said
    assert said.count("That is against a rule, FK-2.") == 2, said
    assert said.count("Type the dice that lie there") == 2, said
    assert said.count("→ all play on as it lies, against FK-2; Ada confirmed it") == 1, said
    assert "3 all play on as it lies" in said


@pytest.mark.parametrize("game", ["pig", "gords", "sum"])
def test_the_last_of_two_wins_whoever_left_before(typed, game):
    said = typed(
        "leave Cleo", "concede Ada", "concede Ada now", game=game, names=("Ada", "Ben", "Cleo")
    )

    assert "Ben wins: " in said
    assert "level" not in said


def test_a_swap_asks_what_it_is_and_names_mixed_up_leave_the_points(typed):
    lines = ("6", "hold", "swap Ada and Ben", "swap names Ada and Ben", "2", "hold", "why")
    said = typed(*lines, names=("Ada", "Ben"))

    asked, swapped = said.split("→ the names were mixed up")
    assert "Were the names mixed up? Then the points stay: Ben 6, Ada 0.\n" in asked
    assert "Type: swap names Ada and Ben\n" in asked
    assert "Have they changed chairs? Then each keeps the points.\n" in asked
    assert "\nBen 6, Ada 2\n" in swapped
    assert "6 = 6 → Ada +6\n" in swapped  # MT-12: as it was called then
    assert "2 = 2 → Ada +2\n" in swapped


def test_changed_chairs_change_the_order_of_turns_and_each_keeps_the_points(typed):
    two = typed("6", "hold", "swap chairs Ada and Ben", names=("Ada", "Ben"))
    lines = ("6", "hold", "swap chairs Ben and Cleo", "5", "hold", "4", "hold")
    three = typed(*lines, names=("Ada", "Ben", "Cleo"))

    assert "Each keeps the points, and two take turns in any chairs: nothing changes." in two
    assert "→ chairs change; turns in order: Ada, Cleo and Ben" in three
    assert "\nAda 6, Ben 5, Cleo 0\nAda rolls the die\n" in three
    assert "\nAda 10, Ben 5, Cleo 0\nCleo rolls the die\n" in three


def test_in_the_last_turns_nobody_loses_one_by_other_chairs(typed):
    said = typed(
        *("1 1 1 2 3 4", "keep 1 1 1 and bank 1000", "swap chairs Ben and Cleo"),
        game="farkle",
        names=("Ada", "Ben", "Cleo"),
        house={"target": 500},
    )

    assert "Each keeps points and turn: the order of turns cannot change now." in said


@pytest.mark.parametrize("word", ["leave", "concede"])
def test_of_two_nobody_leaves_before_it_is_asked(typed, word):
    asked = typed("6", "hold", f"{word} Ada", names=("Ada", "Ben"))
    sure = typed("6", "hold", f"{word} Ada now", names=("Ada", "Ben"))

    assert f"The match is over then. If all agree, type: {word} Ada now" in asked
    assert "→ Ada " not in asked.split("holds 6")[-1]
    assert "→ Ada " in sure.split("holds 6")[-1]
