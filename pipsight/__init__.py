"""Pipsight as a library: read photos, watch a table, score and replay by the rules of a game.

docs/library.md leads through it and says what may change when. Places are px of the upright photo,
x to the right and y down.
"""

from __future__ import annotations

import base64
import html
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

import vision
from vision import Adapter, Look, Photo, Reading, Unreadable, load
from vision.layout import Layout
from vision.photo import Channels, check_pixels, opened
from vision.watch.frames import Frame
from vision.watch.state import SettledRoll, as_json

if TYPE_CHECKING:
    from scorer import Game, PhotoScore

__all__ = [
    "Adapter",
    "Frame",
    "Look",
    "Photo",
    "ReadPhoto",
    "Reading",
    "ReplayedMatch",
    "SettledRoll",
    "Unreadable",
    "draw",
    "games",
    "load",
    "read",
    "replay",
    "score",
    "to_json",
    "watch",
]

PhotoSource = (
    Photo | str | PathLike[str] | bytes | bytearray | memoryview | NDArray[Any] | Image.Image
)
UNNAMED = "an array does not say the order of its channels: read(array, channels='rgb')"
WIDE = 960  # px, longer side of the picture that a notebook shows


@dataclass(frozen=True, slots=True)
class ReadPhoto(Reading):
    """A `Reading` that keeps its photo, so that a notebook shows it as a picture."""

    photo: Photo | None = field(default=None, compare=False, repr=False)
    layout: Layout | None = field(default=None, compare=False, repr=False)  # of a printed board

    def _repr_html_(self) -> str:
        """Return the photo with what was read on it, and the warnings below, as HTML."""
        below = "".join(f"<p>{html.escape(warning)}</p>" for warning in self.warnings)
        if self.photo is None:
            return f"<pre>{html.escape(vision.json_line(self))}</pre>{below}"
        drawn = Photo.from_array(np.asarray(draw(self)), "rgb")
        jpeg = base64.b64encode(vision.as_jpeg(drawn, WIDE)).decode("ascii")
        values = ", ".join(str(die.value) for die in self.dice)
        tiles = ", ".join("-".join(str(half.value) for half in tile.halves) for tile in self.tiles)
        marks = f"{len(self.marks)} marks" if self.marks else ""
        words = "; ".join(filter(None, (values, tiles, marks))) or "nothing read"
        return f'<img src="data:image/jpeg;base64,{jpeg}" alt="{words}">{below}'


def read(
    photo: PhotoSource,
    look: Look | str = "auto",
    *,
    channels: Channels | None = None,
    adapter: Adapter | None = None,
) -> ReadPhoto:
    """Read one photo.

    Args:
        photo: a path, the bytes of a file, a picture of Pillow's, a `Photo`, or (h, w, 3) uint8.
        look: what to look for, as in `pipsight read --look`: "dice", "dominoes", "grid:3x3",
            "sheet:dice-wide-shut". The boards and sheets that Pipsight prints are known.
        channels: of an array, which does not say it: "rgb", "bgr" or "grey".
        adapter: taught pieces.

    Raises:
        Unreadable: it is no photo that can be read; the sentence says what to change.
        TypeError: an array without its channels, or something that is no photo.
        ValueError: there is no such look, or the array does not have these channels.
    """
    _check(adapter, Adapter | None, "taught pieces are an Adapter")
    taken, wanted = _taken(photo, channels), _wanted(look)
    found = vision.read(taken, wanted, adapter=adapter)
    values = {part.name: getattr(found, part.name) for part in fields(found)}
    return ReadPhoto(**values, photo=taken, layout=wanted.layout)


def _check(given: object, kinds: Any, sentence: str) -> None:
    """Raise TypeError with a sentence where something of another kind is given."""
    if not isinstance(given, kinds):
        raise TypeError(f"{sentence}, not {type(given).__name__}")


def _wanted(look: Look | str) -> Look:
    """Return a look that knows the printed boards and sheets."""
    from webui.eyes.look import with_layout  # noqa: PLC0415

    _check(look, Look | str, "what to look for is a text such as 'dice', or a Look")
    return with_layout(Look.parse(look) if isinstance(look, str) else look)


def _taken(photo: PhotoSource, channels: Channels | None) -> Photo:
    if isinstance(photo, bytes | bytearray | memoryview):
        return vision.decode(bytes(photo))
    if isinstance(photo, Image.Image):
        return Photo.from_image(photo)
    if isinstance(photo, np.ndarray):
        if channels is None:
            raise TypeError(UNNAMED)
        return Photo.from_array(photo, channels)
    return opened(photo)


