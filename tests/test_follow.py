"""Following a match from its photos: whole matches of every game, and what may go wrong."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from models.series.shown import LEFT_OUT, SHOWN, answer, shots
from scorer import Die, Doubt, Malformed, Table, dump_move, load_move
from scorer.follow import UNTOLD, played, understood
from scorer.games import GAMES
from scorer.meaning import SeenTable
from tests import bench_follow as measure
from tests.conftest import BOARD, board_dice
from tests.truths import PlacedDie, photographed
from vision.arrangement import same_arrangement
from webui import cli, follow, follow_answers, follow_command
from webui import match as matches
from webui.bridge import PhotoReading, see
from webui.errors import NotRead
from webui.follow import Follower, nobody
from webui.follow_answers import from_file
from webui.follow_terminal import Terminal
from webui.lying import lies_as_before
from webui.played import read

BOARDS = Path(__file__).parent.parent / "fixtures" / "boards"
MOST = 40  # photos of a match; by then every phase of every game has been met

every_game = pytest.mark.parametrize("name", GAMES)


NO_DICE: dict[str, Any] = {"warnings": [], "dice": []}


class FakePhotos:
    """Photos whose content names the table that is read on them."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.tables, self.doubts, self.readings = folder, {}, {}, {}

    def photo(self, name: str, table: Table | None, *doubts: Doubt) -> Path:
        """Make a photo on which *table* is read; None: none can be."""
        path = self.folder / name
        path.write_bytes(name.encode())
        self.tables[path.read_bytes()], self.doubts[path.read_bytes()] = table, doubts
        return path

    def __call__(self, photo: bytes, _wanted: object) -> PhotoReading:
        table = self.tables[photo]
        if table is None:
            raise NotRead("The photo is too dark. Turn on a light or use the flash.")
        return PhotoReading(self.readings.get(photo, NO_DICE), table, self.doubts[photo], b"")


@pytest.fixture
def film(tmp_path):
    return FakePhotos(tmp_path)


def follower(
    name: str, film: FakePhotos, ask=nobody, seats: int = 2, **settings: object
) -> Follower:
    return Follower(GAMES[name], seats, settings, ask, film)


def answered(**told: Any) -> follow_answers.Answers:
    """Return the answers that a file with these would hold, by the photo's name without .jpg."""
    return follow_answers.Answers({f"{name}.jpg": answer for name, answer in told.items()})


def grid(cells: str) -> Table:
    """Return a grid row by row: "b3 w4 . . . . . . ." has two dice."""
    return Table(board_dice(tuple("" if cell == "." else cell for cell in cells.split())))


# ---------------------------------------------------------------- whole matches


@every_game
@pytest.mark.parametrize("seed", [1, 2])
def test_a_match_is_followed_to_its_end_and_nothing_wrong_is_sure(name, seed, film):
    """A purple 6 is taken as red or as blue to the same end: then the state tells, not the move."""
    game, taken = GAMES[name], shots(GAMES[name], 2, seed, MOST)
    told = {f"p{n}": follow_answers.PhotoAnswer(None, shot.moves) for n, shot in enumerate(taken)}
    match = follower(name, film, from_file(answered(**told)))

    truth = game.start(2, {})
    for number, shot in enumerate(taken):
        truth = played(game, truth, shot.moves)
        step = match.take(film.photo(f"p{number}.jpg", shot.table))
        assert not step.left
        if not step.sure:
            assert step.moves == shot.moves
        assert match.state == truth

    assert len(match.moves) > 20


def test_what_photos_show_is_told_of_games_that_are_here():
    assert set(SHOWN) <= set(GAMES)


@every_game
def test_what_no_photo_shows_is_never_seen_without_it(name):
    """The moves that a game calls unseen are those after which nothing is photographed."""
    game = GAMES[name]
    shown = {type(move) for shot in shots(game, 2, 3, MOST) for move in shot.moves[-1:]}

    assert set(game.unnoticed(game.start(2, {}))) <= set(game.unseen) <= set(game.moves)
    assert not shown & (set(game.unseen) - {*LEFT_OUT, GAMES["pig"].moves[1]})


