"""PostgreSQL may restart, or fall silent with a machine between: nobody waits for it for long."""

from __future__ import annotations

from math import ceil
from typing import Any

import sqlalchemy as sa

KEEP_ALIVE = {"keepalives_idle": 5, "keepalives_interval": 2, "keepalives_count": 3}  # seconds
UPGRADE_LOCK = 0x50697073  # one server at a time brings a database up to date


def over_network(url: str, patience: float, **pool: Any) -> sa.Engine:
    """Return an engine that gives up after *patience* seconds.

    What a restarted server has closed is opened again, not met as an error by a phone.
    """
    if sa.make_url(url).get_driver_name() != "psycopg":
        return sa.create_engine(url, pool_pre_ping=True, **pool)
    patience_ms = int(1000 * patience)
    given = {"connect_timeout": ceil(patience), "tcp_user_timeout": 2 * patience_ms} | KEEP_ALIVE
    engine = sa.create_engine(
        url, pool_pre_ping=True, connect_args=given, hide_parameters=True, **pool
    )

    def set_limits(connection: Any, _record: object) -> None:
        # A server of ours that lost its power in the middle of a step holds up nobody for long.
        connection.execute(f"SET lock_timeout = {patience_ms}")
        connection.execute(f"SET idle_in_transaction_session_timeout = {2 * patience_ms}")
        connection.commit()

    sa.event.listen(engine, "connect", set_limits)
    return engine


def alone(connection: sa.Connection) -> None:
    """Wait until no other server brings the database up to date; SQLite lets one write anyway."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.text("SET LOCAL lock_timeout = 0"))
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(UPGRADE_LOCK)))
