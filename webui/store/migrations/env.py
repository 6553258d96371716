"""Alembic's environment: it uses the connection and transaction of `webui.store.upgrade`.

Each change of `webui.store.schema` is a hand-written file in `versions/`; a test compares them.
"""

from __future__ import annotations

from alembic import context

from webui.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,  # SQLite too: the transaction is begun explicitly, not by the driver
)
with context.begin_transaction():
    context.run_migrations()
