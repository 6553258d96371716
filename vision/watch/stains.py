"""Print and stains: what was doubtful before anything was thrown is no piece later."""

from __future__ import annotations

from collections.abc import Sequence

from vision.watch.tracking import Observation

# So many sides and times as large it may be off later, pieces only below this confidence, and so
# many places are remembered.
SAME_STAIN, LIKE_STAIN, UNLIKELY, MOST_STAINS = 0.4, 1.6, 0.7, 30

Stains = tuple[Observation, ...]


def with_stains(stains: Stains, found: Sequence[Observation]) -> Stains:
    """Return the stains that are remembered once *found* was doubtful on a table as it was."""
    new = tuple(one for one in found if not is_stain(one, stains))
    return (*stains, *new)[-MOST_STAINS:]


def is_unlikely(one: Observation) -> bool:
    """Say whether a piece may be none."""
    return any(not face.sure and face.confidence < UNLIKELY for face in one.piece.faces)


def is_stain(one: Observation, stains: Stains) -> bool:
    """Say whether the same was doubtful when nothing had been thrown."""
    return any(
        abs(one.middle - stain.middle) < SAME_STAIN * stain.side
        and 1 / LIKE_STAIN < one.side / stain.side < LIKE_STAIN
        for stain in stains
    )
