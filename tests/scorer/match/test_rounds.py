"""How rounds make a match, for any game: best of three, games won, sums, tournaments (MT)."""

import json
import random
import re

import pytest

from scorer import At, Die, Illegal, NotAMove, Table, dump_move, load_move, replay
from scorer.entry import DicePad, Keeping, RollPad, TableEntry, moved, one_player
from scorer.games import GAMES, gords, pig
from scorer.games.purple_house import Agree
from scorer.photo.follow import understood
from scorer.photo.meaning import ReadTable
from scorer.rulebook import rule
from scorer.words import player
from tests.scorer.positions import refusal

PIG = GAMES["pig"]
TEN = (pig.Roll(6), pig.Roll(4), pig.Hold())  # wins a game to 10
LOST = (pig.Roll(1),)
PAIRED = [game for game in GAMES.values() if 2 in game.seats and game.tables]


def match(game, *moves, seats=2, **house):
    return replay(game, seats, house, moves)


def pigs(*moves, seats=2, **house):
    return match(PIG, *moves, seats=seats, target=10, **house)


def at(table, *moves):
    return tuple(At(table, move) if table else move for move in moves)


def tournament(*moves, seats=4, rounds=2, **house):
    return pigs(*moves, seats=seats, match="tournament", tournament_rounds=rounds, **house)


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_rules_of_matches_can_be_looked_up(game):
    for setting in game.settings:
        assert rule(setting.rule).name == setting.rule


def test_one_game_is_the_default_and_the_game_itself():
    assert type(pigs()) is pig.State
    assert PIG.result(pigs(*TEN)).why == "player 1 wins with 10"


def test_best_of_three_goes_on_until_somebody_has_won_two():
    state = pigs(*TEN, match="best_of_three")

    assert PIG.score(state) == (1, 0)
    assert PIG.target(state) == 2
    assert PIG.prompt(state) == "game 2: player 2 rolls the die"  # the start moves on
    assert PIG.to_move(state) == (1,)
    assert PIG.describe(state, pig.Roll(2)) == "player 2 rolls 2"
    state = pigs(*TEN, *TEN, match="best_of_three")
    assert PIG.score(state) == (1, 1)
    assert not PIG.is_over(state)
    state = pigs(*TEN, *TEN, *TEN, match="best_of_three")
    assert PIG.result(state).winners == (0,)
    assert PIG.result(state).why == "player 1 wins by 2 games to 1"
    with pytest.raises(Illegal, match="the game is over"):
        PIG.apply(state, pig.Roll(3))


def test_a_game_won_is_told_with_what_decided_it_and_the_open_one_counts_nothing():
    state = pigs(*TEN, pig.Roll(3), match="best_of_three")

    entries = [(one.seat, one.points, one.part, one.text) for one in PIG.explain(state)]

    assert entries == [
        (0, 1, "game 1", "player 1 wins with 10"),
        (None, 0, "game 2 so far", "3 = 3 so far"),
    ]


def test_games_are_played_until_an_agreed_number_is_won():
    house = {"match": "wins", "match_games": 1}

    assert PIG.is_over(pigs(*TEN, **house))
    assert not PIG.is_over(pigs(*TEN, *TEN, **house | {"match_games": 2}))


def test_sums_add_the_points_and_level_sums_call_for_another_game():
    farkle, roll = GAMES["farkle"], GAMES["farkle"].moves[0]
    keep = GAMES["farkle"].moves[1]
    won = (roll((1, 1, 1, 2, 3, 4)), keep((1, 1, 1), bank=True))
    nothing = (roll((2, 3, 3, 4, 6, 6)),)
    house = {"target": 1000, "match": "sum", "match_games": 2}

    level = match(farkle, *won, *nothing, *won, *nothing, **house)
    assert farkle.score(level) == (1000, 1000)
    assert farkle.prompt(level) == "game 3: player 1 rolls 6 dice"
    over = match(farkle, *won, *nothing, *nothing, *won, *nothing, **house)
    assert farkle.score(over) == (2000, 0)
    assert farkle.result(over).why == "player 1 wins by 2000 points to 0"


def test_two_sit_at_a_table_and_the_winners_move_on():
    state = tournament(*TEN, *at(1, *LOST, *TEN))

    assert PIG.score(state) == (1, 0, 0, 1)
    assert [table.seats for table in state.tables] == [(3, 1), (0, 2)]
    assert PIG.prompt(state) == ("table 1: player 4 rolls the die; table 2: player 1 rolls the die")


def test_a_move_names_its_table_and_reads_back():
    hold = At(1, pig.Hold())
    state = tournament(*at(1, pig.Roll(6)))

    assert dump_move(hold) == {"move": "Hold", "table": 1}
    assert load_move(PIG, {"move": "Hold", "table": 1}) == hold
    assert load_move(PIG, {"move": "Hold", "table": 0}) == pig.Hold()
    assert PIG.describe(state, hold) == "table 2: player 3 holds 6"
    assert hold in list(PIG.legal_moves(state))
    assert [table.seats for table in PIG.played_tables(state)] == [(0, 1), (2, 3)]
    assert PIG.played_tables(pigs(match="best_of_three")) == ()


