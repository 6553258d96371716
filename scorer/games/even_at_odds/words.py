"""Even at Odds in words: what is to be done, what a move was, how the tally came about."""

from collections.abc import Iterator, Sequence

from scorer.dominoes import Lay, TopFace, TopView, drawn, name, names, surface
from scorer.game import Because, Result
from scorer.games.even_at_odds import board, hands, moves, rules, solo
from scorer.games.even_at_odds.board import BITS
from scorer.games.even_at_odds.moves import TEAM_NAMES, Move, Team
from scorer.games.even_at_odds.state import Outcome, State
from scorer.messages import Message, _
from scorer.settings import House
from scorer.table import Cell
from scorer.words import just, player


def result(state: State) -> Result | None:
    """Return who won and why, None while the game goes on. A solo game is lost or counted."""
    if not rules.is_over(state):
        return None
    if state.lost:
        return Result((), _("lost: {why}", why=solo.lost(state)))
    if (game := state.outcome) is None:
        points = solo.points(state)
        return Result((0,), _("the final score is {points}; 0 is perfect", points=points))
    if game.winner is None:
        return Result((0, 1), _("a draw: {why}", why=_decided(game)), draw=True)
    why = _("{who} wins: {why}", who=player(game.winner), why=_decided(game))
    return Result((game.winner,), why)


def _decided(game: Outcome) -> Message:
    best, other = max(game.groups), min(game.groups)
    high, low = max(game.tops), min(game.tops)
    if best != other:
        text = _("groups of {best} and {other} faces", best=best, other=other)
    elif high == low:
        text = _("groups of {best} faces each, and as many faces on the top level", best=best)
    else:
        text = _(
            "groups of {best} faces each, and {high} faces to {low} on the top level",
            best=best,
            high=high,
            low=low,
        )
    return _("{text} after the extra turn", text=text) if game.extra else text


def explain(state: State) -> tuple[Because, ...]:
    """Return what decided the game, and the groups that count."""
    top = surface(state.laid)
    if state.solo:
        return solo.entries(top, state.house)
    if not state.teams:
        return ()
    part = _("groups")
    decided = state.outcome and Because(None, 0, part, _decided(state.outcome), "EO-8")
    groups = group_entries(top, state.house, part, state.teams, of_players=True)
    return (*([decided] if decided else ()), *groups, tie_entry(top, part))


def group_entries(
    top: TopView, house: House, part: Message, teams: Sequence[Team], *, of_players: bool = False
) -> Iterator[Because]:
    """Yield the largest group of each team (EO-7), by seat; of which player it is, if of any."""
    found = board.groups(top, house["group_levels"])
    for seat, team in enumerate(teams):
        group: tuple[Cell, ...] = next(iter(found[team]), ())
        facts = {"team": TEAM_NAMES[team], "faces": board.faces_said(len(group))}
        text = _("largest group of {team}: {faces}", **facts)
        if of_players:
            text = _("{who}'s largest group of {team}: {faces}", who=player(seat), **facts)
        yield Because(seat, len(group), part, text, "EO-7", group)


def tie_entry(top: TopView, part: Message) -> Because:
    """Return what would break a tie (EO-8)."""
    level, faces = board.top_level(top)
    even, odd = board.by_parity(faces)
    text = _(
        "a tie would be broken on level {level}: evens {evens}, odds {odds}",
        level=level,
        evens=even,
        odds=odd,
    )
    return Because(None, 0, part, text, "EO-8")


def draw(state: State) -> tuple[Message, ...]:
    """Return the view from above as text."""
    return (drawn(surface(state.laid)),)


def prompt(state: State) -> Message:
    """Return what is to be done next, in one sentence."""
    match rules.now(state):
        case "flip":
            if state.flips:
                return _("each player flips a tile again: the flips were level")
            return _("each player flips a tile for the start")
        case "choose":
            return _("{who} chooses evens or odds", who=player(state.chooser))
        case "draw":
            return _("draw three tiles")
        case "solo":
            return solo.prompt(state)
    who = player(state.turn)
    if hands.has_no_move(state):
        if state.house["no_move"] == "pass":
            return _("{who} has no move and passes", who=who)
        return _("{who} has no move and sets a tile aside", who=who)
    if state.extra:
        return _("level: {who} takes one of the two removed tiles and lays it", who=who)
    if state.stock:
        return _("{who} lays a tile and draws one", who=who)
    return _("{who} lays a tile", who=who)


