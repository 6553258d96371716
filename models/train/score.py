"""Compare faces with truth as the project's measuring tool does: by centres in grown boxes."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np

from models.train.eyes import Seen
from models.train.infer import COLOURS
from models.train.pictures import Shot

GROW = 0.15  # of a box's size on each side


def pair(shot: Shot, seen: Seen) -> dict[int, int]:
    """Return {truth index: face index}, nearest first, each used once."""
    middles = seen.found.quads.mean(axis=1) if len(seen.found) else np.zeros((0, 2))
    near = []
    for i, face in enumerate(shot.faces):
        low, high = face.quad.min(axis=0), face.quad.max(axis=0)
        grow = GROW * (high - low)
        for j, middle in enumerate(middles):
            if (middle >= low - grow).all() and (middle <= high + grow).all():
                near.append((math.dist(middle, (low + high) / 2), i, j))
    pairs: dict[int, int] = {}
    used: set[int] = set()
    for _, i, j in sorted(near):
        if i not in pairs and j not in used:
            pairs[i] = j
            used.add(j)
    return pairs


def extras(shot: Shot, seen: Seen, pairs: dict[int, int]) -> list[int]:
    """Return the faces that belong to no truth and lie on nothing ignored."""
    used = set(pairs.values())
    spare = []
    for j, quad in enumerate(seen.found.quads):
        middle = quad.mean(axis=0)
        hidden = any(_holds(q, middle) for q in shot.ignored)
        if j not in used and not hidden:
            spare.append(j)
    return spare


def _holds(quad: np.ndarray, point: np.ndarray) -> bool:
    low, high = quad.min(axis=0), quad.max(axis=0)
    return bool((point >= low).all() and (point <= high).all())


def count(shot: Shot, seen: Seen, sure: float) -> Counter[str]:
    """Return the counts of one picture."""
    pairs = pair(shot, seen)
    spare = extras(shot, seen, pairs)
    right = [seen.values[j] == shot.faces[i].value for i, j in pairs.items()]
    told = [
        (shot.faces[i].colour, seen.colours[j])
        for i, j in pairs.items()
        if shot.faces[i].colour >= 0
    ]
    whole = len(pairs) == len(shot.faces) and not spare and all(right)
    asked = bool((seen.confidence < sure).any())
    return Counter(
        photos=1, pieces=len(shot.faces), found=len(pairs), extra=len(spare), value=sum(right),
        colored=len(told), color=sum(COLOURS[a] == b for a, b in told),
        whole=whole, asked=asked, silent=not whole and not asked,
    )  # fmt: skip


COLUMNS = ("pieces", 7), ("found", 8), ("extra", 6), ("value", 8), ("color", 8), ("whole", 8)
HEAD = "set".ljust(16) + " photos" + "".join(f"{name:>{width}}" for name, width in COLUMNS)
HEAD += " asked SILENT"


def row(name: str, c: Counter[str]) -> str:
    """Return one line of the table under HEAD."""

    def share(part: str, of: str) -> str:
        return f"{100 * c[part] / c[of]:7.1f}%" if c[of] else "       -"

    return (
        f"{name:16}{c['photos']:7}{c['pieces']:7}{share('found', 'pieces')}{c['extra']:6}"
        f"{share('value', 'found')}{share('color', 'colored')}{share('whole', 'photos')}"
        f"{c['asked']:6}{c['silent']:7}"
    )


def table(shots: list[Shot], seen: list[Seen], sure: float) -> str:
    """Return the table by set."""
    sums: dict[str, Counter[str]] = {}
    for shot, one in zip(shots, seen, strict=True):
        sums.setdefault(shot.name, Counter()).update(count(shot, one, sure))
    total = sum(sums.values(), Counter[str]())
    return "\n".join([HEAD, *(row(name, c) for name, c in sums.items()), row("all", total)])
