"""What lies on a table, as moves to confirm: with what is doubtful, or why it cannot be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from scorer.messages import Message

About = Literal["meaning", "again", "missed", "taken", "stands", "reading", "progress", "assumed"]


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something a person should look at before confirming.

    `piece` is the kind and index in the Table that was observed: ("dice", 4). A die that counts for
    another one than it looks like is `taken` as that. What is asked about several pieces is one
    sentence, given with each of them; `once` says it once.

    Most doubts ask whether this is what lies there. One `about` "again" asks whether it was counted
    before, which whoever knows how it lay before can answer. One about what may be "missed" asks
    whether one more piece lies there, one about what was "taken" whether it is only hidden, which
    whoever saw it taken can answer, one about what "stands" whether it does so since before. One
    about a "reading" asks no more than the piece's own probabilities do. One about "progress" asks
    nothing: it tells how far things are, or what is to be done on the table. What no photo can tell
    and changes nothing that was told so far, which seat is whose at the start, is "assumed".

    What is `drawn` asks only for a look at the piece: the value written beside its outline on the
    photo is likely (`scorer.photo.interpret.drawn`), and to confirm that settles it. Where nobody
    looks it is a doubt like any other.

    `others` are the moves that it may have been instead of all that are proposed, the likeliest
    first. Where they all come to the same as those, nothing is asked (`scorer.answers`).
    """

    sentence: Message
    piece: tuple[str, int] | None = None
    taken: tuple[str, int] | None = None  # colour and value
    about: About = "meaning"
    others: tuple[tuple[Any, ...], ...] = ()
    drawn: bool = field(default=False, compare=False)  # of how it is shown, not of what it asks


@dataclass(frozen=True, slots=True)
class Difference:
    """Why what lies there cannot have come from the state by legal moves."""

    sentence: Message
    rule: str
    piece: tuple[str, int] | None = None


def once(remarks: Iterable[Doubt | Difference]) -> tuple[Message, ...]:
    """Return the sentences of *remarks* in their order, each once."""
    return tuple(dict.fromkeys(remark.sentence for remark in remarks))


def asked(
    eyes: Iterable[Doubt], rules: Sequence[Doubt], *, weighed: bool = False
) -> tuple[Doubt, ...]:
    """Return the questions of both, of the eyes only about pieces the rules do not ask about.

    Where the rules have *weighed* all that each die may be, they ask what is left to ask of that.
    """
    doubted = {doubt.piece for doubt in rules if doubt.piece is not None}
    left = (d for d in eyes if not (weighed and d.about == "reading"))
    return (*(doubt for doubt in left if doubt.piece not in doubted), *rules)


@dataclass(frozen=True, slots=True)
class Proposal:
    """What the table means: moves to confirm, in order, with doubts; or the differences in words.

    With differences `moves` holds only what is legal all the same, and is not to be played unasked.
    `complete`: all pieces that can tell are among those seen, so one that was missed tells nothing.
    `weighed`: of every die that counts, all it may be went into the moves and the doubts.
    `taken`: marks, by their place in the table, that count as another one than they look like.
    """

    moves: tuple[Any, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    differences: tuple[Difference, ...] = ()
    complete: bool = False
    weighed: bool = field(default=False, compare=False)  # of who asks, not of what it means
    taken: tuple[tuple[int, str], ...] = field(default=(), compare=False)  # how it is shown

    @classmethod
    def differs(
        cls, sentence: Message, rule: str, piece: tuple[str, int] | None = None
    ) -> Proposal:
        """Return the one difference that leaves nothing to propose."""
        return cls(differences=(Difference(sentence, rule, piece),))
