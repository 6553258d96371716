"""The form of the start page: its fields and their values."""

import json
import re
from collections.abc import Sequence
from typing import Any

from scorer import Game, Malformed, NotAMove, settle
from scorer.games import GAMES
from scorer.messages import _
from scorer.values import typed as typed_value
from webui.api.answers.games import SettingView, game_view
from webui.errors import NotFound
from webui.http.bodies import FormFields, load_json

OFTEN = 3  # settings shown; the others are collapsed
NOBODY = ("", "")  # the initial rows for names


def rows(game: Game[Any, Any], given: FormFields) -> list[str]:
    """Return the values of the rows for names: as many as requested and allowed by the game."""
    wanted, typed = given.get("players", ""), names(given) or NOBODY
    number = int(wanted) if re.fullmatch(r"\d{1,3}", wanted) else len(typed)
    number = min(max(number, game.seats[0]), game.seats[-1])
    return [*typed, *[""] * number][:number]


def names(form: FormFields) -> list[str]:
    """Return the typed names, including empty ones."""
    return form.getlist("name")


def game_of(form: FormFields) -> Game[Any, Any]:
    """Return the chosen game; raises NotFound."""
    name = form.get("game", "")
    if name not in GAMES:
        raise NotFound(_("There is no such game here. Choose one of those on this page."))
    return GAMES[name]


def fields(game: Game[Any, Any], given: FormFields) -> list[dict[str, Any]]:
    """Return the settings as form fields, frequently used ones first."""
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
    return [name for name in game.often if name in offered][:OFTEN] or offered[:OFTEN]


def _seated(offer: SettingView, given: FormFields, players: int) -> list[str]:
    """Return each player's value of a setting by seat, else the default or the first free one."""
    if not offer["per_seat"]:
        return []
    usual = [*offer["default"], *offer["per_seat"]]
    seated = [given.get(f"seat.{offer['name']}.{at}", "") for at in range(players)]
    for at in range(players):
        free = (one for one in (usual[at], *usual[players:]) if one not in seated)
        seated[at] = seated[at] or next(free)
    return seated


def changes(fields: Sequence[dict[str, Any]]) -> list[str]:
    """Describe the settings that differ from the defaults."""
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
    """Return the submitted settings. Raises Malformed if a field is not one of the page."""
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
    """Return the name of the first setting with an invalid value."""
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
