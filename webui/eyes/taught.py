"""What was taught of a match, as the eyes take it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict


class TaughtJson(TypedDict, total=False):
    """What `photo.see` takes of it, as JSON."""

    learned: Mapping[str, Any]  # of the pieces
    board: Mapping[str, Any]
