"""The one view of a match: what the JSON interface answers and what the pages are made from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scorer import (
    Because,
    Difference,
    Doubt,
    Equipment,
    Game,
    Proposal,
    Setting,
    Table,
    dump_move,
    named,
    settle,
)
from scorer.sentence import Spoken
from scorer.values import dump
from webui.amend import Overtaken, Question
from webui.match import Match, Preview, Step, start_score
from webui.store import Event
from webui.told import gains, summary

NO_EQUIPMENT = Equipment()


def match_view(match: Match, root: str) -> dict[str, Any]:
    """Return everything a phone shows of *match*; *root* is the server's address, ending in "/"."""
    names = match.row.names
    game = match.game
    return {
        "id": match.row.id,
        "code": match.row.code,
        "url": f"{root}m/{match.row.id}",
        "join": f"{root}j/{match.row.code}",
        "game": {"name": match.row.game, "title": game.title if game else match.row.game},
        "names": list(names),
        "seats": len(names),
        "created_at": match.row.created_at,
        "settings": _settings(game, match) if game else [],
        "seq": match.seq,
        "version_ok": match.closed is None,
        **_now(match),
        "history": [_step(match, step) for step in match.steps],
        "can_undo": match.closed is None and bool(match.standing),
    }


def _now(match: Match) -> dict[str, Any]:
    """Return how the match stands; without rules to ask, as the phones were told last."""
    if match.closed is not None or match.game is None:
        last = match.standing[-1].score if match.standing else ()
        return {
            "over": False,
            "prompt": match.closed,
            "to_move": [],
            "score": list(last) or [0] * len(match.row.names),
            "notes": [],
            "colours": [],
            "target": None,
            "turn_total": None,
            "result": None,
            "because": [],
            "equipment": equipment_view(NO_EQUIPMENT, match.row.names),
            "board": [],
        }
    game, state, names = match.game, match.state, match.row.names
    result, equipment = game.result(state), game.equipment(state)
    return {
        "over": game.is_over(state),
        "prompt": named(game.prompt(state), names),
        "to_move": list(game.to_move(state)),
        "score": list(game.score(state)),
        "notes": [named(note, names) for note in game.notes(state)],
        "colours": list(game.colours(state)),
        "target": game.target(state),
        "result": result
        and {
            "winners": list(result.winners),
            "why": named(result.why, names),
            "draw": result.draw,
        },
        "turn_total": game.turn_total(state),
        "because": because_view(game.explain(state), names),
        "equipment": equipment_view(equipment, names),
        "board": _pieces(equipment.spots[0].known) if equipment.spots else [],
    }


def _step(match: Match, step: Step) -> dict[str, Any]:
    event = step.event
    photo = match.photos.get(event.sighting) if event.sighting else None
    several = match.game.several if match.game else {}
    return {
        "seq": event.seq,
        "at": event.at,
        "by": event.by,
        "text": list(event.text),
        "summary": summary(event.text, event.moves or (), several, seen=photo is not None),
        "gains": gains(_score_before(match, event), event.score),
        "standing": step.standing,
        "undo_of": step.undo_of,
        "sighting": event.sighting,
        "photo": photo and photo_path(match.row.id, photo),
        "thumbnail": photo and f"/api/matches/{match.row.id}/photos/{photo}/small.jpg",
        "score": list(event.score),
    }


def _score_before(match: Match, event: Event) -> Sequence[int]:
    """Return what the phones were told before *event*; without rules nobody knows the first."""
    if event.seq > 1:
        return match.steps[event.seq - 2].event.score
    return start_score(match) or event.score


def photo_path(match: str, photo: str) -> str:
    """Return where a photo of a match is served."""
    return f"/api/matches/{match}/photos/{photo}.jpg"


def because_view(entries: Sequence[Because], names: Sequence[str]) -> list[dict[str, Any]]:
    """Return the entries of the tally under their headings, the newest heading first."""
    parts: dict[str, list[dict[str, Any]]] = {}
    for entry in entries:
        parts.setdefault(named(entry.part, names), []).append(_line(entry, names))
    return [{"part": part, "lines": lines} for part, lines in reversed(parts.items())]


def _line(entry: Because, names: Sequence[str]) -> dict[str, Any]:
    return {
        "seat": entry.seat,
        "points": entry.points,
        "text": named(entry.text, names),
        "rule": entry.rule,
        "cells": dump(entry.cells),
    }


