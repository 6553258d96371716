"""Draw a reading on its photo, so that a person can check it.

The part with the board and the pieces is drawn large, with a tag for each piece that covers no
other (`vision.tags`). Below are the warnings and, small, the whole photo, because a missed piece
may be outside the part.
"""

from collections.abc import Collection, Sequence

import cv2
import numpy as np

from vision.boards.printed_board import cells_of
from vision.canvas import (
    BOARD,
    DARK,
    DOUBTFUL,
    FORBIDDEN,
    LIGHT,
    SURE,
    UNREAD,
    Bgr,
    DrawnPart,
    Tag,
    ground_size,
    hairline,
    outline,
    words_below,
    write_about,
    write_tags,
)
from vision.geometry import Points
from vision.layout import CellId, Layout
from vision.photo import Photo, Pixels
from vision.quad import Quad
from vision.reading import Face, MarkReading, Reading, TileReading
from vision.tags import Box, frame_around, frame_of

BY_BAR = 0.28  # place of a text, of the way from the middle of a tile to that of a half
GAP = 1.15  # least distance of the middles of two texts, times their size
BELOW = 0.4  # largest height of the whole photo below the part, of the part's height
SIGNS = {"blank": "", "checked": "x", "struck": "/", "blackened": "#"}
WORDS = {
    "back": "face down",
    "printed": "print",
    "numbered": "numerals",
    "thing": "thing",
}  # of pieces without a value
CORNER = 0.62  # place of a sign, of the way from the middle of a cell to its upper right corner

PieceIndex = tuple[str, int]  # kind and index in the reading: ("tiles", 2)


def draw_overlay(
    photo: Photo,
    reading: Reading,
    *,
    whole: bool = False,
    layout: Layout | None = None,
    forbidden: Collection[PieceIndex] = (),
    said: Sequence[str] = (),
) -> Pixels:
    """Return a picture of the photo with all outlines and values drawn on it.

    A doubtful piece is dashed and its text ends in "?", so that the difference is not only one of
    colour; so is a place of a missed piece. Halves of tiles on cells are outlined too, and "^2"
    means that there are two tiles below. A mark is shown by a sign in its cell: x is checked,
    / struck through, # blackened.

    Args:
        photo: that was read.
        reading: of it.
        whole: draw the whole photo, not enlarged.
        layout: of the board, to draw its cells; those of a grid are always drawn.
        forbidden: pieces that the rules do not allow there, outlined thickest, with a "!".
        said: sentences of those rules, written below.
    """
    shown = DrawnPart.of(
        photo, Box(0.0, 0.0, photo.width, photo.height) if whole else frame_of(reading)
    )
    cells = cells_of(reading.board, layout)
    for quad in cells.values():
        hairline(shown.canvas, shown.quad(quad))
    _draw(shown, reading, cells, frozenset(forbidden))
    below = [*said, *reading.warnings, *reading.notices]
    strips = [shown.canvas, *words_below(below, shown.canvas)]
    if shown.part.size < photo.bgr.size:
        strips.append(_overview(photo, reading, shown))
    return np.vstack(strips)


def draw_marks(photo: Photo, marks: Sequence[tuple[Quad, str, Bgr]]) -> Pixels:
    """Return the part of the photo with outlines, px of the photo, and their words."""
    quads = [quad for quad, _, _ in marks]
    shown = DrawnPart.of(photo, frame_around(photo.width, photo.height, quads))
    for quad, _, colour in marks:
        outline(shown.canvas, shown.quad(quad), colour)
    write_tags(shown, quads, [(text, colour) for _, text, colour in marks])
    return shown.canvas


def _draw(
    shown: DrawnPart, reading: Reading, cells: dict[CellId, Quad], forbidden: frozenset[PieceIndex]
) -> None:
    canvas = shown.canvas
    if reading.board:
        outline(canvas, shown.quad(reading.board.corners), BOARD)
    for place, mark in enumerate(reading.marks):
        if mark.cell in cells:
            _draw_mark(shown, mark, cells[mark.cell], ("marks", place) in forbidden)
    faces: list[Quad] = []
    tags: list[Tag | None] = []
    for place, die in enumerate(reading.dice):
        end, colour = _style(die.sure, ("dice", place) in forbidden)
        outline(canvas, shown.quad(die.quad), colour)
        faces.append(die.quad)
        tags.append((f"{die.value} {die.colour_words}{end}", colour))
    for place, tile in enumerate(reading.tiles):
        for half, tag in _draw_tile(shown, tile, ("tiles", place) in forbidden):
            faces.append(half)
            tags.append(tag)
    for missed in reading.missed_candidates:
        outline(canvas, shown.quad(missed), DOUBTFUL)
        faces.append(missed)
        tags.append(("?", DOUBTFUL))
    for piece in reading.unread:
        outline(canvas, shown.quad(piece.quad), UNREAD)
        faces.append(piece.quad)
        tags.append((WORDS[piece.kind], UNREAD))
    write_tags(shown, faces, tags)


