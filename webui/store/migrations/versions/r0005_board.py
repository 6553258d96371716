"""Boards that were taught, and which match uses which."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "r0005", "r0004"


def upgrade() -> None:
    """Make the tables of boards and of choices."""
    op.create_table(
        "board",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("learned", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("match", sa.Text, sa.ForeignKey("match.id")),
    )
    op.create_table(
        "board_choice",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("match", sa.Text, sa.ForeignKey("match.id"), nullable=False, index=True),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("board", sa.Text),
    )
