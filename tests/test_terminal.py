from __future__ import annotations

import random
from pathlib import Path

import pytest

from scorer import named, recording
from scorer.games import GAMES
from scorer.sentence import MOST, speak
from tests.record import FOLDER
from webui.terminal import Session, play

BOARD = Path(__file__).parent.parent / "fixtures" / "boards" / "race-01.jpg"


def type_in(
    lines,
    game="purple_house",
    names=("Ada", "Bo"),
    settings=None,
    resume=None,
    keep=None,
    end=EOFError,
):
    """Play with the typed lines; return the exit code and everything that was said."""
    typed, said = iter(lines), []

    def ask(_prompt):
        try:
            return next(typed)
        except StopIteration:
            raise end from None

    code = play(game, names, settings or {}, resume, ask, said.append, keep)
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
    ("lines", "end", "code"),
    [((), EOFError, 0), ((), KeyboardInterrupt, 130), (("quit",), EOFError, 0)],
    ids=["Ctrl-D", "Ctrl-C", "quit"],
)
def test_a_match_is_kept_however_it_ends_and_gone_on_with(tmp_path, lines, end, code):
    stopped, said = type_in([*OPENING, *lines], keep=tmp_path, end=end)

    (path,) = tmp_path.iterdir()
    assert stopped == code
    assert said.endswith(f"Go on with: pipsight play purple_house Ada Bo --resume {path}")

    _, said = type_in(["white 2 row 1 column 1"], resume=path, keep=tmp_path)
    assert "2 of 9 dice lie on the grid" in said
    assert list(tmp_path.iterdir()) == [path]
    assert "   3 white 2 on row 1, column 1" in type_in(["history"], resume=path)[1]


def test_a_match_is_on_the_disk_before_the_next_line_is_typed(tmp_path):
    """A terminal window that is closed asks nobody."""
    seen = []

    def lines():
        yield OPENING[0]
        seen.append([path.read_text().count("\n") for path in tmp_path.iterdir()])
        yield "undo"
        seen.append([path.read_text().count("\n") for path in tmp_path.iterdir()])

    type_in(lines(), keep=tmp_path)

    assert seen == [[2], [1]]


def test_two_matches_have_two_files_and_one_without_a_move_has_none(tmp_path):
    type_in(["quit"], keep=tmp_path)
    assert list(tmp_path.iterdir()) == []

    for _ in range(2):
        type_in(OPENING, keep=tmp_path)
    assert len(list(tmp_path.iterdir())) == 2


def test_a_match_that_cannot_be_kept_is_not_thrown_away_unasked(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    saved = tmp_path / "match.jsonl"

    _, said = type_in([*OPENING, "quit", "history", "quit", "quit"], keep=blocked)
    assert said.count("cannot be written: File exists.") == 2  # with the first move and at quit
    assert "Save it with save FILE, or quit once more to throw it away." in said
    assert "   2 black 3" in said

    _, said = type_in([*OPENING, f"save {saved}", "quit", "history"], keep=blocked)
    assert "throw it away" not in said
    assert saved.exists()


def test_save_leaves_what_a_file_holds_unless_it_is_an_earlier_step(tmp_path):
    shopping, path = tmp_path / "list.txt", tmp_path / "match.jsonl"
    shopping.write_text("bread")

    _, said = type_in([f"save {shopping}", *OPENING, f"save {path}", "undo", f"save {path}"])
    assert shopping.read_text() == "bread"
    assert f"Save under another name, or type: replace {shopping}" in said
    assert said.count(f"{path} holds something else") == 1  # a step more than now
    assert "black 3" in type_in(["history"], resume=path)[1]

    _, said = type_in(["white 2 row 1 column 1", f"save {path}"], resume=path)
    assert "Saved to" in said

    type_in([OPENING[0], f"replace {shopping}"])
    assert shopping.read_text().startswith('{"game": "purple_house"')


@pytest.mark.parametrize("name", [".", "/", "a\0b", "x" * 300])
def test_what_is_no_name_for_a_file_is_told(name):
    _, said = type_in([f"replace {name}", "history"])

    assert "cannot be written" in said or "is no name for a file" in said


def test_a_photo_is_no_match_to_go_on_with():
    code, said = type_in([], resume=BOARD)

    assert code == 2
    assert said == f"The match cannot be begun: {BOARD} holds no saved match."


def histories():
    """Yield each recorded match with the names of its players, also such as have numbers."""
    for path in sorted(FOLDER.glob("*.jsonl")):
        recorded = recording.read(path.read_text().splitlines(), GAMES)
        for names in (("Ada", "Bo", "Cy", "Di", "Ed"), ("player 1", "player 2", "3rd", "4", "V")):
            yield pytest.param(recorded, names[: recorded.seats], id=f"{path.stem} {names[0]}")


@pytest.mark.parametrize(("recorded", "names"), list(histories()))
@pytest.mark.parametrize("as_printed", ["{}", "{:>4} {}", "→ {}"])
def test_what_history_prints_can_be_typed(recorded, names, as_printed):
    game = GAMES[recorded.game]
    session = Session(game, names, recorded.settings, lambda _said: None)
    numbered = as_printed.count("{") == 2

    for number, move in enumerate(recorded.moves[:16], start=1):
        words = named(game.describe(session.state, move), names)
        session.take(as_printed.format(number, words) if numbered else as_printed.format(words))
        assert session.moves[-1:] == [move]
        assert len(session.moves) == number


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
