"""The template context of a match's page, in addition to the view of the JSON interface."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from flask import request, url_for
from markupsafe import Markup

from scorer.messages import figure, gain
from webui.api.answers.history import by_part, photo_path, span
from webui.api.answers.match import MatchView, match_view
from webui.http.hosts import address_of
from webui.http.qr import svg
from webui.languages import said
from webui.match import advice, amend, at_table
from webui.match import match as matches
from webui.match.allowed import photographable, playable
from webui.match.match import Match
from webui.match.points import earned_by_step
from webui.match.summary import gains, sentence, standings
from webui.match.taught import board_says, dice_say
from webui.pages.drawings.chart import Chart, chart
from webui.pages.drawings.grid import grid
from webui.pages.drawings.pegs import WIDTH, pegs
from webui.pages.match.entry import entries
from webui.pages.match.last_photo import last_photo
from webui.services import Services
from webui.store.log import Store
from webui.store.taught import TaughtTable

MOST_LINES = 12  # of the history on the page; each step sends them again
MOST_PARTS = 6  # of the tally, such as rounds; a growing page would slow every step
WHOLE_NAMES = 4  # players whose names are written out in the strip of scores
MOST_PLACES = 12  # players who all have a place in it
MOST_DIGITS = 5  # that a tally has sizes for (static/styles/ui.css)


def tally(services: Services, match: Match, track: int = WIDTH) -> dict[str, Any]:
    """Return the tally for a match's pages; *track* is the width of the peg track."""
    view = newest_parts(match_view(match, services.root, earned=True))
    played = rounds(match, view)
    earned = earned_by_step(match)  # a damaged match may have none
    seats = max(map(len, earned), default=len(view["names"]))
    scores = [(*points, *[0] * (seats - len(points))) for points in earned or [()]]
    gains = last_gains(scores, view["seats"])
    return {
        "view": view,
        "means": match.game.colour_means if match.game else {},
        "rounds": played,
        "gains": gains,
        "gained_in": played[0]["part"]
        if played and [gain or 0 for gain in played[0]["gains"]] == gains
        else "",
        "digits": min(max(len(str(points)) for points in view["score"]), MOST_DIGITS),
        "pegs": pegs(view["names"], view["score"], gains, view["target"], track),
        "photo": last_photo(services.store, match, view),
        "chart": _chart(match, view, scores),
    }


def _chart(match: Match, view: dict[str, Any], scores: Sequence[Sequence[int]]) -> Chart | None:
    stands = match.standing()
    lowest, can_win = (stands.lowest, stands.can_win) if stands else (False, ())
    return chart(view["names"], scores, view["target"], lowest=lowest, can_win=can_win)


def newest_parts(view: MatchView) -> dict[str, Any]:
    """Return a view with the newest parts of the explanation; the rest is loaded on demand."""
    parts = view["because"][:MOST_PARTS]
    older = view["older_because"] or len(parts) < len(view["because"])
    return {**view, "because": parts, "older_because": older}


def shown(services: Services, match: Match) -> dict[str, Any]:
    """Return the context of a match's page without its forms."""
    drawn, store = tally(services, match), services.store
    stands = match.standing()
    lowest = bool(stands and stands.lowest)
    view = drawn["view"]
    changes = store.asked.of(match.row.id).changes  # first: the questions read later are not older
    asked = services.cameras.rolls.asked(match)
    reasons = [why(view, seat) for seat in range(view["seats"])]
    return {
        **drawn,
        "grid": grid(view["equipment"]["board"]),
        "places": strip(view, lowest=lowest),
        "lowest": lowest,
        "screen": match.row.screen,
        "questions": amend.questions(store, match),
        "why": reasons,
        "earlier": [earlier(view, seat, parts) for seat, parts in enumerate(reasons)],
        "table": table(view, match, store.rematch(match.row.id))
        | {
            "asked": changes,
            "taught": taught_says(store, match.row.id),
            "seen": playable(match) and services.eyes.reads(matches.equipment(match)),
            "learns": services.eyes.learns,
            "camera": services.settings.camera is not None,
            "https": services.secure and services.secure.port,
        },
        "learns": services.eyes.learns,
        "asked": asked,
        "beside": at_table.takes_steps(match),
        "asked_photo": asked and address_of(photo_path(match.row.id, asked.photo)),
        "advised": playable(match) and advice.agreed(match),
        "coach": advice.coach_turn(match),
        "entries": entries(match, request.args.get("key", "")),
        "most_lines": MOST_LINES,
        "announce": announcement(view, view["history"][-1]["summary"] if view["history"] else ""),
        "qr": Markup(svg(view["join"])),  # noqa: S704  # our own drawing of our own address
    }


def taught_says(store: Store, match_id: str) -> dict[str, str]:
    """Return sentences about the taught dice and board of a match, by where they are shown."""
    return {
        "pieces": dice_say(TaughtTable(store, "dice").used(match_id)),
        "taught-board": board_says(TaughtTable(store, "board").used(match_id)),
    }


def table(view: dict[str, Any], match: Match, rematch: str | None) -> dict[str, Any]:
    """Return the data of the match for scripts."""
    newest = view["because"][0]["lines"] if view["because"] else []
    return {
        **{
            name: view[name]
            for name in (
                *("seq", "names", "colours", "equipment"),
                *("score", "to_move", "can_undo", "over"),
            )
        },
        "photographable": photographable(match),
        "title": view["game"]["title"],
        "own": match.game
        and match.game.own
        and match.game.own.__name__,  # the move that says "mine"
        "next": rematch,
        "newest": [[line["text"], line["cells"]] for line in newest],
    }


