"""Games and their settings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any


@dataclass(frozen=True, slots=True)
class SettingChoice:
    """A value of a setting and its meaning."""

    value: Any
    says: str


@dataclass(frozen=True, slots=True)
class SettingView:
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


@dataclass(frozen=True, slots=True)
class GameView:
    """A game as the start page offers it."""

    name: str
    title: str
    seats: Annotated[list[int], "fewest and most players"]
    settings: list[SettingView]


@dataclass(frozen=True, slots=True)
class Games:
    """The games there are."""

    games: list[GameView]
