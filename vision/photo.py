"""Decode photo bytes to upright pixels: formats, sizes and channel order are handled only here.

In: JPEG, PNG, WebP or HEIC as a camera or phone writes it. Out: `Photo`, or `Unreadable`.

Pillow parses and decodes JPEG, PNG and WebP, pi_heif HEIC. The size is always read by the library
that decodes: two parsers could disagree on a manipulated file, and then the size that was checked
would not be the size that is decoded.
"""

from __future__ import annotations

import io
import time
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, Literal, get_args

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image
from PIL.JpegImagePlugin import JpegImageFile

from vision.errors import Unreadable

SUFFIXES = {".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif"}  # that files of photos have

Pixels = NDArray[np.uint8]  # (h, w, 3) BGR
Grey = NDArray[np.uint8]  # (h, w)

MAX_PIXELS = 60_000_000  # common phone sensors have up to 50 MP; decompression bombs have more
WEBP_PIXELS = 48_000_000  # its decoder holds four copies, 0.8 GB; no camera writes larger ones
MIN_SIDE = 64  # px; on a smaller photo no die has legible pips
MAX_SLENDER = 20  # largest aspect ratio; a full panorama has about 8
ENOUGH_PIXELS = 2_000_000  # that a reduced picture must have; nine dice then span 60 px each
# Pixels times scans of a progressive JPEG. Each scan goes over the whole picture, which takes some
# seconds per thousand million. Cameras and phones write up to 13 scans.
MAX_VISITS = 1_000_000_000
WRONG_KIND = "This is not a photo Pipsight can read. Send a JPEG, PNG, WebP or HEIC picture."
EMPTY = "The photo is empty. Take it again."
VIDEO = "This is a video. Take a photo of the table, or send one picture of the video."
DOCUMENT = "This is a PDF document. Send a photo of the table, or a picture of the page."
NOT_READ = "Pipsight does not read {kind} pictures. Save this one as JPEG or PNG first."
CUT_OFF = "The picture file is cut off or damaged. Take or send the photo again."
TOO_DEAR = "The picture file is built so that reading it takes too long. Take the photo again."
UNNAMED = "pixels are taken with the order of their channels: Photo.from_array(pixels, 'rgb')"
NO_PHOTO = "a photo is a path, the bytes of a file or pixels, not {}"
NO_PIXELS = "pixels are (height, width, 3) uint8, or (height, width) if 'grey'; not {} {}"
Channels = Literal["rgb", "bgr", "grey"]
TOO_LARGE = "The picture takes more memory than there is for it. Send a smaller one."
HEIF_BRANDS = {b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis", b"mif1", b"msf1"}
AVIF_BRANDS = {b"avif", b"avis"}
MATROSKA = b"\x1a\x45\xdf\xa3"  # WebM too
ORIENTATION = 0x0112  # EXIF 2.3, 4.6.4
TURNS: Mapping[int, Callable[[Pixels], Pixels]] = {  # to upright, by the orientation as stored
    2: lambda bgr: bgr[:, ::-1],
    3: lambda bgr: bgr[::-1, ::-1],
    4: lambda bgr: bgr[::-1],
    5: lambda bgr: bgr.transpose(1, 0, 2),
    6: lambda bgr: bgr.transpose(1, 0, 2)[:, ::-1],
    7: lambda bgr: bgr.transpose(1, 0, 2)[::-1, ::-1],
    8: lambda bgr: bgr.transpose(1, 0, 2)[::-1],
}
BAND = 256  # rows of the reduced picture computed at once, to save memory
START_OF_SCAN, END_OF_IMAGE = b"\xff\xda", b"\xff\xd9"


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

    @classmethod
    def from_array(cls, pixels: NDArray[Any], channels: Channels) -> Photo:
        """Make a photo from upright pixels in an array.

        Pillow, imageio and matplotlib use "rgb", OpenCV uses "bgr".

        Args:
            pixels: (h, w, 3) uint8, or (h, w) for "grey".
            channels: their order.

        Raises:
            ValueError: the array does not have these channels.
            Unreadable: the picture is too small, too large or a strip.
        """
        if channels not in get_args(Channels):
            raise ValueError(f"no such channels: {channels!r}; use rgb, bgr or grey")
        pixels = np.asarray(pixels)
        check_pixels(pixels, () if channels == "grey" else (3,))
        height, width = pixels.shape[:2]
        check_size(width, height)
        rgb = pixels[..., ::-1] if channels == "bgr" else pixels
        return cls.from_image(Image.fromarray(np.ascontiguousarray(rgb)))

    @classmethod
    def from_image(cls, image: Image.Image) -> Photo:
        """Make a photo from a picture of Pillow's, upright by its EXIF orientation.

        Raises Unreadable if it is too small, too large, a strip or cut off.
        """
        check_size(*image.size)
        try:
            image.load()
        except OSError as error:
            raise Unreadable("photo", CUT_OFF) from error
        bgr = np.ascontiguousarray(_turn(image)(_reduced(image, _reduction(*image.size))))
        return cls(bgr, *_as_turned(image.size, bgr))

    @property
    def scale(self) -> float:
        """Return px of the photo per px of `bgr`."""
        return self.width / int(self.bgr.shape[1])

    def grey(self) -> Grey:
        """Return (h, w) uint8, the grey levels of `bgr`."""
        return np.asarray(cv2.cvtColor(self.bgr, cv2.COLOR_BGR2GRAY), np.uint8)


def halved(bgr: Pixels) -> Pixels:
    """Return a picture half as large, each pixel the mean of four; an odd last row is dropped.

    Two such steps from 2016 x 1512 px take 1.2 ms on one core; other factors are many times slower.
    """
    height, width = bgr.shape[0] // 2 * 2, bgr.shape[1] // 2 * 2
    small = cv2.resize(
        bgr[:height, :width], (width // 2, height // 2), interpolation=cv2.INTER_AREA
    )
    return np.asarray(small, np.uint8)


def opened(photo: object) -> Photo:
    """Return a photo, or load the one at a path; raises TypeError for others, and Unreadable."""
    if isinstance(photo, Photo):
        return photo
    if isinstance(photo, str | PathLike):
        return load(photo)
    raise TypeError(
        UNNAMED if isinstance(photo, np.ndarray) else NO_PHOTO.format(type(photo).__name__)
    )


def load(path: str | PathLike[str]) -> Photo:
    """Decode the photo in a file; raises Unreadable if it cannot be read."""
    path = Path(path)
    try:
        content = path.read_bytes()
    except OSError as error:
        sentence = f"The file {path.name or path} cannot be opened: {error.strerror}."
        raise Unreadable("photo", sentence) from error
    return decode(content)


def decode(content: bytes) -> Photo:
    """Decode photo bytes to an upright photo; raises Unreadable with what to change.

    The size is read from the header and checked before any pixel is decoded.
    """
    if not isinstance(content, bytes):
        raise TypeError("decode takes the bytes of a file; load takes its name")
    started = time.perf_counter()
    is_heif = content[4:8] == b"ftyp" and content[8:12] in HEIF_BRANDS
    try:
        with warnings.catch_warnings():  # for example about damaged metadata
            warnings.simplefilter("ignore")
            bgr, size = _decode_heif(content) if is_heif else _decode_common(content)
    except Unreadable:
        raise
    except MemoryError as error:
        raise Unreadable("photo", TOO_LARGE) from error
    except Exception as error:
        # Decoders raise anything on manipulated files: SyntaxError, IndexError, struct.error ...
        raise Unreadable("photo", CUT_OFF) from error
    return Photo(bgr, *_as_turned(size, bgr), ms=1000 * (time.perf_counter() - started))


def as_jpeg(photo: Photo, longest: int = 2048) -> bytes:
    """Return the photo as JPEG, without any metadata, its longer side at most *longest* px."""
    height, width = photo.bgr.shape[:2]
    shrink = min(1.0, longest / max(height, width))
    small = cv2.resize(photo.bgr, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    _, jpeg = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 88])
    return bytes(jpeg)


def _decode_common(content: bytes) -> tuple[Pixels, tuple[int, int]]:
    """Decode JPEG, PNG and WebP; return upright pixels and (width, height) as stored."""
    source = _Source(content)
    image = _open(source)
    size = image.size
    check_size(*size, WEBP_PIXELS if image.format == "WEBP" else MAX_PIXELS)
    reduction = _reduction(*size)
    if isinstance(image, JpegImageFile):
        source.pixels = size[0] * size[1]
        image.draft(image.mode, (size[0] // reduction, size[1] // reduction))
    image.load()
    if isinstance(image, JpegImageFile):
        bgr = _as_bgr(image)
        if _has_missing_rows(bgr):
            raise Unreadable("photo", CUT_OFF)
    else:
        bgr = _reduced(image, reduction)
    return np.ascontiguousarray(_turn(image)(bgr)), size


def _reduction(width: int, height: int) -> int:
    """Return the factor by which a large picture is shrunk, in each direction."""
    return next((r for r in (8, 4, 2) if width * height >= ENOUGH_PIXELS * r * r), 1)


def _reduced(image: Image.Image, reduction: int) -> Pixels:
    """Shrink a picture by a whole number; the rest at its right and lower end is dropped."""
    if reduction == 1:
        return _as_bgr(image)
    width, height = image.width // reduction, image.height // reduction
    bands = []
    for top in range(0, height, BAND):
        rows = min(BAND, height - top)
        box = (0, reduction * top, reduction * width, reduction * (top + rows))
        band = _as_bgr(image.crop(box))
        bands.append(cv2.resize(band, (width, rows), interpolation=cv2.INTER_AREA))
    return np.asarray(np.concatenate(bands), np.uint8)


class _Source(io.BytesIO):
    """The file as a decoder reads it, piece by piece.

    Once `pixels` is set, it counts the scans that the decoder reads, so bytes after the picture,
    such as a video, do not count. It also adds the end marker that many cameras leave out.
    """

    pixels = 0  # of the JPEG that is being decoded
    scans = 0

    def read(self, size: int | None = -1) -> bytes:
        """Return the next bytes; raises Unreadable if decoding would take too long."""
        piece = super().read(size)
        if not self.pixels:
            return piece
        self.scans += piece.count(START_OF_SCAN)
        if self.scans * self.pixels > MAX_VISITS:
            raise Unreadable("photo", TOO_DEAR)
        return piece or END_OF_IMAGE


def _open(source: _Source) -> Image.Image:
    """Parse the header; `Image.open` would import the plugins of ten more formats first."""
    start = source.getvalue()[:12]
    if start.startswith(b"\xff\xd8\xff"):
        return JpegImageFile(source)
    if start.startswith(b"\x89PNG\r\n\x1a\n"):
        from PIL.PngImagePlugin import PngImageFile  # noqa: PLC0415  # phones write JPEG

        return PngImageFile(source)
    if start[:4] == b"RIFF" and start[8:] == b"WEBP":
        from PIL.WebPImagePlugin import WebPImageFile  # noqa: PLC0415

        try:
            return WebPImageFile(source)
        except Image.DecompressionBombError as error:  # it allocates the canvas at once
            raise Unreadable("photo", _too_many("over 150", WEBP_PIXELS)) from error
    raise Unreadable("photo", _why_not_read(start))


def _why_not_read(start: bytes) -> str:
    """Return a sentence about a file of another kind, by its first bytes."""
    if not start:
        return EMPTY
    if start.startswith(b"%PDF"):
        return DOCUMENT
    if kind := _kind_not_read(start):
        return NOT_READ.format(kind=kind)
    is_video = start[4:8] == b"ftyp" or start.startswith(MATROSKA)
    return VIDEO if is_video or (start[:4] == b"RIFF" and start[8:] == b"AVI ") else WRONG_KIND


def _kind_not_read(start: bytes) -> str | None:
    """Return the name of a picture format that is not supported, by its first bytes."""
    if start.startswith((b"GIF87a", b"GIF89a")):
        return "GIF"
    if start.startswith(b"BM") and start[6:10] == bytes(4):  # "BM" alone begins texts too
        return "BMP"
    if start.startswith((b"II*\0", b"MM\0*")):
        return "TIFF/RAW"  # the raw formats of most cameras begin as TIFF
    if start[4:8] == b"ftyp" and start[8:12] == b"crx ":
        return "raw"
    if start[4:8] == b"ftyp" and start[8:12] in AVIF_BRANDS:
        return "AVIF"
    return "JPEG XL" if start.startswith((b"\xff\x0a", b"\0\0\0\x0cJXL ")) else None


def _turn(image: Image.Image) -> Callable[[Pixels], Pixels]:
    """Return the function that makes the picture upright, by its EXIF orientation."""
    try:
        orientation = image.getexif().get(ORIENTATION, 1)
    except Exception:  # noqa: BLE001  # damaged metadata: the picture itself is whole
        orientation = 1
    return TURNS.get(orientation, lambda bgr: bgr)


def _as_turned(size: tuple[int, int], bgr: Pixels) -> tuple[int, int]:
    """Return the size of a picture as stored for its pixels, upright by now."""
    height, width = bgr.shape[:2]
    return size if (width > height) == (size[0] > size[1]) else size[::-1]


def _as_bgr(image: Image.Image) -> Pixels:
    """Convert pixels of any mode to (h, w, 3) BGR; transparency is ignored."""
    if image.mode.startswith("I"):  # 16 bits of grey, which Pillow would clip
        grey = (np.asarray(image) >> 8).astype(np.uint8)
        return np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8)
    rgb = image if image.mode == "RGB" else image.convert("RGB")
    return np.asarray(cv2.cvtColor(np.asarray(rgb), cv2.COLOR_RGB2BGR), np.uint8)


def _decode_heif(content: bytes) -> tuple[Pixels, tuple[int, int]]:
    """Decode HEIC; the decoder applies its rotation and mirroring."""
    import pi_heif  # noqa: PLC0415  # 5 MB that only a HEIC photo needs

    image = pi_heif.open_heif(content, convert_hdr_to_8bit=True)
    size = (int(image.size[0]), int(image.size[1]))
    check_size(*size)
    rgb = np.asarray(image)
    return np.ascontiguousarray(rgb[:, :, 2::-1]), size


def check_pixels(pixels: NDArray[Any], deep: tuple[int, ...] = (3,)) -> None:
    """Raise ValueError unless it is (h, w) uint8, and so *deep*."""
    if pixels.dtype != np.uint8 or pixels.ndim < 2 or pixels.shape[2:] != deep:
        raise ValueError(NO_PIXELS.format(pixels.dtype, pixels.shape))


def check_size(width: int, height: int, most: int = MAX_PIXELS) -> None:
    """Raise Unreadable for a picture that is too large, too small or a strip."""
    if width * height > most:
        raise Unreadable("photo", _too_many(f"{width * height / 1e6:.0f}", most))
    if min(width, height) < MIN_SIDE:
        raise Unreadable(
            "photo",
            f"The picture is only {width} x {height} pixels. Send the photo itself, not its icon.",
        )
    if max(width, height) > MAX_SLENDER * min(width, height):
        raise Unreadable(
            "photo", f"The picture is a strip of {width} x {height} pixels. Show the whole table."
        )


def _too_many(megapixels: str, most: int) -> str:
    return f"The picture has {megapixels} megapixels; send one of at most {most // 1_000_000}."


def _has_missing_rows(bgr: Pixels) -> bool:
    """Return True if the end of a JPEG is missing and was filled with grey.

    A JPEG that ends early decodes without an error, its missing blocks as mid grey. The end of the
    file may be any side of the upright photo.
    """
    ends = (bgr[-4:], bgr[:4], bgr[:, :4], bgr[:, -4:])
    return any(bool((end == 128).all()) for end in ends)
