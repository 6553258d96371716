"""The peg track: a lane for each seat, with a peg at its score and one at the previous score."""

from collections.abc import Sequence
from dataclasses import dataclass

from webui.languages import translate
from webui.pages.drawings.chart import nice_step

WIDTH = 358  # SVG units; the page scales them
MARGIN = 16  # left of the first hole, and right of the last
FIRST, APART = 16, 19  # y of the first lane, and from lane to lane
HOLES = 50  # maximum of a lane: in a longer race a hole is several points
HALF_DIGIT = 4.2  # of a label
FIFTH = 5  # each such hole is larger
MOST = 10  # lanes; with more players there is only the table of standings


@dataclass(frozen=True, slots=True)
class Lane:
    """A seat's lane: the positions of its pegs, the previous score first."""

    y: int
    back: float
    front: float


@dataclass(frozen=True, slots=True)
class Pegs:
    """The template's data; `says` describes the track in a sentence."""

    says: str
    lanes: tuple[Lane, ...]
    labels: tuple[tuple[float, int], ...]  # x and points
    hole: float  # from hole to hole
    home: bool  # whether the last hole ends the race
    width: int = WIDTH
    left: int = MARGIN
    fifth: int = FIFTH

    @property
    def right(self) -> int:
        """Return the x of the last hole."""
        return self.width - MARGIN

    @property
    def bed(self) -> int:
        """Return the height of the lanes."""
        return self.lanes[-1].y + FIRST - 3

    @property
    def height(self) -> int:
        """Return the height of the track including the numbers below it."""
        return self.bed + FIRST


def pegs(
    names: Sequence[str],
    scores: Sequence[int],
    gains: Sequence[int],
    target: int | None,
    width: int = WIDTH,
) -> Pegs | None:
    """Lay out the track to *target*, or to the highest score; None if that shows nothing."""
    end = target or _beyond(max(scores, default=0))
    if not end or len(names) > MOST:
        return None
    length = width - 2 * MARGIN

    def x(points: int) -> float:
        return round(MARGIN + length * min(max(points, 0), end) / end, 1)

    lanes = tuple(
        Lane(FIRST + APART * seat, x(score - gain), x(score))
        for seat, (score, gain) in enumerate(zip(scores, gains, strict=True))
    )
    hole = nice_step(end, HOLES)
    marked = range(nice_step(end), end + 1, nice_step(end))
    labels = tuple((min(x(one), width - HALF_DIGIT * len(str(one))), one) for one in marked)
    standing = ", ".join(f"{name} {score}" for name, score in zip(names, scores, strict=True))
    says = (
        translate("Race to {target}: {standing}", target=target, standing=standing)
        if target
        else translate("So far: {standing}", standing=standing)
    )
    return Pegs(says, lanes, labels, length * hole / end, bool(target), width)


def _beyond(best: int) -> int:
    """Return the round number at which a track without a target ends, 0 for none yet."""
    step = nice_step(best) if best > 0 else 0
    return step * (best // step + 1) if step else 0
