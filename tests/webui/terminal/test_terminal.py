"""`pipsight play`: a match typed in words, kept where the server keeps its matches."""

from __future__ import annotations

import os
import random
import re
import select
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from scorer import named, recording
from scorer.games import GAMES
from scorer.sentence import MOST, Spoken, search, speak
from tests import ROOT
from tests.conftest import place
from tests.tools.record import FOLDER
from webui import cli
from webui.errors import DiskFull
from webui.match import match as matches
from webui.store.log import Store
from webui.terminal import matches as played
from webui.terminal.examples import examples
from webui.terminal.line_editor import completer, line_reader
from webui.terminal.play import play
from webui.terminal.session import Session

BOARD = ROOT / "fixtures" / "boards" / "race-01.jpg"
OPENING = ["Ada starts Ada black", "black 3 row 1 column 2"]


@pytest.fixture
def type_in(store):
    """Return a function that plays with typed lines: the exit code and everything said."""

    def typing(
        lines,
        game="purple_house",
        names=("Ada", "Bo"),
        settings=None,
        resume=None,
        end=EOFError,
        **more,
    ):
        typed, said = iter(lines), []

        def ask(_prompt):
            try:
                return next(typed)
            except StopIteration:
                raise end from None

        code = play(store, game, names, settings or {}, resume, ask, said.append, **more)
        return code, "\n".join(said)

    return typing


def session_of(store, game, names=("Ada", "Bo"), settings=None):
    """Return a match at the terminal and the list of what it says."""
    said = []
    return Session(store, played.new(game, names, settings or {}), said.append), said


def kept(store):
    """Return the matches in the store."""
    return [matches.load(store, row.id) for row in store.newest(20)]


# ---------------------------------------------------------------- typing


def test_a_move_is_played_as_soon_as_the_words_fit_one(type_in):
    code, said = type_in(OPENING)

    assert code == 0
    assert "→ black 3 on row 1, column 2" in said
    assert "1 of 9 dice lie on the grid, Bo (white) is next" in said


def test_part_of_a_sentence_lists_what_fits(type_in):
    _, said = type_in([*OPENING, "white 4", "fly away"])

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
    told = [
        "player 1 rolls 1",
        "player 1 rolls 1 and player 2 rolls 2",
        "player 1 rolls 2 and player 2 rolls 1",
        "player 1 rolls 1-2",
        "player 2 shows 1 1",
        "player 1 plays 2-3",
    ]
    moves = [Spoken(place, tuple(text.split())) for place, text in enumerate(told)]

    assert [one.text for one in search(moves, typed)] == found


def test_a_roll_of_many_dice_is_typed_as_it_lies(type_in):
    roll = "red 1 2 3 blue 1 1 6 purple 3"

    _, said = type_in(["Ada starts", "moves", "red 1", "red ?", roll, "history"], "dice_wide_shut")

    assert "too many ways to list" in said
    assert (
        "1 red, 0 blue and 0 purple do not make a roll of 3 red, 3 blue and 1 purple. (DW-2)"
        in said
    )
    assert "? is no die" in said
    assert "→ Ada rolls red 1 2 3, blue 1 1 6, purple 3" in said
    assert "   2 Ada rolls red 1 2 3" in said


def histories():
    """Yield each recorded match with the names of its players, also such as have numbers."""
    for path in sorted(FOLDER.glob("*.jsonl")):
        recorded = recording.read(path.read_text().splitlines(), GAMES)
        for names in (("Ada", "Bo", "Cy", "Di", "Ed"), ("player 1", "player 2", "3rd", "4", "V")):
            yield pytest.param(recorded, names[: recorded.seats], id=f"{path.stem} {names[0]}")


@pytest.mark.parametrize(("recorded", "names"), list(histories()))
@pytest.mark.parametrize("as_printed", ["{}", "{:>4} {}", "→ {}"])
def test_what_history_prints_can_be_typed(store, recorded, names, as_printed):
    game = GAMES[recorded.game]
    session, _ = session_of(store, recorded.game, names, recorded.settings)
    numbered = as_printed.count("{") == 2

    for number, move in enumerate(recorded.moves[:8], start=1):
        words = named(game.describe(session.state, move), names)
        after = game.apply(session.state, move)
        session.take(as_printed.format(number, words) if numbered else as_printed.format(words))
        assert session.state == after


