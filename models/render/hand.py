"""A hand that reaches over the table, bare or in a sleeve: bones with flesh around them."""

from __future__ import annotations

import numpy as np

from models.render.arrays import HAND, Floats
from models.render.clutter import any_tint
from models.render.solid import Solid
from models.render.stuff import as_colour
from models.render.toys import DECOY, Toy
from models.textures.texture import Random

Bone = tuple[float, ...]  # two ends, two radii, whether a nail is on it
FINGERS = (  # from the index to the little one: where on the palm, lengths of the bones, thickness
    (28.0, -29.0, (42.0, 25.0, 19.0), 1.0),
    (32.0, -10.0, (46.0, 29.0, 20.0), 1.03),
    (29.0, 9.0, (43.0, 27.0, 20.0), 0.98),
    (21.0, 27.0, (34.0, 20.0, 17.0), 0.86),
)
REACH = (700.0, 85.0, 115.0)  # mm, half of the box that an arm fits in
SHOULDER = (-640.0, 0.0, 170.0)  # as far as an arm is drawn: no picture shows where it ends
PALM = 26.0  # mm over the lowest point of that box, before the fingers bend down
SKINS = ((0.54, 0.31, 0.22), (0.38, 0.21, 0.14), (0.6, 0.38, 0.29), (0.17, 0.084, 0.058))


def hand(rng: Random) -> list[Toy]:
    """Make a hand that reaches over the table, bare or in a sleeve; all lie in one place."""
    bones = _finger_bones(rng)
    bones += _thumb_bones(float(rng.uniform(-8, 10)))
    bones.append((-45.0, 0.0, 24.0, -80.0, 0.0, 27.0, 25.0, 22.0, 0.0))
    bones.append((-80.0, 0.0, 27.0, *SHOULDER, 22.0, 52.0, 0.0))
    tone = np.array(SKINS[rng.integers(len(SKINS))]) * rng.uniform(0.85, 1.1)
    skin = Solid(
        kind=HAND,
        half=REACH,
        parts=_in_box(bones),
        roughness=float(rng.uniform(0.45, 0.65)),
        shine=0.03,
        body=as_colour(tone),
        second=as_colour(tone * np.array([0.95, 0.78, 0.76])),
        grain=(0.06, 0.06, 0.06),
        ink=as_colour(tone**0.85 * np.array([1.0, 0.95, 0.97])),
        bump=(0.07, 0.9),
    )
    arm = [Toy(DECOY, skin)]
    if rng.random() < 0.6:
        arm.append(_sleeve(rng))
    return arm


def _finger_bones(rng: Random) -> list[Bone]:
    """Return the bones of four fingers, each with the one that leads to it through the palm."""
    bend = float(rng.uniform(0.1, 0.75))
    bones: list[Bone] = []
    for x, y, lengths, thick in FINGERS:
        at = np.array([x, y, PALM])
        turn = np.deg2rad(rng.uniform(-6, 6) + 0.28 * y)
        dip = float(rng.uniform(-0.1, 0.2)) - 0.15
        bones.append((-42.0, 0.6 * y, PALM - 2, *at, 15.0, 10.5 * thick, 0.0))
        for joint, length in enumerate(lengths):
            way = np.array([np.cos(turn) * np.cos(dip), np.sin(turn) * np.cos(dip), np.sin(dip)])
            end = at + length * way
            end[2] = max(end[2], 7.0)
            radii = thick * np.array([9.4, 8.2, 7.7, 6.0])[joint : joint + 2]
            bones.append((*at, *end, *radii, float(joint == 2)))
            at, dip = end, dip - bend * float(rng.uniform(0.8, 1.2))
    return bones


def _thumb_bones(spread: float) -> list[Bone]:
    """Return the bones of a thumb that stands so many mm away from the fingers."""
    thumb = [(-38.0, -20.0, 20.0), (0.0, -44.0, 15.0), (28.0, -50.0 - spread, 12.0)]
    thumb.append((52.0, -48.0 - 1.4 * spread, 10.0))
    bones: list[Bone] = []
    for joint, ends in enumerate([(16.0, 12.0), (11.0, 9.8), (9.6, 7.2)]):
        bones.append((*thumb[joint], *thumb[joint + 1], *ends, float(joint == 2)))
    return bones


def _sleeve(rng: Random) -> Toy:
    """Make the cloth around the arm, with its hem behind the wrist."""
    hem = float(rng.uniform(-135, -95))
    wide = float(rng.uniform(31, 38))
    tint, body = any_tint(rng)
    cloth = Solid(
        kind=HAND,
        half=REACH,
        parts=_in_box([(hem - wide, 0.0, 32.0, *SHOULDER, wide, wide + 22, 0.0)]),
        roughness=0.95,
        body=body,
        second=as_colour(0.75 * tint),
        grain=(0.5, 0.5, 0.5),
        bump=(float(rng.uniform(0.2, 0.5)), 0.12),
    )
    return Toy(DECOY, cloth)


def _in_box(bones: list[Bone]) -> Floats:
    """Return bones whose heights are over the box's lowest point, in the box's own axes."""
    lowest = np.array([0, 0, REACH[2], 0, 0, REACH[2], 0, 0, 0])
    return np.asarray(np.array(bones) - lowest, np.float64)
