"""Even at Odds: what the camera looks for, and what a photo means."""

from scorer.dominoes import name
from scorer.errors import NotScored
from scorer.game import Equipment, Facts, OnePhoto, PhotoScore, Spot
from scorer.games.even_at_odds import board, hands, moves, rules, solo, words
from scorer.games.even_at_odds.moves import TEAM_NAMES, TEAMS
from scorer.games.even_at_odds.settings import foundation
from scorer.games.even_at_odds.state import DRAWN, HELPER, State
from scorer.messages import Message, _
from scorer.photo.dominoes import Comparison, TileRules, compared, lying, lying_in_any_order
from scorer.photo.from_above import seen_from_above
from scorer.photo.new_tiles import NOTHING_NEW, TilePlay, added, gone, nothing_new, turned_up
from scorer.proposal import Doubt, Proposal
from scorer.table import Table
from scorer.values import changed
from scorer.words import player

IDS = TileRules(once="EO-2", stays="EO-4", plays="EO-5", stacks="EO-6")


def equipment(state: State) -> Equipment:
    """Return dominoes as equipment, with all known tiles, lowest first."""
    return Equipment(
        dice=0, tiles=True, spots=(Spot(_("the table"), lying(state.laid)),), stays=True
    )


def observe(state: State, table: Table) -> Proposal:
    """Return the moves that lead from the known table to the one seen."""
    phase = rules.now(state)
    if phase == "over":
        return Proposal.differs(_("the game is over"), "EO-8")
    if phase == "flip":
        return _flip(state, table)
    look = compared(state.laid, table.tiles, IDS, (HELPER,) if state.solo else ())
    if phase == "draw" and look.lies == "known":
        return _draw(state, table, look)
    play = TilePlay(state, lambda state: state.laid, rules.apply)
    return added(play, look, IDS, state.hands[0] if state.solo else ())


def as_it_lies(state: State, table: Table) -> State | None:
    """Return the game of two with new tiles laid as photographed, or None."""
    look = compared(state.laid, table.tiles, IDS)
    lays = [piece.lay for piece in look.fresh + look.apart]
    tiles = [lay.tile for lay in (*state.laid, *lays)]
    if rules.now(state) != "turn" or look.lies != "known" or not lays:
        return None
    return rules.laid_anyhow(state, lays) if len(set(tiles)) == len(tiles) else None


def essence(state: State) -> object:
    """Return the state without the playing order of tiles."""
    return lying_in_any_order(state.laid), frozenset(state.flips), changed(state, laid=(), flips=())


def _flip(state: State, table: Table) -> Proposal:
    """Return the flip, if two face-down tiles are face up; otherwise the differences."""
    look = compared(foundation(2, state.house), table.tiles, IDS)
    if look.lies == "mirrored":
        return Proposal(differences=tuple(look.differences))
    if look.lies == "unknown" and not (state.later or state.flips):
        return Proposal.differs(_("the foundation cannot be seen"), "EO-2")
    flipped = [piece for piece in look.fresh + look.apart if piece.lay.tile not in state.flips]
    if not flipped:
        return nothing_new(look, IDS)
    found = turned_up(flipped, rules.unflipped(state), 2)
    if isinstance(found, Message):
        return Proposal.differs(_("each player flips one tile; {seen}", seen=found), "EO-3")
    (first, second), doubts = found
    text = _(
        "does {first} belong to {one} and {second} to {two}?",
        first=name(first),
        one=player(0),
        second=name(second),
        two=player(1),
    )
    whose = Doubt(text, others=((moves.Flip(second, first),),))
    wrong = (*look.differences, *gone(look.unseen, IDS)) if look.lies == "known" else ()
    return Proposal((moves.Flip(first, second),), (whose, *look.doubts, *doubts), wrong)


def _draw(state: State, table: Table, look: Comparison) -> Proposal:
    """Return the solo draw, followed by moves for its tiles already on the board."""
    if not (new := look.fresh + look.apart):
        return nothing_new(look, IDS)
    found = turned_up(new, hands.hidden(state), DRAWN)
    if isinstance(found, Message):
        return Proposal.differs(_("you draw three tiles in a turn; {seen}", seen=found), "EO-10")
    draw, doubts = moves.Draw(found[0]), found[1]
    then = observe(rules.apply(state, draw), table)
    more = [doubt for doubt in then.doubts if doubt.sentence != NOTHING_NEW]
    return Proposal((draw, *then.moves), (*doubts, *more), then.differences)


def tell(state: State, table: Table, _facts: Facts) -> PhotoScore:
    """Return the groups of the surface on a single photo and their points."""
    top, doubts = seen_from_above(table.tiles, IDS.once, state.laid)
    levels = all(tile.level is not None for tile in table.tiles)
    if not levels and state.house["group_levels"] == "same_level":
        text = _(
            "The heights of the tiles could not be seen, and in this match groups stay on "
            "one level."
        )
        raise NotScored(text)
    if state.solo:
        return PhotoScore(
            (_("the solo score"),),
            (board.solo_points(top, state.house),),
            solo.entries(top, state.house),
            tuple(
                _("no {number} shows, which would lose the game (EO-10)", number=number)
                for number in board.missing(top)
            ),
            unknown=_("whether all tiles are laid"),
            doubts=doubts,
        )
    part = _("largest groups")
    groups = words.group_entries(top, state.house, part, TEAMS)
    sizes = board.largest(top, state.house["group_levels"])
    team = board.verdict(*sizes, board.top_level(top)[1] if levels else ())[0]
    ahead = _("the groups are level")
    if team:
        ahead = _("the {team} are ahead", team=TEAM_NAMES[team])
    unknown = _("who plays the evens, and whether the game is over")
    if not levels:
        unknown = _("{unknown}, and the heights of the tiles", unknown=unknown)
    return PhotoScore(
        tuple(TEAM_NAMES[team] for team in TEAMS),
        sizes,
        (*groups, *([words.tie_entry(top, part)] if levels else ())),
        (ahead,),
        unknown=unknown,
        doubts=doubts,
    )


one_photo = OnePhoto(tell)