@pytest.mark.parametrize("name", GAMES)
def test_help_shows_what_to_type_now_and_each_example_is_that_one_move(store, name):
    chance = random.Random(5)
    session, said = session_of(store, name)
    for _ in range(6):
        said.clear()
        session.take("help")
        spoken = speak(session.game, session.state, session.names)
        if len(spoken) < MOST:
            shown = list(examples(spoken, session.names))
            assert shown
            for typed, meant in shown:
                assert [one.text for one in search(spoken, typed)] == [meant]
                assert any(typed in line and meant in line for line in said)
        session.take(a_move(session, chance))


def test_a_sentence_is_completed_and_so_is_a_command(store):
    session, _ = session_of(store, "pig")
    session.take("4")

    assert session.complete("Ada h") == ["Ada holds 4"]
    assert session.complete("hist") == ["history"]
    assert session.complete("") == [
        *(
            f"Ada rolls {pips}{' and loses the turn with its 4 points' * (pips == 1)}"
            for pips in range(1, 7)
        ),
        "Ada holds 4",
    ]


def test_the_editor_puts_the_whole_line_in_place_of_what_was_typed():
    from prompt_toolkit.completion import CompleteEvent
    from prompt_toolkit.document import Document

    (offered,) = completer(lambda typed: [f"Ada {typed}s 4"]).get_completions(
        Document("hold"), CompleteEvent()
    )

    assert (offered.text, offered.start_position) == ("Ada holds 4", -4)


# ---------------------------------------------------------------- what is shown

DRAWN = {
    "purple_house": (OPENING, "row 1     .    b3   ."),
    "dice_wide_shut": (
        [
            "Ada starts",
            "red 1 2 3 blue 1 1 6 purple 3",
            "red 1 red 2",
            "row 1 and the 2 in row 1",
            "table",
        ],
        "row 1   x x 3 4 5  6      1 1 1 1 1  6",
    ),
    "gords": (["Ada first", "4 sixes"], "1  1*  2  3  2*  [4: six]  5  3*  6"),
    "even_at_odds": (
        ["Ada starts Ada evens", "0-1 level 2 its 0 on the left 2-2 its 1 on the left 1-1"],
        "row 1   1^2 1   6   6",
    ),
    "beat_the_odds": (["Ada begins", "22"], "Ada 0 (+4 this turn), Bo 0"),
    "pig": (["5"], "Ada 0 (+5 this turn), Bo 0"),
    "farkle": (["1 1 5 2 3 4", "Ada keeps 1 1 and rolls on"], "Ada 0 (+200 this turn), Bo 0"),
}


@pytest.mark.parametrize("game", GAMES)
def test_what_lies_on_the_table_is_drawn(type_in, game):
    lines, drawn = DRAWN[game]

    _, said = type_in(lines, game)

    assert drawn in said


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_played_by_typing_and_ends_after_the_win(store, name):
    chance, game = random.Random(11), GAMES[name]
    session, _ = session_of(store, name, settings=SHORT.get(name))
    for made in range(1, 301 if name in SHORT else 31):
        assert not game.is_over(session.state)
        goes_on = session.take(a_move(session, chance))
        assert session.match.seq == made
        assert all(len(line) <= 50 for text in game.draw(session.state) for line in lines(text))
        assert goes_on != game.is_over(session.state)
        if not goes_on:
            break

    if name in SHORT:
        assert game.is_over(session.state)


# These come to their end; of the others, which may take thousands of moves, the beginning.
SHORT = {"pig": {"target": 10}, "purple_house": {"match": "single"}, "beat_the_odds": {}}


def lines(text):
    return text.splitlines()


def a_move(session, chance):
    """Return a legal move in words, or a roll of many dice as it lies."""
    spoken = speak(session.game, session.state, session.names)
    if len(spoken) < MOST:
        return chance.choice(spoken).text
    wanted = session.game.equipment(session.state).colours.items()
    return " ".join(f"{colour} {' '.join(chance.choices('123456', k=n))}" for colour, n in wanted)


# ---------------------------------------------------------------- stored and continued


