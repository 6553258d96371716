"""Promises every game keeps, run over the registry."""

import json
import re
import subprocess
import sys
from dataclasses import fields, is_dataclass, replace
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer import Illegal, Malformed, NotAMove, dump_move, load_move, recording, replay, settle
from scorer.games import GAMES, MODULES, game_in
from scorer.photo.one_photo import equipment_alone
from scorer.rulebook import chapter, rule
from scorer.values import dump, reader
from tests import ROOT
from tests.grids import tries
from tests.tools.record import FOLDER

LONGEST = 60  # moves of random play an example; whole games are in the recordings
LISTED = 2_000  # moves looked at in one state: thirteen dice fall in more than a million ways
UNLISTED = 200  # of a game in which all that may be entered is too much to list anyway

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
RECORDINGS = sorted(FOLDER.glob("*.jsonl"))
every_recording = pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)


def draw_settings(data, game):
    """Draw some house rules among the listed choices."""
    choices = {s.name: s.values for s in game.settings if len(s.values) > 0}
    names = data.draw(st.lists(st.sampled_from(sorted(choices)), unique=True, max_size=4))
    return {name: data.draw(st.sampled_from(list(choices[name]))) for name in names}


def listed(game, state):
    """Return the first legal moves of *state*: all of them, but for the rolls of many dice."""
    return list(islice(game.legal_moves(state), most(game)))


def most(game):
    """Return how many moves of a state are looked at."""
    return UNLISTED if game.unlisted else LISTED


def near_misses(move):
    """Yield moves that differ from *move* in one number."""
    for field in fields(move):
        value = getattr(move, field.name)
        if type(value) is int:
            yield from (replace(move, **{field.name: value + step}) for step in (-1, 1, 7))
        if isinstance(value, tuple) and value and all(type(item) is int for item in value):
            yield replace(move, **{field.name: value[::-1]})
            yield replace(move, **{field.name: (*value[:-1], value[-1] + 1)})


def explained(game, state, *, earned=False):
    """Return the points of each seat that the lines of a score add up to, or those earned now."""
    by_seat = [0] * len(game.score(state))
    for entry in game.explain(state):
        assert entry.text
        if entry.seat is not None and not (earned and entry.if_ended):
            by_seat[entry.seat] += entry.points
    return tuple(by_seat)


@pytest.mark.parametrize("name", MODULES)
def test_the_file_of_a_game_holds_it(name):
    game_in(name)  # says what it lacks

    assert name in GAMES


def test_no_game_is_warned_about():
    argv = [sys.executable, "-c", "import scorer.games"]

    run = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, check=True)

    assert run.stderr == ""


@every_game
@settings(max_examples=tries(12), deadline=None)
@given(data=st.data())
def test_random_play(game, data):
    """Moves leave the old state alone, read back, rebuild the state; every point is explained."""
    seats = data.draw(st.sampled_from(game.seats[:6]))
    house = draw_settings(data, game)
    state, moves = game.start(seats, house), []
    while len(moves) < LONGEST and (legal := listed(game, state)):
        assert not game.is_over(state)
        moves.append(data.draw(st.sampled_from(legal)))
        before = repr(state)
        following = game.apply(state, moves[-1])
        assert repr(state) == before
        assert game.describe(state, moves[-1])
        state = following
        assert explained(game, state) == game.score(state)
        assert explained(game, state, earned=True) == game.earned(state)

    assert not game.is_over(state) or game.earned(state) == game.score(state)
    assert game.is_over(state) == (game.result(state) is not None)
    assert game.is_over(state) == (not any(True for _ in game.legal_moves(state)))
    assert game.prompt(state)
    assert set(game.to_move(state)) <= set(range(seats))
    for suggestion in game.instead(state):
        assert load_move(game, dump_move(suggestion.move)) == suggestion.move
        assert suggestion.question.endswith("?")
    saved = json.loads(json.dumps([dump_move(move) for move in moves]))
    assert replay(game, seats, house, [load_move(game, move) for move in saved]) == state
    assert reader(type(state))(json.loads(json.dumps(dump(state)))) == state


