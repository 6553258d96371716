"""How surely printed boards are found on photos.

Prints each board with `pipsight print`, photographs the page from anywhere in any light with half
of its fiducials under hands and dice (synthetic, seeded), and finds it by its geometry file.
Prints the share found and sure, how far off the farthest corner is, and the time it took.
`--photos FOLDER…` sets the pages into photos of real tables instead, by another camera, lens and
light, a third of them curved.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import cv2
import numpy as np
from numpy.typing import NDArray

from models.camera import lens_of, moved, nearest, sent
from models.harness import markdown_table
from models.measure.boards.composites import (
    BODIES,
    Composite,
    Cube,
    any_shot,
    composed,
    grounds,
)
from models.sheets.printing import PX_PER_MM, printed_page
from vision.boards.pose import locate_printed
from vision.geometry import Floats, Points
from vision.layout import Layout
from vision.photo import Grey, Pixels

COVERED = 0.5  # share of the fiducials
SIZE = (1512, 2016)  # px, w and h: 12 megapixels as the eyes decode them, at a half


@dataclass(frozen=True, slots=True)
class PrintedView:
    """From where a page is seen, and in what light."""

    elevation: float  # degrees above the table
    azimuth: float  # degrees
    turn: float  # degrees, of the phone about its own axis
    fills: float = 0.85  # of the picture that the page takes; above 1 it is cut off
    gain: float = 1.0
    blur: float = 0.6  # px
    noise: float = 2.0  # grey levels
    shift: tuple[float, float] = (0.0, 0.0)  # of the page's middle, in halves of the picture


def random_view(
    rng: np.random.Generator,
    lowest: float = 25,
    gain: tuple[float, float] = (0.2, 1.1),
    noise: float = 6.0,
) -> PrintedView:
    """Return a view of any table: from *lowest* to 90 degrees, turned any way, in any light."""
    return PrintedView(
        elevation=float(rng.uniform(lowest, 90)),
        azimuth=float(rng.uniform(0, 360)),
        turn=float(rng.uniform(-20, 20)),
        fills=float(rng.uniform(0.6, 0.95)),
        gain=float(np.exp(rng.uniform(*np.log(gain)))),
        blur=float(rng.uniform(0.4, 2.0)),
        noise=float(rng.uniform(0.5, noise)),
    )


def page_to_px(
    view: PrintedView, paper: tuple[float, float], size: tuple[int, int] = SIZE
) -> Floats:
    """Return (3, 3), mm of the paper to px of a picture of *size* that a phone takes of it."""
    elevation, azimuth, turn = np.radians([view.elevation, view.azimuth, view.turn])
    toward = np.array(
        [
            np.cos(elevation) * np.sin(azimuth),
            np.cos(elevation) * np.cos(azimuth),
            -np.sin(elevation),
        ]
    )  # from the page to the camera; z points into the table, as y points down on the page
    z = -toward
    x = np.cross([np.cos(azimuth + 0.3), -np.sin(azimuth + 0.3), 0.0], z)
    x = np.cross(z, x) / np.linalg.norm(x)
    y = np.cross(z, x)
    roll = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    rotation = roll @ np.stack([x, y, z])
    lens, half = lens_of(0.75 * max(size), size), np.array(size) / 2
    corners = np.array([(0, 0), (paper[0], 0), paper, (0, paper[1])], np.float64)

    def from_afar(distance: float) -> Floats:
        plane = np.column_stack([rotation[:, :2], [0, 0, distance]])
        return np.asarray(lens @ plane @ moved(-paper[0] / 2, -paper[1] / 2), np.float64)

    def fits(distance: float) -> bool:
        plane = from_afar(distance)
        reach = np.abs((sent(plane, corners) - half) / half).max()
        return bool((corners @ plane[2, :2] + plane[2, 2]).min() > 1 and reach <= view.fills)

    return moved(*(view.shift * half)) @ from_afar(nearest(50.0, 5000.0, fits))


def photographed(
    rng: np.random.Generator,
    page: Pixels,
    px_per_mm: float,
    view: PrintedView,
    size: tuple[int, int] = SIZE,
    ground: Pixels | None = None,
) -> tuple[Pixels, Floats]:
    """Return a picture (h, w, 3) BGR of a page lying on a table, and its mm-to-px map.

    The table is drawn, unless a picture of the *ground* is given.
    """
    paper = page.shape[1] / px_per_mm, page.shape[0] / px_per_mm
    plane = page_to_px(view, paper, size)
    # Both pictures count px from the middle of the first one.
    from_page = plane @ np.diag([1 / px_per_mm, 1 / px_per_mm, 1.0]) @ moved(0.5, 0.5)
    to_photo = moved(-0.5, -0.5) @ from_page
    table = _table(rng, size) if ground is None else cv2.resize(ground, size).astype(np.float32)
    mask = np.full(page.shape[:2], 255, np.uint8)
    shrink = _shrink(to_photo, page.shape)
    sheet = cv2.GaussianBlur(page, (0, 0), shrink) if shrink > 0.35 else page
    warped = cv2.warpPerspective(sheet, to_photo, size, flags=cv2.INTER_LINEAR)
    on = cv2.warpPerspective(mask, to_photo, size, flags=cv2.INTER_LINEAR)[..., None]
    share = on.astype(np.float32) / 255
    scene = table + share * (warped - table)
    return _taken(rng, scene, view), moved(-0.5, -0.5) @ plane


def _shrink(plane: Floats, shape: tuple[int, ...]) -> float:
    """Return the blur in px of the page that stands for the px of the photo covering several."""
    middle = np.array([shape[1] / 2, shape[0] / 2, 1.0])
    steps = [plane @ (middle + step) for step in ((0, 0, 0), (1, 0, 0), (0, 1, 0))]
    a, b, c = (one[:2] / one[2] for one in steps)
    right, down = b - a, c - a
    per_px = float(np.sqrt(abs(right[0] * down[1] - right[1] * down[0])))
    return 0.4 / max(per_px, 0.05) if per_px < 1 else 0.0


def _table(rng: np.random.Generator, size: tuple[int, int]) -> NDArray[np.float32]:
    """Return a table of some colour with a coarse grain."""
    coarse = rng.normal(0, 1, (size[1] // 16 + 1, size[0] // 48 + 1)).astype(np.float32)
    grain = cv2.resize(coarse, size, interpolation=cv2.INTER_CUBIC)[..., None]
    colour = rng.uniform(40, 200, 3).astype(np.float32)
    result: NDArray[np.float32] = np.clip(colour + 14 * grain, 0, 255)
    return result


def _taken(rng: np.random.Generator, scene: NDArray[np.float32], view: PrintedView) -> Pixels:
    """Return what a camera makes of a scene: uneven light, blur, noise."""
    height, width = scene.shape[:2]
    right, down = rng.uniform(-0.25, 0.25, 2)
    x, y = np.linspace(-1, 1, width), np.linspace(-1, 1, height)[:, None]
    light = (view.gain * (1 + right * x + down * y)).astype(np.float32)
    soft = cv2.GaussianBlur(scene * light[..., None], (0, 0), view.blur)
    noise = rng.normal(0, view.noise, (height, width, 1)).astype(np.float32)
    return np.asarray(np.clip(soft + noise, 0, 255), np.uint8)


def cover(rng: np.random.Generator, page: Pixels, px_per_mm: float, squares: Floats) -> Pixels:
    """Return the page with hands and dice lying on each of (n, 4, 2) mm squares."""
    covered = page.copy()
    for square in squares:
        middle = square.mean(axis=0) * px_per_mm + rng.uniform(-4, 4, 2) * px_per_mm
        colour = tuple(rng.uniform(20, 230, 3))
        axes = tuple((rng.uniform(8, 16, 2) * px_per_mm).astype(int).tolist())
        at = tuple(middle.astype(int).tolist())
        cv2.ellipse(covered, at, axes, float(rng.uniform(0, 180)), 0, 360, colour, -1, cv2.LINE_AA)
    return covered


def on_table(
    rng: np.random.Generator,
    grounds: list[Path],
    page: tuple[Pixels, Layout],
) -> Composite:
    """Return a photo of a printed *page* on one of the *grounds*."""
    picture, layout = page
    shot = any_shot(rng)
    ground = np.asarray(cv2.imread(str(grounds[int(rng.integers(len(grounds)))])), np.uint8)
    cubes, fingers = _hidden(rng, layout)
    shown = np.array([one.corners for one in layout.fiducials]).reshape(-1, 2)
    return composed(rng, ground, picture, PX_PER_MM, shot, cubes, fingers, shown)


def places_of(layout: Layout) -> Points:
    """Return (n, 2) mm, the corners of a board's cells, or of its fiducials if it has none."""
    shapes = [one.polygon for one in layout.cells] or [one.corners for one in layout.fiducials]
    return np.array(shapes).reshape(-1, 2)


