"""Phases: who may do what at one point of a game, as a table instead of checks in every move.

A game lists its phases by name and says in which one a state is. A move that has no place in the
phase is refused with the reason that stands there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from scorer.errors import Illegal
from scorer.messages import Message

S = TypeVar("S")

Reason = tuple[str, str]  # the template of the sentence, in which {facts} may stand; the rule's id


def reason(template: str, rule: str) -> Reason:
    """Return why something is refused; *template* is a message once the facts are known."""
    return template, rule


def refused(move: Any, why: Reason, facts: Mapping[str, Message] | None = None) -> Illegal:
    """Return the refusal of *move* for a reason in which *facts* stand."""
    return Illegal(move, Message(why[0], facts or {}), why[1])


def fault(apply: Callable[[S, Any], S], state: S, move: Any) -> Illegal | None:
    """Return why the rules refuse *move*, None if they do not."""
    try:
        apply(state, move)
    except Illegal as why:
        return why
    return None


def told(
    state: S,
    moves: Iterable[Any],
    apply: Callable[[S, Any], S],
    describe: Callable[[S, Any], Message],
) -> tuple[Message, ...]:
    """Return *moves*, made one after the other from *state* on, in words."""
    words = []
    for move in moves:
        words.append(describe(state, move))
        state = apply(state, move)
    return tuple(words)


@dataclass(frozen=True, slots=True)
class Phase(Generic[S]):
    """One point of a game.

    `to_move` tells the seats that may act, `legal` yields what they may do, and `moves` has the
    function that makes a move of each kind, or raises Illegal. Whoever tries another kind is told
    the reason `instead`; `why` has better ones for some kinds.
    """

    to_move: Callable[[S], tuple[int, ...]]
    legal: Callable[[S], Iterator[Any]]
    moves: Mapping[type, Callable[[S, Any], S]]
    instead: Reason
    why: Mapping[type, Reason] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Phases(Generic[S]):
    """The phases of a game; its functions are those of the contract.

    `phase_of` names the phase of a state, "over" after the last move; `facts` fill the reasons in.
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
        """Return what is to be done before anything else, in words."""
        return Message(self.table[self.phase_of(state)].instead[0], self.facts(state))

    def legal_moves(self, state: S) -> Iterator[Any]:
        """Yield every move `apply` takes."""
        return self.table[self.phase_of(state)].legal(state)

    def to_move(self, state: S) -> tuple[int, ...]:
        """Return the seats that may act now."""
        return self.table[self.phase_of(state)].to_move(state)


def mover(state: Any) -> tuple[int]:
    """Return the one seat whose turn it is, of a state that says so."""
    return (state.seat,)


def over(sentence: str, rule: str) -> Phase[Any]:
    """Return the phase after the last move, in which nothing may be done any more."""
    return Phase(lambda _: (), lambda _: iter(()), {}, (sentence, rule))
