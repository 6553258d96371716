"""A database as the first version of Pipsight wrote it, on any engine."""

import random

import sqlalchemy as sa
from alembic import command

from tests.conftest import AGREE
from webui.store import migrate

MATCHES, STEPS = 40, 50
SUMMARY = {"text": ["Ada starts"], "score": [0, 0]}


def write_old(url: str, chance: random.Random) -> str:
    """Make the tables of the first migration, fill them, and return the id of one match."""
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        command.upgrade(migrate._config(connection), "r0001")
        tables = sa.MetaData()
        tables.reflect(connection)
        for number in range(MATCHES):
            connection.execute(tables.tables["match"].insert().values(_match(number)))
            connection.execute(tables.tables["event"].insert(), _events(f"old-{number}"))
    engine.dispose()
    return f"old-{chance.randrange(MATCHES)}"


def _match(number: int) -> dict[str, object]:
    return {
        "id": f"old-{number}",
        "code": f"{number:06}",
        "game": "purple_house",
        "version": 1,
        "settings": {"variant": "base"},
        "names": ["Ada", "Ben"],
        "created_at": "2026-01-02",
    }


def _events(match: str) -> list[dict[str, object]]:
    """Return steps of which every second takes back the one before it."""
    return [
        {
            "match": match,
            "seq": seq,
            "at": "2026-01-02",
            "moves": [AGREE] if seq % 2 else sa.null(),
            "told": SUMMARY,
        }
        for seq in range(1, STEPS + 1)
    ]
