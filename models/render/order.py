"""What a picture shall show, and the tokens that script its dice."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

LETTERS = {"B": "black", "W": "white", "R": "red"}
EMPTY = "--"


def chance(seed: int, name: str) -> np.random.Generator:
    """Return the random numbers of one part of a scene."""
    return np.random.default_rng([seed, *name.encode()])


@dataclass(frozen=True, slots=True)
class Order:
    """What a picture shall show; what is None is chosen by the seed.

    `tokens` are nine cells row by row as the camera sees them: "B3" a black three,
    "--" nothing, "B3+W5" two dice in one cell.
    """

    seed: int
    size: tuple[int, int] = (1600, 1200)  # width and height, px
    tokens: tuple[str, ...] | None = None
    beside: str | None = None  # a token for a die beside the board, "--" for none
    table: str | None = None
    stock: str | None = None  # of the lid
    elevation: float | None = None  # of the camera, degrees
    dim: bool = False


def random_tokens(rng: np.random.Generator) -> tuple[str, ...]:
    """Choose a position of the game: mostly full boards, else any number of placed dice."""
    placed = 9 if rng.random() < 0.6 else int(rng.integers(1, 10))
    colours = "BW" if rng.random() < 0.5 else "WB"
    dice = [f"{colours[k % 2]}{rng.integers(1, 7)}" for k in range(placed)]
    cells = dice + [EMPTY] * (9 - placed)
    return tuple(str(cell) for cell in rng.permutation(cells))


def read_token(token: str) -> tuple[str, int]:
    """Return the colour and the value a token names.

    Raises:
        ValueError: it names no die.
    """
    if len(token) != 2 or token[0] not in LETTERS or token[1] not in "123456":
        raise ValueError(f"'{token}' is no die: write a colour ({', '.join(LETTERS)}) and 1 to 6")
    return LETTERS[token[0]], int(token[1])
