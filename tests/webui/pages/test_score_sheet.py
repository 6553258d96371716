"""A free score sheet, the chart of the score, and the peg track."""

import re
from html import unescape

import pytest

from scorer.games import GAMES
from tests.grids import few, without
from tests.matches import moves_by_chance, play, play_of_bg_stats
from webui.pages.drawings.chart import chart, reading
from webui.pages.drawings.pegs import MARGIN, pegs


@pytest.fixture
def sheet(client, new_match):
    """Enter numbers on a sheet of two on which the fewest points win; return its address."""
    made = new_match(game="sum", opening=[], settings={"wins": "fewest", "target": 30})
    moves = [
        {"move": "Enter", "seat": seat, "points": points} for seat, points in enumerate((12, 7))
    ]
    sent = {"after": 0, "moves": [*moves, {"move": "Enter", "seat": 1, "points": 4}]}
    client.post(f"/api/matches/{made['id']}/moves", json=sent)
    return f"/m/{made['id']}"


def text_of(page):
    return " ".join(re.sub(r"<[^>]*>", " ", unescape(page)).split())


def test_who_has_not_entered_has_a_dash_in_the_round(client, sheet):
    html = client.get(sheet).text
    page = text_of(html)

    assert all(f'id="face-{pips}"' in html for pips in range(13))  # halves of a double twelve
    assert "Round 2 – 12 +4 11 Round 1 +12 12 +7 7" in page
    assert "3 numbers entered" in page
    assert "Points of Ada: a number from −1000000 to 1000000." in client.get(f"{sheet}/may").text


def test_who_comes_late_begins_with_the_number_that_is_said(client, sheet):
    assert "Somebody who comes now begins with 12 points." in client.get(f"{sheet}/players").text
    sent = {"after": "1", "do": "join", "name": "Cleo"}

    client.post(f"{sheet}/players", data=sent)

    page = text_of(client.get(sheet).text)
    assert "Cleo came late Cleo 12" in page
    assert "Ada enters the points of round 2." in page


def test_bg_stats_is_sent_which_way_the_points_count(client, sheet):
    play(client, sheet.removeprefix("/m/"), {"move": "Enter", "seat": 0, "points": 18})

    _, shared = play_of_bg_stats(client, sheet)

    assert shared["game"]["highestWins"] is False
    assert [(one["score"], one["winner"]) for one in shared["players"]] == [
        ("30", False),
        ("11", True),
    ]


def test_the_chart_runs_from_the_beginning_to_the_score_and_marks_the_target():
    drawn = chart(["Ana", "Ben"], [(0, 0), (5, 3), (9, 7)], 50)

    assert drawn.says == "The score from step to step, at last Ana 9, Ben 7; to 50"
    assert drawn.goal is not None
    first, second = drawn.races
    assert first.points.count(",") == 3
    assert drawn.goal.y < first.dots[-1][1] < second.dots[-1][1]  # more points stand higher
    assert second.label_y - first.label_y >= 15  # names do not lie on each other


def test_points_below_nought_stand_on_the_chart():
    drawn = chart(["Ana", "Ben"], [(-50, -50), (-40, -50), (-40, -44)], None)

    assert all(14 <= float(at.split(",")[1]) <= 176 for at in drawn.races[0].points.split())
    assert [tick.value for tick in drawn.ticks] == [-40, -20, 0]
    assert chart(["Ana", "Ben"], [(0, 0), (5, 0)], 50) is None


@pytest.mark.parametrize(
    ("scores", "says"),
    [
        ([(0, 0), (5, 3), (9, 7)], "Ana has led from the first points on."),
        ([(0, 0), (5, 3), (5, 9)], "Ben has led since 5 : 9. The lead has changed once."),
        (
            [(0, 0), (5, 3), (5, 5), (5, 9), (12, 9), (13, 9)],
            "Ana has led since 12 : 9. The lead has changed 2 times.",
        ),
        ([(0, 0), (5, 3), (5, 5)], "Level at the top: Ana, Ben."),
        ([(0,), (5,), (9,)], ""),
    ],
)
def test_the_chart_is_read_in_a_sentence(scores, says):
    assert reading(["Ana", "Ben"][: len(scores[0])], scores) == says


def test_names_of_a_crowd_stay_beside_the_chart_in_the_order_of_their_lines():
    names = [f"P{at}" for at in range(12)]

    drawn = chart(names, [[0] * 12, [3] * 12, [100, *range(11)]], None)

    labels = [race.label_y for race in drawn.races]
    assert labels[0] == 14.0  # where its line ends
    assert labels[1:] == sorted(labels[1:], reverse=True)
    assert max(labels) <= 176


def test_where_the_fewest_points_win_they_lead():
    assert reading(["Ana", "Ben"], [(0, 0), (5, 3)], lowest=True) == (
        "Ben has led from the first points on."
    )


def test_a_long_match_is_drawn_from_its_first_score_to_its_last():
    scores = [(at, 2 * at) for at in range(1001)]

    drawn = chart(["Ana", "Ben"], scores, None)

    points = drawn.races[1].points.split()
    assert len(points) <= 122
    assert points[0] == "28.0,176.0"
    assert points[-1] == "262.0,14.0"


@pytest.mark.parametrize("name", few(without(GAMES, "even_at_odds"), 3))
def test_every_game_has_a_chart_that_stays_while_a_turn_runs(client, new_match, name):
    """Played by chance until the score has changed twice, and on: the chart does not vanish."""
    match = new_match(game=name, opening=[])
    shown, scores = [], [match["score"]]
    for move in moves_by_chance(GAMES[name], 5, 2, 120, 500):
        score = play(client, match["id"], move)["score"]
        scores += [score] if score != scores[-1] else []
        if len(scores) > 2:
            page = client.get(f"/m/{match['id']}/tally").text
            shown.append('class="chart"' in page and 'id="chart-reading"' in page)
            if len(shown) == 12:
                break

    assert shown
    assert all(shown)


TWO = ("Ana", "Ben")


def test_a_peg_stands_at_the_score_and_one_where_it_was_before():
    track = pegs(TWO, (34, 22), (4, 0), 50)

    first, second = track.lanes
    assert first.front - first.back == pytest.approx(4 * track.hole, abs=0.1)
    assert second.front == second.back
    assert first.front > second.front
    assert track.says == "Race to 50: Ana 34, Ben 22"
    assert [points for _, points in track.labels] == [10, 20, 30, 40, 50]


def test_who_is_past_the_end_or_before_the_beginning_stays_on_the_track():
    track = pegs(TWO, (156, -12), (150, -4), 100)

    assert track.lanes[0].front == track.right
    assert track.lanes[1].front == track.lanes[1].back == MARGIN


def test_a_long_race_has_a_hole_for_several_points():
    track = pegs(TWO, (450, 10000), (450, 0), 10000)

    assert track.hole == (track.right - MARGIN) / 50
    assert all(0 < x < track.width for x, _ in track.labels)


def test_without_an_end_the_track_goes_a_little_beyond_the_best():
    track = pegs(TWO, (21, 19), (0, 2), None)

    assert not track.home
    assert track.labels[-1][1] == 25
    assert pegs(TWO, (0, 0), (0, 0), None) is None


def test_so_many_players_have_a_table_and_no_track():
    assert pegs([f"P{at}" for at in range(11)], [1] * 11, [0] * 11, 50) is None
