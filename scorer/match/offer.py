"""Settings that offer several rounds for any game; the default is a single game."""

from collections.abc import Callable
from typing import Any

from scorer.evening import at_real_tables
from scorer.game import Game
from scorer.match.values import M, Plan, S, SeatPoints, Series
from scorer.messages import Message, _
from scorer.settings import House, Setting, SettingValue

MOST = 64  # players of a tournament
MOST_COACHED = 4  # seats that the coach may take
PAIRS_FROM = 3  # players; two are a match


def of_wins(game: Game[S, M]) -> Callable[[S], SeatPoints]:
    """Return the gains of a match of wins: one for a sole winner."""
    game = at_real_tables(game)

    def gains(round_: S) -> SeatPoints:
        ended = game.result(round_)
        assert ended is not None
        players = range(len(game.score(round_)))
        return tuple(int(ended.winners == (player,)) for player in players)

    return gains


def tournament_plan(game: Game[S, M], house: House) -> Plan:
    """Return the tournament of a game for two: a game won is a point (MT-4, MT-5)."""
    rounds, bye = house["tournament_rounds"], house["bye_points"]
    return Plan(
        rounds, gains=of_wins(game), pairs=True, bye=bye, unit="game", noun="game", rule="MT-4"
    )


def in_rounds(game: Game[S, M], *, sums: bool = False, alternate: bool = False) -> Series[S, M]:
    """Return *game* with settings for a best of three and, where two can play it, a tournament.

    Args:
        game: one round of it.
        sums: its points can be added up over games, and the most win.
        alternate: see `Series`.
    """
    only_two = game.seats[-1] == 2
    seats = range(game.seats[0], (MOST if only_two else game.seats[-1]) + 1)
    length = _length(game, sums)
    match = (length, _games(), *tournament_settings(not only_two))
    settings = (*game.settings, *match, *advice_settings(game))

    def plan(house: House, players: int) -> Plan | None:
        if players not in game.seats or house["match"] == "tournament":
            return tournament_plan(game, house)
        return _plan(game, house)

    return Series(game, settings, seats, plan, alternate=alternate)


def _plan(game: Game[Any, Any], house: House) -> Plan | None:
    games: int = house["match_games"]
    match house["match"]:
        case "best_of_three":
            return Plan(target=2, gains=of_wins(game), unit="game", noun="game", rule="MT-2")
        case "wins":
            return Plan(target=games, gains=of_wins(game), unit="game", noun="game", rule="MT-2")
        case "sum":
            return Plan(games, level="more", unit="point", noun="game", rule="MT-3")
    return None


def _length(game: Game[Any, Any], sums: bool) -> Setting:
    choices: dict[SettingValue, Message] = {
        "single": _("One game"),
        "best_of_three": _("Until somebody has won two games"),
        "wins": _("Until somebody has won an agreed number of games"),
    }
    if sums:
        choices["sum"] = _("An agreed number of games; their points are added up")
    if 2 in game.seats:
        choices["tournament"] = _("A tournament: two at a table, and the winners move on")
    return Setting("match", _("How long you play"), "single", choices, "MT-1")


def _games() -> Setting:
    return Setting(
        "match_games",
        _("Games to win, or to play"),
        3,
        range(1, 22),
        "MT-2",
        only_if=("match", ("wins", "sum")),
    )


def tournament_settings(chosen: bool = False) -> tuple[Setting, Setting]:
    """Return the settings for a tournament's rounds and byes.

    Args:
        chosen: a tournament is chosen as the "match"; otherwise three or more players play one.
    """
    only_if: tuple[str, tuple[SettingValue, ...]] | None = (
        ("match", ("tournament",)) if chosen else None
    )
    seats = None if chosen else range(PAIRS_FROM, MOST + 1)
    return (
        Setting(
            "tournament_rounds",
            _("Tournament: rounds to play"),
            4,
            range(1, 51),
            "MT-4",
            only_if=only_if,
            seats=seats,
        ),
        Setting(
            "bye_points",
            _("Tournament: points for sitting out, with an odd number of players"),
            0,
            {0: _("Nothing"), 1: _("The same as a win")},
            "MT-5",
            only_if=only_if,
            seats=seats,
        ),
    )


def advice_settings(game: Game[Any, Any]) -> tuple[Setting, ...]:
    """Return the settings for a game's coach, () if it has none. They do not affect the tally."""
    if game.coach is None:
        return ()
    seats: dict[SettingValue, Message] = {
        seat: _("Player {number}", number=seat)
        for seat in range(1, min(game.seats[-1], MOST_COACHED) + 1)
    }
    return (
        Setting(
            "advice",
            _("Advice"),
            False,
            {False: _("Nobody may ask for it"), True: _("Anybody may ask what would be best")},
            "MT-6",
        ),
        Setting("coach_plays", _("The coach plays for"), 0, {0: _("Nobody"), **seats}, "MT-7"),
    )
