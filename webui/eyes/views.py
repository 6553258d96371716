"""The layout of a photo on a phone: the visible part, and the position of each piece's tag.

In: a reading as JSON, which may be a stored one. Out: views as JSON.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from vision.quad import Quad
from vision.tags import Box, frame_around, place_tags, touching_point

SCREEN_WH = (328, 459)  # CSS px for a photo on a phone of 360 by 740
TAG_HIGH = (24, 20, 16)  # CSS px; smaller if the dice are close, so that tags would be far away
LETTER_WIDE = 0.42  # of a letter, in tag heights, like the next two
TAG_PAD = 0.34
FAR = 1.5  # maximum from a tag's edge to its piece
# If dice have colours other than black and white, a letter is shown beside the hue.
LETTERS = {
    "white": "W",
    "black": "Bk",
    "grey": "Gy",
    "red": "R",
    "orange": "O",
    "yellow": "Y",
    "green": "G",
    "blue": "B",
    "purple": "P",
    "pink": "Pk",
    "brown": "Br",
    "clear": "C",
}


def views(reading: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the views of a photo: the part with the pieces, and the whole if that is more.

    A view has its `frame` [x, y, width, height], px of the photo to a CSS px (`unit`), `letters`
    for colours ({} if not needed), and for dice, tiles and possible pieces a tag {"box", "to",
    "text"} or null; `to` is the end of the line to the piece.
    """
    width, height = reading["width"], reading["height"]
    board = reading["board"]
    beside = not board or bool(reading.get("marks"))  # dice are beside a sheet
    shown = [die["quad"] for die in reading["dice"] if die["cell"] is not None or beside]
    shown += [tile["quad"] for tile in reading.get("tiles", [])]
    shown += reading.get("perhaps", [])  # old stored readings lack it
    shown += [piece["quad"] for piece in reading.get("unread", [])]
    corners = [quad_of(board["corners"])] if board else []
    near = frame_around(width, height, list(map(quad_of, shown)), corners)
    whole = Box(0.0, 0.0, float(width), float(height))
    return [_view(reading, frame) for frame in ([whole] if near == whole else [near, whole])]


def _view(reading: Mapping[str, Any], frame: Box) -> dict[str, Any]:
    dice, tiles = reading["dice"], reading.get("tiles", [])
    missed_candidates = reading.get("perhaps", [])
    letters = _letters([die["color"] for die in dice])
    texts = [_text(die, letters) for die in dice] + [_tile_text(tile) for tile in tiles]
    texts += ["?"] * len(missed_candidates)
    quads = [piece["quad"] for piece in (*dice, *tiles)]
    faces = list(map(quad_of, (*quads, *missed_candidates)))
    unit = max(frame.width / SCREEN_WH[0], frame.height / SCREEN_WH[1])
    for high in TAG_HIGH:
        placed = place_tags(frame, faces, [_size(text, high * unit) for text in texts])
        if not any(_far(face, box) for face, box in zip(faces, placed, strict=True)):
            break
    tags = list(_tags(faces, placed, texts))
    return {
        "frame": _rounded(frame.left, frame.top, frame.width, frame.height),
        "unit": round(unit, 3),
        "letters": letters,
        "dice": tags[: len(dice)],
        "tiles": tags[len(dice) : len(quads)],
        "perhaps": tags[len(quads) :],
    }


def _far(face: Quad, box: Box | None) -> bool:
    """Return True if the line from a tag to its piece is long."""
    if box is None:
        return False
    x, y = touching_point(face, box)
    reach = box.grown(FAR * box.height, FAR * box.height)
    return not reach.holds((x, y))


def _letters(colours: Sequence[str]) -> dict[str, str]:
    several = len(set(colours)) > 1
    return LETTERS if several and not set(colours) <= {"black", "white"} else {}


def _text(die: Mapping[str, Any], letters: Mapping[str, str]) -> str:
    letter = letters.get(die["color"], "")
    return f"{die['value']}{' ' if letter else ''}{letter}{'' if die['sure'] else '?'}"


def _tile_text(tile: Mapping[str, Any]) -> str:
    """Return "6-4", with the level from the second on, counted from 1: "6-4 L2"."""
    first, second = tile["halves"]
    level = tile["level"]
    high = f" L{level + 1}" if level else ""
    return f"{first}-{second}{high}{'' if tile['sure'] else '?'}"


def _size(text: str, high: float) -> tuple[float, float]:
    return max(1.0, LETTER_WIDE * len(text) + TAG_PAD) * high, high


def _tags(
    faces: Sequence[Quad], boxes: Sequence[Box | None], texts: Sequence[str]
) -> Iterator[dict[str, Any] | None]:
    for face, box, text in zip(faces, boxes, texts, strict=True):
        if box is None:
            yield None
        else:
            at = _rounded(box.left, box.top, box.width, box.height)
            yield {"box": at, "to": _rounded(*touching_point(face, box)), "text": text}


def quad_of(corners: Sequence[Sequence[float]]) -> Quad:
    """Return corners that were stored, or sent, as a quad."""
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return Quad((a, b, c, d))


def _rounded(*px: float) -> list[float]:
    return [round(x, 1) for x in px]
