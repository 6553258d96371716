"""Exports of a match: JSON, CSV, text, and a link for BG Stats.

BG Stats is an app that counts plays of games; it takes a play from a URL with JSON.
"""

import csv
import io
import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote, urlencode

from scorer import Result, load_move
from scorer.evening.state import seated
from scorer.evening.steps import STEPS
from scorer.games import own_name
from scorer.messages import figure
from scorer.values import dump
from webui.languages import said
from webui.match import match as matches
from webui.match.events import outcome
from webui.match.match import LoggedStep, Match, standing_from
from webui.match.past import is_over
from webui.match.player_names import with_unnamed
from webui.match.points import points_after
from webui.match.summary import clock, sentence
from webui.store.log import Store

FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet runs cells that begin so
AN_EVENING = timedelta(hours=12)  # the playing time of a longer match is unknown
BG_STATS = "https://app.bgstatsapp.com/createPlay.html"


def head(match: Match) -> dict[str, Any]:
    """Return a match's names and status; `over` is None if its rules are not installed."""
    row = match.row
    return {
        "id": row.id,
        "code": row.whole_code,
        "game": row.game,
        "title": match.title,
        "names": list(match.names),
        "score": list(score_of(match)),
        "created_at": row.created_at,
        "over": is_over(match),
    }


def score_of(match: Match, *, earned: bool = False) -> Sequence[int]:
    """Return the score, or only the points *earned* so far; the stored score under other rules."""
    if stands := match.standing():
        return stands.earned if earned else stands.points
    return points_after(match, match.last)[earned]


def whole(store: Store, match: Match) -> dict[str, Any]:
    """Return the whole match as JSON (docs/develop/interfaces.md)."""
    result = _result(match)
    return {
        **head(match),
        "version": match.row.version,
        "overridden": list(match.overridden),
        "settings": dict(match.row.settings),
        "result": result and dump(outcome(result, match.names)),
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
            for step in steps_of(store, match)
        ],
    }


def steps_of(store: Store, match: Match) -> Sequence[LoggedStep]:
    """Return every step, the oldest first."""
    return matches.history(store, match, match.seq + 1, match.seq)


def steps_csv(store: Store, match: Match) -> Iterator[str]:
    """Yield the lines of a CSV table with every step."""
    steps = steps_of(store, match)
    most = max((len(step.event.score) for step in steps), default=0)
    names = with_unnamed(match.names, most)  # of latecomers too whose joining was undone
    yield cells(("step", "at", "by", "what", "stands", "note", "game", *names))
    for step in steps:
        event = step.event
        by = "" if event.by is None else names[event.by]
        stands = "yes" if step.standing else "no"
        what = "; ".join(event.text)
        about = event.seq, event.at, by, what, stands, step.note, match.title
        yield cells((*about, *event.score, *[""] * (len(names) - len(event.score))))


def cells(values: Sequence[object]) -> str:
    """Return a line of CSV; cells that a spreadsheet would run as formulas are marked as text."""
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(
        f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value
        for value in values
    )
    return line.getvalue()


def play_by_play(store: Store, match: Match) -> Iterator[str]:
    """Yield the lines of a match as text, each step with the score after it."""
    names = match.names
    yield f"{said(match.title)}: {', '.join(names)}"
    for step in steps_of(store, match):
        if step.standing and step.event.text:
            said_then = sentence("; ".join(map(said, step.event.text)), ".")
            tally = " : ".join(map(figure, step.event.earned))
            yield f"{clock(step.event.at)}  {said_then} {tally}"
    if result := _result(match):
        yield sentence(said(result.why, names), ".")


def _result(match: Match) -> Result | None:
    stands = match.standing()
    return stands.result if stands else None


def bg_stats(store: Store, match: Match) -> str | None:
    """Return the link that adds a finished match to BG Stats; None if it is not finished."""
    stands, result = match.standing(), _result(match)
    if stands is None or result is None or match.game is None:
        return None
    score, own = stands.points, own_name(match.row.game, match.row.settings)
    begun, ended = (
        _began(store, match),
        datetime.fromisoformat(match.last.at if match.last else match.row.created_at),
    )
    play: dict[str, Any] = {
        "sourceName": "Pipsight",
        "sourcePlayId": match.row.public,
        "playDate": f"{ended.astimezone(UTC):%Y-%m-%d %H:%M:%S}",
        "game": {
            "name": match.title,
            "sourceGameId": f"{match.row.game}{' ' if own else ''}{own}",
            "highestWins": not stands.lowest,
            "noPoints": False,
        },
        "players": [
            {
                "name": name,
                "sourcePlayerId": name,
                "score": str(score[seat]),
                "winner": seat in result.won,
                **({} if begun is None else {"startPlayer": seat == begun}),
            }
            for seat, name in enumerate(match.names)
        ],
    }
    if match.game.bgg:
        play["game"]["bggId"] = match.game.bgg
    lasted = ended - datetime.fromisoformat(match.row.created_at)
    if lasted <= AN_EVENING:
        play["durationMin"] = max(1, round(lasted.total_seconds() / 60))
    data = json.dumps(play, ensure_ascii=False, separators=(",", ":"))
    return f"{BG_STATS}?{urlencode({'data': data}, quote_via=quote)}"


def _began(store: Store, match: Match) -> int | None:
    """Return the present seat of the starting player; None if the moves do not show it."""
    game, row = match.rules(), match.row
    seats = range(len(row.names))
    state = game.start(len(seats), row.settings)
    moves = (move for event in standing_from(store, match, 1) for move in event.moves or ())
    for move in (load_move(game, sent) for sent in moves):
        if not isinstance(move, STEPS):
            said = [seat for seat in seats if game.starts(state, seat) is not None]
            fits = [seat for seat in said if move == game.starts(state, seat)]
            first = fits if said else game.to_move(state)
            places, then = seated(match.state, len(seats)), seated(state, len(seats))
            return places.index(then[first[0]]) if len(first) == 1 else None
        state = game.apply(state, move)
    return None
