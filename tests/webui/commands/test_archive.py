"""`pipsight matches`: what was played is listed and exported, and nothing of it changes."""

import csv
import io
import json
import os
from functools import partial

import pytest

from scorer import recording
from scorer.games import GAMES
from tests.conftest import AGREE, board_moves
from tests.webui.serving import serving
from webui import cli
from webui.match import match as matches
from webui.match.undo import undo
from webui.store.database_url import database_url
from webui.store.log import Store
from webui.store.upgrade import CannotOpen


@pytest.fixture
def file(tmp_path):
    return tmp_path / "ours 100%?.sqlite"


@pytest.fixture
def store(file, tmp_path):
    store = Store(database_url(str(file)), tmp_path / "photos")
    yield store
    store.close()


@pytest.fixture
def match(store):
    """A match with a finished round, one step of it taken back and made again."""
    made = matches.create(store, "purple_house", ["=Ada", "Ben"], {"match": "single"})
    for move in [AGREE, *board_moves()]:
        made = matches.play(store, made.row.id, made.seq, [move])
    made = undo(store, made.row.id, made.seq)
    return matches.play(store, made.row.id, made.seq, [board_moves()[-1]])


def printed(file, capsys, *argv):
    """Return what `pipsight matches` prints."""
    assert cli.main(["matches", "--database", str(file), *argv]) == 0
    return capsys.readouterr().out


def files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def test_matches_are_listed_with_code_game_names_and_score(match, file, capsys):
    (line,) = printed(file, capsys).splitlines()

    assert line.startswith(match.row.code)
    assert "purple_house" in line
    assert " over " in line
    assert line.endswith("=Ada 5, Ben 3")


def test_a_listed_match_that_went_on_against_a_rule_says_so(store, file, capsys):
    ones = [{"value": 1, "colour": "white"}] * 5
    against = {"move": "PlayOn", "table": {"dice": ones}, "rule": "FK-2", "confirmed": 0}
    matches.create(store, "farkle", ["Ada", "Ben"], {}, [against])

    assert printed(file, capsys).endswith("Ada 0, Ben 0 · not all by the rules\n")


def test_the_newest_matches_come_first_and_only_so_many(store, monkeypatch, file, capsys):
    times = iter(f"2026-03-0{day}T20:00:00Z" for day in range(1, 4))
    monkeypatch.setattr("webui.store.log.now", lambda: next(times))
    codes = [matches.create(store, "pig", ["Ada", "Ben"], {}).row.whole_code for _ in range(3)]

    listed = printed(file, capsys, "--most", "2").splitlines()

    assert [line.split()[0] for line in listed[:2]] == codes[:0:-1]
    assert listed[2:] == ["There are older ones: pipsight matches --most 4"]
    assert len(printed(file, capsys, "--most", "3").splitlines()) == 3


def test_matches_are_listed_by_player_game_and_date(store, match, file, capsys):
    matches.create(store, "pig", ["Jürgen", "Ben"], {})
    listed = partial(printed, file, capsys)

    assert "Jürgen 0" in listed("--player", "jurgen ben", "--game", "pig", "--since", "2026-01-01")
    assert "Ada" not in listed("--game", "pig")
    assert listed("--until", "2020-01-01").startswith("No match fits.")
    for wrong in (["--since", "soon"], ["--until", "2026-02-30"], ["--game", "nope"]):
        for command in ("matches", "stats"):
            with pytest.raises(SystemExit) as stop:
                cli.main([command, "--database", str(file), *wrong])
            assert stop.value.code == 2
            assert f"{wrong[1]!r}" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        listed(match.row.code, "--player", "Ada")


def test_the_list_is_told_as_json_and_csv(match, file, capsys):
    (listed,) = json.loads(printed(file, capsys, "--as", "json"))
    (row,) = csv.DictReader(io.StringIO(printed(file, capsys, "--as", "csv")))

    assert (listed["id"], listed["names"]) == (match.row.id, ["=Ada", "Ben"])
    assert (listed["score"], listed["over"]) == ([5, 3], True)
    assert (row["code"], row["score"], row["over"]) == (match.row.whole_code, "5, 3", "yes")


@pytest.mark.parametrize("by", ["id", "code"])
def test_a_match_is_exported_as_the_recording_that_a_page_opens(match, by, file, capsys):
    lines = printed(file, capsys, getattr(match.row, by)).splitlines()

    played = recording.read(lines, GAMES)
    assert played.names == ("=Ada", "Ben")
    assert played.scores[-1] == (5, 3)
    assert len(played.moves) == 10  # what was taken back is no move of the match


