"""Fit the layouts 2 to 6 to spots: which spots form the pattern of one face?

In: `Blobs`. Out: `Pattern`s, each a frame (the square lattice of the face, in px) and the spots on
it. A spot's ellipse undoes the tilt of its face; what remains is a square lattice of three by
three nodes, turned and scaled.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.blobs import Blobs, Floats

NODES = np.array([(x, y) for y in (-1, 0, 1) for x in (-1, 0, 1)], np.float64)  # (9, 2)
LAYOUTS: dict[tuple[int, ...], int] = {
    (0, 8): 2,
    (2, 6): 2,
    (0, 4, 8): 3,
    (2, 4, 6): 3,
    (0, 2, 6, 8): 4,
    (0, 2, 4, 6, 8): 5,
    (0, 2, 3, 5, 6, 8): 6,
    (0, 1, 2, 6, 7, 8): 6,
}
CODES = {sum(1 << node for node in nodes): value for nodes, value in LAYOUTS.items()}
LYING_SIX = sum(1 << node for node in (0, 1, 2, 6, 7, 8))
SQUEEZES = (1.0, 0.83, 0.68)  # distance of the rows of a six over their length: many dice < 1

LONE_TURNS = 6  # tried over a quarter turn
USUAL_HALF = 1.95  # half side over half spread; dice seen: 1.6 to 2.4

NEIGHBOURS = 18  # a face holds six spots at most; the rest leaves room for its neighbours
HALF_SPREAD = (1.45, 5.2)  # middle to corner pip along a side, in pip radii; dice seen: 2.0 to 4.2
NEAR_NODE = 0.24  # of the half spread; how far a spot may lie from its node
INSIDE = 1.5  # half spreads; spots nearer to the middle than this lie on the face


@dataclass(frozen=True, slots=True, eq=False)
class Pattern:
    """Spots that lie like the pips of one face."""

    value: int
    middle: Floats  # (2,) px
    axes: Floats  # (2, 2) columns: px from the middle to the middles of two sides of the pip square
    spots: NDArray[np.intp]  # indices into the blobs
    miss: float  # root mean square distance of spots from nodes, in half spreads
    strays: int  # like spots inside the face that are on no node
    nodes: Floats  # (n, 2) each -1, 0 or 1: where on the lattice the spots lie
    spread: float  # half spread in pip radii


def find_patterns(blobs: Blobs) -> list[Pattern]:
    """Return every pattern the spots allow; many share spots, and few are faces."""
    found: dict[tuple[int, ...], Pattern] = {}
    for i in range(len(blobs)):
        near = _neighbours(blobs, i)
        for pattern in _patterns_with(blobs, i, near) if len(near) else ():
            key = (pattern.value, *(int(spot) for spot in pattern.spots))
            if key not in found or pattern.miss < found[key].miss:
                found[key] = pattern
    return list(found.values())


def lone_patterns(blobs: Blobs, spots: NDArray[np.intp], side: float) -> list[Pattern]:
    """Return faces *side* px wide with each spot as their only pip, in several turns."""
    found = []
    for i in spots:
        spread = side / 2 / USUAL_HALF / float(blobs.radius[i])
        if not HALF_SPREAD[0] < spread < HALF_SPREAD[1]:
            continue
        for angle in np.arange(LONE_TURNS) * (np.pi / 2 / LONE_TURNS):
            turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
            axes = blobs.shape[i] @ turn * spread
            spot = np.array([i])
            found.append(Pattern(1, blobs.center[i], axes, spot, 0.0, 0, NODES[4:5], spread))
    return found


def alike(blobs: Blobs, i: int, others: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Say which of the other spots could be pips of the same face as spot *i*."""
    radius = blobs.radius
    size = radius[others] / radius[i]
    # The singular values of one shape seen in the metric of the other: all near 1 when alike.
    relative = np.linalg.inv(blobs.shape[i]) @ blobs.shape[others]
    stretch = np.linalg.svd(relative, compute_uv=False)
    contrast = blobs.contrast[others] / blobs.contrast[i]
    step = np.abs(blobs.around[others] - blobs.around[i])
    same: NDArray[np.bool_] = (
        (blobs.dark[others] == blobs.dark[i])
        & (size > 0.66)
        & (size < 1.5)
        & (stretch[:, 0] < 1.9)
        & (stretch[:, 1] > 0.52)
        & (contrast > 0.5)
        & (contrast < 2.0)
        & (step < 0.6 * blobs.contrast[i])
    )
    return same


