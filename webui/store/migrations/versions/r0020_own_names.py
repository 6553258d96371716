"""The names of servers, which so far were only in databases that several of them share."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "r0020", "r0019"


def upgrade() -> None:
    """Make the table where it is missing."""
    name = sa.Column("name", sa.Text, primary_key=True)
    op.create_table("own_name", name, if_not_exists=True)
