"""Players' statistics."""

from typing import Annotated, TypedDict

from scorer.games import GAMES
from webui.api.answers.games import GameName, HouseRule, house_rules
from webui.match.statistics.fairness import Fairness
from webui.match.statistics.players import GameFigures, PlayerFigures, Record, Statistics


class GameFiguresView(TypedDict):
    """How a player does in one game by one set of house rules."""

    game: GameName
    settings: Annotated[list[HouseRule], "those that are not the usual ones"]
    played: int
    won: int
    average: Annotated[float, "points of a match"]
    best: Annotated[int, "points of one match: the most, or the fewest where these win"]


class HeadToHeadView(TypedDict):
    """How a player does against another one, in matches that are over; others may win those."""

    name: str
    played: int
    won: int
    lost: Annotated[int, "those that the other one won"]


class PlayerView(TypedDict):
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


class RecordView(TypedDict):
    """The most points that anybody has had in a game."""

    game: GameName
    match_points: int
    match_players: list[str]
    step_points: Annotated[int, "by one step"]
    step_players: list[str]


class DiceView(TypedDict):
    """How often the dice of a colour showed each value, and what that says of them."""

    colour: Annotated[str, '"": it is not known']
    counts: Annotated[list[int], "of 1 to 6"]
    rolls: int
    chi_squared: Annotated[float, "of 5 degrees of freedom"]
    p: Annotated[float, "how likely fair dice differ at least as much"]
    says: str
    power: Annotated[str, "which dice would show by so many rolls"]


class StatisticsView(TypedDict):
    """What matches come to; who has played most comes first."""

    players: list[PlayerView]
    records: list[RecordView]
    dice: list[DiceView]
    overridden: Annotated[int, "matches in which players went on with what the rules forbid"]
    left: Annotated[int, "matches that are not added up yet: ask again"]


def statistics_view(found: Statistics, left: int) -> StatisticsView:
    """Return the statistics of matches, *left* of which are not added up yet."""
    return StatisticsView(
        players=[*map(_player, found.players)],
        records=[*map(_record, found.records)],
        dice=[_dice(Fairness(colour, counts)) for colour, counts in found.dice.items()],
        overridden=found.overridden,
        left=left,
    )


def _player(player: PlayerFigures) -> PlayerView:
    return PlayerView(
        name=player.name,
        played=player.played,
        won=player.won,
        level=player.level,
        lost=player.lost,
        open=player.open,
        streak=player.streak,
        longest=player.longest,
        games=[*map(_game, sorted(player.games.values(), key=lambda one: -one.played))],
        against=[
            HeadToHeadView(name=duel.name, played=duel.played, won=duel.won, lost=duel.lost)
            for duel in sorted(player.against.values(), key=lambda one: -one.played)
        ],
    )


def _game(figures: GameFigures) -> GameFiguresView:
    settings = GAMES[figures.game].settings if figures.game in GAMES else ()
    return GameFiguresView(
        game=GameName(name=figures.game, title=figures.title),
        settings=house_rules(settings, figures.variant),
        played=figures.played,
        won=figures.won,
        average=round(figures.average, 1),
        best=figures.best,
    )


def _record(record: Record) -> RecordView:
    return RecordView(
        game=GameName(name=record.game, title=record.title),
        match_points=record.match_points[0],
        match_players=[*record.match_points[1]],
        step_points=record.step_points[0],
        step_players=[*record.step_points[1]],
    )


def _dice(dice: Fairness) -> DiceView:
    return DiceView(
        colour=dice.colour,
        counts=[*dice.counts],
        rolls=dice.rolls,
        chi_squared=round(dice.chi_squared, 2),
        p=round(dice.p, 4),
        says=dice.says,
        power=dice.power,
    )
