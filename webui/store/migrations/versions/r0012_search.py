"""Who plays, as it is searched, and which matches a phone lists as opened by it."""

import sqlalchemy as sa
from alembic import op

from webui.store.tables.search import player_rows

revision, down_revision = "r0012", "r0011"


def upgrade() -> None:
    """Make the table and fill it from the names of the matches; of damaged ones there are none."""
    player = op.create_table(
        "player",
        sa.Column("match", sa.Text, sa.ForeignKey("match.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("folded", sa.Text, nullable=False),
    )
    op.add_column(
        "phone", sa.Column("listed", sa.Boolean, nullable=False, server_default=sa.true())
    )
    op.create_index("ix_phone_token", "phone", ["token"])
    op.create_index("ix_match_created_at", "match", ["created_at", "id"])
    match = sa.table("match", sa.column("id"), sa.column("names", sa.JSON))
    connection = op.get_bind()
    for made, names in connection.execute(sa.select(match.c.id, match.c.names)).all():
        if isinstance(names, list) and all(isinstance(name, str) for name in names) and names:
            connection.execute(player.insert(), player_rows(made, names))
