"""What each match comes to is added up again: a shared win is a win, who gave up has not won."""

from alembic import op

revision, down_revision = "r0018", "r0017"


def upgrade() -> None:
    """Remove the sums; the next look at statistics makes them anew."""
    op.execute("DELETE FROM sums")
