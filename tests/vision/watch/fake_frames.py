"""Frames of a table on which dice lie, for tests of when a roll has settled."""

from dataclasses import replace
from math import cos, pi, sin

from vision.quad import Quad
from vision.reading import Face
from vision.watch.evidence import Evidence, FrameReading, Piece
from vision.watch.settling import step
from vision.watch.state import SettledRoll, WatchState

FPS = 20
SIDE = 40.0  # px


def die(value, x, y, turn=0.0, side=SIDE, **changes):
    """Return a die as the eyes read it, turned by degrees."""
    reach, first = side / 2**0.5, turn * pi / 180 - 0.75 * pi
    corners = [
        (x + reach * cos(a), y + reach * sin(a)) for a in (first + k * pi / 2 for k in range(4))
    ]
    a, b, c, d = corners
    quad = Quad((a, b, c, d))
    probs = tuple(0.99 if n == value else 0.01 / 6 for n in range(7))
    face = Face(quad, probs, (("white", 1.0),), 0.99, sure=True)
    return Piece(quad, (replace(face, **changes),))


def blocks(*pieces):
    """Return blocks of a frame that these pieces cover."""
    return tuple(
        (piece.quad.center[0] + dx, piece.quad.center[1] + dy)
        for piece in pieces
        for dx in (-12.0, 12.0)
        for dy in (-12.0, 12.0)
    )


class FakeFrames:
    """Frames as they come; what is told of them is in `rolls`."""

    def __init__(self, began_s=0.0):
        self.watch, self.rolls, self.number, self.now_s = (
            WatchState(),
            list[SettledRoll](),
            0,
            began_s,
        )

    def frame(self, pieces=(), **changes):
        closer = self.watch.closer_s is not None  # a watcher looks as at a photo then
        reading = FrameReading(tuple(pieces), thorough=closer)
        evidence = Evidence(self.number, self.now_s, reading=reading, block=16.0)
        self.watch, roll = step(self.watch, replace(evidence, **changes))
        self.rolls += [roll] if roll else []
        self.number += 1
        self.now_s += 1 / FPS

    def rest(self, seconds, *pieces, **changes):
        for _ in range(round(seconds * FPS)):
            self.frame(pieces, **changes)

    def roll_in(self, *pieces, seconds=0.5):
        """Let dice come rolling from the left; they are blurred, so the eyes see none."""
        for k in range(round(seconds * FPS)):
            away = 300 * (1 - k / (seconds * FPS))
            flying = [moved(piece, -away) for piece in pieces]
            self.frame(moving=blocks(*flying, *pieces[: k > seconds * FPS - 3 and len(pieces)]))
        self.frame(moving=blocks(*pieces))

    def settle(self, *pieces, seconds=0.6):
        """Let dice roll in and rest."""
        self.roll_in(*pieces)
        self.rest(seconds, *pieces)

    def take(self, *left, taken=(), seconds=0.5):
        """Let a hand come from the edge and take dice; those left are seen all the time."""
        for _ in range(round(seconds * FPS)):
            arm = tuple((x, y) for x, y in blocks(*taken))
            self.frame(left, moving=arm, hand=(*arm, (0.0, 0.0)))

    def bare(self, seconds, *left):
        """Let nothing lie but what is left: the bare table is seen where pieces lay."""
        for _ in range(round(seconds * FPS)):
            self.frame(left, bare=self.watch.places)

    @property
    def values(self):
        return [sorted(v for piece in roll.pieces for v in piece.values) for roll in self.rolls]


def moved(piece, x=0.0, y=0.0):
    a, b, c, d = ((px + x, py + y) for px, py in piece.quad.corners)
    return replace(piece, quad=Quad((a, b, c, d)))


A, B, C = die(3, 300, 200), die(5, 420, 260, 20), die(6, 360, 400, 50)


def bare_table():
    """Return a table on which nothing lies yet."""
    film = FakeFrames()
    film.rest(0.6)
    return film


def slowly(film, frames, *pieces, **changes):
    """Show the same to a camera of three frames a second."""
    for _ in range(frames):
        film.frame(pieces, **changes)
        film.now_s += 0.3 - 1 / FPS


def every_quarter_second(film, *frames):
    """Show pieces, and what else is told of each frame, to a camera of four a second."""
    for pieces, changes in frames:
        film.now_s += 0.25 - 1 / FPS
        film.frame(pieces, **changes)
