"""How score sheets are read that were taught from a photo of an empty one.

Drawn, seeded: sheets printed otherwise than ours or drawn by hand (`models.sheets.foreign`), filled
by simulated people in a match of random moves, on photos of real tables; each photo has its own
table, light and camera. The corners are set as exactly as taps are. *sure, wrong* counts cells.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from models.camera import sent
from models.drawn import as_jpeg
from models.harness import AddedCounts, PrintedRows
from models.measure.marks.sheets_on_tables import draw_position, page_on_table
from models.measure.marks.things import TABLES
from models.sheets.cases import GEOMETRY
from models.sheets.foreign import LOOKS, draw_foreign
from models.sheets.printing import PX_PER_MM
from models.sheets.strokes import BLANK, STATES, UNSURE, Floats, InkShares, Random, Truth
from models.sheets.things import draw_thing
from models.sheets.writer import fill_form
from vision.adapt.boards import board_with_cells
from vision.board_profile import Profile
from vision.layout import Layout
from vision.photo import decode
from vision.pipeline import read
from vision.reading import Look, Reading

TAP = 2.0  # px, standard error of a corner that a person sets
QUALITY = 88
NAME = "board:theirs"


@dataclass(frozen=True, slots=True, eq=False)
class TaughtSheet:
    """A sheet with its photos: the one it is taught from, and others of it by what they show."""

    empty: bytes
    corners: Floats  # (4, 2) px of the first
    boxes: Floats  # (n, 4) of the cells
    photos: dict[str, tuple[bytes, Truth]]

    @property
    def profile(self) -> Profile:
        """Return the taught sheet."""
        cells = [
            replace(cell, polygon=((x0, y0), (x1, y0), (x1, y1), (x0, y1)))
            for cell, (x0, y0, x1, y1) in zip(
                Layout.from_json(json.loads(GEOMETRY.read_text())).cells,
                self.boxes.tolist(),
                strict=True,
            )
        ]
        return board_with_cells(decode(self.empty), self.corners, cells, NAME)


@dataclass(frozen=True, slots=True)
class TaughtSheetCount(AddedCounts):
    """How photos of taught sheets were read; `lost` ones were not found."""

    sheets: int = 0
    lost: int = 0
    right: int = 0  # cells
    asked: int = 0
    sure_wrong: int = 0
    warned: int = 0  # sheets with a warning
    clean: int = 0  # sheets that are right without a question


def draw_taught(rng: Random, look: str, folder: Path = TABLES) -> TaughtSheet | None:
    """Draw a sheet of one of LOOKS; None: a mark is too faint to see."""
    sheet = draw_foreign(rng, json.loads(GEOMETRY.read_text()), look)
    wanted = np.array([STATES.index(mark.mark) for mark in draw_position(rng).truth])
    page = sheet.page.copy()
    truth, _ = fill_form(rng, sheet.form, page, people=True, wanted=wanted)
    if (truth == UNSURE).any():
        return None
    empty, matrix = page_on_table(rng, sheet.page, folder)
    corners = sent(matrix, sheet.corners_px) + rng.normal(0, TAP, (4, 2))
    photos = {
        "empty": (_photo(rng, sheet.page, folder, "nothing"), np.full_like(wanted, BLANK)),
        "filled": (_photo(rng, page, folder, "nothing"), wanted),
        "a pen on it": (_photo(rng, page, folder, "pen"), wanted),
    }
    return TaughtSheet(as_jpeg(empty, QUALITY), corners, sheet.boxes, photos)


def _photo(rng: Random, page: InkShares, folder: Path, lying: str) -> bytes:
    high, wide = page.shape[:2]
    thing = draw_thing(rng, lying, (wide / PX_PER_MM, high / PX_PER_MM))
    return as_jpeg(page_on_table(rng, page, folder, thing)[0], QUALITY)


def read_taught(content: bytes, profile: Profile) -> Reading:
    """Return the reading of a photo of a taught sheet."""
    look = Look("board", NAME.partition(":")[2], layout=profile.layout, profile=profile)
    return read(decode(content), look)


def counted(reading: Reading, truth: Truth) -> TaughtSheetCount:
    """Compare a reading with the truth."""
    if not reading.marks:
        return TaughtSheetCount(1, lost=1)
    right = np.array([STATES.index(one.mark) for one in reading.marks]) == truth
    sure = np.array([one.sure for one in reading.marks])
    clean = bool((right & sure).all() and not reading.warnings)
    asked, wrong = int((~sure).sum()), int((sure & ~right).sum())
    return TaughtSheetCount(1, 0, int(right.sum()), asked, wrong, bool(reading.warnings), clean)


def measure_sheets(number: int, seed: int) -> None:
    """Print how *number* sheets of each look are read."""
    cv2.setNumThreads(1)
    heads = ("lost", "cells right", "asked a sheet", "sure, wrong", "warned", "at once")
    table = PrintedRows("taught sheet, photo", "sheets", *heads, first=26)
    for look in LOOKS:
        counts: dict[str, TaughtSheetCount] = {}
        for sheet in _sheets(look, range(seed, seed + number)):
            profile = sheet.profile
            for name, (content, truth) in sheet.photos.items():
                more = counted(read_taught(content, profile), truth)
                counts[name] = counts.get(name, TaughtSheetCount()) + more
        for name, count in counts.items():
            found = max(count.sheets - count.lost, 1)
            right = f"{100 * count.right / (found * len(truth)):.1f} %"
            asked = f"{count.asked / found:.1f}"
            table.row(
                f"{look}, {name}", count.sheets, count.lost, right, asked, count.sure_wrong,
                count.warned, count.clean,
            )  # fmt: skip


def _sheets(look: str, seeds: range) -> Iterator[TaughtSheet]:
    for seed in seeds:
        sheet = draw_taught(np.random.default_rng([seed, *look.encode()]), look)
        if sheet is not None:
            yield sheet
