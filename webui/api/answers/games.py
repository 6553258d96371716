"""The games, their settings, and those of a match, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

from scorer import Game, Setting, settle
from scorer.messages import _
from scorer.values import dump
from scorer.words import colour
from webui.languages import said

if TYPE_CHECKING:  # the command that lists games opens no store
    from webui.match.match import Match


class SettingChoice(TypedDict):
    """A value of a setting and its meaning."""

    value: Any
    says: str


class SettingView(TypedDict):
    """A setting with its choices; `range` instead of choices for whole numbers."""

    name: str
    meaning: str
    default: Any
    choices: list[SettingChoice]
    range: list[int] | None
    open: Annotated[bool, "other values may be given too"]
    example: Annotated[str, "such a value, as a person types it"]
    rule: str
    only_if: Annotated[list[Any] | None, "another setting, and its values that make this matter"]
    per_seat: Annotated[
        list[str], "words of which each player takes one; the value lists one a seat"
    ]
    seats: Annotated[list[int] | None, "fewest and most players with whom it matters"]


class GameView(TypedDict):
    """A game as the start page offers it."""

    name: str
    title: str
    seats: Annotated[list[int], "fewest and most players"]
    settings: list[SettingView]


class Games(TypedDict):
    """The games there are."""

    games: list[GameView]


class GameName(TypedDict):
    """Which game is played."""

    name: str
    title: str


class HouseRule(TypedDict):
    """A setting of a match, with its value in words."""

    name: str
    value: Any
    meaning: str
    says: str


def game_view(game: Game[Any, Any]) -> GameView:
    """Return a game as the start page offers it."""
    settings = [_offer(setting) for setting in game.settings]
    seats = [game.seats[0], game.seats[-1]]
    return GameView(name=game.name, title=game.title, seats=seats, settings=settings)


def _offer(setting: Setting) -> SettingView:
    values, seats = setting.values, setting.seats
    return SettingView(
        name=setting.name,
        meaning=said(setting.meaning),
        default=dump(setting.default),
        choices=[]
        if isinstance(values, range)
        else [SettingChoice(value=dump(one), says=said(says)) for one, says in values.items()],
        range=[values[0], values[-1]] if isinstance(values, range) else None,
        open=setting.read is not None,
        example=setting.example,
        rule=setting.rule,
        only_if=dump(setting.only_if),
        per_seat=list(setting.per_seat),
        seats=None if seats is None else [seats[0], seats[-1]],
    )


def settings_view(game: Game[Any, Any], match: Match) -> list[HouseRule]:
    """Return the settings of a match that matter under the others."""
    if match.closed is not None:
        return house_rules(game.settings, match.row.settings)
    house = settle(game.settings, match.row.settings)
    return [
        _house_rule(setting.name, house[setting.name], setting)
        for setting in game.settings
        if setting.matters(house, len(match.row.names))
    ]


def house_rules(settings: Sequence[Setting], values: Mapping[str, Any]) -> list[HouseRule]:
    """Return stored values in words, also those of settings that are not known here."""
    by_name = {setting.name: setting for setting in settings}
    return [_house_rule(name, value, by_name.get(name)) for name, value in values.items()]


def _house_rule(name: str, value: Any, setting: Setting | None) -> HouseRule:
    meaning = said(setting.meaning) if setting else name
    return HouseRule(name=name, value=dump(value), meaning=meaning, says=value_says(setting, value))


def value_says(setting: Setting | None, value: Any) -> str:
    """Return a value in words, one from JSON too, or as it is where the setting is not known."""
    choices = () if setting is None or isinstance(setting.values, range) else setting.values.items()
    for choice, says in choices:
        if value in (choice, dump(choice)):
            return said(says)
    if isinstance(value, (tuple, list)):
        return ", ".join(said(colour(one)) if isinstance(one, str) else str(one) for one in value)
    return str(value) or said(_("none"))
