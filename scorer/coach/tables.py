"""Solved and fitted tables, shipped beside what made them; `SHA256` is of what that wrote.

A table holds single floats, little-endian. Chances to win by the scores of two players, 100 by
100 of them, row by row, are solved by `python -m scorer.coach.pig_solve` and
`beat_the_odds_solve`; how strong sheets of Dice Wide Shut are is fitted by `dice_wide_shut_fit`.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable
from functools import cache
from pathlib import Path

SIDE = 100  # points that both games are played to
SHA256 = {
    "pig": "a912f9215da9a56429398777624f93f6b99dee4515a994b82aa473d04d29a1d3",
    "pig_big": "f15b79403a696213f0da32f583df03f97e07486947c880ec0864019a21785fd1",
    "pig_two": "339fc3bc5d817d6f0ef9d67024dcba979412f5aaf6239209fea6c2641c1544f2",
    "beat_the_odds_reply": "a562dde542a4720394b89c410fa14b60e3219d3a565f3a2ad1d8a329ef577a11",
    "beat_the_odds": "9d3c866c4b0700edac9e713afb8a0c4bd89cca09626053b242c700c439faa50c",
    "dice_wide_shut": "98f9ce0d195be1b8e4c7bf1b8c27e7aaec01f66af42a02072045f995eb64aa97",
}


def path(name: str) -> Path:
    """Return the file of a game's table."""
    return Path(__file__).with_name(f"{name}.f32")


@cache
def table(name: str) -> array[float]:
    """Return the table of a game; entry (row, column) is at row * SIDE + column."""
    entries = array("f", path(name).read_bytes())
    if sys.byteorder == "big":
        entries.byteswap()
    return entries


def write(name: str, entries: Iterable[float]) -> None:
    """Write the table of a game, as its solver found it."""
    made = array("f", entries)
    if sys.byteorder == "big":
        made.byteswap()
    path(name).write_bytes(made.tobytes())
