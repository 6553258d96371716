"""Databases of every age and origin: brought up to date, or refused in words and left alone."""

import json
import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from tests.conftest import AGREE, board_moves, place, send_photo
from tests.matches import ended
from webui.app import create_app
from webui.cli import main
from webui.commands.archive import show_matches
from webui.match import match as matches
from webui.store.log import Store
from webui.store.migrate import MIGRATIONS
from webui.store.schema import REVISION, metadata
from webui.store.taught import TaughtTable
from webui.store.upgrade import APPLICATION_ID, CannotOpen, prepare

# As the program wrote it before there were migrations.
OLD = """
CREATE TABLE "match" (id TEXT NOT NULL, code TEXT NOT NULL, game TEXT NOT NULL, version INTEGER
  NOT NULL, settings JSON NOT NULL, names JSON NOT NULL, created_at TEXT NOT NULL,
  PRIMARY KEY (id), UNIQUE (code));
CREATE TABLE sighting (id TEXT NOT NULL, "match" TEXT NOT NULL, at TEXT NOT NULL, reading JSON NOT
  NULL, photo TEXT NOT NULL, PRIMARY KEY (id), FOREIGN KEY("match") REFERENCES "match" (id));
CREATE INDEX ix_sighting_match ON sighting ("match");
CREATE TABLE event ("match" TEXT NOT NULL, seq INTEGER NOT NULL, at TEXT NOT NULL, "by" INTEGER,
  moves JSON, told JSON NOT NULL, sighting TEXT, request TEXT, PRIMARY KEY ("match", seq),
  UNIQUE ("match", request), FOREIGN KEY("match") REFERENCES "match" (id),
  FOREIGN KEY(sighting) REFERENCES sighting (id));
"""
OLD_PIECES = """
CREATE TABLE pieces (id TEXT NOT NULL, at TEXT NOT NULL, lessons JSON NOT NULL, learned JSON NOT
  NULL, PRIMARY KEY (id));
CREATE TABLE pieces_choice (number INTEGER NOT NULL, "match" TEXT NOT NULL, at TEXT NOT NULL,
  pieces TEXT, PRIMARY KEY (number), FOREIGN KEY("match") REFERENCES "match" (id));
CREATE INDEX ix_pieces_choice_match ON pieces_choice ("match");
INSERT INTO pieces VALUES ('dice', '2026-01-02', '[]', '{"faces": 6}');
INSERT INTO pieces VALUES ('orphan', '2026-01-02', '[]', '{"faces":1}');
INSERT INTO pieces_choice ("match", at, pieces) VALUES ('m', '2026-01-02', 'dice');
INSERT INTO pieces_choice ("match", at, pieces) VALUES ('n', '2026-01-02', 'dice');
"""
SETTINGS = {"variant": "base"}
MATCH = "INSERT INTO match VALUES (?, ?, 'purple_house', 1, ?, '[\"Ada\", \"Ben\"]', '2026-01-02')"
EVENT = "INSERT INTO event VALUES ('m', 1, '2026-01-02', NULL, ?, ?, NULL, NULL)"


@pytest.fixture
def path(tmp_path):
    return tmp_path / "pipsight.sqlite"


@pytest.fixture
def opened(path):
    """Return a function that opens the store; all are closed in the end."""
    stores = []

    def act():
        stores.append(Store(f"sqlite:///{path}", path.parent / "photos"))
        return stores[-1]

    yield act
    for store in stores:
        store.close()


def write_old(path, script=OLD + OLD_PIECES, settings=SETTINGS):
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(f"PRAGMA journal_mode=WAL; {OLD}")
        for match in "mn":
            connection.execute(MATCH, (match, match * 6, json.dumps(settings)))
        summary = json.dumps({"text": ["Ada starts"], "score": [0, 0]})
        connection.execute(EVENT, (json.dumps([AGREE]), summary))
        connection.executescript(script.removeprefix(OLD))


def test_migrations_make_the_tables_that_the_program_uses(path, opened):
    write_old(path)

    engine = opened().database.engine

    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


@pytest.mark.parametrize("script", [OLD, OLD + OLD_PIECES], ids=["before pieces", "with pieces"])
def test_an_old_database_is_kept_beside_and_brought_up_to_date(path, opened, script):
    write_old(path, script)

    store = opened()

    assert matches.load(store, "m").steps[0].event.text == ("Ada starts",)
    assert matches.play(store, "m", 1, [place(0, 0, "black", 1)]).seq == 2
    (copy,) = path.parent.glob("*.backup")
    with closing(sqlite3.connect(copy)) as connection:
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
        assert "alembic_version" not in tables
        assert connection.execute("SELECT count(*) FROM event").fetchone() == (1,)


def test_who_gave_up_in_an_old_match_gave_up_the_match_alone(path, opened):
    write_old(path)
    said = {"text": ["Ada gives up"], "score": [0, 0]}
    given_up = json.dumps([{"move": "Concede", "seat": 0}]), json.dumps(said)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(EVENT.replace("'m', 1", "'m', 2"), given_up)

    match = matches.load(opened(), "m")

    assert match.steps[1].event.moves == ({"move": "ConcedeMatch", "seat": 0},)
    assert match.state.conceded == (0,)


