"""What each match comes to; matches that are there already are added up when it is asked for."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "r0014", "r0013"


def upgrade() -> None:
    """Make the table."""
    json = sa.JSON(none_as_null=True)
    op.create_table(
        "sums",
        sa.Column("match", sa.Text, sa.ForeignKey("match.id"), primary_key=True),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("over", sa.Boolean),
        sa.Column("variant", json, nullable=False),
        sa.Column("seats", json, nullable=False),
        sa.Column("dice", json, nullable=False),
    )
