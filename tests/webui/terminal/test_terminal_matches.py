"""Matches typed in the terminal are stored, saved to files, and gone on with."""

import sys

import pytest

from scorer.games import GAMES
from tests import ROOT
from tests.conftest import place
from tests.webui.terminal.conftest import OPENING, session_of
from webui import cli
from webui.errors import DiskFull
from webui.match import match as matches
from webui.store.log import Store
from webui.terminal import matches as played
from webui.terminal.play import play

BOARD = ROOT / "fixtures" / "boards" / "race-01.jpg"


def kept(store):
    """Return the matches in the store."""
    return [matches.load(store, row.id) for row in store.newest(20)]


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
    stored = []

    def typed():
        yield OPENING[0]
        stored.append(kept(store)[0].seq)
        yield "undo"
        stored.append(kept(store)[0].seq)

    type_in(typed())

    assert stored == [1, 2]


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


def test_a_match_is_gone_on_with_by_the_title_that_its_players_gave_it(store, type_in):
    for title in ("Skyjo", "Skat", "skyjo"):
        type_in(["Ada 5"], "sum", settings={"name": title})
    newest, skat, oldest = kept(store)

    for resume in ("Skat", "SKA"):
        assert f"--resume {skat.row.code}" in type_in(["Bo 3"], None, (), resume=resume)[1]
    for resume in ("Skyjo", "sk"):
        code, said = type_in([], None, (), resume=resume)
        assert code == 2
        assert f"several matches are called '{resume}'; name one by its code" in said
        assert f"skyjo {newest.row.code}" in said
        assert f"Skyjo {oldest.row.code}" in said
    assert "Skat" not in type_in([], None, (), resume="skyjo")[1]
    assert "holds a match of sum" in type_in([], "pig", (), resume="skat")[1]


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
    assert session.state.rolls == ((4,), (6,))


def test_a_match_that_is_over_is_looked_at_and_its_end_taken_back(store, type_in):
    _, said = type_in(["6", "6", "hold", "never asked"], "pig", settings={"target": 10})
    assert "Ada wins with 12" in said
    assert "never" not in said
    assert "No move is left." not in said
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
    (code,) = (one.row.whole_code for one in kept(store) if taken.suffix[1:] == one.row.code)
    assert (folder / "broken.jsonl").read_text() == "bread"
    _, said = type_in(["history"], None, (), resume=str(folder / "pig-1.jsonl"))
    assert f"The match is kept as {code}." in said
    assert "   2 black 3 on row 1, column 2" in said


def test_the_command_keeps_its_match_where_matches_lists_it(home, monkeypatch, capsys):
    old = home / "pipsight" / "played" / "old.jsonl"
    old.parent.mkdir(parents=True)
    old.write_text('{"game": "pig", "version": 1, "seats": 2, "settings": {}}\n')
    typed = iter(["Ada first", "quit", "6", "quit"])
    monkeypatch.setattr("webui.terminal.play.line_reader", lambda _: lambda _: next(typed))

    assert cli.main(["play", "gords", "Ada", "Bo", "--database", str(home / "b")]) == 0
    assert f"--database {home / 'b'}" in capsys.readouterr().out  # or it is not found again
    assert cli.main(["play", "pig", "Ada", "Bo"]) == 0
    assert "--database" not in capsys.readouterr().out
    assert cli.main(["matches"]) == 0

    listed = capsys.readouterr().out.splitlines()[-2:]
    tallies = {line.split("not over")[1].strip() for line in listed}
    assert tallies == {"Ada 0, Bo 0", "Player 1 0, Player 2 0"}


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (["play"], "name a game, or continue a match: --resume"),
        (["play", "--resume"], "no match can be continued"),
        (["play", "--resume", "pig"], "no match of Pig can be continued"),
        (["play", "--resume", "nonsense"], "there is no match and no file 'nonsense'"),
        (["play", "--resume", "", "--set", "target=10"], "leave out --set"),
        (["play", "pig", "Ada", "ada"], "Two players are called ada"),
        (["play", "pig", "Ada"], "Pig is for 2 to 10 players, not 1"),
        (["play", "pig", "--set", "target=1"], "target is a whole number from 10 to 1000"),
    ],
)
def test_what_cannot_be_begun_is_told_with_exit_code_2(argv, sentence, home, capsys):
    with pytest.raises(SystemExit) as stop:
        sys.exit(cli.main(argv))

    assert stop.value.code == 2
    assert sentence in capsys.readouterr().err


def test_save_leaves_what_a_file_holds_unless_it_is_an_earlier_step(type_in, tmp_path):
    shopping, path = tmp_path / "list.txt", tmp_path / "match.jsonl"
    shopping.write_text("bread")

    _, said = type_in([f"save {shopping}", *OPENING, f"save {path}", "undo", f"save {path}"])
    assert shopping.read_text() == "bread"
    assert f"Save under another name, or type: replace {shopping}" in said
    assert said.count(f"{path} has other content") == 1  # a step more than now
    assert "black 3" in type_in(["history"], None, (), resume=str(path))[1]

    code, said = type_in(["white 2 row 1 column 1", f"save {path}"], None, (), resume=str(path))
    assert (code, said.count("Saved to")) == (0, 1)
    assert "Ada 0, Bo 0" in said  # the names are in the file

    type_in([OPENING[0], f"replace {shopping}"])
    assert shopping.read_text().startswith('{"game": "purple_house"')


@pytest.mark.parametrize("name", [".", "/", "a\0b", "x" * 300])
def test_what_is_no_name_for_a_file_is_told(type_in, name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    _, said = type_in([f"replace {name}", f"save {name}", "history"])

    assert said.count("cannot be written") + said.count("is not a name for a file") >= 1
    assert list(tmp_path.glob("*.part")) == []


def test_save_without_a_name_and_where_there_is_no_folder(type_in, tmp_path):
    _, said = type_in(["save", f"save {tmp_path}/no/such/folder/x"])

    assert "Name a file: save" in said
    assert "cannot be written: No such file or directory." in said


HEAD = '{"game": "pig", "version": 1, "seats": 2'


@pytest.mark.parametrize(
    ("game", "held", "sentence"),
    [
        ("purple_house", b"", "the recording is empty"),
        ("purple_house", f"{HEAD}}}".encode(), "holds a match of pig"),
        (
            None,
            f'{HEAD}, "settings": {{"coach_plays": 4}}}}\n'.encode(),
            "The coach cannot play for player 4: there are 2",
        ),
        ("purple_house", BOARD.read_bytes(), "The match cannot start: {} holds no saved match."),
    ],
)
def test_a_broken_recording_is_refused_in_a_sentence(
    store, type_in, tmp_path, game, held, sentence
):
    path = tmp_path / "broken.jsonl"
    path.write_bytes(held)

    code, said = type_in([], game, resume=str(path))

    assert (code, kept(store)) == (2, [])
    assert sentence.format(path) in said


def test_an_old_match_whose_coach_has_no_seat_is_gone_on_with(store, type_in):
    old = store.create("pig", GAMES["pig"].version, {"coach_plays": 4}, ("Ada", "Ben"))

    code, said = type_in(["4"], None, (), resume=old.code)

    assert code == 0
    assert "→ Ada rolls 4" in said
