"""What was taught for a match, in the form that the eyes take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict


class TaughtJson(TypedDict, total=False):
    """What `photo.see` takes of it, as JSON."""

    learned: Mapping[str, Any]  # of the pieces
    board: Mapping[str, Any]
