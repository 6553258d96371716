"""The big screen, overlays and webhooks, and what a match is handed on as."""

import csv
import json
import re
from datetime import timedelta
from html import unescape

import pytest

from scorer import dump_move
from scorer.games import GAMES
from tests.conftest import AGREE, board_moves, send_photo
from tests.grids import every_value
from tests.matches import TWELVE, play, play_of_bg_stats
from webui.http.qr import svg, wifi_svg
from webui.match import match as matches
from webui.pages import table_screen
from webui.settings import ServerSettings, Wifi


@pytest.fixture
def screen(services, match):
    return str(services.store.match(match["id"]).screen)


def test_the_page_of_a_match_and_its_address_lead_to_its_big_screen(client, match, screen):
    page = client.get(f"/m/{match['id']}").text
    (led,) = re.findall(r'href="(/m/\w+/board\?join=\w+)"', page)
    page = client.get(led).text

    assert f'{match["code"][:6]}<wbr><span class="second">{match["code"][6:]}<' in page
    assert match["names"][0] in page
    assert "<button" not in page
    assert "<a " not in page
    assert client.get(f"/m/{match['id']}/board").location.startswith(f"/m/{screen}/board?join=")
    assert client.get(f"/m/{match['id']}/board?plain").location == f"/m/{screen}/board?plain="


@every_value(
    query=["", "?plain", "?plain&join={code}", "?join=WWWWWW", "?join="], part=["", "/tally"]
)
def test_without_the_code_nothing_on_it_leads_to_the_match(
    client, match, screen, eyes, part, query
):
    eyes.show()
    read = send_photo(client, match["id"]).json
    moves = {"after": 1, "moves": board_moves(), "sighting": read["sighting"]}
    client.post(f"/api/matches/{match['id']}/moves", json=moves)

    answer = client.get(f"/m/{screen}/board{part}{query.format(code=match['code'])}")

    assert answer.status_code == 200
    assert match["names"][0] in answer.text
    text = unescape(answer.text)
    assert match["id"] not in text
    assert match["code"][:6] not in text
    photos = re.findall(rf'href="(/m/{screen}/board/\w+\.jpg)"', text)
    assert [client.get(one).mimetype for one in photos] == ["image/jpeg"] * len(photos)
    assert bool(photos) == ("plain" not in query)


def test_with_the_address_of_a_screen_nothing_else_is_answered(app, client, screen):
    """Every other address of a match, read or written, says that there is no such match."""
    answered = {"screen.board", "screen.tally"}
    parts = {"seq": 1, "stem": "board", "code": "WWWWWW"}
    for rule in app.url_map.iter_rules():
        if not {"match_id", "screen"} & rule.arguments:
            continue
        given = {name: parts.get(name, "0") for name in rule.arguments} | (rule.defaults or {})
        given |= dict.fromkeys({"match_id", "screen"} & rule.arguments, screen)
        with app.test_request_context():
            path = app.url_map.bind("localhost").build(rule.endpoint, given)
        for method in {"GET", "POST"} & rule.methods:
            sent = {"json": {}} if path.startswith("/api/") else {"data": {}}
            status = client.open(path, method=method, **(sent if method == "POST" else {}))
            expected = {200} if rule.endpoint in answered else {404, 400, 415, 422}
            assert status.status_code in expected, (method, path, status.text[:200])
            assert rule.endpoint in answered or status.status_code == 404 or method == "POST"
    assert client.get(f"/api/matches/{screen}").status_code == 404


def test_a_wrong_code_is_limited_as_one_that_is_typed(client, match, screen):
    tries = [client.get(f"/m/{screen}/board?join=WWWW{i:02}").status_code for i in range(31)]
    assert tries[0] == 200
    assert tries[-1] == 429
    codes = (match["code"], match["code"][:6], "WWW")
    kept = [client.get(f"/m/{screen}/board/tally?join={code}") for code in codes]
    assert [one.status_code for one in kept] == [200, 429, 429]


