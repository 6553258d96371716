"""Pieces, pages and table tops for the other renderer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np

from models.foreign.mesh import FACES, Drilled, Floats, HeldPhone, Mesh, rounded_box, spots

PX = 1024


def draw_top(rng: np.random.Generator) -> Floats:
    """Return any top, as large as the table."""
    return TOPS[int(rng.integers(len(TOPS)))](rng)


def noise(rng: np.random.Generator, coarse: tuple[int, int], octaves: int = 5) -> Floats:
    """Return noise from 0 to 1, (PX, PX), of as many cells across and down, and ever finer ones."""
    total, weight = np.zeros((PX, PX)), 0.0
    for octave in range(octaves):
        cells = [min(PX, side * 2**octave) for side in coarse]
        small = rng.random((cells[1], cells[0]))
        total += cv2.resize(small, (PX, PX), interpolation=cv2.INTER_CUBIC) * 0.55**octave
        weight += 0.55**octave
    return np.clip(total / weight, 0, 1)


def _mixed(first: Floats, second: Floats, share: Floats) -> Floats:
    return first + np.clip(share, 0, 1)[..., None] * (second - first)


def _wood(rng: np.random.Generator) -> Floats:
    grain = noise(rng, (3, 60))
    rings = 0.5 + 0.5 * np.sin(2 * np.pi * (4 * noise(rng, (2, 9), 3) + 14 * grain))
    dark = np.array([0.16, 0.08, 0.04]) * rng.uniform(0.5, 2.5)
    light = np.minimum(dark * rng.uniform(1.4, 2.6), 0.8)
    return _mixed(dark, light, 0.6 * rings + 0.4 * grain)


def _felt(rng: np.random.Generator) -> Floats:
    hue = rng.choice([[0.02, 0.16, 0.06], [0.02, 0.05, 0.2], [0.25, 0.03, 0.03], [0.1, 0.1, 0.1]])
    return _mixed(np.array(hue) * 0.7, np.array(hue) * 1.4, noise(rng, (400, 400), 2))


def _stone(rng: np.random.Generator) -> Floats:
    pale = rng.uniform(0.2, 0.75) * np.array([1, rng.uniform(0.93, 1), rng.uniform(0.85, 1)])
    return _mixed(pale * 0.55, pale, noise(rng, (6, 6), 7))


def _cloth(rng: np.random.Generator) -> Floats:
    base, other = rng.uniform(0.03, 0.7, (2, 3))
    y, x = np.mgrid[:PX, :PX]
    every = int(rng.integers(24, 90))
    checks = ((x // every) % 2 + (y // every) % 2) / 2
    threads = 0.5 + 0.25 * (np.sin(x * 1.7) + np.sin(y * 1.7))
    return _mixed(base, other, 0.85 * checks + 0.15 * threads)


def _plain(rng: np.random.Generator) -> Floats:
    paint = rng.uniform(0.05, 0.8, 3)
    return _mixed(0.9 * paint, paint, noise(rng, (8, 8)))


def _print(rng: np.random.Generator) -> Floats:
    """Return a printed mat: bands, discs and words."""
    page = np.full((PX, PX, 3), rng.uniform(0.3, 0.9, 3))
    for _ in range(60):
        colour = tuple(rng.uniform(0.02, 0.9, 3))
        at = int(rng.integers(PX)), int(rng.integers(PX))
        kind = rng.integers(3)
        if kind == 0:
            cv2.circle(page, at, int(rng.integers(3, 50)), colour, -1, cv2.LINE_AA)
        elif kind == 1:
            to = int(rng.integers(PX)), int(rng.integers(PX))
            cv2.line(page, at, to, colour, int(rng.integers(1, 8)), cv2.LINE_AA)
        else:
            word = "".join(rng.choice(list("AEIOMNRST 0123456789"), 7))
            share = written(word, at, rng.uniform(0.5, 2), page.shape)
            page += share[..., None] * (np.array(colour) - page)
    return page


def written(word: str, at: tuple[int, int], size: float, shape: tuple[int, ...]) -> Floats:
    """Return where ink is once a word is written from *at*, px, (h, w) from 0 to 1."""
    ink = np.zeros(shape[:2], np.uint8)
    cv2.putText(ink, word, at, 0, size, 255, 2, cv2.LINE_AA)
    return ink / 255.0


TOPS = (_wood, _wood, _felt, _stone, _cloth, _plain, _plain, _print)


PX_PER_MM = 5
STYLES = ("plain", "framed", "hash", "double", "dashed", "faint", "wobbly")
WORDS = ("EVEN & ODD", "Tic Tac Toe", "ROUND 1", "3 x 3")
INKS = ((0.02, 0.02, 0.02), (0.02, 0.05, 0.3), (0.35, 0.03, 0.03), (0.12, 0.12, 0.12))


@dataclass(frozen=True, slots=True, eq=False)
class GridPage:
    """The page, around the origin of the table; mm."""

    ink: Floats  # (h, w, 3) light RGB
    size: tuple[float, float]
    cell: float
    yaw: float
    style: str

    def at(self, x: float, y: float) -> Floats:
        """Return where a point of the page, mm from its middle, lies on the table, (2,)."""
        c, s = np.cos(self.yaw), np.sin(self.yaw)
        return np.array([c * x - s * y, s * x + c * y])

    def middle(self, row: int, column: int) -> Floats:
        """Return the middle of a cell; row 0 is the upper one of the page."""
        return self.at((column - 1) * self.cell, (1 - row) * self.cell)

    @property
    def corners(self) -> Floats:
        """Return the grid's outer corners, (4, 3), clockwise from cell (0, 0)."""
        out = 1.5 * self.cell
        spots = ((-out, out), (out, out), (out, -out), (-out, -out))
        return np.array([[*self.at(x, y), 0.15] for x, y in spots])

    def turns(self, phone: HeldPhone) -> int:
        """Return the number of the corner that is the first once row 0 is the upper one there."""
        corners_px = phone.project(self.corners)
        uppers = [corners_px[k][1] + corners_px[(k + 1) % 4][1] for k in range(4)]
        return int(np.argmin(uppers))