def _style(sure: bool, forbidden: bool) -> Tag:
    """Return the end of a piece's text, and its colour."""
    if forbidden:
        return " !", FORBIDDEN
    return ("", SURE) if sure else (" ?", DOUBTFUL)


def _draw_mark(shown: DrawnPart, mark: MarkReading, quad: Quad, forbidden: bool) -> None:
    """Draw a mark's sign into its cell, and the cell's outline; nothing for a sure blank cell."""
    end, colour = _style(mark.sure, forbidden)
    sign = f"{SIGNS.get(mark.mark, mark.mark)}{end.strip()}"
    if not sign:
        return
    ring = shown.quad(quad)
    outline(shown.canvas, ring, colour)
    middle = ring.array.mean(axis=0)
    write_about(shown.canvas, middle + CORNER * (ring.array[1] - middle), sign, colour)


def _draw_tile(
    shown: DrawnPart, tile: TileReading, forbidden: bool
) -> list[tuple[Quad, Tag | None]]:
    """Draw a tile; return its halves, each with the tag that still has to be written."""
    end, colour = _style(tile.sure, forbidden)
    canvas = shown.canvas
    if tile.halves[0].cell is not None:
        for half in tile.halves:
            outline(canvas, shown.quad(half.quad), FORBIDDEN if forbidden else BOARD)
    outline(canvas, shown.quad(tile.quad), colour)
    level = f"^{tile.level}" if tile.level else ""
    texts = (f"{tile.halves[0].value}{level}", f"{tile.halves[1].value}{end}")
    by_bar = _by_bar(shown, tile, texts)
    for text, at in zip(texts, by_bar, strict=False):
        write_about(canvas, at, text, colour)
    tags = [None, None] if by_bar else [(text, colour) for text in texts]
    return [(half.quad, tag) for half, tag in zip(tile.halves, tags, strict=True)]


def _by_bar(shown: DrawnPart, tile: TileReading, texts: tuple[str, str]) -> list[Points]:
    """Return the places of the halves' texts next to the bar; empty if they would hide too much.

    There they clearly belong to the tile and do not overlap.
    """
    sizes = np.array([ground_size(text, shown.canvas) for text in texts])
    side = min(half.quad.side for half in tile.halves) * shown.zoom
    if 2 * sizes[:, 1].max() >= side or 1.5 * sizes[:, 0].max() >= side:
        return []
    middle, *halves = (
        shown.points(np.array([one.center]))[0]
        for one in (tile.quad, *(half.quad for half in tile.halves))
    )
    apart = np.abs(halves[1] - halves[0])
    clear = float((sizes.sum(axis=0) / 2 / np.maximum(apart, 1e-6)).min())  # shares of that way
    return [middle + max(BY_BAR, GAP * clear) * (half - middle) for half in halves]


def _overview(photo: Photo, reading: Reading, shown: DrawnPart) -> Pixels:
    """Return the whole photo, small, on a strip as wide as the canvas, with all outlines."""
    high, wide = shown.canvas.shape[:2]
    scale = min(BELOW * high / photo.bgr.shape[0], wide / photo.bgr.shape[1])
    size = (max(round(photo.bgr.shape[1] * scale), 1), max(round(photo.bgr.shape[0] * scale), 1))
    small = np.asarray(cv2.resize(photo.bgr, size, interpolation=cv2.INTER_AREA), np.uint8)
    to_small = scale / photo.scale
    outline(small, Quad.around(shown.frame.corners).scaled(to_small), LIGHT)
    pieces: tuple[Face | TileReading, ...] = (*reading.dice, *reading.tiles)
    for piece in pieces:
        outline(small, piece.quad.scaled(to_small), SURE if piece.sure else DOUBTFUL)
    for place in reading.missed_candidates:
        outline(small, place.scaled(to_small), DOUBTFUL)
    for unread in reading.unread:
        outline(small, unread.quad.scaled(to_small), UNREAD)
    strip: Pixels = np.full((small.shape[0], wide, 3), DARK, np.uint8)
    strip[:, : small.shape[1]] = small
    return strip
