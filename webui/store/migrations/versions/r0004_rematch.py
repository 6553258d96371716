"""Which match the same players went on with."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "r0004", "r0003"


def upgrade() -> None:
    """Make the table of rematches."""
    op.create_table(
        "rematch",
        sa.Column("match", sa.Text, sa.ForeignKey("match.id"), primary_key=True),
        sa.Column("next", sa.Text, sa.ForeignKey("match.id"), nullable=False, unique=True),
    )
