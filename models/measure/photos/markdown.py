"""Tables and shares as Markdown."""

from __future__ import annotations

from collections.abc import Sequence


def share(part: int, of: int) -> str:
    """Return a share in per cent, or a dash where there is nothing to share."""
    return f"{100 * part / of:.2f} %" if of else "–"


def markdown_table(heads: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    """Return rows under their heads, the first column to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(heads, *body, strict=True)]

    def line(cells: Sequence[str]) -> str:
        first, *rest = (
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(cells, widths, strict=True))
        )
        return "| " + " | ".join((first, *rest)) + " |"

    rule = "| " + " | ".join("-" * (w - (i > 0)) + ":" * (i > 0) for i, w in enumerate(widths))
    return "\n".join([line(heads), f"{rule} |", *map(line, body)])
