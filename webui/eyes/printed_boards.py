"""The printed boards of the games by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from scorer import Game, NotAMove, Setting, settle
from scorer.board import Board
from scorer.games import GAMES
from scorer.messages import _, raw
from scorer.settings import SettingValue

NONE = _("There is no such board here.")
PAPERS: Mapping[str, tuple[float, float]] = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}  # mm


def board_named(name: str, given: Mapping[str, object] | None = None) -> Board:
    """Return the board with a name, for the settings *given* of its game.

    Raises NotAMove if there is no such board or setting.
    """
    owners = dict(_defaults())
    if name not in owners:
        raise NotAMove(
            _(
                "There is no board {name}. There are {names}.",
                name=raw(repr(name)),
                names=raw(", ".join(owners)),
            )
        )
    fault: NotAMove | None = None
    for game in owners[name]:
        try:
            boards = boards_of(game, given or {})
        except NotAMove as why:
            fault = fault or why
        else:
            for board in boards:
                if board.name == name:
                    return board
            fault = NotAMove(NONE)
    assert fault is not None
    raise fault


def boards_of(game: Game[Any, Any], given: Mapping[str, object]) -> tuple[Board, ...]:
    """Return the printable boards of a game for the settings *given*; raises NotAMove."""
    try:
        return game.boards(settle(game.settings, given))
    except ValueError as fault:  # NotAMove, or a track that fits on no page
        raise NotAMove(*fault.args) from fault


def family(name: str) -> tuple[Board, ...]:
    """Return every variant of a board for listed settings, such as orders of stars."""
    found: dict[int, Board] = {}
    for game in dict(_defaults()).get(name, ()):
        for setting in game.settings:
            for value in _telling(game, setting):
                for board in boards_of(game, {setting.name: value}):
                    if board.name == name:
                        found.setdefault(board.first_marker, board)
    return tuple(found.values())


def _telling(game: Game[Any, Any], setting: Setting) -> Iterable[SettingValue]:
    """Return the setting values by which a game's boards may differ; of plain ranges the ends.

    Farkle's target has 19,501 values, and is not printed.
    """
    if isinstance(setting.values, range):
        ends = (setting.values[0], setting.values[-1])
        if len({boards_of(game, {setting.name: end}) for end in (*ends, setting.default)}) == 1:
            return ends
    return setting.values


def board_looked_for(look: str, places: tuple[str, ...] = ()) -> Board | None:
    """Return the board of a look: "grid:3x3", "board:gords" or "board:track-gords".

    Of several with one name it is the one with the labels *places*. None: no game has it.
    """
    kind, rest = (*look.split(":", 1), "")[:2]
    for name in names():
        same = name == look or (
            kind == "board" and rest in (name.partition(":")[2], name.replace(":", "-"))
        )
        if same and name.startswith(("grid", "sheet")) <= (kind != "board"):
            printed = (*family(name), *_own(name, places))
            return next((board for board in printed if not places or labels(board) == places), None)
    return None


def pages() -> tuple[Board, ...]:
    """Return every printable page for listed settings, including mats."""
    return tuple(board for name in names() for board in family(name))


def _own(name: str, places: tuple[str, ...]) -> Iterator[Board]:
    """Yield the boards with a name for free settings, such as any order of stars."""
    for game in dict(_defaults())[name] if places else ():
        for setting in game.settings:
            with suppress(NotAMove):
                if setting.read is not None:
                    yield from boards_of(game, {setting.name: places})


def file_stem(board: Board) -> str:
    """Return a board's name as a file name: "sheet-dice-wide-shut"."""
    return board.name.replace(":", "-")


def labels(board: Board) -> tuple[str, ...]:
    """Return the labels printed in a board's cells, in order."""
    return tuple(cell.label for cell in board.cells)


def names() -> tuple[str, ...]:
    """Return the names of all boards, in the order of their games."""
    return tuple(dict(_defaults()))


def _defaults() -> Iterator[tuple[str, list[Game[Any, Any]]]]:
    """Yield each board's name with the games that have it."""
    owners: dict[str, list[Game[Any, Any]]] = {}
    for game in GAMES.values():
        for board in boards_of(game, {}):
            owners.setdefault(board.name, []).append(game)
    yield from owners.items()
