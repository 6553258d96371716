"""How cells are printed: frames, tints, figures, and what stands around them."""

import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.drawn import Pixels
from models.pieces import LAYOUTS
from models.sheets.strokes import Floats, Form, InkShares, Random
from models.textures.surfaces import srgb_from_hsv

HERSHEY = (
    cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_PLAIN, cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_COMPLEX_SMALL,
)  # fmt: skip
FACES = ("sans", "italic", "uni")


@dataclass(frozen=True, slots=True, eq=False)
class PrintStyle:
    """How the cells of one half are printed."""

    frame: str  # "rect", "round", "circle", "lines", "none"
    line: float  # px; 0 draws none
    line_colour: Floats  # BGR in [0, 1], as all colours here
    tint: Floats | None
    ink: Floats  # of the figures
    figure: float  # height, share of the cell; 0 prints none
    face: int  # of HERSHEY, then FACES
    weight: int
    pips: bool
    letters: bool
    corner: bool  # a small figure in the cell's corner instead of its middle
    double: float = 0.0  # cells, a second frame inside the first one


def draw_look(rng: Random, dark: bool, answers: bool) -> PrintStyle:
    """Draw any look; four of ten are sober ones, as printed at home, but for *answers*' bubbles."""
    if not dark and not answers and rng.random() < 0.4:
        return _sober(rng)
    frames = ["circle"] if answers and rng.random() < 0.85 else ["rect", "rect", "round", "lines"]
    frame = str(rng.choice([*frames, "circle"] if rng.random() < 0.25 else frames))
    hue = float(rng.choice([0, 4, 110, 118, 60, 28, 150, 90])) + rng.normal(0, 4)
    strong = bgr_of(hue, rng.uniform(0.4, 1), rng.uniform(0.35, 0.95))
    grey = np.full(3, rng.uniform(0.65, 1.0) if dark else rng.uniform(0, 0.65))
    tint = None
    kind = rng.random()
    if kind < 0.35:
        tint = bgr_of(hue, rng.uniform(0.05, 0.45), rng.uniform(0.8, 1))
    elif kind < 0.43:
        tint = strong
    light = np.full(3, rng.uniform(0.85, 1.0))
    ink = light if kind >= 0.35 and kind < 0.43 else strong if rng.random() < 0.5 else grey
    faint = rng.uniform(0, 0.75) if rng.random() < 0.5 else 0.0
    ground = light if tint is None else tint
    return PrintStyle(
        frame=frame,
        line=float(rng.choice([0.0, *rng.uniform(0.6, 4, 4)])) if tint is not None
        else float(rng.uniform(0.7, 4)),
        line_colour=strong if rng.random() < 0.5 else grey,
        tint=tint,
        ink=ink + faint * (ground - ink),
        figure=0.0 if rng.random() < 0.12 else float(rng.uniform(0.25, 0.8)),
        face=int(rng.integers(len(HERSHEY) + 2 * len(FACES))),
        weight=int(rng.integers(200, 900)),
        pips=bool(rng.random() < 0.08),
        letters=answers and bool(rng.random() < 0.75),
        corner=bool(rng.random() < 0.12),
    )  # fmt: skip


def _sober(rng: Random) -> PrintStyle:
    """Draw thin frames, a faint tint or none, grey or coloured figures."""
    hue = float(rng.choice([0, 2, 176, 105, 112, 118])) + rng.normal(0, 3)
    grey = np.full(3, rng.uniform(0.2, 0.75))
    strong = bgr_of(hue, rng.uniform(0.3, 0.9), rng.uniform(0.5, 0.9))
    faint = rng.uniform(0, 0.8)
    tint = bgr_of(hue, rng.uniform(0.02, 0.2), rng.uniform(0.9, 1))
    ink = grey if rng.random() < 0.4 else strong
    return PrintStyle(
        frame=str(rng.choice(["rect", "round"])),
        line=float(rng.uniform(0.6, 2.5)),
        line_colour=grey if rng.random() < 0.4 else strong,
        tint=tint if rng.random() < 0.5 else None,
        ink=ink + faint * (1 - ink),
        figure=float(rng.uniform(0.3, 0.75)),
        face=len(HERSHEY) + int(rng.integers(len(FACES))),
        weight=int(rng.integers(200, 900)),
        pips=False,
        letters=False,
        corner=bool(rng.random() < 0.1),
    )


