"""The chart of the score from step to step, in every game."""

from __future__ import annotations

import random

import pytest

from scorer import dump_move
from scorer.games import GAMES
from webui.pages.drawings.chart import chart, reading


def test_the_chart_runs_from_the_beginning_to_the_score_and_marks_the_target() -> None:
    drawn = chart(["Ana", "Ben"], [(0, 0), (5, 3), (9, 7)], 50)

    assert drawn is not None
    assert drawn.says == "The score from step to step, at last Ana 9, Ben 7; to 50"
    assert drawn.goal is not None
    first, second = drawn.races
    assert first.points.count(",") == 3
    assert drawn.goal.y < first.dots[-1][1] < second.dots[-1][1]  # more points stand higher
    assert second.label_y - first.label_y >= 15  # names do not lie on each other


def test_points_below_nought_stand_on_the_chart() -> None:
    drawn = chart(["Ana", "Ben"], [(-50, -50), (-40, -50), (-40, -44)], None)

    assert drawn is not None
    assert all(14 <= float(at.split(",")[1]) <= 176 for at in drawn.races[0].points.split())
    assert [tick.value for tick in drawn.ticks] == [-40, -20, 0]
    assert chart(["Ana", "Ben"], [(0, 0), (5, 0)], 50) is None


@pytest.mark.parametrize(
    ("scores", "says"),
    [
        ([(0, 0), (5, 3), (9, 7)], "Ana has led from the first points on."),
        (
            [(0, 0), (5, 3), (5, 9)],
            "Ben has led since 5 : 9. The lead has changed once.",
        ),
        (
            [(0, 0), (5, 3), (5, 5), (5, 9), (12, 9), (13, 9)],
            "Ana has led since 12 : 9. The lead has changed 2 times.",
        ),
        ([(0, 0), (5, 3), (5, 5)], "Level at the top: Ana, Ben."),
        ([(0,), (5,), (9,)], ""),
    ],
)
def test_the_chart_is_read_in_a_sentence(scores, says) -> None:
    assert reading(["Ana", "Ben"][: len(scores[0])], scores) == says


def test_names_of_a_crowd_stay_beside_the_chart_in_the_order_of_their_lines() -> None:
    names = [f"P{at}" for at in range(12)]

    drawn = chart(names, [[0] * 12, [3] * 12, [100, *range(11)]], None)

    labels = [race.label_y for race in drawn.races]
    assert labels[0] == 14.0  # where its line ends
    assert labels[1:] == sorted(labels[1:], reverse=True)
    assert max(labels) <= 176


def test_where_the_fewest_points_win_they_lead() -> None:
    assert reading(["Ana", "Ben"], [(0, 0), (5, 3)], lowest=True) == (
        "Ben has led from the first points on."
    )


def test_a_long_match_is_drawn_from_its_first_score_to_its_last() -> None:
    scores = [(at, 2 * at) for at in range(1001)]

    drawn = chart(["Ana", "Ben"], scores, None)

    assert drawn is not None
    points = drawn.races[1].points.split()
    assert len(points) <= 122
    assert points[0] == "28.0,176.0"
    assert points[-1] == "262.0,14.0"


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_a_chart_that_stays_while_a_turn_runs(client, new_match, name) -> None:
    """Played by chance until the score has changed twice, and on: the chart does not vanish."""
    game, chance = GAMES[name], random.Random(5)
    match = new_match(game=name, opening=[])
    state, shown = game.start(2, {}), []
    scores = [game.score(state)]
    for after in range(120):
        legal = [move for _, move in zip(range(500), game.legal_moves(state), strict=False)]
        if not legal:
            break
        move = chance.choice(legal)
        state = game.apply(state, move)
        sent = {"after": after, "moves": [dump_move(move)]}
        assert client.post(f"/api/matches/{match['id']}/moves", json=sent).status_code == 201
        scores += [game.score(state)] if game.score(state) != scores[-1] else []
        if len(scores) > 2:
            page = client.get(f"/m/{match['id']}/tally").text
            shown.append('class="chart"' in page and 'id="chart-reading"' in page)
            if len(shown) == 12:
                break

    assert shown
    assert all(shown)
