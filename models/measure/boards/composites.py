"""Drawn pages set into photographs of real tables: a second source of pictures with truth.

Unlike `boards.photographed`, whose table and light are drawn: the ground is somebody's
photo, a
pinhole camera of any lens sees a page that may be curved, with cubes, fingers and shadows on it,
and a phone's blur, sharpening and JPEG come last. In: a page, mm. Out: a picture and the page's
plane, or what curves away from it. Seeded.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.camera import lens_of, moved, nearest, sent
from models.drawn import through_jpeg
from models.harness import NothingToMeasure
from models.pieces import LAYOUTS
from vision.geometry import Floats, Points
from vision.photo import Pixels

GreyLevels = NDArray[np.float32]  # (h, w, 3) grey levels, or (h, w)
STRIPS = 24  # of a curved page, each of them flat
DIE_MM = 16.0
LOWEST = 25.0  # degrees above the table
FINGER_MM = 16.0
PIP = 0.19  # of a face's side, a pip's diameter
BODIES = {"white": (232, 238, 240), "black": (30, 28, 28), "red": (40, 40, 190),
          "blue": (170, 80, 30), "yellow": (40, 200, 235), "green": (70, 140, 40)}  # fmt: skip


@dataclass(frozen=True, slots=True)
class CameraShot:
    """How a page is photographed."""

    size: tuple[int, int]  # px of the photo, w and h
    elevation: float  # degrees of the camera above the table
    azimuth: float  # degrees around it
    roll: float  # degrees of the phone about its own axis
    fills: float  # of the photo's half sides that the page reaches
    focal: float  # of the photo's longer side
    shift: tuple[float, float] = (0.0, 0.0)  # of the photo's sides, of the page from its middle
    curl: float = 0.0  # of the page's height, how far its middle rises above its ends
    blur: float = 0.8  # px
    motion: float = 0.0  # px
    noise: float = 2.0  # grey levels
    jpeg: int = 80
    dim: float = 1.0  # light


@dataclass(frozen=True, slots=True)
class Cube:
    """A die on the page."""

    at: tuple[float, float]  # mm of the page
    turn: float  # degrees
    value: int
    colour: str
    side: float = DIE_MM


@dataclass(frozen=True, slots=True, eq=False)
class Composite:
    """A picture (h, w, 3) BGR and where the page is on it."""

    picture: Pixels
    camera: Floats  # (3, 4), mm of the page, z up from the table, to px
    faces: Floats  # (n, 4, 2) px, of the upper faces of the cubes
    rise: float  # mm, of the page's middle above its ends
    length: float  # mm, of the page, from one end to the other

    def sees(self, points: Points) -> Points:
        """Return (n, 2) px, where points of the page, mm, are seen."""
        return sent(self.camera, _lifted(points, self.rise, self.length))


def any_shot(rng: np.random.Generator) -> CameraShot:
    """Return a photo as people take it, from LOWEST degrees up."""
    long = int(rng.choice([1280, 1600, 1600, 2400]))
    size = (long, long * 3 // 4) if rng.random() < 0.5 else (long * 3 // 4, long)
    soft = rng.random()
    return CameraShot(
        size,
        elevation=float(np.degrees(np.arcsin(rng.uniform(np.sin(np.radians(LOWEST)), 1.0)))),
        azimuth=float(rng.uniform(0, 360)),
        roll=float(rng.normal(0, 12)),
        fills=float(rng.uniform(0.5, 0.95)),
        focal=float(rng.uniform(0.65, 1.3)),
        shift=(float(rng.uniform(-0.05, 0.05)), float(rng.uniform(-0.05, 0.05))),
        curl=float(rng.uniform(0, 0.03)) if rng.random() < 0.3 else 0.0,
        blur=float(rng.uniform(0.3, 1.0) if soft < 0.7 else rng.uniform(1.0, 2.2)),
        motion=float(rng.uniform(2, 6)) if rng.random() < 0.2 else 0.0,
        noise=float(rng.uniform(0.5, 6)),
        jpeg=int(rng.integers(45, 95)),
        dim=float(rng.uniform(0.3, 1.1)),
    )


def camera_of(shot: CameraShot, paper: tuple[float, float], shown: Points) -> Floats:
    """Return (3, 4), mm of a page to px: as near to (n, 2) mm *shown* as *fills* allows."""
    e, a, r = np.radians([shot.elevation, shot.azimuth, shot.roll])
    away = np.array([np.cos(e) * np.sin(a), np.cos(e) * np.cos(a), np.sin(e)])  # to the camera
    ahead = -away
    right = np.cross(ahead, [0.0, 0.0, 1.0])
    if np.linalg.norm(right) < 1e-6:
        right = np.array([1.0, 0.0, 0.0])
    right = right / np.linalg.norm(right)
    down = np.cross(ahead, right)
    turned = np.array([[np.cos(r), -np.sin(r), 0], [np.sin(r), np.cos(r), 0], [0, 0, 1.0]])
    # y runs down on the page while z runs up: a right-handed table has -y.
    rotation = turned @ np.stack([right, down, ahead]) @ np.diag([1.0, -1.0, 1.0])
    size = np.array(shot.size, np.float64)
    focal = shot.focal * size.max()
    lens = lens_of(focal, shot.size)
    (left, top), (right_, bottom) = shown.min(axis=0), shown.max(axis=0)
    rim = np.array([(x, y, z) for x in (left, right_) for y in (top, bottom)
                    for z in (0, shot.curl * paper[1])])  # fmt: skip
    middle = np.array([(left + right_) / 2, (top + bottom) / 2, 0.0])

    def from_afar(distance: float) -> Floats:
        shift = -rotation @ middle + [0, 0, distance]
        return np.asarray(lens @ np.column_stack([rotation, shift]), np.float64)

    def fits(distance: float) -> bool:
        camera = from_afar(distance)
        reach = np.abs(sent(camera, rim) / size * 2 - 1).max()
        return bool((rim @ camera[2, :3] + camera[2, 3]).min() > 10 and reach <= shot.fills)

    return moved(*(shot.shift * size)) @ from_afar(nearest(60.0, 8000.0, fits))


def composed(
    rng: np.random.Generator,
    ground: Pixels,
    page: Pixels,
    px_per_mm: float,
    shot: CameraShot,
    cubes: Sequence[Cube] = (),
    fingers: Sequence[Points] = (),
    shown: Points | None = None,
) -> Composite:
    """Return a photo of a page with *cubes* on it and *fingers* over it, on a real *ground*.

    Args:
        rng: where all that is left to chance comes from.
        ground: (h, w, 3) BGR, of which a part is seen beside the page.
        page: (h, w, 3) BGR with *px_per_mm*.
        px_per_mm: of the page.
        shot: from where, and how well.
        cubes: dice that stand on the page, mm.
        fingers: (2, 2) mm each, from where to where a finger reaches.
        shown: (n, 2) mm of the page that the photo is taken of; None: all of it.
    """
    paper = (page.shape[1] / px_per_mm, page.shape[0] / px_per_mm)
    camera = camera_of(shot, paper, np.array([(0, 0), paper]) if shown is None else shown)
    scene: GreyLevels = _ground(rng, ground, shot.size).astype(np.float32)
    page_px, on = _page_seen(page, px_per_mm, camera, shot, paper)
    _drop_shadow(scene, on)
    scene = page_px * on[..., None] + scene * (1 - on[..., None])
    for cube in sorted(cubes, key=lambda one: -_depth(camera, one.at)):
        _draw_cube(rng, scene, camera, cube, _height(shot, paper, cube.at))
    for finger in fingers:
        _draw_finger(rng, scene, camera, finger)
    faces = np.array(
        [sent(camera, _top(cube, _height(shot, paper, cube.at))) for cube in cubes]
    ).reshape(-1, 4, 2)
    return Composite(_taken(rng, scene, shot), camera, faces, shot.curl * paper[1], paper[1])


def grounds(folders: Sequence[Path]) -> list[Path]:
    """Return the photos below some folders; raises NothingToMeasure."""
    found = sorted(
        path for folder in folders for path in folder.rglob("*")
        if path.suffix.lower() in (".jpg", ".jpeg", ".png")
    )  # fmt: skip
    if not found:
        raise NothingToMeasure(f"There is no photo in {', '.join(map(str, folders))}.")
    return found


# ---------------------------------------------------------------- what is seen


def _height(shot: CameraShot, paper: tuple[float, float], at: tuple[float, float]) -> float:
    """Return how far above the table a curved page is there, mm."""
    return float(_lifted(np.array([at]), shot.curl * paper[1], paper[1])[0, 2])


def _lifted(points: Points, rise: float, length: float) -> Floats:
    """Return (n, 3) mm, where points of a page that arches by *rise* lie above the table."""
    arch = rise * np.sin(np.pi * np.clip(points[:, 1] / length, 0, 1))
    return np.column_stack([points, arch])


def _depth(camera: Floats, at: tuple[float, float]) -> float:
    return float(camera[2] @ [at[0], at[1], 0, 1])


def _ground(rng: np.random.Generator, ground: Pixels, size: tuple[int, int]) -> Pixels:
    """Return a part of a photo, turned and as large as wanted."""
    part = np.rot90(ground, int(rng.integers(4)))
    height, width = part.shape[:2]
    share = size[0] / size[1]
    wide = min(width, height * share) * rng.uniform(0.6, 1.0)
    high = wide / share
    left, top = rng.uniform(0, width - wide), rng.uniform(0, height - high)
    cut = part[int(top) : int(top + high), int(left) : int(left + wide)]
    return np.asarray(cv2.resize(cut, size, interpolation=cv2.INTER_CUBIC), np.uint8)


def _page_seen(
    page: Pixels, px_per_mm: float, camera: Floats, shot: CameraShot, paper: tuple[float, float]
) -> tuple[GreyLevels, GreyLevels]:
    """Return the page as the camera sees it, and (h, w) how much of each px it is."""
    size = shot.size
    whole = np.zeros((size[1], size[0], 3), np.float32)
    on = np.zeros((size[1], size[0]), np.float32)
    area = cv2.contourArea(sent(camera, _flat_rim(paper)).astype(np.float32))
    per_mm = float(np.sqrt(area / (paper[0] * paper[1])))
    fine = page if px_per_mm < per_mm else cv2.GaussianBlur(page, (0, 0), 0.45 * px_per_mm / per_mm)
    count = STRIPS if shot.curl else 1
    for k in range(count):
        top, bottom = paper[1] * k / count, paper[1] * (k + 1) / count
        ends = [(0, top), (paper[0], top), (paper[0], bottom), (0, bottom)]
        space = np.array([(x, y, _height(shot, paper, (x, y))) for x, y in ends])
        to_px = cv2.getPerspectiveTransform(
            np.array(ends, np.float32), sent(camera, space).astype(np.float32)
        )
        scale = np.diag([1 / px_per_mm, 1 / px_per_mm, 1.0])
        half = moved(0.5, 0.5)
        from_page = np.linalg.inv(half) @ to_px @ scale @ half
        strip = np.zeros(page.shape[:2], np.uint8)
        low, high = round(top * px_per_mm), round(bottom * px_per_mm)
        strip[max(low - 1, 0) : high + 1] = 255
        mask = cv2.warpPerspective(strip, from_page, size).astype(np.float32) / 255
        warped = cv2.warpPerspective(
            fine, from_page, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        new = mask > on
        whole[new] = warped[new]
        on = np.maximum(on, mask)
    return whole, on


def _flat_rim(paper: tuple[float, float]) -> Floats:
    wide, high = paper
    return np.array([(0, 0, 0), (wide, 0, 0), (wide, high, 0), (0, high, 0)], np.float64)


def _drop_shadow(scene: GreyLevels, on: GreyLevels) -> None:
    soft = cv2.GaussianBlur(on.astype(np.float32), (0, 0), 6)
    scene *= (1 - 0.35 * soft)[..., None]


def _top(cube: Cube, height: float) -> Floats:
    half, turn = cube.side / 2, np.radians(cube.turn)
    ends = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    flat = ends @ spin.T + cube.at
    return np.column_stack([flat, np.full(4, height + cube.side)])


def _window(scene: GreyLevels, camera: Floats, points: Floats) -> tuple[GreyLevels, Floats]:
    """Return the part of a scene around (n, 3) mm, a view of it, and its camera."""
    at = sent(camera, points)
    rim = 0.6 * float(np.ptp(at, axis=0).max()) + 4
    high, wide = scene.shape[:2]
    x0, y0 = np.clip((at.min(axis=0) - rim).astype(int), 0, (wide - 1, high - 1))
    x1, y1 = np.clip((at.max(axis=0) + rim).astype(int), (x0 + 1, y0 + 1), (wide, high))
    return scene[y0:y1, x0:x1], moved(-x0, -y0) @ camera


def _draw_cube(
    rng: np.random.Generator, scene: GreyLevels, camera: Floats, cube: Cube, height: float
) -> None:
    """Draw a die: its shadow, its sides by their light, and pips on what is seen of it."""
    top = _top(cube, height)
    foot = top - [0, 0, cube.side]
    scene, camera = _window(scene, camera, np.vstack([top, foot]))
    shadow = np.zeros(scene.shape[:2], np.uint8)
    cast = foot + np.append(rng.uniform(-0.4, 0.4, 2) * cube.side, 0)
    hull = cv2.convexHull(sent(camera, np.vstack([foot, cast])).astype(np.float32))
    cv2.fillConvexPoly(shadow, hull.round().astype(np.int32), 255)
    soft = cv2.GaussianBlur(shadow, (0, 0), 4).astype(np.float32)
    scene *= (1 - 0.4 * soft / 255)[..., None]
    base = np.array(BODIES[cube.colour], np.float64) + rng.uniform(-12, 12)
    pips = np.array((25, 25, 25) if base.mean() > 110 else (235, 235, 235), np.float64)
    eye = -np.linalg.inv(camera[:, :3]) @ camera[:, 3]
    values = rng.permutation([v for v in range(1, 7) if v not in (cube.value, 7 - cube.value)])
    for k in range(4):
        a, b = top[k], top[(k + 1) % 4]
        c, d = foot[(k + 1) % 4], foot[k]
        outward = (a + b) / 2 - top.mean(axis=0)
        if outward @ (eye - (a + c) / 2) <= 0:
            continue
        light = 0.45 + 0.3 * float(rng.random())
        side = np.array([a, b, c, d])
        _draw_face(scene, camera, side, int(values[k]), base * light, pips * light)
    _draw_face(scene, camera, top, cube.value, base, pips)


def _draw_face(
    scene: GreyLevels, camera: Floats, ring: Floats, value: int, body: Floats, pips: Floats
) -> None:
    """Draw a face with round corners."""
    side = 96
    tile = np.zeros((side, side, 3), np.float32)
    tile[:] = body
    solid = np.zeros((side, side), np.uint8)
    r = side // 8
    cv2.rectangle(solid, (r, 0), (side - r, side), 255, -1)
    cv2.rectangle(solid, (0, r), (side, side - r), 255, -1)
    for x in (r, side - r):
        for y in (r, side - r):
            cv2.circle(solid, (x, y), r, 255, -1, cv2.LINE_AA)
    for across, down in LAYOUTS[value]:
        at = (round(side / 2 + 0.27 * side * across), round(side / 2 + 0.27 * side * down))
        cv2.circle(tile, at, round(PIP * side / 2), pips.tolist(), -1, cv2.LINE_AA)
    ends = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32) - 0.5
    px = sent(camera, ring).astype(np.float32)
    per_px = side / max(float(np.sqrt(cv2.contourArea(px))), 1.0)
    if per_px > 1.5:
        tile = np.asarray(cv2.GaussianBlur(tile, (0, 0), 0.4 * per_px))
        solid = np.asarray(cv2.GaussianBlur(solid, (0, 0), 0.3 * per_px))
    to_px = cv2.getPerspectiveTransform(ends, px)
    size = (scene.shape[1], scene.shape[0])
    on = cv2.warpPerspective(solid, to_px, size).astype(np.float32)[..., None] / 255
    warped = cv2.warpPerspective(tile, to_px, size, borderMode=cv2.BORDER_REPLICATE)
    scene *= 1 - on
    scene += warped * on


def _draw_finger(
    rng: np.random.Generator, scene: GreyLevels, camera: Floats, finger: Points
) -> None:
    """Draw a finger 16 mm thick from one place of the page to another, rising from the tip."""
    tone = np.array([110, 140, 205], np.float64) * rng.uniform(0.35, 1.1)
    along = np.linspace(0, 1, 60)
    spots = finger[0] + (finger[1] - finger[0]) * along[:, None]
    space = np.column_stack([spots, 8 + 30 * along**2])
    scene, camera = _window(scene, camera, space)
    at = sent(camera, space)
    wide = np.linalg.norm(sent(camera, space + np.array([FINGER_MM, 0, 0])) - at, axis=1)
    mask = np.zeros(scene.shape[:2], np.uint8)
    for (x, y), thick in zip(at, wide, strict=True):
        cv2.circle(mask, (int(x), int(y)), max(int(thick / 2), 2), 255, -1, cv2.LINE_AA)
    depth = cv2.distanceTransform((mask > 127).astype(np.uint8), cv2.DIST_L2, 3)
    shade = 0.65 + 0.35 * np.clip(depth / max(float(depth.max()), 1), 0, 1)
    on = (cv2.GaussianBlur(mask, (0, 0), 1.0).astype(np.float32) / 255)[..., None]
    dark = cv2.GaussianBlur(mask, (0, 0), 8).astype(np.float32)[..., None] / 255
    scene *= 1 - 0.3 * dark
    scene *= 1 - on
    scene += tone * shade[..., None] * on


# ---------------------------------------------------------------- what the phone makes of it


def _taken(rng: np.random.Generator, scene: GreyLevels, shot: CameraShot) -> Pixels:
    """Return a scene in its light, through a lens, sharpened and stored as phones do."""
    height, width = scene.shape[:2]
    x, y = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
    light = shot.dim * (1 + rng.uniform(-0.3, 0.3) * x + rng.uniform(-0.3, 0.3) * y)
    if rng.random() < 0.5:  # somebody's shadow
        angle, at = rng.uniform(0, 2 * np.pi), rng.uniform(-0.4, 0.4)
        side = (np.cos(angle) * x + np.sin(angle) * y - at) * rng.uniform(6, 40)
        light = light * (1 - rng.uniform(0.2, 0.6) / (1 + np.exp(np.clip(side, -30, 30))))
    warm = np.array([1 - rng.uniform(0, 0.25), 1.0, 1 + rng.uniform(0, 0.1)])
    lit = (scene * light[..., None] * warm).astype(np.float32)
    soft = cv2.GaussianBlur(lit, (0, 0), shot.blur)
    if shot.motion:
        count = int(shot.motion) * 2 + 1
        kernel = np.zeros((count, count), np.float32)
        turn = rng.uniform(0, np.pi)
        for k in np.linspace(-shot.motion / 2, shot.motion / 2, 4 * count):
            row, column = (round(count // 2 + k * f(turn)) for f in (np.sin, np.cos))
            kernel[row, column] = 1
        soft = cv2.filter2D(soft, -1, kernel / kernel.sum())
    noisy = soft + rng.normal(0, shot.noise, scene.shape).astype(np.float32)
    sharp = noisy + rng.uniform(0, 0.6) * (noisy - cv2.GaussianBlur(noisy, (0, 0), 1.5))
    return through_jpeg(np.clip(sharp, 0, 255).astype(np.uint8), shot.jpeg)
