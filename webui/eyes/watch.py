"""Watch a table: frames in, outlines and `PhotoReading`s of rolls out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from scorer import Doubt, Equipment
from scorer.messages import Message, _
from vision.watch.pace import ALL_LOST_S, Gap, longest, slow_camera
from webui.eyes.lessons import TaughtJson
from webui.eyes.photo import PhotoReading
from webui.eyes.phrases import phrase

ALIKE = 0.5  # sides: maximum distance of a piece between frames and picture
TOUCHED_S = 0.3  # after which a piece is no longer outlined as covered by a hand
LOST_S = ALL_LOST_S  # without a frame, after which a roll may be missed unnoticed
UNLIKE = _("the pictures of this roll disagree: check the table")
FAINT = _("some pictures of this roll show one piece more or less: check the table")
AGAIN = _("this was picked up and shows the same as before: was it rolled again?")
BRIEF = _("this was taken before enough pictures showed it at rest: was it rolled?")


@dataclass(frozen=True, slots=True)
class Outline:
    """The outline of a piece on a frame, and its state: "still" once it counts."""

    quad: list[list[float]]  # px of the frame
    state: str  # still, moving, hand, doubt or leaning


# A roll, on the frame that settled it; what lay there when the watching began, once it lies still;
# what lies there after it was disturbed, where no roll came of it; the same where pieces were moved
# or may be hidden; and where the bare table is seen in the place of those that are gone.
FrameKind = Literal["", "thrown", "lay", "again", "changed", "taken"]


@dataclass(frozen=True, slots=True)
class Watched:
    """The result of one frame."""

    width: int
    height: int
    outlines: tuple[Outline, ...]
    waiting: str  # "" once all is at rest, else moving, hand, doubt or leaning
    idle_s: float  # since something last moved
    kind: FrameKind = ""
    sight: PhotoReading | None = None  # reading of this kind, or None
    more: tuple[Doubt, ...] = ()  # doubts that no picture resolves
    rate: float = 0.0  # frames per second while something moves; 0: enough for any roll
    leave_s: int = 0  # for which dice must rest to be detected; 0: the usual time
    unseen_s: float = 0.0  # longest gap between frames, in which a roll may have been missed


class FrameReader(Protocol):
    """A watcher of a table, in this process or another."""

    def look(
        self,
        frame: bytes,
        time_s: float,
        equipment: Equipment,
        given: TaughtJson,
        unseen_s: float | None,
        /,
    ) -> Watched:
        """Process the next frame, *unseen_s* after the table was last visible; raises NotRead."""

    def close(self) -> None:
        """Stop it."""


def slow(shown: Watched) -> Message | None:
    """Return how long dice must rest for a slow camera; None if it is fast enough."""
    return phrase(slow_camera(shown.rate, shown.leave_s)) if shown.leave_s else None


def unseen_doubts(gaps: Sequence[Gap]) -> tuple[Doubt, ...]:
    """Return the doubt about gaps between frames, if there were any."""
    if not gaps:
        return ()
    asked = _(
        "the camera saw nothing for {seconds:.0f} s before this: was there no other roll in "
        "between?",
        seconds=longest(gaps),
    )
    return (Doubt(asked),)