@pytest.mark.parametrize("name", ["purple_house", "even_at_odds"])
def test_where_things_stay_lost_and_stale_photos_change_nothing(name, film):
    """One photo in four is lost, an old one comes again: what lies there is told all the same."""
    game, taken, chance = GAMES[name], shots(GAMES[name], 2, 5, 21), random.Random(5)
    match, truth, followed = follower(name, film, yes), game.start(2, {}), list[Table]()
    for number, shot in enumerate(taken):
        full = played(game, truth, shot.moves)
        lost = lying(game, full) > lying(game, truth) and chance.random() < 0.25
        truth = full
        if number < 2:  # who has which colour and which team is said
            match.state = truth
        elif not lost:
            was = match.state
            for back, old in enumerate(followed[-3:]):
                stale = match.take(film.photo(f"old{number}-{back}.jpg", old))
                assert (stale.moves, match.state) == ((), was)
            match.take(film.photo(f"p{number}.jpg", shot.table))
            followed.append(shot.table)

    assert lying(game, match.state) == lying(game, truth)
    assert game.score(match.state) == game.score(truth)


def yes(asked):
    """Confirm whatever is proposed."""
    return asked.step if asked.step.settled else None


def lying(game: Any, state: Any) -> set[str]:
    """Return what is known to lie on the table, in whatever order it came there."""
    known = [spot.known for spot in game.equipment(state).spots]
    return {repr(piece) for table in known for piece in (*table.dice, *table.tiles)}


# ---------------------------------------------------------------- photos that tell nothing


def test_the_same_file_again_is_counted_once(film):
    match = follower("pig", film)
    photo = film.photo("a.jpg", Table((Die(4, "red"),)))

    first, again = match.take(photo), match.take(photo)

    assert (len(first.moves), again.moves, again.sure) == (1, (), True)
    assert again.doubts == ("this is a.jpg again, which is counted once",)


SQUARE = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])


def lying_at(tilt: float, *dice: tuple[int, float, float, float]) -> dict[str, Any]:
    """Return the reading of dice (value, x, y, turn) from a camera moved and tilted so far."""
    told = []
    for value, x, y, turn in dice:
        c, s = np.cos(turn), np.sin(turn)
        x_y = SQUARE @ np.array([(c, s), (-s, c)]) + (x, y)
        far = 1 + tilt * x_y[:, 1:] / 40
        quad = np.roll(20 * (x_y + tilt) / far + 300, int(4 * tilt), axis=0)
        told.append({"value": value, "quad": quad.tolist()})
    return NO_DICE | {"dice": told}


ROLL = ((2, 0, 0, 0.3), (5, 4, 2, 1.0))


@pytest.mark.parametrize(
    ("then", "lies"),
    [
        (lying_at(0.5, *ROLL), True),
        (lying_at(0.9, *reversed(ROLL)), True),
        (lying_at(0.5, (2, 0, 0, 0.8), (5, 4, 2, 1.0)), False),  # one was turned
        (lying_at(0.5, (2, 0, 0, 0.3), (5, 6, 1, 1.0)), False),  # one lies elsewhere
        (lying_at(0.5, (2, 0, 0, 0.3), (4, 4, 2, 1.0)), False),
        (lying_at(0.5, *ROLL[:1]), False),
    ],
)
def test_dice_that_lie_as_they_lay_are_no_new_roll_however_the_phone_moved(then, lies, film):
    match, pair = follower("beat_the_odds", film, yes), Table((Die(2, "red"), Die(5, "red")))
    photos = [film.photo(name, pair) for name in ("a.jpg", "b.jpg")]
    film.readings = dict(zip(map(Path.read_bytes, photos), (lying_at(0, *ROLL), then), strict=True))
    match.take(photos[0])

    again = match.take(photos[1])

    assert same_arrangement(lying_at(0, *ROLL), then) == lies
    assert (again.moves == ()) == lies
    assert ("the dice lie as on a.jpg, nothing new" in again.doubts) == lies


@pytest.mark.parametrize(("told", "sure"), [(True, True), (False, False)])
def test_whether_dice_were_rolled_again_is_not_asked_where_they_lie_otherwise(told, sure, film):
    match, pair = follower("beat_the_odds", film), Table((Die(2, "red"), Die(5, "red")))
    photos = [film.photo(name, pair) for name in ("a.jpg", "b.jpg")]
    if told:
        lay = lying_at(0, *ROLL), lying_at(0.2, (2, 0, 0, 1.0), *ROLL[1:])
        film.readings = dict(zip(map(Path.read_bytes, photos), lay, strict=True))
    match.take(photos[0])
    rules, again = match.game, Doubt("were they rolled again?", about="again")
    match.game = replace(rules, observe=lambda s, t: replace(rules.observe(s, t), doubts=(again,)))

    assert match.take(photos[1]).sure == sure


