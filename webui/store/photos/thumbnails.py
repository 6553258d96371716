"""Smaller pictures of the stored photos, for pages: made once, kept beside the photo."""

from __future__ import annotations

import io
import logging
from contextlib import suppress

from PIL import Image, ImageOps

from scorer.messages import _
from webui.errors import Busy, CannotStore, DiskFull, NotFound
from webui.store.photos.files import SIDE, PhotoFiles

log = logging.getLogger(__name__)

QUALITY = 72  # some 8 kB of the small one, 150 of the other


def thumbnail(photos: PhotoFiles, photo: str, side: int = SIDE) -> bytes:
    """Return a stored *photo* as a JPEG of that side; raises NotFound if it is none.

    The small one is the middle of the photo, a larger one all of it.

    A full disk costs the copy that is kept, not the picture.
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
    try:
        with Image.open(io.BytesIO(jpeg), formats=("JPEG",)) as picture:
            picture.draft("RGB", (side, side))  # decodes no more of it than is shown
            small = picture.convert("RGB")
            if side == SIDE:
                small = ImageOps.fit(small, (side, side))
            else:
                small.thumbnail((side, side))
    except (OSError, Image.DecompressionBombError):  # cut short, or no photo of ours
        raise NotFound(_("This photo is damaged. What was read on it is still here.")) from None
    content = io.BytesIO()
    small.save(content, "JPEG", quality=QUALITY, optimize=True)
    return content.getvalue()
