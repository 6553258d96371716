"""Who follows a match from outside: tokens to look at it, and webhooks."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "r0016", "r0015"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "viewer",
        sa.Column("match", sa.Text, sa.ForeignKey("match.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("token", sa.Text, nullable=False, unique=True),
        sa.Column("at", sa.Text, nullable=False),
    )
    op.create_table(
        "webhook",
        sa.Column("match", sa.Text, sa.ForeignKey("match.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("secret", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("failing_since", sa.Text),
        sa.Column("due", sa.Text, nullable=False),
        sa.Column("claimed", sa.Text),
        sa.Column("fault", sa.JSON),
        sa.Column("given_up", sa.Boolean, nullable=False),
    )
