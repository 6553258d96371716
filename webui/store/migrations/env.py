"""What Alembic runs to upgrade: on the connection and in the transaction of `webui.store.upgrade`.

A change of `webui.store.schema` is one more file in `versions/`, written by hand; a test compares
them.
"""

from __future__ import annotations

from alembic import context

from webui.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,  # SQLite too: the transaction is begun in words, not by its driver
)
with context.begin_transaction():
    context.run_migrations()
