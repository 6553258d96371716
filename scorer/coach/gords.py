"""Exact probabilities of bids in Gords, and advice which call loses a die least often.

The others are assumed to bid by the odds: a player bids what is true with a probability of at least
one half given only that player's dice, and calls what is not. If an exactly right bid costs
everybody but the bidder a die (GD-A7), the others' losses count too. If a call costs as many dice
as the bid was off (GD-A15), so do the dice beyond the first: one's own fully, another's shared
among all others.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import comb

from scorer.advice import per_cent, ranked
from scorer.errors import NoAdvice
from scorer.game import Advice, HandPiece, dump_move
from scorer.games.gords import Bid, Call, State
from scorer.games.gords.bids import count, raises, said, wanted
from scorer.games.gords.rules import is_over
from scorer.games.gords.state import next_seat
from scorer.messages import Message, _
from scorer.words import dice as dice_said
from scorer.words import player

HALF = Fraction(1, 2)
Odds = Callable[[int, int, bool], Fraction]  # by unknown dice, those that must match, if only ones


@cache
def at_least(unknown: int, need: int, ones_only: bool = False) -> Fraction:
    """Return the chance that *need* of *unknown* dice match: each with 1/3, or 1/6 for ones."""
    sides = 6 if ones_only else 3  # one in this number of sides matches
    ways = sum(
        comb(unknown, matching) * (sides - 1) ** (unknown - matching)
        for matching in range(max(need, 0), unknown + 1)
    )
    return Fraction(ways, sides**unknown)


def exactly(unknown: int, need: int, ones_only: bool = False) -> Fraction:
    """Return the chance that just *need* of *unknown* dice match a bid."""
    return at_least(unknown, need, ones_only) - at_least(unknown, need + 1, ones_only)


def beyond_first(
    unknown: int, need: int, ones_only: bool = False, *, most: int, over: bool
) -> Fraction:
    """Return how many dice beyond the first are lost on average by the bid's difference (GD-A15).

    Args:
        unknown: dice of which *need* must match.
        need: how many are missing to the bid, below 0 if there are more already.
        ones_only: a bid on ones.
        most: the dice of the loser.
        over: count what the caller of a true bid loses, else what the bidder of a false one does.
    """
    lost = Fraction(0)
    for found, chance in enumerate(matching(unknown, ones_only)):
        off = found - need if over else need - found
        lost += chance * max(0, min(most, off) - 1)
    return lost


def bid_odds(bid: Bid, own: Sequence[int], in_play: int) -> Fraction:
    """Return the chance that *bid* is true for a player who sees the *own* dice of all in play."""
    return at_least(in_play - len(own), wanted(bid.space) - count(bid, own), bid.face == 1)


@cache
def matching(dice: int, ones_only: bool = False) -> tuple[Fraction, ...]:
    """Return the probabilities that 0, 1, 2 … of the unknown dice match."""
    above = [at_least(dice, need, ones_only) for need in range(dice + 2)]
    return tuple(more - fewer for more, fewer in pairwise(above))


def called_and_true(bid: Bid, own: Sequence[int], following: int, in_play: int) -> Fraction:
    """Return the chance that raising to *bid* loses no die at once.

    The next player, with *following* dice, calls where the bid holds for those alone less often
    than not, and else raises it further.
    """
    return 1 - called_and(bid, own, following, in_play, lambda *rest: 1 - at_least(*rest))


def called_and(bid: Bid, own: Sequence[int], following: int, in_play: int, odds: Odds) -> Fraction:
    """Return the *odds* where the next player calls *bid* as above, 0 where that player raises."""
    ones, need = bid.face == 1, wanted(bid.space)
    rest = in_play - len(own) - following
    return sum(
        (
            chance * odds(rest, need - theirs - count(bid, own), ones)
            for theirs, chance in enumerate(matching(following, ones))
            if at_least(in_play - following, need - theirs, ones) < HALF
        ),
        Fraction(0),
    )


def odds_when_called(
    bid: Bid, own: Sequence[int], bidder: int, in_play: int, odds: Odds
) -> Fraction:
    """Return the *odds* of a called *bid*: `at_least`, that it is true, or `exactly`.

    Its bidder, with a number of dice, is assumed to hold dice that make it more likely true than
    not; if no dice could, it is a bluff without information.
    """
    ones, need = bid.face == 1, wanted(bid.space) - count(bid, own)
    rest = in_play - len(own) - bidder
    chances = [
        (chance, odds(rest, need - theirs, ones))
        for theirs, chance in enumerate(matching(bidder, ones))
        if at_least(in_play - bidder, wanted(bid.space) - theirs, ones) >= HALF
    ]
    if not chances:
        return odds(in_play - len(own), need, ones)
    whole = sum((chance for chance, _ in chances), Fraction(0))
    return sum((chance * found for chance, found in chances), Fraction(0)) / whole


def advise(state: State, hand: Sequence[HandPiece] = ()) -> tuple[Advice, ...]:
    """Return calling and every higher bid by the chance to lose no die, the best first.

    *hand* are the dice of the player in turn; without them the odds are those of a watcher. Raises
    NoAdvice at the end of the game, or if the hand is none of this player's.
    """
    if is_over(state):
        raise NoAdvice(_("The game is over, so there is nothing to choose."))
    if state.seat is None or state.caller is not None:
        return ()
    return ranked(list(_choices(state, state.seat, _dice(state, state.seat, hand))))


def _dice(state: State, seat: int, hand: Sequence[HandPiece]) -> list[int]:
    """Return the dice of a hand as they were entered; raises NoAdvice."""
    dice = [piece for piece in hand if isinstance(piece, int) and 1 <= piece <= 6]
    if len(dice) < len(hand):
        raise NoAdvice(_("Write a hand as its dice, 1 to 6 each: 1 4 4 5 6."))
    if hand and len(hand) != state.dice[seat]:
        text = _(
            "{who} holds {dice}, but you entered {number}.",
            who=player(seat),
            dice=dice_said(state.dice[seat]),
            number=len(hand),
        )
        raise NoAdvice(text)
    return dice


def _choices(state: State, seat: int, hand: Sequence[int]) -> Iterator[Advice]:
    in_play, more, own = sum(state.dice), others_lose(state), state.dice[seat]
    if state.bid is not None and state.bidder is not None:
        called = state.bid, hand, state.dice[state.bidder], in_play
        safe = 1 - odds_when_called(*called, at_least)
        exact = odds_when_called(*called, exactly)
        holds = bid_odds(state.bid, hand, in_play)
        mine, theirs = (
            odds_when_called(*called, odds)
            for odds in _costs(state, own, state.dice[state.bidder], calling=True)
        )
        kept = _and_exact(_called(state.bidder, holds, safe), exact * bool(more))
        kept = _and_cost(state, kept, 1 - safe + mine)
        why = _why(_("Call {bid}", bid=said(state.bid)), holds, kept, hand)
        yield Advice(dump_move(Call(seat)), float(safe + exact * more - mine + theirs), why)
    # A watcher's own dice are as unknown as all others but those of the next player.
    after = next_seat(state.dice, seat)
    following = state.dice[after]
    for bid in raises(state.bid, state.house, in_play):
        if wanted(bid.space) > in_play:
            continue  # never true
        safe = called_and_true(bid, hand, following, in_play)
        exact = called_and(bid, hand, following, in_play, exactly)
        holds = bid_odds(bid, hand, in_play)
        mine, theirs = (
            called_and(bid, hand, following, in_play, odds)
            for odds in _costs(state, own, following, calling=False)
        )
        kept = _and_exact(_raised(after, safe), exact * bool(more))
        kept = _and_cost(state, kept, 1 - safe + mine)
        why = _why(_("Bid {bid}", bid=said(bid)), holds, kept, hand)
        yield Advice(dump_move(bid), float(safe + exact * more - mine + theirs), why)


def _costs(state: State, own: int, other: int, *, calling: bool) -> tuple[Odds, Odds]:
    """Return what a call costs oneself and, shared, the others beyond a first die (GD-A15)."""
    if state.house["loss"] != "difference":
        return (lambda *_dice: Fraction(0),) * 2
    others = sum(dice > 0 for dice in state.dice) - 1
    return (
        lambda *dice: beyond_first(*dice, most=own, over=calling),
        lambda *dice: beyond_first(*dice, most=other, over=not calling) / others,
    )


def others_lose(state: State) -> Fraction:
    """Return how many dice more each other loses on average by an exact bid (GD-A7)."""
    if state.house["exact"] != "all_others_lose":
        return Fraction(0)
    playing = sum(dice > 0 for dice in state.dice)
    return Fraction(playing - 2, playing - 1)


def _called(bidder: int, holds: Fraction, safe: Fraction) -> Message:
    if not holds:
        return _("you keep all your dice")
    return _(
        "you keep all your dice in {kept} of cases if {who} bids only what their own dice make "
        "likely",
        kept=per_cent(float(safe)),
        who=player(bidder),
    )


def _raised(following: int, safe: Fraction) -> Message:
    return _(
        "you keep all your dice for now in {kept} of cases if {who} calls only what their own "
        "dice make unlikely",
        kept=per_cent(float(safe)),
        who=player(following),
    )


def _and_exact(kept: Message, exact: Fraction) -> Message:
    """Return the dice kept, and how often the bid is called and *exact*, if that costs more."""
    if not exact:
        return kept
    return _(
        "{kept}; in {exact} of cases it is called and exactly right, and all but its bidder lose a"
        " die",
        kept=kept,
        exact=per_cent(float(exact)),
    )


def _and_cost(state: State, kept: Message, cost: Fraction) -> Message:
    """Return the dice kept, and the mean number of lost dice, if that may be several."""
    if state.house["loss"] != "difference":
        return kept
    return _("{kept}; it costs you {cost:.2f} dice on average", kept=kept, cost=float(cost))


def _why(what: Message, holds: Fraction, kept: Message, hand: Sequence[int]) -> Message:
    facts = {"choice": what, "true": per_cent(float(holds)), "kept": kept}
    if hand:
        return _("{choice}: true in {true} of cases; {kept}.", **facts)
    return _("{choice}: true in {true} of cases for someone who sees no dice; {kept}.", **facts)