@pytest.mark.parametrize(("cell", "lies"), [([0, 2], True), (None, True), ([0, 5], False)])
def test_two_dice_on_other_cells_of_a_board_lie_otherwise_however_it_was_seen(cell, lies):
    """The white die of Gords may go where another camera would have seen it before."""
    before, now = lying_at(0, *ROLL), lying_at(0.5, *ROLL)
    before["dice"][0]["cell"], now["dice"][0]["cell"] = [0, 2], cell

    assert same_arrangement(before, now) == lies


def test_one_die_alone_tells_nothing_of_how_it_lay():
    one = lying_at(0, ROLL[0])

    assert same_arrangement(one, one) is None


def test_nothing_new_is_said_and_the_match_goes_on(film):
    """It is not sure: a die may have been overlooked, and the next photo then shows two."""
    match = follower("purple_house", film, yes)
    match.take(film.photo("a.jpg", grid(GRID)))
    half = grid("b1 w2 . . . . . . .")
    match.take(film.photo("b.jpg", half))

    again = match.take(film.photo("c.jpg", half))

    assert (again.moves, again.sure, again.left) == ((), False, False)
    assert again.doubts
    assert match.left == ()


GRID = " ".join(BOARD)


def test_what_could_not_be_is_told_with_the_answer_to_it(film):
    told = {"a": follow_answers.PhotoAnswer(Table((Die(4, "red"),)))}
    match = follower("pig", film, from_file(answered(**told)))

    step = match.take(film.photo("a.jpg", Table((Die(4, "red"), Die(2, "red")))))

    assert (len(step.moves), step.sure, step.left) == (1, False, False)
    assert step.differences == ("2 dice are seen; show only the one that was rolled.",)


def test_gords_shows_one_hand_on_a_photo_or_several():
    per_photo = {
        seed: max(
            sum(type(move).__name__ == "Reveal" for move in shot.moves)
            for shot in shots(GAMES["gords"], 4, seed, MOST)
        )
        for seed in (3, 4, 5)
    }

    assert per_photo == {3: 2, 4: 1, 5: 4}


def test_tiles_are_looked_for_as_they_are_known_to_lie_now(film):
    """They were looked for as they lay before the photo before, which a stale one may show."""
    match, game = follower("even_at_odds", film, yes), GAMES["even_at_odds"]
    flip, first, *taken = shots(game, 2, 5, 7)
    match.state = played(game, match.state, (*flip.moves, *first.moves))
    looked = []

    def look(photo, wanted):
        looked.append(len(wanted.spots[0].known.tiles))
        return film(photo, wanted)

    match.look = look
    for number, shot in enumerate(taken):
        looked.clear()
        match.take(film.photo(f"p{number}.jpg", shot.table))
        assert looked == [7 + number]


def test_a_die_of_a_foreign_colour_is_asked_about_until_somebody_said_what_it_is():
    game = GAMES["purple_house"]
    agreed = played(game, game.start(2, {}), [load_move(game, AGREED)])
    strange = Die(4, "purple", (0, 0), 0.94, colours=(("black", 0.04), ("pink", 0.01)))
    foreign = Doubt("A purple die does not belong to this game.", ("dice", 0))
    white = Die(2, "white", (0, 1), 0.99)

    asked = meant(game, agreed, Table((strange,)), foreign)
    after = meant(game, asked.state, Table((strange, white)), foreign)

    assert [doubt.piece for doubt in asked.open] == [("dice", 0)]
    assert [dump_move(move)["colour"] for move in (*asked.moves, *after.moves)] == [
        "black",
        "white",
    ]
    assert after.sure
    turned = meant(game, asked.state, Table((replace(strange, value=5), white)), foreign)
    assert not turned.sure


AGREED = {"move": "Agree", "starter": 0, "black": 0}


def meant(game, state, table, *doubts):
    """Return what a table means where nothing has been said since."""

    def seen(_wanted, spot):
        return SeenTable(replace(table, spot=spot), doubts)

    return understood(game, state, seen, guided=True)


def test_an_unreadable_photo_in_the_middle_is_told_and_the_match_goes_on(film):
    match = follower("purple_house", film)
    match.take(film.photo("a.jpg", grid(GRID)))

    bad = match.take(film.photo("bad.jpg", None))
    good = match.take(film.photo("b.jpg", grid("w1 b2 w4 b3 w5 b1 w6 b6 w2")))

    assert (bad.moves, bad.sure, bad.left) == ((), False, True)
    assert bad.differences == ("The photo is too dark. Turn on a light or use the flash.",)
    assert len(good.moves) == 9
    assert not good.sure
    assert "taken as if bad.jpg had shown nothing, which is not counted" in good.doubts


