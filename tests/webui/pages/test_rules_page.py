"""The page of a game's rules: every rule that is named anywhere has its place on it."""

import json
import re

import pytest

from scorer.games import GAMES
from scorer.rulebook import common, rules_of
from tests import ROOT
from tests.conftest import AGREE, board_moves
from webui.pages.rules.rule_pictures import PICTURES, worked

QUOTED = re.compile(r'"([A-Z]{2,3}-A?\d+[a-z]?)"')
TAG = re.compile(r'<a class="rule" href="([^"#]+)#([A-Z]+-A?\d+[a-z]?)" target="_blank"')


def cited(name):
    """Return the ids of rules that a game's own files name, or those of all games."""
    rooms = f"games/{name}.py", f"games/{name}/**/*.py", "match/*.py"
    files = [file for room in rooms for file in (ROOT / "scorer").glob(room)]
    return {rule for file in files for rule in QUOTED.findall(file.read_text("utf-8"))}


def anchors(page):
    return set(re.findall(r'id="([A-Z]+-A?\d+[a-z]?)"', page))


@pytest.mark.parametrize("name", GAMES)
def test_every_rule_that_a_game_can_name_has_its_place_on_the_page_of_its_rules(client, name):
    named = cited(name) | {setting.rule for setting in GAMES[name].settings}

    assert len(named) > 10
    assert named <= anchors(client.get(f"/rules/{name}").text)


@pytest.mark.parametrize("name", GAMES)
def test_a_page_of_rules_lists_each_rule_of_its_game_in_its_contents(client, name):
    page = client.get(f"/rules/{name}").text

    for rule in rules_of(GAMES[name]):
        assert rule.open or f'<a href="#{rule.name}">{rule.title}</a>' in page
        assert str(rule.text).split(":")[0].split("'")[0] in page


@pytest.mark.parametrize("name", GAMES)
def test_each_setting_is_listed_with_the_one_value_that_stands(client, name):
    page = client.get(f"/rules/{name}").text
    lists = re.findall(r'<dl class="agree small">(.*?)</dl>', page, re.DOTALL)
    settings = [part for one in lists for part in one.split("<dt")[1:]]

    assert len(settings) == len(GAMES[name].settings)
    for setting in settings:
        assert len(re.findall(r"<dd><b>✓ [^<]+</b></dd>", setting)) == 1, setting


def test_a_rule_by_itself_is_that_rule_alone_with_what_was_agreed_on(client, new_match):
    match = new_match(settings={"race_tie": "draw"})["id"]

    part = client.get(f"/m/{match}/rules/PH-A3").text

    assert anchors(part) == {"PH-A3"}
    assert "✓ It is a draw" in part
    assert "Play another round" not in part  # nobody chose that here


def test_the_reasons_of_a_score_lead_to_their_rules(client, new_match):
    match = new_match(opening=[AGREE, *board_moves()])
    page = client.get(f"/m/{match['id']}").text

    links = set(TAG.findall(page))

    assert links == {(f"/m/{match['id']}/rules", "PH-5")}
    assert "PH-5" in anchors(client.get(f"/m/{match['id']}/rules").text)


def test_a_refused_move_leads_to_the_rule_that_forbids_it(client, new_match):
    match = new_match(opening=[AGREE])
    sent = {"move": json.dumps(AGREE), "after": match["seq"]}

    page = client.post(f"/m/{match['id']}/move", data=sent)

    assert page.status_code == 422
    assert TAG.search(page.text)


@pytest.mark.parametrize("name", [name for name, picture in PICTURES.items() if picture.worked])
def test_a_worked_picture_adds_up(name):
    def has(rules):
        return any(rule.name == name for rule in rules)

    (game,) = (game for game in GAMES.values() if has(rules_of(game)))
    shown = worked(game, PICTURES[name])

    assert sum(line.points for line in shown.lines) == sum(shown.score) > 0


def test_every_picture_stands_with_a_rule():
    assert {*PICTURES} <= {r.name for g in GAMES.values() for r in (*rules_of(g), *common())}
