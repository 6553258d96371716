"""Thumbnails of stored photos: made once, stored beside the photo."""

import io
import logging
from contextlib import suppress

from scorer.messages import _
from webui.errors import Busy, CannotStore, DiskFull, NotFound
from webui.store.photos.files import SIDE, PhotoFiles

log = logging.getLogger(__name__)

QUALITY = 72  # some 8 kB for the small one, 150 for the large one


def thumbnail(photos: PhotoFiles, photo: str, side: int = SIDE) -> bytes:
    """Return a stored *photo* as a JPEG of this size; raises NotFound.

    The small one is the centre of the photo, the large one all of it. On a full disk it is returned
    without being stored.
    """
    name = f"{photo}.{side}.jpg"
    with suppress(FileNotFoundError):
        return photos.shelf.read(name)
    small = _shrunk(photos.read(photo), side)
    try:
        photos.shelf.write(name, small)
    except (OSError, DiskFull, CannotStore, Busy):
        log.warning("the small picture of %s could not be kept", photo, exc_info=True)
    return small


def _shrunk(jpeg: bytes, side: int) -> bytes:
    from PIL import Image, ImageOps  # noqa: PLC0415  # a browser has none

    try:
        with Image.open(io.BytesIO(jpeg), formats=("JPEG",)) as picture:
            picture.draft("RGB", (side, side))  # decodes at a reduced size
            small = picture.convert("RGB")
            if side == SIDE:
                small = ImageOps.fit(small, (side, side))
            else:
                small.thumbnail((side, side))
    except (OSError, Image.DecompressionBombError):  # truncated, or not one of our photos
        raise NotFound(_("This photo is damaged. What was read on it is still here.")) from None
    content = io.BytesIO()
    small.save(content, "JPEG", quality=QUALITY, optimize=True)
    return content.getvalue()
