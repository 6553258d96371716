"""What the rules refuse, and what cannot be advised or scored; each names the fact."""

from collections.abc import Sequence

from scorer.messages import Message


class Malformed(ValueError):
    """What was sent, JSON or a file, is not what it should be: the sender is wrong."""


class NotAMove(Malformed):
    """What was sent is no move (or no setting) of this game."""


class Illegal(ValueError):
    """The rules forbid *move*. `reason` is the sentence a player reads; `rule` its id in RULES."""

    def __init__(self, move: object, reason: Message, rule: str) -> None:
        super().__init__(reason)
        self.move, self.reason, self.rule = move, reason, rule


class NoAdvice(ValueError):
    """Nothing can be advised; `sentence` says why, and what would help."""

    def __init__(self, sentence: Message) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class NotScored(Exception):
    """The photo shows nothing to score; `sentence` says why.

    `asks` are moves in words of which a person must say one first; `pieces` are those of the table
    that the rules forbid as they lie, each by its kind and place.
    """

    def __init__(
        self,
        sentence: Message,
        asks: Sequence[Message] = (),
        pieces: Sequence[tuple[str, int]] = (),
    ) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.asks = tuple(asks)
        self.pieces = tuple(pieces)
