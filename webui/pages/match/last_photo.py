"""The newest photo of a match with its reading and the sums behind the newest points.

In: the view of a match. Out: what `templates/_reading.html` draws: the photo, its pieces and cells,
a sum at the end of each line that counted, and the pieces of each line to be cut from the photo.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from webui.eyes.readings import cells_on
from webui.eyes.views import views
from webui.http.hosts import address_of
from webui.match.match import Match
from webui.match.photo import middle
from webui.match.taught import used_board
from webui.pages.match.counted_pieces import as_counted, pieces_told
from webui.store.log import Store

SUM_WH = (42, 20)  # CSS px of a sum on the photo of a phone
BEYOND = 0.85  # of the distance between dice: position of a sum after the last one
CLOSE = 1.25  # a crop's side, in sides of its piece


@dataclass(frozen=True, slots=True)
class LineSum:
    """The sum of a line and its owner; px of the photo."""

    x: float
    y: float
    pips: int
    seat: int | None


@dataclass(frozen=True, slots=True)
class SeenPhoto:
    """A photo with its reading, for a page."""

    seq: int
    src: str
    reading: Mapping[str, Any]
    views: list[dict[str, Any]]
    cells: dict[str, Any]  # "row column" -> the corners of a printed cell
    sums: tuple[LineSum, ...] = ()
    crops: tuple[tuple[str, ...], ...] = ()  # of each line, a view box a piece
    sum_wh: tuple[int, int] = SUM_WH
    is_part: bool = False  # the rest of the photo has not arrived yet


def seen_photo(
    store: Store,
    match: Match,
    step: Mapping[str, Any],
    lines: Sequence[Mapping[str, Any]] = (),
    *,
    counted: bool = False,
) -> SeenPhoto | None:
    """Return the photo of a step, or None.

    Args:
        store: the store of the match.
        match: the match.
        step: a step of the history.
        lines: lines of the tally that the step made.
        counted: draw the dice as they counted, not as they were read.
    """
    if not step["sighting"]:
        return None
    sighting = store.sighting(match.row.id, step["sighting"])
    put_right = as_counted(sighting.reading, pieces_told(store, match, step["seq"]))
    reading = put_right if counted and put_right else sighting.reading
    printed = cells_on(reading, used_board(store, match.row.id))
    shown = views(reading)
    on = {tuple(die["cell"]): die for die in (put_right or {"dice": ()})["dice"] if die["cell"]}
    dice = [[on.get(tuple(cell)) for cell in line["cells"]] for line in lines]
    whole = bool(dice) and all(line and None not in line for line in dice)
    found = [[die for die in line if die is not None] for line in dice] if whole else []
    sums = tuple(_sums(found, lines)) if found else ()
    if sums:
        shown[0], sums = _framed(sums, reading, shown[0])
    return SeenPhoto(
        seq=step["seq"],
        src=address_of(step["photo"]),
        reading=reading,
        views=shown,
        cells={" ".join(map(str, cell)): quad for cell, quad in printed},
        sums=sums,
        crops=tuple(tuple(map(_crop, line)) for line in found),
        is_part=not sighting.is_whole,
    )


def last_photo(store: Store, match: Match, view: Mapping[str, Any]) -> SeenPhoto | None:
    """Return the newest photo that counts, with its sums if the newest points come from it."""
    standing = [step for step in view["history"] if step["standing"] and not step["undo_of"]]
    photos = [step for step in standing if step["photo"]]
    paid = [step for step in standing if any(step["gains"])]
    if not photos:
        return None
    newest = photos[-1]
    lines = view["because"][0]["lines"] if paid and paid[-1] is newest and view["because"] else ()
    photo = seen_photo(store, match, newest, lines, counted=True)
    return photo and on_screen(photo)


def on_screen(photo: SeenPhoto) -> SeenPhoto:
    """Return a photo in the reduced size for the page of a match."""
    return replace(photo, src=photo.src.removesuffix(".jpg") + "/screen.jpg")


def _sums(dice: Sequence[Sequence[Any]], lines: Sequence[Mapping[str, Any]]) -> Iterator[LineSum]:
    for pieces, line in zip(dice, lines, strict=True):
        (x0, y0), (x1, y1) = (middle(die["quad"]) for die in (pieces[0], pieces[-1]))
        steps = max(len(pieces) - 1, 1)
        pips = sum(die["value"] for die in pieces)
        yield LineSum(
            x1 + BEYOND * (x1 - x0) / steps, y1 + BEYOND * (y1 - y0) / steps, pips, line["seat"]
        )


def _framed(
    sums: Sequence[LineSum], reading: Mapping[str, Any], view: Mapping[str, Any]
) -> tuple[dict[str, Any], tuple[LineSum, ...]]:
    """Extend the view to include the sums, within the photo; move sums inside it."""
    half_wide, half_high = (side * view["unit"] / 2 + view["unit"] for side in SUM_WH)
    left, top, wide, high = view["frame"]
    xs, ys = [one.x for one in sums], [one.y for one in sums]
    west = max(min(left, min(xs) - half_wide), 0)
    north = max(min(top, min(ys) - half_high), 0)
    east = min(max(left + wide, max(xs) + half_wide), reading["width"])
    south = min(max(top + high, max(ys) + half_high), reading["height"])
    moved = (
        replace(
            one,
            x=round(min(max(one.x, west + half_wide), east - half_wide), 1),
            y=round(min(max(one.y, north + half_high), south - half_high), 1),
        )
        for one in sums
    )
    frame = [round(px, 1) for px in (west, north, east - west, south - north)]
    return {**view, "frame": frame}, tuple(moved)


def _crop(die: Mapping[str, Any]) -> str:
    x, y = middle(die["quad"])
    (x0, y0), (x1, y1) = die["quad"][:2]
    side = CLOSE * float(((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5)
    return f"{x - side / 2:.0f} {y - side / 2:.0f} {side:.0f} {side:.0f}"