def _hidden(rng: np.random.Generator, layout: Layout) -> tuple[list[Cube], list[Points]]:
    """Cover a share of the fiducials: by dice anywhere, and mostly by a hand at one side."""
    count = len(layout.fiducials)
    middles = np.array([np.mean(one.corners, axis=0) for one in layout.fiducials])
    wanted = round(COVERED * count)
    fingers: list[Points] = []
    run = int(rng.integers(0, wanted // 2 + 1))
    first = int(rng.integers(count))
    hand = [(first + k) % count for k in range(run)]
    centre = middles.mean(axis=0)
    for i in hand:
        away = middles[i] - centre
        inside = middles[i] - 0.12 * away + rng.normal(0, 3, 2)
        fingers.append(np.array([inside, middles[i] + 1.4 * away / np.linalg.norm(away) * 60]))
    others = rng.permutation([i for i in range(count) if i not in hand])[: wanted - run]
    cubes = [
        Cube(
            (float(x), float(y)),
            float(rng.uniform(0, 90)),
            int(rng.integers(1, 7)),
            str(rng.choice(list(BODIES))),
            side=float(rng.uniform(14, 18)),
        )
        for x, y in middles[others] + rng.normal(0, 2, (len(others), 2))
    ]
    return cubes, fingers


BOARDS = ("grid:3x3", "sheet:dice-wide-shut", "track:gords", "mat:dominoes", "mat:dice")
ROWS = (*BOARDS, "all")
Pages = dict[str, tuple[Pixels, Layout]]  # of each board
WRONG = 2.0  # mm; a corner farther off makes a sure board a silently wrong one


@dataclass(frozen=True, slots=True)
class BoardOutcome:
    """How a board was found on a photo; `off` is at the worst corner, None where none was found."""

    off: float | None
    sure: bool
    ms: float


def found_cells(some: Sequence[BoardOutcome], wrong: float, shares: str, off: str) -> list[str]:
    """Return shares found and sure, how far off, those sure and farther off than *wrong*, the ms.

    *shares* and *off* are formats.
    """
    there = [one.off for one in some if one.off is not None]
    middle, most = np.percentile(there or [float("nan")], [50, 95])
    return [
        format(np.mean([one.off is not None for one in some]), shares),
        format(np.mean([one.sure for one in some]), shares),
        *(format(middle, off), format(most, off)),
        str(sum(one.sure and one.off is not None and one.off > wrong for one in some)),
        f"{np.median([one.ms for one in some]):.0f}",
    ]


def main(
    *,
    views: int = 300,
    seed: int = 1,
    photos: Annotated[list[Path], "of real tables"] | None = None,
) -> None:
    """Measure and print a table."""
    cv2.setNumThreads(1)
    printed = {board: printed_page(board) for board in BOARDS}
    pages = {board: (page, Layout.from_json(layout)) for board, (page, layout) in printed.items()}
    tables = grounds(photos) if photos else []
    outcomes = list(_outcomes(tables, pages, views, seed))
    print(f"{views} synthetic views, {COVERED:.0%} of the fiducials covered")
    heads = ("board", "found", "sure", "median mm", "95 % mm", "sure, > 2 mm off", "ms")
    of = {board: [one for name, one in outcomes if board in ("all", name)] for board in ROWS}
    body = [(board, *found_cells(some, WRONG, ".1%", ".2f")) for board, some in of.items()]
    print(markdown_table(heads, body))


def _outcomes(
    tables: list[Path], pages: Pages, views: int, seed: int
) -> Iterator[tuple[str, BoardOutcome]]:
    rng = np.random.default_rng(seed)
    for number in range(views):
        board = BOARDS[number % len(BOARDS)]
        page, layout = pages[board]
        if tables:
            made = on_table(np.random.default_rng([seed, number]), tables, pages[board])
            photo, places = made.picture, made.sees(places_of(layout))
        else:
            per_mm = page.shape[1] / layout.paper_mm[0]
            count = len(layout.fiducials)
            hidden = rng.choice(count, round(COVERED * count), replace=False)
            squares = np.array([layout.fiducials[i].corners for i in hidden]).reshape(-1, 4, 2)
            scene = cover(rng, page, per_mm, squares)
            photo, truth = photographed(rng, scene, per_mm, random_view(rng))
            places = sent(truth, places_of(layout))
        grey = np.asarray(cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY), np.uint8)
        yield board, _outcome(grey, layout, places)


def _outcome(grey: Grey, layout: Layout, truth: Floats) -> BoardOutcome:
    """Find a board whose cells' corners are seen at *truth*, (n, 2) px."""
    started = time.process_time()
    located = locate_printed(grey, layout)
    ms = 1000 * (time.process_time() - started)
    print_px = located.print_of(layout)
    if located.pose is None or print_px is None:
        return BoardOutcome(None, False, ms)
    there = located.pose.homography.inverse().apply(truth)
    off = float(np.linalg.norm(there - places_of(print_px), axis=1).max())
    return BoardOutcome(off, located.pose.sure, ms)
