"""Even at Odds: what the camera looks for, and what a photo means."""

from __future__ import annotations

from collections.abc import Sequence

from scorer import table as seen
from scorer.dominoes import Cells, Domino, Top, name, twice
from scorer.frames import frame_of, mirrored
from scorer.game import Difference, Doubt, Equipment, Proposal, Spot
from scorer.games.even_at_odds import board, rules, words
from scorer.games.even_at_odds.state import DRAWN, HELPER, TEAMS, Draw, Flip, State, foundation
from scorer.one_photo import Facts, NotScored, Scored
from scorer.tiles import (
    Comparison,
    Piece,
    Play,
    Rules,
    compared,
    from_above,
    in_order,
    largest_part,
    picked,
    pieces,
)

NOTHING_NEW = "no new tile is seen"
MIRRORED = "The photo is mirrored. Turn off mirroring in the camera, and take it again."
MOST_NEW = 4  # tiles added between two photos that we try to put in order
IDS = Rules(once="EO-2", stays="EO-4", covers="EO-6")


def equipment(state: State) -> Equipment:
    """Return that dominoes are looked for, and every tile as we know it to lie, lowest first."""
    tiles, top = [], dict[seen.Cell, int]()
    for lay in state.laid:
        level = top.get(lay.cells[0], 0) + 1
        top |= dict.fromkeys(lay.cells, level)
        tiles.append(seen.Tile(lay.tile, lay.cells, level))
    spot = Spot("the table", seen.Table(tiles=tuple(tiles)))
    return Equipment(dice=0, tiles=True, spots=(spot,), stays=True)


def arrangement(table: seen.Table) -> tuple[tuple[Domino, Cells], ...]:
    """Return the tiles seen as a value of the setting `foundation`: the set-up decides (EO-A1)."""
    return tuple((tile.halves, tile.cells) for tile in table.tiles)


# ---------------------------------------------------------------- in a match


def observe(state: State, table: seen.Table) -> Proposal:
    """Return the moves that lead from the known table to the one seen.

    The photo's cells may be shifted or turned by quarters against ours: the tiles that are known
    say how. Before the start two tiles beside the foundation are the flip; solo, three are a draw.
    """
    now = rules.now(state)
    if now == "over":
        return Proposal.differs("the match is over", "EO-8")
    if now == "flip":
        return _flip(state, table)
    there = [(lay.tile, lay.cells) for lay in state.laid]
    frame, sure = frame_of(table.tiles, there)
    if mirrored(table.tiles, there):
        return Proposal.differs(MIRRORED, "EO-2")
    if frame is None:
        text = "none of the tiles seen lies there so far" if table.tiles else "no tile is seen"
        return Proposal.differs(f"{text}; is this the right table?", "EO-4")
    shown = [p for p in pieces(table.tiles, frame) if not (state.solo and p.lay.tile == HELPER)]
    look = compared(state.laid, shown, IDS)
    if now == "draw":
        return _draw(state, table, look)
    if len(look.fresh) > MOST_NEW:
        text = f"{len(look.fresh)} tiles are new; enter the older ones by hand"
        return Proposal.differs(text, "EO-4")
    doubts = [
        Doubt(f"{name(piece.lay.tile)} lies apart and is left out", piece.at)
        for piece in look.apart
        if not (state.solo and any(read.tile in state.hands[0] for read, _ in piece.readings))
    ]
    if look.fresh and not sure:
        doubts.append(Doubt("the photo fits the table in more than one way; check the place"))
    if not (look.fresh or look.doubts or doubts or look.differences):
        doubts.append(Doubt(NOTHING_NEW))
    moves, more, rest = in_order(_play(state), look.fresh)
    for move in moves:
        state = rules.PHASES.apply(state, move)
    unexplained = [_unexplained(state, piece) for piece in rest]
    return Proposal(moves, (*look.doubts, *doubts, *more), (*look.differences, *unexplained))


def _play(state: State) -> Play[State]:
    return Play(state, lambda state: state.laid, rules.PHASES.apply, not state.solo)


def _unexplained(state: State, piece: Piece) -> Difference:
    fault = _play(state).fault(piece.lay)
    if fault is None:
        return Difference(f"{name(piece.lay.tile)} does not fit", "EO-4", piece.at)
    hint = "; was a tile laid before it?" if fault.rule in ("EO-5", "EO-6") else ""
    return Difference(fault.reason + hint, fault.rule, piece.at)


