"""Taught pieces, and which of them a match uses."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "r0002", "r0001"


def upgrade() -> None:
    """Make the tables of taught pieces."""
    op.create_table(
        "pieces",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("lessons", sa.JSON, nullable=False),
        sa.Column("learned", sa.JSON, nullable=False),
    )
    op.create_table(
        "pieces_choice",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("match", sa.Text, sa.ForeignKey("match.id"), nullable=False, index=True),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("pieces", sa.Text),
    )
