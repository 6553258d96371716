"""`pipsight matches`: list and export the matches of a database, read-only."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path

from scorer import recording
from scorer.games import own_name
from scorer.messages import _, figure
from webui.errors import Refusal, already_there
from webui.languages import translate
from webui.match import export, past
from webui.match import match as matches
from webui.match.match import Match, find
from webui.store.database_url import database_url, photos_there, told_in_words
from webui.store.durable_files import write_named
from webui.store.log import Store
from webui.store.tables.search import ALL, Wanted

ENDS = {True: _("over"), False: _("not over"), None: _("of other rules")}
FORMS = ("recording", "json", "csv")
COLUMNS = ("id", "code", "game", "players", "score", "created_at", "over", "title")  # of CSV


def show_matches(
    database: str | None,
    photos: str | None,
    name: str | None,
    form: str | None,
    out: Path | None,
    most: int,
    sought: Mapping[str, str],
) -> int:
    """Print the newest matches, or export the one with an id or code *name*; return the exit code.

    *form* is one of FORMS, by default a table of all or a recording of one; *sought* filters the
    list by player, game and dates.
    """
    with told_in_words():
        url = database_url(database)
        with closing(Store(url, photos_there(url, photos), read_only=True)) as store:
            if name is None:
                lines = _list(store, form, most, past.wanted(store, sought))
            else:
                lines = _one(store, name, form)
            text = "".join(f"{line}\n" for line in lines)
    if out is None:
        sys.stdout.write(text)
        return 0
    if out.exists():
        raise Refusal(already_there(out))
    write_named(out, text.encode())
    return 0


# ---------------------------------------------------------------- the list


def _list(store: Store, form: str | None, most: int, wanted: Wanted) -> Iterator[str]:
    rows = store.newest(most + 1, wanted)
    listed = [matches.load(store, row.id) for row in rows[:most]]
    if form == "json":
        yield json.dumps([export.head(match) for match in listed], ensure_ascii=False)
    elif form == "csv":
        yield from _csv(listed)
    else:
        yield from map(_line, listed)
        if not rows and wanted != ALL:
            yield translate("No match fits. Look for less, or for other dates.")
        elif not rows:
            yield translate(
                "There are no matches yet. Start one: pipsight serve, or pipsight play GAME"
            )
        elif len(rows) > most:
            yield translate("There are older ones: pipsight matches --most {most}", most=2 * most)


def _line(match: Match) -> str:
    head = export.head(match)
    begun = datetime.fromisoformat(head["created_at"]).astimezone()
    ends = translate(ENDS[head["over"]])
    line = f"{head['code']}  {begun:%Y-%m-%d %H:%M}  {_game(match):14} {ends:14} {_tally(match)}"
    parts = [line, translate("not all by the rules")] if match.overridden else [line]
    return " · ".join(parts)


def _game(match: Match) -> str:
    """Return the title of a game, with the name that its players gave it."""
    own = own_name(match.row.game, match.row.settings)
    return f"{match.row.game}: {own}" if own else match.row.game


def _tally(match: Match) -> str:
    scores = zip(match.names, export.score_of(match, earned=True), strict=True)
    return ", ".join(f"{name} {figure(points)}" for name, points in scores)


# ---------------------------------------------------------------- one match


def _one(store: Store, name: str, form: str | None) -> Iterator[str]:
    match = matches.load(store, find(store, name))
    if form == "json":
        yield json.dumps(export.whole(store, match), ensure_ascii=False)
    elif form == "csv":
        yield from export.steps_csv(store, match)
    else:
        yield from recording.write(matches.recorded(store, match))


def _csv(listed: Sequence[Match]) -> Iterator[str]:
    yield export.cells(COLUMNS)
    for match in listed:
        head = export.head(match)
        over = {True: "yes", False: "no", None: ""}[head["over"]]
        cells = {**head, "players": ", ".join(head["names"]), "over": over}
        cells["score"] = ", ".join(map(str, head["score"]))
        yield export.cells([cells[column] for column in COLUMNS])
