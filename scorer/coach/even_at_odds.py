"""Advice for Even at Odds: which tile to lay where, and which team to choose.

A player's own tiles must be known: entered for one answer, or shown to all. The ways to lay them
that lead furthest two turns on (`even_at_odds_search`) are played to the end with deals of what is
not seen yet (`even_at_odds_deals`). Against a greedy player it won 93.2 % of 400 games (±2.5), and
1.0 % were level (`make strength GAME=even_at_odds N=400 ARGS="--against greedy"`). The solo game is
not worked out.
"""

from collections.abc import Iterator, Sequence

from scorer.advice import ranked
from scorer.coach.even_at_odds_deals import tried, won
from scorer.coach.even_at_odds_search import Situation, WeighedLay, ways
from scorer.coach.even_at_odds_view import TopGroups, laid
from scorer.dominoes import Domino, name, names, surface, twice
from scorer.errors import NoAdvice
from scorer.game import Advice, HandPiece, dump_move
from scorer.games.even_at_odds import board
from scorer.games.even_at_odds.hands import hidden
from scorer.games.even_at_odds.moves import TEAM_NAMES, TEAMS, Choose, Discard, Pass
from scorer.games.even_at_odds.rules import is_over, now
from scorer.games.even_at_odds.state import State
from scorer.games.even_at_odds.words import lay_said
from scorer.messages import Message, _, ngettext
from scorer.words import player


def advise(state: State, hand: Sequence[HandPiece] = ()) -> tuple[Advice, ...]:
    """Return what may be done with the *hand* of the player in turn, the best first.

    Raises NoAdvice at the end of the game, where one plays alone, and if the hand is not known or
    cannot be this player's.
    """
    if is_over(state):
        raise NoAdvice(_("The game is over, so there is nothing to choose."))
    if state.solo:
        raise NoAdvice(_("Advice covers two-player games only; alone you have no opponent."))
    match now(state):
        case "choose":
            return ranked(list(_teams(_own(state, state.chooser, hand))))
        case "turn":
            return _turn(state, _own(state, state.turn, hand))
    return ()


def _own(state: State, seat: int, hand: Sequence[HandPiece]) -> tuple[Domino, ...]:
    """Return the tiles of a hand as entered, or as shown; raises NoAdvice."""
    held, shown = state.held[seat], state.hands[seat]
    if not hand:
        if len(shown) == held:
            return shown
        text = _("{who}'s tiles are unknown: enter all {tiles} in the hand.", **_has(seat, held))
        raise NoAdvice(text)
    tiles, who = tuple(_tile(piece) for piece in hand), player(seat)
    if double := twice(tiles):
        raise NoAdvice(_("There is only one {tile}.", tile=name(double)))
    free = {*hidden(state), *shown}
    if wrong := [tile for tile in tiles if tile not in free]:
        text = _("{who} cannot hold {tiles}: it is somewhere else.", who=who, tiles=names(wrong))
        raise NoAdvice(text)
    if missing := [tile for tile in shown if tile not in tiles]:
        text = _(
            "{who} has shown {tiles}, which is missing from the hand you entered.",
            who=who,
            tiles=names(missing),
        )
        raise NoAdvice(text)
    if len(tiles) != held:
        many = len(tiles)
        raise NoAdvice(
            _("{who} holds {tiles}, but you entered {number}.", number=many, **_has(seat, held))
        )
    return tuple(sorted(tiles))


def _has(seat: int, held: int) -> dict[str, Message]:
    return {"who": player(seat), "tiles": ngettext("{n} tile", "{n} tiles", held)}


def _tile(piece: HandPiece) -> Domino:
    if isinstance(piece, int):
        raise NoAdvice(
            _("Write a hand as its tiles, like 2-6 0-4; {piece} is not a tile.", piece=piece)
        )
    low, high = sorted(piece)
    if not 0 <= low <= high <= 6:
        raise NoAdvice(_("There is no tile {tile} in the box.", tile=name((low, high))))
    return low, high


def _teams(hand: Sequence[Domino]) -> Iterator[Advice]:
    faces = board.by_parity(number for tile in hand for number in tile)
    for team, own, other in zip(TEAMS, faces, faces[::-1], strict=True):
        why = _(
            "Play for the {team}: the hand has {own} of their faces and {other} of the other "
            "team's.",
            team=TEAM_NAMES[team],
            own=own,
            other=other,
        )
        yield Advice(dump_move(Choose(team)), float(own - other), why)


def _turn(state: State, hand: tuple[Domino, ...]) -> tuple[Advice, ...]:
    seat, other = state.turn, 1 - state.turn
    shown = state.hands[other]
    own, team = set(hand), TEAMS.index(state.teams[seat])
    situation = Situation(
        TopGroups(surface(state.laid), state.house),
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
    chances, _deals = won(situation, best)
    advice = [_lay(state, way, team, chance) for way, chance in zip(best, chances, strict=True)]
    return ranked(advice)


def _lay(state: State, way: WeighedLay, team: int, chance: float) -> Advice:
    move = laid(way.option)
    mine, theirs = way.option.sizes[team], way.option.sizes[1 - team]
    odds = _(
        "about {percent:.0f} % to win, estimated from a few deals played to the end",
        percent=100 * chance,
    )
    why = _(
        "{who} {lays}; your largest group is then {mine}, your opponent's {theirs}; {odds}.",
        who=player(state.turn),
        lays=lay_said(state.laid, move, state.house),
        mine=mine,
        theirs=theirs,
        odds=odds,
    )
    return Advice(dump_move(move), chance, why)


def _stuck(state: State, hand: Sequence[Domino]) -> tuple[Advice, ...]:
    """Return passing, or each tile to set aside: best what the own team needs least."""
    if state.house["no_move"] == "pass":
        return (
            Advice(dump_move(Pass()), 0.0, _("Pass: none of {tiles} fits.", tiles=names(hand))),
        )
    team = TEAMS.index(state.teams[state.turn])
    advice = []
    for tile in hand:
        faces = board.by_parity(tile)
        worth = float(faces[1 - team] - faces[team])
        why = _(
            "Set {tile} aside: {number} of its faces are your team's.",
            tile=name(tile),
            number=faces[team],
        )
        advice.append(Advice(dump_move(Discard(tile)), worth, why))
    return ranked(advice)
