"""Steps that are put back, and notes on steps: two more columns of the log."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "r0007", "r0006"


def upgrade() -> None:
    """Add the columns."""
    op.add_column("event", sa.Column("step", sa.Integer))
    op.add_column("event", sa.Column("note", sa.Text))
