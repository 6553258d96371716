"""Dice as rigid bodies: thrown onto a table with others on it, until all rest. Units are sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pybullet

from models.sketch.bodies import Floats
from models.textures.texture import Random

SIDE_M = 0.016
GRAVITY = 9.81 / SIDE_M
STEP_S = 1 / 960
KEPT_EVERY = 8  # steps; poses are kept 120 times a second
LONGEST_S = 3.5  # a throw that takes longer is thrown again
FLAT = 0.9995  # cosine of how far an upper face may be from level
RESTS = 0.01, 0.01  # sides and radians within which a die is where it will stay


@dataclass(frozen=True, slots=True, eq=False)
class Pose:
    """Where a die is, (3,) and (3, 3): its own axes to the world's."""

    at: Floats
    turn: Floats

    @property
    def up(self) -> int:
        """Return the face 0 to 5 (+x -x +y -y +z -z) that looks up."""
        axis = int(np.abs(self.turn[2]).argmax())
        return 2 * axis + (0 if self.turn[2, axis] > 0 else 1)


@dataclass(frozen=True, slots=True, eq=False)
class Motion:
    """Poses of all dice, 120 a second, and how many seconds pass until none moves any more."""

    poses: tuple[tuple[Pose, ...], ...]
    settled_s: float


@dataclass(frozen=True, slots=True)
class Release:
    """How a die leaves the hand."""

    at: tuple[float, float, float]
    speed: tuple[float, float, float]
    spin: tuple[float, float, float]


def throw(
    rng: Random, lying: Sequence[Pose], thrown: Sequence[Release], room: float
) -> Motion | None:
    """Throw dice among those that lie there; None where one leaves the room, leans or rolls on.

    Args:
        rng: chooses how the table and the dice rub and bounce.
        lying: dice that rest already; they may be hit.
        thrown: the others; their poses come after those.
        room: half the width of the square in which all must come to rest.
    """
    client = pybullet.connect(pybullet.DIRECT)
    try:
        return _simulated(rng, lying, thrown, room, client)
    finally:
        pybullet.disconnect(client)


def _simulated(
    rng: Random, lying: Sequence[Pose], thrown: Sequence[Release], room: float, client: int
) -> Motion | None:
    pybullet.setGravity(0, 0, -GRAVITY, physicsClientId=client)
    pybullet.setTimeStep(STEP_S, physicsClientId=client)
    rub, bounce = rng.uniform(0.15, 0.4), rng.uniform(0.4, 0.6)
    plane = pybullet.createCollisionShape(pybullet.GEOM_PLANE, physicsClientId=client)
    table = pybullet.createMultiBody(0, plane, physicsClientId=client)
    box = pybullet.createCollisionShape(
        pybullet.GEOM_BOX, halfExtents=[0.5] * 3, physicsClientId=client
    )
    dice = [_body(box, pose.at, pose.turn, client) for pose in lying]
    dice += [_body(box, np.array(one.at), _any_turn(rng), client) for one in thrown]
    for body in (table, *dice):
        pybullet.changeDynamics(
            body, -1, lateralFriction=rub, restitution=bounce, rollingFriction=0.004,
            spinningFriction=0.01, physicsClientId=client,
        )  # fmt: skip
    for body, throw in zip(dice[len(lying) :], thrown, strict=True):
        pybullet.resetBaseVelocity(body, throw.speed, throw.spin, physicsClientId=client)
    poses = []
    for number in range(int(LONGEST_S / STEP_S)):
        if number % KEPT_EVERY == 0:
            poses.append(tuple(_pose(body, client) for body in dice))
            if len(poses) > 60 and _distance(poses[-50], poses[-1]) < 0.002:
                break
        pybullet.stepSimulation(physicsClientId=client)
    last = poses[-1]
    if any(_is_astray(pose, room) for pose in last) or len(poses) * KEPT_EVERY * STEP_S > 3.3:
        return None
    moving = [k for k, now in enumerate(poses) if _distance(now, last) > RESTS[0]]
    return Motion(tuple(poses), (max(moving, default=0) + 1) * KEPT_EVERY * STEP_S)


def _is_astray(pose: Pose, room: float) -> bool:
    level = np.abs(pose.turn[2]).max() > FLAT and abs(pose.at[2] - 0.5) < 0.05
    return not level or bool(np.abs(pose.at[:2]).max() > room)


def _distance(poses: Sequence[Pose], other: Sequence[Pose]) -> float:
    """Return how far any corner of any die may have gone, in sides."""
    return max(
        float(np.abs(a.at - b.at).max() + np.abs(a.turn - b.turn).max())
        for a, b in zip(poses, other, strict=True)
    )


def _any_turn(rng: Random) -> Floats:
    q, r = np.linalg.qr(rng.normal(size=(3, 3)))
    q = q * np.sign(np.diag(r))
    return np.asarray(q if np.linalg.det(q) > 0 else q[:, [1, 0, 2]], np.float64)


def _body(box: int, at: Floats, turn: Floats, client: int) -> int:
    quaternion = _quaternion(turn)
    return int(pybullet.createMultiBody(
        1.0, box, basePosition=at.tolist(), baseOrientation=quaternion, physicsClientId=client
    ))  # fmt: skip


def _quaternion(turn: Floats) -> list[float]:
    """Return x, y, z, w of a rotation matrix, by the eigenvector of its 4 x 4 form."""
    m = turn
    k = np.array([
        [m[0, 0] - m[1, 1] - m[2, 2], 0, 0, 0],
        [m[0, 1] + m[1, 0], m[1, 1] - m[0, 0] - m[2, 2], 0, 0],
        [m[0, 2] + m[2, 0], m[1, 2] + m[2, 1], m[2, 2] - m[0, 0] - m[1, 1], 0],
        [m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1], m.trace()],
    ])  # fmt: skip
    _, vectors = np.linalg.eigh(k)
    return [float(x) for x in vectors[:, -1]]


def _pose(body: int, client: int) -> Pose:
    at, quaternion = pybullet.getBasePositionAndOrientation(body, physicsClientId=client)
    turn = np.array(pybullet.getMatrixFromQuaternion(quaternion)).reshape(3, 3)
    return Pose(np.array(at), turn)
