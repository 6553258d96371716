"""A database of every released version opens, with its tally, and is played on."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from webui.cli import main
from webui.match import match as matches
from webui.store.log import Store
from webui.store.tables.search import ALL

RELEASED = sorted(Path("fixtures/databases").glob("*.sql"))
SCORES = {"pig": (4, 0), "purple_house": (0, 0)}
NEXT = {
    "pig": {"move": "Roll", "pips": 2},
    "purple_house": {"move": "Place", "row": 0, "column": 0, "colour": "white", "pips": 2},
}


@pytest.mark.parametrize("script", RELEASED, ids=lambda path: path.stem)
def test_it_opens_with_its_tally_and_is_played_on(script, tmp_path, capsys):
    file = tmp_path / "p.sqlite"
    with closing(sqlite3.connect(file)) as database:
        database.executescript(script.read_text(encoding="utf-8"))

    main(["check", "--database", str(file)])
    assert "rescue" not in capsys.readouterr().out  # it is old, not damaged
    with closing(Store(f"sqlite:///{file}", tmp_path / "photos")) as store:
        found = {row.game: matches.load(store, row.id) for row in store.newest(9, ALL)}
        assert {game: match.last.score for game, match in found.items()} == SCORES
        for game, match in found.items():
            assert match.steps[-1].undo_of == match.seq - 1
            played = matches.play(store, match.row.id, match.seq, [NEXT[game]])
            assert (played.closed, played.seq) == (None, match.seq + 1)

    assert main(["check", "--database", str(file)]) == 0
    assert "2 can be read and replayed" in capsys.readouterr().out


def test_every_version_is_there():
    named = Path("CHANGELOG.md").read_text(encoding="utf-8")
    released = [line[3:] for line in named.splitlines() if line.startswith("## 0.")]
    newest, *_before, oldest = released

    assert oldest == "0.1.0"  # which had no database
    assert {path.stem for path in RELEASED} >= {*map(whole, released[1:-1])}, newest


def whole(version):
    """Return a version with its last number, as the fixtures are named."""
    return version if version.count(".") > 1 else f"{version}.0"
