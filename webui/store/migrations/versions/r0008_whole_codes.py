"""Join codes have a second half: whole, they need no limit on wrong tries."""

import sqlalchemy as sa
from alembic import op

from webui.store.rows import REST_LENGTH, random_letters

revision, down_revision = "r0008", "r0007"


def upgrade() -> None:
    """Add the column, and give each match a second half."""
    op.add_column("match", sa.Column("rest", sa.Text, nullable=False, server_default=""))
    match = sa.table("match", sa.column("id"), sa.column("rest"))
    connection = op.get_bind()
    for made in connection.scalars(sa.select(match.c.id)).all():
        halved = match.update().where(match.c.id == made)
        connection.execute(halved.values(rest=random_letters(REST_LENGTH)))
