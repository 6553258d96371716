"""Players' statistics on the page, in the JSON interface and in the terminal."""

import json
import re

import pytest

from scorer.messages import _, translated
from tests.webui.api.test_openapi import answered
from webui import cli
from webui.match import match as matches
from webui.store.database_url import database_url
from webui.store.log import Store

TWELVE = [{"move": "Roll", "pips": 6}, {"move": "Roll", "pips": 6}, {"move": "Hold"}]


@pytest.fixture
def played(client, new_match):
    """Two matches that are over and one that is not, opened by the phone."""
    for target, names in ((12, ["Ada", "Ben"]), (12, ["Ben", "Ada & Co"]), (50, ["Ada", "Cyd"])):
        made = new_match(game="pig", names=names, settings={"target": target}, opening=TWELVE)
        client.get(f"/m/{made['id']}")


def texts(page):
    return [
        " ".join(re.sub("<[^>]+>", " ", row).split()) for row in re.findall("<tr>.*?</tr>", page)
    ]


def test_the_page_leads_from_all_players_to_one(client, played):
    assert 'href="/players"' in client.get("/").text
    page = client.get("/players").text
    rows = texts(page)

    assert {"Ada 1 1 0 0 1", "Ben 2 1 0 1 0", "Cyd 0 0 0 0 1"} <= {*rows}
    assert "Pig 12 · Ada, Ben 12 · Ada, Ben" in rows
    (ben,) = re.findall(r'href="(/players\?name=Ben)"', page)
    page = client.get(ben).text
    assert "<h1>Ben</h1>" in page
    assert {"Ada 1 0 1", "Ada &amp; Co 1 1 0"} <= {*texts(page)}
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
    store.close()

    assert cli.main(["stats", "--database", str(file)]) == 0
    said = capsys.readouterr().out
    assert re.search(r"Ada +1 +1 +0 +0 +0\n", said)
    assert "Pig: most points 12 (Ada)," in said
    assert "dice: 1 × 0, 2 × 0, 3 × 0, 4 × 0, 5 × 0, 6 × 2" in said
    assert cli.main(["stats", "ada", "--json", "--database", str(file)]) == 0
    assert json.loads(capsys.readouterr().out)["players"][0]["games"][0]["best"] == 12
    assert cli.main(["stats", "ben", "--database", str(file)]) == 0
    assert re.search(r"against Ada +1 +0 +1\n", capsys.readouterr().out)
    assert cli.main(["stats", "Zed", "--database", str(file)]) == 1
    assert "Nobody called Zed" in capsys.readouterr().err