@every_game
def test_what_one_photo_tells_needs_what_the_game_has(game):
    if game.one_photo is None:
        return
    state = game.start(game.seats[0], {})
    for fact in game.one_photo.facts:
        assert fact.name not in {setting.name for setting in game.settings}
        assert settle((fact,), {fact.name: fact.example})
    assert equipment_alone(game, state)


@every_game
@settings(max_examples=tries(8), deadline=None)
@given(data=st.data())
def test_apply_takes_the_legal_moves_and_no_others(game, data):
    state = game.start(data.draw(st.sampled_from(game.seats[:4])), draw_settings(data, game))
    for _ in range(data.draw(st.integers(0, 25))):
        if not (legal := listed(game, state)):
            break
        state = game.apply(state, data.draw(st.sampled_from(legal)))
    legal = listed(game, state)
    assert len(legal) == len(set(legal))
    said = {game.describe(state, move) for move in legal}
    assert len(legal) == len(said)  # saying one is choosing it
    tried = data.draw(st.lists(st.sampled_from(legal), max_size=12)) if legal else []

    for move in tried:
        game.apply(state, move)
        for other in near_misses(move):
            if len(legal) < most(game) and other not in legal:
                with pytest.raises(Illegal) as refusal:
                    game.apply(state, other)
                assert refusal.value.reason
                assert refusal.value.rule


@every_game
def test_settings_are_told_in_one_line_and_refused_in_a_sentence(game):
    settled = settle(game.settings, {})

    for setting in game.settings:
        assert setting.meaning
        assert "\n" not in setting.meaning
        assert settle(game.settings, {setting.name: settled[setting.name]}) == settled
        with pytest.raises(NotAMove, match=setting.name):
            settle(game.settings, {setting.name: {"no": "setting"}})
    with pytest.raises(NotAMove, match="no setting colour_of_the_sky"):
        settle(game.settings, {"colour_of_the_sky": "blue"})


@every_game
@pytest.mark.parametrize("wanted", [-1, 0, 1000, True, "2", 2.0, None])
def test_a_number_of_players_the_game_does_not_have_is_refused(game, wanted):
    with pytest.raises(NotAMove, match="players"):
        game.start(wanted, {})


@every_game
@pytest.mark.parametrize("sent", [None, [], "x", {}, {"move": "Cheat"}, {"move": ["Agree"]}])
def test_what_is_no_move_is_refused(game, sent):
    with pytest.raises(NotAMove):
        load_move(game, sent)


@every_game
def test_a_move_is_refused_when_a_field_is_missing_unknown_or_of_another_type(game):
    move = next(iter(game.legal_moves(game.start(game.seats[0], {}))))
    good = dump_move(move)

    assert load_move(game, good) == move
    with pytest.raises(NotAMove, match="surprise"):
        load_move(game, good | {"surprise": 1})
    for field in fields(move):
        with pytest.raises(NotAMove):
            load_move(game, good | {field.name: {"not": "this"}})


def test_games_and_recordings_name_the_same_set():
    heads = {path.stem: path.read_text("utf-8").splitlines()[0] for path in RECORDINGS}
    games = {stem: json.loads(head)["game"] for stem, head in heads.items()}

    assert all(stem.partition("-")[0] == game for stem, game in games.items())
    assert {stem for stem in games if "-" not in stem} == set(GAMES)


@every_recording
def test_the_recorded_match_gives_its_tally(path):
    lines = path.read_text(encoding="utf-8").splitlines()

    recorded = recording.read(lines, GAMES)

    game = GAMES[recorded.game]
    assert len(recorded.moves) == len(lines) - 1
    assert all("score" in json.loads(line) for line in lines[1:])
    end = replay(game, recorded.seats, recorded.settings, recorded.moves)
    assert game.is_over(end)
    assert game.earned(end) == game.score(end)
    assert list(recording.write(recorded)) == [json.dumps(json.loads(line)) for line in lines]


