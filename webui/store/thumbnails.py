"""Small pictures of the stored photos, for the history: made once, kept beside the photo."""

from __future__ import annotations

import io
import logging
from contextlib import suppress
from pathlib import Path

from PIL import Image, ImageOps

from webui.errors import DiskFull, NotFound
from webui.store.private_files import write_durably

log = logging.getLogger(__name__)

SIDE = 192  # px; the 64 px of the history on a screen with three dots a px
QUALITY = 72  # some 8 kB


def thumbnail(photo: Path) -> bytes:
    """Return the middle of a stored *photo* as a small JPEG; raises NotFound if it is none.

    A full disk costs the copy that is kept, not the picture.
    """
    kept = photo.with_suffix(f".{SIDE}.jpg")
    with suppress(FileNotFoundError):
        return kept.read_bytes()
    small = _shrunk(photo)
    try:
        write_durably(kept, small)
    except (OSError, DiskFull):
        log.warning("the small picture of %s could not be kept", photo.name, exc_info=True)
    return small


def _shrunk(path: Path) -> bytes:
    try:
        with Image.open(path, formats=("JPEG",)) as picture:
            picture.draft("RGB", (SIDE, SIDE))  # decodes no more of it than is shown
            small = ImageOps.fit(picture.convert("RGB"), (SIDE, SIDE))
    except (OSError, Image.DecompressionBombError):  # gone, cut short, or no photo of ours
        raise NotFound("This photo is damaged. What was read on it is still here.") from None
    content = io.BytesIO()
    small.save(content, "JPEG", quality=QUALITY, optimize=True)
    return content.getvalue()
