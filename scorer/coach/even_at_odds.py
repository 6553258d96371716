"""Which tile of Even at Odds to lay, and where; which team to choose with a hand.

A player's own tiles must be known: entered for one answer, or shown to all. The ways to lay them
that lead furthest two turns on (`even_at_odds_search`) are played to the end with deals of what is
not seen yet (`even_at_odds_deals`). The solo game is not worked out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scorer.coach import per_cent, ranked
from scorer.coach.even_at_odds_deals import tried, won
from scorer.coach.even_at_odds_search import Situation, Way, ways
from scorer.coach.even_at_odds_view import View, laid
from scorer.dominoes import Domino, name, names, surface, twice
from scorer.game import Advice, NoAdvice, Piece, dump_move
from scorer.games.even_at_odds import board
from scorer.games.even_at_odds.moves import TEAMS, Choose, Discard, Pass
from scorer.games.even_at_odds.rules import hidden, is_over, now
from scorer.games.even_at_odds.state import State
from scorer.games.even_at_odds.words import lay_said
from scorer.words import counted, player


def advise(state: State, hand: Sequence[Piece] = ()) -> tuple[Advice, ...]:
    """Return what may be done with the *hand* of the player in turn, the best first.

    Raises NoAdvice at the end of the game, where one plays alone, and if the hand is not known or
    cannot be this player's.
    """
    if is_over(state):
        raise NoAdvice("The game is over, so there is nothing to choose.")
    if state.solo:
        raise NoAdvice("Only games of two are worked out; alone you have no opponent.")
    match now(state):
        case "choose":
            return ranked(list(_teams(_own(state, state.chooser, hand))))
        case "turn":
            return _turn(state, _own(state, state.turn, hand))
    return ()


# ---------------------------------------------------------------- the hand


def _own(state: State, seat: int, hand: Sequence[Piece]) -> tuple[Domino, ...]:
    """Return the tiles of a hand as entered, or as shown; raises NoAdvice."""
    held, shown = state.held[seat], state.hands[seat]
    if not hand:
        if len(shown) == held:
            return shown
        all_of = counted(held, "tile")
        raise NoAdvice(f"{player(seat)}'s tiles are not known: enter the hand, {all_of}.")
    tiles = tuple(_tile(piece) for piece in hand)
    if double := twice(tiles):
        raise NoAdvice(f"There is only one {name(double)}.")
    free = {*hidden(state), *shown}
    if wrong := [tile for tile in tiles if tile not in free]:
        raise NoAdvice(f"{player(seat)} cannot hold {names(wrong)}: it is known where that is.")
    if missing := [tile for tile in shown if tile not in tiles]:
        raise NoAdvice(f"{player(seat)} has shown {names(missing)}, which the hand lacks.")
    if len(tiles) != held:
        has = counted(held, "tile")
        raise NoAdvice(f"{player(seat)} has {has}, but the hand has {len(tiles)}.")
    return tuple(sorted(tiles))


def _tile(piece: Piece) -> Domino:
    if isinstance(piece, int):
        raise NoAdvice(f"A hand is its tiles, as 2-6 0-4; {piece} is none.")
    low, high = sorted(piece)
    if not 0 <= low <= high <= 6:
        raise NoAdvice(f"There is no tile {name((low, high))} in the box.")
    return low, high


# ---------------------------------------------------------------- what may be done


def _teams(hand: Sequence[Domino]) -> Iterator[Advice]:
    faces = board.by_parity(number for tile in hand for number in tile)
    for team, own, other in zip(TEAMS, faces, faces[::-1], strict=True):
        why = f"Play for the {team}: the hand has {own} of their faces and {other} of the others'."
        yield Advice(dump_move(Choose(team)), float(own - other), why)


def _turn(state: State, hand: tuple[Domino, ...]) -> tuple[Advice, ...]:
    seat, other = state.turn, 1 - state.turn
    shown = state.hands[other]
    own, team = set(hand), TEAMS.index(state.teams[seat])
    situation = Situation(
        View(surface(state.laid), state.house),
        team,
        hand,
        tuple(tile for tile in hidden(state) if tile not in own),
        shown,
        state.held[other],
        state.stock,
        len(state.laid),
    )
    found = ways(situation)
    if not found:
        return _stuck(state, hand)
    best = tried(situation, found)
    chances, deals = won(situation, best)
    return ranked(
        [_lay(state, way, team, chance, deals) for way, chance in zip(best, chances, strict=True)]
    )


def _lay(state: State, way: Way, team: int, chance: float, deals: int) -> Advice:
    move = laid(way.option)
    mine, theirs = way.option.sizes[team], way.option.sizes[1 - team]
    groups = f"your largest group is then {mine}, the other's {theirs}"
    does = "Stack" if move.cells[0] in surface(state.laid) else "Play"
    where = f"{does} {name(move.tile)}{lay_said(state, move)}"
    odds = f"{per_cent(chance)} to win, by {counted(deals, 'game')} played to the end"
    return Advice(dump_move(move), chance, f"{where}; {groups}; {odds}.")


def _stuck(state: State, hand: Sequence[Domino]) -> tuple[Advice, ...]:
    """Return passing, or each tile to set aside: best what the own team needs least."""
    if state.house["no_move"] == "pass":
        return (Advice(dump_move(Pass()), 0.0, f"Pass: none of {names(hand)} fits."),)
    team = TEAMS.index(state.teams[state.turn])
    advice = []
    for tile in hand:
        faces = board.by_parity(tile)
        worth = float(faces[1 - team] - faces[team])
        why = f"Set {name(tile)} aside: {faces[team]} of its faces are your team's."
        advice.append(Advice(dump_move(Discard(tile)), worth, why))
    return ranked(advice)