@every_recording
def test_a_match_can_be_stopped_and_resumed_anywhere(path):
    recorded = recording.read(path.read_text(encoding="utf-8").splitlines(), GAMES)
    game = GAMES[recorded.game]
    state = game.start(recorded.seats, recorded.settings)
    for move in recorded.moves:
        state = game.apply(state, move)
        state = reader(type(state))(json.loads(json.dumps(dump(state))))

    assert state == replay(game, recorded.seats, recorded.settings, recorded.moves)
    assert is_dataclass(state)


PLACED = '{"move": {"move": "Place", "row": 8, "column": 0, "colour": "black", "pips": 1}}'
HEAD = '{"game": "purple_house", "version": 1, "seats": 2'


@pytest.mark.parametrize(
    ("line", "text", "sentence"),
    [
        (1, "", "line 1: there is no game"),
        (1, '{"game": "chess", "version": 1, "seats": 2}', "line 1: there is no game 'chess'"),
        (1, '{"game": "purple_house", "version": 99}', "line 1: recorded under rules version 99"),
        (1, '{"game": "purple_house", "version": 1, "seats": 0}', "line 1: .* players"),
        (1, f'{HEAD}, "settings": {{"target": 0}}}}', "line 1: .*the target is a whole number"),
        (1, f'{HEAD}, "settings": 7}}', "line 1: the settings are no object"),
        (1, f'{HEAD}, "names": ["Ada"]}}', "line 1: there are 1 names for 2 players"),
        (1, f'{HEAD}, "names": {{"0": "Ada"}}}}', "line 1: the names are no list of texts"),
        (3, "{", "line 3 is not JSON"),
        (3, "[]", "line 3 is not an object"),
        (3, '{"move": {"move": "Fly"}}', "line 3: .* has the moves"),
        (3, PLACED, "line 3: player 1 chooses a colour first"),
        (2, None, "line 2: the tally is"),
    ],
)
def test_a_broken_recording_names_the_line_and_the_fault(line, text, sentence):
    lines = (FOLDER / "purple_house.jsonl").read_text(encoding="utf-8").splitlines()
    if text is None:
        text = json.dumps(json.loads(lines[line - 1]) | {"score": [9, 9]})
    lines[line - 1] = text or '{"settings": {}}'

    with pytest.raises(Malformed, match=sentence):
        recording.read(lines, GAMES)


RULE = re.compile(r'"((?:PH|DW|EO|BO|GD|PIG|FK|SUM|MT)-A?\d+[a-z]?)"')
SOURCES = [file.read_text("utf-8") for file in (ROOT / "scorer").rglob("*.py")]
CITED = sorted({name for text in SOURCES for name in RULE.findall(text)})


@pytest.mark.parametrize("name", CITED)
def test_every_rule_that_is_cited_can_be_looked_up(name):
    assert rule(name).said("en").startswith(f"{name} ")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("PH-4", "put one of your own dice, as it lies, on any empty cell"),
        ("ph-4", "put one of your own dice"),  # as a person may type it
        ("DW-A2", "You may take them"),
        ("BO-4", "- 5-5: the turn ends with half of its sum"),
        ("MT-4", "The winner moves on to the next table"),  # of no one game
        ("PIG-2", "It ends your turn"),
    ],
)
def test_a_rule_is_told_in_its_own_words(name, said):
    assert said in rule(name).said("en")
    assert "GD-6" not in rule("GD-5").said("en")  # a rule ends where the next begins


@pytest.mark.parametrize("name", ["PH-99", "", "chess", "PH"])
def test_what_is_no_rule_is_told(name):
    with pytest.raises(Malformed, match="there is no rule"):
        rule(name)


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_every_game_has_written_rules_and_in_german_they_keep_no_english_line(game):
    text = chapter(game)
    assert game.settings[0].rule in text
    assert text.count("\n# ") == 0  # and no other game's

    english, german = text.splitlines(), chapter(game, "de").splitlines()

    assert len(english) == len(german)
    assert not [line for line in german[1:] if line and line in english]
    assert game.name != "sum" or german[0] == "# SUM: Spielzettel für alles"
