"""Photos of ruled grids without pieces, with the truth: synthetic, seeded.

Puzzles in papers, printed and hand-drawn boards, among text; and what only looks like one: grids of
other sizes, tiles that go on, text. In: a generator of random numbers. Out: a picture, and the
corners of its grid, if it has one of the size asked for.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from models.measure.printed import PrintedView, page_to_px, photographed
from models.textures.prints import page as printed_page
from vision.decode import Pixels
from vision.geometry import Floats

PX_PER_MM = 6.0
PAPER = 210.0  # mm, both ways
SIZES = ((640, 480), (960, 1280), (1280, 960), (1008, 1344))  # px of the photos, w and h
KINDS = (
    "puzzle",
    "printed",
    "drawn",
    "open",
)  # "open" has no outer lines, as people draw three by three
DECOYS = ("other size", "goes on", "text")
DASH = 2.5  # mm
EDGE = 6.0  # px, from the edge of a photo to the grid at least


@dataclass(frozen=True, slots=True, eq=False)
class RuledPhoto:
    """A photo on which a grid of rows x columns is looked for."""

    picture: Pixels
    rows: int
    columns: int
    kind: str
    corners: Floats | None  # (4, 2) px, of the outer cells; None: there is no such grid


def ruled_photo(rng: np.random.Generator, *, decoys: float = 0.25) -> RuledPhoto:
    """Return a photo; of the share *decoys* of them there is no grid of the size."""
    decoy = rng.random() < decoys
    kind = str(rng.choice(DECOYS if decoy else KINDS))
    rows, columns = _size(rng, kind)
    drawn = (rows, columns)
    if kind == "other size":
        drawn = _other(rng, rows, columns)
    page, grid = _page(rng, kind, *drawn)
    bent = _bend(rng) if kind != "drawn" else np.zeros((2, 3))
    page = _bent(page, bent)
    size = SIZES[int(rng.integers(len(SIZES)))]
    grid = grid + _moves(grid, bent)
    view = PrintedView(
        elevation=float(rng.uniform(42, 90)),
        azimuth=float(rng.uniform(0, 360)),
        turn=float(rng.uniform(-25, 25)),
        fills=float(rng.uniform(0.8, 2.4)),
        gain=float(rng.uniform(0.45, 1.1)),
        blur=float(rng.uniform(0.4, 1.8)),
        noise=float(rng.uniform(0.5, 6)),
    )
    while not _shows(page_to_px(view, (PAPER, PAPER), size), grid, size):
        view = replace(view, fills=0.9 * view.fills)
    photo, plane = photographed(rng, page, PX_PER_MM, view, size)
    _, kept = cv2.imencode(".jpg", photo, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(55, 95))])
    picture = np.asarray(cv2.imdecode(kept, cv2.IMREAD_COLOR), np.uint8)
    corners = None if decoy else _sent(plane, grid)
    return RuledPhoto(picture, rows, columns, kind, corners)


def _shows(plane: Floats, grid: Floats, size: tuple[int, int]) -> bool:
    corners = _sent(plane, grid)
    return bool((corners > EDGE).all() and (corners < np.array(size) - EDGE).all())


def _size(rng: np.random.Generator, kind: str) -> tuple[int, int]:
    if kind == "open":
        return 3, 3
    if kind == "puzzle":
        return (9, 9) if rng.random() < 0.8 else (6, 6)
    some = ((3, 3), (9, 9), (4, 4), (5, 8), (8, 5), (12, 12), (2, 4))
    rows, columns = some[int(rng.integers(len(some)))]
    return rows, columns


def _other(rng: np.random.Generator, rows: int, columns: int) -> tuple[int, int]:
    """Return another number of cells, often one that has every line of the first."""
    if rng.random() < 0.5:
        return rows * 3 if rows < 5 else rows // 3, columns * 3 if columns < 5 else columns // 3
    return rows + int(rng.choice([-1, 1, 2])), columns + int(rng.choice([-1, 0, 1]))


# ---------------------------------------------------------------- the page, px of PX_PER_MM


def _page(rng: np.random.Generator, kind: str, rows: int, columns: int) -> tuple[Pixels, Floats]:
    """Draw a page; return it and the corners (4, 2) mm of its grid."""
    side = round(PAPER * PX_PER_MM)
    stock = rng.uniform(140, 250) * np.array([1 - rng.uniform(0, 0.2), 1, 1])
    blank = np.empty((side, side, 3), np.float32)
    blank[:] = np.minimum(stock, 255)
    if kind == "text" or rng.random() < 0.6:
        print_ = np.asarray(cv2.resize(printed_page(rng), (side, side)), np.float32)
        blank *= 0.25 + 0.75 * print_
    page: Pixels = np.ascontiguousarray(blank.clip(0, 255)).astype(np.uint8)
    cell = min(rng.uniform(0.45, 0.75) * PAPER / max(rows, columns), 45.0)
    wide, high = columns * cell, rows * cell
    left, top = rng.uniform(0.2, 0.8, 2) * (PAPER - wide, PAPER - high)
    if kind == "goes on":
        left, top = np.array([left, top]) % cell
    corners = np.array(
        [(left, top), (left + wide, top), (left + wide, top + high), (left, top + high)]
    )
    if kind != "text":
        margin = rng.uniform(0.2, 2.0) * cell
        box = np.array([corners[0] - margin, corners[2] + margin]) * PX_PER_MM
        cv2.rectangle(page, _px(box[0]), _px(box[1]), stock.tolist(), -1)
        count = (rows, columns) if kind != "goes on" else (int(PAPER / cell), int(PAPER / cell))
        if kind in ("puzzle", "printed") and rng.random() < 0.4:
            _attach(rng, page, corners)
        frame = _rule(rng, page, kind, corners[0], cell, *count)
        if kind in ("puzzle", "printed", "drawn"):  # a grid ends where its frame does
            corners = corners + frame / 2 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
        if rng.random() < 0.85:
            _fill(rng, page, corners[0], cell, *count)
    return np.asarray(page, np.uint8), corners


def _rule(
    rng: np.random.Generator,
    page: Pixels,
    kind: str,
    corner: Floats,
    cell: float,
    rows: int,
    columns: int,
) -> float:
    """Draw the lines; return how wide the outer ones are, mm."""
    dark = float(rng.uniform(0, 110))
    ink = (dark, dark * rng.uniform(0.5, 1), dark * rng.uniform(0.5, 1))
    thin = cell * rng.uniform(0.02, 0.06)
    if kind in ("drawn", "open"):
        thin = max(cell * rng.uniform(0.02, 0.08), 0.5)
    every = 3 if kind == "puzzle" else 0
    dashed = kind == "printed" and rng.random() < 0.15
    double = kind == "printed" and rng.random() < 0.15
    wobble = cell * rng.uniform(0.0, 0.05) if kind in ("drawn", "open") else 0.0
    first, heavy, thick = 1 if kind == "open" else 0, rng.uniform(1.8, 3.0), thin
    for axis, count, across in ((0, columns, rows), (1, rows, columns)):
        for k in range(first, count + 1 - first):
            thick = thin * heavy if every and k % every == 0 else thin
            overshoot = rng.uniform(-0.15, 0.15, 2) * cell if wobble else np.zeros(2)
            along = np.linspace(-overshoot[0], across * cell + overshoot[1], 40)
            off = wobble * np.cumsum(rng.normal(0, 0.25, 40)) / 2 + wobble * rng.normal()
            line = np.empty((40, 2))
            line[:, axis] = corner[axis] + k * cell + off
            line[:, 1 - axis] = corner[1 - axis] + along
            width = max(1, round(thick * PX_PER_MM))
            for shift in (-thin, thin) if double else (0.0,):
                moved = line + np.eye(2)[axis] * shift
                _stroke(page, moved, ink, width, dashed=dashed)
    return thick + 2 * thin * double


def _attach(rng: np.random.Generator, page: Pixels, corners: Floats) -> None:
    """Draw what a paper sets against a puzzle: a bar for its title, rules, boxes beside it."""
    dark = (float(rng.uniform(0, 120)),) * 3
    a, b, c, d = corners * PX_PER_MM
    wide = float(np.linalg.norm(b - a))
    what = int(rng.integers(4))
    if what == 0:  # a bar on its upper side
        cv2.rectangle(page, _px(a - (0, rng.uniform(0.04, 0.15) * wide)), _px(b), dark, -1)
    elif what == 1:  # a rule through a side
        middle = a + (b - a) * rng.uniform(-0.3, 1.3)
        cv2.line(page, _px(middle - (0, wide)), _px(a + (b - a) * 0.5), dark, 3)
        cv2.line(
            page, _px(a - (wide, 0)), _px(b + np.array([wide, 0])), dark, int(rng.integers(1, 6))
        )
    elif what == 2:  # a frame close around it
        gap = rng.uniform(0.01, 0.05) * wide
        cv2.rectangle(page, _px(a - gap), _px(c + gap), dark, int(rng.integers(1, 8)))
    else:  # a box beside it that touches
        far = c + np.array([rng.uniform(0.1, 0.5) * wide, 0])
        cv2.rectangle(page, _px(b), _px(far), dark, int(rng.integers(1, 6)))
        cv2.line(page, _px(d), _px(d + np.array([0, 0.3 * wide])), dark, 2)


def _stroke(
    page: Pixels, line: Floats, ink: tuple[float, ...], width: int, *, dashed: bool
) -> None:
    points = (line * PX_PER_MM).round().astype(np.int32)
    if not dashed:
        cv2.polylines(page, [points.reshape(-1, 1, 2)], False, ink, width, cv2.LINE_AA)
        return
    length = float(np.linalg.norm(line[-1] - line[0]))
    parts = np.linspace(0, 1, 2 * max(2, int(length / DASH)))[:, None]
    ends = (line[0] + parts * (line[-1] - line[0])) * PX_PER_MM
    for a, b in zip(ends[::2], ends[1::2], strict=True):
        cv2.line(page, _px(a), _px(b), ink, width, cv2.LINE_AA)


def _fill(
    rng: np.random.Generator, page: Pixels, corner: Floats, cell: float, rows: int, columns: int
) -> None:
    """Write figures, noughts or crosses into some cells."""
    font = int(rng.choice([cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX]))
    size, full = cell * PX_PER_MM * rng.uniform(0.4, 0.75), rng.uniform(0.1, 0.7)
    ink = (float(rng.uniform(0, 90)),) * 3
    some = "123456789" if rng.random() < 0.8 else "XO"
    for row, column in np.ndindex(rows, columns):
        if rng.random() > full:
            continue
        middle = (corner + (np.array([column, row]) + 0.5) * cell) * PX_PER_MM
        at = middle + np.array([-0.33, 0.42]) * size
        thick = max(1, round(size / 12))
        cv2.putText(
            page, str(rng.choice(list(some))), _px(at), font, size / 25, ink, thick, cv2.LINE_AA
        )


def _px(point: Floats) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))


# ---------------------------------------------------------------- a page that is not flat


def _bend(rng: np.random.Generator) -> Floats:
    """Return (2, 3): by how many mm, how often and from where waves move a page along x and y."""
    most = rng.choice([0.0, 0.6, 1.6])
    return np.column_stack(
        [rng.uniform(0, most, 2), rng.uniform(0.3, 0.9, 2), rng.uniform(0, 2 * np.pi, 2)]
    )


def _moves(points: Floats, bent: Floats) -> Floats:
    """Return (n, 2) mm by which waves move points, along one axis by the place on the other."""
    (by_x, often_x, from_x), (by_y, often_y, from_y) = bent
    turns = 2 * np.pi * points / PAPER
    x = by_x * np.sin(often_x * turns[:, 1] + from_x)
    y = by_y * np.sin(often_y * turns[:, 0] + from_y)
    return np.column_stack([x, y])


def _bent(page: Pixels, bent: Floats) -> Pixels:
    if not bent[:, 0].any():
        return page
    high, wide = page.shape[:2]
    x, y = np.meshgrid(np.arange(wide), np.arange(high))
    places = np.column_stack([x.ravel(), y.ravel()]) / PX_PER_MM
    # Waves are long beside their height: where a px comes from is where it goes, turned round.
    source = (places - _moves(places, bent)).reshape(high, wide, 2) * PX_PER_MM
    from_x, from_y = (np.ascontiguousarray(source[..., k], np.float32) for k in (0, 1))
    moved = cv2.remap(page, from_x, from_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.uint8)


def _sent(plane: Floats, points: Floats) -> Floats:
    flat = np.column_stack([points, np.ones(len(points))]) @ plane.T
    sent: Floats = flat[:, :2] / flat[:, 2:]
    return sent
