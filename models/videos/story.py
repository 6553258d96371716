"""The events on a table: hands throw, wait, gather; 120 states a second, with their truth."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import pybullet

from models.sketch.bodies import Floats
from models.textures.surfaces import Random

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


TICK_S = KEPT_EVERY * STEP_S
AWAY, THROWS = 15.0, 7.5  # sides from the middle: a hand out of the picture, and where it lets go
ROOM = 4.5  # half the width of where dice come to rest
APART = 1.5  # sides between the middles of two dice at least: pips of none are hidden by another
OVER = 1.5  # height of a hand that covers a die
EVENTS = ("gather", "gather", "gather", "one by one", "cover", "some", "nudge", "again")


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """One moment: poses of the dice that are seen, None for one in a hand, and the hand."""

    dice: tuple[Pose | None, ...]
    hand: Floats | None  # (3,) where it is
    toward: float  # radians, the side from which the arm comes


@dataclass(slots=True)
class ThrowStory:
    """The events so far; `scenes` and `rolls` grow."""

    rng: Random
    dice: list[Pose | None]
    scenes: list[Moment] = field(default_factory=list)
    rolls: list[dict[str, float | list[int]]] = field(default_factory=list)
    faces: list[dict[int, int]] = field(default_factory=list)  # of each die: value of each face

    @property
    def now_s(self) -> float:
        """Return how much time has passed."""
        return len(self.scenes) * TICK_S


def tell(rng: Random, faces: list[dict[int, int]], throws: int, *, start: bool) -> ThrowStory:
    """Return a story of *throws* throws of dice with these faces.

    Args:
        rng: random numbers.
        faces: of each die the value on each face 0 to 5.
        throws: their number.
        start: the dice lie on the table at first, which is no roll.
    """
    story = ThrowStory(rng, [None] * len(faces), faces=faces)
    if start:
        story.dice = list(_strewn(rng, len(faces)))
        _wait(story, rng.uniform(0.6, 1.5))
        _gather(story, range(len(faces)))
    _wait(story, rng.uniform(0.3, 0.8))
    for _ in range(throws):
        _throw(story)
        event = str(rng.choice(EVENTS))
        if event == "cover":
            _cover(story)
        if event == "nudge":
            _nudge(story)
        which = list(range(len(faces)))
        rng.shuffle(which)
        if event in ("some", "again") and len(which) > 1:
            which = which[: int(rng.integers(1, len(which)))]
        if event == "one by one":
            for die in which:
                _gather(story, [die])
                _wait(story, rng.uniform(0.1, 0.6))
        else:
            _gather(story, which)
        _wait(story, rng.uniform(0.0, 0.5))
    _wait(story, 0.6)
    return story


def _wait(story: ThrowStory, seconds: float) -> None:
    for _ in range(round(seconds / TICK_S)):
        story.scenes.append(Moment(tuple(story.dice), None, 0.0))


def _strewn(rng: Random, count: int) -> Iterator[Pose]:
    places: list[Floats] = []
    while len(places) < count:
        at = rng.uniform(-0.8 * ROOM, 0.8 * ROOM, 2)
        if all(np.hypot(*(at - other)) > 2 * APART for other in places):
            places.append(at)
            c, s = np.cos(turn := rng.uniform(0, 2 * np.pi)), np.sin(turn)
            yield Pose(np.array([*at, 0.5]), np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]]))


def _throw(story: ThrowStory) -> None:
    """Throw all dice that are in hand; tell the roll once all rest."""
    rng = story.rng
    held = [k for k, pose in enumerate(story.dice) if pose is None]
    lying = [k for k, pose in enumerate(story.dice) if pose is not None]
    while True:
        toward = rng.uniform(0, 2 * np.pi)
        out = np.array([np.cos(toward), np.sin(toward)])
        motion = throw(rng, [p for p in story.dice if p], [_release(rng, out) for _ in held], ROOM)
        if motion is not None and _are_apart(motion.poses[-1]):
            break
    lets_go = np.array([*(THROWS * out), 3.5])
    away = np.array([*(AWAY * out), 4.0])
    _reach(story, away, lets_go, rng.uniform(0.3, 0.5), toward)
    shake = rng.uniform(0.2, 0.7)
    for k in range(round(shake / TICK_S)):
        wobble = 0.5 * np.array([0, np.sin(40 * k * TICK_S), np.cos(33 * k * TICK_S)])
        story.scenes.append(Moment(tuple(story.dice), lets_go + wobble, toward))
    began_s, back = story.now_s, rng.uniform(0.35, 0.6)
    for k, poses in enumerate(motion.poses):
        for slot, pose in zip((*lying, *held), poses, strict=True):
            story.dice[slot] = pose
        share = min(1.0, max(0.0, k * TICK_S - 0.1) / back)
        hand = lets_go + share * (away - lets_go)
        gone = share >= 1
        story.scenes.append(Moment(tuple(story.dice), None if gone else hand, toward))
        if gone and k * TICK_S > motion.settled_s:
            break
    for slot, pose in zip((*lying, *held), motion.poses[-1], strict=True):
        story.dice[slot] = pose
    settled_s = began_s + max(motion.settled_s, 0.1 + back)  # no hand is in view any more
    _wait(story, rng.uniform(0.45, 1.6))
    values = [story.faces[k][pose.up] for k, pose in enumerate(story.dice) if pose is not None]
    story.rolls.append({
        "rest_s": round(began_s + motion.settled_s, 3), "settled_s": round(settled_s, 3),
        "until_s": round(story.now_s, 3), "values": sorted(values),
    })  # fmt: skip


def _release(rng: Random, out: Floats) -> Release:
    at = (*(THROWS * out + rng.normal(0, 0.6, 2)), rng.uniform(2.5, 4.5))
    aim = -out * rng.uniform(22, 42) + rng.normal(0, 5, 2)
    return Release(at, (*aim, rng.uniform(-10, 10)), tuple(rng.normal(0, 40, 3)))


def _are_apart(poses: Sequence[Pose]) -> bool:
    return all(
        np.hypot(*(one.at - other.at)[:2]) > APART
        for i, one in enumerate(poses)
        for other in poses[:i]
    )


def _reach(story: ThrowStory, start: Floats, end: Floats, seconds: float, toward: float) -> None:
    for k in range(max(1, round(seconds / TICK_S))):
        share = k * TICK_S / seconds
        smooth = share * share * (3 - 2 * share)
        hand = start + smooth * (end - start)
        story.scenes.append(Moment(tuple(story.dice), hand, toward))


def _over(story: ThrowStory, which: int) -> Floats:
    pose = story.dice[which]
    assert pose is not None
    return np.array([*pose.at[:2], OVER])


def _gather(story: ThrowStory, which: Sequence[int]) -> None:
    """Take dice up, one after the other; the hand leaves with them."""
    rng = story.rng
    toward = rng.uniform(0, 2 * np.pi)
    away = AWAY * np.array([np.cos(toward), np.sin(toward), 0.3])
    at = away
    for die in [one for one in which if story.dice[one] is not None]:
        there = _over(story, die)
        _reach(story, at, there, rng.uniform(0.25, 0.45), toward)
        story.dice[die] = None
        _reach(story, there, there, rng.uniform(0.05, 0.2), toward)
        at = there
    _reach(story, at, away, rng.uniform(0.3, 0.45), toward)


def _cover(story: ThrowStory) -> None:
    """Hold a hand over a die and take it away: nothing was thrown."""
    rng = story.rng
    toward = rng.uniform(0, 2 * np.pi)
    away = AWAY * np.array([np.cos(toward), np.sin(toward), 0.3])
    over = _over(story, int(rng.integers(len(story.dice)))) + np.array([0, 0, 0.8])
    _reach(story, away, over, 0.35, toward)
    for k in range(round(rng.uniform(0.3, 0.9) / TICK_S)):
        shiver = 0.03 * np.sin(np.array([11, 7, 5]) * k * TICK_S)
        story.scenes.append(Moment(tuple(story.dice), over + shiver, toward))
    _reach(story, over, away, 0.35, toward)
    _wait(story, rng.uniform(0.4, 0.9))


def _nudge(story: ThrowStory) -> None:
    """Push a die a little without turning it: nothing was thrown."""
    rng = story.rng
    die = int(rng.integers(len(story.dice)))
    pose = story.dice[die]
    assert pose is not None
    toward = float(np.arctan2(pose.at[1], pose.at[0])) if rng.random() < 0.5 else 0.0
    out = np.array([np.cos(toward), np.sin(toward), 0.0])
    away, push = AWAY * out + np.array([0, 0, 2.0]), rng.uniform(0.3, 0.7)
    beside = np.array([*pose.at[:2], 1.2]) + 2.6 * out
    _reach(story, away, beside, 0.4, toward)
    others = [p for k, p in enumerate(story.dice) if p is not None and k != die]
    moved = Pose(pose.at - push * out, pose.turn)
    free = all(np.hypot(*(moved.at - other.at)[:2]) > APART for other in others)
    steps = round(0.15 / TICK_S)
    for k in range(steps if free else 0):
        share = (k + 1) / steps
        story.dice[die] = Pose(pose.at - share * push * out, pose.turn)
        story.scenes.append(Moment(tuple(story.dice), beside - share * push * out, toward))
    _reach(story, beside, away, 0.4, toward)
    _wait(story, rng.uniform(0.4, 0.9))
