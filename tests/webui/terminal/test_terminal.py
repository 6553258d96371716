"""`pipsight play`: a match typed in words, kept where the server keeps its matches."""

import os
import random
import select
import subprocess
import sys
import time

import pytest

from scorer import named, recording
from scorer.games import GAMES
from scorer.sentence import MOST, Spoken, search, speak
from tests import ROOT
from tests.grids import every_value, few
from tests.tools.record import FOLDER
from tests.webui.terminal.conftest import OPENING, session_of
from webui.terminal.examples import examples
from webui.terminal.line_editor import completer, line_reader

ROLL = "red 1 2 3 blue 1 1 6 purple 3"


def test_a_move_is_played_as_soon_as_the_words_fit_one_and_part_lists_what_fits(type_in):
    code, said = type_in([*OPENING, "white 4", "fly away"])

    assert code == 0
    assert "→ black 3 on row 1, column 2" in said
    assert "1 of 9 dice are on the grid, Bo (white) is next" in said
    assert "white 4 on row 1, column 1" in said
    assert "No move now fits “fly away”" in said


def test_undo_why_history_and_help(type_in):
    _, said = type_in(["undo", *OPENING, "history", "undo", "history", "why", "help", "quit"])

    assert "There is nothing to take back." in said
    assert "   2 black 3 on row 1, column 2" in said
    assert said.count("   1 Ada starts, Ada has black") == 2
    assert "Taken back: black 3 on row 1, column 2" in said
    assert "No points have been made yet." in said
    assert "save FILE" in said


def test_what_was_taken_back_is_put_back_one_step_or_several(type_in):
    lines = ["redo", *OPENING, "white 4 row 1 column 1", "undo", "undo", "undo", "redo", "redo 2"]
    _, said = type_in([*lines, "redo", "undo", "redo all", "history", "redo 1", "history", "quit"])

    assert said.count("There is nothing to put back.") == 2
    first, *rest = [line for line in said.splitlines() if line.startswith("Put back: ")]
    assert first == "Put back: Ada starts, Ada has black"
    black, white, _ = rest  # and again, after redo 1
    assert black == "Put back: black 3 on row 1, column 2"
    assert white == "Put back: white 4 on row 1, column 1"
    assert "Type redo, or how many steps to put back: redo 1" in said
    assert said.count("   3 white 4 on row 1, column 1") == 1


@pytest.mark.parametrize("typed", ["4-3", "3 4", "43", "3, 4", " 34 "])
def test_a_roll_is_typed_as_its_dice(type_in, typed):
    _, said = type_in(["Ada begins", typed], "beat_the_odds")

    assert "→ Ada rolls 3-4 for 4 points" in said


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("1", ["player 1 rolls 1"]),  # not every move of player 1
        ("12", ["player 1 rolls 1 and player 2 rolls 2", "player 1 rolls 1-2"]),
        ("2 1", ["player 1 rolls 2 and player 2 rolls 1"]),  # as typed before any order
        ("11", ["player 2 shows 1 1"]),
        ("5", []),
        ("3-2", ["player 1 plays 2-3"]),  # a tile turned round
        ("player 2 shows", ["player 2 shows 1 1"]),
    ],
)
def test_dice_alone_mean_the_roll_of_just_these(typed, found):
    sentences = [
        "player 1 rolls 1",
        "player 1 rolls 1 and player 2 rolls 2",
        "player 1 rolls 2 and player 2 rolls 1",
        "player 1 rolls 1-2",
        "player 2 shows 1 1",
        "player 1 plays 2-3",
    ]
    moves = [Spoken(place, tuple(text.split())) for place, text in enumerate(sentences)]

    assert [one.text for one in search(moves, typed)] == found


@pytest.mark.parametrize("typed", ["1 3 4 2 2 6 5", "rolls 1 3 4 2 2 6 5"])
def test_dice_typed_without_their_colours_are_told_how_to_type_them(type_in, typed):
    _, said = type_in(["Ada starts", typed], "dice_wide_shut")

    assert f"These dice have colours: {typed}; type them like red 1 1 4, blue 2." in said


