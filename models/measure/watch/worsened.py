"""Frames made worse as real cameras make them: `make bench-watch ARGS="--worse shaken"`.

Each takes the frames of a video in order, and gives frames that carry the same time, so that the
truth of the video stays true. Chance is seeded: the same frames come again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.decode import Pixels
from vision.watch.capture import Frame

Worsen = Callable[[Iterator[Frame], np.random.Generator], Iterator[Frame]]
Light = NDArray[np.float32]

GAMMA = 2.2


def jittered(frames: Iterator[Frame], rng: np.random.Generator) -> Iterator[Frame]:
    """Repeat a tenth of the frames exactly, drop a tenth, and tell times that are 15 ms off."""
    last: Frame | None = None
    before_s = -1.0
    for frame in frames:
        fate = rng.random()
        if last is not None and fate < 0.1:
            continue
        shown = last.bgr if last is not None and fate < 0.2 else frame.bgr
        before_s = max(before_s + 0.001, frame.time_s + rng.uniform(-0.015, 0.015))
        last = Frame(shown, frame.number, before_s)
        yield last


def stalled(frames: Iterator[Frame], rng: np.random.Generator) -> Iterator[Frame]:
    """Send the same frame for some tenths of a second now and then, as poor networks do."""
    until_s, held = 0.0, None
    for frame in frames:
        if frame.time_s >= until_s:
            held = frame.bgr
            if rng.random() < 0.02:
                until_s = frame.time_s + rng.uniform(0.15, 0.4)
        yield frame if held is None else replace(frame, bgr=held)


def slow(frames: Iterator[Frame], _rng: np.random.Generator) -> Iterator[Frame]:
    """Show ten frames a second, as webcams do in the evening."""
    next_s = 0.0
    for frame in frames:
        if frame.time_s >= next_s:
            next_s = max(next_s + 0.1, frame.time_s)
            yield frame


def compressed(frames: Iterator[Frame], _rng: np.random.Generator) -> Iterator[Frame]:
    """Send JPEGs of low quality."""
    for frame in frames:
        jpeg = cv2.imencode(".jpg", frame.bgr, [cv2.IMWRITE_JPEG_QUALITY, 18])[1]
        yield replace(frame, bgr=_pixels(cv2.imdecode(jpeg, cv2.IMREAD_COLOR)))


def drifting(frames: Iterator[Frame], rng: np.random.Generator) -> Iterator[Frame]:
    """Let exposure and white balance wander, and answer late to a hand that comes."""
    phases = rng.uniform(0, 2 * np.pi, 3)
    usual, follow, last_s = 0.0, 1.0, 0.0
    for frame in frames:
        light = _light(frame.bgr)
        mean = float(light[::8, ::8].mean()) + 1e-3
        usual = usual or mean
        share = 1 - np.exp((last_s - frame.time_s) / 0.3)
        follow *= ((usual / mean) ** 0.6 / follow) ** share
        last_s = frame.time_s
        waves = np.sin(2 * np.pi * np.array([0.31, 0.17, 0.23]) * frame.time_s + phases)
        gains = follow * (1 + 0.15 * waves[0]) * (1 + 0.05 * np.array([waves[1], 0, waves[2]]))
        yield replace(frame, bgr=_developed(light * gains.astype(np.float32)))


def flickering(frames: Iterator[Frame], rng: np.random.Generator) -> Iterator[Frame]:
    """Draw the bands that lamps on mains make on a rolling shutter."""
    drift = rng.uniform(0.5, 4.0)
    for frame in frames:
        rows = np.arange(frame.bgr.shape[0])[:, None, None] / frame.bgr.shape[0]
        bands = 1 + 0.08 * np.sin(2 * np.pi * (2.5 * rows + drift * frame.time_s))
        yield replace(frame, bgr=_developed(_light(frame.bgr) * bands.astype(np.float32)))


def shadowed(frames: Iterator[Frame], rng: np.random.Generator) -> Iterator[Frame]:
    """Let the soft shadow of somebody beside the table pass over it."""
    speed, start = rng.uniform(0.1, 0.3), rng.uniform(0, 1)
    for frame in frames:
        across = np.arange(frame.bgr.shape[1])[None, :, None] / frame.bgr.shape[1]
        middle = 1.6 * ((start + speed * frame.time_s) % 1) - 0.3
        shade = 1 - 0.35 * np.exp(-(((across - middle) / 0.15) ** 2))
        yield replace(frame, bgr=_developed(_light(frame.bgr) * shade.astype(np.float32)))


def shaken(frames: Iterator[Frame], rng: np.random.Generator) -> Iterator[Frame]:
    """Hold the camera in a hand: it drifts, trembles, turns and tilts; rows are read in turn."""
    hz = np.concatenate([rng.uniform(0.1, 0.4, 6), rng.uniform(2.0, 8.0, 6)])
    phases = rng.uniform(0, 2 * np.pi, 12)
    for frame in frames:
        h, w = frame.bgr.shape[:2]
        size = np.array([0.012, 0.012, 0.008, 0.006, 0.006, 0.01] * 2) * np.repeat([1, 0.15], 6)
        off = (size * np.sin(2 * np.pi * hz * frame.time_s + phases)).reshape(2, 6).sum(axis=0)
        speed = (size * hz * np.cos(2 * np.pi * hz * frame.time_s + phases)).reshape(2, 6)
        skew = 2 * np.pi * 0.02 * speed.sum(axis=0)[:2]  # from the first row to the last, in 20 ms
        turn = np.array([[1 + off[5], -off[2]], [off[2], 1 + off[5]]])
        matrix = np.eye(3)
        matrix[:2, :2], matrix[:2, 2], matrix[2, :2] = turn, off[:2], off[3:5]
        matrix[:2, 1] += skew
        to_px = np.array([[w, 0, w / 2], [0, w, h / 2], [0, 0, 1.0]])
        whole = to_px @ np.diag([1.05, 1.05, 1]) @ matrix @ np.linalg.inv(to_px)
        bgr = cv2.warpPerspective(frame.bgr, whole, (w, h), borderMode=cv2.BORDER_REFLECT)
        yield replace(frame, bgr=_pixels(bgr))


def dark(frames: Iterator[Frame], rng: np.random.Generator) -> Iterator[Frame]:
    """Show a quarter of the light, with the noise of a dark room."""
    for frame in frames:
        dim = _developed(_light(frame.bgr) * np.float32(0.25))
        noisy = dim + rng.normal(0, 5.0, dim.shape)
        yield replace(frame, bgr=_pixels(np.clip(noisy, 0, 255)))


def larger(frames: Iterator[Frame], _rng: np.random.Generator) -> Iterator[Frame]:
    """Show 1440 x 1080 px, as a phone does that was not told otherwise."""
    for frame in frames:
        h, w = frame.bgr.shape[:2]
        scale = 1080 / min(h, w)
        size = round(w * scale), round(h * scale)
        yield replace(
            frame, bgr=_pixels(cv2.resize(frame.bgr, size, interpolation=cv2.INTER_CUBIC))
        )


def upright(frames: Iterator[Frame], _rng: np.random.Generator) -> Iterator[Frame]:
    """Hold the phone upright."""
    for frame in frames:
        yield replace(frame, bgr=_pixels(np.ascontiguousarray(np.rot90(frame.bgr))))


def blurred(frames: Iterator[Frame], _rng: np.random.Generator) -> Iterator[Frame]:
    """Leave the dice out of focus: nobody could read them, and that is to be said."""
    for frame in frames:
        sigma = frame.bgr.shape[1] / 120
        yield replace(frame, bgr=_pixels(cv2.GaussianBlur(frame.bgr, (0, 0), sigma)))


WAYS: Mapping[str, Worsen] = {
    way.__name__: way
    for way in (
        *(jittered, stalled, slow, compressed, drifting, flickering, shadowed, shaken),
        *(dark, larger, upright, blurred),
    )
}


def _light(bgr: Pixels) -> Light:
    return np.asarray((bgr.astype(np.float32) / 255) ** np.float32(GAMMA), np.float32)


def _developed(light: Light) -> Pixels:
    return _pixels(255 * np.clip(light, 0, 1) ** np.float32(1 / GAMMA))


def _pixels(values: object) -> Pixels:
    return np.asarray(values).astype(np.uint8)
