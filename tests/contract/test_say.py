"""The panel "Enter the move": words to tap until a sentence is whole, as pages and as JSON."""

import random
import re
import sys
from collections import Counter
from html import unescape
from itertools import islice

import pytest

from scorer import Die, dump_move
from scorer.games import GAMES
from scorer.words import COLOURS
from tests.conftest import AGREE
from tests.grids import EVERY
from tests.matches import by_chance, moves_by_chance
from tests.webui.evening import TappedMatch
from tests.webui.pages.test_journeys import BEGUN
from tests.webui.plain_phone import PlainPhone
from webui.pages.match.move_panel import draw, say

LONGEST = 400  # moves of a match
LAST = 3  # steps before the end that are said on the page


def test_few_moves_are_buttons_and_of_the_others_the_first_word_is_asked():
    game = GAMES["purple_house"]

    shown = say(game, game.start(2, {}), ["Ana", "Ben"])

    assert [" ".join(word.text for word in one.words) for one in shown.options] == [
        "Ana starts, Ana has black",
        "Ana starts, Ben has black",
        "Ben starts, Ana has black",
        "Ben starts, Ben has black",
    ]
    assert " ".join(word.text for word in shown.said) == "Ana rolls"
    assert [one.word.faces for one in shown.following] == [(pips,) for pips in range(1, 7)]
    assert (shown.left, shown.back) == (40, None)


@pytest.mark.parametrize(("name", "faces"), [("pig", 1), ("beat_the_odds", 2)])
def test_moves_that_only_their_pips_tell_apart_are_faces_to_tap(name, faces):
    game = GAMES[name]
    state = game.start(2, {})
    rolled = [move for move in game.legal_moves(state) if type(move).__name__.endswith("Roll")]

    (rolls,) = say(game, state, ["Ana", "Ben"]).rolls

    assert [roll.option.move for roll in rolls] == [dump_move(move) for move in rolled]
    assert all(len(roll.word.faces) == faces for roll in rolls)


def test_the_words_lead_to_a_few_moves_and_back():
    game = GAMES["purple_house"]
    start = game.start(2, {})

    shown = say(game, start, ["Ana", "Ben"], "Ana rolls 3")

    assert not shown.following
    assert len(shown.options) == 6
    assert shown.options[1].move == {"move": "StartRoll", "pips": [3, 2], "table": 0}
    assert shown.back == "Ana rolls"
    assert say(game, start, ["Ana", "Ben"], "Cyd").left == 0


def test_typed_words_find_their_moves_and_say_how_many_more_there_are():
    game = GAMES["gords"]
    state = game.apply(game.start(2, {}), next(game.legal_moves(game.start(2, {}))))

    shown = say(game, state, ["Ana", "Ben"], typed="sixes")

    assert len(shown.options) == 12
    assert shown.left > 12
    assert say(game, state, ["Ana", "Ben"], typed="flies").left == 0


@pytest.mark.parametrize(
    ("words", "faces"),
    [
        ("Ana rolls red 1 2, blue 3", {"1": "red", "2,": "red", "3": "blue"}),
        ("black 3 on row 1, column 2", {"3": "black"}),
        ("Ana rolls the 1 again to 2 for 6 points", {"1": "white", "2": "white"}),
        ("Ana stacks 1-2 on level 2: 1 on row 3", {"1-2": "white"}),
        ("Player 1 bids 3 twos", {}),
        ("Ana holds 5", {}),  # points, not pips
        ("Ana plays 1-2: 1 on row 3", {"1-2:": "white", "1": "white"}),
        ("Ana checks the 1 in row 1 of the red half", {}),
    ],
)
def test_pips_are_drawn_and_other_numbers_written(words, faces):
    drawn = {word.text: word.colour for word in draw(words.split()) if word.faces}

    assert drawn == faces


@pytest.mark.parametrize("name", GAMES if EVERY else [name for name, _ in BEGUN])
def test_every_game_is_ended_by_saying_words(app, new_match, name):
    """That each is begun so, and the others ended, is played by `test_journeys`."""
    opening = moves_by_chance(GAMES[name], random.Random(7), 2, LONGEST, 500)[:-LAST]
    made = new_match(game=name, names=["P1", "P2"], opening=opening)
    match = TappedMatch(
        PlainPhone(app.test_client(), f"/m/{made['id']}"), GAMES[name], ["P1", "P2"]
    )

    match.play()

    assert match.phone.over