def test_a_photo_left_out_costs_nothing_where_the_next_one_shows_it_too(film):
    match = follower("purple_house", film, yes)
    match.take(film.photo("a.jpg", grid(GRID)))
    match.take(film.photo("b.jpg", grid("w1 b2 . . . . . . .")))
    assert match.take(film.photo("bad.jpg", None)).left

    full = match.take(film.photo("c.jpg", grid("w1 b2 w4 b3 w5 b1 w6 b6 w2")))

    assert full.sure


def test_a_missing_file_is_a_sentence(film, tmp_path):
    told = follower("pig", film).take(tmp_path / "gone.jpg")

    assert told.differences == ("The file cannot be opened: No such file or directory.",)


def test_what_cannot_be_is_said_and_not_counted(film):
    match = follower("pig", film)

    told = match.take(film.photo("a.jpg", Table((Die(4, "red"), Die(2, "red")))))

    assert (told.moves, told.left, told.sure) == ((), True, False)
    assert told.differences


@pytest.mark.parametrize(("dice", "sure"), [(2, True), (1, False)])
def test_a_piece_that_may_be_missed_is_asked_about_until_all_are_there(dice, sure, film):
    match = follower("beat_the_odds", film)
    photo = film.photo("a.jpg", Table((Die(2, "red"), Die(5, "red"))[:dice]))
    hint = "There may be one more piece (left). Look there."
    film.readings[photo.read_bytes()] = NO_DICE | {"warnings": [hint], "hint": hint}

    told = match.take(photo)

    assert hint in told.doubts
    assert told.sure == sure


@pytest.mark.parametrize(("lost", "sure"), [(0, True), (1, False)])
def test_where_a_hand_is_complete_no_piece_is_missed_unless_a_lost_die_may_lie_there(
    lost, sure, film
):
    match = gords(film, nobody)
    told = [{"move": "Call", "seat": 1}]
    match.state = played(match.game, match.state, [load_move(match.game, move) for move in told])
    match.state = replace(match.state, dice=(5, 5 - lost))
    photo = film.photo("a.jpg", hand("blue", *(2, 4, 5, 6, 6)[lost:]))
    hint = "There may be one more piece (left). Look there."
    film.readings[photo.read_bytes()] = NO_DICE | {"warnings": [hint], "hint": hint}

    assert match.take(photo).sure == sure


def test_beside_the_white_die_on_its_place_no_piece_is_missed(film):
    match = gords(film, nobody)
    photo = film.photo("a.jpg", Table((Die(5, "white", (0, 9)),)))
    hint = "There may be one more piece (left). Look there."
    film.readings[photo.read_bytes()] = NO_DICE | {"warnings": [hint], "hint": hint}

    step = match.take(photo)

    assert (len(step.moves), step.sure) == (1, True)


def test_what_the_eyes_doubt_is_asked_before_it_is_counted(film):
    doubt = Doubt("read as red 4, perhaps 5", ("dice", 0))
    match = follower("pig", film)

    told = match.take(film.photo("a.jpg", Table((Die(4, "red"),)), doubt))

    assert (told.moves, told.left, told.doubts) == ((), True, (doubt.sentence,))


@pytest.mark.parametrize(("at", "asked"), [(0, False), (8, True)])
def test_what_the_eyes_doubt_and_the_match_knows_is_not_asked_again(at, asked, film):
    match, full = follower("purple_house", film, yes), grid(GRID)
    match.take(film.photo("a.jpg", replace(full, dice=full.dice[:7])))
    doubt = Doubt("read so, perhaps otherwise", ("dice", at))

    step = match.take(film.photo("b.jpg", full, doubt))

    assert len(step.moves) == 2
    assert step.sure != asked
    assert (doubt.sentence in step.doubts) == asked


# ---------------------------------------------------------------- what no photo shows


def gords(film, ask):
    """Return a match in which player 1 has bid, and player 2 is next."""
    match = follower("gords", film, ask)
    game = match.game
    moves = [{"move": "Agree", "starter": 0}, {"move": "Bid", "space": "4", "face": 3}]
    match.state = played(game, match.state, [load_move(game, move) for move in moves])
    return match


def hand(colour: str, *pips: int) -> Table:
    return Table(tuple(Die(value, colour) for value in pips))