@pytest.mark.parametrize("table", ["1", True, 1.0, None])
def test_a_table_that_is_no_number_is_refused(table):
    with pytest.raises(NotAMove, match="Hold"):
        load_move(PIG, {"move": "Hold", "table": table})


@pytest.mark.parametrize(
    ("moves", "move", "sentence", "cited"),
    [
        ((), At(2, pig.Roll(3)), "there is no table 3", "MT-4"),
        ((), At(-1, pig.Roll(3)), "there is no table 0", "MT-4"),
        (TEN, pig.Roll(3), "this table has finished its game and waits for the others", "MT-4"),
        ((), At(1, pig.Roll(7)), "a die shows 1 to 6, not 7", "PIG-1"),
    ],
)
def test_what_cannot_be_at_a_table_is_told(moves, move, sentence, cited):
    assert refusal(PIG, tournament(*moves), move) == (sentence, cited)


@pytest.mark.parametrize(("bye", "score"), [(0, (1, 0, 0)), (1, (1, 0, 1))])
def test_who_sits_out_gets_what_was_agreed(bye, score):
    state = tournament(*TEN, seats=3, bye_points=bye)

    assert PIG.score(state) == score
    assert PIG.tournament(state).sat_out == (2, 1)


def test_the_standings_tell_who_won_lost_and_sat_out():
    standings = PIG.tournament(tournament(*TEN, *TEN, seats=3, rounds=2))

    assert (standings.number, standings.rounds) == (2, 2)
    assert [(one.number, one.seats, one.points) for one in standings.meetings] == [
        (1, (0, 1), (1, 0)),
        (2, (0, 2), (1, 0)),
    ]
    ranks = [
        (one.place, one.seat, one.points, one.won, one.lost, one.byes)
        for one in standings.standings
    ]
    assert ranks == [(1, 0, 2, 2, 0, 0), (2, 1, 0, 0, 1, 1), (2, 2, 0, 0, 1, 1)]


def test_the_winner_of_a_tournament_is_told_by_games_and_level_totals_share_the_place():
    state = tournament(*TEN, *TEN, seats=3, rounds=2)

    assert PIG.result(state).why == "player 1 wins with 2 games"
    state = tournament(*TEN, *at(1, *TEN), rounds=1)

    assert PIG.result(state).winners == (0, 2)
    assert PIG.result(state).why == "player 1 and player 3 are level with 1 game: a shared win"


@pytest.mark.parametrize("game", PAIRED, ids=lambda game: game.name)
def test_a_tournament_of_any_game_for_two_runs_to_its_end(game):
    """Random play: pairs never hold a player twice, meetings and points agree, states read back."""
    chance, house = random.Random(3), {"tournament_rounds": 1}
    if any(one.name == "match" and "tournament" in one.values for one in game.settings):
        house["match"] = "tournament"
    house |= {"target": game_target} if (game_target := SHORT.get(game.name)) else {}
    state = game.start(3, house)
    for _ in range(2_000):
        if game.is_over(state):
            break
        standings = game.tournament(state)
        playing = [
            seat
            for one in standings.meetings
            if one.number == standings.number
            for seat in one.seats
        ]
        assert len(set(playing) | set(standings.sat_out[-1:])) == 3
        legal = _some(game, state, chance)
        state = game.apply(state, chance.choice(legal))
    assert game.is_over(state)
    standings = game.tournament(state)
    assert sum(one.points for one in standings.standings) == sum(game.score(state))
    assert [one.points for one in standings.standings] == sorted(game.score(state), reverse=True)


SHORT = {"pig": 10, "farkle": 500}


def _some(game, state, chance):
    """Return legal moves, of those kinds that end a game soon."""
    legal = []
    for move in game.legal_moves(state):
        legal.append(move)
        if len(legal) == 400:
            break
    calls = [move for move in legal if isinstance(move, (gords.Call, gords.Count, pig.Hold))]
    return calls or chance.sample(legal, min(len(legal), 50))


def test_a_photo_belongs_to_its_table():
    state = tournament()

    assert [spot.title for spot in PIG.equipment(state).spots] == [
        "table 1: player 1 and player 2",
        "table 2: player 3 and player 4",
    ]
    proposal = PIG.observe(state, Table((Die(5, "white"),), spot=1))
    assert proposal.moves == (At(1, pig.Roll(5)),)
    assert PIG.observe(state, Table(spot=2)).differences[0].sentence == "there is no table 3"


