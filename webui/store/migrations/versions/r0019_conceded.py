"""Who gave up before 0.14 could still win rounds of the match: the stored steps keep saying so."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "r0019", "r0018"
BEFORE, AFTER = '"move": "Concede"', '"move": "ConcedeMatch"'


def upgrade() -> None:
    """Rename the step in stored events, so that each match replays as it was played."""
    moves = sa.cast(sa.column("moves"), sa.Text)
    renamed: sa.ColumnElement[str] = sa.func.replace(moves, BEFORE, AFTER)
    if op.get_bind().dialect.name == "postgresql":
        renamed = sa.cast(renamed, sa.JSON)
    event = sa.table("event", sa.column("moves"))
    op.execute(sa.update(event).values(moves=renamed).where(moves.contains(BEFORE)))
