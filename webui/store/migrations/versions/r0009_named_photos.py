"""Which matches name a photo, and when it was taken last, is found by an index."""

from alembic import op

revision, down_revision = "r0009", "r0008"


def upgrade() -> None:
    """Make the index."""
    op.create_index("ix_sighting_photo", "sighting", ["photo", "at"])
