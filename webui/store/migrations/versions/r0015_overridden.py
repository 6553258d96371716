"""Whether players went on with what the rules forbid, in what each match comes to."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "r0015", "r0014"


def upgrade() -> None:
    """Add the column; nobody could play on so before."""
    column = sa.Column("overridden", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("sums", column)
