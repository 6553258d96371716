"""The dominoes of a table, in their own axes, face up or face down."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from models.pieces.palette import draw_colour
from models.pieces.style import PieceStyle
from models.render.arrays import FACES, Floats
from models.render.solid import UNCUT, Colour, Pip, Solid
from models.render.stuff import as_colour, draw_ink, face_pips, filled, inks_of, of_batch
from models.render.toys import DECOY, TILE, Toy, ToyFace, draw_style
from models.textures.colour import linear
from models.textures.texture import Material, Random, as_picture

TOP = 4  # the face +z
BRASS = (0.55, 0.40, 0.16)
MOST = 9  # pips on a half of the largest sets


@dataclass(frozen=True, slots=True)
class TileStyle:
    """How the dominoes of one set are made; the pips' style with what only tiles have."""

    pips: PieceStyle
    half: tuple[float, float, float]  # mm
    bar: float  # half its width, mm; 0 for none
    bar_depth: float
    spinner: float  # radius of the brass pin, mm; 0 for none
    most: int  # pips on a half: 6 or 9
    across: bool  # the rows of a six run across the tile
    printed_back: bool


def draw_tile_style(rng: Random) -> TileStyle:
    """Choose how a set of dominoes is made."""
    width = float(rng.uniform(17, 30))
    long = width * float(rng.uniform(1.85, 2.08))
    thick = width * float(rng.uniform(0.16, 0.46))
    most = 9 if rng.random() < 0.08 else 6
    pip = float(rng.uniform(0.13, 0.21))
    style = replace(
        draw_style(rng),
        side=width,
        ball=UNCUT,
        pip=pip if most == 6 else 0.8 * pip,
        lone=pip if rng.random() < 0.9 else 1.3 * pip,
        spread=float(rng.uniform(0.48, 0.62)),
        rainbow=bool(rng.random() < 0.4),
        edge=float(rng.uniform(0.08, 0.9)) * thick / width,
    )
    has_bar = rng.random() < 0.88
    bar = float(rng.uniform(0.015, 0.05)) * width if has_bar else 0.0
    return TileStyle(
        pips=style,
        half=(long / 2, width / 2, thick / 2),
        bar=bar,
        bar_depth=float(rng.uniform(0.2, 0.6)) if rng.random() < 0.6 and has_bar else 0.0,
        spinner=float(rng.uniform(0.05, 0.09)) * width if rng.random() < 0.35 else 0.0,
        most=most,
        across=bool(rng.random() < 0.75),
        printed_back=bool(rng.random() < 0.12),
    )


def draw_tile(rng: Random, tile: TileStyle, color: str) -> Toy:
    """Make a domino with its pips on +z."""
    shared = of_batch(tile.pips, color)
    tint = draw_colour(shared, color)
    bare = Solid(
        half=tile.half,
        edge=tile.pips.edge * tile.half[1],
        roughness=tile.pips.roughness,
        pip_depth=tile.pips.depth,
        ring=tile.pips.ring,
    )
    body, clear = filled(shared, bare, color, tint)
    ink = draw_ink(shared, tint, clear)
    inks = inks_of(shared, tile.pips, color, ink, MOST)
    halves = (int(rng.integers(tile.most + 1)), int(rng.integers(tile.most + 1)))
    width = tile.half[1]
    top: list[Pip] = []
    faces = []
    for sign, value in zip((-1.0, 1.0), halves, strict=True):
        top += _half_pips(rng, tile, sign, value, inks[value])
        faces.append(ToyFace(TOP, value, _half_quad(tile, sign, width - 0.293 * body.edge)))
    if tile.spinner:
        top.append(Pip(0.0, 0.0, tile.spinner, BRASS))
    bar = (tile.bar, width * float(rng.uniform(0.7, 0.95)), tile.bar_depth if tile.bar else 0.0)
    pips = ((), (), (), (), tuple(top), ())
    solid = replace(body, pips=pips, bar=bar if tile.bar else (0.0, 0.0, 0.0), ink=as_colour(ink))
    return Toy(TILE, solid, tuple(faces), color)


def _half_pips(rng: Random, tile: TileStyle, sign: float, value: int, ink: Colour) -> list[Pip]:
    """Return the pips of the half on one side, -1 or 1, of the middle."""
    turn = tile.across if value in {6, 7, 8} else bool(rng.random() < 0.5)
    middle = sign * (tile.half[0] + tile.bar) / 2
    pips = face_pips(rng, tile.pips, value, tile.half[1], ink, turn)
    return [replace(pip, u=pip.u + middle) for pip in pips]


def _half_quad(tile: TileStyle, sign: float, flat: float) -> Floats:
    """Return the corners of a half, (4, 3) mm; *flat* is half its width, to its rounded edge."""
    ends = sorted((0.0, sign * (tile.half[0] - (tile.half[1] - flat))))
    corners = ((0, -1), (1, -1), (1, 1), (0, 1))
    return np.array([(ends[i], y * flat, tile.half[2]) for i, y in corners])


def back_of(rng: Random, tile: Toy, *, printed: bool) -> Toy:
    """Return the domino face down: nothing to be read, a pattern on its back or perhaps one."""
    blank = replace(tile.solid, pips=((),) * FACES, bar=(0.0, 0.0, 0.0))
    if rng.random() < 0.1 or printed:
        blank = replace(blank, top=pattern(rng, 2 * max(blank.half)), body=(1.0, 1.0, 1.0))
    return Toy(DECOY, blank, (), tile.color)


def pattern(rng: Random, span: float) -> Material:
    """Return a printed back: rings and rays in two colours."""
    y, x = np.mgrid[-1:1:256j, -1:1:256j]
    rings = np.sin(np.hypot(x, y) * rng.uniform(10, 60)) * np.cos(
        np.arctan2(y, x) * int(rng.integers(2, 14))
    )
    share = (rings > rng.uniform(-0.4, 0.4))[..., None]
    one, other = linear(rng.uniform(0, 1, 3)), linear(rng.uniform(0, 1, 3))
    return Material(as_picture(share * one + (1 - share) * other), span, 0.4)
