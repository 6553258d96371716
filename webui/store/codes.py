"""Join codes: letters that a person reads out, hears and types."""

from __future__ import annotations

import secrets

# Without 0 O, 1 I L, 2 Z, 5 S, 8 B and U V, which are read or heard for one another.
CODE_LETTERS = "ACDEFGHJKMNPQRTWXY34679"
CODE_LENGTH = 6  # 148 million codes: with 30 tries a minute nobody meets a match by guessing
REST_LENGTH = 6  # of a whole code: 2e16 in all, which nobody guesses however often they try


def random_letters(number: int) -> str:
    """Return as many letters of codes, which nobody can foresee."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(number))


def is_whole(code: str) -> bool:
    """Say whether *code* has as many letters as a whole join code."""
    return len(as_letters(code)) == CODE_LENGTH + REST_LENGTH


def as_letters(code: str) -> str:
    """Return the letters of a code, however it is typed."""
    return "".join(code.split()).replace("-", "").upper()
