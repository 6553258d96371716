"""Write a small database of this version to fixtures/databases, for `make database-of-version`.

Each release adds its own, made by its own code: tests/webui/store/test_released.py opens them all.
"""

import sqlite3
import tempfile
from contextlib import closing
from importlib.metadata import version
from pathlib import Path

from webui.app import create_app

OUT = Path("fixtures/databases")
PHOTO = Path("fixtures/series/pig-29/photo-001.jpg")
PLAYED = {
    "pig": [
        {"move": "Roll", "pips": 4},
        {"move": "Hold"},
        {"move": "Roll", "pips": 6},
        {"move": "Roll", "pips": 5},
    ],
    "purple_house": [
        {"move": "Agree", "starter": 0, "black": 0},
        {"move": "Place", "row": 1, "column": 1, "colour": "black", "pips": 3},
        {"move": "Place", "row": 0, "column": 0, "colour": "white", "pips": 4},
    ],
}


def play(file):
    """Play two matches, with a photo and an undo each, in a new database."""
    app = create_app(f"sqlite:///{file}", file.parent / "photos")
    phone = app.test_client()
    for game, moves in PLAYED.items():
        match = phone.post("/api/matches", json={"game": game, "names": ["Ada", "Ben"]}).json
        path = f"/api/matches/{match['id']}"
        for after, move in enumerate(moves):
            phone.post(f"{path}/moves", json={"after": after, "moves": [move]})
        phone.post(f"{path}/photos", data=PHOTO.read_bytes(), content_type="image/jpeg")
        phone.post(f"{path}/undo", json={"after": len(moves)})


def dump(file):
    """Return the statements that make the database again, with what recognises it as ours."""
    with closing(sqlite3.connect(file)) as database:
        marks = ("application_id", "user_version")
        found = {mark: database.execute(f"PRAGMA {mark}").fetchone()[0] for mark in marks}
        head = [f"PRAGMA {mark}={number};" for mark, number in found.items()]
        return "\n".join([*head, *database.iterdump(), ""])


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        play(Path(folder, "p.sqlite"))
        out = OUT / f"{version('pipsight')}.sql"
        out.write_text(dump(Path(folder, "p.sqlite")), encoding="utf-8")
    print(out)