def test_a_screen_goes_on_with_the_players_once_the_match_is_over(client, services, new_match):
    made = new_match(game="pig", opening=TWELVE, settings={"target": 10})
    shown = services.store.match(made["id"])
    assert "data-next" not in client.get(f"/m/{shown.screen}/board/tally").text
    fresh = '<noscript><meta http-equiv="refresh" content="10"></noscript>'
    assert fresh in client.get(f"/m/{shown.screen}/board").text.partition("</head>")[0]

    client.post(f"/m/{made['id']}/again")

    following = services.store.match(services.store.rematch(made["id"]))
    with_code = f"?join={shown.whole_code}", f"?join={following.whole_code}"
    for query, asked in (with_code, ("?plain", "?plain="), ("", "")):
        page = unescape(client.get(f"/m/{shown.screen}/board/tally{query}").text)
        assert f'data-next="/m/{following.screen}/board{asked}"' in page
        whole = unescape(client.get(f"/m/{shown.screen}/board{query}").text)
        assert (
            f'<noscript><meta http-equiv="refresh" content="10;url=/m/{following.screen}' in whole
        )
        assert following.id not in page


def test_a_screen_of_a_tournament_says_who_sits_out(client, new_match, services):
    made = new_match(names=["Ada", "Ben", "Cem"], opening=[])
    shown = services.store.match(made["id"]).screen

    page = client.get(f"/m/{shown}/board").text

    (out,) = {*"012"} - {str(seat) for seat in made["to_move"]}
    assert f"{made['names'][int(out)]} sits out" in page


def test_a_screen_says_what_colours_stand_for_as_the_page_does(client, new_match, match, screen):
    strip = client.get(f"/m/{new_match(opening=[{**AGREE, 'black': 1}])['id']}").text
    assert re.findall(r'class="means">.*?(odd|even)</span>', strip) == ["even", "odd"]
    for page in (f"/m/{match['id']}", f"/m/{screen}/board"):
        text = client.get(page).text
        assert ("odd" in text, "black dice" in text) == (True, False), page


def test_all_tables_of_a_tournament_are_shown_at_once(client, services, new_match):
    names = [f"Player number {seat}" for seat in range(1, 65)]
    made = new_match(names=names, opening=[])

    page = client.get(f"/m/{services.store.match(made['id']).screen}/board").text

    assert page.count('class="card table"') == 32
    assert all(f">{name}<" in page for name in names)


def test_the_points_of_each_game_that_runs_at_a_table_are_shown(client, services, new_match):
    four = {"names": ["Ana", "Ben", "Cy", "Di"], "settings": {"match": "tournament"}}
    agreed = [{"move": "Agree", "starter": 0, "table": table} for table in (0, 1)]
    rolls = [{"move": "Roll", "low": 2 - one, "high": 4 - one, "table": 1} for one in (0, 1)]
    made = new_match(game="beat_the_odds", opening=[*agreed, *rolls], **four)

    page = client.get(f"/m/{services.store.match(made['id']).screen}/board").text

    _first, second = page.split('class="card table"')[1:]
    assert re.findall(r'class="points soft">(\d+)<', second) == ["6", "0"]


def test_a_round_that_is_played_again_is_shown_at_its_own_table(client, services, new_match):
    """The level round was shown as a table of its own, and the numbers of all others were wrong."""
    level = board_moves(("b2", "w2", "b2", "w2", "b1", "w2", "b2", "w2", "b2"))
    agreed = [AGREE, {**AGREE, "starter": 2, "black": 2, "table": 1}]
    made = new_match(names=["Ana", "Ben", "Cy", "Di"], opening=[*agreed, *level])

    page = client.get(f"/m/{services.store.match(made['id']).screen}/board").text

    first, second = page.split('class="card table"')[1:]
    assert (">Table 1<" in first, ">Ana<" in first, "a replay" in first) == (True, True, True)
    assert (">Table 2<" in second, ">Cy<" in second) == (True, True)


