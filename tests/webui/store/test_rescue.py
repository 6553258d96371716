"""A damaged database: `pipsight check` says what is wrong, `pipsight rescue` saves the rest."""

import shutil
import sqlite3
from contextlib import closing

import pytest

from tests.conftest import picture
from webui.cli import main
from webui.match import match as matches
from webui.store.log import Store

MATCHES, STEPS = 20, 20
PAGE = 4096


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A folder with a closed database of long matches and a photo, the steps by code, the photo."""
    folder = tmp_path_factory.mktemp("evening")
    store = Store(f"sqlite:///{folder / 'p.sqlite'}", folder / "photos")
    held = {}
    for number in range(MATCHES):
        match = matches.create(store, "pig", [f"Ada {number}", "Ben"], {})
        for step in range(STEPS):
            move = {"move": "Hold"} if step % 4 == 3 else {"move": "Roll", "pips": 2 + step % 4}
            match = matches.play(store, match.row.id, match.seq, [move])
        held[match.row.code] = STEPS
    photo = store.keep(match.row.id, {"faces": []}, picture()).photo
    store.database.fold_log("TRUNCATE")
    store.close()
    return folder, held, photo


@pytest.fixture
def evening(played, tmp_path):
    """A copy of the database, the steps by code, the photo."""
    folder, held, photo = played
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    return tmp_path / "p.sqlite", held, photo


def steps_by_code(path):
    """Return how many steps of each match replay."""
    with closing(Store(f"sqlite:///{path}", path.parent / "photos")) as store:
        return {row.code: replayed(store, row.id) for row in store.newest(1000)}


def replayed(store, match_id):
    match = matches.load(store, match_id)
    assert match.closed is None
    return match.seq


def overwrite(path, pages):
    with path.open("r+b") as file:
        for page in pages:
            file.seek(page * PAGE)
            file.write(b"\xa5" * PAGE)


def leaves(path, table):
    """Return the pages with rows of a table: all but its root."""
    with closing(sqlite3.connect(path)) as database:
        (root,) = database.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)
        ).fetchone()
    content = path.read_bytes()
    at = (root - 1) * PAGE
    assert content[at] == 5  # an interior page of a table; its children follow
    cells = int.from_bytes(content[at + 3 : at + 5])
    places = [content[at + 12 + 2 * n : at + 14 + 2 * n] for n in range(cells)]
    return [int.from_bytes(content[at + int.from_bytes(p) :][:4]) - 1 for p in places]


def command(*words):
    return main([*map(str, words)])


def test_nothing_is_wrong_with_a_whole_database(evening, capsys):
    path, _held, _photo = evening

    assert command("check", "--database", path) == 0

    assert capsys.readouterr().out.splitlines() == [
        f"ok   database: {path} is intact",
        f"ok   matches: {MATCHES} can be read and replayed",
        "ok   photos: 1 are as they were taken",
    ]


@pytest.mark.parametrize("lost", [1, 3])
def test_pages_of_steps_are_lost_and_every_match_keeps_what_came_before(
    evening, capsys, tmp_path, lost
):
    path, held, _photo = evening
    overwrite(path, leaves(path, "event")[5 : 5 + lost])
    before = path.read_bytes()

    assert command("serve", "--port", 0, "--database", path) == 1
    assert "pipsight rescue FILE" in capsys.readouterr().err
    assert command("check", "--database", path) == 1
    assert "pipsight rescue FILE" in capsys.readouterr().out
    assert command("backup", "--database", path, tmp_path / "b.zip") == 1
    assert "pipsight rescue FILE" in capsys.readouterr().err

    assert command("rescue", "--database", path, tmp_path / "r.zip") == 0
    output = capsys.readouterr().out
    assert path.read_bytes() == before
    assert f"move {path} to another folder" in output
    for file in tmp_path.glob("p.sqlite*"):
        file.rename(tmp_path / f"damaged-{file.name}")
    assert command("restore", "--database", path, tmp_path / "r.zip") == 0

    saved = steps_by_code(path)
    assert saved.keys() == held.keys()
    shortened = {code for code, steps in saved.items() if steps < held[code]}
    assert 1 <= len(shortened) <= 2 * lost
    assert all(f"{code} is kept up to step {saved[code]} of" in output for code in shortened)
    assert command("check", "--database", path) == 0


def test_matches_whose_players_are_lost_are_counted_and_the_others_whole(evening, capsys, tmp_path):
    path, held, _photo = evening
    overwrite(path, leaves(path, "match")[:1])

    assert command("rescue", "--database", path, tmp_path / "r.zip") == 0
    assert command("restore", "--database", tmp_path / "new.sqlite", tmp_path / "r.zip") == 0

    saved = steps_by_code(tmp_path / "new.sqlite")
    assert 0 < len(saved) < MATCHES
    assert saved.items() <= held.items()
    assert f"Matches that are lost: {MATCHES - len(saved)}." in capsys.readouterr().out


@pytest.mark.release
def test_a_file_without_its_end_gives_what_came_before(evening, tmp_path):
    path, held, _photo = evening
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size - 10 * PAGE)

    assert command("rescue", "--database", path, tmp_path / "r.zip") == 0
    assert command("restore", "--database", tmp_path / "new.sqlite", tmp_path / "r.zip") == 0

    saved = steps_by_code(tmp_path / "new.sqlite")
    assert sum(steps == STEPS for steps in saved.values()) > MATCHES // 4
    assert all(steps <= held[code] for code, steps in saved.items())


def test_rows_that_do_not_read_are_found_and_cut_off(evening, capsys, tmp_path):
    path, held, _photo = evening
    (code, *_others) = held
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        change = "UPDATE event SET moves = '[{' WHERE seq = 11 AND match = "
        database.execute(f"{change} (SELECT id FROM match WHERE code = ?)", (code,))

    assert command("check", "--database", path) == 1
    said = capsys.readouterr().out
    assert f"NO   matches: {code}: The log of this match is damaged at step 11." in said

    assert command("rescue", "--database", path, tmp_path / "r.zip") == 0
    assert f"{code} is kept up to step 10 of {STEPS}" in capsys.readouterr().out
    assert command("restore", "--database", path, "--replace", tmp_path / "r.zip") == 0
    assert command("check", "--database", path) == 0
    assert steps_by_code(path) == {**held, code: 10}


def test_photos_that_changed_or_are_gone_are_found_and_left_out(evening, capsys, tmp_path):
    path, _held, photo = evening
    (tmp_path / "photos" / f"{photo}.jpg").write_bytes(b"another")

    assert command("check", "--database", path) == 1
    assert f"NO   photos: {photo[:12]} changed on the disk" in capsys.readouterr().out
    assert command("rescue", "--database", path, tmp_path / "r.zip") == 0
    assert "Photos that matches name but are not kept: 1." in capsys.readouterr().out


def test_a_whole_photo_that_came_after_its_part_is_looked_at_too(evening, capsys):
    path, _held, _photo = evening
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        whole = "SELECT id, match, at, 'never kept' FROM sighting"
        database.execute(f"INSERT INTO whole_photo (sighting, match, at, photo) {whole}")

    assert command("check", "--database", path) == 0

    assert "look photos: 1 are not kept any more" in capsys.readouterr().out


def test_a_folder_that_is_not_there_is_named(evening, capsys, tmp_path):
    path, _held, _photo = evening

    assert command("rescue", "--database", path, tmp_path / "nowhere" / "r.zip") == 1

    said = capsys.readouterr().err
    assert f"{tmp_path / 'nowhere' / 'r.zip'} cannot be written" in said
    assert "--database" not in said


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda path: overwrite(path, [0]), "The beginning of"),
        (lambda path: path.write_bytes(b"Dear diary, " * 99), "The beginning of"),
        (lambda path: path.unlink(), "There are no matches at"),
    ],
)
def test_what_cannot_be_rescued_is_refused_in_a_sentence(evening, capsys, tmp_path, damage, said):
    path, _held, _photo = evening
    damage(path)

    assert command("rescue", "--database", path, tmp_path / "r.zip") == 1

    assert said in capsys.readouterr().err
    assert not list(tmp_path.glob("*r.zip*"))
