"""Gords: what a photo means in a match."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from scorer.board import Board
from scorer.errors import Illegal
from scorer.game import Equipment, Spot
from scorer.games.gords.bids import check_bid, matches, places, said
from scorer.games.gords.moves import Bid, Reveal
from scorer.games.gords.rules import hidden, is_over, matching, settled, standing
from scorer.games.gords.settings import HAND, MARKER, TITLE
from scorer.games.gords.state import State, colour_of
from scorer.messages import Message, _, ngettext
from scorer.phases import fault
from scorer.photo.interpret import (
    Seen,
    colours_settled,
    dice_doubts,
    dice_options,
    drawn,
    in_words,
    interpretations,
    likely,
    unread,
)
from scorer.printed import track
from scorer.proposal import Difference, Doubt, Proposal
from scorer.settings import House
from scorer.table import Die, Table
from scorer.words import colour, either, player, players, spelled

MARKERS_OF = {"half_before": 80, "half_after": 120, "own": 160}


def boards(house: House) -> tuple[Board, ...]:
    """Return the track in the order that is played; each order has fiducials of its own (GD-A1)."""
    order = house["track"]
    first = MARKERS_OF.get(order, MARKERS_OF["own"])
    return (track("track:gords", TITLE, places(order), first),)


def equipment(state: State) -> Equipment:
    """Return the white die on the board while they bid, then the players' dice by colour.

    Lost dice and the white one may lie in the picture too, so their number is left open (GD-6).
    """
    hands = {colour_of(state, seat): HAND for seat in range(len(state.dice))}
    colours_lying = {**hands, MARKER: 1}
    track = places(state.house["track"])
    if state.caller is None:
        bid = state.bid and (Die(state.bid.face, MARKER, (0, track.index(state.bid.space))),)
        board = Spot(_("the board"), Table(bid or ()))
        return Equipment("board:gords", colours=colours_lying, spots=(board,), places=track)
    beside = "board:gords" if min(state.dice) < HAND else None
    return Equipment(colours=colours_lying, places=track if beside else (), beside=beside)


def observe(state: State, table: Table) -> Proposal:
    """Return the bid that the white die shows, or once it is called the dice of each player."""
    if is_over(state):
        return Proposal.differs(_("the game is over"), "GD-8")
    if state.seat is None:
        return Proposal.differs(_("decide first who bids first"), "GD-7")
    if state.caller is None:
        return _seen_bid(state, table)
    return _seen_dice(state, table)


def _seen_bid(state: State, table: Table) -> Proposal:
    track = places(state.house["track"])
    lying = [(i, die, _on_track(die, track)) for i, die in enumerate(table.dice)]
    on_track = [(i, die, space) for i, die, space in lying if space]
    dice = [die for _i, die, _space in on_track]
    every = {name for die in dice for name in (die.colour, *(other for other, _p in die.colours))}
    options = dice_options(dice, every)
    spaces = [space for _i, _die, space in on_track]
    likely_bids = interpretations(options, lambda read: _bids(state, read, spaces))
    if not likely_bids:
        return _no_bid(state, on_track)
    best = likely_bids[0].meaning
    doubts = _marker_doubts(on_track, [likely.reading for likely in likely_bids])
    if best == state.bid:
        doubts.insert(0, Doubt(_("the white die still shows {bid}", bid=said(best))))
        return Proposal(doubts=tuple(doubts), weighed=True)
    last = state.past[-1].bid if state.past and state.bid is None else None
    if last in [likely.meaning for likely in likely_bids]:
        text = _("the last round ended with {bid} there: is this a new bid?", bid=said(best))
        doubts.append(Doubt(text, about="stands"))
    return Proposal((best,), tuple(doubts), complete=True, weighed=True)  # one white die is all


def _marker_doubts(
    on_track: Sequence[tuple[int, Die, str]], readings: Sequence[Sequence[Seen]]
) -> list[Doubt]:
    """Ask about the dice that are the white one in a likely reading."""
    markers = [at for at in range(len(on_track)) if any(read[at][0] == MARKER for read in readings)]
    dice = [on_track[at][:2] for at in markers]
    return [*dice_doubts(dice, [[read[at] for at in markers] for read in readings])]


def _bids(state: State, read: Sequence[Seen], spaces: Sequence[str]) -> list[Bid]:
    """Return the bid of the white die: the current bid, or a legal one."""
    white = [
        Bid(space, value)
        for (colour, value), space in zip(read, spaces, strict=True)
        if colour == MARKER
    ]
    if len(white) != 1:
        return []
    return [bid for bid in white if bid == state.bid or not _refusal(state, bid)]


def _no_bid(state: State, on_track: Sequence[tuple[int, Die, str]]) -> Proposal:
    """Return why the dice on the track, each with its index and space, show no bid."""
    white = [(index, die, space) for index, die, space in on_track if die.colour == MARKER]
    if len(white) == 1:
        ((index, die, space),) = white
        if refused := _refusal(state, Bid(space, die.value)):
            return Proposal.differs(refused.reason, refused.rule, ("dice", index))
    text = ngettext(
        "{n} white die was seen on the track; one shows the bid",
        "{n} white dice were seen on the track; one shows the bid",
        len(white),
    )
    if not on_track and state.bid is None:  # an empty track is how a round begins
        return Proposal(doubts=(Doubt(text),))
    return Proposal.differs(text, "GD-4")


def _on_track(die: Die, track: Sequence[str]) -> str:
    row, column = die.cell or (-1, -1)
    return track[column] if row == 0 and 0 <= column < len(track) else ""


def _refusal(state: State, bid: Bid) -> Illegal | None:
    return fault(check_bid, bid, state.bid, state.house, sum(state.dice))


def _seen_dice(state: State, table: Table) -> Proposal:
    """Return the shown hands by colour; a doubtful colour that makes the numbers right is taken."""
    owners = {colour_of(state, seat): seat for seat in hidden(state)}
    colours = {MARKER, *(colour_of(state, seat) for seat in range(len(state.dice)))}
    options = [_known_colours(die, colours) for die in table.dice]
    foreign = [(die.colour, i) for i, die in enumerate(table.dice) if not options[i]]
    if foreign:
        return Proposal(differences=tuple(_foreign(foreign)))

    def hands(colours: Sequence[str]) -> dict[int, list[int]]:
        """Return the dice of each player still to show, as indices."""
        found: dict[int, list[int]] = {}
        for i, name in enumerate(colours):
            if name in owners:
                found.setdefault(owners[name], []).append(i)
        return {seat: _in_hand(table, hand, state.dice[seat]) for seat, hand in found.items()}

    def shown(colours: Sequence[str]) -> list[frozenset[tuple[int, tuple[int, ...]]]]:
        """Return what each player shows, if the numbers fit."""
        found = hands(colours)
        if any(len(hand) != state.dice[seat] for seat, hand in found.items()):
            return []
        return [frozenset((seat, _values(table, hand)) for seat, hand in found.items())]

    likely_hands = interpretations(options, shown)
    if not likely_hands:
        likeliest = hands([readings[0][0] for readings in options])
        return Proposal(differences=tuple(_miscounted(state, likeliest)))
    chosen = likely_hands[0].reading
    found = hands(chosen)
    if not found:
        return Proposal.differs(_("no dice of a player were seen"), "GD-5")
    faces_wrong = [i for hand in found.values() for i in hand if not 1 <= table.dice[i].value <= 6]
    if faces_wrong:
        return Proposal(differences=tuple(_no_face(table.dice[i].value, i) for i in faces_wrong))
    moves = tuple(Reveal(seat, _values(table, found[seat])) for seat in sorted(found))
    doubts = (
        *_recoloured(table, [one.reading for one in likely_hands]),
        *_perhaps_lost(state, table, found),
        *too_many_markers(chosen),
    )
    # A lost die may be mistaken for a missed die of the hand.
    complete = all(state.dice[seat] == HAND for seat in found)
    return Proposal(moves, (*doubts, *_still_open(state, table, found)), complete=complete)


def _values(table: Table, hand: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(table.dice[i].value for i in hand))


def _known_colours(die: Die, colours: Collection[str]) -> list[tuple[str, float]]:
    """Return the colours of this game a die may have, the likeliest first."""
    readings = ((die.colour, 1.0), *die.colours)
    return [(name, chance) for name, chance in readings if name in colours]


def _in_hand(table: Table, hand: list[int], number: int) -> list[int]:
    """Return a player's dice without the lost ones on the board, if these explain the surplus."""
    off_board = [i for i in hand if table.dice[i].cell is None]
    return off_board if len(hand) != number == len(off_board) else hand


