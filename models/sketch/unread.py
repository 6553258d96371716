"""Tables with pieces that have no value to read: dominoes face down, dice with numerals or signs.

Beside the usual labels each picture has `unread[]` with their kind, of `vision.faces.kinds.KINDS`.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.drawn import write_new
from models.sketch.arrange import draw_pieces
from models.sketch.domino_tables import lay
from models.sketch.ground import USUAL
from models.sketch.objects import ThingKinds, coin, keyboard, mahjong, panel, patch, polyhedron
from models.sketch.sketch import FACE, QUALITY, photograph, photograph_dominoes
from models.sketch.view import draw_view

THINGS: dict[str, ThingKinds] = {
    "numbered": ((partial(polyhedron, signs=False), 1.0),),
    "symbol": ((partial(polyhedron, signs=True), 1.0),),
    "printed": ((mahjong, 0.4), (coin, 0.2), (keyboard, 0.1), (panel, 0.2), (patch, 0.1)),
}
LYING = ("apart", "row", "heap", "chain")  # of `domino_tables.TABLES`
TABLES = ("backs", "boneyard", *THINGS)
WITH_DICE = 0.4  # of the tables of things have dice too


def table(seed: int, name: str = "") -> tuple[NDArray[np.uint8], dict[str, Any]]:
    """Return a picture, (h, w, 3) BGR, and its labels; *name* is of TABLES, "" is each in turn."""
    rng = np.random.default_rng(np.random.SeedSequence([64, seed]))
    name = name or TABLES[seed % len(TABLES)]
    if name in THINGS:
        photo, labels = _things(rng, name)
    else:
        down = 1.0 if name == "backs" else float(rng.uniform(0.3, 0.9))
        photo, labels = photograph_dominoes(rng, lay(rng, str(rng.choice(LYING)), down))
    return photo, labels | {"seed": seed}


def _things(rng: np.random.Generator, name: str) -> tuple[NDArray[np.uint8], dict[str, Any]]:
    face = float(np.exp(rng.uniform(*np.log(FACE))))
    view = draw_view(rng, face)
    dice = draw_pieces(rng, view, face, "dice", 0.0)[:6] if rng.random() < WITH_DICE else []
    photo, labels = photograph(rng, view, dice, USUAL, things=THINGS[name])
    unread = [{"kind": name, "quad": quad} for quad in labels["objects"]]
    return photo, labels | {"unread": unread}


def write(folder: Path, seed: int) -> None:
    """Write the picture of a seed and its labels into a folder for its table."""
    path = folder / TABLES[seed % len(TABLES)] / f"unread-{seed:06d}.jpg"
    write_new(path, lambda: table(seed), QUALITY)
