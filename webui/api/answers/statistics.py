"""Players' statistics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from webui.api.answers.match import GameName, HouseRule


@dataclass(frozen=True, slots=True)
class GameFiguresView:
    """How a player does in one game by one set of house rules."""

    game: GameName
    settings: Annotated[list[HouseRule], "those that are not the usual ones"]
    played: int
    won: int
    average: Annotated[float, "points of a match"]
    best: Annotated[int, "points of one match: the most, or the fewest where these win"]


@dataclass(frozen=True, slots=True)
class HeadToHeadView:
    """How a player does against another one, in matches that are over; others may win those."""

    name: str
    played: int
    won: int
    lost: Annotated[int, "those that the other one won"]


@dataclass(frozen=True, slots=True)
class PlayerView:
    """How a player does in all matches with a result."""

    name: Annotated[str, "as it was written last"]
    played: int
    won: Annotated[int, "alone"]
    level: Annotated[int, "a draw"]
    lost: int
    open: Annotated[int, "matches without a result: not over, or ended early"]
    streak: Annotated[int, "matches won in a row, up to the last one"]
    longest: Annotated[int, "matches won in a row, at most"]
    games: list[GameFiguresView]
    against: list[HeadToHeadView]


@dataclass(frozen=True, slots=True)
class RecordView:
    """The most points that anybody has had in a game."""

    game: GameName
    match_points: int
    match_players: list[str]
    step_points: Annotated[int, "by one step"]
    step_players: list[str]


@dataclass(frozen=True, slots=True)
class DiceView:
    """How often the dice of a colour showed each value, and what that says of them."""

    colour: Annotated[str, '"": it is not known']
    counts: Annotated[list[int], "of 1 to 6"]
    rolls: int
    chi_squared: Annotated[float, "of 5 degrees of freedom"]
    p: Annotated[float, "how likely fair dice differ at least as much"]
    says: str
    power: Annotated[str, "which dice would show by so many rolls"]


@dataclass(frozen=True, slots=True)
class StatisticsView:
    """What matches come to; who has played most comes first."""

    players: list[PlayerView]
    records: list[RecordView]
    dice: list[DiceView]
    overridden: Annotated[int, "matches in which players went on with what the rules forbid"]
    left: Annotated[int, "matches that are not added up yet: ask again"]
