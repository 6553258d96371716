"""“What may I do?”: every legal move in words, with the score it leads to, the best first."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from scorer import dump_move, load_move
from scorer.games import GAMES
from scorer.games.dice_wide_shut.moves import Roll, Starter
from webui.match import match as matches
from webui.match.possible import possible

ALL = 10_000
SEVEN = (("red", 1), ("red", 2), ("red", 4), ("blue", 1), ("blue", 1), ("blue", 2), ("purple", 3))


def played(client, new_match, name, moves, **settings):
    made = new_match(game=name, opening=moves, settings=settings)
    return matches.load(client.application.extensions["pipsight"].store, made["id"])


def by_chance(name, most):
    """Yield the moves of matches of two, played on by chance."""
    game, chance = GAMES[name], random.Random(most)
    state, moves = game.start(2, {}), []
    for _ in range(most):
        if not (legal := list(islice(game.legal_moves(state), 300))):
            break
        moves.append(chance.choice(legal))
        state = game.apply(state, moves[-1])
    return [dump_move(move) for move in moves]


@pytest.mark.parametrize("name", GAMES)
def test_in_every_game_the_choices_are_told_with_the_score_that_they_lead_to(
    client, new_match, name
):
    match = played(client, new_match, name, by_chance(name, 8))

    found, left_out = possible(match, ALL)

    spoken = {one.text: one.move for one in match.spoken()}
    assert found.choices or found.by_chance
    assert not left_out
    before = match.rules().earned(match.state)
    for choice in found.choices:
        after = match.rules().apply(match.state, spoken[choice.text])
        score = match.rules().earned(after)
        assert choice.at_best or (choice.score or before) == score


def test_the_best_choice_comes_first_and_the_others_are_counted(client, new_match):
    opening = [dump_move(Starter(0)), dump_move(Roll(SEVEN))]
    match = played(client, new_match, "dice_wide_shut", opening)

    found, left_out = possible(match, 2)
    every, _ = possible(match, ALL)

    assert found.choices == every.choices[:2]
    assert left_out == len(every.choices) - 2
    best = [choice.score[0] for choice in every.choices if choice.score]
    assert best == sorted(best, reverse=True)
    assert all(choice.at_best for choice in every.choices if choice.score)


def test_a_roll_is_no_choice_and_holding_is_one(client, new_match):
    match = played(client, new_match, "pig", [{"move": "Roll", "pips": 4}])

    found, _ = possible(match, ALL)

    assert found.by_chance == ("Ada rolls",)
    assert [(choice.text, choice.score) for choice in found.choices] == [("Ada holds 4", (4, 0))]


def test_a_row_that_splits_is_shown_as_it_would_lie(client, new_match):
    game = GAMES["dice_wide_shut"]
    chance, state, moves = random.Random(2), game.start(2, {}), []
    shown = ()
    while not shown and not game.is_over(state):
        legal = list(islice(game.legal_moves(state), 300))
        moves.append(dump_move(chance.choice(legal)))
        state = game.apply(state, load_move(game, moves[-1]))
        if type(legal[0]).__name__ == "Roll":
            continue
        match = played(client, new_match, "dice_wide_shut", moves)
        found, _ = possible(match, ALL)
        shown = tuple(choice.table for choice in found.choices if choice.table)

    assert any(mark.mark == "struck" for mark in shown[0].marks)


def test_a_match_shows_them_on_a_page_and_as_part_of_one(client, new_match):
    match = new_match(game="pig", opening=[{"move": "Roll", "pips": 4}])

    page, part = (client.get(f"/m/{match['id']}/may{end}").text for end in ("", "/list"))

    assert "The dice or tiles decide: Ada rolls …" in page
    assert part.strip() in page
    assert f'data-ask="/m/{match["id"]}/may/list"' in client.get(f"/m/{match['id']}").text
