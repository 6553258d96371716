"""The rules as second opinion on what the eyes read: `make bench-opinion PHOTOS=var/series`.

Each folder holds the photos of one match with their truth, as `make series` writes them. Each photo
is read, and the likeliest reading is put to `observe` in the true state before it. What the eyes
themselves ask does not count here, only what the rules make of it. Printed for each game:

read right        photos of which every piece that matters was read as it lies
  asked           ... of these, the rules ask about
  TURNED          ... and these they turn into other moves without a warning: there must be none
read wrong        the other photos
  caught          the rules ask about, or say that it cannot be
  repaired        the moves proposed are the true ones all the same, asked about or not
  SILENT          other moves are proposed without a warning; `eyes` ask about so many of these
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

from models.harness import PrintedRows
from scorer import Cell, Equipment, Game, Illegal, Proposal, Table, Tile, load_move
from scorer.game import kind_of
from scorer.games import GAMES
from tests.bench.follow import Matches, matches_below
from webui.errors import NotRead
from webui.eyes.photo import PhotoReading, see
from webui.eyes.photo_tables import doubts_of
from webui.follow.answers import load

COLUMNS = ("photos", "right", "asked", "TURNED", "wrong", "caught", "repaired", "SILENT", "eyes")


def main(folders: Matches) -> int:
    """Measure and print; return 1 where a right reading was turned into a wrong one."""
    found: dict[str, Counter[str]] = {}
    for folder in matches_below(folders):
        game = json.loads((folder / "match.json").read_text())["game"]
        found.setdefault(game, Counter()).update(_match(folder))
    table = PrintedRows("", *COLUMNS)
    found["all"] = sum(found.values(), Counter())
    for game, counts in found.items():
        table.row(game, *(counts[column] for column in COLUMNS))
    return 1 if found["all"]["TURNED"] else 0


def _match(folder: Path) -> Counter[str]:
    """Return what became of the photos of one match."""
    match = json.loads((folder / "match.json").read_text())
    game = GAMES[match["game"]]
    answers = load(folder / "answers.json", game)
    state = game.start(match["players"], match.get("settings", {}))
    found: Counter[str] = Counter()
    for name, entry in json.loads((folder / "answers.json").read_text()).items():
        moves = tuple(load_move(game, move) for move in entry["moves"])
        answer = answers.of(Path(name))
        assert answer is not None
        assert answer.table is not None
        found += verdict(game, state, moves, answer.table, _look(folder / name))
        state = _states(game, state, moves)[-1]
    return found


def _look(photo: Path) -> Any:
    def look(wanted: Equipment) -> tuple[PhotoReading, bool] | None:
        try:
            sight = see(photo.read_bytes(), wanted)
        except NotRead:
            return None
        asks = any(doubt.about != "progress" for doubt in doubts_of(sight, wanted))
        return sight, asks

    return look


def verdict(
    game: Game[Any, Any], state: Any, moves: Sequence[Any], truth: Table, look: Any
) -> Counter[str]:
    """Return the columns in which one photo counts.

    Args:
        game: its rules.
        state: the true one after the photo before.
        moves: made since then; the first and the last may be such as no photo shows.
        truth: what lies there.
        look: reads the photo for what is wanted: what was read and whether the eyes ask; or None.
    """
    shown = [i for i, move in enumerate(moves) if kind_of(move) not in game.unseen]
    states = _states(game, state, moves)
    before, after = (states[shown[0]], states[shown[-1] + 1]) if shown else (states[0], states[-1])
    wanted = game.equipment(before)
    sighting = look(wanted)
    if sighting is None:
        return Counter(photos=1)
    sight, asks = sighting
    read = sight.table
    table = Table(read.dice, read.tiles, read.marks, truth.spot)
    proposal = game.observe(before, table)
    is_said = bool(proposal.doubts or proposal.differences)
    true = _after(game, before, proposal) == after
    if _matters(wanted, table) == _matters(wanted, truth):
        return Counter(photos=1, right=1, asked=int(is_said), TURNED=int(not is_said and not true))
    silent = not is_said and not true
    return Counter(
        photos=1, wrong=1, caught=int(is_said), repaired=int(true),
        SILENT=int(silent), eyes=int(silent and asks),
    )  # fmt: skip


def _states(game: Game[Any, Any], state: Any, moves: Sequence[Any]) -> list[Any]:
    return list(accumulate(moves, game.apply, initial=state))


def _after(game: Game[Any, Any], state: Any, proposal: Proposal) -> Any:
    """Return the state after what is proposed; None where that cannot be."""
    try:
        return _states(game, state, proposal.moves)[-1]
    except Illegal:
        return None


def _matters(wanted: Equipment, table: Table) -> Counter[object]:
    """Return what a table shows of that by which the moves are recognised."""
    return Counter([*_dice(wanted, table), *_tiles(wanted, table), *_marks(table)])


def _dice(wanted: Equipment, table: Table) -> Iterator[object]:
    for die in table.dice:
        if wanted.places and die.cell is None:
            continue  # beside a track lie lost dice
        yield die.value, die.colour if wanted.colours else "", die.cell


def _tiles(wanted: Equipment, table: Table) -> Iterator[object]:
    """Yield the tiles that are new; in which cells they lie matters where they touch the others."""
    tiles_in_place = {_shown(tile) for spot in wanted.spots for tile in spot.table.tiles}
    cells = {cell for shown in tiles_in_place for _, cell in shown}
    for tile in table.tiles:
        if _shown(tile) not in tiles_in_place:
            lies = any(abs(r - a) + abs(c - b) < 2 for r, c in tile.cells for a, b in cells)
            yield _shown(tile) if lies else tuple(sorted(tile.halves))


def _shown(tile: Tile) -> frozenset[tuple[int, Cell]]:
    return frozenset(zip(tile.halves, tile.cells, strict=True))


def _marks(table: Table) -> Iterator[object]:
    for mark in table.marks:
        yield mark.cell, mark.mark
