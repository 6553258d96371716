"""What watching cameras ask, so that every server shows it and a restart does not forget it."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "r0013", "r0012"


def upgrade() -> None:
    """Make the table."""
    json = sa.JSON(none_as_null=True)
    op.create_table(
        "asked",
        sa.Column("match", sa.Text, sa.ForeignKey("match.id"), primary_key=True),
        sa.Column("changes", sa.Integer, nullable=False),
        sa.Column("rolls", json, nullable=False),
        sa.Column("answered", json),
        sa.Column("camera", sa.Text),
    )