@every_value(name=[*GAMES], seats=range(2, 7))
def test_every_game_has_a_big_screen(client, services, new_match, name, seats):
    game = GAMES[name]
    if seats not in game.seats:
        return
    state = game.start(seats, {})
    first = dump_move(next(iter(game.legal_moves(state))))
    made = new_match(game=name, names=[f"P{seat}" for seat in range(seats)], opening=[first])

    page = client.get(f"/m/{services.store.match(made['id']).screen}/board").text

    assert all(f">P{seat}<" in page for seat in range(seats))


ELSEWHERE = {"REMOTE_ADDR": "192.168.1.7"}


def test_the_screen_of_the_table_shows_how_to_come_here_then_the_match_played_last(
    client, services, new_match
):
    services.settings = ServerSettings(wifi=Wifi('Café; "Ü"', "p:w,1"))
    welcome = client.get("/screen").text
    assert unescape(welcome).count("<b>Café; ") == 1
    assert wifi_svg('Café; "Ü"', "p:w,1") in welcome
    assert svg("http://localhost/") in welcome

    first = new_match(names=["Ada", "Ben"])
    new_match(names=["Cyd", "Dan"])
    client.post(f"/api/matches/{first['id']}/moves", json={"after": 1, "moves": board_moves()[:1]})
    shown = client.get("/screen").text
    assert "Ada" in shown
    assert f"join={first['code']}" in shown


def test_elsewhere_it_shows_no_match_and_from_outside_no_wi_fi(client, services, match):
    services.settings = ServerSettings(wifi=Wifi("Home", "secret"))

    assert "Ada" not in client.get("/screen", environ_base=ELSEWHERE).text
    assert "secret" in client.get("/screen", environ_base=ELSEWHERE).text
    assert "secret" not in client.get("/screen", headers={"X-Forwarded-For": "203.0.113.7"}).text
    assert match["id"] not in client.get("/screen", headers={"Via": "1.1 proxy"}).text


def test_hours_after_the_last_step_the_evening_is_over(client, match, monkeypatch):
    monkeypatch.setattr(table_screen, "LATELY", timedelta(0))

    assert match["names"][0] not in client.get("/screen").text


def test_a_wi_fi_is_written_as_phones_read_it():
    assert wifi_svg('a;b"c', "d,e:f") == svg(r"WIFI:T:WPA;S:a\;b\"c;P:d,e\:f;;")
    assert wifi_svg("open", "") == svg("WIFI:T:nopass;S:open;;")


@pytest.fixture
def press(client, match):
    def send(do, **form):
        return client.post(f"/m/{match['id']}/followers", data={"do": do, **form})

    return send


def test_an_overlay_is_made_shown_once_and_removed(client, match, press):
    made = press("view", name="Evening <stream>")
    (overlay,) = re.findall(r"http://localhost(/m/\w+/board\?plain)<", made.text)

    assert "Ada" in client.get(overlay).text
    assert "Evening &lt;stream&gt;" in made.text
    page = client.get(f"/m/{match['id']}/followers").text
    assert overlay not in page
    press("revoke 1")
    assert client.get(overlay).status_code == 404


def test_a_webhook_is_added_tried_and_removed(client, match, press):
    made = press("hook", url=" http://127.0.0.1:9/hook ", name="Half a na")
    assert "whsec_" in made.text
    assert 'value="Half a na"' in made.text
    assert 'name="url" value=""' in made.text

    tried = press("test 1", name="Half a na")

    assert "127.0.0.1 is in a private network" in tried.text
    assert 'value="Half a na"' in tried.text  # one button clears no other field
    page = client.get(f"/m/{match['id']}/followers").text
    assert "http://127.0.0.1:9/hook" in page
    assert "whsec_" not in page
    assert "127.0.0.1:9" not in press("unhook 1").text


@pytest.mark.parametrize(
    ("do", "status"), [("hook", 400), ("test 7", 404), ("revoke", 404), ("fly", 400)]
)
def test_what_cannot_be_done_says_why(press, do, status):
    refused = press(do, url="x")

    assert refused.status_code == status
    assert 'role="alert"' in refused.text
    assert 'value="x"' in refused.text  # what was typed stays