def draw_page(rng: np.random.Generator) -> GridPage:
    """Return any page."""
    cell = float(rng.uniform(26, 44))
    size = tuple(float(3 * cell + rng.uniform(16, 70)) for _ in range(2))
    width, height = (round(PX_PER_MM * side) for side in size)
    paper = np.array([1, rng.uniform(0.95, 1), rng.uniform(0.82, 1)]) * rng.uniform(0.65, 0.85)
    sheet = np.broadcast_to(paper, (height, width, 3)).copy()
    style = str(rng.choice(STYLES))
    ink = np.array(INKS[int(rng.integers(len(INKS)))])
    if style == "faint":
        ink = paper * rng.uniform(0.5, 0.75)
    mask = np.zeros((height, width), np.float32)
    _rule(rng, mask, cell * PX_PER_MM, style)
    if rng.random() < 0.3:
        mask = np.maximum(mask, written(str(rng.choice(WORDS)), (20, 28), 0.8, mask.shape))
    sheet += mask[..., None] * (ink - sheet)
    return GridPage(sheet, (size[0], size[1]), cell, float(rng.uniform(0, 2 * np.pi)), style)


def _rule(rng: np.random.Generator, mask: np.ndarray, cell: float, style: str) -> None:
    height, width = mask.shape
    lines = (1, 2) if style == "hash" else (0, 1, 2, 3)
    thick = int(rng.integers(2, 9))
    bend = cell * 0.03 if style == "wobbly" else 0.0
    offsets = (-0.025, 0.025) if style == "double" else (0.0,)
    middle = np.array([width / 2, height / 2])
    for across in (False, True):
        for line in lines:
            for offset in offsets:
                reach = 1.5 + (rng.normal(0, 0.04) if style in ("hash", "wobbly") else 0)
                along = np.linspace(-reach, reach, 60) * cell
                fixed = (line - 1.5 + offset) * cell + bend * np.cumsum(rng.normal(0, 0.35, 60))
                points = np.stack([along, fixed] if across else [fixed, along], axis=1) + middle
                _stroke(mask, points, thick, dashed=style == "dashed")
    if style == "framed":
        lo, hi = middle - 1.6 * cell, middle + 1.6 * cell
        cv2.rectangle(mask, tuple(lo.astype(int)), tuple(hi.astype(int)), 1.0, thick + 4)