def bgr_of(hue: float, saturation: float, value: float) -> Floats:
    """Return a colour, BGR in [0, 1]; hue in half degrees, any turn."""
    return srgb_from_hsv(hue % 180, saturation, value)[::-1].astype(np.float64)


def print_form(
    rng: Random, page: InkShares, form: Form, look: PrintStyle, by_row: bool, columns: int
) -> None:
    """Print a form on its (h, w, 3) page; numbers run *by_row* or in rows of *columns*."""
    canvas = np.ascontiguousarray((255 * page).astype(np.uint8))
    grain = page - canvas / np.float32(255)
    six = draw_look(rng, float(page.mean()) < 0.4, False) if rng.random() < 0.4 else look
    if rng.random() < 0.4:
        six = replace(six, double=float(rng.uniform(0.02, 0.1)))
    for k, polygon in enumerate(form.polygons_px):
        style = six if form.six[k] else look
        _frame(canvas, polygon, style)
        number = 6 if form.six[k] else 1 + (k // columns if by_row else k % columns) % 5
        _figure(canvas, polygon, style, number)
    _around(rng, canvas, form, look)
    np.clip(canvas / np.float32(255) + grain, 0, 1, out=page)


def _frame(canvas: NDArray[np.uint8], polygon: Floats, look: PrintStyle) -> None:
    (x0, y0), (x1, y1) = polygon[0], polygon[2]
    ink, thick = (255 * look.line_colour).tolist(), max(1, round(look.line))
    a, b = (round(float(x0)), round(float(y0))), (round(float(x1)), round(float(y1)))
    if look.frame == "circle":
        middle = round(float(x0 + x1) / 2 * 16), round(float(y0 + y1) / 2 * 16)
        axes = round(float(x1 - x0) * 0.47 * 16), round(float(y1 - y0) * 0.47 * 16)
        if look.tint is not None:
            cv2.ellipse(canvas, middle, axes, 0, 0, 360, (255 * look.tint).tolist(), -1,
                        cv2.LINE_AA, 4)  # fmt: skip
        if look.line:
            cv2.ellipse(canvas, middle, axes, 0, 0, 360, ink, thick, cv2.LINE_AA, 4)
        return
    if look.tint is not None:
        cv2.rectangle(canvas, a, b, (255 * look.tint).tolist(), -1)
    if not look.line or look.frame == "none":
        return
    if look.frame == "lines":
        cv2.line(canvas, (a[0], b[1]), b, ink, thick, cv2.LINE_AA)
        return
    if look.frame == "round":
        inset = round(0.04 * float(x1 - x0))
        a, b = (a[0] + inset, a[1] + inset), (b[0] - inset, b[1] - inset)
    cv2.rectangle(canvas, a, b, ink, thick, cv2.LINE_AA)
    if look.double:
        inset = max(thick + 1, round(look.double * float(y1 - y0)))
        a, b = (a[0] + inset, a[1] + inset), (b[0] - inset, b[1] - inset)
        cv2.rectangle(canvas, a, b, ink, 1, cv2.LINE_AA)


def _figure(canvas: NDArray[np.uint8], polygon: Floats, look: PrintStyle, number: int) -> None:
    if not look.figure:
        return
    size = polygon[2] - polygon[0]
    high = look.figure * float(size[1])
    middle = polygon.mean(axis=0)
    if look.corner:
        high *= 0.45
        middle = polygon[0] + 0.24 * size
    ink = (255 * np.clip(look.ink, 0, 1)).tolist()
    if look.pips:
        for x, y in LAYOUTS[number]:
            place = np.round(16 * (middle + 0.38 * high * np.array([x, y]))).astype(int).tolist()
            cv2.circle(canvas, place, round(16 * 0.13 * high), ink, -1, cv2.LINE_AA, 4)
        return
    text = "0ABCDEF"[number] if look.letters else str(number)
    if look.face < len(HERSHEY):
        font, thick = HERSHEY[look.face], max(1, round(high * look.weight / 6000))
        (w, h), _ = cv2.getTextSize(text, font, 1.0, 1)
        scale = high / h
        at = round(float(middle[0]) - scale * w / 2), round(float(middle[1]) + high / 2)
        cv2.putText(canvas, text, at, font, scale, ink, thick, cv2.LINE_AA)
        return
    face = cv2.FontFace(FACES[look.face % len(FACES)])
    size_px = max(4, round(high * 1.35))
    x0, y0, w, h = cv2.getTextSize((9999, 9999), text, (0, 0), face, size_px, look.weight)
    at = round(float(middle[0]) - w / 2 - x0), round(float(middle[1]) - h / 2 - y0)
    cv2.putText(canvas, text, at, ink, face, size_px, look.weight)


def _around(rng: Random, canvas: NDArray[np.uint8], form: Form, look: PrintStyle) -> None:
    """Print what stands around the cells: a frame, a heading, rules, a band."""
    low, high = form.polygons_px.min(axis=(0, 1)), form.polygons_px.max(axis=(0, 1))
    size = form.size_px.mean(axis=0)
    ink = (255 * look.line_colour).tolist()
    if rng.random() < 0.4:
        out = rng.uniform(0.05, 0.4) * size
        a, b = (np.round(p).astype(int).tolist() for p in (low - out, high + out))
        cv2.rectangle(canvas, a, b, ink, max(1, round(rng.uniform(1, 5))), cv2.LINE_AA)
    if rng.random() < 0.5:
        face = cv2.FontFace(str(rng.choice(FACES)))
        words = "".join(rng.choice(list("redblue numbers 1234567"), int(rng.integers(3, 14))))
        at = np.round(low - (0, rng.uniform(0.2, 0.6) * size[1])).astype(int).tolist()
        cv2.putText(canvas, words, at, ink, face, max(6, int(0.4 * size[1])), 500)
    if not form.strikes and rng.random() < 0.8:
        _numbers(rng, canvas, form, ink)
    if rng.random() < 0.4:  # the row of another block
        y = high[1] + rng.uniform(0.3, 0.9) * size[1]
        for x in form.polygons_px[: int((form.row == 0).sum()), 0, 0]:
            a, b = (round(float(x)), round(float(y))), (round(float(x + size[0])), canvas.shape[0])
            cv2.rectangle(canvas, a, b, ink, max(1, round(look.line)), cv2.LINE_AA)


def _numbers(rng: Random, canvas: NDArray[np.uint8], form: Form, ink: list[float]) -> None:
    """Print the numbers of the questions, each before the first option of its row."""
    face = cv2.FontFace(str(rng.choice(FACES)))
    high = max(6, int(rng.uniform(0.4, 0.75) * form.size_px[0, 1]))
    first, end = int(rng.integers(1, 30)), str(rng.choice(["", ".", ")"]))
    for row in np.unique(form.row):
        option = form.polygons_px[np.flatnonzero(form.row == row)[0]]
        text = f"{first + row}{end}"
        x0, y0, w, h = cv2.getTextSize((9999, 9999), text, (0, 0), face, high, 400)
        right = float(option[0, 0]) - 0.25 * form.size_px[0, 0]
        at = round(right - w - x0), round(float(option[:, 1].mean()) - h / 2 - y0)
        cv2.putText(canvas, text, at, ink, face, high, 400)


ROWS = 5  # of a half
ANSWERS = 0.25  # share of forms that are answer sheets
MOST = 60  # cells of one


def draw_form(rng: Random) -> tuple[Form, InkShares]:
    """Draw an empty form; return it and its page, (h, w, 3) BGR in [0, 1]."""
    answers = bool(rng.random() < ANSWERS)
    cell = float(rng.uniform(4.5, 8) if answers else rng.uniform(8, 21))
    px = float(rng.uniform(46, 66)) / cell
    size = np.array([cell * rng.choice([1.0, 1.25, rng.uniform(0.8, 1.35)]), cell])
    places, columns = (_answers if answers else _half)(rng, size)
    edge = cell * rng.uniform(1.0, 1.5, 2)
    four = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * size
    index = np.arange(len(places))
    form = Form(
        *(px, px * (places[:, None] + edge + four), index // columns),
        *((index % columns == columns - 1) & (not answers), not answers),
    )
    far = form.polygons_px.max(axis=(0, 1)) + px * edge
    page = paper(rng, (int(far[1]), int(far[0])))
    by_row, dark = rng.random() < 0.5, float(page.mean()) < 0.4
    print_form(rng, page, form, draw_look(rng, dark, answers), by_row, columns)
    return form, page


def _half(rng: Random, size: Floats) -> tuple[Floats, int]:
    """Return (n, 2) where cells of a *size* begin, row by row with a 6 at the end; cells a row."""
    gap = size[1] * rng.choice([0, 0, rng.uniform(0, 0.3)])
    xs = np.arange(ROWS + 1) * (size[0] + gap)
    xs[-1] += size[1] * rng.uniform(0.0, 1.0)
    ys = np.arange(ROWS) * (size[1] + gap * rng.choice([1.0, rng.uniform(0, 1.5)]))
    return np.array([(x, y) for y in ys for x in xs]), len(xs)


def _answers(rng: Random, size: Floats) -> tuple[Floats, int]:
    """Return what `_half` does of an answer sheet: blocks of questions, the options in a row."""
    options, blocks = int(rng.integers(2, 7)), int(rng.choice([1, 1, 2, 3]))
    most = MOST // (options * blocks)
    rows = int(rng.integers(min(4, most), min(12, most) + 1))
    gap, aisle = size[1] * rng.uniform(0.15, 0.9), size[1] * rng.uniform(1.5, 4)
    xs = np.arange(options) * (size[0] + gap)
    ys = np.arange(rows) * (size[1] + gap * rng.uniform(0.3, 1.5))
    starts = np.arange(blocks) * (xs[-1] + size[0] + aisle)
    return np.array([(start + x, y) for start in starts for y in ys for x in xs]), options


def paper(rng: Random, shape: tuple[int, int], *, light: bool = False) -> InkShares:
    """Return a sheet: white, cream, tinted or dark, with a faint structure; *light* is never dark.

    (h, w, 3) BGR in [0, 1].
    """
    kind, colour = rng.random(), np.zeros(3)
    if kind < 0.82:
        colour = rng.uniform(0.86, 1.0) + rng.normal(0, 0.012, 3)
    elif light or kind < 0.96:
        colour = bgr_of(rng.uniform(0, 180), rng.uniform(0.03, 0.35), rng.uniform(0.75, 1))
    else:
        colour = bgr_of(rng.uniform(0, 180), rng.uniform(0.1, 0.6), rng.uniform(0.2, 0.6))
    few = rng.standard_normal((5, 5), np.float32)
    clouds = cv2.resize(few, shape[::-1], interpolation=cv2.INTER_CUBIC)
    fine = rng.standard_normal((shape[0] // 2 + 1, shape[1] // 2 + 1), np.float32)
    fibres = cv2.resize(fine, shape[::-1])
    shade = 1 + np.float32(rng.uniform(0, 0.02)) * clouds
    shade += np.float32(rng.uniform(0, 0.015)) * fibres
    return np.minimum(colour.astype(np.float32) * shade[..., None], np.float32(1))


ROOT = Path(__file__).parents[2]
PX_PER_MM = 6.0  # of the picture


def printed_page(board: str) -> tuple[Pixels, dict[str, Any]]:
    """Return a board's page on A4, (h, w, 3) BGR with PX_PER_MM, and its geometry in mm."""
    import pypdfium2  # noqa: PLC0415  # of the environments that draw and test

    with tempfile.TemporaryDirectory() as folder:
        pdf, geometry = Path(folder) / "board.pdf", Path(folder) / "board.json"
        command = [sys.executable, "-m", "webui.cli", "print", board, "--out", str(pdf)]
        command += ["--geometry", str(geometry)]
        subprocess.run(command, check=True, capture_output=True, cwd=ROOT)  # noqa: S603  # ours
        with pypdfium2.PdfDocument(pdf) as pages:
            picture = pages[0].render(scale=PX_PER_MM * 25.4 / 72).to_numpy()[..., :3].copy()
        return picture, json.loads(geometry.read_text(encoding="utf-8"))
