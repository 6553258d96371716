"""A match: created, played, taken back, replayed; names; the sentence of a step."""

import logging
from dataclasses import replace

import pytest

from scorer import Die, Illegal, Malformed, Table
from scorer.games import GAMES
from scorer.values import dump
from tests.conftest import AGREE, board_moves, place
from webui.api.answers.match import match_view
from webui.errors import Closed, NothingToUndo, Stale
from webui.match import match as matches
from webui.match.proposals import propose
from webui.match.summary import gains, summary
from webui.match.undo import undo

GAME = GAMES["purple_house"]


@pytest.fixture
def match(store):
    """A match whose first round is played: its opening is event 1, its nine dice are event 2."""
    made = matches.create(store, GAME.name, ["Ada", "Ben"], {}, [AGREE])
    return matches.play(store, made.row.id, 1, board_moves())


def view(match):
    return match_view(match, "http://table/")


def test_every_step_keeps_the_words_and_the_score_it_led_to(match):
    opening, board = (step.event for step in match.steps)

    assert opening.text == ("Ada starts, Ada has black",)
    assert board.text[0] == "black 1 on row 1, column 1"
    assert (opening.score, board.score) == ((0, 0), (5, 3))


def test_undo_reaches_back_to_any_step_that_stands_one_event_a_step(store, match):
    match = matches.play(store, match.row.id, 2, [place(0, 0, "white", 6)])
    match = matches.play(store, match.row.id, 3, [place(0, 1, "black", 6)])

    back = undo(store, match.row.id, 4, to=1)

    assert [step.undo_of for step in back.steps[4:]] == [4, 3, 2]
    assert [event.score for event in store.events(match.row.id)[4:]] == [(5, 3), (5, 3), (0, 0)]
    assert [step.event.seq for step in back.steps if step.standing] == [1]


def test_there_is_nothing_to_take_back_in_a_new_match(store):
    new = matches.create(store, GAME.name, ["Ada", "Ben"], {})

    with pytest.raises(NothingToUndo, match="There is no step to take back"):
        undo(store, new.row.id, 0)

    assert store.seq(new.row.id) == 0


@pytest.mark.parametrize("to", [2, 3, 7, -1])  # the last one; one taken back; never was; nonsense
def test_undo_refuses_a_step_it_cannot_lead_back_to(store, match, to):
    matches.play(store, match.row.id, 2, [place(0, 0, "white", 6)])
    undo(store, match.row.id, 3)

    with pytest.raises(NothingToUndo, match=r"^Step \S+ "):
        undo(store, match.row.id, 4, to=to)

    assert store.seq(match.row.id) == 4


def test_nothing_of_a_list_with_one_illegal_move_is_stored(store, match):
    moves = [place(0, 0, "white", 6), place(0, 0, "black", 6), place(0, 1, "black", 6)]

    with pytest.raises(Illegal) as why:
        matches.play(store, match.row.id, 2, moves)

    assert why.value.reason == "row 1, column 1 already holds the white 6"
    assert store.seq(match.row.id) == 2


def test_a_refusal_speaks_of_players_by_name(store):
    new = matches.create(store, GAME.name, ["Ada", "Ben"], {})
    wrong = {**AGREE, "starter": 5}

    with pytest.raises(Illegal, match="player 6 is not at this table"):  # nobody has that seat
        matches.play(store, new.row.id, 0, [wrong])
    rolled = matches.play(store, new.row.id, 0, [{"move": "StartRoll", "pips": [6, 2], "table": 0}])
    with pytest.raises(Illegal, match="Ben chooses a colour first"):
        matches.play(store, new.row.id, rolled.seq, board_moves())


def test_a_repeated_request_is_answered_though_others_have_moved_since(store, match):
    undo(store, match.row.id, 2, request="abc")
    matches.play(store, match.row.id, 3, board_moves())

    again = undo(store, match.row.id, 2, request="abc")

    assert again.seq == 4


def test_an_old_page_cannot_move(store, match):
    with pytest.raises(Stale, match="Another phone just moved"):
        matches.play(store, match.row.id, 1, board_moves())
    with pytest.raises(Stale, match="Another phone just moved"):
        undo(store, match.row.id, 1)


def test_a_step_at_another_table_of_a_tournament_makes_no_page_old(store):
    four, rules = ["Ada", "Ben", "Cyd", "Dan"], {"match": "tournament"}
    new = matches.create(store, "pig", four, rules)
    roll = {"move": "Roll", "pips": 4}
    matches.play(store, new.row.id, 0, [roll])

    other = matches.play(store, new.row.id, 0, [{**roll, "table": 1}])

    assert [event.text for event in store.events(new.row.id)] == [
        ("table 1: Ada rolls 4",),
        ("table 2: Cyd rolls 4",),
    ]
    for old in (roll, {**roll, "table": 1}, {"move": "Rename", "seat": 0, "name": "Al"}):
        with pytest.raises(Stale, match="Another phone just moved"):
            matches.play(store, new.row.id, 0, [old])
    back = undo(store, new.row.id, other.seq)
    assert matches.play(store, new.row.id, 1, [{**roll, "table": 1}]).seq == back.seq + 1
    with pytest.raises(Stale, match="Another phone just moved"):  # it saw what was taken back
        matches.play(store, new.row.id, 2, [{**roll, "table": 1}])


