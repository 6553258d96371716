"""The pieces of a photo as they counted, including a person's corrections."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from scorer import Die, Game, Tile, load_move
from webui.eyes.table import place_of
from webui.match import match as matches
from webui.match.match import Match
from webui.store.log import Store

P = TypeVar("P", Die, Tile)
Read = Mapping[str, Any]  # a die or a tile of a reading

FREE_TO_PUT_RIGHT = 1  # corrected dice of a grid, however few it has (`as_counted`)


def pieces_told(store: Store, match: Match, seq: int) -> tuple[Die | Tile, ...]:
    """Return the pieces on the table according to a step, cached until the next one."""
    if match.closed is not None or match.game is None:
        return ()
    if (key := f"told {seq}") not in match.memo:
        match.memo[key] = tuple(_told(store, match, match.game, seq))
    return match.memo[key]


def _told(store: Store, match: Match, game: Game[Any, Any], seq: int) -> Iterator[Die | Tile]:
    state = matches.state_after(store, match, match.tree.below(seq))
    for event in store.events(match.row.id, seq - 1, seq):
        for data in event.moves or ():
            move = load_move(game, data)
            yield from game.laid(state, move)
            yield from (Die(value, colour) for colour, value in game.thrown(state, move))
            state = game.apply(state, move)


def as_counted(reading: Mapping[str, Any], counted: Sequence[Die | Tile]) -> dict[str, Any] | None:
    """Return a reading with each piece as it *counted*; None for a grid that was turned."""
    dice, tiles = reading["dice"], reading.get("tiles", [])
    of_dice = _pairs(dice, [one for one in counted if isinstance(one, Die)], _unlike)
    of_tiles = _pairs(tiles, [one for one in counted if isinstance(one, Tile)], _unlike_tile)
    on_cells = [at for at, die in of_dice.items() if die.cell]
    put_right = sum(dice[at]["value"] != of_dice[at].value for at in on_cells)
    if _is_grid(reading) and put_right > max(FREE_TO_PUT_RIGHT, len(on_cells) / 2):
        return None
    return {
        **reading,
        "dice": [_die(one, of_dice[at]) if at in of_dice else one for at, one in enumerate(dice)],
        "tiles": [
            _tile(one, of_tiles[at]) if at in of_tiles else one for at, one in enumerate(tiles)
        ],
    }


def _pairs(
    read: Sequence[Read], counted: Sequence[P], unlike: Callable[[Read, P], tuple[bool, ...]]
) -> dict[int, P]:
    """Return the counted piece for each read one: the most similar pairs first."""
    every = (
        (unlike(piece, one), at, i)
        for at, piece in enumerate(read)
        for i, one in enumerate(counted)
        if _may_be(piece, one)
    )
    pairs, used = dict[int, P](), set[int]()
    for _how, at, i in sorted(every):
        if at not in pairs and i not in used:
            pairs[at] = counted[i]
            used.add(i)
    return pairs


def _may_be(piece: Read, counted: Die | Tile) -> bool:
    if isinstance(counted, Tile):
        return True
    return counted.cell is None or counted.cell == place_of(piece["cell"])


def _unlike(die: Read, counted: Die) -> tuple[bool, ...]:
    """Return how unlike a read and a counted die are, as a sort key; doubtful dice first."""
    hue, value = counted.colour in ("", die["color"]), counted.value == die["value"]
    elsewhere = place_of(die["cell"]) != counted.cell
    return elsewhere, not (hue or value), not hue, not value, bool(die["sure"]) != value


def _unlike_tile(tile: Read, counted: Tile) -> tuple[bool, ...]:
    """Return how unlike a read and a counted loose tile are, as for dice."""
    same = sorted(tile["halves"]) == sorted(counted.halves)
    shares = bool(set(tile["halves"]) & set(counted.halves))
    return not same, not shares, bool(tile["sure"]) != same


def _is_grid(reading: Mapping[str, Any]) -> bool:
    return reading["board"] is not None and str(reading["board"]["name"]).startswith("grid:")


def _die(die: Read, counted: Die) -> dict[str, Any]:
    colour = counted.colour or die["color"]
    return {**die, "value": counted.value, "color": colour, "sure": True, "alternatives": []}


def _tile(tile: Read, counted: Tile) -> dict[str, Any]:
    same = sorted(tile["halves"]) == sorted(counted.halves)  # it may be turned around
    halves = tile["halves"] if same else list(counted.halves)
    return {**tile, "halves": halves, "sure": True, "alternatives": []}
