"""Warnings about a photo that others recognise by their words; without numpy."""

from collections import Counter
from collections.abc import Iterable, Sequence

from vision.quad import Point, Quad

UNSEEN = "The board was not found. Show all of it, flat, with the black squares around it."
GUESSED = "Where the grid lies is a guess. Check the cells, or take the photo from above."
COLOURED = "The light colours the dice: white ones may look orange or green. Check their colours."
FOREIGN = "A {} die does not belong to this game. Take it away or correct its colour."
CUT = "A piece is cut off at the edge of the photo. Show all of it."
LONE_HALF = "A domino is missing its other half ({}). Show the whole tile."
SOME = (
    "There may be a piece ({places}). Look there.",
    "There may be {number} pieces ({places}). Look there.",
)
MORE = (
    "There may be one more piece ({places}). Look there.",
    "There may be {number} more pieces ({places}). Look there.",
)
# Share of the way from the middle of a face to its edge that is on the photo if it is whole, but
# for errors of its outline. Of 1,400 dice on photos two have less; of 44 cut off by 15 % all have.
# The pips of half a domino lie within 0.8: of 199 halves of which 70 to 95 % are left none is
# surely misread (`python -m models.measure cut`, drawn and real ones).
WHOLE, WHOLE_HALF = 0.9, 0.8
SAID = {
    "numbered": ("A die with numerals is not read.", "{number} dice with numerals are not read."),
    "back": (
        "A domino is face down and is not read.",
        "{number} dominoes are face down and are not read.",
    ),
    "printed": (
        "A printed domino is not counted.",
        "{number} printed dominoes are not counted. If some are real, cover the print.",
    ),
}


LARGER, DOUBLE_SIX = "The set has dominoes with more than six pips on a half.", 6


def notices(kinds: Iterable[str], halves: Iterable[int]) -> list[str]:
    """Return sentences about what was read that ask nothing.

    Args:
        kinds: of the pieces that are not read; a thing has a warning.
        halves: of the dominoes.
    """
    counts = Counter(kind for kind in kinds if kind in SAID)
    unread = [SAID[kind][count > 1].format(number=count) for kind, count in counts.items()]
    return [*unread, LARGER] if max(halves, default=0) > DOUBLE_SIX else unread


def hint(missed: Sequence[Quad], width: int, height: int, *, more: bool) -> str | None:
    """Return a sentence about places where pieces may lie, or *more* pieces; None without any."""
    if not missed:
        return None
    text = (MORE if more else SOME)[len(missed) > 1]
    return text.format(number=len(missed), places=where_all(missed, width, height))


def is_cut_off(face: Quad, width: int, height: int, *, half: bool = False) -> bool:
    """Return True if part of a die, or pips of *half* a domino, may be beyond the photo's edge.

    Args:
        face: its outline, px.
        width: of the photo, px.
        height: of the photo, px.
        half: it is joined with the domino's other half.
    """
    return share_inside(face, width, height) < (WHOLE_HALF if half else WHOLE)


def share_inside(face: Quad, width: int, height: int) -> float:
    """Return the scale at which a face, shrunk around its middle, just fits on the photo.

    It is 1 or more for a face that is not cut off, and 0 or less if its middle is off the photo.
    """
    return min(
        ((-0.5 if corner < middle else size - 0.5) - middle) / (corner - middle)
        for corners in face.corners
        for corner, middle, size in zip(corners, face.center, (width, height), strict=True)
        if abs(corner - middle) > 1e-9
    )


def where_all(quads: Iterable[Quad], width: int, height: int) -> str:
    """Return in words in which ninths of a photo quads are, each once."""
    return ", ".join(dict.fromkeys(where(quad.center, width, height) for quad in quads))


def where(at: Point, width: int, height: int) -> str:
    """Return in words in which ninth of a photo a point is.

    >>> where((10, 90), 100, 100), where((50, 50), 100, 100)
    ('bottom left', 'middle')
    """
    rows, columns = ("top", "", "bottom"), ("left", "", "right")
    row = rows[min(2, max(0, int(3 * at[1] / height)))]
    column = columns[min(2, max(0, int(3 * at[0] / width)))]
    return f"{row} {column}".strip() or "middle"