def equipment_view(equipment: Equipment, names: Sequence[str]) -> dict[str, Any]:
    """Return what is to be photographed, surface by surface."""
    return {
        "board": equipment.board,
        "dice": equipment.dice,
        "colours": dict(equipment.colours),
        "tiles": equipment.tiles,
        "places": list(equipment.places),
        "spots": [
            {
                "title": named(spot.title, names),
                "board": _pieces(spot.known),
                "tiles": [
                    {"halves": dump(tile.halves), "cells": dump(tile.cells), "level": tile.level}
                    for tile in spot.known.tiles
                ],
                "marks": [{"cell": list(one.cell), "mark": one.mark} for one in spot.known.marks],
            }
            for spot in equipment.spots
        ],
    }


def _pieces(table: Table) -> list[dict[str, Any]]:
    return [
        {"cell": dump(die.cell), "value": die.value, "colour": die.colour} for die in table.dice
    ]


def proposal_view(
    proposal: Proposal, preview: Preview | None, names: Sequence[str], doubts: Sequence[Doubt] = ()
) -> dict[str, Any]:
    """Return what a table would mean; *doubts* of the eyes come before those of the rules."""
    return {
        "moves": [dump_move(move) for move in proposal.moves],
        "doubts": [
            _remark(doubt, names) | {"taken": doubt.taken and list(doubt.taken)}
            for doubt in (*doubts, *proposal.doubts)
        ],
        "differences": [_remark(one, names) | {"rule": one.rule} for one in proposal.differences],
        "preview": preview
        and {
            "text": list(preview.text),
            "score": list(preview.score),
            "because": because_view(preview.because, names),
        },
    }


def asked_view(questions: Sequence[Question], overtaken: Overtaken | None = None) -> dict[str, Any]:
    """Return what a person is asked about steps before, and what another phone was first with."""
    return {
        "questions": [
            {"question": one.text, "step": one.step, "move": one.move} for one in questions
        ],
        "overtaken": overtaken and {"step": overtaken.step, "text": list(overtaken.text)},
    }


def _remark(remark: Doubt | Difference, names: Sequence[str]) -> dict[str, Any]:
    return {
        "sentence": named(remark.sentence, names),
        "piece": None if remark.piece is None else list(remark.piece),
    }


# ---------------------------------------------------------------- games and their settings


def game_view(game: Game[Any, Any]) -> dict[str, Any]:
    """Return a game as the start page offers it."""
    return {
        "name": game.name,
        "title": game.title,
        "seats": [game.seats[0], game.seats[-1]],
        "settings": [_offer(setting) for setting in game.settings],
    }


def _offer(setting: Setting) -> dict[str, Any]:
    """Return a setting with its choices; `range` instead of choices for whole numbers."""
    return {
        "name": setting.name,
        "meaning": setting.meaning,
        "default": dump(setting.default),
        "choices": []
        if isinstance(setting.values, range)
        else [{"value": dump(value), "says": says} for value, says in setting.values.items()],
        "range": [setting.values[0], setting.values[-1]]
        if isinstance(setting.values, range)
        else None,
        "open": setting.read is not None,
        "example": setting.example,
        "rule": setting.rule,
        "only_if": dump(setting.only_if),
        "per_seat": list(setting.per_seat),
        "seats": setting.seats and [setting.seats[0], setting.seats[-1]],
    }


def _settings(game: Game[Any, Any], match: Match) -> list[dict[str, Any]]:
    """Return the settings of a match that matter under the others."""
    house = settle(game.settings, match.row.settings)
    return [
        {
            "name": setting.name,
            "value": dump(house[setting.name]),
            "meaning": setting.meaning,
            "says": _says(setting, house[setting.name]),
        }
        for setting in game.settings
        if setting.matters(house, len(match.row.names))
    ]


def _says(setting: Setting, value: Any) -> str:
    if isinstance(setting.values, range):
        return str(value)
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return setting.values.get(value, str(value))


# ---------------------------------------------------------------- moves in words


def moves_view(spoken: Sequence[Spoken]) -> list[dict[str, Any]]:
    """Return moves with their sentences."""
    return [{"words": one.text, "move": dump_move(one.move)} for one in spoken]
