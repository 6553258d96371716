"""Draw a board on a page of paper, true to scale: a PDF of strokes, squares and words."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from scorer.board import Board, Drawn, Ink, Line, Point, Shape, Words
from webui.eyes.look import PrintedMarker, layout_of, printed_markers
from webui.eyes.printed_boards import PAPERS, file_stem
from webui.languages import said, translate
from webui.store.durable_files import write_named

Rgb = tuple[float, float, float]
CAPITALS = 0.718  # of a font's size: Helvetica's capitals and figures, Adobe's metrics
INKS: Mapping[Ink, Rgb] = {
    "black": (0.12, 0.12, 0.14),
    "grey": (0.5, 0.5, 0.53),
    "red": (0.78, 0.2, 0.2),
    "blue": (0.16, 0.34, 0.7),
    "pale grey": (0.83, 0.83, 0.85),
    "pale red": (0.94, 0.68, 0.66),
    "pale blue": (0.66, 0.76, 0.94),
}
CHECK = 50.0  # mm, the line by which a person checks the printer's scale


def write(board: Board, paper: str, out: Path | None, geometry: Path | None, *, grey: bool) -> None:
    """Write a board's PDF, and its geometry if a file is named; raises NotWritten."""
    page = out or Path(f"{file_stem(board)}.pdf")
    files = {page: board_pdf(board, paper, grey=grey)}
    if geometry is not None:
        text = json.dumps(layout_of(board, paper).to_json(), ensure_ascii=False, indent=1)
        files[geometry] = f"{text}\n".encode()
    for path, content in files.items():
        write_named(path, content)
    how = translate("Print it at 100 %, not fitted to the page.")
    print(f"{page}: {said(board.title)}. {how}")


def board_pdf(board: Board, paper: str = "a4", *, grey: bool = False) -> bytes:
    """Return the PDF of a board on A4 or Letter; *grey* omits colours."""
    markers = printed_markers(board, paper)
    width, height = PAPERS[paper]
    pdf = io.BytesIO()
    # Invariant: the output is deterministic.
    canvas = Canvas(pdf, pagesize=(width * mm, height * mm), invariant=True, pageCompression=1)
    canvas.setTitle(f"{board.title} ({board.name})")
    canvas.setCreator("Pipsight")
    page = _Page(canvas, height, grey)
    _draw_markers(page, markers)
    _draw_check(page, board.name, markers)
    page.shift(((width - board.size_mm[0]) / 2, (height - board.size_mm[1]) / 2))
    for shape in board.drawing:
        page.draw(shape)
    canvas.showPage()
    canvas.save()
    return pdf.getvalue()


class _Page:
    """A page with its origin in the upper left corner, in mm, y down."""

    def __init__(self, canvas: Canvas, height: float, grey: bool) -> None:
        self.canvas, self.height, self.grey, self.origin = canvas, height, grey, (0.0, 0.0)

    def shift(self, origin: Point) -> None:
        """Move the origin to *origin*."""
        self.origin = origin

    def draw(self, shape: Drawn) -> None:
        """Draw one element of a board."""
        if isinstance(shape, Line):
            self._stroke(shape.ink, shape.width)
            self.canvas.line(*self._at(shape.start), *self._at(shape.end))
        elif isinstance(shape, Shape):
            self._polygon(shape)
        else:
            self._words(shape)

    def square(self, corner: Point, width: float, height: float, rgb: Rgb) -> None:
        """Fill an upright rectangle from its upper left *corner*."""
        x, y = self._at((corner[0], corner[1] + height))
        self.canvas.setFillColorRGB(*rgb)
        self.canvas.rect(x, y, width * mm, height * mm, stroke=0, fill=1)

    def _at(self, point: Point) -> Point:
        x, y = self.origin[0] + point[0], self.origin[1] + point[1]
        return x * mm, (self.height - y) * mm

    def _rgb(self, ink: Ink) -> Rgb:
        red, green, blue = INKS[ink]
        light = 0.299 * red + 0.587 * green + 0.114 * blue  # ITU-R BT.601
        return (light, light, light) if self.grey else (red, green, blue)

    def _stroke(self, ink: Ink, width: float) -> None:
        self.canvas.setStrokeColorRGB(*self._rgb(ink))
        self.canvas.setLineWidth(width * mm)
        self.canvas.setLineJoin(1)

    def _polygon(self, shape: Shape) -> None:
        path = self.canvas.beginPath()
        path.moveTo(*self._at(shape.points[0]))
        for point in shape.points[1:]:
            path.lineTo(*self._at(point))
        path.close()
        if shape.ink:
            self._stroke(shape.ink, shape.width)
        if shape.fill:
            self.canvas.setFillColorRGB(*self._rgb(shape.fill))
        self.canvas.drawPath(path, stroke=int(bool(shape.ink)), fill=int(bool(shape.fill)))

    def _words(self, words: Words) -> None:
        self.canvas.setFillColorRGB(*self._rgb(words.ink))
        font = "Helvetica-Bold" if words.bold else "Helvetica"
        self.canvas.setFont(font, words.size / CAPITALS * mm)
        x, y = self._at((words.at[0], words.at[1] + words.size / 2))
        put = {
            "left": self.canvas.drawString,
            "middle": self.canvas.drawCentredString,
            "right": self.canvas.drawRightString,
        }
        put[words.align](x, y, said(words.text))


def _draw_markers(page: _Page, markers: Sequence[PrintedMarker]) -> None:
    """Draw each fiducial: a black square, and the white modules on it."""
    for marker in markers:
        left, top, width = marker.left, marker.top, marker.right - marker.left
        side = width / len(marker.black)
        page.square((left, top), width, width, (0.0, 0.0, 0.0))
        for row, line in enumerate(marker.black):
            for column, is_black in enumerate(line):
                if not is_black:
                    corner = (left + column * side, top + row * side)
                    page.square(corner, side, side, (1.0, 1.0, 1.0))


def _draw_check(page: _Page, name: str, markers: Sequence[PrintedMarker]) -> None:
    """Draw a 50 mm line below the board, which reveals a page scaled to fit the paper."""
    bottom = max(marker.bottom for marker in markers)
    left = min(marker.left for marker in markers)
    y = bottom + 3.4
    for x, tall in ((left, 1.0), (left + CHECK, 1.0)):
        page.draw(Line((x, y - tall), (x, y + tall), "grey", 0.2))
    page.draw(Line((left, y), (left + CHECK, y), "grey", 0.2))
    check = translate("{length} mm when printed at 100 %", length=f"{CHECK:.0f}")
    text = f"{check}   ·   {name}   ·   Pipsight"
    page.draw(Words(text, (left + CHECK + 3, y), 1.7, "grey", align="left"))
