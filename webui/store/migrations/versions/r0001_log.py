"""The log: matches, their events, and what was seen on photos.

Databases made before there were migrations have these tables; they begin here
(`webui.store.upgrade`).
"""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "r0001", None


def upgrade() -> None:
    """Make the tables of the log."""
    op.create_table(
        "match",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("code", sa.Text, nullable=False, unique=True),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("settings", sa.JSON, nullable=False),
        sa.Column("names", sa.JSON, nullable=False),
        sa.Column("created_at", sa.Text, nullable=False),
    )
    op.create_table(
        "sighting",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("match", sa.Text, sa.ForeignKey("match.id"), nullable=False, index=True),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("reading", sa.JSON, nullable=False),
        sa.Column("photo", sa.Text, nullable=False),
    )
    op.create_table(
        "event",
        sa.Column("match", sa.Text, sa.ForeignKey("match.id"), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("by", sa.Integer),
        sa.Column("moves", sa.JSON),
        sa.Column("told", sa.JSON, nullable=False),
        sa.Column("sighting", sa.Text, sa.ForeignKey("sighting.id")),
        sa.Column("request", sa.Text),
        sa.UniqueConstraint("match", "request"),
    )
