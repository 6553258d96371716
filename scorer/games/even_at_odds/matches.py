"""Even at Odds: several games of two players as a match (EO-9, EO-A10)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from scorer.games.even_at_odds.state import Outcome, State


def game_score(
    groups_by_seat: tuple[int, int], winner: int | None, tiebreak_game_score: int = 0
) -> tuple[int, int]:
    """Return what a game adds to each seat's sum: the difference to the winner (EO-9, EO-A10)."""
    if winner is None:
        return (0, 0)
    points = abs(groups_by_seat[0] - groups_by_seat[1]) or tiebreak_game_score
    return (points, 0) if winner == 0 else (0, points)


def best_of_three(winners: Iterable[int | None]) -> tuple[int | None, int]:
    """Return who has won two games, if anybody, and after how many games; None is a draw (EO-9)."""
    won: Counter[int] = Counter()
    games = 0
    for games, winner in enumerate(winners, start=1):
        if winner is not None:
            won[winner] += 1
            if won[winner] == 2:
                return winner, games
    return None, games


def gained(state: State) -> list[tuple[int, int]]:
    """Return what each finished game of a match added, by seat."""
    if state.house["match"] == "best_of_three":
        return [(int(game.winner == 0), int(game.winner == 1)) for game in state.past]
    tiebreak = state.house["tiebreak_game_score"]
    return [game_score(game.groups, game.winner, tiebreak) for game in state.past]


def tally(state: State) -> tuple[int, int]:
    """Return the games won or the game scores added up, by seat."""
    first, second = (sum(points) for points in zip((0, 0), *gained(state), strict=True))
    return first, second


def decided(state: State) -> bool:
    """Say whether the games played decide the match."""
    match state.house["match"]:
        case "single":
            return True
        case "best_of_three":
            return best_of_three(game.winner for game in state.past)[0] is not None
    first, second = tally(state)
    return len(state.past) >= state.house["match_games"] and first != second


def target(state: State) -> int | None:
    """Return the games that win a best of three; other matches end by their number of games."""
    return 2 if not state.solo and state.house["match"] == "best_of_three" else None


def told(game: Outcome) -> str:
    """Return what decided a game, in words."""
    after = " after the extra turn" if game.extra else ""
    best, other = max(game.groups), min(game.groups)
    if best != other:
        return f"groups of {best} and {other} faces{after}"
    high, low = max(game.tops), min(game.tops)
    if high == low:
        return f"groups of {best} faces each, and as many faces on the top level{after}"
    return f"groups of {best} faces each, and {high} faces to {low} on the top level{after}"