def test_dice_shown_tell_of_the_call_before_them(film):
    match = gords(film, yes)
    colour = match.game.colours(match.state)[0]

    told = match.take(film.photo("a.jpg", hand(colour, 1, 3, 3, 5, 6)))

    assert [dump_move(move) for move in told.moves] == [
        {"move": "Call", "seat": 1},
        {"move": "Reveal", "seat": 0, "dice": [1, 3, 3, 5, 6]},
    ]


def test_several_ways_are_a_question_and_nothing_is_guessed(film):
    match = follower("pig", film)
    match.take(film.photo("a.jpg", Table((Die(4, "red"),))))

    told = match.take(film.photo("b.jpg", Table((Die(5, "red"),))))

    assert (told.moves, told.sure, told.left) == ((), False, True)
    (asked,) = told.doubts
    assert asked == f"{UNTOLD}: nothing was said; or player 1 holds 4"


def test_the_page_guesses_no_seat(film):
    """There players have names: which of them starts is theirs to say."""
    game = GAMES["purple_house"]
    seen = SeenTable(Table((Die(3, "black", (0, 0)),)))

    step = understood(game, game.start(2, {}), lambda *_: seen, (0,), guided=True)

    assert step.moves == ()
    assert len(step.ways) == 2


# ---------------------------------------------------------------- answers


def test_a_table_that_was_misread_is_put_right_by_the_answers(film):
    told = answered(a=follow_answers.PhotoAnswer(Table((Die(5, "red"),))))
    match = follower("pig", film, from_file(told))
    doubt = Doubt("read as red 4, perhaps 5", ("dice", 0))

    step = match.take(film.photo("a.jpg", Table((Die(4, "red"),)), doubt))

    assert [dump_move(move) for move in step.moves] == [{"move": "Roll", "pips": 5}]
    assert not step.sure  # it was asked


def test_an_answer_that_cannot_be_played_is_said(film):
    hold = GAMES["pig"].moves[1]()
    match = follower("pig", film, from_file(answered(a=follow_answers.PhotoAnswer(None, (hold,)))))

    step = match.take(film.photo("a.jpg", Table((Die(4, "red"), Die(4, "red")))))

    assert step.left
    assert any("roll at least once before you hold" in text for text in step.differences)


def test_readings_and_pages_tell_answers_alike(tmp_path):
    game = GAMES["even_at_odds"]
    reading = {
        "file": "a.jpg",
        "dice": [{"value": 5, "color": "red", "cell": [0, 2], "quad": [], "sure": True}],
        "tiles": [{"halves": [6, 1], "cells": [[0, 0], [0, 1]], "level": 0, "confidence": 0.9}],
        "marks": [],
    }
    lines, whole = tmp_path / "lines.jsonl", tmp_path / "whole.json"
    lines.write_text(json.dumps(reading) + "\n" + json.dumps({"file": "b.jpg", "moves": []}))
    page = [{"value": 5, "colour": "red", "cell": [0, 2]}]
    whole.write_text(json.dumps({"a.jpg": reading | {"dice": page}, "b.jpg": {"moves": []}}))

    one, other = (follow_answers.load(path, game) for path in (lines, whole))

    for told in (one, other):
        table = told.of(Path("folder/a.jpg")).table
        assert table.dice == (Die(5, "red", (0, 2)),)
        assert (table.tiles[0].halves, table.tiles[0].level) == ((6, 1), 1)
        assert told.of(Path("b.jpg")) == follow_answers.PhotoAnswer(None, ())
        assert told.of(Path("c.jpg")) is None


@every_game
def test_what_a_series_tells_as_true_is_read_as_that(name, tmp_path):
    game, path = GAMES[name], tmp_path / "answers.json"
    taken = shots(game, 2, 7, 12)
    path.write_text(json.dumps({f"{at}.jpg": answer(shot) for at, shot in enumerate(taken)}))

    told = follow_answers.load(path, game)

    for at, shot in enumerate(taken):
        assert told.of(Path(f"{at}.jpg")) == follow_answers.PhotoAnswer(shot.table, shot.moves)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[]", "no object of photos' names"),
        ("{", "line 1: this is no JSON"),
        ('{"a.jpg": 3}', "a.jpg: an object with dice"),
        ('{"a.jpg": {"table": 3}}', "a.jpg: it tells no dice"),
        ('{"a.jpg": {"dice": [{"value": "five"}]}}', "a.jpg: "),
        ('{"a.jpg": {"dice": 3}}', "a.jpg: dice are no list"),
        ('{"a.jpg": {"moves": [{"move": "Fly"}]}}', "a.jpg: Pig has the moves"),
        ('{"a.jpg": {"moves": {}}}', "a.jpg: the moves are no list"),
        ('{"file": "a.jpg", "moves": []}\n{"dice": []}', 'line 2: an object with its "file"'),
    ],
)
def test_answers_that_are_none_are_refused_with_their_place(text, why, tmp_path):
    path = tmp_path / "answers.json"
    path.write_text(text)

    with pytest.raises(Malformed) as fault:
        follow_answers.load(path, GAMES["pig"])

    assert str(path) in str(fault.value)
    assert why in str(fault.value)


