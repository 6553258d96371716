"""Even at Odds: several games as a match of two, or a tournament (EO-9, EO-A10)."""

from collections.abc import Callable

from scorer.game import Game
from scorer.games.even_at_odds.rules import start
from scorer.games.even_at_odds.settings import SEATS
from scorer.games.even_at_odds.state import State
from scorer.match.offer import MOST, advice_settings, of_wins, tournament_plan
from scorer.match.values import Plan, Series
from scorer.settings import House
from scorer.values import changed


def game_score(
    groups_by_seat: tuple[int, int], winner: int | None, tiebreak_game_score: int = 0
) -> tuple[int, int]:
    """Return what a game adds to each seat's sum: the difference to the winner (EO-9, EO-A10)."""
    if winner is None:
        return (0, 0)
    points = abs(groups_by_seat[0] - groups_by_seat[1]) or tiebreak_game_score
    return (points, 0) if winner == 0 else (0, points)


def series(game: Game[State, object]) -> Series[State, object]:
    """Return the plan of a match; None for a single game."""
    seats = range(SEATS[0], MOST + 1)
    settings = (*game.settings, *advice_settings(game))
    return Series(game, settings, seats, _plans(game), following=_following)


def _plans(game: Game[State, object]) -> Callable[[House, int], Plan | None]:
    won = of_wins(game)

    def plan(house: House, players: int) -> Plan | None:
        if players not in SEATS:
            return tournament_plan(game, house)
        match house["match"] if players == 2 else "single":
            case "best_of_three":
                return Plan(target=2, gains=won, unit="game", noun="game", rule="EO-9")
            case "game_scores":
                games: int = house["match_games"]
                return Plan(
                    games, gains=_gains, level="more", unit="point", noun="game", rule="EO-9"
                )
        return None

    return plan


def _gains(state: State) -> tuple[int, int]:
    assert state.outcome is not None
    tiebreak = state.house["tiebreak_game_score"]
    return game_score(state.outcome.groups, state.outcome.winner, tiebreak)


def _following(last: State) -> State:
    """Return the next game of the same players, which has its own flip (EO-3)."""
    return changed(start(2, last.house), later=True)
