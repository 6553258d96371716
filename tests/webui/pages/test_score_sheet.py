"""A free score sheet, the chart of the score, the peg track, and players' statistics."""

import json
import re

import pytest

from scorer.games import GAMES
from scorer.messages import _, translated
from tests.grids import few, without
from tests.matches import TWELVE, moves_by_chance, plain, play, play_of_bg_stats
from tests.webui.api.test_openapi import answered
from webui import cli
from webui.match import match as matches
from webui.pages.drawings.chart import chart, reading
from webui.pages.drawings.pegs import MARGIN, pegs
from webui.store.database_url import database_url
from webui.store.log import Store

TWO = ("Ana", "Ben")


@pytest.fixture
def sheet(client, new_match):
    """Enter numbers on a sheet of two on which the fewest points win; return its address."""
    entered = ((0, 12), (1, 7), (1, 4))
    moves = [{"move": "Enter", "seat": seat, "points": points} for seat, points in entered]
    made = new_match(game="sum", opening=moves, settings={"wins": "fewest", "target": 30})
    return f"/m/{made['id']}"


def test_who_has_not_entered_has_a_dash_in_the_round(client, sheet):
    html = client.get(sheet).text
    page = plain(html)

    assert all(f'id="face-{pips}"' in html for pips in range(13))  # halves of a double twelve
    assert "Round 2 – 12 +4 11 Round 1 +12 12 +7 7" in page
    assert "3 numbers entered" in page
    assert "Points of Ada: a number from −1000000 to 1000000." in client.get(f"{sheet}/may").text


def test_who_comes_late_begins_with_the_number_that_is_said(client, sheet):
    assert "Somebody who comes now begins with 12 points." in client.get(f"{sheet}/players").text
    sent = {"after": "1", "do": "join", "name": "Cleo"}

    client.post(f"{sheet}/players", data=sent)

    assert "Cleo came late Cleo 12" in plain(client.get(f"{sheet}/rounds").text)
    page = plain(client.get(sheet).text)
    assert "Ada enters the points of round 2." in page


def test_bg_stats_is_sent_which_way_the_points_count(client, sheet):
    play(client, sheet.removeprefix("/m/"), {"move": "Enter", "seat": 0, "points": 18})

    _, shared = play_of_bg_stats(client, sheet)

    assert shared["game"]["highestWins"] is False
    results = [(one["score"], one["winner"]) for one in shared["players"]]
    assert results == [("30", False), ("11", True)]


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
        ([(0, 0), (5, 3), (-6, 3)], "Ben has led since −6 : 3. The lead has changed once."),
        ([(0, 0), (5, 3), (5, 5)], "Level at the top: Ana, Ben."),
        ([(0,), (5,), (9,)], ""),
    ],
)
def test_the_chart_is_read_in_a_sentence(scores, says):
    assert reading(["Ana", "Ben"][: len(scores[0])], scores) == says


def test_where_the_fewest_points_win_they_lead():
    assert reading(TWO, [(0, 0), (5, 3)], lowest=True) == "Ben has led from the first points on."


def test_nobody_is_said_to_have_led_before_who_led_gave_up():
    scores = [(0, 0), (0, 20), (5, 20)]
    assert reading(TWO, scores, can_win=[0]) == ""
    assert reading(TWO, [*scores, (25, 20)], can_win=[0]).startswith("Ana has led since 25 : 20.")


def test_names_of_a_crowd_stay_beside_the_chart_in_the_order_of_their_lines():
    names = [f"P{at}" for at in range(12)]

    drawn = chart(names, [[0] * 12, [3] * 12, [100, *range(11)]], None)

    labels = [race.label_y for race in drawn.races]
    assert labels[0] == 14.0  # where its line ends
    assert labels[1:] == sorted(labels[1:], reverse=True)
    assert max(labels) <= 176


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


def test_without_an_end_the_track_goes_a_little_beyond_the_best_of_few_players():
    track = pegs(TWO, (21, 19), (0, 2), None)

    assert not track.home
    assert track.labels[-1][1] == 25
    assert pegs(TWO, (0, 0), (0, 0), None) is None
    assert pegs([f"P{at}" for at in range(11)], [1] * 11, [0] * 11, 50) is None


@pytest.fixture
def played(client, new_match):
    """Two matches that are over and one that is not, opened by the phone."""
    for target, names in ((12, ["Ada", "Ben"]), (12, ["Ben", "Ada & Co"]), (50, ["Ada", "Cyd"])):
        made = new_match(game="pig", names=names, settings={"target": target}, opening=TWELVE)
        client.get(f"/m/{made['id']}")


def texts(page):
    return [plain(row) for row in re.findall("<tr>.*?</tr>", page)]