@pytest.mark.parametrize(
    ("lines", "end", "code"),
    [((), EOFError, 0), ((), KeyboardInterrupt, 130), (("quit",), EOFError, 0)],
    ids=["Ctrl-D", "Ctrl-C", "quit"],
)
def test_a_match_is_kept_however_it_ends_and_gone_on_with(store, type_in, lines, end, code):
    stopped, said = type_in([*OPENING, *lines], end=end)

    (match,) = kept(store)
    assert stopped == code
    assert f"  pipsight play --resume {match.row.code}\n" in said

    for resume in ("", "purple_house", match.row.code, match.row.code.lower(), match.row.id):
        _, said = type_in(["history"], None, (), resume=resume)
        assert "   2 black 3 on row 1, column 2" in said
    type_in(["white 2 row 1 column 1"], None, (), resume="")
    assert kept(store)[0].row == match.row
    assert kept(store)[0].seq == 3


def test_a_match_without_a_move_leaves_nothing_behind(store, type_in):
    code, said = type_in(["quit"])

    assert (code, kept(store)) == (0, [])
    assert "kept" not in said


def test_a_move_is_stored_before_the_next_line_is_typed(store, type_in):
    """A terminal window that is closed asks nobody."""
    seen = []

    def typed():
        yield OPENING[0]
        seen.append(kept(store)[0].seq)
        yield "undo"
        seen.append(kept(store)[0].seq)

    type_in(typed())

    assert seen == [1, 2]


def test_the_last_match_is_the_one_played_last_and_not_over(store, type_in):
    type_in(["5"], "pig")
    type_in(["4"], "pig", ("Cy", "Di"))
    type_in(["5", "hold"], "pig", settings={"target": 10}, resume=None)
    first, *_ = reversed(kept(store))
    type_in(["5"], None, (), resume=first.row.code)
    type_in(["6", "6", "hold"], "pig", ("Ed", "Fi"), {"target": 10})

    _, said = type_in([], None, (), resume="")

    assert "Ada 0 (+10 this turn), Bo 0" in said
    code, said = type_in([], "gords", (), resume="")
    assert code == 2
    assert "no match of Gords can be continued" in said


def test_a_match_of_the_page_is_gone_on_with_in_the_terminal_and_the_other_way_round(
    client, services, match
):
    said = []
    asked = iter(["black 3 row 1 column 2"])
    play(services.store, None, (), {}, match["code"], lambda _: next(asked, "quit"), said.append)

    view = client.get(f"/api/matches/{match['id']}").json
    assert view["seq"] == match["seq"] + 1
    assert view["history"][-1]["text"] == ["black 3 on row 1, column 2"]
    sent = {"after": view["seq"], "moves": [place(0, 0, "white", 2)]}
    assert client.post(f"/api/matches/{match['id']}/moves", json=sent).status_code == 201

    play(services.store, None, (), {}, "", lambda _: "quit", said.append)
    assert "row 1     w2   b3   ." in "\n".join(said)
    assert f"The match is kept as {match['code']}." in "\n".join(said)


def test_what_another_phone_did_meanwhile_is_told_before_a_move_is_taken(store):
    session, said = session_of(store, "pig")
    session.take("4")
    row = session.match.row
    matches.play(store, row.id, 1, [{"move": "Hold"}])

    session.take("5")

    assert session.match.seq == 2  # the 5 was typed for Ada's turn
    assert said[-1] == "Type it again if it still holds."
    assert "→ Ada holds 4" in said
    session.take("5")
    assert session.match.steps[-1].event.text == ("Bo rolls 5",)


def test_a_full_disk_is_told_and_the_move_is_not_made(store, monkeypatch):
    session, said = session_of(store, "pig")
    session.take("4")

    def full(*_args, **_named):
        raise DiskFull("The disk is full.")

    monkeypatch.setattr(Store, "append", full)
    assert session.take("5")
    assert said[-1] == "Not played: The disk is full."
    assert session.take("undo")
    assert said[-1] == "Not taken back: The disk is full."
    monkeypatch.undo()

    session.take("6")
    assert session.state.rolls == (4, 6)


def test_a_match_that_is_over_is_looked_at_and_its_end_taken_back(store, type_in):
    _, said = type_in(["6", "6", "hold", "never asked"], "pig", settings={"target": 10})
    assert "Ada wins with 12" in said
    assert "never" not in said
    code = kept(store)[0].row.code

    _, said = type_in(["moves", "undo", "roll 6"], None, (), resume=code)

    assert "No move is left." in said
    assert "Ada rolls again or holds 18" in said