def test_the_page_is_the_hosts_alone(hosted, client):
    (match_id, host), guest = hosted, client
    path = f"/m/{match_id}"

    assert guest.get(f"{path}/followers").status_code == 403
    assert "/followers" not in guest.get(f"{path}/phones").text
    assert "/followers" in host.get(f"{path}/phones").text


@pytest.fixture
def over(client, new_match):
    """A match of Pig to 10 that Ben, who moved second, has won."""
    made = new_match(game="pig", opening=[], settings={"target": 10})
    rolls = [{"move": "Roll", "pips": pips} for pips in (1, 6, 5)]
    play(client, made["id"], *rolls, {"move": "Hold"})
    return made


def test_a_match_is_told_in_words_as_a_table_and_as_json(client, over):
    page = f"/m/{over['id']}"
    text = client.get(f"{page}/play.txt").text
    rows = [*csv.reader(client.get(f"{page}/steps.csv").text.splitlines())]
    whole = json.loads(client.get(f"{page}/match.json").text)

    assert text.startswith("Pig: Ada, Ben\n")
    assert "Ben rolls 6. 0 : " in text
    german = client.get(f"{page}/play.txt", headers={"Accept-Language": "de"}).text
    assert "Ben würfelt 6. 0 : " in german
    assert "Ben" in text.splitlines()[-1]
    assert rows[0][-2:] == ["Ada", "Ben"]
    assert len(rows) == 1 + len(whole["steps"]) == 5
    assert whole["result"]["winners"] == [1]


def test_a_match_to_read_has_the_points_that_the_page_shows(client, new_match):
    made = new_match(game="dice_wide_shut", opening=[{"move": "Starter", "seat": 0}])

    assert "Ada starts. 0 : 0\n" in client.get(f"/m/{made['id']}/play.txt").text


def test_a_play_of_a_game_alone_says_that_the_fewest_points_win(client, services):
    ended = [{"move": "Draw", "tiles": [[1, 2], [1, 3], [1, 4]]}, {"move": "EndMatch"}]
    made = matches.create(services.store, "even_at_odds", ["Ana"], {}, ended)

    assert not play_of_bg_stats(client, f"/m/{made.row.id}")[1]["game"]["highestWins"]


def test_a_finished_match_is_a_play_of_bg_stats_without_the_right_to_play(client, over):
    address, shared = play_of_bg_stats(client, f"/m/{over['id']}")

    assert over["id"] not in address
    game = {"name": "Pig", "sourceGameId": "pig", "highestWins": True, "noPoints": False}
    assert shared["game"] == game
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", shared["playDate"])
    assert [
        (one["name"], one["score"], one["winner"], one["startPlayer"]) for one in shared["players"]
    ] == [("Ada", "0", False, True), ("Ben", "11", True, False)]


def test_a_play_names_who_began_how_long_it_took_and_its_entry(client, new_match):
    made = new_match(game="even_at_odds", opening=[{"move": "Agree", "starter": 1, "evens": 0}])
    ended = {"after": 1, "moves": [{"move": "Concede", "seat": 0}]}
    client.post(f"/api/matches/{made['id']}/moves", json={**ended, "by": 0})

    address, shared = play_of_bg_stats(client, f"/m/{made['id']}")

    assert "+" not in address
    assert "Even%20at%20Odds" in address
    assert shared["game"]["bggId"] == 458452
    assert shared["durationMin"] == 1
    assert [one["startPlayer"] for one in shared["players"]] == [False, True]


def test_nobody_is_named_as_starting_where_no_move_tells_it(client, new_match):
    made = new_match(game="sum", opening=[], settings={"rounds": 1})
    entered = [{"move": "Enter", "seat": seat, "points": 1_000_000 - seat} for seat in (1, 0)]
    play(client, made["id"], *entered)

    _, shared = play_of_bg_stats(client, f"/m/{made['id']}")

    assert [one["score"] for one in shared["players"]] == ["1000000", "999999"]
    assert not any("startPlayer" in one for one in shared["players"])


def test_a_match_that_goes_on_is_no_play_yet(client, match):
    page = client.get(f"/m/{match['id']}/share").text

    assert "bgstatsapp" not in page
    assert "A picture of the score" in page
