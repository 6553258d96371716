"""What is the same on all photos of a match, and what cannot be drawn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.textures.texture import Random

PRINTED = 0.5  # of the evenings use our grid and mat; the others a grid of their own, and no mat


class NotDrawn(Exception):
    """There is no drawer for such a table; `str()` says which things are missing."""


@dataclass(frozen=True, slots=True)
class Evening:
    """A table, its pieces and its people: everything about them falls to the seed."""

    seed: int

    def chance(self, *what: int) -> Random:
        """Return the random numbers of one thing of this evening."""
        return np.random.default_rng(np.random.SeedSequence([29, self.seed, *what]))

    @property
    def printed(self) -> bool:
        """Return True if our pages lie on the table."""
        return bool(self.chance(10).random() < PRINTED)
