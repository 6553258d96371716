"""What the JSON interface answers: its OpenAPI schemas are derived from these very types.

In `Annotated` a text is what the schema says of a field besides its type, and a pair a key of the
schema with its value (`webui.api.openapi.json_schema`).
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Annotated, Any

Seats = list[int]  # a number a seat
CellView = list[int]  # row and column
Time = Annotated[str, ("format", "date-time")]  # ISO 8601
Point = Annotated[list[float], ("minItems", 2), ("maxItems", 2)]  # x and y, px of the photo
# A move as `load_move` reads it: its kind by the name of "move", and what that kind needs.
Move = Annotated[dict[str, Any], ("required", ("move",))]


def plain(answer: Any) -> Any:
    """Return an answer as JSON data."""
    if is_dataclass(answer) and not isinstance(answer, type):
        return {one.name: plain(getattr(answer, one.name)) for one in fields(answer)}
    if isinstance(answer, (list, tuple)):
        return [plain(one) for one in answer]
    return answer
