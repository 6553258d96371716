"""Taught pieces and boards of a match, in the form used for reading."""

from collections.abc import Mapping
from typing import Any, TypedDict


class TaughtJson(TypedDict, total=False):
    """The JSON arguments of `photo.see`."""

    learned: Mapping[str, Any]  # taught pieces
    board: Mapping[str, Any]
