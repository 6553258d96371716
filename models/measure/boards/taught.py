"""How surely taught boards are found again.

Semi-synthetic, seeded: real photos of printed matter in folders of `labels.json` are taken for
boards, taught, and then seen from elsewhere (a homography), in other light, blurred, noisy and
partly covered by pieces cut out of other photos; with `--drawn FOLDER` also grids of nine cells
drawn in many ways on paper and on tables of that folder's photos, which may be given in any turn.
Every fourth view shows another board, a drawn one of 4 x 4: then none is right. Prints what was
found, what was sure and wrong, how far off the farthest corner is as a share of the side, and how
many of the pieces would be lost as print of the empty board. `--sheets N` measures score sheets
instead (`taught_sheets`).
"""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import cv2
import numpy as np

from models.camera import sent
from models.harness import markdown_table
from models.measure.boards.boards import BoardOutcome, found_cells, photographed, random_view
from models.measure.boards.composites import grounds
from models.measure.boards.grids import STYLES, ruled_page
from models.measure.boards.taught_sheets import measure_sheets
from vision.board_profile import NotABoard, Profile, learned
from vision.boards.agreement import EmptyBoard
from vision.boards.taught import find_taught
from vision.geometry import Floats
from vision.photo import Pixels

LONGER = 1000  # px of a photo that is taken for a print
PRINT_MM = 300.0  # its longer side
MIDDLE = 0.1  # of a photo left out on each side, where no corners are labelled
WRONG = 0.02  # of the side: a corner farther off makes a sure board a silently wrong one
SIZE = (1512, 2016)  # px

PrintedPage = tuple[Pixels, Floats]  # a page, and the corners (4, 2) px of the board on it


@dataclass(frozen=True, slots=True)
class TaughtOutcome(BoardOutcome):
    """The outcome of one view; `off` is a share of the side."""

    kind: str
    other: bool  # the view shows another print
    pieces: int  # on the print
    lost: int = 0  # of them, that would be taken for the board's print


def main(
    photos: Annotated[Sequence[Path], "folders with labels.json and images"] = (),
    *,
    drawn: Annotated[Sequence[Path], "folders of tables to draw on"] = (),
    pieces: Annotated[Sequence[Path], "folders of dice to cover with"] = (),
    views: Annotated[int, "a folder"] = 40,
    sheets: Annotated[int, "score sheets of each look, and nothing else"] = 0,
    seed: int = 1,
) -> None:
    """Measure and print a table."""
    if sheets:
        measure_sheets(sheets, seed)
        return
    cv2.setNumThreads(1)
    rng = np.random.default_rng(seed)
    outcomes = []
    covers = [piece for folder in pieces for piece in _pieces(folder)]
    for folder in photos:
        prints = partial(_printed, _labels(folder), folder)
        outcomes += list(_outcomes(rng, folder.name, prints, views, covers))
    if drawn:
        tables = grounds(drawn)
        for style in STYLES:
            prints = partial(_drawn, tables, style)
            outcomes += list(_outcomes(rng, style, prints, views, covers))
    kinds = list(dict.fromkeys(one.kind for one in outcomes))
    print(f"{views} semi-synthetic views a kind, seed {seed}")
    heads = ("kind", "views", "found", "sure", "median off", "95 % off", "sure, wrong",
             "other, sure", "pieces lost", "ms")  # fmt: skip
    print(markdown_table(heads, [_row(kind, outcomes) for kind in (*kinds, "all")]))


def _labels(folder: Path) -> list[dict[str, object]]:
    entries: list[dict[str, object]] = json.loads((folder / "labels.json").read_text())["images"]
    return entries


def _pieces(folder: Path) -> Iterator[Pixels]:
    """Yield dice cut out of the photos of a folder."""
    for entry in _labels(folder)[:20]:
        picture = cv2.imread(str(folder / "images" / str(entry["file"])))
        for die in entry["dice"]:  # type: ignore[attr-defined]
            x0, y0, x1, y1 = (max(0, int(edge)) for edge in die["box"])
            if picture is not None and min(x1 - x0, y1 - y0) > 12:
                yield np.asarray(picture[y0:y1, x0:x1], np.uint8)


def _printed(
    labels: list[dict[str, object]], folder: Path, rng: np.random.Generator
) -> tuple[PrintedPage, PrintedPage]:
    """Return two photos that are taken for prints."""
    first, second = rng.choice(len(labels), 2, replace=False)
    return _print_of(folder, labels[first]), _print_of(folder, labels[second])


def _print_of(folder: Path, entry: dict[str, object]) -> PrintedPage:
    """Return a photo that is taken for a print, and the corners (4, 2) px of the board on it."""
    picture = cv2.imread(str(folder / "images" / str(entry["file"])))
    assert picture is not None
    zoom = LONGER / max(picture.shape[:2])
    picture = cv2.resize(picture, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA)
    height, width = picture.shape[:2]
    if "corners" in entry:
        return np.asarray(picture, np.uint8), np.array(entry["corners"], np.float64) * zoom
    x, y = MIDDLE * width, MIDDLE * height
    frame = np.array([(x, y), (width - x, y), (width - x, height - y), (x, height - y)])
    return np.asarray(picture, np.uint8), frame