def _foreign(dice: Sequence[tuple[str, int]]) -> Iterator[Difference]:
    count = Counter(name for name, _i in dice)
    for name, i in dice:
        text = ngettext(
            "a {colour} die belongs to no player here",
            "{number} {colour} dice belong to no player here",
            count[name],
            number=spelled(count[name]),
            colour=colour(name),
        )
        yield Difference(text, "GD-1", ("dice", i))


def _no_face(value: int, piece: int) -> Difference:
    text = _("a die shows 1 to 6, but {value} was read", value=value)
    return Difference(text, "GD-1", ("dice", piece))


def _miscounted(state: State, hands: Mapping[int, Sequence[int]]) -> Iterator[Difference]:
    """Yield which colours cannot be as they were counted, and which others they may be."""
    off = {seat: len(hands.get(seat, ())) - state.dice[seat] for seat in hidden(state)}
    short = [colour(colour_of(state, seat)) for seat, more in off.items() if more < 0]
    some_too_many = any(more > 0 for more in off.values())
    for seat, more in off.items():
        counted = _counted(state, seat, state.dice[seat] + more)
        if more > 0 and short:
            text = _("{counted}. Are some {colours}?", counted=counted, colours=either(short))
            if state.dice[seat] < HAND:
                text = _("{text} Leave lost dice out of the picture.", text=text)
            yield Difference(text, "GD-6")
        elif more > 0:
            text = _("{text}. Leave lost dice out of the picture.", text=counted)
            yield Difference(text, "GD-6")
        elif more < 0 and state.dice[seat] + more and not some_too_many:
            yield Difference(_("{text}. Show all of them.", text=counted), "GD-6")