def _stroke(mask: np.ndarray, points: Floats, thick: int, *, dashed: bool) -> None:
    spots = np.rint(points).astype(int).tolist()
    for n, (start, end) in enumerate(pairwise(spots)):
        if not dashed or n % 4 < 2:
            cv2.line(mask, start, end, 1.0, thick, cv2.LINE_AA)


WHITE, IVORY, BLACK = (0.78, 0.78, 0.76), (0.74, 0.66, 0.5), (0.012, 0.012, 0.013)
RED, BLUE, GREEN, WOOD = (0.4, 0.02, 0.02), (0.02, 0.06, 0.35), (0.02, 0.2, 0.06), (0.4, 0.22, 0.1)
# Of dominoes: the body, its colour's word and its ink.
BODIES = (
    (WHITE, "white", BLACK), (WHITE, "white", BLACK), (IVORY, "white", BLACK),
    (BLACK, "black", WHITE), (BLACK, "black", WHITE), (WOOD, "brown", BLACK),
    (RED, "red", WHITE), (BLUE, "blue", WHITE), (GREEN, "green", WHITE),
)  # fmt: skip
# Of dice: bodies of a colour's word, any mixture of two neighbours goes by it too; and its ink.
DICE = {
    "white": ((WHITE, IVORY), BLACK), "black": ((BLACK, (0.03, 0.03, 0.032)), WHITE),
    "grey": (((0.16, 0.16, 0.17), (0.3, 0.3, 0.3)), BLACK),
    "red": ((RED, (0.6, 0.03, 0.02)), WHITE),
    "orange": (((0.8, 0.2, 0.01), (0.75, 0.26, 0.03)), BLACK),
    "yellow": (((0.8, 0.58, 0.03), (0.75, 0.6, 0.15)), BLACK),
    "green": ((GREEN, (0.03, 0.35, 0.08)), WHITE), "blue": ((BLUE, (0.03, 0.15, 0.55)), WHITE),
    "purple": (((0.13, 0.03, 0.28), (0.2, 0.06, 0.35)), WHITE),
}  # fmt: skip
# Of values on top: what the four sides show, east, north, west, south.
AROUND = {
    1: (2, 3, 5, 4), 2: (1, 4, 6, 3), 3: (1, 2, 6, 5),
    4: (1, 5, 6, 2), 5: (1, 3, 6, 4), 6: (2, 4, 5, 3),
}  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class UpperFace:
    """The upper face of a die or of half a tile: its corners (4, 3) mm and its value."""

    corners: Floats
    value: int
    colour: str


@dataclass(frozen=True, slots=True, eq=False)
class LyingPiece:
    """A mesh where it lies, and its one or two upper faces."""

    mesh: Mesh
    faces: tuple[UpperFace, ...]
    kind: str = ""  # of a piece without a value, "back"


@dataclass(frozen=True, slots=True, eq=False)
class Dominoes:
    """How the tiles of a set are made."""

    side: float  # of a half
    thick: float
    edge: float
    body: Floats
    word: str
    ink: Floats
    pip: float
    spread: float
    depth: float
    bar: float  # half its length; 0: none

    def back(self, at: Floats, yaw: float) -> LyingPiece:
        """Return a tile that lies face down; *at* its upper side, which is below."""
        half = np.array([self.side, self.side / 2, self.thick / 2])
        mesh = rounded_box(half, self.edge, {}, self.body, self.ink)
        out, wide = (half - RIM * self.edge)[:2]
        return _laid(mesh, at, yaw, self.thick, {(-out, out): 0}, wide, self.word, "back")

    def tile(self, halves: Sequence[int], at: Floats, yaw: float) -> LyingPiece:
        """Return a tile whose first half lies toward -x before it is turned; *at* its underside."""
        ends = (-self.side / 2, self.side / 2)
        pips = [
            spots(value, self.spread)[:, ::-1] * [1, -1] + [end, 0]
            for value, end in zip(halves, ends, strict=True)
        ]
        top = Drilled(np.concatenate(pips), self.pip, self.depth, self.bar, self.pip / 2)
        half = np.array([self.side, self.side / 2, self.thick / 2])
        mesh = rounded_box(half, self.edge, {"top": top}, self.body, self.ink)
        out, wide = self.side - RIM * self.edge, self.side / 2 - RIM * self.edge
        values = {(-out, 0.0): halves[0], (0.0, out): halves[1]}
        return _laid(mesh, at, yaw, self.thick, values, wide, self.word)


