"""Photos of ruled pages as phones take them, old ones too: curved, folded, in shadow, blurred.

In: a generator of random numbers. Out: a photo, and its grid's corners. A page is a height above
the table; each px is followed back along its ray to the paper.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.ruled.lattices import Floats, Pixels
from models.ruled.pages import DECOYS, KINDS, PAPER, PX_PER_MM, RuledPage, ruled_page

SIZES = ((640, 480), (480, 640), (768, 1024), (960, 1280), (1280, 960), (1200, 1600), (1600, 1200))
STEP = 8  # px of the photo between rays that are followed; between them lies a plane
ROUNDS = 4  # of following a ray: each time nearer to the paper
LOWEST = 25.0  # degrees
TEXT_CELL = 40.0  # px, by which a page without a grid is blurred

Layer = NDArray[np.float32]  # (h, w, 3) grey levels


@dataclass(frozen=True, slots=True, eq=False)
class RuledPhoto:
    """A photo on which a grid of rows x columns is looked for."""

    picture: Pixels  # (h, w, 3) BGR
    rows: int
    columns: int
    kind: str
    corners: tuple[Floats, ...]  # (4, 2) px each, of the grids that are right; none on decoys
    faults: tuple[str, ...]  # what makes it hard


@dataclass(frozen=True, slots=True, eq=False)
class _Paper:
    """How high a page lies above the table: waves, a fold, a corner that rises."""

    waves: Floats  # (n, 4): mm, turns a page, direction, phase
    fold: Floats  # (4,): slope, direction, place, mm over which it is round

    def height(self, at: Floats) -> Floats:
        """Return (n,) mm at (n, 2) mm."""
        high = np.zeros(len(at))
        for rise, often, turn, phase in self.waves:
            along = (at @ [np.cos(turn), np.sin(turn)]) / PAPER
            high += rise * np.sin(2 * np.pi * often * along + phase)
        slope, turn, place, soft = self.fold
        off = at @ [np.cos(turn), np.sin(turn)] - place
        return np.asarray(high + slope * (np.hypot(off, soft) - soft), np.float64)


def ruled_photo(rng: np.random.Generator, *, decoys: float = 0.25) -> RuledPhoto:
    """Return a photo; on the share *decoys* of them there is only what looks like a grid."""
    page = ruled_page(rng, str(rng.choice(DECOYS if rng.random() < decoys else KINDS)))
    faults = list(page.faults)
    paper = _bent(rng, page.cell, faults)
    size = SIZES[int(rng.integers(len(SIZES)))]
    camera = _camera(rng, page, paper, size, faults)
    source = _rays(camera, paper, size)
    corners = tuple(_sent(camera, paper, ring) for ring in page.corners)
    cell = TEXT_CELL
    if page.ring is not None:
        area = cv2.contourArea(_sent(camera, paper, page.ring).astype(np.float32))
        cell = float(np.sqrt(area / (page.rows * page.columns)))
    scene = _seen(rng, page, source, size, _per_mm(camera))
    _shine(rng, scene, paper, source)
    picture = _taken(rng, scene, cell, faults)
    if cell < 22:
        faults.append("small")
    return RuledPhoto(picture, page.rows, page.columns, page.kind, corners, tuple(faults))


def _rim() -> Floats:
    return np.array([(0, 0), (PAPER, 0), (PAPER, PAPER), (0, PAPER)], np.float64)


# ---------------------------------------------------------------- paper and camera


def _bent(rng: np.random.Generator, cell: float, faults: list[str]) -> _Paper:
    """Return paper that lies flat, or waves by up to a cell, or has been folded."""
    waves, fold = np.zeros((0, 4)), np.array([0.0, 0, 0, 1])
    kind = rng.random()
    if kind > 0.35:
        most = 0.15 if kind < 0.65 else 0.5
        count = int(rng.integers(1, 4))
        waves = np.column_stack([
            rng.uniform(0, most, count) * cell, rng.uniform(0.2, 1.0, count),
            rng.uniform(0, np.pi, count), rng.uniform(0, 2 * np.pi, count),
        ])  # fmt: skip
        faults.append("bent" if most > 0.2 else "a little bent")
    if rng.random() < 0.15:
        turn = rng.choice([0, np.pi / 2]) + rng.normal(0, 0.05)
        slope = rng.uniform(0.03, 0.12) * rng.choice([-1, 1])
        fold = np.array([slope, turn, rng.uniform(0.3, 0.7) * PAPER, rng.uniform(0.5, 6)])
        faults.append("folded")
    return _Paper(waves, fold)


def _camera(
    rng: np.random.Generator,
    page: RuledPage,
    paper: _Paper,
    size: tuple[int, int],
    faults: list[str],
) -> Floats:
    """Return (3, 4), mm of the page with its height to px, which shows a grid wholly."""
    low = LOWEST if rng.random() < 0.3 else 50.0
    elevation = np.degrees(np.arcsin(rng.uniform(np.sin(np.radians(low)), 1.0)))
    if elevation < 45:
        faults.append("low")
    turned = rng.random() < 0.3
    turn = rng.uniform(0, 360) if turned else rng.normal(0, 7)
    if turned:
        faults.append("turned")
    # The camera looks from below the page, as a person does; the page is turned beneath it.
    e, side, roll = np.radians([elevation, rng.normal(0, 25), turn + 180])
    away = np.array([np.cos(e) * np.sin(side), np.cos(e) * np.cos(side), np.sin(e)])
    ahead = -away
    right = np.cross(ahead, [0.0, 0.0, 1.0])
    right = right / np.linalg.norm(right) if np.linalg.norm(right) > 1e-6 else np.eye(3)[0]
    spin = np.array([[np.cos(roll), -np.sin(roll), 0], [np.sin(roll), np.cos(roll), 0], [0, 0, 1]])
    # y runs down on the page while z runs up: a right-handed table has -y.
    rotation = np.stack([right, np.cross(ahead, right), ahead]) @ np.diag([1.0, -1.0, 1.0]) @ spin
    focal = float(rng.uniform(0.7, 1.3)) * max(size)
    lens = np.array([[focal, 0, size[0] / 2], [0, focal, size[1] / 2], [0, 0, 1.0]])
    rim = 0.6 * _rim() + 0.2 * PAPER if page.ring is None else page.ring
    every = np.concatenate(page.corners) if page.corners else rim
    middle = np.append(every.mean(axis=0), 0.0)
    fills = rng.uniform(0.45, 0.99) if rng.random() < 0.75 else rng.uniform(0.3, 0.5)
    near, far = 30.0, 6000.0
    camera = np.zeros((3, 4))
    space = np.column_stack([every, paper.height(every)])
    for _ in range(40):
        distance = (near + far) / 2
        camera = lens @ np.column_stack([rotation, [0, 0, distance] - rotation @ middle])
        sent = _project(camera, space)
        depth = np.column_stack([space, np.ones(len(space))]) @ camera[2]
        reach = np.abs(sent / size * 2 - 1).max()
        fits = depth.min() > 5 and reach <= fills
        near, far = (near, distance) if fits else (distance, far)
    room = np.array(size) / 2 * max(1 - fills, 0.0)
    shift = rng.uniform(-1, 1, 2) * room
    moved: Floats = np.array([[1, 0, shift[0]], [0, 1, shift[1]], [0, 0, 1.0]]) @ camera
    return moved


def _project(camera: Floats, space: Floats) -> Floats:
    flat = np.column_stack([space, np.ones(len(space))]) @ camera.T
    sent: Floats = flat[:, :2] / flat[:, 2:]
    return sent


def _sent(camera: Floats, paper: _Paper, at: Floats) -> Floats:
    """Return (n, 2) px of (n, 2) mm; px centres lie at whole numbers."""
    return _project(camera, np.column_stack([at, paper.height(at)])) - 0.5


def _per_mm(camera: Floats) -> float:
    ring = _project(camera, np.column_stack([_rim() * 0.1 + 0.45 * PAPER, np.zeros(4)]))
    return float(np.sqrt(cv2.contourArea(ring.astype(np.float32))) / (0.1 * PAPER))


def _rays(camera: Floats, paper: _Paper, size: tuple[int, int]) -> Floats:
    """Return (h, w, 2) mm of the page that each px shows."""
    wide, high = size[0] // STEP + 2, size[1] // STEP + 2
    x, y = np.meshgrid(np.arange(wide) * STEP + 0.5, np.arange(high) * STEP + 0.5)
    px = np.column_stack([x.ravel(), y.ravel(), np.ones(x.size)])
    eye = -np.linalg.solve(camera[:, :3], camera[:, 3])
    ray = np.linalg.solve(camera[:, :3], px.T).T
    ray = ray * np.where(ray[:, 2] * eye[2] > 0, -1, 1)[:, None]
    reach = -eye[2] / np.where(np.abs(ray[:, 2]) < 1e-9, -1e-9, ray[:, 2])
    flat = (eye + ray * reach[:, None])[:, :2]
    at = flat
    for _ in range(ROUNDS):
        at = flat + (eye[:2] - flat) * (paper.height(at) / eye[2])[:, None]
    coarse = at.reshape(high, wide, 2).astype(np.float32)
    # Every STEP-th px lies on a node: OpenCV's own enlarging would move them by half a step.
    u, v = np.meshgrid(np.arange(size[0]) / STEP, np.arange(size[1]) / STEP)
    fine = cv2.remap(coarse, u.astype(np.float32), v.astype(np.float32), cv2.INTER_LINEAR)
    return np.asarray(fine, np.float64)


# ---------------------------------------------------------------- what is seen


def _seen(
    rng: np.random.Generator, page: RuledPage, source: Floats, size: tuple[int, int], per_mm: float
) -> Pixels:
    """Return the page on a table, (h, w, 3)."""
    shrink = PX_PER_MM / max(per_mm, 0.1)
    sheet = page.picture
    if shrink > 1:
        sheet = np.asarray(cv2.GaussianBlur(sheet, (0, 0), 0.42 * shrink), np.uint8)
    at = (source * PX_PER_MM - 0.5).astype(np.float32)
    x, y = np.ascontiguousarray(at[..., 0]), np.ascontiguousarray(at[..., 1])
    seen = cv2.remap(sheet, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    on = np.asarray(((source > 0) & (source < PAPER)).all(axis=2), np.bool_)
    coarse = rng.normal(0, 1, (size[1] // 16 + 1, size[0] // 48 + 1)).astype(np.float32)
    grain = cv2.resize(coarse, size, interpolation=cv2.INTER_CUBIC)[..., None]
    table = np.clip(rng.uniform(30, 200) + rng.uniform(-30, 30, 3) + 14 * grain, 0, 255)
    return np.where(on[..., None], seen, table).astype(np.uint8)


def _shine(rng: np.random.Generator, scene: Pixels, paper: _Paper, source: Floats) -> None:
    """Light the page by how its paper is inclined."""
    if not len(paper.waves) and not paper.fold[0]:
        return
    few = source[::STEP, ::STEP]
    flat = few.reshape(-1, 2)
    slope = np.column_stack(
        [paper.height(flat + step) - paper.height(flat - step) for step in np.eye(2)]
    )
    turn = rng.uniform(0, 2 * np.pi)
    light = 1 + rng.uniform(0, 0.9) * slope @ [np.cos(turn), np.sin(turn)] / 2
    whole = cv2.resize(light.reshape(few.shape[:2]).astype(np.float32), scene.shape[1::-1]).clip(
        0.4, 1.3
    )
    scene[:] = np.clip(scene * whole[..., None], 0, 255).astype(np.uint8)


def _taken(rng: np.random.Generator, scene: Pixels, cell: float, faults: list[str]) -> Pixels:
    """Return a scene in its light, out of focus or shaken, with noise and JPEG."""
    height, width = scene.shape[:2]
    x, y = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
    light = 1 + rng.uniform(-0.3, 0.3) * x + rng.uniform(-0.3, 0.3) * y
    light = light - rng.uniform(0, 0.35) * (x * x + y * y) / 2
    if rng.random() < 0.35:
        faults.append("shadow")
        for _ in range(int(rng.integers(1, 3))):
            angle, at = rng.uniform(0, 2 * np.pi), rng.uniform(-0.6, 0.6)
            bow = rng.uniform(-0.5, 0.5) * (x * x + y * y)
            side = (np.cos(angle) * x + np.sin(angle) * y - at + bow) * rng.uniform(5, 60)
            light = light * (1 - rng.uniform(0.2, 0.65) / (1 + np.exp(np.clip(side, -30, 30))))
    dim = rng.uniform(0.5, 1.15)
    if rng.random() < 0.15:
        dim = rng.uniform(0.25, 0.5)
        faults.append("dim")
    warm = np.array([1 - rng.uniform(-0.1, 0.3), 1.0, 1 + rng.uniform(-0.05, 0.1)])
    lit = np.clip(scene * (dim * light)[..., None] * warm, 0, 255).astype(np.float32)
    blur = rng.uniform(0.3, 1.2)
    if rng.random() < 0.3:
        blur = max(rng.uniform(0.05, 0.13) * cell, blur)
        faults.append("blurred")
    soft: Layer = np.asarray(cv2.GaussianBlur(lit, (0, 0), blur), np.float32)
    if rng.random() < 0.15:
        soft = _shaken(rng, soft, rng.uniform(0.08, 0.28) * cell)
        faults.append("shaken")
    return _developed(rng, soft, faults)


def _shaken(rng: np.random.Generator, scene: Layer, reach: float) -> Layer:
    count = 2 * int(np.ceil(reach / 2)) + 3
    kernel = np.zeros((count, count), np.float32)
    turn = rng.uniform(0, np.pi)
    step = reach / 2 * np.array([np.cos(turn), np.sin(turn)])
    a, b = (((count // 2 + sign * step) * 16).round().astype(int).tolist() for sign in (-1, 1))
    cv2.line(kernel, a, b, 1.0, 1, cv2.LINE_AA, 4)
    return np.asarray(cv2.filter2D(scene, -1, kernel / kernel.sum()), np.float32)


def _developed(rng: np.random.Generator, soft: Layer, faults: list[str]) -> Pixels:
    """Return what a sensor and its JPEG make of a picture."""
    shape = soft.shape
    noise: Layer = rng.normal(0, rng.uniform(0.5, 4), (*shape[:2], 1)).astype(np.float32)
    if rng.random() < 0.3:
        faults.append("old phone")
        coarse = (noise + rng.normal(0, rng.uniform(2, 9), shape)).astype(np.float32)
        noise = np.asarray(cv2.GaussianBlur(coarse, (0, 0), rng.uniform(0.4, 0.9)), np.float32)
    noisy = soft + noise
    sharp = noisy + rng.uniform(0, 1.0) * (noisy - cv2.GaussianBlur(noisy, (0, 0), 1.3))
    picture = np.clip(sharp, 0, 255).astype(np.uint8)
    quality = int(rng.integers(25, 70) if "old phone" in faults else rng.integers(55, 95))
    _, kept = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(kept, cv2.IMREAD_COLOR), np.uint8)
