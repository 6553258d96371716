"""The whole photo that follows the part of it which a phone sent first."""

from __future__ import annotations

from contextlib import suppress

import sqlalchemy as sa

from webui.store.log import Store, now
from webui.store.rows import Sighting
from webui.store.schema import WHOLE_PHOTO


def keep_whole(store: Store, part: Sighting, jpeg: bytes) -> None:
    """Store the whole photo of a sighting that has a *part* of it: that is shown from now on.

    Of several the first stays; the file of another one goes with the next sweep.
    """
    row = {"sighting": part.id, "match": part.match_id, "at": now()}
    with (
        suppress(sa.exc.IntegrityError),
        store.photo_files.kept(jpeg) as photo,
        store.database.writing() as connection,
    ):
        connection.execute(WHOLE_PHOTO.insert().values(row | {"photo": photo}))
    store.replays.forget(part.match_id)  # they name the photos of its events
