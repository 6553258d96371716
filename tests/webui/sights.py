"""Sights of the small pictures with truth: what faultless eyes answer, and the doubts wanted."""

import json

import cv2
import numpy as np

from scorer import Die, Doubt, MarkedCell, Table, Tile
from tests import FIXTURES
from webui.eyes.look import layout_of
from webui.eyes.photo import PhotoReading
from webui.eyes.printed_boards import board_named

# What a photo of nothing is read as.
NOTHING_READ = {"file": "photo.jpg", "width": 320, "height": 240, "ms": 1.0}
NOTHING_READ |= {"dice": [], "tiles": [], "marks": [], "board": None, "warnings": []}
SHEET = FIXTURES / "sheets" / "sheet-009001.jpg"
STACK = FIXTURES / "photos" / "stack-800008.jpg"


def jpeg(picture):
    """Return a picture (h, w, 3) BGR as a phone sends it."""
    return bytes(cv2.imencode(".jpg", picture)[1])


def truth_of(photo):
    """Return what is told of a picture."""
    return dict(json.loads(photo.with_suffix(".json").read_text()))


def sight(photo, table, *, doubts=(), **read):
    """Return a picture with its reading, of which *read* tells what is not empty."""
    truth = truth_of(photo)
    size = {"width": truth["width"], "height": truth["height"]}
    reading = NOTHING_READ | size | {"perhaps": [], "hint": None} | read
    return PhotoReading(reading, table, tuple(doubts), photo.read_bytes())


def board_on(board, matrix):
    """Return a board as a reading has it, laid into the photo by a homography mm → px."""
    outline = layout_of(board).outline.reshape(-1, 1, 2)
    corners = cv2.perspectiveTransform(outline, np.array(matrix, np.float64)).reshape(4, 2)
    return {"name": board.name, "corners": corners.round(1).tolist(), "error_px": 0.5}


def sheet(checked, doubtful=(), *dice, **read):
    """Return a sheet of Dice Wide Shut with these checks, and dice beside it."""
    cells = [tuple(mark["cell"]) for mark in truth_of(SHEET)["marks"]]
    said = {cell: "checked" if cell in checked else "blank" for cell in cells}
    share = {cell: 0.6 if cell in doubtful else 0.99 for cell in cells}
    other = {"checked": "blank", "blank": "checked"}
    marks = [
        {"cell": list(cell), "mark": mark, "confidence": share[cell], "sure": share[cell] > 0.9}
        | {"alternatives": [[other[mark], 1 - share[cell]]]}
        for cell, mark in said.items()
    ]
    table = Table(
        tuple(Die(value, colour) for colour, value in dice),
        marks=tuple(
            MarkedCell(cell, mark, share[cell], ((other[mark], 1 - share[cell]),))
            for cell, mark in said.items()
        ),
    )
    row = enumerate(dice)
    faces = [die_at(60 + 40 * at, 500, value, colour, None) for at, (colour, value) in row]
    board = board_on(board_named("sheet:dice-wide-shut"), truth_of(SHEET)["matrix"])
    return sight(SHEET, table, **{"dice": faces, "marks": marks, "board": board} | read)


def track(value, place, *, sure=True):
    """Return the track of Gords with the white die on a place, drawn over the sheet's picture."""
    table = Table((Die(value, "white", (0, place), 0.99 if sure else 0.6),))
    doubts = () if sure else (Doubt(f"read as white {value}, perhaps 2", ("dice", 0)),)
    return _on_track(table, doubts=doubts, dice=[_on_place(value, place, sure=sure)])


def reveal(bid, lost, *dice):
    """Return shown dice beside the track, where the *bid* (face, place) and *lost* dice lie."""
    value, place = bid
    lying = [
        Die(value, "white", (0, place)),
        *(Die(6, colour, (1, 0)) for colour in lost),
        *(Die(pips, colour) for colour, pips in dice),
    ]
    faces = [
        _on_place(value, place),
        *(die_at(60 + 30 * at, 40, 6, colour, ["lost", 0]) for at, colour in enumerate(lost)),
        *(die_at(60 + 40 * at, 500, pips, name, None) for at, (name, pips) in enumerate(dice)),
    ]
    return _on_track(Table(tuple(lying)), dice=faces)


def _on_track(table, **others):
    return sight(SHEET, table, board=board_on(board_named("track:gords"), _matrix()), **others)


def _on_place(value, place, *, sure=True):
    polygon = np.array([layout_of(board_named("track:gords")).cells[place].polygon], np.float64)
    ((x, y),) = cv2.perspectiveTransform(polygon, np.array(_matrix())).mean(axis=1)
    return die_at(x, y, value, "white", ["place", place], sure=sure)


def _matrix():
    return truth_of(SHEET)["matrix"]


def die_at(x, y, value, colour, cell, *, sure=True):
    """Return a die of 24 px as a reading has it."""
    quad = [[x - 12, y - 12], [x + 12, y - 12], [x + 12, y + 12], [x - 12, y + 12]]
    die = {"quad": quad, "center": [x, y], "value": value, "color": colour, "cell": cell}
    share, others = (0.99, []) if sure else (0.6, [[2, 0.4]])
    more = {"alternatives": others, "color_alternatives": []}
    return die | {"confidence": share, "sure": sure} | more


def stack(*, doubtful=False, misread=None, beside=None):
    """Return the tiles of a stack that are seen whole; the last one is told as *misread*.

    A tile *beside* them touches none.
    """
    truth = truth_of(STACK)["tiles"]
    visible = [one for one in truth if all(face["visible"] > 0.8 for face in one["faces"])]
    visible[-1] = visible[-1] | dict(misread or {})
    if beside:
        visible.append(visible[0] | {"halves": beside, "cells": [[19, 19], [19, 20]]})
    tiles, lying = [], []
    for tile in visible:
        corners = np.array([face["quad"] for face in tile["faces"]], np.float32).reshape(-1, 2)
        quad = cv2.boxPoints(cv2.minAreaRect(corners)).round(1).tolist()
        share = 0.6 if doubtful and tile is visible[-1] else 0.99
        shape = {"quad": quad, "centers": tile["centers"], "halves": tile["halves"]}
        place = {"cells": tile["cells"], "level": tile["level"]}
        others = {"alternatives": tile.get("alternatives", [])}
        tiles.append(shape | place | others | {"confidence": share, "sure": share > 0.9})
        first, second = (tuple(cell) for cell in tile["cells"])
        a, b = tile["halves"]
        lying.append(Tile((a, b), (first, second), tile["level"] + 1, share))
    doubt = Doubt("a tile read as 0-6, perhaps 2-6", ("tiles", len(tiles) - 1))
    doubts = (doubt,) if doubtful else ()
    return sight(STACK, Table(tiles=tuple(lying)), doubts=doubts, tiles=tiles)


def laid(missing=1):
    """Return the moves of two players that led to the stack, without the last tiles."""
    tiles = truth_of(STACK)["tiles"]
    lays = tiles[6 : len(tiles) - missing]
    moves = [{"move": "Lay", "tile": one["halves"], "cells": one["cells"]} for one in lays]
    return [{"move": "Agree", "starter": 0, "evens": 0}, *moves]
