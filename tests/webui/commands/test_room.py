"""`pipsight photos` says what photos use; `pipsight matches CODE --delete` asks and deletes."""

import re

import pytest

from tests.conftest import picture
from webui.cli import main
from webui.match import match as matches


@pytest.fixture
def file(tmp_path):
    return str(tmp_path / "log.sqlite")


@pytest.fixture
def match(store):
    """A match with a photo of March and one that is gone."""
    made = matches.create(store, "pig", ["Ada", "Ben"], {})
    for width, at in ((64, "2026-03-02T20:00:00Z"), (72, "2026-04-02T20:00:00Z")):
        kept = store.keep(made.row.id, {}, picture(width))
        with store.database.writing() as connection:
            connection.exec_driver_sql("UPDATE sighting SET at = ? WHERE id = ?", (at, kept.id))
    return made.row


def test_photos_are_counted_month_by_month_and_old_ones_deleted(store, match, file, capsys):
    assert main(["photos", "--database", file]) == 0
    months = capsys.readouterr().out.splitlines()
    assert [line.split()[:3] for line in months] == [
        ["2026-03", "1", "photos"],
        ["2026-04", "1", "photos"],
        ["total", "2", "photos"],
    ]

    assert main(["photos", "--database", file, "--photo-gb", "0.000000001"]) == 0

    said = capsys.readouterr().out
    assert re.search(r"deleted: 2 photos, 0\.0 MB\ntotal +0 photos", said)
    assert "2 more are not kept any more" in said
    assert matches.load(store, match.id).seq == 0


@pytest.mark.parametrize("number", ["0", "-1", "many", "inf", "1e9"])
def test_a_limit_is_a_number_above_0(number, capsys):
    with pytest.raises(SystemExit):
        main(["photos", "--photo-days", number])

    assert "write a number above 0" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["photos"], ["host", "ABCDEF"], ["stats"], ["matches"]])
def test_no_command_makes_a_database_only_to_look_into_it(command, tmp_path, capsys):
    file = tmp_path / "none.sqlite"

    assert main([*command, "--database", str(file)]) == 1

    assert f"There are no matches at {file}. Start one" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("answer", "code", "left"), [("n", 1, 1), ("", 1, 1), ("y", 0, 0)])
def test_a_match_is_deleted_after_a_question(
    store, match, file, answer, code, left, monkeypatch, capsys
):
    monkeypatch.setattr("builtins.input", lambda _ask: answer)

    assert main(["matches", match.code, "--delete", "--database", file]) == code

    assert len(store.newest(9)) == left
    assert len(list(store.photos.iterdir())) == 2 * left
    assert ("Nothing was deleted" in capsys.readouterr().out) == bool(left)


def test_it_is_deleted_without_a_question_where_that_is_said(store, match, file, capsys):
    assert main(["matches", match.id, "--delete", "--yes", "--database", file]) == 0
    assert main(["matches", match.id, "--delete", "--yes", "--database", file]) == 1

    said = capsys.readouterr()
    assert (
        said.out
        == f"Deleted: {match.code}, pig of Ada, Ben, and 2 photos that no other match has.\n"
    )
    assert "no match" in said.err.lower()
    assert store.newest(9) == ()


def test_which_match_is_to_be_deleted_must_be_said(file, capsys):
    with pytest.raises(SystemExit):
        main(["matches", "--delete", "--database", file])

    assert "name the match to delete" in capsys.readouterr().err
