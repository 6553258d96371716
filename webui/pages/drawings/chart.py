"""The score from step to step as points of a plain SVG chart (templates/_chart.svg draws it)."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from scorer.messages import figure
from scorer.seats import leaders
from webui.languages import counted, translate

WIDTH, HEIGHT = 340, 190  # SVG units; the page scales them
LEFT, TOP, BOTTOM = 28, 14, 176
LABEL = 78  # room for a name at the right end
APART = 15  # between two names
POINTS = 120  # of a line; more are closer than a screen can show
FEW = 2  # scores, including the first, are not a race yet
MOST_TICKS = 5
MOST_DOTS = 16  # of a line; more would cover it


@dataclass(frozen=True, slots=True)
class Level:
    """A horizontal line of the chart."""

    value: int
    y: float


@dataclass(frozen=True, slots=True)
class Race:
    """One player's line: its points, and the position of the name beside the last."""

    name: str
    points: str
    dots: tuple[tuple[float, float], ...]  # marked points
    label_y: float


@dataclass(frozen=True, slots=True)
class Chart:
    """The template's data; `says` describes the chart in a sentence, `reading` interprets it."""

    says: str
    reading: str
    ticks: tuple[Level, ...]
    goal: Level | None
    races: tuple[Race, ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - LABEL


def chart(
    names: Sequence[str],
    scores: Sequence[Sequence[int]],
    target: int | None,
    *,
    lowest: bool = False,
    can_win: Sequence[int] = (),
) -> Chart | None:
    """Lay out the scores of seats that *can_win*, oldest first; None before they change twice."""
    if len(scores) <= FEW:
        return None
    stride = -(-len(scores) // POINTS)  # evenly spaced points, the first and the last among them
    levels = [scores[0], *scores[:0:-stride][::-1]]
    top, low = max(*map(max, levels), target or 1), min(0, *map(min, levels))
    right = WIDTH - LABEL

    def x(place: int) -> float:
        return round(LEFT + (right - LEFT) * place / max(len(levels) - 1, 1), 1)

    def y(points: int) -> float:
        return round(BOTTOM - (BOTTOM - TOP) * (points - low) / (top - low), 1)

    ends = _apart([y(points) for points in levels[-1]])
    lines = [
        tuple((x(place), y(level[seat])) for place, level in enumerate(levels))
        for seat in range(len(names))
    ]
    races = tuple(
        Race(
            _short(name),
            " ".join(f"{across},{down}" for across, down in line),
            line[1:] if len(line) <= MOST_DOTS else line[-1:],
            end,
        )
        for name, line, end in zip(names, lines, ends, strict=True)
    )
    step = nice_step(top - low)
    values = range(-(-low // step) * step, top + 1, step)
    ticks = tuple(Level(value, y(value)) for value in values if value != target)
    standing = ", ".join(f"{name} {figure(levels[-1][seat])}" for seat, name in enumerate(names))
    says = translate("The score from step to step, at last {standing}", standing=standing)
    says += translate("; to {target}", target=target) if target else ""
    return Chart(
        says,
        reading(names, scores, lowest=lowest, can_win=can_win),
        ticks,
        Level(target, y(target)) if target else None,
        races,
    )


def reading(
    names: Sequence[str],
    scores: Sequence[Sequence[int]],
    *,
    lowest: bool = False,
    can_win: Sequence[int] = (),
) -> str:
    """Return the leader, since when, and the number of lead changes.

    "" for a single player, and while somebody is at the top who can no longer win.
    """
    tops = [set(leaders(each, lowest)) for each in scores]
    if len(names) == 1 or (can_win and not tops[-1] <= {*can_win}):
        return ""
    alone = [min(top) for top in tops if len(top) == 1]
    changes = sum(before != after for before, after in pairwise(alone))
    says = _standing(names, scores, tops)
    if not changes:
        return says
    times = counted("The lead has changed once.", "The lead has changed {n} times.", changes)
    return f"{says} {times}"


def _standing(
    names: Sequence[str], scores: Sequence[Sequence[int]], tops: Sequence[set[int]]
) -> str:
    top = tops[-1]
    if len(top) > 1:
        level = ", ".join(names[seat] for seat in sorted(top))
        return translate("Level at the top: {names}.", names=level)
    since = next((at for at in range(len(tops), 0, -1) if tops[at - 1] != top), 0)
    (name,) = (names[seat] for seat in top)
    if all(len(each) > 1 for each in tops[:since]):
        return translate("{name} has led from the first points on.", name=name)
    score = " : ".join(map(figure, scores[since]))
    return translate("{name} has led since {score}.", name=name, score=score)


def nice_step(span: int, most: int = MOST_TICKS) -> int:
    """Return the least of 1, 2, 5, 10 … that divides *span* into at most *most* parts."""
    steps = (digit * 10**power for power in range(6) for digit in (1, 2, 5))
    return next((step for step in steps if span / step <= most), span)


def _short(name: str) -> str:
    return name if len(name) <= 9 else name[:8] + "…"


def _apart(ends: Sequence[float]) -> list[float]:
    """Move names apart that would overlap, keeping their order."""
    apart = min(APART, (BOTTOM - TOP) / len(ends))
    order = sorted(range(len(ends)), key=ends.__getitem__)
    placed, foot = list(ends), float(BOTTOM)
    for above, below in pairwise(order):
        placed[below] = max(placed[below], placed[above] + apart)
    for seat in reversed(order):
        placed[seat] = min(placed[seat], foot)
        foot = placed[seat] - apart
    return placed
