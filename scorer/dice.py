"""Six-sided dice: valid pips and outcomes."""

from collections.abc import Iterable, Iterator
from itertools import combinations_with_replacement

from scorer.errors import Illegal
from scorer.messages import _

PIPS = range(1, 7)


def check_pips(move: object, pips: Iterable[int], rule: str) -> None:
    """Raise Illegal unless all pips are 1 to 6; *rule* is the id of the game's rule about dice."""
    for value in pips:
        if value not in PIPS:
            raise Illegal(move, _("a die shows 1 to 6, not {value}", value=value), rule)


def falls(count: int) -> Iterator[tuple[int, ...]]:
    """Yield all outcomes of *count* dice, each once and in ascending order."""
    return combinations_with_replacement(PIPS, count)
