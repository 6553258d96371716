"""Photos built by hand to take more time or memory than a photo may; each is small."""

import struct
import zlib

from tests import FIXTURES

HEIC = FIXTURES / "photos" / "board.heic"
PNG = b"\x89PNG\r\n\x1a\n"
END = b"\xff\xd9"


def jpeg_segment(marker, payload):
    return struct.pack(">BBH", 0xFF, marker, 2 + len(payload)) + payload


def jpeg_frame(width, height):
    """Return the header of a grey progressive picture (ITU-T T.81, B.2.2)."""
    return jpeg_segment(0xC2, struct.pack(">BHHB3B", 8, height, width, 1, 1, 0x11, 0))


def jpeg_scan(first, last):
    return jpeg_segment(0xDA, bytes((1, 1, 0, first, last, 0)))


def jpeg(width, height, scans, before=b""):
    """Return a progressive JPEG without detail: each scan goes over all of it in a few bytes."""
    blocks = -(-width // 8) * -(-height // 8)
    one_code = bytes((1, *(0,) * 15))
    runs = "".join("0" + "1" * 14 for _ in range(-(-blocks // 32767)))  # of 32,767 blocks each
    bits = runs + "1" * (-len(runs) % 8)
    nothing = int(bits, 2).to_bytes(len(bits) // 8, "big").replace(b"\xff", b"\xff\x00")
    return b"".join(
        (
            b"\xff\xd8",
            before,
            jpeg_segment(0xDB, bytes((0, *(1,) * 64))),
            jpeg_frame(width, height),
            jpeg_segment(0xC4, b"\x00" + one_code + b"\x00"),
            jpeg_segment(0xC4, b"\x10" + one_code + b"\xe0"),
            jpeg_scan(0, 0),
            bytes(-(-blocks // 8)),
            (jpeg_scan(1, 63) + nothing) * scans,
            END,
        )
    )


def jpeg_of_hidden_size(width, height):
    """Return a JPEG that is 640 x 480 to whoever takes a restart marker for a segment.

    A restart marker has no length. Who reads one lands within the APP1 that follows, at a header
    that no decoder sees.
    """
    length = 0xFFE1  # the two bytes after the restart marker, read as a length
    inside = bytes(length - 4) + jpeg_frame(640, 480) + jpeg_scan(0, 0)
    app1 = jpeg_segment(0xE1, inside[: 0xFFFF - 2])
    header = jpeg(width, height, 1)
    frame_only = header[2 : header.index(b"\xff\xda")]  # what follows it is not there
    return b"\xff\xd8\xff\xd0" + app1 + frame_only + jpeg_scan(0, 0) + bytes(64) + END


def png_chunk(kind, payload, length=None):
    """Return a chunk; it may lie about its *length*."""
    size = len(payload) if length is None else length
    return struct.pack(">I", size) + kind + payload + struct.pack(">I", zlib.crc32(kind + payload))


def png(width, height, *chunks):
    return (
        PNG
        + png_chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
        + b"".join(chunks)
    )


def png_of_lying_chunk(kind):
    return png(640, 480, png_chunk(kind, bytes(40_000), length=0x7FFFFFF0))


def heic(at):
    """Return our own HEIC photo with one byte of its boxes destroyed."""
    content = bytearray(HEIC.read_bytes())
    content[at] = 0xFF
    return bytes(content)


# Name, bytes, and what a person is told.
KILLERS = {
    "size hidden behind a restart marker": (jpeg_of_hidden_size(40_000, 25_000), "1000 megapixels"),
    "over a gigapixel": (jpeg(65_000, 65_000, 0)[:20_000], "4225 megapixels"),
    "600 progressive scans": (jpeg(4000, 3000, 600), "takes too long"),
    "a strip": (png(900_000, 65, png_chunk(b"IDAT", b"x")), "strip"),
    "a chunk of pixels that lies about its length": (png_of_lying_chunk(b"IDAT"), "damaged"),
    "a chunk of text that lies about its length": (png_of_lying_chunk(b"tEXt"), "damaged"),
    "a palette that lies about its length": (png_of_lying_chunk(b"PLTE"), "damaged"),
}
