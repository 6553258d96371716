"""How rounds make a match: a race of two (PH-6), a tournament (PH-7), one round (PH-10)."""

from scorer.errors import Illegal
from scorer.games.purple_house.moves import Agree, Move
from scorer.games.purple_house.rules import fewest_win, seated
from scorer.games.purple_house.settings import FAIR_BYES, MANY, TARGETS, TWO
from scorer.games.purple_house.state import State
from scorer.match.play import race_over as race_is_over
from scorer.match.values import Plan
from scorer.messages import _
from scorer.settings import House
from scorer.values import changed
from scorer.words import player


def plan(house: House, players: int) -> Plan:
    """Return the plan for a number of players: length and ties (PH-6 to PH-10)."""
    lowest = fewest_win(house)
    if players in MANY:
        return Plan(
            house["tournament_rounds"],
            lowest=lowest,
            level="more" if house["tournament_tie"] == "extra_round" else "draw",
            pairs=True,
            replay_decides=house["tournament_tied_round"] == "replay",
            bye=_bye(house),
            rule="PH-7",
            pairs_rule="PH-7",
            bye_rule="PH-A6",
        )
    if players in TWO and house["match"] == "race":
        usual = house["target"] == "usual"
        return Plan(
            target=TARGETS[house["variant"]] if usual else house["target"],
            lowest=lowest,
            level="draw" if house["race_tie"] == "draw" else "more",
            rule="PH-6",
            pairs_rule="PH-7",
        )
    again = players in TWO and house["single_round_tie"] == "replay"
    return Plan(1, lowest=lowest, replay=again, rule="PH-6", pairs_rule="PH-7")


def _bye(house: House) -> int:
    """Return what sitting out brings: where the fewest points win, nothing would be the most."""
    points: int | str = house["bye_points"]
    if isinstance(points, int):
        return points
    return FAIR_BYES[house["variant"]] if fewest_win(house) else 0


def following(last: State) -> State:
    """Return the empty grid of the same two players, by PH-2 and PH-A4."""
    assert last.starter is not None
    assert last.black is not None
    fresh = State(last.house, last.players)
    starter = None if last.house["later_starts"] == "free" else 1 - last.starter
    match last.house["colours_between_rounds"]:
        case "keep":
            return seated(fresh, starter, last.black)
        case "swap":
            return seated(fresh, starter, 1 - last.black)
        case _:  # the player who does not start chooses, so there must be a starter
            return changed(fresh, starter=1 - last.starter)


def second(played: State) -> int:
    """Return the player who did not start."""
    assert played.starter is not None
    return 1 - played.starter


def inside(move: Move, seats: tuple[int, ...]) -> Move:
    """Return a move with players of the table for seats of the match; raises Illegal."""
    if not isinstance(move, Agree) or len(seats) == 1:
        return move
    for seat in (move.starter, move.black):
        if seat not in seats:
            text = _("{who} is not at this table", who=player(seat))
            raise Illegal(move, text, "PH-2")
    return Agree(seats.index(move.starter), seats.index(move.black), move.table)


def outside(move: Move, seats: tuple[int, ...], table: int) -> Move:
    """Return a move with seats of the match for players of the table."""
    if isinstance(move, Agree):
        return Agree(seats[move.starter], seats[move.black], table)
    return changed(move, table=table)


def starter_of_round(first: int, number: int) -> int:
    """Return the starter of round *number* (from 1) of two players if *first* started (PH-2)."""
    return first if number % 2 else 1 - first


def race_over(
    totals: tuple[int, ...], target: int, lowest: bool = False, race_tie: str = "extra_round"
) -> bool:
    """Return True if a race ends after the rounds so far (PH-6, PH-8, PH-A3)."""
    return race_is_over(totals, target, lowest, "draw" if race_tie == "draw" else "more")