def draw_dominoes(rng: np.random.Generator) -> Dominoes:
    """Return any set."""
    body, word, ink = BODIES[int(rng.integers(len(BODIES)))]
    side = float(rng.uniform(18, 27))
    return Dominoes(
        side,
        side * float(rng.uniform(0.3, 0.5)),
        side * float(rng.uniform(0.04, 0.13)),
        np.array(body) * rng.uniform(0.85, 1.15),
        word,
        np.array(ink),
        side * float(rng.uniform(0.07, 0.1)),
        side * float(rng.uniform(0.25, 0.3)),
        float(rng.uniform(0.1, 0.9)),
        side * float(rng.uniform(0.3, 0.46)) if rng.random() < 0.75 else 0.0,
    )


@dataclass(frozen=True, slots=True)
class DiceMake:
    """How the dice of a set are made."""

    side: float
    edge: float
    pip: float
    spread: float
    depth: float
    level: bool = False  # twos and threes lie side by side

    def die(self, value: int, word: str, at: Floats, yaw: float, mixed: float = 0.0) -> LyingPiece:
        """Return a die of a colour, *at* its underside; *mixed*, 0 to 1, tells its two bodies."""
        names = ("east", "north", "west", "south")
        shown = dict(zip(names, AROUND[value], strict=True)) | {"top": value}
        drilled = {
            name: Drilled(spots(shown[name], self.spread, level=self.level), self.pip, self.depth)
            for name in FACES
            if name in shown
        }
        ends, ink = DICE[word]
        body = (1 - mixed) * np.array(ends[0]) + mixed * np.array(ends[1])
        mesh = rounded_box(np.full(3, self.side / 2), self.edge, drilled, body, np.array(ink))
        out = self.side / 2 - RIM * self.edge
        return _laid(mesh, at, yaw, self.side, {(-out, out): value}, out, word)


def draw_dice(rng: np.random.Generator) -> DiceMake:
    """Return any set."""
    side = float(rng.uniform(12, 18))
    return DiceMake(
        side,
        side * float(rng.uniform(0.05, 0.2)),
        side * float(rng.uniform(0.08, 0.11)),
        side * float(rng.uniform(0.22, 0.28)),
        float(rng.uniform(0.1, 1.0)),
    )


RIM = 0.29  # of the radius of an edge, which lies outside a face


def _laid(
    mesh: Mesh, at: Floats, yaw: float, thick: float, values: Mapping[tuple[float, float], int],
    wide: float, word: str, kind: str = "",
) -> LyingPiece:  # fmt: skip
    """Return a mesh on *at* and its upper faces, each from where to where it reaches along it."""
    middle, faces = at + np.array([0, 0, thick / 2]), []
    c, s = np.cos(yaw), np.sin(yaw)
    turn = np.array([[c, s, 0], [-s, c, 0], [0, 0, 1.0]])
    for (x0, x1), value in values.items():
        corners = np.array([(x0, wide), (x1, wide), (x1, -wide), (x0, -wide)])
        flat = np.column_stack([corners, np.full(4, thick / 2)])
        faces.append(UpperFace(flat @ turn + middle, value, word))
    return LyingPiece(mesh.placed(middle, yaw), tuple(faces), kind)