def rounds(match: Match, view: dict[str, Any], before: int | None = None) -> list[dict[str, Any]]:
    """Return the shown parts of the tally, the newest first, with the gains of each seat."""
    every = race(match)
    first, last = span(len(every), before)
    names = view["names"]
    return [
        {
            "part": part["part"],
            "gains": gains,
            "totals": totals,
            "says": ", ".join(
                f"{name} {figure(points)}"
                for name, points in zip(names, gains, strict=True)
                if points is not None
            ),
        }
        for part, (gains, totals) in zip(view["because"], every[first:last][::-1], strict=False)
    ]


def race(match: Match) -> list[tuple[list[int | None], list[int]]]:
    """Return the gains and totals of each seat for each part of the tally, oldest first."""
    totals, standings = [0] * len(match.names), []
    for _, lines in by_part(() if match.closed else match.because_earned()):
        gains: list[int | None] = [None] * len(totals)
        for line in lines:
            if line.seat is not None:
                gains[line.seat] = (gains[line.seat] or 0) + line.points
        totals = [total + (gain or 0) for total, gain in zip(totals, gains, strict=True)]
        standings.append((gains, totals))
    return standings


def last_gains(scores: Sequence[Sequence[int]], seats: int) -> list[int]:
    """Return each seat's gain in the last change of the score; *scores* are oldest first."""
    if len(scores) < 2:
        return [0] * seats
    return gains(scores[-2], scores[-1])


def why(view: dict[str, Any], seat: int) -> list[dict[str, Any]]:
    """Return the lines that explain the score of a seat by part, newest first."""
    parts = [
        (part["part"], [line for line in part["lines"] if line["seat"] == seat])
        for part in view["because"]
    ]
    return [
        {"part": name, "points": sum(line["points"] for line in lines), "lines": lines}
        for name, lines in parts
        if lines
    ]


def earlier(view: Mapping[str, Any], seat: int, parts: Sequence[Mapping[str, Any]]) -> int:
    """Return the points of a seat before those parts."""
    points: int = view["score"][seat] - sum(part["points"] for part in parts)
    return points


def announcement(view: dict[str, Any], stored: str) -> str:
    """Return the announcement for screen readers after a step: moves, score, what is next."""
    last_step = f"{sentence(stored, '.')} " if stored else ""
    facts = view["names"], view["score"], view["to_move"], view["turn_total"]
    tally = ", ".join(map(said, standings(*facts)))
    return f"{last_step}{tally}. {sentence(view['prompt'], '.')}"


def as_result(score: Sequence[int]) -> str:
    """Return "18 : 14", without line breaks for two players."""
    return ("\u00a0:\u00a0" if len(score) == 2 else "\u00a0: ").join(map(figure, score))


def gained(gains: Sequence[int], names: Sequence[str]) -> str:
    """Return the changes of points, "Ana +4, Ben −1"; "" if nothing changed."""
    gainers = [(name, points) for name, points in zip(names, gains, strict=False) if points]
    return ", ".join(f"{name} {gain(points)}" for name, points in gainers)


def came_from(match_id: str) -> str:
    """Return the page that led to this one, by default that of the match."""
    page = urlsplit(request.referrer or "")
    if page.netloc != request.host or page.path == request.script_root + request.path:
        return url_for("pages.match_page", match_id=match_id)
    return urlunsplit(("", "", *page[2:]))


def typed_number(made: str) -> str:
    """Return what was typed for a move into a form that was refused."""
    sent = request.values  # a correction is asked for, not posted
    typed = zip(sent.getlist("made"), sent.getlist("number"), strict=False)
    return dict(typed).get(made, "")


@dataclass(frozen=True, slots=True)
class ScorePlace:
    """A seat's place: its name, in *short* where there is no room for it."""

    seat: int
    name: str
    short: str
    points: int
    moves: bool
    shown: bool = True  # to every phone, not only to those that hold the seat


def strip(view: Mapping[str, Any], *, lowest: bool = False) -> list[ScorePlace]:
    """Return the places in the strip: of many players who moves and who leads are shown first."""
    names, score = view["names"], view["score"]
    shorts = names if len(names) <= WHOLE_NAMES else short(names)
    every = [
        ScorePlace(seat, name, shorts[seat], score[seat], seat in view["to_move"])
        for seat, name in enumerate(names)
    ]
    if len(every) <= MOST_PLACES:
        return every
    best = (min if lowest else max)(every, key=lambda place: place.points)
    moving = next((place for place in every if place.moves), best)
    first = list(dict.fromkeys((moving, best)))
    return first + [replace(place, shown=False) for place in every if place not in first]


def short(names: Sequence[str]) -> list[str]:
    """Return two letters of each name: different ones as long as the names allow it.

    >>> short(["Ana", "Anton", "Ben", "Li"])
    ['An', 'At', 'Be', 'Li']
    """
    taken = list[str]()
    for name in names:
        pairs = itertools.chain((name[0] + letter for letter in name[1:]), (name[:2],))
        taken.append(next((pair for pair in pairs if pair not in taken), name[:2]))
    return taken
