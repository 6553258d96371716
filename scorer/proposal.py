"""A table as moves to confirm, with doubts, or with the reasons why it is impossible."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from scorer.messages import Message

About = Literal["meaning", "again", "missed", "taken", "stands", "reading", "progress", "assumed"]


@dataclass(frozen=True, slots=True)
class Doubt:
    """A question for a person before confirming.

    `piece` is the kind and index in the observed Table: ("dice", 4). A die that counts as another
    value than its reading is `taken` as that. A question about several pieces is repeated for each;
    `once` removes duplicates.

    Most doubts ask whether the reading is right. `about` has other topics: "again": was it counted
    before? A camera that knows the earlier places can answer. "missed": is there one more piece?
    "taken": was it removed, or is it hidden? A camera may have seen it. "stands": was it there
    before? "reading": nothing beyond the piece's own probabilities. "progress": no question, but a
    hint what to do on the table. "assumed": which seat is whose at the start, which no photo shows.

    `drawn`: the value beside the piece's outline on the photo is likely
    (`scorer.photo.interpret.drawn`), and confirming the photo settles it. Without a person who
    looks it is an ordinary doubt.

    `others` are alternatives to all proposed moves, the likeliest first. If they are equivalent,
    nothing is asked (`scorer.answers`).
    """

    sentence: Message
    piece: tuple[str, int] | None = None
    taken: tuple[str, int] | None = None  # colour and value
    about: About = "meaning"
    others: tuple[tuple[Any, ...], ...] = ()
    drawn: bool = field(default=False, compare=False)  # affects the display only


@dataclass(frozen=True, slots=True)
class Difference:
    """The reason why a table cannot follow from the state by legal moves."""

    sentence: Message
    rule: str
    piece: tuple[str, int] | None = None


def once(remarks: Iterable[Doubt | Difference]) -> tuple[Message, ...]:
    """Return the sentences of *remarks* in order without duplicates."""
    return tuple(dict.fromkeys(remark.sentence for remark in remarks))


def asked(
    eyes: Iterable[Doubt], rules: Sequence[Doubt], *, weighed: bool = False
) -> tuple[Doubt, ...]:
    """Merge doubts; those of the reading only about pieces without a doubt of the rules.

    If the rules have *weighed* all readings of each die, their doubts replace the reading's.
    """
    doubted = {doubt.piece for doubt in rules if doubt.piece is not None}
    left = (d for d in eyes if not (weighed and d.about == "reading"))
    return (*(doubt for doubt in left if doubt.piece not in doubted), *rules)


@dataclass(frozen=True, slots=True)
class Proposal:
    """The meaning of a table: moves to confirm, in order, with doubts; or the differences in words.

    With differences `moves` has only the legal part, and must not be played without asking.
    `complete`: all relevant pieces were read, so a missed one does not matter. `weighed`: moves and
    doubts consider all readings of every die that counts. `taken`: marks, by index in the table,
    that count as another state than their reading.
    """

    moves: tuple[Any, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    differences: tuple[Difference, ...] = ()
    complete: bool = False
    weighed: bool = field(default=False, compare=False)  # set by the caller; ignored in comparisons
    taken: tuple[tuple[int, str], ...] = field(default=(), compare=False)  # display only

    @classmethod
    def differs(
        cls, sentence: Message, rule: str, piece: tuple[str, int] | None = None
    ) -> Proposal:
        """Return a proposal with a single difference and no moves."""
        return cls(differences=(Difference(sentence, rule, piece),))