def _flip(state: State, table: seen.Table) -> Proposal:
    """Return the flip, if two tiles lie face up that belong face down; else what is wrong."""
    laid = foundation(2, state.house)
    frame, _ = frame_of(table.tiles, [(lay.tile, lay.cells) for lay in laid])
    if frame is None and not (state.past or state.flips):
        return Proposal.differs("the foundation is not to be seen", "EO-2")
    shown = pieces(table.tiles, frame or (0, 0, 0))
    look = compared(laid, shown, IDS) if frame else Comparison(apart=shown)
    flipped = [piece for piece in look.fresh + look.apart if piece.lay.tile not in state.flips]
    tiles, doubts, fault = _turned_up(flipped, rules.unflipped(state), 2)
    if fault:
        return Proposal.differs(f"each player flips one tile; {fault}", "EO-3")
    if not tiles:
        return _nothing_new(look)
    first, second = tiles
    whose = Doubt(f"is {name(first)} player 1's and {name(second)} player 2's?")
    return Proposal((Flip(first, second),), (whose, *look.doubts, *doubts), tuple(look.differences))


def _draw(state: State, table: seen.Table, look: Comparison) -> Proposal:
    """Return the solo draw; tiles of it that already lie on the board follow as moves."""
    tiles, doubts, fault = _turned_up(look.fresh + look.apart, rules.hidden(state), DRAWN)
    if fault:
        return Proposal.differs(f"a turn draws three tiles; {fault}", "EO-10")
    if not tiles:
        return _nothing_new(look)
    draw = Draw(tiles)
    then = observe(rules.PHASES.apply(state, draw), table)
    more = [doubt for doubt in then.doubts if doubt.sentence != NOTHING_NEW]
    return Proposal((draw, *then.moves), (*doubts, *more), then.differences)


def _turned_up(
    new: Sequence[Piece], allowed: Sequence[Domino], number: int
) -> tuple[tuple[Domino, ...], list[Doubt], str]:
    """Return the tiles turned up, doubts about them, and what is wrong if they are too many."""
    if not new:
        return (), [], ""
    found = picked(new, allowed)
    if len(new) != number or found is None:
        many = "one new one is" if len(new) == 1 else f"{len(new)} new ones are"
        return (), [], f"{many} seen"
    return *found, ""


def _nothing_new(look: Comparison) -> Proposal:
    return Proposal((), (*look.doubts, Doubt(NOTHING_NEW)), tuple(look.differences))


# ---------------------------------------------------------------- without a match


def tell(state: State, table: seen.Table, _facts: Facts) -> Scored:
    """Return the groups of the surface on one photo and what they score."""
    if not table.tiles:
        raise NotScored("No tiles were seen whose places in the grid can be told.")
    if double := twice(tile.halves for tile in table.tiles):
        raise NotScored(f"{name(double)} was seen twice; a set has it once (EO-2).")
    try:
        top = largest_part(from_above(table.tiles))
    except ValueError as fault:
        raise NotScored(str(fault)) from None
    doubts = tuple(
        Doubt(f"{name(tile.halves)} lies apart and is left out", ("tiles", i))
        for i, tile in enumerate(table.tiles)
        if top.keys().isdisjoint(tile.cells)
    )
    levels = all(tile.level is not None for tile in table.tiles)
    if not levels and state.house["group_levels"] == "same_level":
        raise NotScored("How high the tiles lie was not seen, and groups stay on one level here.")
    return _tell_solo(state, top, doubts) if state.solo else _tell_two(state, top, doubts, levels)


def _tell_two(state: State, top: Top, doubts: tuple[Doubt, ...], levels: bool) -> Scored:
    """Return the largest groups of two players, whoever of them plays the evens."""
    entries = [
        *words.group_entries(top, state.house, "largest groups", TEAMS, ("", ""), counts=True)
    ]
    faces: tuple[int, ...] = ()
    if levels:
        faces = board.top_level(top)[1]
        entries.append(words.tie_entry(top, "a tie"))
    sizes = board.largest(top, state.house["group_levels"])
    team, _ = board.verdict(*sizes, faces)
    ahead = f"the {team} are ahead" if team else "the groups are level"
    height = "" if levels else ", and how high the tiles lie"
    unknown = f"who plays the evens, and whether the game is over{height}"
    return Scored(TEAMS, sizes, tuple(entries), (ahead,), unknown=unknown, doubts=doubts)


def _tell_solo(state: State, top: Top, doubts: tuple[Doubt, ...]) -> Scored:
    gone = board.missing(top)
    return Scored(
        ("the solo score",),
        (board.solo_points(top, state.house),),
        words.solo_entries(top, state.house),
        tuple(f"no {number} shows, which would lose the game (EO-10)" for number in gone),
        unknown="whether all tiles are laid",
        doubts=doubts,
    )
