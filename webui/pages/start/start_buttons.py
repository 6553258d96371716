"""The buttons of the start page's form: each returns the changed form, without a script."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from werkzeug.datastructures import MultiDict

from scorer import Game
from scorer.games import GAMES
from scorer.values import as_typed, dump
from webui.http.bodies import FormFields
from webui.match.player_names import is_unnamed
from webui.pages.start.start_form import names
from webui.store.rows import MatchRow

SEAT = re.compile(r"(seat\.\w+\.)(\d+)")  # a field of each row


def pressed(given: FormFields, earlier: Sequence[MatchRow]) -> tuple[FormFields, str]:
    """Return the form after a button, and the part of it to show next.

    An untouched form has the players of the last match.
    """
    if "other" in given:
        kept = [("game", given["other"]), *(("name", name) for name in names(given))]
        return MultiDict(kept), "game"
    if "order" in given:
        return ordered(given, given["order"])
    if "seat" in given:
        return seated(given, given["seat"]), "add"
    if "last" in given:
        game = GAMES.get(given.get("game", ""))
        return (as_last_time(game, given, earlier), "how") if game else (given, "")
    if "players" in given or names(given) or not earlier:
        return given, f"name-{given['players']}" if "players" in given else ""
    last = (("name", "" if is_unnamed(name) else name) for name in earlier[0].names)
    return MultiDict([*given.items(multi=True), *last]), ""


def ordered(given: FormFields, order: str) -> tuple[FormFields, str]:
    """Return the form with its rows in an *order*, "1,0"; other rows are removed."""
    typed = names(given)
    places = [int(place) for place in re.findall(r"\d{1,3}", order)]
    if not places or len({*places}) < len(places) or max(places) >= len(typed):
        return given, ""
    moved = next((row for row, place in enumerate(places) if row != place), 0)
    seats = [
        (f"{of[1]}{places.index(int(of[2]))}", value)
        for name, value in given.items()
        if (of := SEAT.fullmatch(name)) and int(of[2]) in places
    ]
    rest = [field for field in _but_names(given) if not SEAT.fullmatch(field[0])]
    made = MultiDict([*rest, *seats, *(("name", typed[place]) for place in places)])
    return made, f"move-{moved}" if len(places) == len(typed) else "add"


def orders(rows: int) -> list[dict[str, str]]:
    """Return for each row the order without it, and with it swapped with the one above."""
    every = [*range(rows)]
    made = []
    for row in every:
        above = max(row - 1, 0)
        moved = [*every[:above], *every[above : above + 2][::-1], *every[above + 2 :]]
        out = [other for other in every if other != row]
        made.append({"moved": ",".join(map(str, moved)), "out": ",".join(map(str, out))})
    return made


def seated(given: FormFields, name: str) -> FormFields:
    """Return the form with a *name* in its first empty row, or in a new row."""
    typed = names(given)
    place = next((row for row, other in enumerate(typed) if not other.strip()), len(typed))
    typed[place : place + 1] = [name]
    return MultiDict([*_but_names(given), *(("name", other) for other in typed)])


def _but_names(given: FormFields) -> list[tuple[str, str]]:
    return [field for field in given.items(multi=True) if field[0] not in ("name", "players")]


def as_last_time(
    game: Game[Any, Any], given: FormFields, earlier: Sequence[MatchRow]
) -> FormFields:
    """Return the form with the settings of the last match of its game."""
    row = next((row for row in earlier if row.game == game.name), None)
    if row is None:
        return given
    settings = ("set.", "typed.", "seat.")
    kept = [field for field in given.items(multi=True) if not field[0].startswith(settings)]
    return MultiDict([*kept, *_as_sent(game, row)])


def _as_sent(game: Game[Any, Any], row: MatchRow) -> Iterator[tuple[str, str]]:
    for setting in game.settings:
        value = row.settings.get(setting.name, dump(setting.default))
        if setting.per_seat:
            yield from ((f"seat.{setting.name}.{at}", str(each)) for at, each in enumerate(value))
        elif setting.read is None or value in [dump(choice) for choice in setting.values]:
            yield f"set.{setting.name}", json.dumps(value)
        else:
            yield f"typed.{setting.name}", as_typed(value)
