"""Advice for Beat the Odds: the exact distribution of a turn, and the choices.

Best play brings 15.840 points a turn. So does the plain advice here to the third decimal: use every
re-roll right, on the die `die_to_reroll` names, and let 4-4 double the highest roll.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations_with_replacement

from scorer.advice import ranked, to_win
from scorer.coach.beat_the_odds_turn import Outlook
from scorer.coach.tables import SIDE, table
from scorer.errors import NoAdvice
from scorer.game import Advice, HandPiece, dump_move
from scorer.games.beat_the_odds import SETTINGS, Decline, Double, Reroll, Roll, State, Turn
from scorer.games.beat_the_odds.rules import is_over
from scorer.games.beat_the_odds.settings import TARGET
from scorer.games.beat_the_odds.turn import Dice, may_double, play, total
from scorer.messages import Message, _
from scorer.settings import settle
from scorer.words import pair_said

PAIRS: tuple[tuple[Dice, float], ...] = tuple(
    ((low, high), (1 if low == high else 2) / 36)
    for low, high in combinations_with_replacement(range(1, 7), 2)
)
NEGLIGIBLE = 1e-10  # probability below which branches are pruned; 4e-7 of the total is lost
HOUSE = settle(SETTINGS, {})
POINTS = Outlook(float)  # mean points of a turn, the same in every game

Alike = tuple[int, int, int]  # the sum of the rolls, the highest of them, the rights in hand


def die_to_reroll(turn: Turn) -> int:
    """Return the face of the odd die to roll again, while the turn asks for a re-roll.

    Of two odd dice the one to keep is that whose pair would cost least: 1-1 takes the whole turn,
    5-5 half of it, 3-3 its highest roll.
    """
    together, highest = sum(turn.worth), max(turn.worth, default=0)
    cost = {1: together, 3: highest, 5: together / 2}
    return max((face for face in turn.rolls[-1] if face % 2), key=lambda face: cost[face])


def roll_to_double(turn: Turn) -> int:
    """Return the roll, from 0, that 4-4 should double: the highest."""
    return turn.worth.index(max(turn.worth))


def turn_odds(rerolls: bool = True, doubles: bool = True) -> Mapping[int, float]:
    """Return the chance of each turn total when every right is used, or none, as asked.

    Under the usual house rules. What can still happen depends only on the sum of the rolls, the
    highest of them and the rights in hand, so turns alike in these are followed together.
    """
    ended: defaultdict[int, float] = defaultdict(float)
    outcomes: dict[Alike, tuple[Mapping[int, float], Mapping[Alike, float]]] = {}
    open_turns: Mapping[Alike, float] = {(0, 0, 0): 1.0}
    while open_turns:
        after: defaultdict[Alike, float] = defaultdict(float)
        for key, chance in open_turns.items():
            if key not in outcomes:
                outcomes[key] = _one_roll(_turn_like(*key), rerolls, doubles)
            ends, goes_on = outcomes[key]
            for points, share in ends.items():
                ended[points] += chance * share
            for following, share in goes_on.items():
                after[following] += chance * share
        open_turns = {key: chance for key, chance in after.items() if chance > NEGLIGIBLE}
    return dict(sorted(ended.items()))


def _one_roll(
    turn: Turn, rerolls: bool, doubles: bool
) -> tuple[Mapping[int, float], Mapping[Alike, float]]:
    """Return the chances of the totals a roll may end the turn with, and of where it goes on."""
    ends: defaultdict[int, float] = defaultdict(float)
    goes_on: defaultdict[Alike, float] = defaultdict(float)
    for rolled, share in _next_rolls(turn, rerolls, doubles):
        if rolled.asks == "nothing":
            ends[total(rolled)] += share
        else:
            goes_on[sum(rolled.worth), max(rolled.worth), rolled.rights] += share
    return ends, goes_on


def _turn_like(together: int, highest: int, rights: int) -> Turn:
    """Return some turn whose rolls have this sum and this highest worth."""
    full, rest = divmod(together, highest) if highest else (0, 0)
    worth = (highest,) * full + ((rest,) if rest else ())
    return Turn(((2, 4),) * len(worth), worth, rights)


def _next_rolls(turn: Turn, rerolls: bool, doubles: bool) -> Iterator[tuple[Turn, float]]:
    for (low, high), chance in PAIRS:
        rolled = play(turn, Roll(low, high), HOUSE)
        for decided, share in _decided(rolled, rerolls, doubles):
            yield decided, chance * share


def _decided(turn: Turn, rerolls: bool, doubles: bool) -> Iterator[tuple[Turn, float]]:
    """Yield the turn after its question, if it asks one, with the chances of the new die."""
    match turn.asks:
        case "reroll" if rerolls:
            face = die_to_reroll(turn)
            for value in range(1, 7):
                for decided, share in _decided(
                    play(turn, Reroll(face, value), HOUSE), rerolls, doubles
                ):
                    yield decided, share / 6
        case "reroll":
            yield play(turn, Decline(), HOUSE), 1.0
        case "double":
            yield play(turn, Double(roll_to_double(turn) if doubles else None), HOUSE), 1.0
        case _:
            yield turn, 1.0


def beats(lead: int) -> float:
    """Return the chance that a turn passes a lead, plus half the chance to draw level."""
    if lead < 0:
        return 1.0
    reply = table("beat_the_odds_reply")
    return reply[lead] if lead < len(reply) else 0.0


def win_chance(own: int, other: int) -> float:
    """Return the win probability of the player to begin a turn, by both scores, both under 100."""
    return table("beat_the_odds")[own * SIDE + other]


def advise(state: State, _hand: Sequence[HandPiece] = ()) -> tuple[Advice, ...]:
    """Return the current choices by win probability, the best first.

    What is still to be chosen in this turn is chosen best; later turns are played in the plain way
    and under the usual house rules. Of more than two players the leader of the others is the
    opponent. Raises NoAdvice at the end of the game.
    """
    if is_over(state):
        raise NoAdvice(_("The game is over, so there is nothing to choose."))
    if state.starter is None:
        return ()
    wins = Outlook(_worth(state))

    def tell(
        move: Mapping[str, object], words: Message, worth: Callable[[Outlook], float]
    ) -> Advice:
        chance = worth(wins)
        why = _(
            "{choice}: {chance}; the turn scores {points:.1f} points on average.",
            choice=words,
            chance=to_win(chance, len(state.scores)),
            points=worth(POINTS),
        )
        return Advice(move, chance, why)

    return ranked([tell(*choice) for choice in _choices(state)])


Choice = tuple[Mapping[str, object], Message, Callable[[Outlook], float]]


def _choices(state: State) -> Iterator[Choice]:
    turn = state.turn
    together, highest = sum(turn.worth), max(turn.worth, default=0)
    match turn.asks:
        case "roll":
            rights = turn.rights
            yield {"move": "Roll"}, _("Roll"), lambda look: look.rolling(together, highest, rights)
        case "reroll":
            low, high = turn.rolls[-1]
            left = turn.rights - 1
            for face in sorted({die for die in (low, high) if die % 2}):
                kept = high if face == low else low
                yield (
                    {"move": "Reroll", "face": face},
                    _("Roll the {face} again", face=face),
                    lambda look, kept=kept: look.rerolling(together, highest, left, kept),  # type: ignore[misc]
                )
            rights = turn.rights if state.house["declined_right"] == "kept" else left
            yield (
                dump_move(Decline()),
                _("Leave {dice} as it is", dice=pair_said((low, high))),
                lambda look: look.read(together, highest, rights, (low, high)),
            )
        case "double":
            for roll in (*may_double(turn, state.house), None):
                yield dump_move(Double(roll)), *_doubling(turn, roll)


def _doubling(turn: Turn, roll: int | None) -> tuple[Message, Callable[[Outlook], float]]:
    after = play(turn, Double(roll), HOUSE)
    together, highest = sum(after.worth), max(after.worth)
    words = _("Double no roll")
    if roll is not None:
        words = _(
            "Double roll {number}, {dice}, from {points}",
            number=roll + 1,
            dice=pair_said(turn.rolls[roll]),
            points=turn.worth[roll],
        )
    return words, lambda look: look.rolling(together, highest, after.rights)


def _worth(state: State) -> Callable[[int], float]:
    seat = state.seat
    own = state.scores[seat]
    rival = max(
        (other for other in range(len(state.scores)) if other != seat),
        key=lambda other: state.scores[other],
    )
    other = state.scores[rival]

    def worth(reached: int) -> float:
        score = own + reached
        if state.last is None and score < TARGET:
            return 1 - win_chance(other, score)
        if state.last is None or rival in state.last[1:]:
            return 1 - beats(score - other)
        return 0.5 + ((score > other) - (score < other)) / 2

    return worth
