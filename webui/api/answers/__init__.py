"""What the JSON interface answers: its OpenAPI schemas are derived from these very types.

In `Annotated` a text is what the schema says of a field besides its type, and a pair a key of the
schema with its value (`webui.api.schema`).
"""

from typing import Annotated, Any

SeatNumbers = list[int]  # a number a seat
CellView = list[int]  # row and column
Time = Annotated[str, ("format", "date-time")]  # ISO 8601
PointView = Annotated[list[float], ("minItems", 2), ("maxItems", 2)]  # x and y, px of the photo
# A move as `load_move` reads it: its kind by the name of "move", and what that kind needs.
MoveView = Annotated[dict[str, Any], ("required", ("move",))]
