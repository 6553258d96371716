"""A table that a camera watches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from webui.api.answers import PointView


@dataclass(frozen=True, slots=True)
class OutlineView:
    """A piece as the last frame shows it."""

    quad: list[PointView]
    state: Annotated[str, "still, moving, hand (one is over it), doubt or leaning"]


@dataclass(frozen=True, slots=True)
class WatchView:
    """How a camera watches a match."""

    watch: Annotated[str | None, "the camera's id; null: none watches"]
    camera: Annotated[str | None, "page or server"]
    says: Annotated[str, "what is waited for, or what is due, in a sentence"]
    waiting: Annotated[str, "empty once all lies still, else moving, hand, doubt or leaning"]
    width: Annotated[int, "px of the frame"]
    height: int
    pieces: list[OutlineView]
    next_ms: Annotated[int, "after which the next frame is wanted"]
    rate: Annotated[float, "frames per second while something moves; 0: enough for any roll"]
    leave_s: Annotated[int, "seconds for which dice must rest to be found; 0: the usual time"]
    seq: int
    asked: Annotated[int, "changes whenever what is asked about a roll does"]
    over: bool
