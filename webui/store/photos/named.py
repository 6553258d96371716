"""Which rows name a photo: those of what was read on it, of its whole, and of what it taught."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from webui.store.schema import PIECES, SIGHTING, WHOLE_PHOTO

NAMING = {SIGHTING: SIGHTING.c.id, WHOLE_PHOTO: WHOLE_PHOTO.c.sighting}  # tables and their keys


def naming(photo: str, match_id: str | None = None) -> sa.CompoundSelect[Any]:
    """Return the query for the sightings of a photo, in one match if that is given."""
    queries = []
    for table, key in NAMING.items():
        query = sa.select(key).where(table.c.photo == photo)
        queries.append(query if match_id is None else query.where(table.c.match == match_id))
    return sa.union_all(*queries)


def is_named(connection: sa.Connection, photo: str) -> bool:
    """Say whether a match names the photo, or dice were learned of it."""
    if connection.execute(naming(photo).limit(1)).first() is not None:
        return True
    taught = connection.scalars(sa.select(PIECES.c.lessons))
    return any(lesson["photo"] == photo for lessons in taught for lesson in lessons)
