"""House rules: the settings of a game, and validation of chosen values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scorer.errors import NotAMove
from scorer.messages import Message, _, as_message, joined, raw
from scorer.values import as_typed, shown

SettingValue = bool | int | str | tuple[Any, ...]
House = Mapping[str, Any]  # all settings of a game by name, validated by `settle`


@dataclass(frozen=True, slots=True)
class Setting:
    """A house rule: a name, a one-line meaning, and its possible values.

    `values` maps each choice to its meaning, or is a range of whole numbers. `read` parses a free
    value (a list of places, for example) or raises ValueError with a sentence; `example` is a typed
    value. `only_if` is another setting with the values for which this one matters, `seats` the
    numbers of players for which it does. `per_seat` are choices of which every player takes one, so
    that the value is a list by seat.
    """

    name: str
    meaning: Message
    default: SettingValue
    values: Mapping[SettingValue, Message] | range = field(default_factory=dict)
    rule: str = ""
    read: Callable[[object], SettingValue] | None = None
    only_if: tuple[str, tuple[SettingValue, ...]] | None = None
    example: str = ""
    seats: range | None = None
    per_seat: tuple[str, ...] = ()

    def matters(self, house: House, seats: int) -> bool:
        """Return True if this setting has an effect with the others and this number of players."""
        if house[self.name] == "" or (self.seats is not None and seats not in self.seats):
            return False
        return self.only_if is None or house[self.only_if[0]] in self.only_if[1]


def choice(
    name: str,
    meaning: Message,
    rule: str,
    values: Mapping[SettingValue, Message] | None = None,
    *,
    only_if: tuple[str, tuple[SettingValue, ...]] | None = None,
    seats: range | None = None,
    **named: Message,
) -> Setting:
    """Return a setting with these values, or with named ones; the first one is the default."""
    words: dict[SettingValue, Message] = dict((*(values or {}).items(), *named.items()))
    return Setting(name, meaning, next(iter(words)), words, rule, only_if=only_if, seats=seats)


def settle(settings: Sequence[Setting], given: Mapping[str, object]) -> House:
    """Return the value of every setting, *given* or default. Raises NotAMove."""
    by_name = {setting.name: setting for setting in settings}
    for name in given:
        if name not in by_name:
            names = raw(", ".join(by_name))
            raise NotAMove(
                _("there is no setting {name}; there are {names}", name=raw(name), names=names)
            )
    return {
        name: _set(setting, given[name]) if name in given else setting.default
        for name, setting in by_name.items()
    }


def _set(setting: Setting, value: object) -> SettingValue:
    if isinstance(setting.values, range):
        if type(value) is int and value in setting.values:
            return value
        low, high = setting.values[0], setting.values[-1]
        raise NotAMove(
            _(
                "{name} is a whole number from {low} to {high}, not {value}",
                name=raw(setting.name),
                low=low,
                high=high,
                value=raw(shown(value)),
            )
        )
    for choice in setting.values:
        if type(choice) is type(value) and choice == value:
            return choice
    if setting.read is not None:
        try:
            return setting.read(value)
        except ValueError as fault:
            sentence = joined(": ", (raw(setting.name), as_message(fault.args[0])))
            raise NotAMove(sentence) from None
    choices, wrong = raw(", ".join(map(as_typed, setting.values))), raw(shown(value))
    raise NotAMove(
        _(
            "{name} is one of {choices}, not {value}",
            name=raw(setting.name),
            choices=choices,
            value=wrong,
        )
    )


def check_seats(game_title: str, seats: range, wanted: object) -> int:
    """Return the number of players if the game allows it; raises NotAMove."""
    if type(wanted) is not int or wanted not in seats:
        raise NotAMove(
            _(
                "{game} is for {first} to {last} players, not {number}",
                game=raw(game_title),
                first=seats[0],
                last=seats[-1],
                number=raw(shown(wanted)),
            )
        )
    return wanted
