"""How it is measured how well matches are followed, and in which columns a photo counts."""

import json
from dataclasses import replace
from functools import cache

import pytest

from models.series.shown import SHOWN, shots
from scorer import Doubt, Proposal, load_move
from scorer.games import GAMES
from scorer.games.pig import Hold, Roll
from scorer.photo.follow import played
from tests import FIXTURES
from tests.bench import follow as measure
from tests.bench.follow import matches_in
from tests.bench.opinion import verdict
from tests.grids import few
from tests.scorer.photo.truth import white
from tests.webui.follow_photos import follower
from webui.eyes.photo import PhotoReading, see
from webui.follow import answers as follow_answers
from webui.follow.follower import Follower, nobody


def rolled(*pips, sure=True):
    moves = [{"move": "Roll", "pips": pip} for pip in pips]
    return {"moves": moves, "sure": sure, "asks": not sure}


def test_where_a_hold_is_shown_by_the_table_without_the_die_nothing_is_asked(fakes):
    game, house = GAMES["pig"], {"holds": "shown"}
    taken = shots(game, 2, 1, 40, house)
    match = follower("pig", fakes, nobody, **house)

    asked = []
    for number, shot in enumerate(taken):
        step = match.take(fakes.photo(f"p{number}.jpg", shot.table))
        asked += [] if step.sure else [step.doubts]
        if not step.sure:  # the die may lie as it fell before, which one die alone cannot tell
            match = follower("pig", fakes, nobody, **house)
            match.state = shot.after
        assert match.state == shot.after

    assert {type(move) for shot in taken for move in shot.moves} == {Roll, Hold}
    assert all("was the die rolled again?" in doubts[0] for doubts in asked)


def test_what_eyes_that_never_err_ask_no_photo_tells():
    series = FIXTURES / "series"

    eyes = measure.flawless(series / "pig-29")
    counts = measure.measured(series / "pig-29", eyes, answers=True).counts

    assert (counts.right, counts.silent, counts.followed) == (counts.photos, 0, 1)
    assert counts.asked == 3  # whether the player held


def test_what_was_asked_is_counted_by_kind():
    blue = "was the blue 5 read correctly?"
    steps = [
        {"sure": False, "doubts": ["was the red 4 read correctly?", "2 of 9"], "differences": []},
        {"sure": False, "doubts": [blue], "differences": ["3-4 is gone"]},
        {"sure": True, "doubts": ["3 of 9"], "differences": []},
    ]

    _, *kinds = (line.split(maxsplit=2) for line in measure.kinds_asked(steps))
    assert kinds == [["2", "1", "was the … … read correctly?"], ["1", "0", "cannot be: … is gone"]]


@pytest.mark.parametrize(
    ("steps", "counts"),
    [
        ([rolled(2), rolled(3)], (2, 0, 0, 1)),
        ([rolled(2), rolled(3, sure=False)], (2, 0, 1, 1)),
        ([rolled(2), rolled(4)], (1, 1, 0, 0)),
        ([rolled(2), rolled(4, sure=False)], (1, 0, 1, 0)),
        ([rolled(sure=False), rolled(3, sure=False)], (0, 0, 2, 0)),
    ],
)
def test_a_wrong_position_is_silent_where_nobody_was_asked(steps, counts, tmp_path, monkeypatch):
    (tmp_path / "match.json").write_text(json.dumps({"game": "pig", "players": 2}))
    truth = {f"{at}.jpg": rolled(pip) for at, pip in enumerate((2, 3))}
    (tmp_path / "answers.json").write_text(json.dumps(truth))
    monkeypatch.setattr(measure, "follow", lambda *_, answers: steps)

    found = measure.measured(tmp_path, see, answers=True).counts

    assert (found.right, found.silent, found.asked, found.followed) == counts


SERIES = FIXTURES / "series"
MATCHES = sorted(matches_in(SERIES))
MOST_ASKED = 18  # of 30 photos, ten of them since no photo can tell; it may only fall


@cache
def followed(folder):
    """Return what became of each photo of a match with the state after it, and the true one."""
    return list(_followed(folder))


def _followed(folder):
    match = json.loads((folder / "match.json").read_text())
    game = GAMES[match["game"]]
    answers = follow_answers.load(folder / "answers.json", game)
    follower = Follower(game, match["players"], {}, follow_answers.from_file(answers))
    state = game.start(match["players"], {})
    for name, answer in json.loads((folder / "answers.json").read_text()).items():
        state = played(game, state, [load_move(game, move) for move in answer["moves"]])
        yield follower.take(folder / name), follower.state, state


def test_there_are_photos_of_every_game_and_they_are_small():
    games = {json.loads((folder / "match.json").read_text())["game"] for folder in MATCHES}

    assert (
        games == set(SHOWN) <= set(GAMES)
    )  # of all others rolls are shown, and look like those of these
    assert sum(path.stat().st_size for path in SERIES.glob("*/*")) <= 3_000_000


@pytest.mark.parametrize("folder", few(MATCHES), ids=lambda folder: folder.name)
def test_a_match_is_followed_from_photos_and_nothing_wrong_is_sure(folder):
    for step, state, true in followed(folder):
        assert not step.left
        assert state == true


@pytest.mark.release
def test_what_needs_no_question_is_not_asked():
    steps = [step for folder in MATCHES for step, *_ in followed(folder)]

    assert len(steps) == 30
    assert sum(not step.sure for step in steps) <= MOST_ASKED


PIG = GAMES["pig"]
ROLL = load_move(PIG, {"move": "Roll", "pips": 4})


def counted(table, game=PIG, *, asks=False):
    """Return the columns of a roll of 4 that was read as *table*."""
    reading = None if table is None else (PhotoReading({}, table, (), b""), asks)
    return dict(+verdict(game, PIG.start(2, {}), (ROLL,), white(4), lambda _wanted: reading))


def test_an_unreadable_photo_is_neither_right_nor_wrong_and_a_right_one_may_be_asked_about():
    assert counted(None) == {"photos": 1}
    assert counted(white(4)) == {"photos": 1, "right": 1}
    assert counted(white(4, confidence=0.7)) == {"photos": 1, "right": 1, "asked": 1}


def test_a_right_reading_that_the_rules_turn_into_another_is_told():
    rules = replace(PIG, observe=lambda _s, _t: Proposal((replace(ROLL, pips=3),)))

    assert counted(white(4), rules) == {"photos": 1, "right": 1, "TURNED": 1}


@pytest.mark.parametrize(
    ("table", "asks", "columns"),
    [
        (white(4, 2), False, {"caught": 1}),
        (white(5), False, {"SILENT": 1}),
        (white(5), True, {"SILENT": 1, "eyes": 1}),
    ],
)
def test_a_wrong_reading_is_caught_or_silent(table, asks, columns):
    assert counted(table, asks=asks) == {"photos": 1, "wrong": 1} | columns


def test_a_wrong_reading_of_which_the_rules_make_the_true_move_is_repaired():
    rules = replace(PIG, observe=lambda _s, _t: Proposal((ROLL,), (Doubt("taken as 4"),)))

    counts = counted(white(5), rules)

    assert counts == {"photos": 1, "wrong": 1, "caught": 1, "repaired": 1}
