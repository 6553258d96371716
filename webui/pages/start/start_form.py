"""The form of the start page: what stands in it, and what was sent with it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from scorer import Game, Malformed, NotAMove, settle
from scorer.games import GAMES
from scorer.messages import _
from scorer.values import typed as typed_value
from webui.api.requests import FormFields, load_json
from webui.api.serialize.games import game_view
from webui.errors import NotFound

OFTEN = 3  # settings that are shown; the others are folded
NOBODY = ("", "")  # the rows for names before anybody asks for more


def rows(game: Game[Any, Any], given: FormFields) -> list[str]:
    """Return what stands in the rows for names: as many as were asked for and the game takes."""
    wanted, typed = given.get("players", ""), names(given) or NOBODY
    number = int(wanted) if re.fullmatch(r"\d{1,3}", wanted) else len(typed)
    number = min(max(number, game.seats[0]), game.seats[-1])
    return [*typed, *[""] * number][:number]


def names(form: FormFields) -> list[str]:
    """Return the names as typed, empty ones too."""
    return form.getlist("name")


def game_of(form: FormFields) -> Game[Any, Any]:
    """Return the game that was chosen; raises NotFound."""
    name = form.get("game", "")
    if name not in GAMES:
        raise NotFound(_("There is no such game here. Choose one of those on this page."))
    return GAMES[name]


def fields(game: Game[Any, Any], given: FormFields) -> list[dict[str, Any]]:
    """Return the settings as form fields, those chosen often first.

    A root is a setting that others depend on.
    """
    players = len(rows(game, given))
    offers = [
        offer
        for offer in game_view(game)["settings"]
        if offer["seats"] is None or offer["seats"][0] <= players <= offer["seats"][1]
    ]
    roots = {offer["only_if"][0] for offer in offers if offer["only_if"]}
    often = _often(game, [offer["name"] for offer in offers if not offer["per_seat"]])
    return [
        offer
        | {
            "root": offer["name"] in roots,
            "often": offer["name"] in often,
            "choices": [one | {"value": json.dumps(one["value"])} for one in offer["choices"]],
            "chosen": given.get(f"set.{offer['name']}", json.dumps(offer["default"])),
            "typed": given.get(f"typed.{offer['name']}", ""),
            "seated": _seated(offer, given, players),
            "only_if": offer["only_if"]
            and [offer["only_if"][0], [json.dumps(value) for value in offer["only_if"][1]]],
        }
        for offer in offers
    ]


def _often(game: Game[Any, Any], offered: Sequence[str]) -> Sequence[str]:
    """Return the few of the settings *offered* that are not folded away."""
    return [name for name in game.often if name in offered][:OFTEN] or offered[:OFTEN]


def _seated(offer: dict[str, Any], given: FormFields, players: int) -> list[str]:
    """Return what each player has of a setting of which every player has one.

    Who chose nothing has the usual, or if another chose that, what is nobody's.
    """
    if not offer["per_seat"]:
        return []
    usual = [*offer["default"], *offer["per_seat"]]
    seated = [given.get(f"seat.{offer['name']}.{at}", "") for at in range(players)]
    for at in range(players):
        free = (one for one in (usual[at], *usual[players:]) if one not in seated)
        seated[at] = seated[at] or next(free)
    return seated


def changes(fields: Sequence[dict[str, Any]]) -> list[str]:
    """Return in words what is chosen otherwise than usual."""
    return [
        _says(one)
        for one in fields
        if not one["per_seat"] and (one["typed"] or one["chosen"] != json.dumps(one["default"]))
    ]


def _says(field: dict[str, Any]) -> str:
    says = {choice["value"]: choice["says"] for choice in field["choices"]}
    number = field["typed"] or field["chosen"]
    return str(says.get(number, f"{field['meaning']}: {number}"))


def house(game: Game[Any, Any], form: FormFields) -> dict[str, object]:
    """Return the settings as sent. Raises Malformed where a field is not what the page sends."""
    players, settings = len(names(form)), [setting.name for setting in game.settings]
    try:
        chosen = {
            name: load_json(form[f"set.{name}"]) for name in settings if f"set.{name}" in form
        }
    except ValueError:
        raise Malformed(_("A house rule was left empty. Choose one of its values.")) from None
    for setting in game.settings:
        seated = [form.get(f"seat.{setting.name}.{at}") for at in range(players)]
        if setting.per_seat and all(seated):
            chosen[setting.name] = seated
    typed = {name: form.get(f"typed.{name}", "").strip() for name in settings}
    return chosen | {name: typed_value(text) for name, text in typed.items() if text}


def faulty(game: Game[Any, Any], form: FormFields) -> str | None:
    """Return the name of the first setting whose value as sent cannot be."""
    try:
        chosen = house(game, form)
    except Malformed:
        return None
    for setting in game.settings:
        try:
            settle([setting], {name: chosen[name] for name in [setting.name] if name in chosen})
        except NotAMove:
            return setting.name
    return None
