"""“What would be best?” and “What may I do?”, on pages and in JSON, and the seat of the coach."""

import random
from itertools import islice

import pytest

from scorer import dump_move, load_move
from scorer.games import GAMES
from tests.matches import BEGUN, TWELVE, moves_by_chance
from webui.match import match as matches
from webui.match.advice import BY_HEART, WORST, choices, coach_turn
from webui.match.possible import possible

START = {"move": "Agree", "starter": 0, "table": 0}


def made(client, game, *moves, names=("Ana", "Ben"), **house):
    sent = {"game": game, "names": names, "settings": house, "opening": moves}
    answer = client.post("/api/matches", json=sent)
    assert answer.status_code == 201, answer.json
    return answer.json["id"]


@pytest.fixture
def pig(client):
    return made(client, "pig", {"move": "Roll", "pips": 5}, advice=True)


def test_anybody_may_ask_where_that_was_agreed(client, pig):
    page = client.get(f"/m/{pig}").text
    assert "What would be best?" in page
    assert f"/m/{pig}/advice" in page

    advice = client.post(f"/api/matches/{pig}/advice", json={}).json["advice"]

    assert {one["move"]["move"] for one in advice} == {"Roll", "Hold"}
    assert advice[0]["value"] > advice[1]["value"]
    assert advice[0]["why"] in client.get(f"/m/{pig}/advice").text
    assert advice[0]["why"] in client.get(f"/m/{pig}/advice/list").text


def test_nobody_is_advised_who_plays_by_heart(client):
    match = made(client, "pig")

    assert "What would be best?" not in client.get(f"/m/{match}").text
    refused = client.post(f"/api/matches/{match}/advice", json={})
    assert (refused.status_code, refused.json["error"]["kind"]) == (403, "NotAgreed")
    page = client.get(f"/m/{match}/advice")
    assert page.status_code == 403
    assert BY_HEART in page.text


def test_the_longest_bar_is_the_best(services, pig):
    best, worst = choices(matches.load(services.store, pig))

    assert (best.share, worst.share) == (1.0, WORST)


def test_a_hand_is_used_for_the_answer_alone(client, app):
    match = made(client, "gords", START, advice=True)
    before = client.get(f"/api/matches/{match}").json

    page = client.post(f"/m/{match}/advice", data={"hand": "6 6 6 6 6"}).text
    blind = client.get(f"/m/{match}/advice").text

    assert page != blind
    assert "not stored" in page
    assert client.get(f"/api/matches/{match}").json == before
    assert "6 6 6 6 6" not in client.get(f"/m/{match}").text
    assert client.get(f"/m/{match}/advice").text == blind


@pytest.mark.parametrize("hand", ["6 6", "7 7 7 7 7", "none"])
def test_a_hand_that_cannot_be_is_refused_in_a_sentence(client, hand):
    match = made(client, "gords", START, advice=True)
    german = {"Accept-Language": "de"}

    refused = client.post(f"/api/matches/{match}/advice", json={"hand": hand})

    assert (refused.status_code, refused.json["error"]["kind"]) == (422, "NoAdvice")
    page = client.post(f"/m/{match}/advice", data={"hand": hand}, headers=german)
    assert page.status_code == 422
    assert ("Eine Hand sind Würfel" in page.text) == (hand != "6 6")
    part = client.post(f"/m/{match}/advice/list", data={"hand": hand})
    assert part.status_code == 200
    assert refused.json["error"]["sentence"].split("'")[0].rstrip(".") in part.text


def test_nothing_is_advised_after_the_end(client):
    match = made(client, "pig", *TWELVE, advice=True, target=10)

    assert "What would be best?" not in client.get(f"/m/{match}").text
    refused = client.post(f"/api/matches/{match}/advice", json={})
    assert refused.status_code == 422


def test_the_coach_says_which_move_it_makes_and_one_tap_stores_it(client):
    match = made(client, "pig", {"move": "Roll", "pips": 5}, coach_plays=1)

    page = client.get(f"/m/{match}").text

    assert "The coach plays for Ana" in page
    assert "Done on the table" not in page  # to roll again, the die must be thrown
    refused = client.post(f"/m/{match}/coach", data={"hand": "1 2"}).text
    assert "Nothing is hidden in Pig: leave the hand out." in refused
    held = [{"move": "Roll", "pips": 6}] * 5
    match = made(client, "pig", *held, coach_plays=1)
    page = client.get(f"/m/{match}").text
    assert "Done on the table" in page
    form = {"after": 1, "request": "coach-1", "move": '{"move": "Hold"}'}
    assert client.post(f"/m/{match}/move", data=form).status_code in (302, 303)
    assert client.get(f"/api/matches/{match}").json["score"] == [30, 0]
    assert "coach-title" not in client.get(f"/m/{match}").text


