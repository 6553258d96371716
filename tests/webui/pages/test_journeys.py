"""Whole evenings on a phone without scripts: from the front door by taps alone, to the end and on.

Every game, and in `make test-all` with two players, three and the most, alone and in a tournament,
as it allows. Only what the pages offer is tapped; house rules that they offer make it short.
"""

import pytest

from scorer.games import GAMES
from tests.grids import EVERY, few
from tests.webui.evening import CROWD, PEOPLE, ROUND, TOURNAMENT, TappedMatch
from tests.webui.plain_phone import PlainPhone

# Every run plays each game of two, one alone, one of twenty and a tournament; these take 5 s of one
# core at most. Of what takes most taps every run plays a turn of each.
IN_EVERY_RUN = ("sum-20",)
BEGUN = ("dice_wide_shut", 2), ("even_at_odds", 2), ("gords", 2)
TAPS = 14


def tables():
    """Return every game with each number of players worth an evening, and its house rules."""
    found = []
    for name, game in GAMES.items():
        sizes = {game.seats[0], 2, 3, min(game.seats[-1], CROWD) if game.seats[-1] <= CROWD else 5}
        for size in sorted(sizes):
            house = ROUND if (name, size) == ("purple_house", 2) else []
            found.append(pytest.param(name, size, house, id=f"{name}-{size}"))
        if game.seats[-1] <= CROWD and any(one.name == "match" for one in game.settings):
            found.append(pytest.param(name, 4, TOURNAMENT, id=f"{name}-tournament"))
    return [one for one in found if EVERY or one.id.endswith("-2") or one.id in IN_EVERY_RUN]


@pytest.mark.parametrize(("name", "players", "house"), few(tables(), 3))
def test_an_evening_is_played_by_taps_alone(app, name, players, house):
    evening = TappedMatch(PlainPhone(app.test_client()), GAMES[name], [*PEOPLE[:players]])
    evening.begin(*house)

    if EVERY or (name, players) not in BEGUN:
        evening.rest()
        return
    for _ in range(TAPS):
        evening.step()


def test_of_two_tables_each_lays_its_own_tiles(client, new_match):
    agreed = {"move": "Agree", "starter": 0, "evens": 0}
    names = ["Ana", "Ben", "Cyd", "Dan"]
    made = new_match(game="even_at_odds", names=names, opening=[agreed, {**agreed, "table": 1}])
    at_first = {"move": "Lay", "tile": [0, 1], "cells": [[1, 0], [0, 0]]}
    played = {"after": made["seq"], "moves": [at_first]}

    assert client.post(f"/api/matches/{made['id']}/moves", json=played).status_code == 201
    page = client.get(f"/m/{made['id']}").text

    assert [page.count(f'data-key="{tile}"') for tile in ("0-1", "0-2")] == [1, 2]
