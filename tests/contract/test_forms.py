"""Every form: its buttons send what they say, no setting is typed as address; the panel."""

import json
from dataclasses import dataclass, field
from html.parser import HTMLParser

import pytest

from scorer.games import GAMES
from scorer.phases import fault
from scorer.values import dump
from tests.grids import few, without
from tests.matches import by_chance, moves_by_chance

BUTTONS = ("submit", "button", "image", "reset")
WRITTEN = ("text", "number", "search")


@dataclass
class SentForm:
    """What a form would send: its buttons and its other controls, in the order of the page."""

    buttons: list = field(default_factory=list)
    controls: list = field(default_factory=list)
    choices: dict = field(default_factory=dict)  # by name, what can be chosen


class FormParser(HTMLParser):
    """The forms of a page."""

    def __init__(self, page):
        super().__init__()
        self.found = []
        self._open, self._select = False, ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if tag == "form":
            self.found.append(SentForm())
            self._open = True
        elif self._open and tag == "button" and given.get("type", "submit") == "submit":
            self.found[-1].buttons.append(given)
        elif self._open and tag in ("input", "select"):
            self.found[-1].controls.append(given)
            self._select = given.get("name") or ""
        if self._open and tag in ("input", "option"):
            name = (given.get("name") or "") if tag == "input" else self._select
            self.found[-1].choices.setdefault(name, set()).add(given.get("value") or "")

    def handle_endtag(self, tag):
        self._open = self._open and tag != "form"


def sizes(name):
    """Return numbers of players worth a look: the fewest, two, three and the most."""
    seats = GAMES[name].seats
    return sorted({seats[0], 2, 3, seats[-1]} & set(seats))


def pages(client, name):
    """Yield the start page and pages of matches of a game as they come in random play."""
    for players in sizes(name):
        yield client.get(f"/?game={name}&players={players}").text
    moves = moves_by_chance(GAMES[name], 3, 2, 3)
    for so_far in range(4):
        sent = {"game": name, "names": ["Ana", "Ben"], "opening": moves[:so_far]}
        made = client.post("/api/matches", json=sent).json
        yield from (client.get(f"/m/{made['id']}{page}").text for page in ("", "/pieces", "/undo"))


@pytest.mark.parametrize("name", few(without(GAMES, "dice_wide_shut", "beat_the_odds"), 3))
def test_what_a_button_sends_is_sent_by_no_other_field(client, name):
    """The first of two fields of one name is what a page is given."""
    for page in pages(client, name):
        for form in FormParser(page).found:
            fields = {one.get("name") for one in form.controls if one.get("type") not in BUTTONS}
            assert not fields & {one["name"] for one in form.buttons if "name" in one}


@pytest.mark.release
@pytest.mark.parametrize("name", GAMES)
def test_enter_in_a_field_does_what_its_form_is_for(client, name):
    """Enter presses the first button of a form."""
    for page in pages(client, name):
        for form in FormParser(page).found:
            if any(one.get("type") in WRITTEN for one in form.controls):
                assert not {"formaction", "formmethod", "name"} & form.buttons[0].keys()


@pytest.mark.parametrize("name", GAMES)
def test_every_setting_is_offered_by_the_form_of_some_table(client, name):
    game = GAMES[name]
    for players in sizes(name):
        page = client.get(f"/?game={name}&players={players}").text
        (form,) = (one for one in FormParser(page).found if "game" in one.choices)
        for setting in game.settings:
            if setting.seats is not None and players not in setting.seats:
                continue
            if setting.per_seat:
                for seat in range(players):
                    assert form.choices[f"seat.{setting.name}.{seat}"] >= {*setting.per_seat}
            elif isinstance(setting.values, range):
                assert f"set.{setting.name}" in form.choices
            else:
                values = {json.dumps(dump(value)) for value in setting.values}
                assert form.choices.get(f"set.{setting.name}", set()) >= values
                assert setting.read is None or f"typed.{setting.name}" in form.choices


def test_dice_too_many_to_list_at_one_table_hide_no_move_of_another(client):
    names, rounds = ["Ana", "Ben", "Cyd", "Dan"], {"match": "tournament", "tournament_rounds": 1}
    sent = {"game": "dice_wide_shut", "names": names, "settings": rounds}
    sent["opening"] = [{"move": "Starter", "seat": 0, "table": 1}]
    made = client.post("/api/matches", json=sent).json
    page = client.get(f"/m/{made['id']}").text

    assert "Type the dice" in page
    assert "Table 1: Ana starts" in page
    sent = {"after": 1, "request": "r", "dice": "red 1 2 3 blue 1 2 3 purple 4"}
    sent["roll"] = '{"move": "Roll", "dice": [], "table": 1}'
    assert client.post(f"/m/{made['id']}/move", data=sent).status_code == 303


DECLARED = ("pig", "beat_the_odds", "gords", "farkle", "purple_house", "dice_wide_shut", "sum")
WHOLE = ("pig", "beat_the_odds")  # every move has its keys; the others are photographed or in words
MOVES = 60


def tapped(entry):
    """Yield all that can be made with the keys and the buttons of an entry."""
    for pad in entry.pads:
        yield from pad.taps
    yield from entry.buttons


@pytest.mark.parametrize("name", DECLARED)
def test_keys_make_legal_moves_or_say_by_which_rule_they_make_none(name):
    game = GAMES[name]
    players = 2 if name == "purple_house" else 3
    for state, _move in by_chance(game, 3, players, MOVES, 200):
        for entry in game.entry(state):
            for pad in entry.pads:
                groups = [{key.value for key in group.keys} for group in pad.groups]
                assert all(group.label for group in pad.groups)
                for taps in pad.taps:
                    assert len(taps.keys) == len(groups)
                    assert all(key in group for key, group in zip(taps.keys, groups, strict=True))
            for taps in tapped(entry):
                refused = fault(game.apply, state, taps.move)
                assert refused is None or refused.rule


@pytest.mark.parametrize("name", WHOLE)
def test_every_legal_move_has_its_keys(name):
    game = GAMES[name]
    for state, _move in by_chance(game, 5, 3, MOVES, 200):
        made = {taps.move for entry in game.entry(state) for taps in tapped(entry)}
        assert {*game.legal_moves(state)} <= made


def test_what_is_kept_of_a_roll_of_farkle_brings_what_the_rules_give():
    game = GAMES["farkle"]
    for state, _move in by_chance(game, 7, 2, MOVES, 200):
        (entry,) = game.entry(state)
        dice = entry.dice
        assert dice.number == len(dice.lying) or not dice.lying
        for keeping in dice.keeps if dice.lying else ():
            for kept, points in dice.worth.items():
                made = type(keeping.move)(kept, bank=keeping.move.bank)
                lies = all(kept.count(pips) <= dice.lying.count(pips) for pips in kept)
                legal = fault(game.apply, state, made) is None
                assert legal == (lies and points >= keeping.least)


def test_no_two_keys_or_buttons_of_a_table_look_alike():
    for name in DECLARED:
        players = 2 if name == "purple_house" else 3
        for seed in range(3):
            for state, _move in by_chance(GAMES[name], seed, players, MOVES, 200):
                for entry in GAMES[name].entry(state):
                    looks = [
                        [
                            (str(key.text), key.pips, key.colour, group.across and key.name)
                            for key in group.keys  # cells of a board differ in their place
                        ]
                        for pad in entry.pads
                        for group in pad.groups
                    ]
                    looks.append([str(taps.button) for taps in entry.buttons])
                    for alike in looks:
                        assert len({*alike}) == len(alike), (name, alike)
