"""A free sheet has the name of its game: on every page, in exports, and in statistics."""

import csv
import json
import re
from html import unescape

import pytest

from scorer.games import GAMES
from tests.matches import plain, play_of_bg_stats
from webui import cli
from webui.match import match as matches
from webui.store.database_url import database_url
from webui.store.log import Store

GERMAN = {"Accept-Language": "de"}
SHEET = GAMES["sum"].title


def sheet(client, name, ada=7, ben=-3):
    """Start a sheet on the start page, play its only round, and return the address."""
    sent = {"game": "sum", "name": ["Ada", "Ben"], "set.rounds": "1", "typed.name": name}
    page = client.post("/start", data=sent).location
    moves = [{"move": "Enter", "seat": seat, "points": n} for seat, n in enumerate((ada, ben))]
    client.post(f"/api/matches/{page.split('/')[-1]}/moves", json={"after": 0, "moves": moves})
    return page


def test_every_page_of_the_match_says_the_name(client):
    match = sheet(client, " Skyjo ")
    (shown,) = client.get("/api/matches").json["matches"]
    view = client.get(f"/api{match.replace('/m/', '/matches/')}").json
    pages = [client.get(one) for one in (match, f"{match}/share", f"{match}/delete", "/matches")]

    assert "<title>Ada, Ben: Skyjo · Pipsight</title>" in pages[0].text
    assert '<div class="title"><p><b>Skyjo</b>' in pages[0].text
    assert all("Skyjo" in page.text for page in pages)
    assert SHEET not in plain("".join(page.text.split("<main")[-1] for page in pages[:3]))
    assert shown["game"] == view["game"] == {"name": "sum", "title": "Skyjo"}
    screen = client.get(client.get(f"{match}/board").location).text
    assert "<title>Ada, Ben: Skyjo · Pipsight</title>" in screen
    assert "<h1>Skyjo</h1>" in screen


def test_a_name_is_not_translated_and_no_name_is_as_before(client):
    named, unnamed = sheet(client, "Points"), sheet(client, "")

    assert "<b>Points</b>" in client.get(named, headers=GERMAN).text
    assert f"<b>{SHEET}</b>" in unescape(client.get(unnamed).text)
    assert "The name of the game" not in client.get(unnamed).text


def test_what_is_handed_on_has_the_name(client):
    match = sheet(client, "Skyjo")
    whole = client.get(f"{match}/match.json").json
    page = client.get(f"{match}/share").text
    _, play = play_of_bg_stats(client, match)

    assert client.get(f"{match}/play.txt").text.startswith("Skyjo: Ada, Ben\n")
    assert (whole["game"], whole["title"]) == ("sum", "Skyjo")
    assert play["game"]["name"] == "Skyjo"
    assert play["game"]["sourceGameId"] == "sum Skyjo"
    assert '"game": "Skyjo"' in unescape(page)
    assert client.get(f"{sheet(client, '')}/match.json").json["title"] == SHEET
    heads, *steps = csv.reader(client.get(f"{match}/steps.csv").text.splitlines())
    assert {step[heads.index("game")] for step in steps} == {"Skyjo"}
    stream = client.get(f"{match.replace('/m/', '/api/matches/')}/events?after=0").text
    (event,) = [json.loads(line[6:]) for line in stream.splitlines() if line.startswith("data: ")]
    assert (event["game"], event["title"]) == ("sum", "Skyjo")


def test_statistics_keep_games_apart_by_their_names(client):
    sheet(client, "skyjo", 40, 20)
    sheet(client, "Skyjo", 60, 20)
    sheet(client, "Rummy", 500, 20)
    sheet(client, "", 9, 1)

    pages = "".join(client.get(f"/players{query}").text for query in ("", "?name=Ada"))
    rows = [plain(row) for row in re.findall("<tr>.*?</tr>", pages)]

    assert {"Skyjo 60 · Ada 60 · Ada", "Rummy 500 · Ada 500 · Ada"} <= {*rows}
    assert f"{SHEET} 9 · Ada 9 · Ada" in rows
    assert [row for row in rows if re.fullmatch("Skyjo .*: 1 2 2 50.0 60", row)]
    assert not [row for row in rows if "The name of the game" in row]


