"""`pipsight matches`: the matches in a database, listed and exported. Nothing is written there."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

from scorer import named, recording
from webui.errors import RequestError
from webui.match import match as matches
from webui.match.match import LoggedStep, Match, find
from webui.store.database_url import database_url, photos_place, told_in_words
from webui.store.log import Store
from webui.store.upgrade import CannotOpen

FORMS = ("recording", "json", "csv")
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet would run what begins so


def show_matches(
    database: str | None, name: str | None, form: str | None, out: Path | None, most: int
) -> int:
    """Print the newest matches, or export the one with an id or code *name*; return the exit code.

    *form* is one of FORMS, by default a table of all or a recording of one.
    """
    try:
        with told_in_words():
            url = database_url(database)
            with closing(Store(url, photos_place(url), read_only=True)) as store:
                lines = _list(store, form, most) if name is None else _one(store, name, form)
                text = "".join(f"{line}\n" for line in lines)
    except (CannotOpen, RequestError) as fault:
        print(fault, file=sys.stderr)
        return 1
    if out is None:
        sys.stdout.write(text)
        return 0
    try:
        with out.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        print(f"{out} is there already. Name another file.", file=sys.stderr)
        return 1
    return 0


# ---------------------------------------------------------------- the list


def _list(store: Store, form: str | None, most: int) -> Iterator[str]:
    rows = store.newest(most + 1)
    listed = [matches.load(store, row.id) for row in rows[:most]]
    if form == "json":
        yield json.dumps([_head(match) for match in listed], ensure_ascii=False)
    elif form == "csv":
        yield from _csv(("id", "code", "game", "players", "score", "created_at", "over"), listed)
    else:
        yield from map(_line, listed)
        if not rows:
            yield "There are no matches yet. Start one: pipsight serve, or pipsight play GAME"
        elif len(rows) > most:
            yield f"There are older ones: pipsight matches --most {2 * most}"


def _head(match: Match) -> dict[str, Any]:
    """Return what a line of the list tells; `over` is None where the rules are not here."""
    row = match.row
    return {
        "id": row.id,
        "code": row.whole_code,
        "game": row.game,
        "names": list(row.names),
        "score": list(_score(match)),
        "created_at": row.created_at,
        "over": None if match.closed or not match.game else match.game.is_over(match.state),
    }


def _score(match: Match, *, earned: bool = False) -> Sequence[int]:
    if match.closed is None and match.game is not None:
        return (match.game.earned if earned else match.game.score)(match.state)
    return matches.points_after(match, match.last)[earned] or [0] * len(match.row.names)


def _line(match: Match) -> str:
    head = _head(match)
    begun = datetime.fromisoformat(head["created_at"]).astimezone()
    ends = {True: "over", False: "not over", None: "of other rules"}[head["over"]]
    return f"{head['code']}  {begun:%Y-%m-%d %H:%M}  {head['game']:14} {ends:14} {_tally(match)}"


def _tally(match: Match) -> str:
    scores = zip(match.row.names, _score(match, earned=True), strict=True)
    return ", ".join(f"{name} {points}" for name, points in scores)


# ---------------------------------------------------------------- one match


def _one(store: Store, name: str, form: str | None) -> Iterator[str]:
    match = matches.load(store, find(store, name))
    if form == "json":
        yield json.dumps(_whole(store, match), ensure_ascii=False)
    elif form == "csv":
        yield from _steps_csv(store, match)
    else:
        yield from recording.write(matches.recorded(store, match))


def _whole(store: Store, match: Match) -> dict[str, Any]:
    result = None
    if match.closed is None and match.game is not None:
        result = match.game.result(match.state)
    return {
        **_head(match),
        "version": match.row.version,
        "settings": dict(match.row.settings),
        "result": result
        and {"winners": list(result.winners), "why": named(result.why, match.row.names)},
        "steps": [
            {
                "seq": step.event.seq,
                "at": step.event.at,
                "by": step.event.by,
                "moves": step.event.moves,
                "text": list(step.event.text),
                "score": list(step.event.score),
                "standing": step.standing,
                "undo_of": step.undo_of,
                "redo_of": list(step.redo_of),
                "note_on": step.note_on,
                "note": step.note,
                "photo": step.event.photo,
            }
            for step in _steps(store, match)
        ],
    }


def _steps(store: Store, match: Match) -> Sequence[LoggedStep]:
    return matches.history(store, match, match.seq + 1, match.seq)


def _steps_csv(store: Store, match: Match) -> Iterator[str]:
    names = match.row.names
    yield _cells(("step", "at", "by", "what", "stands", "note", *names))
    for step in _steps(store, match):
        event = step.event
        by = "" if event.by is None else names[event.by]
        stands = "yes" if step.standing else "no"
        what = "; ".join(event.text)
        yield _cells((event.seq, event.at, by, what, stands, step.note, *event.score))


def _csv(columns: Sequence[str], listed: Sequence[Match]) -> Iterator[str]:
    yield _cells(columns)
    for match in listed:
        head = _head(match)
        over = {True: "yes", False: "no", None: ""}[head["over"]]
        cells = {**head, "players": ", ".join(head["names"]), "over": over}
        cells["score"] = ", ".join(map(str, head["score"]))
        yield _cells([cells[column] for column in columns])


def _cells(values: Sequence[object]) -> str:
    """Return a line of CSV; what a spreadsheet would take for a formula is marked as text."""
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(
        f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value
        for value in values
    )
    return line.getvalue()
