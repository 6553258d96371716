"""`pipsight stats`: results of players in a database, and how fair the dice are."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from typing import Any

from scorer.messages import _, figure, raw
from scorer.words import colour
from webui.api.answers.statistics import statistics_view
from webui.languages import counted, said, translate
from webui.match.statistics.players import Statistics, look_up
from webui.store.database import sqlite_file
from webui.store.database_url import database_url, photos_place, told_in_words
from webui.store.log import Store
from webui.store.refusals import unwritable
from webui.store.upgrade import as_it_is

HEAD = (
    *(raw(""), _("played"), _("won"), _("level"), _("lost"), _("open")),
    *(_("average"), _("record")),
)


def show_statistics(database: str | None, sought: Mapping[str, str], *, as_json: bool) -> int:
    """Print the statistics of the matches *sought*; return the exit code."""
    with told_in_words():
        url = database_url(database)
        as_it_is(url)  # never creates one
        file = sqlite_file(url)
        read_only = file is not None and unwritable(file) is not None  # else sums are stored
        with closing(Store(url, photos_place(url), read_only=read_only)) as store:
            view = statistics_view(*_added_up(store, sought))
    if as_json:
        print(json.dumps(view, ensure_ascii=False))
        return 0
    for line in _lines(view, whole=not sought["name"]):
        print(line)
    return 0


def _added_up(store: Store, sought: Mapping[str, str]) -> tuple[Statistics, int]:
    """Add up outdated matches, with progress."""
    every = {**sought, "name": ""}
    before, (_found, left) = -1, look_up(store, every)
    while left and left != before:  # unchanged: nothing can be stored
        text = counted(
            "{n} match is left to be added up", "{n} matches are left to be added up", left
        )
        print(text, file=sys.stderr)
        before, (_found, left) = left, look_up(store, every)
    return look_up(store, sought, most=0)


def _lines(view: Mapping[str, Any], *, whole: bool) -> Iterator[str]:
    if not view["players"]:
        yield translate(
            "Nobody has played here yet: a match with names has to be over, or begun at least."
        )
    fields = ("name", "played", "won", "level", "lost", "open")
    yield from _table(HEAD[:6], [[one[field] for field in fields] for one in view["players"]])
    if against := view["overridden"]:
        yield counted(
            "{n} match was not all by the rules; to leave it out: --by-rules",
            "{n} matches were not all by the rules; to leave them out: --by-rules",
            against,
        )
    if not whole:
        for player in view["players"]:
            yield from _of(player)
        return
    for record in view["records"]:
        players, at_once = ", ".join(record["match_players"]), ", ".join(record["step_players"])
        most, points = record["match_points"], record["step_points"]
        title = record["game"]["title"]
        yield translate("{game}: most points {n} ({who}),", game=title, n=most, who=raw(players))
        yield "  " + translate("at once {n} ({who})", n=points, who=raw(at_once))
    for dice in view["dice"]:
        whose = colour(dice["colour"]) if dice["colour"] else _("dice")
        yield f"{said(whose)}: {_counts(dice['counts'])}"
        judged = f"{said(dice['says'])} {said(dice['power'])}".rstrip()
        test = translate("chi-squared")
        yield f"  {test} {dice['chi_squared']}, p {dice['p']}. {judged}"


def _of(player: Mapping[str, Any]) -> Iterator[str]:
    facts = {"now": player["streak"], "most": player["longest"]}
    yield translate("won in a row: {now} just now, {most} at most", **facts)
    games = [
        [_variant(one), one["played"], one["won"], "", "", "", one["average"], one["best"]]
        for one in player["games"]
    ]
    yield from _table(HEAD, games)
    duels = [
        [translate("against {name}", name=one["name"]), one["played"], one["won"], "", one["lost"]]
        for one in player["against"]
    ]
    yield from _table(HEAD[:5], duels)


def _variant(figures: Mapping[str, Any]) -> str:
    rules = ", ".join(f"{rule['name']}={rule['value']}" for rule in figures["settings"])
    title = said(figures["game"]["title"])
    return f"{title} ({rules})" if rules else title


def _counts(counts: Sequence[int]) -> str:
    return ", ".join(f"{value} × {count}" for value, count in enumerate(counts, start=1))


def _table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> Iterator[str]:
    if not rows:
        return
    width = max(len(str(row[0])) for row in rows)
    for row in (tuple(map(said, head)), *rows):
        yield f"{row[0]!s:{width}}" + "".join(
            f"{cell if isinstance(cell, str) else figure(cell):>9}" for cell in row[1:]
        )