def test_old_pieces_belong_to_the_match_that_chose_them_first(path, opened):
    write_old(path)

    made = {one.id: one.match_id for one in TaughtTable(opened(), "dice").all()}

    assert made == {"dice": "m", "orphan": None}


def test_a_database_that_is_up_to_date_is_not_touched(path, opened):
    opened().close()
    before = path.read_bytes()

    opened().close()

    assert path.read_bytes() == before
    assert list(path.parent.glob("*.backup")) == []


def test_a_new_database_is_noted_as_the_newest_migration_leaves_it(path):
    prepare(f"sqlite:///{path}")

    with sa.create_engine(f"sqlite:///{path}").connect() as connection:
        there = MigrationContext.configure(connection).get_current_revision()
    assert there == REVISION == ScriptDirectory(str(MIGRATIONS)).get_current_head()


def test_an_upgrade_that_fails_changes_nothing(path, monkeypatch):
    write_old(path)
    monkeypatch.setattr("webui.store.migrate._run_migrations", lambda connection: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        prepare(f"sqlite:///{path}")

    with closing(sqlite3.connect(path)) as connection:
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
        assert "alembic_version" not in tables
        assert connection.execute("PRAGMA application_id").fetchone() == (0,)


def new(path):
    Store(f"sqlite:///{path}", path.parent / "photos").close()


def changed(make, statement):
    """Return what makes a database at a path and changes it."""

    def act(path):
        make(path)
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute(statement)

    return act


FOSSIL = changed(write_old, "PRAGMA application_id = 252006674")
FOREIGN = changed(lambda path: None, "CREATE TABLE bookmarks (url TEXT)")
NEWER = changed(new, "UPDATE alembic_version SET version_num = 'r9999'")
LOST = changed(new, "ALTER TABLE pieces DROP COLUMN learned")
STRANGE = {
    "an empty file": (Path.touch, "is empty, so it holds no matches"),
    "a photo": (lambda path: path.write_bytes(b"\xff\xd8" * 999), "cannot be read as a database"),
    "a folder": (Path.mkdir, "is no file"),
    "a foreign database": (FOREIGN, "belongs to another program"),
    "a marked database": (FOSSIL, "belongs to another program"),
    "a newer database": (NEWER, "was written by a newer version of Pipsight"),
    "a column lost": (LOST, "its table pieces lacks learned"),
}


@pytest.mark.parametrize("make", STRANGE)
def test_a_strange_file_is_refused_in_words_and_left_as_it_is(path, make, capsys):
    prepared, says = STRANGE[make]
    prepared(path)
    before = path.read_bytes() if path.is_file() else None

    code = main(["serve", "--port", "0", "--database", f"sqlite:///{path}"])

    assert code == 1
    errors = capsys.readouterr().err
    assert says in errors
    assert "Traceback" not in errors
    assert (path.read_bytes() if path.is_file() else None) == before


def test_an_old_database_that_lacks_a_column_is_refused_and_not_upgraded(path):
    tables = OLD.replace("told JSON NOT NULL,", "") + OLD_PIECES.partition("INSERT")[0]
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(tables)

    with pytest.raises(CannotOpen, match="its table event lacks told"):
        prepare(f"sqlite:///{path}")

    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA application_id").fetchone() == (0,)


def test_a_new_database_is_there_whole_or_not_at_all(path, monkeypatch):
    monkeypatch.setattr("webui.store.upgrade.put_in_place", lambda *args, **kwargs: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        prepare(f"sqlite:///{path}")

    assert list(path.parent.iterdir()) == []


def test_of_two_servers_that_make_it_at_once_one_does(path, monkeypatch):
    made = []

    def second(part, target, **kwargs):
        if not made:
            made.append(target)
            prepare(f"sqlite:///{path}")  # the other one is quicker
        put(part, target, **kwargs)

    from webui.store.durable_files import put_in_place as put

    monkeypatch.setattr("webui.store.upgrade.put_in_place", second)
    prepare(f"sqlite:///{path}")

    assert [one.name for one in path.parent.iterdir() if one.suffix == ".part"] == []
    assert path.exists()


@pytest.mark.skipif(os.name != "posix", reason="elsewhere the folder's rights say who may read")
def test_nobody_else_can_read_what_is_kept(path, opened):
    write_old(path)
    path.chmod(0o644)
    (path.parent / "photos").mkdir(mode=0o755)

    store = opened()
    made = matches.create(store, "pig", ["Ada", "Ben"], {})
    store.keep(made.row.id, {"dice": []}, b"photo")

    for kept in (path.parent / "photos", *path.parent.glob("pipsight*"), *path.parent.glob("*/*")):
        assert stat.S_IMODE(kept.stat().st_mode) == (0o700 if kept.is_dir() else 0o600), kept


def test_a_match_with_a_setting_that_is_not_known_here_is_closed_and_shown(path, opened):
    write_old(path, settings={"variant": "base", "glasses": "rose"})
    opened().close()
    app = create_app(f"sqlite:///{path}", path.parent / "photos")
    client = app.test_client()

    view = client.get("/api/matches/m").json
    page = client.get("/m/m").text
    app.extensions["pipsight"].store.close()

    assert (view["version_ok"], view["can_undo"]) == (False, False)
    assert "has the house rule glasses, which is not known here" in view["prompt"]
    unknown = {"name": "glasses", "value": "rose", "meaning": "glasses", "says": "rose"}
    assert unknown in view["settings"]
    assert [step["text"] for step in view["history"]] == [["Ada starts"]]
    assert "start a new match" in page
    assert "rose" in page


def test_every_table_is_read_by_the_check(path, opened):
    store = opened()
    store.check()
    with store.database.writing() as connection:
        connection.execute(sa.text("ALTER TABLE pieces DROP COLUMN learned"))

    with pytest.raises(sa.exc.OperationalError, match="learned"):
        store.check()


CLOSED = {
    "settings that are no JSON": "UPDATE match SET settings = '{broken'",
    "settings that are a list": "UPDATE match SET settings = '[1]'",
    "a setting of another type": """UPDATE match SET settings = '{"coach_plays": "x"}'""",
    "an unknown game": "UPDATE match SET game = 'chess'",
    "a version that is no number": "UPDATE match SET version = 'x'",
    "one player too many": """UPDATE match SET names = '["a", "b", "c"]'""",
    "an unknown move": """UPDATE event SET moves = '[{"move": "Nope"}]'""",
    "moves that are no JSON": "UPDATE event SET moves = '[{'",
    "moves that are a number": "UPDATE event SET moves = '7'",
    "words that are gone": "UPDATE event SET told = '{}'",
    "a time that is none": "UPDATE event SET at = 'never'",
    "a seat that nobody has": "UPDATE event SET by = 77",
    "a step that is gone": "UPDATE event SET seq = 5",
}
UNREADABLE = {
    "names that are no JSON": """UPDATE match SET names = '["a'""",
    "names that are numbers": "UPDATE match SET names = '[1, 2]'",
}
BESIDE = {
    "dice": """INSERT INTO pieces (id, at, lessons, learned, match)
        SELECT 'x', 'x', '{', '{', id FROM match""",
    "a board": """INSERT INTO board (id, at, name, learned, match)
        SELECT 'x', 'x', 'grid:3x3', '{', id FROM match""",
    "a reading": "UPDATE sighting SET reading = '{'",
    "the day it was made": "UPDATE match SET created_at = 'yesterday'",
}
PAGES = ("", "/history", "/rounds", "/tally", "/pieces", "/board", "/may", "/coach", "/undo")
EVERY = CLOSED | UNREADABLE | BESIDE


@pytest.fixture
def broken(client, services, new_match, eyes):
    """A match of each kind of damage, by its name."""
    eyes.show()
    made = {name: new_match()["id"] for name in EVERY}
    send_photo(client, made["a reading"])
    with services.store.database.writing() as connection:
        for name, damage in EVERY.items():
            column = "match" if " event " in damage or " sighting " in damage else "id"
            connection.exec_driver_sql(f"{damage} WHERE {column} = '{made[name]}'")
    return made


def test_damaged_matches_are_told_as_that_and_hurt_no_other(
    client, services, broken, new_match, capsys
):
    other = new_match()
    client.set_cookie("matches", ".".join([*list(broken.values())[:20], other["id"]]))

    assert all("Ada" in client.get(page).text for page in ("/", "/matches"))
    assert client.get("/healthz").status_code == 200
    for page in (*PAGES, "/step/1", "/recording.jsonl"):
        assert client.get(f"/m/{other['id']}{page}").status_code < 400, page
    with client.get(f"/api/live?match={broken['an unknown game']}&match={other['id']}") as stream:
        assert stream.status_code == 200
    step = {"after": 1, "moves": board_moves()[:1]}
    assert client.post(f"/api/matches/{other['id']}/moves", json=step).status_code == 201
    assert client.post(ended(client, other["id"])).status_code == 303
    file = services.store.database.engine.url.database
    for form in (None, "json", "csv"):
        assert show_matches(file, None, None, form, None, 50, {}) == 0
        assert other["code"][:6] in capsys.readouterr().out
    for name in CLOSED:
        step = {"after": 0, "moves": board_moves()[:1]}
        refused = client.post(f"/api/matches/{broken[name]}/moves", json=step)
        assert (refused.status_code, refused.json["error"]["kind"]) == (422, "Closed"), name
        assert "Its scores are kept" in refused.json["error"]["sentence"]
    for name in UNREADABLE:
        assert "its players cannot be read" in client.get(f"/m/{broken[name]}").text
    for name in (*CLOSED, *BESIDE):
        for page in ("", "/history", "/coach"):
            assert client.get(f"/m/{broken[name]}{page}").status_code < 500, (name, page)
        assert client.get(f"/api/matches/{broken[name]}/watch").status_code == 200