@pytest.fixture
def wide(new_match):
    opening = [{"move": "Starter", "seat": 0}]
    return new_match(game="dice_wide_shut", names=["Ada", "Ben"], opening=opening)


@pytest.mark.parametrize(
    ("changes", "status", "says"),
    [
        ({"dice": "red 1"}, 422, "1 red, 0 blue and 0 purple do not make a roll of 3 red"),
        ({"dice": "red one"}, 400, "no dice were typed; give the colour"),
        ({"dice": "?"}, 400, "? is not a die; give the colour and the pips"),
        ({"dice": ""}, 400, "no dice were typed"),
        ({"after": "0"}, 409, "Another phone"),
        ({"after": ""}, 400, "incomplete"),
    ],
)
def test_dice_that_are_no_roll_are_refused_and_nothing_is_stored(
    client, wide, changes, status, says
):
    sent = {"after": "1", "request": "r", "dice": "red 111 blue 123 purple 4", **changes}

    answer = client.post(f"/m/{wide['id']}/dice", data=sent)

    assert answer.status_code == status
    assert says in unescape(answer.text)
    assert client.get(f"/api/matches/{wide['id']}").json["seq"] == 1


def test_typed_dice_are_played_once_however_often_they_are_sent(client, wide):
    sent = {"after": "1", "request": "r", "dice": "red 111 blue 123 purple 4"}

    for _ in range(2):
        assert client.post(f"/m/{wide['id']}/dice", data=sent).status_code == 303
    other = client.post(f"/m/{wide['id']}/dice", data=sent | {"request": "another"})

    assert other.status_code == 409
    assert client.get(f"/api/matches/{wide['id']}").json["seq"] == 2


def test_a_sheet_is_filled_without_scripts_from_the_lists_of_its_halves(client, wide):
    sent = {"after": "1", "request": "r", "dice": "red 114 blue 123 purple 4"}
    client.post(f"/m/{wide['id']}/dice", data=sent)

    taking = client.get(f"/m/{wide['id']}").text
    halves = re.findall(r'unscripted" role="group" aria-label="(\w+ half)"', taking)
    phone = PlainPhone(client, f"/m/{wide['id']}")
    phone.press("Ada takes red 1 and red 4")
    phone.press("Ada checks the 1 in row 1 of the red half and the 4 in row 1 of the red half")

    assert halves == ["Red half", "Blue half"]
    assert phone.shows("Ben takes dice")


def test_a_sentence_is_said_word_by_word(client, new_match):
    path = f"/api/matches/{new_match(opening=[])['id']}/sentence"

    first = client.get(path).json
    then = client.get(path, query_string={"said": "Ada rolls 3"}).json
    whole = client.get(path, query_string={"said": "Ada rolls 3 and Ben rolls 5"}).json
    none = client.get(path, query_string={"said": "Cyd"}).json

    assert (first["said"], first["following"], first["left"]) == ([], ["Ada", "Ben"], 40)
    assert then["following"] == ["1", "2", "3", "4", "5", "6"]
    assert len(then["moves"]) == 6
    assert whole["move"] == {"move": "StartRoll", "pips": [3, 5], "table": 0}
    assert (none["left"], none["following"], none["moves"]) == (0, [], [])


def test_the_legal_moves_are_told_in_words_and_by_kind(client, new_match):
    path = f"/api/matches/{new_match(opening=[])['id']}/moves"

    answer = client.get(path, query_string={"kind": "Agree"}).json

    assert answer["moves"][0] == {"words": "Ada starts, Ada has black", "move": AGREE}
    assert (len(answer["moves"]), answer["all"]) == (4, True)
    assert len(client.get(path).json["moves"]) == 40
    refused = client.get(path, query_string={"kind": "Fly"})
    assert refused.status_code == 400
    assert "has the moves" in refused.json["error"]["sentence"]


def test_moves_without_end_are_told_to_be_cut_short(client, wide):
    path = f"/api/matches/{wide['id']}"

    assert client.get(f"{path}/moves?kind=Take").json == {"seq": 1, "all": False, "moves": []}
    assert not client.get(f"{path}/sentence").json["all"]