def _neighbours(blobs: Blobs, i: int) -> NDArray[np.intp]:
    """Return the nearest spots like *i* within the reach of one face."""
    reach = 2.9 * HALF_SPREAD[1] * np.linalg.norm(blobs.shape[i], 2)
    near = np.flatnonzero(np.abs(blobs.center - blobs.center[i]).max(axis=1) < reach)
    near = near[near != i]
    near = near[alike(blobs, i, near)]
    away = np.linalg.norm(blobs.center[near] - blobs.center[i], axis=1)
    nearest: NDArray[np.intp] = near[np.argsort(away, kind="stable")[:NEIGHBOURS]]
    return nearest


def _patterns_with(blobs: Blobs, i: int, near: NDArray[np.intp]) -> list[Pattern]:
    """Return the patterns in which *i* and a later spot are two corners of the pip square."""
    spots = np.append(near, i)
    found = []
    for j in near[near > i]:
        unflatten = (blobs.shape[i] + blobs.shape[j]) / 2
        flat = (blobs.center[spots] - blobs.center[i]) @ np.linalg.inv(unflatten).T
        for middle, axis, squeeze in _frames(flat[spots == j][0]):
            frame = np.array([[axis[0], -axis[1]], [axis[1], axis[0]]])  # columns: both axes
            place = (flat - middle) @ np.linalg.inv(frame).T  # nodes are at -1, 0, 1
            spread = float(np.hypot(*axis))
            fit = _fit(place, spread, squeeze)
            if fit is None or not fit.on_node[-1] or not fit.on_node[:-1][near == j].all():
                continue
            found.append(
                Pattern(
                    fit.value,
                    blobs.center[i] + unflatten @ middle,
                    unflatten @ frame,
                    spots[fit.on_node],
                    fit.miss,
                    fit.strays,
                    fit.nodes,
                    spread,
                )
            )
    return found


def _frames(step: Floats) -> list[tuple[Floats, Floats, float]]:
    """Return (middle, axis, squeeze) for which 0 and *step* are two corners of the pip square."""
    along = step / 2
    side = np.array([-along[1], along[0]])
    across = (along - side) / 2
    frames = [(along, across, 1.0)]
    for squeeze in SQUEEZES:
        frames += [
            (along + squeeze * side, along, squeeze),
            (along - squeeze * side, along, squeeze),
        ]
    return frames


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    value: int
    on_node: NDArray[np.bool_]  # (N,) of the spots
    nodes: Floats  # (value, 2) of the spots on a node
    miss: float
    strays: int


def _fit(place: Floats, spread: float, squeeze: float) -> _Fit | None:
    """Match (N, 2) places, counted in half spreads, to a layout; None if they form none."""
    if not HALF_SPREAD[0] < spread < HALF_SPREAD[1]:
        return None
    nodes = NODES * (1, squeeze)
    distance = np.linalg.norm(place[:, None] - nodes, axis=2)
    node = distance.argmin(axis=1)
    on_node = distance.min(axis=1) < max(NEAR_NODE, 0.45 / spread)
    code = int(np.bitwise_or.reduce(1 << node[on_node]))
    value = CODES.get(code) if squeeze == 1 else 6 * (code == LYING_SIX)
    if not value:
        return None
    strays = int(((np.abs(place).max(axis=1) < INSIDE) & ~on_node).sum())
    on_node &= _nearest(node, distance.min(axis=1))
    miss = float(np.sqrt((distance[on_node].min(axis=1) ** 2).mean()))
    return _Fit(value, on_node, nodes[node[on_node]], miss, strays)


def _nearest(node: NDArray[np.intp], distance: Floats) -> NDArray[np.bool_]:
    """Say which spot is the nearest to its node: glare may split a pip in two."""
    order = np.lexsort((distance, node))
    first = np.ones(len(node), np.bool_)
    first[1:] = node[order][1:] != node[order][:-1]
    nearest = np.zeros(len(node), np.bool_)
    nearest[order[first]] = True
    return nearest
