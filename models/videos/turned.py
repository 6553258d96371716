"""How a file tells players that the camera lay on its side."""

from __future__ import annotations


def told_to_turn(mp4: bytes, quarters: int) -> bytes:
    """Return an MP4 file that tells players to turn its frames clockwise by so many quarters.

    The matrix stands in the track's header, `tkhd`, 40 bytes after its version for version 0
    (ISO/IEC 14496-12, 8.3.2).
    """
    c, s = ((1, 0), (0, 1), (-1, 0), (0, -1))[quarters % 4]
    unit = 1 << 16
    numbers = (c * unit, s * unit, 0, -s * unit, c * unit, 0, 0, 0, 1 << 30)
    matrix = b"".join(number.to_bytes(4, "big", signed=True) for number in numbers)
    at = mp4.index(b"tkhd") + 4 + 40
    return mp4[:at] + matrix + mp4[at + len(matrix) :]
