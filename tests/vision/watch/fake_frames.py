"""Frames of a table on which dice lie, for tests of when a roll has settled."""

from collections.abc import Sequence
from dataclasses import replace
from math import cos, pi, sin

from vision.geometry import Quad
from vision.reading import Face
from vision.watch.evidence import Evidence, FrameReading, Piece
from vision.watch.settling import step
from vision.watch.state import SettledRoll, WatchState

FPS = 20
SIDE = 40.0  # px


def die(
    value: int, x: float, y: float, turn: float = 0.0, side: float = SIDE, **changes: object
) -> Piece:
    """Return a die as the eyes read it, turned by degrees."""
    reach, first = side / 2**0.5, turn * pi / 180 - 0.75 * pi
    corners = [
        (x + reach * cos(a), y + reach * sin(a)) for a in (first + k * pi / 2 for k in range(4))
    ]
    a, b, c, d = corners
    quad = Quad((a, b, c, d))
    probs = tuple(0.99 if n == value else 0.01 / 6 for n in range(7))
    face = Face(quad, probs, (("white", 1.0),), 0.99, sure=True)
    return Piece(quad, (replace(face, **changes),))  # type: ignore[arg-type]


def blocks(*pieces: Piece) -> tuple[tuple[float, float], ...]:
    """Return blocks of a frame that these pieces cover."""
    return tuple(
        (piece.quad.center[0] + dx, piece.quad.center[1] + dy)
        for piece in pieces
        for dx in (-12.0, 12.0)
        for dy in (-12.0, 12.0)
    )


class FakeFrames:
    """Frames as they come; what is told of them is in `rolls`."""

    def __init__(self, began_s: float = 0.0) -> None:
        self.watch, self.rolls, self.number, self.now_s = (
            WatchState(),
            list[SettledRoll](),
            0,
            began_s,
        )

    def frame(self, pieces: Sequence[Piece] = (), **changes: object) -> None:
        closer = self.watch.closer_s is not None  # a watcher looks as at a photo then
        reading = FrameReading(tuple(pieces), thorough=closer)
        evidence = Evidence(self.number, self.now_s, reading=reading, block=16.0)
        self.watch, roll = step(self.watch, replace(evidence, **changes))  # type: ignore[arg-type]
        self.rolls += [roll] if roll else []
        self.number += 1
        self.now_s += 1 / FPS

    def rest(self, seconds: float, *pieces: Piece, **changes: object) -> None:
        for _ in range(round(seconds * FPS)):
            self.frame(pieces, **changes)

    def roll_in(self, *pieces: Piece, seconds: float = 0.5) -> None:
        """Let dice come rolling from the left; they are blurred, so the eyes see none."""
        for k in range(round(seconds * FPS)):
            away = 300 * (1 - k / (seconds * FPS))
            flying = [moved(piece, -away) for piece in pieces]
            self.frame(moving=blocks(*flying, *pieces[: k > seconds * FPS - 3 and len(pieces)]))
        self.frame(moving=blocks(*pieces))

    def settle(self, *pieces: Piece, seconds: float = 0.6) -> None:
        """Let dice roll in and rest."""
        self.roll_in(*pieces)
        self.rest(seconds, *pieces)

    def take(self, *left: Piece, taken: Sequence[Piece] = (), seconds: float = 0.5) -> None:
        """Let a hand come from the edge and take dice; those left are seen all the time."""
        for _ in range(round(seconds * FPS)):
            arm = tuple((x, y) for x, y in blocks(*taken))
            self.frame(left, moving=arm, hand=(*arm, (0.0, 0.0)))

    def bare(self, seconds: float, *left: Piece) -> None:
        """Let nothing lie but what is left: the bare table is seen where pieces lay."""
        for _ in range(round(seconds * FPS)):
            self.frame(left, bare=self.watch.places)

    @property
    def values(self) -> list[list[int]]:
        return [sorted(v for piece in roll.pieces for v in piece.values) for roll in self.rolls]


def moved(piece: Piece, x: float = 0.0, y: float = 0.0) -> Piece:
    a, b, c, d = ((px + x, py + y) for px, py in piece.quad.corners)
    return replace(piece, quad=Quad((a, b, c, d)))


A, B, C = die(3, 300, 200), die(5, 420, 260, 20), die(6, 360, 400, 50)


def bare_table() -> FakeFrames:
    """Return a table on which nothing lies yet."""
    film = FakeFrames()
    film.rest(0.6)
    return film


def slowly(film: FakeFrames, frames: int, *pieces: Piece, **changes: object) -> None:
    """Show the same to a camera of three frames a second."""
    for _ in range(frames):
        film.frame(pieces, **changes)
        film.now_s += 0.3 - 1 / FPS


def every_quarter_second(
    film: FakeFrames, *frames: tuple[Sequence[Piece], dict[str, object]]
) -> None:
    """Show pieces, and what else is told of each frame, to a camera of four a second."""
    for pieces, changes in frames:
        film.now_s += 0.25 - 1 / FPS
        film.frame(pieces, **changes)
