"""Even at Odds in words: what is to be done, what a move was, how the tally came about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scorer.dominoes import Lay, Top, drawn, name, names, surface
from scorer.game import Because, House, Result
from scorer.games.even_at_odds import board, moves, rules
from scorer.games.even_at_odds.moves import TEAMS, Move, Team
from scorer.games.even_at_odds.state import Outcome, State
from scorer.table import Cell
from scorer.words import counted, player


def result(state: State) -> Result | None:
    """Return who won and why, None while the game goes on. A solo game is lost or counted."""
    if not rules.is_over(state):
        return None
    if state.lost:
        return Result((), f"lost: {state.lost}")
    if (game := state.outcome) is None:
        return Result((0,), f"the final score is {rules.score(state)[0]}; 0 is perfect")
    if game.winner is None:
        return Result((0, 1), f"a draw: {_told(game)}", draw=True)
    return Result((game.winner,), f"{player(game.winner)} wins: {_told(game)}")


def _told(game: Outcome) -> str:
    """Return what decided a game, in words (EO-8)."""
    after = " after the extra turn" if game.extra else ""
    best, other = max(game.groups), min(game.groups)
    if best != other:
        return f"groups of {best} and {other} faces{after}"
    high, low = max(game.tops), min(game.tops)
    if high == low:
        return f"groups of {best} faces each, and as many faces on the top level{after}"
    return f"groups of {best} faces each, and {high} faces to {low} on the top level{after}"


def explain(state: State) -> tuple[Because, ...]:
    """Return what decided the game, and the groups that count."""
    top = surface(state.laid)
    if state.solo:
        return solo_entries(top, state.house)
    if not state.teams:
        return ()
    part, whose = "groups", [f"{player(seat)}'s " for seat in (0, 1)]
    decided = state.outcome and Because(None, 0, part, _told(state.outcome), "EO-8")
    groups = group_entries(top, state.house, part, state.teams, whose, counts=True)
    return (*([decided] if decided else ()), *groups, tie_entry(top, part))


def group_entries(
    top: Top, house: House, part: str, teams: Sequence[Team], whose: Sequence[str], *, counts: bool
) -> Iterator[Because]:
    """Yield the largest group of each team, and of whom it is (EO-7)."""
    found = board.groups(top, house["group_levels"])
    for seat, team in enumerate(teams):
        group: tuple[Cell, ...] = next(iter(found[team]), ())
        text = f"{whose[seat]}largest group of {team}: {counted(len(group), 'face')}"
        yield Because(seat if counts else None, len(group) * counts, part, text, "EO-7", group)


def tie_entry(top: Top, part: str) -> Because:
    """Return what would break a tie (EO-8)."""
    level, faces = board.top_level(top)
    even, odd = board.by_parity(faces)
    text = f"a tie would be broken on level {level}: evens {even}, odds {odd}"
    return Because(None, 0, part, text, "EO-8")


def solo_entries(top: Top, house: House) -> tuple[Because, ...]:
    """Return what makes the solo score."""
    evens, odds = board.largest(top, house["group_levels"])
    text = f"largest groups: evens {evens}, odds {odds}, two points a face of difference"
    alone = board.isolated(top, house)
    return (
        Because(0, 2 * abs(evens - odds), "largest groups", text, "EO-10"),
        *(
            Because(0, 1, "isolated groups", f"{team}: {counted(len(g), 'face')}", "EO-A11", g)
            for team in TEAMS
            for g in alone[team]
        ),
    )


def draw(state: State) -> tuple[str, ...]:
    """Return the view from above as text."""
    return (drawn(surface(state.laid)),)


def prompt(state: State) -> str:
    """Return what is to be done next, in one sentence."""
    if ended := result(state):
        return ended.why
    match rules.now(state):
        case "flip":
            again = " again: the flips were level" if state.flips else " for the start"
            return f"each player flips a tile{again}"
        case "choose":
            return f"{player(state.chooser)} chooses evens or odds"
        case "draw":
            return "draw three tiles"
        case "solo":
            return _solo_prompt(state)
    who = player(state.turn)
    if _is_stuck(state):
        act = "passes" if state.house["no_move"] == "pass" else "sets a tile aside"
        return f"{who} has no move and {act}"
    if state.extra:
        return f"level: {who} takes one of the two removed tiles and lays it"
    return f"{who} lays a tile and draws one" if state.stock else f"{who} lays a tile"


def _is_stuck(state: State) -> bool:
    where = list(board.places(surface(state.laid), state.house))
    return rules.known(state) and rules.stuck(state, where)


def _solo_prompt(state: State) -> str:
    hand = names(state.hands[0])
    if not _is_stuck(state):
        return f"lay {hand}" + (" in any order" if len(state.hands[0]) > 1 else "")
    helper = "use the helper or " if rules.may_exchange(state.helped, state.stock) else ""
    return f"{hand} cannot be laid: {helper}pass"


def describe(state: State, move: Move) -> str:
    """Return *move*, made in *state*, in words."""
    who = player(state.turn)
    match move:
        case moves.Flip(first, second):
            starter = rules.starter_of([(first, second)])
            then = "level" if starter is None else f"{player(starter)} starts"
            return f"player 1 flips {name(first)}, player 2 flips {name(second)}: {then}"
        case moves.Agree(starter, evens):
            return f"{player(starter)} starts, {player(evens)} plays for the evens"
        case moves.Choose(team):
            return f"{player(state.chooser)} plays for the {team}"
        case moves.Show(seat, tile):
            return f"{player(seat)} holds {name(tile)}"
        case Lay(tile, (p, _)):
            does = "stacks" if p in surface(state.laid) else "plays"
            return f"{who} {does} {name(tile)}{lay_said(state, move)}"
        case moves.Pass():
            return f"{who} has no move and passes"
        case moves.Discard(tile):
            return f"{who} has no move and sets {name(tile)} aside"
        case moves.Draw(tiles):
            return f"{who} draws {names(tiles)}"
        case moves.Exchange(back, drawn):
            return f"{who} turns the helper over: {name(back)} goes back, {name(drawn)} comes"


def lay_said(state: State, lay: Lay) -> str:
    """Return where a tile is laid: " on level 2: 4 on row 1, column 2, 6 on row 1, column 3"."""
    (a, b), (p, q) = lay.tile, lay.cells
    below = surface(state.laid).get(p)
    level = f" on level {below.level + 1}" if below else ""
    return f"{level}: {a} on {_cell(p)}, {b} on {_cell(q)}"


def _cell(cell: Cell) -> str:
    """Return a cell counted from the foundation's upper left, which is row 1, column 1."""
    row, column = cell
    down = f"row {row + 1}" if row >= 0 else f"{-row} above row 1"
    return f"{down}, column {column + 1}" if column >= 0 else f"{down}, {-column} left of column 1"
