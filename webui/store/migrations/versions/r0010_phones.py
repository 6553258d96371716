"""Phones at a match: its host, who plays and who watches, whose seats are locked."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "r0010", "r0009"


def upgrade() -> None:
    """Make the tables; a match that is there already has no host."""
    op.create_table(
        "phone",
        sa.Column("match", sa.Text, sa.ForeignKey("match.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("token", sa.Text, nullable=False),
        sa.Column("device", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.UniqueConstraint("match", "token"),
    )
    op.create_table(
        "seat_lock",
        sa.Column("match", sa.Text, sa.ForeignKey("match.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("phone", sa.Integer, nullable=False),
    )
    op.create_table(
        "hosting",
        sa.Column("match", sa.Text, sa.ForeignKey("match.id"), primary_key=True),
        sa.Column("host", sa.Integer, nullable=False),
        sa.Column("closed", sa.Boolean, nullable=False),
        sa.Column("key", sa.Text),
    )