def test_matches_of_older_versions_are_taken_over_once_with_their_files(store, type_in, tmp_path):
    folder = tmp_path / "played"
    folder.mkdir()
    type_in([*OPENING, f"save {folder / 'pig-1.jsonl'}"])
    (folder / "broken.jsonl").write_text("bread")

    for _ in range(2):
        played.take_over(store, folder)

    assert len(kept(store)) == 2
    (taken,) = folder.glob("pig-1.jsonl.*")
    assert (folder / "broken.jsonl").read_text() == "bread"
    _, said = type_in(["history"], None, (), resume=str(folder / "pig-1.jsonl"))
    assert f"The match is kept as {taken.suffix[1:]}." in said
    assert "   2 black 3 on row 1, column 2" in said


def test_the_command_keeps_its_match_where_matches_lists_it(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    old = tmp_path / "pipsight" / "played" / "old.jsonl"
    old.parent.mkdir(parents=True)
    old.write_text('{"game": "pig", "version": 1, "seats": 2, "settings": {}}\n')
    typed = iter(["Ada first", "quit", "6", "quit"])
    monkeypatch.setattr("webui.terminal.play.line_reader", lambda _: lambda _: next(typed))

    assert cli.main(["play", "gords", "Ada", "Bo", "--database", str(tmp_path / "b")]) == 0
    assert f"--database {tmp_path / 'b'}" in capsys.readouterr().out  # or it is not found again
    assert cli.main(["play", "pig", "Ada", "Bo"]) == 0
    assert "--database" not in capsys.readouterr().out
    assert cli.main(["matches"]) == 0

    listed = capsys.readouterr().out.splitlines()[-2:]
    assert sorted(line.split("not over")[1].strip() for line in listed) == [
        "Ada 0, Bo 0",
        "Player 1 0, Player 2 0",
    ]


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (["play"], "say which game, or go on with a match: --resume"),
        (["play", "--resume"], "no match can be continued"),
        (["play", "--resume", "pig"], "no match of Pig can be continued"),
        (["play", "--resume", "nonsense"], "there is no match and no file 'nonsense'"),
        (["play", "--resume", "", "--set", "target=10"], "leave --set out"),
        (["play", "pig", "Ada", "ada"], "Two players are called ada"),
        (["play", "pig", "Ada"], "Pig is for 2 to 10 players, not 1"),
        (["play", "pig", "--set", "target=1"], "target is a whole number from 10 to 1000"),
    ],
)
def test_what_cannot_be_begun_is_told_with_exit_code_2(
    argv, sentence, tmp_path, monkeypatch, capsys
):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))

    try:
        code = cli.main(argv)
    except SystemExit as stop:
        code = stop.code

    said = capsys.readouterr()
    assert code == 2
    assert sentence in said.out + said.err


def test_matches_that_cannot_be_opened_are_told_with_exit_code_1(tmp_path, capsys):
    (tmp_path / "list.txt").write_text("bread")

    assert cli.main(["play", "pig", "--database", str(tmp_path / "list.txt")]) == 1
    assert "list.txt cannot be read as a database" in capsys.readouterr().err


# ---------------------------------------------------------------- files


def test_a_match_is_saved_with_its_names_and_gone_on_with(type_in, tmp_path):
    path = tmp_path / "evening.jsonl"
    _, said = type_in([*OPENING, f"save {path}"])
    assert "Saved to" in said

    code, said = type_in(
        ["white 2 row 1 column 1", "history"], "purple_house", (), resume=str(path)
    )

    assert code == 0
    assert "   3 white 2 on row 1, column 1" in said
    assert "Ada 0, Bo 0" in said


