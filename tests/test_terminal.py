from __future__ import annotations

import random

import pytest

from scorer.games import GAMES
from scorer.sentence import MOST, speak
from webui.terminal import Session, play


def type_in(lines, game="purple_house", names=("Ada", "Bo"), settings=None, resume=None):
    """Play with the typed lines; return the exit code and everything that was said."""
    typed, said = iter(lines), []

    def ask(_prompt):
        try:
            return next(typed)
        except StopIteration:
            raise EOFError from None

    code = play(game, names, settings or {}, resume, ask, said.append)
    return code, "\n".join(said)


OPENING = ["Ada starts Ada black", "black 3 row 1 column 2"]


def test_a_move_is_played_as_soon_as_the_words_fit_one():
    code, said = type_in(OPENING)

    assert code == 0
    assert "→ black 3 on row 1, column 2" in said
    assert "1 of 9 dice lie on the grid, Bo (white) is next" in said


def test_part_of_a_sentence_lists_what_fits():
    _, said = type_in([*OPENING, "white 4", "fly away"])

    assert "white 4 on row 1, column 1" in said
    assert "No move now fits “fly away”" in said


def test_undo_why_history_and_help():
    _, said = type_in(["undo", *OPENING, "history", "undo", "history", "why", "help", "quit"])

    assert "There is nothing to take back." in said
    assert "   2 black 3 on row 1, column 2" in said
    assert said.count("   1 Ada starts, Ada has black") == 2
    assert "save F" in said


def test_a_match_is_saved_and_gone_on_with(tmp_path):
    path = tmp_path / "evening.jsonl"
    _, said = type_in([*OPENING, f"save {path}"])
    assert "Saved to" in said

    code, said = type_in(["white 2 row 1 column 1", "history"], resume=path)

    assert code == 0
    assert "   3 white 2 on row 1, column 1" in said


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "the recording is empty"),
        ('{"game": "purple_house", "version": 1, "seats": 2}\n{"move": 1}', "line 2: a move is"),
        ("{", "line 1 is no JSON"),
    ],
)
def test_a_broken_recording_is_refused_in_a_sentence(tmp_path, text, sentence):
    path = tmp_path / "broken.jsonl"
    path.write_text(text)

    code, said = type_in([], resume=path)

    assert code == 2
    assert sentence in said


def test_bad_settings_and_places_are_refused_in_a_sentence(tmp_path):
    assert type_in([], settings={"variant": "chess"})[0] == 2
    assert type_in([], resume=tmp_path / "none.jsonl")[0] == 2
    _, said = type_in(["save", f"save {tmp_path}/no/such/folder/x"])
    assert "Say where to" in said
    assert "cannot be written: No such file or directory." in said


@pytest.mark.parametrize("name", GAMES)
def test_every_game_can_be_played_in_a_terminal(name, tmp_path):
    game = GAMES[name]
    names = [f"P{seat}" for seat in range(game.seats[0])]
    path = tmp_path / "match.jsonl"

    code, said = type_in(["moves", "why", "history", f"save {path}"], name, names)

    assert code == 0
    assert game.title in said
    assert path.exists()


def test_a_roll_of_many_dice_is_typed_as_it_lies():
    wide = ("dice_wide_shut", ("Ada", "Bo"))
    roll = "red 1 2 3 blue 1 1 6 purple 3"

    _, said = type_in(["Ada starts", "moves", "red 1", "red ?", roll, "history"], *wide)

    assert "too many ways to list" in said
    assert "1 red, 0 blue and 0 purple dice were seen" in said
    assert "? is no die" in said
    assert "→ Ada rolls red 1 2 3, blue 1 1 6, purple 3" in said
    assert "   2 Ada rolls red 1 2 3" in said


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_played_to_its_end_by_typing_whole_sentences(name):
    chance, game = random.Random(11), GAMES[name]
    session = Session(game, ("Ada", "Bo"), {}, lambda _said: None)
    for made in range(400):
        if game.is_over(session.state):
            break
        session.take(typed(session, chance))
        assert len(session.moves) == made + 1

    assert game.is_over(session.state) or len(session.moves) == 400


def typed(session, chance):
    """Return a legal move in words, or a roll of many dice as it lies."""
    spoken = speak(session.game, session.state, session.names)
    if len(spoken) < MOST:
        return chance.choice(spoken).text
    wanted = session.game.equipment(session.state).colours.items()
    return " ".join(f"{colour} {' '.join(chance.choices('123456', k=n))}" for colour, n in wanted)
