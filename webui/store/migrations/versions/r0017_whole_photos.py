"""The whole photos that follow the parts of them which phones sent first."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "r0017", "r0016"


def upgrade() -> None:
    """Make the table; until now every photo was sent whole."""
    op.create_table(
        "whole_photo",
        sa.Column("sighting", sa.Text, sa.ForeignKey("sighting.id"), primary_key=True),
        sa.Column("match", sa.Text, sa.ForeignKey("match.id"), nullable=False, index=True),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("photo", sa.Text, nullable=False, index=True),
    )
