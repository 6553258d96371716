"""How surely printed boards are found on photos.

Run it by `python -m models.measure.boards.boards --views 300`.

Prints each board with `pipsight print`, photographs the page from anywhere in any light with half
of its fiducials under hands and dice (synthetic, seeded), and finds it by its geometry file.
Prints the share found and sure, how far off the farthest corner is, and the time it took.
`--photos FOLDER…` sets the pages into photos of real tables instead, by another camera, lens and
light, a third of them curved (`models.measure.boards.board_scenes`).
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from models.measure.boards.board_scenes import board_scene, places_of
from models.measure.boards.composites import grounds
from models.measure.boards.printed import cover, photographed, random_view
from models.measure.photos.markdown import markdown_table
from models.sheets.printing import PX_PER_MM, printed_page
from vision.boards.pose import locate_printed
from vision.decode import Grey, Pixels
from vision.geometry import Floats
from vision.layout import Layout

BOARDS = ("grid:3x3", "sheet:dice-wide-shut", "track:gords", "mat:dominoes", "mat:dice")
WRONG = 2.0  # mm; a corner farther off makes a sure board a silently wrong one


@dataclass(frozen=True, slots=True)
class BoardOutcome:
    """What came of one photo; `off` is mm at the worst corner, None where no board was found."""

    board: str
    off: float | None
    sure: bool
    ms: float


def main() -> int:
    """Measure and print a table."""
    args = _parser().parse_args()
    cv2.setNumThreads(1)
    rng = np.random.default_rng(args.seed)
    printed = {board: printed_page(board) for board in BOARDS}
    pages = {board: (page, Layout.from_json(told)) for board, (page, told) in printed.items()}
    if args.photos:
        outcomes = list(_scenes(args, pages))
    else:
        outcomes = list(_outcomes(rng, pages, args.views, args.covered))
    print(f"{args.views} synthetic views, {args.covered:.0%} of the fiducials covered")
    heads = ("board", "found", "sure", "median mm", "95 % mm", "sure, > 2 mm off", "ms")
    print(markdown_table(heads, list(_rows(outcomes))))
    return 0


def _parser() -> argparse.ArgumentParser:
    ask = argparse.ArgumentParser("boards", description="Measure how printed boards are found.")
    ask.add_argument("--views", type=int, default=300, metavar="N")
    ask.add_argument("--seed", type=int, default=1)
    ask.add_argument("--covered", type=float, default=0.5, metavar="SHARE")
    ask.add_argument("--photos", type=Path, nargs="+", metavar="FOLDER", help="of real tables")
    return ask


def _outcomes(
    rng: np.random.Generator, pages: dict[str, tuple[Pixels, Layout]], views: int, covered: float
) -> Iterator[BoardOutcome]:
    for number in range(views):
        board = BOARDS[number % len(BOARDS)]
        page, layout = pages[board]
        per_mm = page.shape[1] / layout.paper_mm[0]
        count = len(layout.fiducials)
        hidden = rng.choice(count, round(covered * count), replace=False)
        squares = np.array([layout.fiducials[i].corners for i in hidden]).reshape(-1, 4, 2)
        scene = cover(rng, page, per_mm, squares)
        photo, truth = photographed(rng, scene, per_mm, random_view(rng))
        grey = np.asarray(cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY), np.uint8)
        yield _outcome(board, grey, layout, _sent(truth, places_of(layout)))


def _scenes(
    args: argparse.Namespace, pages: dict[str, tuple[Pixels, Layout]]
) -> Iterator[BoardOutcome]:
    tables = grounds(args.photos)
    for number in range(args.views):
        board = BOARDS[number % len(BOARDS)]
        rng = np.random.default_rng([args.seed, number])
        made = board_scene(rng, tables, pages[board], PX_PER_MM, args.covered)
        grey = np.asarray(cv2.cvtColor(made.picture, cv2.COLOR_BGR2GRAY), np.uint8)
        yield _outcome(board, grey, pages[board][1], made.places)


def _outcome(board: str, grey: Grey, layout: Layout, truth: Floats) -> BoardOutcome:
    """Find a board whose cells' corners are seen at *truth*, (n, 2) px."""
    started = time.process_time()
    located = locate_printed(grey, layout)
    ms = 1000 * (time.process_time() - started)
    print_px = located.print_of(layout)
    if located.pose is None or print_px is None:
        return BoardOutcome(board, None, False, ms)
    there = located.pose.homography.inverse().apply(truth)
    off = float(np.linalg.norm(there - places_of(print_px), axis=1).max())
    return BoardOutcome(board, off, located.pose.sure, ms)


def _sent(plane: Floats, points: Floats) -> Floats:
    flat = np.column_stack([points, np.ones(len(points))]) @ plane.T
    sent: Floats = flat[:, :2] / flat[:, 2:]
    return sent


def _rows(outcomes: list[BoardOutcome]) -> Iterator[tuple[str, ...]]:
    for board in (*BOARDS, "all"):
        some = [one for one in outcomes if board in ("all", one.board)]
        off = [one.off for one in some if one.off is not None] or [float("nan")]
        middle, most = np.percentile(off, [50, 95])
        wrong = sum(one.sure and one.off is not None and one.off > WRONG for one in some)
        yield (
            board,
            f"{np.mean([one.off is not None for one in some]):.1%}",
            f"{np.mean([one.sure for one in some]):.1%}",
            f"{middle:.2f}",
            f"{most:.2f}",
            str(wrong),
            f"{np.median([one.ms for one in some]):.0f}",
        )


if __name__ == "__main__":
    sys.exit(main())
