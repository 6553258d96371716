"""The sheet in words: how each number came about, and what is due."""

from scorer.dominoes import name
from scorer.entry import NOTHING, PadKey, TableEntry, one_of
from scorer.game import Because, Typed
from scorer.games.sum.moves import Enter, Finish, Move, SumEntry
from scorer.games.sum.rules import PHASES
from scorer.games.sum.settings import POINTS
from scorer.games.sum.state import State, between, is_over, of_tile, points
from scorer.messages import Message, _, joined, ngettext
from scorer.words import colour, dice, just, player, players

NAMED = 4  # of whom points are due; of more it is said that all are asked


def explain(state: State) -> tuple[Because, ...]:
    """Return what each entry brought, round by round."""
    return tuple(
        Because(
            entry.seat,
            points(state, entry),
            _("round {number}", number=number),
            working(state, entry),
            "SUM-2" if isinstance(entry, Enter) else "SUM-4" if entry.tiles else "SUM-3",
        )
        for number, entries in enumerate(state.rounds, 1)
        for entry in entries
    )


def working(state: State, entry: SumEntry) -> Message:
    """Return how an entry came about: "4 + 2 + 6 = 12"."""
    if isinstance(entry, Enter):
        return _("{points}, as entered", points=entry.points)
    which = state.house["colour"]
    whose = [] if entry.tiles or which == "any" else [colour(which)]
    if state.house["photo"] == "dice":
        whose += map(just, entry.dice)
        text = dice(len(entry.dice))
    else:
        whose += map(name, entry.tiles)
        parts = [of_tile(state, tile) for tile in entry.tiles] or entry.dice
        sums = joined(" + ", parts)
        text = _("{sum} = {points}", sum=sums, points=sum(parts)) if len(parts) > 1 else sums
    return _("{what}: {sum}", what=joined(" ", whose), sum=text) if whose else text


def prompt(state: State) -> Message:
    """Return what is to be done next, in one sentence."""
    due, number = PHASES.to_move(state), len(state.rounds)
    if len(due) == len(state.columns) > NAMED:
        text = _("all enter the points of round {number}", number=number)
    else:
        text = ngettext(
            "{who} enters the points of round {number}",
            "{who} enter the points of round {number}",
            len(due),
            who=players(due),
            number=number,
        )
    return _("{text}, or you end it here", text=text) if between(state) else text


def describe(state: State, move: Move) -> Message:
    """Return *move*, made in *state*, in words."""
    if isinstance(move, Finish):
        return _("the players end it here")
    if isinstance(move, Enter):
        return _("{who} enters {points}", who=player(move.seat), points=move.points)
    return _("{who} counts {what}", who=player(move.seat), what=working(state, move))


def entry(state: State) -> tuple[TableEntry, ...]:
    """Return the key that ends it between two rounds; the points are typed."""
    if is_over(state):
        return ()
    end = one_of(_("After the last round"), [(PadKey("end", _("End it here")), Finish(), NOTHING)])
    return (TableEntry((end,) * between(state)),)


def typed(state: State) -> tuple[Typed, ...]:
    """Return whose points may be typed now."""
    return tuple(
        Typed(_("Points of {who}", who=player(seat)), Enter(seat, 0), "points", POINTS)
        for seat in PHASES.to_move(state)
    )