def draw(reading: ReadPhoto) -> Image.Image:
    """Return the photo with all that was read on it, doubtful pieces dashed.

    Raises:
        ValueError: the reading has no photo.
        TypeError: it is no reading.
    """
    _check(reading, Reading, "what is drawn is a reading, as pipsight.read returns it")
    if not isinstance(reading, ReadPhoto) or reading.photo is None:
        raise ValueError("this reading has no photo; pipsight.read gives one that has")
    drawn = vision.draw_overlay(reading.photo, reading, layout=reading.layout)
    return Image.fromarray(np.ascontiguousarray(drawn[..., ::-1]))


def watch(
    source: int | str | PathLike[str] | Iterable[Frame], look: Look | str = "dice"
) -> Iterator[SettledRoll]:
    """Yield each roll once, when it has settled.

    Args:
        source: a camera's number, a URL, a video file, or frames from elsewhere.
        look: what to look for.

    Raises:
        NoFrames: the source gives no pictures, or stops to.
        TypeError: it is no source, or gives something else than frames.
        ValueError: a frame is not (h, w, 3) uint8.
    """
    from vision.watch.frames import frames  # noqa: PLC0415
    from vision.watch.watcher import watch as rolls  # noqa: PLC0415

    if isinstance(source, int | str | PathLike):
        return rolls(frames(str(source)), _wanted(look))
    _check(source, Iterable, "a source is a file, a camera's number, a URL or frames")
    return rolls(map(_frame, source), _wanted(look))


def _frame(given: Frame) -> Frame:
    _check(given, Frame, "what is watched are frames, pipsight.Frame(bgr, number, time_s)")
    check_pixels(np.asarray(given.bgr))
    return given


def games() -> Mapping[str, Game[Any, Any]]:
    """Return the games there are, by name."""
    from scorer.games import GAMES  # noqa: PLC0415

    return GAMES


def score(
    photo: str | PathLike[str] | bytes,
    /,  # settings of a game may have the same name
    game: str,
    *,
    players: int | None = None,
    opening: str | None = None,
    **said: object,
) -> PhotoScore:
    """Return what one photo scores by the rules of a game, and why.

    Args:
        photo: a path, or the bytes of a file.
        game: its name, one of `games()`.
        players: how many play; two where the game takes two.
        opening: what the photo cannot show, in words: "player 1 names white".
        said: house rules, and what is said beside the photo: bid="4 sixes".

    Raises:
        KeyError: there is no such game. TypeError: it is no photo.
        Malformed: a house rule or an opening that there is not.
        NotRead: it is no photo that can be read; NotScored: it shows nothing to score.
    """
    from webui.eyes import one_photo  # noqa: PLC0415

    _check(photo, str | PathLike | bytes, "a photo is a path or the bytes of a file")
    if game not in (found := games()):
        raise KeyError(f"there is no game {game!r}; there are {', '.join(sorted(found))}")
    rules = found[game]
    state, facts = one_photo.begin(rules, said, players, opening)
    taken = photo if isinstance(photo, bytes) else Path(photo)
    return one_photo.score(state, facts, one_photo.look(rules, state, facts, taken))


@dataclass(frozen=True, slots=True)
class ReplayedMatch:
    """A recorded match, played through: `state` is that after its last move."""

    game: Game[Any, Any]
    state: Any
    names: tuple[str, ...]
    moves: tuple[Any, ...]
    history: tuple[str, ...]  # the moves in words
    scores: tuple[tuple[int, ...], ...]  # the tally after each move

    @property
    def score(self) -> tuple[int, ...]:
        """Return the points of each player."""
        return self.game.score(self.state)

    @property
    def is_over(self) -> bool:
        """Return True if the match has ended."""
        return self.game.is_over(self.state)


def replay(recording: str | PathLike[str]) -> ReplayedMatch:
    """Play through a recording, JSON lines as `pipsight matches CODE` exports them.

    Raises:
        Malformed: a line that is none of a recording, or a move that the rules forbid.
    """
    from scorer import Malformed  # noqa: PLC0415
    from scorer import recording as recordings  # noqa: PLC0415
    from scorer.words import named  # noqa: PLC0415

    try:
        lines = recordings.decoded(Path(recording).read_bytes()).splitlines()
    except UnicodeDecodeError:
        raise Malformed(f"{recording} is no recording: it is not text") from None
    kept = recordings.read(lines, games())
    game = games()[kept.game]
    state, history = game.start(kept.seats, kept.settings), list[str]()
    for move in kept.moves:
        history.append(named(game.describe(state, move), kept.names))
        state = game.apply(state, move)
    return ReplayedMatch(game, state, kept.names, kept.moves, tuple(history), kept.scores)


def to_json(what: Reading | SettledRoll, file: str = "") -> dict[str, Any]:
    """Return a reading or a roll as the JSON object of docs/develop/interfaces.md.

    Args:
        what: of `read` or `watch`.
        file: the name of the photo, for a reading.
    """
    _check(what, Reading | SettledRoll, "what has JSON is a reading or a roll")
    if isinstance(what, SettledRoll):
        return as_json(what)
    return dict(what.to_json(file))
