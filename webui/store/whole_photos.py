"""The whole photo that a phone sends after a part of it."""

from contextlib import suppress

import sqlalchemy as sa

from webui.store.log import Store, now
from webui.store.rows import Sighting
from webui.store.schema import WHOLE_PHOTO


def keep_whole(store: Store, part: Sighting, jpeg: bytes) -> None:
    """Store the whole photo of a sighting that has a *part* of it, and show it from now on.

    If there are several, the first stays; the next sweep deletes the file of another one.
    """
    row = {"sighting": part.id, "match": part.match_id, "at": now()}
    with (
        suppress(sa.exc.IntegrityError),
        store.photo_files.kept(jpeg) as photo,
        store.database.writing() as connection,
    ):
        connection.execute(WHOLE_PHOTO.insert().values(row | {"photo": photo}))
    store.replays.forget(part.match_id)  # they have the photo names of its events