# ---------------------------------------------------------------- asked at a terminal


class Person:
    """Types these lines and hears what is said."""

    def __init__(self, *lines: str) -> None:
        self.lines, self.heard = list(lines), ""

    def hear(self) -> str:
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)

    def say(self, text: str) -> None:
        self.heard += text + "\n"

    def asker(self) -> Terminal:
        return Terminal(self.say, self.hear)


DOUBT = Doubt("read as red 4, perhaps 5", ("dice", 0))


@pytest.mark.parametrize(
    ("lines", "pips"),
    [
        ([""], 4),
        (["a5", ""], 5),
        (["a 5", ""], 5),
        (["a white 6", ""], 6),
        (["dice 2", ""], 2),
        (["roll", "rolls 3", "skip"], None),
        (["skip"], None),
        ([], None),
    ],
)
def test_a_doubtful_die_is_confirmed_or_put_right(lines, pips, film):
    person = Person(*lines)
    match = follower("pig", film, person.asker())

    step = match.take(film.photo("a.jpg", Table((Die(4, "red"),)), DOUBT))

    assert "a) read as red 4, perhaps 5" in person.heard
    assert [move.pips for move in step.moves] == ([] if pips is None else [pips])
    assert step.left == (pips is None)


@pytest.mark.parametrize("line", ["2", "player 1 holds", "hold"])
def test_one_of_several_ways_is_chosen_or_said(line, film):
    person = Person(line, "")
    match = follower("pig", film, person.asker())
    match.take(film.photo("a.jpg", Table((Die(4, "red"),))))

    step = match.take(film.photo("b.jpg", Table((Die(5, "red"),))))

    assert [type(move).__name__ for move in step.moves] == ["Hold", "Roll"]
    assert "1: player 1 rolls 5\n" in person.heard
    assert "2: player 1 holds 4, then player 2 rolls 5\n" in person.heard


def test_what_cannot_be_is_not_taken_by_enter(film):
    person = Person("", "help", "a fly", "skip")
    match = follower("pig", film, person.asker())

    step = match.take(film.photo("a.jpg", Table((Die(4, "red"), Die(4, "red")))))

    assert step.left
    for words in ("cannot be:", "cannot be taken as it stands", "No move", "skip"):
        assert words in person.heard


def test_who_has_gone_is_asked_no_more(film):
    person = Person()
    match = follower("pig", film, person.asker())
    match.take(film.photo("a.jpg", Table((Die(4, "red"),)), DOUBT))
    before = person.heard

    match.take(film.photo("b.jpg", Table((Die(4, "red"),)), DOUBT))

    assert person.heard == before


# ---------------------------------------------------------------- the command


@pytest.fixture
def command(film, monkeypatch, capsys):
    """Run `pipsight follow` on these photos with the eyes of *film*."""
    monkeypatch.setattr(follow, "see", film)

    def run(*argv: str) -> tuple[int, str, str]:
        code = cli.main(["follow", *argv])
        told = capsys.readouterr()
        return code, told.out, told.err

    return run


def test_what_cannot_be_is_drawn_on_the_photo(film, command, tmp_path, monkeypatch):
    drawn = {}

    def draw(picture, _photo, _reading, _wanted, pieces, said):
        drawn[picture.name] = pieces, said

    monkeypatch.setattr(follow_command, "write_overlay", draw)
    before, after = grid("b1 w2 b3 . . . . . ."), grid("b1 w2 b4 w5 . . . . .")
    photos = [str(film.photo("a.jpg", before)), str(film.photo("b.jpg", after))]

    command("purple_house", "--overlay", str(tmp_path), *photos)

    assert drawn["a.jpg.overlay.jpg"][0] == ()
    pieces, (sentence, *_) = drawn["b.jpg.overlay.jpg"]
    assert pieces == (("dice", 2),)
    assert "black 3" in sentence