def _counted(state: State, seat: int, count: int) -> Message:
    """Return "ten blue dice can be seen, but player 2 holds five"."""
    return ngettext(
        "{number} {colour} die can be seen, but {who} holds {held}",
        "{number} {colour} dice can be seen, but {who} holds {held}",
        count,
        number=spelled(count),
        colour=colour(colour_of(state, seat)),
        who=player(seat),
        held=spelled(state.dice[seat]),
    )


def _recoloured(table: Table, readings: Sequence[Sequence[str]]) -> Iterator[Doubt]:
    """Yield a doubt for each die of another colour than it looks; of several alike one sentence."""
    chosen = readings[0]
    plain = colours_settled(
        (die, (took, die.value)) for die, took in zip(table.dice, chosen, strict=True)
    )
    looks = Counter((die.colour, took) for die, took in zip(table.dice, chosen, strict=True))
    for i, (die, took) in enumerate(zip(table.dice, chosen, strict=True)):
        others = dict.fromkeys(read[i] for read in readings if read[i] != took)
        if die.colour != took:
            text = ngettext(
                "a die looks {looks}; treated as {taken}, so that the numbers fit",
                "{number} dice look {looks}; treated as {taken}, so that the numbers fit",
                looks[die.colour, took],
                number=spelled(looks[die.colour, took]),
                looks=colour(die.colour),
                taken=colour(took),
            )
            asks = not plain or others or unread(die)
            yield Doubt(text, ("dice", i), (took, die.value), "meaning" if asks else "progress")
        elif others:
            shown, maybe = in_words((took, die.value)), either(map(colour, others))
            text = _("the {die} may be {others}", die=shown, others=maybe)
            yield Doubt(text, ("dice", i), drawn=drawn(die.confidence))


def _perhaps_lost(
    state: State, table: Table, hands: Mapping[int, Sequence[int]]
) -> Iterator[Doubt]:
    """Yield the dice of a hand on the board, where the player's lost dice are."""
    for seat, hand in hands.items():
        on_board = [i for i in hand if table.dice[i].cell is not None]
        if len(on_board) <= HAND - state.dice[seat]:
            for i in on_board:
                text = _(
                    "{die} is on the board: is it a lost die, with one of the hand hidden?",
                    die=_whose(state, seat, table.dice[i].value),
                )
                yield Doubt(text, ("dice", i))


def too_many_markers(colours: Sequence[str]) -> Iterator[Doubt]:
    """Ask about several white dice, of which one alone can show the bid."""
    white = [i for i, name in enumerate(colours) if name == MARKER]
    if len(white) > 1:
        text = _(
            "{number} white dice were seen, and one shows the bid: is another one a player's?",
            number=spelled(len(white)),
        )
        yield Doubt(text, ("dice", white[-1]))


def _whose(state: State, seat: int, value: int) -> Message:
    """Return a die with its owner: "player 2's red 5"."""
    die = in_words((colour_of(state, seat), value))
    return _("{who}'s {die}", who=player(seat), die=die)


def _still_open(state: State, table: Table, hands: Mapping[int, Sequence[int]]) -> Iterator[Doubt]:
    """Yield who was not seen, and the doubtful dice on which the call may hinge, no others."""
    missing = [seat for seat in hidden(state) if seat not in hands]
    if missing:
        yield Doubt(_("the dice of {who} were not seen", who=players(missing)), about="progress")
    bid = standing(state)
    sure = matching(state, state.shown)
    swinging: list[tuple[int, int, int | None]] = []  # seat, die, alternative
    for seat, i in ((seat, i) for seat, hand in hands.items() for i in hand):
        die = table.dice[i]
        counts = matches(die.value, bid)
        others = [v for v in likely(die.values, die.confidence) if matches(v, bid) != counts]
        if others:
            swinging.append((seat, i, others[0]))
        elif unread(die, sum(p for v, p in die.values if matches(v, bid) == counts)):
            swinging.append((seat, i, None))
        else:
            sure += counts
    open_dice = len(swinging) + sum(state.dice[seat] for seat in missing)
    ends = [settled(state, found) for found in range(sure, sure + open_dice + 1)]
    if len({(end.losers, end.lost) for end in ends}) == 1:
        return
    for seat, i, other in swinging:
        which = _whose(state, seat, table.dice[i].value)
        if other is None:
            text = _("the call depends on {die}, which may be misread", die=which)
        else:
            text = _("the call depends on {die}, which might be a {other}", die=which, other=other)
        yield Doubt(text, ("dice", i), drawn=drawn(table.dice[i].confidence))


def laid(state: State, move: object) -> tuple[Die, ...]:
    """Return the white die on the track for a bid."""
    if not isinstance(move, Bid):
        return ()
    return (Die(move.face, MARKER, (0, places(state.house["track"]).index(move.space))),)
