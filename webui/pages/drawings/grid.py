"""The rows and columns of a grid for dice, for pages."""

import re


def grid(board: str | None) -> dict[str, int]:
    """Return the rows and columns of a printed grid; nothing for another board."""
    size = re.fullmatch(r"grid:(\d+)x(\d+)", board or "")
    return {"rows": int(size[1]), "columns": int(size[2])} if size else {"rows": 0, "columns": 0}