def test_the_command_tells_each_photo_then_the_tally_and_writes_a_recording(
    film, command, tmp_path
):
    photos = [str(film.photo("a.jpg", grid(GRID))), str(film.photo("b.jpg", None))]
    out = tmp_path / "match.jsonl"

    code, told, said = command("purple_house", *photos, "--out", str(out))

    assert code == 1
    assert "a.jpg: player 1 starts, player 1 has black; black 1 on row 1, column 1; " in told
    assert "look again: the photo does not tell who is who" in told
    assert "b.jpg: nothing is counted\n  cannot be: The photo is too dark." in told
    assert told.rstrip().endswith("when all nine cells are full")
    assert "total: player 1 has 5, player 2 has 3" in told
    assert f"One photo is not counted: {photos[1]}" in said
    assert read(out).scores[-1] == (5, 3)
    assert command("purple_house", photos[0], "--out", str(out))[0] == 1  # it stays as it is
    assert read(out).scores[-1] == (5, 3)


def test_json_is_one_object_a_photo_and_nothing_else(film, command):
    photos = [str(film.photo(f"{n}.jpg", Table((Die(n, "red"),)))) for n in (3, 1)]

    code, told, _ = command("pig", "--json", *photos)

    lines = [json.loads(line) for line in told.splitlines()]
    assert code == 1  # whether player 1 held before the 1, nobody said
    assert [list(line) for line in lines] == [
        ["file", "moves", "doubts", "differences", "score", "sure", "ms"]
    ] * 2
    assert lines[0] | {"ms": 0} == {
        "file": photos[0],
        "moves": [{"move": "Roll", "pips": 3}],
        "doubts": [],
        "differences": [],
        "score": [0, 0],
        "sure": True,
        "ms": 0,
    }
    assert (lines[1]["sure"], lines[1]["moves"]) == (False, [])


def test_answers_are_taken_from_their_file(film, command, tmp_path):
    photos = [str(film.photo(f"{n}.jpg", Table((Die(n, "red"),)))) for n in (3, 1)]
    told = {"1.jpg": {"moves": [{"move": "Hold"}, {"move": "Roll", "pips": 1}]}}
    path = tmp_path / "answers.json"
    path.write_text(json.dumps(told))

    code, out, _ = command("pig", *photos, "--answers", str(path))

    assert code == 0
    assert "total: player 1 has 3, player 2 has 0" in out


@pytest.mark.parametrize(
    "argv",
    [
        ["pig"],
        ["chess", "a.jpg"],
        ["pig", "--players", "0", "a.jpg"],
        ["pig", "--set", "target=none", "a.jpg"],
        ["pig", "--answers", "there-is-none.json", "a.jpg"],
    ],
)
def test_wrong_usage_is_told(argv, capsys):
    with pytest.raises(SystemExit) as stop:
        cli.main(["follow", *argv])

    assert stop.value.code == 2
    assert "Traceback" not in capsys.readouterr().err


def test_a_race_is_followed_from_its_rendered_photos(capsys):
    """The real eyes, two rounds of the race: sure of all but who sits where."""
    race = json.loads((BOARDS / "race.json").read_text())["rounds"][:2]

    assert (
        cli.main(["follow", "purple_house", "--json", *(str(BOARDS / r["file"]) for r in race)])
        == 0
    )

    first, second = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert (len(first["moves"]), len(second["moves"])) == (10, 9)
    assert first["score"] == [race[0]["total"]["black"], race[0]["total"]["white"]]
    assert second["score"] == [race[1]["total"]["black"], race[1]["total"]["white"]]
    assert second["sure"]


def test_a_doubt_about_progress_asks_nothing():
    game = GAMES["pig"]
    progress = replace(
        game,
        observe=lambda state, table: replace(
            game.observe(state, table), doubts=(Doubt("so far", about="progress"),)
        ),
    )
    seen = SeenTable(Table((Die(4, "red"),)))

    step = understood(progress, game.start(2, {}), lambda *_: seen)

    assert step.sure
    assert step.doubts


# ---------------------------------------------------------------- how it is measured


def rolled(*pips: int, sure: bool = True) -> dict[str, Any]:
    return {"moves": [{"move": "Roll", "pips": pip} for pip in pips], "sure": sure}


def test_where_a_hold_is_shown_by_the_table_without_the_die_nothing_is_asked(film):
    game, house = GAMES["pig"], {"holds": "shown"}
    taken = shots(game, 2, 1, MOST, house)
    match = follower("pig", film, nobody, **house)

    asked = []
    for number, shot in enumerate(taken):
        step = match.take(film.photo(f"p{number}.jpg", shot.table))
        asked += [] if step.sure else [step.doubts]
        if not step.sure:  # the die may lie as it fell before, which one die alone cannot tell
            match = follower("pig", film, nobody, **house)
            match.state = shot.after
        assert match.state == shot.after

    assert {type(move) for shot in taken for move in shot.moves} == {*game.moves}
    assert all("was the die rolled again?" in doubts[0] for doubts in asked)


