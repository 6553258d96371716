"""Counted photos with labels, to measure a table of one's own by and to train on it.

A label is what the counted step determines: a die whose value or colour could be another one, and
the step would be the same, is not labelled with it. A reading that does not lead to its step is
put right where one other value or colour of one piece does, and nothing else. The folder has the
format of `models/dataset/folders.py`; it holds no names, no times and no metadata.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scorer import Die, Game, MarkedCell, Table, Tile, dump_move
from webui.errors import CorruptPhoto, CorruptStore, NotFound
from webui.eyes.table import place_of
from webui.match import match as matches
from webui.match.match import Match
from webui.match.photo import CountedStep, counted_steps
from webui.store.copies import Progress
from webui.store.log import Store

PIPS = range(1, 7)
HALVES = range(7)

Explains = Callable[[Table], bool]


@dataclass(slots=True)
class Exported:
    """How many photos were written, and why others were not."""

    photos: int = 0
    unclear: int = 0  # their step does not determine the table
    missing: int = 0  # deleted, or damaged


def export(
    store: Store,
    match_ids: Sequence[str],
    write: Callable[[str, bytes], object],
    progress: Progress,
) -> Exported:
    """Write every counted photo of the matches, once, and its labels; *write* takes a file."""
    made, entries, photos = Exported(), list[dict[str, Any]](), set[str]()
    for photo, label in _counted(store, match_ids, progress):
        if photo in photos:
            continue
        photos.add(photo)
        if label is None:
            made.unclear += 1
            continue
        try:
            content = store.photo_files.read(photo)
        except (NotFound, CorruptPhoto):
            made.missing += 1
            continue
        made.photos += 1
        name = f"{made.photos:06}.jpg"
        write(f"images/{name}", content)
        entries.append({"file": name, **label})
    labels = {"labelled_by": "counted steps", "box_kind": "upper face", "images": entries}
    write("labels.json", json.dumps(labels, indent=1).encode())
    return made


def _counted(
    store: Store, match_ids: Sequence[str], progress: Progress
) -> Iterator[tuple[str, dict[str, Any] | None]]:
    """Yield each counted photo with its labels, None if its step does not determine them."""
    for done, match_id in enumerate(match_ids, start=1):
        try:
            match = matches.load(store, match_id)
            if match.closed is None:
                for step in counted_steps(store, match):
                    yield from _labelled(store, match, step)
        except (CorruptStore, NotFound):
            continue
        progress("matches", done, len(match_ids))


def _labelled(
    store: Store, match: Match, step: CountedStep
) -> Iterator[tuple[str, dict[str, Any] | None]]:
    event = step.event
    if event.sighting is None:
        return
    sighting = store.sighting(match.row.id, event.sighting)
    if sighting.is_whole:
        yield (
            sighting.photo,
            labels_of(match.rules(), step.before, event.moves or (), sighting.reading),
        )


def labels_of(
    game: Game[Any, Any], before: Any, moves: Iterable[Any], reading: Mapping[str, Any]
) -> dict[str, Any] | None:
    """Return the labels of a photo whose *reading* was counted as *moves*, or None.

    Args:
        game: the rules.
        before: the state in which it was photographed.
        moves: the step, as JSON.
        reading: as `pipsight read --json` prints it.
    """
    wanted = list(moves)

    def explains(table: Table) -> bool:
        proposal = game.observe(before, table)
        return not proposal.differences and list(map(dump_move, proposal.moves)) == wanted

    equipment = game.equipment(before)
    for spot in range(max(1, len(equipment.spots))):
        read = _table(reading, spot, loose=equipment.loose)
        colours = {die.colour for die in read.dice} | set(equipment.colours)
        ways = [read] if explains(read) else list(filter(explains, _others(read, colours)))
        if len(ways) == 1:
            return _labels(reading, ways[0], colours, explains, loose=equipment.loose)
    return None


def _table(reading: Mapping[str, Any], spot: int, *, loose: bool) -> Table:
    """Return what was read, without doubt."""
    return Table(
        tuple(Die(die["value"], die["color"], place_of(die["cell"])) for die in reading["dice"]),
        tuple(
            Tile(
                tuple(tile["halves"]),
                tile["cells"] and tuple(map(tuple, tile["cells"])),
                None if tile["level"] is None else tile["level"] + 1,
            )
            for tile in _tiles(reading, loose=loose)
        ),
        tuple(MarkedCell(tuple(mark["cell"]), mark["mark"]) for mark in reading.get("marks", ())),
        spot,
    )


def _tiles(reading: Mapping[str, Any], *, loose: bool) -> list[Mapping[str, Any]]:
    return [tile for tile in reading.get("tiles", ()) if loose or tile["cells"]]


def _others(table: Table, colours: Iterable[str]) -> Iterator[Table]:
    """Yield the tables of which one piece is another one."""
    for place in range(len(table.dice)):
        yield from _values(table, place)
        yield from _colours(table, place, colours)
    for place in range(len(table.tiles)):
        yield from _halves(table, place)


def _values(table: Table, place: int) -> Iterator[Table]:
    die = table.dice[place]
    for value in PIPS:
        if value != die.value:
            yield _with_die(table, place, replace(die, value=value))


def _colours(table: Table, place: int, colours: Iterable[str]) -> Iterator[Table]:
    die = table.dice[place]
    for colour in colours:
        if colour != die.colour:
            yield _with_die(table, place, replace(die, colour=colour))


def _with_die(table: Table, place: int, die: Die) -> Table:
    return replace(table, dice=(*table.dice[:place], die, *table.dice[place + 1 :]))


def _halves(table: Table, place: int) -> Iterator[Table]:
    tile = table.tiles[place]
    (first, second), tiles = tile.halves, table.tiles
    for half in HALVES:
        for halves in {(half, second), (first, half)} - {tile.halves}:
            other = replace(tile, halves=halves)
            yield replace(table, tiles=(*tiles[:place], other, *tiles[place + 1 :]))


def _labels(
    reading: Mapping[str, Any],
    right: Table,
    colours: Iterable[str],
    explains: Explains,
    *,
    loose: bool,
) -> dict[str, Any]:
    """Return the entry of `labels.json`."""
    dice, tiles = list[dict[str, Any]](), list[dict[str, Any]]()
    for place, (die, face) in enumerate(zip(right.dice, reading["dice"], strict=True)):
        is_known = not any(map(explains, _values(right, place)))
        is_coloured = not any(map(explains, _colours(right, place, colours)))
        label = {"quad": face["quad"], "box": _box(face["quad"]), "value": die.value}
        label |= {"color": die.colour if is_coloured and len({*colours}) > 1 else None}
        dice.append(label if is_known else label | {"value": None, "ignore": True})
    for place, (tile, read) in enumerate(
        zip(right.tiles, _tiles(reading, loose=loose), strict=True)
    ):
        if not any(map(explains, _halves(right, place))):
            centers = {"half_centers": read["centers"], "quad": read["quad"]}
            tiles.append({"halves": list(tile.halves), **centers})
    size = {"width": reading["width"], "height": reading["height"]}
    complete = len(tiles) == len(reading.get("tiles", ())) and not reading.get("perhaps")
    return {**size, "dice": dice, "tiles": tiles, "complete": complete}


def _box(quad: Iterable[Iterable[float]]) -> list[float]:
    xs, ys = zip(*quad, strict=True)
    return [min(xs), min(ys), max(xs), max(ys)]
