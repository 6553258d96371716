"""The dice of a photo as they counted: what a person put right by a tap stands on them as well.

In: the moves of a step, and what was read on its photo. Out: that reading, its dice put right.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scorer import Die, load_move
from webui.eyes.table import place_of
from webui.match import match as matches
from webui.match.match import Match
from webui.store.log import Store

FREE_TO_PUT_RIGHT = 1  # dice of a grid; if it is more than half of them, it was seen from elsewhere


def dice_told(store: Store, match: Match, seq: int) -> tuple[Die, ...]:
    """Return the dice that the moves of a step tell to lie there; none of a closed match."""
    if match.closed is not None or match.game is None:
        return ()
    state = matches.state_after(store, match, match.tree.below(seq))
    dice = list[Die]()
    for event in store.events(match.row.id, seq - 1, seq):
        for data in event.moves or ():
            move = load_move(match.game, data)
            dice += match.game.laid(state, move)
            dice += (Die(value, colour) for colour, value in match.game.thrown(state, move))
            state = match.game.apply(state, move)
    return tuple(dice)


def as_counted(reading: Mapping[str, Any], counted: Sequence[Die]) -> dict[str, Any] | None:
    """Return a reading with each die as it was *counted*; those of which nothing was told stay.

    None of a grid photographed from another side of the table: its cells are not the match's.
    """
    dice = reading["dice"]
    pairs = _pairs(dice, counted)
    put_right = sum(dice[at]["value"] != die.value for at, die in pairs.items() if die.cell)
    on_cells = sum(die.cell is not None for die in counted)
    if _is_grid(reading) and put_right > max(FREE_TO_PUT_RIGHT, on_cells / 2):
        return None
    shown = [_told(die, pairs[at]) if at in pairs else die for at, die in enumerate(dice)]
    return {**reading, "dice": shown}


def _pairs(dice: Sequence[Mapping[str, Any]], counted: Sequence[Die]) -> dict[int, Die]:
    """Return what was told of each die by its place: the likest pairs first, each die once."""
    every = (
        (_unlike(die, one), at, i)
        for at, die in enumerate(dice)
        for i, one in enumerate(counted)
        if one.cell is None or one.cell == place_of(die["cell"])
    )
    pairs, used = dict[int, Die](), set[int]()
    for _how, at, i in sorted(every):
        if at not in pairs and i not in used:
            pairs[at] = counted[i]
            used.add(i)
    return pairs


def _unlike(die: Mapping[str, Any], counted: Die) -> tuple[bool, ...]:
    """Return how unlike a die and one that was told are; of two a doubtful one was mistaken."""
    hue, value = counted.colour in ("", die["color"]), counted.value == die["value"]
    return (
        place_of(die["cell"]) != counted.cell,
        not (hue or value),
        not hue,
        not value,
        bool(die["sure"]) != value,
    )


def _is_grid(reading: Mapping[str, Any]) -> bool:
    return reading["board"] is not None and str(reading["board"]["name"]).startswith("grid:")


def _told(die: Mapping[str, Any], counted: Die) -> dict[str, Any]:
    colour = counted.colour or die["color"]
    return {**die, "value": counted.value, "color": colour, "sure": True, "alternatives": []}