def test_what_eyes_that_never_err_ask_no_photo_tells():
    series = Path(__file__).parents[1] / "fixtures" / "series"

    eyes = measure.flawless(series / "pig-29")
    counts = measure.measured(series / "pig-29", eyes, answers=True).counts

    assert (counts.right, counts.silent, counts.followed) == (counts.photos, 0, 1)
    assert counts.asked == 3  # whether the player held


def test_what_was_asked_is_counted_by_kind():
    told = [
        {"sure": False, "doubts": ["is the red 4 read right?", "2 of 9"], "differences": []},
        {"sure": False, "doubts": ["is the blue 5 read right?"], "differences": ["3-4 is gone"]},
        {"sure": True, "doubts": ["3 of 9"], "differences": []},
    ]

    assert list(measure.kinds(told))[1:] == [
        "    2      1  is the … … read right?",
        "    1      0  cannot be: … is gone",
    ]


@pytest.mark.parametrize(
    ("told", "counts"),
    [
        ([rolled(2), rolled(3)], (2, 0, 0, 1)),
        ([rolled(2), rolled(3, sure=False)], (2, 0, 1, 1)),
        ([rolled(2), rolled(4)], (1, 1, 0, 0)),
        ([rolled(2), rolled(4, sure=False)], (1, 0, 1, 0)),
        ([rolled(sure=False), rolled(3, sure=False)], (0, 0, 2, 0)),
    ],
)
def test_a_wrong_position_is_silent_where_nobody_was_asked(told, counts, tmp_path, monkeypatch):
    (tmp_path / "match.json").write_text(json.dumps({"game": "pig", "players": 2}))
    truth = {f"{at}.jpg": rolled(pip) for at, pip in enumerate((2, 3))}
    (tmp_path / "answers.json").write_text(json.dumps(truth))
    monkeypatch.setattr(measure, "follow", lambda *_, answers: told)

    found = measure.measured(tmp_path, see, answers=True).counts

    assert (found.right, found.silent, found.asked, found.followed) == counts


@pytest.mark.parametrize(
    ("then", "asks"),
    [
        (lying_at(0.5, *ROLL), True),  # the same dice as they lay
        (lying_at(0.5, (2, 0, 0, 0.9), (5, 7, 1, 1.0)), False),  # thrown, and alike by chance
    ],
)
def test_the_page_asks_whether_dice_were_rolled_again_unless_they_lie_elsewhere(then, asks, store):
    begun = matches.create(
        store, "beat_the_odds", ["Ada", "Ben"], {}, [{"move": "Agree", "starter": 0}]
    )
    row = begun.row.id
    seen = store.keep(row, lying_at(0, *ROLL), b"jpeg")
    roll = {"move": "Roll", "low": 2, "high": 5}
    now = matches.play(store, row, begun.seq, [roll], sighting=seen.id)

    lies = lies_as_before(store, now, then)
    proposal, _preview = matches.propose(now, Table((Die(2, "red"), Die(5, "red"))), lies)

    assert lies == asks
    assert [doubt.about for doubt in proposal.doubts] == ["again"] * asks


def test_dice_that_were_typed_in_tell_nothing_of_where_they_lay(store):
    opening = [{"move": "Agree", "starter": 0}, {"move": "Roll", "low": 2, "high": 5}]
    now = matches.create(store, "beat_the_odds", ["Ada", "Ben"], {}, opening)

    assert lies_as_before(store, now, lying_at(0, *ROLL)) is None


def test_two_alike_side_by_side_are_not_taken_for_each_other():
    """Two fours far from the other dice: told by two near dice alone, each seemed the other."""
    lying = [(1, 49, 10, 2.4), (2, 31, 62, 6.1), (4, 213, 40, 4.5), (4, 205, 24, 4.5)]
    lying += [(4, 12, 22, 4.3), (5, 208, 139, 2.6)]  # value, mm, mm, turn
    table = Table(tuple(PlacedDie(value, "white", lies=place) for value, *place in lying))
    chance = random.Random(1)

    pairs = [(photographed(chance, table), photographed(chance, table)) for _again in range(6)]

    assert all(same_arrangement(*pair) for pair in pairs)
