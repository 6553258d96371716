"""Taught pieces know the match that taught them: the first one that chose them, for each."""

from alembic import op

revision, down_revision = "r0003", "r0002"


def upgrade() -> None:
    """Add the column and fill it: pieces are chosen by their match in the moment they are made."""
    # As SQLite writes it: other ways to add a key would make the whole table anew.
    op.execute('ALTER TABLE pieces ADD COLUMN "match" TEXT REFERENCES "match" (id)')
    op.execute(
        'UPDATE pieces SET "match" = (SELECT c."match" FROM pieces_choice AS c'
        " WHERE c.pieces = pieces.id ORDER BY c.number LIMIT 1)"
    )