def test_at_several_tables_the_coach_plays_at_its_own_and_advice_says_which_is_meant(client):
    """It took a seat in a tournament of four, and never said a word."""
    six = {"move": "Roll", "pips": 6}
    house = {"match": "tournament", "coach_plays": 3, "advice": True}
    opening = [*[six] * 5, *[{**six, "table": 1}] * 5]

    match = made(client, "pig", *opening, names=("Ana", "Ben", "Cy", "Di"), **house)

    page = client.get(f"/m/{match}").text
    assert "The coach plays for Cy" in page
    assert "Table 2: Hold 30" in page
    assert "Done on the table" in page
    whys = [
        one["why"] for one in client.post(f"/api/matches/{match}/advice", json={}).json["advice"]
    ]
    assert [why[:8] for why in whys].count("Table 1:") == len(whys) / 2
    hold = {"after": 1, "moves": [{"move": "Hold", "table": 1}]}
    client.post(f"/api/matches/{match}/moves", json=hold)
    assert "The coach plays for Cy" not in client.get(f"/m/{match}").text


def test_a_coach_without_a_seat_is_refused_and_in_an_old_match_says_nothing(client, services):
    store, house = services.store, {"coach_plays": 4}
    sent = {"game": "pig", "names": ["Ada", "Ben"], "settings": house}
    assert client.post("/api/matches", json=sent).status_code == 400

    old = store.create("pig", GAMES["pig"].version, house, ("Ada", "Ben"))
    assert coach_turn(matches.load(store, old.id)) is None


def test_every_coached_game_offers_advice_and_no_other(client):
    for game in GAMES.values():
        offered = {"advice", "coach_plays"} <= {setting.name for setting in game.settings}
        assert offered == (game.coach is not None)


ALL = 10_000


@pytest.fixture
def played(services, new_match):
    """Return a function that makes a match of these moves."""

    def make(name, moves):
        return matches.load(services.store, new_match(game=name, opening=moves)["id"])

    return make


@pytest.mark.parametrize("name", GAMES)
def test_in_every_game_the_choices_are_told_with_the_score_that_they_lead_to(played, name):
    match = played(name, moves_by_chance(GAMES[name], 8, 2, 8))

    found, left_out = possible(match, ALL)

    spoken = {one.text: one.move for one in match.spoken()}
    assert found.choices or found.by_chance
    assert not left_out
    before = match.rules().earned(match.state)
    for choice in found.choices:
        after = match.rules().apply(match.state, spoken[choice.text])
        score = match.rules().earned(after)
        assert choice.at_best or (choice.score or before) == score


def test_the_best_choice_comes_first_and_the_others_are_counted(played):
    match = played("dice_wide_shut", BEGUN["dice_wide_shut"])

    found, left_out = possible(match, 2)
    every, _ = possible(match, ALL)

    assert found.choices == every.choices[:2]
    assert left_out == len(every.choices) - 2
    best = [choice.score[0] for choice in every.choices if choice.score]
    assert best == sorted(best, reverse=True)
    assert all(choice.at_best for choice in every.choices if choice.score)


def test_a_roll_is_no_choice_and_holding_is_one(played):
    match = played("pig", [{"move": "Roll", "pips": 4}])

    found, _ = possible(match, ALL)

    assert found.by_chance == ("Ada rolls",)
    assert [(choice.text, choice.score) for choice in found.choices] == [("Ada holds 4", (4, 0))]


def test_a_row_that_splits_is_shown_as_it_would_lie(played):
    game = GAMES["dice_wide_shut"]
    chance, state, moves = random.Random(2), game.start(2, {}), []
    shown = ()
    while not shown and not game.is_over(state):
        legal = list(islice(game.legal_moves(state), 300))
        moves.append(dump_move(chance.choice(legal)))
        state = game.apply(state, load_move(game, moves[-1]))
        if type(legal[0]).__name__ == "Roll" or len(moves) < 40:  # no row splits before
            continue
        found, _ = possible(played("dice_wide_shut", moves), ALL)
        shown = tuple(choice.table for choice in found.choices if choice.table)

    assert any(mark.mark == "struck" for mark in shown[0].marks)


def test_a_match_shows_them_on_a_page_and_as_part_of_one(client, new_match):
    match = new_match(game="pig", opening=[{"move": "Roll", "pips": 4}])

    page, part = (client.get(f"/m/{match['id']}/may{end}").text for end in ("", "/list"))

    assert "The dice or tiles decide: Ada rolls …" in page
    assert part.strip() in page
    assert f'data-ask="/m/{match["id"]}/may/list"' in client.get(f"/m/{match['id']}").text


def test_where_the_fewest_points_win_the_move_to_the_fewest_comes_first(store):
    drawn = {"move": "Draw", "tiles": [[1, 2], [1, 3], [1, 4]]}
    shown, _more = possible(matches.create(store, "even_at_odds", ["Ana"], {}, [drawn]), 100)

    scores = [one.score[0] for one in shown.choices if one.score]
    assert scores == sorted(scores)
    assert len({*scores}) > 1
