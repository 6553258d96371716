"""What every guest has sent today, so that a restart does not forget it."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "r0011", "r0010"


def upgrade() -> None:
    """Make the table."""
    counts = [
        sa.Column(name, sa.Integer, nullable=False) for name in ("photos", "matches", "forms")
    ]
    op.create_table(
        "guest_day",
        sa.Column("day", sa.Text, primary_key=True),
        sa.Column("guest", sa.Text, primary_key=True),
        *counts,
        sa.Column("bytes", sa.BigInteger, nullable=False),
    )