def test_a_match_as_json_holds_every_step_also_what_was_taken_back(match, file, capsys):
    exported = json.loads(printed(file, capsys, match.row.code, "--as", "json"))

    assert [step["seq"] for step in exported["steps"]] == list(range(1, 13))
    assert [step["seq"] for step in exported["steps"] if not step["standing"]] == [10, 11]
    assert exported["steps"][10]["undo_of"] == 10
    assert exported["result"]["winners"] == [0]
    assert exported["settings"]["match"] == "single"


def test_a_match_as_csv_has_a_line_a_step_and_no_name_that_a_spreadsheet_runs(match, file, capsys):
    rows = list(csv.DictReader(io.StringIO(printed(file, capsys, match.row.code, "--as", "csv"))))

    assert len(rows) == 12
    assert (rows[-1]["'=Ada"], rows[-1]["Ben"], rows[-1]["stands"]) == ("5", "3", "yes")


def test_a_match_of_other_rules_is_listed_and_told_and_has_no_recording(store, file, capsys):
    row = store.create("purple_house", 999, {}, ["Ada", "Ben"])

    assert "of other rules" in printed(file, capsys)
    assert json.loads(printed(file, capsys, row.code, "--as", "json"))["over"] is None
    assert cli.main(["matches", "--database", str(file), row.code]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_an_export_never_replaces_a_file(match, file, tmp_path, capsys):
    out = tmp_path / "match.jsonl"
    argv = ["matches", "--database", str(file), match.row.code, "--out", str(out)]

    assert cli.main(argv) == 0
    before = out.read_text()
    assert cli.main(argv) == 1

    assert f"{out} is there already." in capsys.readouterr().err
    assert out.read_text() == before
    assert recording.read(before.splitlines(), GAMES).scores[-1] == (5, 3)


def test_looking_changes_nothing(match, store, file, tmp_path, capsys):
    store.close()
    (tmp_path / "photos").rmdir()
    before = files(tmp_path)

    printed(file, capsys)
    printed(file, capsys, match.row.code, "--as", "json")

    assert {name: files(tmp_path)[name] for name in before} == before
    assert not (tmp_path / "photos").exists()


@pytest.mark.release
def test_matches_are_listed_while_a_server_runs(tmp_path, capsys):
    with serving(tmp_path) as running:
        game = {"game": "pig", "names": ["Ada", "Ben"]}
        made = running.call("/api/matches", game)[1]
        listed = printed(tmp_path / "pipsight.sqlite", capsys)
        status, _ = running.call("/api/matches", game)

    assert listed.startswith(made["code"])
    assert status == 201


def test_an_older_database_is_told_and_left_as_it_is(store, file, capsys):
    with store.database.writing() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = 'r0001'")
    store.close()
    before = file.read_bytes()

    assert cli.main(["matches", "--database", str(file)]) == 1

    assert "Start pipsight serve with it once" in capsys.readouterr().err
    assert file.read_bytes() == before


def test_a_match_that_there_is_not_is_told_and_how_to_begin_one(store, file, capsys):
    assert "There are no matches yet." in printed(file, capsys)
    assert cli.main(["matches", "--database", str(file), "NOCODE"]) == 1
    assert "There is no match 'NOCODE'." in capsys.readouterr().err


@pytest.mark.parametrize("said", ["", " ", "sqlite:x", "file:x.sqlite", "mysql:"])
def test_what_is_neither_a_file_nor_an_address_is_told(said):
    with pytest.raises(CannotOpen, match="is neither a file nor a database's address"):
        database_url(said)


@pytest.mark.parametrize(
    ("said", "url"),
    [
        ("sqlite:////x.sqlite", "sqlite:////x.sqlite"),
        ("/x.sqlite", "sqlite:////x.sqlite"),
        ("x.sqlite", "sqlite:///x.sqlite"),
        ("not a url", "sqlite:///not a url"),
        ("postgres://u@h/n", "postgresql+psycopg://u@h/n"),
    ],
)
def test_a_plain_path_is_a_file_of_matches(said, url):
    assert database_url(said) == url


@pytest.mark.skipif(os.name == "nt", reason="home folders of POSIX systems")
def test_a_path_may_begin_at_home(monkeypatch):
    monkeypatch.setenv("HOME", "/home/ada")

    assert database_url("~/x.sqlite") == "sqlite:////home/ada/x.sqlite"
