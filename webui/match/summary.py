"""Summaries of a step: one line, however many moves it has, and when it was."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

FEW = 2  # moves whose own sentences still read as one line


def summary(
    text: Sequence[str],
    moves: Sequence[Mapping[str, Any]],
    several: Mapping[str, str],
    *,
    from_photo: bool,
) -> str:
    """Return what a step put down; *several* are a game's words for many moves of one kind.

    *seen*: the moves were read from a photo.
    """
    if len(text) <= FEW:
        return "; ".join(text)
    kinds = [str(move.get("move")) for move in moves]
    alone = dict(zip(kinds, text, strict=True))  # a move that is the only one of its kind
    said = "; ".join(
        alone[kind] if count == 1 else f"{count} {several.get(kind, 'moves')}"
        for kind, count in Counter(kinds).items()
    )
    return f"{said}, read from a photo" if from_photo else said


def gains(before: Sequence[int], after: Sequence[int]) -> list[int]:
    """Return what each seat gained by a step."""
    return [now - then for then, now in zip(before, after, strict=True)]


def clock(at: str) -> str:
    """Return the time of day where the server stands: at the table."""
    return f"{datetime.fromisoformat(at).astimezone():%d %b, %H:%M}"


def sentence(text: str, end: str = "") -> str:
    """Begin with a capital letter and close with *end*; the rules' sentences have neither."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?")) else end)