def test_a_roll_of_many_dice_is_typed_as_it_lies(type_in):
    lines = ["Ada starts", "moves", "red 1", "red ?", ROLL, "history", "why"]
    _, said = type_in(lines, "dice_wide_shut")

    assert "choose who rolls first\nThe game asks, and binds nobody: who touched" in said  # DW-2a
    assert "too many ways to list" in said
    refusal = "1 red, 0 blue and 0 purple do not make a roll of 3 red, 3 blue and 1 purple. (DW-2)"
    assert refusal in said
    assert "? is not a die" in said
    assert "→ Ada rolls red 1 2 3, blue 1 1 6, purple 3" in said
    assert "   2 Ada rolls red 1 2 3" in said
    assert "Ada: if the game ended now: −5 for each of 10 empty columns" in said
    assert "Ada −5" not in said


def histories():
    """Yield each recorded match with the names of its players, also such as have numbers."""
    for path in sorted(FOLDER.glob("*.jsonl")):
        recorded = recording.read(path.read_text().splitlines(), GAMES)
        for names in (("Ada", "Bo", "Cy", "Di", "Ed"), ("player 1", "player 2", "3rd", "4", "V")):
            yield recorded, names[: recorded.seats]


@every_value(history=few(histories(), 6), as_printed=["{}", "{:>4} {}", "→ {}"])
def test_what_history_prints_can_be_typed(store, history, as_printed):
    recorded, names = history
    game = GAMES[recorded.game]
    session, _ = session_of(store, recorded.game, names, recorded.settings)
    numbered = as_printed.count("{") == 2

    for number, move in enumerate(recorded.moves[:8], start=1):
        words = named(game.describe(session.state, move), names)
        after = game.apply(session.state, move)
        session.take(as_printed.format(number, words) if numbered else as_printed.format(words))
        assert session.state == after


@pytest.mark.parametrize("name", few(GAMES, 3))
def test_help_shows_what_to_type_now_and_each_example_is_that_one_move(store, name):
    chance = random.Random(5)
    session, said = session_of(store, name)
    for _ in range(6):
        said.clear()
        session.take("help")
        spoken = speak(session.game, session.state, session.names)
        if session.game.typed(session.state):
            last_due = session.names[session.game.to_move(session.state)[-1]]
            assert any(f"like: {last_due} 12" in line for line in said)
        elif len(spoken) < MOST:
            shown = list(examples(spoken, session.names))
            assert shown
            for typed, meant in shown:
                assert [one.text for one in search(spoken, typed)] == [meant]
                assert any(typed in line and meant in line for line in said)
        session.take(a_move(session, chance))
        drawn = "\n".join(session.game.draw(session.state))
        assert all(len(line) <= 50 for line in drawn.splitlines())


def test_a_sentence_is_completed_and_so_is_a_command(store):
    session, _ = session_of(store, "pig")
    session.take("4")

    assert session.complete("Ada h") == ["Ada holds 4"]
    assert session.complete("hist") == ["history"]
    assert session.complete("") == [
        "Ada rolls 1 and loses the turn with its 4 points",
        *(f"Ada rolls {pips}" for pips in range(2, 7)),
        "Ada holds 4",
    ]


def test_the_editor_puts_the_whole_line_in_place_of_what_was_typed():
    from prompt_toolkit.completion import CompleteEvent
    from prompt_toolkit.document import Document

    complete = completer(lambda typed: [f"Ada {typed}s 4"])
    (offered,) = complete.get_completions(Document("hold"), CompleteEvent())

    assert (offered.text, offered.start_position) == ("Ada holds 4", -4)


