"""Even at Odds: what can be entered by taps (`scorer.entry`)."""

from collections.abc import Iterable
from functools import cache
from itertools import permutations

from scorer.dominoes import Domino, Lay, TileCells, TopView, around, laid_after, name, surface
from scorer.entry import (
    NOTHING,
    KeyGroup,
    Pad,
    PadKey,
    TableEntry,
    Taps,
    TileOutcome,
    TilePad,
    one_of,
    tile_keys,
)
from scorer.games.even_at_odds import board, hands, moves, rules, solo
from scorer.games.even_at_odds.moves import TEAM_NAMES, TEAMS
from scorer.games.even_at_odds.state import State
from scorer.messages import Message, _, joined, raw
from scorer.words import player

ANY = raw("{tile}")  # any tile of the hand
NOWHERE: TileCells = ((0, 0), (0, 1))  # where it does not matter


def entry(state: State) -> tuple[TableEntry, ...]:
    """Return the tiles that are turned up or laid, or whom and what the players agree on."""
    match rules.now(state):
        case "flip":
            return (TableEntry((_flips(state), _agreed())),)
        case "choose":
            made = ((PadKey(team, TEAM_NAMES[team]), moves.Choose(team), NOTHING) for team in TEAMS)
            return (TableEntry((one_of(_("Evens or odds"), made),)),)
        case "turn" | "solo":
            return (_turn(state),)
    return ()


def _flips(state: State) -> Pad:
    keys = tile_keys(rules.unflipped(state))
    groups = tuple(KeyGroup(_("{who}'s tile", who=player(seat)), keys) for seat in (0, 1))
    pairs = permutations(rules.unflipped(state), 2)
    return Pad(groups, tuple(_flip(moves.Flip(*pair)) for pair in pairs), at_once=False)


def _flip(move: moves.Flip) -> Taps:
    starter = rules.starter_of([(move.first, move.second)])
    button = _("Level: again") if starter is None else _("{who} starts", who=player(starter))
    return Taps(move, (name(move.first), name(move.second)), button=button)


def _agreed() -> Pad:
    keys = tuple(PadKey(str(seat), player(seat)) for seat in (0, 1))
    groups = KeyGroup(_("Or: who starts"), keys), KeyGroup(_("Who plays for the evens"), keys)
    pairs = ((starter, evens) for starter in (0, 1) for evens in (0, 1))
    return Pad(groups, tuple(Taps(moves.Agree(*pair), tuple(map(str, pair))) for pair in pairs))


def _turn(state: State) -> TableEntry:
    where = hands.places(state)
    hand = state.hands[state.turn]
    held = hand if hands.known(state) else (*hand, *hands.hidden(state))
    laid = tuple(tile for tile in held if board.fits(where, tile, state.solo))
    pads: tuple[Pad, ...] = ()
    buttons: tuple[Taps, ...] = ()
    if not hands.stuck(state, where):
        pass
    elif state.solo or state.house["no_move"] == "pass":
        buttons = (Taps(moves.Pass(), button=_("Pass")),)
    else:
        keys = tile_keys(tile for tile in held if tile not in laid)
        aside = ((key, moves.Discard((key.pips[0], key.pips[1])), NOTHING) for key in keys)
        pads = (one_of(_("No tile fits: one is set aside"), aside),)
    return TableEntry(pads, buttons, tiles=_tiles(state, held) if laid else None)


def _tiles(state: State, hand: tuple[Domino, ...]) -> TilePad:
    top, outcomes = surface(state.laid), dict[TileOutcome, int]()
    score = cache(lambda faces, cells: _score(state, Lay(faces, cells)))

    def kept(made: TileOutcome) -> int:
        return outcomes.setdefault(made, len(outcomes))

    @cache
    def refused(where: board.Site, tile: Domino) -> int | None:
        """Return why a tile cannot lie on cells like these; None if it can."""
        why = board.refusal_at(where, Lay(tile, NOWHERE), state.house, bool(state.solo))
        return kept(TileOutcome(_of_any(why.reason, name(tile)), why.rule)) if why else None

    def outcome(lay: Lay) -> int:
        why = refused(sites[lay.cells], lay.tile)
        if why is not None:
            return why
        return kept(_placed(top, lay, *score(tuple(map(_kind, lay.tile)), lay.cells)))

    sites = {cells: board.site(top, cells, state.house) for cells in _pairs(top)}
    places = tuple((*cells, tuple(outcome(Lay(tile, cells)) for tile in hand)) for cells in sites)
    lying: list[tuple[Domino, TileCells, int]] = []
    below: TopView = {}
    for place, lay in enumerate(state.laid):
        level = below[lay.cells[0]].level + 1 if lay.cells[0] in below else 1
        lying.append((lay.tile, lay.cells, level))
        below = surface(state.laid[: place + 1])
    label = _("Tiles to lay")
    return TilePad(label, hand, tuple(lying), Lay((0, 0), NOWHERE), tuple(outcomes), places)


def _pairs(top: TopView) -> Iterable[TileCells]:
    """Yield the pairs of neighbouring cells of which one lies on or beside a tile."""
    near = {beside for cell in top for beside in around(cell)} | top.keys()
    pairs = {pair for p in near for q in around(p) for pair in ((p, q), (q, p))}
    return sorted(pairs)


def _kind(number: int) -> int:
    return number and 2 - number % 2


def _of_any(text: Message, tile: Message) -> Message:
    return ANY if text == tile else text.with_parts(lambda part: _of_any(part, tile))


def _placed(top: TopView, lay: Lay, score: Message, worth: str) -> TileOutcome:
    cell = lay.cells[0]
    level = top[cell].level + 1 if cell in top else 1
    for number, cell in zip(lay.tile, lay.cells, strict=True):
        touched = (cell,) if level > 1 else around(cell)
        if any(at in top and top[at].number == number for at in touched):
            break
    if level > 1:
        says = _("{number} on {number}: level {level}", number=number, level=level)
        return TileOutcome(says, "", _("Stack the {tile}", tile=ANY), score, worth)
    says = _("{number} beside {number}", number=number)
    return TileOutcome(says, "", _("Lay the {tile}", tile=ANY), score, worth)


def _score(state: State, lay: Lay) -> tuple[Message, str]:
    """Return the score of the player in turn before and after a tile, and what the other has."""
    top = surface(laid_after(state.laid, lay))
    if state.solo:
        after = board.solo_points(top, state.house)
        return raw(f"{solo.points(state)} → {after}"), str(after)
    turn, before = state.turn, rules.score(state)
    ends = state.by_seat(board.largest(top, state.house["group_levels"]))

    def said(seat: int) -> Message:
        change = f"{before[seat]} → {ends[seat]}" if before[seat] != ends[seat] else str(ends[seat])
        return joined(" ", (player(seat), raw(change)))

    return joined(", ", (said(turn), said(1 - turn))), str(ends[turn])
