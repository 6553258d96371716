"""Remember print and stains: what looked like a doubtful piece before anything was thrown."""

from __future__ import annotations

from collections.abc import Sequence

from vision.watch.tracking import Observation

# Sides by which a stain may seem to move and factor by which its size may differ, confidence below
# which a piece may be a stain, and number of stains that are remembered.
SAME_STAIN, LIKE_STAIN, UNLIKELY, MOST_STAINS = 0.4, 1.6, 0.7, 30

Stains = tuple[Observation, ...]


def with_stains(stains: Stains, found: Sequence[Observation]) -> Stains:
    """Add doubtful places *found* on an untouched table to the stains."""
    new = tuple(one for one in found if not is_stain(one, stains))
    return (*stains, *new)[-MOST_STAINS:]


def is_unlikely(look: Observation) -> bool:
    """Return True if a piece is so doubtful that it may be a stain."""
    return any(not face.sure and face.confidence < UNLIKELY for face in look.piece.faces)


def is_stain(look: Observation, stains: Stains) -> bool:
    """Return True if the place is one of the stains."""
    return any(
        abs(look.middle - stain.middle) < SAME_STAIN * stain.side
        and 1 / LIKE_STAIN < look.side / stain.side < LIKE_STAIN
        for stain in stains
    )
