"""Smaller pictures of the stored photos, for pages: made once, kept beside the photo."""

from __future__ import annotations

import io
import logging
from contextlib import suppress
from pathlib import Path

from PIL import Image, ImageOps

from scorer.messages import _
from webui.errors import DiskFull, NotFound
from webui.store.private_files import write_durably

log = logging.getLogger(__name__)

SIDE = 192  # px; the 64 px of the history on a screen with three dots a px
SCREEN = 1280  # px; the longer side of a whole photo as a page shows it
QUALITY = 72  # some 8 kB of the small one, 150 of the other


def thumbnail(photo: Path, side: int = SIDE) -> bytes:
    """Return a stored *photo* as a JPEG of that side; raises NotFound if it is none.

    The small one is the middle of the photo, a larger one all of it.

    A full disk costs the copy that is kept, not the picture.
    """
    kept = photo.with_suffix(f".{side}.jpg")
    with suppress(FileNotFoundError):
        return kept.read_bytes()
    small = _shrunk(photo, side)
    try:
        write_durably(kept, small)
    except (OSError, DiskFull):
        log.warning("the small picture of %s could not be kept", photo.name, exc_info=True)
    return small


def _shrunk(path: Path, side: int) -> bytes:
    try:
        with Image.open(path, formats=("JPEG",)) as picture:
            picture.draft("RGB", (side, side))  # decodes no more of it than is shown
            small = picture.convert("RGB")
            if side == SIDE:
                small = ImageOps.fit(small, (side, side))
            else:
                small.thumbnail((side, side))
    except (OSError, Image.DecompressionBombError):  # gone, cut short, or no photo of ours
        raise NotFound(_("This photo is damaged. What was read on it is still here.")) from None
    content = io.BytesIO()
    small.save(content, "JPEG", quality=QUALITY, optimize=True)
    return content.getvalue()