def test_past_matches_and_statistics_are_searched_by_the_name(client, app):
    for name in ("Skyjo", "SKYJO", "Rummy", ""):
        client.get(sheet(client, name))
    lists = [client.get(f"/{page}").text for page in ("matches", "players")]
    found = client.get("/api/matches?game=skyjo").json["matches"]
    page = client.get("/matches?game=Skyjo").text

    assert all("<option>Rummy</option>" in shown for shown in lists)
    assert all(len(re.findall("<option>skyjo</option>", shown, re.I)) == 1 for shown in lists)
    assert {one["game"]["title"] for one in found} == {"Skyjo", "SKYJO"}
    assert 'class="row match"' in page
    assert "Rummy" not in page.split("</form>")[1]
    assert client.get("/api/players?game=skyjo").json["players"][0]["played"] == 2
    assert len(client.get(f"/api/matches?game={SHEET}").json["matches"]) == 4
    stranger = app.test_client()
    assert "Rummy" not in stranger.get("/matches").text
    assert stranger.get("/api/matches?game=Rummy").status_code == 400


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("x" * 31, "the name of a game has at most 30 letters"),
        ("Sky\u202ejo", "the name of a game contains a character that cannot be shown"),
        ("true", "the name of a game is a text"),
    ],
)
def test_what_is_no_name_is_refused_in_a_sentence(client, name, says):
    sent = {"game": "sum", "name": ["Ada", "Ben"], "typed.name": name}
    answer = client.post("/start", data=sent)

    assert answer.status_code == 400
    assert says in plain(answer.text)
    assert f'value="{name}"' in answer.text
    german = plain(client.post("/start", data=sent, headers=GERMAN).text)
    assert "Name eines Spiels" in german


@pytest.mark.parametrize("name", ["66", "Phase 10", "Uno, double"])
def test_a_name_may_be_a_number_or_have_a_comma(client, name):
    assert f"<b>{name}</b>" in client.get(sheet(client, name)).text


@pytest.fixture
def database(tmp_path):
    return str(tmp_path / "matches.db")


def test_the_terminal_says_the_name_lists_it_and_counts_by_it(database, monkeypatch, capsys):
    typed = iter(["Ada 40", "Ben 20", "quit"])
    monkeypatch.setattr("builtins.input", lambda *_: next(typed))
    house = ("--set", "name=Skyjo", "--set", "rounds=1")
    cli.main(["play", "sum", "Ada", "Ben", *house, "--database", database])
    assert capsys.readouterr().out.startswith("Skyjo. Type help for help.")

    cli.main(["matches", "--database", database])
    assert "sum: Skyjo" in capsys.readouterr().out
    cli.main(["matches", "--database", database, "--game", "skyjo"])
    assert "sum: Skyjo" in capsys.readouterr().out
    cli.main(["stats", "--database", database, "--game", "Skyjo"])
    assert "Skyjo: most points 40 (Ada)," in capsys.readouterr().out
    cli.main(["matches", "--database", database, "--as", "csv"])
    assert capsys.readouterr().out.splitlines()[1].endswith(",yes,Skyjo")
    cli.main(["stats", "--database", database])
    assert "Skyjo: most points 40 (Ada)," in capsys.readouterr().out
    cli.main(["stats", "Ada", "--database", database])
    assert re.search(r"^Skyjo \(rounds=1\) +1 ", capsys.readouterr().out, re.MULTILINE)


def test_a_match_from_before_games_had_names_opens_unchanged(database, tmp_path):
    store = Store(database_url(database), tmp_path / "photos")
    row = store.create("sum", GAMES["sum"].version, {"rounds": 2}, ["Ada", "Ben"], [])
    match = matches.load(store, row.id)
    store.close()

    assert (match.closed, match.title) == (None, SHEET)
