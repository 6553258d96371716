"""The games, their settings, and those of a match, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorer import Game, Setting, settle
from scorer.messages import _
from scorer.values import dump
from scorer.words import colour
from webui.api.answers import plain
from webui.api.answers.games import GameView, SettingChoice, SettingView
from webui.api.answers.match import HouseRule
from webui.languages import said

if TYPE_CHECKING:  # the command that lists games opens no store
    from webui.match.match import Match


def game_view(game: Game[Any, Any]) -> dict[str, Any]:
    """Return a game as the start page offers it."""
    settings = [_offer(setting) for setting in game.settings]
    seats = [game.seats[0], game.seats[-1]]
    return plain(GameView(game.name, game.title, seats, settings))


def _offer(setting: Setting) -> SettingView:
    return SettingView(
        name=setting.name,
        meaning=said(setting.meaning),
        default=dump(setting.default),
        choices=[]
        if isinstance(setting.values, range)
        else [SettingChoice(dump(value), said(says)) for value, says in setting.values.items()],
        range=[setting.values[0], setting.values[-1]]
        if isinstance(setting.values, range)
        else None,
        open=setting.read is not None,
        example=setting.example,
        rule=setting.rule,
        only_if=dump(setting.only_if),
        per_seat=list(setting.per_seat),
        seats=None if setting.seats is None else [setting.seats[0], setting.seats[-1]],
    )


def settings_view(game: Game[Any, Any], match: Match) -> list[HouseRule]:
    """Return the settings of a match that matter under the others."""
    if match.closed is not None:  # perhaps for a setting that is not known here
        by_name = {setting.name: setting for setting in game.settings}
        return [
            HouseRule(
                name=name,
                value=value,
                meaning=said(by_name[name].meaning) if name in by_name else name,
                says=value_says(by_name.get(name), value),
            )
            for name, value in match.row.settings.items()
        ]
    house = settle(game.settings, match.row.settings)
    return [
        HouseRule(
            name=setting.name,
            value=dump(house[setting.name]),
            meaning=said(setting.meaning),
            says=value_says(setting, house[setting.name]),
        )
        for setting in game.settings
        if setting.matters(house, len(match.row.names))
    ]


def value_says(setting: Setting | None, value: Any) -> str:
    """Return a value in words, one from JSON too, or as it is where the setting is not known."""
    choices = () if setting is None or isinstance(setting.values, range) else setting.values.items()
    for choice, says in choices:
        if value in (choice, dump(choice)):
            return said(says)
    if isinstance(value, (tuple, list)):
        return ", ".join(said(colour(one)) if isinstance(one, str) else str(one) for one in value)
    return str(value) or said(_("none"))
