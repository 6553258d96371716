"""Photo bytes to upright pixels: the one door where formats, sizes and channel order are settled.

In: JPEG, PNG, WebP or HEIC as a camera or phone writes it. Out: `Photo`, or `Unreadable`.
"""

from __future__ import annotations

import struct
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading import Unreadable

Pixels = NDArray[np.uint8]  # (h, w, 3) BGR
Grey = NDArray[np.uint8]  # (h, w)

MAX_PIXELS = 60_000_000  # the largest phone sensors in common use give 50 MP; a bomb gives more
MIN_SIDE = 64  # px; below this no die on the photo has legible pips
ENOUGH_PIXELS = 2_000_000  # a reduced decode must leave this many; nine dice then span 60 px each
WRONG_KIND = "This is not a photo Pipsight can read. Send a JPEG, PNG, WebP or HEIC picture."
CUT_OFF = "The picture file is cut off or damaged. Take or send the photo again."
HEIF_BRANDS = {b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis", b"mif1", b"msf1"}


@dataclass(frozen=True, slots=True, eq=False)
class Photo:
    """An upright photo.

    `bgr` is (h, w, 3) uint8, channels blue green red; a large photo is decoded at a half, a
    quarter or an eighth, so `bgr` may be smaller than `width` x `height`, the upright size in px.
    """

    bgr: Pixels
    width: int
    height: int
    ms: float = 0.0  # spent on decoding

    @property
    def scale(self) -> float:
        """Return how many px of the photo one px of `bgr` stands for."""
        return self.width / int(self.bgr.shape[1])


def load(path: Path) -> Photo:
    """Decode the photo in a file; raise Unreadable if there is none."""
    try:
        content = path.read_bytes()
    except OSError as error:
        sentence = f"The file {path.name} cannot be opened: {error.strerror}."
        raise Unreadable("photo", sentence) from error
    return decode(content)


def decode(content: bytes) -> Photo:
    """Decode photo bytes upright; raise Unreadable with what to change.

    The size is read from the header and checked before a single pixel is decoded.
    """
    started = time.perf_counter()
    is_heif = content[4:8] == b"ftyp" and content[8:12] in HEIF_BRANDS
    bgr, size = _decode_heif(content) if is_heif else _decode_common(content)
    height, width = bgr.shape[:2]
    if (width > height) != (size[0] > size[1]):  # turned by its EXIF orientation
        size = (size[1], size[0])
    return Photo(bgr, *size, ms=1000 * (time.perf_counter() - started))


def as_jpeg(photo: Photo, longest: int = 2048) -> bytes:
    """Return the upright photo as JPEG without any metadata, its longer side at most *longest*."""
    height, width = photo.bgr.shape[:2]
    shrink = min(1.0, longest / max(height, width))
    small = cv2.resize(photo.bgr, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    _, jpeg = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 88])
    return bytes(jpeg)


def _decode_common(content: bytes) -> tuple[Pixels, tuple[int, int]]:
    """Decode what OpenCV decodes; return upright pixels and (width, height) as stored."""
    size = _stored_size(content)
    _check_size(*size)
    reduction = next((r for r in (8, 4, 2) if size[0] * size[1] >= ENOUGH_PIXELS * r * r), 1)
    flags = {
        1: cv2.IMREAD_COLOR,
        2: cv2.IMREAD_REDUCED_COLOR_2,
        4: cv2.IMREAD_REDUCED_COLOR_4,
        8: cv2.IMREAD_REDUCED_COLOR_8,
    }
    bgr = cv2.imdecode(np.frombuffer(content, np.uint8), flags[reduction])
    if bgr is None:
        raise Unreadable("photo", CUT_OFF)
    pixels = np.asarray(bgr, np.uint8)
    if _has_missing_rows(content, pixels):
        raise Unreadable("photo", CUT_OFF)
    return pixels, size


def _decode_heif(content: bytes) -> tuple[Pixels, tuple[int, int]]:
    """Decode HEIC; its own turn and mirror boxes are obeyed by the decoder."""
    import pi_heif  # noqa: PLC0415  # 5 MB that only a HEIC photo needs

    try:
        image = pi_heif.open_heif(content, convert_hdr_to_8bit=True)
        size = (int(image.size[0]), int(image.size[1]))
        _check_size(*size)
        rgb = np.asarray(image)
    except (ValueError, OSError, RuntimeError, EOFError) as error:
        raise Unreadable("photo", CUT_OFF) from error
    return np.ascontiguousarray(rgb[:, :, 2::-1]), size


def _check_size(width: int, height: int) -> None:
    if width * height > MAX_PIXELS:
        millions = width * height / 1e6
        raise Unreadable(
            "photo",
            f"The picture has {millions:.0f} megapixels; send one of at most"
            f" {MAX_PIXELS // 1_000_000} megapixels.",
        )
    if min(width, height) < MIN_SIDE:
        raise Unreadable(
            "photo",
            f"The picture is only {width} x {height} pixels. Send the photo itself, not its icon.",
        )


def _stored_size(content: bytes) -> tuple[int, int]:
    """Return (width, height) as the header gives them, before any turning."""
    try:
        if content.startswith(b"\xff\xd8\xff"):
            return _jpeg_size(content)
        if content.startswith(b"\x89PNG\r\n\x1a\n"):
            width, height = struct.unpack(">II", content[16:24])
            return width, height
        if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
            return _webp_size(content)
    except (struct.error, IndexError) as error:
        raise Unreadable("photo", CUT_OFF) from error
    raise Unreadable("photo", WRONG_KIND)


def _jpeg_size(content: bytes) -> tuple[int, int]:
    """Return the size in the frame header (ITU-T T.81, B.2.2)."""
    for marker, at in _jpeg_segments(content):
        # SOF0 to SOF15, without DHT (C4), JPG (C8) and DAC (CC), which share the range.
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack_from(">HH", content, at + 3)
            return width, height
    raise Unreadable("photo", CUT_OFF)


def _jpeg_segments(content: bytes) -> Iterator[tuple[int, int]]:
    """Yield (marker, offset of the segment's length field) up to the first scan."""
    at = 2
    while content[at] == 0xFF:
        marker = content[at + 1]
        if marker == 0xFF:  # a fill byte
            at += 1
            continue
        yield marker, at + 2
        if marker == 0xDA:
            return
        at += 2 + struct.unpack_from(">H", content, at + 2)[0]


def _webp_size(content: bytes) -> tuple[int, int]:
    """Return the canvas size (RFC 9649, section 2)."""
    kind = content[12:16]
    if kind == b"VP8X":
        return (
            1 + int.from_bytes(content[24:27], "little"),
            1 + int.from_bytes(content[27:30], "little"),
        )
    if kind == b"VP8L":
        bits = struct.unpack_from("<I", content, 21)[0]
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    width, height = struct.unpack_from("<HH", content, 26)
    return width & 0x3FFF, height & 0x3FFF


def _has_missing_rows(content: bytes, bgr: Pixels) -> bool:
    """Say whether the decoder filled the end of a JPEG with its own grey.

    A JPEG that ends early decodes without an error, the missing blocks as mid grey. The stored
    end may be any side of the upright photo.
    """
    if not content.startswith(b"\xff\xd8"):
        return False
    ends = (bgr[-4:], bgr[:4], bgr[:, :4], bgr[:, -4:])
    return any(bool((end == 128).all()) for end in ends)
