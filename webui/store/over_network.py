"""Engines for PostgreSQL over a network: restarts and silent connections have short timeouts."""

from math import ceil
from typing import Any

import sqlalchemy as sa

KEEP_ALIVE = {"keepalives_idle": 5, "keepalives_interval": 2, "keepalives_count": 3}  # seconds
UPGRADE_LOCK = 0x50697073  # one server at a time migrates a database


def over_network(url: str, patience: float, **pool: Any) -> sa.Engine:
    """Return an engine whose timeouts are *patience* seconds.

    Connections closed by a restart are reopened without an error for the phone.
    """
    if sa.make_url(url).get_driver_name() != "psycopg":
        return sa.create_engine(url, pool_pre_ping=True, **pool)
    patience_ms = int(1000 * patience)
    given = {"connect_timeout": ceil(patience), "tcp_user_timeout": 2 * patience_ms} | KEEP_ALIVE
    engine = sa.create_engine(
        url, pool_pre_ping=True, connect_args=given, hide_parameters=True, **pool
    )

    def set_limits(connection: Any, _record: object) -> None:
        # Ends the transaction of a server that lost its power in the middle of a step.
        connection.execute(f"SET lock_timeout = {patience_ms}")
        connection.execute(f"SET idle_in_transaction_session_timeout = {2 * patience_ms}")
        connection.commit()

    sa.event.listen(engine, "connect", set_limits)
    return engine


def alone(connection: sa.Connection) -> None:
    """Wait until no other server migrates the database; SQLite allows only one writer anyway."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.text("SET LOCAL lock_timeout = 0"))
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(UPGRADE_LOCK)))