def _drawn(
    tables: list[Path], style: str, rng: np.random.Generator
) -> tuple[PrintedPage, PrintedPage]:
    """Return a grid of 3 x 3 drawn in a *style*, and one of 4 x 4."""
    return ruled_page(rng, tables, style), ruled_page(rng, tables, style, 4)


def _outcomes(
    rng: np.random.Generator,
    kind: str,
    prints: Callable[[np.random.Generator], tuple[PrintedPage, PrintedPage]],
    views: int,
    pieces: list[Pixels],
) -> Iterator[TaughtOutcome]:
    for number in range(views):
        (print_, corners), (another, _) = prints(rng)
        grey = np.asarray(cv2.cvtColor(print_, cv2.COLOR_BGR2GRAY), np.uint8)
        try:
            profile = learned(grey, corners, 3, 3, "board:print")
        except NotABoard:
            continue
        other = number % 4 == 3
        shown, squares = _covered(rng, another if other else print_, pieces)
        yield _seen(rng, kind, profile, shown, corners, squares, other)


def _seen(
    rng: np.random.Generator,
    kind: str,
    profile: Profile,
    shown: Pixels,
    corners: Floats,
    squares: Floats,
    other: bool,
) -> TaughtOutcome:
    """Look for a board (corners (4, 2) px) on a photo of what is *shown*; squares hold pieces."""
    per_mm = max(shown.shape[:2]) / PRINT_MM
    view = random_view(rng, lowest=35, gain=(0.4, 1.2), noise=5.0)
    photo, plane = photographed(rng, shown, per_mm, view, SIZE)
    _, kept = cv2.imencode(".jpg", photo, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(70, 95))])
    grey = np.asarray(cv2.imdecode(kept, cv2.IMREAD_GRAYSCALE), np.uint8)
    started = time.process_time()
    pose = find_taught(grey, profile).pose
    ms = 1000 * (time.process_time() - started)
    if pose is None:
        return TaughtOutcome(None, False, ms, kind, other, len(squares))
    truth = sent(plane, (corners + 0.5) / per_mm)
    side = np.linalg.norm(truth - np.roll(truth, 1, axis=0), axis=1).mean()
    turns = range(4) if kind in STYLES else (0,)
    off = (
        min(
            np.linalg.norm(pose.corners.array - np.roll(truth, k, axis=0), axis=1).max()
            for k in turns
        )
        / side
    )
    lying = sent(plane, (squares.reshape(-1, 2) + 0.5) / per_mm).reshape(-1, 4, 2)
    lost = EmptyBoard(grey, profile, pose.homography).shows(lying).sum() if pose.sure else 0
    return TaughtOutcome(float(off), pose.sure, ms, kind, other, len(squares), int(lost))


def _covered(
    rng: np.random.Generator, print_: Pixels, pieces: list[Pixels]
) -> tuple[Pixels, Floats]:
    """Return the print with up to a dozen pieces on it, and a hand in one picture of three.

    Also (n, 4, 2) px, the squares of the pieces.
    """
    shown, squares = print_.copy(), []
    height, width = shown.shape[:2]
    for _ in range(int(rng.integers(2, 13)) if pieces else 0):
        piece = pieces[int(rng.integers(len(pieces)))]
        side = int(rng.uniform(0.05, 0.12) * width)
        fitted = cv2.resize(piece, (side, side), interpolation=cv2.INTER_AREA)
        x, y = int(rng.integers(0, width - side)), int(rng.integers(0, height - side))
        shown[y : y + side, x : x + side] = fitted
        squares.append([(x, y), (x + side, y), (x + side, y + side), (x, y + side)])
    if rng.random() < 1 / 3:
        at = (int(rng.choice([0, width])), int(rng.uniform(0, height)))
        axes = (int(0.4 * width), int(0.15 * height))
        skin = tuple(float(level) for level in rng.uniform((80, 110, 150), (150, 180, 230)))
        cv2.ellipse(shown, at, axes, float(rng.uniform(-30, 30)), 0, 360, skin, -1, cv2.LINE_AA)
    return shown, np.array(squares, np.float64).reshape(-1, 4, 2)


def _row(kind: str, outcomes: list[TaughtOutcome]) -> tuple[str, ...]:
    some = [one for one in outcomes if kind in ("all", one.kind)]
    right = [one for one in some if not one.other]
    *cells, _ = found_cells(right, WRONG, ".0%", ".2%")
    return (
        *(kind, str(len(right)), *cells),
        f"{sum(one.sure for one in some if one.other)} of {sum(one.other for one in some)}",
        f"{sum(one.lost for one in some)} of {sum(one.pieces for one in some if one.sure)}",
        f"{np.median([one.ms for one in some]):.0f}",
    )