@pytest.fixture(params=["gone", "newer", "stricter"])
def changed(request, monkeypatch, match):
    """Change the rules under a match that is under way."""

    def forbid(state, move):
        raise Illegal(move, "nothing is allowed any more", "PH-0")

    rules = {
        "newer": replace(GAME, version=GAME.version + 1),
        "stricter": replace(GAME, apply=forbid),  # without a new version: a mistake of ours
    }
    others = {name: game for name, game in GAMES.items() if name != GAME.name}
    kept = {GAME.name: rules[request.param]} if request.param in rules else {}
    monkeypatch.setattr(matches, "GAMES", others | kept)
    logging.disable(logging.ERROR)
    yield request.param
    logging.disable(logging.NOTSET)


def test_a_match_survives_rules_that_change_under_it(store, match, changed):
    shown = view(matches.load(store, match.row.id))

    said = {"gone": "not installed here", "newer": "version 2 is installed", "stricter": "allow"}
    assert said[changed] in shown["prompt"]
    assert "start a new match" in shown["prompt"]
    assert (shown["version_ok"], shown["can_undo"]) == (False, False)
    assert shown["score"] == [5, 3]
    texts = [step["text"][0] for step in shown["history"]]
    assert texts == ["Ada starts, Ada has black", "black 1 on row 1, column 1"]


def test_a_match_under_other_rules_takes_no_steps(store, match, changed):
    for step in (
        lambda: matches.play(store, match.row.id, 2, [place(0, 0, "white", 6)]),
        lambda: undo(store, match.row.id, 2),
        lambda: matches.equipment(matches.load(store, match.row.id)),
    ):
        with pytest.raises(Closed, match="start a new match"):
            step()

    assert store.seq(match.row.id) == 2


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_every_setting_of_a_game_reads_back_from_the_log(game, store):
    house = {setting.name: setting.default for setting in game.settings}
    names = [f"P{seat}" for seat in range(game.seats[0])]

    made = matches.create(store, game.name, names, {})

    assert made.row.settings == dump(house)
    assert made.state == game.start(game.seats[0], house)


def test_names_are_trimmed():
    assert matches.check_names(["  Ada ", "Ben\tB  C"]) == ("Ada", "Ben B C")


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        (["Ada", ""], "Player 2 needs a name."),
        (["Ada", " \n\t "], "Player 2 needs a name."),
        (["Ada", "\u200d"], "Player 2 needs a name."),
        (["Ada", "x" * 25], "more than 24 letters"),
        (["Ada", "x" * 200], "more than 24 letters"),
        (["Ada", "ADA "], "Two players are called ADA"),
        (["Ada", "A\u0308da", "Äda"], "Two players are called Äda"),  # two ways to write it
        (["Ada", "B\x00n"], "cannot be shown"),
        (["Ada", "\u202eneB"], "cannot be shown"),  # turns the line's direction round
        (["Ada", "\ud800"], "cannot be shown"),
        (["Ada", 7], "is a text"),
        (["Ada", None], "is a text"),
    ],
)
def test_a_name_that_cannot_stand_on_a_tally_is_refused(names, sentence):
    with pytest.raises(Malformed, match=sentence):
        matches.check_names(names)


@pytest.mark.parametrize(
    "name", ["x" * 24, "李小龍", "<b>Bo</b>", "O'Neil & Söhne", "🎲", "👩\u200d🚀", "می\u200cنا"]
)
def test_any_other_name_is_taken_as_it_is(name):
    assert matches.check_names([name]) == (name,)


@pytest.mark.parametrize(
    ("dice", "text"), [(5, ("Ben calls", "Ada shows 1 3 3 5 6")), (4, None)]
)  # Ada holds five
def test_a_photo_proposes_what_was_said_before_it_where_only_that_explains_it(store, dice, text):
    opening = [{"move": "Agree", "starter": 0}, {"move": "Bid", "space": "4", "face": 3}]
    match = matches.create(store, "gords", ["Ada", "Ben"], {}, opening)
    colour = GAMES["gords"].colours(match.state)[0]
    shown = Table(tuple(Die(pips, colour) for pips in (1, 3, 3, 5, 6)[:dice]))

    proposal, preview = propose(match, shown)

    assert bool(proposal.differences) == (text is None)
    assert (preview and preview.text) == text


PLACED = {"Place": "dice placed", "Roll": "rolls"}


def moves(*kinds):
    return [{"move": kind} for kind in kinds]


@pytest.mark.parametrize(
    ("kinds", "by_photo", "said"),
    [
        (["Agree"], False, "m1"),
        (["Roll", "Roll"], True, "m1; m2"),  # short enough to be told as they are
        (["Place"] * 9, False, "9 dice placed"),
        (["Place"] * 9, True, "9 dice placed, read from a photo"),
        (["Agree", "Place", "Place"], True, "m1; 2 dice placed, read from a photo"),
        (["Lay"] * 3, False, "3 moves"),  # of a game without words for it, or that is gone
        (["Agree", "Agree", "Start", "Start"], False, "4 moves"),  # of two tables
        ([], False, "m1"),  # a step taken back has a sentence and no moves
    ],
)
def test_many_moves_of_a_kind_are_counted(kinds, by_photo, said):
    text = [f"m{number}" for number in range(1, max(len(kinds), 1) + 1)]

    assert summary(text, moves(*kinds), PLACED, from_photo=by_photo) == said


def test_gains_are_what_the_score_changed_by_and_who_came_late_began_with_none():
    assert gains((3, -50), (8, -42, 7)) == [5, 8, 7]
