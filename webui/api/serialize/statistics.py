"""Players' statistics as the JSON interface answers them."""

from __future__ import annotations

from typing import Any

from scorer.games import GAMES
from webui.api.answers import plain
from webui.api.answers.match import GameName, HouseRule
from webui.api.answers.statistics import (
    DiceView,
    GameFiguresView,
    HeadToHeadView,
    PlayerView,
    RecordView,
    StatisticsView,
)
from webui.api.serialize.games import value_says
from webui.languages import said
from webui.match.statistics.fairness import Fairness
from webui.match.statistics.players import GameFigures, PlayerFigures, Record, Statistics


def statistics_view(found: Statistics, left: int) -> dict[str, Any]:
    """Return what matches come to; so many are *left* to be added up."""
    dice = [_dice(Fairness(colour, counts)) for colour, counts in found.dice.items()]
    players, records = [*map(_player, found.players)], [*map(_record, found.records)]
    return plain(StatisticsView(players, records, dice, found.overridden, left))


def _player(player: PlayerFigures) -> PlayerView:
    games = sorted(player.games.values(), key=lambda one: -one.played)
    against = sorted(player.against.values(), key=lambda one: -one.played)
    return PlayerView(
        player.name,
        player.played,
        player.won,
        player.level,
        player.lost,
        player.open,
        player.streak,
        player.longest,
        [*map(_game, games)],
        [HeadToHeadView(duel.name, duel.played, duel.won, duel.lost) for duel in against],
    )


def _game(figures: GameFigures) -> GameFiguresView:
    return GameFiguresView(
        GameName(figures.game, figures.title),
        _settings(figures),
        figures.played,
        figures.won,
        round(figures.average, 1),
        figures.best,
    )


def _settings(figures: GameFigures) -> list[HouseRule]:
    settings = GAMES[figures.game].settings if figures.game in GAMES else ()
    by_name = {setting.name: setting for setting in settings}
    return [
        HouseRule(
            name=name,
            value=value,
            meaning=said(by_name[name].meaning) if name in by_name else name,
            says=value_says(by_name.get(name), value),
        )
        for name, value in figures.variant.items()
    ]


def _record(record: Record) -> RecordView:
    (match_points, match_players), (step_points, step_players) = (
        record.match_points,
        record.step_points,
    )
    game = GameName(record.game, record.title)
    return RecordView(game, match_points, [*match_players], step_points, [*step_players])


def _dice(dice: Fairness) -> DiceView:
    chi_squared, p = round(dice.chi_squared, 2), round(dice.p, 4)
    return DiceView(dice.colour, [*dice.counts], dice.rolls, chi_squared, p, dice.says, dice.power)
