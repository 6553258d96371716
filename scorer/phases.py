"""Phases: a state machine that defines who may make which moves.

A game has a table of phases, and a function from state to phase. A move that the phase does not
allow is refused with the phase's reason.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from scorer.errors import Illegal
from scorer.messages import Message

S = TypeVar("S")

Reason = tuple[str, str]  # the template of the sentence, with {facts}; the rule's id


def reason(template: str, rule: str) -> Reason:
    """Return a reason; *template* becomes a message with the facts."""
    return template, rule


def refused(move: Any, why: Reason, facts: Mapping[str, Message] | None = None) -> Illegal:
    """Return the refusal of *move* for a reason with *facts* inserted."""
    return Illegal(move, Message(why[0], facts or {}), why[1])


def fault(check: Callable[..., object], *given: object) -> Illegal | None:
    """Return why what is *given*, a state and a move say, is illegal, or None."""
    try:
        check(*given)
    except Illegal as why:
        return why
    return None


def described(
    state: S,
    moves: Iterable[Any],
    apply: Callable[[S, Any], S],
    describe: Callable[[S, Any], Message],
) -> tuple[Message, ...]:
    """Describe *moves*, made one after the other from *state* on."""
    words = []
    for move in moves:
        words.append(describe(state, move))
        state = apply(state, move)
    return tuple(words)


@dataclass(frozen=True, slots=True)
class Phase(Generic[S]):
    """A phase of a game.

    `to_move` returns the seats that may act, `legal` yields their moves, and `moves` has a function
    for each kind of move, which may raise Illegal. Other kinds are refused with the reason
    `instead`, or a specific one in `why`.
    """

    to_move: Callable[[S], tuple[int, ...]]
    legal: Callable[[S], Iterator[Any]]
    moves: Mapping[type, Callable[[S, Any], S]]
    instead: Reason
    why: Mapping[type, Reason] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Phases(Generic[S]):
    """The phases of a game; it implements functions of the contract.

    `phase_of` returns the phase of a state, "over" after the last move; `facts` fill in the
    reasons.
    """

    phase_of: Callable[[S], str]
    table: Mapping[str, Phase[S]]
    facts: Callable[[S], Mapping[str, Message]] = lambda _state: {}

    def apply(self, state: S, move: Any) -> S:
        """Return the state after *move*; raise Illegal if the rules forbid it."""
        phase, kind = self.table[self.phase_of(state)], type(move)
        if kind in phase.moves:
            return phase.moves[kind](state, move)
        raise refused(move, phase.why.get(kind, phase.instead), self.facts(state))

    def waits_for(self, state: S) -> Message:
        """Return what must be done first, in words."""
        return Message(self.table[self.phase_of(state)].instead[0], self.facts(state))

    def legal_moves(self, state: S) -> Iterator[Any]:
        """Yield every move `apply` accepts."""
        return self.table[self.phase_of(state)].legal(state)

    def to_move(self, state: S) -> tuple[int, ...]:
        """Return the seats that may act now."""
        return self.table[self.phase_of(state)].to_move(state)


def mover(state: Any) -> tuple[int]:
    """Return the single seat whose turn it is."""
    return (state.seat,)


def over(sentence: str, rule: str) -> Phase[Any]:
    """Return the final phase, which allows no moves."""
    return Phase(lambda _: (), lambda _: iter(()), {}, (sentence, rule))
