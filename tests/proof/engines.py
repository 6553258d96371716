"""Where a proof keeps its matches: an SQLite file, or a PostgreSQL of its own."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.webui.conftest import Postgres
from webui.store.database_url import FILE


@dataclass
class Engine:
    """A database server, or none; each folder has a database of its own in it."""

    name: str
    postgres: Postgres | None = None

    def url(self, folder: Path) -> str:
        """Return the address of a database for *folder*, which is made where it needs to be."""
        if self.postgres is None:
            return f"sqlite:///{folder / FILE}"
        self.postgres.renew()
        return self.postgres.url

    def photos(self, folder: Path) -> Path:
        """Return where a server whose data folder is in *folder* keeps its photos."""
        return (folder if self.postgres is None else folder / "pipsight") / "photos"


@contextmanager
def running(name: str) -> Iterator[Engine]:
    """Start the database server that *name* means."""
    if name == "SQLite":
        yield Engine(name)
        return
    with tempfile.TemporaryDirectory() as folder:
        postgres = Postgres(Path(folder))
        postgres.start()
        try:
            yield Engine(name, postgres)
        finally:
            postgres.stop()
