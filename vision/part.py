"""A part of a photo: what a phone sends first where that is all that matters.

In: the part, and where on the photo it was. Out: a photo as large as the whole, grey around it, so
that what is read there lies where it does on the whole, and that one can be held against it.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.errors import Unreadable
from vision.geometry import Floats
from vision.photo import Photo, Pixels, check_size

GREY = 112  # the level of what was not sent; a JPEG that is cut off ends with 128
OTHER_SIZE = "The part of the photo is not as large as it was said to be. Send the whole photo."
OTHER_PHOTO = "This is not the photo that the part was taken from."
BLOCK = 8  # px of the part that are compared as one: compression changes their mean little
# Grey levels that the mean of a block may differ by, at the quantile NEARLY_ALL. Compressed twice
# it differs by 5 at most on `../shared/photos/train`; moved by four px by 20 at least.
DIFFERENT, NEARLY_ALL = 12.0, 0.99


@dataclass(frozen=True, slots=True)
class PhotoPart:
    """A rectangle of a photo of *width* x *height* px; px from *left*, *top* up to the others."""

    left: int
    top: int
    right: int
    bottom: int
    width: int
    height: int

    @property
    def lies_on_it(self) -> bool:
        """Return True if the photo has all of it, and it has any px at all."""
        return 0 <= self.left < self.right <= self.width and (
            0 <= self.top < self.bottom <= self.height
        )


def painted(photo: Photo, part: PhotoPart) -> Photo:
    """Return the whole photo of which *photo* is a part, grey elsewhere; raises Unreadable."""
    size = part.right - part.left, part.bottom - part.top
    if not part.lies_on_it or (photo.width, photo.height) != size:
        raise Unreadable("photo", OTHER_SIZE)
    check_size(part.width, part.height)
    whole = np.full((part.height, part.width, 3), GREY, np.uint8)
    pixels = photo.bgr if photo.scale == 1 else cv2.resize(photo.bgr, size)
    whole[part.top : part.bottom, part.left : part.right] = pixels
    return Photo.from_array(whole, "bgr")


def check_same(whole: Photo, shown: Photo, part: PhotoPart) -> None:
    """Raise Unreadable unless *whole* is the photo of which a part was `painted` as *shown*."""
    if (whole.width, whole.height) != (part.width, part.height):
        raise Unreadable("photo", OTHER_PHOTO)
    off = np.abs(_blocks(whole.bgr, part) - _blocks(shown.bgr, part))
    if np.quantile(off, NEARLY_ALL) > DIFFERENT:
        raise Unreadable("photo", OTHER_PHOTO)


def _blocks(bgr: Pixels, part: PhotoPart) -> Floats:
    """Return the mean grey levels of the blocks of a part, on a picture of the whole."""
    height, width = bgr.shape[:2]
    columns = [round(x * width / part.width) for x in (part.left, part.right)]
    rows = [round(y * height / part.height) for y in (part.top, part.bottom)]
    grey = cv2.cvtColor(bgr[slice(*rows), slice(*columns)], cv2.COLOR_BGR2GRAY)
    wide, high = (
        max(1, (end - start) // BLOCK)
        for start, end in ((part.left, part.right), (part.top, part.bottom))
    )
    return np.asarray(
        cv2.resize(grey.astype(np.float32), (wide, high), interpolation=cv2.INTER_AREA), np.float64
    )