def test_a_match_whose_game_is_gone_tells_no_moves(client, wide, monkeypatch):
    monkeypatch.delitem(GAMES, "dice_wide_shut")

    for what in ("moves", "sentence"):
        answer = client.get(f"/api/matches/{wide['id']}/{what}")
        assert answer.status_code == 422
        assert "is not installed here" in answer.json["error"]["sentence"]
    sent = {"after": "1", "request": "r", "dice": "red 1"}
    assert client.post(f"/m/{wide['id']}/dice", data=sent).status_code == 422
    assert client.get(f"/m/{wide['id']}/say").status_code == 422


@pytest.mark.parametrize("query", ["", "said=Ada", "typed=%00", "said=" + "x" * 2000])
def test_words_that_lead_nowhere_are_told_so_also_when_the_match_is_over(client, new_match, query):
    rolls = [{"move": "Roll", "pips": 6}] * 2
    match = new_match(game="pig", settings={"target": 10}, opening=[*rolls, {"move": "Hold"}])

    answer = client.get(f"/m/{match['id']}/say?{query}")

    assert answer.status_code == 200
    assert "No move now" in answer.text


def test_a_typed_move_that_the_rules_forbid_is_told_with_their_reason(client, new_match):
    match = new_match(game="pig", opening=[])

    forbidden = client.get(f"/m/{match['id']}/say?typed=hold").text
    nothing = client.get(f"/m/{match['id']}/say?typed=fly").text

    assert "Roll at least once before you hold." in forbidden
    assert f'href="/m/{match["id"]}/rules#PIG-3"' in forbidden
    assert "No move now fits “fly”. Ada rolls the die." in unescape(nothing)


def test_surfaces_tell_the_tiles_marks_and_places_that_are_known(client, new_match, wide):
    solo = new_match(game="even_at_odds", names=["Ada"], opening=[])
    bids = new_match(
        game="gords",
        opening=[{"move": "Agree", "starter": 0}, {"move": "Bid", "space": "2*", "face": 1}],
    )

    tiles = solo["equipment"]["spots"][0]["tiles"]
    assert len(tiles) == 6
    assert tiles[0]["level"] == 1
    assert bids["equipment"]["places"][:5] == ["1", "1*", "2", "3", "2*"]
    bid = {"cell": [0, 4], "value": 1, "colour": "white"}
    assert bids["equipment"]["spots"][0]["board"] == [bid]
    roll = [["red", 1]] * 3 + [["blue", 2]] * 3 + [["purple", 3]]
    rolled = {"after": 1, "moves": [{"move": "Roll", "dice": roll}]}
    view = client.post(f"/api/matches/{wide['id']}/moves", json=rolled).json
    assert view["equipment"]["spots"][0]["marks"][0] == {"cell": ["red", 0, 0], "mark": "blank"}


MOST = 100  # moves
BESIDE = ("scorer.evening.play", "scorer.match.play")


@pytest.mark.parametrize("name", GAMES)
def test_a_move_passes_few_calls_on_its_way_to_the_rules(name):
    game, chance, calls = GAMES[name], random.Random(1), Counter()
    seats = 2 if 2 in game.seats else game.seats[0]
    state, played = game.start(seats, {}), 0

    def count(frame, event, _called):
        if event in ("call", "c_call") and frame.f_globals.get("__name__") in BESIDE:
            calls[event] += 1

    while played < MOST and (legal := [*islice(game.legal_moves(state), 200)]):
        move = chance.choice(legal)
        sys.setprofile(count)
        state = game.apply(state, move)
        sys.setprofile(None)
        played += 1

    rounds = "MatchState" in type(state).__name__  # each move looks whether its round is over
    assert calls["call"] <= (12 if rounds else 2) * played
    assert calls["c_call"] <= (8 if rounds else 2) * played


@pytest.mark.parametrize("name", GAMES)
def test_what_is_told_as_thrown_are_dice_of_known_colours(name):
    game = GAMES[name]
    seats, thrown = 2 if 2 in game.seats else game.seats[0], []
    for state, move in by_chance(game, 7, seats, 30, 50):
        thrown += game.thrown(state, move)
        thrown += (
            (die.colour, die.value) for die in game.laid(state, move) if isinstance(die, Die)
        )

    assert {value for _, value in thrown} <= set(range(1, 7))
    assert {colour for colour, _ in thrown} <= {"", *COLOURS}
    assert name != "even_at_odds" or not thrown  # it has no dice
