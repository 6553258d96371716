"""Every match has an address to look at, from which its own cannot be found."""

import secrets

import sqlalchemy as sa
from alembic import op

revision, down_revision = "r0006", "r0005"


def upgrade() -> None:
    """Add the column and give each match an address of its own."""
    op.add_column("match", sa.Column("screen", sa.Text))
    match = sa.table("match", sa.column("id"), sa.column("screen"))
    connection = op.get_bind()
    for made in connection.scalars(sa.select(match.c.id)).all():
        addressed = match.update().where(match.c.id == made)
        connection.execute(addressed.values(screen=secrets.token_hex(12)))
    op.create_index("ix_match_screen", "match", ["screen"], unique=True)