def test_the_page_leads_from_all_players_to_one(client, played):
    assert 'href="/players"' in client.get("/").text
    page = client.get("/players").text
    rows = texts(page)

    assert {"Ada 1 1 0 0 1", "Ben 2 1 0 1 0", "Cyd 0 0 0 0 1"} <= {*rows}
    assert "Pig 12 · Ada, Ben 12 · Ada, Ben" in rows
    (ben,) = re.findall(r'href="(/players\?name=Ben)"', page)
    page = client.get(ben).text
    assert "<h1>Ben</h1>" in page
    assert {"Ada 1 0 1", "Ada & Co 1 1 0"} <= {*texts(page)}
    assert any(re.fullmatch("Pig .*: 12 2 1 6.0 12", row) for row in texts(page))


def test_dice_are_drawn_with_their_counts_for_eyes_and_ears(client, played):
    page = client.get("/players").text

    assert re.search(r'role="img" aria-label="Dice\. [^"]*6: 6\. Expected: 1\.0 each\."', page)
    assert len(re.findall('<rect class="bar"', page)) == 6
    assert "So few rolls say nothing about the dice." in page


def test_fractions_are_written_with_the_sign_of_the_language(client, played):
    german = {"Accept-Language": "de"}

    assert "Erwartet: je 1,0." in (page := client.get("/players", headers=german).text)
    assert not re.search(r"\d\.\d", re.sub("<[^>]+>", "", page))
    assert ">6,0</td>" in client.get("/players?name=Ben", headers=german).text
    chance = _("{percent:.1f} %", percent=3.25)
    assert [translated(chance, one) for one in ("en", "de")] == ["3.2 %", "3,2 %"]


def test_another_phone_counts_nothing_of_it(app, played):
    stranger = app.test_client()

    assert "Nobody has played here yet." in stranger.get("/players").text
    assert stranger.get("/api/players").json["players"] == []
    assert stranger.get("/players?name=Ada").status_code == 404


@pytest.mark.parametrize(
    ("sought", "status", "sentence"),
    [
        ("name=Zed", 404, "Nobody called Zed has played here. Choose one of the players."),
        ("name=%20", 404, "Nobody called   has played here. Choose one of the players."),
        ("game=chess", 400, "There is no game"),
        ("since=yesterday", 400, "is no date"),
    ],
)
def test_what_nobody_can_count_is_said_in_a_sentence(client, played, sought, status, sentence):
    page, answer = client.get(f"/players?{sought}"), client.get(f"/api/players?{sought}")

    assert page.status_code == answer.status_code == status
    assert sentence in page.text
    assert sentence in answer.json["error"]["sentence"]


def test_the_json_interface_answers_as_it_is_described(client, played):
    every = answered(client, "get", "/api/players")
    ben = answered(client, "get", "/api/players", query_string={"name": "ben", "game": "pig"})

    assert [player["name"] for player in every["players"]] == ["Ben", "Ada", "Ada & Co", "Cyd"]
    assert [player["name"] for player in ben["players"]] == ["Ben"]
    assert every["dice"][0]["rolls"] == 6
    assert every["left"] == 0


def test_matches_that_are_left_are_said_and_added_up_on_demand(client, played, monkeypatch):
    monkeypatch.setattr("webui.match.statistics.sums.AT_ONCE", 2)

    first, second = client.get("/players").text, client.get("/players").text

    assert "1 match is not added up yet." in first
    assert "not added up yet" not in second


def test_the_command_counts_all_matches_of_a_database(tmp_path, capsys):
    file = tmp_path / "ours.sqlite"
    assert cli.main(["stats", "--database", str(file)]) == 1
    assert "There are no matches at" in capsys.readouterr().err
    store = Store(database_url(str(file)), tmp_path / "photos")
    matches.create(store, "pig", ["Ada", "Ben"], {"target": 12}, TWELVE)
    ones = {"dice": [{"value": 1, "colour": "white"}] * 5}
    against = {"move": "PlayOn", "table": ones, "rule": "FK-2", "confirmed": 0}
    matches.create(store, "farkle", ["Cyd", "Dan"], {}, [against])
    store.close()

    assert cli.main(["stats", "--database", str(file)]) == 0
    said = capsys.readouterr().out
    assert "1 match was not all by the rules; to leave it out: --by-rules\n" in said
    assert re.search(r"Ada +1 +1 +0 +0 +0\n", said)
    assert "Pig: most points 12 (Ada)," in said
    assert "So few rolls say nothing about the dice.\n" in said
    assert "dice: 1 × 0, 2 × 0, 3 × 0, 4 × 0, 5 × 0, 6 × 2" in said
    assert cli.main(["stats", "ada", "--json", "--database", str(file)]) == 0
    assert json.loads(capsys.readouterr().out)["players"][0]["games"][0]["best"] == 12
    assert cli.main(["stats", "ben", "--database", str(file)]) == 0
    assert re.search(r"against Ada +1 +0 +1\n", capsys.readouterr().out)
    assert cli.main(["stats", "Zed", "--database", str(file)]) == 1
    assert "Nobody called Zed" in capsys.readouterr().err
