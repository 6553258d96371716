"""Every kind of drawn table, as networks learn from it: `python -m models.train KIND`.

Tables of "unread" have pieces without a value to read: dominoes face down, dice with numerals or
signs. Beside the usual labels they have `unread[]` with their kind, of `vision.faces.kinds.KINDS`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.drawn import write_new
from models.sketch.arrange import draw_pieces
from models.sketch.domino_tables import lay, name_of
from models.sketch.dominoes import LAYOUTS
from models.sketch.ground import CARDS, PRINTED, USUAL
from models.sketch.objects import ThingKinds, coin, keyboard, mahjong, panel, patch, polyhedron
from models.sketch.sketch import (
    FACE,
    QUALITY,
    TILES,
    SketchOptions,
    photograph,
    photograph_dominoes,
    sketch,
    sketch_dominoes,
)
from models.sketch.view import draw_view
from models.textures.surfaces import real_ground

THINGS: dict[str, ThingKinds] = {
    "numbered": ((partial(polyhedron, signs=False), 1.0),),
    "symbol": ((partial(polyhedron, signs=True), 1.0),),
    "printed": ((mahjong, 0.4), (coin, 0.2), (keyboard, 0.1), (panel, 0.2), (patch, 0.1)),
}
LYING = ("apart", "row", "heap", "chain")  # of `domino_tables.TABLES`
TABLES = ("backs", "boneyard", *THINGS)
WITH_DICE = 0.4  # of the tables of things have dice too


def write(folder: Path, kind: str, grounds: Sequence[Path], seed: int) -> None:
    """Write the picture of a seed and its truth into *folder*, or one in it, unless it is there.

    Of "on_photos" a ground of *grounds* has nothing on it, pieces or a block of dice, in turn; of
    print, cards and objects on every third lie pieces; layouts and the unread come in turn.
    """
    third = seed % 3
    if kind == "unread":
        path, draw = f"{TABLES[seed % len(TABLES)]}/unread", partial(unread, seed)
    elif kind == "dominoes":
        path, draw = f"{name_of(seed)}/dominoes", partial(sketch_dominoes, seed)
    elif kind == "double_nine":
        path, draw = "double-nine", partial(sketch_dominoes, seed, "larger_set")
    else:
        layout = [*LAYOUTS][seed % len(LAYOUTS)]
        options = {
            "prints": SketchOptions(bare=third != 0, tables=PRINTED),
            "cards": SketchOptions(bare=third != 0, tables=CARDS),
            "objects": SketchOptions(bare=third != 0, objects=True),
            "tiles": TILES,
            "layouts": SketchOptions(layout=layout),
            "on_photos": SketchOptions(
                third == 0,
                ((real_ground(grounds), 1.0),),
                theme="dice" if third == 1 else None,
                block=third == 1,
            ),
        }.get(kind, SketchOptions())
        path = f"{layout}/sketch" if kind == "layouts" else "sketch"
        draw = partial(sketch, seed, options)
    write_new(folder / f"{path}-{seed:06d}.jpg", draw, QUALITY)


def unread(seed: int, name: str = "") -> tuple[NDArray[np.uint8], dict[str, Any]]:
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
    return photo, labels | {"unread": [{"kind": name, "quad": quad} for quad in labels["objects"]]}