DRAWN = {
    "purple_house": (OPENING, "row 1     .    b3   ."),
    "dice_wide_shut": (
        ["Ada starts", ROLL, "red 1 red 2", "row 1 and the 2 in row 1", "table"],
        "row 1   x x 3 4 5  6      1 1 1 1 1  6",
    ),
    "gords": (["Ada first", "4 sixes"], "1  1*  2  3  2*  [4 x 6]  5  3*  6"),
    "even_at_odds": (
        ["Ada starts Ada evens", "0-1 level 2 its 0 on the left 2-2 its 1 on the left 1-1"],
        "row 1   1^2 1   6   6",
    ),
    "beat_the_odds": (["Ada begins", "22"], "Ada 0 (+4 this turn), Bo 0"),
    "pig": (["5"], "Ada 0 (+5 this turn), Bo 0"),
    "farkle": (["1 1 5 2 3 4", "Ada keeps 1 1 and rolls on"], "Ada 0 (+200 this turn), Bo 0"),
    "sum": (["12", "Bo 7", "Ada counts 1 + 3 = 4"], "Ada 16, Bo 7"),
}


@pytest.mark.parametrize("game", few(GAMES, 3))
def test_what_lies_on_the_table_is_drawn(type_in, game):
    lines, drawn = DRAWN[game]

    _, said = type_in(lines, game)

    assert drawn in said


def a_move(session, chance):
    """Return a move in words, a roll of many dice as it lies, or a number where one is due."""
    if session.game.typed(session.state):
        return str(chance.randrange(100))
    spoken = speak(session.game, session.state, session.names)
    if len(spoken) < MOST:
        return chance.choice(spoken).text
    wanted = session.game.equipment(session.state).colours.items()
    return " ".join(f"{colour} {' '.join(chance.choices('123456', k=n))}" for colour, n in wanted)


@pytest.mark.release
@pytest.mark.skipif(os.name == "nt", reason="pseudo-terminals of POSIX")
def test_a_terminal_edits_calls_back_and_completes_lines(home, monkeypatch):
    import pty

    ours, theirs = pty.openpty()
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("PROMPT_TOOLKIT_NO_CPR", "1")  # nobody here answers where the cursor is
    with subprocess.Popen(
        [sys.executable, "-m", "webui.cli", "play", "pig", "Ada", "Bo"],
        cwd=ROOT,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    ) as running:
        os.close(theirs)
        heard(ours, b"Ada rolls the die")
        os.write(ours, b"4\r")
        heard(ours, b"or holds 4")
        os.write(ours, b"\x1b[A\r")  # the line before, once more
        heard(ours, b"or holds 8")
        os.write(ours, b"hol\t\r")
        heard(ours, b"Bo rolls the die")
        os.write(ours, b"quit\r")
        said = heard(ours, b"--resume")
        assert running.wait(timeout=30) == 0
    os.close(ours)
    assert b"Traceback" not in said


@pytest.mark.skipif(os.name == "nt", reason="consoles of Windows have no TERM")
@pytest.mark.parametrize(
    ("term", "terminal", "plain"),
    [("dumb", True, True), ("", True, True), ("xterm", False, True), ("xterm", True, False)],
)
def test_a_pipe_and_a_dumb_terminal_read_plain_lines(monkeypatch, term, terminal, plain):
    monkeypatch.setenv("TERM", term)
    for stream in ("stdin", "stdout"):
        monkeypatch.setattr(f"sys.{stream}.isatty", lambda: terminal, raising=False)
    monkeypatch.setattr("prompt_toolkit.PromptSession", Editor)

    assert (line_reader(lambda _: ()) is input) == plain


class Editor:
    def __init__(self, **_named):
        self.prompt = None

    __class_getitem__ = classmethod(lambda cls, _: cls)


def heard(terminal, words):
    """Read what a terminal shows until it has shown *words*; return that."""
    said, end = b"", time.monotonic() + 60
    while words not in said:
        ready, _, _ = select.select([terminal], [], [], max(0, end - time.monotonic()))
        assert ready, said
        said += os.read(terminal, 65536)
    return said