def test_save_leaves_what_a_file_holds_unless_it_is_an_earlier_step(type_in, tmp_path):
    shopping, path = tmp_path / "list.txt", tmp_path / "match.jsonl"
    shopping.write_text("bread")

    _, said = type_in([f"save {shopping}", *OPENING, f"save {path}", "undo", f"save {path}"])
    assert shopping.read_text() == "bread"
    assert f"Save under another name, or type: replace {shopping}" in said
    assert said.count(f"{path} holds something else") == 1  # a step more than now
    assert "black 3" in type_in(["history"], None, (), resume=str(path))[1]

    _, said = type_in(["white 2 row 1 column 1", f"save {path}"], None, (), resume=str(path))
    assert "Saved to" in said

    type_in([OPENING[0], f"replace {shopping}"])
    assert shopping.read_text().startswith('{"game": "purple_house"')


@pytest.mark.parametrize("name", [".", "/", "a\0b", "x" * 300])
def test_what_is_no_name_for_a_file_is_told(type_in, name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    _, said = type_in([f"replace {name}", f"save {name}", "history"])

    assert said.count("cannot be written") + said.count("is no name for a file") >= 1
    assert list(tmp_path.glob("*.part")) == []


def test_save_without_a_name_and_where_there_is_no_folder(type_in, tmp_path):
    _, said = type_in(["save", f"save {tmp_path}/no/such/folder/x"])

    assert "Say where to" in said
    assert "cannot be written: No such file or directory." in said


def test_a_photo_is_no_match_to_go_on_with(type_in):
    code, said = type_in([], resume=str(BOARD))

    assert code == 2
    assert said == f"The match cannot start: {BOARD} holds no saved match."


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "the recording is empty"),
        ('{"game": "purple_house", "version": 1, "seats": 2}\n{"move": 1}', "line 2: a move is"),
        ("{", "line 1 is no JSON"),
        ('{"game": "pig", "version": 1, "seats": 2}', "holds a match of pig"),
    ],
)
def test_a_broken_recording_is_refused_in_a_sentence(store, type_in, tmp_path, text, sentence):
    path = tmp_path / "broken.jsonl"
    path.write_text(text)

    code, said = type_in([], resume=str(path))

    assert code == 2
    assert sentence in said
    assert kept(store) == []


# ---------------------------------------------------------------- a real terminal


@pytest.mark.skipif(os.name == "nt", reason="pseudo-terminals of POSIX")
def test_a_terminal_edits_calls_back_and_completes_lines(tmp_path):
    import pty

    ours, theirs = pty.openpty()
    asked = {
        "TERM": "xterm-256color",
        "XDG_DATA_HOME": str(tmp_path),
        "PROMPT_TOOLKIT_NO_CPR": "1",  # nobody here answers where the cursor is
    }
    with subprocess.Popen(
        [sys.executable, "-m", "webui.cli", "play", "pig", "Ada", "Bo"],
        cwd=ROOT,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, **asked},
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


# ---------------------------------------------------------------- the coach


def test_what_would_be_best_is_told_when_it_is_asked(type_in):
    code, said = type_in(["Ada starts", "4", "best"], game="pig", settings={"advice": True})

    assert code == 0
    assert re.search(r"1\. Roll: \d+\.\d % to win\.", said)


def test_the_coach_makes_its_choices_and_waits_for_its_dice(type_in):
    lines = ["Ada starts", "1", "6", "6", "6", "6"]

    code, said = type_in(lines, game="pig", names=("Ada",), coached=True)

    assert code == 0
    assert "Coach thinks. Roll: " in said
    assert "Throw the dice for Coach, and type them." in said
    assert "→ Coach holds 24" in said
    assert said.index("→ Coach holds 24") < said.rindex("Ada 0, Coach 24")


def test_the_coach_places_its_dice_itself(type_in):
    lines = ["Coach starts Coach black", "black rolls 1 2 3 4 5", "white rolls 1 2 3 4 5"]

    _, said = type_in(lines, names=("Ada",), coached=True)

    assert "enter both rolls before the first die is placed" in said
    assert re.search(r"Coach thinks\. .*\n→ black \d on row \d", said)
    assert "1 of 9 dice lie on the grid, Ada (white) is next" in said


def test_a_game_that_nobody_has_solved_has_no_such_opponent(type_in, monkeypatch):
    unsolved = replace(GAMES["even_at_odds"], coach=None)
    monkeypatch.setitem(GAMES, "even_at_odds", unsolved)

    code, said = type_in([], game="even_at_odds", names=("Ada",), coached=True)

    assert code == 2
    assert "Nobody has worked out best play of Even at Odds" in said