def test_a_sheet_is_looked_for_at_one_table_while_dice_are_rolled_at_another():
    game = GAMES["dice_wide_shut"]
    state = game.start(4, {"match": "tournament", "tournament_rounds": 1})
    reds, blues = (dict.fromkeys(range(4, 7), hue) for hue in ("red", "blue"))
    fell = [[hue, pips] for dice in (reds, blues) for pips, hue in dice.items()]
    for table in (0, 1):
        state = game.apply(state, load_move(game, {"move": "Starter", "seat": 0, "table": table}))
    roll = {"move": "Roll", "dice": [*fell, ["purple", 1]], "table": 1}
    state = game.apply(state, load_move(game, roll))

    wanted = game.equipment(state)

    assert wanted.board == "sheet:dice-wide-shut"
    assert wanted.colours == {"red": 3, "blue": 3, "purple": 1}
    assert [bool(spot.table.marks) for spot in wanted.spots] == [False, True, True]


def test_what_no_photo_shows_is_found_at_its_table():
    state = tournament(*at(1, pig.Roll(5)))
    reading = ReadTable(Table((Die(3, "white"),), spot=1))

    ways = understood(PIG, state, lambda _wanted, _spot: reading, (1,)).ways

    assert {way.moves for way in ways} == {
        (At(1, pig.Roll(3)),),
        (At(1, pig.Hold()), At(1, pig.Roll(3))),
    }


def test_the_coach_advises_at_each_table():
    state = tournament(pig.Roll(6), *at(1, pig.Roll(3)))

    advice = PIG.coach(state, ())

    assert {one.move.get("table", 0) for one in advice} == {0, 1}
    for choice in advice:
        rolled = {"pips": 3} if choice.move["move"] == "Roll" else {}  # which the dice will tell
        assert PIG.apply(state, load_move(PIG, {**choice.move, **rolled}))


def test_seats_of_a_move_are_those_of_its_table():
    """In Purple House moves say seats of the match, and always have."""
    house = GAMES["purple_house"]
    state = house.apply(house.start(4, {}), Agree(2, 3, table=1))

    assert state.tables[1].round.black == 1
    assert house.to_move(state) == (0, 1, 2)


def test_the_page_shows_pairings_byes_and_standings_without_a_script(client):
    sent = {
        "game": "pig",
        "name": ["Ana", "Ben", "Cyd"],
        "set.target": "10",
        "set.match": json.dumps("tournament"),
        "set.tournament_rounds": "2",
    }
    address = client.post("/start", data=sent).location
    match_id = address.rsplit("/", 1)[-1]
    moves = [dump_move(move) for move in TEN]
    client.post(f"/api/matches/{match_id}/moves", json={"after": 0, "moves": moves})

    page = " ".join(client.get(address).text.split())

    bar = page.split('<div id="bar"')[1].split(">")[0]
    assert "hidden" not in bar  # its dice can be photographed
    assert "Game 2 of 2" in page
    assert "<li>Ana and Cyd: playing</li>" in page
    assert "<li>Ben sits out</li>" in page
    assert "<li>Ana <b>1</b>, Ben <b>0</b></li>" in page
    assert 'Ana <span class="small soft">1 won, 0 lost</span>' in page
    assert 'Cyd <span class="small soft">0 won, 0 lost, sat out once</span>' in page


def test_each_table_has_its_own_keys(client):
    settings = {"tournament_rounds": 2}
    sent = {"game": "purple_house", "names": ["Ana", "Ben", "Cyd", "Dan"], "settings": settings}

    page = client.get(client.post("/api/matches", json=sent).json["url"]).text

    titles = re.findall(r"<h2>(Table \d.*?)</h2>", page)
    assert titles == ["Table 1: Ana and Ben", "Table 2: Cyd and Dan"]
    assert "Which table is this?" in page


def test_the_json_of_a_match_has_the_tournament(client):
    settings = {"match": "tournament", "target": 10}
    sent = {"game": "pig", "names": ["Ana", "Ben", "Cyd", "Dan"], "settings": settings}
    made = client.post("/api/matches", json=sent).json
    moves = [dump_move(move) for move in at(1, *TEN)]

    after = client.post(f"/api/matches/{made['id']}/moves", json={"after": 0, "moves": moves}).json

    assert after["tournament"]["meetings"] == [
        {"round": 1, "seats": [0, 1], "points": None, "counts": True, "so_far": [0, 0]},
        {"round": 1, "seats": [2, 3], "points": [1, 0], "counts": True, "so_far": None},
    ]
    assert after["tournament"]["standings"][0]["seat"] == 2
    assert after["history"][-1]["text"][0] == "table 2: Cyd rolls 6"


def test_every_sentence_and_move_of_an_entry_becomes_that_of_its_table():
    roll = pig.Roll(3)
    declared = TableEntry(
        (one_player(player(0), [0], lambda _seat: roll),),
        dice=DicePad(
            player(0), 1, 1, roll, (), {}, 0, 0, (Keeping(roll, player(0)),), player(0), ""
        ),
        roll=RollPad(player(0), {}, roll),
    )

    at_table = str(moved(declared, lambda _text: player(1), lambda move: At(1, move)))

    assert "player 1" not in at_table
    assert at_table.count("Roll(") == at_table.count("At(table=1, move=Roll(") == 4
