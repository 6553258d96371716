"""A PostgreSQL of the tests' own, started once, a new database for each test; and a receiver."""

import itertools
import os
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa

from tests.webui.outside.receiver import receiver
from tests.webui.serving import reserved_port
from tests.webui.third_language import locale, third_language

__all__ = ["locale", "receiver", "third_language"]

BINARIES = next(iter(sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)), None)
PG_CTL = shutil.which("pg_ctl", path=f"{BINARIES}{os.pathsep}{os.environ['PATH']}")


class Postgres:
    """A server of our own in *folder*; it does not run as root, so neither do its tools."""

    def __init__(self, folder):
        self.data, self.port = folder / "data", reserved_port()
        folder.chmod(0o755)
        self._as = {"user": "postgres"} if os.geteuid() == 0 else {}
        if self._as:
            shutil.chown(folder, "postgres")
        self._call("init", "-o", "--auth=trust --no-sync --username=pipsight")
        options = f"-h 127.0.0.1 -p {self.port} -k {folder} -F"
        self._start = ("start", "--wait", "-o", options, "-l", str(folder / "log"))

        self._names = map("of_test_{}".format, itertools.count())
        self.url = self._named("postgres")

    def _named(self, database):
        return f"postgresql+psycopg://pipsight@127.0.0.1:{self.port}/{database}"

    @property
    def by_socket(self):
        """Return `url` for who shares the machine's files and no network."""
        name = self.url.rpartition("/")[2]
        where = f"host={self.data.parent}&port={self.port}"
        return f"postgresql+psycopg://pipsight@/{name}?{where}"

    @classmethod
    @contextmanager
    def running(cls):
        """Yield a server in a folder of its own, which runs until the end."""
        with tempfile.TemporaryDirectory() as folder:
            postgres = cls(Path(folder))
            postgres.start()
            try:
                yield postgres
            finally:
                postgres.stop()

    def renew(self):
        """Let `url` be that of a new database."""
        name = next(self._names)
        admin = sa.create_engine(self._named("postgres"), isolation_level="AUTOCOMMIT")
        with admin.connect() as connection:
            connection.execute(sa.text(f"CREATE DATABASE {name}"))
        admin.dispose()
        self.url = self._named(name)

    def start(self):
        self._call(*self._start)

    def stop(self):
        self._call("stop", "--wait", "-m", "immediate")

    def _call(self, *words):
        done = subprocess.run(
            [PG_CTL, "-D", str(self.data), *words],
            cwd="/",
            stdout=subprocess.DEVNULL,  # the server would hold a pipe open
            stderr=subprocess.DEVNULL,
            check=True,
            **self._as,
        )
        assert done.returncode == 0


@pytest.fixture
def hosted(app):
    """Return a match of Ada and Ben that a phone has made on the start page, and that phone."""
    host = app.test_client()
    sent = {"game": "pig", "name": ["Ada", "Ben"], "set.target": "12"}
    return host.post("/start", data=sent).location.rpartition("/")[2], host


@pytest.fixture(scope="session")
def postgres_server():
    if PG_CTL is None:
        reason = "no PostgreSQL on this machine: install it to run this test"
        if os.environ.get("PIPSIGHT_POSTGRES") == "required":
            pytest.fail(reason)
        pytest.skip(reason)
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    with Postgres.running() as server:
        yield server


@pytest.fixture
def postgres(postgres_server):
    """Return the server, its `url` that of a new database."""
    postgres_server.renew()
    return postgres_server