def describe(state: State, move: Move) -> Message:
    """Return *move*, made in *state*, in words."""
    who = player(state.turn)
    match move:
        case moves.Flip(first, second):
            starter = rules.starter_of([(first, second)])
            return _(
                "{one} flips {first}, {two} flips {second}: {then}",
                one=player(0),
                first=name(first),
                two=player(1),
                second=name(second),
                then=_("level") if starter is None else _("{who} starts", who=player(starter)),
            )
        case moves.Agree(starter, evens):
            return _(
                "{starter} starts, {evens} plays for the evens",
                starter=player(starter),
                evens=player(evens),
            )
        case moves.Choose(team) if state.starter is None:
            return _("somebody plays for the {team}", team=TEAM_NAMES[team])
        case moves.Choose(team):
            chooser = player(state.chooser)
            return _("{who} plays for the {team}", who=chooser, team=TEAM_NAMES[team])
        case moves.Show(seat, tile):
            return _("{who} holds {tile}", who=player(seat), tile=name(tile))
        case Lay():
            return _("{who} {lays}", who=who, lays=lay_said(state.laid, move, state.house))
        case moves.Pass():
            return _("{who} has no move and passes", who=who)
        case moves.Discard(tile):
            return _("{who} has no move and sets {tile} aside", who=who, tile=name(tile))
        case moves.Draw(tiles):
            return _("{who} draws {tiles}", who=who, tiles=names(tiles))
        case moves.Exchange(back, drawn):
            return _(
                "{who} turns the helper over: {back} goes back, {drawn} comes",
                who=who,
                back=name(back),
                drawn=name(drawn),
            )


def also_said(state: State, move: Move) -> tuple[Message, ...]:
    """Return beside which tiles one is laid flat, whatever half touches."""
    if not isinstance(move, Lay):
        return ()
    top = surface(state.laid)
    around = [(row + down, column + right) for row, column in move.cells for down, right in SIDES]
    touched = dict.fromkeys(top[cell].place for cell in around if cell in top)
    return tuple(
        _("{tile} beside {other}", tile=name(move.tile), other=name(state.laid[place].tile))
        for place in touched
        if not set(move.cells) & top.keys()
    )


# By the step in rows down and columns right: the place of a tile, the direction of its half.
SIDES = {
    (0, -1): (_("left of {place}"), _("to the left")),
    (0, 1): (_("right of {place}"), _("to the right")),
    (-1, 0): (_("above {place}"), _("above it")),
    (1, 0): (_("below {place}"), _("below it")),
}


def lay_said(laid: Sequence[Lay], lay: Lay, house: House) -> Message:
    """Return what laying a tile is, in words that no other place has."""
    top = surface(laid)
    (a, b), (p, q) = lay.tile, lay.cells
    if p in top and q in top:
        return _(
            "stacks {tile} on level {level}: its {first} on {below}, its {second} on {under}",
            tile=name(lay.tile),
            level=top[p].level + 1,
            first=a,
            below=_face(laid, top[p], p),
            second=b,
            under=_face(laid, top[q], q),
        )
    for number, other, cell, rest in ((a, b, p, q), (b, a, q, p)):
        for side in SIDES:
            beside = (cell[0] - side[0], cell[1] - side[1])
            face = top.get(beside)
            if face and BITS[house["blank_matches_blank"]][face.number] >> number & 1:
                where = _beside(laid, beside, side)
                facts = {"tile": name(lay.tile), "where": where, "number": just(number)}
                onward = rest[0] - cell[0], rest[1] - cell[1]
                if onward == side:
                    return _("plays {tile} {where}, its {number} touching", **facts)
                return _(
                    "plays {tile} {where}, its {number} touching and its {other} {onward}",
                    other=other,
                    onward=SIDES[onward][1],
                    **facts,
                )
    return _("plays {tile}", tile=name(lay.tile))


def _beside(laid: Sequence[Lay], beside: Cell, side: Cell) -> Message:
    """Return "left of the 1-1", the tile or face on the cell *beside*."""
    face = surface(laid)[beside]
    along = beside[0] - side[0], beside[1] - side[1]
    there = _face(laid, face, beside)
    if along in laid[face.place].cells:  # it goes on where the tile beside it ends
        there = _("the {tile}", tile=name(laid[face.place].tile))
    return Message(SIDES[side][0], {"place": there})


def _face(laid: Sequence[Lay], face: TopFace, cell: Cell) -> Message:
    """Return a face as players name it: "the 3 of the 1-3", "the left half of the 1-1"."""
    under = laid[face.place]
    tile = name(under.tile)
    if under.tile[0] != under.tile[1]:
        return _("the {number} of the {tile}", number=face.number, tile=tile)
    first, second = under.cells  # a double's upper or left half comes first
    if first[0] == second[0]:
        left = _("the left half of the {tile}", tile=tile)
        return left if cell == first else _("the right half of the {tile}", tile=tile)
    upper = _("the upper half of the {tile}", tile=tile)
    return upper if cell == first else _("the lower half of the {tile}", tile=tile)
